/* atom and red. Lanes act one after the other in lane order. On global memory each act is atomic among the host's
 * threads as well. */
#include "emulator/memory/atomic.h"
#include "base/processor.h"
#include "emulator/check/check.h"
#include "emulator/check/proof.h"
#include "emulator/lanes/numeric.h"
#include "emulator/memory/memory.h"
#include "emulator/run/block_record.h"

/* The unit at the L2 cache, which adds in global memory, has no denormals in single precision and passes a double's NaN
 * on as it is. */
static uint64_t add_in_cache(enum ptx_type type, uint64_t old, uint64_t x)
{
    if (type == PTX_F32) {
        float sum = ftz32(float_of((uint32_t)old)) + ftz32(float_of((uint32_t)x));
        return bits_of(ftz32(nan32(sum)));
    }
    double a = double_of(old), b = double_of(x);
    return b != b ? x : a != a ? old : bits_of64(nan64(a, b, a + b));
}

static uint64_t add_typed(enum ptx_type type, uint64_t old, uint64_t x, bool in_cache)
{
    if (in_cache && (type == PTX_F32 || type == PTX_F64))
        return add_in_cache(type, old, x);
    switch (type) {
    case PTX_F32:
        return bits_of(nan32(float_of((uint32_t)old) + float_of((uint32_t)x)));
    case PTX_F64:
        return bits_of64(nan64(double_of(x), double_of(old), double_of(old) + double_of(x)));
    case PTX_F16:
    case PTX_BF16:
        return numeric_half((uint16_t)old, (uint16_t)x, 0,
                            FUNCTION_ADD << FLAG_SHIFT | (type == PTX_BF16 ? FLAG_BF16 : 0));
    case PTX_F16X2:
    case PTX_BF16X2:
        return numeric_half2((uint32_t)old, (uint32_t)x, 0,
                             FUNCTION_ADD << FLAG_SHIFT | (type == PTX_BF16X2 ? FLAG_BF16 : 0));
    default:
        return old + x;
    }
}

static uint64_t min_typed(enum ptx_type type, bool maximum, uint64_t old, uint64_t x)
{
    bool less;
    if (type == PTX_S64)
        less = (int64_t)x < (int64_t)old;
    else if (type == PTX_S32)
        less = (int32_t)x < (int32_t)old;
    else if (type == PTX_F16 || type == PTX_BF16 || type == PTX_F16X2 || type == PTX_BF16X2)
        return numeric_half2((uint32_t)old, (uint32_t)x, 0,
                             FUNCTION_MINMAX << FLAG_SHIFT | (maximum ? FLAG_MAX : 0) |
                                 (type == PTX_BF16 || type == PTX_BF16X2 ? FLAG_BF16 : 0));
    else
        less = x < old;
    if (x == old)
        return old;
    return less != maximum ? x : old;
}

static uint64_t apply(const struct access *access, uint64_t old, uint64_t x, uint64_t y, bool in_cache)
{
    switch ((enum atomic_operation)access->operation) {
    case ATOMIC_ADD:
        return add_typed(access->type, old, x, in_cache);
    case ATOMIC_MIN:
        return min_typed(access->type, false, old, x);
    case ATOMIC_MAX:
        return min_typed(access->type, true, old, x);
    case ATOMIC_INC:
        return old >= x ? 0 : old + 1;
    case ATOMIC_DEC:
        return old == 0 || old > x ? x : old - 1;
    case ATOMIC_AND:
        return old & x;
    case ATOMIC_OR:
        return old | x;
    case ATOMIC_XOR:
        return old ^ x;
    case ATOMIC_EXCH:
        return x;
    case ATOMIC_CAS:
        return old == x ? y : old;
    }
    return old;
}

#define EXCHANGE(T)                                                                                                    \
    static uint64_t exchange_##T(const struct access *access, void *at, uint64_t x, uint64_t y, bool in_cache,         \
                                 bool *changed)                                                                        \
    {                                                                                                                  \
        T *word = at, old = __atomic_load_n(word, __ATOMIC_RELAXED), fresh = (T)apply(access, old, x, y, in_cache);    \
        while (!__atomic_compare_exchange_n(word, &old, fresh, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))              \
            fresh = (T)apply(access, old, x, y, in_cache);                                                             \
        *changed |= fresh != old;                                                                                      \
        return old;                                                                                                    \
    }
EXCHANGE(uint16_t)
EXCHANGE(uint32_t)
EXCHANGE(uint64_t)

/* Does one lane's act and returns the old value. alone: no other thread of the host uses this memory. */
static uint64_t act(const struct access *access, uint8_t *at, uint64_t x, uint64_t y, bool alone, bool in_cache,
                    bool *changed)
{
    if (alone && access->bytes == sizeof(uint32_t)) { /* the usual size, as a whole: see number_of in memory.c */
        uint32_t old, new;
        memcpy(&old, at, sizeof old);
        new = (uint32_t)apply(access, old, x, y, in_cache);
        *changed |= new != old;
        memcpy(at, &new, sizeof new);
        return old;
    }
    if (alone) {
        uint64_t old = 0, new;
        memcpy(&old, at, access->bytes);
        new = apply(access, old, x, y, in_cache);
        *changed |= memcmp(at, &new, access->bytes) != 0;
        memcpy(at, &new, access->bytes);
        return old;
    }
    if (access->bytes == 2)
        return exchange_uint16_t(access, at, x, y, in_cache, changed);
    return access->bytes == 8 ? exchange_uint64_t(access, at, x, y, in_cache, changed)
                              : exchange_uint32_t(access, at, x, y, in_cache, changed);
}

/* Exchanges 16 bytes, or compares them with op->c's row. One lock serves all, because not every host has such an
 * instruction. Returns a hash of the operand and of the part of the old value that w->values does not hold. */
static uint64_t act_wide(struct warp *w, const struct op *op, uint8_t *at, unsigned lane, bool *changed)
{
    const struct access *access = op->extra;
    uint64_t old[2], operand[2], new[2];
    for (unsigned k = 0; k < 2; k++) {
        operand[k] = new[k] = lane_get(w, access->rows[k], 8, lane);
        if (access->operation == ATOMIC_CAS)
            new[k] = lane_get(w, op->c + k * 8 * WARP_LANES, 8, lane);
    }
    pthread_mutex_lock(&w->worker->emulation->lock);
    memcpy(old, at, sizeof old);
    if (access->operation == ATOMIC_EXCH || memcmp(old, operand, sizeof old) == 0) {
        *changed |= memcmp(old, new, sizeof old) != 0;
        memcpy(at, new, sizeof new);
    }
    pthread_mutex_unlock(&w->worker->emulation->lock);
    w->values[lane] = access->results[0] != PTX_NO_INDEX ? old[0] : operand[0];
    for (unsigned k = 0; k < 2 && op->d; k++)
        lane_set(w, access->results[k], 8, lane, old[k]);
    return ((old[1] * UINT64_C(0x9e3779b97f4a7c15)) ^ operand[1]) * UINT64_C(0xbf58476d1ce4e5b9) + operand[0];
}

/* Notes the value for the record: the old value, or the operand where the lane receives none. */
static void note_element(struct warp *w, const struct access *access, unsigned lane, unsigned element, uint64_t value)
{
    unsigned const at = element * access->bytes;
    if (element == 0)
        w->values[lane] = 0;
    if (at < sizeof value)
        memcpy((uint8_t *)&w->values[lane] + at, &value, access->bytes);
}

/* Note where the lanes of the mask act in shared memory, 0 for the others. Return whether all are inside, and aligned.
 * Without a branch for each lane. */
#define WORDS_INSIDE(A)                                                                                                \
    VECTORISES static bool words_inside_##A(struct warp *w, const struct op *op, uint32_t mask)                        \
    {                                                                                                                  \
        uint##A##_t const offset = (uint##A##_t)op->immediate, *row = (const void *)(w->rows + op->a);                 \
        uint32_t const size = w->worker->emulation->shared_bytes;                                                      \
        uint32_t high = 0;                                                                                             \
        uint64_t bits = 0;                                                                                             \
        for (unsigned l = 0; l < WARP_LANES; l++) {                                                                    \
            uint##A##_t const at = mask >> l & 1 ? row[l] + offset : 0;                                                \
            high = (uint32_t)at > high ? (uint32_t)at : high;                                                          \
            bits |= at;                                                                                                \
            w->addresses[l] = at;                                                                                      \
        }                                                                                                              \
        return size >= sizeof high && high <= size - sizeof high && bits <= UINT32_MAX && (bits & 3) == 0;             \
    }
WORDS_INSIDE(32)
WORDS_INSIDE(64)

/* The usual atomic on shared memory, which histograms use: a sum of 32 bits, all lanes inside. */
static bool add_plain(struct warp *w, const struct op *op, uint32_t mask, uint64_t *operands, bool *changed)
{
    const struct access *access = op->extra;
    bool const sum = access->operation == ATOMIC_ADD && (access->type == PTX_U32 || access->type == PTX_S32);
    bool const fits = sum && access->elements == 1 && access->space == PTX_SPACE_SHARED;
    bool const told = access->results[0] != PTX_NO_INDEX;
    uint32_t any = 0;
    if (!fits || !(access->wide ? words_inside_64(w, op, mask) : words_inside_32(w, op, mask)))
        return false;
    EACH_LANE(l, mask)
    {
        uint32_t old, x, new;
        uint8_t *at = w->block->shared + w->addresses[l];
        memcpy(&x, w->rows + access->rows[0] + l * sizeof x, sizeof x);
        memcpy(&old, at, sizeof old);
        new = old + x;
        memcpy(at, &new, sizeof new);
        any |= x;
        operands[l] = x;
        w->values[l] = told ? old : x;
        if (told && op->d)
            lane_set(w, access->results[0], access->row_bytes, l, old);
    }
    *changed |= any != 0;
    return true;
}

static void gather(struct warp *w, const struct op *op, uint32_t mask)
{
    const struct access *access = op->extra;
    uint64_t limit = access->wide ? UINT64_MAX : UINT32_MAX;
    memset(w->addresses, 0, sizeof w->addresses);
    if (access->wide)
        EACH_LANE(l, mask) w->addresses[l] = (lane_get(w, op->a, 8, l) + op->immediate) & limit;
    else
        EACH_LANE(l, mask) w->addresses[l] = (lane_get(w, op->a, 4, l) + op->immediate) & limit;
}

/* op->a the address, access->rows the operand's elements, op->c the second operand of cas, op->d the first of the
 * result's elements (0: none is read), which lie in access->results. */
const struct op *memory_atomic(struct warp *w, const struct op *op)
{
    const struct access *access = op->extra;
    uint64_t *addresses = w->addresses;
    uint32_t mask = w->mask;
    bool alone = access->space == PTX_SPACE_SHARED || w->worker->emulation->workers == 1;
    uint64_t operands[WARP_LANES] = {0};
    bool changed = false;
    uint32_t const rest = add_plain(w, op, mask, operands, &changed) ? 0 : mask;
    if (rest)
        gather(w, op, mask);
    EACH_LANE(l, rest)
    {
        uint8_t *at = memory_resolve(w, op, access->space, addresses[l], access->total, l, true);
        if (!at)
            return NULL;
        bool in_cache = access->space != PTX_SPACE_SHARED && addresses[l] >> 40 != EMULATOR_SHARED_BASE >> 40;
        if (access->type == PTX_B128)
            operands[l] = act_wide(w, op, at, l, &changed);
        for (unsigned k = 0; k < access->elements && access->type != PTX_B128; k++) {
            uint64_t x = lane_get(w, access->rows[k], access->row_bytes, l);
            uint64_t y = op->c ? lane_get(w, op->c, access->row_bytes, l) : 0;
            uint64_t old = act(access, at + k * access->bytes, x, y, alone, in_cache, &changed);
            operands[l] += x;
            bool const told = access->results[k] != PTX_NO_INDEX;
            note_element(w, access, l, k, told ? old : x);
            if (told && op->d)
                lane_set(w, access->results[k], access->row_bytes, l, old);
        }
    }
    if (!changed && op->d) /* an atomic that changes nothing is a read */
        memory_note_poll(w, access, mask, operands);
    if (w->checked && !memory_check_lanes(w, op, mask, true) && !checks_access(w, op, mask, addresses, true))
        return NULL;
    if (w->watched)
        record_access(w, op, mask, addresses);
    return op + 1;
}
