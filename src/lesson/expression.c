/* arithmetic.c evaluates most expressions, in a tenth of the time, and muParser the others. This file passes it only
 * the names that occur, and reports errors with their place. */
#include "lesson/expression.h"
#include "lesson/arithmetic.h"
#include <ctype.h>
#include <math.h>
#include <muParserDLL.h>
#include <stdatomic.h>
#include <string.h>

static bool begins_name(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool continues_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

void expression_names(const char *expression, void (*name)(void *context, const char *text, size_t length),
                      void *context)
{
    for (const char *at = expression; *at;) {
        if (!begins_name(*at)) {
            /* Skips the exponent of 1e3, which is not a name. */
            bool const number = isdigit((unsigned char)*at) || *at == '.';
            at++;
            while (number && (continues_name(*at) || *at == '.'))
                at++;
            continue;
        }
        size_t length = 1;
        while (continues_name(at[length]))
            length++;
        const char *after = at + length;
        while (*after == ' ')
            after++;
        if (*after != '(')
            name(context, at, length);
        at += length;
    }
}

struct definitions {
    muParserHandle_t parser;
    const struct run_fact *facts;
    size_t count;
};

static void define_name(void *context, const char *text, size_t length)
{
    struct definitions *definitions = context;
    for (size_t i = 0; i < definitions->count; i++) {
        const char *name = definitions->facts[i].name;
        if (strncmp(name, text, length) == 0 && name[length] == '\0') {
            mupDefineConst(definitions->parser, name, definitions->facts[i].value);
            return;
        }
    }
}

static double ceil_of(double x)
{
    return ceil(x);
}

static double floor_of(double x)
{
    return floor(x);
}

/* Without a handler the library would print errors; they are queried below instead. */
static void keep_quiet(muParserHandle_t parser)
{
    (void)parser;
}

static bool describe(muParserHandle_t parser, const char *expression, struct error *error)
{
    int const length = (int)strlen(expression);
    int position = mupGetErrorPos(parser);
    if (position < 0 || position > length)
        position = length;
    const char *at = expression + position;
    while (*at == ' ')
        at++;
    int token = 0;
    if (begins_name(*at)) {
        while (continues_name(at[token]))
            token++;
        return error_set(error, ERROR_INPUT, "the expression \"%s\" has at position %d the unknown name \"%.*s\"",
                         expression, (int)(at - expression) + 1, token, at);
    }
    if (*at == '\0')
        return error_set(error, ERROR_INPUT, "the expression \"%s\" ends, at position %d, before it is complete",
                         expression, (int)(at - expression) + 1);
    return error_set(error, ERROR_INPUT, "the expression \"%s\" cannot be understood from position %d, \"%.20s\"",
                     expression, (int)(at - expression) + 1, at);
}

static muParserHandle_t parser_new(void)
{
    muParserHandle_t parser = mupCreate(muBASETYPE_FLOAT);
    mupSetErrorHandler(parser, keep_quiet);
    mupDefineFun1(parser, "ceil", ceil_of, 1);
    mupDefineFun1(parser, "floor", floor_of, 1);
    mupDefineOprt(parser, "%", arithmetic_remainder, 6, muOPRT_ASCT_LEFT, 1);
    return parser;
}

static void parser_set(muParserHandle_t parser, const char *expression, const struct run_fact *facts, size_t count)
{
    struct definitions definitions = {parser, facts, count};
    mupClearConst(parser);
    expression_names(expression, define_name, &definitions);
    mupSetExpr(parser, expression);
}

/* Making a parser takes longer than all that it does for one expression, so that one is kept for the next. */
static _Atomic(muParserHandle_t) kept_parser;

static muParserHandle_t parser_take(void)
{
    muParserHandle_t parser = atomic_exchange(&kept_parser, NULL);
    return parser ? parser : parser_new();
}

static void parser_give_back(muParserHandle_t parser)
{
    muParserHandle_t none = NULL;
    if (!atomic_compare_exchange_strong(&kept_parser, &none, parser))
        mupRelease(parser); /* another thread gave one back before */
}

bool expression_evaluate(const char *expression, const struct run_fact *facts, size_t count, double *value,
                         struct error *error)
{
    if (arithmetic_evaluate(expression, facts, count, value))
        return true;
    muParserHandle_t parser = parser_take();
    parser_set(parser, expression, facts, count);
    double const result = mupEval(parser);
    bool const failed = mupError(parser) != 0;
    if (failed)
        describe(parser, expression, error);
    else
        *value = result;
    parser_give_back(parser);
    return !failed;
}

bool expression_evaluate_each(const char *expression, const struct run_fact *facts, size_t fact_count,
                              const struct expression_array *arrays, size_t array_count, uint64_t count, double *values,
                              struct error *error)
{
    muParserHandle_t parser = parser_new();
    double index = 0;
    for (size_t i = 0; i < array_count; i++)
        mupDefineFunUserData1(parser, arrays[i].name, arrays[i].element, arrays[i].array, 0);
    mupDefineVar(parser, "i", &index);
    parser_set(parser, expression, facts, fact_count);
    bool failed = false;
    for (uint64_t i = 0; i < count && !failed; i++) {
        index = (double)i;
        values[i] = mupEval(parser);
        failed = mupError(parser) != 0;
    }
    if (failed)
        describe(parser, expression, error);
    mupRelease(parser);
    return !failed;
}
