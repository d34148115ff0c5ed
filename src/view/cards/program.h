/* What a whole program did, call by call: a strip along its run, and a list. */
#ifndef LANESCOPE_VIEW_CARDS_PROGRAM_H
#define LANESCOPE_VIEW_CARDS_PROGRAM_H
#include "view/view.h"

enum program_item_kind {
    PROGRAM_ALLOCATION,
    PROGRAM_FREE,
    PROGRAM_COPY,
    PROGRAM_FILL,
    PROGRAM_LAUNCH,
    PROGRAM_LIBRARY, /* the host did the work of a library, such as a product of cuBLAS */
    PROGRAM_WAIT,    /* the host waits for the device */
    PROGRAM_OTHER,   /* other calls */
    PROGRAM_HOST,    /* the host used managed or pinned memory before it synchronised */
    PROGRAM_CRASH,   /* a signal ended the program */
    PROGRAM_END      /* it ended by itself */
};
enum program_direction { PROGRAM_HOST_TO_HOST, PROGRAM_TO_DEVICE, PROGRAM_FROM_DEVICE, PROGRAM_WITHIN_DEVICE };

struct program_item {
    enum program_item_kind kind;
    uint32_t call;     /* its index in the record */
    const char *name;  /* of the function, or of the kernel */
    uint64_t launcher; /* the launch whose kernel launched this one; 0: the host did */
    const char *file;  /* "": unknown */
    uint32_t line;
    bool sized;     /* `bytes` is known */
    uint64_t bytes; /* of an allocation, a copy, a fill */
    enum program_direction direction;
    uint64_t in_use;        /* device memory after the call */
    double model_us;        /* 0: the call is no work of the device */
    double measured_us;     /* on a GPU; 0: not measured */
    double host_us;         /* measured on the host, with the emulator's work */
    int error;              /* that the call returned; of a crash the signal */
    const char *error_name; /* "cudaErrorInvalidValue"; NULL: none, or unknown */
    uint32_t mistake;  /* the first mistake of host code in it: an index in program_view.mistakes, plus 1; 0: none */
    uint32_t mistakes; /* their number */
    bool fault;        /* one of them is no mere note */
    uint64_t launch;   /* its number; 0: it did not run */
    bool opens;        /* its lanes were recorded */
    uint32_t grid[3], block[3], shared_bytes;
    uint32_t findings;
    uint32_t worst_line;           /* of the launch's most wasteful access; 0: nothing is wasted */
    uint64_t worst_wasted, wasted; /* bytes, as in the overview */
    uint64_t worst_held;           /* of worst_wasted: what the L1 held; 0 where the caches are not known */
};

/* A mistake of host code, in words. */
struct program_mistake {
    size_t item; /* the call */
    bool fault;
    const char *title, *words, *advice;
};

struct program_view {
    const struct program_item *items;
    size_t count, chosen;
    uint64_t most_in_use;
    const struct program_mistake *mistakes;
    size_t mistake_count;
    /* Of the chosen launch without a finding: what it wastes most, and what to change. NULL: nothing that matters. */
    const char *waste, *cost, *remedy;
    const char *summary; /* how the run ended, and what it held */
    bool measured;       /* the program ran on a GPU, which has times of its own */
    bool failed;         /* the summary tells of a failure */
    bool old;            /* the run is of the source before the last change */
    bool back;           /* the strip has a button that leads to the list */
};
/* Draws the calls in order from the left, with the memory in use above them, and a page of them that holds the chosen
 * one. A click returns ACTION_GO_CALL, with value -1 for the list. */
struct action card_program_strip(struct view *view, struct rect box, const struct program_view *program);
/* Draws the list, a page of it that holds the chosen row. A click returns ACTION_GO_CALL, turning the
 * page one that only chooses. */
struct action card_program_list(struct view *view, struct rect box, const struct program_view *program);

/* Draws the mistakes of the chosen call with their remedies at the bottom of the box, and cuts them off; without a
 * mistake what the launch wastes. */
void card_program_mistakes(struct view *view, struct rect *box, const struct program_view *program);

/* Returns what is wrong with a call in a few words, "" if nothing is. */
const char *program_item_wrong(struct arena *arena, const struct program_view *program,
                               const struct program_item *item);
/* Return what a call did: "1,024 B to the device", "<<<8, 128>>>, shared memory 512 B"; and all that is known of it. */
const char *program_item_words(struct arena *arena, const struct program_item *item);
const char *program_item_tip(struct arena *arena, const struct program_item *item);
static inline bool program_item_bad(const struct program_item *item)
{
    return item->error || item->findings || item->fault || item->kind == PROGRAM_CRASH || item->kind == PROGRAM_HOST;
}
#endif
