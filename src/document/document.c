#include "document/document.h"
#include <math.h>
#include <string.h>

const struct lesson_beat *document_beat(const struct document *document)
{
    const struct lesson *lesson = document->lesson;
    return lesson && document->beat < lesson->beat_count ? &lesson->beats[document->beat] : NULL;
}

const struct guess *document_guess(const struct document *document)
{
    return document_beat(document) ? &document->guesses[document->beat] : NULL;
}

bool document_evaluate(const struct document *document, const char *expression, double *value)
{
    return document->run &&
           run_evaluate(document->run, document->lesson, &document->look.setting, expression, value, NULL);
}

const struct run *document_run(const struct document *document)
{
    return document->run ? document->run : document->file.run;
}

const char *document_fill(const struct document *document, struct arena *arena, const char *text)
{
    if (!text || !document->run)
        return text;
    return run_fill_text(document->run, document->lesson, &document->look.setting, arena, text);
}

struct lesson_text document_fill_words(const struct document *document, struct arena *arena,
                                       const struct lesson_text *text)
{
    if (!document->run)
        return *text;
    return run_fill_words(document->run, document->lesson, &document->look.setting, arena, text);
}

const char *document_number(const struct document *document, struct arena *arena, const char *expression, bool *known)
{
    double value = 0;
    *known = expression && document_evaluate(document, expression, &value) && isfinite(value) &&
             !run_lacks_figure(document->run, document->lesson, expression);
    if (!*known)
        return "";
    if (fabs(value - round(value)) < 1e-9 && fabs(value) < 1e15)
        return value < 0 ? arena_format(arena, "%.0f", value) : words_count(arena, (uint64_t)value);
    return arena_format(arena, fabs(value) >= 100 ? "%.0f" : "%.1f", value);
}

bool document_task_done(const struct document *document)
{
    const struct lesson_beat *beat = document_beat(document);
    double value = 0;
    return beat && beat->kind == BEAT_TASK && beat->goal && document_evaluate(document, beat->goal, &value) &&
           value != 0;
}

const struct dram_preset *document_dram(const struct document *document)
{
    const char *own = document->lesson ? document->lesson->dram_preset : NULL;
    return dram_preset(document->dram ? document->dram : own ? own : DRAM_OF_FILES);
}

const struct likeness *document_likeness(const struct document *document)
{
    const struct likeness *file = &document->file.likeness;
    if (document->file.run)
        return file->verdict != LIKE_UNKNOWN && document->file.run->executor == EXECUTOR_EMULATOR ? file : NULL;
    for (int i = 0; i < RUNS_KEPT; i++)
        if (document->run && document->kept[i].run == document->run &&
            document->kept[i].likeness.verdict != LIKE_UNKNOWN)
            return &document->kept[i].likeness;
    return NULL;
}

void document_scene(const struct document *document, const struct playhead *playhead, struct arena *arena,
                    struct scene *scene)
{
    const struct lesson_beat *beat = document_beat(document);
    bool const shelves = document->kind == DOCUMENT_FILE || (beat && (beat->stage & STAGE_DRAM));
    const struct dram_preset *preset = shelves ? document_dram(document) : NULL;
    scene_build(scene, document->playback, playhead->position, NULL, arena);
    scene->caches = document_wants_caches(document);
    if (preset)
        scene_add_dram(scene, preset, document_dram_missed(document), arena);
    scene->lane = beat ? beat->lane : 0;
    scene->arrays = document->lesson ? &document->lesson->arrays : NULL;
    scene->chosen = document->chosen;
    const struct run *run = document_run(document);
    scene->variables = document->file.variables;
    scene->variable_count = document->file.variable_count;
    if (run) {
        scene->variables = run->variables;
        scene->picture = run->picture;
        scene->variable_count = run->variable_count;
        scene->latencies = run->latencies.gpu ? &run->latencies : NULL;
    }
}

unsigned document_memories(const struct document *document)
{
    const struct lesson_beat *beat = document_beat(document);
    unsigned const memories = beat ? stage_memories(beat->stage) : 0;
    return memories ? memories : MEMORY_ALL;
}

bool document_is_kernel(const struct document *document)
{
    return document->kind == DOCUMENT_FILE && !document->program && !document->file.of_lesson &&
           document->file.request.path;
}
