/* The address of an access as an expression: the definitions of its register are followed backwards through the PTX to
 * parameters, special registers, variables and constants. A register to which a loop adds the same step in every round
 * is its first value and the step times the number of rounds. What cannot be followed, such as a loaded value or a
 * register that two branches set, stays a register. */
#ifndef LANESCOPE_PTX_DERIVE_H
#define LANESCOPE_PTX_DERIVE_H
#include "base/arena.h"
#include "ptx/module.h"

enum ptx_term_kind {
    PTX_TERM_NUMBER,
    PTX_TERM_PARAMETER, /* index: of the kernel's parameters */
    PTX_TERM_SPECIAL,   /* index: enum ptx_special; component */
    PTX_TERM_VARIABLE,  /* its address. index, in the variables of scope */
    PTX_TERM_REGISTER,  /* index: the register; why */
    PTX_TERM_ROUND,     /* how often a loop has added its step. index, loop, outer */
    PTX_TERM_UNSIGNED,  /* a as an unsigned number of 32 bits */
    PTX_TERM_SUM,
    PTX_TERM_DIFFERENCE,
    PTX_TERM_PRODUCT,
    PTX_TERM_QUOTIENT,
    PTX_TERM_REST,
    PTX_TERM_RIGHT, /* a shifted right by b bits */
    PTX_TERM_AND,
    PTX_TERM_OR,
    PTX_TERM_XOR,
    PTX_TERM_LEAST,
    PTX_TERM_GREATEST
};
/* Why a register is not followed further. */
enum ptx_term_end {
    PTX_END_LOADED,  /* a load or an atomic defines it */
    PTX_END_SEVERAL, /* it has several definitions, and is not a first value with equal steps */
    PTX_END_OTHER    /* another instruction, such as a call, or too long a way */
};

struct ptx_term {
    enum ptx_term_kind kind;
    enum ptx_scope scope;
    enum ptx_term_end why;
    uint8_t component;
    bool narrow;          /* 32 bits: the result wraps */
    bool unsigned_type;   /* of a quotient, a rest, a shift, the least and the greatest */
    uint32_t index;       /* of a round: the first instruction of the straight run that adds the step */
    uint32_t loop, outer; /* of a round: the branch back of its loop, and that of the loop around the first value, or
                             PTX_NO_INDEX */
    int64_t number;       /* of a round: 1 if the access runs after the step in the same round, else 0 */
    const struct ptx_term *a, *b;
    const struct ptx_instruction *at; /* that makes it; NULL: the address itself */
};

/* Returns the address of the instruction's memory operand, or NULL: it has none. of_copy: of a cp.async, the place that
 * it reads. */
const struct ptx_term *ptx_address(struct arena *arena, const struct ptx_function *function,
                                   const struct ptx_instruction *instruction, bool of_copy);

/* What the leaves of a term are. */
struct ptx_leaves {
    void *context;
    const char *(*words)(void *context, struct arena *arena, const struct ptx_term *leaf);
    bool (*value)(void *context, const struct ptx_term *leaf, int64_t *value); /* false: not known */
};
/* Returns the term as an expression of C. values: with the known leaves' numbers in place of their names. */
const char *ptx_term_words(struct arena *arena, const struct ptx_term *term, const struct ptx_leaves *leaves,
                           bool values);
/* Computes the term. Returns false if a leaf has no value. */
bool ptx_term_value(const struct ptx_term *term, const struct ptx_leaves *leaves, int64_t *value);
/* Returns whether both are rounds of the same loop, counted from the same beginning: they have the same value. */
bool ptx_same_round(const struct ptx_term *a, const struct ptx_term *b);
/* Returns the leaf without a value if there is exactly one; else NULL. A register that stands in the term twice counts
 * twice, since it may have changed between; equal rounds count once. */
const struct ptx_term *ptx_term_unknown(const struct ptx_term *term, const struct ptx_leaves *leaves);
#endif
