/* Reads numbers as constant expressions (PTX ISA 9.0, "Constant Expressions"). Where the document leaves room,
 * ptxas 13.0 decides: `~` and `%` are unsigned, the chosen value of `?:` keeps its own type, a shift counts modulo 64.
 */
#include "ptx/element.h"
#include "ptx/parser.h"
#include <string.h>

struct constant {
    enum token_kind kind; /* INTEGER, SINGLE or DOUBLE */
    bool is_unsigned;     /* of an INTEGER */
    uint64_t bits;
};

static double number_of(const struct constant *value)
{
    float single;
    double twice;
    uint32_t const low = (uint32_t)value->bits;
    switch (value->kind) {
    case TOKEN_SINGLE:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case TOKEN_DOUBLE:
        memcpy(&twice, &value->bits, sizeof twice);
        return twice;
    default:
        return value->is_unsigned ? (double)value->bits : (double)(int64_t)value->bits;
    }
}

static struct constant real(double number)
{
    struct constant value = {.kind = TOKEN_DOUBLE};
    memcpy(&value.bits, &number, sizeof number);
    return value;
}

static uint64_t bits_as(const struct constant *value, enum ptx_type type)
{
    float const single = (float)number_of(value);
    uint32_t low;
    memcpy(&low, &single, sizeof low);
    switch (type) {
    case PTX_F16:
        return ptx_real_bits(PTX_F16, number_of(value));
    case PTX_F32:
        return value->kind == TOKEN_SINGLE ? value->bits : low; /* as written, so that a NaN keeps its payload */
    case PTX_F64:
        return real(number_of(value)).bits;
    default:
        return value->bits;
    }
}

/* Returns whether ptxas accepts this number for the type: no integer for a float, no float for an integer, but the bits
 * of an f32 for a .b32. */
static bool number_fits(const struct constant *value, enum ptx_type type)
{
    if (type == PTX_TYPE_NONE)
        return true;
    if (type == PTX_F32 || type == PTX_F64)
        return value->kind != TOKEN_INTEGER;
    return value->kind == TOKEN_INTEGER || type == PTX_F16 || (value->kind == TOKEN_SINGLE && type == PTX_B32) ||
           (value->kind == TOKEN_DOUBLE && type == PTX_B64);
}

/* The binary operators; those of two characters stand before those that they begin with. */
static const struct operation {
    char text[3];
    uint8_t level;  /* as in C: a higher one binds tighter */
    uint8_t orders; /* of a comparison: the bits of the orders for which it is true */
} operations[] = {{"||", 1, 0}, {"&&", 2, 0}, {"==", 6, 2}, {"!=", 6, 13}, {"<<", 8, 0}, {">>", 8, 0},
                  {"<=", 7, 3}, {">=", 7, 6}, {"<", 7, 1},  {">", 7, 4},   {"|", 3, 0},  {"^", 4, 0},
                  {"&", 5, 0},  {"+", 9, 0},  {"-", 9, 0},  {"*", 10, 0},  {"/", 10, 0}, {"%", 10, 0}};

/* Returns the binary operator that begins with the current token, or NULL. */
static const struct operation *operation_here(const struct parser *p)
{
    for (size_t i = 0; p->token.kind == TOKEN_MARK && i < sizeof operations / sizeof *operations; i++)
        if (strncmp(p->lexer.text + p->token.start, operations[i].text, strlen(operations[i].text)) == 0)
            return &operations[i];
    return NULL;
}

static struct constant integer(uint64_t bits, bool is_unsigned)
{
    return (struct constant){.kind = TOKEN_INTEGER, .is_unsigned = is_unsigned, .bits = bits};
}

/* Returns the order of two constants as a bit: 1 less, 2 equal, 4 greater, 8 not a number. */
static unsigned order_of(const struct constant *a, const struct constant *b)
{
    if (a->kind != TOKEN_INTEGER) {
        double const x = number_of(a), y = number_of(b);
        return x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
    }
    uint64_t const sign = a->is_unsigned || b->is_unsigned ? 0 : UINT64_C(1) << 63;
    return (a->bits ^ sign) < (b->bits ^ sign) ? 1 : a->bits == b->bits ? 2 : 4;
}

static struct constant real_result(char operation, double a, double b)
{
    return real(operation == '+' ? a + b : operation == '-' ? a - b : operation == '*' ? a * b : a / b);
}

static struct constant integer_result(const char *operation, const struct constant *left, const struct constant *right)
{
    uint64_t const a = left->bits, b = right->bits;
    bool const any_unsigned = left->is_unsigned || right->is_unsigned, twice = operation[1] != 0;
    switch (*operation) {
    case '|':
        return twice ? integer(a || b, false) : integer(a | b, any_unsigned);
    case '&':
        return twice ? integer(a && b, false) : integer(a & b, any_unsigned);
    case '^':
        return integer(a ^ b, any_unsigned);
    case '<':
        return integer(a << (b & 63), left->is_unsigned);
    case '>':
        return integer(left->is_unsigned ? a >> (b & 63) : (uint64_t)((int64_t)a >> (b & 63)), left->is_unsigned);
    case '+':
        return integer(a + b, any_unsigned);
    case '-':
        return integer(a - b, any_unsigned);
    case '*':
        return integer(a * b, any_unsigned);
    case '%':
        return integer(a % b, true);
    default:
        if (any_unsigned)
            return integer(a / b, true);
        return integer(b == UINT64_MAX ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b), false); /* -2^63 / -1 wraps */
    }
}

static bool apply(struct parser *p, const struct operation *operation, const struct constant *right,
                  struct constant *left)
{
    const char *text = operation->text;
    bool const reals = left->kind == TOKEN_DOUBLE && right->kind == TOKEN_DOUBLE;
    bool const integers = left->kind == TOKEN_INTEGER && right->kind == TOKEN_INTEGER;
    if (!integers && !(reals && (operation->orders || strchr("+-*/", *text))))
        return parser_fail_statement(p, "\"%s\" does not take these numbers", text);
    if ((*text == '/' || *text == '%') && number_of(right) == 0)
        return parser_fail_statement(p, "a number is divided by zero");
    if (operation->orders)
        *left = integer((operation->orders & order_of(left, right)) != 0, false);
    else
        *left = reals ? real_result(*text, number_of(left), number_of(right)) : integer_result(text, left, right);
    return true;
}

static bool is_warp_size(const struct parser *p, struct token token)
{
    return token.kind == TOKEN_NAME && token.end - token.start == 7 &&
           memcmp(p->lexer.text + token.start, "WARP_SZ", 7) == 0;
}

static bool read_literal(struct parser *p, struct constant *value)
{
    struct token const token = p->token;
    if (is_warp_size(p, token))
        *value = integer(32, false);
    else if (token.kind == TOKEN_INTEGER)
        *value = integer(token.bits, token.bits > INT64_MAX || p->lexer.text[token.end - 1] == 'U');
    else if (token.kind == TOKEN_SINGLE || token.kind == TOKEN_DOUBLE)
        *value = (struct constant){.kind = token.kind, .bits = token.bits};
    else
        return parser_fail_statement(p, "a number is missing");
    parser_next(p);
    return true;
}

static bool check_integer(struct parser *p, const struct constant *value)
{
    return value->kind == TOKEN_INTEGER || parser_fail_statement(p, "a whole number is missing");
}

static bool read_unary(struct parser *p, unsigned depth, struct constant *value);

/* Reads binary operators of this level and above. */
static bool read_binary(struct parser *p, unsigned depth, unsigned level, struct constant *value)
{
    const struct operation *operation;
    struct constant right = {0};
    if (!read_unary(p, depth, value))
        return false;
    while ((operation = operation_here(p)) && operation->level >= level) {
        for (size_t i = 0; i < strlen(operation->text); i++)
            parser_next(p);
        if (!read_binary(p, depth, operation->level + 1u, &right) || !apply(p, operation, &right, value))
            return false;
    }
    return true;
}

static bool read_choice(struct parser *p, unsigned depth, struct constant *value)
{
    struct constant yes = {0}, no = {0};
    if (!read_binary(p, depth, 0, value))
        return false;
    if (!parser_take(p, '?'))
        return true;
    if (!check_integer(p, value) || !read_choice(p, depth + 1, &yes) || !check_integer(p, &yes) ||
        !parser_expect(p, ':') || !read_choice(p, depth + 1, &no) || !check_integer(p, &no))
        return false;
    *value = value->bits ? yes : no;
    return true;
}

/* Reads `1 + 2)` or `.s64) 3` after the `(`. */
static bool read_parentheses(struct parser *p, unsigned depth, struct constant *value)
{
    bool const is_unsigned = parser_word_is(p, "u64");
    if (!is_unsigned && !parser_word_is(p, "s64"))
        return read_choice(p, depth + 1, value) && parser_expect(p, ')');
    parser_next(p);
    if (!parser_expect(p, ')') || !read_unary(p, depth + 1, value) || !check_integer(p, value))
        return false;
    value->is_unsigned = is_unsigned;
    return true;
}

static bool read_unary(struct parser *p, unsigned depth, struct constant *value)
{
    char const mark = p->token.kind == TOKEN_MARK ? p->token.mark : ' ';
    if (depth > PARSER_DEPTH_MAX)
        return parser_fail_statement(p, "a number is nested more than %d times", PARSER_DEPTH_MAX);
    if (!strchr("+-!~(", mark))
        return read_literal(p, value);
    parser_next(p);
    if (mark == '(')
        return read_parentheses(p, depth, value);
    if (!read_unary(p, depth + 1, value) || ((mark == '!' || mark == '~') && !check_integer(p, value)))
        return false;
    if (mark == '!')
        *value = integer(!value->bits, false);
    else if (mark == '~')
        *value = integer(~value->bits, true);
    else if (mark == '-')
        value->bits = value->kind == TOKEN_INTEGER
                          ? 0 - value->bits
                          : value->bits ^ UINT64_C(1) << (value->kind == TOKEN_SINGLE ? 31 : 63);
    return true;
}

bool parser_is_number(const struct parser *p)
{
    struct lexer ahead = p->lexer;
    struct token token = p->token;
    if (parser_is(p, '!')) /* of a number, or of a predicate */
        token = lexer_next(&ahead);
    return token.kind == TOKEN_INTEGER || token.kind == TOKEN_SINGLE || token.kind == TOKEN_DOUBLE ||
           is_warp_size(p, token) || (token.kind == TOKEN_MARK && strchr("+-!~(", token.mark));
}

bool parser_number(struct parser *p, enum ptx_type type, uint64_t *bits)
{
    uint32_t const start = p->token.start;
    struct constant value = {0};
    if (!read_choice(p, 0, &value))
        return false;
    uint32_t end = p->token.start;
    while (end > start && p->lexer.text[end - 1] <= ' ')
        end--;
    if (!number_fits(&value, type))
        return parser_fail_statement(p, "\"%.*s\" is not a number of type .%s", (int)(end - start),
                                     p->lexer.text + start, ptx_type_name(type));
    *bits = bits_as(&value, type);
    return true;
}
