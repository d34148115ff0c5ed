/* The names of places in memory, as the source has them: in[3], points[3].x, tile[1][29]. */
#include "base/words.h"
#include "scene/scene.h"
#include <inttypes.h>
#include <string.h>

/* Returns the bytes of the element that a lane reads or writes; 0: not known. */
static uint64_t word_bytes(const struct scene *scene)
{
    return scene->site ? ptx_type_size(scene->site->type) : 0;
}

/* Returns whether a buffer of the trace is a variable of the module. PTX declares its array as bytes, whatever the type
 * of its elements. */
static bool is_module_variable(const struct scene *scene, const struct trace_buffer *buffer)
{
    for (uint32_t i = 0; i < scene->variable_count; i++) {
        const struct ptx_placed *variable = &scene->variables[i];
        if ((variable->space == PTX_SPACE_GLOBAL || variable->space == PTX_SPACE_CONST) && !variable->pointed_to &&
            strcmp(variable->name, buffer->name) == 0)
            return true;
    }
    return false;
}

static const struct ptx_layout *layout_of(const struct scene *scene, const struct trace_buffer *buffer)
{
    for (uint32_t i = 0; i < scene->variable_count; i++)
        if (scene->variables[i].pointed_to && strcmp(scene->variables[i].name, buffer->name) == 0)
            return scene->variables[i].layout;
    return NULL;
}

const char *scene_name_address(const struct scene *scene, struct arena *arena, uint64_t address)
{
    if (scene->kind == SCENE_SHARED)
        return scene_name_byte(scene, arena, address);
    uint64_t element = 0;
    const struct trace_buffer *buffer = trace_find_buffer(scene->trace, address, &element);
    if (!buffer)
        return arena_format(arena, "0x%" PRIx64, address);
    uint64_t const offset = address - buffer->address, wide = word_bytes(scene), size = ptx_type_size(buffer->type);
    const struct ptx_layout *layout = layout_of(scene, buffer);
    if (layout)
        return ptx_place_name(arena, buffer->name, layout, offset, scene->site ? scene->site->bytes : 0);
    if (wide > 1 && element % wide == 0 && is_module_variable(scene, buffer))
        element /= wide;
    const char *name = arena_format(arena, "%s[%" PRIu64 "]", buffer->name, element);
    if (size == 1 && wide > 1 && !is_module_variable(scene, buffer)) /* bytes alone: their types are not known */
        return arena_format(arena, _("%s, bytes %llu to %llu"), buffer->name, (unsigned long long)offset,
                            (unsigned long long)(offset + wide - 1));
    if (wide && size > wide && scene->site->bytes == wide) /* a part of an element, such as a field of a structure */
        return arena_format(arena, _("%s, bytes %llu to %llu"), name, (unsigned long long)(offset % size),
                            (unsigned long long)(offset % size + wide - 1));
    return name;
}

const char *scene_name_byte(const struct scene *scene, struct arena *arena, uint64_t address)
{
    uint64_t const offset = scene_shared_offset(scene->trace, address);
    const char *name = ptx_shared_name(arena, scene->variables, scene->variable_count, offset, word_bytes(scene));
    return name ? name : arena_format(arena, _("byte %llu"), (unsigned long long)offset);
}
