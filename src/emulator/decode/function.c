/* Decodes one function: joins where paths reconverge, predicated instructions, and branches once all ops are known.
 * The other files of this folder decode the instructions. */
#include "emulator/check/check.h"
#include "emulator/decode/decode.h"
#include <stdlib.h>

static void lay_out_rows(struct decoder *d)
{
    const struct ptx_function *function = d->function;
    uint32_t at = 64; /* unused results go to the first bytes */
    uint32_t *rows = arena_array(d->arena, uint32_t, (size_t)function->register_count + 1);
    for (uint32_t pass = 0; pass < 4; pass++) {
        static const uint8_t sizes[4] = {0, 4, 8, 16};
        uint32_t bytes = sizes[pass];
        at = (at + 63) / 64 * 64;
        for (uint32_t i = 0; i < function->register_count; i++) {
            if (decode_row_bytes(function->registers[i].type) != bytes)
                continue;
            rows[i] = at;
            at += bytes ? bytes * WARP_LANES : 4;
        }
    }
    at = (at + 63) / 64 * 64 + 8 * WARP_LANES; /* and room for unused results of 64 bits */
    d->code->rows = rows;
    d->code->register_end = d->code->constant_start = at;
}

/* Lays out the local memory of a call. Parameters and results come first, where a caller through a pointer finds
 * them. */
static void lay_out_local(struct decoder *d)
{
    const struct ptx_function *f = d->function;
    struct code *code = d->code;
    uint32_t *variables = arena_array(d->arena, uint32_t, (size_t)f->variable_count + 1);
    uint32_t *parameters = arena_array(d->arena, uint32_t, (size_t)f->parameter_count + 1);
    uint32_t *results = arena_array(d->arena, uint32_t, (size_t)f->result_count + 1);
    size_t const most = INT32_MAX / 2; /* no kernel is launched with as much */
    size_t back = f->is_kernel ? 0 : (f->parameter_bytes + 15) / 16 * 16, own = back;
    for (uint32_t i = 0; i < f->parameter_count; i++)
        parameters[i] = (uint32_t)f->parameters[i].offset;
    for (uint32_t i = 0; i < f->result_count; i++) {
        results[i] = (uint32_t)(f->results[i].offset + back);
        if (results[i] + f->results[i].size > own)
            own = results[i] + f->results[i].size;
    }
    if (f->is_kernel) /* the module's variables lie before the kernel's own: decode_address */
        own += d->emulation->module->local_bytes;
    own = (own + 15) / 16 * 16;
    size_t calls = own + (f->local_bytes + 15) / 16 * 16, end = calls + f->call_bytes;
    for (uint32_t i = 0; i < f->variable_count; i++)
        variables[i] = (uint32_t)(f->variables[i].offset + (f->variables[i].space == PTX_SPACE_PARAM ? calls : own));
    code->variable_offset = variables;
    code->parameter_offset = parameters;
    code->result_offset = results;
    code->local_bytes = (uint32_t)((end < most ? end : most) + 15) / 16 * 16;
}

void decode_lay_out(struct decoder *d)
{
    lay_out_local(d);
    lay_out_rows(d);
}

/* An opcode without a row in families.def is an undeclared name here. */
enum {
#define FAMILY(opcode, function) FAMILY_OF_##opcode = 1,
#include "emulator/decode/families.def"
#undef FAMILY
#define PTX_OPCODE(name, ...) IS_KNOWN_##name = FAMILY_OF_##name,
#include "ptx/opcodes.def"
#undef PTX_OPCODE
};

static const decode_family families[PTX_OPCODE_COUNT] = {
#define FAMILY(opcode, function) [PTX_OP_##opcode] = function,
#include "emulator/decode/families.def"
#undef FAMILY
};

static void guard_by_branch(struct decoder *d, size_t first)
{
    const struct ptx_instruction *instruction = d->instruction;
    struct op *op = &d->ops.items[first];
    struct branch *branch = arena_new(d->arena, struct branch);
    struct op guard = {.run = {control_branch, control_branch, control_branch},
                       .class = PTX_CLASS_CONTROL,
                       .flags = OP_ENDS,
                       .a = d->rows[instruction->predicate],
                       .flip = instruction->predicate_negated ? 0 : ALL_LANES,
                       .count = 1,
                       .site = PTX_NO_INDEX,
                       .extra = branch,
                       .source = instruction};
    *op = guard;
    op[1].count = 0;
    struct fixup fixup = {.branch = branch, .meet = PTX_NO_INDEX, .skip_to = (uint32_t)d->ops.count + 1};
    array_push(&d->fixups, fixup);
    decode_emit(d, OP_control_join)->count = 0;
}

static void forget_operand(struct decoder *d, const struct ptx_operand *operand)
{
    if (operand->kind == PTX_OPERAND_REGISTER)
        decode_forget_row(d, d->rows[operand->index]);
    for (uint32_t k = 0; k < operand->count; k++)
        forget_operand(d, &operand->elements[k]);
}

/* An instruction writes its first operand, or the results of a call. */
static void forget_written(struct decoder *d, const struct ptx_instruction *instruction)
{
    if (instruction->operand_count)
        forget_operand(d, &instruction->operands[0]);
    for (uint32_t k = 0; k < instruction->call_result_count; k++)
        forget_operand(d, &instruction->call_results[k]);
}

static bool decode_one(struct decoder *d, const struct ptx_instruction *instruction)
{
    d->instruction = instruction;
    d->failed = false;
    decode_family family = families[instruction->opcode];
    bool predicated = instruction->predicate != PTX_NO_INDEX && instruction->opcode != PTX_OP_bra;
    size_t first = d->ops.count;
    if (predicated)
        decode_emit(d, OP_control_guard);
    size_t body = d->ops.count;
    checks_instruction(d);
    if (!family(d) || d->failed) {
        d->ops.count = first;
        return false;
    }
    forget_written(d, instruction);
    for (size_t i = body + 1; i < d->ops.count; i++) /* one instruction counts once */
        d->ops.items[i].count = 0;
    if (!predicated)
        return true;
    struct op *op = &d->ops.items[body];
    if (d->ops.count - body != 1 || (op->flags & OP_ENDS)) {
        guard_by_branch(d, first);
        return true;
    }
    d->ops.items[first].a = d->rows[instruction->predicate];
    d->ops.items[first].flip = instruction->predicate_negated ? ALL_LANES : 0;
    op->count = 0;
    return true;
}

static void resolve(struct decoder *d, const uint32_t *start)
{
    struct op *ops = d->code->ops;
    uint32_t end = d->function->instruction_count;
    for (size_t i = 0; i < d->fixups.count; i++) {
        struct fixup *fixup = &d->fixups.items[i];
        struct branch *branch = fixup->branch;
        if (fixup->skip_to) {
            branch->target = branch->meet = ops + fixup->skip_to - 1;
            continue;
        }
        if (fixup->target != PTX_NO_INDEX)
            branch->target = ops + start[fixup->target];
        if (fixup->meet < end)
            branch->meet = ops + start[fixup->meet];
        if (branch->target_count) {
            const struct op **targets = arena_array(d->arena, const struct op *, branch->target_count);
            for (uint32_t k = 0; k < branch->target_count; k++)
                targets[k] = ops + start[fixup->targets[k]];
            branch->targets = targets;
        }
    }
    uint32_t run = 0;
    for (uint32_t i = d->code->op_count; i-- > 0;) {
        run = (ops[i].flags & OP_ENDS ? 0 : run) + ops[i].count;
        ops[i].run_count = run;
    }
}

static void save_stack(struct decoder *d)
{
    d->instruction = NULL;
    d->saved_stack = decode_room(d, 8 * WARP_LANES);
    struct op *op = decode_emit(d, OP_stack_save);
    op->d = d->saved_stack;
    op->combine = 4;
    op->count = 0;
}

/* Decodes one function; tells `unsupported` each instruction that has no op. */
bool decode_function_code(struct decoder *d, decode_report unsupported, void *context)
{
    const struct ptx_function *function = d->function;
    uint32_t count = function->instruction_count;
    uint32_t *start = arena_array(d->arena, uint32_t, (size_t)count + 1);
    bool *meets = arena_array(d->arena, bool, (size_t)count + 1);
    bool good = true;
    d->origins = d->emulation->arrays ? origin_find(d->emulation, function, d->arena) : NULL;
    bool takes_stack = false;
    for (uint32_t i = 0; i < count; i++) {
        if (function->instructions[i].reconvergence < count)
            meets[function->instructions[i].reconvergence] = true;
        takes_stack |= function->instructions[i].opcode == PTX_OP_alloca;
    }
    if (takes_stack && !function->is_kernel) /* released on return */
        save_stack(d);
    for (uint32_t i = 0; i < count; i++) {
        start[i] = (uint32_t)d->ops.count;
        d->instruction = NULL;
        if (meets[i])
            decode_emit(d, OP_control_join)->count = 0;
        if (!decode_one(d, &function->instructions[i])) {
            unsupported(context, function, &function->instructions[i]);
            good = false;
        }
    }
    start[count] = (uint32_t)d->ops.count;
    d->instruction = NULL;
    decode_emit(d, OP_control_return)->count = 0;
    struct code *code = d->code;
    code->op_count = (uint32_t)d->ops.count;
    code->ops = arena_list(d->arena, d->ops);
    resolve(d, start);
    code->frame_bytes = (d->tail_start + d->tail.count + 63) / 64 * 64;
    uint8_t *constants = arena_alloc(d->arena, code->frame_bytes - d->tail_start);
    if (d->tail.count)
        memcpy(constants, d->tail.items, d->tail.count);
    code->constants = constants;
    struct special_row *specials = arena_array(d->arena, struct special_row, d->specials.count + 1);
    for (size_t i = 0; i < d->specials.count; i++)
        if (d->specials.items[i].varies)
            specials[code->special_count++] = d->specials.items[i];
    code->specials = specials;
    code->clear = decode_reads_unwritten(function);
    return good;
}

void decode_free(struct decoder *d)
{
    free(d->ops.items);
    free(d->tail.items);
    free(d->constants.items);
    free(d->specials.items);
    free(d->fixups.items);
}
