/* The probe of one instruction, as PTX text. It is written out in full at every site, so that lanes of two sites never
 * run the same probe together: `activemask` inside it then tells exactly the lanes that run this instruction together.
 * The lowest of them leads: it alone looks for room and writes the record; see record.h for where. The temporaries are
 * registers of the function that all its probes share, which costs nothing: ptxas sees through it.
 *
 * In the templates `~` stands for our prefix, `#` for a number: the label's, the site's or an offset. */
#include "cuda/probe.h"
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

/* A load from the control variable. */
static void write_control(struct probe_writer *writer, const char *type, const char *into, size_t offset)
{
    fprintf(writer->out, "\tld.const.%s %s_%s, [%s_control+%zu];\n", type, writer->prefix, into, writer->prefix,
            offset);
}

/* The chunk that ~next points to gets its head; its room goes to ~left. ~warp is the warp's number; `clock` puts the
 * head's clock into ~there. */
static void write_chunk_head(struct probe_writer *writer, bool timed, const char *clock)
{
    write_control(writer, "u32", "left", offsetof(struct record_control, chunk_bytes));
    probe_write(writer, clock, 0);
    probe_write(writer, "\tmov.u64 ~here, 0;\n", 0);
    if (timed)
        probe_write(writer, "\tsetp.eq.u32 ~fit, ~warp, 0;\n\t@~fit mov.u64 ~here, %globaltimer;\n", 0);
    probe_write(writer, "\tst.global.v2.u64 [~next+16], {~here, ~there};\n", 0);
    write_control(writer, "u64", "here", offsetof(struct record_control, first));
    probe_write(writer,
                "\tadd.u64 ~here, ~here, ~index;\n"
                "\tmov.b64 {~spare, ~upper}, ~here;\n"
                "\tor.b32 ~low, ~warp, #;\n"
                "\tmov.u32 ~high, %smid;\n"
                "\tst.global.v4.u32 [~next], {~low, ~high, ~spare, ~upper};\n",
                RECORD_TAG(RECORD_CHUNK, 0));
    probe_write(writer, "\tadd.u64 ~next, ~next, #;\n\tsub.u32 ~left, ~left, #;\n", sizeof(struct record_chunk));
}

/* Each warp of a kernel begins in its own chunk, which lane 0 owns: it takes no atomic and no waiting. */
static void write_own_chunk(struct probe_writer *writer)
{
    probe_write(writer, "\t@!~on bra.uni ~begun;\n\t@!~zero bra ~begun;\n", 0);
    write_control(writer, "u32", "low", offsetof(struct record_control, warps));
    write_control(writer, "u64", "next", offsetof(struct record_control, own));
    write_control(writer, "u32", "high", offsetof(struct record_control, chunk_bytes));
    probe_write(writer,
                "\tcvt.u32.u64 ~step, ~index;\n" /* fewer than 2^32 chunks fit any memory */
                "\tmad.lo.u32 ~low, ~step, ~low, ~warp;\n"
                "\tmad.wide.u32 ~next, ~low, ~high, ~next;\n",
                0);
    write_chunk_head(writer, true, "\tmov.u64 ~there, %clock64;\n");
    probe_write(writer, "~begun:\n", 0);
}

/* The block's number in the grid, and the warp's in the block. */
static void write_numbers(struct probe_writer *writer)
{
    if (writer->shape.flat_grid)
        probe_write(writer, "\tmov.u32 ~low, %ctaid.x;\n\tcvt.u64.u32 ~index, ~low;\n", 0);
    else
        probe_write(writer,
                    "\tmov.u32 ~low, %ctaid.z;\n"
                    "\tmov.u32 ~high, %nctaid.y;\n"
                    "\tmov.u32 ~step, %ctaid.y;\n"
                    "\tmad.lo.u32 ~low, ~low, ~high, ~step;\n"
                    "\tmov.u32 ~high, %nctaid.x;\n"
                    "\tmov.u32 ~step, %ctaid.x;\n"
                    "\tcvt.u64.u32 ~here, ~step;\n"
                    "\tmad.wide.u32 ~index, ~low, ~high, ~here;\n",
                    0);
    if (writer->shape.flat_block)
        probe_write(writer, "\tmov.u32 ~low, %tid.x;\n", 0);
    else
        probe_write(writer,
                    "\tmov.u32 ~low, %tid.z;\n"
                    "\tmov.u32 ~high, %ntid.y;\n"
                    "\tmov.u32 ~step, %tid.y;\n"
                    "\tmad.lo.u32 ~low, ~low, ~high, ~step;\n"
                    "\tmov.u32 ~high, %ntid.x;\n"
                    "\tmov.u32 ~step, %tid.x;\n"
                    "\tmad.lo.u32 ~low, ~low, ~high, ~step;\n",
                    0);
    probe_write(writer, "\tshr.u32 ~warp, ~low, 5;\n", 0);
}

/* Which row and column of its block a lane is in; ~turn is the lane below lane 0. */
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

void probe_prologue(struct probe_writer *writer)
{
    probe_write(writer,
                "\n\t.reg .pred ~on, ~fit, ~lead, ~room, ~zero;\n"
                "\t.reg .b32 ~mask, ~first, ~second, ~lane, ~low, ~high, ~step, ~tag, ~other, ~size, ~left, ~clock;\n"
                "\t.reg .b32 ~warp, ~lower, ~column, ~row, ~place, ~turn, ~shift, ~mine, ~spare, ~upper;\n"
                "\t.reg .b64 ~next, ~index, ~address, ~base, ~here, ~there, ~counter, ~record;\n"
                "\tmov.u64 ~next, 0;\n"
                "\tmov.u32 ~left, 0;\n"
                "\tmov.u32 ~lane, %laneid;\n"
                "\tmov.u32 ~lower, %lanemask_lt;\n"
                "\tsetp.eq.u32 ~zero, ~lane, 0;\n",
                0);
    write_numbers(writer);
    write_control(writer, "u64", "here", offsetof(struct record_control, first));
    write_control(writer, "u64", "there", offsetof(struct record_control, span));
    probe_write(writer,
                "\tsub.s64 ~index, ~index, ~here;\n"
                "\tsetp.le.u64 ~on, ~index, ~there;\n",
                0);
    if (writer->shape.rows)
        write_rows(writer);
    if (writer->function->is_kernel)
        write_own_chunk(writer);
}

static const char *predicate_of(const struct probe_writer *writer, const struct ptx_instruction *instruction)
{
    return writer->function->registers[instruction->predicate].name;
}

/* Who is here, and when. Lanes whose predicate does not hold step aside first. */
static void write_start(struct probe_writer *writer, const struct ptx_instruction *instruction, bool whole, uint32_t id)
{
    probe_write(writer, "\n\t@!~on bra.uni ~done_#;\n", id);
    if (!whole && instruction->predicate != PTX_NO_INDEX) {
        fprintf(writer->out, "\t@%s%s bra ", instruction->predicate_negated ? "" : "!",
                predicate_of(writer, instruction));
        probe_write(writer, "~done_#;\n", id);
    }
    probe_write(writer,
                "\tmov.u32 ~clock, %clock;\n"
                "\tactivemask.b32 ~mask;\n",
                0);
}

static void write_lead(struct probe_writer *writer)
{
    probe_write(writer, "\tand.b32 ~low, ~mask, ~lower;\n\tsetp.eq.u32 ~lead, ~low, 0;\n", 0);
}

/* The leader takes a further chunk and writes its head. */
static void write_take_chunk(struct probe_writer *writer, const char *otherwise, uint32_t id, uint32_t fresh)
{
    write_control(writer, "u64", "counter", offsetof(struct record_control, counters));
    probe_write(writer, "\tatom.global.add.u64 ~here, [~counter+#], 1;\n", offsetof(struct record_counters, taken));
    write_control(writer, "u64", "there", offsetof(struct record_control, more_chunks));
    probe_write(writer,
                "\tsetp.lt.u64 ~room, ~here, ~there;\n"
                "\t@~room bra ~fresh_#;\n",
                fresh);
    probe_write(writer, "\tred.global.add.u64 [~counter+#], 1;\n", offsetof(struct record_counters, lost));
    probe_write(writer, "\tmov.u32 ~left, 0;\n", 0);
    probe_write(writer, otherwise, id);
    probe_write(writer, "~fresh_#:\n", fresh);
    write_control(writer, "u32", "left", offsetof(struct record_control, chunk_bytes));
    write_control(writer, "u64", "next", offsetof(struct record_control, more));
    probe_write(writer, "\tcvt.u64.u32 ~there, ~left;\n\tmad.lo.u64 ~next, ~here, ~there, ~next;\n", 0);
    write_chunk_head(writer, false,
                     "\tmov.u64 ~there, %clock64;\n" /* now; back to when the low half was ~clock */
                     "\tcvt.u32.u64 ~low, ~there;\n"
                     "\tsub.u32 ~low, ~low, ~clock;\n"
                     "\tcvt.u64.u32 ~here, ~low;\n"
                     "\tsub.u64 ~there, ~there, ~here;\n");
}

/* What is seldom run is written at the function's end, so that the rest stays close together. */
static void to_cold(struct probe_writer *writer, FILE **hot)
{
    *hot = writer->out;
    writer->out = writer->cold;
}

static void to_hot(struct probe_writer *writer, FILE *hot)
{
    writer->out = hot;
}

static void write_step(struct probe_writer *writer, size_t bytes)
{
    probe_write(writer, "\tadd.u64 ~next, ~next, #;\n\tsub.u32 ~left, ~left, #;\n", (uint32_t)bytes);
}

/* The leader's part of a record of known size: `stores` write it. */
static void write_record(struct probe_writer *writer, size_t bytes, const char *stores, uint32_t id)
{
    FILE *hot;
    probe_write(writer, "\tsetp.lt.u32 ~room, ~left, #;\n", (uint32_t)bytes);
    probe_write(writer, "\t@~room bra ~full_#;\n~write_#:\n", id);
    probe_write(writer, stores, 0);
    write_step(writer, bytes);
    probe_write(writer, "~done_#:\n", id);
    to_cold(writer, &hot);
    probe_write(writer, "~full_#:\n", id);
    write_take_chunk(writer, "\tbra ~done_#;\n", id, id);
    probe_write(writer, "\tbra ~write_#;\n", id);
    to_hot(writer, hot);
}

/* A record without addresses. */
static void write_mark(struct probe_writer *writer, enum record_kind kind, uint32_t site, uint32_t id)
{
    write_lead(writer);
    probe_write(writer, "\t@!~lead bra ~done_#;\n", id);
    probe_write(writer, "\tmov.u32 ~tag, #;\n", RECORD_TAG(kind, site));
    write_record(writer, sizeof(struct record), "\tst.global.v4.u32 [~next], {~tag, ~mask, ~other, ~clock};\n", id);
}

static const struct ptx_variable *variable_of(const struct probe_writer *writer, const struct ptx_operand *operand)
{
    switch (operand->scope) {
    case PTX_SCOPE_MODULE:
        return &writer->program->variables[operand->index];
    case PTX_SCOPE_FUNCTION:
        return &writer->function->variables[operand->index];
    case PTX_SCOPE_PARAMETER:
        return &writer->function->parameters[operand->index];
    default:
        return &writer->function->results[operand->index];
    }
}

/* The address that [base + offset] stands for, in ~address, or in ~mine when it has 32 bits. */
static void write_address(struct probe_writer *writer, const struct ptx_operand *operand, bool small)
{
    const char *p = writer->prefix, *into = small ? "mine" : "address";
    if (operand->base == PTX_OPERAND_REGISTER) {
        const struct ptx_register *base = &writer->function->registers[operand->index];
        bool const wide = ptx_type_size(base->type) == 8;
        if (wide == !small)
            fprintf(writer->out, "\tadd.s%d %s_%s, %s, %" PRId64 ";\n", wide ? 64 : 32, p, into, base->name,
                    operand->offset);
        else if (wide)
            fprintf(writer->out, "\tcvt.u32.u64 %s_mine, %s;\n\tadd.s32 %s_mine, %s_mine, %" PRId64 ";\n", p,
                    base->name, p, p, operand->offset);
        else
            fprintf(writer->out, "\tadd.s32 %s_low, %s, %" PRId64 ";\n\tcvt.u64.u32 %s_address, %s_low;\n", p,
                    base->name, operand->offset, p, p);
    } else if (operand->base == PTX_OPERAND_VARIABLE) {
        int const bits = small ? 32 : 64;
        fprintf(writer->out, "\tmov.u%d %s_%s, %s;\n\tadd.s%d %s_%s, %s_%s, %" PRId64 ";\n", bits, p, into,
                variable_of(writer, operand)->name, bits, p, into, p, into, operand->offset);
    } else {
        fprintf(writer->out, "\tmov.u%d %s_%s, %" PRId64 ";\n", small ? 32 : 64, p, into, operand->offset);
    }
}

/* Do the addresses of a whole warp lie in rows, see RECORD_AFFINE? The steps are taken from the lanes right of lane 0
 * and below it; each lane checks its own address against what will be written, so that lanes which are not here, from
 * which anything may come, do no harm. ~fit tells; ~other is the step, ~size the row's. */
static void write_wide_test(struct probe_writer *writer)
{
    bool const rows = writer->shape.rows;
    probe_write(writer,
                "\tmov.b64 {~low, ~high}, ~address;\n"
                "\tshfl.sync.idx.b32 ~step, ~low, 1, 31, ~mask;\n",
                0);
    if (rows)
        probe_write(writer, "\tshfl.sync.idx.b32 ~size, ~low, ~turn, 31, ~mask;\n", 0);
    probe_write(writer,
                "\tshfl.sync.idx.b32 ~first, ~low, 0, 31, ~mask;\n"
                "\tshfl.sync.idx.b32 ~second, ~high, 0, 31, ~mask;\n"
                "\tsub.s32 ~other, ~step, ~first;\n"
                "\tmov.b64 ~base, {~first, ~second};\n",
                0);
    if (rows)
        probe_write(writer,
                    "\tsub.s32 ~size, ~size, ~first;\n"
                    "\tmad.wide.s32 ~here, ~column, ~other, ~base;\n"
                    "\tmad.wide.s32 ~here, ~row, ~size, ~here;\n",
                    0);
    else
        probe_write(writer, "\tmad.wide.s32 ~here, ~lane, ~other, ~base;\n", 0);
    probe_write(writer,
                "\tsetp.eq.s64 ~fit, ~here, ~address;\n"
                "\tvote.sync.all.pred ~fit, ~fit, ~mask;\n"
                "\tsetp.eq.and.u32 ~fit, ~mask, 0xffffffff, ~fit;\n",
                0);
}

/* The same in 32 bits; ~first is lane 0's address then, ~other both steps. */
static void write_small_test(struct probe_writer *writer)
{
    probe_write(writer, "\tshfl.sync.idx.b32 ~step, ~mine, 1, 31, ~mask;\n", 0);
    if (writer->shape.rows)
        probe_write(writer, "\tshfl.sync.idx.b32 ~other, ~mine, ~turn, 31, ~mask;\n", 0);
    probe_write(writer,
                "\tshfl.sync.idx.b32 ~first, ~mine, 0, 31, ~mask;\n"
                "\tsub.s32 ~step, ~step, ~first;\n",
                0);
    if (writer->shape.rows)
        probe_write(writer,
                    "\tsub.s32 ~other, ~other, ~first;\n"
                    "\tprmt.b32 ~other, ~step, ~other, 0x5410;\n"
                    "\tdp2a.lo.s32.u32 ~step, ~other, ~place, ~first;\n",
                    0);
    else
        probe_write(writer, "\tmov.b32 ~other, ~step;\n\tmad.lo.s32 ~step, ~other, ~lane, ~first;\n", 0);
    probe_write(writer,
                "\tsetp.eq.s32 ~fit, ~step, ~mine;\n"
                "\tvote.sync.all.pred ~fit, ~fit, ~mask;\n"
                "\tsetp.eq.and.u32 ~fit, ~mask, 0xffffffff, ~fit;\n",
                0);
}

/* The test for some lanes of a warp: rows count from the first of them. ~mine is the row's step. */
static void write_partial_test(struct probe_writer *writer)
{
    probe_write(writer,
                "\tbrev.b32 ~first, ~mask;\n"
                "\tclz.b32 ~first, ~first;\n"
                "\tadd.s32 ~second, ~first, 1;\n"
                "\tmov.b64 {~low, ~high}, ~address;\n"
                "\tshfl.sync.idx.b32 ~step, ~low, ~second, 31, ~mask;\n",
                0);
    if (writer->shape.rows)
        probe_write(writer,
                    "\tadd.s32 ~mine, ~first, ~turn;\n"
                    "\tshfl.sync.idx.b32 ~mine, ~low, ~mine, 31, ~mask;\n",
                    0);
    probe_write(writer,
                "\tshfl.sync.idx.b32 ~low, ~low, ~first, 31, ~mask;\n"
                "\tshfl.sync.idx.b32 ~high, ~high, ~first, 31, ~mask;\n"
                "\tsub.s32 ~other, ~step, ~low;\n"
                "\tmov.b64 ~base, {~low, ~high};\n",
                0);
    if (writer->shape.rows)
        probe_write(writer,
                    "\tsub.s32 ~mine, ~mine, ~low;\n"
                    "\tshr.u32 ~low, ~first, ~shift;\n"
                    "\tshl.b32 ~high, ~low, ~shift;\n"
                    "\tsub.s32 ~low, ~row, ~low;\n"
                    "\tsub.s32 ~high, ~first, ~high;\n"
                    "\tsub.s32 ~high, ~column, ~high;\n"
                    "\tmad.wide.s32 ~here, ~high, ~other, ~base;\n"
                    "\tmad.wide.s32 ~here, ~low, ~mine, ~here;\n",
                    0);
    else
        probe_write(writer,
                    "\tmov.u32 ~mine, 0;\n"
                    "\tsub.s32 ~high, ~lane, ~first;\n"
                    "\tmad.wide.s32 ~here, ~high, ~other, ~base;\n",
                    0);
    probe_write(writer, "\tsetp.eq.s64 ~fit, ~here, ~address;\n\tvote.sync.all.pred ~fit, ~fit, ~mask;\n", 0);
}

/* Cold: each lane writes its own address behind the record, which ~record points to in the leader. */
static void write_own_addresses(struct probe_writer *writer, bool small, uint32_t id)
{
    size_t const lane_bytes = small ? sizeof(uint32_t) : sizeof(uint64_t);
    probe_write(writer,
                "\tbrev.b32 ~first, ~mask;\n"
                "\tclz.b32 ~first, ~first;\n"
                "\tmov.b64 {~low, ~high}, ~record;\n"
                "\tshfl.sync.idx.b32 ~low, ~low, ~first, 31, ~mask;\n"
                "\tshfl.sync.idx.b32 ~high, ~high, ~first, 31, ~mask;\n"
                "\tmov.b64 ~record, {~low, ~high};\n"
                "\tsetp.eq.u64 ~room, ~record, 0;\n"
                "\t@~room bra ~done_#;\n",
                id);
    probe_write(writer, "\tmad.wide.u32 ~record, ~lane, #, ~record;\n", (uint32_t)lane_bytes);
    probe_write(writer, small ? "\tst.global.u32 [~record+#], ~mine;\n" : "\tst.global.u64 [~record+#], ~address;\n",
                sizeof(struct record));
    probe_write(writer, "\tbra ~done_#;\n", id);
}

/* Cold: lanes that are not a whole warp in rows. Those in global memory may still lie on a line; else the leader finds
 * room for all lanes' addresses. */
static void write_many(struct probe_writer *writer, uint32_t site, bool small, uint32_t id)
{
    size_t const lane_bytes = small ? sizeof(uint32_t) : sizeof(uint64_t);
    FILE *hot;
    to_cold(writer, &hot);
    probe_write(writer, "~many_#:\n", id);
    if (!small)
        write_partial_test(writer);
    write_lead(writer);
    probe_write(writer, "\tmov.u32 ~tag, #;\n", RECORD_TAG(small ? RECORD_LANES32 : RECORD_LANES64, site));
    probe_write(writer, "\tmov.u32 ~size, #;\n", (uint32_t)(sizeof(struct record) + WARP_LANES * lane_bytes));
    if (!small) {
        probe_write(writer, "\t@~fit mov.u32 ~tag, #;\n", RECORD_TAG(RECORD_AFFINE, site));
        probe_write(writer, "\t@~fit mov.u32 ~size, #;\n", sizeof(struct record) + sizeof(struct record_line));
    }
    probe_write(writer,
                "\tmov.u64 ~record, 0;\n"
                "\t@!~lead bra ~tell_#;\n"
                "\tsetp.ge.u32 ~room, ~left, ~size;\n"
                "\t@~room bra ~open_#;\n",
                id);
    write_take_chunk(writer, "\tbra ~tell_#;\n", id, id + 1);
    probe_write(writer,
                "~open_#:\n"
                "\tst.global.v4.u32 [~next], {~tag, ~mask, ~other, ~clock};\n"
                "\tmov.u64 ~record, ~next;\n",
                id);
    if (!small)
        probe_write(writer,
                    "\tmov.b64 {~low, ~high}, ~base;\n"
                    "\t@~fit st.global.v4.u32 [~next+16], {~low, ~high, ~mine, ~mine};\n",
                    0);
    probe_write(writer,
                "\tcvt.u64.u32 ~here, ~size;\n"
                "\tadd.u64 ~next, ~next, ~here;\n"
                "\tsub.u32 ~left, ~left, ~size;\n"
                "~tell_#:\n",
                id);
    if (!small)
        probe_write(writer, "\t@~fit bra ~done_#;\n", id);
    write_own_addresses(writer, small, id);
    to_hot(writer, hot);
}

static void write_access(struct probe_writer *writer, const struct ptx_instruction *instruction,
                         const struct ptx_operand *address, uint32_t id)
{
    bool const small = instruction->space == PTX_SPACE_SHARED || instruction->space == PTX_SPACE_LOCAL;
    write_start(writer, instruction, false, id);
    write_address(writer, address, small);
    if (small)
        write_small_test(writer);
    else
        write_wide_test(writer);
    probe_write(writer, "\t@!~fit bra ~many_#;\n\t@!~zero bra ~done_#;\n", id);
    probe_write(writer, "\tmov.u32 ~tag, #;\n", RECORD_TAG(small ? RECORD_FULL32 : RECORD_AFFINE, instruction->site));
    if (small)
        write_record(writer, sizeof(struct record), "\tst.global.v4.u32 [~next], {~tag, ~first, ~other, ~clock};\n",
                     id);
    else if (writer->shape.rows)
        write_record(writer, sizeof(struct record) + sizeof(struct record_line),
                     "\tst.global.v4.u32 [~next], {~tag, ~mask, ~other, ~clock};\n"
                     "\tmov.b64 {~low, ~high}, ~address;\n"
                     "\tst.global.v4.u32 [~next+16], {~low, ~high, ~size, ~size};\n",
                     id);
    else
        write_record(writer, sizeof(struct record) + sizeof(struct record_line),
                     "\tst.global.v4.u32 [~next], {~tag, ~mask, ~other, ~clock};\n"
                     "\tst.global.v2.u64 [~next+16], {~address, ~address};\n", /* half a sector would be slower */
                     id);
    write_many(writer, instruction->site, small, id);
    writer->labels++; /* write_many takes a second number */
}

static void write_branch(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id)
{
    write_start(writer, instruction, true, id);
    if (instruction->predicate == PTX_NO_INDEX) /* a table's branch: where each lane goes is not said */
        probe_write(writer, "\tmov.u32 ~other, ~mask;\n", 0);
    else
        fprintf(writer->out, "\tvote.sync.ballot.b32 %s_other, %s%s, %s_mask;\n", writer->prefix,
                instruction->predicate_negated ? "!" : "", predicate_of(writer, instruction), writer->prefix);
    write_mark(writer, RECORD_BRANCH, instruction->site, id);
}

static void write_event(struct probe_writer *writer, const struct ptx_instruction *instruction, enum record_kind kind,
                        uint32_t id)
{
    write_start(writer, instruction, false, id);
    probe_write(writer, "\tmov.u32 ~other, 0;\n", 0);
    write_mark(writer, kind, instruction->site, id);
}

static const struct ptx_operand *address_operand(const struct ptx_instruction *instruction)
{
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == PTX_OPERAND_ADDRESS)
            return &instruction->operands[i];
    return NULL;
}

void probe_end(struct probe_writer *writer, const char *cold)
{
    const struct ptx_function *function = writer->function;
    const struct ptx_instruction *last = &function->instructions[function->instruction_count - 1];
    enum ptx_kind const kind = ptx_opcode_kind(last->opcode);
    bool const stays = (kind == PTX_KIND_END || kind == PTX_KIND_BRANCH) && last->predicate == PTX_NO_INDEX;
    if (cold[0])
        fprintf(writer->out, "%s%s", stays ? "\n" : "\n\tret;\n", cold);
}

void probe_before(struct probe_writer *writer, const struct ptx_instruction *instruction)
{
    enum ptx_kind const kind = ptx_opcode_kind(instruction->opcode);
    if (instruction->site == PTX_NO_INDEX)
        return;
    const struct ptx_operand *address = address_operand(instruction);
    if (kind == PTX_KIND_BARRIER)
        write_event(writer, instruction, RECORD_ARRIVE, writer->labels++);
    else if (kind == PTX_KIND_BRANCH)
        write_branch(writer, instruction, writer->labels++);
    else if (address)
        write_access(writer, instruction, address, writer->labels++);
}

void probe_after(struct probe_writer *writer, const struct ptx_instruction *instruction)
{
    bool const waits =
        ptx_opcode_kind(instruction->opcode) == PTX_KIND_BARRIER && !ptx_has(instruction->modifiers, PTX_MOD_arrive);
    if (waits && instruction->site != PTX_NO_INDEX)
        write_event(writer, instruction, RECORD_RELEASE, writer->labels++);
}
