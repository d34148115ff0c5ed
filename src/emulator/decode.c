/* From a ptx_function to ops: rows of registers, constants and special values; joins where paths meet; and the walk
 * over everything a kernel calls. What an instruction becomes is decided in decode_*.c. */
#include "emulator/decode.h"
#include <stdio.h>
#include <stdlib.h>

/* Sizes of the values of each operation in lanes.def, result first. */
struct widths {
    uint8_t d, a, b, c, e;
};
enum { SIZE_u8 = 1, SIZE_s8 = 1, SIZE_u16 = 2, SIZE_s16 = 2, SIZE_u32 = 4, SIZE_s32 = 4, SIZE_f32 = 4 };
enum { SIZE_u64 = 8, SIZE_s64 = 8, SIZE_f64 = 8 };
static const struct widths widths[LANES_COUNT] = {
#define UNARY(name, D, A, ...) [LANES_##name] = {SIZE_##D, SIZE_##A, 0, 0, 0},
#define BINARY(name, D, A, B, ...) [LANES_##name] = {SIZE_##D, SIZE_##A, SIZE_##B, 0, 0},
#define TERNARY(name, D, A, B, C, ...) [LANES_##name] = {SIZE_##D, SIZE_##A, SIZE_##B, SIZE_##C, 0},
#define QUATERNARY(name, D, A, B, C, E, ...) [LANES_##name] = {SIZE_##D, SIZE_##A, SIZE_##B, SIZE_##C, SIZE_##E},
#define CARRY(name, T, ...) [LANES_##name] = {SIZE_##T, SIZE_##T, SIZE_##T, SIZE_##T, 0},
#define SELECT(name, T) [LANES_##name] = {SIZE_##T, SIZE_##T, SIZE_##T, 0, 0},
#define COMPARE(name, T, ...) [LANES_##name] = {0, SIZE_##T, SIZE_##T, 0, 0},
#define PREDICATE(name, ...) [LANES_##name] = {0, 0, 0, 0, 0},
#define CONVERT(name, D, A) [LANES_##name] = {SIZE_##D, SIZE_##A, 0, 0, 0},
#define WRITTEN(name, ...) [LANES_##name] = {0, 0, 0, 0, 0},
#include "emulator/lanes.def"
};

uint32_t decode_row_bytes(enum ptx_type type)
{
    if (type == PTX_PRED)
        return 0;
    return ptx_type_size(type) == 8 ? 8 : 4;
}

static uint32_t tail_room(struct decoder *d, size_t bytes)
{
    size_t at = (d->tail.count + bytes - 1) / (bytes > 64 ? 64 : bytes) * (bytes > 64 ? 64 : bytes);
    size_t end = at + bytes, old = d->tail.count;
    d->tail.items = array_grow(d->tail.items, &d->tail.capacity, end, 1);
    memset(d->tail.items + old, 0, end - old);
    d->tail.count = end;
    return d->tail_start + (uint32_t)at;
}

uint32_t decode_constant(struct decoder *d, uint64_t value, unsigned bytes)
{
    unsigned row_bytes = bytes == 8 ? 8 : 4;
    value &= bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
    for (size_t i = 0; i < d->constants.count; i++)
        if (d->constants.items[i].value == value && d->constants.items[i].bytes == row_bytes)
            return d->constants.items[i].row;
    uint32_t row = tail_room(d, (size_t)row_bytes * WARP_LANES);
    for (unsigned l = 0; l < WARP_LANES; l++)
        memcpy(d->tail.items + (row - d->tail_start) + l * row_bytes, &value, row_bytes);
    array_push(&d->constants, ((struct constant){value, row, row_bytes}));
    return row;
}

static uint32_t constant_predicate(struct decoder *d, bool value)
{
    uint32_t bits = value ? ALL_LANES : 0;
    for (size_t i = 0; i < d->constants.count; i++)
        if (d->constants.items[i].value == bits && d->constants.items[i].bytes == 1)
            return d->constants.items[i].row;
    uint32_t row = tail_room(d, sizeof bits);
    memcpy(d->tail.items + (row - d->tail_start), &bits, sizeof bits);
    array_push(&d->constants, ((struct constant){bits, row, 1}));
    return row;
}

/* A special register of one lane, where a launch leaves it the same in all blocks and warps. */
static uint64_t fixed_special(const struct machine *machine, uint32_t special, uint32_t component, unsigned lane)
{
    const struct launch *launch = machine->launch;
    bool present = component < 3;
    switch (special) {
    case PTX_SR_ntid:
        return launch && present ? launch->block[component] : 0;
    case PTX_SR_nctaid:
    case PTX_SR_nclusterid:
        return launch && present ? launch->grid[component] : 0;
    case PTX_SR_cluster_nctaid:
        return present;
    case PTX_SR_cluster_nctarank:
    case PTX_SR_nsmid:
    case PTX_SR_gridid:
        return 1;
    case PTX_SR_laneid:
        return lane;
    case PTX_SR_nwarpid:
        return machine->warps;
    case PTX_SR_lanemask_eq:
        return 1u << lane;
    case PTX_SR_lanemask_le:
        return (2u << lane) - 1;
    case PTX_SR_lanemask_lt:
        return (1u << lane) - 1;
    case PTX_SR_lanemask_ge:
        return ~((1u << lane) - 1);
    case PTX_SR_lanemask_gt:
        return ~((2u << lane) - 1);
    case PTX_SR_total_smem_size:
    case PTX_SR_aggr_smem_size:
        return machine->shared_bytes;
    case PTX_SR_dynamic_smem_size:
        return launch ? launch->shared_bytes : 0;
    default: /* smid, cluster rank, reserved shared memory, environment and performance registers */
        return 0;
    }
}

static void fix_special(struct decoder *d, const struct special_row *row)
{
    uint8_t *to = d->tail.items + (row->offset - d->tail_start);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t value = fixed_special(d->machine, row->special, row->component, lane);
        if (row->wide)
            memcpy(to + 8 * lane, &value, 8);
        else
            memcpy(to + 4 * lane, &(uint32_t){(uint32_t)value}, 4);
    }
}

uint32_t decode_special(struct decoder *d, uint32_t special, uint32_t component, uint64_t addend, bool wide)
{
    if (special == PTX_SR_clusterid) /* a cluster is one block */
        special = PTX_SR_ctaid;
    for (size_t i = 0; i < d->specials.count; i++) {
        const struct special_row *row = &d->specials.items[i];
        if (row->special == special && row->component == component && row->addend == addend && row->wide == wide)
            return row->offset;
    }
    uint32_t offset = tail_room(d, (wide ? 8 : 4) * (size_t)WARP_LANES);
    bool varies = (special == PTX_SR_tid || special == PTX_SR_ctaid) && component < 3;
    struct special_row row = {special, component, offset,
                              wide,    addend,    varies || special == PTX_SR_warpid || special == SPECIAL_LOCAL};
    if (!row.varies)
        fix_special(d, &row);
    array_push(&d->specials, row);
    return offset;
}

static const struct ptx_variable *variable_of(const struct decoder *d, const struct ptx_operand *operand)
{
    switch (operand->scope) {
    case PTX_SCOPE_MODULE:
        return &d->machine->program->variables[operand->index];
    case PTX_SCOPE_FUNCTION:
        return &d->function->variables[operand->index];
    case PTX_SCOPE_PARAMETER:
        return &d->function->parameters[operand->index];
    case PTX_SCOPE_RETURN:
        return &d->function->results[operand->index];
    }
    return NULL;
}

/* Offset in a thread's frame of local memory: .local variables, parameters of calls, own parameters, own results. */
static uint64_t local_offset(const struct decoder *d, const struct ptx_operand *operand)
{
    const struct ptx_variable *variable = variable_of(d, operand);
    uint64_t offset = variable->offset;
    if (operand->scope == PTX_SCOPE_PARAMETER)
        offset = d->code->parameter_offset[operand->index];
    else if (operand->scope == PTX_SCOPE_RETURN)
        offset = d->code->result_offset[operand->index];
    else
        offset = d->code->variable_offset[operand->index];
    return offset + (uint64_t)operand->offset;
}

bool decode_address(const struct decoder *d, const struct ptx_operand *operand, uint64_t *address)
{
    const struct machine *machine = d->machine;
    if (operand->kind == PTX_OPERAND_FUNCTION) {
        *address = EMULATOR_CODE_BASE + 16 * (uint64_t)operand->index;
        return true;
    }
    const struct ptx_variable *variable = variable_of(d, operand);
    if (variable->space == PTX_SPACE_SHARED)
        *address = variable->size || !variable->external ? variable->offset : machine->dynamic_offset;
    else if (operand->scope == PTX_SCOPE_MODULE)
        *address = machine->variable_address[operand->index];
    else if (operand->scope == PTX_SCOPE_PARAMETER && d->function->is_kernel)
        *address = EMULATOR_PARAMETER_BASE + variable->offset;
    else
        return false;
    *address += (uint64_t)operand->offset;
    return true;
}

uint32_t decode_source(struct decoder *d, const struct ptx_operand *operand, unsigned bytes)
{
    uint64_t address;
    unsigned row_bytes = bytes == 8 ? 8 : 4;
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        if (decode_row_bytes(d->function->registers[operand->index].type) == row_bytes && !operand->negated)
            return d->rows[operand->index];
        break;
    case PTX_OPERAND_IMMEDIATE:
        return decode_constant(d, operand->bits, bytes);
    case PTX_OPERAND_SPECIAL:
        return decode_special(d, operand->index, operand->component, 0, row_bytes == 8);
    case PTX_OPERAND_VARIABLE:
    case PTX_OPERAND_FUNCTION:
        if (decode_address(d, operand, &address))
            return decode_constant(d, address, bytes);
        return decode_special(d, SPECIAL_LOCAL, 0, local_offset(d, operand), row_bytes == 8);
    default:
        break;
    }
    d->failed = true;
    return 0;
}

uint32_t decode_target(struct decoder *d, const struct ptx_operand *operand, unsigned bytes)
{
    if (operand->kind == PTX_OPERAND_SINK)
        return d->scratch;
    if (operand->kind == PTX_OPERAND_REGISTER &&
        decode_row_bytes(d->function->registers[operand->index].type) == (bytes == 8 ? 8u : 4u))
        return d->rows[operand->index];
    d->failed = true;
    return 0;
}

uint32_t decode_predicate(struct decoder *d, const struct ptx_operand *operand, uint32_t *flip)
{
    if (flip)
        *flip = operand->negated ? ALL_LANES : 0;
    if (operand->kind == PTX_OPERAND_SINK)
        return 0;
    if (operand->kind == PTX_OPERAND_IMMEDIATE)
        return constant_predicate(d, operand->bits != 0);
    if (operand->kind == PTX_OPERAND_REGISTER && d->function->registers[operand->index].type == PTX_PRED &&
        (flip || !operand->negated))
        return d->rows[operand->index];
    d->failed = true;
    return 0;
}

uint32_t decode_second(struct decoder *d, const struct ptx_operand *operand)
{
    return operand->second ? d->rows[operand->second - 1] : 0;
}

uint32_t decode_base(struct decoder *d, const struct ptx_operand *operand, enum ptx_space space, uint64_t *offset,
                     bool *wide)
{
    *offset = (uint64_t)operand->offset;
    *wide = true;
    if (operand->base == PTX_OPERAND_REGISTER) {
        *wide = decode_row_bytes(d->function->registers[operand->index].type) == 8;
        return d->rows[operand->index];
    }
    if (operand->base != PTX_OPERAND_VARIABLE) {
        *offset = 0;
        return decode_constant(d, (uint64_t)operand->offset, 8);
    }
    const struct ptx_variable *variable = variable_of(d, operand);
    uint64_t address;
    *offset = 0;
    if (!decode_address(d, operand, &address))
        return decode_special(d, SPECIAL_LOCAL, 0,
                              local_offset(d, operand) + (space == PTX_SPACE_GENERIC ? EMULATOR_LOCAL_BASE : 0), true);
    if (space == PTX_SPACE_GENERIC && variable->space == PTX_SPACE_SHARED)
        address += EMULATOR_SHARED_BASE;
    return decode_constant(d, address, 8);
}

struct op *decode_emit(struct decoder *d, handler run)
{
    struct op op = {.run = {run, run, run}, .count = 1, .latency = 4, .site = PTX_NO_INDEX, .source = d->instruction};
    if (d->instruction)
        op.site = d->instruction->site;
    array_push(&d->ops, op);
    return &d->ops.items[d->ops.count - 1];
}

struct op *decode_lanes_rows(struct decoder *d, enum lanes_operation operation, uint32_t target, uint32_t a, uint32_t b,
                             uint32_t c, uint32_t e)
{
    struct op *op = decode_emit(d, NULL);
    memcpy(op->run, d->lanes->run[operation], sizeof op->run);
    op->d = target, op->a = a, op->b = b, op->c = c, op->e = e;
    return op;
}

struct op *decode_lanes(struct decoder *d, enum lanes_operation operation)
{
    const struct widths *w = &widths[operation];
    const struct ptx_operand *operands = d->instruction->operands;
    uint32_t target = decode_target(d, &operands[0], w->d);
    uint32_t a = decode_source(d, &operands[1], w->a);
    uint32_t b = w->b && d->instruction->operand_count > 2 ? decode_source(d, &operands[2], w->b) : a;
    uint32_t c = w->c && d->instruction->operand_count > 3 ? decode_source(d, &operands[3], w->c) : a;
    uint32_t e = w->e && d->instruction->operand_count > 4 ? decode_source(d, &operands[4], w->e) : a;
    return decode_lanes_rows(d, operation, target, a, b, c, e);
}

/* ---- one function ---- */

static void lay_out_rows(struct decoder *d)
{
    const struct ptx_function *function = d->function;
    uint32_t at = 64; /* the first bytes take what nobody wants */
    uint32_t *rows = arena_array(d->arena, uint32_t, (size_t)function->register_count + 1);
    for (uint32_t pass = 0; pass < 3; pass++) {
        uint32_t bytes = pass == 0 ? 0 : pass == 1 ? 4 : 8;
        at = (at + 63) / 64 * 64;
        for (uint32_t i = 0; i < function->register_count; i++) {
            if (decode_row_bytes(function->registers[i].type) != bytes)
                continue;
            rows[i] = at;
            at += bytes ? bytes * WARP_LANES : 4;
        }
    }
    at = (at + 63) / 64 * 64 + 8 * WARP_LANES; /* and room for results nobody wants */
    d->code->rows = rows;
    d->code->register_end = d->code->constant_start = at;
}

static void lay_out_local(struct decoder *d)
{
    const struct ptx_function *f = d->function;
    struct code *code = d->code;
    uint32_t *variables = arena_array(d->arena, uint32_t, (size_t)f->variable_count + 1);
    uint32_t *parameters = arena_array(d->arena, uint32_t, (size_t)f->parameter_count + 1);
    uint32_t *results = arena_array(d->arena, uint32_t, (size_t)f->result_count + 1);
    size_t calls = (f->local_bytes + 15) / 16 * 16, own = calls + (f->call_bytes + 15) / 16 * 16;
    size_t back = own + (f->is_kernel ? 0 : (f->parameter_bytes + 15) / 16 * 16), end = back;
    for (uint32_t i = 0; i < f->variable_count; i++)
        variables[i] = (uint32_t)(f->variables[i].offset + (f->variables[i].space == PTX_SPACE_PARAM ? calls : 0));
    for (uint32_t i = 0; i < f->parameter_count; i++)
        parameters[i] = (uint32_t)(f->parameters[i].offset + own);
    for (uint32_t i = 0; i < f->result_count; i++) {
        results[i] = (uint32_t)(f->results[i].offset + back);
        if (results[i] + f->results[i].size > end)
            end = results[i] + f->results[i].size;
    }
    code->variable_offset = variables;
    code->parameter_offset = parameters;
    code->result_offset = results;
    code->local_bytes = (uint32_t)((end + 15) / 16 * 16);
}

static const decode_family families[PTX_OPCODE_COUNT] = {
    [PTX_OP_add] = decode_add,
    [PTX_OP_sub] = decode_add,
    [PTX_OP_mul] = decode_mul,
    [PTX_OP_mad] = decode_mad,
    [PTX_OP_mul24] = decode_integer,
    [PTX_OP_mad24] = decode_integer,
    [PTX_OP_sad] = decode_integer,
    [PTX_OP_div] = decode_div,
    [PTX_OP_rem] = decode_div,
    [PTX_OP_abs] = decode_sign,
    [PTX_OP_neg] = decode_sign,
    [PTX_OP_min] = decode_minmax,
    [PTX_OP_max] = decode_minmax,
    [PTX_OP_addc] = decode_carry,
    [PTX_OP_subc] = decode_carry,
    [PTX_OP_madc] = decode_carry,
    [PTX_OP_dp2a] = decode_integer,
    [PTX_OP_dp4a] = decode_integer,
    [PTX_OP_fma] = decode_fma,
    [PTX_OP_rcp] = decode_function,
    [PTX_OP_sqrt] = decode_function,
    [PTX_OP_rsqrt] = decode_function,
    [PTX_OP_sin] = decode_function,
    [PTX_OP_cos] = decode_function,
    [PTX_OP_lg2] = decode_function,
    [PTX_OP_ex2] = decode_function,
    [PTX_OP_tanh] = decode_function,
    [PTX_OP_copysign] = decode_copysign,
    [PTX_OP_testp] = decode_testp,
    [PTX_OP_and] = decode_logic,
    [PTX_OP_or] = decode_logic,
    [PTX_OP_xor] = decode_logic,
    [PTX_OP_not] = decode_logic,
    [PTX_OP_cnot] = decode_logic,
    [PTX_OP_lop3] = decode_bits,
    [PTX_OP_shl] = decode_shift,
    [PTX_OP_shr] = decode_shift,
    [PTX_OP_shf] = decode_shift,
    [PTX_OP_bfe] = decode_bits,
    [PTX_OP_bfi] = decode_bits,
    [PTX_OP_bfind] = decode_bits,
    [PTX_OP_bmsk] = decode_bits,
    [PTX_OP_szext] = decode_bits,
    [PTX_OP_brev] = decode_bits,
    [PTX_OP_clz] = decode_bits,
    [PTX_OP_popc] = decode_bits,
    [PTX_OP_prmt] = decode_bits,
    [PTX_OP_fns] = decode_bits,
    [PTX_OP_setp] = decode_setp,
    [PTX_OP_set] = decode_set,
    [PTX_OP_selp] = decode_selp,
    [PTX_OP_slct] = decode_slct,
    [PTX_OP_mov] = decode_mov,
    [PTX_OP_cvt] = decode_cvt,
    [PTX_OP_cvta] = decode_cvta,
    [PTX_OP_isspacep] = decode_isspacep,
    [PTX_OP_mapa] = decode_mapa,
    [PTX_OP_ld] = decode_load,
    [PTX_OP_ldu] = decode_load,
    [PTX_OP_st] = decode_store,
    [PTX_OP_atom] = decode_atomic,
    [PTX_OP_red] = decode_atomic,
    [PTX_OP_cp] = decode_copy,
    [PTX_OP_prefetch] = decode_nothing,
    [PTX_OP_prefetchu] = decode_nothing,
    [PTX_OP_applypriority] = decode_nothing,
    [PTX_OP_discard] = decode_nothing,
    [PTX_OP_membar] = decode_nothing,
    [PTX_OP_fence] = decode_nothing,
    [PTX_OP_griddepcontrol] = decode_nothing,
    [PTX_OP_nanosleep] = decode_nothing,
    [PTX_OP_pmevent] = decode_nothing,
    [PTX_OP_setmaxnreg] = decode_nothing,
    [PTX_OP_brkpt] = decode_nothing,
    [PTX_OP_bar] = decode_barrier,
    [PTX_OP_barrier] = decode_barrier,
    [PTX_OP_shfl] = decode_shuffle,
    [PTX_OP_vote] = decode_vote,
    [PTX_OP_match] = decode_warp,
    [PTX_OP_activemask] = decode_warp,
    [PTX_OP_redux] = decode_warp,
    [PTX_OP_elect] = decode_warp,
    [PTX_OP_bra] = decode_branch,
    [PTX_OP_brx] = decode_branch,
    [PTX_OP_call] = decode_call,
    [PTX_OP_ret] = decode_end,
    [PTX_OP_exit] = decode_end,
    [PTX_OP_trap] = decode_end,
    [PTX_OP_vadd2] = decode_video,
    [PTX_OP_vsub2] = decode_video,
    [PTX_OP_vavrg2] = decode_video,
    [PTX_OP_vabsdiff2] = decode_video,
    [PTX_OP_vmin2] = decode_video,
    [PTX_OP_vmax2] = decode_video,
    [PTX_OP_vset2] = decode_video,
    [PTX_OP_vadd4] = decode_video,
    [PTX_OP_vsub4] = decode_video,
    [PTX_OP_vavrg4] = decode_video,
    [PTX_OP_vabsdiff4] = decode_video,
    [PTX_OP_vmin4] = decode_video,
    [PTX_OP_vmax4] = decode_video,
    [PTX_OP_vset4] = decode_video,
};

/* Does an op decide what runs next? Those predicated become a branch around them. */
static bool ends_run(const struct op *op)
{
    handler run = op->run[0];
    return run == control_branch || run == control_branch_uniform || run == control_branch_table ||
           run == control_join || run == control_exit || run == control_return || run == control_call ||
           run == control_trap || run == barrier_wait || run == barrier_arrive || run == barrier_warp;
}

static void guard_by_branch(struct decoder *d, size_t first)
{
    const struct ptx_instruction *instruction = d->instruction;
    struct op *op = &d->ops.items[first];
    struct branch *branch = arena_new(d->arena, struct branch);
    struct op guard = {.run = {control_branch, control_branch, control_branch},
                       .a = d->rows[instruction->predicate],
                       .flip = instruction->predicate_negated ? 0 : ALL_LANES,
                       .count = 1,
                       .site = PTX_NO_INDEX,
                       .extra = branch,
                       .source = instruction};
    *op = guard;
    op[1].count = 0;
    struct fixup fixup = {.branch = branch, .meet = PTX_NO_INDEX, .skip_to = (uint32_t)d->ops.count + 1};
    array_push(&d->fixups, fixup);
    decode_emit(d, control_join)->count = 0;
}

static bool decode_one(struct decoder *d, const struct ptx_instruction *instruction)
{
    d->instruction = instruction;
    d->failed = false;
    decode_family family = families[instruction->opcode];
    bool predicated = instruction->predicate != PTX_NO_INDEX && instruction->opcode != PTX_OP_bra;
    size_t first = d->ops.count;
    if (predicated)
        decode_emit(d, control_guard);
    size_t body = d->ops.count;
    if (!family || !family(d) || d->failed) {
        d->ops.count = first;
        return false;
    }
    for (size_t i = body + 1; i < d->ops.count; i++) /* one instruction counts once */
        d->ops.items[i].count = 0;
    if (!predicated)
        return true;
    struct op *op = &d->ops.items[body];
    if (d->ops.count - body != 1 || ends_run(op)) {
        guard_by_branch(d, first);
        return true;
    }
    d->ops.items[first].a = d->rows[instruction->predicate];
    d->ops.items[first].flip = instruction->predicate_negated ? ALL_LANES : 0;
    d->ops.items[first].latency = op->latency;
    op->count = 0;
    return true;
}

static void resolve(struct decoder *d, const uint32_t *start)
{
    struct op *ops = d->code->ops;
    uint32_t end = d->function->instruction_count;
    for (size_t i = 0; i < d->fixups.count; i++) {
        struct fixup *fixup = &d->fixups.items[i];
        struct branch *branch = fixup->branch;
        if (fixup->skip_to) {
            branch->target = branch->meet = ops + fixup->skip_to - 1;
            continue;
        }
        if (fixup->target != PTX_NO_INDEX)
            branch->target = ops + start[fixup->target];
        if (fixup->meet < end)
            branch->meet = ops + start[fixup->meet];
        if (branch->target_count) {
            const struct op **targets = arena_array(d->arena, const struct op *, branch->target_count);
            for (uint32_t k = 0; k < branch->target_count; k++)
                targets[k] = ops + start[fixup->targets[k]];
            branch->targets = targets;
        }
    }
    uint32_t run = 0;
    for (uint32_t i = d->code->op_count; i-- > 0;) {
        run = (ends_run(&ops[i]) ? 0 : run) + ops[i].count;
        ops[i].run_count = run;
    }
}

typedef void (*report)(void *context, const struct ptx_function *function, const struct ptx_instruction *instruction);

/* Decodes one function; tells `unsupported` each instruction that has no op. */
static bool decode_function_code(struct decoder *d, report unsupported, void *context)
{
    const struct ptx_function *function = d->function;
    uint32_t count = function->instruction_count;
    uint32_t *start = arena_array(d->arena, uint32_t, (size_t)count + 1);
    bool *meets = arena_array(d->arena, bool, (size_t)count + 1);
    bool good = true;
    for (uint32_t i = 0; i < count; i++)
        if (function->instructions[i].reconvergence < count)
            meets[function->instructions[i].reconvergence] = true;
    for (uint32_t i = 0; i < count; i++) {
        start[i] = (uint32_t)d->ops.count;
        d->instruction = NULL;
        if (meets[i])
            decode_emit(d, control_join)->count = 0;
        if (!decode_one(d, &function->instructions[i])) {
            unsupported(context, function, &function->instructions[i]);
            good = false;
        }
    }
    start[count] = (uint32_t)d->ops.count;
    d->instruction = NULL;
    decode_emit(d, control_return)->count = 0;
    struct code *code = d->code;
    code->op_count = (uint32_t)d->ops.count;
    code->ops = arena_array(d->arena, struct op, d->ops.count);
    memcpy(code->ops, d->ops.items, d->ops.count * sizeof *code->ops);
    resolve(d, start);
    code->frame_bytes = (d->tail_start + d->tail.count + 63) / 64 * 64;
    uint8_t *constants = arena_alloc(d->arena, code->frame_bytes - d->tail_start);
    if (d->tail.count)
        memcpy(constants, d->tail.items, d->tail.count);
    code->constants = constants;
    struct special_row *specials = arena_array(d->arena, struct special_row, d->specials.count + 1);
    for (size_t i = 0; i < d->specials.count; i++)
        if (d->specials.items[i].varies)
            specials[code->special_count++] = d->specials.items[i];
    code->specials = specials;
    code->clear = decode_reads_unwritten(function);
    return good;
}

static void decoder_free(struct decoder *d)
{
    free(d->ops.items);
    free(d->tail.items);
    free(d->constants.items);
    free(d->specials.items);
    free(d->fixups.items);
}

/* ---- all that a kernel reaches ---- */

static void reach(const struct machine *machine, uint32_t function, bool *reached, uint32_t *stack, uint32_t *depth)
{
    if (reached[function] || !machine->program->functions[function].has_body)
        return;
    reached[function] = true;
    stack[(*depth)++] = function;
}

/* Functions whose address is taken anywhere may be called through pointers. */
static void reach_from(const struct machine *machine, const struct ptx_function *function, bool *reached,
                       uint32_t *stack, uint32_t *depth)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        for (uint32_t k = 0; k < instruction->operand_count; k++)
            if (instruction->operands[k].kind == PTX_OPERAND_FUNCTION)
                reach(machine, instruction->operands[k].index, reached, stack, depth);
    }
}

static void decode_reached(struct machine *machine, const struct lanes_table *lanes, struct arena *arena,
                           report unsupported, void *context)
{
    const struct ptx_program *program = machine->program;
    bool *reached = arena_array(arena, bool, (size_t)program->function_count + 1);
    uint32_t *stack = arena_array(arena, uint32_t, (size_t)program->function_count + 1), depth = 0;
    uint32_t kernel = (uint32_t)(machine->kernel - program->functions);
    machine->codes = arena_array(arena, struct code, (size_t)program->function_count + 1);
    for (uint32_t i = 0; i < program->function_count; i++) { /* callers need to know where a callee's parameters lie */
        struct decoder d = {
            .machine = machine, .arena = arena, .function = &program->functions[i], .code = &machine->codes[i]};
        d.code->function = d.function;
        lay_out_local(&d);
        lay_out_rows(&d);
    }
    reach(machine, kernel, reached, stack, &depth);
    for (uint32_t i = 0; i < program->variable_count; i++)
        for (uint32_t k = 0; k < program->variables[i].relocation_count; k++)
            if (program->variables[i].relocations[k].function)
                reach(machine, program->variables[i].relocations[k].index, reached, stack, &depth);
    while (depth) {
        uint32_t index = stack[--depth];
        const struct ptx_function *function = &program->functions[index];
        struct decoder d = {.machine = machine,
                            .arena = arena,
                            .lanes = lanes,
                            .function = function,
                            .code = &machine->codes[index],
                            .rows = machine->codes[index].rows,
                            .tail_start = machine->codes[index].constant_start,
                            .scratch = machine->codes[index].constant_start - 8 * WARP_LANES};
        decode_function_code(&d, unsupported, context);
        decoder_free(&d);
        reach_from(machine, function, reached, stack, &depth);
    }
    machine->code = &machine->codes[kernel];
}

static void text_of(const struct ptx_program *program, const struct ptx_instruction *instruction, char *text, int size)
{
    int length = (int)(instruction->text_end - instruction->text_start);
    snprintf(text, (size_t)size, "%.*s", length, program->text + instruction->text_start);
}

struct first_unsupported {
    const struct ptx_program *program;
    struct error *error;
    bool found;
};

static void note_first(void *context, const struct ptx_function *function, const struct ptx_instruction *instruction)
{
    struct first_unsupported *first = context;
    if (first->found)
        return;
    first->found = true;
    char text[200];
    text_of(first->program, instruction, text, sizeof text);
    error_set(first->error, ERROR_INPUT,
              "The emulator cannot run `%s` (line %u of the PTX, line %u of the source, in %s)", text,
              instruction->ptx_line, instruction->line, function->name);
}

bool decode_machine(struct machine *machine, const struct lanes_table *lanes, struct error *error)
{
    struct first_unsupported first = {machine->program, error, false};
    decode_reached(machine, lanes, machine->arena, note_first, &first);
    return !first.found;
}

struct all_unsupported {
    struct arena *arena;
    const struct ptx_program *program;
    struct {
        struct ptx_unknown *items;
        size_t count, capacity;
    } list;
};

static void note_all(void *context, const struct ptx_function *function, const struct ptx_instruction *instruction)
{
    struct all_unsupported *all = context;
    char text[200];
    text_of(all->program, instruction, text, sizeof text);
    struct ptx_unknown unknown = {.instruction = arena_text(all->arena, text),
                                  .function = function->name,
                                  .ptx_line = instruction->ptx_line,
                                  .line = instruction->line};
    array_push(&all->list, unknown);
}

size_t emulator_unsupported(struct arena *arena, const struct ptx_program *program, const struct ptx_function *kernel,
                            struct ptx_unknown **unknown)
{
    struct machine machine = {.program = program, .kernel = kernel};
    struct all_unsupported all = {.arena = arena, .program = program};
    uint64_t *addresses = arena_array(arena, uint64_t, (size_t)program->variable_count + 1);
    machine.variable_address = addresses;
    decode_reached(&machine, lanes_best(), arena, note_all, &all);
    *unknown = arena_array(arena, struct ptx_unknown, all.list.count + 1);
    if (all.list.count)
        memcpy(*unknown, all.list.items, all.list.count * sizeof **unknown);
    free(all.list.items);
    return all.list.count;
}
