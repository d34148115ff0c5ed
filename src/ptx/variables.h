/* The variables of a kernel and the space in which the compiler put each of them. */
#ifndef LANESCOPE_PTX_VARIABLES_H
#define LANESCOPE_PTX_VARIABLES_H
#include "base/arena.h"
#include "ptx/module.h"

/* Who sees one copy of a variable, and how long it exists. */
enum ptx_owner { PTX_OWNER_THREAD, PTX_OWNER_BLOCK, PTX_OWNER_GRID };
enum ptx_lifetime { PTX_LIFE_THREAD, PTX_LIFE_BLOCK, PTX_LIFE_LAUNCH, PTX_LIFE_PROGRAM };
enum ptx_owner ptx_space_owner(enum ptx_space space);
enum ptx_lifetime ptx_space_lifetime(enum ptx_space space);

/* A field of a structure. */
struct ptx_field {
    const char *name;
    uint64_t offset, bytes; /* bytes: of one element, if it is an array */
    uint64_t count;         /* elements; 0: it is no array */
    bool whole, real;       /* a whole number, a floating-point number; else something that is made of others */
};
/* What the bytes of a variable are, where the source says it. */
struct ptx_layout {
    bool array;                     /* else it is one element */
    uint64_t element;               /* bytes */
    uint64_t columns;               /* elements of a row; 0: the array has one dimension */
    const struct ptx_field *fields; /* of an element that is a structure */
    uint32_t field_count;
};

struct ptx_placed {
    const char *name;
    bool by_compiler;                /* the name is the compiler's; the name in the source is not known */
    bool pointed_to;                 /* the buffer that a parameter of this name points to */
    enum ptx_space space;            /* GLOBAL, SHARED, LOCAL, CONST, PARAM or REGISTER */
    uint64_t bytes;                  /* of one copy; 0: unknown */
    uint64_t offset;                 /* of SHARED: in the block's shared memory */
    const struct ptx_layout *layout; /* of a shared variable, of a buffer of structures; NULL: not known */
};

/* Lists what the PTX declares for a kernel: its parameters, and the variables that it or a function called by it uses.
 * Registers are not listed: those of PTX are virtual, and the GPU's are assigned only when the PTX is translated.
 * Returns the list in the arena and sets its length. */
struct ptx_placed *ptx_variables(struct arena *arena, const struct ptx_module *module,
                                 const struct ptx_function *kernel, uint32_t *count);
/* Returns the name of a place in a variable whose layout is known: "points[3].x", "tile[1][29]". offset: from the
 * variable's beginning; bytes: of the access, 0: not known. In the arena, in the user's language. */
const char *ptx_place_name(struct arena *arena, const char *variable, const struct ptx_layout *layout, uint64_t offset,
                           uint64_t bytes);
/* Returns the same of a place in the block's shared memory; NULL: it lies in no variable whose layout is known. */
const char *ptx_shared_name(struct arena *arena, const struct ptx_placed *variables, uint32_t count, uint64_t offset,
                            uint64_t bytes);
/* Returns the name in the source: "tile" for "_ZZ6kernelPfE4tile", "weights" for "_ZN4mine7weightsE". Returns NULL for
 * a name of the compiler's own, such as __local_depot0. */
const char *ptx_variable_name(struct arena *arena, const char *name);
#endif
