/* Finds or makes the row of each operand: registers, constants, special registers, addresses. */
#include "emulator/decode/decode.h"

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
#include "emulator/lanes/lanes.def"
};

uint32_t decode_row_bytes(enum ptx_type type)
{
    size_t size = ptx_type_size(type);
    return type == PTX_PRED ? 0 : size > 8 ? 16 : size == 8 ? 8 : 4;
}

static uint32_t row_bytes_of(unsigned bytes)
{
    return bytes > 8 ? 16 : bytes == 8 ? 8 : 4;
}

uint32_t decode_room(struct decoder *d, size_t bytes)
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
    uint32_t row = decode_room(d, (size_t)row_bytes * WARP_LANES);
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
    uint32_t row = decode_room(d, sizeof bits);
    memcpy(d->tail.items + (row - d->tail_start), &bits, sizeof bits);
    array_push(&d->constants, ((struct constant){bits, row, 1}));
    return row;
}

/* Returns a special register of one lane that is the same in all blocks and warps of a launch. */
static uint64_t fixed_special(const struct emulation *emulation, uint32_t special, uint32_t component, unsigned lane)
{
    const struct launch *launch = emulation->launch;
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
        return emulation->warps;
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
        return emulation->shared_bytes;
    case PTX_SR_dynamic_smem_size:
        return launch ? launch->shared_bytes : 0;
    default: /* smid, cluster rank, no explicit cluster, reserved shared memory, environment and performance registers
              */
        return 0;
    }
}

static void fix_special(struct decoder *d, const struct special_row *row)
{
    uint8_t *to = d->tail.items + (row->offset - d->tail_start);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t value = fixed_special(d->emulation, row->special, row->component, lane);
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
    uint32_t offset = decode_room(d, (wide ? 8 : 4) * (size_t)WARP_LANES);
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
        return &d->emulation->module->variables[operand->index];
    case PTX_SCOPE_FUNCTION:
        return &d->function->variables[operand->index];
    case PTX_SCOPE_PARAMETER:
        return &d->function->parameters[operand->index];
    case PTX_SCOPE_RETURN:
        return &d->function->results[operand->index];
    }
    return NULL;
}

/* Returns the offset of an operand in the thread's local memory: .local variables, parameters of calls, own
 * parameters, own results. */
static uint64_t local_offset(const struct decoder *d, const struct ptx_operand *operand)
{
    uint64_t offset;
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
    const struct emulation *emulation = d->emulation;
    if (operand->kind == PTX_OPERAND_FUNCTION) {
        *address = EMULATOR_CODE_BASE + 16 * (uint64_t)operand->index;
        return true;
    }
    const struct ptx_variable *variable = variable_of(d, operand);
    if (variable->space == PTX_SPACE_SHARED)
        *address = variable->size || !variable->external ? variable->offset : emulation->dynamic_offset;
    else if (operand->scope == PTX_SCOPE_MODULE)
        *address = emulation->variable_address[operand->index];
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
    unsigned row_bytes = row_bytes_of(bytes);
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        if (decode_row_bytes(d->function->registers[operand->index].type) == row_bytes && !operand->negated &&
            operand->component == PTX_PART_WHOLE)
            return d->rows[operand->index];
        break;
    case PTX_OPERAND_IMMEDIATE:
        if (row_bytes <= 8)
            return decode_constant(d, operand->bits, bytes);
        break;
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
    if (operand->kind == PTX_OPERAND_REGISTER && operand->component == PTX_PART_WHOLE &&
        decode_row_bytes(d->function->registers[operand->index].type) == row_bytes_of(bytes))
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
    if (operand->kind == PTX_OPERAND_SPECIAL)
        return constant_predicate(d, fixed_special(d->emulation, operand->index, operand->component, 0) != 0);
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
    if (space == PTX_SPACE_GENERIC && variable->space == PTX_SPACE_LOCAL)
        address += EMULATOR_LOCAL_BASE;
    return decode_constant(d, address, 8);
}

static struct op *emit(struct decoder *d, const handler run[VARIANTS], enum ptx_class class, enum op_flag flags)
{
    struct op op = {
        .class = (uint8_t) class, .flags = (uint8_t)flags, .count = 1, .site = PTX_NO_INDEX, .source = d->instruction};
    memcpy(op.run, run, sizeof op.run);
    if (d->instruction)
        op.site = d->instruction->site;
    array_push(&d->ops, op);
    return &d->ops.items[d->ops.count - 1];
}

struct op *decode_emit(struct decoder *d, enum operation operation)
{
    enum { NONE = OP_NONE, ENDS = OP_ENDS, ORDERS = OP_ORDERS, RELEASES = OP_RELEASES };
    static const struct {
        handler run;
        enum ptx_class class;
        unsigned flags;
    } table[OPERATIONS] = {
#define HANDLER(name, class, flags) [OP_##name] = {name, PTX_CLASS_##class, flags},
#include "emulator/core/handlers.def"
#undef HANDLER
    };
    handler const run = table[operation].run;
    return emit(d, (handler[VARIANTS]){run, run, run}, table[operation].class, (enum op_flag)table[operation].flags);
}

struct op *decode_check(struct decoder *d, handler run)
{
    return emit(d, (handler[VARIANTS]){run, run, run}, PTX_CLASS_ARITHMETIC, OP_NONE);
}

struct op *decode_lanes_rows(struct decoder *d, enum lanes_operation operation, uint32_t target, uint32_t a, uint32_t b,
                             uint32_t c, uint32_t e)
{
    struct op *op = emit(d, d->lanes->run[operation], PTX_CLASS_ARITHMETIC, OP_NONE);
    op->lanes = (uint16_t)(operation + 1);
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
