/* With values, every access and every shuffle has a probe before it and one after it. The first notes the active lanes,
 * the clock and each lane's address. The second runs when the value is known; each lane then writes its address and
 * value behind one record. All addresses of a warp are written, even where one would be enough. */
#include "cuda/probe/probe.h"
#include <inttypes.h>
#include <string.h>

enum { VALUE_BYTES = 8 };

void probe_values_registers(struct probe_writer *writer)
{
    probe_write(writer,
                "\t.reg .b16 ~half;\n"
                "\t.reg .b32 ~nothing;\n"
                "\t.reg .b64 ~value, ~part, ~rest;\n"
                "\tmov.b32 ~nothing, 0;\n",
                0);
}

/* Writes the probe before the access. The address stays in ~address, even if the access overwrites its register. */
static void write_before(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id)
{
    bool const small = probe_is_small(instruction);
    probe_write_guard(writer, instruction, id);
    probe_write(writer, "\tmov.u32 ~clock, %clock;\n\tactivemask.b32 ~mask;\n", 0);
    probe_write_address(writer, probe_address(instruction), small);
    if (small)
        probe_write(writer, "\tcvt.u64.u32 ~address, ~mine;\n", 0);
    probe_write(writer, "~done_#:\n", id);
}

/* Writes a load of 8 bytes from the memory of the access, at an offset. */
static void read_back(struct probe_writer *writer, const struct ptx_instruction *instruction, const char *into,
                      size_t bytes, size_t at)
{
    bool const copy = ptx_opcode_kind(instruction->opcode) == PTX_KIND_COPY; /* a copy reports its source */
    enum ptx_space const space = copy ? PTX_SPACE_GLOBAL : instruction->space;
    fprintf(writer->out, "ld%s%s.u%zu %s_%s, [%s_address+%zu];\n", space == PTX_SPACE_GENERIC ? "" : ".",
            space == PTX_SPACE_GENERIC ? "" : ptx_space_name(space), 8 * bytes, writer->prefix, into, writer->prefix,
            at);
}

/* Writes code that sets ~part to the value of a register, with zeros above the register's own bits. */
static void take_register(struct probe_writer *writer, const struct ptx_register *from)
{
    const char *p = writer->prefix;
    switch (ptx_type_size(from->type)) {
    case 16:
        fprintf(writer->out, "\tmov.b128 {%s_part, %s_rest}, %s;\n", p, p, from->name);
        break;
    case 8:
        fprintf(writer->out, "\tmov.b64 %s_part, %s;\n", p, from->name);
        break;
    case 4:
        fprintf(writer->out, "\tmov.b64 %s_part, {%s, %s_nothing};\n", p, from->name, p);
        break;
    case 2:
        fprintf(writer->out, "\tmov.b16 %s_half, %s;\n\tcvt.u64.u16 %s_part, %s_half;\n", p, from->name, p, p);
        break;
    default:
        fprintf(writer->out, "\tcvt.u64.u8 %s_part, %s;\n", p, from->name);
    }
}

/* Writes code that takes one element of an access into ~part. told: the operand that was read or written; for a sink
 * the value comes from memory. */
static void take_element(struct probe_writer *writer, const struct ptx_instruction *instruction,
                         const struct ptx_operand *told, size_t bytes, size_t at)
{
    const char *p = writer->prefix;
    if (told->kind == PTX_OPERAND_REGISTER) {
        take_register(writer, &writer->function->registers[told->index]);
    } else if (told->kind == PTX_OPERAND_IMMEDIATE) {
        fprintf(writer->out, "\tmov.b64 %s_part, 0x%" PRIx64 ";\n", p, told->bits);
    } else {
        putc('\t', writer->out);
        read_back(writer, instruction, "part", bytes, at);
    }
    if (bytes < VALUE_BYTES)
        fprintf(writer->out, "\tand.b64 %s_part, %s_part, 0x%" PRIx64 ";\n", p, p, (UINT64_C(1) << 8 * bytes) - 1);
}

static const struct ptx_operand *element_of(const struct ptx_operand *operand, unsigned k)
{
    return operand->kind == PTX_OPERAND_VECTOR ? &operand->elements[k] : operand;
}

/* Writes code for ~value of a load, a store, an atomic or a reduction. An atomic whose result is discarded counts as a
 * reduction: its value is the operand that the lane brought. */
static void take_elements(struct probe_writer *writer, const struct ptx_instruction *instruction)
{
    enum ptx_kind const kind = ptx_opcode_kind(instruction->opcode);
    size_t const size = ptx_type_size(instruction->types[instruction->type_count - 1]);
    size_t const bytes = size < VALUE_BYTES ? size : VALUE_BYTES;
    unsigned const count = instruction->vector ? instruction->vector : 1;
    bool const brings = kind == PTX_KIND_STORE || kind == PTX_KIND_REDUCTION;
    probe_write(writer, "\tmov.b64 ~value, 0;\n", 0);
    for (unsigned k = 0; k < count && k * size < VALUE_BYTES; k++) {
        const struct ptx_operand *told = element_of(&instruction->operands[brings], k);
        if (kind == PTX_KIND_ATOMIC && told->kind == PTX_OPERAND_SINK)
            told = element_of(&instruction->operands[2], k);
        take_element(writer, instruction, told, bytes, k * size);
        probe_write(writer, "\tshl.b64 ~part, ~part, #;\n\tor.b64 ~value, ~value, ~part;\n", (uint32_t)(8 * k * size));
    }
}

/* Writes code for ~value of a cp.async: it reads the source again, without the bytes that the copy leaves out. Lanes
 * that copy nothing do not come here. */
static void take_copy(struct probe_writer *writer, const struct ptx_instruction *instruction)
{
    uint32_t const all = (uint32_t)instruction->operands[2].bits;
    probe_write_taken(writer, instruction);
    probe_write(writer,
                "\tmin.u32 ~low, ~low, 8;\n"
                "\tshl.b32 ~low, ~low, 3;\n"
                "\tmov.b64 ~rest, -1;\n"
                "\tshl.b64 ~rest, ~rest, ~low;\n"
                "\tnot.b64 ~rest, ~rest;\n\t",
                0);
    read_back(writer, instruction, "value", all < VALUE_BYTES ? all : VALUE_BYTES, 0);
    probe_write(writer, "\tand.b64 ~value, ~value, ~rest;\n", 0);
}

void probe_write_values(struct probe_writer *writer, uint32_t site, uint32_t other, uint32_t id)
{
    probe_write_lead(writer);
    probe_write(writer,
                "\tmov.u64 ~record, 0;\n"
                "\t@!~lead bra ~tell_#;\n",
                id);
    probe_write(writer, "\tsetp.ge.u32 ~room, ~left, #;\n", sizeof(struct record_values));
    probe_write(writer, "\t@~room bra ~open_#;\n", id);
    probe_write_take_chunk(writer, "\tbra ~tell_#;\n", id, id);
    probe_write(writer, "~open_#:\n", id);
    probe_write(writer, "\tmov.u32 ~tag, #;\n", RECORD_TAG(RECORD_VALUES, site));
    probe_write(writer, "\tmov.u32 ~other, #;\n", other);
    probe_write(writer,
                "\tst.global.v4.u32 [~next], {~tag, ~mask, ~other, ~clock};\n"
                "\tmov.u64 ~record, ~next;\n"
                "\tadd.u64 ~next, ~next, #;\n"
                "\tsub.u32 ~left, ~left, #;\n",
                sizeof(struct record_values));
    probe_write(writer, "~tell_#:\n", id);
    probe_write_own_place(writer, id);
    probe_write(writer, "\tmad.wide.u32 ~record, ~lane, #, ~record;\n", sizeof(struct record_value));
    probe_write(writer, "\tst.global.v2.u64 [~record+#], {~address, ~value};\n", offsetof(struct record_values, lanes));
}

static void write_behind(struct probe_writer *writer, const struct ptx_instruction *instruction, uint32_t id)
{
    probe_write_guard(writer, instruction, id);
    if (ptx_opcode_kind(instruction->opcode) == PTX_KIND_COPY)
        take_copy(writer, instruction);
    else
        take_elements(writer, instruction);
    probe_write_values(writer, instruction->site, probe_is_small(instruction), id);
    probe_write(writer, "~done_#:\n", id);
}

void probe_write_valued(struct probe_writer *writer, const struct ptx_instruction *instruction, bool after)
{
    uint32_t const id = writer->labels++;
    if (after)
        write_behind(writer, instruction, id);
    else
        write_before(writer, instruction, id);
}

/* Writes code that puts a register or a number into one of our registers. */
static void write_word(struct probe_writer *writer, const char *into, const struct ptx_operand *from)
{
    const char *p = writer->prefix;
    if (from->kind == PTX_OPERAND_REGISTER)
        fprintf(writer->out, "\tmov.b32 %s_%s, %s;\n", p, into, writer->function->registers[from->index].name);
    else
        fprintf(writer->out, "\tmov.u32 %s_%s, %" PRIu32 ";\n", p, into, (uint32_t)from->bits);
}

/* Writes code that puts into ~low the lane that each lane's value comes from, by the rules of the PTX ISA: where the
 * source lies outside the lane's part of the warp, the lane itself. */
static void write_sources(struct probe_writer *writer, const struct ptx_instruction *instruction)
{
    write_word(writer, "low", &instruction->operands[2]);
    write_word(writer, "other", &instruction->operands[3]);
    probe_write(writer,
                "\tand.b32 ~low, ~low, 31;\n"
                "\tand.b32 ~first, ~other, 31;\n" /* the clamp */
                "\tshr.u32 ~other, ~other, 8;\n"
                "\tnot.b32 ~second, ~other;\n"
                "\tand.b32 ~first, ~first, ~second;\n"
                "\tand.b32 ~other, ~lane, ~other;\n" /* the first lane of the part */
                "\tand.b32 ~other, ~other, 31;\n"
                "\tor.b32 ~first, ~first, ~other;\n" /* the last lane allowed, for up the first */
                "\tand.b32 ~second, ~second, ~low;\n",
                0);
    if (ptx_has(instruction->modifiers, PTX_MOD_up))
        probe_write(writer, "\tsub.s32 ~low, ~lane, ~low;\n\tsetp.ge.s32 ~fit, ~low, ~first;\n", 0);
    else if (ptx_has(instruction->modifiers, PTX_MOD_down))
        probe_write(writer, "\tadd.s32 ~low, ~lane, ~low;\n\tsetp.le.u32 ~fit, ~low, ~first;\n", 0);
    else if (ptx_has(instruction->modifiers, PTX_MOD_bfly))
        probe_write(writer, "\txor.b32 ~low, ~lane, ~low;\n\tsetp.le.u32 ~fit, ~low, ~first;\n", 0);
    else
        probe_write(writer, "\tor.b32 ~low, ~other, ~second;\n\tsetp.le.u32 ~fit, ~low, ~first;\n", 0);
    probe_write(writer, "\tand.b32 ~low, ~low, 31;\n\tselp.b32 ~low, ~low, ~lane, ~fit;\n", 0);
}

void probe_write_shuffle(struct probe_writer *writer, const struct ptx_instruction *instruction, bool after)
{
    uint32_t const id = writer->labels++;
    probe_write_guard(writer, instruction, id);
    if (after) { /* the shuffle has brought its lanes together */
        probe_write(writer, "\tactivemask.b32 ~mask;\n", 0);
        take_element(writer, instruction, &instruction->operands[0], 4, 0);
        probe_write(writer, "\tshl.b64 ~rest, ~rest, 32;\n\tor.b64 ~value, ~part, ~rest;\n", 0);
        probe_write_values(writer, instruction->site, false, id);
    } else { /* the shuffle may overwrite what the lane brings */
        probe_write(writer, "\tmov.u32 ~clock, %clock;\n", 0);
        write_sources(writer, instruction);
        probe_write(writer, "\tcvt.u64.u32 ~address, ~low;\n", 0);
        take_element(writer, instruction, &instruction->operands[1], 4, 0);
        probe_write(writer, "\tmov.b64 ~rest, ~part;\n", 0);
    }
    probe_write(writer, "~done_#:\n", id);
}
