/* Loads are done as early as their addresses are known, those through one address row together. */
#include "emulator/tier/emit.h"
#include <string.h>

void emit_access(struct emitter *e, uint32_t start, uint32_t index)
{
    const struct op *op = &e->code->ops[index];
    const struct form *form = emit_form(op);
    bool const shared = strstr(form->name, "shared") != NULL;
    fprintf(e->out,
            "  {\n  const struct op k = {.d = %u, .a = %u, .b = %u, .c = %u, .combine = %u, .immediate = "
            "UINT64_C(%llu), .extra = o[%u].extra};\n  if (!%s_%s_all(w, &k, o + %u)) return NULL;\n  }\n",
            op->d, op->a, op->b, op->c, op->combine, (unsigned long long)op->immediate, index - start, form->name,
            shared && !op->combine ? "32" : "64", index - start);
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
    bool const shared = strstr(emit_form(op)->name, "shared") != NULL;
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
            emit_access(e, piece->start, piece->ops[k]);
    }
    if (several)
        fputs("  }\n  }\n", e->out);
}

/* Whether an op may be done before those ops of the piece that stand before it and are not done yet. */
static bool is_ready(const struct emitter *e, const struct piece *piece, uint32_t index)
{
    for (uint32_t i = piece->from; i < index; i++)
        if (!piece->done[i - piece->from] && !emit_are_independent(&e->code->ops[i], &e->code->ops[index]))
            return false;
    return true;
}

/* Takes the lane ops, or the loads, that may come next; loads keep their order. */
static void take_ready(const struct emitter *e, struct piece *piece, bool loads)
{
    piece->count = 0;
    for (uint32_t i = piece->from; i < piece->to; i++) {
        if (piece->done[i - piece->from] || emit_is_load(&e->code->ops[i]) != loads)
            continue;
        if (is_ready(e, piece, i))
            piece->done[i - piece->from] = true, piece->ops[piece->count++] = i;
        else if (loads)
            return;
    }
}

/* Writes the lane ops and loads from `from` on. Returns the op behind them. */
uint32_t emit_piece(struct emitter *e, uint32_t start, uint32_t from)
{
    const struct op *ops = e->code->ops;
    struct piece piece = {.start = start, .from = from, .to = from};
    while (piece.to - from < PIECE_OPS && (emit_is_lane_op(&ops[piece.to]) || emit_is_load(&ops[piece.to])) &&
           (piece.to == from || !e->starts[piece.to]))
        piece.to++;
    for (uint32_t done = 0; done < piece.to - from;) {
        take_ready(e, &piece, false);
        for (uint32_t at = 0; at < piece.count;)
            at += emit_segment(e, &piece, piece.ops + at, piece.count - at);
        done += piece.count;
        take_ready(e, &piece, true);
        write_loads(e, &piece);
        done += piece.count;
    }
    return piece.to;
}
