/* Inside the stage: its slots, and the files that draw some of them. */
#ifndef LANESCOPE_APP_STAGE_STAGE_H
#define LANESCOPE_APP_STAGE_STAGE_H
#include "app/state.h"

enum slot_kind {
    SLOT_BLOCK, /* one line: which block and warp */
    SLOT_WARPS,
    SLOT_LANES,
    SLOT_CURVES,
    SLOT_ACCESS, /* banks, chunks or the barrier's gate: what the event is about */
    SLOT_TALLY,
    SLOT_RACE,
    SLOT_SECOND_TITLE,
    SLOT_SECOND, /* words of shared memory, or DRAM */
    SLOT_LADDER,
    SLOT_TOUCHED,
    SLOT_TURNS,
    SLOT_CODE,
    SLOT_COUNT
};
struct slot {
    float least, best, given;
    struct rect box;
};

struct stage {
    struct app *app;
    struct view *view;
    struct columns columns;
    struct slot slots[SLOT_COUNT];
    unsigned shown; /* STAGE_ flags */
    unsigned focus;
    enum scene_kind access; /* SCENE_SHARED, SCENE_GLOBAL, SCENE_BARRIER or SCENE_FAULT; SCENE_EMPTY: none */
    enum scene_kind second;
    const struct trace_fault *fault;    /* what this very event is the fault of */
    const struct emulator_hazard *race; /* shown below */
    bool covered, compact;
    const char *half; /* of a comparison: its name; NULL: the whole stage */
};

/* The 32 columns' part of a slot. */
static inline struct rect stage_columns(const struct stage *stage, struct rect box)
{
    return (struct rect){stage->columns.x, box.y, stage->columns.pitch * WARP_LANES, box.h};
}
static inline bool stage_dimmed(const struct stage *stage, unsigned panel)
{
    return stage->focus && !(stage->focus & panel);
}

void stage_block_line(struct stage *stage, struct rect box); /* stage_lines.c */
void stage_second(struct stage *stage);
void stage_tally(struct stage *stage, struct rect box); /* stage_tally.c */
#endif
