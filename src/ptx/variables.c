#include "ptx/variables.h"
#include "base/mangled.h"
#include <stdlib.h>
#include <string.h>

enum ptx_owner ptx_space_owner(enum ptx_space space)
{
    switch (space) {
    case PTX_SPACE_REGISTER:
    case PTX_SPACE_LOCAL:
        return PTX_OWNER_THREAD;
    case PTX_SPACE_SHARED:
        return PTX_OWNER_BLOCK;
    default:
        return PTX_OWNER_GRID;
    }
}

enum ptx_lifetime ptx_space_lifetime(enum ptx_space space)
{
    switch (space) {
    case PTX_SPACE_REGISTER:
    case PTX_SPACE_LOCAL:
        return PTX_LIFE_THREAD;
    case PTX_SPACE_SHARED:
        return PTX_LIFE_BLOCK;
    case PTX_SPACE_PARAM:
        return PTX_LIFE_LAUNCH;
    default:
        return PTX_LIFE_PROGRAM;
    }
}

const char *ptx_variable_name(struct arena *arena, const char *name)
{
    struct mangled mangled;
    if (strncmp(name, "_Z", 2) == 0)
        return mangled_read(arena, name, &mangled) ? mangled.name : NULL;
    return name[0] == '_' && name[1] == '_' ? NULL : name;
}

struct listing {
    struct arena *arena;
    const struct ptx_module *module;
    bool *functions, *variables; /* already listed */
    struct {
        struct ptx_placed *items;
        size_t count, capacity;
    } list;
};

static void add(struct listing *listing, const struct ptx_variable *variable)
{
    const char *name = ptx_variable_name(listing->arena, variable->name);
    struct ptx_placed const placed = {.name = name ? name : variable->name,
                                      .by_compiler = name == NULL,
                                      .space = variable->space,
                                      .bytes = variable->size,
                                      .offset = variable->offset};
    array_push(&listing->list, placed);
}

static void add_used(struct listing *listing, const struct ptx_operand *operand)
{
    bool const named = operand->kind == PTX_OPERAND_VARIABLE ||
                       (operand->kind == PTX_OPERAND_ADDRESS && operand->base == PTX_OPERAND_VARIABLE);
    if (!named || operand->scope != PTX_SCOPE_MODULE || operand->index >= listing->module->variable_count ||
        listing->variables[operand->index])
        return;
    listing->variables[operand->index] = true;
    add(listing, &listing->module->variables[operand->index]);
}

/* Adds the variables of a function and of the functions that it calls directly. */
static void add_function(struct listing *listing, const struct ptx_function *function)
{
    size_t const number = (size_t)(function - listing->module->functions);
    if (listing->functions[number])
        return;
    listing->functions[number] = true;
    for (uint32_t i = 0; i < function->variable_count; i++)
        if (function->variables[i].space == PTX_SPACE_LOCAL || function->variables[i].space == PTX_SPACE_SHARED)
            add(listing, &function->variables[i]);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        for (unsigned k = 0; k < instruction->operand_count; k++)
            add_used(listing, &instruction->operands[k]);
        const struct ptx_operand *called = &instruction->operands[0];
        if (ptx_opcode_kind(instruction->opcode) == PTX_KIND_CALL && called->kind == PTX_OPERAND_FUNCTION &&
            called->index < listing->module->function_count)
            add_function(listing, &listing->module->functions[called->index]);
    }
}

struct ptx_placed *ptx_variables(struct arena *arena, const struct ptx_module *module,
                                 const struct ptx_function *kernel, uint32_t *count)
{
    struct listing listing = {.arena = arena,
                              .module = module,
                              .functions = arena_array(arena, bool, module->function_count + 1),
                              .variables = arena_array(arena, bool, module->variable_count + 1)};
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        add(&listing, &kernel->parameters[i]);
        listing.list.items[i].by_compiler = true; /* kernel_param_0: PTX keeps no names of parameters */
    }
    add_function(&listing, kernel);
    struct ptx_placed *list = arena_list(arena, listing.list);
    *count = (uint32_t)listing.list.count;
    free(listing.list.items);
    return list;
}
