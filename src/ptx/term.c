/* Terms as text, and their values. */
#include "ptx/derive.h"
#include <inttypes.h>

struct sign {
    const char *word; /* NULL: the term is no pair with a sign between its sides */
    int rank;         /* a higher one binds more tightly */
    bool strict;      /* equal ranks at the right need brackets */
};
enum { RANK_LEAF = 9 };

static struct sign sign_of(enum ptx_term_kind kind)
{
    switch (kind) {
    case PTX_TERM_OR:
        return (struct sign){" | ", 1, false};
    case PTX_TERM_XOR:
        return (struct sign){" ^ ", 2, false};
    case PTX_TERM_AND:
        return (struct sign){" & ", 3, false};
    case PTX_TERM_RIGHT:
        return (struct sign){" >> ", 4, true};
    case PTX_TERM_SUM:
        return (struct sign){" + ", 5, false};
    case PTX_TERM_DIFFERENCE:
        return (struct sign){" - ", 5, true};
    case PTX_TERM_PRODUCT:
        return (struct sign){" * ", 6, true};
    case PTX_TERM_QUOTIENT:
        return (struct sign){" / ", 6, true};
    case PTX_TERM_REST:
        return (struct sign){" % ", 6, true};
    default:
        return (struct sign){NULL, RANK_LEAF, false};
    }
}

/* Returns the term that a reader sees: conversions and sums with 0 change nothing for him. */
static const struct ptx_term *seen(const struct ptx_term *term)
{
    for (;;) {
        bool const zero = term->kind == PTX_TERM_SUM && term->b->kind == PTX_TERM_NUMBER && term->b->number == 0;
        if (term->kind != PTX_TERM_UNSIGNED && !zero)
            return term;
        term = term->a;
    }
}

static const char *side(struct arena *arena, const struct ptx_term *term, const struct ptx_leaves *leaves, bool values,
                        struct sign sign, bool right)
{
    const char *words = ptx_term_words(arena, term, leaves, values);
    struct sign const own = sign_of(seen(term)->kind);
    bool const brackets = own.rank < sign.rank || (right && sign.strict && own.rank == sign.rank) ||
                          (sign.rank <= 4 && own.rank != RANK_LEAF);
    return brackets ? arena_format(arena, "(%s)", words) : words;
}

const char *ptx_term_words(struct arena *arena, const struct ptx_term *term, const struct ptx_leaves *leaves,
                           bool values)
{
    int64_t value;
    term = seen(term);
    struct sign sign = sign_of(term->kind);
    if (sign.word) {
        const struct ptx_term *right = term->b;
        bool const minus = term->kind == PTX_TERM_SUM && right->kind == PTX_TERM_NUMBER && right->number < 0;
        const char *left = side(arena, term->a, leaves, values, sign, false);
        if (minus)
            return arena_format(arena, "%s - %" PRIu64, left, -(uint64_t)right->number);
        return arena_format(arena, "%s%s%s", left, sign.word, side(arena, right, leaves, values, sign, true));
    }
    if (term->kind == PTX_TERM_LEAST || term->kind == PTX_TERM_GREATEST)
        return arena_format(arena, "%s(%s, %s)", term->kind == PTX_TERM_LEAST ? "min" : "max",
                            ptx_term_words(arena, term->a, leaves, values),
                            ptx_term_words(arena, term->b, leaves, values));
    if (term->kind == PTX_TERM_NUMBER)
        return arena_format(arena, "%" PRId64, term->number);
    if (values && leaves->value(leaves->context, term, &value))
        return value > INT32_MAX ? arena_format(arena, "0x%" PRIx64, (uint64_t)value)
                                 : arena_format(arena, "%" PRId64, value);
    return leaves->words(leaves->context, arena, term);
}

static int64_t wrapped(const struct ptx_term *term, uint64_t value)
{
    return term->narrow ? (int64_t)(int32_t)(uint32_t)value : (int64_t)value;
}

/* Computes a quotient, a rest, a shift, the least or the greatest: those for which the sign matters. */
static bool signed_value(const struct ptx_term *term, int64_t a, int64_t b, int64_t *value)
{
    uint64_t const mask = term->narrow ? UINT32_MAX : UINT64_MAX, x = (uint64_t)a & mask, y = (uint64_t)b & mask;
    bool const plain = term->unsigned_type, less = plain ? x < y : a < b;
    bool const divides = term->kind == PTX_TERM_QUOTIENT || term->kind == PTX_TERM_REST;
    unsigned const bits = term->narrow ? 32 : 64;
    if (divides && (b == 0 || (b == -1 && !plain)))
        return false;
    switch (term->kind) {
    case PTX_TERM_QUOTIENT:
        *value = wrapped(term, plain ? x / y : (uint64_t)(a / b));
        return true;
    case PTX_TERM_REST:
        *value = wrapped(term, plain ? x % y : (uint64_t)(a % b));
        return true;
    case PTX_TERM_RIGHT:
        if (b < 0 || b >= bits)
            return false;
        *value = wrapped(term, plain ? x >> b : (uint64_t)(a >> b));
        return true;
    default:
        *value = (term->kind == PTX_TERM_LEAST) == less ? a : b;
        return true;
    }
}

bool ptx_term_value(const struct ptx_term *term, const struct ptx_leaves *leaves, int64_t *value)
{
    int64_t a = 0, b = 0;
    if (term->kind == PTX_TERM_NUMBER) {
        *value = term->number;
        return true;
    }
    if (!term->a)
        return leaves->value(leaves->context, term, value);
    if (!ptx_term_value(term->a, leaves, &a) || (term->b && !ptx_term_value(term->b, leaves, &b)))
        return false;
    uint64_t const x = (uint64_t)a, y = (uint64_t)b;
    switch (term->kind) {
    case PTX_TERM_UNSIGNED:
        *value = (int64_t)(x & UINT32_MAX);
        return true;
    case PTX_TERM_SUM:
        *value = wrapped(term, x + y);
        return true;
    case PTX_TERM_DIFFERENCE:
        *value = wrapped(term, x - y);
        return true;
    case PTX_TERM_PRODUCT:
        *value = wrapped(term, x * y);
        return true;
    case PTX_TERM_AND:
        *value = wrapped(term, x & y);
        return true;
    case PTX_TERM_OR:
        *value = wrapped(term, x | y);
        return true;
    case PTX_TERM_XOR:
        *value = wrapped(term, x ^ y);
        return true;
    default:
        return signed_value(term, a, b, value);
    }
}

bool ptx_same_round(const struct ptx_term *a, const struct ptx_term *b)
{
    return a->kind == PTX_TERM_ROUND && b->kind == PTX_TERM_ROUND && a->index == b->index && a->loop == b->loop &&
           a->outer == b->outer;
}

/* Counts the leaves without a value, and keeps one of them. */
static void find_unknown(const struct ptx_term *term, const struct ptx_leaves *leaves, uint32_t *count,
                         const struct ptx_term **found)
{
    int64_t value;
    if (term->a) {
        find_unknown(term->a, leaves, count, found);
        if (term->b)
            find_unknown(term->b, leaves, count, found);
    } else if (term->kind != PTX_TERM_NUMBER && !leaves->value(leaves->context, term, &value)) {
        *count += !*found || !ptx_same_round(term, *found);
        *found = term;
    }
}

const struct ptx_term *ptx_term_unknown(const struct ptx_term *term, const struct ptx_leaves *leaves)
{
    uint32_t count = 0;
    const struct ptx_term *found = NULL;
    find_unknown(term, leaves, &count, &found);
    return count == 1 ? found : NULL;
}
