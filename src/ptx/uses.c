/* Each place of a parameter is a bit of a mask; each register has the mask of the places that its value may come from
 * as an address: unchanged, or with something added. Instructions are looked at again until no mask grows, which loops
 * need. */
#include "ptx/uses.h"
#include "ptx/element.h"
#include <stdlib.h>
#include <string.h>

enum { PLACES_MOST = 64 };

struct finder {
    struct arena *arena;
    const struct ptx_function *kernel;
    struct ptx_use uses[PLACES_MOST];
    uint32_t count;
    uint64_t *masks; /* of each register */
    uint64_t sure;   /* places that `cvta.to.global` made addresses, or that stand in an address alone */
    struct {
        bool known;
        uint32_t parameter;
        int64_t offset;
    } * places;           /* of a register that holds the address of a parameter */
    enum ptx_type *types; /* of each register: the type that an instruction gives it beyond its bits */
    bool grown;
};

static uint32_t place(struct finder *finder, uint32_t parameter, uint32_t offset, uint32_t bytes)
{
    uint32_t i = 0;
    while (i < finder->count && (finder->uses[i].parameter != parameter || finder->uses[i].offset != offset))
        i++;
    if (i == PLACES_MOST)
        return i;
    if (i == finder->count)
        finder->uses[finder->count++] = (struct ptx_use){parameter, offset, bytes, false, PTX_TYPE_NONE};
    if (bytes > finder->uses[i].bytes)
        finder->uses[i].bytes = bytes;
    return i;
}

/* Finds the parameter and the offset that a `ld.param` reads. */
static bool reads_parameter(const struct finder *finder, const struct ptx_instruction *at, uint32_t *parameter,
                            int64_t *offset)
{
    const struct ptx_operand *from = &at->operands[1];
    if (at->opcode != PTX_OP_ld || from->kind != PTX_OPERAND_ADDRESS)
        return false;
    if (from->base == PTX_OPERAND_VARIABLE && from->scope == PTX_SCOPE_PARAMETER) {
        *parameter = from->index;
        *offset = from->offset;
        return true;
    }
    bool const known = from->base == PTX_OPERAND_REGISTER && finder->places[from->index].known;
    if (known) {
        *parameter = finder->places[from->index].parameter;
        *offset = finder->places[from->index].offset + from->offset;
    }
    return known;
}

static const struct ptx_operand *element(const struct ptx_operand *operand, uint32_t index)
{
    return operand->kind == PTX_OPERAND_VECTOR ? &operand->elements[index] : operand;
}

static uint32_t elements(const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_VECTOR ? operand->count : 1;
}

static void grow(struct finder *finder, const struct ptx_operand *to, uint64_t mask)
{
    if (to->kind != PTX_OPERAND_REGISTER || (finder->masks[to->index] | mask) == finder->masks[to->index])
        return;
    finder->masks[to->index] |= mask;
    finder->grown = true;
}

static uint64_t mask_of(const struct finder *finder, const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_REGISTER ? finder->masks[operand->index] : 0;
}

static void take_load(struct finder *finder, const struct ptx_instruction *at)
{
    uint32_t parameter;
    int64_t offset;
    if (!reads_parameter(finder, at, &parameter, &offset) || offset < 0 || parameter >= finder->kernel->parameter_count)
        return;
    uint32_t const bytes = (uint32_t)ptx_type_size(at->types[0]);
    for (uint32_t i = 0; i < elements(&at->operands[0]); i++, offset += bytes) {
        if ((uint64_t)offset + bytes > finder->kernel->parameters[parameter].size)
            return;
        uint32_t const found = place(finder, parameter, (uint32_t)offset, bytes);
        if (found < PLACES_MOST)
            grow(finder, element(&at->operands[0], i), UINT64_C(1) << found);
    }
}

/* Follows the address of a parameter: `mov.b64 %rd1, parameter`, and sums with a number. */
static void take_place(struct finder *finder, const struct ptx_instruction *at)
{
    const struct ptx_operand *to = &at->operands[0], *from = &at->operands[1];
    if (to->kind != PTX_OPERAND_REGISTER || finder->places[to->index].known)
        return;
    if (at->opcode == PTX_OP_mov && from->kind == PTX_OPERAND_VARIABLE && from->scope == PTX_SCOPE_PARAMETER) {
        finder->places[to->index].parameter = from->index;
        finder->places[to->index].offset = from->offset;
    } else if (from->kind == PTX_OPERAND_REGISTER && finder->places[from->index].known &&
               (at->opcode == PTX_OP_mov ||
                (at->opcode == PTX_OP_add && at->operands[2].kind == PTX_OPERAND_IMMEDIATE))) {
        finder->places[to->index] = finder->places[from->index];
        if (at->opcode == PTX_OP_add)
            finder->places[to->index].offset += (int64_t)at->operands[2].bits;
    } else {
        return;
    }
    finder->places[to->index].known = true;
    finder->grown = true;
}

/* Passes the masks on. A product or a shift ends an address. */
static void pass_on(struct finder *finder, const struct ptx_instruction *at)
{
    const struct ptx_operand *o = at->operands;
    if (at->operand_count < 2 || (at->type_count && ptx_type_size(at->types[at->type_count - 1]) < 4))
        return;
    switch (at->opcode) {
    case PTX_OP_cvta:
        finder->sure |= mask_of(finder, &o[1]);
        grow(finder, &o[0], mask_of(finder, &o[1]));
        break;
    case PTX_OP_mov:
        grow(finder, &o[0], mask_of(finder, &o[1]));
        break;
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_or:
    case PTX_OP_selp:
        grow(finder, &o[0], mask_of(finder, &o[1]) | mask_of(finder, &o[2]));
        break;
    case PTX_OP_and:
        grow(finder, &o[0], mask_of(finder, &o[1]));
        break;
    case PTX_OP_mad:
        grow(finder, &o[0], mask_of(finder, &o[3]));
        break;
    default:
        break;
    }
}

/* Notes what an instruction says about the numbers in its registers. Loads, stores and moves say no more than the bits.
 */
static void take_types(struct finder *finder, const struct ptx_instruction *at)
{
    enum ptx_type type = at->type_count ? at->types[0] : PTX_TYPE_NONE;
    bool const moves = at->opcode == PTX_OP_ld || at->opcode == PTX_OP_st || at->opcode == PTX_OP_mov;
    type = type == PTX_F16X2 ? PTX_F16 : type == PTX_BF16X2 ? PTX_BF16 : type;
    if (moves && !ptx_is_real(type))
        return;
    for (uint32_t i = 0; i < at->operand_count; i++) {
        if (at->operands[i].kind != PTX_OPERAND_REGISTER)
            continue;
        enum ptx_type own = type;
        if (at->opcode == PTX_OP_cvt && at->type_count > 1)
            own = at->types[i ? 1 : 0];
        bool const said = ptx_is_real(own) || (own >= PTX_S8 && own <= PTX_S64);
        enum ptx_type *known = &finder->types[at->operands[i].index];
        if (said && !ptx_is_real(*known))
            *known = own;
    }
}

static bool is_global(const struct ptx_instruction *at)
{
    return at->space == PTX_SPACE_GLOBAL || at->space == PTX_SPACE_GENERIC;
}

/* Returns the type of the elements that an access moves, as far as the instruction or its register says it. */
static enum ptx_type moved_type(const struct finder *finder, const struct ptx_instruction *at)
{
    enum ptx_type const written = at->type_count ? at->types[at->type_count - 1] : PTX_TYPE_NONE;
    static const enum ptx_type whole[] = {[1] = PTX_U8, [2] = PTX_U16, [4] = PTX_S32, [8] = PTX_S64};
    size_t const size = ptx_type_size(written);
    if (ptx_is_real(written) || (written >= PTX_S8 && written <= PTX_S64))
        return written;
    if (written == PTX_F16X2 || written == PTX_BF16X2)
        return written == PTX_F16X2 ? PTX_F16 : PTX_BF16;
    for (uint32_t i = 0; i < at->operand_count; i++)
        for (uint32_t k = 0; at->operands[i].kind != PTX_OPERAND_ADDRESS && k < elements(&at->operands[i]); k++) {
            const struct ptx_operand *one = element(&at->operands[i], k);
            enum ptx_type const known = one->kind == PTX_OPERAND_REGISTER ? finder->types[one->index] : PTX_TYPE_NONE;
            if (known && ptx_type_size(known) <= size && (ptx_is_real(known) || ptx_type_size(known) == size))
                return known;
        }
    return size && size <= 8 ? whole[size] : PTX_TYPE_NONE;
}

/* Makes the places in the address of an access pointers. Of several places in one address, the pointer is the one that
 * is known to be one, else the first. */
static void take_access(struct finder *finder, const struct ptx_instruction *at, bool first)
{
    if (at->opcode == PTX_OP_st && at->space == PTX_SPACE_PARAM && ptx_type_size(at->types[0]) == 8) {
        uint64_t const passed = mask_of(finder, &at->operands[1]); /* to a function, which is not looked into */
        finder->sure |= passed && !(passed & (passed - 1)) ? passed : 0;
        return;
    }
    for (uint32_t i = 0; i < at->operand_count && is_global(at); i++) {
        const struct ptx_operand *operand = &at->operands[i];
        if (operand->kind != PTX_OPERAND_ADDRESS || operand->base != PTX_OPERAND_REGISTER)
            continue;
        uint64_t mask = finder->masks[operand->index];
        if (first) {
            finder->sure |= mask && !(mask & (mask - 1)) ? mask : 0;
            continue;
        }
        mask = mask & finder->sure ? mask & finder->sure : mask & -mask;
        for (uint32_t k = 0; k < finder->count; k++)
            if (mask >> k & 1 && finder->uses[k].bytes == 8) {
                enum ptx_type const type = moved_type(finder, at);
                finder->uses[k].pointer = true;
                if (!finder->uses[k].type || (ptx_is_real(type) && !ptx_is_real(finder->uses[k].type)))
                    finder->uses[k].type = type;
            }
    }
}

/* Gives numbers the types of the registers that they are loaded into. */
static void take_number_types(struct finder *finder, const struct ptx_instruction *at)
{
    uint32_t parameter;
    int64_t offset;
    if (!reads_parameter(finder, at, &parameter, &offset))
        return;
    for (uint32_t i = 0; i < elements(&at->operands[0]); i++) {
        const struct ptx_operand *to = element(&at->operands[0], i);
        int64_t const own = offset + (int64_t)i * (int64_t)ptx_type_size(at->types[0]);
        for (uint32_t k = 0; k < finder->count; k++) {
            struct ptx_use *use = &finder->uses[k];
            bool const here = use->parameter == parameter && use->offset == own && !use->pointer;
            enum ptx_type const written = at->types[0];
            enum ptx_type const known = to->kind == PTX_OPERAND_REGISTER ? finder->types[to->index] : PTX_TYPE_NONE;
            if (here && ptx_is_real(written))
                use->type = written;
            else if (here && known && ptx_type_size(known) == use->bytes && !ptx_is_real(use->type))
                use->type = known;
        }
    }
}

static int by_place(const void *a, const void *b)
{
    const struct ptx_use *x = a, *y = b;
    return x->parameter != y->parameter ? (x->parameter > y->parameter) - (x->parameter < y->parameter)
                                        : (x->offset > y->offset) - (x->offset < y->offset);
}

struct ptx_use *ptx_uses(struct arena *arena, const struct ptx_function *kernel, uint32_t *count)
{
    static const enum ptx_type whole[] = {[1] = PTX_U8, [2] = PTX_U16, [4] = PTX_S32, [8] = PTX_S64};
    enum { ROUNDS_MOST = 100 };
    struct finder *finder = arena_new(arena, struct finder);
    finder->arena = arena;
    finder->kernel = kernel;
    finder->masks = arena_array(arena, uint64_t, (size_t)kernel->register_count + 1);
    finder->types = arena_array(arena, enum ptx_type, (size_t)kernel->register_count + 1);
    finder->places = arena_alloc(arena, ((size_t)kernel->register_count + 1) * sizeof *finder->places);
    const struct ptx_instruction *list = kernel->instructions;
    finder->grown = true;
    for (int round = 0; finder->grown && round < ROUNDS_MOST; round++) {
        finder->grown = false;
        for (uint32_t i = 0; i < kernel->instruction_count; i++) {
            take_place(finder, &list[i]);
            take_load(finder, &list[i]);
            pass_on(finder, &list[i]);
        }
    }
    for (uint32_t i = 0; i < kernel->instruction_count; i++)
        take_types(finder, &list[i]);
    for (int first = 1; first >= 0; first--)
        for (uint32_t i = 0; i < kernel->instruction_count; i++)
            take_access(finder, &list[i], first);
    for (uint32_t k = 0; k < finder->count; k++) /* an address that nothing is read from or written to here */
        if (finder->sure >> k & 1 && finder->uses[k].bytes == 8)
            finder->uses[k].pointer = true;
    for (uint32_t i = 0; i < kernel->instruction_count; i++)
        take_number_types(finder, &list[i]);
    for (uint32_t k = 0; k < finder->count; k++)
        if (!finder->uses[k].type && !finder->uses[k].pointer)
            finder->uses[k].type = whole[finder->uses[k].bytes];
    qsort(finder->uses, finder->count, sizeof *finder->uses, by_place);
    *count = finder->count;
    return finder->uses;
}

static uint64_t named_parameters(const struct ptx_operand *operands, uint32_t count)
{
    uint64_t named = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *at = &operands[i];
        enum ptx_operand_kind const what = at->kind == PTX_OPERAND_ADDRESS ? at->base : at->kind;
        if (what == PTX_OPERAND_VARIABLE && at->scope == PTX_SCOPE_PARAMETER && at->index < 64)
            named |= UINT64_C(1) << at->index;
        if (at->elements)
            named |= named_parameters(at->elements, at->count);
    }
    return named;
}

uint64_t ptx_named_parameters(const struct ptx_function *kernel)
{
    uint64_t named = 0;
    for (uint32_t i = 0; i < kernel->instruction_count; i++) {
        const struct ptx_instruction *at = &kernel->instructions[i];
        named |= named_parameters(at->operands, at->operand_count);
        if (at->call_argument_count)
            named |= named_parameters(at->call_arguments, at->call_argument_count);
    }
    return named;
}
