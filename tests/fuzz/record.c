/* Records made by structure (made.h), with up to three lies in each, under a valid checksum. An honest one must be
 * accepted. What the reader accepts must survive comparison, the counts and their explanations, the dump, steps through
 * the window, each page of the overview, and the handout that `export` writes. */
#include "../fake_metrics.h"
#include "app/app.h"
#include "app/handout.h"
#include "explained.h"
#include "fuzz.h"
#include "made.h"
#include "trace/format/format.h"
#include "ui/keys.h"
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LIES_MOST = 3, HONEST = 400, STEPS = 6, WIDTH = 1600, HEIGHT = 900 };

static void check_list(const struct draw_list *list)
{
    require(list);
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        require(isfinite(command->rect.x + command->rect.y + command->rect.w + command->rect.h));
        for (uint32_t k = 0; k < command->point_count; k++)
            require(isfinite(command->points[k].x + command->points[k].y));
    }
}

static bool put_page(void *context, const struct handout_page *page, struct error *error)
{
    (void)context;
    (void)error;
    check_list(page->list);
    return true;
}

/* Opens the window and presses `keys` keys. */
static void draw(const struct app_options *options, struct choices *choices, size_t keys)
{
    static const int pressed[] = {KEY_RIGHT, KEY_LEFT, KEY_END, KEY_HOME, KEY_UP, KEY_DOWN,     KEY_V,
                                  KEY_N,     KEY_TAB,  KEY_W,   KEY_O,    KEY_P,  KEY_PAGE_DOWN};
    struct text_metrics const metrics = fake_metrics();
    struct app *app;
    struct error error;
    if (!app_new(options, &metrics, NULL, &app, &error)) {
        require(error.message[0]);
        return;
    }
    check_list(app_frame(app, 1e6));
    for (size_t i = 0; i < keys; i++) {
        int const key = pressed[choose(choices, sizeof pressed / sizeof *pressed)];
        int const modifiers = choose(choices, 2) ? MODIFIER_SHIFT : 0;
        app_event(app, &(struct app_event){.kind = APP_KEY, .key = key, .modifiers = modifiers});
        check_list(app_frame(app, 1e6));
    }
    app_free(app);
}

static void show(const uint8_t *bytes, size_t size, struct choices *choices)
{
    static const char *const pages[] = {"clock", "lines", "warps"};
    char path[64];
    int const file = memfd_create("record", 0);
    struct text_metrics const metrics = fake_metrics();
    struct error error = {0};
    require(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    struct app_options options = {.trace_path = path,
                                  .on = EXECUTOR_EMULATOR,
                                  .language = choose(choices, 2) ? "en" : "ko",
                                  .width = WIDTH,
                                  .height = HEIGHT,
                                  .scale = 1};
    draw(&options, choices, STEPS);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        options.overview = pages[i];
        draw(&options, choices, 0);
    }
    options.overview = NULL;
    options.reduced_motion = true;
    if (!handout_draw(&options, HANDOUT_AT_END, &metrics, put_page, NULL, &error))
        require(error.message[0]);
    close(file);
}

static void use(const struct trace *trace, struct choices *choices)
{
    struct arena arena = {0};
    struct error error = {0};
    struct trace_difference difference;
    struct counts counts;
    uint8_t *bytes;
    size_t size;
    struct trace *other = made_record(choices);
    require(trace_pack(trace, &arena, &bytes, &size, &error));
    trace_compare(trace, trace, &difference);
    require(!difference.differ || trace->lost || trace->recorded.first > trace->recorded.last);
    trace_compare(trace, other, &difference);
    trace_compare(other, trace, &difference);
    require(trace_dump(trace, &arena));
    counts_of_trace(trace, &arena, &counts);
    explained(trace, &counts);
    show(bytes, size, choices);
    trace_free(other);
    arena_free(&arena);
}

/* Writes the record and reads it. Returns NULL if it was refused. */
static struct trace *passed_on(const struct trace *made)
{
    struct arena arena = {0};
    struct error error = {0};
    struct trace *read = NULL;
    size_t size;
    const uint8_t *body = trace_encode(made, &arena, &size);
    if (!trace_decode("made.trace", TRACE_VERSION, body, size, &read, &error))
        require(error.kind == ERROR_INPUT && error.message[0]);
    arena_free(&arena);
    return read;
}

/* Shows that honest records have all kinds of events and findings, and that each is accepted. */
int LLVMFuzzerInitialize(int *argument_count, char ***arguments)
{
    bool kinds[TRACE_LOAD_WAIT + 1] = {false}, forms[FINDING_FORMS] = {false};
    (void)argument_count;
    (void)arguments;
    for (uint16_t i = 0; i < HONEST; i++) {
        struct choices choices = choices_of((const uint8_t *)&i, sizeof i);
        struct trace *made = made_record(&choices), *read = passed_on(made);
        require(read);
        for (size_t k = 0; k < read->events.count; k++)
            kinds[read->events.items[k].kind] = true;
        for (uint32_t k = 0; k < read->finding_count; k++)
            forms[read->findings[k].form] = true;
        trace_free(read);
        trace_free(made);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        require(kinds[i]);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        require(forms[i]);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct choices choices = choices_of(data, size);
    size_t const lies = choose(&choices, LIES_MOST + 1);
    struct trace *made = made_record(&choices);
    for (size_t i = 0; i < lies; i++)
        made_lie(made, &choices);
    struct trace *read = passed_on(made);
    require(read || lies > 0);
    if (read)
        use(read, &choices);
    trace_free(read);
    trace_free(made);
    return 0;
}
