/* The words of a program's calls. */
#include "view/cards/program.h"

static const char *bytes_words(struct arena *arena, uint64_t bytes)
{
    if (bytes >= UINT64_C(10) << 20)
        return arena_format(arena, "%.1f MiB", (double)bytes / 1048576);
    return arena_format(arena, "%s B", words_count(arena, bytes));
}

static const char *launch_words(struct arena *arena, const struct program_item *item)
{
    const char *words =
        arena_format(arena, "<<<%s, %s>>>", view_shape(arena, item->grid), view_shape(arena, item->block));
    if (item->shared_bytes)
        words = arena_format(arena, _("%s, shared memory %s"), words, bytes_words(arena, item->shared_bytes));
    return words;
}

const char *program_item_words(struct arena *arena, const struct program_item *item)
{
    static const char *const directions[] = {N_("%s from host to host"), N_("%s to the device"),
                                             N_("%s from the device"), N_("%s within the device")};
    switch (item->kind) {
    case PROGRAM_LAUNCH:
        return launch_words(arena, item);
    case PROGRAM_COPY:
        return item->sized ? arena_format(arena, _(directions[item->direction]), bytes_words(arena, item->bytes)) : "";
    case PROGRAM_LIBRARY:
        return _("library call, not shown lane by lane");
    case PROGRAM_WAIT:
        return _("the host waits");
    case PROGRAM_HOST:
        return _("the host used this memory before it synchronised");
    case PROGRAM_CRASH:
        return arena_format(arena, _("signal %d ended the program"), item->error);
    case PROGRAM_END:
        return _("end of the program");
    default:
        return item->sized ? bytes_words(arena, item->bytes) : "";
    }
}

const char *program_item_tip(struct arena *arena, const struct program_item *item)
{
    const char *words = item->name, *what = program_item_words(arena, item);
    if (*what)
        words = arena_format(arena, "%s: %s", words, what);
    if (item->line)
        words = arena_format(arena, "%s · %s:%u", words, item->file, item->line);
    if (item->launcher)
        words = arena_format(arena, _("%s · launched by launch %llu"), words, (unsigned long long)item->launcher);
    if (item->measured_us > 0)
        words = arena_format(arena, _("%s · measured on the GPU: %s"), words, view_duration(arena, item->measured_us));
    else if (item->model_us > 0)
        words = arena_format(arena, _("%s · model time %s"), words, view_duration(arena, item->model_us));
    else if (item->host_us > 0)
        words = arena_format(arena, _("%s · %s on this host"), words, view_duration(arena, item->host_us));
    if (item->worst_line)
        words = arena_format(arena, _("%s · line %u wastes most: %s of %s"), words, item->worst_line,
                             bytes_words(arena, item->worst_wasted), bytes_words(arena, item->wasted));
    if (item->worst_held)
        words = item->worst_held < item->worst_wasted
                    ? arena_format(arena, _("%s (beyond the L1 %s)"), words,
                                   bytes_words(arena, item->worst_wasted - item->worst_held))
                    : arena_format(arena, _("%s (nothing beyond the L1)"), words);
    if (item->findings)
        words = arena_format(arena, _("%s · findings: %u"), words, item->findings);
    if (item->error && item->kind != PROGRAM_CRASH)
        words = item->error_name ? arena_format(arena, _("%s · failed: %s (%d)"), words, item->error_name, item->error)
                                 : arena_format(arena, _("%s · failed with error %d"), words, item->error);
    if (item->mistakes)
        words = arena_format(arena, _("%s · mistakes of host code: %u"), words, item->mistakes);
    return item->opens ? arena_format(arena, _("%s · click: its lanes"), words) : words;
}

const char *program_item_wrong(struct arena *arena, const struct program_view *program, const struct program_item *item)
{
    const char *mistake =
        item->mistake && item->mistake <= program->mistake_count ? program->mistakes[item->mistake - 1].title : NULL;
    if (item->kind == PROGRAM_CRASH)
        return arena_format(arena, _("signal %d"), item->error);
    if (item->findings)
        return mistake ? arena_format(arena, _("findings: %u · %s"), item->findings, mistake)
                       : arena_format(arena, _("findings: %u"), item->findings);
    if (mistake)
        return mistake;
    if (item->kind == PROGRAM_HOST)
        return _("not synchronised");
    if (item->error)
        return item->error_name ? item->error_name : arena_format(arena, _("error %d"), item->error);
    return "";
}
