#include "ptx/derive.h"
#include <string.h>

/* A way longer than this is of no use to a reader. */
enum { DEPTH_MOST = 40, TERMS_MOST = 200, LOOPS_MOST = 4, ADDENDS_MOST = 8 };

struct derivation {
    struct arena *arena;
    const struct ptx_function *function;
    const bool *is_target; /* of each instruction: a branch leads to it */
    uint32_t access;       /* the instruction whose address it is */
    uint32_t terms;
    uint32_t stepped[LOOPS_MOST]; /* the registers whose definitions in a loop are being followed */
    uint32_t stepped_count;
};

static const struct ptx_term *follow(struct derivation *d, uint32_t number, uint32_t before, uint32_t depth);

static struct ptx_term *new_term(struct derivation *d, enum ptx_term_kind kind, const struct ptx_instruction *at)
{
    struct ptx_term *term = arena_new(d->arena, struct ptx_term);
    term->kind = kind;
    term->at = at;
    d->terms++;
    return term;
}

static const struct ptx_term *new_number(struct derivation *d, int64_t number, const struct ptx_instruction *at)
{
    struct ptx_term *term = new_term(d, PTX_TERM_NUMBER, at);
    term->number = number;
    return term;
}

static const struct ptx_term *new_register(struct derivation *d, uint32_t number, enum ptx_term_end why)
{
    struct ptx_term *term = new_term(d, PTX_TERM_REGISTER, NULL);
    term->index = number;
    term->why = why;
    return term;
}

static bool names(const struct ptx_operand *operand, uint32_t number)
{
    if (operand->kind == PTX_OPERAND_REGISTER && (operand->index == number || operand->second == number + 1))
        return true;
    for (uint32_t i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->count; i++)
        if (names(&operand->elements[i], number))
            return true;
    return false;
}

static bool defines(const struct ptx_instruction *instruction, uint32_t number)
{
    if (instruction->operand_count && ptx_writes_first(instruction) && names(&instruction->operands[0], number))
        return true;
    for (uint32_t i = 0; i < instruction->call_result_count; i++)
        if (names(&instruction->call_results[i], number))
            return true;
    return false;
}

/* Returns the instruction that defines the register for the one at index `before`: the last one of the same straight
 * run, else the only one of the function. */
static uint32_t definition(const struct derivation *d, uint32_t number, uint32_t before)
{
    const struct ptx_instruction *list = d->function->instructions;
    for (uint32_t i = before; i > 0 && !d->is_target[i]; i--) {
        if (defines(&list[i - 1], number))
            return list[i - 1].predicate == PTX_NO_INDEX ? i - 1 : PTX_NO_INDEX;
        if (ptx_opcode_kind(list[i - 1].opcode) == PTX_KIND_BRANCH)
            break;
    }
    uint32_t found = PTX_NO_INDEX;
    for (uint32_t i = 0; i < d->function->instruction_count; i++)
        if (defines(&list[i], number)) {
            if (found != PTX_NO_INDEX || list[i].predicate != PTX_NO_INDEX)
                return PTX_NO_INDEX;
            found = i;
        }
    return found;
}

static bool is_whole(enum ptx_type type)
{
    return type == PTX_B32 || type == PTX_B64 || type == PTX_U32 || type == PTX_U64 || type == PTX_S32 ||
           type == PTX_S64;
}

static bool is_unsigned(enum ptx_type type)
{
    return type == PTX_U32 || type == PTX_U64;
}

/* Returns the term of an operand, or NULL if it is of no kind that can be followed. */
static const struct ptx_term *of_operand(struct derivation *d, const struct ptx_operand *operand, uint32_t before,
                                         uint32_t depth)
{
    const struct ptx_instruction *at = &d->function->instructions[before];
    struct ptx_term *term;
    if (operand->negated || (operand->kind == PTX_OPERAND_REGISTER && operand->component))
        return NULL;
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        return follow(d, operand->index, before, depth + 1);
    case PTX_OPERAND_IMMEDIATE:
        return new_number(d, (int64_t)operand->bits, at);
    case PTX_OPERAND_SPECIAL:
        term = new_term(d, PTX_TERM_SPECIAL, at);
        term->index = operand->index;
        term->component = operand->component;
        return term;
    case PTX_OPERAND_VARIABLE:
        if (operand->offset)
            return NULL;
        term = new_term(d, PTX_TERM_VARIABLE, at);
        term->scope = operand->scope;
        term->index = operand->index;
        return term;
    default:
        return NULL;
    }
}

static const struct ptx_term *pair(struct derivation *d, enum ptx_term_kind kind, const struct ptx_instruction *at,
                                   const struct ptx_term *a, const struct ptx_term *b)
{
    if (!a || !b)
        return NULL;
    enum ptx_type const type = at->type_count ? at->types[at->type_count - 1] : PTX_TYPE_NONE;
    struct ptx_term *term = new_term(d, kind, at);
    term->a = a;
    term->b = b;
    term->narrow = ptx_type_size(type) == 4;
    term->unsigned_type = is_unsigned(type) || type == PTX_B32 || type == PTX_B64;
    return term;
}

static const struct ptx_term *as_unsigned(struct derivation *d, const struct ptx_term *a,
                                          const struct ptx_instruction *at)
{
    if (!a || (a->kind == PTX_TERM_NUMBER && a->number >= 0))
        return a;
    struct ptx_term *term = new_term(d, PTX_TERM_UNSIGNED, at);
    term->a = a;
    return term;
}

/* mul and mad: a * b, or a * b + c. */
static const struct ptx_term *product(struct derivation *d, uint32_t index, uint32_t depth)
{
    const struct ptx_instruction *at = &d->function->instructions[index];
    bool const wide = ptx_has(at->modifiers, PTX_MOD_wide);
    if (!wide && !ptx_has(at->modifiers, PTX_MOD_lo))
        return NULL;
    const struct ptx_term *a = of_operand(d, &at->operands[1], index, depth);
    const struct ptx_term *b = of_operand(d, &at->operands[2], index, depth);
    if (wide && is_unsigned(at->types[0])) {
        a = as_unsigned(d, a, at);
        b = as_unsigned(d, b, at);
    }
    const struct ptx_term *left = a && a->kind == PTX_TERM_NUMBER ? a : b, *right = left == a ? b : a;
    bool const swap = left && left->kind == PTX_TERM_NUMBER; /* 4 * i, as one writes it */
    struct ptx_term *term = (struct ptx_term *)pair(d, PTX_TERM_PRODUCT, at, swap ? left : a, swap ? right : b);
    if (term && wide)
        term->narrow = false;
    if (!term || at->opcode != PTX_OP_mad)
        return term;
    struct ptx_term *sum =
        (struct ptx_term *)pair(d, PTX_TERM_SUM, at, term, of_operand(d, &at->operands[3], index, depth));
    if (sum && wide)
        sum->narrow = false;
    return sum;
}

/* A shift left is a product with a power of two. */
static const struct ptx_term *shift_left(struct derivation *d, uint32_t index, uint32_t depth)
{
    const struct ptx_instruction *at = &d->function->instructions[index];
    const struct ptx_term *by = of_operand(d, &at->operands[2], index, depth);
    if (!by || by->kind != PTX_TERM_NUMBER || by->number < 0 || by->number > 30)
        return NULL;
    return pair(d, PTX_TERM_PRODUCT, at, new_number(d, INT64_C(1) << by->number, at),
                of_operand(d, &at->operands[1], index, depth));
}

static bool same(const struct ptx_term *a, const struct ptx_term *b)
{
    if (a->kind != b->kind || a->scope != b->scope || a->component != b->component || a->narrow != b->narrow ||
        a->unsigned_type != b->unsigned_type || a->index != b->index || a->loop != b->loop || a->outer != b->outer ||
        a->number != b->number || !a->a != !b->a || !a->b != !b->b)
        return false;
    return (!a->a || same(a->a, b->a)) && (!a->b || same(a->b, b->b));
}

static bool is_number(const struct ptx_term *term, int64_t number)
{
    return term->kind == PTX_TERM_NUMBER && term->number == number;
}

/* Returns whether the term is 2^bits - 1 for a negative x, else 0: what a compiler adds to x before the shift of a
 * signed division, since a shift alone rounds down. */
static bool is_rounding(const struct ptx_term *term, const struct ptx_term *x, int64_t bits)
{
    if (term->kind != PTX_TERM_RIGHT || !term->unsigned_type || !term->narrow || !is_number(term->b, 32 - bits))
        return false;
    const struct ptx_term *sign = term->a;
    bool const shifted = sign->kind == PTX_TERM_RIGHT && sign->narrow && !sign->unsigned_type;
    return (bits == 1 && same(sign, x)) || (shifted && is_number(sign->b, 31) && same(sign->a, x));
}

/* Returns x if the term is x, rounded for the division by 2^bits; else NULL. */
static const struct ptx_term *rounded_from(const struct ptx_term *term, int64_t bits)
{
    if (term->kind != PTX_TERM_SUM || !term->narrow || bits < 1 || bits > 30)
        return NULL;
    return is_rounding(term->b, term->a, bits) ? term->a : is_rounding(term->a, term->b, bits) ? term->b : NULL;
}

/* A shift right, or the division by a power of two that the compiler has made of it. */
static const struct ptx_term *shift_right(struct derivation *d, const struct ptx_term *shift)
{
    bool const plain = !shift || shift->unsigned_type || !shift->narrow || shift->b->kind != PTX_TERM_NUMBER;
    const struct ptx_term *x = plain ? NULL : rounded_from(shift->a, shift->b->number);
    return x ? pair(d, PTX_TERM_QUOTIENT, shift->at, x, new_number(d, INT64_C(1) << shift->b->number, shift->at))
             : shift;
}

/* A difference, or the rest of such a division: x without its lowest bits, after rounding, taken from x. */
static const struct ptx_term *difference(struct derivation *d, const struct ptx_term *term)
{
    if (!term || !term->narrow || term->b->kind != PTX_TERM_AND)
        return term;
    for (int64_t bits = 1; bits <= 30; bits++) {
        int64_t const number = INT64_C(1) << bits;
        bool const cuts = is_number(term->b->b, -number) || is_number(term->b->b, (INT64_C(1) << 32) - number);
        const struct ptx_term *x = cuts ? rounded_from(term->b->a, bits) : NULL;
        struct ptx_term *rest = NULL;
        if (x && same(x, term->a))
            rest = (struct ptx_term *)pair(d, PTX_TERM_REST, term->at, x, new_number(d, number, term->at));
        if (rest) { /* and, sub: their types do not say that the division is signed */
            rest->unsigned_type = false;
            return rest;
        }
    }
    return term;
}

static const struct ptx_term *two(struct derivation *d, uint32_t index, uint32_t depth, enum ptx_term_kind kind)
{
    const struct ptx_instruction *at = &d->function->instructions[index];
    if (at->operand_count != 3)
        return NULL;
    const struct ptx_term *a = of_operand(d, &at->operands[1], index, depth);
    return pair(d, kind, at, a, of_operand(d, &at->operands[2], index, depth));
}

/* cvt between integers of 32 and 64 bits. Narrowing to 32 bits wraps, as every narrow term does. */
static const struct ptx_term *converted(struct derivation *d, uint32_t index, uint32_t depth)
{
    const struct ptx_instruction *at = &d->function->instructions[index];
    if (at->type_count != 2 || ptx_type_size(at->types[0]) < 4 || ptx_type_size(at->types[1]) < 4 ||
        ptx_has(at->modifiers, PTX_MOD_sat))
        return NULL;
    const struct ptx_term *a = of_operand(d, &at->operands[1], index, depth);
    if (ptx_type_size(at->types[0]) == 8 && at->types[1] == PTX_U32)
        return as_unsigned(d, a, at);
    if (ptx_type_size(at->types[0]) == 4 && ptx_type_size(at->types[1]) == 8 && a) {
        struct ptx_term *sum = new_term(d, PTX_TERM_SUM, at);
        sum->a = a;
        sum->b = new_number(d, 0, at);
        sum->narrow = true;
        return sum;
    }
    return a;
}

static const struct ptx_term *parameter(struct derivation *d, uint32_t index)
{
    const struct ptx_instruction *at = &d->function->instructions[index];
    const struct ptx_operand *from = &at->operands[1];
    bool const whole = from->kind == PTX_OPERAND_ADDRESS && from->base == PTX_OPERAND_VARIABLE &&
                       from->scope == PTX_SCOPE_PARAMETER && !from->offset && at->vector <= 1 &&
                       ptx_type_size(at->types[0]) >= 4 && d->function->is_kernel &&
                       from->index < d->function->parameter_count &&
                       d->function->parameters[from->index].size == ptx_type_size(at->types[0]);
    if (!whole)
        return NULL;
    struct ptx_term *term = new_term(d, PTX_TERM_PARAMETER, at);
    term->index = from->index;
    return term;
}

static bool has_whole_types(const struct ptx_instruction *at)
{
    for (uint32_t i = 0; i < at->type_count; i++)
        if (!is_whole(at->types[i]))
            return false;
    return at->type_count > 0;
}

/* Returns what an instruction computes, or NULL. */
static const struct ptx_term *of_instruction(struct derivation *d, uint32_t index, uint32_t depth)
{
    static const uint8_t of_two[PTX_OPCODE_COUNT] = {
        [PTX_OP_add] = PTX_TERM_SUM,      [PTX_OP_sub] = PTX_TERM_DIFFERENCE, [PTX_OP_shr] = PTX_TERM_RIGHT,
        [PTX_OP_and] = PTX_TERM_AND,      [PTX_OP_or] = PTX_TERM_OR,          [PTX_OP_xor] = PTX_TERM_XOR,
        [PTX_OP_div] = PTX_TERM_QUOTIENT, [PTX_OP_rem] = PTX_TERM_REST,       [PTX_OP_min] = PTX_TERM_LEAST,
        [PTX_OP_max] = PTX_TERM_GREATEST};
    const struct ptx_instruction *at = &d->function->instructions[index];
    if (!has_whole_types(at))
        return NULL;
    if (of_two[at->opcode]) {
        const struct ptx_term *term = two(d, index, depth, of_two[at->opcode]);
        return at->opcode == PTX_OP_sub ? difference(d, term) : at->opcode == PTX_OP_shr ? shift_right(d, term) : term;
    }
    switch (at->opcode) {
    case PTX_OP_mov:
    case PTX_OP_cvta:
        return of_operand(d, &at->operands[1], index, depth);
    case PTX_OP_ld:
        return at->space == PTX_SPACE_PARAM ? parameter(d, index) : NULL;
    case PTX_OP_cvt:
        return converted(d, index, depth);
    case PTX_OP_mul:
    case PTX_OP_mad:
        return product(d, index, depth);
    case PTX_OP_shl:
        return shift_left(d, index, depth);
    default:
        return NULL;
    }
}

static bool is_stepped(const struct derivation *d, uint32_t number)
{
    for (uint32_t i = 0; i < d->stepped_count; i++)
        if (d->stepped[i] == number)
            return true;
    return false;
}

/* Returns whether a register, or with PTX_NO_INDEX anything that a loop may change, is a leaf of the term. */
static bool contains(const struct ptx_term *term, uint32_t number)
{
    if (term->a)
        return contains(term->a, number) || (term->b && contains(term->b, number));
    if (number == PTX_NO_INDEX)
        return term->kind == PTX_TERM_REGISTER || term->kind == PTX_TERM_ROUND;
    return term->kind == PTX_TERM_REGISTER && term->index == number;
}

/* A sum as its addends, each with a factor: 4 * n + 4 * n is 8 * n. */
struct addends {
    uint32_t self; /* the register that the sum steps on */
    bool narrow, good;
    uint32_t selves;
    uint64_t number;
    struct {
        const struct ptx_term *term;
        uint64_t factor;
    } items[ADDENDS_MOST];
    uint32_t count;
};

static void add_addend(struct addends *sum, const struct ptx_term *term, uint64_t factor)
{
    for (uint32_t i = 0; i < sum->count; i++)
        if (same(sum->items[i].term, term)) {
            sum->items[i].factor += factor;
            return;
        }
    sum->good = sum->good && sum->count < ADDENDS_MOST && !contains(term, PTX_NO_INDEX);
    if (!sum->good)
        return;
    sum->items[sum->count].term = term;
    sum->items[sum->count++].factor = factor;
}

static void take_addends(struct addends *sum, const struct ptx_term *term, uint64_t factor)
{
    bool const splits = sum->narrow || !term->narrow;
    if (term->kind == PTX_TERM_REGISTER && term->index == sum->self) {
        sum->selves++;
        sum->good = sum->good && factor == 1;
    } else if (term->kind == PTX_TERM_NUMBER)
        sum->number += factor * (uint64_t)term->number;
    else if ((term->kind == PTX_TERM_SUM || term->kind == PTX_TERM_DIFFERENCE) && splits) {
        take_addends(sum, term->a, factor);
        take_addends(sum, term->b, term->kind == PTX_TERM_SUM ? factor : 0 - factor);
    } else if (term->kind == PTX_TERM_PRODUCT && term->a->kind == PTX_TERM_NUMBER && splits)
        add_addend(sum, term->b, factor * (uint64_t)term->a->number);
    else
        add_addend(sum, term, factor);
}

static struct ptx_term *joined(struct derivation *d, enum ptx_term_kind kind, const struct ptx_term *a,
                               const struct ptx_term *b, bool narrow)
{
    struct ptx_term *term = new_term(d, kind, NULL);
    term->a = a;
    term->b = b;
    term->narrow = narrow;
    return term;
}

/* Returns what the term adds to the register, or NULL: it does something else, or a loop changes what it adds. */
static const struct ptx_term *step_of(struct derivation *d, const struct ptx_term *term, uint32_t number)
{
    struct addends sum = {.self = number, .narrow = term->narrow, .good = true};
    const struct ptx_term *step = NULL;
    take_addends(&sum, term, 1);
    if (!sum.good || sum.selves != 1)
        return NULL;
    for (uint32_t i = 0; i < sum.count; i++) {
        int64_t const factor = sum.narrow ? (int32_t)(uint32_t)sum.items[i].factor : (int64_t)sum.items[i].factor;
        const struct ptx_term *part = sum.items[i].term;
        if (factor != 1)
            part = joined(d, PTX_TERM_PRODUCT, new_number(d, factor, NULL), part, sum.narrow);
        step = step ? joined(d, PTX_TERM_SUM, step, part, sum.narrow) : part;
    }
    int64_t const rest = sum.narrow ? (int32_t)(uint32_t)sum.number : (int64_t)sum.number;
    if (!step || rest)
        step = step ? joined(d, PTX_TERM_SUM, step, new_number(d, rest, NULL), sum.narrow) : new_number(d, rest, NULL);
    return step;
}

/* Returns the branch back of the innermost loop around an instruction, or PTX_NO_INDEX; head receives where it leads.
 */
static uint32_t loop_around(const struct derivation *d, uint32_t index, uint32_t *head)
{
    uint32_t found = PTX_NO_INDEX, most = 0;
    for (uint32_t i = index; i < d->function->instruction_count; i++) {
        uint32_t count;
        const uint32_t *targets = ptx_targets(&d->function->instructions[i], &count);
        for (uint32_t k = 0; k < count; k++)
            if (targets[k] <= index && (found == PTX_NO_INDEX || targets[k] > most)) {
                found = i;
                most = targets[k];
            }
    }
    *head = most;
    return found;
}

static uint32_t run_begin(const struct derivation *d, uint32_t index)
{
    while (index > 0 && !d->is_target[index] &&
           ptx_opcode_kind(d->function->instructions[index - 1].opcode) != PTX_KIND_BRANCH)
        index--;
    return index;
}

/* Returns a register that a loop steps on, as the instruction `before` finds it: its first value and the step times the
 * rounds. NULL: it has other definitions than these two. */
static const struct ptx_term *of_loop(struct derivation *d, uint32_t number, uint32_t before, uint32_t depth)
{
    const struct ptx_term *first = NULL, *step = NULL;
    uint32_t inner = PTX_NO_INDEX, outer = PTX_NO_INDEX, head = 0;
    bool good = true;
    if (d->stepped_count == LOOPS_MOST)
        return NULL;
    d->stepped[d->stepped_count++] = number;
    for (uint32_t i = 0; good && i < d->function->instruction_count; i++) {
        if (!defines(&d->function->instructions[i], number))
            continue;
        const struct ptx_term *term =
            d->function->instructions[i].predicate == PTX_NO_INDEX ? of_instruction(d, i, depth + 1) : NULL;
        if (term && contains(term, number)) {
            good = inner == PTX_NO_INDEX;
            inner = i;
            step = step_of(d, term, number);
            good = good && step;
        } else if (term && !first) {
            first = term;
            outer = loop_around(d, i, &head);
        } else
            good = term && same(first, term) && outer == loop_around(d, i, &head);
    }
    d->stepped_count--;
    if (!good || !first || !step)
        return NULL;
    uint32_t const loop = loop_around(d, inner, &head);
    if (loop == PTX_NO_INDEX)
        return NULL;
    if (before < head) /* the loop has not begun */
        return loop_around(d, before, &head) == outer ? first : NULL;
    struct ptx_term *round = new_term(d, PTX_TERM_ROUND, NULL);
    round->index = run_begin(d, inner);
    round->loop = loop;
    round->outer = outer;
    round->number = run_begin(d, d->access) > round->index;
    bool const narrow = ptx_type_size(d->function->registers[number].type) == 4;
    bool const one = step->kind == PTX_TERM_NUMBER && step->number == 1;
    const struct ptx_term *way = one ? round : joined(d, PTX_TERM_PRODUCT, step, round, narrow);
    bool const zero = first->kind == PTX_TERM_NUMBER && first->number == 0;
    return zero ? way : joined(d, PTX_TERM_SUM, first, way, narrow);
}

static const struct ptx_term *follow(struct derivation *d, uint32_t number, uint32_t before, uint32_t depth)
{
    if (depth > DEPTH_MOST || d->terms > TERMS_MOST)
        return new_register(d, number, PTX_END_OTHER);
    uint32_t const index = definition(d, number, before);
    if (index == PTX_NO_INDEX) {
        const struct ptx_term *loop = is_stepped(d, number) ? NULL : of_loop(d, number, before, depth);
        return loop ? loop : new_register(d, number, PTX_END_SEVERAL);
    }
    const struct ptx_instruction *at = &d->function->instructions[index];
    const struct ptx_term *term = of_instruction(d, index, depth);
    if (term)
        return term;
    bool const loads = ptx_opcode_kind(at->opcode) == PTX_KIND_LOAD || ptx_opcode_kind(at->opcode) == PTX_KIND_ATOMIC;
    return new_register(d, number, loads ? PTX_END_LOADED : PTX_END_OTHER);
}

static const bool *targets_of(struct arena *arena, const struct ptx_function *function)
{
    bool *is_target = arena_array(arena, bool, (size_t)function->instruction_count + 1);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        uint32_t count;
        const uint32_t *targets = ptx_targets(&function->instructions[i], &count);
        for (uint32_t k = 0; k < count; k++)
            if (targets[k] <= function->instruction_count)
                is_target[targets[k]] = true;
    }
    return is_target;
}

const struct ptx_term *ptx_address(struct arena *arena, const struct ptx_function *function,
                                   const struct ptx_instruction *instruction, bool of_copy)
{
    const struct ptx_operand *address = NULL;
    for (uint32_t i = 0; i < instruction->operand_count && (!address || of_copy); i++)
        if (instruction->operands[i].kind == PTX_OPERAND_ADDRESS)
            address = &instruction->operands[i];
    if (!address || address->base == PTX_OPERAND_NONE)
        return NULL;
    struct derivation d = {.arena = arena, .function = function, .is_target = targets_of(arena, function)};
    uint32_t const index = (uint32_t)(instruction - function->instructions);
    d.access = index;
    struct ptx_operand base = {.kind = address->base, .scope = address->scope, .index = address->index};
    const struct ptx_term *term = of_operand(&d, &base, index, 0);
    if (!term || !address->offset)
        return term;
    struct ptx_term *sum = new_term(&d, PTX_TERM_SUM, NULL);
    sum->a = term;
    sum->b = new_number(&d, address->offset, NULL);
    return sum;
}
