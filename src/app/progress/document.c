/* The way through a lesson, and the files opened last. */
#include "document/document.h"
#include "app/progress/state.h"
#include "base/file.h"
#include <limits.h>
#include <string.h>
#include <time.h>

/* Returns the name under which a lesson is kept: its name if it is found by that, else its folder. */
static const char *key_of(struct progress *progress, const struct lesson *lesson)
{
    if (lesson_is_named(lesson, lesson->name))
        return arena_text(&progress->arena, lesson->name);
    return path_absolute(&progress->arena, lesson->folder);
}

static json_t *setting_json(const struct lesson *lesson, const struct lesson_setting *setting)
{
    json_t *knobs = json_object();
    for (int k = 0; k < lesson->knob_count; k++)
        json_object_set_new(knobs, lesson->knobs[k].name,
                            json_integer(lesson_knob_number(&lesson->knobs[k], setting->value[k])));
    return json_pack("{s:s,s:o}", "variant", lesson->variants[setting->variant].name, "knobs", knobs);
}

/* Changes the setting where the kept one names a variant or a value that the lesson has. */
static void read_setting(const struct lesson *lesson, const json_t *kept, struct lesson_setting *setting)
{
    const char *variant = progress_text(kept, "variant");
    const json_t *knobs = json_object_get(kept, "knobs");
    for (int v = 0; variant && v < lesson->variant_count; v++)
        if (strcmp(variant, lesson->variants[v].name) == 0)
            setting->variant = v;
    for (int k = 0; k < lesson->knob_count; k++) {
        const json_t *value = json_object_get(knobs, lesson->knobs[k].name);
        for (int i = 0; json_is_integer(value) && i < lesson->knobs[k].value_count; i++)
            if (lesson_knob_number(&lesson->knobs[k], i) == json_integer_value(value))
                setting->value[k] = i;
    }
}

static const char *const states[] = {"open", "answered", "skipped", "voted"};

static const char *state_of(const struct guess *guess)
{
    return states[guess->committed ? 1 : guess->skipped ? 2 : guess->voted ? 3 : 0];
}

static json_t *cells_json(const struct guess *guess)
{
    json_t *cells = json_array();
    for (int i = 0; i < MARKS_MAX; i++)
        if (guess->cells[i])
            json_array_append_new(cells, json_pack("[i,i]", i, guess->cells[i]));
    return cells;
}

/* Returns the answer to a step; NULL: nothing was done. */
static json_t *guess_json(const struct lesson *lesson, const struct guess *guess)
{
    json_t *cells = cells_json(guess);
    bool const marked = json_array_size(cells) > 0, closed = guess->committed || guess->skipped || guess->voted;
    json_t *json = NULL;
    if (closed || guess->chosen >= 0 || guess->line || marked || guess->again) {
        json = json_pack("{s:s,s:i,s:i,s:b,s:b,s:b}", "state", state_of(guess), "choice", guess->chosen, "line",
                         (int)guess->line, "right", guess->right, "again", guess->again, "mended", guess->mended);
        if (marked)
            json_object_set(json, "cells", cells);
        if (marked && guess->committed)
            json_object_set_new(
                json, "counts",
                json_pack("[i,i,i]", (int)guess->counts.right, (int)guess->counts.missing, (int)guess->counts.extra));
        if (guess->committed)
            json_object_set_new(json, "setting", setting_json(lesson, &guess->setting));
    }
    json_decref(cells);
    return json;
}

static void read_cells(const json_t *kept, struct guess *guess)
{
    size_t index;
    json_t *pair;
    json_array_foreach(json_object_get(kept, "cells"), index, pair)
    {
        json_int_t const cell = json_integer_value(json_array_get(pair, 0)),
                         height = json_integer_value(json_array_get(pair, 1));
        if (cell >= 0 && cell < MARKS_MAX && height > 0 && height <= 2 * WARP_LANES)
            guess->cells[cell] = (uint8_t)height;
    }
    const json_t *counts = json_object_get(kept, "counts");
    unsigned *const to[] = {&guess->counts.right, &guess->counts.missing, &guess->counts.extra};
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        json_int_t const count = json_integer_value(json_array_get(counts, i));
        *to[i] = count > 0 && count <= 2 * WARP_LANES * MARKS_MAX ? (unsigned)count : 0;
    }
}

/* Reads the answer to a step. An answer that the step cannot have leaves it open. */
static struct guess read_guess(const struct lesson *lesson, const struct lesson_beat *beat, const json_t *kept)
{
    const char *state = progress_text(kept, "state");
    struct guess guess = {.chosen = progress_int(kept, "choice", 0, beat->choice_count - 1, -1),
                          .line = (uint32_t)(beat->kind == BEAT_BUG ? progress_int(kept, "line", 1, 1 << 20, 0) : 0),
                          .right = progress_true(kept, "right"),
                          .again = progress_true(kept, "again"),
                          .mended = progress_true(kept, "mended"),
                          .setting = lesson_defaults(lesson)};
    if (beat->kind == BEAT_MARK)
        read_cells(kept, &guess);
    read_setting(lesson, json_object_get(kept, "setting"), &guess.setting);
    bool const answers = guess.chosen >= 0 || guess.line || json_array_size(json_object_get(kept, "cells")) > 0;
    guess.committed = state && strcmp(state, states[1]) == 0 && answers;
    guess.skipped = state && strcmp(state, states[2]) == 0;
    guess.voted = state && strcmp(state, states[3]) == 0;
    guess.right = guess.right && guess.committed;
    return guess;
}

/* The step, its setting and, unless it is where the step opens, the event on screen; the executor if one was chosen. */
static json_t *place_json(const struct document *document, const struct playhead *playhead)
{
    const struct lesson *lesson = document->lesson;
    const struct playback *playback = document->playback;
    json_t *at = json_pack("{s:s,s:i,s:o}", "step", lesson->beats[document->beat].id, "number", document->beat + 1,
                           "setting", setting_json(lesson, &document->look.setting));
    bool const moved = document->block != playhead->opening_block || playhead->position != playhead->opening_position;
    if (playback && moved && !document_covered(document)) {
        json_object_set_new(at, "block", json_integer((json_int_t)document->block));
        json_object_set_new(at, "access", json_integer((json_int_t)playback_number(playback, playhead->position)));
    }
    if (document->look.executor != EXECUTOR_BEST)
        json_object_set_new(at, "executor", json_string(executor_word(document->look.executor)));
    return at;
}

/* Goes to the event that was on screen, if the run has it. */
static void read_place(const json_t *at, struct document *document, struct playhead *playhead)
{
    const json_t *block = json_object_get(at, "block");
    int const access = progress_int(at, "access", 1, INT_MAX, 0);
    if (!document->playback || !json_is_integer(block) || json_integer_value(block) < 0 || !access ||
        document_covered(document))
        return;
    uint64_t const wanted = (uint64_t)json_integer_value(block);
    if (document->block != wanted)
        document_show_block(document, playhead, wanted);
    const struct playback *playback = document->playback;
    if (document->block == wanted && playback->count && (size_t)access <= playback->access_count + playback->count)
        playhead_seek(playhead, playback, playback_numbered(playback, (size_t)access), false);
}

static json_t *lesson_json(const struct document *document, const struct playhead *playhead)
{
    const struct lesson *lesson = document->lesson;
    json_t *answers = json_object();
    for (int i = 0; i < lesson->beat_count; i++) {
        json_t *guess = guess_json(lesson, &document->guesses[i]);
        if (guess)
            json_object_set_new(answers, lesson->beats[i].id, guess);
    }
    return json_pack("{s:o,s:o}", "at", place_json(document, playhead), "answers", answers);
}

static int step_named(const struct lesson *lesson, const char *id)
{
    for (int i = 0; id && i < lesson->beat_count; i++)
        if (strcmp(lesson->beats[i].id, id) == 0)
            return i;
    return -1;
}

bool progress_resume(struct progress *progress, struct document *document, struct playhead *playhead, bool answers_only)
{
    const struct lesson *lesson = document->lesson;
    if (!progress || !lesson || !lesson->beat_count)
        return false;
    const json_t *kept = json_object_get(json_object_get(progress->state, "lessons"), key_of(progress, lesson));
    const json_t *answers = json_object_get(kept, "answers");
    for (int i = 0; i < lesson->beat_count; i++) {
        const json_t *answer = json_object_get(answers, lesson->beats[i].id);
        if (answer)
            document->guesses[i] = read_guess(lesson, &lesson->beats[i], answer);
    }
    const json_t *at = json_object_get(kept, "at");
    int const step = step_named(lesson, progress_text(at, "step"));
    if (answers_only || step < 0)
        return false;
    struct lesson_setting setting = document_setting_of_beat(document, step);
    read_setting(lesson, json_object_get(at, "setting"), &setting);
    const char *word = progress_text(at, "executor");
    enum executor executor;
    bool const chosen = document->look.executor == EXECUTOR_BEST && word && executor_from_word(word, &executor);
    if (chosen)
        document->look.executor = executor;
    document_resume_beat(document, playhead, step, &setting);
    if (chosen && !document->run) { /* this computer no longer has it */
        document->look.executor = EXECUTOR_BEST;
        document_show_setting(document, playhead, false);
    }
    read_place(at, document, playhead);
    return step > 0;
}

/* A lesson that was only opened says nothing yet, so that it takes nothing from another window. */
static void note_lesson(struct progress *progress, const struct document *document, const struct playhead *playhead)
{
    const struct lesson *lesson = document->lesson;
    const char *key = key_of(progress, lesson);
    bool const another = strcmp(key, progress->lesson_key) != 0;
    json_t *now = lesson_json(document, playhead), *lessons = progress_object(progress->state, "lessons");
    if (another || !json_equal(progress->lesson, now)) {
        json_t *kept = progress_object(lessons, key), *merged;
        merged = another ? json_deep_copy(kept) : progress_merge(progress->lesson, now, kept);
        int const furthest = progress_int(kept, "furthest", 1, lesson->beat_count, 0);
        int const step = progress_int(json_object_get(merged, "at"), "number", 1, lesson->beat_count, 0);
        if (step > furthest)
            json_object_set_new(merged, "furthest", json_integer(step));
        json_object_set_new(merged, "used", json_integer((json_int_t)time(NULL)));
        json_object_set_new(lessons, key, merged);
        json_object_set_new(progress->state, "last", json_string(key));
        progress->lesson_key = key;
    }
    json_decref(progress->lesson);
    progress->lesson = now;
}

/* Puts the path in front of the files opened last. */
static void note_file(struct progress *progress, const char *path)
{
    struct arena arena = {0};
    const char *whole = path_absolute(&arena, path);
    json_t *const text = progress_plain(whole) && file_exists(whole) ? json_string(whole) : NULL;
    const json_t *before = json_object_get(progress->state, "recent");
    if (text && !json_equal(json_array_get(before, 0), text)) {
        json_t *recent = json_array(), *other;
        size_t index;
        json_array_append(recent, text);
        json_array_foreach((json_t *)before, index, other) if (json_is_string(other) && !json_equal(other, text) &&
                                                               json_array_size(recent) < RECENT_MAX)
            json_array_append(recent, other);
        json_object_set_new(progress->state, "recent", recent);
    }
    json_decref(text);
    arena_free(&arena);
}

void progress_note_document(struct progress *progress, const struct document *document, const struct playhead *playhead)
{
    if (!progress || document->kind == DOCUMENT_NONE || document->in_class)
        return;
    if (document->kind == DOCUMENT_LESSON && document->lesson->beat_count)
        note_lesson(progress, document, playhead);
    else if (document->kind == DOCUMENT_FILE && document->file.path && !document->file.of_lesson) {
        note_file(progress, document->file.path);
        progress_note_form(progress, document);
    }
}

static int answered(const json_t *answers)
{
    const char *id;
    json_t *answer;
    int count = 0;
    json_object_foreach((json_t *)answers, id, answer)
    {
        const char *state = progress_text(answer, "state");
        count += state && strcmp(state, states[1]) == 0;
    }
    return count;
}

struct way_kept progress_of_lesson(const struct progress *progress, const char *name)
{
    enum { STEPS_MOST = 1000 };
    const json_t *state = progress ? progress->state : NULL;
    const json_t *kept = json_object_get(json_object_get(state, "lessons"), name);
    const char *last = progress_text(state, "last");
    return (struct way_kept){.step = progress_int(json_object_get(kept, "at"), "number", 1, STEPS_MOST, 0),
                             .furthest = progress_int(kept, "furthest", 1, STEPS_MOST, 0),
                             .answered = answered(json_object_get(kept, "answers")),
                             .last = last && strcmp(last, name) == 0};
}

const char *progress_recent(const struct progress *progress, int index)
{
    const json_t *recent = progress ? json_object_get(progress->state, "recent") : NULL;
    const char *path = index < RECENT_MAX ? json_string_value(json_array_get(recent, (size_t)index)) : NULL;
    return path && path[0] == '/' ? path : NULL;
}
