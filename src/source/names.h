/* For this room only: the integers that a source gives a name, and their values. */
#ifndef LANESCOPE_SOURCE_NAMES_H
#define LANESCOPE_SOURCE_NAMES_H
#include "source/tokens.h"

enum { SOURCE_NAMES_MAX = 512 };
/* An integer that the source gives a name and a value. */
struct source_name {
    const struct source_token *name, *from, *to; /* the value is from `from` up to `to` */
    uint32_t index;                              /* the token of the source from which on it holds */
    int64_t value;                               /* of one that is written in numbers */
    bool computed;                               /* the value has other names in it */
    int dimension;                               /* of a dim3; -1: a plain number */
    bool constant;                               /* const, constexpr, #define or of an enum: nothing can change it */
    bool defined, enumerated;                    /* by #define; by an enum */
    int depth;                                   /* of braces around it */
    bool taken;                                  /* it is a knob already */
};
struct source_names {
    const struct source *source;
    struct source_name items[SOURCE_NAMES_MAX];
    size_t count;
};
/* Returns the names of the source, in its arena. */
struct source_names *source_names_read(const struct source *source);
/* Returns whether the program may change the variable after its declaration. */
bool source_is_changed(const struct source_names *names, const struct source_name *named);

/* Where names are read: what is declared behind that token does not count. */
struct source_scope {
    const struct source_names *names;
    uint32_t index;
    int depth, looks;
};
/* Returns the declaration that a name means here, or NULL. dimension: the side of a dim3, -1: a plain number. */
const struct source_name *source_declared(const struct source_scope *scope, const struct source_token *name,
                                          int dimension);
/* Sets the value of a name, or of a side of a dim3 (-1: none). Returns false if it is not constant. */
bool source_named_value(struct source_scope *scope, const struct source_token *name, int side, int64_t *value);
/* A source_resolve; the context is a source_scope. */
const struct source_token *source_scope_value(void *context, const struct source_token *name,
                                              const struct source_token *end, int64_t *value);

/* A launch: the tokens of <<< and >>>, and of the kernel's name before them. */
struct source_call {
    const struct source_token *kernel, *open, *close;
};
/* Finds the next launch from a token on. Returns false if there is none. */
bool source_next_call(const struct source *source, uint32_t from, struct source_call *call);
#endif
