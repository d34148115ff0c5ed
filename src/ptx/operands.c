/* Compares an instruction's operands with its row of operands.def: their number, their kinds, and the types of their
 * registers. */
#include "ptx/matrix.h"
#include "ptx/parser.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum role {
    ROLE_NOTHING,
    ROLE_TO,
    ROLE_TO_OR_NOT,
    ROLE_TO_PAIR,
    ROLE_FROM,
    ROLE_NAME,
    ROLE_TRUTH,
    ROLE_LOADED,
    ROLE_STORED,
    ROLE_MOVED_TO,
    ROLE_MOVED,
    ROLE_CONVERTED,
    ROLE_CONVERTED_FROM,
    ROLE_ADDRESS,
    ROLE_NUMBER,
    ROLE_LABEL,
    ROLE_PART_TO,
    ROLE_PART,
    ROLE_FRAGMENT,
    ROLE_PACKED_TO,
    ROLE_PACKED,
    ROLE_ANYTHING,
    ROLE_COUNT
};

/* What an operand of a role may be; a register always, except where ONLY is set. */
enum {
    IS_NUMBER = 1,
    IS_VARIABLE = 2, /* the address of one */
    IS_FUNCTION = 4, /* the address of one */
    IS_SPECIAL = 8,
    IS_SINK = 16, /* `_` */
    IS_VECTOR = 32,
    IS_PART = 64,     /* of a register */
    IS_PAIR = 128,    /* `d|p` */
    IS_NEGATED = 256, /* `!p` */
    IS_WIDER = 512,   /* the register may be wider than the type */
    ONLY = 1024
};
static const struct {
    unsigned may;
    const char *what;
} roles[ROLE_COUNT] = {
    [ROLE_TO] = {0, "a register"},
    [ROLE_TO_OR_NOT] = {IS_SINK, "a register or _"},
    [ROLE_TO_PAIR] = {IS_SINK | IS_PAIR, "a register, _ or a pair"},
    [ROLE_FROM] = {IS_NUMBER | IS_FUNCTION, "a register or a number"},
    [ROLE_NAME] = {IS_NUMBER | IS_FUNCTION | IS_VARIABLE | IS_SPECIAL, "a register, a number or a variable's name"},
    [ROLE_TRUTH] = {IS_NUMBER | IS_NEGATED, "a predicate"},
    [ROLE_LOADED] = {IS_VECTOR | IS_WIDER, "a register"},
    [ROLE_STORED] = {IS_NUMBER | IS_FUNCTION | IS_VECTOR | IS_WIDER, "a register or a number"},
    [ROLE_MOVED_TO] = {IS_SINK | IS_VECTOR, "a register or _"},
    [ROLE_MOVED] = {IS_NUMBER | IS_FUNCTION | IS_VECTOR, "a register or a number"},
    [ROLE_CONVERTED] = {IS_WIDER, "a register"},
    [ROLE_CONVERTED_FROM] = {IS_NUMBER | IS_SPECIAL | IS_WIDER, "a register or a number"},
    [ROLE_ADDRESS] = {ONLY, "an address in brackets"},
    [ROLE_NUMBER] = {ONLY | IS_NUMBER, "a number"},
    [ROLE_LABEL] = {ONLY, "a label"},
    [ROLE_PART_TO] = {IS_PART, "a register or a part of one"},
    [ROLE_PART] = {IS_PART | IS_NUMBER | IS_FUNCTION, "a register, a part of one or a number"},
    [ROLE_FRAGMENT] = {ONLY, "registers in braces"},
    [ROLE_PACKED_TO] = {IS_SINK, "a register or registers in braces"},
    [ROLE_PACKED] = {IS_NUMBER | IS_FUNCTION | IS_VARIABLE | IS_SPECIAL,
                     "a register, a number, a variable's name or values in braces"},
    [ROLE_ANYTHING] = {ONLY, "an operand"},
};

/* Types of positions beyond enum ptx_type. */
enum { PTX_T0 = PTX_TYPE_COUNT, PTX_T1, PTX_T2, PTX_TWICE };
enum { OPTIONAL = 1 << 16 };

#define TYPE(type) (1u << PTX_##type)
enum {
    BYTES = TYPE(B8) | TYPE(U8) | TYPE(S8),
    BITS_32 = TYPE(B32) | TYPE(B64),
    BITS = TYPE(B16) | BITS_32,
    INTEGERS_32 = TYPE(U32) | TYPE(S32),
    WORDS = INTEGERS_32 | TYPE(U64) | TYPE(S64),
    NARROW = TYPE(U16) | TYPE(S16) | INTEGERS_32,
    INTEGERS = TYPE(U16) | TYPE(S16) | WORDS,
    SIGNED = TYPE(S16) | TYPE(S32) | TYPE(S64),
    PAIRS = TYPE(U16X2) | TYPE(S16X2),
    HALVES = TYPE(F16) | TYPE(F16X2) | TYPE(BF16) | TYPE(BF16X2),
    SINGLES = TYPE(F32) | TYPE(F64),
    FLOATS = HALVES | SINGLES,
    MEMORY = BYTES | BITS | TYPE(B128) | INTEGERS | FLOATS,
    NO_TYPE = TYPE(TYPE_NONE),
    ANY_TYPE = 0
};
_Static_assert(PTX_TYPE_COUNT <= 31, "a row's types are bits of an enumerator");

struct row {
    enum ptx_opcode opcode;
    enum ptx_modifier words[2];
    uint32_t types;
    uint32_t positions[PTX_OPERANDS_MAX + 1]; /* the last is 0 */
};

enum { PTX_MOD_ = PTX_MODIFIER_COUNT }; /* no word */
#define POSITION(role, type) ((uint32_t)ROLE_##role << 8 | (uint32_t)PTX_##type)
#define TO(type) POSITION(TO, type)
#define TO_OR_NOT(type) POSITION(TO_OR_NOT, type)
#define TO_PAIR(type) POSITION(TO_PAIR, type)
#define FROM(type) POSITION(FROM, type)
#define NAME(type) POSITION(NAME, type)
#define TRUTH POSITION(TRUTH, PRED)
#define LOADED(type) POSITION(LOADED, type)
#define STORED(type) POSITION(STORED, type)
#define MOVED_TO(type) POSITION(MOVED_TO, type)
#define MOVED(type) POSITION(MOVED, type)
#define CONVERTED(type) POSITION(CONVERTED, type)
#define CONVERTED_FROM(type) POSITION(CONVERTED_FROM, type)
#define ADDRESS POSITION(ADDRESS, TYPE_NONE)
#define NUMBER POSITION(NUMBER, TYPE_NONE)
#define LABEL POSITION(LABEL, TYPE_NONE)
#define PART_TO(type) POSITION(PART_TO, type)
#define PART(type) POSITION(PART, type)
#define FRAGMENT POSITION(FRAGMENT, TYPE_NONE)
#define PACKED_TO POSITION(PACKED_TO, T0)
#define PACKED POSITION(PACKED, T0)
#define ANYTHING POSITION(ANYTHING, TYPE_NONE)
#define NOTHING 0
#define MAYBE(position) ((position) | OPTIONAL)
static const struct row rows[] = {
#define OPERANDS(opcode, one, other, types, ...)                                                                       \
    {PTX_OP_##opcode, {(enum ptx_modifier)PTX_MOD_##one, (enum ptx_modifier)PTX_MOD_##other}, types, {__VA_ARGS__}},
#include "ptx/operands.def"
#undef OPERANDS
};
enum { ROWS = sizeof rows / sizeof *rows };

static enum role role_of(uint32_t position)
{
    return (enum role)(position >> 8 & 255);
}

static bool has_words(const struct row *row, const struct ptx_instruction *instruction)
{
    for (unsigned i = 0; i < 2; i++)
        if (row->words[i] != (enum ptx_modifier)PTX_MOD_ && !ptx_has(instruction->modifiers, row->words[i]))
            return false;
    return true;
}

/* Returns the opcode's first row, or ROWS. */
static size_t first_row(enum ptx_opcode opcode)
{
    size_t low = 0, high = ROWS;
    while (low < high) {
        size_t const middle = (low + high) / 2;
        if (rows[middle].opcode < opcode)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ROWS && rows[low].opcode == opcode ? low : ROWS;
}

static bool types_fit(const struct row *row, const struct ptx_instruction *instruction)
{
    unsigned needed = row->types == NO_TYPE ? 0 : 1;
    if (row->types == ANY_TYPE)
        return true;
    for (const uint32_t *position = row->positions; *position; position++) {
        uint32_t const type = *position & 255;
        if (type >= PTX_T0 && type <= PTX_T2 && type - PTX_T0 + 1 > needed)
            needed = type - PTX_T0 + 1;
    }
    return instruction->type_count == needed && (row->types >> instruction->types[0] & 1) != 0;
}

static void count_positions(const struct row *row, unsigned *fewest, unsigned *most)
{
    *fewest = *most = 0;
    for (const uint32_t *position = row->positions; *position; position++, (*most)++)
        *fewest += !(*position & OPTIONAL);
}

static enum ptx_type twice(enum ptx_type type)
{
    switch (type) {
    case PTX_U16:
        return PTX_U32;
    case PTX_S16:
        return PTX_S32;
    case PTX_U32:
        return PTX_U64;
    case PTX_S32:
        return PTX_S64;
    default:
        return type;
    }
}

static enum ptx_type type_at(const struct ptx_instruction *instruction, uint32_t position)
{
    uint32_t const type = position & 255;
    if (type == PTX_TWICE)
        return twice(instruction->types[0]);
    return type >= PTX_T0 ? instruction->types[type - PTX_T0] : (enum ptx_type)type;
}

static bool is_one_of(enum ptx_type type, unsigned types)
{
    return (types >> type & 1) != 0;
}

/* Returns whether a register of this type may hold a value of the instruction's type: bits are bits, and integers and
 * floats do not mix (PTX ISA, "Operand Type Checking"). */
static bool register_fits(enum ptx_type found, enum ptx_type type, bool wider)
{
    size_t const size = ptx_type_size(found), wanted = ptx_type_size(type);
    unsigned const bits = TYPE(B8) | BITS | TYPE(B128), floats = SINGLES | HALVES;
    if (found == PTX_PRED || type == PTX_PRED)
        return found == type;
    if (found == type)
        return true;
    if (size < wanted || (size > wanted && !wider))
        return false;
    if (is_one_of(found, bits) || is_one_of(type, bits))
        return true;
    if (is_one_of(type, TYPE(BF16) | TYPE(BF16X2) | TYPE(F16X2) | PAIRS)) /* compilers hold these in words */
        return size == wanted;
    return !is_one_of(type, floats) && !is_one_of(found, floats);
}

static bool plain(const struct ptx_operand *operand)
{
    return !operand->negated && operand->component == PTX_PART_WHOLE && !operand->second;
}

/* Checks an operand that is not a vector. */
static bool single_fits(const struct parser *p, const struct ptx_operand *operand, enum ptx_type type, unsigned may)
{
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        if ((operand->negated && !(may & IS_NEGATED) && !(type == PTX_PRED && (may & IS_NUMBER))) ||
            (operand->component && !(may & IS_PART)) ||
            (operand->second && (!(may & IS_PAIR) || p->registers.items[operand->second - 1].type != PTX_PRED)))
            return false;
        return !(may & ONLY) && register_fits(p->registers.items[operand->index].type, type, (may & IS_WIDER) != 0);
    case PTX_OPERAND_IMMEDIATE:
        return (may & IS_NUMBER) && plain(operand);
    case PTX_OPERAND_SPECIAL:
        return (may & IS_SPECIAL) && !operand->negated && !is_one_of(type, FLOATS | TYPE(B128)) &&
               (type == PTX_PRED) == (operand->index == PTX_SR_is_explicit_cluster);
    case PTX_OPERAND_VARIABLE:
        return (may & IS_VARIABLE) && plain(operand) && !is_one_of(type, FLOATS | TYPE(B128));
    case PTX_OPERAND_FUNCTION:
        return (may & IS_FUNCTION) && plain(operand) && !is_one_of(type, TYPE(B128));
    case PTX_OPERAND_SINK:
        return (may & IS_SINK) && !operand->negated &&
               (!operand->second || p->registers.items[operand->second - 1].type == PTX_PRED);
    default:
        return false;
    }
}

/* Checks a vector of `count` elements; 0: of any number. */
static bool vector_fits(const struct parser *p, const struct ptx_operand *operand, unsigned count, enum ptx_type type,
                        unsigned may)
{
    if (operand->count == 0 || (count && operand->count != count))
        return false;
    for (uint32_t i = 0; i < operand->count; i++)
        if (!single_fits(p, &operand->elements[i], type, may))
            return false;
    return true;
}

/* Returns the registers that hold a lane's part of a matrix in this place: 0 of the width that fits most forms when the
 * form is not known, which no stage runs. */
static struct ptx_fragment fragment_at(const struct parser *p, const struct ptx_instruction *instruction,
                                       unsigned place)
{
    struct ptx_matrix form;
    if (!ptx_matrix_read(p->module, instruction, &form))
        return (struct ptx_fragment){.bits = instruction->types[0] == PTX_F64 ? 64 : 32};
    return ptx_matrix_fragment(&form, "dabc"[place % 4]);
}

/* Checks a vector of registers, or one register. wmma names some of them several times; mma of 8 x 8 x 4 halves, which
 * only early chips have, holds them in another way. */
static bool fragment_fits(const struct parser *p, const struct ptx_instruction *instruction, unsigned place)
{
    const struct ptx_operand *operand = &instruction->operands[place];
    struct ptx_fragment const fragment = fragment_at(p, instruction, place);
    enum ptx_type const type = fragment.bits == 64 ? PTX_B64 : PTX_B32;
    unsigned const needed = fragment.registers, may = IS_NUMBER | IS_SINK;
    bool const vector = operand->kind == PTX_OPERAND_VECTOR;
    bool const repeats = instruction->opcode == PTX_OP_wmma || ptx_has(instruction->modifiers, PTX_MOD_m8n8k4);
    unsigned const count = vector ? operand->count : 1;
    if (needed && (count % needed || (count != needed && !repeats)))
        return false;
    return vector ? vector_fits(p, operand, 0, type, may) : single_fits(p, operand, type, may);
}

static bool packed_fits(const struct parser *p, const struct ptx_operand *operand, enum ptx_type type, unsigned may)
{
    static const enum ptx_type parts[] = {PTX_B8, PTX_B16, PTX_B32, PTX_B64};
    if (operand->kind != PTX_OPERAND_VECTOR)
        return single_fits(p, operand, type, may);
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        if (operand->count * ptx_type_size(parts[i]) == ptx_type_size(type))
            return vector_fits(p, operand, 0, parts[i], may & (IS_NUMBER | IS_SINK));
    return false;
}

static const struct ptx_variable *variable_at(const struct parser *p, const struct ptx_operand *operand)
{
    const struct ptx_function *function = &p->functions.items[p->function];
    switch (operand->scope) {
    case PTX_SCOPE_MODULE:
        return &p->variables.items[operand->index];
    case PTX_SCOPE_FUNCTION:
        return &p->locals.items[operand->index];
    case PTX_SCOPE_PARAMETER:
        return &function->parameters[operand->index];
    case PTX_SCOPE_RETURN:
        return &function->results[operand->index];
    }
    return NULL;
}

/* An address starts from a register of 32 or 64 bits, a variable of the space, or a number. Only instructions of
 * textures and tensor maps, which have no row, take coordinates with it. */
static bool address_fits(const struct parser *p, const struct ptx_operand *operand, enum ptx_space space)
{
    if (operand->kind != PTX_OPERAND_ADDRESS || operand->count)
        return false;
    if (operand->base == PTX_OPERAND_REGISTER) {
        enum ptx_type const type = p->registers.items[operand->index].type;
        return plain(operand) && is_one_of(type, BITS_32 | WORDS);
    }
    if (operand->base != PTX_OPERAND_VARIABLE)
        return true;
    const struct ptx_variable *variable = variable_at(p, operand);
    return space == PTX_SPACE_GENERIC || variable->space == space;
}

/* Returns the space of an address in brackets: a copy has two. */
static enum ptx_space space_at(const struct ptx_instruction *instruction, unsigned place)
{
    if (instruction->opcode != PTX_OP_cp)
        return instruction->space;
    return place == 0 ? instruction->space : place == 1 ? instruction->source_space : PTX_SPACE_GENERIC;
}

static bool fits(const struct parser *p, const struct ptx_instruction *instruction, unsigned place, uint32_t position)
{
    const struct ptx_operand *operand = &instruction->operands[place];
    enum role const role = role_of(position);
    enum ptx_type const type = type_at(instruction, position);
    unsigned const may = roles[role].may;
    switch (role) {
    case ROLE_ANYTHING:
        return true;
    case ROLE_LABEL:
        return operand->kind == PTX_OPERAND_LABEL;
    case ROLE_ADDRESS:
        return address_fits(p, operand, space_at(instruction, place));
    case ROLE_FRAGMENT:
        return fragment_fits(p, instruction, place);
    case ROLE_PACKED:
    case ROLE_PACKED_TO:
        return packed_fits(p, operand, type, may);
    default:
        break;
    }
    bool const alone = operand->kind == PTX_OPERAND_VECTOR && (may & IS_WIDER); /* `{r}` of a load or store */
    bool const dropped = operand->kind == PTX_OPERAND_SINK && role == ROLE_MOVED_TO;
    if ((may & IS_VECTOR) && (instruction->vector > 1 || alone) && !dropped)
        return operand->kind == PTX_OPERAND_VECTOR &&
               vector_fits(p, operand, instruction->vector, type, may | (role == ROLE_LOADED ? IS_SINK : 0));
    return single_fits(p, operand, type, may);
}

/* Says what an operand is. */
static void describe(const struct parser *p, const struct ptx_operand *operand, char *text, size_t size)
{
    static const char *const kinds[] = {
        [PTX_OPERAND_NONE] = "nothing",
        [PTX_OPERAND_REGISTER] = "a register",
        [PTX_OPERAND_IMMEDIATE] = "a number",
        [PTX_OPERAND_SPECIAL] = "a special register",
        [PTX_OPERAND_VARIABLE] = "the name of a variable",
        [PTX_OPERAND_FUNCTION] = "a function",
        [PTX_OPERAND_LABEL] = "a label",
        [PTX_OPERAND_ADDRESS] = "an address",
        [PTX_OPERAND_VECTOR] = "a vector",
        [PTX_OPERAND_SINK] = "_",
    };
    if (operand->kind == PTX_OPERAND_VECTOR)
        snprintf(text, size, "a vector of %u", operand->count);
    else if (operand->kind != PTX_OPERAND_REGISTER)
        snprintf(text, size, "%s", kinds[operand->kind]);
    else
        snprintf(text, size, "%s of type .%s", operand->component ? "a part of a register" : "a register",
                 ptx_type_name(p->registers.items[operand->index].type));
}

static bool fail_operand(struct parser *p, const struct ptx_instruction *instruction, unsigned place, uint32_t position)
{
    const struct ptx_operand *operand = &instruction->operands[place];
    enum role const role = role_of(position);
    enum ptx_type const type = type_at(instruction, position);
    char found[64], of_type[64] = "";
    describe(p, operand, found, sizeof found);
    if (role == ROLE_ADDRESS && operand->kind == PTX_OPERAND_ADDRESS)
        return parser_fail_statement(p,
                                     "operand %u is an address that does not fit: a register of 32 or 64 bits, or a "
                                     "variable of the instruction's space, must stand in the brackets",
                                     place + 1);
    if (role == ROLE_FRAGMENT) {
        struct ptx_fragment const fragment = fragment_at(p, instruction, place);
        return parser_fail_statement(p, "operand %u of \"%s\" must be a vector of %u registers of type .b%u, not %s",
                                     place + 1, ptx_opcode_name(instruction->opcode), fragment.registers, fragment.bits,
                                     found);
    }
    if (type != PTX_TYPE_NONE)
        snprintf(of_type, sizeof of_type, " of type .%s%s", ptx_type_name(type),
                 (roles[role].may & IS_WIDER) && type != PTX_PRED ? " or wider" : "");
    if ((roles[role].may & IS_VECTOR) && instruction->vector > 1)
        return parser_fail_statement(p, "operand %u of \"%s\" must be a vector of %u%s, not %s", place + 1,
                                     ptx_opcode_name(instruction->opcode), instruction->vector, of_type, found);
    return parser_fail_statement(p, "operand %u of \"%s\" must be %s%s, not %s", place + 1,
                                 ptx_opcode_name(instruction->opcode), roles[role].what, of_type, found);
}

/* Says why no row applies: the types, or the number of operands. */
static bool fail_rows(struct parser *p, const struct ptx_instruction *instruction, const struct row *row, bool types)
{
    const char *name = ptx_opcode_name(instruction->opcode);
    unsigned fewest, most;
    count_positions(row, &fewest, &most);
    if (types)
        return parser_fail_statement(p,
                                     fewest == most ? "this form of \"%s\" takes %u operands, not %u"
                                                    : "this form of \"%s\" takes at least %u operands, not %u",
                                     name, instruction->operand_count > most ? most : fewest,
                                     instruction->operand_count);
    if (!instruction->type_count)
        return parser_fail_statement(p, "\"%s\" needs a type", name);
    if (row->types == NO_TYPE)
        return parser_fail_statement(p, "this form of \"%s\" takes no type", name);
    return parser_fail_statement(p, "this form of \"%s\" does not take type .%s%s", name,
                                 ptx_type_name(instruction->types[0]),
                                 instruction->type_count > 1 ? " with the types behind it" : "");
}

static bool check_by_rows(struct parser *p, const struct ptx_instruction *instruction)
{
    size_t at = first_row(instruction->opcode);
    bool types = false;
    if (at == ROWS)
        return true;
    while (at < ROWS && rows[at].opcode == instruction->opcode && !has_words(&rows[at], instruction))
        at++;
    if (at == ROWS || rows[at].opcode != instruction->opcode)
        return parser_fail_statement(p, "\"%s\" has no form with these words", ptx_opcode_name(instruction->opcode));
    size_t refused = at, unfit = ROWS;
    unsigned place = 0;
    for (const enum ptx_modifier *words = rows[at].words; at < ROWS && rows[at].opcode == instruction->opcode; at++) {
        unsigned fewest, most;
        if (memcmp(rows[at].words, words, sizeof rows[at].words) != 0 || !types_fit(&rows[at], instruction))
            continue;
        refused = types ? refused : at;
        types = true;
        count_positions(&rows[at], &fewest, &most);
        if (instruction->operand_count < fewest || instruction->operand_count > most)
            continue;
        unsigned i = 0;
        while (i < instruction->operand_count && fits(p, instruction, i, rows[at].positions[i]))
            i++;
        if (i == instruction->operand_count)
            return true;
        if (unfit == ROWS || i > place)
            unfit = at, place = i;
    }
    if (unfit != ROWS)
        return fail_operand(p, instruction, place, rows[unfit].positions[place]);
    return fail_rows(p, instruction, &rows[refused], types);
}

/* Checks a value that a call gives or takes; parameter: the callee's, or NULL for a call through a pointer. */
static bool value_fits(const struct parser *p, const struct ptx_operand *value, const struct ptx_variable *parameter,
                       bool result)
{
    size_t const size = parameter ? parameter->size : 0;
    if (value->kind == PTX_OPERAND_VARIABLE) {
        const struct ptx_variable *variable = variable_at(p, value);
        return variable->space == PTX_SPACE_PARAM && !value->negated && !value->offset &&
               (!parameter || variable->size == size);
    }
    if (value->kind == PTX_OPERAND_SINK)
        return result;
    bool const predicate = parameter && parameter->type == PTX_PRED;
    if (value->kind == PTX_OPERAND_IMMEDIATE || value->kind == PTX_OPERAND_FUNCTION)
        return !result && plain(value) && (!parameter || (size <= 8 && !predicate && !parameter->elements));
    if (value->kind != PTX_OPERAND_REGISTER || !plain(value))
        return false;
    const struct ptx_register *given = &p->registers.items[value->index];
    return !parameter || (ptx_type_size(given->type) == size && (given->type == PTX_PRED) == predicate &&
                          given->elements == parameter->elements);
}

static bool passes_predicate(const struct ptx_variable *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (values[i].type == PTX_PRED)
            return true;
    return false;
}

static bool fail_value(struct parser *p, uint32_t number, const struct ptx_variable *parameter, bool result,
                       const char *found)
{
    char what[64];
    if (parameter && parameter->type == PTX_PRED)
        snprintf(what, sizeof what, "a predicate");
    else if (parameter && parameter->elements)
        snprintf(what, sizeof what, "a vector of %u", parameter->elements);
    else
        snprintf(what, sizeof what, "%s of %zu bytes", result ? "the result" : "the parameter",
                 parameter ? parameter->size : 0);
    return parser_fail_statement(p, "%s %u of the call does not fit: %s cannot be %s", result ? "result" : "argument",
                                 number + 1, what, found);
}

static bool check_values(struct parser *p, const struct ptx_operand *values, uint32_t count,
                         const struct ptx_variable *parameters, bool result)
{
    for (uint32_t i = 0; i < count; i++) {
        char found[64];
        describe(p, &values[i], found, sizeof found);
        if (!value_fits(p, &values[i], parameters ? &parameters[i] : NULL, result))
            return fail_value(p, i, parameters ? &parameters[i] : NULL, result, found);
    }
    return true;
}

static bool check_call(struct parser *p, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *callee = &instruction->operands[0];
    if (callee->kind == PTX_OPERAND_REGISTER) {
        if (!single_fits(p, callee, PTX_U64, 0))
            return parser_fail_statement(p, "a call through a register needs one of 64 bits");
        return check_values(p, instruction->call_arguments, instruction->call_argument_count, NULL, false) &&
               check_values(p, instruction->call_results, instruction->call_result_count, NULL, true);
    }
    const struct ptx_function *function = &p->functions.items[callee->index];
    if (function->is_kernel)
        return parser_fail_statement(p, "\"%s\" is a kernel, which no instruction can call", function->name);
    if (instruction->call_argument_count != function->parameter_count)
        return parser_fail_statement(p, "\"%s\" has %u parameters, and the call gives %u", function->name,
                                     function->parameter_count, instruction->call_argument_count);
    if (instruction->call_result_count != function->result_count)
        return parser_fail_statement(p, "\"%s\" has %u results, and the call takes %u", function->name,
                                     function->result_count, instruction->call_result_count);
    if (!p->predicate_line && (passes_predicate(function->parameters, function->parameter_count) ||
                               passes_predicate(function->results, function->result_count))) {
        p->predicate_start = instruction->text_start;
        p->predicate_line = instruction->ptx_line;
    }
    return check_values(p, instruction->call_arguments, instruction->call_argument_count, function->parameters,
                        false) &&
           check_values(p, instruction->call_results, instruction->call_result_count, function->results, true);
}

/* Checks the bytes of a cp.async: one lane copies at most 16, and with .cg, past the L1 cache, always 16. */
static bool check_copy(struct parser *p, const struct ptx_instruction *instruction)
{
    bool const copies = instruction->opcode == PTX_OP_cp && instruction->operand_count > 2 &&
                        !ptx_has(instruction->modifiers, PTX_MOD_bulk);
    uint64_t const bytes = instruction->operands[2].bits;
    bool const whole = ptx_has(instruction->modifiers, PTX_MOD_cg);
    if (!copies || bytes == 16 || (!whole && (bytes == 4 || bytes == 8)))
        return true;
    return parser_fail_statement(p, "operand 3 of \"cp\" must be %s, not %" PRIu64, whole ? "16" : "4, 8 or 16", bytes);
}

bool parser_check_operands(struct parser *p, const struct ptx_instruction *instruction)
{
    if (instruction->predicate != PTX_NO_INDEX && p->registers.items[instruction->predicate].type != PTX_PRED)
        return parser_fail_statement(p, "the register behind \"@\" must be of type .pred, not .%s",
                                     ptx_type_name(p->registers.items[instruction->predicate].type));
    if (instruction->opcode == PTX_OP_call)
        return check_call(p, instruction);
    return check_by_rows(p, instruction) && check_copy(p, instruction);
}
