/* Accesses that are not one address a lane. Of ldmatrix and stmatrix each lane gives an address, of which the machine
 * may take those of some lanes only; of wmma.load and wmma.store the whole warp gives one address and a stride; of a
 * copy in bulk each active lane gives an address and a number of bytes. That much is recorded; record_unfold makes of
 * it the accesses that the emulator tells. Barrier objects make no events, here as there. */
#include "cuda/probe.h"
#include <inttypes.h>

static bool is_bulk(const struct ptx_instruction *instruction)
{
    return ptx_opcode_kind(instruction->opcode) == PTX_KIND_COPY && ptx_has(instruction->modifiers, PTX_MOD_bulk);
}

static bool is_matrix(const struct ptx_instruction *instruction)
{
    return ptx_opcode_kind(instruction->opcode) == PTX_KIND_MATRIX;
}

/* Of a copy in bulk: where it reads, or, into global memory, writes. */
static enum ptx_space told_space(const struct ptx_instruction *instruction)
{
    return instruction->space == PTX_SPACE_GLOBAL ? instruction->space : instruction->source_space;
}

bool probe_is_unfolded(const struct ptx_instruction *instruction)
{
    return instruction->site != PTX_NO_INDEX && (is_matrix(instruction) || is_bulk(instruction));
}

const char *probe_refused(const struct ptx_program *program, const struct ptx_instruction *instruction)
{
    struct ptx_matrix matrix;
    if (instruction->opcode == PTX_OP_wgmma || instruction->opcode == PTX_OP_tcgen05)
        return "its matrices lie behind descriptors";
    if (!probe_is_unfolded(instruction))
        return NULL;
    if (is_matrix(instruction))
        return ptx_matrix_read(program, instruction, &matrix) ? NULL : "its form is not known here";
    if (ptx_has(instruction->modifiers, PTX_MOD_tensor))
        return "its addresses stand in a tensor map";
    return ptx_has(instruction->modifiers, PTX_MOD_reduce) ? "a trace has no event for a sum in bulk" : NULL;
}

const struct record_unfold *const *probe_find_unfolded(struct arena *arena, const struct ptx_program *program)
{
    const struct record_unfold **found = arena_array(arena, const struct record_unfold *, program->site_count + 1);
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ptx_function *function = &program->functions[f];
        for (uint32_t i = 0; i < function->instruction_count; i++) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            if (!probe_is_unfolded(instruction))
                continue;
            struct record_unfold *unfold = arena_new(arena, struct record_unfold);
            unfold->in_bulk = is_bulk(instruction);
            unfold->small = unfold->in_bulk ? told_space(instruction) == PTX_SPACE_SHARED : probe_is_small(instruction);
            if (!unfold->in_bulk)
                ptx_matrix_read(program, instruction, &unfold->form);
            found[instruction->site] = unfold;
        }
    }
    return found;
}

/* What the operand holds, or the number where there is none, in ~other. */
static void write_number(struct probe_writer *writer, const struct ptx_operand *operand, uint32_t otherwise)
{
    bool const in_register = operand && operand->kind == PTX_OPERAND_REGISTER;
    if (in_register)
        fprintf(writer->out, "\tmov.b32 %s_other, %s;\n", writer->prefix,
                writer->function->registers[operand->index].name);
    else
        probe_write(writer, "\tmov.u32 ~other, #;\n", operand ? (uint32_t)operand->bits : otherwise);
}

/* The address in ~base and a number in ~other, with ~mask. */
static void write_given(struct probe_writer *writer, const char *stores, uint32_t site, uint32_t id)
{
    probe_write(writer, "\tmov.u32 ~tag, #;\n", RECORD_TAG(RECORD_GIVEN, site));
    probe_write_record(writer, sizeof(struct record) + sizeof(struct record_line), stores, id);
}

/* The same of all lanes: lane 0 tells it, once all are there. */
static void write_whole(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id)
{
    struct ptx_matrix form;
    const struct ptx_operand *stride = instruction->operand_count > 2 ? &instruction->operands[2] : NULL;
    ptx_matrix_read(writer->program, instruction, &form);
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

/* Each lane its own, from the lowest on: the leader tells them all. ~mine: lanes still to be told of; ~upper: the one
 * lane. */
static void write_bulk(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id)
{
    uint32_t const each = writer->labels++;
    probe_write_guard(writer, instruction, id);
    probe_write(writer, "\tmov.u32 ~clock, %clock;\n\tactivemask.b32 ~mask;\n\tmov.u32 ~mine, ~mask;\n", 0);
    probe_write_lead(writer);
    probe_write(writer, "~each_#:\n", each);
    probe_write_address(writer, probe_address(instruction), false);
    write_number(writer, &instruction->operands[2], 0);
    probe_write(writer,
                "\tbrev.b32 ~first, ~mine;\n"
                "\tclz.b32 ~first, ~first;\n"
                "\tmov.b64 {~low, ~high}, ~address;\n"
                "\tshfl.sync.idx.b32 ~low, ~low, ~first, 31, ~mask;\n"
                "\tshfl.sync.idx.b32 ~high, ~high, ~first, 31, ~mask;\n"
                "\tshfl.sync.idx.b32 ~other, ~other, ~first, 31, ~mask;\n"
                "\tmov.b64 ~base, {~low, ~high};\n"
                "\tsub.s32 ~second, ~mine, 1;\n"
                "\tand.b32 ~second, ~second, ~mine;\n" /* without the lowest */
                "\txor.b32 ~step, ~second, ~mine;\n"
                "\tmov.u32 ~mine, ~second;\n"
                "\tmov.u32 ~second, ~step;\n"
                "\t@!~lead bra ~done_#;\n",
                each);
    write_given(writer,
                "\tst.global.v4.u32 [~next], {~tag, ~second, ~other, ~clock};\n"
                "\tst.global.v2.u64 [~next+16], {~base, ~base};\n",
                instruction->site, each);
    probe_write(writer, "\tsetp.ne.u32 ~room, ~mine, 0;\n\t@~room bra ~each_#;\n", each);
    probe_write(writer, "~done_#:\n", id);
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
