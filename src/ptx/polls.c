/* Two facts are found for the registers that a loop writes: whether their value may change from one round to the next
 * while no other thread writes memory, and whether it may come from an access that polls by its form. Both ignore the
 * order of instructions, which errs on the side of polling. A decision may depend on a polled value through a branch
 * alone, so every branch counts that depends on such a value, also one that stays in the loop. */
#include "ptx/polls.h"
#include "base/arena.h"
#include "ptx/module.h"

struct search {
    const struct ptx_loop *loop;
    bool *varies;        /* by register: the loop changes it by itself */
    bool *polled;        /* by register: its value may come from an access that polls */
    uint8_t *writes;     /* by register: the number of instructions in the loop that write it, up to 2 */
    bool polled_private; /* polled values were stored to memory of the lane, where any load may find them */
};

static const struct ptx_instruction *at(const struct search *search, uint32_t i)
{
    return &search->loop->function->instructions[search->loop->instructions[i]];
}

/* Returns true when the operand names a register of the set. */
static bool names(const struct ptx_operand *operand, const bool *set)
{
    bool const direct = operand->kind == PTX_OPERAND_REGISTER ||
                        (operand->kind == PTX_OPERAND_ADDRESS && operand->base == PTX_OPERAND_REGISTER);
    if (direct && set[operand->index])
        return true;
    for (uint32_t i = 0; i < operand->count; i++)
        if (operand->elements[i].kind == PTX_OPERAND_REGISTER && set[operand->elements[i].index])
            return true;
    return false;
}

/* Returns true when the instruction reads a register of the set. */
static bool reads_one(const struct ptx_instruction *instruction, const bool *set)
{
    if (instruction->predicate != PTX_NO_INDEX && set[instruction->predicate])
        return true;
    for (unsigned i = ptx_writes_first(instruction); i < instruction->operand_count; i++)
        if (names(&instruction->operands[i], set))
            return true;
    for (uint32_t i = 0; i < instruction->call_argument_count; i++)
        if (names(&instruction->call_arguments[i], set))
            return true;
    return false;
}

/* Calls `take` for each register that the operand names as a result. */
static bool each_result(struct search *search, const struct ptx_operand *operand,
                        bool (*take)(struct search *, uint32_t))
{
    bool any = false;
    if (operand->kind == PTX_OPERAND_REGISTER) {
        any = take(search, operand->index);
        if (operand->second)
            any = take(search, operand->second - 1) || any;
    }
    for (uint32_t i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->count; i++)
        if (operand->elements[i].kind == PTX_OPERAND_REGISTER)
            any = take(search, operand->elements[i].index) || any;
    return any;
}

static bool each_written(struct search *search, const struct ptx_instruction *instruction,
                         bool (*take)(struct search *, uint32_t))
{
    bool any = ptx_writes_first(instruction) && each_result(search, &instruction->operands[0], take);
    for (uint32_t i = 0; i < instruction->call_result_count; i++)
        any = each_result(search, &instruction->call_results[i], take) || any;
    return any;
}

static bool take_write(struct search *search, uint32_t index)
{
    search->varies[index] = true;
    search->writes[index] = search->writes[index] ? 2 : 1;
    return true;
}

static bool take_constant(struct search *search, uint32_t index)
{
    bool const more = search->varies[index] && search->writes[index] == 1;
    search->varies[index] = search->varies[index] && !more;
    return more;
}

static bool take_polled(struct search *search, uint32_t index)
{
    bool const more = !search->polled[index];
    search->polled[index] = true;
    return more;
}

static bool reads_time(const struct ptx_instruction *instruction)
{
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == PTX_OPERAND_SPECIAL && instruction->operands[i].index >= PTX_SR_clock &&
            instruction->operands[i].index <= PTX_SR_globaltimer_hi)
            return true;
    return false;
}

static bool is_volatile(const struct ptx_instruction *instruction)
{
    static const enum ptx_modifier words[] = {PTX_MOD_volatile, PTX_MOD_relaxed, PTX_MOD_acquire, PTX_MOD_mmio,
                                              PTX_MOD_cv};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ptx_has(instruction->modifiers, words[i]))
            return true;
    return false;
}

/* Returns true for memory of the lane, which passes values on as a register does; a generic address may lie there. */
static bool is_private(enum ptx_space space)
{
    return space == PTX_SPACE_LOCAL || space == PTX_SPACE_PARAM || space == PTX_SPACE_GENERIC;
}

/* Finds the registers that have the same value in every round. */
static void find_constants(struct search *search)
{
    bool more = true;
    for (uint32_t i = 0; i < search->loop->count; i++)
        each_written(search, at(search, i), take_write);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < search->loop->count; i++) {
            const struct ptx_instruction *instruction = at(search, i);
            bool const pure = ptx_opcode_class(instruction->opcode) == PTX_CLASS_ARITHMETIC && !reads_time(instruction);
            bool const load = ptx_opcode_kind(instruction->opcode) == PTX_KIND_LOAD && !is_private(instruction->space);
            if ((pure || load) && instruction->predicate == PTX_NO_INDEX && !reads_one(instruction, search->varies))
                more = each_written(search, instruction, take_constant) || more;
        }
    }
}

bool ptx_reads_shared_state(const struct ptx_instruction *instruction)
{
    switch (ptx_opcode_kind(instruction->opcode)) {
    case PTX_KIND_LOAD:
        return instruction->space != PTX_SPACE_LOCAL && instruction->space != PTX_SPACE_PARAM &&
               instruction->space != PTX_SPACE_CONST && !ptx_has(instruction->modifiers, PTX_MOD_nc);
    case PTX_KIND_ATOMIC:
        return true;
    default:
        return instruction->opcode == PTX_OP_multimem || instruction->opcode == PTX_OP_clusterlaunchcontrol ||
               (instruction->opcode == PTX_OP_mbarrier && (ptx_has(instruction->modifiers, PTX_MOD_test_wait) ||
                                                           ptx_has(instruction->modifiers, PTX_MOD_try_wait)));
    }
}

static bool call_reads(const struct search *search, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *callee = &instruction->operands[0];
    return callee->kind != PTX_OPERAND_FUNCTION || search->loop->reads[callee->index];
}

/* Returns true when the instruction's form tells that other threads may have written its result meanwhile. */
static bool is_poll(const struct search *search, const struct ptx_instruction *instruction)
{
    if (ptx_opcode_kind(instruction->opcode) == PTX_KIND_CALL)
        return call_reads(search, instruction);
    return ptx_reads_shared_state(instruction) &&
           (ptx_opcode_kind(instruction->opcode) != PTX_KIND_LOAD || is_volatile(instruction));
}

/* Returns true when the instruction leaves its operands or results in memory of the lane. */
static bool passes_through_memory(const struct ptx_instruction *instruction)
{
    enum ptx_kind const kind = ptx_opcode_kind(instruction->opcode);
    return kind == PTX_KIND_CALL || (kind == PTX_KIND_STORE && is_private(instruction->space));
}

static bool is_decision(const struct ptx_instruction *instruction)
{
    enum ptx_kind const kind = ptx_opcode_kind(instruction->opcode);
    return kind == PTX_KIND_BRANCH || kind == PTX_KIND_END;
}

/* Returns true when a decision in the loop depends on an access that polls. */
static bool decides_by_polls(struct search *search)
{
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < search->loop->count; i++) {
            const struct ptx_instruction *instruction = at(search, i);
            bool const found =
                reads_one(instruction, search->polled) || (ptx_opcode_kind(instruction->opcode) == PTX_KIND_LOAD &&
                                                           is_private(instruction->space) && search->polled_private);
            bool const polled = found || is_poll(search, instruction);
            if (found && is_decision(instruction))
                return true;
            if (polled && !search->polled_private && passes_through_memory(instruction))
                search->polled_private = more = true;
            if (polled)
                more = each_written(search, instruction, take_polled) || more;
        }
    }
    return false;
}

/* Returns true when the loop reads memory and ends, if at all, only when the memory changes. */
static bool ends_by_memory(const struct search *search)
{
    bool reads = false;
    for (uint32_t i = 0; i < search->loop->count; i++) {
        const struct ptx_instruction *instruction = at(search, i);
        bool const decides = search->loop->leaves[i] || ptx_opcode_kind(instruction->opcode) == PTX_KIND_END;
        reads = reads || ptx_reads_shared_state(instruction);
        if (decides && reads_one(instruction, search->varies))
            return false;
    }
    return reads;
}

bool ptx_loop_polls(struct arena *scratch, const struct ptx_loop *loop)
{
    size_t const registers = loop->function->register_count + (size_t)1;
    struct search search = {.loop = loop,
                            .varies = arena_array(scratch, bool, registers),
                            .polled = arena_array(scratch, bool, registers),
                            .writes = arena_array(scratch, uint8_t, registers)};
    find_constants(&search);
    return decides_by_polls(&search) || ends_by_memory(&search);
}
