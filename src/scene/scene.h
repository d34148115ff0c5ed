/* A scene: the state to draw at one position of a block. It is computed from the trace and the models, and no lesson
 * stores it. */
#ifndef LANESCOPE_SCENE_SCENE_H
#define LANESCOPE_SCENE_SCENE_H
#include "model/atomics.h"
#include "model/banks.h"
#include "model/clock.h"
#include "model/coalescing.h"
#include "model/constant.h"
#include "model/divergence.h"
#include "model/dram.h"
#include "model/elements.h"
#include "model/origins.h"
#include "ptx/variables.h"
#include "scene/playback.h"

enum scene_kind {
    SCENE_EMPTY,
    SCENE_SHARED,
    SCENE_GLOBAL,
    SCENE_CONSTANT,
    SCENE_BARRIER,
    SCENE_BRANCH,
    SCENE_SHUFFLE,
    SCENE_PRODUCT,
    SCENE_FAULT,
    SCENE_OTHER
};

/* A DRAM bank with the rows that this block requests from it, in the order of the requests. */
enum { SCENE_SHELVES = 8, SCENE_SHELF_ROWS = 64 };
struct scene_shelf {
    uint32_t bank;
    bool open;
    uint64_t open_row;
    bool now;                  /* this access uses it */
    enum dram_outcome outcome; /* of the last burst of this access */
    uint64_t closed_row;       /* the row that a conflict closed */
    uint64_t rows[SCENE_SHELF_ROWS];
    uint8_t row_state[SCENE_SHELF_ROWS];   /* 0: later, 1: read before, 2: read now */
    bool row_offered[SCENE_SHELF_ROWS];    /* it holds a part of the array of this access: a row to mark */
    uint64_t row_sector[SCENE_SHELF_ROWS]; /* the address of a sector in it */
    bool row_opened[SCENE_SHELF_ROWS];     /* this access opens it: it is no row-buffer hit */
    bool before_open;                      /* before this access, before_row was open */
    uint64_t before_row;
    uint32_t row_count, offered_count;
};
struct scene_dram {
    const struct dram_preset *preset;
    bool missed; /* only the sectors of loads and atomics that no cache held reach it; else all sectors do */
    struct scene_shelf shelves[SCENE_SHELVES];
    uint32_t shelf_count;
    uint64_t first_row;               /* the lowest requested row: the labels count rows from it */
    uint32_t banks_asked;             /* by the whole block; it exceeds shelf_count if some are not drawn */
    uint64_t hits, misses, conflicts; /* up to and including this access */
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
    uint32_t else_lanes; /* on the else-path of a branch, or waiting for it */
    uint32_t lane_count; /* threads of this warp */
    enum timeline_state *warps;
    uint32_t warp_count;
    const uint64_t *addresses; /* of an access, 32 */
    const uint64_t *sources;   /* of a shuffle, 32: the lanes that the values come from */
    struct bank_passes banks;
    struct coalescing chunks;
    struct constant_passes constant;
    struct atomic_passes atomics; /* place_count 0: this access is no atomic */
    struct scene_dram dram;
    /* Set by the document; NULL: unknown. The kernel's variables, each in its space, and the latencies of a GPU. */
    const struct ptx_placed *variables;
    uint32_t variable_count;
    const struct clock_figures *latencies;
    bool caches;   /* set by the document: sectors show where they came from */
    unsigned lane; /* the lane in focus in a matrix instruction, while the mouse is over no other */
    const struct launch_picture *picture; /* set by the document; NULL: none */
    const struct arrays *arrays;          /* set by the document: shown together; NULL: each alone */
    uint32_t chosen;                      /* the element that the user follows, counted from 1; 0: that of a lane */
    /* Motion: how far the lanes' lines reach, 0 to 1, and the pass or chunk under the cursor, -1 none. */
    float fan;
    int pass;
};

/* Builds the scene at a position, without motion. preset NULL: no DRAM shelves. Warp states lie in the arena. */
void scene_build(struct scene *scene, const struct playback *playback, size_t position,
                 const struct dram_preset *preset, struct arena *arena);
/* Adds the DRAM shelves. missed: of what the caches did not hold, else of all sectors. */
void scene_add_dram(struct scene *scene, const struct dram_preset *preset, bool missed, struct arena *arena);
/* Returns the sectors of an access to global memory that have arrived, in bytes too: in motion they come one by one. */
struct scene_arrived {
    uint32_t sectors;
    uint64_t fetched, used;
};
struct scene_arrived scene_arrived(const struct scene *scene);
/* Returns where the sectors of the access came from, chunk by chunk; NULL: nobody asks, or it loads none. */
const struct origin *scene_origins(const struct scene *scene);
/* Returns how many steps the motion has: the passes of an access to shared or constant memory, else 1. */
int scene_steps(const struct scene *scene);
/* Returns the lanes that the pass on screen serves; 0: no pass is shown. */
uint32_t scene_pass_lanes(const struct scene *scene);
/* Returns the offset of a shared address in the block's shared memory. */
uint64_t scene_shared_offset(const struct trace *trace, uint64_t address);
/* Returns the name of an address: "a[1023]", "points[3].x" where the source says so, "a, bytes 12 to 15" in a buffer of
 * bytes, or "0x7f0000000040" outside every buffer. */
const char *scene_name_address(const struct scene *scene, struct arena *arena, uint64_t address);
/* Returns "tile[1][29]" for an address in shared memory or, where the source does not say so, "byte 256". */
const char *scene_name_byte(const struct scene *scene, struct arena *arena, uint64_t address);
/* Return the value that a lane read or wrote, "3.25", "-7", "0x3f", or NULL if the trace does not hold it:
 * scene_value_at of the element at an address, scene_values of all its elements, "1, 2, …". */
const char *scene_value_at(const struct scene *scene, struct arena *arena, int lane, uint64_t address);
const char *scene_values(const struct scene *scene, struct arena *arena, int lane);
/* Returns a number of a type as a person writes it. */
const char *scene_number(struct arena *arena, enum ptx_type type, uint64_t bits);
/* Returns the place that a lane accesses and, if the trace holds it, the value: "a[7] = 3.25", "byte 28 = 3.25". */
const char *scene_name_lane(const struct scene *scene, struct arena *arena, int lane);
/* Returns "a[7] = 3.25", or the name alone if value is NULL. */
const char *scene_name_value(const struct scene *scene, struct arena *arena, const char *name, const char *value);
#endif
