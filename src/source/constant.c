#include "source/constant.h"
#include "source/types.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 50 };
/* A value next to the limits of its type is no size that anybody turns. */
#define LARGEST (INT64_C(1) << 61)

struct reader {
    const struct source_token *at, *end;
    int depth;
    bool bad;
    source_resolve *resolve; /* NULL: names have no value */
    void *context;
};

static int64_t choice(struct reader *reader);

static int64_t fail(struct reader *reader)
{
    reader->bad = true;
    return 0;
}

static bool take(struct reader *reader, const char *mark)
{
    size_t const length = strlen(mark);
    if (reader->at >= reader->end || reader->at->kind != SOURCE_MARK || !source_is(reader->at, mark) ||
        (size_t)(reader->end - reader->at) < length)
        return false;
    reader->at += length;
    return true;
}

/* Reads a literal with its suffix: 256, 0x100, 1'000'000, 64u, 1ull. */
static int64_t literal(struct reader *reader)
{
    const struct source_token *token = reader->at++;
    char digits[72];
    size_t count = 0;
    for (uint32_t i = 0; i < token->length; i++)
        if (token->text[i] != '\'' && count + 1 < sizeof digits)
            digits[count++] = token->text[i];
    bool const hex = count > 1 && digits[0] == '0' && tolower((unsigned char)digits[1]) == 'x';
    bool const binary = count > 1 && digits[0] == '0' && tolower((unsigned char)digits[1]) == 'b';
    while (count && strchr("uUlLzZ", digits[count - 1]))
        count--;
    digits[count] = '\0';
    char *end = digits;
    unsigned long long const value = strtoull(digits + (binary ? 2 : 0), &end, binary ? 2 : hex ? 16 : 0);
    return !count || *end || value >= (unsigned long long)LARGEST ? fail(reader) : (int64_t)value;
}

static int64_t name(struct reader *reader)
{
    int64_t value = 0;
    const struct source_token *behind =
        reader->resolve ? reader->resolve(reader->context, reader->at, reader->end, &value) : NULL;
    reader->at = behind ? behind : reader->at + 1;
    return behind ? value : fail(reader);
}

/* Passes over the brackets of a cast to a whole number, `(int)`. */
static bool take_cast(struct reader *reader)
{
    const struct source_token *at = reader->at;
    if (!source_is(at, "("))
        return false;
    for (at++; at < reader->end && source_is_whole_word(at); at++)
        continue;
    if (at == reader->at + 1 || at + 1 >= reader->end || !source_is(at, ")"))
        return false;
    reader->at = at + 1;
    return true;
}

static int64_t unary(struct reader *reader)
{
    int64_t value = 0;
    if (reader->bad || reader->at >= reader->end || reader->depth >= DEPTH_MOST)
        return fail(reader);
    reader->depth++;
    if (take(reader, "-")) {
        value = -unary(reader);
    } else if (take(reader, "+") || take_cast(reader)) {
        value = unary(reader);
    } else if (take(reader, "!")) {
        value = !unary(reader);
    } else if (take(reader, "~")) {
        value = ~unary(reader);
    } else if (take(reader, "(")) {
        value = choice(reader);
        if (!take(reader, ")"))
            fail(reader);
    } else {
        value = reader->at->kind == SOURCE_NUMBER ? literal(reader)
                : reader->at->kind == SOURCE_NAME ? name(reader)
                                                  : fail(reader);
    }
    reader->depth--;
    return value;
}

/* The operators of two sides, the loosest first. In a level the longer ones come first. */
static const char *const operators[][5] = {
    {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
enum { LEVELS = sizeof operators / sizeof *operators };

/* Takes the operator of this level that stands here; NULL: none. */
static const char *take_operator(struct reader *reader, int level)
{
    static const char *const longer[] = {"||", "&&", "<<", ">>"};
    for (int i = 0; operators[level][i]; i++) {
        const char *word = operators[level][i];
        bool part = false;
        for (size_t k = 0; strlen(word) == 1 && k < sizeof longer / sizeof *longer; k++)
            part = part || (reader->at + 1 < reader->end && source_is(reader->at, longer[k]));
        if (!part && take(reader, word))
            return word;
    }
    return NULL;
}

static int64_t combine(struct reader *reader, const char *operator, int64_t a, int64_t b)
{
    int64_t value = 0;
    bool wrong = false;
    if (reader->bad)
        return 0;
    switch (operator[0] +(operator[1] << 8)) {
    case '|' + ('|' << 8):
        return a || b;
    case '&' + ('&' << 8):
        return a && b;
    case '=' + ('=' << 8):
        return a == b;
    case '!' + ('=' << 8):
        return a != b;
    case '<' + ('=' << 8):
        return a <= b;
    case '>' + ('=' << 8):
        return a >= b;
    case '<' + ('<' << 8):
        wrong = a < 0 || b < 0 || b > 61 || a > LARGEST >> b;
        value = wrong ? 0 : a << b;
        break;
    case '>' + ('>' << 8):
        wrong = a < 0 || b < 0 || b > 62;
        return wrong ? fail(reader) : a >> b;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '&':
        return a & b;
    case '<':
        return a < b;
    case '>':
        return a > b;
    case '+':
        wrong = __builtin_add_overflow(a, b, &value);
        break;
    case '-':
        wrong = __builtin_sub_overflow(a, b, &value);
        break;
    case '*':
        wrong = __builtin_mul_overflow(a, b, &value);
        break;
    default:
        wrong = b == 0;
        value = wrong ? 0 : operator[0] == '/' ? a / b : a % b;
    }
    return wrong || value <= -LARGEST || value >= LARGEST ? fail(reader) : value;
}

static int64_t binary(struct reader *reader, int level)
{
    int64_t value = level + 1 < LEVELS ? binary(reader, level + 1) : unary(reader);
    for (const char *operator; !reader->bad && (operator= take_operator(reader, level));)
        value = combine(reader, operator, value, level + 1 < LEVELS ? binary(reader, level + 1) : unary(reader));
    return value;
}

static int64_t choice(struct reader *reader)
{
    int64_t const value = binary(reader, 0);
    if (reader->bad || !take(reader, "?"))
        return value;
    if (++reader->depth > DEPTH_MOST)
        return fail(reader);
    int64_t const yes = choice(reader);
    int64_t const no = take(reader, ":") ? choice(reader) : fail(reader);
    reader->depth--;
    return value ? yes : no;
}

bool source_evaluate(const struct source_token *from, const struct source_token *to, source_resolve *resolve,
                     void *context, int64_t *value)
{
    struct reader reader = {.at = from, .end = to, .resolve = resolve, .context = context};
    *value = choice(&reader);
    return !reader.bad && reader.at == to && *value > -LARGEST && *value < LARGEST;
}
