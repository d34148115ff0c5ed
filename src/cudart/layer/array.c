#include "cudart/layer/array.h"
#include "cudart/layer/line.h"

unsigned array_format_bytes(int format)
{
    switch (format) {
    case ARRAY_U8:
    case ARRAY_S8:
        return 1;
    case ARRAY_U16:
    case ARRAY_S16:
    case ARRAY_F16:
        return 2;
    case ARRAY_U32:
    case ARRAY_S32:
    case ARRAY_F32:
        return 4;
    default:
        return 0;
    }
}

static size_t at_least_one(size_t number)
{
    return number ? number : 1;
}

/* Returns whether a GPU has arrays of such dimensions: the figures are those of compute capabilities 7.5 and above. */
static bool is_possible(const struct array_request *r)
{
    enum { SIDES = 6, LAYERED_CUBE = ARRAY_LAYERED | ARRAY_CUBE };
    bool const layered = r->flags & ARRAY_LAYERED, cube = r->flags & ARRAY_CUBE;
    bool const cube_fits = r->width == r->height && (layered ? r->depth % SIDES == 0 : r->depth == SIDES);
    if (!r->width || ((layered || cube) && !r->depth) || (r->depth && !r->height && (!layered || cube)) ||
        (cube && !cube_fits) || (r->flags & ARRAY_GATHER && (!r->height || (r->depth && !layered))))
        return false;
    static const struct limits {
        size_t width, height, depth;
    } line = {131072, 0, 0}, lines = {32768, 0, 2048}, plane = {131072, 65536, 0}, planes = {32768, 32768, 2048},
      box = {16384, 16384, 16384}, cubes = {32768, 32768, 2046};
    const struct limits *most = cube        ? &cubes
                                : layered   ? r->height ? &planes : &lines
                                : r->depth  ? &box
                                : r->height ? &plane
                                            : &line;
    return r->width <= most->width && r->height <= most->height && r->depth <= most->depth;
}

/* Formats and flags that CUDA has beyond those here. */
static bool is_known_elsewhere(const struct array_request *r)
{
    enum { FIRST_FORMAT = 0x50, LAST_FORMAT = 0xff }; /* of videos, normalised, compressed */
    return (r->format >= FIRST_FORMAT && r->format <= LAST_FORMAT) || r->flags & (ARRAY_SPARSE | ARRAY_DEFERRED);
}

enum status array_create(struct array_handle **handle, const struct array_request *r)
{
    enum { FLAGS = ARRAY_LAYERED | ARRAY_SURFACE | ARRAY_CUBE | ARRAY_GATHER | ARRAY_DEPTH | ARRAY_COLOR };
    line_number("width", r->width);
    line_number("height", r->height);
    line_number("depth", r->depth);
    line_signed("format", r->format);
    line_number("channels", r->channels);
    line_number("flags", r->flags);
    if (!handle)
        return STATUS_INVALID_VALUE;
    if (is_known_elsewhere(r)) {
        fprintf(stderr, "lanescope: an array of format %d with flags %u is not supported\n", r->format, r->flags);
        return STATUS_NOT_SUPPORTED;
    }
    unsigned const bytes = array_format_bytes(r->format);
    if (!bytes || (r->channels != 1 && r->channels != 2 && r->channels != 4) || r->flags & ~(unsigned)FLAGS ||
        !is_possible(r))
        return STATUS_INVALID_VALUE;
    struct array const array = {.width = (uint32_t)r->width,
                                .height = (uint32_t)r->height,
                                .depth = (uint32_t)r->depth,
                                .format = r->format,
                                .channels = r->channels,
                                .flags = r->flags,
                                .element = bytes * r->channels};
    uint64_t const elements = (uint64_t)r->width * at_least_one(r->height) * at_least_one(r->depth);
    void *memory = NULL;
    enum status const status = memory_allocate(&memory, elements * array.element, ALLOCATION_ARRAY);
    if (status)
        return status;
    space_find((uint64_t)(uintptr_t)memory)->array = array;
    *handle = memory;
    return status;
}

enum status array_destroy(struct array_handle *handle)
{
    return memory_release(handle, ALLOCATION_ARRAY);
}

const struct array *array_of(const struct array_handle *handle)
{
    const struct allocation *a = space_find((uint64_t)(uintptr_t)handle);
    bool const is_array = a && a->kind == ALLOCATION_ARRAY && !a->freed;
    return is_array && a->address == (uint64_t)(uintptr_t)handle ? &a->array : NULL;
}

/* ---- sides of copies ---- */

static const char *key_of(bool to)
{
    return to ? "to" : "from_pointer";
}

static enum status refuse(const struct array_place *place, bool to)
{
    line_pointer(key_of(to), place->array);
    return STATUS_INVALID_VALUE;
}

static void put(const struct array_place *place, bool to, size_t offset, struct work_copy *copy)
{
    void *const begin = (void *)((uintptr_t)place->array + offset);
    if (to)
        copy->to = begin;
    else
        copy->source = begin;
    *(to ? &copy->to_array : &copy->from_array) = true;
}

static void line_box(const char *key, size_t x, size_t y, size_t z)
{
    line_open_list(key);
    line_number(NULL, x);
    line_number(NULL, y);
    line_number(NULL, z);
    line_close();
}

static bool is_within(size_t begin, size_t count, size_t end)
{
    return begin <= end && count <= end - begin;
}

enum status array_side(const struct array_place *p, bool to, struct work_copy *copy)
{
    const struct array *array = array_of(p->array);
    struct rows *rows = &copy->rows;
    if (!array)
        return refuse(p, to);
    size_t const pitch = (size_t)array->width * array->element, height = at_least_one(array->height);
    size_t const depth = at_least_one(array->depth);
    bool const empty = !rows->width || !rows->height || !rows->depth;
    if (!empty && !(is_within(p->x, rows->width, pitch) && is_within(p->y, rows->height, height) &&
                    is_within(p->z, rows->depth, depth))) {
        line_open_object("beyond_array");
        line_box("from", p->x, p->y, p->z);
        line_box("copied", rows->width, rows->height, rows->depth);
        line_box("array", pitch, height, depth);
        line_close();
        return refuse(p, to);
    }
    *(to ? &rows->to_pitch : &rows->from_pitch) = pitch;
    *(to ? &rows->to_slice : &rows->from_slice) = pitch * height;
    put(p, to, empty ? 0 : p->z * pitch * height + p->y * pitch + p->x, copy);
    return STATUS_SUCCESS;
}

enum status array_side_through(const struct array_place *p, bool to, struct work_copy *copy)
{
    const struct array *array = array_of(p->array);
    if (!array)
        return refuse(p, to);
    size_t const pitch = (size_t)array->width * array->element;
    if (p->x >= pitch || p->y >= at_least_one(array->height))
        return refuse(p, to);
    put(p, to, p->y * pitch + p->x, copy);
    return STATUS_SUCCESS;
}
