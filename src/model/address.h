/* The address of a lane's access from the terms that the PTX computes: the numbers of the launch and of the thread, the
 * rounds of the loops around it, and the one value that follows from the address itself. */
#ifndef LANESCOPE_MODEL_ADDRESS_H
#define LANESCOPE_MODEL_ADDRESS_H
#include "model/timeline.h"
#include "ptx/derive.h"
#include "trace/launch.h"

enum { ADDRESS_ROUNDS = 4 };

struct address {
    /* Given: the access of a lane at a position of the timeline. */
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    const struct launch *launch;
    const struct timeline *timeline;
    size_t position;
    int lane;
    struct arena *arena;
    /* Found by address_solve. */
    uint32_t thread[3], block[3];
    const struct ptx_instruction *access;
    const struct ptx_term *term;   /* the address; NULL: it is not known how it is computed */
    const struct ptx_term *solved; /* the one leaf that follows from the address; NULL: none */
    int64_t solution;              /* its value */
    /* How often loops have gone round before the access, where the address alone does not say it. */
    const struct ptx_term *rounds[ADDRESS_ROUNDS]; /* no two the same */
    int64_t counts[ADDRESS_ROUNDS];
    uint32_t round_count;
    bool counted; /* `counts` is known, and gives the address */
};

/* Finds the rest of the struct from what is given. Returns false if it is not known how the PTX computes the address.
 */
bool address_solve(struct address *address);
/* Returns whether the value of a leaf of the address is known. */
bool address_leaf(const struct address *address, const struct ptx_term *leaf, int64_t *value);
/* Returns the number of a round among those of the address, or ADDRESS_ROUNDS. */
uint32_t address_round(const struct address *address, const struct ptx_term *leaf);
/* Returns the variable whose address a leaf is, or NULL. */
const struct ptx_variable *address_variable(const struct address *address, const struct ptx_term *leaf);
#endif
