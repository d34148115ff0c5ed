/* Lays out memory: buffers and module variables get addresses far apart, so that an access beyond one meets nothing;
 * parameters become bytes; relocations in initial values become addresses. */
#include "base/memory.h"
#include "emulator/decode/provided.h"
#include "emulator/memory/memory.h"
#include <stdio.h>
#include <stdlib.h>

enum { ALIGNMENT = 2 << 20, GUARD = 64 << 20, HEAP_BYTES = 8 << 20 };
/* Bytes in all: more than any course's kernel declares, and in the size of 32 bits that a page has. */
static const uint64_t variables_max = SIZE_MAX > UINT32_MAX ? UINT64_C(4) << 30 : UINT64_C(1) << 30;

static uint64_t next_address(uint64_t end)
{
    return (end + GUARD + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool no_buffer(const struct launch *launch, uint32_t argument, uint32_t buffer, struct error *error)
{
    return error_set(error, ERROR_INPUT, "Argument %u names buffer %u, but only %u {buffer exists|buffers exist}",
                     argument, buffer, launch->buffer_count);
}

/* Writes the addresses of the buffers in a structure. */
static bool put_addresses(const struct emulation *emulation, uint32_t index, uint8_t *bytes, struct error *error)
{
    const struct launch_argument *argument = &emulation->launch->arguments[index];
    for (uint32_t i = 0; i < argument->inner_count; i++) {
        const struct launch_inner *inner = &argument->inner[i];
        if (inner->buffer >= emulation->launch->buffer_count)
            return no_buffer(emulation->launch, index, inner->buffer, error);
        memcpy(bytes + inner->offset, &emulation->trace->buffers[inner->buffer].address, sizeof(uint64_t));
    }
    return true;
}

static bool lay_out_parameters(struct emulation *emulation, struct error *error)
{
    const struct launch *launch = emulation->launch;
    const struct ptx_function *kernel = emulation->kernel;
    if (launch->argument_count != kernel->parameter_count)
        return error_set(error, ERROR_INPUT, "Wrong number of arguments: kernel %s takes %u, but the launch gives %u",
                         kernel->name, kernel->parameter_count, launch->argument_count);
    if (kernel->parameter_bytes > LAUNCH_PARAMETERS_MAX)
        return error_set(error, ERROR_INPUT, "%s takes %zu bytes of parameters, the limit is %d", kernel->name,
                         (size_t)kernel->parameter_bytes, LAUNCH_PARAMETERS_MAX);
    emulation->parameters = arena_alloc(emulation->arena, kernel->parameter_bytes + 16);
    for (uint32_t i = 0; i < launch->argument_count; i++) {
        const struct launch_argument *argument = &launch->arguments[i];
        const struct ptx_variable *parameter = &kernel->parameters[i];
        uint64_t value = argument->bits;
        const void *from = argument->bytes ? (const void *)argument->bytes : &value;
        if (argument->is_buffer) {
            if (argument->buffer >= launch->buffer_count)
                return no_buffer(launch, i, argument->buffer, error);
            value = emulation->trace->buffers[argument->buffer].address;
        }
        size_t const given = launch_argument_size(argument);
        if (parameter->size != given)
            return error_set(error, ERROR_INPUT,
                             "Wrong size of argument %u of %s: the launch gives %zu B, but the kernel takes %zu B", i,
                             kernel->name, given, parameter->size);
        memcpy(emulation->parameters + parameter->offset, from, parameter->size);
        if (!put_addresses(emulation, i, emulation->parameters + parameter->offset, error))
            return false;
    }
    return true;
}

static void add_region(struct emulation *emulation, uint64_t *at, struct region region)
{
    region.base = *at;
    emulation->regions[emulation->region_count++] = region;
    *at = next_address(region.base + region.size);
}

/* Adds zeroed memory that the run owns. */
static bool add_own(struct emulation *emulation, uint64_t *at, struct region region, struct error *error)
{
    region.host = calloc(1, region.size + 16);
    region.owned = true;
    if (!region.host)
        return error_set(error, ERROR_MISSING, "There is not enough memory for %s of %llu bytes", region.name,
                         (unsigned long long)region.size);
    add_region(emulation, at, region);
    return true;
}

void memory_forget(struct emulation *emulation)
{
    for (uint32_t i = 0; i < emulation->region_count; i++)
        if (emulation->regions[i].owned)
            free(emulation->regions[i].host);
}

/* Writes the initial value of a variable, with the addresses in it. */
static void fill_variable(const struct ptx_module *module, uint32_t index, const uint64_t *addresses, uint8_t *data)
{
    const struct ptx_variable *v = &module->variables[index];
    if (v->initial)
        memcpy(data, v->initial, v->size);
    for (uint32_t k = 0; k < v->relocation_count; k++) {
        const struct ptx_relocation *r = &v->relocations[k];
        uint64_t value = r->function ? EMULATOR_CODE_BASE + 16 * (uint64_t)r->index : addresses[r->index];
        if (!r->function && r->generic && module->variables[r->index].space == PTX_SPACE_SHARED)
            value += EMULATOR_SHARED_BASE;
        value += (uint64_t)r->addend;
        if (r->at + 8 <= v->size)
            memcpy(data + r->at, &value, 8);
    }
}

void emulator_fill_variables(const struct ptx_module *module, const struct launch_variable *variables)
{
    struct arena arena = {0};
    uint64_t *addresses = arena_array(&arena, uint64_t, (size_t)module->variable_count + 1);
    for (uint32_t i = 0; i < module->variable_count; i++)
        addresses[i] = variables[i].data ? variables[i].address : module->variables[i].offset;
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (variables[i].data)
            fill_variable(module, i, addresses, variables[i].data);
    arena_free(&arena);
}

/* Sums up the variables before memory is taken for any of them. */
static bool variables_fit(const struct ptx_module *module, struct error *error)
{
    enum { ALWAYS_THERE = 64 << 20 }; /* bytes for which nobody asks the system */
    uint64_t total = 0;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct ptx_variable *v = &module->variables[i];
        if (v->space != PTX_SPACE_GLOBAL && v->space != PTX_SPACE_CONST)
            continue;
        if (v->size > variables_max - total)
            return error_set(error, ERROR_INPUT,
                             "Variable %s (%zu B) does not fit: the limit is %llu bytes for all variables together",
                             v->name, v->size, (unsigned long long)variables_max);
        total += v->size;
    }
    uint64_t const has = total > ALWAYS_THERE ? memory_available() : UINT64_MAX;
    return total <= has || error_set(error, ERROR_MISSING,
                                     "The module's variables need %.1f GB, and this machine has %.1f GB of memory free",
                                     (double)total * 1e-9, (double)has * 1e-9);
}

/* Module variables lie in memory of the run, so every launch starts from the initial values, unless the launch has a
 * place for them. */
static bool lay_out_variables(struct emulation *emulation, uint64_t *at, struct error *error)
{
    const struct ptx_module *module = emulation->module;
    const struct launch_variable *placed = emulation->launch->variables;
    uint64_t *addresses = arena_array(emulation->arena, uint64_t, (size_t)module->variable_count + 1);
    uint8_t **hosts = arena_array(emulation->arena, uint8_t *, (size_t)module->variable_count + 1);
    emulation->variable_address = addresses;
    uint32_t buffer = emulation->launch->buffer_count;
    if (!placed && !variables_fit(module, error))
        return false;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct ptx_variable *v = &module->variables[i];
        addresses[i] = v->offset;
        if (v->space != PTX_SPACE_GLOBAL && v->space != PTX_SPACE_CONST)
            continue;
        addresses[i] = placed ? placed[i].address : *at;
        if (trace_is_buffer(v))
            emulation->trace->buffers[buffer++].address = addresses[i];
        struct region region = {.base = addresses[i],
                                .size = v->size,
                                .host = placed ? placed[i].data : NULL,
                                .name = v->name,
                                .read_only = v->space == PTX_SPACE_CONST,
                                .shared_by_all = true};
        if (placed)
            emulation->regions[emulation->region_count++] = region;
        else if (!add_own(emulation, at, region, error))
            return false;
        hosts[i] = placed ? NULL : emulation->regions[emulation->region_count - 1].host;
    }
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (hosts[i])
            fill_variable(module, i, addresses, hosts[i]);
    return true;
}

/* A heap that outlives the launch: what earlier launches left, and room for as much as may be allocated at a time. It
 * begins anew when nothing is left. */
static void lay_out_heap(struct emulation *emulation, struct launch_heap *heap)
{
    if (!heap->live && heap->used) {
        memset(heap->data, 0, heap->used);
        memset(heap->state, 0, heap->used + 1);
        heap->used = heap->given.count = 0;
    }
    emulation->heap_base = EMULATOR_HEAP_BASE;
    emulation->heap_used = heap->used;
    emulation->heap_bytes = heap->limit < heap->bytes - heap->used ? heap->used + heap->limit : heap->bytes;
    emulation->regions[emulation->region_count++] = (struct region){
        .base = EMULATOR_HEAP_BASE, .size = emulation->heap_bytes, .host = heap->data, .name = "the heap"};
}

static int by_base(const void *a, const void *b)
{
    const struct region *x = a, *y = b;
    return (x->base > y->base) - (x->base < y->base);
}

bool memory_lay_out(struct emulation *emulation, struct error *error)
{
    const struct launch *launch = emulation->launch;
    uint64_t at = next_address(EMULATOR_GLOBAL_BASE);
    emulation->regions = arena_array(emulation->arena, struct region,
                                     (size_t)launch->buffer_count + emulation->module->variable_count + 3);
    /* The parameters come first: their address is the lowest of the regions. */
    struct region *parameters = &emulation->regions[emulation->region_count++];
    for (uint32_t i = 0; i < launch->buffer_count; i++) {
        const struct launch_buffer *b = &launch->buffers[i];
        uint64_t size = b->count * ptx_type_size(b->type);
        struct trace_buffer *record = &emulation->trace->buffers[i];
        record->address = b->address ? b->address : at;
        struct region const region = {.base = record->address,
                                      .size = size,
                                      .host = b->data,
                                      .name = record->name,
                                      .read_only = b->address && b->read_only,
                                      .shared_by_all = true,
                                      .unwritten = b->unwritten || b->written,
                                      .written = b->written,
                                      .memory = b->memory,
                                      .written_kept = b->written != NULL};
        if (b->address)
            emulation->regions[emulation->region_count++] = region;
        else
            add_region(emulation, &at, region);
    }
    if (!lay_out_parameters(emulation, error) || !lay_out_variables(emulation, &at, error))
        return false;
    if (launch->heap) {
        lay_out_heap(emulation, launch->heap);
    } else if (provided_heap(emulation->module)) {
        at = emulation->heap_base = EMULATOR_HEAP_BASE;
        emulation->heap_bytes = HEAP_BYTES;
        if (!add_own(emulation, &at, (struct region){.size = HEAP_BYTES, .name = "the heap"}, error))
            return false;
    }
    *parameters = (struct region){.base = EMULATOR_PARAMETER_BASE,
                                  .size = emulation->kernel->parameter_bytes,
                                  .host = emulation->parameters,
                                  .name = "the kernel's parameters",
                                  .read_only = true};
    qsort(emulation->regions, emulation->region_count, sizeof *emulation->regions,
          by_base); /* the launch chose some places */
    emulation->uses = arena_array(emulation->arena, atomic_uchar, emulation->region_count);
    return true;
}
