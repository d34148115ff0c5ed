/* Where lanes that a branch parts can be brought together again, for the probes: the hardware brings them together in
 * the kernel as it is, but not where a probe makes lanes wait for each other in between. */
#ifndef LANESCOPE_PTX_MEET_H
#define LANESCOPE_PTX_MEET_H
#include "ptx/module.h"

/* What is known about the paths between a branch and its reconvergence point. Only PTX_MEETING calls for waiting. */
enum ptx_meeting_state {
    PTX_MEETING,             /* all lanes arrive, or end, without waiting for others */
    PTX_MEETING_QUIET,       /* they make no event, so no probe parts them; or they only end */
    PTX_MEETING_WAITS,       /* an instruction waits for other lanes, warps or blocks */
    PTX_MEETING_POLLS,       /* a loop ends when other threads change memory */
    PTX_MEETING_RETURNS,     /* some lanes return from the function */
    PTX_MEETING_UNKNOWN,     /* a function is called whose body is not known */
    PTX_MEETING_RECURSES,    /* a function calls itself in two places: the hardware parts the lanes, too */
    PTX_MEETING_IRREDUCIBLE, /* no single place comes before the branches, or a loop has two entries */
};

struct ptx_meeting {
    enum ptx_meeting_state state;
    uint32_t from; /* the instruction before which, or after which, the lanes that are together are remembered */
    bool after;
    bool once;   /* lanes may come to `at` again, or at first, without passing `from` */
    uint32_t at; /* the instruction before which they wait for each other */
};

struct ptx_meetings { /* of one function, one per reconvergence point inside it */
    struct ptx_meeting *items;
    uint32_t count;
};

/* Finds the meetings of all functions, by number of the function, in the arena. */
const struct ptx_meetings *ptx_find_meetings(struct arena *arena, const struct ptx_module *module);
#endif
