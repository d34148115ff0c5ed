#include "app/commands/reopen.h"
#include "app/state.h"
#include "base/words.h"
#include "document/program.h"

/* Returns the argument of --access. */
static size_t access_argument(const struct app *app)
{
    const struct playback *playback = app->document.playback;
    return playback ? playback_number(playback, app->playhead.position) : 1;
}

/* Returns the options that every document shares. */
static const char *common_options(struct app *app)
{
    const struct document *document = &app->document;
    const char *dram = document->dram ? arena_format(&app->frame, " --dram %s", document->dram) : "";
    const char *gpu =
        document->gpu ? arena_format(&app->frame, " --gpu %s", words_shell(&app->frame, document->gpu)) : "";
    const char *overview =
        app->overview.open ? arena_format(&app->frame, " --overview %s", overview_name(app->overview.page)) : "";
    return arena_format(&app->frame, "%s%s%s%s --lang %s --theme %s%s%s", overview, gpu, dram,
                        document->caches ? " --caches model" : "",
                        app->preferences.language == LANGUAGE_KO ? "ko" : "en",
                        app->preferences.dark ? "dark" : "light", app->preferences.presenting ? " --present" : "",
                        document->ptx ? " --ptx" : "");
}

static const char *lesson_line(struct app *app, const char *block)
{
    struct arena *arena = &app->frame;
    const struct document *document = &app->document;
    const struct lesson *lesson = document->lesson;
    const struct lesson_setting *setting = &document->look.setting;
    const char *line = lesson_is_named(lesson, lesson->name)
                           ? arena_format(arena, "lanescope %s", lesson->name)
                           : arena_format(arena, "lanescope %s", words_shell(arena, lesson->folder));
    if (lesson->variant_count > 1)
        line = arena_format(arena, "%s --variant %s", line, lesson->variants[setting->variant].name);
    for (int k = 0; k < lesson->knob_count; k++)
        line = arena_format(arena, "%s --set %s", line,
                            lesson_knob_assignment(&lesson->knobs[k], setting->value[k], arena));
    line = arena_format(arena, "%s --beat %d%s --access %zu", line, document->beat + 1, block, access_argument(app));
    if (document_answered(document))
        line = arena_format(arena, "%s --answered", line);
    if (document->look.executor != EXECUTOR_BEST)
        line = arena_format(arena, "%s --on %s", line, executor_word(document->look.executor));
    if (document->blocks_chosen && document->blocks.last == UINT64_MAX)
        line = arena_format(arena, "%s --blocks all", line);
    else if (document->blocks_chosen)
        line = arena_format(arena, "%s --blocks %llu-%llu", line, (unsigned long long)document->blocks.first,
                            (unsigned long long)document->blocks.last);
    return line;
}

/* Returns the options of the launch whose lanes are on screen; "": the list is. */
static const char *launch_words(struct app *app, const char *block)
{
    uint64_t const launch = app->document.program->shown;
    return launch ? arena_format(&app->frame, " --launch %llu%s --access %zu", (unsigned long long)launch, block,
                                 access_argument(app))
                  : "";
}

/* Returns the words behind the program's options: its arguments. */
static const char *argument_words(struct arena *arena, const struct open_program *program)
{
    const struct program_start *asked = &program->start;
    const char *words = asked->argument_count ? " --" : "";
    for (size_t i = 0; i < asked->argument_count; i++)
        words = arena_format(arena, "%s %s", words, words_shell(arena, asked->arguments[i]));
    return words;
}

const char *reopen_line(struct app *app)
{
    struct arena *arena = &app->frame;
    const struct document *document = &app->document;
    const struct open_file *file = &document->file;
    const char *block = "";
    if (app->at_list || document->kind == DOCUMENT_NONE)
        return "lanescope";
    if (document->playback && document->block != app->playhead.opening_block)
        block = arena_format(arena, " --show-block %llu", (unsigned long long)document->block);
    if (document->program)
        return arena_format(arena, "lanescope view %s%s%s%s", words_shell(arena, file->path), launch_words(app, block),
                            common_options(app), argument_words(arena, document->program));
    if (document->kind == DOCUMENT_FILE)
        return arena_format(arena, "lanescope view %s%s%s%s --access %zu%s", words_shell(arena, file->path),
                            file->launch ? " " : "", file->launch ? file->launch : "", block, access_argument(app),
                            common_options(app));
    return arena_format(arena, "%s%s", lesson_line(app, block), common_options(app));
}
