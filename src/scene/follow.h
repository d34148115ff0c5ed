/* The element that the panels of arrays and pictures follow: the one that the user has chosen, or else that of a lane.
 * Of a product it is an element of c, of a picture a pixel, of two arrays side by side an element of the first one. */
#ifndef LANESCOPE_SCENE_FOLLOW_H
#define LANESCOPE_SCENE_FOLLOW_H
#include "scene/scene.h"

struct followed {
    const struct element_array *array; /* NULL: there is no array to follow */
    uint32_t element;                  /* UINT32_MAX: not known */
    uint32_t warp, lane;               /* that the element belongs to, if it was not chosen */
};
/* lanes: those in focus, of which the lowest one counts; 0: the scene's lane or, if that has no element, the first
 * active one.
 */
struct followed scene_follow(const struct scene *scene, uint32_t lanes);
/* Returns the neighbour of an element, so many columns and rows further on and inside the array. */
uint32_t scene_neighbour(const struct element_array *array, uint32_t element, int right, int down);
/* Returns whether a lane stores an element, at any time. */
bool scene_stores(const struct scene *scene, const struct element_array *array, uint32_t element, uint32_t warp,
                  uint32_t lane);

/* The way of an element of one array to the other: positions in the playback, SIZE_MAX where the block has no such
 * event, and the lanes. */
struct element_way {
    size_t loaded, kept, read, stored; /* from global memory, to and from shared memory, to global memory */
    uint32_t lane, reader;             /* that loads it, that stores it */
    uint64_t word;                     /* its address in shared memory; valid if it was kept */
    uint32_t to;                       /* element of the other array; UINT32_MAX: none */
};
struct element_way scene_way(const struct scene *scene, const struct element_array *from, uint32_t element,
                             const struct element_array *to);
#endif
