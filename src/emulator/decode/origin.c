/* Finds the shared array that an address was computed from. Arrays lie side by side in a block's shared memory, so
 * an index beyond one lands in the next and nothing traps. Code computes each address from the array's own name,
 * which can be followed through moves, conversions, and sums with values that are no address. Where paths or arrays
 * mix, the array is unknown. */
#include "base/mangled.h"
#include "emulator/decode/decode.h"
#include "emulator/memory/memory.h"

enum { UNKNOWN, NUMBER, MIXED, ARRAYS }; /* of a register; from ARRAYS on: an address in that array */

struct origin {
    const struct ptx_function *function;
    const uint32_t *of; /* each register */
    const struct emulation *emulation;
};

/* Returns the number of an array in the emulation's list, and adds it when it is new. */
static uint32_t array_number(struct emulation *emulation, const struct ptx_variable *variable)
{
    for (uint32_t i = 0; i < emulation->array_count; i++)
        if (emulation->arrays[i].variable == variable)
            return i;
    bool dynamic = variable->size == 0 && variable->external;
    struct shared_array array = {.variable = variable, .base = variable->offset, .size = variable->size};
    if (dynamic) {
        array.base = emulation->dynamic_offset;
        array.size = emulation->shared_bytes > array.base ? emulation->shared_bytes - array.base : 0;
    }
    if (emulation->array_count == ARRAYS_MAX)
        return ARRAYS_MAX;
    array.name = mangled_name(emulation->arena, variable->name);
    emulation->arrays[emulation->array_count] = array;
    return emulation->array_count++;
}

static uint32_t of_variable(const struct origin *o, const struct ptx_operand *operand)
{
    const struct ptx_variable *variable = NULL;
    if (operand->scope == PTX_SCOPE_MODULE)
        variable = &o->emulation->module->variables[operand->index];
    else if (operand->scope == PTX_SCOPE_FUNCTION)
        variable = &o->function->variables[operand->index];
    if (!variable || variable->space != PTX_SPACE_SHARED)
        return NUMBER;
    for (uint32_t i = 0; i < o->emulation->array_count; i++)
        if (o->emulation->arrays[i].variable == variable)
            return ARRAYS + i;
    return MIXED;
}

static uint32_t join(uint32_t a, uint32_t b)
{
    return a == UNKNOWN || a == b ? b : b == UNKNOWN ? a : MIXED;
}

/* Returns the origin of a value that depends on both in a way other than a sum. */
static uint32_t mingle(uint32_t a, uint32_t b)
{
    return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : a == NUMBER && b == NUMBER ? NUMBER : MIXED;
}

static uint32_t sum(uint32_t a, uint32_t b)
{
    return a == NUMBER && b >= ARRAYS ? b : b == NUMBER && a >= ARRAYS ? a : mingle(a, b);
}

static uint32_t of_operand(const struct origin *o, const struct ptx_operand *operand)
{
    if (operand->kind == PTX_OPERAND_REGISTER)
        return operand->negated ? mingle(o->of[operand->index], NUMBER) : o->of[operand->index];
    if (operand->kind == PTX_OPERAND_VARIABLE)
        return of_variable(o, operand);
    uint32_t all = NUMBER;
    for (uint32_t k = 0; operand->kind == PTX_OPERAND_VECTOR && k < operand->count; k++)
        all = mingle(all, of_operand(o, &operand->elements[k]));
    return all;
}

static uint32_t of_result(const struct origin *o, const struct ptx_instruction *i)
{
    const struct ptx_operand *x = i->operands;
    uint32_t all = NUMBER;
    switch (i->opcode) {
    case PTX_OP_mov:
    case PTX_OP_cvta:
    case PTX_OP_cvt:
        return x[1].kind == PTX_OPERAND_VECTOR ? mingle(of_operand(o, &x[1]), NUMBER) : of_operand(o, &x[1]);
    case PTX_OP_add:
        return sum(of_operand(o, &x[1]), of_operand(o, &x[2]));
    case PTX_OP_sub:
        all = of_operand(o, &x[2]);
        return all == NUMBER ? of_operand(o, &x[1]) : mingle(all, MIXED);
    case PTX_OP_mad:
        return sum(mingle(of_operand(o, &x[1]), of_operand(o, &x[2])), of_operand(o, &x[3]));
    case PTX_OP_selp:
        return join(of_operand(o, &x[1]), of_operand(o, &x[2]));
    default:
        if (ptx_opcode_kind(i->opcode) != PTX_KIND_PLAIN)
            return NUMBER; /* loaded, or from a call: no address of an array by name */
        for (uint32_t k = 1; k < i->operand_count; k++)
            all = mingle(all, of_operand(o, &x[k]));
        return all;
    }
}

/* Adds an origin to those of a result's registers; returns true when that changed one. */
static bool define(uint32_t *of, const struct ptx_operand *target, uint32_t origin)
{
    bool changed = false;
    if (target->kind == PTX_OPERAND_VECTOR)
        for (uint32_t k = 0; k < target->count; k++)
            changed |= define(of, &target->elements[k], mingle(origin, NUMBER));
    if (target->kind != PTX_OPERAND_REGISTER)
        return changed;
    uint32_t now = join(of[target->index], origin);
    changed = now != of[target->index];
    of[target->index] = now;
    return changed;
}

static void note_arrays(struct emulation *emulation, const struct ptx_function *function,
                        const struct ptx_operand *operand)
{
    bool variable = operand->kind == PTX_OPERAND_VARIABLE ||
                    (operand->kind == PTX_OPERAND_ADDRESS && operand->base == PTX_OPERAND_VARIABLE);
    const struct ptx_variable *found = NULL;
    if (variable && operand->scope == PTX_SCOPE_MODULE)
        found = &emulation->module->variables[operand->index];
    else if (variable && operand->scope == PTX_SCOPE_FUNCTION)
        found = &function->variables[operand->index];
    if (found && found->space == PTX_SPACE_SHARED)
        array_number(emulation, found);
}

const uint32_t *origin_find(struct emulation *emulation, const struct ptx_function *function, struct arena *arena)
{
    uint32_t *of = arena_array(arena, uint32_t, (size_t)function->register_count + 1);
    struct origin o = {function, of, emulation};
    for (uint32_t i = 0; i < function->instruction_count; i++)
        for (uint32_t k = 0; k < function->instructions[i].operand_count; k++)
            note_arrays(emulation, function, &function->instructions[i].operands[k]);
    for (uint32_t k = 0; function->parameter_registers && k < function->parameter_count; k++)
        if (function->parameter_registers[k] != PTX_NO_INDEX)
            of[function->parameter_registers[k]] = NUMBER;
    for (bool changed = emulation->array_count > 0; changed;) {
        changed = false;
        for (uint32_t i = 0; i < function->instruction_count; i++) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            for (uint32_t k = 0; k < instruction->call_result_count; k++)
                changed |= define(of, &instruction->call_results[k], NUMBER);
            if (instruction->operand_count)
                changed |= define(of, &instruction->operands[0], of_result(&o, instruction));
        }
    }
    return of;
}

const struct shared_array *origin_array(const struct emulation *emulation, const struct ptx_function *function,
                                        const uint32_t *of, const struct ptx_operand *address)
{
    struct origin o = {function, of, emulation};
    uint32_t origin = NUMBER;
    if (address->base == PTX_OPERAND_REGISTER && of)
        origin = of[address->index];
    else if (address->base == PTX_OPERAND_VARIABLE)
        origin = of_variable(&o, address);
    return origin >= ARRAYS ? &emulation->arrays[origin - ARRAYS] : NULL;
}
