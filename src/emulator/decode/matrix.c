/* Decodes matrix instructions: the tiles that their registers hold, and their order. Refuses forms that no machine
 * has. */
#include "emulator/lanes/matrix.h"
#include "emulator/decode/decode.h"
#include "emulator/memory/memory.h"

/* The registers of a vector, `needed` of them or a multiple, which repeats. */
static bool take_registers(struct decoder *d, const struct ptx_operand *operand, struct matrix_part *part, bool target)
{
    unsigned const needed =
        (unsigned)part->tiles.outer * part->tiles.inner * part->tiles.per * part->tiles.bits / part->register_bits;
    const struct ptx_operand *elements = operand->kind == PTX_OPERAND_VECTOR ? operand->elements : operand;
    unsigned const count = operand->kind == PTX_OPERAND_VECTOR ? operand->count : 1;
    if (!needed || count % needed || !count || count > MATRIX_REGISTERS)
        return false;
    part->registers = (uint8_t)count, part->needed = (uint8_t)needed;
    for (unsigned i = 0; i < count; i++)
        part->rows[i] = target ? decode_target(d, &elements[i], part->register_bits / 8)
                               : decode_source(d, &elements[i], part->register_bits / 8);
    return true;
}

static struct matrix_part part_of(const struct ptx_matrix *form, char which, enum ptx_number format)
{
    return (struct matrix_part){.format = format,
                                .tiles = ptx_tiles_of(form, which, format, false),
                                .register_bits = ptx_number_bits(format) == 64 ? 64 : 32};
}

static bool is_integer(enum ptx_number format)
{
    return format >= PTX_NUMBER_S8 && format <= PTX_NUMBER_B1;
}

/* Returns whether the formats of a and b fit each other, and those of c and d. */
static bool formats_fit(const struct ptx_matrix *form)
{
    enum ptx_number const d = form->format[0], a = form->format[1], b = form->format[2], c = form->format[3];
    bool const bytes = (a == PTX_NUMBER_E4M3 || a == PTX_NUMBER_E5M2) && (b == PTX_NUMBER_E4M3 || b == PTX_NUMBER_E5M2);
    if (ptx_number_bits(a) != ptx_number_bits(b) || (a != b && !bytes && !is_integer(a)))
        return false;
    if (is_integer(a))
        return is_integer(b) && c == PTX_NUMBER_S32 && d == PTX_NUMBER_S32;
    if (a == PTX_NUMBER_F64)
        return c == PTX_NUMBER_F64 && d == PTX_NUMBER_F64;
    if (form->saturates || (a != PTX_NUMBER_F16 && a != PTX_NUMBER_BF16 && a != PTX_NUMBER_TF32 && !bytes))
        return false;
    bool const half_sums = a == PTX_NUMBER_F16 && (form->whole || c == d);
    return (c == PTX_NUMBER_F32 || (half_sums && c == PTX_NUMBER_F16)) &&
           (d == PTX_NUMBER_F32 || (half_sums && d == PTX_NUMBER_F16));
}

static bool shape_is(const struct ptx_matrix *form, unsigned m, unsigned n, unsigned k)
{
    return form->m == m && form->n == n && form->k == k;
}

/* Of wmma; format: of a and b, or of c and d where only these are named. */
static bool whole_shape_fits(const struct ptx_matrix *form, enum ptx_number format)
{
    bool const large = shape_is(form, 16, 16, 16) || shape_is(form, 8, 32, 16) || shape_is(form, 32, 8, 16);
    switch (format) {
    case PTX_NUMBER_F64:
        return shape_is(form, 8, 8, 4);
    case PTX_NUMBER_TF32:
        return shape_is(form, 16, 16, 8);
    case PTX_NUMBER_S4:
    case PTX_NUMBER_U4:
        return shape_is(form, 8, 8, 32);
    case PTX_NUMBER_B1:
        return shape_is(form, 8, 8, 128);
    case PTX_NUMBER_F32:
        return large || shape_is(form, 16, 16, 8);
    case PTX_NUMBER_S32:
        return large || shape_is(form, 8, 8, 32) || shape_is(form, 8, 8, 128);
    case PTX_NUMBER_F16:
    case PTX_NUMBER_BF16:
    case PTX_NUMBER_S8:
    case PTX_NUMBER_U8:
        return large;
    default:
        return false;
    }
}

/* Of mma: k of one or two tiles, up to four of doubles. */
static bool shape_fits(const struct ptx_matrix *form)
{
    enum ptx_number const a = form->format[1];
    unsigned const bits = ptx_number_bits(a), tile = bits == 64 ? 4 : 4 * (32 / bits);
    bool const small = is_integer(a) || a == PTX_NUMBER_F64;
    if (form->n != 8 || form->k % tile)
        return false;
    if (form->m == 8)
        return small && form->k == tile;
    unsigned const tiles = form->k / tile;
    return form->m == 16 && (tiles == 1 || tiles == 2 || (tiles == 4 && bits == 64)) &&
           (tiles == 2 || bits != 8 || small);
}

/* Of mma.sp: k as large as of the product without zeros, twice. */
static bool sparse_shape_fits(const struct ptx_matrix *form)
{
    unsigned const bits = ptx_number_bits(form->format[1]), tile = 4 * (32 / bits), tiles = form->k / 2 / tile;
    bool const bytes = form->format[1] == PTX_NUMBER_E4M3 || form->format[1] == PTX_NUMBER_E5M2;
    return form->m == 16 && form->n == 8 && bits >= 8 && bits <= 32 && form->k == 2 * tiles * tile &&
           (tiles == 2 || (tiles == 1 && !bytes));
}

/* Decodes the operands of mma.sp behind c: the metadata, and the selector of the lanes that have it. One lane of four
 * has 32 bits, which are enough for the small products of halves; two lanes or four have those of the others (PTX ISA
 * 9.0, "Matrix multiply-accumulate operation using mma.sp instruction with sparse matrix A"). */
static bool take_metadata(struct decoder *d, struct matrix_product *product)
{
    const struct ptx_instruction *i = d->instruction;
    unsigned const bits = 32u * product->a.tiles.inner * (product->a.tiles.bits == 8 ? 2 : 1);
    unsigned const lanes = bits / 32, selectors = PTX_TILE_LANES / lanes;
    if (i->operand_count != 6 || i->operands[4].kind != PTX_OPERAND_REGISTER ||
        ptx_type_size(d->function->registers[i->operands[4].index].type) != 4 ||
        i->operands[5].kind != PTX_OPERAND_IMMEDIATE || i->operands[5].bits >= selectors)
        return false;
    product->metadata = decode_source(d, &i->operands[4], 4);
    product->first_lane = (uint8_t)(i->operands[5].bits * lanes);
    return true;
}

/* Returns how many products are added at once, as the machine's own instruction does. */
static uint8_t at_once(const struct ptx_matrix *form)
{
    bool const single = form->format[1] == PTX_NUMBER_TF32;
    unsigned const k = form->sparse ? form->k / 2u : form->k;
    return (uint8_t)(form->whole && single ? 4 : k > 16 ? 16 : k);
}

static bool decode_product(struct decoder *d, const struct ptx_matrix *form)
{
    const struct ptx_instruction *i = d->instruction;
    static const char names[] = "dabc";
    if ((i->operand_count != 4 && !form->sparse) || !formats_fit(form) ||
        !(form->sparse  ? sparse_shape_fits(form)
          : form->whole ? whole_shape_fits(form, form->format[1])
                        : shape_fits(form)))
        return false;
    struct matrix_product *product = arena_new(d->arena, struct matrix_product);
    struct matrix_part *parts[] = {&product->d, &product->a, &product->b, &product->c};
    product->form = *form;
    product->at_once = at_once(form);
    for (unsigned k = 0; k < 4; k++) {
        *parts[k] = part_of(form, names[k], form->format[k]);
        if (!take_registers(d, &i->operands[k], parts[k], k == 0))
            return false;
    }
    if (form->sparse && !take_metadata(d, product))
        return false;
    decode_emit(d, OP_matrix_multiply)->extra = product;
    return true;
}

/* Decodes a load or store of a form, with the registers of `data`. */
static struct matrix_move *move_new(struct decoder *d, const struct ptx_matrix *form, const struct ptx_operand *data)
{
    bool const store = form->action == PTX_MATRIX_STORE;
    struct matrix_move *move = arena_new(d->arena, struct matrix_move);
    move->form = *form;
    move->part.format = form->format[0];
    move->part.tiles = form->held;
    move->part.register_bits = form->held.bits == 64 ? 64 : 32;
    move->access.store = store;
    return take_registers(d, data, &move->part, !store) ? move : NULL;
}

static bool emit_move(struct decoder *d, struct matrix_move *move, const struct ptx_operand *address)
{
    struct access *access = &move->access;
    uint64_t offset;
    bool wide;
    access->space = d->instruction->space;
    access->type = PTX_B8;
    access->bytes = access->total = move->form.bytes;
    access->elements = 1;
    access->staged = true;
    access->cache = decode_cache(d, USE_BOTH);
    for (unsigned k = 0; k < 8; k++)
        access->rows[k] = access->results[k] = PTX_NO_INDEX;
    uint32_t base = decode_base(d, address, access->space, &offset, &wide);
    access->wide = wide;
    struct op *op = decode_emit(d, OP_matrix_move);
    op->a = base;
    op->immediate = offset;
    op->extra = move;
    return access->space == PTX_SPACE_SHARED ||
           (access->space <= PTX_SPACE_GLOBAL && wide && move->form.way != PTX_MATRIX_ROWS) ||
           (access->space == PTX_SPACE_GENERIC && wide);
}

static bool decode_whole_move(struct decoder *d, const struct ptx_matrix *form)
{
    const struct ptx_instruction *i = d->instruction;
    bool const store = form->action == PTX_MATRIX_STORE, sum = form->which == 'c' || form->which == 'd';
    const struct ptx_operand *address = &i->operands[store ? 0 : 1], *data = &i->operands[store ? 1 : 0];
    bool const sums = form->format[0] == PTX_NUMBER_F32 || form->format[0] == PTX_NUMBER_S32;
    if (!whole_shape_fits(form, form->format[0]) || store != (form->which == 'd') || (sums && !sum) ||
        (sum && !sums && form->format[0] != PTX_NUMBER_F16 && form->format[0] != PTX_NUMBER_F64))
        return false;
    struct matrix_move *move = move_new(d, form, data);
    if (!move || (form->way == PTX_MATRIX_SINGLES && ptx_number_bits(form->format[0]) < 8))
        return false;
    if (i->operand_count > 2)
        move->stride = decode_source(d, &i->operands[2], 4);
    return emit_move(d, move, address);
}

/* ldmatrix, stmatrix: tiles of 8 by 8 halves side by side. */
static bool decode_tiles(struct decoder *d, const struct ptx_matrix *form)
{
    const struct ptx_instruction *i = d->instruction;
    bool const store = form->action == PTX_MATRIX_STORE;
    const struct ptx_operand *address = &i->operands[store ? 0 : 1], *data = &i->operands[store ? 1 : 0];
    struct matrix_move *move = move_new(d, form, data);
    return move && move->part.registers == move->part.needed && emit_move(d, move, address);
}

bool decode_matrix(struct decoder *d)
{
    struct ptx_matrix form;
    const struct ptx_instruction *i = d->instruction;
    if (!ptx_matrix_read(d->emulation->module, i, &form) || !decode_has(d, PTX_MOD_sync) ||
        !decode_has(d, PTX_MOD_aligned))
        return false;
    if (form.action == PTX_MATRIX_MULTIPLY)
        return decode_product(d, &form);
    if (form.action != PTX_MATRIX_MOVE)
        return form.whole ? decode_whole_move(d, &form) : decode_tiles(d, &form);
    uint32_t target = decode_target(d, &i->operands[0], 4), source = decode_source(d, &i->operands[1], 4);
    struct op *op = decode_emit(d, OP_matrix_transpose);
    op->d = target, op->a = source;
    return true;
}
