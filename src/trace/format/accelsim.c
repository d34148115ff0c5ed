/* Files of the tracer of Accel-Sim, of one kernel each: kernel-N.trace, in which the instructions of all warps lie as
 * they came, and kernel-N.traceg, in which they are grouped by block and warp. docs/formats.md describes both.
 *
 * Instructions that are grouped have lost the order between warps: the warps of a block take turns, and meet at
 * barriers. */
#include "trace/format/import.h"
#include "trace/format/registry.h"
#include <stdlib.h>
#include <string.h>

enum { REGISTERS_MOST = 16, OPCODE_MOST = 63 };

/* Events of a block that is read, grouped by warp. */
struct step {
    uint32_t instruction, mask;
    int line;
    enum ptx_space space;
    uint64_t addresses[WARP_LANES];
};

struct reader {
    const char *name;
    struct error *error;
    struct import *import;
    struct trace *trace;
    uint64_t shared_window, local_window; /* where generic addresses meet shared and local memory; 0: unknown */
    bool lines;                           /* instructions begin with a line of the source */
    unsigned before;                      /* numbers before the address of an instruction: block, warp, cluster */
    bool counted;                         /* `before` is known */
    bool grouped, in_block, in_warp;
    uint64_t block;
    uint32_t warp;
    struct {
        struct step *items;
        size_t count, capacity;
    } steps;
    size_t first[LAUNCH_WARPS_MAX], end[LAUNCH_WARPS_MAX]; /* of each warp's steps */
};

static bool fail(struct reader *reader, const struct import_line *line, const char *what)
{
    return error_at(reader->error, ERROR_INPUT, reader->name, line->number, 0, "%s", what);
}

/* ---- the head ---- */

/* Returns the text behind "-KEY = ", or false when the line has another key. */
static bool has_key(struct import_line line, const char *key, struct import_line *value)
{
    if (!import_skip(&line, "-") || !import_skip(&line, key) || !import_skip(&line, " = "))
        return false;
    while (line.end > line.at && line.end[-1] <= ' ')
        line.end--;
    *value = line;
    return true;
}

static bool read_size(struct reader *reader, const struct import_line *line, struct import_line value, uint32_t size[3])
{
    size_t const length = (size_t)(value.end - value.at);
    if (length < 2 || value.at[0] != '(' || value.end[-1] != ')' || !import_triple(value.at + 1, length - 2, size))
        return fail(reader, line, "a size is three numbers in brackets, as (4,1,1)");
    return true;
}

static bool read_key(struct reader *reader, const struct import_line *line)
{
    struct import_line value;
    uint64_t number;
    struct trace *trace = reader->trace;
    if (has_key(*line, "kernel name", &value)) {
        char *name = arena_text_n(&trace->arena, value.at, (size_t)(value.end - value.at));
        for (char *at = name; *at; at++)
            if (*at < ' ' || *at > '~')
                *at = '?';
        trace->kernel = name;
    }
    if (has_key(*line, "grid dim", &value))
        return read_size(reader, line, value, trace->grid);
    if (has_key(*line, "block dim", &value))
        return read_size(reader, line, value, trace->block);
    if (has_key(*line, "shmem", &value)) {
        if (!import_take_number(&value, 10, LAUNCH_SHARED_MAX, &number))
            return fail(reader, line, "shmem is a number of bytes that a block can have");
        trace->shared_bytes = (uint32_t)number;
    }
    if (has_key(*line, "binary version", &value)) {
        if (!import_take_number(&value, 10, 999, &number))
            return fail(reader, line, "the binary version is a number such as 70");
        trace->device = arena_format(&trace->arena, "sm_%u, traced by Accel-Sim", (unsigned)number);
    }
    if (has_key(*line, "shmem base_addr", &value) &&
        !import_take_number(&value, 16, UINT64_MAX, &reader->shared_window))
        return fail(reader, line, "the base of shared memory is no address");
    if (has_key(*line, "local mem base_addr", &value) &&
        !import_take_number(&value, 16, UINT64_MAX, &reader->local_window))
        return fail(reader, line, "the base of local memory is no address");
    if (has_key(*line, "enable lineinfo", &value))
        reader->lines = import_word_is(import_take_word(&value), "1");
    return true;
}

/* ---- instructions ---- */

/* Counts the numbers before the address of an instruction. Its mask, two words later, has eight digits. */
static bool count_before(struct reader *reader, const struct import_line *line)
{
    static const unsigned choices[] = {0, 4, 11}; /* grouped; with block and warp; with the cluster, too */
    struct import_line at = *line;
    struct import_word words[14];
    size_t count = 0;
    for (; count < sizeof words / sizeof *words; count++)
        words[count] = import_take_word(&at);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        uint64_t mask;
        unsigned const place = choices[i] + reader->lines + 1;
        if (words[place].size == 8 && import_number(words[place], 16, UINT32_MAX, &mask) &&
            (choices[i] > 0 || reader->in_warp)) {
            reader->before = choices[i];
            reader->counted = true;
            return true;
        }
    }
    return fail(reader, line, "is no instruction of Accel-Sim's tracer: its mask is not where one is expected");
}

/* Appends the registers of an instruction to a text: "R4, R2". */
static bool take_registers(struct import_line *line, char *text, size_t room)
{
    uint64_t count;
    if (!import_take_number(line, 10, REGISTERS_MOST, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        struct import_word const word = import_take_word(line);
        size_t const length = strlen(text);
        if (word.size < 2 || word.size > 8 || length + word.size + 3 > room)
            return false;
        for (size_t k = 0; k < word.size; k++)
            if (word.at[k] < '!' || word.at[k] > '~')
                return false;
        memcpy(text + length, ", ", length ? 2 : 0);
        memcpy(text + length + (length ? 2 : 0), word.at, word.size);
        text[length + (length ? 2 : 0) + word.size] = '\0';
    }
    return true;
}

static bool take_opcode(struct import_line *line, char opcode[OPCODE_MOST + 1])
{
    struct import_word const word = import_take_word(line);
    if (word.size == 0 || word.size > OPCODE_MOST)
        return false;
    for (size_t i = 0; i < word.size; i++)
        if (word.at[i] < '!' || word.at[i] > '~')
            return false;
    memcpy(opcode, word.at, word.size);
    opcode[word.size] = '\0';
    return true;
}

static bool take_step(struct import_line *line, uint64_t *address)
{
    struct import_word word = import_take_word(line);
    bool const back = word.size > 1 && word.at[0] == '-';
    uint64_t step;
    if (back)
        word = (struct import_word){word.at + 1, word.size - 1};
    if (!import_number(word, 10, INT64_MAX, &step))
        return false;
    *address += back ? 0 - step : step;
    return true;
}

/* Reads the addresses of the lanes of a mask: listed, as a base and a stride, or as a base and differences. */
static bool take_addresses(struct reader *reader, const struct import_line *whole, struct import_line *line,
                           uint32_t mask, uint64_t addresses[WARP_LANES])
{
    enum { LISTED, STRIDE, DIFFERENCES };
    uint64_t form, at = 0;
    if (!import_take_number(line, 10, DIFFERENCES, &form))
        return fail(reader, whole, "the form of the addresses is not 0, 1 or 2");
    struct import_line stride = {0};
    if (form != LISTED) {
        if (!import_take_number(line, 16, UINT64_MAX, &at))
            return fail(reader, whole, "the base of the addresses is missing");
        stride = *line;
    }
    bool first = true;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        addresses[lane] = 0;
        if (!(mask >> lane & 1))
            continue;
        if (form == STRIDE && !first && !(mask >> (lane - 1) & 1))
            return fail(reader, whole, "a stride stands for lanes that do not lie side by side");
        struct import_line again = stride;
        bool const good = form == LISTED   ? import_take_number(line, 16, UINT64_MAX, &at)
                          : first          ? true
                          : form == STRIDE ? take_step(&again, &at)
                                           : take_step(line, &at);
        if (!good)
            return fail(reader, whole, "an address of its lanes is missing or no number");
        addresses[lane] = at;
        first = false;
    }
    return true;
}

/* Moves a generic address that lies in a window to shared or local memory. */
static enum ptx_space space_of(const struct reader *reader, uint32_t mask, uint64_t addresses[WARP_LANES])
{
    uint64_t const window = UINT64_C(1) << 24; /* of each: CUDA C++ Programming Guide, "Address Space Predicate" */
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (mask >> lane & 1) {
            bool const shared = reader->shared_window && addresses[lane] - reader->shared_window < window;
            bool const local = reader->local_window && addresses[lane] - reader->local_window < window;
            if (!shared)
                return local ? PTX_SPACE_LOCAL : PTX_SPACE_GLOBAL;
        }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (mask >> lane & 1)
            addresses[lane] -= reader->shared_window;
    return PTX_SPACE_SHARED;
}

static bool take_place(struct reader *reader, const struct import_line *whole, struct import_line *line)
{
    uint32_t block[3];
    uint64_t number;
    for (unsigned i = 0; i < reader->before; i++) {
        if (!import_take_number(line, 10, UINT32_MAX, &number))
            return fail(reader, whole, "a number of the block or the warp is missing");
        if (i < 3)
            block[i] = (uint32_t)number;
        else if (i == 3)
            reader->warp = (uint32_t)number;
    }
    return reader->before == 0 || reader->grouped || import_block(reader->import, whole->number, block, &reader->block);
}

static bool read_instruction(struct reader *reader, const struct import_line *whole)
{
    struct import_line line = *whole;
    char opcode[OPCODE_MOST + 1], registers[256] = "";
    uint64_t source = 0, address, mask, width;
    if (reader->grouped && !reader->in_warp)
        return fail(reader, whole, "an instruction belongs to no warp");
    if ((!reader->counted && !count_before(reader, whole)) || !take_place(reader, whole, &line))
        return false;
    if ((reader->lines && !import_take_number(&line, 10, UINT32_MAX, &source)) ||
        !import_take_number(&line, 16, UINT64_MAX, &address) || !import_take_number(&line, 16, UINT32_MAX, &mask))
        return fail(reader, whole, "the address or the mask of an instruction is no number");
    if (!take_registers(&line, registers, sizeof registers) || !take_opcode(&line, opcode) ||
        !take_registers(&line, registers, sizeof registers))
        return fail(reader, whole, "the registers or the opcode of an instruction are not as expected");
    if (!import_take_number(&line, 10, 1024, &width))
        return fail(reader, whole, "the width of an access is missing");
    reader->trace->totals.warp_instructions++;
    reader->trace->totals.thread_instructions += (unsigned)__builtin_popcount((uint32_t)mask);
    uint32_t const instruction = import_instruction(reader->import, address, opcode, registers, (uint32_t)source);
    const struct sass_form *form = import_form(reader->import, instruction);
    bool const accesses = width > 0 && form->kind == SASS_ACCESS;
    if (form->kind == SASS_OTHER || (width == 0 && (form->kind == SASS_ACCESS || form->kind == SASS_STRANGE)))
        return true;
    struct step step = {.instruction = instruction, .mask = (uint32_t)mask, .line = whole->number};
    if (accesses && !take_addresses(reader, whole, &line, step.mask, step.addresses))
        return false;
    if (accesses && form->space == PTX_SPACE_GENERIC)
        step.space = space_of(reader, step.mask, step.addresses);
    if (accesses && form->copies && !reader->grouped) { /* its places in shared memory come first */
        uint32_t const lowest = step.mask ? (uint32_t)__builtin_ctz(step.mask) : 0;
        step.space = step.addresses[lowest] <= UINT32_MAX ? PTX_SPACE_SHARED : PTX_SPACE_GLOBAL;
    }
    if (!reader->grouped)
        return import_event(reader->import, step.line, reader->block, reader->warp, instruction, step.mask, step.space,
                            accesses ? step.addresses : NULL);
    array_push(&reader->steps, step);
    reader->end[reader->warp] = reader->steps.count;
    return true;
}

/* ---- blocks and warps ---- */

/* Lets the warps of the block take turns. A warp at a barrier waits until all others have come to one, or have ended.
 */
static bool take_turns(struct reader *reader)
{
    size_t at[LAUNCH_WARPS_MAX];
    bool waits[LAUNCH_WARPS_MAX] = {false};
    bool good = true, moved = true;
    memcpy(at, reader->first, sizeof at);
    while (good && moved) {
        bool waiting = false;
        moved = false;
        for (uint32_t warp = 0; warp < LAUNCH_WARPS_MAX && good; warp++) {
            waiting = waiting || waits[warp];
            if (waits[warp] || at[warp] >= reader->end[warp])
                continue;
            const struct step *step = &reader->steps.items[at[warp]++];
            enum sass_kind const kind = import_form(reader->import, step->instruction)->kind;
            good = import_event(reader->import, step->line, reader->block, warp, step->instruction, step->mask,
                                step->space, kind == SASS_ACCESS ? step->addresses : NULL);
            waits[warp] = kind == SASS_BARRIER;
            moved = true;
        }
        if (!moved && waiting) {
            memset(waits, 0, sizeof waits);
            moved = true;
        }
    }
    reader->steps.count = 0;
    memset(reader->first, 0, sizeof reader->first);
    memset(reader->end, 0, sizeof reader->end);
    return good;
}

static bool begin_warp(struct reader *reader, const struct import_line *line, struct import_line value)
{
    uint64_t warp;
    uint64_t const threads = launch_count(reader->trace->block);
    if (!reader->in_block)
        return fail(reader, line, "a warp belongs to no block");
    if (!import_take_number(&value, 10, LAUNCH_WARPS_MAX - 1, &warp) || warp * WARP_LANES >= threads)
        return fail(reader, line, "the block has no such warp");
    if (reader->end[warp] > reader->first[warp])
        return fail(reader, line, "a warp comes twice in its block");
    reader->warp = (uint32_t)warp;
    reader->in_warp = true;
    reader->first[warp] = reader->end[warp] = reader->steps.count;
    return true;
}

static bool read_line(struct reader *reader, const struct import_line *line)
{
    struct import_line at = *line;
    if (import_skip(&at, "#BEGIN_TB")) {
        if (reader->in_block)
            return fail(reader, line, "a block begins before the one before ended");
        reader->grouped = reader->in_block = true;
        reader->in_warp = false;
        reader->block = UINT64_MAX;
        return true;
    }
    if (import_skip(&at, "#END_TB")) {
        if (!reader->in_block)
            return fail(reader, line, "a block ends that did not begin");
        reader->in_block = reader->in_warp = false;
        return take_turns(reader);
    }
    if (import_skip(&at, "thread block = ")) {
        uint32_t block[3];
        while (at.end > at.at && at.end[-1] <= ' ')
            at.end--;
        if (!import_triple(at.at, (size_t)(at.end - at.at), block))
            return fail(reader, line, "a thread block is three numbers, as 0,0,0");
        return import_block(reader->import, line->number, block, &reader->block);
    }
    if (import_skip(&at, "warp = "))
        return reader->block == UINT64_MAX ? fail(reader, line, "a warp comes before the number of its block")
                                           : begin_warp(reader, line, at);
    if (*line->at == '#' || import_skip(&at, "insts = ") || import_skip(&at, "cluster "))
        return true;
    return read_instruction(reader, line);
}

static bool check_head(struct reader *reader)
{
    struct trace *trace = reader->trace;
    struct launch const launch = {.kernel = trace->kernel,
                                  .grid = {trace->grid[0], trace->grid[1], trace->grid[2]},
                                  .block = {trace->block[0], trace->block[1], trace->block[2]}};
    if (!launch_count(trace->grid) || !launch_count(trace->block))
        return error_at(reader->error, ERROR_INPUT, reader->name, 0, 0, "does not say its grid dim and its block dim");
    if (launch_check(NULL, launch.grid, launch.block, 0) != LAUNCH_FITS)
        return error_at(reader->error, ERROR_INPUT, reader->name, 0, 0,
                        "its grid or its block is larger than a launch can have");
    return true;
}

static bool is_packed(const uint8_t *bytes, size_t size)
{
    static const uint8_t magic[] = {0xfd, '7', 'z', 'X', 'Z', 0};
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static bool probe_accelsim(const uint8_t *bytes, size_t size)
{
    static const char begin[] = "-kernel name = ";
    return is_packed(bytes, size) || (size >= sizeof begin - 1 && memcmp(bytes, begin, sizeof begin - 1) == 0);
}

static bool read_accelsim(const char *name, const uint8_t *bytes, size_t size, struct trace **trace,
                          struct error *error)
{
    if (is_packed(bytes, size)) {
        error_at(error, ERROR_INPUT, name, 0, 0, "is packed by xz");
        return error_remedy(error, "unpack it with  xz -dk  and open the file that it makes");
    }
    struct reader reader = {.name = name, .error = error, .import = import_new(name, error), .block = UINT64_MAX};
    struct import_text text = {(const char *)bytes, (const char *)bytes + size, 0};
    struct import_line line;
    bool good = reader.import != NULL, head = true;
    if (good)
        reader.trace = import_trace(reader.import);
    while (good && import_next_line(&text, &line)) {
        struct import_line words = line;
        if (import_take_word(&words).size == 0)
            continue;
        if (head && *line.at == '-') {
            good = read_key(&reader, &line);
        } else {
            good = (!head || check_head(&reader)) && read_line(&reader, &line);
            head = false;
        }
    }
    if (good && reader.in_block)
        good = error_at(error, ERROR_INPUT, name, text.number, 0, "is cut off: its last block does not end");
    free(reader.steps.items);
    return reader.import && import_end(reader.import, good, trace);
}

const struct trace_format trace_format_accelsim = {.name = "a trace of Accel-Sim",
                                                   .ending = ".traceg",
                                                   .probe = probe_accelsim,
                                                   .read = read_accelsim,
                                                   .bytes_most = UINT64_C(256) << 20};
