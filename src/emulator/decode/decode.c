/* Decodes the kernel and every function that it may call, and explains unsupported instructions. */
#include "emulator/decode/decode.h"
#include "base/words.h"
#include <stdio.h>
#include <stdlib.h>

/* A kernel whose address is taken is launched later, with parameters of its own: it is no code of this launch. */
static void reach(const struct emulation *emulation, uint32_t function, bool *reached, uint32_t *stack, uint32_t *depth)
{
    const struct ptx_function *f = &emulation->module->functions[function];
    if (reached[function] || !f->has_body || (f->is_kernel && f != emulation->kernel))
        return;
    reached[function] = true;
    stack[(*depth)++] = function;
}

/* Functions whose address is taken anywhere may be called through pointers. */
static void reach_from(const struct emulation *emulation, const struct ptx_function *function, bool *reached,
                       uint32_t *stack, uint32_t *depth)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        for (uint32_t k = 0; k < instruction->operand_count; k++)
            if (instruction->operands[k].kind == PTX_OPERAND_FUNCTION)
                reach(emulation, instruction->operands[k].index, reached, stack, depth);
    }
}

static bool lie_alike(const struct ptx_variable *a, const struct ptx_variable *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i].size != b[i].size || a[i].offset != b[i].offset || a[i].space != b[i].space)
            return false;
    return true;
}

static uint32_t signature_of(const struct ptx_module *module, uint32_t function)
{
    const struct ptx_function *f = &module->functions[function];
    uint32_t k = 0;
    for (; k < function; k++) {
        const struct ptx_function *g = &module->functions[k];
        if (g->is_kernel == f->is_kernel && g->parameter_count == f->parameter_count &&
            g->result_count == f->result_count && lie_alike(g->parameters, f->parameters, f->parameter_count) &&
            lie_alike(g->results, f->results, f->result_count))
            break;
    }
    return k;
}

static void decode_reached(struct emulation *emulation, const struct lanes_table *lanes, struct arena *arena,
                           decode_report unsupported, void *context)
{
    const struct ptx_module *module = emulation->module;
    bool *reached = arena_array(arena, bool, (size_t)module->function_count + 1);
    uint32_t *stack = arena_array(arena, uint32_t, (size_t)module->function_count + 1), depth = 0;
    uint32_t kernel = (uint32_t)(emulation->kernel - module->functions);
    emulation->codes = arena_array(arena, struct code, (size_t)module->function_count + 1);
    for (uint32_t i = 0; i < module->function_count; i++) { /* callers need the offsets of a callee's parameters */
        struct decoder d = {
            .emulation = emulation, .arena = arena, .function = &module->functions[i], .code = &emulation->codes[i]};
        d.code->function = d.function;
        d.code->signature = signature_of(module, i);
        decode_lay_out(&d);
    }
    reach(emulation, kernel, reached, stack, &depth);
    for (uint32_t i = 0; i < module->variable_count; i++)
        for (uint32_t k = 0; k < module->variables[i].relocation_count; k++)
            if (module->variables[i].relocations[k].function)
                reach(emulation, module->variables[i].relocations[k].index, reached, stack, &depth);
    while (depth) {
        uint32_t index = stack[--depth];
        const struct ptx_function *function = &module->functions[index];
        struct decoder d = {.emulation = emulation,
                            .arena = arena,
                            .lanes = lanes,
                            .function = function,
                            .code = &emulation->codes[index],
                            .rows = emulation->codes[index].rows,
                            .tail_start = emulation->codes[index].constant_start,
                            .scratch = emulation->codes[index].constant_start - 8 * WARP_LANES};
        decode_function_code(&d, unsupported, context);
        decode_free(&d);
        reach_from(emulation, function, reached, stack, &depth);
    }
    emulation->code = &emulation->codes[kernel];
}

/* Copies the instruction as written, in one line. */
static void text_of(const struct ptx_module *module, const struct ptx_instruction *instruction, char *text, size_t size)
{
    size_t length = 0;
    for (uint32_t i = instruction->text_start; i < instruction->text_end && length + 1 < size; i++) {
        char c = module->text[i];
        bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!space)
            text[length++] = c;
        else if (length && text[length - 1] != ' ')
            text[length++] = ' ';
    }
    text[length] = 0;
}

bool decode_refused(struct decoder *d)
{
    (void)d;
    return false;
}

/* Returns why an instruction is not supported. */
static const char *reason_of(const struct ptx_module *module, const struct ptx_instruction *instruction)
{
    static const struct {
        enum ptx_opcode opcode;
        enum ptx_modifier modifier;
        const char *reason;
    } rows[] = {
#define REFUSED(opcode, reason) {PTX_OP_##opcode, PTX_MODIFIER_COUNT, reason},
#define REFUSED_WITH(opcode, modifier, reason) {PTX_OP_##opcode, PTX_MOD_##modifier, reason},
#include "emulator/decode/refused.def"
#undef REFUSED
#undef REFUSED_WITH
    };
    const struct ptx_operand *callee = &instruction->operands[0];
    if (instruction->opcode == PTX_OP_call && callee->kind == PTX_OPERAND_FUNCTION &&
        !module->functions[callee->index].has_body)
        return strcmp(module->functions[callee->index].name, "lanescope_launch") == 0
                   ? N_("kernels that launch kernels run in whole programs only: `lanescope run` without a launch")
                   : N_("the function is declared here and defined elsewhere");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].opcode == instruction->opcode &&
            (rows[i].modifier == PTX_MODIFIER_COUNT || ptx_has(instruction->modifiers, rows[i].modifier)))
            return rows[i].reason;
    return N_("the emulator lacks this form");
}

struct first_unsupported {
    const struct ptx_module *module;
    struct error *error;
    bool found;
};

static void note_first(void *context, const struct ptx_function *function, const struct ptx_instruction *instruction)
{
    struct first_unsupported *first = context;
    if (first->found)
        return;
    first->found = true;
    char text[200];
    text_of(first->module, instruction, text, sizeof text);
    const char *reason = reason_of(first->module, instruction);
    error_set(first->error, ERROR_INPUT,
              "The emulator cannot run `%s` (line %u of the PTX, line %u of the source, in %s): %s", text,
              instruction->ptx_line, instruction->line, function->name, _(reason));
}

bool decode_kernel(struct emulation *emulation, const struct lanes_table *lanes, struct error *error)
{
    struct first_unsupported first = {emulation->module, error, false};
    decode_reached(emulation, lanes, emulation->arena, note_first, &first);
    return !first.found;
}

struct all_unsupported {
    struct arena *arena;
    const struct ptx_module *module;
    struct {
        struct ptx_unknown *items;
        size_t count, capacity;
    } list;
};

static void note_all(void *context, const struct ptx_function *function, const struct ptx_instruction *instruction)
{
    struct all_unsupported *all = context;
    char text[200];
    text_of(all->module, instruction, text, sizeof text);
    struct ptx_unknown unknown = {.instruction = arena_text(all->arena, text),
                                  .function = function->name,
                                  .reason = reason_of(all->module, instruction),
                                  .ptx_line = instruction->ptx_line,
                                  .line = instruction->line};
    array_push(&all->list, unknown);
}

size_t emulator_unsupported(struct arena *arena, const struct ptx_module *module, const struct ptx_function *kernel,
                            struct ptx_unknown **unknown)
{
    struct emulation emulation = {.module = module, .kernel = kernel};
    struct all_unsupported all = {.arena = arena, .module = module};
    uint64_t *addresses = arena_array(arena, uint64_t, (size_t)module->variable_count + 1);
    emulation.variable_address = addresses;
    decode_reached(&emulation, lanes_best(), arena, note_all, &all);
    *unknown = arena_list(arena, all.list);
    free(all.list.items);
    return all.list.count;
}
