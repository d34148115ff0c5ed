/* The value of an integer that C code computes from literals, operators and names. */
#ifndef LANESCOPE_SOURCE_CONSTANT_H
#define LANESCOPE_SOURCE_CONSTANT_H
#include "source/tokens.h"

/* Gives a name that begins here its value, such as N or block.x. Returns the token behind it, NULL if it has none. */
typedef const struct source_token *source_resolve(void *context, const struct source_token *name,
                                                  const struct source_token *end, int64_t *value);
/* Returns whether the tokens up to `to` are a constant, and sets its value. Without resolve, names have no value. */
bool source_evaluate(const struct source_token *from, const struct source_token *to, source_resolve *resolve,
                     void *context, int64_t *value);
#endif
