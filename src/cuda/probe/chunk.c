/* Shared by all probes of a function: its registers, the test whether a block is recorded, and the chunks for records.
 * In the templates `~` stands for our prefix and `#` for a number: a label's, a site's or an offset. The temporaries
 * are registers of the function that all its probes share. That costs nothing, because ptxas renames registers. */
#include "cuda/probe/probe.h"
#include <inttypes.h>
#include <string.h>

void probe_write(struct probe_writer *writer, const char *template, uint32_t number)
{
    for (const char *at = template; *at; at++) {
        if (*at == '~')
            fprintf(writer->out, "%s_", writer->prefix);
        else if (*at == '#')
            fprintf(writer->out, "%" PRIu32, number);
        else
            putc(*at, writer->out);
    }
}

/* Writes a load from the control variable. */
static void write_control(struct probe_writer *writer, const char *type, const char *into, size_t offset)
{
    fprintf(writer->out, "\tld.const.%s %s_%s, [%s_control+%zu];\n", type, writer->prefix, into, writer->prefix,
            offset);
}

/* Writes code that puts the linear number of a position in a grid or block, from the axis `most` down to `least`, into
 * ~low. */
static void write_linear(struct probe_writer *writer, const char *id, unsigned most, unsigned least)
{
    static const char axes[] = "xyz";
    const char *p = writer->prefix;
    fprintf(writer->out, "\tmov.u32 %s_low, %%%s.%c;\n", p, id, axes[most]);
    for (unsigned axis = most; axis-- > least;)
        fprintf(writer->out,
                "\tmov.u32 %s_high, %%n%s.%c;\n"
                "\tmov.u32 %s_step, %%%s.%c;\n"
                "\tmad.lo.u32 %s_low, %s_low, %s_high, %s_step;\n",
                p, id, axes[axis], p, id, axes[axis], p, p, p, p);
}

/* Writes code that puts the block's number, counted from the first recorded one, into ~index and tests whether it is
 * recorded. Blocks that are not recorded run only this code, so it is short. */
static void write_block(struct probe_writer *writer)
{
    if (writer->shape.wide) {
        write_linear(writer, "ctaid", 2, 1);
        probe_write(writer,
                    "\tmov.u32 ~high, %nctaid.x;\n"
                    "\tmov.u32 ~step, %ctaid.x;\n"
                    "\tcvt.u64.u32 ~here, ~step;\n"
                    "\tmad.wide.u32 ~index, ~low, ~high, ~here;\n",
                    0);
        write_control(writer, "u64", "here", offsetof(struct record_control, first));
        write_control(writer, "u64", "there", offsetof(struct record_control, span));
        probe_write(writer, "\tsub.s64 ~index, ~index, ~here;\n\tsetp.le.u64 ~on, ~index, ~there;\n", 0);
    } else { /* compares the low halves, which come first */
        write_linear(writer, "ctaid", writer->shape.grid - 1, 0);
        write_control(writer, "u32", "high", offsetof(struct record_control, first));
        write_control(writer, "u32", "step", offsetof(struct record_control, span));
        probe_write(writer,
                    "\tsub.u32 ~low, ~low, ~high;\n"
                    "\tsetp.le.u32 ~on, ~low, ~step;\n"
                    "\tcvt.u64.u32 ~index, ~low;\n",
                    0);
    }
}

/* Writes code for the warp's number in its block. */
static void write_warp(struct probe_writer *writer)
{
    write_linear(writer, "tid", writer->shape.block - 1, 0);
    probe_write(writer, "\tshr.u32 ~warp, ~low, 5;\n", 0);
}

/* Writes code that puts the address of the warp's own two chunks into ~next. */
static void write_own_place(struct probe_writer *writer)
{
    write_control(writer, "u32", "low", offsetof(struct record_control, warps));
    write_control(writer, "u64", "next", offsetof(struct record_control, own));
    write_control(writer, "u32", "high", offsetof(struct record_control, chunk_bytes));
    probe_write(writer,
                "\tcvt.u32.u64 ~step, ~index;\n" /* no memory holds 2^32 chunks */
                "\tmad.lo.u32 ~low, ~step, ~low, ~warp;\n"
                "\tshl.b32 ~low, ~low, 1;\n"
                "\tmad.wide.u32 ~next, ~low, ~high, ~next;\n",
                0);
}

/* Writes the head of the chunk at ~next from the multiprocessor in ~high, the clock in ~there, the timer in ~here and
 * the block in ~counter. The room of the chunk goes to ~left. */
static void write_chunk_head(struct probe_writer *writer)
{
    probe_write(writer, "\tor.b32 ~low, ~warp, #;\n", RECORD_TAG(RECORD_CHUNK, 0));
    probe_write(writer,
                "\tmov.b64 {~spare, ~upper}, ~there;\n"
                "\tst.global.v4.u32 [~next], {~low, ~high, ~spare, ~upper};\n"
                "\tst.global.v2.u64 [~next+16], {~here, ~counter};\n", /* a whole sector: see fill_up */
                0);
    write_control(writer, "u32", "left", offsetof(struct record_control, chunk_bytes));
    if (!writer->layout->chunk_bytes)
        probe_write(writer, "\tadd.u64 ~next, ~next, #;\n\tsub.u32 ~left, ~left, #;\n", sizeof(struct record_chunk));
}

/* Each warp of a kernel begins in its own chunk, which lane 0 owns, so it needs no atomic and does not wait. Only a
 * block's first warp records its multiprocessor and start time, because reading the global timer takes long. */
static void write_own_chunk(struct probe_writer *writer)
{
    probe_write(writer, "\t@!~zero bra ~begun;\n", 0);
    write_own_place(writer);
    probe_write(writer,
                "\tmov.u64 ~there, %clock64;\n"
                "\tmov.u32 ~high, 0;\n"
                "\tmov.u64 ~here, 0;\n"
                "\tmov.u64 ~counter, 0;\n"
                "\tsetp.eq.u32 ~fit, ~warp, 0;\n"
                "\t@~fit bra ~first_warp;\n"
                "~ready:\n",
                0);
    write_chunk_head(writer);
    probe_write(writer, "~begun:\n", 0);
    struct probe_cold const cold = probe_cold_begin(writer);
    probe_write(writer,
                "~first_warp:\n"
                "\tmov.u32 ~high, %smid;\n"
                "\tmov.u64 ~here, %globaltimer;\n"
                "\tbra ~ready;\n",
                0);
    probe_cold_end(writer, cold);
}

/* Writes code for the row and column of each lane in its block. ~turn is the lane below lane 0. */
static void write_rows(struct probe_writer *writer)
{
    write_control(writer, "u32", "shift", offsetof(struct record_control, row_shift));
    probe_write(writer,
                "\tmov.u32 ~low, 1;\n"
                "\tshl.b32 ~turn, ~low, ~shift;\n"
                "\tshr.u32 ~row, ~lane, ~shift;\n"
                "\tshl.b32 ~low, ~row, ~shift;\n"
                "\tsub.u32 ~column, ~lane, ~low;\n"
                "\tshl.b32 ~low, ~row, 8;\n"
                "\tor.b32 ~place, ~column, ~low;\n",
                0);
}

void probe_declare(struct probe_writer *writer)
{
    probe_write(
        writer,
        "\n\t.reg .pred ~on, ~fit, ~lead, ~room, ~zero, ~writes;\n"
        "\t.reg .b32 ~mask, ~first, ~second, ~lane, ~low, ~high, ~step, ~tag, ~other, ~size, ~left, ~clock;\n"
        "\t.reg .b32 ~warp, ~column, ~row, ~place, ~turn, ~shift, ~mine, ~spare, ~upper, ~taken, ~late, ~whole;\n"
        "\t.reg .b64 ~next, ~index, ~address, ~base, ~here, ~there, ~counter, ~record;\n",
        0);
}

void probe_prologue(struct probe_writer *writer)
{
    if (writer->function->is_kernel)
        probe_write(writer, "\n{", 0);
    probe_write(writer,
                "\n\tmov.u64 ~next, 0;\n"
                "\tmov.u32 ~left, 0;\n"
                "\tmov.u32 ~lane, %laneid;\n"
                "\tsetp.eq.u32 ~zero, ~lane, 0;\n",
                0);
    write_block(writer);
    write_warp(writer);
    if (writer->function->is_kernel) {
        probe_write(writer, "\t@!~on bra.uni ~plain;\n", 0);
        write_own_chunk(writer);
    }
    if (writer->shape.rows && writer->runs->singles)
        write_rows(writer);
}

static const char *predicate_of(const struct probe_writer *writer, const struct ptx_instruction *instruction)
{
    return writer->function->registers[instruction->predicate].name;
}

const struct ptx_operand *probe_taken(const struct ptx_instruction *instruction)
{
    unsigned const hint = ptx_has(instruction->modifiers, PTX_MOD_L2_cache_hint);
    bool const copies = instruction->opcode == PTX_OP_cp && !ptx_has(instruction->modifiers, PTX_MOD_bulk);
    return copies && instruction->operand_count > 3 + hint ? &instruction->operands[3] : NULL;
}

void probe_write_taken(struct probe_writer *writer, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *taken = probe_taken(instruction);
    const struct ptx_register *from = taken ? &writer->function->registers[taken->index] : NULL;
    uint32_t const all = (uint32_t)instruction->operands[2].bits;
    const char *p = writer->prefix;
    if (!taken || taken->kind == PTX_OPERAND_IMMEDIATE)
        fprintf(writer->out, "\tmov.u32 %s_low, %" PRIu32 ";\n", p, taken ? (uint32_t)taken->bits : all);
    else if (from->type == PTX_PRED) /* the predicate that ignores the source */
        fprintf(writer->out, "\tselp.u32 %s_low, %s, %s, %s;\n", p, taken->negated ? "16" : "0",
                taken->negated ? "0" : "16", from->name);
    else
        fprintf(writer->out, "\tmov.b32 %s_low, %s;\n", p, from->name);
}

void probe_write_guard(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id)
{
    probe_write(writer, writer->function->is_kernel ? "\n" : "\n\t@!~on bra.uni ~done_#;\n", id);
    if (instruction->predicate != PTX_NO_INDEX && instruction->opcode != PTX_OP_bra) {
        fprintf(writer->out, "\t@%s%s bra ", instruction->predicate_negated ? "" : "!",
                predicate_of(writer, instruction));
        probe_write(writer, "~done_#;\n", id);
    }
    if (probe_taken(instruction)) {
        probe_write_taken(writer, instruction);
        probe_write(writer, "\tsetp.eq.u32 ~fit, ~low, 0;\n\t@~fit bra ~done_#;\n", id);
    }
}

void probe_write_lead(struct probe_writer *writer)
{
    probe_write(writer,
                "\tmov.u32 ~low, %lanemask_lt;\n"
                "\tand.b32 ~low, ~mask, ~low;\n"
                "\tsetp.eq.u32 ~lead, ~low, 0;\n",
                0);
}

void probe_write_take_chunk(struct probe_writer *writer, const char *otherwise, uint32_t id, uint32_t fresh)
{
    write_block(writer);
    write_warp(writer);
    write_own_place(writer);
    probe_write(writer, "\tcvt.u64.u32 ~there, ~high;\n\tadd.u64 ~next, ~next, ~there;\n", 0);
    probe_write(writer, "\tatom.global.or.b32 ~spare, [~next], #;\n", RECORD_TAG(RECORD_CHUNK, 0));
    probe_write(writer, "\tsetp.eq.u32 ~room, ~spare, 0;\n\t@~room bra ~fresh_#;\n", fresh);
    write_control(writer, "u64", "counter", offsetof(struct record_control, counters));
    probe_write(writer, "\tatom.global.add.u64 ~here, [~counter+#], 1;\n", offsetof(struct record_counters, taken));
    write_control(writer, "u64", "there", offsetof(struct record_control, more_chunks));
    write_control(writer, "u64", "next", offsetof(struct record_control, more));
    probe_write(writer,
                "\tsetp.lt.u64 ~room, ~here, ~there;\n"
                "\tcvt.u64.u32 ~there, ~high;\n"
                "\tmad.lo.u64 ~next, ~here, ~there, ~next;\n"
                "\t@~room bra ~fresh_#;\n",
                fresh);
    probe_write(writer, "\tred.global.add.u64 [~counter+#], 1;\n", offsetof(struct record_counters, lost));
    probe_write(writer, "\tmov.u32 ~left, 0;\n", 0);
    probe_write(writer, otherwise, id);
    probe_write(writer, "~fresh_#:\n", fresh);
    probe_write(writer,
                "\tmov.u64 ~there, %clock64;\n" /* now, then when its low half was ~clock */
                "\tcvt.u32.u64 ~low, ~there;\n"
                "\tsub.u32 ~low, ~low, ~clock;\n"
                "\tcvt.u64.u32 ~here, ~low;\n"
                "\tsub.u64 ~there, ~there, ~here;\n"
                "\tmov.u64 ~here, 0;\n"
                "\tmov.u32 ~high, %smid;\n",
                0);
    write_control(writer, "u64", "counter", offsetof(struct record_control, first));
    probe_write(writer, "\tadd.u64 ~counter, ~counter, ~index;\n", 0);
    write_chunk_head(writer);
}

struct probe_cold probe_cold_begin(struct probe_writer *writer)
{
    struct probe_cold const cold = {.hot = writer->out, .over = writer->names_differ ? writer->overs++ : PTX_NO_INDEX};
    if (writer->names_differ)
        probe_write(writer, "\tbra.uni ~over_#;\n", cold.over);
    else
        writer->out = writer->cold;
    return cold;
}

void probe_cold_end(struct probe_writer *writer, struct probe_cold cold)
{
    writer->out = cold.hot;
    if (cold.over != PTX_NO_INDEX)
        probe_write(writer, "~over_#:\n", cold.over);
}

/* Returns true when lanes may reach the function's closing brace. */
static bool runs_out(const struct ptx_function *function)
{
    const struct ptx_instruction *last = &function->instructions[function->instruction_count - 1];
    enum ptx_kind const kind = ptx_opcode_kind(last->opcode);
    if ((kind != PTX_KIND_END && kind != PTX_KIND_BRANCH) || last->predicate != PTX_NO_INDEX)
        return true;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        uint32_t count;
        const uint32_t *targets = ptx_targets(&function->instructions[i], &count);
        for (uint32_t k = 0; k < count; k++)
            if (targets[k] == function->instruction_count)
                return true;
    }
    return false;
}

void probe_end(struct probe_writer *writer, const char *cold)
{
    fprintf(writer->out, "%s%s", runs_out(writer->function) ? "\n\tret;\n" : "\n", cold);
}
