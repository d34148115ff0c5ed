/* Properties of the whole module: site numbers, and offsets in shared memory. */
#include "ptx/matrix.h"
#include "ptx/parser.h"
#include <stdlib.h>
#include <string.h>

static bool is_copy(const struct ptx_instruction *instruction)
{
    return instruction->operand_count >= 2 && instruction->operands[0].kind == PTX_OPERAND_ADDRESS &&
           instruction->operands[1].kind == PTX_OPERAND_ADDRESS;
}

static bool is_site(const struct ptx_instruction *instruction)
{
    switch (ptx_opcode_kind(instruction->opcode)) {
    case PTX_KIND_LOAD:
    case PTX_KIND_STORE:
    case PTX_KIND_ATOMIC:
    case PTX_KIND_REDUCTION:
        return instruction->space <= PTX_SPACE_CONST;
    case PTX_KIND_MATRIX:
        return instruction->operands[0].kind == PTX_OPERAND_ADDRESS || ptx_is_product(instruction) ||
               (instruction->operand_count > 1 && instruction->operands[1].kind == PTX_OPERAND_ADDRESS);
    case PTX_KIND_COPY:
        return is_copy(instruction);
    case PTX_KIND_BARRIER:
        return !ptx_has(instruction->modifiers, PTX_MOD_warp);
    case PTX_KIND_BRANCH:
        return flow_parts(instruction);
    default:
        return instruction->opcode == PTX_OP_shfl || ptx_is_product(instruction);
    }
}

/* Returns whether a store only prepares a call of printf or a launch. A compiler puts the values for them into local
 * memory just before the call, with the call's line; such stores are not in the source. */
static bool hands_to_call(const struct ptx_module *module, const struct ptx_function *function, uint32_t at)
{
    const struct ptx_instruction *store = &function->instructions[at];
    if (ptx_opcode_kind(store->opcode) != PTX_KIND_STORE || store->space != PTX_SPACE_LOCAL || !store->line)
        return false;
    for (uint32_t i = at + 1; i < function->instruction_count; i++) {
        const struct ptx_instruction *next = &function->instructions[i];
        enum ptx_kind const kind = ptx_opcode_kind(next->opcode);
        if (kind == PTX_KIND_CALL) {
            const char *name =
                next->operands[0].kind == PTX_OPERAND_FUNCTION ? module->functions[next->operands[0].index].name : "";
            return next->line == store->line && (strcmp(name, "vprintf") == 0 || strcmp(name, "lanescope_launch") == 0);
        }
        if (kind == PTX_KIND_BRANCH || kind == PTX_KIND_END || kind == PTX_KIND_BARRIER)
            return false;
    }
    return false;
}

void layout_sites(struct ptx_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = &module->functions[f];
        struct ptx_instruction *instructions = (struct ptx_instruction *)function->instructions;
        for (uint32_t i = 0; i < function->instruction_count; i++)
            if (is_site(&instructions[i]) && !hands_to_call(module, function, i))
                instructions[i].site = module->site_count++;
    }
}

/* A kernel's use of a shared variable. Variables are numbered over the module: its own first, then each function's. */
struct shared_use {
    uint32_t variable, kernel;
};

/* A walk over all functions and variables that a kernel can reach. */
struct walk {
    struct arena scratch;
    const struct ptx_module *module;
    uint32_t *first_variable;                /* by function: number of its first variable */
    uint32_t *seen_function, *seen_variable; /* the last kernel that visited it, + 1 */
    uint32_t *stack, depth, kernel;
    struct {
        struct shared_use *items;
        size_t count, capacity;
    } uses;
};

static void use_variable(struct walk *walk, const struct ptx_variable *variable, uint32_t number)
{
    struct shared_use const use = {.variable = number, .kernel = walk->kernel};
    if (variable->space == PTX_SPACE_SHARED && variable->size)
        array_push(&walk->uses, use);
}

static void see_function(struct walk *walk, uint32_t index)
{
    if (walk->seen_function[index] == walk->kernel + 1)
        return;
    walk->seen_function[index] = walk->kernel + 1;
    walk->stack[walk->depth++] = index;
}

/* Visits a variable. Addresses of functions in its initial values, as in a table of function pointers, make those
 * functions reachable. */
static void see_variable(struct walk *walk, uint32_t index)
{
    const struct ptx_variable *variable = &walk->module->variables[index];
    if (walk->seen_variable[index] == walk->kernel + 1)
        return;
    walk->seen_variable[index] = walk->kernel + 1;
    use_variable(walk, variable, index);
    for (uint32_t i = 0; i < variable->relocation_count; i++)
        if (variable->relocations[i].function)
            see_function(walk, variable->relocations[i].index);
}

static void see_operand(struct walk *walk, const struct ptx_operand *operand)
{
    bool const variable = operand->kind == PTX_OPERAND_VARIABLE ||
                          (operand->kind == PTX_OPERAND_ADDRESS && operand->base == PTX_OPERAND_VARIABLE);
    if (operand->kind == PTX_OPERAND_FUNCTION)
        see_function(walk, operand->index);
    else if (variable && operand->scope == PTX_SCOPE_MODULE)
        see_variable(walk, operand->index);
}

static void see_operands(struct walk *walk, const struct ptx_operand *operands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        see_operand(walk, &operands[i]);
        for (uint32_t k = 0; k < operands[i].count; k++) /* elements have no elements of their own */
            see_operand(walk, &operands[i].elements[k]);
    }
}

static void walk_kernel(struct walk *walk, uint32_t kernel)
{
    walk->kernel = kernel;
    see_function(walk, kernel);
    while (walk->depth > 0) {
        uint32_t const index = walk->stack[--walk->depth];
        const struct ptx_function *function = &walk->module->functions[index];
        for (uint32_t i = 0; i < function->variable_count; i++)
            use_variable(walk, &function->variables[i], walk->first_variable[index] + i);
        for (uint32_t i = 0; i < function->instruction_count; i++) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            see_operands(walk, instruction->operands, instruction->operand_count);
            see_operands(walk, instruction->call_arguments, instruction->call_argument_count);
        }
    }
}

static int by_variable(const void *a, const void *b)
{
    const struct shared_use *x = a, *y = b;
    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    return (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

/* Places a variable after everything that any of its kernels already has in shared memory. */
static void place(struct ptx_module *module, struct ptx_variable *variable, const struct shared_use *uses, size_t count)
{
    struct ptx_function *functions = (struct ptx_function *)module->functions;
    size_t offset = 0;
    for (size_t i = 0; i < count; i++)
        if (functions[uses[i].kernel].shared_bytes > offset)
            offset = functions[uses[i].kernel].shared_bytes;
    variable->offset = (offset + variable->align - 1) / variable->align * variable->align;
    for (size_t i = 0; i < count; i++)
        functions[uses[i].kernel].shared_bytes = variable->offset + variable->size;
}

static uint32_t number_variables(struct walk *walk)
{
    const struct ptx_module *module = walk->module;
    uint32_t number = module->variable_count, shared = 0;
    for (uint32_t i = 0; i < module->variable_count; i++)
        shared += module->variables[i].space == PTX_SPACE_SHARED;
    walk->first_variable = arena_array(&walk->scratch, uint32_t, module->function_count);
    for (uint32_t f = 0; f < module->function_count; f++) {
        walk->first_variable[f] = number;
        number += module->functions[f].variable_count;
        for (uint32_t i = 0; i < module->functions[f].variable_count; i++)
            shared += module->functions[f].variables[i].space == PTX_SPACE_SHARED;
    }
    return shared;
}

static struct ptx_variable *find_variable(const struct walk *walk, uint32_t number)
{
    const struct ptx_module *module = walk->module;
    if (number < module->variable_count)
        return (struct ptx_variable *)&module->variables[number];
    /* finds the last function whose first number is at most `number` */
    uint32_t low = 0, high = module->function_count;
    while (high - low > 1) {
        uint32_t const middle = low + (high - low) / 2;
        if (walk->first_variable[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return (struct ptx_variable *)&module->functions[low].variables[number - walk->first_variable[low]];
}

void layout_shared(struct ptx_module *module)
{
    struct walk walk = {.module = module};
    if (number_variables(&walk) > 0) {
        walk.seen_function = arena_array(&walk.scratch, uint32_t, module->function_count);
        walk.seen_variable = arena_array(&walk.scratch, uint32_t, module->variable_count);
        walk.stack = arena_array(&walk.scratch, uint32_t, module->function_count);
        for (uint32_t f = 0; f < module->function_count; f++)
            if (module->functions[f].is_kernel)
                walk_kernel(&walk, f);
    }
    if (walk.uses.count)
        qsort(walk.uses.items, walk.uses.count, sizeof *walk.uses.items, by_variable);
    for (size_t i = 0, end; i < walk.uses.count; i = end) {
        for (end = i; end < walk.uses.count && walk.uses.items[end].variable == walk.uses.items[i].variable;)
            end++;
        place(module, find_variable(&walk, walk.uses.items[i].variable), &walk.uses.items[i], end - i);
    }
    free(walk.uses.items);
    arena_free(&walk.scratch);
}
