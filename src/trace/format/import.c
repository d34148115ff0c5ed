/* The listing of the instructions becomes the source on the screen, a line each, in the order of their addresses;
 * events name instructions by the order of their arrival until then. */
#include "trace/format/import.h"
#include "trace/check.h"
#include "trace/sites.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- opcodes ---- */

struct opcode {
    const char *name;
    enum sass_kind kind;
    enum trace_operation operation;
    enum ptx_space space;
};
static const struct opcode opcodes[] = {
    {"LD", SASS_ACCESS, TRACE_LOAD, PTX_SPACE_GENERIC},       {"LDG", SASS_ACCESS, TRACE_LOAD, PTX_SPACE_GLOBAL},
    {"LDS", SASS_ACCESS, TRACE_LOAD, PTX_SPACE_SHARED},       {"LDL", SASS_ACCESS, TRACE_LOAD, PTX_SPACE_LOCAL},
    {"LDSM", SASS_ACCESS, TRACE_LOAD, PTX_SPACE_SHARED},      {"LDGSTS", SASS_ACCESS, TRACE_LOAD, PTX_SPACE_SHARED},
    {"ST", SASS_ACCESS, TRACE_STORE, PTX_SPACE_GENERIC},      {"STG", SASS_ACCESS, TRACE_STORE, PTX_SPACE_GLOBAL},
    {"STS", SASS_ACCESS, TRACE_STORE, PTX_SPACE_SHARED},      {"STL", SASS_ACCESS, TRACE_STORE, PTX_SPACE_LOCAL},
    {"STSM", SASS_ACCESS, TRACE_STORE, PTX_SPACE_SHARED},     {"ATOM", SASS_ACCESS, TRACE_ATOMIC, PTX_SPACE_GENERIC},
    {"ATOMG", SASS_ACCESS, TRACE_ATOMIC, PTX_SPACE_GLOBAL},   {"ATOMS", SASS_ACCESS, TRACE_ATOMIC, PTX_SPACE_SHARED},
    {"RED", SASS_ACCESS, TRACE_REDUCTION, PTX_SPACE_GENERIC}, {"REDG", SASS_ACCESS, TRACE_REDUCTION, PTX_SPACE_GLOBAL},
    {"EXIT", SASS_EXIT, TRACE_LOAD, PTX_SPACE_GENERIC},       {"LDC", SASS_OTHER, TRACE_LOAD, PTX_SPACE_CONST},
    {"CCTL", SASS_OTHER, TRACE_LOAD, PTX_SPACE_GENERIC},      {"CCTLL", SASS_OTHER, TRACE_LOAD, PTX_SPACE_GENERIC},
};

/* Returns the bits that a modifier names, "64", "U8" or "F32"; 0: none. */
static unsigned bits_of(struct import_word word)
{
    uint64_t bits;
    if (word.size > 1 && memchr("USFB", word.at[0], 4))
        word = (struct import_word){word.at + 1, word.size - 1};
    if (!import_number(word, 10, 1024, &bits))
        return 0;
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 || bits == 256 ? (unsigned)bits : 0;
}

struct sass_form sass_read(const char *opcode)
{
    struct sass_form form = {.kind = SASS_STRANGE, .bytes = 4};
    size_t const base = strcspn(opcode, ".");
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        if (strlen(opcodes[i].name) == base && memcmp(opcodes[i].name, opcode, base) == 0) {
            form.kind = opcodes[i].kind;
            form.operation = opcodes[i].operation;
            form.space = opcodes[i].space;
        }
    bool const waits = strncmp(opcode, "BAR.SYNC", 8) == 0 || strncmp(opcode, "BAR.RED", 7) == 0;
    if (waits)
        form = (struct sass_form){.kind = SASS_BARRIER, .operation = TRACE_BARRIER};
    if (form.kind != SASS_ACCESS)
        return form;
    bool found = false;
    struct import_word last = {opcode, base};
    for (const char *at = opcode + base; *at == '.'; at += last.size) {
        at++;
        last = (struct import_word){at, strcspn(at, ".")};
        unsigned const bits = found ? 0 : bits_of(last);
        found = found || bits;
        if (bits)
            form.bytes = (uint8_t)(bits / 8);
    }
    form.copies = strncmp(opcode, "LDGSTS", 6) == 0;
    if (base == 4 && memcmp(opcode + 2, "SM", 2) == 0) {
        form.bytes = 16;
        form.rows = import_word_is(last, "4") ? 32 : import_word_is(last, "2") ? 16 : 8;
    }
    if (form.bytes > 16)
        form.kind = SASS_STRANGE;
    return form;
}

/* ---- lines ---- */

bool import_next_line(struct import_text *text, struct import_line *line)
{
    if (text->at == text->end)
        return false;
    const char *end = memchr(text->at, '\n', (size_t)(text->end - text->at));
    *line = (struct import_line){text->at, end ? end : text->end, ++text->number};
    text->at = end ? end + 1 : text->end;
    return true;
}

static bool is_space(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

struct import_word import_take_word(struct import_line *line)
{
    while (line->at < line->end && is_space(*line->at))
        line->at++;
    struct import_word word = {line->at, 0};
    while (line->at < line->end && !is_space(*line->at))
        line->at++;
    word.size = (size_t)(line->at - word.at);
    return word;
}

bool import_word_is(struct import_word word, const char *text)
{
    return word.size == strlen(text) && memcmp(word.at, text, word.size) == 0;
}

bool import_number(struct import_word word, unsigned base, uint64_t most, uint64_t *number)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = base == 16 && word.size > 2 && word.at[0] == '0' && (word.at[1] | 0x20) == 'x' ? 2 : 0;
    *number = 0;
    if (at == word.size)
        return false;
    for (; at < word.size; at++) {
        const char *digit = word.at[at] ? memchr(digits, tolower((unsigned char)word.at[at]), base) : NULL;
        if (!digit || *number > (UINT64_MAX - (uint64_t)(digit - digits)) / base)
            return false;
        *number = *number * base + (uint64_t)(digit - digits);
    }
    return *number <= most;
}

bool import_take_number(struct import_line *line, unsigned base, uint64_t most, uint64_t *number)
{
    return import_number(import_take_word(line), base, most, number);
}

bool import_skip(struct import_line *line, const char *text)
{
    size_t const size = strlen(text);
    if ((size_t)(line->end - line->at) < size || memcmp(line->at, text, size) != 0)
        return false;
    line->at += size;
    return true;
}

bool import_triple(const char *at, size_t size, uint32_t three[3])
{
    const char *const end = at + size;
    for (int i = 0; i < 3; i++) {
        const char *comma = i < 2 ? memchr(at, ',', (size_t)(end - at)) : end;
        uint64_t number;
        if (!comma || !import_number((struct import_word){at, (size_t)(comma - at)}, 10, UINT32_MAX, &number))
            return false;
        three[i] = (uint32_t)number;
        at = comma + (i < 2);
    }
    return true;
}

/* ---- the trace ---- */

struct instruction {
    uint64_t address;
    const char *opcode, *registers;
    uint32_t line, number; /* number: of its arrival */
    struct sass_form form;
};

/* What a warp did so far; or the clock of a block, whose `warp` is NO_WARP. */
enum { NO_WARP = LAUNCH_WARPS_MAX };
struct history {
    uint64_t block, time;
    uint32_t warp, arrived, ended;
    uint32_t barrier; /* the instruction at which `arrived` wait */
    uint32_t held;    /* lanes of a copy whose places in shared memory came first */
    bool used;
    size_t places; /* in import.places */
};

struct import {
    const char *name;
    struct error *error;
    struct trace *trace;
    struct {
        struct instruction *items;
        size_t count, capacity;
    } instructions;
    uint32_t *by_text; /* numbers of instructions + 1, a table with open addresses */
    size_t text_room;
    struct history *histories;
    size_t history_count, history_room;
    struct {
        uint64_t *items;
        size_t count, capacity;
    } places;                          /* 32 for each copy that waits for its source */
    uint64_t first, last;              /* blocks */
    uint64_t shared_least, shared_end; /* addresses of shared memory that were accessed */
};

struct import *import_new(const char *name, struct error *error)
{
    struct import *import = calloc(1, sizeof *import);
    struct arena arena = {0};
    if (!import) {
        error_at(error, ERROR_INPUT, name, 0, 0, "no memory to read it");
        return NULL;
    }
    struct trace *trace = arena_new(&arena, struct trace);
    trace->arena = arena;
    trace->kernel = trace->source = trace->device = trace->driver = trace->date = "";
    trace->compiler = "SASS";
    trace->executor = EXECUTOR_GPU;
    trace->clock = TRACE_CLOCK_MODEL;
    *import = (struct import){.name = name, .error = error, .trace = trace, .first = UINT64_MAX};
    import->shared_least = UINT64_MAX;
    return import;
}

void import_free(struct import *import)
{
    if (!import)
        return;
    free(import->instructions.items);
    free(import->by_text);
    free(import->histories);
    free(import->places.items);
    trace_free(import->trace);
    free(import);
}

struct trace *import_trace(struct import *import)
{
    return import->trace;
}

static uint64_t hash_of(uint64_t address, const char *opcode, const char *registers)
{
    uint64_t hash = address * UINT64_C(0x9e3779b97f4a7c15);
    for (const char *at = opcode; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    for (const char *at = registers; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

static size_t text_place(const struct import *import, uint64_t address, const char *opcode, const char *registers)
{
    size_t at = (size_t)hash_of(address, opcode, registers) & (import->text_room - 1);
    for (; import->by_text[at]; at = (at + 1) & (import->text_room - 1)) {
        const struct instruction *is = &import->instructions.items[import->by_text[at] - 1];
        if (is->address == address && strcmp(is->opcode, opcode) == 0 && strcmp(is->registers, registers) == 0)
            break;
    }
    return at;
}

static void make_text_room(struct import *import)
{
    size_t capacity = 0;
    import->text_room = import->text_room ? 2 * import->text_room : 256;
    free(import->by_text);
    import->by_text = array_grow(NULL, &capacity, import->text_room, sizeof *import->by_text);
    memset(import->by_text, 0, import->text_room * sizeof *import->by_text);
    for (uint32_t i = 0; i < import->instructions.count; i++) {
        const struct instruction *is = &import->instructions.items[i];
        import->by_text[text_place(import, is->address, is->opcode, is->registers)] = i + 1;
    }
}

uint32_t import_instruction(struct import *import, uint64_t address, const char *opcode, const char *registers,
                            uint32_t line)
{
    if (2 * import->instructions.count >= import->text_room)
        make_text_room(import);
    size_t const at = text_place(import, address, opcode, registers);
    if (!import->by_text[at]) {
        struct arena *arena = &import->trace->arena;
        struct instruction const added = {.address = address,
                                          .opcode = arena_text(arena, opcode),
                                          .registers = arena_text(arena, registers),
                                          .line = line,
                                          .number = (uint32_t)import->instructions.count,
                                          .form = sass_read(opcode)};
        array_push(&import->instructions, added);
        import->by_text[at] = (uint32_t)import->instructions.count;
    }
    return import->by_text[at] - 1;
}

const struct sass_form *import_form(const struct import *import, uint32_t instruction)
{
    return &import->instructions.items[instruction].form;
}

bool import_block(struct import *import, int line, const uint32_t block[3], uint64_t *number)
{
    const uint32_t *grid = import->trace->grid;
    if (block[0] >= grid[0] || block[1] >= grid[1] || block[2] >= grid[2])
        return error_at(import->error, ERROR_INPUT, import->name, line, 0,
                        "block (%u,%u,%u) is outside the grid of %u x %u x %u", block[0], block[1], block[2], grid[0],
                        grid[1], grid[2]);
    *number = block[0] + grid[0] * (block[1] + (uint64_t)grid[1] * block[2]);
    return true;
}

static size_t history_place(const struct import *import, uint64_t block, uint32_t warp)
{
    uint64_t const mixed = (block * (NO_WARP + 1) + warp) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(mixed >> 32) & (import->history_room - 1);
    while (import->histories[at].used && (import->histories[at].block != block || import->histories[at].warp != warp))
        at = (at + 1) & (import->history_room - 1);
    return at;
}

static void make_history_room(struct import *import)
{
    struct history *old = import->histories;
    size_t const room = import->history_room;
    size_t capacity = 0;
    import->history_room = room ? 2 * room : 64;
    import->histories = array_grow(NULL, &capacity, import->history_room, sizeof *old);
    memset(import->histories, 0, import->history_room * sizeof *old);
    for (size_t i = 0; i < room; i++)
        if (old[i].used)
            import->histories[history_place(import, old[i].block, old[i].warp)] = old[i];
    free(old);
}

static struct history *history_of(struct import *import, uint64_t block, uint32_t warp)
{
    struct history *history = &import->histories[history_place(import, block, warp)];
    if (!history->used) {
        *history = (struct history){.block = block, .warp = warp, .used = true};
        import->history_count++;
    }
    return history;
}

/* Keeps the places in shared memory of a copy until the access to global memory comes. */
static void hold(struct import *import, struct history *warp, uint32_t mask, const uint64_t *addresses)
{
    warp->held = mask;
    warp->places = import->places.count;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        array_push(&import->places, addresses[lane]);
}

static void note_shared(struct import *import, uint32_t mask, const uint64_t *addresses, uint8_t bytes)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (mask >> lane & 1) {
            import->shared_least = addresses[lane] < import->shared_least ? addresses[lane] : import->shared_least;
            if (addresses[lane] + bytes > import->shared_end)
                import->shared_end = addresses[lane] + bytes;
        }
}

static bool addresses_fit(struct import *import, int line, enum ptx_space space, uint8_t bytes, uint32_t mask,
                          const uint64_t *addresses)
{
    uint64_t const most = (space == PTX_SPACE_SHARED ? UINT32_MAX : UINT64_MAX) - (bytes - 1u);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (mask >> lane & 1 && addresses[lane] > most)
            return space == PTX_SPACE_SHARED
                       ? error_at(import->error, ERROR_INPUT, import->name, line, 0,
                                  "the address 0x%llx of lane %u leaves the window of shared memory",
                                  (unsigned long long)addresses[lane], lane)
                       : error_at(import->error, ERROR_INPUT, import->name, line, 0,
                                  "the address 0x%llx of lane %u leaves the address space",
                                  (unsigned long long)addresses[lane], lane);
    return true;
}

static bool warp_fits(struct import *import, int line, const struct sass_form *form, uint32_t warp, uint32_t mask)
{
    uint32_t const lanes = warp < LAUNCH_WARPS_MAX ? trace_warp_lanes(import->trace, warp) : 0;
    if (lanes == 0)
        return error_at(import->error, ERROR_INPUT, import->name, line, 0, "the block has no warp %u", warp);
    if (!form->rows && mask & ~lanes)
        return error_at(import->error, ERROR_INPUT, import->name, line, 0,
                        "the mask %08x has lanes that warp %u does not have", mask, warp);
    return true;
}

/* Adds an access, and what else belongs to it. */
static bool add_access(struct import *import, int line, struct trace_event *event, const struct sass_form *form,
                       struct history *warp, const uint64_t *addresses)
{
    bool const copies = form->copies && event->space != PTX_SPACE_SHARED;
    enum ptx_space space = event->space != PTX_SPACE_GENERIC ? event->space : form->space;
    if (copies)
        space = event->space = PTX_SPACE_GLOBAL;
    if (!addresses_fit(import, line, space, form->bytes, event->mask, addresses))
        return false;
    if (space == PTX_SPACE_SHARED)
        note_shared(import, event->mask, addresses, form->bytes);
    if (form->copies && !copies) {
        hold(import, warp, event->mask, addresses);
        return true;
    }
    event->kind = TRACE_ACCESS;
    trace_add(import->trace, event, addresses, NULL);
    if (copies && warp->held == event->mask) {
        event->kind = TRACE_COPY_TO;
        event->space = PTX_SPACE_SHARED;
        trace_add(import->trace, event, import->places.items + warp->places, NULL);
        import->places.count = warp->places + WARP_LANES == import->places.count ? warp->places : import->places.count;
    }
    warp->held = 0;
    return true;
}

bool import_event(struct import *import, int line, uint64_t block, uint32_t warp, uint32_t instruction, uint32_t mask,
                  enum ptx_space space, const uint64_t *addresses)
{
    const struct sass_form *form = import_form(import, instruction);
    if (form->rows)
        mask &= form->rows == 32 ? UINT32_MAX : (UINT32_C(1) << form->rows) - 1;
    if (mask == 0 || form->kind == SASS_OTHER)
        return true;
    if (!warp_fits(import, line, form, warp, mask))
        return false;
    if (form->kind == SASS_STRANGE) {
        import->trace->lost++;
        return true;
    }
    if (2 * import->history_count + 4 >= import->history_room)
        make_history_room(import);
    uint64_t *clock = &history_of(import, block, NO_WARP)->time;
    struct history *history = history_of(import, block, warp);
    if (!form->rows && mask & history->ended)
        return error_at(import->error, ERROR_INPUT, import->name, line, 0,
                        "the mask %08x has lanes of warp %u that have ended", mask, warp);
    struct trace_event event = {.site = instruction, .block = block, .warp = warp, .mask = mask};
    if (history->arrived) {
        struct trace_event release = {.kind = TRACE_BARRIER_RELEASE, .block = block, .warp = warp};
        release.site = history->barrier;
        release.mask = history->arrived;
        release.time = (*clock)++;
        trace_add(import->trace, &release, NULL, NULL);
        history->arrived = 0;
    }
    event.time = (*clock)++;
    import->first = block < import->first ? block : import->first;
    import->last = block > import->last ? block : import->last;
    if (form->kind == SASS_ACCESS) {
        event.space = space;
        return add_access(import, line, &event, form, history, addresses);
    }
    if (form->kind == SASS_BARRIER) {
        event.kind = TRACE_BARRIER_ARRIVE;
        history->arrived = mask;
        history->barrier = instruction;
    } else {
        event.kind = TRACE_EXIT;
        event.site = PTX_NO_INDEX;
        history->ended |= mask;
    }
    trace_add(import->trace, &event, NULL, NULL);
    return true;
}

static int compare_addresses(const void *left, const void *right)
{
    const struct instruction *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The words of PTX for what a file must say of an instruction besides operation, space and bytes; "" for the others. */
static const char *words_of(struct arena *arena, const struct instruction *is)
{
    if (is->form.rows)
        return arena_format(arena, "%s.sync.aligned.m8n8.x%u.shared.b16; ",
                            is->form.operation == TRACE_STORE ? "stmatrix" : "ldmatrix", is->form.rows / 8);
    return "";
}

/* Makes the listing and the table of sites, and lets the events name the sites. */
static void make_sites(struct import *import)
{
    struct trace *trace = import->trace;
    size_t const count = import->instructions.count;
    struct arena scratch = {0};
    uint32_t *site_of = arena_array(&scratch, uint32_t, count);
    struct trace_site *sites = arena_array(&trace->arena, struct trace_site, count);
    struct {
        char *items;
        size_t count, capacity;
    } listing = {0};
    if (count)
        qsort(import->instructions.items, count, sizeof *import->instructions.items, compare_addresses);
    for (size_t i = 0; i < count; i++) {
        const struct instruction *is = &import->instructions.items[i];
        const char *text = arena_format(&trace->arena, "%04llx  %s%s%s", (unsigned long long)is->address, is->opcode,
                                        is->registers[0] ? " " : "", is->registers);
        if (is->line)
            text = arena_format(&trace->arena, "%s  // line %u", text, is->line);
        size_t const size = strlen(text);
        listing.items = array_grow(listing.items, &listing.capacity, listing.count + size + 2, 1);
        memcpy(listing.items + listing.count, text, size);
        listing.items[listing.count + size] = '\n';
        listing.count += size + 1;
        if (is->form.kind != SASS_ACCESS && is->form.kind != SASS_BARRIER)
            continue;
        site_of[is->number] = trace->site_count;
        sites[trace->site_count++] =
            (struct trace_site){.operation = is->form.operation,
                                .space = is->form.space,
                                .bytes = is->form.kind == SASS_ACCESS ? is->form.bytes : 0,
                                .line = (uint32_t)i + 1,
                                .text = arena_format(&trace->arena, "%s%s", words_of(&scratch, is), text)};
    }
    trace->source = arena_text_n(&trace->arena, listing.items ? listing.items : "", listing.count);
    trace->sites = sites;
    trace_sites_read(sites, trace->site_count);
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.items[i].site != PTX_NO_INDEX)
            trace->events.items[i].site = site_of[trace->events.items[i].site];
    free(listing.items);
    arena_free(&scratch);
}

bool import_end(struct import *import, bool good, struct trace **made)
{
    struct trace *trace = import->trace;
    struct trace_problem problem;
    if (good && import->first > import->last)
        good = error_at(import->error, ERROR_INPUT, import->name, 0, 0, "holds no access to memory of a block");
    if (good) {
        static const char *const files[] = {"SASS"};
        trace->files = files;
        trace->file_count = 1;
        trace->recorded = (struct launch_blocks){import->first, import->last};
        /* Compute capability 8.0 and later keep the first 1 KiB of shared memory for themselves. */
        if (import->shared_least >= SM_SHARED_RESERVED && import->shared_end > trace->shared_bytes &&
            import->shared_least != UINT64_MAX)
            trace->shared_base = SM_SHARED_RESERVED;
        make_sites(import);
        trace_sort(trace);
        good = trace_check(trace, &problem) || error_at(import->error, ERROR_INPUT, import->name, 0, 0,
                                                        "makes no trace: %s %s", problem.field, problem.what);
    }
    if (good) {
        *made = trace;
        import->trace = NULL;
    }
    import_free(import);
    return good;
}
