/* The record of a run, written at the run's last event. Nearly always lane 0 is present and leads. It then stores to
 * the chunk that it owns from the start, without a branch. Groups without lane 0, and lane 0 when its chunk is full,
 * take a way round by the function's end. */
#include "cuda/probe/probe.h"
#include <inttypes.h>

static uint32_t place_of(const struct probe_writer *writer, const struct probe_run *run, uint32_t at)
{
    return writer->layout->runs[run->number].place + at;
}

static const struct ptx_instruction *last_of(const struct probe_writer *writer, const struct probe_run *run)
{
    return &writer->function->instructions[run->last.instruction];
}

/* Writes code that puts a word of 4 bytes into ~low or ~other. */
static void write_small_word(struct probe_writer *writer, const struct probe_word *word, const char *into)
{
    const char *p = writer->prefix;
    if (word->kind != WORD_SMALL) {
        fprintf(writer->out, "\tmov.u32 %s_%s, %s_%s;\n", p, into, p, word->kind == WORD_TAKEN ? "taken" : "late");
        return;
    }
    const struct ptx_operand *address = word->address;
    if (address->base == PTX_OPERAND_VARIABLE) {
        fprintf(writer->out, "\tmov.u32 %s_%s, %s;\n", p, into, probe_variable(writer, address)->name);
        return;
    }
    const struct ptx_register *base = &writer->function->registers[address->index];
    fprintf(writer->out, "\t%s %s_%s, %s;\n", ptx_type_size(base->type) == 8 ? "cvt.u32.u64" : "mov.b32", p, into,
            base->name);
}

static void write_wide_word(struct probe_writer *writer, const struct probe_run *run, const struct probe_word *word,
                            const char *who)
{
    const char *p = writer->prefix;
    uint32_t const place = place_of(writer, run, word->at);
    if (word->address->base == PTX_OPERAND_VARIABLE)
        fprintf(writer->out, "\tmov.u64 %s_address, %s;\n\t@%s_%s st.global.u64 [%s_next+%" PRIu32 "], %s_address;\n",
                p, probe_variable(writer, word->address)->name, p, who, p, place, p);
    else
        fprintf(writer->out, "\t@%s_%s st.global.u64 [%s_next+%" PRIu32 "], %s;\n", p, who, p, place,
                writer->function->registers[word->address->index].name);
}

/* Writes stores to the rest of the record behind its words. When the stores of a sector are far apart in time, a partly
 * written sector must be read before it goes to memory. */
static void fill_up(struct probe_writer *writer, const struct probe_run *run, const char *who)
{
    const char *p = writer->prefix;
    uint32_t used = sizeof(struct record);
    uint32_t const bytes = writer->layout->runs[run->number].bytes;
    for (uint32_t i = 0; i < run->word_count; i++) {
        uint32_t const end = run->words[i].at + (run->words[i].kind == WORD_WIDE ? 8 : 4);
        used = run->words[i].at >= sizeof(struct record) && end > used ? end : used;
    }
    for (uint32_t step; used < bytes; used += step) {
        step = used % 8 ? 4 : 8;
        fprintf(writer->out,
                step == 8 ? "\t@%s_%s st.global.v2.u32 [%s_next+%" PRIu32 "], {%s_mask, %s_mask};\n"
                          : "\t@%s_%s st.global.u32 [%s_next+%" PRIu32 "], %s_mask;\n",
                p, who, p, place_of(writer, run, used), p, p);
    }
}

/* Writes the stores of the whole record, by the lane for which the predicate `who` holds. */
static void write_stores(struct probe_writer *writer, const struct probe_run *run, const char *who)
{
    const char *p = writer->prefix;
    const char *first = "mask"; /* when the word is not used */
    for (uint32_t i = 0; i < run->word_count; i++)
        if (run->words[i].at == offsetof(struct record, other)) {
            write_small_word(writer, &run->words[i], "other");
            first = "other";
        }
    probe_write(writer, "\tmov.u32 ~tag, #;\n", RECORD_TAG(RECORD_RUN, run->number));
    fprintf(writer->out, "\t@%s_%s st.global.v4.u32 [%s_next+%" PRIu32 "], {%s_tag, %s_mask, %s_%s, %s_clock};\n", p,
            who, p, place_of(writer, run, 0), p, p, p, first, p);
    for (uint32_t i = 0; i < run->word_count; i++) {
        const struct probe_word *word = &run->words[i];
        if (word->kind == WORD_WIDE) {
            write_wide_word(writer, run, word, who);
        } else if (word->at != offsetof(struct record, other)) {
            write_small_word(writer, word, "low");
            fprintf(writer->out, "\t@%s_%s st.global.u32 [%s_next+%" PRIu32 "], %s_low;\n", p, who, p,
                    place_of(writer, run, word->at), p);
        }
    }
    if (writer->layout->chunk_bytes)
        fill_up(writer, run, who);
    else
        fprintf(writer->out,
                "\t@%s_%s add.u64 %s_next, %s_next, %" PRIu32 ";\n\t@%s_%s sub.u32 %s_left, %s_left, %" PRIu32 ";\n", p,
                who, p, p, writer->layout->runs[run->number].bytes, p, who, p, p,
                writer->layout->runs[run->number].bytes);
}

/* Writes code for the lanes of a table's branch that go where the lowest of them goes. */
static void write_table(struct probe_writer *writer, const struct ptx_operand *index)
{
    const char *p = writer->prefix, *name;
    if (index->kind != PTX_OPERAND_REGISTER) {
        probe_write(writer, "\tmov.u32 ~taken, ~mask;\n", 0);
        return;
    }
    name = writer->function->registers[index->index].name;
    fprintf(writer->out,
            "\tbrev.b32 %s_low, %s_mask;\n"
            "\tclz.b32 %s_low, %s_low;\n"
            "\tshfl.sync.idx.b32 %s_high, %s, %s_low, 31, %s_mask;\n"
            "\tsetp.eq.b32 %s_fit, %s_high, %s;\n"
            "\tvote.sync.ballot.b32 %s_taken, %s_fit, %s_mask;\n",
            p, p, p, p, p, name, p, p, p, p, name, p, p, p);
}

/* Writes the part that all lanes run: which lanes are present, and which of them take the branch. */
static void write_lanes(struct probe_writer *writer, const struct probe_run *run)
{
    const struct ptx_instruction *last = last_of(writer, run);
    for (uint32_t i = 0; i < run->word_count; i++)
        if (run->words[i].kind == WORD_CLOCK)
            probe_write(writer, "\tmov.u32 ~late, %clock;\n", 0);
    probe_write(writer, "\tactivemask.b32 ~mask;\n", 0);
    if (run->last.after || ptx_opcode_kind(last->opcode) != PTX_KIND_BRANCH)
        return;
    if (last->opcode == PTX_OP_brx)
        write_table(writer, &last->operands[0]);
    else
        fprintf(writer->out, "\tvote.sync.ballot.b32 %s_taken, %s%s, %s_mask;\n", writer->prefix,
                last->predicate_negated ? "!" : "", writer->function->registers[last->predicate].name, writer->prefix);
}

/* Writes the common path: lane 0 stores if it is present and has room. Groups without lane 0, and lane 0 without room,
 * take another way. */
static void write_hot(struct probe_writer *writer, const struct probe_run *run, uint32_t id)
{
    uint32_t const bytes = writer->layout->runs[run->number].bytes;
    bool const has_room = writer->layout->chunk_bytes != 0; /* always has room */
    probe_write(writer, "\tand.b32 ~low, ~mask, 1;\n\tsetp.eq.u32 ~fit, ~low, 0;\n", 0);
    if (!has_room) {
        probe_write(writer, "\tsetp.lt.and.u32 ~room, ~left, #, ~zero;\n", bytes);
        probe_write(writer, "\tsetp.ge.and.u32 ~writes, ~left, #, ~zero;\n", bytes);
        probe_write(writer, "\tor.pred ~fit, ~fit, ~room;\n\tvote.sync.any.pred ~fit, ~fit, ~mask;\n", 0);
    }
    write_stores(writer, run, has_room ? "zero" : "writes");
    probe_write(writer, "\t@~fit bra.uni ~cold_#;\n", id);
}

static void write_cold(struct probe_writer *writer, const struct probe_run *run, uint32_t id)
{
    struct probe_cold const cold = probe_cold_begin(writer);
    probe_write(writer, "~cold_#:\n", id);
    probe_write_lead(writer);
    probe_write(writer, "\tsetp.lt.and.u32 ~room, ~left, #, ~lead;\n", writer->layout->runs[run->number].bytes);
    probe_write(writer, "\t@!~room bra ~have_#;\n", id);
    probe_write_take_chunk(writer, "\tsetp.ne.u32 ~lead, ~left, ~left;\n\tbra ~have_#;\n", id, id);
    probe_write(writer, "~have_#:\n", id);
    write_stores(writer, run, "lead");
    probe_write(writer, "\tbar.warp.sync ~mask;\n\tbra ~done_#;\n", id);
    probe_cold_end(writer, cold);
}

static void write_run(struct probe_writer *writer, const struct probe_run *run, bool has_clock)
{
    uint32_t const id = writer->labels++;
    probe_write_guard(writer, last_of(writer, run), id);
    if (!has_clock)
        probe_write(writer, "\tmov.u32 ~clock, %clock;\n", 0);
    write_lanes(writer, run);
    write_hot(writer, run, id);
    probe_write(writer, "~done_#:\n", id);
    write_cold(writer, run, id);
}

static bool same_place(struct probe_place a, struct probe_place b)
{
    return a.instruction == b.instruction && a.after == b.after;
}

/* Writes the probe at a place, if there is one. */
static void write_probe(struct probe_writer *writer, struct probe_place place)
{
    const struct ptx_instruction *instruction = &writer->function->instructions[place.instruction];
    uint32_t const number = writer->runs->at[place.after][place.instruction];
    if (number != PTX_NO_INDEX) {
        const struct probe_run *run = &writer->runs->items[number];
        bool const first = same_place(place, run->first), last = same_place(place, run->last);
        if (first && !last)
            probe_write(writer, "\n\tmov.u32 ~clock, %clock;\n", 0);
        if (last)
            write_run(writer, run, !first);
    } else if (instruction->opcode == PTX_OP_shfl) {
        if (writer->layout->values)
            probe_write_shuffle(writer, instruction, place.after);
    } else if (ptx_is_product(instruction)) {
        if (writer->layout->values && instruction->site != PTX_NO_INDEX)
            probe_write_product(writer, instruction, place.after);
    } else if (instruction->site != PTX_NO_INDEX && probe_address(instruction)) {
        if (writer->layout->values && probe_is_unfolded(instruction))
            probe_write_pieces(writer, instruction, place.after);
        else if (writer->layout->values)
            probe_write_valued(writer, instruction, place.after);
        else if (!place.after)
            probe_write_access(writer, instruction, writer->labels++);
    }
}

static bool has_probe(const struct probe_writer *writer, struct probe_place place)
{
    const struct ptx_instruction *instruction = &writer->function->instructions[place.instruction];
    bool const single = instruction->site != PTX_NO_INDEX && probe_address(instruction);
    return writer->runs->at[place.after][place.instruction] != PTX_NO_INDEX ||
           (single && (!place.after || writer->layout->values));
}

/* The lanes whose predicate is false skip the probe, and those that copy nothing. They wait behind it, as the
 * instruction itself does not part them. */
void probe_at(struct probe_writer *writer, struct probe_place place)
{
    const struct ptx_instruction *instruction = &writer->function->instructions[place.instruction];
    bool const guarded = instruction->predicate != PTX_NO_INDEX && instruction->opcode != PTX_OP_bra;
    bool const parts = (guarded || probe_taken(instruction)) && has_probe(writer, place);
    if (parts)
        probe_write(writer, "\n\tactivemask.b32 ~whole;\n", 0);
    write_probe(writer, place);
    if (parts)
        probe_write(writer, "\tbar.warp.sync ~whole;\n", 0);
}
