/* A finding is one mistake of a kernel as values: a fault that stopped the run, a note, or a race. The emulator makes
 * findings, traces and their files hold them, and src/report/ turns them into sentences and JSON. */
#ifndef LANESCOPE_TRACE_FINDING_H
#define LANESCOPE_TRACE_FINDING_H
#include "base/arena.h"
#include "ptx/module.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum finding_kind {
#define FINDING_KIND(name, word) FINDING_##name,
#include "trace/findings.def"
    FINDING_KINDS
};
/* A kind has one or more forms: the sentences that it can have, each with its own arguments. */
enum finding_form {
#define FINDING_FORM(name, word, kind, class, arguments) FINDING_##name,
#include "trace/findings.def"
    FINDING_FORMS
};
enum finding_class {
    FINDING_FAULT, /* the run stopped here */
    FINDING_NOTE,  /* the warp went on */
    FINDING_HAZARD /* two accesses that nothing orders; the warp went on */
};

/* An instruction that a thread executed. */
struct finding_place {
    uint32_t site; /* index in trace.sites, or PTX_NO_INDEX */
    uint32_t file; /* index in trace.files, or PTX_NO_INDEX */
    uint32_t line, column;
    bool near; /* the compiler gave the instruction no line: file and line are the nearest before it in its function */
    uint64_t block;
    uint32_t thread[3];
};

enum finding_access { FINDING_READ, FINDING_WRITE, FINDING_ATOMIC };
enum finding_side { FINDING_NOWHERE, FINDING_BEFORE, FINDING_ACROSS, FINDING_AFTER };

/* The access of one lane, and the memory that it missed or that nothing had written. */
struct finding_memory {
    enum ptx_space space;
    enum finding_access access;
    uint32_t bytes;       /* of the access */
    int64_t offset;       /* in shared or local memory; of an uninitialized read the byte in `name` */
    uint64_t space_bytes; /* all of shared memory, or of the thread's local memory */
    bool dynamic;         /* the kernel has shared memory whose size the launch gives */
    /* The buffer or shared array that the access belongs to or lies nearest to; "": none. */
    const char *name;
    uint64_t base, size;    /* in bytes */
    enum finding_side side; /* of `name` that the access lies on; ACROSS: it begins inside and ends beyond */
    uint64_t distance;      /* bytes between the access and `name`, or the nearest memory that malloc gave */
    bool indexed;
    int64_t index;      /* when indexed: name[index] would lie at the address, or holds the byte at `offset` */
    const char *inside; /* another shared array that the address lies in; "" none */
};
struct finding_copy { /* in bulk */
    uint64_t bytes, from, to;
};
enum finding_order { FINDING_READ_AFTER_WRITE, FINDING_WRITE_AFTER_READ, FINDING_WRITE_AFTER_WRITE };
struct finding_race { /* finding.at is the second access */
    enum finding_order order;
    enum ptx_space space;
    struct finding_place first;
};
struct finding_barrier {
    uint64_t number, expected; /* the barrier's, and the threads that it waits for */
    uint32_t threads;          /* of the block, or of the warp, that have not ended */
    uint32_t arrived, warp;
    uint32_t line; /* of the barrier that others wait at */
};
struct finding_mbarrier { /* a barrier object */
    uint64_t offset;      /* in shared memory */
    int64_t missing, expected, bytes;
    int64_t arrivals, most;
};
struct finding_mask {
    uint32_t lane, mask;    /* mask: what the instruction names */
    uint32_t here, missing; /* lanes */
};
struct finding_loop {
    uint32_t warp, other_blocks; /* blocks that have begun and wait as well */
    uint64_t instructions;       /* of the block's warps */
};
struct finding_stack {
    uint64_t wanted, size, left; /* bytes */
    uint32_t depth;              /* of calls */
};
struct finding_assertion {
    const char *text, *function, *file;
    uint32_t line;
};
struct finding_branch {
    uint64_t index;
    uint32_t targets;
};
struct finding_call {
    const char *function;
};
struct finding_text { /* of a trace file of version 1, or of a form that this program does not know */
    const char *word, *text;
};

/* Lanes of one warp that wait. */
enum finding_thing { FINDING_AT_BARRIER, FINDING_AT_LANES, FINDING_AT_MBARRIER };
struct finding_wait {
    enum finding_thing thing; /* that they wait for */
    uint32_t warp, threads, line;
    bool near; /* as in struct finding_place */
};

struct finding {
    enum finding_kind kind;
    enum finding_form form;
    struct finding_place at;
    uint32_t lanes; /* that executed the instruction together */
    uint64_t address;
    uint64_t time;                    /* orders findings of one block; files do not hold it */
    const struct finding_wait *waits; /* of deadlocks and barriers: the first groups of lanes that wait meanwhile */
    uint32_t wait_count, wait_total;
    union {
        struct finding_memory memory;
        struct finding_copy copy;
        struct finding_race race;
        struct finding_barrier barrier;
        struct finding_mbarrier mbarrier;
        struct finding_mask mask;
        struct finding_loop loop;
        struct finding_stack stack;
        struct finding_assertion assertion;
        struct finding_branch branch;
        struct finding_call call;
        struct finding_text text;
    };
};
enum { FINDING_WAITS_MAX = 12 }; /* that a finding keeps */

enum finding_class finding_class_of(const struct finding *finding);
static inline bool finding_is_race(const struct finding *finding)
{
    return finding->kind == FINDING_RACE;
}
/* The kind's word, or the word that a file gave to a kind that this program does not know. */
const char *finding_word(const struct finding *finding);
enum finding_kind finding_kind_of_word(const char *word); /* FINDING_OTHER when no kind has it */
enum finding_kind finding_kind_of(enum finding_form form);
/* The word of a form in trace files, and the form of a word; FINDING_FORMS: unknown. */
const char *finding_form_word(enum finding_form form);
enum finding_form finding_form_of_word(const char *word);

/* A deep copy: its texts and waits lie in the arena. */
struct finding finding_copied(struct arena *arena, const struct finding *finding);
/* Sorts the findings of one run. The fault that stopped it comes first, then notes and then races, each by block and
 * site. But a race precedes what it may have caused: each fault and note that came after it in one of its blocks. */
void findings_sort(struct finding *findings, uint32_t count);

/* The arguments of a form, one by one. Trace files hold them under these names. */
enum finding_field_type {
    FINDING_NUMBER, /* 32 bits; bool and enum too */
    FINDING_NUMBER64,
    FINDING_SIGNED64,
    FINDING_FLAG,
    FINDING_STRING,
    FINDING_SITE, /* index in a table of the trace, or PTX_NO_INDEX */
    FINDING_FILE
};
struct finding_field {
    const char *name;
    enum finding_field_type type;
    size_t offset; /* in struct finding */
    uint64_t most; /* of a number */
};
const struct finding_field *finding_fields(enum finding_form form, size_t *count);
uint64_t finding_number(const struct finding *finding, const struct finding_field *field);
void finding_set_number(struct finding *finding, const struct finding_field *field, uint64_t number);
const char *finding_string(const struct finding *finding, const struct finding_field *field);
void finding_set_string(struct finding *finding, const struct finding_field *field, const char *text);

/* The part of a requested check that was left out. */
enum unchecked_reason {
    UNCHECKED_NOTHING, /* all was looked at */
    UNCHECKED_GPU,     /* only the emulator checks, and a GPU ran the kernel */
    UNCHECKED_MEMORY   /* races: the kernel used more global memory than is watched */
};
struct unchecked {
    enum unchecked_reason reason;
    uint64_t watched_bytes, left_out_bytes; /* of global memory */
};
#endif
