/* The way of a lane to the address of an access: how the PTX computes it, with the lane's own numbers. */
#ifndef LANESCOPE_SCREEN_SIDE_WAY_H
#define LANESCOPE_SCREEN_SIDE_WAY_H
#include "run/run.h"
#include "scene/scene.h"

struct lane_way {
    int lane;
    uint32_t thread[3];
    const struct ptx_function *kernel;
    const char *formula; /* "in + 4 * (stride * threadIdx.x + offset)" */
    /* With this lane's numbers, and the address with its name; NULL: not all of them are known. A formula that is a
     * register alone has no numbers but the result. */
    const char *numbers, *result;
    const char *ends;    /* the registers that are not followed further, and why, a line each; "": none */
    const char **values; /* of each instruction of the kernel, for this lane; NULL: not on the way */
};
/* Returns the way of an active lane at the scene's access, or NULL: the event is no access, or the program is not
 * known. */
const struct lane_way *way_of_lane(const struct run *run, const struct scene *scene, int lane, struct arena *arena);
#endif
