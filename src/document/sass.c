/* The accesses as written and as the machine ran them: ptxas may merge or drop accesses of the PTX. The sentences
 * compare the counts with a profiler's counts of the same launch. */
#include "document/sass.h"
#include "model/gpu.h"
#include "view/view.h"
#include <string.h>

static const char *sentence(struct arena *arena, const struct sass_line *line, const char *gpu)
{
    bool const shared = line->space == PTX_SPACE_SHARED, load = line->operation == TRACE_LOAD;
    const char *what = load ? (shared ? _("As written: %s {load|loads} from shared memory. As the %s ran it: %s.")
                                      : _("As written: %s {load|loads} from global memory. As the %s ran it: %s."))
                            : (shared ? _("As written: %s {store|stores} to shared memory. As the %s ran it: %s.")
                                      : _("As written: %s {store|stores} to global memory. As the %s ran it: %s."));
    const char *text = arena_format(arena, what, words_count(arena, line->written), gpu, words_count(arena, line->ran));
    if (line->verdict == SASS_OTHER)
        return arena_format(arena, "%s %s", text, _("The reason is not known."));
    unsigned narrow = 0;
    while (narrow + 1 < SASS_WIDTHS && !line->written_by_width[narrow])
        narrow++;
    for (unsigned wide = narrow + 1; wide < SASS_WIDTHS; wide++)
        if (line->ran_by_width[wide])
            text = arena_format(arena, _("%s Among them: %s of %u bytes, each of which does the work of %u."), text,
                                words_count(arena, line->ran_by_width[wide]), 1u << wide, 1u << (wide - narrow));
    return text;
}

const char *sass_words(const struct run *run, struct arena *arena, bool *same)
{
    const char *words = NULL;
    *same = true;
    if (!run || !run->sass.counted || !run->sass_line_count)
        return NULL;
    const char *gpu = gpu_short_name(arena, run->sass.device);
    for (size_t i = 0; i < run->sass_line_count; i++) {
        const struct sass_line *line = &run->sass_lines[i];
        if (line->verdict == SASS_SAME)
            continue;
        *same = false;
        words = arena_format(arena, "%s%s%s", words ? words : "", words ? " " : "", sentence(arena, line, gpu));
    }
    if (!*same)
        return words;
    return arena_format(arena, _("A profiler counted the same loads and stores on the GPU (%s, %s, %s)."), gpu,
                        run->sass.profiler, run->sass.date);
}

const char *sass_hits_words(const struct run *run, struct arena *arena, bool *same)
{
    uint64_t counted, sectors;
    if (!run || !run->caches || !run->sass.counted ||
        !sass_counter(&run->sass, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", &counted) ||
        !sass_counter(&run->sass, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", &sectors) || !sectors)
        return NULL;
    uint64_t const ours = run->caches->load_hits, apart = ours > counted ? ours - counted : counted - ours;
    *same = apart <= sectors / 100;
    return arena_format(
        arena,
        _("Of %s {sector|sectors} of global loads the model finds %s in the L1; on the %s a profiler counted %s."),
        words_count(arena, sectors), words_count(arena, ours), gpu_short_name(arena, run->sass.device),
        words_count(arena, counted));
}
