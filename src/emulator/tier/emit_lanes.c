/* Lane operations that need not wait for each other's loads, as one loop over the lanes. Values stay in registers of
 * the processor; a row is written only if something outside of the loop may read it. */
#include "emulator/tier/emit.h"

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
    const struct form *form = emit_form(op);
    uint32_t const rows[] = {op->d, op->a, op->b, op->c, op->e};
    for (unsigned k = form->kind == FORM_COMPARE; k <= form->operands; k++) {
        const struct used_row *used = find_row(e, rows[k]);
        if (used && used->wide != emit_is_wide(form->types[k]))
            return false;
    }
    for (uint32_t i = 0; form->kind == FORM_SELECT && i < count; i++) {
        const struct op *other = &e->code->ops[ops[i]];
        if (emit_form(other)->kind == FORM_COMPARE && (other->d == op->c || other->e == op->c))
            return false;
    }
    return true;
}

static void use_rows(struct emitter *e, uint32_t index)
{
    const struct op *op = &e->code->ops[index];
    const struct form *form = emit_form(op);
    uint32_t const rows[] = {op->d, op->a, op->b, op->c, op->e};
    bool const gives = form->kind != FORM_COMPARE;
    for (unsigned k = form->operands + 1u; k-- > (gives ? 0u : 1u);) { /* the result last */
        struct used_row *used = find_row(e, rows[k]);
        if (!used) {
            used = &e->rows[e->row_count++];
            *used = (struct used_row){.row = rows[k], .wide = emit_is_wide(form->types[k])};
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
    const struct form *form = emit_form(op);
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
        enum form_kind const kind = emit_form(op)->kind;
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
uint32_t emit_segment(struct emitter *e, const struct piece *piece, const uint32_t *ops, uint32_t most)
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
        if (used->written && emit_is_needed(e, piece, used, ops, count))
            fprintf(e->out, "    AT(%s, %u)[l] = v%u;\n", used->wide ? "u64" : "u32", used->row, used->row);
    }
    fputs("  }\n", e->out);
    write_predicates(e, ops, count, false);
    fputs("  }\n", e->out);
    return count;
}
