/* Why a launch wastes what it wastes: for each instruction of the source the pattern of its lanes' addresses, as
 * values; src/report/explain.c turns them into sentences. The costs are counted over all blocks that ran. The patterns
 * are those of the recorded blocks. */
#ifndef LANESCOPE_MODEL_EXPLAIN_H
#define LANESCOPE_MODEL_EXPLAIN_H
#include "model/caches.h"
#include "model/counts.h"
#include "model/occupancy.h"

enum explain_kind {
#define EXPLAIN(name, word, lesson, class) EXPLAIN_##name,
#include "model/explain.def"
    EXPLAIN_KINDS
};
const char *explain_word(enum explain_kind kind);
const char *explain_lesson(enum explain_kind kind); /* "": none */

/* What the launch would access if its kernel used y for x and x for y. All 0: that would not help. */
struct explain_exchange {
    uint64_t by_x, by_y;    /* bytes between neighbouring threads in x, and in y */
    uint32_t units;         /* sectors of one access then */
    uint64_t sectors;       /* of this instruction then, over all blocks */
    uint64_t all, all_then; /* sectors of all accesses of the launch, now and then */
};

/* An instruction of the source: sites of the same line, column and kind. */
struct explanation {
    enum explain_kind kind;
    bool blamed;                   /* it is no note, and its part matters */
    const struct trace_site *site; /* NULL: the launch as a whole */
    enum ptx_space space;
    unsigned copies;
    struct site_counts counts; /* of all blocks that were counted */
    /* In bytes of the way between the lanes and their data: 32 for each sector above the least, 128 for each pass above
     * it, 4 for each idle lane in a step that others make, 1 in another instruction. */
    uint64_t wasted;
    double part;          /* of the launch's traffic on this way; of lanes in steps, or in instructions */
    bool by_instructions; /* of a branch: its paths have many instructions, but few steps */
    /* Loads: sectors that the model of the caches followed, and those that it found in the L1; of local memory those of
     * all its loads in the launch. */
    uint64_t l1_sectors, l1_hits;
    bool l1_measured; /* as caches.measured */
    /* Of what is wasted, without the sectors that the L1 held; of local memory at most. All of it where no sectors are
     * asked for, or the caches are not known. */
    uint64_t beyond;
    bool cached;        /* `beyond` is less or known to be all */
    double beyond_part; /* of the launch's traffic beyond the L1 */

    /* The worst access that was recorded. */
    size_t event; /* in trace.events; SIZE_MAX: none, and the fields below are 0 */
    uint64_t block;
    uint32_t warp, active;
    uint32_t lanes;           /* that are to blame */
    const char *array;        /* the buffer that it accesses; NULL: unknown */
    int64_t stride;           /* bytes from lane to lane; 0: there is no one stride */
    uint32_t behind;          /* bytes from the beginning of a sector to the lowest address */
    uint32_t units, least;    /* sectors or passes of this access */
    uint32_t used, places;    /* distinct bytes, and distinct addresses */
    uint32_t pieces;          /* runs of lanes that lie side by side */
    uint32_t bank, together;  /* the fullest bank; lanes with different words of it, or on one address */
    uint32_t padded;          /* passes with an unused word behind each row; 0: not better */
    uint32_t way;             /* lanes that took a branch */
    uint64_t parted, entered; /* recorded executions of a branch at which lanes parted; those outside of itself */
    uint64_t steps, idle;     /* recorded steps in the paths of a branch, times 32 lanes; the idle part */
    struct explain_exchange exchange;
    double repeats;                   /* times that a block loads a sector */
    const struct occupancy_case *fit; /* of FEW_WARPS */
};
struct explain {
    const struct trace *trace;
    struct explanation *items; /* the most wasteful first; what is fine comes last */
    size_t count;
    bool cached; /* the caches are known: what the L1 held does not count for the order */
    bool cut;    /* the record is too long: the patterns are those of its beginning */
};
/* Returns the explanations, in the arena. counts: of the trace's sites. caches: of its sites; NULL: not known. fit: the
 * kernel's blocks on a multiprocessor; NULL: not known. Trace and counts must outlive the result. */
struct explain *explain_new(struct arena *arena, const struct trace *trace, const struct counts *counts,
                            const struct caches *caches, const struct occupancy_case *fit);
#endif
