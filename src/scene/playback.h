/* The events of one block in the order of their clock, each with its number among the accesses and its marks. It is
 * built once for a run and a block. Everything on screen is a function of a position in it, so stepping back is exact.
 */
#ifndef LANESCOPE_SCENE_PLAYBACK_H
#define LANESCOPE_SCENE_PLAYBACK_H
#include "model/explain.h"
#include "model/outliers.h"
#include "model/spans.h"

enum {
    EVENT_ACCESS = 1,   /* or a shuffle, or a product of matrices */
    EVENT_CONFLICT = 2, /* more passes or sectors than the access width requires */
    EVENT_BARRIER = 4,
    EVENT_BRANCH = 8,
    EVENT_FAULT = 16
};

/* A recorded block, as the overview shows it. */
struct block_beside {
    uint64_t block;
    const struct timeline *timeline;
    const struct spans *spans;
};

struct playback {
    const struct timeline *timeline;
    const struct trace *trace;
    size_t count;
    uint32_t *accesses; /* accesses up to and with this event */
    uint8_t *marks;
    uint32_t access_count;
    bool has_barriers;
    const char *caches_unknown;        /* set by the document: why playback_origins cannot be trusted; NULL: it can */
    const char *gpu;                   /* set by the document, as in run_options: whose caches playback_origins has */
    struct playback_models *models;    /* those of models.def, and where they are computed */
    const struct spans *spans;         /* of the overview; NULL: it was not opened on this block */
    const struct outliers *outliers;   /* the same, of the whole trace */
    const struct explain *explain;     /* the same */
    struct timeline_cycles cycles;     /* of the overview */
    const struct block_beside *blocks; /* of the overview: the recorded blocks around this one, in their order */
    size_t block_count;
    struct { /* the last result of finding_position (report.h) */
        const void *of;
        size_t position[2];
    } finding;
};

/* Computes what the overview shows, once. counts: of the run. fit: of its blocks on a multiprocessor; NULL: unknown. */
void playback_prepare_overview(struct playback *playback, struct arena *arena, const struct counts *counts,
                               const struct caches *caches, const struct occupancy_case *fit);
/* Further models are computed in the same arena, which stays where it is as long as the playback lives. */
struct playback *playback_new(struct arena *arena, const struct trace *trace, uint64_t block);
/* Return a model of the block, NULL where the block has nothing of it: see the model's NAME_new. */
#define MODEL(name) const struct name *playback_##name(const struct playback *playback);
#include "scene/models.def"
/* The same of the model of the caches; it is NULL, too, where their sizes are not known. */
const struct origins *playback_origins(const struct playback *playback);
const struct trace_event *playback_event(const struct playback *playback, size_t position);
/* Returns the site of an event, or NULL if it has none. */
const struct trace_site *playback_site(const struct playback *playback, size_t position);
/* Returns the next position after or before `from` (direction +1 or -1) with any of `marks` (0: any event) and, if line
 * is not 0, a site on that line. Returns `from` if there is none. */
size_t playback_find(const struct playback *playback, size_t from, int direction, unsigned marks, uint32_t line);
/* Returns the next position at which playing stops, from SIZE_MAX the first one, or SIZE_MAX if there is none: a
 * barrier, a fault, an access whose memory is among `shown`. line: as above. */
enum { MEMORY_SHARED = 1, MEMORY_GLOBAL = 2, MEMORY_OTHER = 4, MEMORY_ALL = 7 };
size_t playback_shown(const struct playback *playback, size_t from, uint32_t line, unsigned shown);
/* Returns the position or, if it is an access to memory that is not `shown`, the next access of its line in the same
 * warp that is; the position itself if there is none. */
size_t playback_shown_near(const struct playback *playback, size_t position, unsigned shown);
/* Returns the position of the access with this number, from 1, or of the last access if there are fewer. */
size_t playback_access(const struct playback *playback, uint32_t number);
/* A position as one number: the access's number, from 1; for another event, its position counted after the last access.
 * playback_numbered returns the position of such a number, at most the last one; the playback has events. */
size_t playback_number(const struct playback *playback, size_t position);
size_t playback_numbered(const struct playback *playback, size_t number);
/* An event in terms that hold for other runs of the kernel too: the n-th event of its warp with this kind, line and
 * lanes. */
struct playback_place {
    bool known;
    uint32_t warp, line, mask, nth, nth_of_line, number; /* number: of the access */
    enum trace_kind kind;
    enum trace_operation operation;
    enum ptx_space space;
};
struct playback_place playback_place(const struct playback *playback, size_t position);
/* Returns the position of the place. Without such an event it falls back to the same event with other lanes, then to
 * the access with the same number. */
size_t playback_find_place(const struct playback *playback, const struct playback_place *place);
/* Finds the n-th access (from 0) of a warp on a source line; line 0: any line. Returns false if there is none. */
bool playback_line_access(const struct playback *playback, uint32_t line, uint32_t warp, int n, size_t *position);

#endif
