/* Functions that the driver provides to kernels: printf, assert, malloc and free, and launches of kernels. */
#include "emulator/decode/provided.h"
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/decode/decode.h"
#include "emulator/memory/memory.h"
#include "trace/limits.h"
#include <stdio.h>

enum provided_kind {
    PROVIDED_PRINTF,
    PROVIDED_ASSERT,
    PROVIDED_MALLOC,
    PROVIDED_FREE,
    PROVIDED_LAUNCH,
    PROVIDED_LAUNCH_ERROR
};
enum { ARGUMENTS_MAX = 10, TEXT_MAX = 4096, OUTPUT_MAX = 1 << 20 };
enum {
    WIDTH_DIGITS = 4,
    WIDTH_END = 1000
}; /* of fields that printf fills: the host's would take gigabytes of wider ones */

static const struct {
    const char *name;
    enum provided_kind kind;
    unsigned arguments;
} table[] = {{"vprintf", PROVIDED_PRINTF, 2},
             {"__assertfail", PROVIDED_ASSERT, 5},
             {"malloc", PROVIDED_MALLOC, 1},
             {"free", PROVIDED_FREE, 1},
             {"lanescope_launch", PROVIDED_LAUNCH, 10},
             {"lanescope_launch_error", PROVIDED_LAUNCH_ERROR, 1}};

struct provided { /* of a call */
    enum provided_kind kind;
    struct call_value arguments[ARGUMENTS_MAX], result;
    bool has_result;
};

static uint64_t argument(const struct warp *w, const struct provided *call, unsigned index, unsigned lane)
{
    const struct call_value *v = &call->arguments[index];
    if (v->in_register)
        return lane_get(w, v->from, v->row_bytes, lane);
    uint64_t value = 0;
    const uint8_t *local =
        w->local + (uint64_t)lane * w->worker->emulation->local_bytes + w->frame->local_base + v->from;
    memcpy(&value, local, v->bytes > 8 ? 8 : v->bytes);
    return value;
}

static void give(struct warp *w, const struct provided *call, unsigned lane, uint64_t value)
{
    const struct call_value *v = &call->result;
    if (!call->has_result)
        return;
    if (v->in_register) {
        lane_set(w, v->from, v->row_bytes, lane, value);
        return;
    }
    uint8_t *local = w->local + (uint64_t)lane * w->worker->emulation->local_bytes + w->frame->local_base + v->from;
    memcpy(local, &value, v->bytes > 8 ? 8 : v->bytes);
}

/* Reads a text in the kernel's memory, as far as it can be read. */
static void read_text(struct warp *w, unsigned lane, uint64_t address, char *text, size_t size)
{
    size_t length = 0;
    const uint8_t *byte;
    while (length + 1 < size && (byte = memory_peek(w, address + length, 1, lane)) && *byte)
        text[length++] = (char)*byte;
    text[length] = 0;
}

/* A text counts against the budget by its length, kept or not: a kernel that prints for ever must end soon, too. */
static void print(struct warp *w, const char *text)
{
    enum { BYTES_OF_AN_INSTRUCTION = 8 };
    struct block *block = w->block;
    size_t length = strlen(text);
    uint64_t const cost = length / BYTES_OF_AN_INSTRUCTION + 1;
    w->instructions += cost;
    w->slice -= (int64_t)cost;
    if (block->mode == BLOCK_RECORDED) /* in other blocks, the slice's end counts it */
        block->instructions += cost;
    if (block->output.count + length > OUTPUT_MAX)
        return;
    size_t end = block->output.count + length;
    block->output.items = array_grow(block->output.items, &block->output.capacity, end + 1, 1);
    memcpy(block->output.items + block->output.count, text, length + 1);
    block->output.count = end;
}

struct arguments { /* of printf: values one after the other, each at a multiple of its size */
    struct warp *w;
    unsigned lane, count;
    uint64_t at;
};

static uint64_t next_argument(struct arguments *a, unsigned bytes)
{
    a->at = (a->at + bytes - 1) / bytes * bytes;
    const uint8_t *from = memory_peek(a->w, a->at, bytes, a->lane);
    uint64_t value = 0;
    if (from)
        memcpy(&value, from, bytes);
    a->at += bytes;
    a->count++;
    return value;
}

/* Prints one conversion, such as "%-8.3f", with its value. */
static void print_one(struct arguments *a, char *specification, char conversion, unsigned bits)
{
    char out[TEXT_MAX], text[TEXT_MAX];
    double number;
    uint64_t value;
    size_t end = strlen(specification);
    if (strchr("diuoxX", conversion)) {
        value = next_argument(a, bits == 64 ? 8 : 4) << (64 - bits);
        value = strchr("di", conversion) ? (uint64_t)((int64_t)value >> (64 - bits)) : value >> (64 - bits);
        snprintf(specification + end, 8, "ll%c", conversion);
        snprintf(out, sizeof out, specification, (unsigned long long)value);
    } else if (strchr("fFeEgGaA", conversion)) {
        value = next_argument(a, 8);
        memcpy(&number, &value, 8);
        snprintf(specification + end, 8, "%c", conversion);
        snprintf(out, sizeof out, specification, number);
    } else if (conversion == 's') {
        read_text(a->w, a->lane, next_argument(a, 8), text, sizeof text);
        snprintf(specification + end, 8, "s");
        snprintf(out, sizeof out, specification, text);
    } else if (conversion == 'c') {
        snprintf(specification + end, 8, "c");
        snprintf(out, sizeof out, specification, (int)next_argument(a, 4));
    } else {
        snprintf(out, sizeof out, "0x%llx", (unsigned long long)next_argument(a, 8));
    }
    print(a->w, out);
}

static unsigned print_format(struct arguments *a, const char *format)
{
    while (*format) {
        char specification[64] = "%";
        size_t length = 1, plain = strcspn(format, "%");
        unsigned bits = 32;
        if (plain) {
            print(a->w, (char[]){*format++, 0});
            continue;
        }
        if (*++format == '%') {
            print(a->w, "%");
            format++;
            continue;
        }
        for (unsigned digits = 0; *format && strchr("-+ #0123456789.*", *format) && length < 32; format++) {
            digits = strchr("0123456789", *format) ? digits + 1 : 0;
            if (*format == '*')
                length += (size_t)snprintf(specification + length, 16, "%d", (int)next_argument(a, 4) % WIDTH_END);
            else if (digits < WIDTH_DIGITS)
                specification[length++] = *format;
        }
        specification[length] = 0;
        for (; *format && strchr("hlLjzt", *format); format++)
            bits = *format == 'h' ? bits / 2 : 64;
        bits = bits < 8 ? 8 : bits;
        if (*format && strchr("diuoxXfFeEgGaAscp", *format))
            print_one(a, specification, *format, bits);
        else
            print(a->w, "%");
        if (*format)
            format++;
    }
    return a->count;
}

static const struct op *fail_assertion(struct warp *w, const struct op *op, unsigned lane)
{
    const struct provided *call = op->extra;
    char what[512], file[256], function[256], text[1400];
    uint32_t thread[3];
    read_text(w, lane, argument(w, call, 0, lane), what, sizeof what);
    read_text(w, lane, argument(w, call, 1, lane), file, sizeof file);
    read_text(w, lane, argument(w, call, 3, lane), function, sizeof function);
    fault_thread(w, lane, thread);
    const uint32_t *block = w->block->index;
    unsigned line = (unsigned)argument(w, call, 2, lane);
    snprintf(text, sizeof text, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
             function, block[0], block[1], block[2], thread[0], thread[1], thread[2], what);
    print(w, text);
    struct finding fault = {.form = FINDING_ASSERT};
    fault.assertion = (struct finding_assertion){.text = what, .function = function, .file = file, .line = line};
    return fault_at(w, op, lane, &fault);
}

/* Takes memory from the heap, which only grows: programs that free everything at the end expect no more. Returns 0
 * when it is full. Where memory is checked, a gap follows each allocation, so that accesses beyond its end are
 * found. */
static uint64_t allocate(struct emulation *emulation, uint64_t bytes)
{
    uint64_t size = (bytes + 15) / 16 * 16 + (checks_active(emulation, CHECK_heap) ? 16 : 0);
    if (bytes > emulation->heap_bytes || !emulation->heap_bytes || (emulation->launch->heap && !bytes))
        return 0;
    uint64_t const at = emulation->heap_used;
    struct launch_heap *heap = emulation->launch->heap;
    if (size > emulation->heap_bytes - at || (heap && bytes > heap->limit - heap->live))
        return 0;
    emulation->heap_used += size;
    if (heap) {
        heap->used = emulation->heap_used;
        heap->live += bytes;
        array_push(&heap->given, ((struct launch_given){.at = at, .bytes = bytes}));
    }
    if (bytes)
        checks_heap(emulation, at, bytes);
    return emulation->heap_base + at;
}

static struct launch_given *given_at(const struct launch_heap *heap, uint64_t at)
{
    size_t low = 0, high = heap->given.count;
    while (low < high) {
        size_t const middle = (low + high) / 2;
        if (heap->given.items[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < heap->given.count && heap->given.items[low].at == at ? &heap->given.items[low] : NULL;
}

static void give_back(struct emulation *emulation, uint64_t address)
{
    uint64_t const at = address - emulation->heap_base;
    if (at >= emulation->heap_bytes)
        return;
    checks_heap(emulation, at, 0);
    struct launch_given *given = emulation->launch->heap ? given_at(emulation->launch->heap, at) : NULL;
    if (given && !given->freed) {
        given->freed = true;
        emulation->launch->heap->live -= given->bytes;
    }
}

/* Keeps a launch for the time after the kernel. Returns an error with the number of CUDA's, or 0. */
static int launch_child(struct warp *w, const struct op *op, unsigned lane)
{
    enum { INVALID_CONFIGURATION = 9, TOO_DEEP = 65, TOO_MANY = 69 };
    const struct provided *call = op->extra;
    const struct emulation *emulation = w->worker->emulation;
    struct launch_children *children = emulation->launch->children;
    struct launch_child child = {.function = (uint32_t)((argument(w, call, 0, lane) - EMULATOR_CODE_BASE) / 16),
                                 .shared_bytes = (uint32_t)argument(w, call, 7, lane),
                                 .stream = argument(w, call, 8, lane),
                                 .arguments = children->bytes.count};
    const struct ptx_function *kernel = &emulation->module->functions[child.function];
    struct finding_place place = {0};
    for (unsigned i = 0; i < 3; i++) {
        child.grid[i] = (uint32_t)argument(w, call, 1 + i, lane);
        child.block[i] = (uint32_t)argument(w, call, 4 + i, lane);
    }
    if (launch_check(kernel, child.grid, child.block, child.shared_bytes) != LAUNCH_FITS)
        return INVALID_CONFIGURATION;
    if (children->depth >= LAUNCH_DEPTH_MAX || children->list.count >= children->most)
        return children->depth >= LAUNCH_DEPTH_MAX ? TOO_DEEP : TOO_MANY;
    fault_place(emulation->module, op->source, &place);
    child.file = place.file;
    child.line = place.line;
    for (size_t i = 0; i < kernel->parameter_bytes; i++) {
        const uint8_t *byte = memory_peek(w, argument(w, call, 9, lane) + i, 1, lane);
        array_push(&children->bytes, (uint8_t)(byte ? *byte : 0));
    }
    array_push(&children->list, child);
    return 0;
}

static void launch(struct warp *w, const struct op *op, unsigned lane)
{
    struct launch_children *children = w->worker->emulation->launch->children;
    struct launch_refused const refused = {w->block->number, w->number * WARP_LANES + lane, launch_child(w, op, lane)};
    if (refused.error)
        array_push(&children->refused, refused);
    give(w, op->extra, lane, (uint64_t)refused.error);
}

/* Returns the last error of the thread's launches. */
static int launch_error(struct warp *w, unsigned lane, bool reset)
{
    struct launch_children *children = w->worker->emulation->launch->children;
    int error = 0;
    size_t kept = 0;
    for (size_t i = 0; i < children->refused.count; i++) {
        const struct launch_refused *refused = &children->refused.items[i];
        bool const own = refused->block == w->block->number && refused->thread == w->number * WARP_LANES + lane;
        error = own ? refused->error : error;
        if (!own || !reset)
            children->refused.items[kept++] = *refused;
    }
    children->refused.count = kept;
    return error;
}

const struct op *provided_run(struct warp *w, const struct op *op)
{
    const struct provided *call = op->extra;
    char format[TEXT_MAX];
    if (call->kind == PROVIDED_ASSERT)
        return fail_assertion(w, op, lowest(w->mask));
    EACH_LANE(l, w->mask)
    {
        if (call->kind == PROVIDED_PRINTF) {
            struct arguments arguments = {.w = w, .lane = l, .at = argument(w, call, 1, l)};
            read_text(w, l, argument(w, call, 0, l), format, sizeof format);
            give(w, call, l, print_format(&arguments, format));
        } else if (call->kind == PROVIDED_MALLOC) {
            give(w, call, l, allocate(w->worker->emulation, argument(w, call, 0, l)));
        } else if (call->kind == PROVIDED_FREE) {
            give_back(w->worker->emulation, argument(w, call, 0, l));
        } else if (call->kind == PROVIDED_LAUNCH) {
            launch(w, op, l);
        } else if (call->kind == PROVIDED_LAUNCH_ERROR) {
            give(w, call, l, (uint64_t)launch_error(w, l, argument(w, call, 0, l) != 0));
        }
    }
    return op + 1;
}

static bool declares(const struct ptx_module *module, const char *name)
{
    for (uint32_t f = 0; f < module->function_count; f++)
        if (!module->functions[f].has_body && strcmp(module->functions[f].name, name) == 0)
            return true;
    return false;
}

bool provided_heap(const struct ptx_module *module)
{
    return declares(module, "malloc");
}

bool provided_launches(const struct ptx_module *module)
{
    return declares(module, "lanescope_launch");
}

bool decode_provided(struct decoder *d, const struct ptx_function *callee)
{
    const struct ptx_instruction *i = d->instruction;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (strcmp(callee->name, table[k].name) != 0 || i->call_argument_count != table[k].arguments)
            continue;
        const struct launch *launch = d->emulation->launch;
        if (table[k].kind >= PROVIDED_LAUNCH && launch && !launch->children)
            return false; /* decode.c says why */
        struct provided *call = arena_new(d->arena, struct provided);
        call->kind = table[k].kind;
        call->has_result = i->call_result_count > 0;
        for (uint32_t a = 0; a < i->call_argument_count; a++) {
            call->arguments[a].bytes = (uint32_t)callee->parameters[a].size;
            call->arguments[a].row_bytes = call->arguments[a].bytes == 8 ? 8 : 4;
            if (!decode_call_value(d, &i->call_arguments[a], &call->arguments[a]))
                return false;
        }
        if (call->has_result) {
            call->result.bytes = (uint32_t)callee->results[0].size;
            call->result.row_bytes = call->result.bytes == 8 ? 8 : 4;
            if (!decode_call_value(d, &i->call_results[0], &call->result))
                return false;
        }
        decode_emit(d, OP_provided_run)->extra = call;
        return true;
    }
    return false;
}
