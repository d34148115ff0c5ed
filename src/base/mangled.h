/* The names that C++ compilers give to symbols, after the Itanium ABI: names, template arguments and parameter types of
 * kernels and functions. Expressions and operators in them are not read. */
#ifndef LANESCOPE_BASE_MANGLED_H
#define LANESCOPE_BASE_MANGLED_H
#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>

struct mangled { /* texts in the arena */
    /* the last name: "reverse" for "_Z7reversePfPKfi", "tile" for "_ZZ6kernelPfE4tile" */
    const char *name;
    /* with namespaces and the template's arguments: "lib::sum<int, 16>"; the last name where they are not understood */
    const char *whole;
    /* of the template, as C++ writes them: "int", "16"; none where one of them is not understood */
    const char *const *arguments;
    size_t argument_count;
    bool typed;                    /* the parameters are known */
    const char *const *parameters; /* their types: "const float *" */
    size_t parameter_count;
};
/* Reads a symbol. Returns false if it is no such name. */
bool mangled_read(struct arena *arena, const char *symbol, struct mangled *mangled);
/* Returns the last name of a symbol. Any other name stays as it is. */
const char *mangled_name(struct arena *arena, const char *symbol);
/* Returns the name with its namespaces and the template's arguments. Any other name stays as it is. */
const char *mangled_whole_name(struct arena *arena, const char *symbol);
#endif
