/* A run ends where lanes may part or meet: at labels, branches, calls, barriers and other instructions that wait for
 * lanes; and where a scope begins or ends, because its record names the registers of all its accesses. It stays short,
 * so that its single clock is close to all its events. */
#include "cuda/probe/probe.h"
#include <stdlib.h>
#include <string.h>

enum { ACCESSES_MOST = 8, PLACES_MOST = 1024 /* bytes of a chunk in which all runs have fixed places */ };

struct record_list { /* of all functions */
    struct record_run *items;
    size_t count, capacity;
};

struct finder {
    struct arena *arena;
    const struct ptx_module *module;
    const struct ptx_function *function;
    const struct affine_value *values; /* NULL: nothing is known */
    bool alone;                        /* each access has its own record */
    struct probe_runs *runs;
    struct record_list *records;
    struct probe_run run; /* the open run */
    struct record_entry entries[ACCESSES_MOST + 2];
    struct probe_word words[ACCESSES_MOST + 2];
    uint32_t entry_count, accesses;
};

/* Returns the address operand of an access. For a copy it is the second one, its source, except for a bulk copy to
 * global memory. */
const struct ptx_operand *probe_address(const struct ptx_instruction *instruction)
{
    unsigned skip = ptx_opcode_kind(instruction->opcode) == PTX_KIND_COPY && instruction->space != PTX_SPACE_GLOBAL;
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == PTX_OPERAND_ADDRESS && skip-- == 0)
            return &instruction->operands[i];
    return NULL;
}

bool probe_is_small(const struct ptx_instruction *instruction)
{
    return ptx_opcode_kind(instruction->opcode) != PTX_KIND_COPY &&
           (instruction->space == PTX_SPACE_SHARED || instruction->space == PTX_SPACE_LOCAL);
}

bool probe_is_unfolded(const struct ptx_instruction *instruction)
{
    enum ptx_kind const kind = ptx_opcode_kind(instruction->opcode);
    bool const in_bulk = kind == PTX_KIND_COPY && ptx_has(instruction->modifiers, PTX_MOD_bulk);
    return instruction->site != PTX_NO_INDEX && ((kind == PTX_KIND_MATRIX && !ptx_is_product(instruction)) || in_bulk);
}

/* Places the words: those of 8 bytes follow the record's head, then those of 4 bytes; the first of these is in the head
 * itself. */
static uint32_t lay_out_words(struct finder *finder)
{
    uint32_t at = sizeof(struct record), small = 0;
    for (uint32_t i = 0; i < finder->run.word_count; i++)
        if (finder->words[i].kind == WORD_WIDE) {
            finder->words[i].at = at;
            at += 8;
        }
    for (uint32_t i = 0; i < finder->run.word_count; i++)
        if (finder->words[i].kind != WORD_WIDE) {
            finder->words[i].at = small++ ? at : (uint32_t)offsetof(struct record, other);
            at += small > 1 ? 4 : 0;
        }
    return (at + 15) / 16 * 16;
}

/* Closes the open run. Its entries hold the number of their word + 1 until the words are placed. */
static void close_run(struct finder *finder)
{
    if (!finder->entry_count)
        return;
    struct record_run record = {.entry_count = finder->entry_count, .bytes = lay_out_words(finder)};
    struct record_entry *entries = arena_array(finder->arena, struct record_entry, finder->entry_count);
    for (uint32_t i = 0; i < finder->entry_count; i++) {
        entries[i] = finder->entries[i];
        entries[i].at = entries[i].at ? finder->words[entries[i].at - 1].at : 0;
    }
    record.entries = entries;
    finder->run.number = (uint32_t)finder->records->count;
    array_push(finder->records, record);
    finder->run.words = arena_copy(finder->arena, finder->words, finder->run.word_count, sizeof *finder->words);
    finder->runs->items[finder->runs->count++] = finder->run;
    finder->entry_count = finder->accesses = 0;
    finder->run = (struct probe_run){0};
}

static void add_entry(struct finder *finder, uint32_t instruction, bool after, struct record_entry entry)
{
    struct probe_place const place = {instruction, after};
    if (!finder->entry_count)
        finder->run.first = place;
    finder->run.last = place;
    finder->runs->at[after][instruction] = finder->runs->count;
    entry.site = finder->function->instructions[instruction].site;
    finder->entries[finder->entry_count++] = entry;
}

static uint32_t add_word(struct finder *finder, enum probe_word_kind kind, const struct ptx_operand *address)
{
    for (uint32_t i = 0; address && i < finder->run.word_count; i++) {
        const struct ptx_operand *other = finder->words[i].address;
        if (other && finder->words[i].kind == kind && other->base == address->base && other->index == address->index &&
            (other->base != PTX_OPERAND_VARIABLE || other->scope == address->scope))
            return i + 1;
    }
    finder->words[finder->run.word_count++] = (struct probe_word){.kind = kind, .address = address};
    return finder->run.word_count;
}

/* Returns true when the addresses of all lanes follow from one of them. */
static bool is_known(const struct finder *finder, const struct ptx_operand *address, bool small,
                     struct affine_value *value)
{
    *value = (struct affine_value){0};
    if (address->base != PTX_OPERAND_REGISTER)
        return address->base != PTX_OPERAND_VARIABLE || address->scope == PTX_SCOPE_MODULE ||
               address->scope == PTX_SCOPE_FUNCTION;
    if (!finder->values)
        return false;
    *value = finder->values[address->index];
    size_t const size = ptx_type_size(finder->function->registers[address->index].type);
    return value->known && (small ? value->bits >= 32 : value->bits == 64 && size == 8);
}

static void add_access(struct finder *finder, uint32_t i)
{
    const struct ptx_instruction *instruction = &finder->function->instructions[i];
    const struct ptx_operand *address = probe_address(instruction);
    bool const small = probe_is_small(instruction);
    struct affine_value value;
    if (finder->alone || instruction->predicate != PTX_NO_INDEX || probe_taken(instruction) ||
        probe_is_unfolded(instruction) || !is_known(finder, address, small, &value)) {
        close_run(finder);
        finder->runs->singles++;
        return;
    }
    uint32_t const word =
        address->base == PTX_OPERAND_NONE ? 0 : add_word(finder, small ? WORD_SMALL : WORD_WIDE, address);
    add_entry(finder, i, false,
              (struct record_entry){.event = RECORD_ACCESS,
                                    .small = small,
                                    .at = word,
                                    .offset = address->offset,
                                    .column = value.column,
                                    .row = value.row});
    if (++finder->accesses == ACCESSES_MOST)
        close_run(finder);
}

/* Adds a barrier. Lanes whose predicate is false pass it by, so its records are runs of their own. */
static void add_barrier(struct finder *finder, uint32_t i)
{
    const struct ptx_instruction *instruction = &finder->function->instructions[i];
    bool const alone = instruction->predicate != PTX_NO_INDEX;
    if (alone)
        close_run(finder);
    uint32_t const word = finder->entry_count ? add_word(finder, WORD_CLOCK, NULL) : 0;
    add_entry(finder, i, false, (struct record_entry){.event = RECORD_ARRIVE, .at = word});
    close_run(finder);
    if (!ptx_has(instruction->modifiers, PTX_MOD_arrive))
        add_entry(finder, i, true, (struct record_entry){.event = RECORD_RELEASE});
    if (alone)
        close_run(finder);
}

static bool ends_run(const struct ptx_instruction *instruction)
{
    enum ptx_class const class = ptx_opcode_class(instruction->opcode);
    return class == PTX_CLASS_WARP || class == PTX_CLASS_WAIT || class == PTX_CLASS_CONTROL ||
           ptx_has(instruction->modifiers, PTX_MOD_sync);
}

static bool *find_targets(struct arena *arena, const struct ptx_function *function)
{
    bool *targets = arena_array(arena, bool, (size_t)function->instruction_count + 1);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        uint32_t count;
        const uint32_t *leads_to = ptx_targets(&function->instructions[i], &count);
        for (uint32_t k = 0; k < count; k++)
            targets[leads_to[k]] = true;
    }
    return targets;
}

static void find_in_function(struct finder *finder)
{
    const struct ptx_function *function = finder->function;
    const bool *targets = find_targets(finder->arena, function);
    finder->runs->items = arena_array(finder->arena, struct probe_run, 2 * (size_t)function->instruction_count);
    for (unsigned side = 0; side < 2; side++) {
        finder->runs->at[side] = arena_array(finder->arena, uint32_t, function->instruction_count);
        memset(finder->runs->at[side], 0xff, function->instruction_count * sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        enum ptx_kind const kind = ptx_opcode_kind(instruction->opcode);
        bool const site = instruction->site != PTX_NO_INDEX;
        bool const apart = instruction->opcode == PTX_OP_brx && instruction->predicate != PTX_NO_INDEX;
        if (targets[i] || apart) /* lanes that skip a predicated table branch are not in its record */
            close_run(finder);
        if (finder->entry_count &&
            !probe_keeps_names(finder->module->text, instruction[-1].text_end, instruction->text_start))
            close_run(finder);
        if (site && kind == PTX_KIND_BARRIER) {
            add_barrier(finder, i);
            continue;
        }
        if (site && kind == PTX_KIND_BRANCH)
            add_entry(finder, i, false,
                      (struct record_entry){.event = RECORD_BRANCH, .at = add_word(finder, WORD_TAKEN, NULL)});
        else if (site && (instruction->opcode == PTX_OP_shfl || ptx_is_product(instruction)))
            finder->runs->singles += finder->alone;
        else if (site && probe_address(instruction))
            add_access(finder, i);
        if (ends_run(instruction))
            close_run(finder);
    }
    close_run(finder);
}

bool probe_has_loop(const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        uint32_t count;
        const uint32_t *targets = ptx_targets(&function->instructions[i], &count);
        for (uint32_t k = 0; k < count; k++)
            if (targets[k] <= i)
                return true;
    }
    return false;
}

/* Returns true when a lane passes each instruction at most once and no other function has probes. */
static bool is_passed_once(const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (ptx_opcode_kind(function->instructions[i].opcode) == PTX_KIND_CALL)
            return false;
    return !probe_has_loop(function);
}

static void give_places(struct record_run *records, const struct ptx_function *kernel, const struct probe_runs *runs,
                        struct record_layout *layout)
{
    uint32_t at = sizeof(struct record_chunk);
    for (uint32_t i = 0; i < runs->count; i++)
        at += records[runs->items[i].number].bytes;
    if (runs->singles || !runs->count || at > PLACES_MOST || !is_passed_once(kernel))
        return;
    at = sizeof(struct record_chunk);
    for (uint32_t i = 0; i < runs->count; i++) {
        records[runs->items[i].number].place = at;
        at += records[runs->items[i].number].bytes;
    }
    layout->chunk_bytes = (at + 31) / 32 * 32;
}

const struct probe_runs *probe_find_runs(struct arena *arena, const struct ptx_module *module,
                                         const struct ptx_function *kernel, const struct launch *launch, bool values,
                                         struct record_layout *layout)
{
    struct record_list records = {0};
    struct probe_runs *runs = arena_array(arena, struct probe_runs, module->function_count);
    *layout = (struct record_layout){.values = values};
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = &module->functions[f];
        if (!function->has_body || (function->is_kernel && function != kernel))
            continue;
        struct finder finder = {.arena = arena,
                                .module = module,
                                .function = function,
                                .runs = &runs[f],
                                .records = &records,
                                .alone = values};
        if (function == kernel && launch)
            finder.values = affine_values(arena, kernel, launch);
        find_in_function(&finder);
    }
    struct record_run *kept = arena_list(arena, records);
    layout->runs = kept;
    layout->run_count = (uint32_t)records.count;
    free(records.items);
    if (launch)
        give_places(kept, kernel, &runs[kernel - module->functions], layout);
    return runs;
}
