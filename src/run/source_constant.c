/* The value of an integer constant, written in numbers alone or with names. */
#include "run/source_knobs.h"
#include "run/source_names.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A value next to the limits of its type is no size that anybody turns. */
#define LARGEST (INT64_C(1) << 61)

struct reader {
    const char *at, *end;
    int depth;
    bool bad;
    source_resolve *resolve; /* NULL: names have no value */
    void *context;
};

static long long sum(struct reader *reader, int level);

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && isspace((unsigned char)*reader->at))
        reader->at++;
}

/* Reads a literal with its suffix: 256, 0x100, 1'000'000, 64u, 1ull. */
static long long literal(struct reader *reader)
{
    char digits[72];
    size_t count = 0;
    while (reader->at < reader->end && (isalnum((unsigned char)*reader->at) || *reader->at == '\'')) {
        if (*reader->at != '\'' && count + 1 < sizeof digits)
            digits[count++] = *reader->at;
        reader->at++;
    }
    bool const hex = count > 1 && digits[0] == '0' && tolower((unsigned char)digits[1]) == 'x';
    bool const binary = count > 1 && digits[0] == '0' && tolower((unsigned char)digits[1]) == 'b';
    while (count && strchr("uUlLzZ", digits[count - 1]))
        count--;
    digits[count] = '\0';
    char *end = digits;
    unsigned long long const value = strtoull(digits + (binary ? 2 : 0), &end, binary ? 2 : hex ? 16 : 0);
    bool const point = reader->at < reader->end && *reader->at == '.';
    reader->bad = reader->bad || !count || *end || value > (unsigned long long)INT64_MAX || point;
    return (long long)value;
}

/* Reads a name, or the side of a dim3: N, block.x. */
static long long name(struct reader *reader)
{
    const char *from = reader->at;
    long long value = 0;
    int side = -1;
    while (reader->at < reader->end && source_in_word(*reader->at))
        reader->at++;
    size_t const length = (size_t)(reader->at - from);
    if (reader->end - reader->at > 1 && *reader->at == '.' && strchr("xyz", reader->at[1])) {
        side = reader->at[1] - 'x';
        reader->at += 2;
    }
    bool const follows = reader->at < reader->end && (source_in_word(*reader->at) || strchr(".(:[", *reader->at));
    reader->bad =
        reader->bad || follows || !reader->resolve || !reader->resolve(reader->context, from, length, side, &value);
    return reader->bad ? 0 : value;
}

static long long unary(struct reader *reader)
{
    skip_space(reader);
    if (reader->at >= reader->end || reader->depth > 50) {
        reader->bad = true;
        return 0;
    }
    char const c = *reader->at;
    if (c == '-' || c == '+') {
        reader->at++;
        reader->depth++;
        long long const value = unary(reader);
        reader->depth--;
        return c == '-' && value != INT64_MIN ? -value : value;
    }
    if (c != '(') {
        if (isdigit((unsigned char)c))
            return reader->bad ? 0 : literal(reader);
        reader->bad = reader->bad || !source_in_word(c);
        return reader->bad ? 0 : name(reader);
    }
    reader->at++;
    reader->depth++;
    long long const value = sum(reader, 0);
    reader->depth--;
    skip_space(reader);
    if (reader->at < reader->end && *reader->at == ')')
        reader->at++;
    else
        reader->bad = true;
    return value;
}

/* Returns the operator that stands here, of this level: 0 shifts, 1 sums, 2 products. '\0': none. */
static char operator_here(struct reader *reader, int level)
{
    static const char *const operators[] = {"<>", "+-", "*/%"};
    skip_space(reader);
    if (reader->at >= reader->end || !strchr(operators[level], *reader->at))
        return '\0';
    char const c = *reader->at;
    if (level > 0) {
        reader->at++;
        return c;
    }
    if (reader->at + 1 >= reader->end || reader->at[1] != c)
        return '\0';
    reader->at += 2;
    return c;
}

static long long combine(struct reader *reader, char operator, long long a, long long b)
{
    long long value = 0;
    bool wrong = false;
    if (operator== '<')
        wrong = a < 0 || b < 0 || b > 61 || a > INT64_MAX >> b;
    else if (operator== '>')
        wrong = a < 0 || b < 0 || b > 62;
    else if (operator== '+')
        wrong = __builtin_add_overflow(a, b, &value);
    else if (operator== '-')
        wrong = __builtin_sub_overflow(a, b, &value);
    else if (operator== '*')
        wrong = __builtin_mul_overflow(a, b, &value);
    else
        wrong = b == 0 || (b == -1 && a == INT64_MIN);
    if (wrong || reader->bad) {
        reader->bad = true;
        return 0;
    }
    return operator== '<' ? a << b : operator== '>' ? a >> b : operator== '/' ? a / b : operator== '%' ? a % b : value;
}

static long long sum(struct reader *reader, int level)
{
    long long value = level < 2 ? sum(reader, level + 1) : unary(reader);
    for (char c; !reader->bad && (c = operator_here(reader, level));)
        value = combine(reader, c, value, level < 2 ? sum(reader, level + 1) : unary(reader));
    return value;
}

bool source_computed(const char *text, size_t length, source_resolve *resolve, void *context, long long *value)
{
    struct reader reader = {.at = text, .end = text + length, .resolve = resolve, .context = context};
    *value = sum(&reader, 0);
    skip_space(&reader);
    return !reader.bad && reader.at == reader.end && *value > -LARGEST && *value < LARGEST;
}

bool source_constant(const char *text, size_t length, long long *value)
{
    return source_computed(text, length, NULL, NULL, value);
}
