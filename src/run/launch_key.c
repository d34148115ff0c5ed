#include "run/launch_key.h"
#include "run/fill.h"

const char *launch_key(const struct launch *launch, const struct compile_define *defines, size_t define_count,
                       struct arena *arena)
{
    const char *key =
        arena_format(arena, "%s %ux%ux%u %ux%ux%u %u", launch->kernel, launch->grid[0], launch->grid[1],
                     launch->grid[2], launch->block[0], launch->block[1], launch->block[2], launch->shared_bytes);
    for (size_t i = 0; i < define_count; i++)
        key = arena_format(arena, "%s %s=%s", key, defines[i].name, defines[i].value ? defines[i].value : "");
    for (uint32_t i = 0; i < launch->argument_count; i++) {
        const struct launch_argument *argument = &launch->arguments[i];
        if (argument->bytes) {
            key = arena_format(arena, "%s bytes:", key);
            for (uint32_t b = 0; b < argument->size; b++)
                key = arena_format(arena, "%s%02x", key, argument->bytes[b]);
            continue;
        }
        key = arena_format(
            arena, "%s %s:%llu", key, fill_type_name(argument->type),
            (unsigned long long)(argument->is_buffer ? launch->buffers[argument->buffer].count : argument->bits));
        const char *fill = argument->is_buffer ? launch->buffers[argument->buffer].fill : NULL;
        if (fill)
            key = arena_format(arena, "%s=%s", key, fill);
    }
    return key;
}

const char *launch_key_of_file(const struct launch *launch, const struct run_file_request *request, struct arena *arena)
{
    const char *key = launch_key(launch, request->defines, request->define_count, arena);
    for (size_t i = 0; i < request->argument_count; i++)
        key = arena_format(arena, "%s %s", key, request->arguments[i]);
    return key;
}
