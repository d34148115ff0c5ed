#include "run/variables.h"
#include "source/variables.h"
#include <stdlib.h>
#include <string.h>

struct listing {
    struct arena *arena;
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    struct source_kernel found; /* source NULL: there is none */
    struct {
        struct ptx_placed *items;
        size_t count, capacity;
    } list;
};

/* Returns a flag for each line of the source, from 1 to *count: whether an instruction that loads from or stores to
 * local memory stands on it. */
static const bool *local_lines(const struct listing *listing, uint32_t *count)
{
    const struct source *source = listing->found.source;
    *count = source->tokens[source->count].line;
    bool *lines = arena_array(listing->arena, bool, (size_t)*count + 1);
    for (uint32_t i = 0; i < listing->kernel->instruction_count; i++) {
        const struct ptx_instruction *instruction = &listing->kernel->instructions[i];
        if (instruction->space == PTX_SPACE_LOCAL && instruction->site != PTX_NO_INDEX && instruction->line <= *count)
            lines[instruction->line] = true;
    }
    return lines;
}

/* Returns whether one of the flagged lines of the source names the variable. */
static bool is_named(const struct source *source, const bool *lines, const char *name)
{
    for (uint32_t i = 0; i < source->count; i++)
        if (lines[source->tokens[i].line] && source_is(&source->tokens[i], name))
            return true;
    return false;
}

/* Returns the layout of the structures that the parameter of this name points to, or NULL. */
static const struct ptx_layout *pointed_layout(const struct listing *listing, const char *name)
{
    const struct source_parameter *named = listing->found.parameters;
    for (uint32_t i = 0; named && i < listing->kernel->parameter_count; i++)
        if (named[i].pointer && strcmp(named[i].name, name) == 0)
            return named[i].layout;
    return NULL;
}

/* Sets the names of the parameters from the head of the kernel, and adds the buffers that they point to. */
static void add_parameters(struct listing *listing, const struct trace *trace, const struct ptx_placed *list)
{
    uint32_t const parameters = listing->kernel->parameter_count;
    const struct source_parameter *named = listing->found.parameters;
    uint32_t variables = 0;
    for (uint32_t i = 0; i < listing->module->variable_count; i++)
        variables += trace_is_buffer(&listing->module->variables[i]);
    for (uint32_t i = 0; i < parameters; i++) {
        struct ptx_placed placed = list[i];
        if (named) {
            placed.name = named[i].name;
            placed.by_compiler = false;
        }
        array_push(&listing->list, placed);
    }
    for (uint32_t i = 0; i + variables < trace->buffer_count; i++) {
        const struct trace_buffer *buffer = &trace->buffers[i];
        struct ptx_placed const placed = {.name = buffer->name,
                                          .pointed_to = true,
                                          .space = PTX_SPACE_GLOBAL,
                                          .bytes = buffer->count * ptx_type_size(buffer->type),
                                          .layout = pointed_layout(listing, buffer->name)};
        array_push(&listing->list, placed);
    }
}

/* Adds the automatic variables. Returns whether the arrays among them are all that the thread's local memory holds. */
static bool add_automatic(struct listing *listing)
{
    uint32_t count;
    const struct source_variable *own = source_variables(&listing->found, &count);
    bool *local = arena_array(listing->arena, bool, (size_t)count + 1);
    uint32_t line_count;
    const bool *lines = local_lines(listing, &line_count);
    uint64_t bytes = 0;
    bool sized = true;
    for (uint32_t i = 0; i < count; i++) {
        local[i] = own[i].array && is_named(listing->found.source, lines, own[i].name);
        bytes += local[i] ? own[i].bytes : 0;
        sized = sized && (!local[i] || own[i].bytes);
    }
    bool const whole = listing->kernel->local_bytes == 0 || (sized && bytes == listing->kernel->local_bytes);
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_placed const placed = {
            .name = own[i].name, .space = local[i] ? PTX_SPACE_LOCAL : PTX_SPACE_REGISTER, .bytes = own[i].bytes};
        if (local[i] || whole)
            array_push(&listing->list, placed);
    }
    return whole && count > 0;
}

struct ptx_placed *run_variables(struct arena *arena, const struct ptx_module *module, const struct trace *trace,
                                 const char *source, const struct compile_define *defines, size_t define_count,
                                 uint32_t *count)
{
    const struct source *tokens =
        source && *source ? source_read(arena, source, defines, define_count, SOURCE_TAKEN) : NULL;
    return run_variables_in(arena, module, trace, tokens, count);
}

struct ptx_placed *run_variables_in(struct arena *arena, const struct ptx_module *module, const struct trace *trace,
                                    const struct source *source, uint32_t *count)
{
    struct listing listing = {.arena = arena, .module = module, .kernel = ptx_kernel(module, trace->kernel)};
    *count = 0;
    if (!listing.kernel)
        return NULL;
    if (source)
        listing.found = source_kernel_find(source, listing.kernel);
    uint32_t declared;
    const struct ptx_placed *list = ptx_variables(arena, module, listing.kernel, &declared);
    add_parameters(&listing, trace, list);
    size_t const first = listing.list.count;
    for (uint32_t i = listing.kernel->parameter_count; i < declared; i++) {
        struct ptx_placed placed = list[i];
        if (listing.found.source && placed.space == PTX_SPACE_SHARED && !placed.by_compiler)
            placed.layout = source_shared_layout(&listing.found, placed.name, placed.bytes);
        array_push(&listing.list, placed);
    }
    size_t const last = listing.list.count;
    bool const whole = listing.found.source && add_automatic(&listing);
    size_t kept = first; /* a frame whose arrays have names of their own */
    for (size_t i = first; i < listing.list.count; i++)
        if (!(whole && i < last && listing.list.items[i].space == PTX_SPACE_LOCAL && listing.list.items[i].by_compiler))
            listing.list.items[kept++] = listing.list.items[i];
    struct ptx_placed *variables = arena_copy(arena, listing.list.items, kept, sizeof *variables);
    free(listing.list.items);
    *count = (uint32_t)kept;
    return variables;
}
