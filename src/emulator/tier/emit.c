/* Writes straight runs of ops as C, function by function: lane operations and loads by way of emit_loads.c. Every other
 * op is called as the interpreter calls it, in its place, so that counts, checks and faults are the same. */
#include "emulator/tier/emit.h"
#include "emulator/core/control.h"
#include "emulator/tier/calls.h"
#include "emulator/tier/tier.h"
#include <stdlib.h>

enum { OPS_MOST = 20000 }; /* of compiled runs */

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
        if (emit_is_lane_op(&code->ops[i]) ||
            (emit_form(&code->ops[i]) && emit_form(&code->ops[i])->kind == FORM_ACCESS))
            return true;
    return false;
}

static void write_run(struct emitter *e, uint32_t start, uint32_t end)
{
    const struct op *ops = e->code->ops;
    fprintf(e->out, "static const struct op *run_%u_%u(struct warp *w, const struct op *o)\n{\n", e->function, start);
    fputs("  uint8_t *const rows = w->rows;\n  const struct op *next;\nagain:;\n", e->out);
    for (uint32_t i = start; i < end;) {
        const struct form *form = emit_form(&ops[i]);
        const struct op *op = &ops[i];
        if (emit_is_lane_op(op) || emit_is_load(op)) {
            i = emit_piece(e, start, i);
        } else if (form && form->kind == FORM_ACCESS) {
            emit_access(e, start, i++);
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
        emit_find_readers(e);
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
