/* The record of a run: events in order, the same from the emulator and from a GPU. Views, models and tests read traces
 * and never know who made them. File format: docs/trace-format.md. */
#ifndef LANESCOPE_TRACE_TRACE_H
#define LANESCOPE_TRACE_TRACE_H
#include "base/arena.h"
#include "base/error.h"
#include "trace/executor.h"
#include "trace/finding.h"
#include "trace/launch.h"

enum { WARP_LANES = 32 };
/* A trace holds so many events at the most; further ones are counted in trace.lost. */
enum { TRACE_EVENTS_MAX = 1 << 22 };

enum trace_operation { TRACE_LOAD, TRACE_STORE, TRACE_ATOMIC, TRACE_REDUCTION, TRACE_BARRIER, TRACE_BRANCH };

const char *trace_operation_word(enum trace_operation operation); /* "ld", "st", "atom", "red", "bar", "bra" */

/* Who makes an access: lanes, each for itself; lanes that name rows of a matrix, 8 at a time (LDSM, STSM); the engine
 * that copies in bulk. The last two count otherwise in hardware: docs/validation.md. */
enum trace_unit { TRACE_BY_LANES, TRACE_BY_ROWS, TRACE_IN_BULK };

/* One instruction of the kernel that makes events. */
struct trace_site {
    enum trace_operation operation;
    enum ptx_space space;  /* of a branch: SHARED when it asks whether the phase of a barrier object there is over */
    uint8_t bytes;         /* a lane reads or writes, vectors whole: 1, 2, 4, 8, 16 */
    uint32_t file;         /* index in trace.files, or PTX_NO_INDEX */
    uint32_t line, column; /* 0: unknown */
    const char *text;      /* the PTX instruction, e.g. "ld.shared.f32 %f1, [%r2]" */
    /* These follow from the text; files do not hold them. */
    enum trace_unit unit;
    enum ptx_type type; /* of an element, as written; PTX_TYPE_NONE when the instruction names none */
    bool by_table;      /* a branch by a table (brx), which leads to more than two places */
    bool compares;      /* an atomic that is a compare and exchange */
    bool timed;         /* its result may depend on which thread comes first: an atomic's, or a volatile load's */
};

/* A copy in bulk is told in events of up to 32 pieces, in the place of lanes. Fills the next of them, where `bytes`
 * from `first` on are still to be told, and returns its mask; 0: nothing is left. */
enum { TRACE_PIECE = 16, TRACE_PIECES = TRACE_PIECE * WARP_LANES /* bytes of a full event */ };
uint32_t trace_pieces(uint64_t first, uint64_t bytes, uint64_t addresses[WARP_LANES]);

enum trace_kind {
    TRACE_ACCESS,
    TRACE_BARRIER_ARRIVE,
    TRACE_BARRIER_RELEASE, /* one for each warp that waited */
    TRACE_BRANCH_TAKEN, /* a conditional branch: mask = lanes that reached it, other = lanes that took it; of a branch
                           by a table (brx) those that go where the lowest of them goes */
    TRACE_RECONVERGE,   /* mask = lanes together again */
    TRACE_EXIT,         /* mask = lanes that ended */
    TRACE_FAULT         /* the run stopped here: see trace.findings */
};

struct trace_event {
    enum trace_kind kind;
    uint32_t site;        /* index in trace.sites; PTX_NO_INDEX for EXIT */
    uint64_t block;       /* linear */
    uint32_t warp;        /* in its block */
    uint32_t mask;        /* active lanes, bit i = lane i */
    uint32_t other;       /* see enum trace_kind; of an access by the model clock: cycles that its warp waits for it */
    uint32_t sm;          /* multiprocessor; 0 on the emulator */
    enum ptx_space space; /* of an access through a generic address: the space it fell in (an executor makes one event
                             a space); 0, PTX_SPACE_GENERIC: as the site says. See trace_space */
    uint64_t time;        /* trace.clock says of which clock */
    uint64_t lanes;       /* of an access: index of its first address in trace.addresses (32 of them) */
};

enum trace_clock {
    TRACE_CLOCK_MODEL, /* the emulator's model cycles: orders the animation, measures nothing */
    TRACE_CLOCK_GPU    /* cycles of each multiprocessor's %clock64 since the launch's first event; clocks of two
                          multiprocessors are set side by side by %globaltimer, as finely as that ticks. Up to
                          eight accesses without branch or barrier between them have the clock of the first */
};

struct trace_buffer { /* where a buffer lay, to name addresses; shared memory has none */
    const char *name;
    enum ptx_type type;
    uint64_t address, count; /* address 0: it lay nowhere, as a variable that nobody uses on a GPU */
};
/* Whether the module's variable stands among the buffers: those in global and constant memory. */
bool trace_is_buffer(const struct ptx_variable *variable);

/* Totals over the blocks that ran, recorded or not. */
struct trace_totals {
    uint64_t warp_instructions, thread_instructions, branches, branches_divergent;
};

struct trace {
    const char *kernel, *source; /* source: the text on screen, NUL-terminated, or "" */
    enum executor executor;      /* that made it: EXECUTOR_GPU or EXECUTOR_EMULATOR */
    const char *device, *driver; /* "" on the emulator */
    const char *compiler, *date;
    uint32_t grid[3], block[3], shared_bytes; /* shared: static and dynamic together */
    uint64_t shared_base; /* what the addresses of accesses to shared memory count from: the address of the block's
                             first byte in the .shared window (0 on the emulator, 1024 on GPUs that reserve some) */
    struct launch_blocks recorded;
    enum trace_clock clock;
    const char *const *files;
    uint32_t file_count;
    const struct trace_site *sites;
    uint32_t site_count;
    struct trace_buffer *buffers; /* the launch's, then the module's variables, in the order of the program */
    uint32_t buffer_count;
    struct {
        struct trace_event *items;
        size_t count, capacity;
    } events;
    struct {
        uint64_t *items;
        size_t count, capacity;
    } addresses;
    /* When values were recorded: the first 8 bytes each lane read or wrote, as they lie in memory, lowest first, and
     * zeros above them; parallel to addresses; else empty. Of an atomic what it found, but of one that tells its lane
     * nothing (red) what the lane brought; of a cp.async what it copies. */
    struct {
        uint64_t *items;
        size_t count, capacity;
    } values;
    uint64_t lost; /* events that found no room: never silent */
    struct trace_totals totals;
    struct finding *findings; /* causes before what they cause: see findings_sort */
    uint32_t finding_count;
    struct arena arena; /* owns the strings and tables above */
};

/* The table of sites of a program, in the arena, indexed by ptx_instruction.site: what trace_new puts in trace.sites.
 */
const struct trace_site *trace_sites(struct arena *arena, const struct ptx_program *program, uint32_t *count);
/* A new empty trace for one kernel's sites; free with trace_free. It copies what it keeps: program and launch may go.
 * The buffers have no address yet and the texts (source, device, ...) are "": the executor sets them and its name, in
 * the arena.
 */
struct trace *trace_new(const struct ptx_program *program, const struct launch *launch);
void trace_free(struct trace *trace);
/* How many faults and notes, or races, a trace holds. */
uint32_t trace_faults(const struct trace *trace);
uint32_t trace_hazards(const struct trace *trace);

/* Appends; addresses and values (or NULL) are 32 each, used only for accesses; those of lanes outside the mask are kept
 * as 0. event->lanes is ignored. Not safe from two threads at once. */
void trace_add(struct trace *trace, const struct trace_event *event, const uint64_t *addresses, const uint64_t *values);
static inline const uint64_t *trace_addresses(const struct trace *trace, const struct trace_event *event)
{
    return trace->addresses.items + event->lanes;
}
/* The space of an access; PTX_SPACE_GLOBAL when it was generic and the executor did not say. */
static inline enum ptx_space trace_space(const struct trace_site *site, const struct trace_event *event)
{
    enum ptx_space const space = event->space != PTX_SPACE_GENERIC ? event->space : site->space;
    return space != PTX_SPACE_GENERIC ? space : PTX_SPACE_GLOBAL;
}
/* What the lanes of an access read or wrote, 32 of them; NULL when that was not recorded. */
static inline const uint64_t *trace_values(const struct trace *trace, const struct trace_event *event)
{
    return event->lanes + WARP_LANES <= trace->values.count ? trace->values.items + event->lanes : NULL;
}
/* Sorts events into (time, block, warp, order of arrival). */
void trace_sort(struct trace *trace);
/* The buffer an address is in, or NULL; element receives its index. */
const struct trace_buffer *trace_find_buffer(const struct trace *trace, uint64_t address, uint64_t *element);

/* Whether the active lanes lie at first + stride * (lane - first lane); stride 0 when there is only one. mask not 0. */
bool trace_stride(const uint64_t addresses[32], uint32_t mask, int64_t *stride);

/* What an executor calls for each event. events of one block come from one thread, in that block's order. Executors
 * number their worker threads from 0 and pass the number, so that a listener can keep one tally a worker. */
struct trace_listener {
    void *context;
    void (*event)(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses);
    /* NULL, or for who only counts: accesses that count alike may come here instead, many at a time, late and in no
     * order. They are of one site, by all lanes; their addresses differ by the same multiple of 32 bytes in every
     * lane. event and addresses are those of one; its block, warp and time say nothing. */
    void (*accesses)(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses,
                     uint64_t times);
    /* NULL, or: a block has ended that this worker ran; no event of it comes any more. */
    void (*ended)(void *context, unsigned worker, uint64_t block);
};

/* What gives the accesses of recorded blocks their model time: model/clock.h. Each block has a state of its own, so
 * that its times do not depend on the blocks that run beside it. instruction 0: no timer, and all takes one cycle. */
struct trace_timer {
    const void *context;
    uint32_t instruction; /* cycles from one instruction of a warp to its next */
    void *(*begin)(const void *context, const struct trace_site *sites); /* a block's state; NULL: no memory */
    /* How many cycles an access holds its warp; event->time says when it is issued. In the block's order. */
    uint64_t (*access)(void *block, const struct trace_event *event, const uint64_t *addresses);
    void (*end)(void *block);
};

/* Files, in the formats of trace/format/registry.h. The ending of the path chooses the format to write, ".trace" unless
 * another format has it; the first bytes of a file choose the format to read. */
bool trace_write(const struct trace *trace, const char *path, struct error *error);
bool trace_read(const char *path, struct trace **trace, struct error *error);
/* True when the path has the ending of a trace format that can be read. */
bool trace_is_named(const char *path);
/* The same as bytes in memory, uncompressed, for bundles of recordings. */
bool trace_pack(const struct trace *trace, struct arena *arena, uint8_t **bytes, size_t *size, struct error *error);
bool trace_unpack(const char *name, const uint8_t *bytes, size_t size, struct trace **trace, struct error *error);

/* The first difference between two traces: per block and warp, the same accesses, barrier arrivals and branches in the
 * same order for every lane (which side of a branch runs first is left aside), over the blocks that both recorded. A
 * site is its operation, space, bytes and line, not its number; clocks and multiprocessors are left aside; global
 * addresses are compared as buffer + offset, shared ones from shared_base, local ones not at all; values where both
 * hold them. */
enum trace_difference_kind {
    TRACE_DIFFERENT, /* no kind that is known */
    TRACE_GROUPED,   /* every lane did the same in the same order; only which lanes ran together differs */
    TRACE_OUTSIDE,   /* the same but for addresses in no buffer, as malloc gives them */
    TRACE_TIMED,     /* an atomic or a volatile load of the block came before: its result depends on who was first */
    TRACE_VALUED,    /* the same but for what was read or written: only where both traces hold values */
    TRACE_POLLED     /* the same but for how often lanes asked whether the phase of a barrier object was over */
};
/* In words, for "known: ..."; NULL for TRACE_DIFFERENT. */
const char *trace_difference_word(enum trace_difference_kind kind);
struct trace_difference {
    bool differ;
    enum trace_difference_kind kind;
    char text[512]; /* one sentence: block, warp, event number, and both sides */
};
void trace_compare(const struct trace *a, const struct trace *b, struct trace_difference *difference);

/* The trace as text, one event a line, for golden files. */
char *trace_dump(const struct trace *trace, struct arena *arena);
#endif
