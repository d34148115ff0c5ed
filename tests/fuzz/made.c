#include "made.h"
#include "trace/format/format.h"
#include "trace/sites.h"
#include <string.h>

enum { ELEMENTS = 4096, STEPS_MOST = 24, FINDINGS_MOST = 3, WARPS_MOST = 3, BLOCKS = 4 };
static const uint64_t here = 0x10000;

struct choices choices_of(const uint8_t *bytes, size_t size)
{
    return (struct choices){.bytes = bytes, .size = size, .random = trace_checksum(bytes, size)};
}

uint64_t choose(struct choices *choices, uint64_t below)
{
    choices->random = choices->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (choices->at < choices->size ? choices->bytes[choices->at++] : choices->random >> 33) % below;
}

/* Returns a number such as liars write: a small one, a power of two, one beside it, or all bits. */
static uint64_t lie(struct choices *choices)
{
    uint64_t const power = UINT64_C(1) << choose(choices, 64);
    uint64_t const lies[] = {choose(choices, 40), power, power - 1, power + 1, UINT64_MAX, choices->random};
    return lies[choose(choices, sizeof lies / sizeof *lies)];
}

/* ---- honest records ---- */

#define SITE(operation_, space_, bytes_, text_)                                                                        \
    {                                                                                                                  \
        .operation = (operation_), .space = (space_), .bytes = (bytes_), .column = 1, .text = (text_)                  \
    }
enum {
    GLOBAL,
    SHARED,
    ATOMIC,
    UNREAD,
    REDUCTION,
    LOCAL,
    CONSTANT,
    GENERIC,
    ROWS,
    PIECES,
    BRANCH,
    TABLE,
    WAIT,
    BARRIER,
    COPY,
    SHUFFLE,
    PRODUCT,
    SITES
};
static const struct trace_site sites[SITES] = {
    [GLOBAL] = SITE(TRACE_LOAD, PTX_SPACE_GLOBAL, 4, "ld.global.f32 %f1, [%rd1]"),
    [SHARED] = SITE(TRACE_STORE, PTX_SPACE_SHARED, 16, "st.shared.v4.f32 [%r1], {%f1,%f1,%f1,%f1}"),
    [ATOMIC] = SITE(TRACE_ATOMIC, PTX_SPACE_SHARED, 4, "atom.shared.add.u32 %r3, [%r2], 1"),
    [UNREAD] = {TRACE_ATOMIC, PTX_SPACE_GLOBAL, 8, 0, 0, 1, "atom.global.cas.b64 _, [%rd2], %rd3, %rd4",
                .unread = true},
    [REDUCTION] = SITE(TRACE_REDUCTION, PTX_SPACE_GLOBAL, 4, "red.global.add.f32 [%rd1], %f1"),
    [LOCAL] = SITE(TRACE_STORE, PTX_SPACE_LOCAL, 8, "st.local.u64 [%rd2], %rd3"),
    [CONSTANT] = SITE(TRACE_LOAD, PTX_SPACE_CONST, 4, "ld.const.u32 %r4, [%rd4]"),
    [GENERIC] = SITE(TRACE_LOAD, PTX_SPACE_GENERIC, 1, "ld.u8 %rs1, [%rd5]"),
    [ROWS] =
        SITE(TRACE_LOAD, PTX_SPACE_SHARED, 16, "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5]"),
    [PIECES] = SITE(TRACE_LOAD, PTX_SPACE_GLOBAL, 16,
                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                    "[%r1], [%rd1], 512, [%r2]"),
    [BRANCH] = SITE(TRACE_BRANCH, PTX_SPACE_GENERIC, 0, "@%p1 bra L"),
    [TABLE] = SITE(TRACE_BRANCH, PTX_SPACE_GENERIC, 0, "brx.idx %r9, targets"),
    [WAIT] = SITE(TRACE_BRANCH, PTX_SPACE_SHARED, 0, "@%p2 bra W"),
    [BARRIER] = SITE(TRACE_BARRIER, PTX_SPACE_GENERIC, 0, "bar.sync 0"),
    [COPY] = SITE(TRACE_LOAD, PTX_SPACE_SHARED, 16, "cp.async.cg.shared.global [%r5], [%rd6], 16"),
    [SHUFFLE] = SITE(TRACE_EXCHANGE, PTX_SPACE_GENERIC, 4, "shfl.sync.down.b32 %r6, %r7, 4, 31, -1"),
    [PRODUCT] = SITE(TRACE_PRODUCT, PTX_SPACE_GENERIC, 4,
                     "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f2,%f3,%f4,%f5}, {%r6,%r7}, {%r8}, "
                     "{%f2,%f3,%f4,%f5}"),
};
#undef SITE

struct maker {
    struct trace *trace;
    struct choices *choices;
    bool values;
    uint64_t time;
    uint32_t ended[BLOCKS][WARPS_MOST];
};

static void add(struct maker *maker, struct trace_event event, uint64_t first, uint64_t stride)
{
    uint64_t lanes[WARP_LANES], values[WARP_LANES];
    event.time = maker->time++;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        lanes[lane] = event.kind == TRACE_SHUFFLE ? (lane + first) % WARP_LANES : first + stride * lane;
        values[lane] = maker->choices->random >> lane;
    }
    trace_add(maker->trace, &event, lanes, maker->values ? values : NULL);
}

static void add_access(struct maker *maker, struct trace_event event)
{
    static const enum ptx_space found[] = {PTX_SPACE_GENERIC, PTX_SPACE_GLOBAL, PTX_SPACE_SHARED, PTX_SPACE_LOCAL};
    const struct trace_site *site = &maker->trace->sites[event.site];
    if (event.site == GENERIC)
        event.space = found[choose(maker->choices, sizeof found / sizeof *found)];
    enum ptx_space const space = trace_space(site, &event);
    bool const low = space == PTX_SPACE_SHARED || space == PTX_SPACE_LOCAL;
    uint64_t const first = choose(maker->choices, 64) * 16, stride = choose(maker->choices, 9) * site->bytes;
    add(maker, event, (low ? 0 : here) + first, stride);
    event.kind = TRACE_LOAD_WAIT;
    event.other = (uint32_t)maker->choices->random;
    if ((site->operation == TRACE_LOAD || site->operation == TRACE_ATOMIC) && choose(maker->choices, 2))
        add(maker, event, 0, 0);
}

static void add_flow(struct maker *maker, struct trace_event event)
{
    event.kind = event.site == BARRIER ? TRACE_BARRIER_ARRIVE : TRACE_BRANCH_TAKEN;
    event.other = event.site == BARRIER ? 0 : event.mask & (uint32_t)maker->choices->random;
    add(maker, event, 0, 0);
    event.kind = event.site == BARRIER ? TRACE_BARRIER_RELEASE : TRACE_RECONVERGE;
    event.other = 0;
    if (choose(maker->choices, 4))
        add(maker, event, 0, 0);
}

static void add_copy(struct maker *maker, struct trace_event event)
{
    event.space = PTX_SPACE_GLOBAL;
    add(maker, event, here + 16 * choose(maker->choices, 64), 16);
    event.kind = TRACE_COPY_TO;
    event.space = PTX_SPACE_SHARED;
    add(maker, event, 16 * choose(maker->choices, 64), 16);
    event.space = PTX_SPACE_GENERIC;
    event.site = PTX_NO_INDEX;
    event.kind = choose(maker->choices, 2) ? TRACE_COPY_GROUP : TRACE_COPY_WAIT;
    if (choose(maker->choices, 4))
        add(maker, event, 0, 0);
}

static void add_exchange(struct maker *maker, struct trace_event event)
{
    if (!maker->values)
        return;
    event.kind = event.site == SHUFFLE ? TRACE_SHUFFLE : TRACE_REGISTERS;
    uint32_t const parts = event.site == SHUFFLE ? 1 : maker->trace->sites[PRODUCT].parts;
    for (; event.other < parts; event.other++)
        add(maker, event, choose(maker->choices, 32), 1);
}

/* Ends some lanes of a warp, or tells of a fault. */
static void add_end(struct maker *maker, struct trace_event event, uint32_t *ended)
{
    event.kind = choose(maker->choices, 3) ? TRACE_EXIT : TRACE_FAULT;
    if (event.kind == TRACE_EXIT) {
        event.site = PTX_NO_INDEX;
        *ended |= event.mask;
    }
    add(maker, event, 0, 0);
}

static void add_step(struct maker *maker)
{
    struct trace *trace = maker->trace;
    struct choices *choices = maker->choices;
    uint64_t const block = choose(choices, launch_count(trace->grid));
    uint32_t const warp = (uint32_t)choose(choices, (launch_count(trace->block) + WARP_LANES - 1) / WARP_LANES);
    uint32_t *ended = &maker->ended[block][warp];
    uint32_t const left = trace_warp_lanes(trace, warp) & ~*ended, some = left & (choose(choices, 3) ? left : 0x55);
    struct trace_event const event = {.kind = TRACE_ACCESS,
                                      .block = block,
                                      .warp = warp,
                                      .mask = some ? some : left,
                                      .site = (uint32_t)choose(choices, SITES),
                                      .sm = (uint32_t)choose(choices, 4)};
    if (!left)
        return;
    if (choose(choices, 16) == 0)
        add_end(maker, event, ended);
    else if (event.site < BRANCH)
        add_access(maker, event);
    else if (event.site <= BARRIER)
        add_flow(maker, event);
    else if (event.site == COPY)
        add_copy(maker, event);
    else
        add_exchange(maker, event);
}

static uint32_t index_below(struct choices *choices, uint32_t count)
{
    uint64_t const next = choose(choices, count + 1u);
    return next == count ? PTX_NO_INDEX : (uint32_t)next;
}

static void fill_finding(struct trace *trace, struct choices *choices, struct finding *finding)
{
    size_t count;
    *finding = (struct finding){.at = {.site = index_below(choices, SITES), .file = 0, .line = 3, .block = 1},
                                .form = (enum finding_form)choose(choices, FINDING_FORMS),
                                .lanes = (uint32_t)choices->random};
    finding->kind = finding_kind_of(finding->form);
    const struct finding_field *fields = finding_fields(finding->form, &count);
    for (size_t i = 0; i < count; i++)
        if (fields[i].type == FINDING_STRING)
            finding_set_string(finding, &fields[i], "made");
        else if (fields[i].type == FINDING_SITE)
            finding_set_number(finding, &fields[i], index_below(choices, SITES));
        else if (fields[i].type == FINDING_FILE)
            finding_set_number(finding, &fields[i], index_below(choices, 1));
        else if (!finding_is_race(finding)) /* whose other numbers are a place in the launch */
            finding_set_number(finding, &fields[i],
                               fields[i].most == UINT64_MAX ? lie(choices) : lie(choices) % (fields[i].most + 1));
    finding->wait_count = (uint32_t)choose(choices, 3);
    finding->wait_total = finding->wait_count + (uint32_t)choose(choices, 2);
    struct finding_wait *waits = arena_array(&trace->arena, struct finding_wait, finding->wait_count);
    for (uint32_t i = 0; i < finding->wait_count; i++)
        waits[i] = (struct finding_wait){.thing = (enum finding_thing)choose(choices, 3), .threads = 1, .line = 3};
    finding->waits = waits;
}

/* Returns an empty record: a launch, its sites and its buffer. */
static struct trace *begin(struct choices *choices)
{
    static const char *const files[] = {"made.cu"};
    struct ptx_module const module = {.text = "", .files = files, .file_count = 1};
    struct launch_buffer in = {.name = "in", .type = PTX_F32, .count = ELEMENTS};
    if (choose(choices, 2))
        in.shape = (struct launch_shape){.rows = 64, .columns = 60, .pitch = 256};
    struct launch const launch = {
        .kernel = "made",
        .grid = {2, 1 + (uint32_t)choose(choices, 2), 1},
        .block = {1 + (uint32_t)choose(choices, 32), 1 + (uint32_t)choose(choices, WARPS_MOST), 1},
        .shared_bytes = 4096,
        .buffers = &in,
        .buffer_count = 1};
    struct trace *trace = trace_new(&module, &launch);
    struct trace_site *own = arena_array(&trace->arena, struct trace_site, SITES);
    memcpy(own, sites, sizeof sites);
    for (uint32_t i = 0; i < SITES; i++)
        own[i].line = choose(choices, 8) ? i / 2 + 1 : 0;
    trace_sites_read(own, SITES);
    trace->sites = own;
    trace->site_count = SITES;
    trace->source = choose(choices, 4) ? "__global__ void made(float *in)\n{\n    in[0] = 1;\n}\n" : "";
    trace->buffers[0].address = here;
    trace->totals = (struct trace_totals){100, 2000, 4, 4};
    return trace;
}

struct trace *made_record(struct choices *choices)
{
    struct trace *trace = begin(choices);
    struct maker maker = {.trace = trace, .choices = choices, .values = choose(choices, 4) != 0};
    bool const gpu = choose(choices, 4) == 0;
    trace->executor = gpu ? EXECUTOR_GPU : EXECUTOR_EMULATOR;
    trace->clock = gpu ? TRACE_CLOCK_GPU : TRACE_CLOCK_MODEL;
    trace->lost = gpu ? choose(choices, 3) : 0;
    trace->shared_base = gpu ? 1024 : 0;
    for (size_t steps = 1 + choose(choices, STEPS_MOST); steps > 0; steps--)
        add_step(&maker);
    trace->findings = arena_array(&trace->arena, struct finding, FINDINGS_MOST);
    trace->finding_count = (uint32_t)choose(choices, FINDINGS_MOST + 1);
    for (uint32_t i = 0; i < trace->finding_count; i++)
        fill_finding(trace, choices, &trace->findings[i]);
    return trace;
}

/* ---- lies ---- */

static void lie_of_launch(struct trace *trace, struct choices *choices)
{
    uint32_t *words[] = {&trace->grid[0],  &trace->grid[1],  &trace->grid[2],     &trace->block[0],
                         &trace->block[1], &trace->block[2], &trace->shared_bytes};
    struct trace_buffer *buffer = trace->buffers;
    uint64_t *numbers[] = {&trace->shared_base,
                           &trace->recorded.first,
                           &trace->recorded.last,
                           &trace->lost,
                           &trace->totals.warp_instructions,
                           &trace->totals.thread_instructions,
                           &trace->totals.branches,
                           &trace->totals.branches_divergent,
                           &buffer->address,
                           &buffer->count,
                           &buffer->shape.rows,
                           &buffer->shape.columns,
                           &buffer->shape.pitch};
    uint64_t const number = lie(choices);
    switch (choose(choices, 5)) {
    case 0:
        trace->clock = trace->clock == TRACE_CLOCK_GPU ? TRACE_CLOCK_MODEL : TRACE_CLOCK_GPU;
        break;
    case 1:
        trace->source = trace->kernel = "";
        break;
    case 2:
        *words[choose(choices, sizeof words / sizeof *words)] = (uint32_t)number;
        break;
    case 3:
        buffer->type = (enum ptx_type)(1 + choose(choices, PTX_ELEMENT_COUNT - 1));
        break;
    default:
        *numbers[choose(choices, sizeof numbers / sizeof *numbers)] = number;
    }
}

static void lie_of_finding(struct trace *trace, struct choices *choices)
{
    if (!trace->finding_count)
        return;
    struct finding *finding = &trace->findings[choose(choices, trace->finding_count)];
    uint64_t const number = lie(choices);
    switch (choose(choices, 5)) {
    case 0:
        finding->at.block = number;
        break;
    case 1:
        finding->at.thread[choose(choices, 3)] = (uint32_t)number;
        break;
    case 2:
        finding->at.line = (uint32_t)number & INT32_MAX;
        break;
    case 3:
        finding->lanes = (uint32_t)number;
        break;
    default:
        finding->wait_total = (uint32_t)number;
    }
}

/* Gives an event another kind. One with addresses has those of another event. */
static void change_kind(struct trace *trace, struct trace_event *event, enum trace_kind kind)
{
    bool const lanes = trace_has_addresses(kind) && !trace_has_addresses(event->kind);
    if (lanes && (trace->addresses.count < WARP_LANES || event->site >= SITES))
        return;
    event->kind = kind;
    event->lanes = lanes ? 0 : event->lanes;
}

static void lie_of_event(struct trace *trace, struct choices *choices)
{
    if (!trace->events.count)
        return;
    struct trace_event *event = &trace->events.items[choose(choices, trace->events.count)];
    uint64_t const number = lie(choices);
    uint32_t *words[] = {&event->warp, &event->mask, &event->other, &event->sm};
    switch (choose(choices, 7)) {
    case 0:
        change_kind(trace, event, (enum trace_kind)choose(choices, TRACE_LOAD_WAIT + 1));
        break;
    case 1:
        event->site = (uint32_t)choose(choices, SITES);
        break;
    case 2:
        event->space = (enum ptx_space)choose(choices, PTX_SPACE_REGISTER + 1);
        break;
    case 3:
        event->time = number;
        break;
    case 4:
        event->block = number;
        break;
    case 5:
        if (trace_has_addresses(event->kind))
            trace->addresses.items[event->lanes + choose(choices, WARP_LANES)] = number;
        break;
    default:
        *words[choose(choices, sizeof words / sizeof *words)] = (uint32_t)number;
    }
}

/* Leaves an event out, repeats one, or exchanges two; the times stay in order. */
static void lie_of_order(struct trace *trace, struct choices *choices)
{
    size_t const count = trace->events.count;
    if (count < 2)
        return;
    struct trace_event *items = trace->events.items, *one = &items[choose(choices, count)];
    struct trace_event *other = &items[choose(choices, count)], before = *one;
    switch (choose(choices, 3)) {
    case 0:
        memmove(one, one + 1, (size_t)(items + count - one - 1) * sizeof *one);
        trace->events.count--;
        return;
    case 1:
        *one = *other;
        one->time = before.time;
        return;
    default:
        *one = *other;
        *other = before;
        other->time = one->time;
        one->time = before.time;
    }
}

static void lie_of_site(struct trace *trace, struct choices *choices)
{
    static const enum trace_operation operations[] = {TRACE_LOAD,    TRACE_STORE,  TRACE_ATOMIC,   TRACE_REDUCTION,
                                                      TRACE_BARRIER, TRACE_BRANCH, TRACE_EXCHANGE, TRACE_PRODUCT};
    struct trace_site *site = (struct trace_site *)&trace->sites[choose(choices, SITES)];
    switch (choose(choices, 5)) {
    case 0:
        site->operation = operations[choose(choices, sizeof operations / sizeof *operations)];
        break;
    case 1:
        site->space = (enum ptx_space)choose(choices, PTX_SPACE_REGISTER + 1);
        break;
    case 2:
        site->bytes = (uint8_t)choose(choices, 65);
        break;
    case 3:
        site->line = (uint32_t)lie(choices) & INT32_MAX;
        break;
    default:
        site->text = sites[choose(choices, SITES)].text;
    }
}

void made_lie(struct trace *trace, struct choices *choices)
{
    static void (*const liars[])(struct trace *, struct choices *) = {lie_of_event,  lie_of_event,   lie_of_order,
                                                                      lie_of_launch, lie_of_finding, lie_of_site};
    liars[choose(choices, sizeof liars / sizeof *liars)](trace, choices);
}
