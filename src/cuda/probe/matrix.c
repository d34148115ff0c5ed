/* Accesses that are not one address per lane. In ldmatrix and stmatrix each lane gives an address, and the machine may
 * use those of some lanes only. In wmma.load and wmma.store the whole warp gives one address and a stride. In a bulk
 * copy each active lane gives an address and a number of bytes. The probe records that much; record_unfold computes the
 * same accesses that the emulator reports. Barrier objects make no events, as in the emulator. Products of matrices
 * access no memory; their registers are recorded with values. */
#include "cuda/probe/probe.h"
#include <inttypes.h>

static bool is_bulk(const struct ptx_instruction *instruction)
{
    return ptx_opcode_kind(instruction->opcode) == PTX_KIND_COPY && ptx_has(instruction->modifiers, PTX_MOD_bulk);
}

static bool is_matrix(const struct ptx_instruction *instruction)
{
    return ptx_opcode_kind(instruction->opcode) == PTX_KIND_MATRIX;
}

/* Returns the space that a bulk copy reports: the one it reads, or global memory when it writes there. */
static enum ptx_space told_space(const struct ptx_instruction *instruction)
{
    return instruction->space == PTX_SPACE_GLOBAL ? instruction->space : instruction->source_space;
}

const char *probe_refused(const struct ptx_module *module, const struct ptx_instruction *instruction)
{
    struct ptx_matrix matrix;
    if (instruction->opcode == PTX_OP_wgmma || instruction->opcode == PTX_OP_tcgen05)
        return "its matrices lie behind descriptors";
    if (!probe_is_unfolded(instruction))
        return NULL;
    if (is_matrix(instruction))
        return ptx_matrix_read(module, instruction, &matrix) ? NULL : "its form is not known here";
    if (ptx_has(instruction->modifiers, PTX_MOD_tensor))
        return "its addresses stand in a tensor map";
    return ptx_has(instruction->modifiers, PTX_MOD_reduce) ? "a trace has no event for a sum in bulk" : NULL;
}

const struct record_unfold *const *probe_find_unfolded(struct arena *arena, const struct ptx_module *module)
{
    const struct record_unfold **found = arena_array(arena, const struct record_unfold *, module->site_count + 1);
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = &module->functions[f];
        for (uint32_t i = 0; i < function->instruction_count; i++) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            if (!probe_is_unfolded(instruction))
                continue;
            struct record_unfold *unfold = arena_new(arena, struct record_unfold);
            unfold->in_bulk = is_bulk(instruction);
            unfold->small = unfold->in_bulk ? told_space(instruction) == PTX_SPACE_SHARED : probe_is_small(instruction);
            if (!unfold->in_bulk)
                ptx_matrix_read(module, instruction, &unfold->form);
            found[instruction->site] = unfold;
        }
    }
    return found;
}

/* Writes code that puts the operand's value into ~other, or `otherwise` when there is no operand. */
static void write_number(struct probe_writer *writer, const struct ptx_operand *operand, uint32_t otherwise)
{
    bool const in_register = operand && operand->kind == PTX_OPERAND_REGISTER;
    if (in_register)
        fprintf(writer->out, "\tmov.b32 %s_other, %s;\n", writer->prefix,
                writer->function->registers[operand->index].name);
    else
        probe_write(writer, "\tmov.u32 ~other, #;\n", operand ? (uint32_t)operand->bits : otherwise);
}

/* Writes a record with the address in ~base, a number in ~other, and ~mask. */
static void write_given(struct probe_writer *writer, const char *stores, uint32_t site, uint32_t id)
{
    probe_write(writer, "\tmov.u32 ~tag, #;\n", RECORD_TAG(RECORD_GIVEN, site));
    probe_write_record(writer, sizeof(struct record) + sizeof(struct record_line), stores, id);
}

/* Writes a record of an instruction in which all lanes give the same: lane 0 reports it once all lanes have arrived. */
static void write_whole(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id)
{
    struct ptx_matrix form;
    const struct ptx_operand *stride = instruction->operand_count > 2 ? &instruction->operands[2] : NULL;
    ptx_matrix_read(writer->module, instruction, &form);
    probe_write_guard(writer, instruction, id);
    probe_write(writer,
                "\tbar.warp.sync 0xffffffff;\n"
                "\t@!~zero bra ~done_#;\n"
                "\tmov.u32 ~clock, %clock;\n"
                "\tmov.u32 ~mask, 0xffffffff;\n",
                id);
    probe_write_address(writer, probe_address(instruction), false);
    write_number(writer, stride, form.stride);
    write_given(writer,
                "\tst.global.v4.u32 [~next], {~tag, ~mask, ~other, ~clock};\n"
                "\tst.global.v2.u64 [~next+16], {~address, ~address};\n",
                instruction->site, id);
}

/* Writes code that gives all lanes of ~mask the address of lane ~first. */
static void write_of_first(struct probe_writer *writer, const struct ptx_operand *operand, const char *into)
{
    probe_write_address(writer, operand, false);
    probe_write(writer,
                "\tmov.b64 {~low, ~high}, ~address;\n"
                "\tshfl.sync.idx.b32 ~low, ~low, ~first, 31, ~mask;\n"
                "\tshfl.sync.idx.b32 ~high, ~high, ~first, 31, ~mask;\n",
                0);
    fprintf(writer->out, "\tmov.b64 %s_%s, {%s_low, %s_high};\n", writer->prefix, into, writer->prefix, writer->prefix);
}

/* ---- with values: each access is recorded by itself, as record_unfold would compute it ---- */

/* Writes code that sets a register to at[~lane], where at[] is a sum over the bits of the lane's number, as the places
 * of pieces are. */
static void write_by_bits(struct probe_writer *writer, const char *into, const unsigned at[WARP_LANES])
{
    const char *p = writer->prefix;
    fprintf(writer->out, "\tmov.u32 %s_%s, %u;\n", p, into, at[0]);
    for (unsigned bit = 0; bit < 5; bit++) {
        unsigned const step = at[1u << bit] - at[0];
        if (step)
            fprintf(writer->out, "\tbfe.u32 %s_low, %s_lane, %u, 1;\n\tmad.lo.u32 %s_%s, %s_low, %u, %s_%s;\n", p, p,
                    bit, p, into, p, step, p, into);
    }
}

static void write_read(struct probe_writer *writer, enum ptx_space space, unsigned bytes, const char *from)
{
    fprintf(writer->out, "\tld%s%s.u%u %s_value, [%s_%s];\n", space == PTX_SPACE_GENERIC ? "" : ".",
            space == PTX_SPACE_GENERIC ? "" : ptx_space_name(space), 8 * (bytes < 8 ? bytes : 8), writer->prefix,
            writer->prefix, from);
}

/* Writes one step of a matrix load or store. ~base: the address that the lane gives; ~mine: the stride in bytes. */
static void write_step(struct probe_writer *writer, const struct ptx_instruction *instruction,
                       const struct ptx_matrix *form, unsigned step)
{
    unsigned lines[WARP_LANES], bytes[WARP_LANES];
    uint32_t const id = writer->labels++, mask = ptx_matrix_lanes(form);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct ptx_piece const piece = ptx_matrix_piece(form, step, lane);
        lines[lane] = form->whole ? piece.line : 0;
        bytes[lane] = form->whole ? piece.bytes : 0;
    }
    probe_write(writer, "\tmov.u32 ~mask, #;\n", mask);
    if (mask != UINT32_MAX)
        probe_write(writer,
                    "\tshr.u32 ~low, ~mask, ~lane;\n\tand.b32 ~low, ~low, 1;\n\tsetp.eq.u32 ~room, ~low, 0;\n"
                    "\t@~room bra ~done_#;\n",
                    id);
    write_by_bits(writer, "first", lines);
    write_by_bits(writer, "second", bytes);
    probe_write(writer,
                "\tmad.wide.u32 ~address, ~first, ~mine, ~base;\n"
                "\tcvt.u64.u32 ~here, ~second;\n"
                "\tadd.s64 ~address, ~address, ~here;\n",
                0);
    write_read(writer, instruction->space, form->bytes, "address");
    probe_write_values(writer, instruction->site, probe_is_small(instruction), id);
    probe_write(writer, "~done_#:\n", id);
}

/* Writes the probe before a load, whose values already lie in memory, or after a store. */
static void write_steps(struct probe_writer *writer, const struct ptx_instruction *instruction, bool after)
{
    struct ptx_matrix form;
    ptx_matrix_read(writer->module, instruction, &form);
    uint32_t const id = writer->labels++;
    probe_write_guard(writer, instruction, id);
    if (!after)
        probe_write(writer, "\tbar.warp.sync 0xffffffff;\n\tmov.u32 ~clock, %clock;\n", 0);
    if (after == (form.action == PTX_MATRIX_STORE)) {
        probe_write_address(writer, probe_address(instruction), false);
        write_number(writer, form.whole && instruction->operand_count > 2 ? &instruction->operands[2] : NULL,
                     form.stride);
        probe_write(writer, "\tmov.b64 ~base, ~address;\n\tmul.lo.u32 ~mine, ~other, #;\n\tshr.u32 ~mine, ~mine, 3;\n",
                    ptx_number_bits(form.format[0]));
        for (unsigned step = 0; step < form.steps; step++)
            write_step(writer, instruction, &form, step);
    }
    probe_write(writer, "~done_#:\n", id);
}

/* Writes the leader's part for one lane's copy: its pieces in groups of 32. ~base: the reported address; ~rest: the
 * source; ~other: bytes. */
static void write_rows(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id)
{
    uint32_t const row = writer->labels++;
    probe_write(writer, "~row_#:\n\tshr.u32 ~second, ~other, 4;\n\tsetp.eq.u32 ~room, ~second, 0;\n", row);
    probe_write(writer, "\t@~room bra ~done_#;\n", id);
    probe_write(writer, "\tmin.u32 ~second, ~second, 32;\n\tsetp.ge.u32 ~room, ~left, #;\n",
                sizeof(struct record_values));
    probe_write(writer, "\t@~room bra ~open_#;\n", row);
    probe_write_take_chunk(writer, "\tbra ~done_#;\n", id, row);
    probe_write(writer, "~open_#:\n", row);
    probe_write(writer, "\tmov.u32 ~tag, #;\n", RECORD_TAG(RECORD_VALUES, instruction->site));
    probe_write(writer, "\tshl.b32 ~size, ~first, 8;\n\tor.b32 ~size, ~size, #;\n",
                told_space(instruction) == PTX_SPACE_SHARED);
    probe_write(writer,
                "\tmov.u32 ~low, 1;\n\tshl.b32 ~low, ~low, ~second;\n\tsub.u32 ~low, ~low, 1;\n" /* a shift by 32 gives
                                                                                                    0: all lanes */
                "\tst.global.v4.u32 [~next], {~tag, ~low, ~size, ~clock};\n"
                "\tadd.u64 ~record, ~next, #;\n",
                offsetof(struct record_values, lanes));
    probe_write(writer, "\tadd.u64 ~next, ~next, #;\n\tsub.u32 ~left, ~left, #;\n", sizeof(struct record_values));
    probe_write(writer, "~piece_#:\n", row);
    write_read(writer, instruction->source_space, TRACE_PIECE, "rest");
    probe_write(writer,
                "\tst.global.v2.u64 [~record], {~base, ~value};\n"
                "\tadd.u64 ~record, ~record, #;\n"
                "\tadd.u64 ~base, ~base, #;\n"
                "\tadd.u64 ~rest, ~rest, #;\n"
                "\tsub.u32 ~other, ~other, #;\n",
                TRACE_PIECE);
    probe_write(writer,
                "\tsub.u32 ~second, ~second, 1;\n"
                "\tsetp.ne.u32 ~room, ~second, 0;\n"
                "\t@~room bra ~piece_#;\n"
                "\tbra ~row_#;\n",
                row);
}

/* Writes the records of a bulk copy. The leader reports the copies of all lanes, from the lowest lane on. ~mine: lanes
 * still to be reported; ~second: the current lane. */
static void write_bulk(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id)
{
    uint32_t const each = writer->labels++;
    bool const values = writer->layout->values;
    probe_write_guard(writer, instruction, id);
    probe_write(writer, "\tmov.u32 ~clock, %clock;\n\tactivemask.b32 ~mask;\n\tmov.u32 ~mine, ~mask;\n", 0);
    probe_write_lead(writer);
    probe_write(writer, "~each_#:\n\tbrev.b32 ~first, ~mine;\n\tclz.b32 ~first, ~first;\n", each);
    if (values)
        write_of_first(writer, &instruction->operands[1], "rest");
    write_of_first(writer, probe_address(instruction), "base");
    write_number(writer, &instruction->operands[2], 0);
    probe_write(writer,
                "\tshfl.sync.idx.b32 ~other, ~other, ~first, 31, ~mask;\n"
                "\tsub.s32 ~step, ~mine, 1;\n"
                "\tand.b32 ~step, ~step, ~mine;\n" /* removes the lowest lane */
                "\txor.b32 ~second, ~step, ~mine;\n"
                "\tmov.u32 ~mine, ~step;\n"
                "\t@!~lead bra ~done_#;\n",
                each);
    if (values) {
        write_rows(writer, instruction, each);
        probe_write(writer, "~done_#:\n", each);
    } else {
        write_given(writer,
                    "\tst.global.v4.u32 [~next], {~tag, ~second, ~other, ~clock};\n"
                    "\tst.global.v2.u64 [~next+16], {~base, ~base};\n",
                    instruction->site, each);
    }
    probe_write(writer, "\tsetp.ne.u32 ~room, ~mine, 0;\n\t@~room bra ~each_#;\n", each);
    probe_write(writer, "~done_#:\n", id);
}

void probe_write_pieces(struct probe_writer *writer, const struct ptx_instruction *instruction, bool after)
{
    if (is_matrix(instruction))
        write_steps(writer, instruction, after);
    else if (!after)
        write_bulk(writer, instruction, writer->labels++);
}

void probe_write_access(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id)
{
    if (is_bulk(instruction))
        write_bulk(writer, instruction, id);
    else if (instruction->opcode == PTX_OP_wmma)
        write_whole(writer, instruction, id);
    else
        probe_write_single(writer, instruction, id);
}

/* ---- products, with values: the registers of each matrix in parts of 16 bytes a lane ---- */

/* Writes code that puts 8 bytes of a lane's registers into ~address or ~value, from register `first` on. */
static void write_words(struct probe_writer *writer, const struct ptx_operand *operand,
                        const struct ptx_fragment *fragment, unsigned first, const char *into)
{
    static const char *const halves[] = {"low", "high"};
    const struct ptx_operand *elements = operand->kind == PTX_OPERAND_VECTOR ? operand->elements : operand;
    unsigned const count = 64u / fragment->bits;
    const char *p = writer->prefix, *names[2] = {NULL};
    for (unsigned k = 0; k < count; k++) {
        bool const held = first + k < fragment->registers;
        const struct ptx_operand *one = &elements[held ? first + k : 0];
        if (held && one->kind == PTX_OPERAND_REGISTER)
            names[k] = writer->function->registers[one->index].name;
        else if (count == 2)
            fprintf(writer->out, "\tmov.u32 %s_%s, 0x%" PRIx32 ";\n", p, halves[k],
                    held && one->kind == PTX_OPERAND_IMMEDIATE ? (uint32_t)one->bits : 0);
        else
            fprintf(writer->out, "\tmov.b64 %s_%s, 0x%" PRIx64 ";\n", p, into,
                    held && one->kind == PTX_OPERAND_IMMEDIATE ? one->bits : 0);
    }
    for (unsigned k = 0; k < count && count == 2; k++)
        if (names[k])
            fprintf(writer->out, "\tmov.b32 %s_%s, %s;\n", p, halves[k], names[k]);
    if (count == 2)
        fprintf(writer->out, "\tmov.b64 %s_%s, {%s_low, %s_high};\n", p, into, p, p);
    else if (names[0])
        fprintf(writer->out, "\tmov.b64 %s_%s, %s;\n", p, into, names[0]);
}

static void write_parts(struct probe_writer *writer, const struct ptx_instruction *instruction,
                        const struct ptx_matrix *form, char which)
{
    const struct ptx_operand *operand = &instruction->operands[which == 'd' ? 0 : which - 'a' + 1];
    struct ptx_fragment const fragment = ptx_matrix_fragment(form, which);
    unsigned const half = 64u / fragment.bits, held = operand->kind == PTX_OPERAND_VECTOR ? operand->count : 1;
    for (unsigned k = 0; k < fragment.parts && fragment.registers <= held; k++) {
        uint32_t const id = writer->labels++;
        probe_write(writer, "\tmov.u32 ~clock, %clock;\n\tmov.u32 ~mask, 0xffffffff;\n", 0);
        write_words(writer, operand, &fragment, 2 * k * half, "address");
        write_words(writer, operand, &fragment, (2 * k + 1) * half, "value");
        probe_write_values(writer, instruction->site, (fragment.first_part + k) << 8, id);
        probe_write(writer, "~done_#:\n", id);
    }
}

/* A product may write its result over its factors, so these are recorded before it. */
void probe_write_product(struct probe_writer *writer, const struct ptx_instruction *instruction, bool after)
{
    struct ptx_matrix form;
    uint32_t const id = writer->labels++;
    if (!ptx_matrix_read(writer->module, instruction, &form) || (instruction->operand_count != 4 && !form.sparse))
        return;
    probe_write_guard(writer, instruction, id);
    if (!after)
        probe_write(writer, "\tbar.warp.sync 0xffffffff;\n", 0);
    for (const char *which = after ? "d" : "abc"; *which; which++)
        write_parts(writer, instruction, &form, *which);
    probe_write(writer, "~done_#:\n", id);
}
