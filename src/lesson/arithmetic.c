/* A recursive descent, one function for each precedence, which computes while it reads. */
#include "lesson/arithmetic.h"
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32, DIGITS_MAX = 15 /* exact in a double */ };

struct reader {
    const char *at;
    const struct run_fact *facts;
    size_t count;
    int depth;
    bool failed; /* the expression is for muParser */
};

static double choice(struct reader *reader);

static double fail(struct reader *reader)
{
    reader->failed = true;
    return 0;
}

/* Moves past the token if it comes next. */
static bool takes(struct reader *reader, const char *token)
{
    while (*reader->at == ' ')
        reader->at++;
    size_t const length = strlen(token);
    if (strncmp(reader->at, token, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static double number(struct reader *reader)
{
    char *end;
    size_t const digits = strspn(reader->at, "0123456789");
    size_t const decimals = reader->at[digits] == '.' ? strspn(reader->at + digits + 1, "0123456789") : 0;
    const char *behind = reader->at + digits + (decimals ? decimals + 1 : 0);
    if (!digits || digits + decimals > DIGITS_MAX || *behind == '.' || *behind == '_' ||
        isalpha((unsigned char)*behind)) /* 1e3, 0x10 */
        return fail(reader);
    double const value = strtod(reader->at, &end);
    reader->at = behind;
    return end == behind ? value : fail(reader);
}

static bool named(const char *name, const char *text, size_t length)
{
    return name[0] == text[0] && strncmp(name, text, length) == 0 && name[length] == '\0';
}

/* Reads the arguments of a function, behind its parenthesis. */
static double call(struct reader *reader, const char *name, size_t length)
{
    bool const lowest = named("min", name, length), highest = named("max", name, length);
    bool const up = named("ceil", name, length), down = named("floor", name, length);
    double value = choice(reader);
    while ((lowest || highest) && !reader->failed && takes(reader, ",")) {
        double const next = choice(reader);
        value = (lowest ? next < value : next > value) ? next : value;
    }
    if (!(lowest || highest || up || down) || !takes(reader, ")"))
        return fail(reader);
    return up ? ceil(value) : down ? floor(value) : value;
}

static double operand(struct reader *reader)
{
    if (takes(reader, "(")) {
        double const value = choice(reader);
        return takes(reader, ")") ? value : fail(reader);
    }
    const char *name = reader->at;
    size_t length = 0;
    if (!isalpha((unsigned char)*name) && *name != '_')
        return number(reader);
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    reader->at += length;
    if (takes(reader, "("))
        return call(reader, name, length);
    for (size_t i = 0; i < reader->count; i++)
        if (named(reader->facts[i].name, name, length))
            return isfinite(reader->facts[i].value) ? reader->facts[i].value : fail(reader);
    return fail(reader);
}

double arithmetic_remainder(double a, double b)
{
    return a - b * floor(a / b);
}

static double power(struct reader *reader)
{
    double const base = operand(reader);
    if (reader->failed || !takes(reader, "^"))
        return base;
    if (++reader->depth > DEPTH_MAX)
        return fail(reader);
    double const exponent = power(reader);
    reader->depth--;
    return pow(base, exponent);
}

static double product(struct reader *reader)
{
    double value = power(reader);
    while (!reader->failed) {
        char const sign = takes(reader, "*") ? '*' : takes(reader, "/") ? '/' : takes(reader, "%") ? '%' : 0;
        if (!sign)
            break;
        double const right = power(reader);
        if (sign != '*' && right == 0)
            return fail(reader);
        value = sign == '*' ? value * right : sign == '/' ? value / right : arithmetic_remainder(value, right);
    }
    return value;
}

static double sum(struct reader *reader)
{
    double value = product(reader);
    while (!reader->failed) {
        if (takes(reader, "+"))
            value += product(reader);
        else if (takes(reader, "-"))
            value -= product(reader);
        else
            break;
    }
    return value;
}

static double comparison(struct reader *reader)
{
    double value = sum(reader);
    while (!reader->failed) {
        if (takes(reader, "<="))
            value = value <= sum(reader);
        else if (takes(reader, ">="))
            value = value >= sum(reader);
        else if (takes(reader, "=="))
            value = value == sum(reader);
        else if (takes(reader, "!="))
            value = value != sum(reader);
        else if (takes(reader, "<"))
            value = value < sum(reader);
        else if (takes(reader, ">"))
            value = value > sum(reader);
        else
            break;
    }
    return value;
}

/* Returns whether the value is true; muParser looks at the whole part of some values alone. */
static bool truth(struct reader *reader, double value)
{
    if (value != floor(value) || fabs(value) > INT_MAX)
        fail(reader);
    return value != 0;
}

static double all_of(struct reader *reader)
{
    double value = comparison(reader);
    while (!reader->failed && takes(reader, "&&")) {
        bool const left = truth(reader, value), right = truth(reader, comparison(reader));
        value = left && right;
    }
    return value;
}

static double one_of(struct reader *reader)
{
    double value = all_of(reader);
    while (!reader->failed && takes(reader, "||")) {
        bool const left = truth(reader, value), right = truth(reader, all_of(reader));
        value = left || right;
    }
    return value;
}

static double choice(struct reader *reader)
{
    if (++reader->depth > DEPTH_MAX)
        return fail(reader);
    double value = one_of(reader);
    if (!reader->failed && takes(reader, "?")) {
        bool const first = truth(reader, value);
        double const yes = choice(reader), no = takes(reader, ":") ? choice(reader) : fail(reader);
        value = first ? yes : no;
    }
    reader->depth--;
    return value;
}

bool arithmetic_evaluate(const char *expression, const struct run_fact *facts, size_t count, double *value)
{
    struct reader reader = {.at = expression, .facts = facts, .count = count};
    double const result = choice(&reader);
    if (reader.failed || !takes(&reader, "") || *reader.at || !isfinite(result))
        return false;
    *value = result;
    return true;
}
