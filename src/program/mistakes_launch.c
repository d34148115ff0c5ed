/* Mistakes that a launch shows: its shape, its pointers, and the elements that it did not reach. */
#include "program/looking.h"
#include <string.h>

/* ---- the shape ---- */

static void look_at_shape(struct looking *looking, uint32_t index, const struct program_launch *launch)
{
    enum { INVALID_VALUE = 1, INVALID_CONFIGURATION = 9, OUT_OF_RESOURCES = 701 };
    int const error = looking->run->calls[index].error;
    uint64_t const shared = look_number(launch->record, "dynamic_shared_bytes");
    enum launch_refusal const refusal = launch_check(NULL, launch->grid, launch->block, shared);
    enum mistake_kind kind;
    if (error == INVALID_CONFIGURATION)
        kind = refusal == LAUNCH_EMPTY     ? MISTAKE_EMPTY_LAUNCH
               : refusal == LAUNCH_THREADS ? MISTAKE_TOO_MANY_THREADS
                                           : MISTAKE_LAUNCH_LIMIT;
    else if (error == OUT_OF_RESOURCES)
        kind = MISTAKE_LAUNCH_BOUNDS;
    else if (error == INVALID_VALUE && shared)
        kind = MISTAKE_LAUNCH_SHARED;
    else if (!error && launch->ran && launch_count(launch->grid) != launch_count(launch->block) &&
             source_names_block_first(looking, index))
        kind = MISTAKE_SWAPPED;
    else
        return;
    struct mistake_launch *shape = &look_found(looking, kind, index)->launch;
    memcpy(shape->grid, launch->grid, sizeof shape->grid);
    memcpy(shape->block, launch->block, sizeof shape->block);
    shape->shared_bytes = shared;
    shape->like_swapped = error == INVALID_CONFIGURATION && !launch_check(NULL, launch->block, launch->grid, shared);
}

/* ---- its pointers ---- */

/* Names the pointer that a fault used, if it is an argument. */
static void look_at_fault(struct looking *looking, uint32_t index, const struct program_launch *launch,
                          const struct finding *finding)
{
    enum { REACH = 1 << 30 }; /* bytes beyond a pointer that an index may have added */
    const json_t *argument;
    size_t i;
    json_array_foreach(json_object_get(launch->record, "arguments"), i, argument)
    {
        const json_t *pointer = json_object_get(argument, "pointer");
        const struct known *known = look_allocation(looking, pointer);
        uint64_t const host = look_number(pointer, "host");
        uint64_t const from = known ? known->base + look_number(pointer, "offset") : host;
        bool const freed = known && look_number(pointer, "freed");
        uint64_t const reach = known ? known->is.bytes : REACH;
        if (!pointer || !from || (known && !freed) || finding->address - (known ? known->base : from) >= reach)
            continue;
        enum mistake_kind const kind = freed                              ? MISTAKE_FREED_POINTER
                                       : look_number(pointer, "unmapped") ? MISTAKE_NO_POINTER
                                                                          : MISTAKE_HOST_POINTER;
        struct mistake_argument *found = &look_found(looking, kind, index)->argument;
        *found = (struct mistake_argument){.parameter = look_text(argument, "name"), .address = finding->address};
        if (known)
            found->allocation = known->is;
        return;
    }
}

void mistakes_of_launch(struct looking *looking, uint32_t index)
{
    struct program_run *run = looking->run;
    struct error error;
    struct trace *trace;
    if (run->calls[index].launch == PTX_NO_INDEX)
        return;
    const struct program_launch *launch = &run->launches[run->calls[index].launch];
    look_at_shape(looking, index, launch);
    if (!launch->faults || !program_launch_trace(launch, &trace, &error))
        return;
    for (uint32_t i = 0; i < trace->finding_count; i++)
        if (trace->findings[i].kind == FINDING_OUT_OF_BOUNDS && trace->findings[i].form == FINDING_OUTSIDE_BUFFERS) {
            look_at_fault(looking, index, launch, &trace->findings[i]);
            break;
        }
    trace_free(trace);
}

/* ---- sizes and coverage ---- */

/* Returns the bytes of a type by its name, "f32"; 0: it is none. */
static size_t bytes_of_type(const char *name)
{
    for (int type = PTX_TYPE_NONE + 1; type < PTX_ELEMENT_COUNT; type++)
        if (strcmp(ptx_type_name((enum ptx_type)type), name) == 0)
            return ptx_type_size((enum ptx_type)type);
    return 0;
}

/* Returns the bytes of an element of the allocation, as the parameter of a launch has it; 0: unknown. `launch` is the
 * last launch before the call that was given it, or the first one behind. */
static uint64_t element_of(const struct looking *looking, uint32_t number, uint32_t before,
                           const struct program_launch **launch, const char **name)
{
    const struct program_run *run = looking->run;
    uint64_t element = 0;
    for (uint32_t i = 0; i < run->launch_count; i++) {
        const json_t *argument;
        size_t k;
        if (run->launches[i].call > before && element)
            break;
        json_array_foreach(json_object_get(run->launches[i].record, "arguments"), k, argument)
        {
            size_t const size = bytes_of_type(look_text(argument, "type"));
            if (look_number(json_object_get(argument, "pointer"), "allocation") != number || !size)
                continue;
            element = size;
            *launch = &run->launches[i];
            *name = look_text(argument, "name");
        }
    }
    return element;
}

/* A copy or a fill of as many bytes as the allocation has elements. */
static void look_for_elements(struct looking *looking, uint32_t index, const char *key)
{
    const struct program_call *call = &looking->run->calls[index];
    const json_t *pointer = json_object_get(call->record, key);
    const struct known *known = look_allocation(looking, pointer);
    uint64_t const bytes = look_number(call->record, "bytes");
    const struct program_launch *launch = NULL;
    const char *name = "";
    bool const plain = strcmp(call->as, "cudaMemcpy") == 0 || strcmp(call->as, "cudaMemcpyAsync") == 0 ||
                       strcmp(call->as, "cudaMemset") == 0 || strcmp(call->as, "cudaMemsetAsync") == 0;
    if (!plain || !known || call->error || !bytes || look_number(pointer, "offset") || bytes >= known->is.bytes)
        return;
    uint64_t const element = element_of(looking, known->is.number, index, &launch, &name);
    if (element < 2 || bytes == element || bytes * element != known->is.bytes ||
        !source_counts_elements(looking, index, 2))
        return;
    look_found(looking, MISTAKE_COPY_ELEMENTS, index)->memory =
        (struct mistake_memory){.allocation = known->is, .bytes = bytes, .elements = bytes, .element = element};
}

/* Bytes that a copy took from the device and that nothing ever wrote. */
static void look_for_unwritten(struct looking *looking, uint32_t index)
{
    const struct program_call *call = &looking->run->calls[index];
    const json_t *pointer = json_object_get(call->record, "from_pointer");
    const struct known *known = look_allocation(looking, pointer);
    uint64_t const unwritten = look_number(call->record, "unwritten"), bytes = look_number(call->record, "bytes");
    uint64_t const first = look_number(call->record, "unwritten_first");
    const struct program_launch *launch = NULL;
    const char *name = "";
    if (!known || !unwritten || call->error || looking->run->mistake_count)
        return; /* an earlier mistake may be why */
    uint64_t const element = element_of(looking, known->is.number, index, &launch, &name);
    bool const tail = first && first + unwritten == bytes;
    if (launch && launch->call < index && (!launch->ran || launch->faults))
        return;
    if (element && launch->call < index && tail && first % element == 0 &&
        launch_count(launch->grid) * launch_count(launch->block) < bytes / element) {
        struct mistake *found = look_found(looking, MISTAKE_UNCOVERED, launch->call);
        found->coverage = (struct mistake_coverage){.allocation = known->is,
                                                    .parameter = name,
                                                    .threads = launch_count(launch->grid) * launch_count(launch->block),
                                                    .elements = bytes / element,
                                                    .first = first / element,
                                                    .unwritten = unwritten / element,
                                                    .copied_at = call->at};
        return;
    }
    look_found(looking, MISTAKE_COPY_UNWRITTEN, index)->memory = (struct mistake_memory){
        .allocation = known->is, .offset = look_number(pointer, "offset") + first, .bytes = unwritten};
}

void mistakes_of_sizes(struct looking *looking, uint32_t index)
{
    uint32_t const before = looking->run->mistake_count;
    look_for_elements(looking, index, "to");
    if (looking->run->mistake_count == before)
        look_for_elements(looking, index, "from_pointer");
    look_for_unwritten(looking, index);
}
