/* For src/program only: what the passes that look for host mistakes share. */
#ifndef LANESCOPE_PROGRAM_LOOKING_H
#define LANESCOPE_PROGRAM_LOOKING_H
#include "program/program.h"
#include "source/tokens.h"

/* An allocation of the run. */
struct known {
    struct mistake_allocation is;
    uint64_t base;        /* its address; 0: unknown */
    uint32_t freed_index; /* the call that freed it; 0: none */
    bool leaks;
};
struct looking {
    struct program_run *run;
    struct known *known; /* by number, from 1 */
    uint32_t known_count;
    uint32_t *leaked, leak_count;
    uint32_t printing; /* the last launch whose kernel printed */
    bool context_lost; /* what fails from here on says nothing */
    struct source_text {
        const char *path;
        const struct source *source; /* NULL: it cannot be read */
    } sources[16];
    uint32_t source_count;
};

uint64_t look_number(const json_t *object, const char *key);  /* 0: none */
const char *look_text(const json_t *object, const char *key); /* "": none */
const struct known *look_allocation(const struct looking *looking, const json_t *pointer);
/* Returns a new mistake of a call, whose arguments the caller fills. */
struct mistake *look_found(struct looking *looking, enum mistake_kind kind, uint32_t index);

/* mistakes_launch.c: what one call shows about launches; about sizes and about memory that nothing wrote. */
void mistakes_of_launch(struct looking *looking, uint32_t index);
void mistakes_of_sizes(struct looking *looking, uint32_t index);

/* mistakes_source.c: questions to the text of the program. Each answers for what cannot be read in the program's
 * favour. */
bool source_uses_result(struct looking *looking, uint32_t call);
/* Returns whether an argument, counted from 0, plainly has no size of an element in it: a number, or names whose
 * definitions show none. */
bool source_counts_elements(struct looking *looking, uint32_t call, unsigned argument);
/* Returns whether the names between <<< and >>> say that the block comes first. */
bool source_names_block_first(struct looking *looking, uint32_t call);
void source_close(struct looking *looking);
#endif
