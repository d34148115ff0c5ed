/* The place in the window as an address: LESSON/STEP?NAME=VALUE&... in words that a person can read and change. The
 * values of knobs and the variant stand there if they are not those with which the step opens. */
#include "app/app.h"
#include "app/language.h"
#include "app/open.h"
#include "app/state.h"
#include "base/file.h"
#include "base/words.h"
#include <stdlib.h>
#include <string.h>

static const char *const language_codes[LANGUAGE_COUNT] = {"en", "ko"};

/* ---- the address of a place ---- */

/* Adds "?name=value", or "&name=value" behind another one. Names and values are of lessons: letters, digits, - and _.
 */
static const char *with(struct arena *arena, const char *link, const char *name, const char *value)
{
    return arena_format(arena, "%s%c%s=%s", link, strchr(link, '?') ? '&' : '?', name, value);
}

static const char *lesson_link(struct app *app)
{
    struct arena *arena = &app->frame;
    const struct document *document = &app->document;
    const struct lesson *lesson = document->lesson;
    const struct lesson_setting now = document->look.setting, own = document_setting_of_beat(document, document->beat);
    const char *link = arena_format(arena, "%s/%d", lesson->name, document->beat + 1);
    if (now.variant != own.variant)
        link = with(arena, link, "variant", lesson->variants[now.variant].name);
    for (int k = 0; k < lesson->knob_count; k++)
        if (now.value[k] != own.value[k])
            link = with(arena, link, lesson->knobs[k].name, lesson_knob_value(&lesson->knobs[k], now.value[k], arena));
    size_t const at = app->playhead.position;
    if (document->playback && document->playback->count && !document_covered(document) &&
        at != app->playhead.beat_position)
        link = with(arena, link, "access", arena_format(arena, "%zu", playback_number(document->playback, at)));
    return link;
}

/* Returns %25 and the like for the characters that mean something in an address. */
static const char *encoded(struct arena *arena, const char *name)
{
    size_t const length = strlen(name);
    char *text = arena_alloc(arena, 3 * length + 1), *to = text;
    for (const char *from = name; *from; from++)
        if (strchr("%?&=# \"<>", *from))
            to += snprintf(to, 4, "%%%02X", (unsigned)(unsigned char)*from);
        else
            *to++ = *from;
    *to = '\0';
    return text;
}

static const char *file_link(struct app *app)
{
    struct arena *arena = &app->frame;
    const struct document *document = &app->document;
    const char *link = arena_format(arena, "file/%s", encoded(arena, path_name(document->file.name)));
    size_t const at = app->playhead.position;
    if (document->playback && document->playback->count && at)
        link = with(arena, link, "access", arena_format(arena, "%zu", playback_number(document->playback, at)));
    return link;
}

const char *app_link(struct app *app)
{
    bool const lesson = !app->at_list && app->document.kind == DOCUMENT_LESSON;
    const char *link = lesson ? lesson_link(app) : app->at_list ? "" : file_link(app);
    return with(&app->frame, link, "lang", language_codes[app->preferences.language]);
}

/* ---- the place of an address ---- */

/* A link that is being followed. */
struct following {
    struct app *app;
    struct arena arena;
    const char *said; /* the first thing that was not there; NULL: all was */
};

static void say(struct following *link, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct following *link, const char *format, ...)
{
    va_list arguments;
    if (link->said)
        return;
    va_start(arguments, format);
    link->said = arena_format_v(&link->arena, format, arguments);
    va_end(arguments);
}

/* Returns how many letters have to be changed, added or left out to make one word of the other. */
static size_t distance(const char *a, const char *b)
{
    enum { MOST = 64 };
    size_t row[MOST + 1];
    size_t const length = strnlen(b, MOST);
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t before = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= length; j++) {
            size_t least = before + (a[i] != b[j - 1]);
            before = row[j];
            least = row[j] + 1 < least ? row[j] + 1 : least;
            row[j] = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
        }
    }
    return row[length];
}

/* Returns the lesson of the name, or the one whose name is most like it; NULL: none is like it. */
static const char *lesson_like(struct following *link, const char *name)
{
    const char **names, *best = NULL;
    struct error *errors;
    size_t error_count, least = strlen(name) / 2 + 1;
    if (strchr(name, '/') == NULL && lesson_exists(name))
        return name;
    size_t const count = lesson_names(&link->arena, &names, &errors, &error_count);
    for (size_t i = 0; i < count; i++) {
        size_t const far = distance(name, names[i]);
        if (far < least) {
            least = far;
            best = names[i];
        }
    }
    if (best)
        say(link, _("there is no lesson %s; the nearest is %s"), name, best);
    else
        say(link, _("there is no lesson %s; here are all of them"), name);
    return best;
}

/* Turns %20 and the like into characters, in place. */
static char *decoded(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        unsigned value;
        if (*from == '%' && sscanf(from + 1, "%2x", &value) == 1 && value && from[1] && from[2]) {
            *to++ = (char)value;
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    return words_clean(text);
}

/* Returns the knob's value that is nearest to the one named. */
static int nearest_value(struct following *link, const struct lesson_knob *knob, const char *text)
{
    char *end;
    long long const wanted = strtoll(text, &end, 10);
    int best = knob->default_index;
    bool const number = end != text && *end == '\0';
    for (int i = 0; number && i < knob->value_count; i++) {
        long long const here = lesson_knob_number(knob, i), there = lesson_knob_number(knob, best);
        if (llabs(here - wanted) < llabs(there - wanted))
            best = i;
    }
    if (!number || lesson_knob_number(knob, best) != wanted)
        say(link, _("%s has no value %s; the nearest is %s"), knob->name, text,
            lesson_knob_value(knob, best, &link->arena));
    return best;
}

static void set_variant(struct following *link, struct lesson_setting *setting, const char *name)
{
    const struct lesson *lesson = link->app->document.lesson;
    for (int i = 0; i < lesson->variant_count; i++)
        if (strcmp(lesson->variants[i].name, name) == 0) {
            setting->variant = i;
            return;
        }
    say(link, _("this lesson has no variant %s"), name);
}

static void set_named(struct following *link, struct lesson_setting *setting, const char *name, const char *value)
{
    const struct lesson *lesson = link->app->document.lesson;
    for (int i = 0; i < lesson->knob_count; i++)
        if (strcmp(lesson->knobs[i].name, name) == 0) {
            setting->value[i] = nearest_value(link, &lesson->knobs[i], value);
            return;
        }
    if (strcmp(name, "variant") == 0)
        set_variant(link, setting, value);
    else
        say(link, _("this lesson has nothing that is called %s"), name);
}

/* Opens the lesson, unless it is open already. */
static bool open_named(struct following *link, const char *name)
{
    struct app *app = link->app;
    struct document *document = &app->document;
    struct error error;
    if (document->kind == DOCUMENT_LESSON && strcmp(document->lesson->name, name) == 0) {
        app->at_list = false;
        return true;
    }
    app_note_progress(app);
    if (document_open_lesson(document, &app->playhead, name, &error)) {
        app->at_list = false;
        return true;
    }
    if (error.file[0]) {
        document_refuse_lesson(document, &app->playhead, &error);
        app->at_list = false;
    }
    notice_error(&app->notice, &error);
    return false;
}

/* Returns the index of the step that the text numbers, or of the nearest one. */
static int nearest_step(struct following *link, const char *text)
{
    int const count = link->app->document.lesson->beat_count;
    char *end;
    long const number = strtol(text, &end, 10);
    long const nearest = number > count ? count : number < 1 ? 1 : number;
    if (end == text || *end || nearest != number)
        say(link, _("this lesson has no step %s; the nearest is step %ld"), text, nearest);
    return (int)nearest - 1;
}

/* Goes to the step with the settings behind `?`: NAME=VALUE, with & between them. */
static void go_step(struct following *link, int step, char *settings)
{
    struct app *app = link->app;
    struct document *document = &app->document;
    struct lesson_setting setting;
    int access = 0;
    progress_resume(app->progress, document, &app->playhead, true);
    app_follow_class(app);
    if (step != document->beat || !document->run)
        document_go_beat(document, &app->playhead, step);
    setting = document_setting_of_beat(document, step);
    for (char *rest, *pair = strtok_r(settings, "&", &rest); pair; pair = strtok_r(NULL, "&", &rest)) {
        char *value = strchr(pair, '=');
        if (value)
            *value++ = '\0';
        if (strcmp(pair, "access") == 0)
            access = value ? atoi(value) : 0;
        else if (strcmp(pair, "lang") != 0)
            set_named(link, &setting, decoded(pair), value ? decoded(value) : "");
    }
    if (!lesson_setting_same(document->lesson, &setting, &document->look.setting) || !document->run) {
        document->look.setting = setting;
        document_show_setting(document, &app->playhead, false);
    }
    document_drop_unfit_question(document, &app->playhead);
    if (access > 0 && !document_covered(document))
        open_at_access(app, access);
    document_want_ladder(document);
    app_note_progress(app);
}

/* Takes over the language of the address, if it has one. */
static void use_language(struct app *app, const char *settings)
{
    const char *found = strstr(settings, "lang=");
    for (int i = 0; found && i < LANGUAGE_COUNT; i++)
        if (strncmp(found + 5, language_codes[i], 2) == 0 && app->preferences.language != (enum language)i) {
            app->preferences.language = (enum language)i;
            language_use(app->preferences.language);
        }
}

/* Opens a file of this page, or a sample, by its name, at the access of the settings. */
static bool open_page_file(struct following *link, const char *name, const char *settings)
{
    struct app *app = link->app;
    if (app->document.kind == DOCUMENT_FILE && strcmp(path_name(app->document.file.name), name) == 0) {
        const char *access = strstr(settings, "access=");
        app->at_list = false;
        if (access && atoi(access + strlen("access=")) > 0)
            open_at_access(app, atoi(access + strlen("access=")));
        return true;
    }
    say(link, _("%s is not here any more: drop the file again"), name);
    return false;
}

void app_open_link(struct app *app, const char *text)
{
    struct following link = {.app = app};
    char *place = arena_text(&link.arena, text);
    char *settings = place + strcspn(place, "?");
    if (*settings)
        *settings++ = '\0';
    char *step = strchr(place, '/');
    if (step)
        *step++ = '\0';
    use_language(app, settings);
    notice_clear(&app->notice);
    const char *name = decoded(place);
    const char *lesson = !*name || strcmp(name, "file") == 0 ? NULL : lesson_like(&link, name);
    app->help = app->overview.open = app->lookup.open = false;
    app->playhead.playing = false;
    if (lesson && open_named(&link, lesson)) {
        if (step && *step)
            go_step(&link, nearest_step(&link, decoded(step)), settings);
        else if (!app->document.run)
            open_lesson_as_left(app);
    } else if (!lesson && !(strcmp(name, "file") == 0 && step && open_page_file(&link, decoded(step), settings))) {
        app->at_list = true;
    }
    if (link.said)
        notice_pass(&app->notice, "%s", link.said);
    arena_free(&link.arena);
}
