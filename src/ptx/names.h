/* Each name and keyword of a text exactly once, with its innermost declaration at the parser's current position. The
 * end of a scope removes the scope's declarations. */
#ifndef LANESCOPE_PTX_NAMES_H
#define LANESCOPE_PTX_NAMES_H
#include "base/arena.h"
#include "ptx/module.h"

enum meaning_kind {
    MEANS_NOTHING,
    MEANS_VARIABLE, /* scope and index are valid */
    MEANS_REGISTER,
    MEANS_RANGE, /* `%r<12>`: index of the range; stored under its prefix, apart from the other kinds */
    MEANS_FUNCTION,
    MEANS_LABEL,     /* index: an instruction */
    MEANS_TARGETS,   /* index: a list of branch targets */
    MEANS_PROTOTYPE, /* of an indirect call; the program does not need it */
};

struct meaning {
    enum meaning_kind kind;
    enum ptx_scope scope;
    uint32_t index, depth;
    uint32_t name, outer; /* outer: the declaration that this one hides, + 1 */
};

struct name {
    const char *text; /* in the source text: not NUL-terminated */
    uint32_t length, hash;
    uint32_t meaning, range; /* innermost declaration + 1; 0 when not declared */
    /* keyword numbers + 1; 0 when the name is no such keyword */
    uint16_t opcode, modifier, special;
    uint8_t type, space;
};

struct names {
    struct {
        struct name *items;
        size_t count, capacity;
    } list;
    struct {
        struct meaning *items;
        size_t count, capacity;
    } meanings;
    uint32_t *slots; /* name + 1, open addressing; slot_count is a power of two */
    size_t slot_count;
    uint32_t depth;
};

/* Makes a table that contains PTX's keywords. names_free frees it. */
void names_start(struct names *names);
void names_free(struct names *names);
/* Returns the name's number and adds a new name. text must live as long as names. */
uint32_t names_add(struct names *names, const char *text, uint32_t length);
/* Returns the name's number, or PTX_NO_INDEX when it is not in the table. */
uint32_t names_find(const struct names *names, const char *text, uint32_t length);

void names_declare(struct names *names, uint32_t name, enum meaning_kind kind, enum ptx_scope scope, uint32_t index);
/* Return the innermost declaration, or NULL. The next names_declare makes the pointer invalid. */
const struct meaning *names_meaning(const struct names *names, uint32_t name);
const struct meaning *names_range(const struct names *names, uint32_t name);
/* Returns whether the innermost declaration was made in the current scope. */
bool names_declared_here(const struct names *names, uint32_t name);
void names_open(struct names *names);
void names_close(struct names *names);
#endif
