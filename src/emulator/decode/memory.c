/* Decodes loads, stores, atomics, copies and stack instructions. */
#include "emulator/memory/memory.h"
#include "emulator/decode/decode.h"
#include "emulator/memory/atomic.h"

static struct access *access_new(struct decoder *d, enum ptx_type type, unsigned elements)
{
    struct access *access = arena_new(d->arena, struct access);
    access->space = d->instruction->space;
    access->type = type;
    access->is_signed = type == PTX_S8 || type == PTX_S16 || type == PTX_S32;
    unsigned words = type == PTX_B128 ? 2 : 1; /* of an element, which is two words of 8 bytes */
    access->bytes = (uint8_t)(ptx_type_size(type) / words);
    access->elements = (uint8_t)(elements * words);
    access->total = (uint8_t)(access->bytes * access->elements);
    access->strong = decode_has(d, PTX_MOD_volatile) || decode_has(d, PTX_MOD_relaxed) ||
                     decode_has(d, PTX_MOD_acquire) || decode_has(d, PTX_MOD_release);
    access->row_bytes = 4;
    for (unsigned k = 0; k < 8; k++)
        access->rows[k] = access->results[k] = PTX_NO_INDEX;
    /* A kernel's parameters have addresses of their own; parameters of calls lie in local memory. */
    access->silent = (access->space == PTX_SPACE_PARAM && d->function->is_kernel) ||
                     (access->space == PTX_SPACE_LOCAL && d->instruction->site == PTX_NO_INDEX);
    return access;
}

/* Settles the space of .param: the kernel's parameters when the operand names one or may point to one, else the
 * thread's local memory. */
static void settle_param(const struct decoder *d, struct access *access, const struct ptx_operand *address)
{
    if (access->space != PTX_SPACE_PARAM)
        return;
    access->silent = true;
    bool variable = address->base == PTX_OPERAND_VARIABLE;
    bool kernels = d->function->is_kernel && (!variable || address->scope == PTX_SCOPE_PARAMETER);
    access->space = kernels ? PTX_SPACE_GLOBAL : PTX_SPACE_LOCAL;
}

/* Finds the registers that an access moves: one, or the elements of a vector. */
static bool data_rows(struct decoder *d, const struct ptx_operand *operand, struct access *access, uint32_t *rows,
                      bool target)
{
    const struct ptx_operand *elements = operand->kind == PTX_OPERAND_VECTOR ? operand->elements : operand;
    unsigned count = operand->kind == PTX_OPERAND_VECTOR ? operand->count : 1, size = 0;
    unsigned words = access->type == PTX_B128 ? 2 : 1;
    if (count * words != access->elements || access->elements > 8 || access->total > ACCESS_BYTES)
        return false;
    for (unsigned k = 0; k < count; k++)
        if (elements[k].kind == PTX_OPERAND_REGISTER)
            size = (unsigned)ptx_type_size(d->function->registers[elements[k].index].type);
    if (size == 0)
        size = access->bytes * words;
    if ((size == 16) != (words == 2))
        return false;
    access->row_bytes = (uint8_t)(size < 2 ? 2 : size / words);
    for (unsigned k = 0; k < count; k++) {
        if (target && elements[k].kind == PTX_OPERAND_SINK)
            continue;
        uint32_t row = target ? decode_target(d, &elements[k], size) : decode_source(d, &elements[k], size);
        for (unsigned i = 0; i < words; i++)
            rows[words * k + i] = row + i * 8 * WARP_LANES;
    }
    return true;
}

/* Notes which bytes of a load are used. Loads of parts alone are loads of all where nothing lies behind. */
static void mark_used(const struct decoder *d, struct access *access)
{
    uint32_t const all = access->total < 32 ? (1u << access->total) - 1 : UINT32_MAX,
                   used = d->instruction->used_bytes & all;
    if (!used || used == all)
        return;
    unsigned const last = (31u - (unsigned)__builtin_clz(used)) / access->bytes;
    access->used = used;
    access->reach = (uint8_t)((last + 1) * access->bytes);
}

/* Returns the handlers of lanes/memory.inc that fit, or -1. */
static int quick_form(const struct access *access, bool store)
{
    enum { WORD, LONG, WORDS_2, WORDS_4, LONGS_2, BYTE, PAIR, FORMS };
    static const uint16_t forms[2][2][FORMS] = {
        {{LANES_load_global_32, LANES_load_global_64, LANES_load_global_32x2, LANES_load_global_32x4,
          LANES_load_global_64x2, LANES_load_global_8, LANES_load_global_16},
         {LANES_load_shared_32, LANES_load_shared_64, LANES_load_shared_32x2, LANES_load_shared_32x4,
          LANES_load_shared_64x2, LANES_load_shared_8, LANES_load_shared_16}},
        {{LANES_store_global_32, LANES_store_global_64, LANES_store_global_32x2, LANES_store_global_32x4,
          LANES_store_global_64x2, LANES_store_global_8, LANES_store_global_16},
         {LANES_store_shared_32, LANES_store_shared_64, LANES_store_shared_32x2, LANES_store_shared_32x4,
          LANES_store_shared_64x2, LANES_store_shared_8, LANES_store_shared_16}}};
    bool shared = access->space == PTX_SPACE_SHARED;
    if ((access->space != PTX_SPACE_GLOBAL && !shared) || access->silent || access->used || (!shared && !access->wide))
        return -1;
    bool const narrow = access->bytes < 4;
    if (narrow ? access->elements != 1 || access->row_bytes > 4 : access->row_bytes != access->bytes)
        return -1;
    if (narrow && access->is_signed && access->row_bytes != access->bytes) /* its sign would fill the register */
        return -1;
    for (unsigned k = 0; k < access->elements; k++)
        if (access->rows[k] == PTX_NO_INDEX)
            return -1;
    unsigned form;
    if (narrow)
        form = access->bytes == 1 ? BYTE : PAIR;
    else if (access->bytes == 4)
        form = access->elements == 1 ? WORD : access->elements == 2 ? WORDS_2 : WORDS_4;
    else
        form = access->elements == 1 ? LONG : LONGS_2;
    return access->elements > 4 || (access->bytes == 8 && access->elements > 2) ? -1 : forms[store][shared][form];
}

uint32_t decode_cache(struct decoder *d, enum use use)
{
    struct emulation *e = d->emulation;
    e->caches.items =
        arena_grow(d->arena, e->caches.items, e->caches.count, &e->caches.capacity, sizeof *e->caches.items);
    e->caches.items[e->caches.count++] = (unsigned char)use;
    return (uint32_t)e->caches.count - 1;
}

/* Returns the entry of worker.recent for an access. Accesses of the same size through the same row share one while
 * the row is not written. */
static uint32_t recent_of(struct decoder *d, const struct access *access, uint32_t row, enum use use)
{
    enum { KEPT = sizeof d->looked / sizeof *d->looked };
    struct looked looked = {row, access->total, access->space, 0};
    for (unsigned i = 0; i < KEPT; i++)
        if (d->looked[i].row == row && d->looked[i].bytes == looked.bytes && d->looked[i].space == looked.space) {
            d->emulation->caches.items[d->looked[i].cache] |= (unsigned char)use;
            return d->looked[i].cache;
        }
    looked.cache = decode_cache(d, use);
    d->looked[d->looked_count++ % KEPT] = looked;
    return looked.cache;
}

void decode_forget_row(struct decoder *d, uint32_t row)
{
    for (unsigned i = 0; i < sizeof d->looked / sizeof *d->looked; i++)
        if (d->looked[i].row == row)
            d->looked[i].row = 0; /* no row is there */
}

static void emit_access(struct decoder *d, struct access *access, const struct ptx_operand *address,
                        enum operation operation)
{
    uint64_t offset;
    bool wide;
    uint32_t base = decode_base(d, address, access->space, &offset, &wide);
    access->wide = wide;
    access->cache = recent_of(d, access, base,
                              operation == OP_memory_store  ? USE_WRITE
                              : operation == OP_memory_load ? USE_READ
                                                            : USE_BOTH);
    access->batch = BATCH_SHAPES * d->emulation->batch_count++;
    if (d->origins && (access->space == PTX_SPACE_SHARED || access->space == PTX_SPACE_GENERIC))
        access->array = origin_array(d->emulation, d->function, d->origins, address);
    bool const plain = operation == OP_memory_load || operation == OP_memory_store;
    int const quick = plain ? quick_form(access, access->store) : -1;
    struct op *op = decode_emit(d, operation);
    if (quick >= 0) {
        memcpy(op->run, d->lanes->run[quick], sizeof op->run);
        op->lanes = (uint16_t)(quick + 1);
    }
    op->a = base;
    op->b = access->cache;
    op->c = access->batch;
    op->combine = wide;
    op->immediate = offset;
    op->extra = access;
    op->d = access->rows[0];
}

/* A parameter of the kernel at a fixed place is a constant. */
static bool constant_parameter(struct decoder *d, const struct access *access, const struct ptx_operand *address)
{
    uint64_t at;
    const struct emulation *emulation = d->emulation;
    if (address->base != PTX_OPERAND_VARIABLE || address->scope != PTX_SCOPE_PARAMETER || !d->function->is_kernel ||
        access->elements != 1 || access->row_bytes != access->bytes || access->bytes < 4 || !emulation->parameters ||
        access->rows[0] == PTX_NO_INDEX)
        return false;
    if (!decode_address(d, address, &at))
        return false;
    uint64_t value = 0, offset = at - EMULATOR_PARAMETER_BASE, size = d->function->parameter_bytes;
    if (offset > size || access->bytes > size - offset)
        return false;
    memcpy(&value, emulation->parameters + offset, access->bytes);
    uint32_t row = decode_constant(d, value, access->bytes);
    decode_lanes_rows(d, access->bytes == 8 ? LANES_mov_64 : LANES_mov_32, access->rows[0], row, row, 0, 0);
    return true;
}

bool decode_load(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    bool polls = decode_has(d, PTX_MOD_volatile) || decode_has(d, PTX_MOD_acquire) || decode_has(d, PTX_MOD_relaxed);
    struct access *access = access_new(d, i->types[0], i->vector ? i->vector : 1);
    settle_param(d, access, &i->operands[1]);
    if (!data_rows(d, &i->operands[0], access, access->rows, true))
        return false;
    mark_used(d, access);
    if (access->silent && constant_parameter(d, access, &i->operands[1]))
        return true;
    if (access->space == PTX_SPACE_CONST) /* constants lie among the buffers; the event's space is that of its site */
        access->space = PTX_SPACE_GLOBAL;
    d->emulation->waits |= polls;
    d->emulation->blocks_talk |= polls && access->space != PTX_SPACE_SHARED;
    emit_access(d, access, &i->operands[1], polls ? OP_memory_poll : OP_memory_load);
    return true;
}

bool decode_store(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    if (decode_has(d, PTX_MOD_async) || decode_has(d, PTX_MOD_bulk))
        return false;
    struct access *access = access_new(d, i->types[0], i->vector ? i->vector : 1);
    settle_param(d, access, &i->operands[0]);
    access->store = true;
    if (!data_rows(d, &i->operands[1], access, access->rows, false))
        return false;
    emit_access(d, access, &i->operands[0], OP_memory_store);
    return true;
}

static int operation_of(const struct decoder *d)
{
    static const struct {
        enum ptx_modifier modifier;
        enum atomic_operation operation;
    } table[] = {{PTX_MOD_add, ATOMIC_ADD}, {PTX_MOD_min, ATOMIC_MIN}, {PTX_MOD_max, ATOMIC_MAX},
                 {PTX_MOD_inc, ATOMIC_INC}, {PTX_MOD_dec, ATOMIC_DEC}, {PTX_MOD_and, ATOMIC_AND},
                 {PTX_MOD_or, ATOMIC_OR},   {PTX_MOD_xor, ATOMIC_XOR}, {PTX_MOD_exch, ATOMIC_EXCH},
                 {PTX_MOD_cas, ATOMIC_CAS}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (decode_has(d, table[i].modifier))
            return (int)table[i].operation;
    return -1;
}

bool decode_atomic(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    bool red = i->opcode == PTX_OP_red;
    unsigned at = red ? 0 : 1;
    int operation = operation_of(d);
    size_t size = ptx_type_size(i->types[0]);
    if (operation < 0 || (size > 8 && operation != ATOMIC_EXCH && operation != ATOMIC_CAS) ||
        decode_has(d, PTX_MOD_async) || i->space == PTX_SPACE_PARAM || i->space == PTX_SPACE_CONST ||
        i->space == PTX_SPACE_LOCAL)
        return false;
    struct access *access = access_new(d, i->types[0], i->vector ? i->vector : 1);
    access->store = true;
    access->operation = (uint8_t)operation;
    if (!data_rows(d, &i->operands[at + 1], access, access->rows, false))
        return false;
    uint8_t row_bytes = access->row_bytes; /* unlike a load, an atomic takes registers of its own type's size only */
    if (row_bytes != access->bytes)
        return false;
    uint32_t second = operation == ATOMIC_CAS ? decode_source(d, &i->operands[at + 2], (unsigned)size) : 0;
    bool given = !red && i->operands[0].kind != PTX_OPERAND_SINK, wanted = given && decode_is_read(d, &i->operands[0]);
    if (given && (!data_rows(d, &i->operands[0], access, access->results, true) || access->row_bytes != row_bytes))
        return false;
    emit_access(d, access, &i->operands[at], OP_memory_atomic);
    struct op *op = &d->ops.items[d->ops.count - 1];
    bool const learns = wanted || (given && d->emulation->options && d->emulation->options->checks.values);
    d->emulation->blocks_talk |= learns && access->space != PTX_SPACE_SHARED;
    d->emulation->waits |= operation == ATOMIC_CAS || operation == ATOMIC_EXCH;
    op->c = second;
    op->d = wanted ? access->results[0] : 0;
    return true;
}

/* Decodes cp.async and its groups. */
bool decode_copy(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    if (decode_has(d, PTX_MOD_bulk) || decode_has(d, PTX_MOD_mbarrier) || decode_has(d, PTX_MOD_reduce) ||
        decode_has(d, PTX_MOD_tensor))
        return decode_bulk(d);
    if (decode_has(d, PTX_MOD_commit_group))
        return decode_emit(d, OP_memory_copy_commit) != NULL;
    if (decode_has(d, PTX_MOD_wait_group) || decode_has(d, PTX_MOD_wait_all)) {
        decode_emit(d, OP_memory_copy_wait)->immediate = i->operand_count ? i->operands[0].bits : 0;
        return true;
    }
    struct access *access = access_new(d, PTX_B8, 1);
    uint64_t size = i->operands[2].bits;
    if (size != 4 && size != 8 && size != 16)
        return false;
    access->space = PTX_SPACE_SHARED;
    access->total = (uint8_t)size;
    bool wide;
    access->rows[0] = decode_base(d, &i->operands[1], PTX_SPACE_GLOBAL, &access->offset, &wide);
    const struct ptx_operand *taken =
        i->operand_count > 3u + decode_has(d, PTX_MOD_L2_cache_hint) ? &i->operands[3] : NULL;
    bool const ignores =
        taken && taken->kind == PTX_OPERAND_REGISTER && d->function->registers[taken->index].type == PTX_PRED;
    uint32_t flip = 0, ignored = ignores ? decode_predicate(d, taken, &flip) : 0;
    if (taken && !ignores)
        access->rows[1] = decode_source(d, taken, 4);
    emit_access(d, access, &i->operands[0], OP_memory_copy_async);
    struct op *op = &d->ops.items[d->ops.count - 1];
    op->c = ignored, op->flip = flip;
    return wide;
}

bool decode_nothing(struct decoder *d)
{
    decode_emit(d, OP_warp_nothing);
    return true;
}

bool decode_pause(struct decoder *d)
{
    decode_emit(d, OP_memory_pause);
    d->emulation->blocks_talk |= !decode_has(d, PTX_MOD_cta) && !decode_has(d, PTX_MOD_proxy);
    return true;
}

bool decode_nap(struct decoder *d)
{
    uint32_t const time = decode_source(d, &d->instruction->operands[0], 4);
    decode_emit(d, OP_memory_nap)->a = time;
    d->emulation->blocks_talk = true;
    return true;
}

bool decode_stack(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    unsigned size = (unsigned)ptx_type_size(i->types[0]);
    bool take = i->opcode == PTX_OP_alloca, restore = i->opcode == PTX_OP_stackrestore;
    uint64_t alignment = take && i->operand_count > 2 ? i->operands[2].bits : ALLOCA_ALIGNMENT;
    if (alignment == 0 || alignment > ALLOCA_BYTES || (alignment & (alignment - 1)))
        return false;
    uint32_t target = restore ? 0 : decode_target(d, &i->operands[0], size);
    uint32_t source = take      ? decode_source(d, &i->operands[1], size)
                      : restore ? decode_source(d, &i->operands[0], size)
                                : 0;
    struct op *op = decode_emit(d, take ? OP_stack_take : restore ? OP_stack_restore : OP_stack_save);
    op->d = target, op->a = source;
    op->combine = (uint8_t)size;
    op->immediate = alignment;
    if (d->emulation->module->local_bytes) /* it would lie before that, and PTX has either */
        return false;
    d->emulation->stack_bytes = ALLOCA_BYTES;
    return true;
}
