/* For this room only: the integers that a source gives a name, and the text around a launch. All positions are bytes
 * from the beginning of the source. */
#ifndef LANESCOPE_RUN_SOURCE_NAMES_H
#define LANESCOPE_RUN_SOURCE_NAMES_H
#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOURCE_NAMES_MAX = 512 };
/* An integer that the source gives a name and a value. */
struct source_name {
    size_t name, name_length;
    size_t at, length; /* of the value */
    long long value;   /* of one that is written in numbers */
    bool computed;     /* the value has other names in it */
    int dimension;     /* of a dim3; -1: a plain number */
    bool constant;     /* const, constexpr or #define: nothing can change it */
    bool defined;      /* by #define */
    int depth;         /* of braces around it */
    bool taken;        /* it is a knob already */
};
struct source_names {
    struct arena *arena;
    const char *source;
    char *text; /* the source without comments, literals of text and lines of the preprocessor, of the same length */
    struct source_name items[SOURCE_NAMES_MAX];
    size_t count;
};
/* Returns the names of the source, in the arena. */
struct source_names *source_names_read(struct arena *arena, const char *source);
/* Returns whether the program may change the variable after its declaration. */
bool source_is_changed(const struct source_names *names, const struct source_name *named);
/* Returns the name of the kernel before the <<< at this place; "": there is none. */
const char *source_kernel_before(const struct source_names *names, size_t at);

uint32_t source_line_at(const char *text, size_t at);
bool source_in_word(char c);
size_t source_skip_space(const char *text, size_t at);
size_t source_word_end(const char *text, size_t at);
/* Returns the end of a value: the comma, bracket or semicolon behind it, at the same depth. */
size_t source_value_end(const char *text, size_t at);
void source_trim(const char *text, size_t *from, size_t *to);

/* Reads an integer of literals, operators and names. resolve gives the value of a name, such as N or block.x. */
typedef bool source_resolve(void *context, const char *name, size_t length, int dimension, long long *value);
bool source_computed(const char *text, size_t length, source_resolve *resolve, void *context, long long *value);
#endif
