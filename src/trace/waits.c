/* Finds branches that ask whether a barrier object's phase is over: their predicate comes from a test_wait or try_wait
 * of mbarrier, possibly through other registers, as compilers pass a bool on. The machine decides how often such a
 * branch runs. The order of instructions is ignored, because each PTX register has one meaning. */
#include "trace/waits.h"
#include "base/arena.h"

static bool is_wait(const struct ptx_instruction *instruction)
{
    return instruction->opcode == PTX_OP_mbarrier &&
           (ptx_has(instruction->modifiers, PTX_MOD_test_wait) || ptx_has(instruction->modifiers, PTX_MOD_try_wait));
}

static bool has_waits(const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (is_wait(&function->instructions[i]))
            return true;
    return false;
}

/* Returns true when the instruction computes its result from such a register, using registers only. */
static bool passes_on(const struct ptx_instruction *instruction, const bool *found)
{
    if (ptx_opcode_kind(instruction->opcode) != PTX_KIND_PLAIN)
        return false;
    if (instruction->predicate != PTX_NO_INDEX && found[instruction->predicate])
        return true;
    for (unsigned i = 1; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == PTX_OPERAND_REGISTER && found[instruction->operands[i].index])
            return true;
    return false;
}

/* Returns true when it found another such register. */
static bool find_more(const struct ptx_function *function, bool *found)
{
    bool more = false;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const struct ptx_operand *into = &instruction->operands[0];
        if (!instruction->operand_count || into->kind != PTX_OPERAND_REGISTER || found[into->index] ||
            !(is_wait(instruction) || passes_on(instruction, found)))
            continue;
        found[into->index] = more = true;
        if (into->second)
            found[into->second - 1] = true;
    }
    return more;
}

void trace_mark_waits(const struct ptx_function *function, struct trace_site *sites)
{
    struct arena scratch = {0};
    bool *found = has_waits(function) ? arena_array(&scratch, bool, function->register_count + 1u) : NULL;
    while (found && find_more(function, found))
        continue;
    for (uint32_t i = 0; found && i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (instruction->site != PTX_NO_INDEX && ptx_opcode_kind(instruction->opcode) == PTX_KIND_BRANCH &&
            instruction->predicate != PTX_NO_INDEX && found[instruction->predicate])
            sites[instruction->site].space = PTX_SPACE_SHARED;
    }
    arena_free(&scratch);
}
