/* Reads the body of a trace file. The bytes may be anything. Every number is checked against its range, and every count
 * against the bytes that are left, before memory is allocated for it. The first wrong field is reported by its name;
 * everything after it reads as 0. trace_check then decides whether the whole record makes sense. */
#include "trace/check.h"
#include "trace/format/format.h"
#include "trace/places.h"
#include "trace/sites.h"
#include <string.h>

struct reader {
    const char *name;
    const uint8_t *bytes;
    size_t size, at;
    struct error *error;
    uint32_t version;
    bool failed;
    uint64_t room; /* the memory that is left */
};

/* A field of a table for error messages: its name, such as "events.mask", and its index. */
struct field {
    const char *name;
    size_t index;
    bool indexed;
};
#define FIELD(text) ((struct field){.name = (text)})
#define FIELD_OF(text, number) ((struct field){.name = (text), .index = (number), .indexed = true})

static void fail(struct reader *reader, struct field field, const char *what)
{
    if (reader->failed)
        return;
    reader->failed = true;
    reader->at = reader->size;
    if (field.indexed)
        error_at(reader->error, ERROR_INPUT, reader->name, 0, 0, "the trace is damaged: %s[%zu] %s", field.name,
                 field.index, what);
    else
        error_at(reader->error, ERROR_INPUT, reader->name, 0, 0, "the trace is damaged: %s %s", field.name, what);
    error_remedy(reader->error, "record it again");
}

/* Reads a number of up to 64 bits that is at most `most`. */
static uint64_t take_number(struct reader *reader, struct field field, uint64_t most)
{
    uint64_t number = 0;
    for (unsigned shift = 0; !reader->failed; shift += 7) {
        if (reader->at >= reader->size) {
            fail(reader, field, "is cut off");
            break;
        }
        uint8_t const byte = reader->bytes[reader->at++];
        if (shift == 63 && byte > 1) {
            fail(reader, field, "does not fit in 64 bits");
            break;
        }
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    if (!reader->failed && number > most)
        fail(reader, field, "is larger than it can be");
    return reader->failed ? 0 : number;
}

static uint32_t take_word(struct reader *reader, struct field field, uint32_t most)
{
    return (uint32_t)take_number(reader, field, most);
}

/* Reads an index into a table of `count` entries, or PTX_NO_INDEX. */
static uint32_t take_index(struct reader *reader, struct field field, uint32_t count)
{
    uint32_t const next = take_word(reader, field, count);
    return next ? next - 1 : PTX_NO_INDEX;
}

/* Takes memory for `count` things of this size. */
static void take_room(struct reader *reader, struct field field, size_t count, size_t size)
{
    if (count > reader->room / size)
        fail(reader, field, "take more memory than a compressed file of this size may");
    else
        reader->room -= count * size;
}

/* Reads the number of entries of a table whose entries take at least entry_bytes each in the file, and `size` bytes in
 * memory. */
static size_t take_count(struct reader *reader, struct field field, size_t entry_bytes, size_t size, size_t most)
{
    size_t const count = (size_t)take_number(reader, field, most);
    if (count > (reader->size - reader->at) / entry_bytes)
        fail(reader, field, "is larger than the file has room for");
    take_room(reader, field, count, size);
    return reader->failed ? 0 : count;
}

static const char *take_text(struct reader *reader, struct field field, struct arena *arena)
{
    size_t const length = take_count(reader, field, 1, 1, SIZE_MAX);
    const char *from = (const char *)reader->bytes + reader->at;
    if (length && memchr(from, '\0', length)) {
        fail(reader, field, "holds a zero byte");
        return "";
    }
    reader->at += length;
    return length ? arena_text_n(arena, from, length) : "";
}

static void take_executor(struct reader *reader, struct trace *trace)
{
    const char *word = take_text(reader, FIELD("executor"), &trace->arena);
    if (!executor_from_word(word, &trace->executor) || trace->executor == EXECUTOR_RECORDING)
        fail(reader, FIELD("executor"), "is neither emulator nor gpu");
}

enum trace_argument trace_argument_of(enum finding_field_type type)
{
    switch (type) {
    case FINDING_STRING:
        return TRACE_TEXT;
    case FINDING_SIGNED64:
        return TRACE_DIFFERENCE;
    case FINDING_SITE:
    case FINDING_FILE:
        return TRACE_INDEX;
    default:
        return TRACE_NUMBER;
    }
}

static void take_launch(struct reader *reader, struct trace *trace)
{
    struct arena *arena = &trace->arena;
    trace->kernel = take_text(reader, FIELD("kernel"), arena);
    trace->source = take_text(reader, FIELD("source"), arena);
    take_executor(reader, trace);
    trace->device = take_text(reader, FIELD("device"), arena);
    trace->driver = take_text(reader, FIELD("driver"), arena);
    trace->compiler = take_text(reader, FIELD("compiler"), arena);
    trace->date = take_text(reader, FIELD("date"), arena);
    for (unsigned i = 0; i < 3; i++)
        trace->grid[i] = take_word(reader, FIELD_OF("grid", i), UINT32_MAX);
    for (unsigned i = 0; i < 3; i++)
        trace->block[i] = take_word(reader, FIELD_OF("block", i), UINT32_MAX);
    trace->shared_bytes = take_word(reader, FIELD("shared_bytes"), UINT32_MAX);
    trace->shared_base = take_number(reader, FIELD("shared_base"), UINT64_MAX);
    trace->recorded.first = take_number(reader, FIELD("recorded.first"), UINT64_MAX);
    trace->recorded.last = take_number(reader, FIELD("recorded.last"), UINT64_MAX);
    trace->clock = (enum trace_clock)take_word(reader, FIELD("clock"), TRACE_CLOCK_GPU);
    trace->lost = take_number(reader, FIELD("lost"), UINT64_MAX);
    trace->totals.warp_instructions = take_number(reader, FIELD("totals.warp_instructions"), UINT64_MAX);
    trace->totals.thread_instructions = take_number(reader, FIELD("totals.thread_instructions"), UINT64_MAX);
    trace->totals.branches = take_number(reader, FIELD("totals.branches"), UINT64_MAX);
    trace->totals.branches_divergent = take_number(reader, FIELD("totals.branches_divergent"), UINT64_MAX);
}

/* Return the last operation of a site, and the last kind of event, in a version of the format. */
static uint32_t last_operation(uint32_t version)
{
    return version > 4   ? (uint32_t)TRACE_PRODUCT
           : version > 3 ? (uint32_t)TRACE_UNREAD
           : version > 2 ? (uint32_t)TRACE_EXCHANGE
                         : (uint32_t)TRACE_BRANCH;
}

static enum trace_kind last_kind(uint32_t version)
{
    return version > 5   ? TRACE_LOAD_WAIT
           : version > 4 ? TRACE_REGISTERS
           : version > 3 ? TRACE_COPY_WAIT
           : version > 2 ? TRACE_SHUFFLE
                         : TRACE_FAULT;
}

static void take_sites(struct reader *reader, struct trace *trace)
{
    uint32_t const count = (uint32_t)take_count(reader, FIELD("sites"), 7, sizeof(struct trace_site), UINT32_MAX - 1);
    struct trace_site *sites = arena_array(&trace->arena, struct trace_site, count);
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        struct trace_site *site = &sites[i];
        uint32_t const operation = take_word(reader, FIELD_OF("sites.operation", i), last_operation(reader->version));
        site->unread = operation == TRACE_UNREAD;
        site->operation = site->unread ? TRACE_ATOMIC : (enum trace_operation)operation;
        site->space = (enum ptx_space)take_word(reader, FIELD_OF("sites.space", i), PTX_SPACE_REGISTER);
        site->bytes = (uint8_t)take_word(reader, FIELD_OF("sites.bytes", i), 64);
        site->file = take_index(reader, FIELD_OF("sites.file", i), trace->file_count);
        site->line = take_word(reader, FIELD_OF("sites.line", i), INT32_MAX);
        site->column = take_word(reader, FIELD_OF("sites.column", i), INT32_MAX);
        site->text = take_text(reader, FIELD_OF("sites.text", i), &trace->arena);
    }
    if (!reader->failed)
        trace_sites_read(sites, count);
    trace->sites = sites;
    trace->site_count = count;
}

static enum ptx_type type_by_name(const char *name)
{
    for (int type = PTX_TYPE_NONE + 1; type < PTX_ELEMENT_COUNT; type++)
        if (strcmp(ptx_type_name((enum ptx_type)type), name) == 0)
            return (enum ptx_type)type;
    return PTX_TYPE_NONE;
}

static void take_buffers(struct reader *reader, struct trace *trace)
{
    uint32_t const count = (uint32_t)take_count(reader, FIELD("buffers"), 4, TRACE_BUFFER_ROOM, UINT32_MAX - 1);
    trace->buffers = arena_array(&trace->arena, struct trace_buffer, count);
    trace->buffer_count = count;
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        struct trace_buffer *buffer = &trace->buffers[i];
        buffer->name = take_text(reader, FIELD_OF("buffers.name", i), &trace->arena);
        buffer->type = type_by_name(take_text(reader, FIELD_OF("buffers.type", i), &trace->arena));
        if (buffer->type == PTX_TYPE_NONE)
            fail(reader, FIELD_OF("buffers.type", i), "is not a type of PTX");
        buffer->address = take_number(reader, FIELD_OF("buffers.address", i), UINT64_MAX);
        buffer->count = take_number(reader, FIELD_OF("buffers.count", i), UINT64_MAX);
        if (reader->version == 1)
            continue;
        buffer->shape.rows = take_number(reader, FIELD_OF("buffers.rows", i), UINT64_MAX);
        buffer->shape.columns = take_number(reader, FIELD_OF("buffers.columns", i), UINT64_MAX);
        buffer->shape.pitch = take_number(reader, FIELD_OF("buffers.pitch", i), UINT64_MAX);
    }
}

/* Reads the place of a finding, in either version of the format. */
static void take_place(struct reader *reader, const struct trace *trace, uint32_t i, struct finding_place *at)
{
    at->site = take_index(reader, FIELD_OF("findings.site", i), trace->site_count);
    at->file = take_index(reader, FIELD_OF("findings.file", i), trace->file_count);
    at->line = take_word(reader, FIELD_OF("findings.line", i), INT32_MAX);
    at->column = take_word(reader, FIELD_OF("findings.column", i), INT32_MAX);
    if (reader->version > 1)
        at->near = take_word(reader, FIELD_OF("findings.near", i), 1) != 0;
    at->block = take_number(reader, FIELD_OF("findings.block", i), UINT64_MAX);
    for (unsigned axis = 0; axis < 3; axis++)
        at->thread[axis] = take_word(reader, FIELD_OF("findings.thread", i), UINT32_MAX);
}

/* Returns the kind of a finding that is kept as text. It is never a race, because a race has two sides. */
static enum finding_kind kind_of_text(const char *word)
{
    enum finding_kind const kind = finding_kind_of_word(word);
    return kind == FINDING_RACE ? FINDING_OTHER : kind;
}

/* Reads the English sentence of a version 1 finding and keeps it as it is, under the kind of its word. */
static void take_sentence(struct reader *reader, struct trace *trace, uint32_t i)
{
    struct finding *finding = &trace->findings[i];
    finding->form = FINDING_TEXT;
    finding->text.word = take_text(reader, FIELD_OF("findings.kind", i), &trace->arena);
    finding->text.text = take_text(reader, FIELD_OF("findings.message", i), &trace->arena);
    finding->kind = kind_of_text(finding->text.word);
    take_place(reader, trace, i, &finding->at);
    finding->address = take_number(reader, FIELD_OF("findings.address", i), UINT64_MAX);
}

static void take_waits(struct reader *reader, struct trace *trace, uint32_t i)
{
    struct finding *finding = &trace->findings[i];
    finding->wait_total = take_word(reader, FIELD_OF("findings.wait_total", i), UINT32_MAX);
    finding->wait_count = (uint32_t)take_count(reader, FIELD_OF("findings.waits", i), 5, sizeof(struct finding_wait),
                                               finding->wait_total);
    struct finding_wait *waits = arena_array(&trace->arena, struct finding_wait, finding->wait_count);
    for (uint32_t k = 0; k < finding->wait_count; k++) {
        waits[k].thing =
            (enum finding_thing)take_word(reader, FIELD_OF("findings.waits.thing", i), FINDING_AT_MBARRIER);
        waits[k].warp = take_word(reader, FIELD_OF("findings.waits.warp", i), UINT32_MAX);
        waits[k].threads = take_word(reader, FIELD_OF("findings.waits.threads", i), UINT32_MAX);
        waits[k].line = take_word(reader, FIELD_OF("findings.waits.line", i), INT32_MAX);
        waits[k].near = take_word(reader, FIELD_OF("findings.waits.near", i), 1) != 0;
    }
    finding->waits = waits;
}

/* Returns the field of a form with this name and this shape in the file, or NULL. */
static const struct finding_field *field_named(enum finding_form form, const char *name, enum trace_argument shape)
{
    size_t count;
    const struct finding_field *fields = finding_fields(form, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0 && trace_argument_of(fields[i].type) == shape)
            return &fields[i];
    return NULL;
}

static void take_argument(struct reader *reader, struct trace *trace, uint32_t i, struct finding *finding)
{
    const char *name = take_text(reader, FIELD_OF("findings.argument", i), &trace->arena);
    enum trace_argument const shape =
        (enum trace_argument)take_word(reader, FIELD_OF("findings.argument.shape", i), TRACE_INDEX);
    const struct finding_field *field = field_named(finding->form, name, shape);
    struct field const value = FIELD_OF("findings.argument.value", i);
    if (shape == TRACE_TEXT) {
        const char *text = take_text(reader, value, &trace->arena);
        if (field)
            finding_set_string(finding, field, text);
        return;
    }
    uint64_t const most = !field                        ? UINT64_MAX
                          : field->type == FINDING_SITE ? trace->site_count
                          : field->type == FINDING_FILE ? trace->file_count
                          : shape == TRACE_DIFFERENCE   ? UINT64_MAX
                                                        : field->most;
    uint64_t number = take_number(reader, value, most);
    if (shape == TRACE_DIFFERENCE)
        number = trace_unzigzag(number);
    if (shape == TRACE_INDEX)
        number = number ? number - 1 : PTX_NO_INDEX;
    if (field)
        finding_set_number(finding, field, number);
}

/* Reads a finding. A form that this program does not know keeps the word of its kind, and no sentence. */
static void take_finding(struct reader *reader, struct trace *trace, uint32_t i)
{
    struct finding *finding = &trace->findings[i];
    finding->form = finding_form_of_word(take_text(reader, FIELD_OF("findings.form", i), &trace->arena));
    const char *word = take_text(reader, FIELD_OF("findings.kind", i), &trace->arena);
    take_word(reader, FIELD_OF("findings.class", i), FINDING_HAZARD);
    take_place(reader, trace, i, &finding->at);
    finding->lanes = take_word(reader, FIELD_OF("findings.lanes", i), UINT32_MAX);
    finding->address = take_number(reader, FIELD_OF("findings.address", i), UINT64_MAX);
    take_waits(reader, trace, i);
    bool const known = finding->form != FINDING_FORMS && finding->form != FINDING_TEXT;
    if (!known)
        finding->form = FINDING_TEXT;
    size_t count = 0;
    const struct finding_field *fields = finding_fields(finding->form, &count);
    for (size_t k = 0; k < count; k++)
        if (fields[k].type == FINDING_STRING)
            finding_set_string(finding, &fields[k], "");
    size_t const arguments = take_count(reader, FIELD_OF("findings.arguments", i), 3, 1, UINT32_MAX);
    for (size_t k = 0; k < arguments && !reader->failed; k++)
        take_argument(reader, trace, i, finding);
    if (!known)
        finding->text.word = word;
    finding->kind = known ? finding_kind_of(finding->form) : kind_of_text(word);
}

static void take_findings(struct reader *reader, struct trace *trace)
{
    uint32_t const count = (uint32_t)take_count(reader, FIELD("findings"), 11, sizeof(struct finding), UINT32_MAX - 1);
    trace->findings = arena_array(&trace->arena, struct finding, count);
    trace->finding_count = count;
    for (uint32_t i = 0; i < count && !reader->failed; i++)
        if (reader->version == 1)
            take_sentence(reader, trace, i);
        else
            take_finding(reader, trace, i);
}

static void take_tables(struct reader *reader, struct trace *trace)
{
    uint32_t const count = (uint32_t)take_count(reader, FIELD("files"), 1, sizeof(char *), UINT32_MAX - 1);
    const char **files = arena_array(&trace->arena, const char *, count);
    for (uint32_t i = 0; i < count; i++)
        files[i] = take_text(reader, FIELD_OF("files", i), &trace->arena);
    trace->files = files;
    trace->file_count = count;
    take_sites(reader, trace);
    take_buffers(reader, trace);
    take_findings(reader, trace);
}

static void take_events(struct reader *reader, struct trace *trace)
{
    enum { COLUMNS = 9 };
    size_t const count = take_count(reader, FIELD("events"), COLUMNS, TRACE_EVENT_ROOM, TRACE_EVENTS_MAX);
    struct trace_event *events = array_grow(NULL, &trace->events.capacity, count, sizeof *events);
    trace->events.items = events;
    if (count)
        memset(events, 0, count * sizeof *events);
    trace->events.count = count;
    for (size_t i = 0; i < count && !reader->failed; i++)
        events[i].kind = (enum trace_kind)take_word(reader, FIELD_OF("events.kind", i), last_kind(reader->version));
    for (size_t i = 0; i < count && !reader->failed; i++)
        events[i].site = take_index(reader, FIELD_OF("events.site", i), trace->site_count);
    for (size_t i = 0; i < count && !reader->failed; i++) {
        uint64_t const step = trace_unzigzag(take_number(reader, FIELD_OF("events.block", i), UINT64_MAX));
        events[i].block = (i ? events[i - 1].block : 0) + step;
    }
    for (size_t i = 0; i < count && !reader->failed; i++)
        events[i].warp = take_word(reader, FIELD_OF("events.warp", i), UINT32_MAX);
    for (size_t i = 0; i < count && !reader->failed; i++)
        events[i].mask = take_word(reader, FIELD_OF("events.mask", i), UINT32_MAX);
    for (size_t i = 0; i < count && !reader->failed; i++)
        events[i].other = take_word(reader, FIELD_OF("events.other", i), UINT32_MAX);
    for (size_t i = 0; i < count && !reader->failed; i++)
        events[i].sm = take_word(reader, FIELD_OF("events.sm", i), UINT32_MAX);
    for (size_t i = 0; i < count && !reader->failed; i++)
        events[i].space = (enum ptx_space)take_word(reader, FIELD_OF("events.space", i), PTX_SPACE_REGISTER);
    for (size_t i = 0; i < count && !reader->failed; i++) {
        uint64_t const step = trace_unzigzag(take_number(reader, FIELD_OF("events.time", i), UINT64_MAX));
        events[i].time = (i ? events[i - 1].time : 0) + step;
    }
    for (size_t i = 0; i < count && !reader->failed; i++)
        if (trace_has_addresses(events[i].kind) && events[i].site == PTX_NO_INDEX)
            fail(reader, FIELD_OF("events.site", i), "is missing");
}

/* Reads the addresses of one access after its first address. */
static void take_lanes(struct reader *reader, size_t access, const struct trace_event *event, bool listed,
                       uint64_t *lanes)
{
    unsigned const first = (unsigned)__builtin_ctz(event->mask);
    struct field const field = FIELD_OF("lanes.steps", access);
    uint64_t const stride = listed ? 0 : trace_unzigzag(take_number(reader, field, UINT64_MAX));
    uint64_t before = lanes[first];
    for (unsigned lane = first + 1; lane < WARP_LANES; lane++) {
        if (!(event->mask >> lane & 1))
            continue;
        if (listed)
            before += trace_unzigzag(take_number(reader, field, UINT64_MAX));
        lanes[lane] = listed ? before : lanes[first] + stride * (lane - first);
    }
}

static void take_values(struct reader *reader, struct trace *trace)
{
    size_t const count = trace->addresses.count;
    trace->values.items = array_grow(NULL, &trace->values.capacity, count, sizeof(uint64_t));
    if (count)
        memset(trace->values.items, 0, count * sizeof(uint64_t));
    trace->values.count = count;
    for (size_t i = 0; i < trace->events.count && !reader->failed; i++) {
        const struct trace_event *event = &trace->events.items[i];
        for (unsigned lane = 0; trace_has_addresses(event->kind) && lane < WARP_LANES; lane++)
            if (event->mask >> lane & 1)
                trace->values.items[event->lanes + lane] =
                    take_number(reader, FIELD_OF("values", event->lanes + lane), UINT64_MAX);
    }
}

static void take_accesses(struct reader *reader, struct trace *trace)
{
    struct trace_event *events = trace->events.items;
    size_t const count = trace->events.count;
    bool const values = take_word(reader, FIELD("has_values"), 1) != 0;
    size_t with_lanes = 0, without = 0;
    for (size_t i = 0; i < count && !reader->failed; i++) {
        with_lanes += trace_has_lanes(&events[i]);
        without += trace_has_addresses(events[i].kind) && !trace_has_lanes(&events[i]);
    }
    if (with_lanes > (reader->size - reader->at) / 3)
        fail(reader, FIELD("lanes"), "are more than the file has room for");
    take_room(reader, FIELD("lanes"), with_lanes, values ? 2 * TRACE_LANES_ROOM : TRACE_LANES_ROOM);
    if (reader->failed)
        return;
    size_t const lanes = (with_lanes + (without != 0)) * WARP_LANES; /* events without lanes share the last places */
    uint64_t *addresses = array_grow(NULL, &trace->addresses.capacity, lanes, sizeof(uint64_t));
    trace->addresses.items = addresses;
    if (lanes)
        memset(addresses, 0, lanes * sizeof(uint64_t));
    trace->addresses.count = lanes;
    struct arena scratch = {0};
    uint64_t *before = arena_array(&scratch, uint64_t, trace->site_count);
    bool *listed = arena_array(&scratch, bool, count);
    for (size_t i = 0, at = 0; i < count; i++) {
        if (trace_has_addresses(events[i].kind))
            events[i].lanes = trace_has_lanes(&events[i]) ? at : with_lanes * WARP_LANES;
        if (!trace_has_lanes(&events[i]))
            continue;
        at += WARP_LANES;
        before[events[i].site] += trace_unzigzag(take_number(reader, FIELD_OF("lanes.first", i), UINT64_MAX));
        addresses[events[i].lanes + (unsigned)__builtin_ctz(events[i].mask)] = before[events[i].site];
    }
    for (size_t i = 0; i < count && !reader->failed; i++)
        if (trace_has_lanes(&events[i]))
            listed[i] = take_word(reader, FIELD_OF("lanes.listed", i), 1) != 0;
    for (size_t i = 0; i < count && !reader->failed; i++)
        if (trace_has_lanes(&events[i]))
            take_lanes(reader, i, &events[i], listed[i], addresses + events[i].lanes);
    arena_free(&scratch);
    if (values && !reader->failed)
        take_values(reader, trace);
}

bool trace_decode_in(uint64_t room, const char *name, uint32_t version, const uint8_t *body, size_t size,
                     struct trace **trace, struct error *error)
{
    struct arena arena = {0};
    struct trace *made = arena_new(&arena, struct trace);
    made->arena = arena;
    struct reader reader = {
        .name = name, .bytes = body, .size = size, .version = version, .error = error, .room = room};
    take_launch(&reader, made);
    if (!reader.failed)
        take_tables(&reader, made);
    if (!reader.failed)
        take_events(&reader, made);
    if (!reader.failed)
        take_accesses(&reader, made);
    if (!reader.failed && reader.at != size)
        fail(&reader, FIELD("the body"), "goes on after its last field");
    struct trace_problem problem;
    if (!reader.failed && !trace_check(made, &problem))
        fail(&reader, (struct field){problem.field, problem.index, problem.indexed}, problem.what);
    if (reader.failed) {
        trace_free(made);
        return false;
    }
    trace_index_buffers(made);
    *trace = made;
    return true;
}

bool trace_decode(const char *name, uint32_t version, const uint8_t *body, size_t size, struct trace **trace,
                  struct error *error)
{
    return trace_decode_in(trace_room(size), name, version, body, size, trace, error);
}

uint64_t trace_takes(const struct trace *trace, uint64_t body_bytes)
{
    uint64_t lanes = 0, waits = 0;
    for (size_t i = 0; i < trace->events.count; i++)
        lanes += trace_has_lanes(&trace->events.items[i]);
    for (uint32_t i = 0; i < trace->finding_count; i++)
        waits += trace->findings[i].wait_count;
    bool const values = trace->values.count != 0;
    return 2 * body_bytes /* as it is, and its texts */ + trace->file_count * sizeof(char *) +
           trace->site_count * sizeof(struct trace_site) + trace->buffer_count * TRACE_BUFFER_ROOM +
           trace->finding_count * sizeof(struct finding) + waits * sizeof(struct finding_wait) +
           trace->events.count * TRACE_EVENT_ROOM + lanes * TRACE_LANES_ROOM * (values ? 2 : 1);
}
