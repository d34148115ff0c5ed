/* Matrix instructions, in which the whole warp takes part. A product is gathered from the lanes' registers, computed
 * element by element, and scattered again. A load or store goes through memory in the steps that the machine takes. */
#include "emulator/lanes/matrix.h"
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/lanes/numeric.h"
#include "emulator/memory/memory.h"
#include "emulator/run/block_record.h"

/* Returns false when lanes have not arrived yet, or never will: all 32 must take part. */
static bool whole_warp(struct warp *w, const struct op *op)
{
    if (w->mask == w->active && !barrier_gather(w, op, ALL_LANES))
        return false;
    if (w->mask == ALL_LANES)
        return true;
    fault_at(w, op, lowest(w->mask),
             &(struct finding){.form = FINDING_MATRIX_PART_OF_WARP, .address = w->mask, .mask = {.here = w->mask}});
    return false;
}

/* Finds where the elements of a register begin for lane 0, and how many there are. */
static unsigned first_element(const struct matrix_part *part, unsigned number, unsigned *count)
{
    unsigned outer, inner, in_register = part->register_bits / part->tiles.bits;
    unsigned const each = part->tiles.per / in_register;
    *count = in_register;
    ptx_tile_place(&part->tiles, number / each, &outer, &inner);
    return outer * PTX_TILE_ROWS * matrix_width(part) + inner * PTX_TILE_LANES * part->tiles.per +
           number % each * in_register;
}

void matrix_gather(const struct warp *w, const struct matrix_part *part, uint64_t *values)
{
    unsigned const width = matrix_width(part), bits = part->tiles.bits, bytes = part->register_bits / 8;
    uint64_t const mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    for (unsigned r = 0; r < part->needed; r++) {
        unsigned count, first = first_element(part, r, &count);
        for (unsigned l = 0; l < WARP_LANES; l++) {
            uint64_t word = lane_get(w, part->rows[r], bytes, l);
            uint64_t *to = values + first + l / PTX_TILE_LANES * width + l % PTX_TILE_LANES * part->tiles.per;
            for (unsigned k = 0; k < count; k++)
                to[k] = word >> bits * k & mask;
        }
    }
}

void matrix_scatter(struct warp *w, const struct matrix_part *part, const uint64_t *values)
{
    unsigned const width = matrix_width(part), bits = part->tiles.bits, bytes = part->register_bits / 8;
    for (unsigned r = 0; r < part->registers; r++) {
        unsigned count, first = first_element(part, r, &count);
        for (unsigned l = 0; l < WARP_LANES; l++) {
            const uint64_t *from = values + first + l / PTX_TILE_LANES * width + l % PTX_TILE_LANES * part->tiles.per;
            uint64_t word = 0;
            for (unsigned k = 0; k < count; k++)
                word |= from[k] << bits * k;
            lane_set(w, part->rows[r], bytes, l, word);
        }
    }
}

/* ---- products ---- */

struct factors { /* rows of a and columns of b, k elements each */
    uint64_t a[MATRIX_ELEMENTS], b[MATRIX_ELEMENTS], c[MATRIX_ELEMENTS];
    uint16_t columns[MATRIX_ELEMENTS]; /* of a sparse a: the column of each element */
};

/* Returns the 4 bits of metadata of a group of columns. Lanes hold 16 bits of row r and 16 of row r + 8; of bytes 32 of
 * one row, the rows taking turns. The lane's place among its four, and then its bits, follow the columns. */
static unsigned metadata_of(const struct warp *w, const struct matrix_product *p, unsigned row, unsigned group)
{
    bool const bytes = p->a.tiles.bits == 8;
    unsigned const each = bytes ? 8 : 4, unit = group / each, below = row / PTX_TILE_ROWS;
    unsigned const lane = row % PTX_TILE_ROWS * PTX_TILE_LANES + p->first_lane + (bytes ? 2 * unit + below : unit);
    return (unsigned)(lane_get(w, p->metadata, 4, lane) >> (group % each * 4 + (bytes ? 0 : 16 * below)) & 15);
}

static void read_metadata(const struct warp *w, const struct matrix_product *p, struct factors *f)
{
    unsigned const k = p->form.k / 2u;
    bool const words = p->a.format == PTX_NUMBER_TF32; /* one element of two, whose number the first two bits double */
    for (unsigned i = 0; i < p->form.m; i++)
        for (unsigned x = 0; x < k; x++) {
            unsigned const group = words ? x : x / 2, bits = metadata_of(w, p, i, group);
            unsigned const column = words ? group * 2 + (bits >> 1 & 1) : group * 4 + (bits >> x % 2 * 2 & 3);
            f->columns[i * k + x] = (uint16_t)column;
        }
}

/* Takes the elements of the columns of b that meet those of a row of a. */
static void gather_row(const struct matrix_product *p, const struct factors *f, unsigned row, uint64_t *b)
{
    unsigned const k = p->form.k / 2u;
    for (unsigned j = 0; j < p->form.n; j++)
        for (unsigned x = 0; x < k; x++)
            b[j * k + x] = f->b[j * p->form.k + f->columns[row * k + x]];
}

static unsigned sum_index(const struct matrix_part *part, unsigned row, unsigned column)
{
    unsigned const width = matrix_width(part);
    return part->tiles.turned ? column * width + row : row * width + column;
}

/* A product of 8-bit floats is two of halves on sm_90, and an ordinary addition of c behind them. The first takes
 * elements 0 and 1 of each four. */
static void part_bytes(uint64_t *values, unsigned rows, unsigned k)
{
    uint64_t sorted[MATRIX_ELEMENTS];
    for (unsigned i = 0; i < rows * k; i++) {
        unsigned const at = i % k;
        sorted[i - at + at / 4 * 2 + at % 2 + (at & 2 ? k / 2 : 0)] = values[i];
    }
    memcpy(values, sorted, rows * k * sizeof *values);
}

/* Takes b apart; of a sparse product that of the row. */
static void take_columns(const struct matrix_product *p, const struct factors *f, unsigned row,
                         struct tensor_numbers *numbers)
{
    unsigned const n = p->form.n, k = p->form.sparse ? p->form.k / 2u : p->form.k;
    uint64_t b[MATRIX_ELEMENTS];
    if (p->form.sparse)
        gather_row(p, f, row, b);
    else
        memcpy(b, f->b, n * k * sizeof *b);
    if (p->b.tiles.bits == 8)
        part_bytes(b, n, k);
    tensor_take_apart(p->b.format, b, n * k, numbers);
}

static void multiply_floats(const struct matrix_product *p, struct factors *f)
{
    unsigned const m = p->form.m, n = p->form.n, k = p->form.sparse ? p->form.k / 2u : p->form.k;
    struct tensor_numbers a, b;
    bool const bytes = p->a.tiles.bits == 8;
    if (bytes)
        part_bytes(f->a, m, k);
    tensor_take_apart(p->a.format, f->a, m * k, &a);
    bool const halves = p->c.format == PTX_NUMBER_F16, narrow = p->d.format == PTX_NUMBER_F16;
    for (unsigned i = 0; i < m; i++) {
        if (i == 0 || p->form.sparse)
            take_columns(p, f, i, &b);
        for (unsigned j = 0; j < n; j++) {
            uint64_t *at = &f->c[sum_index(&p->c, i, j)];
            uint32_t const c = halves ? bits_of(half_to_float((uint16_t)*at)) : (uint32_t)*at;
            uint32_t sum = bytes ? 0 : c;
            for (unsigned first = 0; first < k; first += p->at_once)
                sum = tensor_sum(&a, i * k + first, &b, j * k + first, p->at_once, sum, narrow && halves);
            if (narrow && !halves)
                sum = (sum & INT32_MAX) > 0x7f800000 ? 0x7fff : half_of(float_of(sum), ROUND_NEAREST);
            *at = bytes ? bits_of(nan32(float_of(sum) + float_of(c))) : sum;
        }
    }
}

static void multiply_doubles(const struct matrix_product *p, struct factors *f)
{
    unsigned const k = p->form.k;
    unsigned const rounding = p->form.rounding == PTX_MOD_rz   ? ROUND_ZERO
                              : p->form.rounding == PTX_MOD_rm ? ROUND_DOWN
                              : p->form.rounding == PTX_MOD_rp ? ROUND_UP
                                                               : ROUND_NEAREST;
    for (unsigned i = 0; i < p->form.m; i++)
        for (unsigned j = 0; j < p->form.n; j++) {
            uint64_t *at = &f->c[sum_index(&p->c, i, j)];
            double sum = double_of(*at);
            for (unsigned x = 0; x < k; x++)
                sum = numeric_fma64(double_of(f->a[i * k + x]), double_of(f->b[j * k + x]), sum, rounding);
            *at = bits_of64(sum);
        }
}

static int64_t integer_of(const struct matrix_part *part, uint64_t value)
{
    bool const is_signed = part->format == PTX_NUMBER_S8 || part->format == PTX_NUMBER_S4;
    int64_t const sign = INT64_C(1) << (part->tiles.bits - 1);
    return is_signed ? ((int64_t)value ^ sign) - sign : (int64_t)value;
}

static void multiply_integers(const struct matrix_product *p, struct factors *f)
{
    unsigned const bits = p->a.tiles.bits, all = bits == 32 ? p->form.k / 32u : p->form.k; /* of b1: words */
    unsigned const k = p->form.sparse ? all / 2 : all;
    for (unsigned i = 0; i < p->form.m; i++)
        for (unsigned j = 0; j < p->form.n; j++) {
            uint64_t *at = &f->c[sum_index(&p->c, i, j)];
            int64_t sum = (int32_t)*at;
            for (unsigned x = 0; x < k; x++) {
                uint64_t const left = f->a[i * k + x];
                uint64_t const right = f->b[j * all + (p->form.sparse ? f->columns[i * k + x] : x)];
                sum += bits == 32 ? __builtin_popcountll(p->form.exclusive ? left ^ right : left & right)
                                  : integer_of(&p->a, left) * integer_of(&p->b, right);
            }
            if (p->form.saturates)
                sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            *at = (uint32_t)sum;
        }
}

/* Records the registers of one matrix of a product, if the run keeps values. */
static void keep_registers(struct warp *w, const struct op *op, const struct matrix_product *p, char which)
{
    const struct matrix_part *part = which == 'a' ? &p->a : which == 'b' ? &p->b : which == 'c' ? &p->c : &p->d;
    struct ptx_fragment const fragment = ptx_matrix_fragment(&p->form, which);
    unsigned const bytes = fragment.bits / 8, each = PTX_PART_BYTES / bytes;
    if (op->site == PTX_NO_INDEX || !w->worker->emulation->options->checks.values)
        return;
    for (unsigned k = 0; k < fragment.parts; k++) {
        uint64_t low[WARP_LANES] = {0};
        memset(w->values, 0, sizeof w->values);
        for (unsigned l = 0; l < WARP_LANES; l++)
            for (unsigned r = k * each; r < (k + 1) * each && r < fragment.registers; r++) {
                unsigned const at = (r - k * each) * fragment.bits;
                *(at < 64 ? &low[l] : &w->values[l]) |= lane_get(w, part->rows[r], bytes, l) << at % 64;
            }
        record_registers(w, op, fragment.first_part + k, low);
    }
}

const struct op *matrix_multiply(struct warp *w, const struct op *op)
{
    const struct matrix_product *p = op->extra;
    struct factors f;
    if (!whole_warp(w, op))
        return NULL;
    matrix_gather(w, &p->a, f.a);
    matrix_gather(w, &p->b, f.b);
    matrix_gather(w, &p->c, f.c);
    if (p->form.sparse)
        read_metadata(w, p, &f);
    for (const char *which = "abc"; *which; which++)
        keep_registers(w, op, p, *which);
    if (p->a.format == PTX_NUMBER_F64)
        multiply_doubles(p, &f);
    else if (p->c.format == PTX_NUMBER_S32)
        multiply_integers(p, &f);
    else
        multiply_floats(p, &f);
    matrix_scatter(w, &p->d, f.c);
    keep_registers(w, op, p, 'd');
    return op + 1;
}

const struct op *matrix_transpose(struct warp *w, const struct op *op)
{
    uint16_t from[PTX_TILE_ROWS][PTX_TILE_ROWS];
    if (!whole_warp(w, op))
        return NULL;
    memcpy(from, w->rows + op->a, sizeof from);
    for (unsigned l = 0; l < WARP_LANES; l++) {
        unsigned const row = l / PTX_TILE_LANES, column = l % PTX_TILE_LANES * 2;
        lane_set(w, op->d, 4, l, from[column][row] | (uint32_t)from[column + 1][row] << 16);
    }
    return op + 1;
}

/* ---- memory ---- */

static uint64_t address_of(const struct warp *w, const struct op *op, const struct matrix_move *move,
                           struct ptx_piece piece, unsigned lane)
{
    uint64_t const base = lane_get(w, op->a, move->access.wide ? 8 : 4, lane) + op->immediate;
    uint64_t const limit = move->access.wide ? UINT64_MAX : UINT32_MAX;
    uint64_t const stride = move->stride ? lane_get(w, move->stride, 4, lane) : move->form.stride;
    return ptx_matrix_address(&move->form, piece, base, stride) & limit;
}

/* Moves one lane's piece between memory and the values. */
static void move_piece(const struct matrix_move *move, struct ptx_piece piece, uint8_t *memory, uint64_t *values)
{
    unsigned const width = matrix_width(&move->part), bytes = move->part.tiles.bits / 8;
    uint64_t *at = values + piece.outer * width + piece.inner;
    for (unsigned k = 0; k < piece.count; k++, at += move->form.together ? 1 : width, memory += bytes) {
        if (move->access.store)
            memcpy(memory, at, bytes);
        else
            *at = 0, memcpy(at, memory, bytes);
    }
}

static bool step_by(struct warp *w, const struct op *op, const struct matrix_move *move, unsigned step,
                    uint64_t *values)
{
    const struct access *access = &move->access;
    uint64_t *addresses = w->addresses;
    uint32_t const mask = ptx_matrix_lanes(&move->form);
    memset(addresses, 0, WARP_LANES * sizeof *addresses);
    EACH_LANE(l, mask)
    {
        struct ptx_piece const piece = ptx_matrix_piece(&move->form, step, l);
        addresses[l] = address_of(w, op, move, piece, l);
        uint8_t *memory = memory_resolve(w, op, access->space, addresses[l], access->total, l, access->store);
        if (!memory)
            return false;
        move_piece(move, piece, memory, values);
        w->values[l] = 0;
        memcpy(&w->values[l], memory, access->total < 8 ? access->total : 8);
        memcpy(w->worker->staged[l], memory, access->total);
    }
    if (w->checked && !checks_access(w, op, mask, addresses, false))
        return false;
    if (w->watched)
        record_access(w, op, mask, addresses);
    return true;
}

const struct op *matrix_move(struct warp *w, const struct op *op)
{
    const struct matrix_move *move = op->extra;
    uint64_t values[MATRIX_ELEMENTS];
    if (!whole_warp(w, op))
        return NULL;
    if (move->access.store)
        matrix_gather(w, &move->part, values);
    for (unsigned step = 0; step < move->form.steps; step++)
        if (!step_by(w, op, move, step, values))
            return NULL;
    if (!move->access.store)
        matrix_scatter(w, &move->part, values);
    return op + 1;
}
