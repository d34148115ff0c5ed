/* What an op of lanes.def is, which rows it reads and writes, and who reads a register. */
#include "emulator/tier/emit.h"
#include <string.h>

static const struct form forms[LANES_COUNT] = {
#define UNARY(name, D, A, ...) [LANES_##name] = {#name, FORM_VALUE, 1, {#D, #A}, #__VA_ARGS__},
#define BINARY(name, D, A, B, ...) [LANES_##name] = {#name, FORM_VALUE, 2, {#D, #A, #B}, #__VA_ARGS__},
#define TERNARY(name, D, A, B, C, ...) [LANES_##name] = {#name, FORM_VALUE, 3, {#D, #A, #B, #C}, #__VA_ARGS__},
#define QUATERNARY(name, D, A, B, C, E, ...)                                                                           \
    [LANES_##name] = {#name, FORM_VALUE, 4, {#D, #A, #B, #C, #E}, #__VA_ARGS__},
#define CARRY(name, T, ...) [LANES_##name] = {#name, FORM_OTHER, 3, {#T, #T, #T, #T}, ""},
#define SELECT(name, T) [LANES_##name] = {#name, FORM_SELECT, 2, {#T, #T, #T}, ""},
#define COMPARE(name, T, ...) [LANES_##name] = {#name, FORM_COMPARE, 2, {"", #T, #T}, #__VA_ARGS__},
#define PREDICATE(name, ...) [LANES_##name] = {#name, FORM_PREDICATE, 0, {""}, #__VA_ARGS__},
#define CONVERT(name, D, A) [LANES_##name] = {#name, FORM_OTHER, 1, {#D, #A}, ""},
#define WRITTEN(name, ...) [LANES_##name] = {#name, FORM_ACCESS, 0, {""}, ""},
#include "emulator/lanes/lanes.def"
};

const struct form *emit_form(const struct op *op)
{
    return op->lanes ? &forms[op->lanes - 1] : NULL;
}

/* Whether the operation consists of C that vectorises, and of nothing that the emulator alone has. */
static bool is_plain(const struct form *form)
{
    static const char *const others[] = {"numeric_", "video", "half_to_float", "tf32_of", "fp8x2",
                                         "find_nth", "/ (y",  "% (y",          "div_s64", "rem_s64"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(form->expression, others[i]))
            return false;
    return true;
}

bool emit_is_lane_op(const struct op *op)
{
    const struct form *form = emit_form(op);
    return form && (form->kind == FORM_VALUE || form->kind == FORM_SELECT || form->kind == FORM_COMPARE) &&
           is_plain(form);
}

/* A load of one element a lane. */
bool emit_is_load(const struct op *op)
{
    const struct form *form = emit_form(op);
    return form && form->kind == FORM_ACCESS && strncmp(form->name, "load_", 5) == 0 && !strchr(form->name, 'x');
}

bool emit_is_wide(const char *type)
{
    return strcmp(type, "u64") == 0 || strcmp(type, "s64") == 0 || strcmp(type, "f64") == 0;
}

/* ---- which ops read a register ---- */

static void reads_register(struct emitter *e, uint32_t index, uint32_t op)
{
    struct readers *r = &e->reads[index];
    r->first = op < r->first ? op : r->first;
    r->last = op > r->last ? op : r->last;
}

static void reads_row(struct emitter *e, uint32_t row, uint32_t op)
{
    if (row < e->code->register_end && e->registers[row / 4])
        reads_register(e, e->registers[row / 4] - 1, op);
}

static void reads_operand(struct emitter *e, const struct ptx_operand *operand, uint32_t op)
{
    if (operand->kind == PTX_OPERAND_REGISTER ||
        (operand->kind == PTX_OPERAND_ADDRESS && operand->base == PTX_OPERAND_REGISTER))
        reads_register(e, operand->index, op);
    if (operand->second)
        reads_register(e, operand->second - 1, op);
    for (uint32_t k = 0; k < operand->count; k++)
        reads_operand(e, &operand->elements[k], op);
}

/* An op whose operands nobody knows here may read all that its instruction names, targets included. */
static void reads_all(struct emitter *e, const struct ptx_instruction *i, uint32_t op)
{
    for (uint32_t k = 0; i && k < i->operand_count; k++)
        reads_operand(e, &i->operands[k], op);
    for (uint32_t k = 0; i && k < i->call_argument_count; k++)
        reads_operand(e, &i->call_arguments[k], op);
    for (uint32_t k = 0; i && k < i->call_result_count; k++)
        reads_operand(e, &i->call_results[k], op);
}

static void note_reads(struct emitter *e, uint32_t index)
{
    const struct op *op = &e->code->ops[index];
    const struct form *form = emit_form(op);
    if (!form) {
        reads_all(e, op->source, index);
        return;
    }
    if (form->kind == FORM_ACCESS) {
        const struct access *access = op->extra;
        reads_row(e, op->a, index);
        for (unsigned k = 0; access->store && k < access->elements; k++)
            reads_row(e, access->rows[k], index);
        return;
    }
    uint32_t const rows[] = {op->a, op->b, op->c, op->e};
    for (unsigned k = 0; k < form->operands; k++)
        reads_row(e, rows[k], index);
}

void emit_find_readers(struct emitter *e)
{
    const struct code *code = e->code;
    const struct ptx_function *function = code->function;
    for (uint32_t i = 0; i < function->register_count; i++) {
        e->reads[i] = (struct readers){UINT32_MAX, 0};
        if (function->registers[i].type != PTX_PRED)
            e->registers[code->rows[i] / 4] = i + 1;
    }
    for (uint32_t i = 0; i < code->op_count; i++)
        note_reads(e, i);
    for (uint32_t k = 0; k < function->result_count && function->result_registers; k++)
        if (function->result_registers[k] != PTX_NO_INDEX)
            e->reads[function->result_registers[k]] = (struct readers){0, UINT32_MAX};
}

/* ---- what an op reads and writes ---- */

enum { TOUCHED_MOST = 6 };
struct touched {
    uint32_t reads[TOUCHED_MOST], writes[2];
    unsigned read_count, write_count;
};

/* The rows of a lane op or of a load of one element. */
static struct touched touched_by(const struct op *op)
{
    const struct form *form = emit_form(op);
    uint32_t const rows[] = {op->a, op->b, op->c, op->e};
    struct touched touched = {.writes = {op->d}, .write_count = 1};
    if (form->kind == FORM_ACCESS) {
        touched.reads[touched.read_count++] = op->a;
        return touched;
    }
    for (unsigned k = 0; k < form->operands; k++)
        touched.reads[touched.read_count++] = rows[k];
    if (form->kind == FORM_SELECT || (form->kind == FORM_COMPARE && op->combine))
        touched.reads[touched.read_count++] = op->c;
    if (form->kind == FORM_COMPARE && op->e)
        touched.writes[touched.write_count++] = op->e;
    return touched;
}

static bool reads(const struct touched *touched, uint32_t row)
{
    for (unsigned k = 0; k < touched->read_count; k++)
        if (touched->reads[k] == row)
            return true;
    return false;
}

/* Whether two ops give the same in either order. */
bool emit_are_independent(const struct op *a, const struct op *b)
{
    struct touched const x = touched_by(a), y = touched_by(b);
    for (unsigned i = 0; i < x.write_count; i++)
        for (unsigned k = 0; k < y.write_count; k++)
            if (x.writes[i] == y.writes[k] || reads(&x, y.writes[k]) || reads(&y, x.writes[i]))
                return false;
    return true;
}

static bool is_one_of(const uint32_t *ops, uint32_t count, uint32_t index)
{
    for (uint32_t i = 0; i < count; i++)
        if (ops[i] == index)
            return true;
    return false;
}

/* Returns whether a row that some ops of a piece write must be there behind them. */
bool emit_is_needed(const struct emitter *e, const struct piece *piece, const struct used_row *used,
                    const uint32_t *ops, uint32_t count)
{
    uint32_t const index = used->row < e->code->register_end ? e->registers[used->row / 4] : 0;
    if (!index || used->exposed)
        return true;
    const struct readers *r = &e->reads[index - 1];
    if (r->first > r->last)
        return false;
    bool needed = r->first < piece->from || r->last >= piece->to;
    for (uint32_t i = piece->from; i < piece->to && !needed; i++) {
        struct touched const touched = touched_by(&e->code->ops[i]);
        needed = reads(&touched, used->row) && !is_one_of(ops, count, i);
    }
    return needed;
}
