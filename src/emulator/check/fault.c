/* Faults: the kernel did what the hardware would refuse or what no program means to do. */
#include "emulator/check/fault.h"
#include "emulator/memory/memory.h"
#include "emulator/run/record.h"
#include <stdarg.h>
#include <stdio.h>

void fault_thread(const struct warp *w, unsigned lane, uint32_t thread[3])
{
    const uint32_t *block = w->worker->machine->launch->block;
    uint32_t linear = w->number * WARP_LANES + lane;
    thread[0] = linear % block[0];
    thread[1] = linear / block[0] % block[1];
    thread[2] = linear / block[0] / block[1];
}

static void fill(struct trace_fault *fault, const struct warp *w, const struct op *op, unsigned lane, const char *kind,
                 uint64_t address)
{
    fault->kind = kind;
    fault->site = op->source ? op->source->site : PTX_NO_INDEX;
    fault->file = op->source ? op->source->file : PTX_NO_INDEX;
    fault->line = op->source ? op->source->line : 0;
    fault->column = op->source ? op->source->column : 0;
    fault->block = w->block->number;
    fault_thread(w, lane, fault->thread);
    fault->address = address;
}

/* The notes are few: one an instruction and kind, from the lowest block that has it. */
void fault_note(struct warp *w, const struct op *op, unsigned lane, const char *kind, uint64_t address,
                const char *format, ...)
{
    struct machine *machine = w->worker->machine;
    struct trace_fault note, *known = NULL;
    fill(&note, w, op, lane, kind, address);
    pthread_mutex_lock(&machine->lock);
    for (size_t i = 0; i < machine->notes.count && !known; i++)
        if (machine->notes.items[i].kind == kind && machine->notes.items[i].site == note.site)
            known = &machine->notes.items[i];
    if (!known || known->block > note.block) {
        va_list arguments;
        va_start(arguments, format);
        note.message = arena_format_v(machine->arena, format, arguments);
        va_end(arguments);
        if (known)
            *known = note;
        else
            array_push(&machine->notes, note);
    }
    pthread_mutex_unlock(&machine->lock);
}

const struct op *fault_at(struct warp *w, const struct op *op, unsigned lane, const char *kind, uint64_t address,
                          const char *format, ...)
{
    struct worker *worker = w->worker;
    w->state = WARP_FAULT;
    if (worker->fault)
        return NULL;
    struct trace_fault *fault = arena_new(&worker->arena, struct trace_fault);
    va_list arguments;
    va_start(arguments, format);
    fault->message = arena_format_v(&worker->arena, format, arguments);
    va_end(arguments);
    fill(fault, w, op, lane, kind, address);
    worker->fault = fault;
    if (w->watched)
        record_event(w, TRACE_FAULT, fault->site, w->active, 1u << lane);
    return NULL;
}

/* ", where x[60] would be", of an address outside a buffer. */
static const char *element_there(const struct machine *machine, const struct region *region, uint64_t address,
                                 char *text, size_t size)
{
    *text = 0;
    for (uint32_t i = 0; i < machine->trace->buffer_count; i++) {
        const struct trace_buffer *buffer = &machine->trace->buffers[i];
        int64_t bytes = (int64_t)ptx_type_size(buffer->type);
        if (buffer->address == region->base && bytes)
            snprintf(text, size, ", where %s[%lld] would be", buffer->name,
                     (long long)((int64_t)(address - region->base) / bytes));
    }
    return text;
}

/* "and is 12 bytes after x", for the buffer nearest to an address. */
static void nearest(const struct machine *machine, uint64_t address, char *text, size_t size)
{
    const struct region *best = NULL;
    uint64_t best_distance = UINT64_MAX;
    bool before = false;
    for (uint32_t i = 0; i < machine->region_count; i++) {
        const struct region *r = &machine->regions[i];
        bool below = address < r->base;
        uint64_t distance = below ? r->base - address : address - (r->base + r->size) + 1;
        if (!below && address < r->base + r->size)
            distance = 0; /* begins inside and ends outside */
        if (address < EMULATOR_GLOBAL_BASE || distance >= best_distance)
            continue;
        best = r, best_distance = distance, before = below;
    }
    unsigned long long bytes_away = best_distance, bytes_long = best ? best->size : 0;
    char element[100];
    if (best && best_distance == 0)
        snprintf(text, size, ": it begins in %s of %llu byte%s and ends beyond it", best->name, bytes_long,
                 plural(bytes_long));
    else if (best && best_distance < UINT64_C(1) << 40)
        snprintf(text, size, " and is %llu byte%s %s %s of %llu byte%s%s", bytes_away, plural(bytes_away),
                 before ? "before" : "after", best->name, bytes_long, plural(bytes_long),
                 element_there(machine, best, address, element, sizeof element));
    else
        snprintf(text, size, ", and no buffer is near");
}

/* "is 4 bytes after tile of 1024 bytes", of an offset that is not in an array. */
static void beside(const struct shared_array *array, int64_t offset, char *text, size_t size)
{
    int64_t base = (int64_t)array->base, end = (int64_t)(array->base + array->size);
    bool before = offset < base;
    long long away = before ? base - offset : offset - end + 1;
    unsigned long long bytes = array->size;
    if (before || offset >= end)
        snprintf(text, size, "is %lld byte%s %s %s of %llu byte%s", away, plural((uint64_t)away),
                 before ? "before" : "after", array->name, bytes, plural(bytes));
    else
        snprintf(text, size, "begins in %s of %llu byte%s and ends beyond it", array->name, bytes, plural(bytes));
}

const struct op *fault_array(struct warp *w, const struct op *op, unsigned lane, uint64_t offset)
{
    const struct access *access = op->extra;
    const struct shared_array *in = origin_at(w->worker->machine, offset);
    char where[200];
    beside(access->array, (int64_t)offset, where, sizeof where);
    return fault_at(w, op, lane, "out of bounds", offset,
                    "Invalid __shared__ %s of size %u byte%s: offset %llu is out of bounds and %s%s%s",
                    access->store ? "write" : "read", access->total, plural(access->total), (unsigned long long)offset,
                    where, in && in != access->array ? ", in " : "", in && in != access->array ? in->name : "");
}

const struct op *fault_memory(struct warp *w, const struct op *op, unsigned lane, enum ptx_space space,
                              uint64_t address, unsigned bytes, bool store)
{
    const struct machine *machine = w->worker->machine;
    const char *verb = store ? "write" : "read", *where = space == PTX_SPACE_SHARED  ? "__shared__"
                                                          : space == PTX_SPACE_LOCAL ? "__local__"
                                                                                     : "__global__";
    unsigned long long at = address;
    if (address % bytes)
        return fault_at(w, op, lane, "misaligned address", address,
                        "Invalid %s %s of size %u byte%s: address 0x%llx is misaligned, it must be a multiple of %u",
                        where, verb, bytes, plural(bytes), at, bytes);
    const struct access *access = op->extra;
    if (space == PTX_SPACE_SHARED) {
        int64_t offset = access->wide ? (int64_t)address : (int32_t)address;
        char array[200] = "";
        if (access->array)
            beside(access->array, offset, array, sizeof array);
        return fault_at(
            w, op, lane, "out of bounds", address,
            "Invalid %s %s of size %u byte%s: offset %lld is out of bounds of the %u byte%s of shared memory"
            "%s%s",
            where, verb, bytes, plural(bytes), (long long)offset, machine->shared_bytes, plural(machine->shared_bytes),
            *array ? " and " : "", array);
    }
    if (space == PTX_SPACE_LOCAL)
        return fault_at(w, op, lane, "out of bounds", address,
                        "Invalid %s %s of size %u byte%s: offset %lld is out of bounds of the thread's %u byte%s",
                        where, verb, bytes, plural(bytes), (long long)address, machine->local_bytes,
                        plural(machine->local_bytes));
    if (address < 65536)
        return fault_at(w, op, lane, "null pointer", address,
                        "Invalid %s %s of size %u byte%s through a null pointer (address 0x%llx)", where, verb, bytes,
                        plural(bytes), at);
    const struct region *region = memory_region(machine, address);
    if (region && region->read_only && store && address + bytes <= region->base + region->size)
        return fault_at(w, op, lane, "write to read-only memory", address,
                        "Invalid write of size %u byte%s to %s, which is constant", bytes, plural(bytes), region->name);
    char distance[200];
    nearest(machine, address, distance, sizeof distance);
    return fault_at(w, op, lane, "out of bounds", address,
                    "Invalid %s %s of size %u byte%s: address 0x%llx is out of bounds%s", where, verb, bytes,
                    plural(bytes), at, distance);
}
