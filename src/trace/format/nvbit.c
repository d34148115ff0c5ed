/* What the tool mem_trace of NVBit prints: a line for each launch, and a line for each access of a warp, between the
 * lines of the program. docs/formats.md describes them. They name no instruction but its opcode, which therefore stands
 * for one, and a warp by its place on the multiprocessor: the warps of a block are numbered in the order of these
 * places. */
#include "trace/format/import.h"
#include "trace/format/registry.h"
#include <stdlib.h>
#include <string.h>

enum { OPCODE_MOST = 63 };
static const char mark[] = "MEMTRACE: ";

struct access {
    uint64_t block;
    uint32_t warp, instruction, mask;
    int line;
    enum ptx_space space;
    uint64_t addresses[WARP_LANES];
};

struct warp {
    uint64_t block;
    uint32_t warp;
};

struct reader {
    const char *name;
    struct error *error;
    struct import *import;
    struct trace *trace;
    uint64_t launches, launch, access_launch; /* their number; the number of the first, and of its accesses */
    int launch_line;
    struct {
        struct access *items;
        size_t count, capacity;
    } accesses;
    struct {
        struct warp *items;
        size_t count, capacity;
    } warps; /* of all blocks, sorted */
};

static bool fail(struct reader *reader, const struct import_line *line, const char *what)
{
    return error_at(reader->error, ERROR_INPUT, reader->name, line->number, 0, "%s", what);
}

/* Finds a text in a line and moves behind it. */
static bool find(struct import_line *line, const char *text)
{
    const char *at = memmem(line->at, (size_t)(line->end - line->at), text, strlen(text));
    if (at)
        line->at = at + strlen(text);
    return at != NULL;
}

/* Takes the text up to " - ", or to the end. */
static struct import_word take_field(struct import_line *line)
{
    struct import_word field = {line->at, (size_t)(line->end - line->at)};
    if (find(line, " - "))
        field.size = (size_t)(line->at - 3 - field.at);
    else
        line->at = line->end;
    return field;
}

static bool read_launch(struct reader *reader, struct import_line line)
{
    struct trace *trace = reader->trace;
    struct import_line whole = line, name;
    uint64_t shared, number;
    reader->launches++;
    if (reader->launches > 1)
        return true;
    reader->launch_line = line.number;
    if (!find(&line, "Kernel name "))
        return fail(reader, &whole, "a launch has no kernel name");
    name = line;
    struct import_word launch, grid, block;
    if (!find(&line, " - grid launch id "))
        return fail(reader, &whole, "a launch has no grid launch id");
    name.end = line.at - strlen(" - grid launch id ");
    launch = take_field(&line);
    if (!import_number(launch, 10, UINT64_MAX, &number))
        return fail(reader, &whole, "the grid launch id is no number");
    reader->launch = number;
    if (!import_skip(&line, "grid size "))
        return fail(reader, &whole, "a launch has no grid size: this version of mem_trace is too old");
    grid = take_field(&line);
    if (!import_triple(grid.at, grid.size, trace->grid) || !import_skip(&line, "block size "))
        return fail(reader, &whole, "a launch has no grid size and block size of three numbers each");
    block = take_field(&line);
    if (!import_triple(block.at, block.size, trace->block))
        return fail(reader, &whole, "a launch has no block size of three numbers");
    if (!launch_count(trace->grid) || !launch_count(trace->block) ||
        launch_check(NULL, trace->grid, trace->block, 0) != LAUNCH_FITS)
        return fail(reader, &whole, "the grid or the block is not one that a launch can have");
    if (find(&line, "shmem ") && import_number(take_field(&line), 10, LAUNCH_SHARED_MAX, &shared))
        trace->shared_bytes = (uint32_t)shared;
    char *kernel = arena_text_n(&trace->arena, name.at, (size_t)(name.end - name.at));
    for (char *at = kernel; *at; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
    trace->kernel = kernel;
    return true;
}

/* Returns whether a lane's 0 goes on with the addresses of the two lanes before it or behind it. */
static bool goes_on(const uint64_t addresses[WARP_LANES], unsigned lane)
{
    const uint64_t *at = addresses + lane;
    return (lane >= 2 && at[-1] && 2 * at[-1] == at[-2]) || (lane + 2 < WARP_LANES && at[1] && 2 * at[1] == at[2]);
}

/* Returns the lanes that have an address. The tool prints 0 for the others. In shared memory 0 is an address, too: of
 * all lanes when no other one has any, and of a lane that goes on with its neighbours. */
static uint32_t lanes_of(const struct sass_form *form, const uint64_t addresses[WARP_LANES])
{
    bool const shared = form->space == PTX_SPACE_SHARED;
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        mask |= (uint32_t)(addresses[lane] != 0 || (shared && goes_on(addresses, lane))) << lane;
    return shared && mask == 0 ? UINT32_MAX : mask;
}

static bool read_access(struct reader *reader, struct import_line line)
{
    struct import_line whole = line;
    struct access access = {.line = line.number};
    uint64_t launch, warp;
    uint32_t block[3];
    char opcode[OPCODE_MOST + 1];
    if (!import_number(take_field(&line), 10, UINT64_MAX, &launch))
        return fail(reader, &whole, "the grid_launch_id of an access is no number");
    if (reader->accesses.count == 0)
        reader->access_launch = launch;
    if (launch != reader->access_launch || reader->launches > 1)
        return true; /* several launches are refused later, with their number */
    if (reader->launches == 0)
        return fail(reader, &whole, "an access comes before the line of its launch");
    if (!import_skip(&line, "CTA "))
        return fail(reader, &whole, "an access names no CTA");
    struct import_word const triple = take_field(&line);
    if (!import_triple(triple.at, triple.size, block))
        return fail(reader, &whole, "the CTA of an access is not three numbers");
    if (!import_block(reader->import, whole.number, block, &access.block))
        return false;
    if (!import_skip(&line, "warp ") || !import_number(take_field(&line), 10, UINT32_MAX - 1, &warp))
        return fail(reader, &whole, "an access names no warp");
    access.warp = (uint32_t)warp;
    struct import_word const code = take_field(&line);
    if (code.size == 0 || code.size > OPCODE_MOST)
        return fail(reader, &whole, "an access names no opcode");
    for (size_t i = 0; i < code.size; i++)
        if (code.at[i] < '!' || code.at[i] > '~')
            return fail(reader, &whole, "an access names no opcode");
    memcpy(opcode, code.at, code.size);
    opcode[code.size] = '\0';
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!import_take_number(&line, 16, UINT64_MAX, &access.addresses[lane]))
            return fail(reader, &whole, "an access has not 32 addresses");
    access.instruction = import_instruction(reader->import, 0, opcode, "", 0);
    const struct sass_form *form = import_form(reader->import, access.instruction);
    if (form->kind == SASS_OTHER)
        return true;
    access.mask = lanes_of(form, access.addresses);
    if (form->copies) { /* its places in shared memory come first */
        uint32_t const lowest = access.mask ? (uint32_t)__builtin_ctz(access.mask) : 0;
        access.space = access.addresses[lowest] <= UINT32_MAX ? PTX_SPACE_SHARED : PTX_SPACE_GLOBAL;
    }
    array_push(&reader->accesses, access);
    struct warp const seen = {access.block, access.warp};
    array_push(&reader->warps, seen);
    return true;
}

static int compare_warps(const void *left, const void *right)
{
    const struct warp *a = left, *b = right;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return a->warp < b->warp ? -1 : a->warp > b->warp;
}

/* Sorts the warps, each once. */
static void sort_warps(struct reader *reader)
{
    size_t kept = 0;
    if (!reader->warps.count)
        return;
    qsort(reader->warps.items, reader->warps.count, sizeof *reader->warps.items, compare_warps);
    for (size_t i = 0; i < reader->warps.count; i++)
        if (kept == 0 || compare_warps(&reader->warps.items[kept - 1], &reader->warps.items[i]) != 0)
            reader->warps.items[kept++] = reader->warps.items[i];
    reader->warps.count = kept;
}

/* Returns the number of a warp in its block: its own, if all of the block are numbers of the block, or its place among
 * them. */
static uint32_t warp_of(const struct reader *reader, const struct access *access)
{
    struct warp const key = {access->block, access->warp};
    const struct warp *items = reader->warps.items;
    const struct warp *found = bsearch(&key, items, reader->warps.count, sizeof *items, compare_warps);
    size_t const at = (size_t)(found - items);
    size_t first = at, last = at;
    while (first > 0 && items[first - 1].block == access->block && at - first < LAUNCH_WARPS_MAX)
        first--;
    while (last + 1 < reader->warps.count && items[last + 1].block == access->block && last - at < LAUNCH_WARPS_MAX)
        last++;
    if (trace_warp_lanes(reader->trace, items[last].warp) != 0)
        return access->warp;
    return (uint32_t)(at - first);
}

static bool add_accesses(struct reader *reader)
{
    sort_warps(reader);
    for (size_t i = 0; i < reader->accesses.count; i++) {
        const struct access *access = &reader->accesses.items[i];
        uint32_t const warp = warp_of(reader, access);
        uint32_t const lanes = warp < LAUNCH_WARPS_MAX ? trace_warp_lanes(reader->trace, warp) : 0;
        uint32_t const mask = lanes ? access->mask & lanes : access->mask;
        if (!import_event(reader->import, access->line, access->block, warp, access->instruction, mask, access->space,
                          access->addresses))
            return false;
    }
    return true;
}

static bool several(const struct reader *reader)
{
    error_at(reader->error, ERROR_INPUT, reader->name, reader->launch_line, 0,
             "holds %llu {launch|launches}, and one is opened", (unsigned long long)reader->launches);
    return error_remedy(reader->error,
                        "keep one:  grep -e 'grid launch id %llu ' -e 'grid_launch_id %llu '  of the file",
                        (unsigned long long)reader->launch, (unsigned long long)reader->access_launch);
}

static bool read_nvbit(const char *name, const uint8_t *bytes, size_t size, struct trace **trace, struct error *error)
{
    struct reader reader = {.name = name, .error = error, .import = import_new(name, error)};
    struct import_text text = {(const char *)bytes, (const char *)bytes + size, 0};
    struct import_line line;
    bool good = reader.import != NULL;
    if (good) {
        reader.trace = import_trace(reader.import);
        reader.trace->device = "traced by NVBit";
    }
    while (good && import_next_line(&text, &line)) {
        while (line.end > line.at && line.end[-1] <= ' ')
            line.end--;
        struct import_line at = line;
        if (!import_skip(&at, mark) || !import_skip(&at, "CTX "))
            continue;
        take_field(&at);
        if (import_skip(&at, "LAUNCH"))
            good = read_launch(&reader, at);
        else if (import_skip(&at, "grid_launch_id "))
            good = read_access(&reader, at);
    }
    if (good && reader.launches > 1)
        good = several(&reader);
    good = good && add_accesses(&reader);
    free(reader.accesses.items);
    free(reader.warps.items);
    return reader.import && import_end(reader.import, good, trace);
}

/* The tool prints a banner first, and the program may print before its first launch. */
static bool probe_nvbit(const uint8_t *bytes, size_t size)
{
    enum { FAR = 1 << 16 };
    if (!size)
        return false;
    const uint8_t *const end = bytes + (size < FAR ? size : FAR);
    for (const uint8_t *at = bytes; at < end; at++) { /* at the beginning of each line */
        if ((size_t)(end - at) >= sizeof mark - 1 && memcmp(at, mark, sizeof mark - 1) == 0)
            return true;
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at)
            return false;
    }
    return false;
}

const struct trace_format trace_format_nvbit = {.name = "output of NVBit's mem_trace",
                                                .ending = ".memtrace",
                                                .probe = probe_nvbit,
                                                .read = read_nvbit,
                                                .bytes_most = UINT64_C(256) << 20};
