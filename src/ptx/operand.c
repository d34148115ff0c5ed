/* Reads an operand: a register, a number, an address in brackets, a vector in braces, or a name. */
#include "ptx/parser.h"
#include <string.h>

/* Returns the nearest f16 of a double, ties to even (IEEE 754). */
static uint64_t half_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t const sign = bits >> 48 & 0x8000;
    int const exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    uint64_t const fraction = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    if (exponent == 1024)
        return sign | (value != value ? 0x7fff : 0x7c00);
    if (exponent < -25)
        return sign;
    int const shift = exponent < -14 ? 42 + (-14 - exponent) : 42;
    uint64_t half = fraction >> shift;
    uint64_t const rest = fraction & ((UINT64_C(1) << shift) - 1), middle = UINT64_C(1) << (shift - 1);
    if (rest > middle || (rest == middle && (half & 1)))
        half++;
    if (exponent >= -14)
        half += (uint64_t)(exponent + 14) << 10; /* the leading one adds the last 1 of the biased exponent */
    return sign | (half >= 0x7c00 ? 0x7c00 : half);
}

static uint64_t single_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double number_of(struct token token)
{
    float single;
    double twice;
    uint32_t const low = (uint32_t)token.bits;
    switch (token.kind) {
    case TOKEN_SINGLE:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case TOKEN_DOUBLE:
        memcpy(&twice, &token.bits, sizeof twice);
        return twice;
    default:
        return (double)token.bits;
    }
}

static uint64_t literal_bits(struct token token, enum ptx_type type, bool negative)
{
    double const number = negative ? -number_of(token) : number_of(token);
    switch (type) {
    case PTX_F16:
        return half_bits(number);
    case PTX_F32:
        if (token.kind == TOKEN_SINGLE) /* bits as written, so that a NaN keeps its payload */
            return token.bits ^ (negative ? UINT64_C(1) << 31 : 0);
        return single_bits((float)number);
    case PTX_F64:
        memcpy(&token.bits, &number, sizeof number);
        return token.bits;
    default:
        break;
    }
    if (token.kind == TOKEN_INTEGER)
        return negative ? -token.bits : token.bits;
    return token.bits ^ (negative ? UINT64_C(1) << (token.kind == TOKEN_SINGLE ? 31 : 63) : 0);
}

static bool is_number(struct token token)
{
    return token.kind == TOKEN_INTEGER || token.kind == TOKEN_SINGLE || token.kind == TOKEN_DOUBLE;
}

/* Returns whether ptxas accepts this number for the type: no integer for a float, no float for an integer, but the bits
 * of an f32 for a .b32. */
static bool number_fits(struct token token, enum ptx_type type)
{
    if (type == PTX_TYPE_NONE)
        return true;
    if (type == PTX_F32 || type == PTX_F64)
        return token.kind != TOKEN_INTEGER;
    return token.kind == TOKEN_INTEGER || type == PTX_F16 || (token.kind == TOKEN_SINGLE && type == PTX_B32) ||
           (token.kind == TOKEN_DOUBLE && type == PTX_B64);
}

static bool read_number(struct parser *p, enum ptx_type type, struct ptx_operand *operand)
{
    bool negative = false;
    for (; parser_is(p, '-') || parser_is(p, '+'); parser_next(p))
        negative ^= parser_is(p, '-');
    if (!is_number(p->token))
        return parser_fail_statement(p, "a number is missing");
    if (!number_fits(p->token, type))
        return parser_fail_statement(p, "\"%s\" is not a number of type .%s", parser_text(p, p->token),
                                     ptx_type_name(type));
    operand->kind = PTX_OPERAND_IMMEDIATE;
    operand->bits = literal_bits(p->token, type, negative);
    parser_next(p);
    return true;
}

/* Reads `+4`, `-4` or `+-4` after a name. */
static bool read_offset(struct parser *p, int64_t *offset)
{
    bool negative = false;
    if (!parser_is(p, '+') && !parser_is(p, '-'))
        return true;
    for (; parser_is(p, '-') || parser_is(p, '+'); parser_next(p))
        negative ^= parser_is(p, '-');
    if (p->token.kind != TOKEN_INTEGER)
        return parser_fail_statement(p, "an offset must be a whole number");
    *offset = (int64_t)(negative ? -p->token.bits : p->token.bits);
    parser_next(p);
    return true;
}

/* Reads `.x` after a special register, or `.b2` after a register. */
static bool read_component(struct parser *p, struct ptx_operand *operand)
{
    if (p->token.kind != TOKEN_WORD)
        return true;
    static const char letters[] = "xyzw", *const parts[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
    const char *word = p->lexer.text + p->token.start;
    uint32_t const length = p->token.end - p->token.start;
    int component = -1;
    for (int i = 0; i < 4 && operand->kind == PTX_OPERAND_SPECIAL && length == 1; i++)
        if (*word == letters[i])
            component = i;
    for (int i = 0; i < 6 && operand->kind == PTX_OPERAND_REGISTER && length == 2; i++)
        if (memcmp(word, parts[i], 2) == 0)
            component = PTX_PART_B0 + i;
    if (component < 0) {
        p->unknown = true;
        return parser_fail_statement(p, "\".%.*s\" behind an operand is not known", (int)length, word);
    }
    operand->component = (uint8_t)component;
    parser_next(p);
    return true;
}

static void take_meaning(const struct meaning *meaning, struct ptx_operand *operand)
{
    operand->index = meaning->index;
    if (meaning->kind == MEANS_REGISTER)
        operand->kind = PTX_OPERAND_REGISTER;
    if (meaning->kind == MEANS_FUNCTION)
        operand->kind = PTX_OPERAND_FUNCTION;
    if (meaning->kind == MEANS_VARIABLE) {
        operand->kind = PTX_OPERAND_VARIABLE;
        operand->scope = meaning->scope;
    }
}

static bool read_name(struct parser *p, struct ptx_operand *operand)
{
    struct token const token = p->token;
    const char *text = p->lexer.text + token.start;
    int const length = (int)(token.end - token.start);
    uint32_t const name = parser_token_name(p);
    const struct meaning *meaning = names_meaning(&p->names, name);
    if (meaning)
        take_meaning(meaning, operand);
    if (operand->kind == PTX_OPERAND_NONE && (operand->index = parser_register(p, name)) != PTX_NO_INDEX)
        operand->kind = PTX_OPERAND_REGISTER;
    if (operand->kind == PTX_OPERAND_NONE && p->names.list.items[name].special) {
        operand->kind = PTX_OPERAND_SPECIAL;
        operand->index = p->names.list.items[name].special - 1u;
    }
    if (operand->kind == PTX_OPERAND_NONE && length == 1 && *text == '_')
        operand->kind = PTX_OPERAND_SINK;
    if (operand->kind == PTX_OPERAND_NONE && length == 7 && memcmp(text, "WARP_SZ", 7) == 0) {
        operand->kind = PTX_OPERAND_IMMEDIATE;
        operand->bits = 32;
    }
    if (operand->kind == PTX_OPERAND_NONE)
        return parser_fail_statement(p, "\"%.*s\" is not declared", length, text);
    parser_next(p);
    return read_component(p, operand);
}

/* Reads the q of `p|q`, the second result of setp, shfl, match and similar instructions. */
static bool read_second(struct parser *p, struct ptx_operand *operand)
{
    if (!parser_take(p, '|'))
        return true;
    struct ptx_operand second = {0};
    if (p->token.kind != TOKEN_NAME || !read_name(p, &second))
        return p->token.kind == TOKEN_NAME ? false : parser_fail_statement(p, "a register is missing behind \"|\"");
    if (second.kind != PTX_OPERAND_REGISTER && second.kind != PTX_OPERAND_SINK)
        return parser_fail_statement(p, "the operand behind \"|\" must be a register");
    operand->second = second.kind == PTX_OPERAND_REGISTER ? second.index + 1 : 0;
    return true;
}

/* Reads an operand that contains no others, as allowed in a vector. */
static bool read_simple(struct parser *p, enum ptx_type type, struct ptx_operand *operand)
{
    *operand = (struct ptx_operand){0};
    operand->negated = parser_take(p, '!');
    if (is_number(p->token) || parser_is(p, '-') || parser_is(p, '+'))
        return read_number(p, type, operand);
    if (p->token.kind != TOKEN_NAME)
        return parser_fail_statement(p, "an operand is missing");
    if (!read_name(p, operand))
        return false;
    if (operand->kind == PTX_OPERAND_VARIABLE)
        return read_offset(p, &operand->offset);
    return read_second(p, operand);
}

/* Reads simple operands up to the closing mark, and consumes the mark. */
static bool read_list(struct parser *p, enum ptx_type type, char last, struct ptx_operand *operand)
{
    struct ptx_operand found[256];
    uint32_t count = 0;
    while (!parser_take(p, last)) {
        if (count == sizeof found / sizeof *found)
            return parser_fail_statement(p, "a vector of more than %zu elements", sizeof found / sizeof *found);
        if (!read_simple(p, type, &found[count++]))
            return false;
        if (!parser_take(p, ',') && !parser_is(p, last))
            return parser_fail_statement(p, "\"%c\" is missing", last);
    }
    struct ptx_operand *elements = arena_array(p->arena, struct ptx_operand, count);
    if (count)
        memcpy(elements, found, count * sizeof *elements);
    operand->elements = elements;
    operand->count = count;
    return true;
}

static bool read_address(struct parser *p, struct ptx_operand *operand)
{
    struct ptx_operand base = {0};
    if (p->token.kind == TOKEN_NAME) {
        if (!read_name(p, &base))
            return false;
        if (base.kind != PTX_OPERAND_REGISTER && base.kind != PTX_OPERAND_VARIABLE)
            return parser_fail_statement(p, "an address starts from a register, a variable or a number");
    } else if (!read_number(p, PTX_TYPE_NONE, &base)) {
        return false;
    }
    *operand = (struct ptx_operand){.kind = PTX_OPERAND_ADDRESS, .scope = base.scope, .index = base.index};
    operand->base = base.kind == PTX_OPERAND_IMMEDIATE ? PTX_OPERAND_NONE : base.kind;
    operand->offset = (int64_t)base.bits;
    if (operand->base != PTX_OPERAND_NONE && !read_offset(p, &operand->offset))
        return false;
    if (parser_take(p, ',')) {
        bool const braces = parser_take(p, '{');
        if (!read_list(p, PTX_TYPE_NONE, braces ? '}' : ']', operand))
            return false;
        return braces ? parser_expect(p, ']') : true;
    }
    return parser_is(p, ']') ? parser_take(p, ']') : parser_fail_statement(p, "\"]\" is missing");
}

bool parser_operand(struct parser *p, enum ptx_type type, struct ptx_operand *operand)
{
    *operand = (struct ptx_operand){0};
    if (parser_take(p, '['))
        return read_address(p, operand);
    if (parser_take(p, '{')) {
        operand->kind = PTX_OPERAND_VECTOR;
        return read_list(p, type, '}', operand);
    }
    return read_simple(p, type, operand);
}

bool parser_label(struct parser *p, uint32_t instruction, uint32_t operand, uint32_t target)
{
    if (p->token.kind != TOKEN_NAME)
        return parser_fail_statement(p, "a label is missing");
    struct label_use const use = {.name = parser_token_name(p),
                                  .depth = p->names.depth,
                                  .instruction = instruction,
                                  .operand = operand,
                                  .target = target,
                                  .start = p->token.start,
                                  .line = p->token.line};
    array_push(&p->uses, use);
    parser_next(p);
    return true;
}
