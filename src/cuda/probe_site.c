/* The probe of one instruction, as PTX text. It is written out in full at every site, so that lanes of two sites never
 * run the same probe together: `activemask` inside it then tells exactly the lanes that run this instruction together.
 * The lowest of them leads: it alone looks for room and writes the record; see record.h for where. The temporaries are
 * registers of the function that all its probes share, which costs nothing: ptxas sees through it.
 *
 * In the templates `~` stands for our prefix, `#` for a number: the label's, the site's or an offset. */
#include "cuda/probe.h"
#include <inttypes.h>
#include <string.h>

enum { BASE_BYTES = 16 }; /* behind a record of addresses on a line */

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

void probe_prologue(struct probe_writer *writer)
{
    probe_write(writer,
                "\n\t.reg .pred ~on, ~fit, ~lead, ~room;\n"
                "\t.reg .b32 ~mask, ~first, ~second, ~lane, ~low, ~high, ~step, ~tag, ~other, ~size, ~left, ~clock;\n"
                "\t.reg .b32 ~pool;\n"
                "\t.reg .b64 ~next, ~index, ~address, ~base, ~here, ~there, ~counter, ~record;\n"
                "\tmov.u64 ~next, 0;\n"
                "\tmov.u32 ~left, 0;\n"
                "\tmov.u32 ~lane, %laneid;\n"
                "\tmov.u32 ~low, %ctaid.z;\n"
                "\tmov.u32 ~high, %nctaid.y;\n"
                "\tmov.u32 ~step, %ctaid.y;\n"
                "\tmad.lo.u32 ~low, ~low, ~high, ~step;\n"
                "\tmov.u32 ~high, %nctaid.x;\n"
                "\tmov.u32 ~step, %ctaid.x;\n"
                "\tcvt.u64.u32 ~here, ~step;\n"
                "\tmad.wide.u32 ~index, ~low, ~high, ~here;\n",
                0);
    write_control(writer, "u64", "here", offsetof(struct record_control, first));
    write_control(writer, "u64", "there", offsetof(struct record_control, span));
    probe_write(writer,
                "\tsub.s64 ~index, ~index, ~here;\n"
                "\tsetp.le.u64 ~on, ~index, ~there;\n",
                0);
}

static const char *predicate_of(const struct probe_writer *writer, const struct ptx_instruction *instruction)
{
    return writer->function->registers[instruction->predicate].name;
}

/* Who is here, when, and who leads. Lanes whose predicate does not hold step aside first. */
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
                "\tactivemask.b32 ~mask;\n"
                "\tbrev.b32 ~first, ~mask;\n"
                "\tclz.b32 ~first, ~first;\n"
                "\tsetp.eq.u32 ~lead, ~lane, ~first;\n",
                0);
}

/* The leader takes a new chunk from its block's pool and writes the chunk's head. */
static void write_take_chunk(struct probe_writer *writer, uint32_t id)
{
    probe_write(writer, "\tcvt.u32.u64 ~pool, ~index;\n", 0);
    write_control(writer, "u32", "low", offsetof(struct record_control, pool_mask));
    probe_write(writer, "\tand.b32 ~pool, ~pool, ~low;\n", 0);
    write_control(writer, "u64", "counter", offsetof(struct record_control, pools));
    probe_write(writer, "\tmad.wide.u32 ~counter, ~pool, #, ~counter;\n", sizeof(struct record_pool));
    probe_write(writer, "\tatom.global.add.u64 ~here, [~counter+#], 1;\n", offsetof(struct record_pool, taken));
    write_control(writer, "u64", "there", offsetof(struct record_control, pool_chunks));
    probe_write(writer,
                "\tsetp.lt.u64 ~room, ~here, ~there;\n"
                "\t@~room bra ~fresh_#;\n",
                id);
    probe_write(writer, "\tred.global.add.u64 [~counter+#], 1;\n", offsetof(struct record_pool, lost));
    probe_write(writer,
                "\tmov.u32 ~left, 0;\n"
                "\tbra ~skip_#;\n"
                "~fresh_#:\n"
                "\tcvt.u64.u32 ~counter, ~pool;\n"
                "\tmad.lo.u64 ~here, ~counter, ~there, ~here;\n",
                id);
    write_control(writer, "u32", "left", offsetof(struct record_control, chunk_bytes));
    write_control(writer, "u64", "next", offsetof(struct record_control, chunks));
    probe_write(writer,
                "\tcvt.u64.u32 ~there, ~left;\n"
                "\tmad.lo.u64 ~next, ~here, ~there, ~next;\n"
                "\tmov.u32 ~low, %tid.z;\n"
                "\tmov.u32 ~high, %ntid.y;\n"
                "\tmov.u32 ~pool, %tid.y;\n"
                "\tmad.lo.u32 ~low, ~low, ~high, ~pool;\n"
                "\tmov.u32 ~high, %ntid.x;\n"
                "\tmov.u32 ~pool, %tid.x;\n"
                "\tmad.lo.u32 ~low, ~low, ~high, ~pool;\n"
                "\tshr.u32 ~low, ~low, 5;\n"
                "\tor.b32 ~low, ~low, #;\n",
                RECORD_TAG(RECORD_CHUNK, 0));
    write_control(writer, "u64", "here", offsetof(struct record_control, first));
    probe_write(writer,
                "\tadd.u64 ~here, ~here, ~index;\n"
                "\tmov.u32 ~high, %smid;\n"
                "\tst.global.v2.u32 [~next], {~low, ~high};\n"
                "\tst.global.u64 [~next+8], ~here;\n"
                "\tmov.u64 ~here, %clock64;\n" /* now; back to when the low half was ~clock */
                "\tcvt.u32.u64 ~low, ~here;\n"
                "\tsub.u32 ~low, ~low, ~clock;\n"
                "\tcvt.u64.u32 ~there, ~low;\n"
                "\tsub.u64 ~there, ~here, ~there;\n"
                "\tmov.u64 ~here, %globaltimer;\n"
                "\tst.global.v2.u64 [~next+16], {~here, ~there};\n"
                "\tadd.u64 ~next, ~next, #;\n"
                "\tsub.u32 ~left, ~left, #;\n",
                sizeof(struct record_chunk));
}

/* The leader's part: room for ~size bytes, then the record. */
static void write_record(struct probe_writer *writer, bool with_base, uint32_t id)
{
    probe_write(writer,
                "\t@!~lead bra ~skip_#;\n"
                "\tsetp.ge.u32 ~room, ~left, ~size;\n"
                "\t@~room bra ~write_#;\n",
                id);
    write_take_chunk(writer, id);
    probe_write(writer,
                "~write_#:\n"
                "\tst.global.v4.u32 [~next], {~tag, ~mask, ~other, ~clock};\n",
                id);
    if (with_base)
        probe_write(writer,
                    "\t@~fit st.global.u64 [~next+#], ~base;\n"
                    "\tmov.u64 ~record, ~next;\n",
                    sizeof(struct record));
    probe_write(writer,
                "\tcvt.u64.u32 ~here, ~size;\n"
                "\tadd.u64 ~next, ~next, ~here;\n"
                "\tsub.u32 ~left, ~left, ~size;\n"
                "~skip_#:\n",
                id);
}

/* A record without addresses. */
static void write_mark(struct probe_writer *writer, enum record_kind kind, uint32_t site, uint32_t id)
{
    probe_write(writer, "\tmov.u32 ~tag, #;\n", RECORD_TAG(kind, site));
    probe_write(writer, "\tmov.u32 ~size, #;\n", sizeof(struct record));
    write_record(writer, false, id);
    probe_write(writer, "~done_#:\n", id);
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

/* The address that [base + offset] stands for, in ~address. */
static void write_address(struct probe_writer *writer, const struct ptx_operand *operand)
{
    const char *p = writer->prefix;
    if (operand->base == PTX_OPERAND_REGISTER) {
        const struct ptx_register *base = &writer->function->registers[operand->index];
        if (ptx_type_size(base->type) == 8)
            fprintf(writer->out, "\tadd.s64 %s_address, %s, %" PRId64 ";\n", p, base->name, operand->offset);
        else
            fprintf(writer->out, "\tadd.s32 %s_low, %s, %" PRId64 ";\n\tcvt.u64.u32 %s_address, %s_low;\n", p,
                    base->name, operand->offset, p, p);
    } else if (operand->base == PTX_OPERAND_VARIABLE) {
        fprintf(writer->out, "\tmov.u64 %s_address, %s;\n\tadd.s64 %s_address, %s_address, %" PRId64 ";\n", p,
                variable_of(writer, operand)->name, p, p, operand->offset);
    } else {
        fprintf(writer->out, "\tmov.u64 %s_address, %" PRId64 ";\n", p, operand->offset);
    }
}

/* Do all lanes' addresses lie on a line that starts at the first lane's? Then that address and the step say it all;
 * ~fit tells. The step is taken from the lane after the first. If that lane is not here, what comes from it may be
 * anything: it does no harm, since every lane that is here checks its own address. */
static void write_line_test(struct probe_writer *writer, bool small)
{
    probe_write(writer,
                "\tadd.s32 ~second, ~first, 1;\n"
                "\tmov.b64 {~low, ~high}, ~address;\n"
                "\tshfl.sync.idx.b32 ~step, ~low, ~second, 31, ~mask;\n"
                "\tshfl.sync.idx.b32 ~low, ~low, ~first, 31, ~mask;\n",
                0);
    if (small)
        probe_write(writer, "\tmov.u32 ~high, 0;\n", 0);
    else
        probe_write(writer, "\tshfl.sync.idx.b32 ~high, ~high, ~first, 31, ~mask;\n", 0);
    probe_write(writer,
                "\tsub.s32 ~other, ~step, ~low;\n"
                "\tmov.b64 ~base, {~low, ~high};\n"
                "\tsub.s32 ~step, ~lane, ~first;\n"
                "\tmad.wide.s32 ~here, ~step, ~other, ~base;\n"
                "\tsetp.eq.s64 ~fit, ~here, ~address;\n"
                "\tvote.sync.all.pred ~fit, ~fit, ~mask;\n",
                0);
}

static void write_access(struct probe_writer *writer, const struct ptx_instruction *instruction,
                         const struct ptx_operand *address, uint32_t id)
{
    bool const small = instruction->space == PTX_SPACE_SHARED || instruction->space == PTX_SPACE_LOCAL;
    size_t const lane_bytes = small ? sizeof(uint32_t) : sizeof(uint64_t);
    write_start(writer, instruction, false, id);
    write_address(writer, address);
    write_line_test(writer, small);
    fprintf(writer->out, "\tselp.b32 %s_tag, %" PRIu32 ", %" PRIu32 ", %s_fit;\n", writer->prefix,
            RECORD_TAG(RECORD_AFFINE, instruction->site),
            RECORD_TAG(small ? RECORD_LANES32 : RECORD_LANES64, instruction->site), writer->prefix);
    fprintf(writer->out, "\tselp.b32 %s_size, %zu, %zu, %s_fit;\n", writer->prefix, sizeof(struct record) + BASE_BYTES,
            sizeof(struct record) + WARP_LANES * lane_bytes, writer->prefix);
    probe_write(writer, "\tmov.u64 ~record, 0;\n", 0);
    write_record(writer, true, id);
    probe_write(writer,
                "\t@~fit bra ~done_#;\n"
                "\tmov.b64 {~low, ~high}, ~record;\n"
                "\tshfl.sync.idx.b32 ~low, ~low, ~first, 31, ~mask;\n"
                "\tshfl.sync.idx.b32 ~high, ~high, ~first, 31, ~mask;\n"
                "\tmov.b64 ~record, {~low, ~high};\n"
                "\tsetp.eq.u64 ~room, ~record, 0;\n"
                "\t@~room bra ~done_#;\n",
                id);
    probe_write(writer, "\tmad.wide.u32 ~record, ~lane, #, ~record;\n", (uint32_t)lane_bytes);
    if (small)
        probe_write(writer, "\tcvt.u32.u64 ~low, ~address;\n", 0);
    probe_write(writer, small ? "\tst.global.u32 [~record+#], ~low;\n" : "\tst.global.u64 [~record+#], ~address;\n",
                sizeof(struct record));
    probe_write(writer, "~done_#:\n", id);
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
