#include "scene/follow.h"

uint32_t scene_neighbour(const struct element_array *array, uint32_t element, int right, int down)
{
    uint32_t const columns = (uint32_t)array->buffer->shape.columns;
    int64_t column = (int64_t)(element % array->columns) + right, row = (int64_t)(element / array->columns) + down;
    column = column < 0 ? 0 : column >= columns ? columns - 1 : column;
    row = row < 0 ? 0 : row >= array->rows ? array->rows - 1 : row;
    return (uint32_t)row * array->columns + (uint32_t)column;
}

bool scene_stores(const struct scene *scene, const struct element_array *array, uint32_t element, uint32_t warp,
                  uint32_t lane)
{
    for (uint32_t i = array->first[element]; i < array->first[element + 1]; i++) {
        const struct element_use *use = &array->uses[i];
        if (use->store && (use->lanes >> lane & 1) && playback_event(scene->playback, use->position)->warp == warp)
            return true;
    }
    return false;
}

/* Returns the first element that a lane stores. */
static uint32_t stored_by(const struct scene *scene, const struct element_array *array, uint32_t warp, uint32_t lane)
{
    for (uint32_t i = 0; i < array->rows * array->columns; i++)
        if (array->first[i] < array->first[i + 1] && scene_stores(scene, array, i, warp, lane))
            return i;
    return UINT32_MAX;
}

/* Returns the element of the array that a lane of the event's warp moves now, or moved last, or moves next. */
static uint32_t moved_by(const struct scene *scene, const struct element_array *array, uint32_t lane)
{
    const struct elements *elements = playback_elements(scene->playback);
    uint32_t found = UINT32_MAX;
    for (size_t at = 0; at < scene->playback->count && (at <= scene->position || found == UINT32_MAX); at++)
        if (playback_event(scene->playback, at)->warp == scene->warp) {
            uint32_t const element = elements_at(array, elements_origin(elements, at, (int)lane));
            found = element == UINT32_MAX ? found : element;
        }
    return found;
}

struct followed scene_follow(const struct scene *scene, uint32_t lanes)
{
    const struct elements *elements = playback_elements(scene->playback);
    const struct arrays *arrays = scene->arrays;
    struct followed followed = {.element = UINT32_MAX, .warp = scene->warp};
    if (!elements)
        return followed;
    bool const pair = arrays && arrays->kind == ARRAYS_PAIR;
    const char *name = arrays && arrays->kind == ARRAYS_PRODUCT ? arrays->names[2]
                       : pair                                   ? arrays->names[0]
                       : scene->picture                         ? scene->picture->output_name
                                                                : NULL;
    followed.array = elements_array(elements, name);
    if (!followed.array)
        return followed;
    uint32_t const tries[] = {lanes ? lanes : 1u << scene->lane, lanes || !scene->event ? 0 : scene->event->mask};
    for (int i = 0; i < 2 && tries[i] && followed.element == UINT32_MAX; i++) {
        followed.lane = (uint32_t)__builtin_ctz(tries[i]);
        followed.element = pair ? moved_by(scene, followed.array, followed.lane)
                                : stored_by(scene, followed.array, followed.warp, followed.lane);
    }
    if (scene->chosen && scene->chosen <= followed.array->rows * followed.array->columns)
        followed.element = scene->chosen - 1;
    return followed;
}

struct element_way scene_way(const struct scene *scene, const struct element_array *from, uint32_t element,
                             const struct element_array *to)
{
    const struct elements *elements = playback_elements(scene->playback);
    uint64_t const address = from->buffer->address + (uint64_t)(element / from->columns) * from->buffer->shape.pitch +
                             (uint64_t)(element % from->columns) * from->bytes;
    struct element_way way = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, .to = UINT32_MAX};
    for (size_t at = 0; at < scene->playback->count; at++)
        for (int lane = 0; lane < WARP_LANES; lane++) {
            if (elements_origin(elements, at, lane) != address)
                continue;
            const struct trace_event *event = playback_event(scene->playback, at);
            const struct trace_site *site = playback_site(scene->playback, at);
            uint64_t const place = trace_addresses(scene->trace, event)[lane];
            bool const shared = trace_space(site, event) == PTX_SPACE_SHARED, load = site->operation == TRACE_LOAD;
            size_t *step = shared ? (load ? &way.read : &way.kept) : load ? &way.loaded : &way.stored;
            if (*step != SIZE_MAX)
                continue;
            *step = at;
            if (load && !shared)
                way.lane = (uint32_t)lane;
            if (!load && shared)
                way.word = place;
            if (!load && !shared) {
                way.reader = (uint32_t)lane;
                way.to = elements_at(to, place);
            }
        }
    return way;
}
