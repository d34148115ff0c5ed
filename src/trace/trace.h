/* The record of a run: events in order, in the same form from the emulator and from a GPU. Views, models and tests read
 * traces and do not depend on the executor. File format: docs/trace-format.md. */
#ifndef LANESCOPE_TRACE_TRACE_H
#define LANESCOPE_TRACE_TRACE_H
#include "base/arena.h"
#include "base/error.h"
#include "trace/executor.h"
#include "trace/finding.h"
#include "trace/launch.h"
#include "trace/limits.h"

/* The most events that a trace holds, and that are recorded of a block. Further events are counted in trace.lost. */
#if SIZE_MAX > UINT32_MAX
enum { TRACE_EVENTS_MAX = 1 << 22, TRACE_BLOCK_EVENTS_MAX = TRACE_EVENTS_MAX };
#else /* the page has 2 GiB for all of its memory */
enum { TRACE_EVENTS_MAX = 1 << 19, TRACE_BLOCK_EVENTS_MAX = 1 << 16 };
#endif

enum trace_operation {
    TRACE_LOAD,
    TRACE_STORE,
    TRACE_ATOMIC,
    TRACE_REDUCTION,
    TRACE_BARRIER,
    TRACE_BRANCH,
    TRACE_EXCHANGE,
    TRACE_PRODUCT = 8 /* files have another word for 7 */
};

/* Returns "ld", "st", "atom", "red", "bar", "bra", "shfl" or "mma". */
const char *trace_operation_word(enum trace_operation operation);

/* The originator of an access: lanes, each for itself; lanes that give rows of a matrix, 8 at a time (LDSM, STSM); the
 * engine for bulk copies. The hardware counts the last two in another way: docs/validation.md. */
enum trace_unit { TRACE_BY_LANES, TRACE_BY_ROWS, TRACE_IN_BULK };

/* One instruction of the kernel that makes events. */
struct trace_site {
    enum trace_operation operation;
    enum ptx_space space;  /* of a branch: SHARED when it asks whether the phase of a barrier object is over */
    uint8_t bytes;         /* per lane, of a whole vector: 1, 2, 4, 8, 16 */
    uint32_t file;         /* index in trace.files, or PTX_NO_INDEX */
    uint32_t line, column; /* 0: unknown */
    const char *text;      /* the PTX instruction, e.g. "ld.shared.f32 %f1, [%r2]" */
    bool unread;           /* an atomic whose result no instruction reads */
    /* These follow from the text; files do not hold them. */
    enum trace_unit unit;
    enum ptx_type type; /* of an element, as written; PTX_TYPE_NONE when the instruction names none */
    bool by_table;      /* a branch by a table (brx), which leads to more than two places */
    bool compares;      /* an atomic that is a compare and exchange */
    bool counts;        /* an addition of 1 that ptxas makes an ATOMS.POPC.INC: docs/model.md */
    uint32_t ptx_line;  /* in the PTX; 0: unknown, as in a trace from a file */
    bool by_pieces;     /* the mask of an access numbers pieces of a matrix or of a bulk copy, and not lanes */
    uint8_t parts;      /* of a product: the number of events that hold its registers */
    bool past_l1;       /* a copy that does not leave its data in the L1: cp.async.cg */
    bool timed;         /* its result may depend on which thread comes first: an atomic's, or a volatile load's */
};

/* A bulk copy becomes events of up to 32 pieces, which take the place of lanes. trace_pieces fills the next event, for
 * `bytes` that remain from `first` on, and returns its mask. It returns 0 when nothing remains. */
enum { TRACE_PIECE = 16, TRACE_PIECES = TRACE_PIECE * WARP_LANES /* bytes of a full event */ };
uint32_t trace_pieces(uint64_t first, uint64_t bytes, uint64_t addresses[WARP_LANES]);

enum trace_kind {
    TRACE_ACCESS,
    TRACE_BARRIER_ARRIVE,
    TRACE_BARRIER_RELEASE, /* one per warp that waited */
    TRACE_BRANCH_TAKEN, /* a conditional branch: mask = lanes that reached it, other = lanes that took it; for a branch
                           by a table (brx), the lanes that go where the lowest of them goes */
    TRACE_RECONVERGE,   /* mask = lanes together again */
    TRACE_EXIT,         /* mask = lanes that ended */
    TRACE_FAULT,        /* the run stopped here: see trace.findings */
    TRACE_SHUFFLE,      /* lanes take values from other lanes. Recorded with values only: the addresses are the lanes
                           that the values come from (its own where the source lies outside); a value holds what the
                           lane got in its low 4 bytes, and what it brought in the next 4 */
    /* Of cp.async, on the emulator only: */
    TRACE_COPY_TO,    /* follows the access: the addresses are the places in shared memory that the lanes write */
    TRACE_COPY_GROUP, /* the warp's copies since its last group are a group now; site = PTX_NO_INDEX */
    TRACE_COPY_WAIT,  /* lanes wait until groups of the warp have arrived; other = cycles by the model clock, site =
                         PTX_NO_INDEX */
    TRACE_REGISTERS, /* the registers of a product of matrices. Recorded with values only, in events of 16 bytes a lane:
                        the low 8 in place of an address, the others as the value. other: the number of the event among
                        those of its instruction, first of a, then of b, c and d (struct ptx_fragment) */
    TRACE_LOAD_WAIT  /* by the model clock: the warp's next instruction waits for the value of an access; site and
                        space = of that access, other = cycles */
};

struct trace_event {
    enum trace_kind kind;
    uint32_t site;        /* index in trace.sites; PTX_NO_INDEX for EXIT */
    uint64_t block;       /* linear */
    uint32_t warp;        /* in its block */
    uint32_t mask;        /* active lanes, bit i = lane i */
    uint32_t other;       /* see enum trace_kind; for an access with the model clock: the cycles until its value is
                             there; of a store or a reduction, until its warp can go on */
    uint32_t sm;          /* multiprocessor; 0 on the emulator */
    enum ptx_space space; /* of an access through a generic address: the space that the address fell in (an executor
                             makes one event per space); PTX_SPACE_GENERIC (0): the site's space. See trace_space */
    uint64_t time;        /* by the clock that trace.clock names */
    uint64_t lanes;       /* of an event with addresses: index of the first of its 32 addresses in trace.addresses */
};

enum trace_clock {
    TRACE_CLOCK_MODEL, /* model cycles of the emulator, which order the animation and measure nothing */
    TRACE_CLOCK_GPU /* cycles of each multiprocessor's %clock64 since the launch's first event; %globaltimer aligns the
                       clocks of two multiprocessors, as finely as it ticks. Up to eight accesses without branch or
                       barrier between them have the clock of the first */
};

struct trace_buffer { /* the place of a buffer, which names addresses; shared memory has no buffers */
    const char *name;
    enum ptx_type type;
    uint64_t address, count; /* address 0: the buffer has no place, such as an unused variable on a GPU */
    struct launch_shape shape;
};
/* Returns true for a variable in global or constant memory, which is one of the trace's buffers. */
bool trace_is_buffer(const struct ptx_variable *variable);

/* Totals over all blocks that ran, recorded or not. */
struct trace_totals {
    uint64_t warp_instructions, thread_instructions, branches, branches_divergent;
};

struct trace {
    const char *kernel, *source; /* source: the text on screen, NUL-terminated, or "" */
    enum executor executor;      /* that made it: EXECUTOR_GPU or EXECUTOR_EMULATOR */
    const char *device, *driver; /* "" on the emulator */
    const char *compiler, *date;
    uint32_t grid[3], block[3], shared_bytes; /* shared: static and dynamic together */
    uint64_t shared_base; /* the origin of shared addresses: the address of the block's first byte in the .shared window
                             (0 on the emulator, 1024 on GPUs that reserve some) */
    struct launch_blocks recorded;
    enum trace_clock clock;
    const char *const *files;
    uint32_t file_count;
    const struct trace_site *sites;
    uint32_t site_count;
    struct trace_buffer *buffers; /* the launch's, then the module's variables, in the program's order */
    uint32_t buffer_count;
    const struct trace_places *places; /* the buffers by address, of a trace from a file: trace/places.h; else NULL */
    struct {
        struct trace_event *items;
        size_t count, capacity;
    } events;
    struct {
        uint64_t *items;
        size_t count, capacity;
    } addresses;
    /* With recorded values: the first 8 bytes that each lane read or wrote, in the order of memory, lowest first, with
     * zeros above; parallel to addresses. Otherwise empty. The value of an atomic is the one it found; of an atomic
     * without a result (red), the operand that the lane brought; of a cp.async, the copied bytes. */
    struct {
        uint64_t *items;
        size_t count, capacity;
    } values;
    uint64_t lost; /* events without room; the user always sees this number */
    struct trace_totals totals;
    struct finding *findings; /* causes before their consequences: see findings_sort */
    uint32_t finding_count;
    struct arena arena; /* owns the strings and tables above */
};

/* Makes the table of sites of a module, in the arena, indexed by ptx_instruction.site. trace_new puts it in
 * trace.sites. */
const struct trace_site *trace_sites(struct arena *arena, const struct ptx_module *module, uint32_t *count);
/* Returns whether the sites of a trace are those of the module: the same instructions in the same order. */
bool trace_is_of(const struct trace *trace, const struct ptx_module *module);
/* Makes an empty trace for one kernel's sites; free it with trace_free. It copies what it keeps, so module and launch
 * may go. Buffers have no address yet, and texts (source, device, ...) are "". The executor sets them and its name, in
 * the trace's arena. */
struct trace *trace_new(const struct ptx_module *module, const struct launch *launch);
void trace_free(struct trace *trace);
/* Returns whether a tracer of another program recorded it (format/import.h): its sites hold machine code, not PTX. */
static inline bool trace_is_foreign(const struct trace *trace)
{
    return trace->device[0] && !trace->driver[0];
}
/* Return the number of faults and notes, or of races, in a trace. */
uint32_t trace_faults(const struct trace *trace);
uint32_t trace_hazards(const struct trace *trace);

/* Appends an event. addresses and values (or NULL) are 32 each, for accesses only; those of lanes outside the mask are
 * stored as 0. event->lanes is ignored. Two threads must not call it at once. */
void trace_add(struct trace *trace, const struct trace_event *event, const uint64_t *addresses, const uint64_t *values);
static inline const uint64_t *trace_addresses(const struct trace *trace, const struct trace_event *event)
{
    return trace->addresses.items + event->lanes;
}
/* Return whether events of a kind have 32 addresses, and whether an event has an address for any lane. */
static inline bool trace_has_addresses(enum trace_kind kind)
{
    return kind == TRACE_ACCESS || kind == TRACE_SHUFFLE || kind == TRACE_COPY_TO || kind == TRACE_REGISTERS;
}
static inline bool trace_has_lanes(const struct trace_event *event)
{
    return trace_has_addresses(event->kind) && event->mask != 0;
}
/* Returns the lanes that a warp of a launch has: all 32, except in the last warp of a block that is no multiple of 32,
 * and 0 for a warp that the block does not have. */
uint32_t trace_warp_lanes(const struct trace *trace, uint32_t warp);
/* Returns the space of an access: PTX_SPACE_GLOBAL for a generic address whose space the executor did not report. */
static inline enum ptx_space trace_space(const struct trace_site *site, const struct trace_event *event)
{
    enum ptx_space const space = event->space != PTX_SPACE_GENERIC ? event->space : site->space;
    return space != PTX_SPACE_GENERIC ? space : PTX_SPACE_GLOBAL;
}
/* Returns whether a site is a branch that asks whether the phase of a barrier object is over. */
static inline bool trace_waits(const struct trace_site *site)
{
    return site->operation == TRACE_BRANCH && site->space == PTX_SPACE_SHARED;
}
/* Returns whether an event is a cp.async: an access to global memory by an instruction that names shared memory. No
 * warp waits for it. */
static inline bool trace_is_copy(const struct trace_site *site, const struct trace_event *event)
{
    return event->kind == TRACE_ACCESS && event->space == PTX_SPACE_GLOBAL && site->space == PTX_SPACE_SHARED &&
           site->unit == TRACE_BY_LANES;
}
/* Returns the 32 values of an access, or NULL when they were not recorded. */
static inline const uint64_t *trace_values(const struct trace *trace, const struct trace_event *event)
{
    return event->lanes + WARP_LANES <= trace->values.count ? trace->values.items + event->lanes : NULL;
}
/* Sorts events by time, block, warp and order of arrival. */
void trace_sort(struct trace *trace);
/* Returns the buffer that contains an address, or NULL. element receives the index in the buffer. */
const struct trace_buffer *trace_find_buffer(const struct trace *trace, uint64_t address, uint64_t *element);

/* Returns true when the active lanes lie at first + stride * (lane - first lane). The stride is 0 for a single lane.
 * The mask must not be 0. */
bool trace_stride(const uint64_t addresses[32], uint32_t mask, int64_t *stride);

/* An access of all lanes of which each half warp accesses the same element, or a run: each lane the element behind that
 * of the lane before. */
struct trace_halves {
    uint64_t first[2]; /* address of the first lane of each half */
    uint32_t bytes[2]; /* from there on, that the half accesses */
    uint32_t site;
};

/* Events of one site: how many, of how many lanes, and how many were branches whose lanes part. */
struct trace_sums {
    uint64_t events, lanes, divergent;
};

/* The receiver of an executor's events. The events of one block come from one thread, in the block's order. Executors
 * number their worker threads from 0 and pass the number, so that a listener can keep one tally per worker. */
struct trace_listener {
    void *context;
    void (*event)(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses);
    /* NULL, or for a listener that only counts: accesses that count alike may arrive here instead, many at a time, late
     * and in no order. They are of one site, by all lanes, and their addresses differ by the same multiple of 32 bytes
     * in every lane. event and addresses are those of one of them; its block, warp and time mean nothing. */
    void (*accesses)(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses,
                     uint64_t times);
    /* NULL, or for a listener with `accesses` that wants to know the order too: each access to global memory that goes
     * to `accesses` arrives here first, in the block's order. Several of one warp may arrive together. */
    void (*halves)(void *context, unsigned worker, uint64_t block, uint32_t warp, const struct trace_halves *halves,
                   uint32_t count);
    /* NULL, or for a listener with `accesses`: the events without addresses do not arrive then, but sums of the
     * branches and arrivals at barriers of a site, late. */
    void (*sums)(void *context, unsigned worker, uint32_t site, const struct trace_sums *sums);
    /* NULL, or for a listener with `sums`: a warp of a block arrives at a barrier. */
    void (*arrived)(void *context, unsigned worker, uint64_t block, uint32_t warp);
    /* NULL, or: this worker's block has ended and makes no more events. */
    void (*ended)(void *context, unsigned worker, uint64_t block);
    /* NULL, or: forget all events, the launch runs once more. The emulator needs it for the quick search for races. */
    void (*restart)(void *context);
};

/* The cycles that an access takes by the model clock, from its issue. */
struct trace_latency {
    uint64_t issue; /* until its last pass is in the pipe to memory, and its warp can go on */
    uint64_t value; /* until its value is there; of a store or a reduction: the same as issue */
};

/* Gives the accesses of recorded blocks their model time: model/clock.h. Each block has its own state, so its times do
 * not depend on blocks that run at the same time. instruction 0: no timer, and everything takes one cycle. */
struct trace_timer {
    const void *context;
    uint32_t instruction; /* cycles from one instruction of a warp to its next */
    void *(*begin)(const void *context, const struct trace_site *sites); /* makes a block's state; NULL: no memory */
    /* Returns the cycles of an access; event->time is its issue. Called in the block's order. */
    struct trace_latency (*access)(void *block, const struct trace_event *event, const uint64_t *addresses);
    void (*end)(void *block);
};

/* Files, in the formats of trace/format/registry.h. The ending of the path chooses the format to write, which is
 * ".trace" unless another format has the ending. The first bytes of a file choose the format to read. */
bool trace_write(const struct trace *trace, const char *path, struct error *error);
/* Makes the bytes of a whole .trace file in the arena. */
bool trace_bytes(const struct trace *trace, struct arena *arena, uint8_t **bytes, size_t *size, struct error *error);
bool trace_read(const char *path, struct trace **trace, struct error *error);
/* A report page, HTML, holds the bytes of a whole trace file in base64 between these. trace_read takes such a page. */
#define TRACE_PAGE_BEGIN "<script type=\"application/vnd.lanescope.trace+base64\" id=\"lanescope-trace\">"
#define TRACE_PAGE_END "</script>"
/* Returns true when the path has the ending of a trace format that can be read, or when it is a text (.txt, .log, .out)
 * that begins as one does. */
bool trace_is_named(const char *path);
/* Make and read the same as uncompressed bytes in memory, for bundles of recordings. */
bool trace_pack(const struct trace *trace, struct arena *arena, uint8_t **bytes, size_t *size, struct error *error);
bool trace_unpack(const char *name, const uint8_t *bytes, size_t size, struct trace **trace, struct error *error);

/* The first difference between two traces, over the blocks that both recorded. Per block and warp, every lane must have
 * the same accesses, barrier arrivals and branches in the same order; the order of the two sides of a branch does not
 * matter. A site is its operation, space, bytes and line, not its number. Clocks and multiprocessors are ignored.
 * What an atomic found is not compared where no instruction reads it. Global addresses are compared as buffer + offset,
 * shared ones from shared_base, local ones not at all. Values are compared when both traces hold them. */
enum trace_difference_kind {
    TRACE_DIFFERENT, /* of no known kind */
    TRACE_GROUPED,   /* every lane did the same in the same order; only the lanes that ran together differ */
    TRACE_OUTSIDE,   /* the same except for addresses in no buffer, such as those of malloc */
    TRACE_TIMED,     /* an atomic or a volatile load came before in the block, and its result depends on the order of
                        threads */
    TRACE_VALUED,    /* the same except for values; only when both traces hold values */
    TRACE_POLLED     /* the same except for how often lanes asked whether the phase of a barrier object was over */
};
/* Returns the kind in words for "known: ..."; NULL for TRACE_DIFFERENT. */
const char *trace_difference_word(enum trace_difference_kind kind);
struct trace_difference {
    bool differ;
    enum trace_difference_kind kind;
    char text[512]; /* one sentence: block, warp, event number, and both sides */
};
void trace_compare(const struct trace *a, const struct trace *b, struct trace_difference *difference);

/* Returns the trace as text, one event per line, for golden files. */
char *trace_dump(const struct trace *trace, struct arena *arena);
#endif
