/* Every name and keyword of a text once, with what it means where the parser stands: the innermost declaration. A scope
 * that ends takes its declarations with it. */
#ifndef LANESCOPE_PTX_NAMES_H
#define LANESCOPE_PTX_NAMES_H
#include "base/arena.h"
#include "ptx/program.h"

enum meaning_kind {
    MEANS_NOTHING,
    MEANS_VARIABLE, /* scope and index */
    MEANS_REGISTER,
    MEANS_RANGE, /* `%r<12>`: index of the range; under its prefix, apart from the other kinds */
    MEANS_FUNCTION,
    MEANS_LABEL,     /* index: an instruction */
    MEANS_TARGETS,   /* index: a list of branch targets */
    MEANS_PROTOTYPE, /* of an indirect call: nothing the program needs */
};

struct meaning {
    enum meaning_kind kind;
    enum ptx_scope scope;
    uint32_t index, depth;
    uint32_t name, outer; /* outer: the declaration this one hides, + 1 */
};

struct name {
    const char *text; /* in the source text: not NUL-terminated */
    uint32_t length, hash;
    uint32_t meaning, range; /* the innermost one + 1; 0 when not declared */
    /* keywords: + 1, 0 when the name is none */
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

/* Starts with PTX's own words in it. */
void names_start(struct names *names);
void names_free(struct names *names);
/* The name's number, added when it is new. text must live as long as names. */
uint32_t names_add(struct names *names, const char *text, uint32_t length);
/* The same without adding: PTX_NO_INDEX when there is none. */
uint32_t names_find(const struct names *names, const char *text, uint32_t length);

void names_declare(struct names *names, uint32_t name, enum meaning_kind kind, enum ptx_scope scope, uint32_t index);
/* The innermost declaration, or NULL. Not to be kept over names_declare. */
const struct meaning *names_meaning(const struct names *names, uint32_t name);
const struct meaning *names_range(const struct names *names, uint32_t name);
/* Whether the innermost declaration was made in the scope that is open now. */
bool names_declared_here(const struct names *names, uint32_t name);
void names_open(struct names *names);
void names_close(struct names *names);
#endif
