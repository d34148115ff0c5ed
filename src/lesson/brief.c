#include "lesson/brief.h"
#include "base/file.h"
#include <jansson.h>

static const char *const languages[LANGUAGE_COUNT] = {"en", "ko"};

static json_t *words_json(const char *const words[LANGUAGE_COUNT])
{
    json_t *json = json_object();
    for (int l = 0; l < LANGUAGE_COUNT; l++)
        json_object_set_new(json, languages[l], json_string(words[l]));
    return json;
}

char *lesson_briefs_text(const struct lesson_brief *briefs, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct lesson_brief *brief = &briefs[i];
        json_array_append_new(list, json_pack("{s:s,s:o,s:o,s:i,s:i,s:i,s:I}", "name", brief->name, "title",
                                              words_json(brief->title), "summary", words_json(brief->summary), "beats",
                                              brief->beats, "questions", brief->questions, "minutes",
                                              (int)brief->minutes, "stage", (json_int_t)brief->stage));
    }
    char *text = json_dumps(list, JSON_COMPACT);
    json_decref(list);
    return text;
}

static bool read_brief(struct arena *arena, json_t *json, struct lesson_brief *brief, json_error_t *error)
{
    const char *name, *title[LANGUAGE_COUNT], *summary[LANGUAGE_COUNT];
    int minutes;
    json_int_t stage;
    if (json_unpack_ex(json, error, 0, "{s:s,s:{s:s,s:s},s:{s:s,s:s},s:i,s:i,s:i,s:I}", "name", &name, "title", "en",
                       &title[LANGUAGE_EN], "ko", &title[LANGUAGE_KO], "summary", "en", &summary[LANGUAGE_EN], "ko",
                       &summary[LANGUAGE_KO], "beats", &brief->beats, "questions", &brief->questions, "minutes",
                       &minutes, "stage", &stage) != 0)
        return false;
    brief->name = arena_text(arena, name);
    for (int l = 0; l < LANGUAGE_COUNT; l++) {
        brief->title[l] = arena_text(arena, title[l]);
        brief->summary[l] = arena_text(arena, summary[l]);
    }
    brief->minutes = (unsigned)minutes;
    brief->stage = (unsigned)stage;
    return true;
}

bool lesson_briefs_read(struct arena *arena, const char *text, size_t size, struct lesson_brief **briefs, size_t *count,
                        struct error *error)
{
    json_error_t wrong;
    json_t *list = json_loadb(text, size, 0, &wrong);
    size_t const most = json_array_size(list);
    bool good = json_is_array(list);
    *briefs = arena_array(arena, struct lesson_brief, most);
    *count = 0;
    while (good && *count < most) {
        good = read_brief(arena, json_array_get(list, *count), &(*briefs)[*count], &wrong);
        *count += good;
    }
    json_decref(list);
    return good || error_set(error, ERROR_INPUT, "lessons.json is not a list of lessons");
}

static void take(struct arena *arena, const struct lesson *lesson, struct lesson_brief *brief)
{
    *brief = (struct lesson_brief){.name = arena_text(arena, lesson->name),
                                   .beats = lesson->beat_count,
                                   .minutes = lesson->minutes_alone,
                                   .stage = lesson->beat_count ? lesson->beats[0].stage : 0};
    for (int b = 0; b < lesson->beat_count; b++)
        brief->questions += lesson_beat_asks(&lesson->beats[b]);
    for (int l = 0; l < LANGUAGE_COUNT; l++) {
        brief->title[l] = arena_text(arena, lesson->title[l] ? lesson->title[l] : lesson->name);
        brief->summary[l] = arena_text(arena, lesson->summary[l] ? lesson->summary[l] : "");
    }
}

size_t lesson_briefs(struct arena *arena, struct lesson_brief **briefs, struct error **errors, size_t *error_count)
{
    const char *packed = data_path(arena, "lessons.json");
    struct lesson **lessons = NULL;
    struct error none;
    char *text;
    size_t size, count;
    if (file_exists(packed) && file_read(arena, packed, &text, &size, &none) &&
        lesson_briefs_read(arena, text, size, briefs, &count, &none)) {
        *errors = NULL;
        *error_count = 0;
        return count;
    }
    count = lesson_load_all(arena, &lessons, errors, error_count);
    *briefs = arena_array(arena, struct lesson_brief, count);
    for (size_t i = 0; i < count; i++) {
        take(arena, lessons[i], &(*briefs)[i]);
        lesson_free(lessons[i]);
    }
    return count;
}
