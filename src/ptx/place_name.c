/* The names of places in variables, as the source has them: in[3], points[3].x, tile[1][29]. */
#include "base/words.h"
#include "ptx/variables.h"
#include <inttypes.h>

/* Returns the name of a byte of a structure: "points[3].x", "points[3].m[2]". */
static const char *name_field(struct arena *arena, const struct ptx_layout *layout, const char *name, uint64_t rest,
                              uint64_t bytes)
{
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const struct ptx_field *field = &layout->fields[i];
        uint64_t const all = field->bytes * (field->count ? field->count : 1), in_field = rest - field->offset;
        if (rest < field->offset || in_field >= all || in_field % field->bytes + bytes > field->bytes)
            continue;
        name = arena_format(arena, "%s.%s", name, field->name);
        if (field->count)
            name = arena_format(arena, "%s[%" PRIu64 "]", name, in_field / field->bytes);
        uint64_t const part = in_field % field->bytes;
        return part == 0 && bytes == field->bytes
                   ? name
                   : arena_format(arena, _("%s, bytes %llu to %llu"), name, (unsigned long long)part,
                                  (unsigned long long)(part + bytes - 1));
    }
    return arena_format(arena, _("%s, bytes %llu to %llu"), name, (unsigned long long)rest,
                        (unsigned long long)(rest + bytes - 1));
}

const char *ptx_place_name(struct arena *arena, const char *variable, const struct ptx_layout *layout, uint64_t offset,
                           uint64_t bytes)
{
    uint64_t const index = offset / layout->element, rest = offset % layout->element;
    const char *name = variable;
    if (layout->array && layout->columns)
        name = arena_format(arena, "%s[%" PRIu64 "][%" PRIu64 "]", variable, index / layout->columns,
                            index % layout->columns);
    else if (layout->array)
        name = arena_format(arena, "%s[%" PRIu64 "]", variable, index);
    if (rest == 0 && (bytes >= layout->element || bytes == 0 || !layout->field_count))
        return name;
    if (bytes > layout->element - rest) /* a bank has one word of several */
        bytes = layout->element - rest;
    bytes = bytes ? bytes : 1;
    if (layout->field_count)
        return name_field(arena, layout, name, rest, bytes);
    return arena_format(arena, _("%s, bytes %llu to %llu"), name, (unsigned long long)rest,
                        (unsigned long long)(rest + bytes - 1));
}

const char *ptx_shared_name(struct arena *arena, const struct ptx_placed *variables, uint32_t count, uint64_t offset,
                            uint64_t bytes)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_placed *variable = &variables[i];
        bool const here = variable->space == PTX_SPACE_SHARED && offset >= variable->offset &&
                          (!variable->bytes || offset - variable->offset < variable->bytes);
        if (here && variable->layout && !variable->by_compiler)
            return ptx_place_name(arena, variable->name, variable->layout, offset - variable->offset, bytes);
    }
    return NULL;
}
