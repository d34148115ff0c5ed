/* Times: those known already, and one measured now on a thread of its own, so that the window goes on. */
#include "app/state.h"
#include "lesson/retell.h"
#include <math.h>
#include <string.h>

static const double rest_seconds = 0.5;

static void *measure_thread(void *context)
{
    struct measuring *measuring = context;
    measuring->good = run_lesson_measure(measuring->lesson, &measuring->setting, &measuring->time, &measuring->error);
    atomic_store(&measuring->finished, true);
    return NULL;
}

/* What this machine can time now: the variant on screen where a GPU ran it or the host runs it, else a host variant
 * that nobody has timed. -1: nothing. */
int app_measurable(const struct app *app)
{
    const struct lesson *lesson = app->open.lesson;
    int now = app->open.setting.variant;
    if (lesson->variants[now].host || (app->run && app->run->executor == EXECUTOR_GPU))
        return now;
    for (int v = 0; v < lesson->variant_count; v++) {
        struct lesson_setting setting = app->open.setting;
        setting.variant = v;
        if (lesson->variants[v].host && run_lesson_time(lesson, &setting).source == TIME_NONE)
            return v;
    }
    return -1;
}

static void start(struct app *app, const struct lesson_setting *setting)
{
    struct measuring *measuring = &app->measuring;
    atomic_store(&measuring->finished, false);
    measuring->resting = false;
    measuring->lesson = app->open.lesson;
    measuring->setting = *setting;
    if (pthread_create(&measuring->thread, NULL, measure_thread, measuring) != 0) {
        app_say(app, "%s", _("no thread could be started for the measurement; close other programs and try again"));
        return;
    }
    measuring->started = true;
}

void app_measure(struct app *app)
{
    if (app->measuring.started || !app->open.lesson || app_measurable(app) < 0)
        return;
    struct lesson_setting setting = app->open.setting;
    setting.variant = app_measurable(app);
    start(app, &setting);
}

/* True while a measurement is under way. */
bool app_measure_poll(struct app *app)
{
    struct measuring *measuring = &app->measuring;
    if (!measuring->started)
        return false;
    if (!atomic_load(&measuring->finished))
        return true;
    pthread_join(measuring->thread, NULL);
    measuring->started = false;
    measuring->gave_up = !measuring->good;
    if (measuring->good)
        app_forget_runs(app);
    else
        app_say_error(app, &measuring->error);
    return false;
}

bool app_speaks_of_time(const struct app *app)
{
    const struct lesson_text *text = &app_beat(app)->words[app->language];
    for (size_t i = 0; i < text->count; i++)
        for (size_t s = 0; s < text->paragraphs[i].span_count; s++)
            if (strstr(text->paragraphs[i].spans[s].text, "{time"))
                return true;
    return false;
}

void app_measure_stop(struct app *app)
{
    if (!app->measuring.started)
        return;
    pthread_join(app->measuring.thread, NULL);
    app->measuring.started = false;
}

static void add_bar(struct time_bar *bar, struct lesson_setting *to, struct app *app, const char *label, bool current,
                    const struct lesson_setting *setting)
{
    struct measured_time const time = run_lesson_time(app->open.lesson, setting);
    *bar =
        (struct time_bar){.label = label, .time = time, .subject = retell(&app->frame, time.what), .current = current};
    *to = *setting;
}

static void variant_bars(struct app *app, struct time_bar bars[4], struct lesson_setting settings[4], int *count)
{
    const struct lesson *lesson = app->open.lesson;
    for (int v = 0; v < lesson->variant_count && *count < 4; v++) {
        struct lesson_setting setting = app->open.setting;
        setting.variant = v;
        add_bar(&bars[*count], &settings[*count], app, lesson->variants[v].label[app->language],
                v == app->open.setting.variant, &setting);
        (*count)++;
    }
}

/* The knob's default, the value now and the next one: what a bar is compared with. */
static void knob_bars(struct app *app, struct time_bar bars[4], struct lesson_setting settings[4], int *count)
{
    const struct lesson *lesson = app->open.lesson;
    int which = app->open.knob;
    if (which >= lesson->knob_count)
        return;
    const struct lesson_knob *knob = &lesson->knobs[which];
    int now = app->open.setting.value[which];
    int picked[3] = {knob->default_index, now, now + 1 < knob->value_count ? now + 1 : now - 1};
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++)
            if (picked[j] < picked[i]) {
                int swap = picked[i];
                picked[i] = picked[j];
                picked[j] = swap;
            }
    for (int i = 0; i < 3; i++) {
        if (picked[i] < 0 || (i && picked[i] == picked[i - 1]))
            continue;
        struct lesson_setting setting = app->open.setting;
        setting.value[which] = picked[i];
        const char *label =
            arena_format(&app->frame, "%s %lld", knob->label[app->language], (long long)knob->values[picked[i]]);
        add_bar(&bars[*count], &settings[*count], app, label, picked[i] == now, &setting);
        (*count)++;
    }
}

int app_time_bars(struct app *app, struct time_bar bars[4], struct lesson_setting settings[4])
{
    int count = 0;
    memset(bars, 0, 4 * sizeof *bars);
    if (app->open.lesson->variant_count > 2 || !app->open.lesson->knob_count)
        variant_bars(app, bars, settings, &count);
    else
        knob_bars(app, bars, settings, &count);
    return count;
}

/* What is measured without being asked for: on a GPU every time on the card, the one on screen first; the host's loop
 * where it is what is shown, or what the step speaks of. */
static bool next_unasked(struct app *app, struct lesson_setting *setting)
{
    const struct lesson *lesson = app->open.lesson;
    if (!app->host.attended || app->screen != SCREEN_LESSON || !app->run || app->playing || app_covered(app) ||
        app->measuring.gave_up)
        return false;
    struct time_bar bars[4];
    struct lesson_setting settings[4];
    int count = app_time_bars(app, bars, settings);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < count; i++) {
            const struct lesson_variant *variant = &lesson->variants[settings[i].variant];
            bool wanted =
                variant->host ? bars[i].current || app_speaks_of_time(app) : app->run->executor == EXECUTOR_GPU;
            if (bars[i].current != (round == 0) || !wanted || bars[i].time.source == TIME_LIVE)
                continue;
            *setting = settings[i];
            return true;
        }
    return false;
}

void app_measure_rest(struct app *app, double seconds)
{
    struct measuring *measuring = &app->measuring;
    struct lesson_setting setting;
    measuring->resting = !measuring->started && next_unasked(app, &setting);
    if (!measuring->resting || memcmp(&setting, &measuring->rests, sizeof setting) != 0)
        measuring->rested = 0;
    else
        measuring->rested += seconds;
    if (!measuring->resting)
        return;
    measuring->rests = setting;
    if (measuring->rested >= rest_seconds)
        start(app, &setting);
}

double app_measure_wait(const struct app *app)
{
    return app->measuring.resting ? fmax(0, rest_seconds - app->measuring.rested) : INFINITY;
}
