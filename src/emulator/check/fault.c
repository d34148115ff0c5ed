/* Makes findings and keeps them. Source of their kinds: compute-sanitizer, and the checks of this folder. */
#include "emulator/check/fault.h"
#include "emulator/check/proof.h"
#include "emulator/memory/memory.h"
#include "emulator/run/block_record.h"

void fault_thread(const struct warp *w, unsigned lane, uint32_t thread[3])
{
    launch_thread(w->worker->emulation->launch, w->number * WARP_LANES + lane, thread);
}

void fault_place(const struct ptx_module *module, const struct ptx_instruction *instruction,
                 struct finding_place *place)
{
    const struct ptx_instruction *first = instruction;
    place->site = place->file = PTX_NO_INDEX;
    if (!instruction)
        return;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = &module->functions[i];
        if (function->instruction_count && instruction >= function->instructions &&
            instruction < function->instructions + function->instruction_count)
            first = function->instructions;
    }
    place->site = instruction->site;
    while (!instruction->line && instruction > first) {
        instruction--;
        place->near = instruction->line > 0;
    }
    place->file = instruction->file;
    place->line = instruction->line;
    place->column = place->near ? 0 : instruction->column;
}

static struct finding filled(const struct warp *w, const struct op *op, unsigned lane, const struct finding *what)
{
    struct finding finding = *what;
    finding.kind = finding_kind_of(what->form);
    fault_place(w->worker->emulation->module, op->source, &finding.at);
    finding.at.block = w->block->number;
    fault_thread(w, lane, finding.at.thread);
    finding.lanes = w->active | 1u << lane;
    finding.time = w->worker->time;
    return finding;
}

/* There are few notes: one for each instruction and kind, from the lowest block that has it. */
void fault_note(struct warp *w, const struct op *op, unsigned lane, const struct finding *what)
{
    struct emulation *emulation = w->worker->emulation;
    struct finding const note = filled(w, op, lane, what);
    struct finding *known = NULL;
    proof_refute(emulation, PROVE_ALL);
    pthread_mutex_lock(&emulation->lock);
    for (size_t i = 0; i < emulation->notes.count && !known; i++)
        if (emulation->notes.items[i].kind == note.kind && emulation->notes.items[i].at.site == note.at.site)
            known = &emulation->notes.items[i];
    if (!known)
        array_push(&emulation->notes, note);
    else if (known->at.block > note.at.block)
        *known = note;
    pthread_mutex_unlock(&emulation->lock);
}

const struct op *fault_at(struct warp *w, const struct op *op, unsigned lane, const struct finding *what)
{
    struct worker *worker = w->worker;
    w->state = WARP_FAULT;
    if (worker->fault)
        return NULL;
    struct finding const fault = filled(w, op, lane, what);
    worker->fault = arena_new(&worker->arena, struct finding);
    *worker->fault = finding_copied(&worker->arena, &fault);
    if (w->watched)
        record_event(w, TRACE_FAULT, fault.at.site, w->active, 1u << lane);
    return NULL;
}

struct finding_memory fault_access(const struct warp *w, const struct op *op, enum ptx_space space, unsigned bytes,
                                   bool writes)
{
    const struct trace *trace = w->worker->emulation->trace;
    enum trace_operation const operation = op->site < trace->site_count ? trace->sites[op->site].operation : TRACE_LOAD;
    bool const atomic = operation == TRACE_ATOMIC || operation == TRACE_REDUCTION;
    return (struct finding_memory){.space = space,
                                   .access = !writes  ? FINDING_READ
                                             : atomic ? FINDING_ATOMIC
                                                      : FINDING_WRITE,
                                   .bytes = bytes};
}

void fault_element(const struct emulation *emulation, uint64_t address, struct finding_memory *memory)
{
    for (uint32_t i = 0; i < emulation->trace->buffer_count; i++) {
        const struct trace_buffer *buffer = &emulation->trace->buffers[i];
        int64_t const bytes = (int64_t)ptx_type_size(buffer->type);
        if (buffer->address != memory->base || !bytes)
            continue;
        memory->indexed = true;
        memory->index = (int64_t)(address - memory->base) / bytes;
    }
}

/* Finds the buffer nearest to an address, and its distance. */
static void find_nearest(const struct emulation *emulation, uint64_t address, struct finding_memory *memory)
{
    const struct region *best = NULL;
    uint64_t best_distance = UINT64_MAX;
    bool before = false;
    for (uint32_t i = 0; i < emulation->region_count; i++) {
        const struct region *r = &emulation->regions[i];
        bool const below = address < r->base;
        uint64_t distance = below ? r->base - address : address - (r->base + r->size) + 1;
        if (!below && address < r->base + r->size)
            distance = 0; /* begins inside and ends outside */
        bool const outside =
            address < EMULATOR_PLACED_BASE || (address >= EMULATOR_PLACED_END && address < EMULATOR_WINDOWS_END);
        if (outside || distance >= best_distance)
            continue;
        best = r, best_distance = distance, before = below;
    }
    if (!best || best_distance >= UINT64_C(1) << 40)
        return;
    memory->name = best->name, memory->base = best->base, memory->size = best->size;
    memory->distance = best_distance;
    memory->side = !best_distance ? FINDING_ACROSS : before ? FINDING_BEFORE : FINDING_AFTER;
    if (best_distance)
        fault_element(emulation, address, memory);
}

/* Measures how far an offset lies from the array that it misses. */
static void measure_array(const struct shared_array *array, int64_t offset, struct finding_memory *memory)
{
    int64_t const base = (int64_t)array->base, end = (int64_t)(array->base + array->size);
    bool const before = offset < base;
    memory->name = array->name, memory->base = array->base, memory->size = array->size;
    memory->side = before ? FINDING_BEFORE : offset >= end ? FINDING_AFTER : FINDING_ACROSS;
    memory->distance = memory->side == FINDING_ACROSS ? 0 : (uint64_t)(before ? base - offset : offset - end + 1);
}

static bool any_dynamic(const struct ptx_variable *variables, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (variables[i].space == PTX_SPACE_SHARED && variables[i].external && variables[i].size == 0)
            return true;
    return false;
}

/* Returns whether the module declares `extern __shared__` memory. */
static bool has_dynamic(const struct ptx_module *module)
{
    bool found = any_dynamic(module->variables, module->variable_count);
    for (uint32_t i = 0; i < module->function_count && !found; i++)
        found = any_dynamic(module->functions[i].variables, module->functions[i].variable_count);
    return found;
}

const struct op *fault_array(struct warp *w, const struct op *op, unsigned lane, uint64_t offset)
{
    const struct access *access = op->extra;
    const struct shared_array *in = memory_array(w->worker->emulation, offset);
    struct finding fault = {.form = FINDING_OUTSIDE_ARRAY, .address = offset};
    fault.memory = fault_access(w, op, PTX_SPACE_SHARED, access->total, access->store);
    fault.memory.offset = (int64_t)offset;
    fault.memory.space_bytes = w->worker->emulation->shared_bytes;
    fault.memory.dynamic = has_dynamic(w->worker->emulation->module);
    fault.memory.inside = in && in != access->array ? in->name : NULL;
    measure_array(access->array, (int64_t)offset, &fault.memory);
    return fault_at(w, op, lane, &fault);
}

const struct op *fault_memory(struct warp *w, const struct op *op, unsigned lane, enum ptx_space space,
                              uint64_t address, unsigned bytes, bool store)
{
    const struct emulation *emulation = w->worker->emulation;
    const struct access *access = op->extra;
    struct finding fault = {.form = FINDING_OUTSIDE_BUFFERS, .address = address};
    struct finding_memory *memory = &fault.memory;
    bool const shared = space == PTX_SPACE_SHARED, local = space == PTX_SPACE_LOCAL;
    *memory = fault_access(w, op, shared || local ? space : PTX_SPACE_GLOBAL, bytes, store);
    if (shared || local) {
        memory->offset = shared && !access->wide ? (int32_t)address : (int64_t)address;
        memory->space_bytes = shared ? emulation->shared_bytes : emulation->local_bytes;
        memory->dynamic = shared && has_dynamic(emulation->module);
        fault.form = shared ? FINDING_OUTSIDE_SHARED : FINDING_OUTSIDE_LOCAL;
    }
    if (address % bytes)
        fault.form = FINDING_MISALIGNED_ACCESS;
    else if (shared && access->array)
        measure_array(access->array, memory->offset, memory);
    if (address % bytes || shared || local)
        return fault_at(w, op, lane, &fault);
    const struct region *region = memory_region(emulation, address);
    if (address < 65536) {
        fault.form = FINDING_NULL_ACCESS;
    } else if (region && region->read_only && store && address + bytes <= region->base + region->size) {
        fault.form = FINDING_CONSTANT_WRITE;
        memory->name = region->name, memory->base = region->base, memory->size = region->size;
    } else {
        find_nearest(emulation, address, memory);
    }
    return fault_at(w, op, lane, &fault);
}
