/* What is to be seen at one position of a block: computed from the trace and the models, never stored in a lesson.
 * Panels draw a scene and know nothing else of the run. */
#ifndef LANESCOPE_VIEW_SCENE_H
#define LANESCOPE_VIEW_SCENE_H
#include "model/banks.h"
#include "model/coalescing.h"
#include "model/divergence.h"
#include "model/dram.h"
#include "view/playback.h"

enum scene_kind { SCENE_EMPTY, SCENE_SHARED, SCENE_GLOBAL, SCENE_BARRIER, SCENE_BRANCH, SCENE_FAULT, SCENE_OTHER };

/* A bank of the DRAM shelves: the rows this block asks it for, in the order it asks. */
enum { SCENE_SHELVES = 8, SCENE_SHELF_ROWS = 64 };
struct scene_shelf {
    uint32_t bank;
    bool open;
    uint64_t open_row;
    bool now;                  /* this access goes to it ... */
    enum dram_outcome outcome; /* ... and its last burst found the row so */
    uint64_t closed_row;       /* of a conflict */
    uint64_t rows[SCENE_SHELF_ROWS];
    uint8_t row_state[SCENE_SHELF_ROWS]; /* 0: later, 1: read before, 2: read now */
    uint32_t row_count;
};
struct scene_dram {
    const struct dram_preset *preset;
    struct scene_shelf shelves[SCENE_SHELVES];
    uint32_t shelf_count;
    uint64_t first_row;               /* the lowest asked for: rows are named from it, as addresses say little */
    uint32_t banks_asked;             /* by the whole block; more than shelf_count when some are not drawn */
    uint64_t hits, misses, conflicts; /* up to and with this access */
    uint32_t now_hits, now_misses, now_conflicts;
};

struct scene {
    const struct trace *trace;
    const struct playback *playback;
    size_t position;
    enum scene_kind kind;
    const struct trace_event *event; /* NULL when the block has none */
    const struct trace_site *site;
    uint32_t access_number, access_count;
    uint32_t line; /* of the source; 0 unknown */
    uint64_t block;
    uint32_t warp;
    enum lane_state lanes[WARP_LANES];
    uint32_t lane_count; /* threads of this warp */
    enum timeline_state *warps;
    uint32_t warp_count;
    const uint64_t *addresses; /* of an access, 32 */
    struct bank_passes banks;
    struct coalescing chunks;
    struct scene_dram dram;
    /* Motion: how far the lanes' lines reach, 0..1, and the bank pass or chunk that has the cursor, -1 for none. */
    float fan;
    int pass;
};

/* The scene at a position, at rest. preset NULL: no DRAM shelves. Warp states are in the arena. */
void scene_build(struct scene *scene, const struct playback *playback, size_t position,
                 const struct dram_preset *preset, struct arena *arena);
/* Steps the eye has to follow one after another: bank passes, or one for anything else. */
int scene_steps(const struct scene *scene);
/* Offset of a shared address in its block's shared memory. */
uint64_t scene_shared_offset(const struct trace *trace, uint64_t address);
/* "a[1023]", "0x7f0000000040" for an address outside every buffer, "shared 256". */
const char *scene_name_address(const struct scene *scene, struct arena *arena, uint64_t address);
/* "byte 256" of shared memory. */
const char *scene_name_byte(const struct scene *scene, struct arena *arena, uint64_t address);
/* What a lane read or wrote, where the trace holds it; else NULL: "3.25", "-7", "0x3f". Of the element that lies at an
 * address; of all of them, "1, 2, …". */
const char *scene_value_at(const struct scene *scene, struct arena *arena, int lane, uint64_t address);
const char *scene_values(const struct scene *scene, struct arena *arena, int lane);
/* "a[7] = 3.25", "byte 28 = 3.25": where a lane of an access is, and what it read or wrote where the trace holds it. */
const char *scene_name_lane(const struct scene *scene, struct arena *arena, int lane);
/* "a[7] = 3.25"; the name alone when value is NULL. */
const char *scene_name_value(const struct scene *scene, struct arena *arena, const char *name, const char *value);
#endif
