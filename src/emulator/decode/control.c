/* Decodes branches, calls, ends, barriers and warp-wide instructions. */
#include "emulator/core/control.h"
#include "emulator/core/barrier.h"
#include "emulator/decode/decode.h"

bool decode_branch(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    struct branch *branch = arena_new(d->arena, struct branch);
    struct fixup fixup = {.branch = branch, .target = PTX_NO_INDEX, .meet = i->reconvergence};
    struct op *op;
    branch->counted = true;
    if (i->opcode == PTX_OP_brx) {
        uint32_t index = decode_source(d, &i->operands[0], 4);
        branch->target_count = i->target_count;
        fixup.targets = i->targets;
        op = decode_emit(d, OP_control_branch_table);
        op->a = index;
    } else {
        fixup.target = i->operands[0].index;
        bool conditional = i->predicate != PTX_NO_INDEX;
        op = decode_emit(d, conditional ? OP_control_branch : OP_control_branch_uniform);
        if (conditional) {
            op->a = d->rows[i->predicate];
            op->flip = i->predicate_negated ? ALL_LANES : 0;
        }
    }
    op->extra = branch;
    array_push(&d->fixups, fixup);
    return true;
}

bool decode_end(struct decoder *d)
{
    enum ptx_opcode opcode = d->instruction->opcode;
    if (opcode == PTX_OP_ret && d->saved_stack)
        decode_emit(d, OP_stack_restore)->a = d->saved_stack;
    decode_emit(d, opcode == PTX_OP_ret    ? OP_control_return
                   : opcode == PTX_OP_exit ? OP_control_exit
                                           : OP_control_trap);
    return true;
}

/* ---- calls ---- */

/* Returns the bytes of a call's argument or result; 0 for a number, which takes the callee's size. */
static size_t bytes_of(const struct decoder *d, const struct ptx_operand *operand)
{
    if (operand->kind == PTX_OPERAND_REGISTER)
        return ptx_type_size(d->function->registers[operand->index].type);
    if (operand->kind != PTX_OPERAND_VARIABLE)
        return 0;
    return operand->scope == PTX_SCOPE_PARAMETER ? d->function->parameters[operand->index].size
           : operand->scope == PTX_SCOPE_RETURN  ? d->function->results[operand->index].size
           : operand->scope == PTX_SCOPE_MODULE  ? 0
                                                 : d->function->variables[operand->index].size;
}

bool decode_call_value(struct decoder *d, const struct ptx_operand *operand, struct call_value *value)
{
    if (operand->kind == PTX_OPERAND_VARIABLE) {
        value->from = operand->scope == PTX_SCOPE_PARAMETER ? d->code->parameter_offset[operand->index]
                      : operand->scope == PTX_SCOPE_RETURN  ? d->code->result_offset[operand->index]
                                                            : d->code->variable_offset[operand->index];
        return true;
    }
    value->in_register = true;
    value->from = decode_source(d, operand, value->bytes);
    return value->bytes <= 8;
}

/* Sets where one parameter or result of the callee lies. decode_reached lays out every function before it decodes
 * any. */
static void value_of_callee(const struct ptx_variable *variable, const uint32_t *registers, const uint32_t *offsets,
                            const uint32_t *rows, uint32_t index, struct call_value *value)
{
    value->bytes = (uint32_t)variable->size;
    value->predicate = variable->type == PTX_PRED;
    value->callee_register = variable->space == PTX_SPACE_REGISTER;
    value->to = value->callee_register ? rows[registers[index]] : offsets[index];
    value->row_bytes = value->bytes == 8 ? 8 : 4;
    if (value->callee_register && value->bytes < 4)
        value->bytes = 4;
}

/* Sets where the caller has the value. */
static bool decode_callers(struct decoder *d, const struct ptx_operand *operand, struct call_value *value)
{
    if (!value->predicate)
        return decode_call_value(d, operand, value) && (!value->callee_register || value->bytes <= 8);
    value->in_register = true;
    value->from = decode_predicate(d, operand, NULL);
    return true;
}

static void swap_ends(struct call_value *value)
{
    uint32_t from = value->from;
    bool in_register = value->in_register;
    value->from = value->to, value->to = from;
    value->in_register = value->callee_register, value->callee_register = in_register;
}

static bool decode_values(struct decoder *d, struct call *call, const struct ptx_function *callee,
                          const struct code *code)
{
    const struct ptx_instruction *i = d->instruction;
    struct call_value *arguments = arena_array(d->arena, struct call_value, (size_t)i->call_argument_count + 1);
    struct call_value *results = arena_array(d->arena, struct call_value, (size_t)i->call_result_count + 1);
    for (uint32_t k = 0; k < i->call_argument_count; k++) {
        value_of_callee(&callee->parameters[k], callee->parameter_registers, code->parameter_offset, code->rows, k,
                        &arguments[k]);
        if (!decode_callers(d, &i->call_arguments[k], &arguments[k]))
            return false;
    }
    for (uint32_t k = 0; k < i->call_result_count; k++) {
        value_of_callee(&callee->results[k], callee->result_registers, code->result_offset, code->rows, k, &results[k]);
        if (!decode_callers(d, &i->call_results[k], &results[k]))
            return false;
        swap_ends(&results[k]);
    }
    call->arguments = arguments, call->results = results;
    call->argument_count = i->call_argument_count, call->result_count = i->call_result_count;
    return true;
}

static bool takes(const struct decoder *d, const struct ptx_variable *wanted, const struct ptx_operand *given,
                  uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t bytes = bytes_of(d, &given[i]);
        if (wanted[i].space != PTX_SPACE_PARAM || (bytes && bytes != wanted[i].size))
            return false;
    }
    return true;
}

/* Finds a function that fits a call through a pointer. The callee is not known, but parameters lie alike in all
 * functions that have the same ones, so any that fits will do. */
static const struct ptx_function *function_like(const struct decoder *d, struct code **code)
{
    const struct ptx_module *module = d->emulation->module;
    const struct ptx_instruction *i = d->instruction;
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = &module->functions[f];
        if (function->is_kernel || !function->has_body || function->parameter_count != i->call_argument_count ||
            function->result_count != i->call_result_count ||
            !takes(d, function->parameters, i->call_arguments, i->call_argument_count) ||
            !takes(d, function->results, i->call_results, i->call_result_count))
            continue;
        *code = &d->emulation->codes[f];
        return function;
    }
    return NULL;
}

bool decode_call(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    const struct ptx_operand *target = &i->operands[0];
    struct call *call = arena_new(d->arena, struct call);
    const struct ptx_function *callee;
    struct code *code;
    uint32_t row = 0;
    if (target->kind == PTX_OPERAND_FUNCTION) {
        callee = &d->emulation->module->functions[target->index];
        code = &d->emulation->codes[target->index];
        if (!callee->has_body)
            return decode_provided(d, callee);
        call->callee = code;
    } else {
        row = decode_source(d, target, 8);
        callee = function_like(d, &code);
        if (!callee) /* the program has no function that the pointer could point to */
            return decode_emit(d, OP_control_call_nowhere) != NULL;
    }
    if (!decode_values(d, call, callee, code))
        return false;
    call->signature = code->signature;
    struct op *op = decode_emit(d, OP_control_call);
    op->a = row;
    op->extra = call;
    if (target->kind != PTX_OPERAND_FUNCTION)
        decode_emit(d, OP_control_join);
    return true;
}

/* ---- barriers and warps ---- */

static void emit_barrier(struct decoder *d, enum operation operation, unsigned at, enum barrier_kind kind)
{
    const struct ptx_instruction *i = d->instruction;
    bool reduces = kind != BARRIER_SYNC;
    uint32_t flip = 0, a = decode_source(d, &i->operands[at], 4), b = 0, c = 0;
    if (i->operand_count > at + 1u + reduces)
        b = decode_source(d, &i->operands[at + 1], 4);
    d->emulation->meets |= b || operation == OP_barrier_arrive;
    if (reduces)
        c = decode_predicate(d, &i->operands[i->operand_count - 1], &flip);
    uint32_t target = 0;
    if (kind == BARRIER_POPC)
        target = decode_target(d, &i->operands[0], 4);
    else if (reduces)
        target = decode_predicate(d, &i->operands[0], NULL);
    struct op *op = decode_emit(d, operation);
    op->a = a, op->b = b, op->c = c, op->d = target;
    op->flip = flip;
    op->immediate = kind;
}

/* A cluster has one block here: its arrive does nothing, and its wait is a barrier of the block with a number of its
 * own. */
static bool decode_cluster(struct decoder *d)
{
    if (decode_has(d, PTX_MOD_arrive))
        return decode_nothing(d);
    uint32_t number = decode_constant(d, BARRIERS - 1, 4);
    decode_emit(d, OP_barrier_wait)->a = number;
    d->ops.items[d->ops.count - 1].combine = 1;
    return true;
}

bool decode_barrier(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    if (decode_has(d, PTX_MOD_warp)) {
        uint32_t mask = decode_source(d, &i->operands[0], 4);
        decode_emit(d, OP_barrier_warp)->a = mask;
        d->emulation->syncs = true;
        return true;
    }
    d->emulation->waits = true;
    if (decode_has(d, PTX_MOD_cluster))
        return decode_cluster(d);
    if (decode_has(d, PTX_MOD_red)) {
        enum barrier_kind kind = decode_has(d, PTX_MOD_popc)  ? BARRIER_POPC
                                 : decode_has(d, PTX_MOD_and) ? BARRIER_AND
                                                              : BARRIER_OR;
        emit_barrier(d, OP_barrier_wait, 1, kind);
        return true;
    }
    emit_barrier(d, decode_has(d, PTX_MOD_arrive) ? OP_barrier_arrive : OP_barrier_wait, 0, BARRIER_SYNC);
    return true;
}

/* Sets the row of lane masks of a warp-wide instruction; 0 for the old forms, which name the lanes that run. */
static void set_members(struct decoder *d, struct op *op, const struct ptx_operand *operand)
{
    size_t index = (size_t)(op - d->ops.items);
    uint32_t row = operand ? decode_source(d, operand, 4) : 0;
    d->ops.items[index].immediate = row;
}

bool decode_shuffle(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    bool sync = decode_has(d, PTX_MOD_sync);
    uint32_t target = decode_target(d, &i->operands[0], 4), second = decode_second(d, &i->operands[0]);
    uint32_t a = decode_source(d, &i->operands[1], 4), b = decode_source(d, &i->operands[2], 4);
    uint32_t c = decode_source(d, &i->operands[3], 4);
    struct op *op = decode_emit(d, OP_warp_shuffle);
    op->d = target, op->e = second, op->a = a, op->b = b, op->c = c;
    op->combine = decode_has(d, PTX_MOD_up)     ? SHUFFLE_UP
                  : decode_has(d, PTX_MOD_down) ? SHUFFLE_DOWN
                  : decode_has(d, PTX_MOD_bfly) ? SHUFFLE_BFLY
                                                : SHUFFLE_IDX;
    set_members(d, op, sync ? &i->operands[4] : NULL);
    return true;
}

bool decode_vote(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    bool sync = decode_has(d, PTX_MOD_sync), ballot = decode_has(d, PTX_MOD_ballot);
    uint32_t flip, a = decode_predicate(d, &i->operands[1], &flip);
    uint32_t target = ballot ? decode_target(d, &i->operands[0], 4) : decode_predicate(d, &i->operands[0], NULL);
    struct op *op = decode_emit(d, OP_warp_vote);
    op->a = a, op->d = target, op->flip = flip;
    op->combine = ballot                       ? VOTE_BALLOT
                  : decode_has(d, PTX_MOD_all) ? VOTE_ALL
                  : decode_has(d, PTX_MOD_any) ? VOTE_ANY
                                               : VOTE_UNI;
    set_members(d, op, sync ? &i->operands[2] : NULL);
    return true;
}

static bool decode_redux(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    static const enum ptx_modifier operations[] = {PTX_MOD_add, PTX_MOD_min, PTX_MOD_max,
                                                   PTX_MOD_and, PTX_MOD_or,  PTX_MOD_xor};
    uint32_t target = decode_target(d, &i->operands[0], 4), a = decode_source(d, &i->operands[1], 4);
    struct op *op = decode_emit(d, OP_warp_reduce);
    op->d = target, op->a = a;
    for (uint8_t k = 0; k < 6; k++)
        if (decode_has(d, operations[k]))
            op->combine = k;
    op->flip = i->types[0];
    set_members(d, op, &i->operands[2]);
    return i->types[0] == PTX_U32 || i->types[0] == PTX_S32 || i->types[0] == PTX_B32;
}

static bool decode_match(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    unsigned size = (unsigned)ptx_type_size(i->types[0]);
    uint32_t target = decode_target(d, &i->operands[0], 4), second = decode_second(d, &i->operands[0]);
    uint32_t a = decode_source(d, &i->operands[1], size);
    struct op *op = decode_emit(d, OP_warp_match);
    op->d = target, op->e = second, op->a = a;
    op->b = size;
    op->combine = decode_has(d, PTX_MOD_all);
    set_members(d, op, &i->operands[2]);
    return true;
}

bool decode_warp(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    switch (i->opcode) {
    case PTX_OP_redux:
        return decode_redux(d);
    case PTX_OP_match:
        return decode_match(d);
    case PTX_OP_activemask: {
        uint32_t target = decode_target(d, &i->operands[0], 4);
        decode_emit(d, OP_warp_active)->d = target;
        return true;
    }
    default: {
        uint32_t target = decode_target(d, &i->operands[0], 4), second = decode_second(d, &i->operands[0]);
        struct op *op = decode_emit(d, OP_warp_elect);
        op->d = target, op->e = second;
        set_members(d, op, &i->operands[1]);
        return true;
    }
    }
}
