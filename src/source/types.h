/* For this room only: types and declarations of C++, as far as kernels use them: numbers, vectors, pointers, arrays,
 * structures, and other names of them. */
#ifndef LANESCOPE_SOURCE_TYPES_H
#define LANESCOPE_SOURCE_TYPES_H
#include "ptx/variables.h"
#include "source/names.h"

struct source_type {
    enum ptx_type type;    /* of a number, or of each of a vector's; PTX_TYPE_NONE: another type, or not known */
    unsigned numbers;      /* 4 of a float4; else 1 */
    uint64_t bytes, align; /* without the pointers; 0: not known */
    unsigned pointers;     /* stars */
    const struct ptx_field *fields; /* of a structure */
    uint32_t field_count;
};
enum { SOURCE_DIMENSIONS_MOST = 3 };
struct source_declared {
    const struct source_token *name;        /* NULL: none */
    struct source_type type;                /* with the stars of the name */
    uint64_t sizes[SOURCE_DIMENSIONS_MOST]; /* of an array; 0: not known, or left open */
    int dimensions;
    bool unsized;          /* a size is given but not known */
    bool reference, inner; /* inner: `(*f)(int)`, `(&a)[8]`: a pointer to a function or an array */
    bool function;
};
/* A reader of declarations, which looks up names in the source. */
struct source_types {
    struct source_scope scope; /* names: NULL until they are needed */
    const struct source *source;
    int depth, followed; /* how deep a type leads into others, and how many names were followed */
};
/* Returns a reader of what stands at this token of the source. */
struct source_types source_types_at(const struct source *source, uint32_t index);
/* Returns whether the token is a word of a built-in type of whole numbers, such as unsigned. */
bool source_is_whole_word(const struct source_token *token);
/* Returns whether the token names a type that CUDA C++ has: int, float4, size_t, dim3. */
bool source_is_built_in(const struct source_token *token);
/* Passes over const, __restrict__, attributes and the like. Returns the token behind them. */
const struct source_token *source_past_qualifiers(const struct source_token *at, const struct source_token *end);
/* Reads the words of a type, such as `const unsigned int`. Returns the token behind them; `at` if they are none. bytes
 * is 0 if the type is not known. */
const struct source_token *source_type_read(struct source_types *types, const struct source_token *at,
                                            const struct source_token *end, struct source_type *type);
/* Reads the stars, the name and the dimensions behind a type. Returns the token behind them; NULL: not understood. */
const struct source_token *source_declarator_read(struct source_types *types, const struct source_token *at,
                                                  const struct source_token *end, struct source_type base,
                                                  struct source_declared *declared);
/* Returns the bytes of what is declared as a variable; 0: not known. */
uint64_t source_declared_bytes(const struct source_declared *declared);
#endif
