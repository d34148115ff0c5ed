/* Writes straight runs of ops as C. Lane operations that need not wait for each other's loads become one loop over the
 * lanes, which keeps values in registers of the processor; a row is written only if something outside of the loop may
 * read it. Loads are done as early as their addresses are known, those through one address row together. Every other
 * op is called as the interpreter calls it, in its place, so that counts, checks and faults are the same. */
#include "emulator/core/control.h"
#include "emulator/lanes/lanes.h"
#include "emulator/memory/memory.h"
#include "emulator/tier/calls.h"
#include "emulator/tier/tier.h"
#include <stdio.h>
#include <stdlib.h>

enum { SEGMENT_OPS = 64, PIECE_OPS = 256, OPS_MOST = 20000, ROWS_MOST = 5 * SEGMENT_OPS };

enum form_kind { FORM_OTHER, FORM_VALUE, FORM_SELECT, FORM_COMPARE, FORM_PREDICATE, FORM_ACCESS };
struct form { /* of an operation of lanes.def */
    const char *name;
    enum form_kind kind;
    uint8_t operands;
    const char *types[5]; /* of the result and the operands */
    const char *expression;
};
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

struct used_row { /* in a segment */
    uint32_t row;
    bool wide, exposed, written; /* exposed: read before it is written */
};

/* Lane ops and loads without another op between them, and without a place where another run begins: they are put in
 * another order, loads early and many together. */
struct piece {
    uint32_t start; /* of the run */
    uint32_t from, to;
    bool done[PIECE_OPS];
    uint32_t ops[PIECE_OPS]; /* written next */
    uint32_t count;
};

struct emitter {
    FILE *out;
    const struct emulation *emulation;
    const struct code *code;
    uint32_t function;
    bool *starts, *begins; /* ops at which a run may begin, and those at which a compiled one does */
    uint32_t *registers;   /* by row / 4: 1 + the register that begins there */
    struct readers {
        uint32_t first, last;
    } * reads;    /* by register: the ops that read it; first > last: none does */
    uint32_t ops; /* of compiled runs */
    struct {
        struct run {
            uint32_t function, op;
        } * items;
        size_t count, capacity;
    } runs;
    struct used_row rows[ROWS_MOST];
    uint32_t row_count;
};

static const struct form *form_of(const struct op *op)
{
    return op->lanes ? &forms[op->lanes - 1] : NULL;
}

/* Whether the operation consists of C that vectorises, and of nothing that the emulator alone has. */
static bool is_plain(const struct form *form)
{
    static const char *const others[] = {"numeric_", "video", "half_to_float", "tf32_of", "fp8x2",
                                         "find_nth", "/ (y",  "% (y",          "div_s",   "rem_s"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(form->expression, others[i]))
            return false;
    return true;
}

static bool is_lane_op(const struct op *op)
{
    const struct form *form = form_of(op);
    return form && (form->kind == FORM_VALUE || form->kind == FORM_SELECT || form->kind == FORM_COMPARE) &&
           is_plain(form);
}

static bool is_wide(const char *type)
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
    const struct form *form = form_of(op);
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

/* ---- what an op reads and writes ---- */

enum { TOUCHED_MOST = 6 };
struct touched {
    uint32_t reads[TOUCHED_MOST], writes[2];
    unsigned read_count, write_count;
};

/* The rows of a lane op or of a load of one element. */
static struct touched touched_by(const struct op *op)
{
    const struct form *form = form_of(op);
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
static bool are_independent(const struct op *a, const struct op *b)
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
static bool is_needed(const struct emitter *e, const struct piece *piece, const struct used_row *used,
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

/* ---- lanes ---- */

static struct used_row *find_row(struct emitter *e, uint32_t row)
{
    for (uint32_t i = 0; i < e->row_count; i++)
        if (e->rows[i].row == row)
            return &e->rows[i];
    return NULL;
}

/* Returns whether a segment of some ops can hold the op too: no row is narrow in one place and wide in another, and a
 * selection does not depend on a comparison in the same loop. */
static bool fits(struct emitter *e, const uint32_t *ops, uint32_t count, uint32_t index)
{
    const struct op *op = &e->code->ops[index];
    const struct form *form = form_of(op);
    uint32_t const rows[] = {op->d, op->a, op->b, op->c, op->e};
    for (unsigned k = form->kind == FORM_COMPARE; k <= form->operands; k++) {
        const struct used_row *used = find_row(e, rows[k]);
        if (used && used->wide != is_wide(form->types[k]))
            return false;
    }
    for (uint32_t i = 0; form->kind == FORM_SELECT && i < count; i++) {
        const struct op *other = &e->code->ops[ops[i]];
        if (form_of(other)->kind == FORM_COMPARE && (other->d == op->c || other->e == op->c))
            return false;
    }
    return true;
}

static void use_rows(struct emitter *e, uint32_t index)
{
    const struct op *op = &e->code->ops[index];
    const struct form *form = form_of(op);
    uint32_t const rows[] = {op->d, op->a, op->b, op->c, op->e};
    bool const gives = form->kind != FORM_COMPARE;
    for (unsigned k = form->operands + 1u; k-- > (gives ? 0u : 1u);) { /* the result last */
        struct used_row *used = find_row(e, rows[k]);
        if (!used) {
            used = &e->rows[e->row_count++];
            *used = (struct used_row){.row = rows[k], .wide = is_wide(form->types[k])};
        }
        if (k == 0)
            used->written = true;
        else
            used->exposed |= !used->written;
    }
}

static void write_operands(struct emitter *e, const struct op *op, const struct form *form)
{
    uint32_t const rows[] = {op->a, op->b, op->c, op->e};
    fprintf(e->out, "one_%s(", form->name);
    for (unsigned k = 0; k < form->operands; k++)
        fprintf(e->out, "from_%s(v%u), ", form->types[k + 1], rows[k]);
    fprintf(e->out, "UINT64_C(%llu))", (unsigned long long)op->immediate);
}

static void write_lane_op(struct emitter *e, uint32_t index)
{
    const struct op *op = &e->code->ops[index];
    const struct form *form = form_of(op);
    fprintf(e->out, "    ");
    if (form->kind == FORM_SELECT) {
        fprintf(e->out, "v%u = c%u & lane_bit[l] ? v%u : v%u;\n", op->d, index, op->a, op->b);
        return;
    }
    if (form->kind == FORM_VALUE)
        fprintf(e->out, "v%u = to_%s(", op->d, form->types[0]);
    else
        fprintf(e->out, "p%u |= ", index);
    write_operands(e, op, form);
    fputs(form->kind == FORM_VALUE ? ");\n" : " ? lane_bit[l] : 0;\n", e->out);
}

static void write_predicates(struct emitter *e, const uint32_t *ops, uint32_t count, bool begin)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t const i = ops[k];
        const struct op *op = &e->code->ops[i];
        enum form_kind const kind = form_of(op)->kind;
        if (begin && kind == FORM_SELECT)
            fprintf(e->out, "  uint32_t const c%u = predicate_of(rows, %u) ^ %uu;\n", i, op->c, op->flip);
        if (begin && kind == FORM_COMPARE)
            fprintf(e->out, "  uint32_t p%u = 0;\n", i);
        if (!begin && kind == FORM_COMPARE)
            fprintf(e->out,
                    "  keep_predicate(w, &(const struct op){.d = %u, .c = %u, .e = %u, .flip = %uu, .combine = %u}, "
                    "p%u);\n",
                    op->d, op->c, op->e, op->flip, op->combine, i);
    }
}

/* Writes the loop of the first of some lane ops. Returns how many it has. */
static uint32_t write_segment(struct emitter *e, const struct piece *piece, const uint32_t *ops, uint32_t most)
{
    uint32_t count = 0;
    e->row_count = 0;
    while (count < most && count < SEGMENT_OPS && fits(e, ops, count, ops[count]))
        use_rows(e, ops[count++]);
    fputs("  {\n", e->out);
    write_predicates(e, ops, count, true);
    fputs("  LANES {\n", e->out);
    for (uint32_t i = 0; i < e->row_count; i++) {
        const struct used_row *used = &e->rows[i];
        const char *type = used->wide ? "u64" : "u32";
        if (used->exposed)
            fprintf(e->out, "    lane_%s v%u = AT(%s, %u)[l];\n", type, used->row, type, used->row);
        else
            fprintf(e->out, "    lane_%s v%u;\n", type, used->row);
    }
    for (uint32_t i = 0; i < count; i++)
        write_lane_op(e, ops[i]);
    for (uint32_t i = 0; i < e->row_count; i++) {
        const struct used_row *used = &e->rows[i];
        if (used->written && is_needed(e, piece, used, ops, count))
            fprintf(e->out, "    AT(%s, %u)[l] = v%u;\n", used->wide ? "u64" : "u32", used->row, used->row);
    }
    fputs("  }\n", e->out);
    write_predicates(e, ops, count, false);
    fputs("  }\n", e->out);
    return count;
}

/* ---- other ops ---- */

static void write_access(struct emitter *e, uint32_t start, uint32_t index)
{
    const struct op *op = &e->code->ops[index];
    const struct form *form = form_of(op);
    bool const shared = strstr(form->name, "shared") != NULL;
    fprintf(e->out,
            "  {\n  const struct op k = {.d = %u, .a = %u, .b = %u, .c = %u, .combine = %u, .immediate = "
            "UINT64_C(%llu), .extra = o[%u].extra};\n  if (!%s_%s_all(w, &k, o + %u)) return NULL;\n  }\n",
            op->d, op->a, op->b, op->c, op->combine, (unsigned long long)op->immediate, index - start, form->name,
            shared && !op->combine ? "32" : "64", index - start);
}

/* ---- pieces ---- */

/* A load of one element a lane. */
static bool is_load(const struct op *op)
{
    const struct form *form = form_of(op);
    return form && form->kind == FORM_ACCESS && strncmp(form->name, "load_", 5) == 0 && !strchr(form->name, 'x');
}

static bool are_grouped(const struct op *a, const struct op *b)
{
    return a->lanes == b->lanes && a->a == b->a && a->b == b->b && a->combine == b->combine;
}

/* Returns the first of the loads that goes with one of them. */
static uint32_t leader_of(const struct emitter *e, const struct piece *piece, uint32_t index)
{
    const struct op *ops = e->code->ops;
    uint32_t k = 0;
    while (!are_grouped(&ops[piece->ops[k]], &ops[index]))
        k++;
    return piece->ops[k];
}

/* Writes that a group of loads is looked for, as a condition, and what is known of the group. */
static void write_find(struct emitter *e, const struct piece *piece, uint32_t leader)
{
    const struct op *ops = e->code->ops, *op = &ops[leader];
    const struct access *access = op->extra;
    bool const shared = strstr(form_of(op)->name, "shared") != NULL;
    int64_t low = (int64_t)op->immediate, high = low;
    uint64_t bits = 0;
    for (uint32_t k = 0; k < piece->count; k++) {
        int64_t const offset = (int64_t)ops[piece->ops[k]].immediate;
        if (!are_grouped(op, &ops[piece->ops[k]]))
            continue;
        low = offset < low ? offset : low;
        high = offset > high ? offset : high;
        bits |= (uint64_t)offset;
    }
    fprintf(e->out, " &&\n      find_%s_%s(w, %u, %u, %u, UINT64_C(%llu), UINT64_C(%llu), UINT64_C(%llu), &g%u)",
            shared ? "shared" : "global", shared && !op->combine ? "32" : "64", op->a, op->b, access->total,
            (unsigned long long)low, (unsigned long long)high, (unsigned long long)bits, leader);
}

static void write_note(struct emitter *e, const struct piece *piece, uint32_t leader)
{
    const struct op *ops = e->code->ops;
    uint32_t count = 0;
    for (uint32_t k = 0; k < piece->count; k++)
        count += are_grouped(&ops[leader], &ops[piece->ops[k]]);
    fprintf(e->out, "    static const struct batch_members m%u = {%u, {", leader, count);
    for (uint32_t k = 0; k < piece->count; k++)
        if (are_grouped(&ops[leader], &ops[piece->ops[k]]))
            fprintf(e->out, "%u, ", piece->ops[k] - leader);
    fprintf(e->out, "}};\n    if (w->watched) note_group(w, &g%u, o + %u, %u, &m%u);\n", leader, leader - piece->start,
            ops[leader].c, leader);
}

/* Writes loads, in their order: together if several have an address row in common and all are as usual, else one by
 * one. */
static void write_loads(struct emitter *e, const struct piece *piece)
{
    const struct op *ops = e->code->ops;
    bool several = false;
    for (uint32_t k = 0; k < piece->count; k++)
        several |= leader_of(e, piece, piece->ops[k]) != piece->ops[k];
    if (several) {
        fputs("  {\n", e->out);
        for (uint32_t k = 0; k < piece->count; k++)
            if (leader_of(e, piece, piece->ops[k]) == piece->ops[k])
                fprintf(e->out, "  struct group g%u;\n", piece->ops[k]);
        fputs("  if (may_group(w)", e->out);
        for (uint32_t k = 0; k < piece->count; k++)
            if (leader_of(e, piece, piece->ops[k]) == piece->ops[k])
                write_find(e, piece, piece->ops[k]);
        fputs(") {\n", e->out);
        for (uint32_t k = 0; k < piece->count; k++)
            if (leader_of(e, piece, piece->ops[k]) == piece->ops[k])
                write_note(e, piece, piece->ops[k]);
        for (uint32_t k = 0; k < piece->count; k++) {
            const struct op *op = &ops[piece->ops[k]];
            const struct access *access = op->extra;
            fprintf(e->out, "    load_group_u%u(rows, %u, &g%u, UINT64_C(%llu));\n", 8u * access->total, op->d,
                    leader_of(e, piece, piece->ops[k]), (unsigned long long)op->immediate);
        }
        fputs("  } else {\n", e->out);
    }
    for (uint32_t k = 0; k < piece->count; k++) {
        uint32_t const way = piece->ops[k] - piece->start;
        if (several) /* short, for the compiler's sake */
            fprintf(e->out, "    if (!o[%u].run[0](w, o + %u)) return NULL;\n", way, way);
        else
            write_access(e, piece->start, piece->ops[k]);
    }
    if (several)
        fputs("  }\n  }\n", e->out);
}

/* Whether an op may be done before those ops of the piece that stand before it and are not done yet. */
static bool is_ready(const struct emitter *e, const struct piece *piece, uint32_t index)
{
    for (uint32_t i = piece->from; i < index; i++)
        if (!piece->done[i - piece->from] && !are_independent(&e->code->ops[i], &e->code->ops[index]))
            return false;
    return true;
}

/* Takes the lane ops, or the loads, that may come next; loads keep their order. */
static void take_ready(const struct emitter *e, struct piece *piece, bool loads)
{
    piece->count = 0;
    for (uint32_t i = piece->from; i < piece->to; i++) {
        if (piece->done[i - piece->from] || is_load(&e->code->ops[i]) != loads)
            continue;
        if (is_ready(e, piece, i))
            piece->done[i - piece->from] = true, piece->ops[piece->count++] = i;
        else if (loads)
            return;
    }
}

/* Writes the lane ops and loads from `from` on. Returns the op behind them. */
static uint32_t write_piece(struct emitter *e, uint32_t start, uint32_t from)
{
    const struct op *ops = e->code->ops;
    struct piece piece = {.start = start, .from = from, .to = from};
    while (piece.to - from < PIECE_OPS && (is_lane_op(&ops[piece.to]) || is_load(&ops[piece.to])) &&
           (piece.to == from || !e->starts[piece.to]))
        piece.to++;
    for (uint32_t done = 0; done < piece.to - from;) {
        take_ready(e, &piece, false);
        for (uint32_t at = 0; at < piece.count;)
            at += write_segment(e, &piece, piece.ops + at, piece.count - at);
        done += piece.count;
        take_ready(e, &piece, true);
        write_loads(e, &piece);
        done += piece.count;
    }
    return piece.to;
}

/* ---- the end of a run ---- */

/* Goes on at an op: in its run, while the slice lasts, or by way of run_slice. Where lanes have not parted, joins do
 * nothing. */
static void write_go(struct emitter *e, uint32_t start, uint32_t target)
{
    const struct op *ops = e->code->ops;
    uint32_t behind = target;
    while (behind + 1 < e->code->op_count && ops[behind].run[FOR_ALL] == control_join)
        behind++;
    long long const way = (long long)behind - start;
    const char *whole = behind == target ? "" : "w->join < 0 && ";
    if (behind == start)
        fprintf(e->out, "  if (%sw->slice > 0) { begin_run(w, o, %u); goto again; }\n", whole, ops[start].run_count);
    else if (e->begins[behind])
        fprintf(e->out,
                "  if (%sw->slice > 0) {\n    begin_run(w, o + (%lld), %u);\n    __attribute__((musttail)) return "
                "run_%u_%u(w, o + (%lld));\n  }\n",
                whole, way, ops[behind].run_count, e->function, behind, way);
    fprintf(e->out, "  w->pc = o + (%lld);\n  return NULL;\n", (long long)target - start);
}

/* The last op of a run. */
static void write_end(struct emitter *e, uint32_t start, uint32_t index)
{
    const struct op *op = &e->code->ops[index];
    const struct branch *branch = op->extra;
    if (op->run[FOR_ALL] == control_join) {
        fprintf(e->out, "  if (w->join >= 0) return o[%u].run[0](w, o + %u);\n", index - start, index - start);
        write_go(e, start, index + 1);
        return;
    }
    if (op->run[FOR_ALL] == control_branch_uniform) {
        write_go(e, start, (uint32_t)(branch->target - e->code->ops));
        return;
    }
    if (op->run[FOR_ALL] != control_branch) {
        fprintf(e->out, "  return o[%u].run[0](w, o + %u);\n", index - start, index - start);
        return;
    }
    fprintf(e->out,
            "  uint32_t const taken = predicate_of(rows, %u) ^ %uu;\n"
            "  if (taken + 1 > 1) return o[%u].run[0](w, o + %u);\n",
            op->a, op->flip, index - start, index - start);
    if (branch->counted && op->site < e->emulation->trace->site_count)
        fprintf(e->out, "  note_branch_at(w, %u);\n", op->site);
    else if (branch->counted)
        fputs("  note_branch(w);\n", e->out);
    fputs("  if (!taken) {\n", e->out);
    write_go(e, start, index + 1);
    fputs("  }\n", e->out);
    write_go(e, start, (uint32_t)(branch->target - e->code->ops));
}

/* Returns the last op of the run that begins at an op. */
static uint32_t end_of(const struct code *code, uint32_t start)
{
    while (!(code->ops[start].flags & OP_ENDS))
        start++;
    return start;
}

static bool is_worth_it(const struct code *code, uint32_t start, uint32_t end)
{
    for (uint32_t i = start; i < end; i++)
        if (is_lane_op(&code->ops[i]) || (form_of(&code->ops[i]) && form_of(&code->ops[i])->kind == FORM_ACCESS))
            return true;
    return false;
}

static void write_run(struct emitter *e, uint32_t start, uint32_t end)
{
    const struct op *ops = e->code->ops;
    fprintf(e->out, "static const struct op *run_%u_%u(struct warp *w, const struct op *o)\n{\n", e->function, start);
    fputs("  uint8_t *const rows = w->rows;\n  const struct op *next;\nagain:;\n", e->out);
    for (uint32_t i = start; i < end;) {
        const struct form *form = form_of(&ops[i]);
        const struct op *op = &ops[i];
        if (is_lane_op(op) || is_load(op)) {
            i = write_piece(e, start, i);
        } else if (form && form->kind == FORM_ACCESS) {
            write_access(e, start, i++);
        } else if (form && form->kind == FORM_PREDICATE) {
            fprintf(e->out, "  one_%s(rows, %u, %u, %u);\n", form->name, op->d, op->a, op->b);
            i++;
        } else if (op->run[FOR_ALL] == control_guard) {
            fprintf(e->out, "  if (!o[%u].run[0](w, o + %u)) return NULL;\n", i - start, i - start);
            i += 2;
        } else {
            fprintf(e->out, "  next = o[%u].run[0](w, o + %u);\n  if (next != o + %u) return next;\n", i - start,
                    i - start, i + 1 - start);
            i++;
        }
    }
    write_end(e, start, end);
    fputs("}\n\n", e->out);
    array_push(&e->runs, ((struct run){e->function, start}));
}

/* ---- functions ---- */

static void find_starts(struct emitter *e)
{
    const struct code *code = e->code;
    e->starts[0] = true;
    for (uint32_t i = 0; i < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        if (op->flags & OP_ENDS)
            e->starts[i + 1] = true;
        bool const branches = op->run[FOR_ALL] == control_branch || op->run[FOR_ALL] == control_branch_uniform ||
                              op->run[FOR_ALL] == control_branch_table;
        const struct branch *branch = branches ? op->extra : NULL;
        if (branch && branch->target)
            e->starts[branch->target - code->ops] = true;
        if (branch && branch->meet)
            e->starts[branch->meet - code->ops] = true;
        for (uint32_t k = 0; branch && k < branch->target_count; k++)
            e->starts[branch->targets[k] - code->ops] = true;
    }
}

static void find_reads(struct emitter *e)
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

static bool write_function(struct emitter *e, uint32_t function)
{
    const struct code *code = &e->emulation->codes[function];
    e->code = code;
    e->function = function;
    e->starts = calloc((size_t)code->op_count + 1, sizeof *e->starts);
    e->begins = calloc((size_t)code->op_count + 1, sizeof *e->begins);
    e->registers = calloc((size_t)code->register_end / 4 + 1, sizeof *e->registers);
    e->reads = calloc((size_t)code->function->register_count + 1, sizeof *e->reads);
    bool const room = e->starts && e->begins && e->registers && e->reads;
    if (room) {
        find_starts(e);
        find_reads(e);
    }
    for (uint32_t i = 0; room && i < code->op_count; i++) {
        uint32_t const end = e->starts[i] ? end_of(code, i) : i;
        e->begins[i] = e->starts[i] && e->ops < OPS_MOST && is_worth_it(code, i, end);
        e->ops += e->begins[i] ? end - i + 1 : 0;
        if (e->begins[i])
            fprintf(e->out, "static const struct op *run_%u_%u(struct warp *w, const struct op *o);\n", function, i);
    }
    for (uint32_t i = 0; room && i < code->op_count; i++)
        if (e->begins[i])
            write_run(e, i, end_of(code, i));
    free(e->starts);
    free(e->begins);
    free(e->registers);
    free(e->reads);
    return room;
}

/* Writes the table that the unit exports. */
static void write_table(struct emitter *e)
{
    fputs("static const struct tier_run runs[] = {\n", e->out);
    for (size_t i = 0; i < e->runs.count; i++) {
        const struct run *run = &e->runs.items[i];
        fprintf(e->out, "{%u, %u, run_%u_%u},\n", run->function, run->op, run->function, run->op);
    }
    fprintf(e->out,
            "};\n__attribute__((visibility(\"default\"))) const struct tier_table %s = {%zu, runs, bind_calls};\n",
            EMULATOR_NATIVE_SYMBOL, e->runs.count);
}

/* Returns the text of a unit; emulation NULL: without runs. */
static char *emit(const struct emulation *emulation, size_t *size)
{
    char *text = NULL;
    struct emitter *e = tier_unit[0] ? calloc(1, sizeof *e) : NULL;
    if (!e || !(e->out = open_memstream(&text, size))) {
        free(e);
        return NULL;
    }
    e->emulation = emulation;
    fputs(tier_unit, e->out);
    fputs("\n#define LANES _Pragma(\"clang loop vectorize(assume_safety)\") for (unsigned l = 0; l < 32; l++)\n"
          "#define AT(T, row) ((row_##T *)__builtin_assume_aligned(rows + (row), 64))\n"
          "#define UINT64_C(c) c##UL\n#define NULL ((void *)0)\n",
          e->out);
    bool fine = true;
    for (uint32_t f = 0; emulation && f < emulation->module->function_count; f++)
        if (emulation->codes[f].ops)
            fine &= write_function(e, f);
    write_table(e);
    fine &= fclose(e->out) == 0 && (e->runs.count || !emulation);
    free(e->runs.items);
    if (!fine) {
        free(text);
        text = NULL;
    }
    free(e);
    return text;
}

char *tier_emit(const struct emulation *emulation, size_t *size)
{
    return emit(emulation, size);
}

char *emulator_native_least(size_t *size)
{
    return emit(NULL, size);
}
