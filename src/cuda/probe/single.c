/* An access whose addresses are unknown before the launch. On the GPU the lanes test whether they lie in rows. If so,
 * one record of fixed size describes all of them. Otherwise each lane writes its own address behind the record. */
#include "cuda/probe/probe.h"
#include <inttypes.h>

const struct ptx_variable *probe_variable(const struct probe_writer *writer, const struct ptx_operand *operand)
{
    switch (operand->scope) {
    case PTX_SCOPE_MODULE:
        return &writer->module->variables[operand->index];
    case PTX_SCOPE_FUNCTION:
        return &writer->function->variables[operand->index];
    case PTX_SCOPE_PARAMETER:
        return &writer->function->parameters[operand->index];
    default:
        return &writer->function->results[operand->index];
    }
}

void probe_write_address(struct probe_writer *writer, const struct ptx_operand *operand, bool small)
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
                probe_variable(writer, operand)->name, bits, p, into, p, into, operand->offset);
    } else {
        fprintf(writer->out, "\tmov.u%d %s_%s, %" PRId64 ";\n", small ? 32 : 64, p, into, operand->offset);
    }
}

void probe_write_record(struct probe_writer *writer, size_t bytes, const char *stores, uint32_t id)
{
    probe_write(writer, "\tsetp.lt.u32 ~room, ~left, #;\n", (uint32_t)bytes);
    probe_write(writer, "\t@~room bra ~full_#;\n~write_#:\n", id);
    probe_write(writer, stores, 0);
    probe_write(writer, "\tadd.u64 ~next, ~next, #;\n\tsub.u32 ~left, ~left, #;\n", (uint32_t)bytes);
    probe_write(writer, "~done_#:\n", id);
    struct probe_cold const cold = probe_cold_begin(writer);
    probe_write(writer, "~full_#:\n", id);
    probe_write_take_chunk(writer, "\tbra ~done_#;\n", id, id);
    probe_write(writer, "\tbra ~write_#;\n", id);
    probe_cold_end(writer, cold);
}

/* Writes the test whether the addresses of a whole warp lie in rows, see RECORD_AFFINE. The steps come from the lane to
 * the right of lane 0 and the lane below it. Each lane compares its own address with the address that the record would
 * give it, so wrong steps from absent lanes do no harm. ~fit is the answer, ~other the step and ~size the row's step.
 */
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

/* Writes the same test in 32 bits. ~first is then lane 0's address and ~other holds both steps. */
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

/* Writes the test for some lanes of a warp. Rows count from the first of them, and ~mine is the row's step. */
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

void probe_write_own_place(struct probe_writer *writer, uint32_t id)
{
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
}

/* Cold code: each lane writes its own address behind the record. */
static void write_own_addresses(struct probe_writer *writer, bool small, uint32_t id)
{
    size_t const lane_bytes = small ? sizeof(uint32_t) : sizeof(uint64_t);
    probe_write_own_place(writer, id);
    probe_write(writer, "\tmad.wide.u32 ~record, ~lane, #, ~record;\n", (uint32_t)lane_bytes);
    probe_write(writer, small ? "\tst.global.u32 [~record+#], ~mine;\n" : "\tst.global.u64 [~record+#], ~address;\n",
                sizeof(struct record));
    probe_write(writer, "\tbra ~done_#;\n", id);
}

/* Cold code for lanes that are not a whole warp in rows. Lanes in global memory may still have one step; otherwise the
 * leader makes room for the addresses of all lanes. */
static void write_many(struct probe_writer *writer, uint32_t site, bool small, uint32_t id)
{
    size_t const lane_bytes = small ? sizeof(uint32_t) : sizeof(uint64_t);
    struct probe_cold const cold = probe_cold_begin(writer);
    probe_write(writer, "~many_#:\n", id);
    if (!small)
        write_partial_test(writer);
    probe_write_lead(writer);
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
    probe_write_take_chunk(writer, "\tbra ~tell_#;\n", id, id + 1);
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
    probe_cold_end(writer, cold);
}

/* Writes the probe of an access about which nothing is known before the launch. */
void probe_write_single(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id)
{
    bool const small = probe_is_small(instruction);
    probe_write_guard(writer, instruction, id);
    if (probe_is_unfolded(instruction)) /* a matrix access is one event of all lanes, which meet there */
        probe_write(writer, "\tbar.warp.sync 0xffffffff;\n\tmov.u32 ~clock, %clock;\n\tmov.u32 ~mask, 0xffffffff;\n",
                    0);
    else
        probe_write(writer, "\tmov.u32 ~clock, %clock;\n\tactivemask.b32 ~mask;\n", 0);
    probe_write_address(writer, probe_address(instruction), small);
    if (small)
        write_small_test(writer);
    else
        write_wide_test(writer);
    probe_write(writer, "\t@!~fit bra ~many_#;\n\t@!~zero bra ~done_#;\n", id);
    probe_write(writer, "\tmov.u32 ~tag, #;\n", RECORD_TAG(small ? RECORD_FULL32 : RECORD_AFFINE, instruction->site));
    if (small)
        probe_write_record(writer, sizeof(struct record),
                           "\tst.global.v4.u32 [~next], {~tag, ~first, ~other, ~clock};\n", id);
    else if (writer->shape.rows)
        probe_write_record(writer, sizeof(struct record) + sizeof(struct record_line),
                           "\tst.global.v4.u32 [~next], {~tag, ~mask, ~other, ~clock};\n"
                           "\tmov.b64 {~low, ~high}, ~address;\n"
                           "\tst.global.v4.u32 [~next+16], {~low, ~high, ~size, ~size};\n",
                           id);
    else
        probe_write_record(writer, sizeof(struct record) + sizeof(struct record_line),
                           "\tst.global.v4.u32 [~next], {~tag, ~mask, ~other, ~clock};\n"
                           "\tst.global.v2.u64 [~next+16], {~address, ~address};\n", /* half a sector is slower */
                           id);
    write_many(writer, instruction->site, small, id);
    writer->labels++; /* write_many uses a second number */
}
