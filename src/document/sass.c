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

static bool is_near(uint64_t ours, uint64_t counted, double share, uint64_t of)
{
    uint64_t const apart = ours > counted ? ours - counted : counted - ours;
    return (double)apart <= share * (double)of;
}

/* What the model tells of a counter, and what a profiler counted: as near as the share of so many sectors. */
struct told {
    uint64_t least, most, counted;
    double share;
    uint64_t of;
};

static bool agrees(const struct told *told)
{
    bool const between = told->counted >= told->least && told->counted <= told->most;
    return between || is_near(told->least, told->counted, told->share, told->of) ||
           is_near(told->most, told->counted, told->share, told->of);
}

static const char *told_words(struct arena *arena, const struct told *told)
{
    const char *most = words_count(arena, told->most);
    const char *ours =
        told->least == told->most ? most : arena_format(arena, _("%s to %s"), words_count(arena, told->least), most);
    return arena_format(arena, _("%s in the model, %s counted"), ours, words_count(arena, told->counted));
}

/* Returns whether the model followed the caches of the GPU on which the profiler counted. */
static bool is_of_counted_gpu(struct arena *arena, const struct run *run)
{
    return run->caches->measured &&
           strcmp(gpu_short_name(arena, run->caches_gpu->gpu), gpu_short_name(arena, run->sass.device)) == 0;
}

/* Adds what is asked of the L2, what is found there and what comes from the DRAM. The last two depend on what the
 * caches held before, and of few sectors of the DRAM many are those of the code. */
static const char *add_beyond_l1(struct arena *arena, const char *words, const struct caches *caches,
                                 const struct sass_counts *sass, bool *same)
{
    enum { MANY_SECTORS = 4000 };
    struct told asked = {.least = caches->shared ? caches->l2_reads_least : caches->l2_reads,
                         .most = caches->l2_reads,
                         .share = CACHES_DOUBT_MOST};
    struct told found = {.least = caches->l2_read_hits,
                         .most = caches->l2_read_hits + (caches_l2_hits_known(caches) ? 0 : caches->l2_read_late),
                         .share = CACHES_DOUBT_MOST};
    struct told delivered = {.least = caches->dram_reads, .most = caches->dram_reads, .share = 0.1};
    if (!sass_counter(sass, CACHES_L2_READS, &asked.counted) ||
        !sass_counter(sass, CACHES_L2_READ_HITS, &found.counted) ||
        !sass_counter(sass, "dram__bytes_read.sum", &delivered.counted))
        return words;
    asked.of = found.of = asked.counted;
    delivered.of = delivered.counted /= SECTOR_BYTES;
    *same = *same && agrees(&asked);
    words = arena_format(arena, _("%s Asked of the L2: %s."), words, told_words(arena, &asked));
    if (sass->cold && !caches->shared) {
        *same = *same && agrees(&found);
        words = arena_format(arena, _("%s Found there: %s."), words, told_words(arena, &found));
    }
    if (sass->cold && (delivered.counted > MANY_SECTORS || delivered.most > MANY_SECTORS)) {
        *same = *same && agrees(&delivered);
        words = arena_format(arena, _("%s From the DRAM: %s."), words, told_words(arena, &delivered));
    }
    return words;
}

const char *sass_hits_words(const struct run *run, struct arena *arena, bool *same)
{
    uint64_t counted, sectors;
    if (!run || !run->caches || !run->sass.counted || !is_of_counted_gpu(arena, run) ||
        !sass_counter(&run->sass, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", &counted) ||
        !sass_counter(&run->sass, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", &sectors) || !sectors)
        return NULL;
    *same = is_near(run->caches->load_hits, counted, 0.01, sectors);
    const char *words = arena_format(
        arena,
        _("Of %s {sector|sectors} of global loads the model finds %s in the L1; on the %s a profiler counted %s."),
        words_count(arena, sectors), words_count(arena, run->caches->load_hits),
        gpu_short_name(arena, run->sass.device), words_count(arena, counted));
    return add_beyond_l1(arena, words, run->caches, &run->sass, same);
}
