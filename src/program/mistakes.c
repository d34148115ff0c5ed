/* Finds mistakes of host code in the record of a run. What a mistake rests on is in the record, or in the line of the
 * source that the debug information names; a suspicion alone is no mistake. */
#include "program/mistakes.h"
#include "program/looking.h"
#include <string.h>

static const struct {
    const char *word;
    bool fault;
} table[] = {
#define FAULT true
#define NOTE false
#define MISTAKE(name, word, class, arguments) {word, class},
#include "program/mistakes.def"
#undef FAULT
#undef NOTE
};

bool mistake_is_fault(const struct mistake *mistake)
{
    return table[mistake->kind].fault;
}

const char *mistake_word(enum mistake_kind kind)
{
    return table[kind].word;
}

/* ---- the record ---- */

uint64_t look_number(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

const char *look_text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

const struct known *look_allocation(const struct looking *looking, const json_t *pointer)
{
    uint64_t const number = look_number(pointer, "allocation");
    return number && number <= looking->known_count && looking->known[number].is.number ? &looking->known[number]
                                                                                        : NULL;
}

struct mistake *look_found(struct looking *looking, enum mistake_kind kind, uint32_t index)
{
    struct program_run *run = looking->run;
    const struct program_call *call = &run->calls[index];
    struct mistake *found = &run->mistakes[run->mistake_count++];
    *found = (struct mistake){.kind = kind,
                              .at = call->at,
                              .call = call->launch == PTX_NO_INDEX ? call->name : run->launches[call->launch].kernel,
                              .index = index,
                              .driver = strcmp(call->as, call->name) != 0,
                              .times = 1,
                              .error = call->error,
                              .error_name = look_text(call->record, "error_name")};
    return found;
}

/* Notes the allocations and the calls that freed them. */
static void know(struct looking *looking)
{
    struct program_run *run = looking->run;
    looking->known = arena_array(&run->arena, struct known, (size_t)run->call_count + 2);
    for (uint32_t i = 0; i < run->call_count; i++) {
        const struct program_call *call = &run->calls[i];
        uint64_t const number = look_number(call->record, "allocation");
        const json_t *pointer = json_object_get(call->record, "pointer");
        if (call->error || strcmp(call->name, "exit") == 0)
            continue;
        if (number && number <= run->call_count) {
            struct known *known = &looking->known[number];
            known->is = (struct mistake_allocation){.by = call->name,
                                                    .as = call->as,
                                                    .at = call->at,
                                                    .number = (uint32_t)number,
                                                    .bytes = look_number(call->record, "bytes")};
            if (json_object_get(call->record, "pitch"))
                known->is.bytes = look_number(call->record, "pitch") * look_number(call->record, "rows");
            known->base = look_number(call->record, "base");
            looking->known_count = number > looking->known_count ? (uint32_t)number : looking->known_count;
        } else if (strncmp(call->as, "cudaFree", 8) == 0 &&
                   look_number(pointer, "allocation") <= looking->known_count) {
            struct known *known = &looking->known[look_number(pointer, "allocation")];
            known->is.freed_by = call->name;
            known->is.freed_at = call->at;
            known->freed_index = i;
        }
    }
}

/* ---- calls with pointers ---- */

/* Bytes from the first to the last that one side of a copy or a fill has. */
static uint64_t span_of(const json_t *line, const char *pitch)
{
    uint64_t const rows = look_number(line, "rows"), bytes = look_number(line, "bytes");
    return rows ? (rows - 1) * look_number(line, pitch) + look_number(line, "width") : bytes;
}

/* Returns whether a side of a refused copy is why it was refused. */
static bool side_is_wrong(struct looking *looking, uint32_t index, const char *key, const char *pitch)
{
    const json_t *line = looking->run->calls[index].record, *pointer = json_object_get(line, key);
    const struct known *known = look_allocation(looking, pointer);
    uint64_t const offset = look_number(pointer, "offset"), bytes = span_of(line, pitch);
    if (!known)
        return false;
    struct mistake_memory memory = {.allocation = known->is, .offset = offset, .bytes = bytes};
    if (look_number(pointer, "freed")) {
        look_found(looking, MISTAKE_COPY_FREED, index)->memory = memory;
        return true;
    }
    memory.allocation.freed_by = NULL;
    if (offset + bytes <= known->is.bytes || strcmp(known->is.as, "cudaHostRegister") == 0)
        return false;
    bool const times = !offset && known->is.bytes && bytes % known->is.bytes == 0;
    uint64_t const element = times ? bytes / known->is.bytes : 0;
    bool const counted = element == 4 || element == 8 || element == 16; /* twice the bytes is a plain mistake, too */
    memory.elements = known->is.bytes;
    memory.element = element;
    look_found(looking, counted ? MISTAKE_ALLOCATED_ELEMENTS : MISTAKE_COPY_BEYOND, index)->memory = memory;
    return true;
}

static void read_box(uint64_t box[3], const json_t *line, const char *key)
{
    for (size_t i = 0; i < 3; i++)
        box[i] = (uint64_t)json_integer_value(json_array_get(json_object_get(line, key), i));
}

/* Returns whether a refused copy leaves an array. */
static bool leaves_array(struct looking *looking, uint32_t index)
{
    const json_t *line = looking->run->calls[index].record, *box = json_object_get(line, "beyond_array");
    const json_t *to = json_object_get(line, "to");
    const struct known *known = look_allocation(looking, to ? to : json_object_get(line, "from_pointer"));
    if (!box || !known)
        return false;
    struct mistake_box *found = &look_found(looking, MISTAKE_COPY_BEYOND_ARRAY, index)->box;
    found->allocation = known->is;
    read_box(found->from, box, "from");
    read_box(found->copied, box, "copied");
    read_box(found->array, box, "array");
    return true;
}

static void look_at_copy(struct looking *looking, uint32_t index)
{
    enum { ANY_DIRECTION = 4 };
    const struct program_call *call = &looking->run->calls[index];
    bool const copies = strncmp(call->as, "cudaMemcpy", 10) == 0;
    if (call->error != 1 || !(copies || strncmp(call->as, "cudaMemset", 10) == 0))
        return;
    if (leaves_array(looking, index) || side_is_wrong(looking, index, "to", "to_pitch") ||
        (copies && side_is_wrong(looking, index, "from_pointer", "from_pitch")) || !copies)
        return;
    int const said = (int)look_number(call->record, "kind"), is = (int)look_number(call->record, "direction");
    bool const null = json_object_get(json_object_get(call->record, "to"), "host") &&
                      !look_number(json_object_get(call->record, "to"), "host");
    if (said != is && said != ANY_DIRECTION && !null && json_object_get(call->record, "kind"))
        look_found(looking, MISTAKE_COPY_DIRECTION, index)->copy = (struct mistake_copy){said, is};
}

/* Reports the first operand of a library's call that is wrong. */
static void look_at_library(struct looking *looking, uint32_t index)
{
    const struct program_call *call = &looking->run->calls[index];
    const json_t *operand;
    size_t i;
    json_array_foreach(json_object_get(call->record, "operands"), i, operand)
    {
        const json_t *pointer = json_object_get(operand, "pointer");
        const struct known *known = look_allocation(looking, pointer);
        uint64_t const offset = look_number(pointer, "offset"), unwritten = look_number(operand, "unwritten");
        struct mistake_memory memory = {.offset = offset, .bytes = look_number(operand, "bytes")};
        if (!pointer)
            continue;
        if (!known && json_object_get(pointer, "host")) {
            look_found(looking, MISTAKE_OPERAND_HOST, index);
            return;
        }
        if (!known)
            continue;
        bool const freed = look_number(pointer, "freed"), beyond = offset + memory.bytes > known->is.bytes;
        memory.allocation = known->is;
        if (unwritten && !freed && !beyond) {
            memory.offset += look_number(operand, "unwritten_first");
            memory.bytes = unwritten;
        }
        if (!freed && !beyond && !unwritten)
            continue;
        look_found(looking,
                   freed    ? MISTAKE_OPERAND_FREED
                   : beyond ? MISTAKE_OPERAND_BEYOND
                            : MISTAKE_OPERAND_UNWRITTEN,
                   index)
            ->memory = memory;
        return;
    }
}

static void look_at_free(struct looking *looking, uint32_t index)
{
    enum { INVALID_HANDLE = 400 }; /* of cuArrayDestroy */
    const struct program_call *call = &looking->run->calls[index];
    const json_t *pointer = json_object_get(call->record, "pointer");
    const struct known *known = look_allocation(looking, pointer);
    bool const refused = call->error == 1 || call->error == INVALID_HANDLE;
    if (!refused || strncmp(call->as, "cudaFree", 8) != 0 || !pointer)
        return;
    if (!known) {
        if (look_number(pointer, "host"))
            look_found(looking, MISTAKE_FREE_HOST, index);
        return;
    }
    uint64_t const offset = look_number(pointer, "offset");
    enum mistake_kind const kind = look_number(pointer, "freed") ? MISTAKE_DOUBLE_FREE
                                   : offset                      ? MISTAKE_FREE_INSIDE
                                                                 : MISTAKE_FREE_FUNCTION;
    look_found(looking, kind, index)->memory = (struct mistake_memory){.allocation = known->is, .offset = offset};
}

/* A signal, or managed or pinned memory that the host accessed too early. */
static void look_at_access(struct looking *looking, uint32_t index)
{
    const struct program_call *call = &looking->run->calls[index];
    bool const early = strcmp(call->name, "host access") == 0;
    const json_t *pointer = json_object_get(call->record, "address");
    const struct known *known = look_allocation(looking, pointer);
    const struct known *given = look_allocation(looking, json_object_get(call->record, "freed_by_malloc"));
    if (given)
        look_found(looking, MISTAKE_FREE_BY_MALLOC, index)->memory = (struct mistake_memory){.allocation = given->is};
    if (!known || (!early && strcmp(call->name, "signal") != 0))
        return;
    bool const freed = look_number(pointer, "freed"), open = strcmp(known->is.as, "cudaMallocManaged") == 0 ||
                                                             strcmp(known->is.as, "cudaMallocHost") == 0 ||
                                                             strcmp(known->is.as, "cudaHostAlloc") == 0;
    if (!early && !freed && open)
        return;
    enum mistake_kind const kind = early   ? MISTAKE_EARLY_ACCESS
                                   : freed ? MISTAKE_FREED_ON_HOST
                                           : MISTAKE_DEVICE_ON_HOST;
    look_found(looking, kind, index)->memory = (struct mistake_memory){
        .allocation = known->is, .offset = look_number(pointer, "offset"), .write = look_number(call->record, "write")};
}

/* ---- the end ---- */

static void look_at_end(struct looking *looking, uint32_t index)
{
    struct program_run *run = looking->run;
    const struct program_call *call = &run->calls[index];
    const json_t *live;
    size_t i;
    if (strcmp(call->name, "exit") != 0 || run->end != PROGRAM_EXITED || run->status || looking->context_lost)
        return;
    uint64_t const bytes = look_number(call->record, "unflushed");
    if (bytes)
        look_found(looking, MISTAKE_LOST_OUTPUT, looking->printing)->output.bytes = bytes;
    json_array_foreach(json_object_get(call->record, "live"), i, live)
    {
        const struct known *known = look_allocation(looking, live);
        if (!known || known->freed_index || known->leaks) /* freed_index: by a destructor after the end */
            continue;
        looking->known[known->is.number].leaks = true;
        looking->leaked[looking->leak_count++] = known->is.number;
    }
}

/* Puts leaks behind the other mistakes, one for each line that allocated. */
static void add_leaks(struct looking *looking)
{
    struct program_run *run = looking->run;
    uint32_t const first = run->mistake_count;
    for (uint32_t i = 0; i < looking->leak_count; i++) {
        const struct mistake_allocation *lost = &looking->known[looking->leaked[i]].is;
        struct mistake *same = NULL;
        for (uint32_t k = first; k < run->mistake_count && !same; k++)
            if (run->mistakes[k].at.line == lost->at.line && strcmp(run->mistakes[k].at.file, lost->at.file) == 0)
                same = &run->mistakes[k];
        if (same) {
            same->times++;
            same->memory.bytes += lost->bytes;
            continue;
        }
        same = look_found(looking, MISTAKE_LEAK, 0);
        same->at = lost->at;
        same->call = lost->by;
        same->error = 0;
        same->memory = (struct mistake_memory){.allocation = *lost, .bytes = lost->bytes};
    }
}

/* ---- errors that nobody looked at ---- */

static bool is_error(const struct program_call *call)
{
    enum { NOT_READY = 600, STICKY = 700, NOT_SUPPORTED = 801 };
    return call->error && call->error < STICKY && call->error != NOT_READY && call->error != NOT_SUPPORTED;
}

/* Marks the first call whose error was lost: the program uses no value that it returned, and asks for no last error
 * afterwards. */
static void look_for_lost_error(struct looking *looking)
{
    struct program_run *run = looking->run;
    uint32_t first = 0;
    while (first < run->call_count && !is_error(&run->calls[first]))
        first++;
    if (first == run->call_count || source_uses_result(looking, first))
        return;
    for (uint32_t i = first + 1; i < run->call_count; i++)
        if (look_number(run->calls[i].record, "result") || (run->calls[i].error && source_uses_result(looking, i)))
            return;
    for (uint32_t i = 0; i < run->mistake_count; i++)
        if (run->mistakes[i].index == first) {
            run->mistakes[i].unchecked = true;
            return;
        }
    look_found(looking, MISTAKE_LOST_ERROR, first)->unchecked = true;
}

/* ---- all ---- */

static bool same(const struct mistake *a, const struct mistake *b)
{
    return a->kind == b->kind && a->at.line == b->at.line && strcmp(a->at.file, b->at.file) == 0 && a->at.line &&
           strcmp(a->call, b->call) == 0;
}

/* One mistake a line and kind is enough: a loop repeats it. */
static void join_repeated(struct program_run *run)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run->mistake_count; i++) {
        uint32_t k = 0;
        while (k < kept && !same(&run->mistakes[k], &run->mistakes[i]))
            k++;
        if (k < kept)
            run->mistakes[k].times++;
        else
            run->mistakes[kept++] = run->mistakes[i];
    }
    run->mistake_count = kept;
}

/* Puts the mistakes into the order of the program's calls, those of one call as they were found. */
static void sort(struct program_run *run)
{
    for (uint32_t i = 1; i < run->mistake_count; i++) {
        struct mistake const moved = run->mistakes[i];
        uint32_t k = i;
        for (; k && run->mistakes[k - 1].index > moved.index; k--)
            run->mistakes[k] = run->mistakes[k - 1];
        run->mistakes[k] = moved;
    }
}

void mistakes_find(struct program_run *run)
{
    enum { LAST_STICKY_FREE = 700 };
    struct looking looking = {.run = run};
    run->mistakes = arena_array(&run->arena, struct mistake, 4 * (size_t)run->call_count + 4);
    looking.leaked = arena_array(&run->arena, uint32_t, (size_t)run->call_count + 1);
    know(&looking);
    for (uint32_t i = 0; i < run->call_count && !looking.context_lost; i++) {
        const struct program_call *call = &run->calls[i];
        look_at_copy(&looking, i);
        look_at_library(&looking, i);
        look_at_free(&looking, i);
        look_at_access(&looking, i);
        if (call->error == 600 && strcmp(call->as, "cudaEventElapsedTime") == 0)
            look_found(&looking, MISTAKE_EARLY_TIME, i);
        if (call->error == 800)
            look_found(&looking, MISTAKE_HOST_FUNCTION, i);
        if (look_number(call->record, "printed_bytes"))
            looking.printing = i;
        mistakes_of_launch(&looking, i);
        mistakes_of_sizes(&looking, i);
        look_at_end(&looking, i);
        looking.context_lost = call->error >= LAST_STICKY_FREE && call->error < 800 && call->launch == PTX_NO_INDEX;
    }
    look_for_lost_error(&looking);
    join_repeated(run);
    sort(run);
    add_leaks(&looking);
    source_close(&looking);
}

bool mistakes_allocation_of(const struct program_run *run, const struct program_launch *launch,
                            const struct finding *finding, struct mistake_allocation *allocation)
{
    const struct known *found = NULL;
    struct program_run copy = {.calls = run->calls, .call_count = run->call_count};
    struct looking looking = {.run = &copy};
    if (finding->kind != FINDING_OUT_OF_BOUNDS && finding->kind != FINDING_UNINITIALIZED &&
        finding->kind != FINDING_RACE)
        return false;
    if (finding->kind != FINDING_RACE &&
        (finding->memory.space == PTX_SPACE_SHARED || finding->memory.space == PTX_SPACE_LOCAL ||
         finding->form == FINDING_OUTSIDE_ARRAY))
        return false;
    if (finding->kind == FINDING_RACE && finding->race.space == PTX_SPACE_SHARED)
        return false;
    know(&looking);
    bool const outside = finding->form == FINDING_OUTSIDE_BUFFERS;
    bool const before = outside && finding->memory.side == FINDING_BEFORE;
    if (outside && finding->memory.side == FINDING_NOWHERE)
        looking.known_count = 0;
    for (uint32_t i = 1; i <= looking.known_count; i++) {
        const struct known *known = &looking.known[i];
        if (!known->base || known->is.number != i || (known->freed_index && known->freed_index < launch->call))
            continue;
        if (before ? known->base > finding->address && (!found || known->base < found->base)
                   : known->base <= finding->address && (!found || known->base > found->base) &&
                         (outside || finding->address - known->base < known->is.bytes))
            found = known;
    }
    if (found)
        *allocation = found->is;
    arena_free(&copy.arena);
    return found != NULL;
}
