/* Flow of control within a warp: divergence, joins, calls and ends. */
#ifndef LANESCOPE_EMULATOR_CORE_CONTROL_H
#define LANESCOPE_EMULATOR_CORE_CONTROL_H
#include "emulator/core/warp.h"

/* Starts the warp at the kernel's first op with these lanes. */
void control_start(struct warp *w, uint32_t lanes);
/* Takes up a fragment that is ready; false: there is none. */
bool control_next(struct warp *w);
/* The slice is over: another fragment of the warp has its turn. */
void control_yield(struct warp *w);
/* The current lanes are parked: takes up others, or the warp waits or is done. */
void control_wait(struct warp *w);
/* Lanes that arrived at a join continue without the others. */
void control_release_joins(struct warp *w);
/* Adds the current lanes to the fragments that do not run now. */
struct fragment *control_park(struct warp *w, const struct op *pc, enum fragment_state state);
#endif
