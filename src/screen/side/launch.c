/* The launch of the run on screen as the source would write it, and what its names are: the values of parameters, the
 * places and sizes of arrays. */
#include "base/mangled.h"
#include "base/words.h"
#include "run/fill.h"
#include "run/kernel_text.h"
#include "screen/side/side.h"
#include <inttypes.h>
#include <string.h>

/* Returns one side of a launch: "4", or "dim3(4, 2)". */
static const char *shape(struct arena *arena, const uint32_t size[3])
{
    return arena_format(arena, size[1] > 1 || size[2] > 1 ? "dim3%s" : "%s", view_shape(arena, size));
}

/* Returns what an array is: "in: f32[64], 256 bytes at 0x1000". */
static const char *array_words(struct arena *arena, const struct trace_buffer *buffer)
{
    const char *type = fill_type_name(buffer->type);
    const char *count = buffer->shape.pitch
                            ? arena_format(arena, "%" PRIu64 " x %" PRIu64, buffer->shape.rows, buffer->shape.columns)
                            : words_count(arena, buffer->count);
    const char *bytes = words_count(arena, buffer->count * ptx_type_size(buffer->type));
    if (!buffer->address)
        return arena_format(arena, _("%s: %s[%s], %s bytes"), buffer->name, type ? type : "", count, bytes);
    return arena_format(arena, _("%s: %s[%s], %s bytes at 0x%" PRIx64), buffer->name, type ? type : "", count, bytes,
                        buffer->address);
}

/* Returns an argument as the source could write it, and in `said` what the parameter is. */
static const char *argument_words(struct arena *arena, const struct launch *launch, const struct trace *trace,
                                  uint32_t index, const char *name, const char **said)
{
    const struct launch_argument *argument = &launch->arguments[index];
    if (argument->is_buffer) {
        if (argument->buffer < trace->buffer_count)
            *said = array_words(arena, &trace->buffers[argument->buffer]);
        return launch->buffers[argument->buffer].name;
    }
    if (argument->bytes) {
        *said = arena_format(arena, _("%s: a structure of %u {byte|bytes}"), name, argument->size);
        return arena_format(arena, "{%u B}", argument->size);
    }
    const char *number = scene_number(arena, argument->type, argument->bits);
    *said = arena_format(arena, "%s = %s", name, number);
    return number;
}

/* Adds the values of arrays that no parameter names: shared memory and the module's variables. */
static void add_arrays(struct launch_shown *shown, struct code_value *values, const struct drawing *drawing,
                       const struct run *run)
{
    for (uint32_t i = 0; run && i < run->variable_count; i++) {
        const struct ptx_placed *variable = &run->variables[i];
        if (variable->space == PTX_SPACE_SHARED && variable->name && !variable->by_compiler)
            values[shown->value_count++] = (struct code_value){
                variable->name,
                arena_format(drawing->arena, _("%s: %s bytes of shared memory, from byte %s of the block on"),
                             variable->name, words_count(drawing->arena, variable->bytes),
                             words_count(drawing->arena, variable->offset))};
    }
}

struct launch_shown launch_now(const struct drawing *drawing)
{
    struct arena *arena = drawing->arena;
    const struct document *document = drawing->document;
    const struct trace *trace = document->playback ? document->playback->trace : NULL;
    const struct run *run = document_run(document);
    struct launch_shown shown = {0};
    if (!trace || document->file.of_lesson)
        return shown;
    uint32_t const arguments = run ? run->launch.argument_count : 0;
    struct code_value *values = arena_array(
        arena, struct code_value, (size_t)arguments + trace->buffer_count + (run ? run->variable_count : 0) + 1);
    const struct ptx_function *kernel = arguments && run->module ? ptx_kernel(run->module, trace->kernel) : NULL;
    const struct source_parameter *named = kernel ? run_kernel_text(run, trace->kernel)->parameters : NULL;
    const char *list = "";
    for (uint32_t i = 0; i < arguments; i++) {
        const char *said = NULL, *name = named && i < kernel->parameter_count ? named[i].name : NULL;
        const char *words = argument_words(arena, &run->launch, trace, i, name ? name : "", &said);
        list = arena_format(arena, "%s%s%s", list, i ? ", " : "", words);
        if (name && said)
            values[shown.value_count++] = (struct code_value){name, said};
    }
    for (uint32_t i = run ? run->launch.buffer_count : 0; i < trace->buffer_count; i++)
        values[shown.value_count++] =
            (struct code_value){trace->buffers[i].name, array_words(arena, &trace->buffers[i])};
    add_arrays(&shown, values, drawing, run);
    uint32_t const dynamic = arguments ? run->launch.shared_bytes : 0;
    shown.text = arena_format(arena, "%s<<<%s, %s%s>>>(%s)", mangled_name(arena, trace->kernel),
                              shape(arena, trace->grid), shape(arena, trace->block),
                              dynamic ? arena_format(arena, ", %u", dynamic) : "", arguments ? list : "...");
    shown.values = values;
    return shown;
}
