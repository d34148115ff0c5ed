/* Follows values as whole numbers. Their range tells whether 32 bits hold them, which decides how they extend to 64
 * bits. The instructions are visited until nothing new is found; most definitions stand before their uses. */
#include "cuda/probe/affine.h"
#include "cuda/record/layout.h"
#include "cuda/record/plan.h"
#include "trace/trace.h"
#include <string.h>

struct finder {
    const struct ptx_function *kernel;
    const struct launch *launch;
    struct affine_value *results; /* per instruction */
    uint8_t *definitions;         /* per register; 2 means more than one */
    uint32_t *defined_at;         /* per register with one definition */
    /* The branches that lead to instruction i: sources[first_source[i]] up to first_source[i + 1]. */
    uint32_t *sources, *first_source;
    uint32_t *stack, *seen, search; /* scratch of definition_for */
    uint64_t steps;
};

#define STEPS_MOST UINT64_C(20000000) /* the search gives up on large kernels with many loops */

static const struct affine_value unknown = {0};

static struct affine_value uniform(unsigned bits)
{
    return (struct affine_value){.known = true, .bits = (uint8_t)bits};
}

static struct affine_value constant(int64_t number)
{
    return (struct affine_value){.known = true, .bits = 64, .ranged = true, .low = number, .high = number};
}

static bool is_uniform(const struct affine_value *value)
{
    return value->known && !value->column && !value->row;
}

static bool is_constant(const struct affine_value *value)
{
    return is_uniform(value) && value->ranged && value->low == value->high;
}

/* Returns the affine value of a thread's number: its steps along one direction, as lanes lie in the block. */
static struct affine_value thread_number(const uint32_t block[3], unsigned direction)
{
    uint32_t const below = direction == 0 ? 1 : direction == 1 ? block[0] : block[0] * block[1];
    uint32_t const size = block[direction], rows = WARP_LANES >> record_row_shift(block);
    bool const last = direction == 2 || (direction == 1 && block[2] == 1) || (block[1] == 1 && block[2] == 1);
    struct affine_value value = {.known = true, .bits = 64, .ranged = true, .high = (int64_t)size - 1};
    if (size == 1 || below % WARP_LANES == 0)
        return value; /* the same in all lanes */
    if (below == 1 && (size % WARP_LANES == 0 || last || rows > 1))
        value.column = 1;
    else if (direction == 1 && rows > 1 && (size % rows == 0 || last))
        value.row = 1;
    else
        return unknown;
    return value;
}

static struct affine_value special_value(const struct finder *finder, const struct ptx_operand *operand)
{
    const struct launch *launch = finder->launch;
    unsigned const direction = operand->component;
    if (direction > 2)
        return unknown;
    switch ((enum ptx_special)operand->index) {
    case PTX_SR_tid:
        return thread_number(launch->block, direction);
    case PTX_SR_ntid:
        return constant(launch->block[direction]);
    case PTX_SR_nctaid:
        return constant(launch->grid[direction]);
    case PTX_SR_ctaid:
        return (struct affine_value){
            .known = true, .bits = 64, .ranged = true, .high = (int64_t)launch->grid[direction] - 1};
    default:
        return unknown;
    }
}

static bool defines(const struct ptx_instruction *instruction, uint32_t index)
{
    for (unsigned i = 0; i < 1 + instruction->call_result_count; i++) {
        const struct ptx_operand *into = i ? &instruction->call_results[i - 1] : &instruction->operands[0];
        if (into->kind == PTX_OPERAND_REGISTER && (into->index == index || into->second == index + 1))
            return true;
        for (uint32_t k = 0; into->kind == PTX_OPERAND_VECTOR && k < into->count; k++)
            if (into->elements[k].kind == PTX_OPERAND_REGISTER && into->elements[k].index == index)
                return true;
    }
    return false;
}

static bool falls_through(const struct ptx_instruction *instruction)
{
    enum ptx_kind const kind = ptx_opcode_kind(instruction->opcode);
    return (kind != PTX_KIND_END && kind != PTX_KIND_BRANCH) || (instruction->predicate != PTX_NO_INDEX);
}

/* Walks back from instruction `at` to the definition of the register. Returns the instruction, or PTX_NO_INDEX when
 * more than one definition can reach `at`. */
static uint32_t definition_for(struct finder *finder, uint32_t at, uint32_t index)
{
    uint32_t found = PTX_NO_INDEX, count = 0;
    finder->search++;
    finder->stack[count++] = at;
    while (count) {
        uint32_t const here = finder->stack[--count];
        uint32_t const branches = finder->first_source[here + 1] - finder->first_source[here];
        bool const after = here > 0 && falls_through(&finder->kernel->instructions[here - 1]);
        if (here == 0 || ++finder->steps > STEPS_MOST)
            return PTX_NO_INDEX;
        for (uint32_t i = 0; i < branches + after; i++) {
            uint32_t const before = i < branches ? finder->sources[finder->first_source[here] + i] : here - 1;
            const struct ptx_instruction *instruction = &finder->kernel->instructions[before];
            if (finder->seen[before] == finder->search)
                continue;
            finder->seen[before] = finder->search;
            if (!defines(instruction, index))
                finder->stack[count++] = before;
            else if (found != PTX_NO_INDEX || instruction->predicate != PTX_NO_INDEX)
                return PTX_NO_INDEX;
            else
                found = before;
        }
    }
    return found;
}

static struct affine_value register_value(struct finder *finder, uint32_t at, uint32_t index)
{
    uint32_t const definition =
        finder->definitions[index] == 1 ? finder->defined_at[index] : definition_for(finder, at, index);
    return definition == PTX_NO_INDEX ? unknown : finder->results[definition];
}

static struct affine_value operand_value(struct finder *finder, uint32_t at, const struct ptx_operand *operand)
{
    if (operand->negated)
        return unknown;
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        return register_value(finder, at, operand->index);
    case PTX_OPERAND_IMMEDIATE:
        return constant((int64_t)operand->bits);
    case PTX_OPERAND_SPECIAL:
        return special_value(finder, operand);
    case PTX_OPERAND_VARIABLE:
        return uniform(64);
    default:
        return unknown;
    }
}

static uint8_t least(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

static struct affine_value add(const struct affine_value *a, const struct affine_value *b, bool subtract)
{
    if (!a->known || !b->known)
        return unknown;
    struct affine_value sum = {.known = true,
                               .bits = least(a->bits, b->bits),
                               .column = subtract ? a->column - b->column : a->column + b->column,
                               .row = subtract ? a->row - b->row : a->row + b->row,
                               .ranged = a->ranged && b->ranged};
    if (sum.ranged && subtract)
        sum.ranged =
            !__builtin_sub_overflow(a->low, b->high, &sum.low) && !__builtin_sub_overflow(a->high, b->low, &sum.high);
    else if (sum.ranged)
        sum.ranged =
            !__builtin_add_overflow(a->low, b->low, &sum.low) && !__builtin_add_overflow(a->high, b->high, &sum.high);
    return sum;
}

static void take_range(struct affine_value *value, const struct affine_value *a, const struct affine_value *b)
{
    int64_t const left[2] = {a->low, a->high}, right[2] = {b->low, b->high};
    value->ranged = a->ranged && b->ranged;
    for (unsigned i = 0; i < 4 && value->ranged; i++) {
        int64_t product;
        value->ranged = !__builtin_mul_overflow(left[i / 2], right[i % 2], &product);
        value->low = !i || product < value->low ? product : value->low;
        value->high = !i || product > value->high ? product : value->high;
    }
}

/* Returns the product. It is known when one factor is a known number, or when both are the same in all lanes. */
static struct affine_value multiply(const struct affine_value *a, const struct affine_value *b)
{
    const struct affine_value *other = is_constant(a) ? b : a, *number = is_constant(a) ? a : b;
    if (!a->known || !b->known || (!is_constant(number) && !(is_uniform(a) && is_uniform(b))))
        return unknown;
    struct affine_value product = uniform(least(a->bits, b->bits));
    if (is_constant(number)) {
        product.column = other->column * (uint64_t)number->low;
        product.row = other->row * (uint64_t)number->low;
    }
    take_range(&product, a, b);
    return product;
}

static bool is_signed(enum ptx_type type)
{
    return type == PTX_S32 || type == PTX_S64;
}

static bool is_whole(enum ptx_type type) /* also requires 32 or 64 bits */
{
    return type == PTX_B32 || type == PTX_U32 || type == PTX_S32 || type == PTX_B64 || type == PTX_U64 ||
           type == PTX_S64;
}

static struct affine_value cut(struct affine_value value, enum ptx_type type)
{
    value.bits = least(value.bits, (uint8_t)(8 * ptx_type_size(type)));
    return value;
}

/* Extends from 32 bits to 64. If 32 bits may not have held the value, only the low 32 bits of the result are valid. */
static struct affine_value extend(struct affine_value value, enum ptx_type from)
{
    int64_t const low = is_signed(from) ? INT32_MIN : 0, high = is_signed(from) ? INT32_MAX : UINT32_MAX;
    if (!value.known || ptx_type_size(from) == 8)
        return value;
    bool const same_in_all = is_uniform(&value) && value.bits >= 32;
    bool const held = value.ranged && value.low >= low && value.high <= high;
    value.bits = held || same_in_all ? 64 : 32;
    value.ranged = held;
    return value;
}

/* Returns the value of a kernel parameter: the given number, or an unknown number that is the same in all lanes. */
static struct affine_value parameter_value(const struct finder *finder, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *from = &instruction->operands[1];
    if (instruction->vector > 1 || from->kind != PTX_OPERAND_ADDRESS || from->base != PTX_OPERAND_VARIABLE ||
        from->scope != PTX_SCOPE_PARAMETER || !is_whole(instruction->types[0]))
        return unknown;
    size_t const size = ptx_type_size(instruction->types[0]);
    if (from->index >= finder->launch->argument_count || from->offset ||
        finder->kernel->parameters[from->index].size != size)
        return cut(uniform(64), instruction->types[0]);
    const struct launch_argument *argument = &finder->launch->arguments[from->index];
    if (argument->is_buffer)
        return uniform(64);
    int64_t const number = size == 8                          ? (int64_t)argument->bits
                           : instruction->types[0] == PTX_S32 ? (int64_t)(int32_t)argument->bits
                                                              : (int64_t)(uint32_t)argument->bits;
    return constant(number);
}

/* Returns the result of an operation that depends only on its operands: operands that are the same in all lanes give a
 * result that is the same in all lanes. */
static struct affine_value of_the_same(struct finder *finder, uint32_t at)
{
    const struct ptx_instruction *instruction = &finder->kernel->instructions[at];
    for (unsigned i = 1; i < instruction->operand_count; i++) {
        struct affine_value const value = operand_value(finder, at, &instruction->operands[i]);
        if (!is_uniform(&value) || value.bits < 8 * ptx_type_size(instruction->types[0]))
            return unknown;
    }
    return cut(uniform(64), instruction->types[0]);
}

static struct affine_value product_value(const struct ptx_instruction *instruction, struct affine_value a,
                                         struct affine_value b)
{
    enum ptx_type const type = instruction->types[0];
    if (ptx_has(instruction->modifiers, PTX_MOD_wide)) {
        a = extend(a, type);
        b = extend(b, type);
    } else if (!ptx_has(instruction->modifiers, PTX_MOD_lo)) {
        return unknown;
    }
    return multiply(&a, &b);
}

/* Returns the result of an instruction. A result whose range may exceed its 32 bits is kept as it is; `bits` says how
 * much of it is valid. */
static struct affine_value result_value(struct finder *finder, uint32_t at)
{
    const struct ptx_instruction *instruction = &finder->kernel->instructions[at];
    const struct ptx_operand *operands = instruction->operands;
    enum ptx_type const type = instruction->types[0];
    struct affine_value const a = operand_value(finder, at, &operands[1]), b = operand_value(finder, at, &operands[2]);
    struct affine_value const c = operand_value(finder, at, &operands[3]);
    struct affine_value product;
    bool const wide = ptx_has(instruction->modifiers, PTX_MOD_wide);
    switch (instruction->opcode) {
    case PTX_OP_mov:
    case PTX_OP_cvta:
        return cut(a, type);
    case PTX_OP_add:
    case PTX_OP_sub:
        return cut(add(&a, &b, instruction->opcode == PTX_OP_sub), type);
    case PTX_OP_mul:
    case PTX_OP_mad:
        product = product_value(instruction, a, b);
        if (instruction->opcode == PTX_OP_mad)
            product = add(&product, &c, false);
        return wide ? product : cut(product, type);
    case PTX_OP_shl:
        if (!is_constant(&b) || b.low < 0 || b.low >= (int64_t)(8 * ptx_type_size(type)) || b.low > 62)
            return unknown;
        product = constant(INT64_C(1) << b.low);
        return cut(multiply(&a, &product), type);
    case PTX_OP_cvt:
        if (!is_whole(instruction->types[1]))
            return unknown;
        return ptx_type_size(type) == 8 ? extend(a, instruction->types[1]) : cut(a, type);
    case PTX_OP_ld:
        return instruction->space == PTX_SPACE_PARAM ? parameter_value(finder, instruction) : unknown;
    default:
        return unknown;
    }
}

static struct affine_value defined_value(struct finder *finder, uint32_t at)
{
    const struct ptx_instruction *instruction = &finder->kernel->instructions[at];
    bool const saturates = ptx_has(instruction->modifiers, PTX_MOD_sat);
    if (instruction->predicate != PTX_NO_INDEX || !instruction->type_count || !is_whole(instruction->types[0]))
        return unknown;
    struct affine_value const value = saturates ? unknown : result_value(finder, at);
    if (value.known)
        return value;
    switch (instruction->opcode) {
    case PTX_OP_and:
    case PTX_OP_or:
    case PTX_OP_xor:
    case PTX_OP_not:
    case PTX_OP_shl:
    case PTX_OP_shr:
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_mul:
    case PTX_OP_mad:
    case PTX_OP_div:
    case PTX_OP_rem:
    case PTX_OP_min:
    case PTX_OP_max:
    case PTX_OP_neg:
    case PTX_OP_abs:
    case PTX_OP_bfe:
        return ptx_has(instruction->modifiers, PTX_MOD_wide) ? unknown : of_the_same(finder, at);
    default:
        return unknown;
    }
}

static void count_definition(struct finder *finder, uint32_t at, const struct ptx_operand *operand)
{
    if (operand->kind == PTX_OPERAND_REGISTER) {
        uint8_t *count = &finder->definitions[operand->index];
        *count = *count ? 2 : 1;
        finder->defined_at[operand->index] = at;
    }
    if (operand->kind == PTX_OPERAND_REGISTER && operand->second)
        finder->definitions[operand->second - 1] = 2;
    for (uint32_t i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->count; i++)
        if (operand->elements[i].kind == PTX_OPERAND_REGISTER)
            finder->definitions[operand->elements[i].index] = 2;
}

/* Counts the definitions of each register. The first operand always counts as a definition, even where the instruction
 * only reads it, so a register can only appear less known than it is. */
static void count_definitions(struct finder *finder)
{
    for (uint32_t i = 0; i < finder->kernel->instruction_count; i++) {
        const struct ptx_instruction *instruction = &finder->kernel->instructions[i];
        if (instruction->operand_count)
            count_definition(finder, i, &instruction->operands[0]);
        for (uint32_t k = 0; k < instruction->call_result_count; k++)
            count_definition(finder, i, &instruction->call_results[k]);
    }
}

/* Lists, for each instruction, the branches that lead to it. */
static void find_sources(struct finder *finder, struct arena *arena)
{
    const struct ptx_function *kernel = finder->kernel;
    size_t const count = kernel->instruction_count;
    uint32_t all = 0, target_count;
    finder->first_source = arena_array(arena, uint32_t, count + 2);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *targets = ptx_targets(&kernel->instructions[i], &target_count);
        for (uint32_t k = 0; k < target_count; k++, all++)
            finder->first_source[targets[k] + 1]++;
    }
    for (size_t i = 0; i <= count; i++)
        finder->first_source[i + 1] += finder->first_source[i];
    finder->sources = arena_array(arena, uint32_t, all);
    uint32_t *next = arena_array(arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *targets = ptx_targets(&kernel->instructions[i], &target_count);
        for (uint32_t k = 0; k < target_count; k++)
            finder->sources[finder->first_source[targets[k]] + next[targets[k]]++] = i;
    }
}

const struct affine_value *affine_values(struct arena *arena, const struct ptx_function *kernel,
                                         const struct launch *launch)
{
    size_t const count = kernel->instruction_count, registers = (size_t)kernel->register_count + 1;
    struct finder finder = {.kernel = kernel,
                            .launch = launch,
                            .results = arena_array(arena, struct affine_value, count),
                            .definitions = arena_array(arena, uint8_t, registers),
                            .defined_at = arena_array(arena, uint32_t, registers),
                            .stack = arena_array(arena, uint32_t, count + 1),
                            .seen = arena_array(arena, uint32_t, count)};
    struct affine_value *values = arena_array(arena, struct affine_value, registers);
    count_definitions(&finder);
    find_sources(&finder, arena);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < count; i++) {
            const struct ptx_instruction *instruction = &kernel->instructions[i];
            if (!instruction->operand_count || instruction->operands[0].kind != PTX_OPERAND_REGISTER ||
                finder.results[i].known)
                continue;
            finder.results[i] = defined_value(&finder, i);
            more = more || finder.results[i].known;
        }
    }
    for (size_t r = 0; r < registers; r++)
        if (finder.definitions[r] == 1)
            values[r] = finder.results[finder.defined_at[r]];
    return values;
}
