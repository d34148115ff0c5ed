#include "emulator/run/executed.h"

void executed_number(struct machine *machine)
{
    machine->op_count = 0;
    for (uint32_t f = 0; f < machine->program->function_count; f++)
        for (uint32_t i = 0; machine->codes[f].ops && i < machine->codes[f].op_count; i++)
            machine->codes[f].ops[i].number = machine->op_count++;
}

/* Returns the counts of one function. */
static const uint64_t *counts_of(const struct machine *machine, const struct worker *workers, const struct code *code)
{
    uint64_t *counts = arena_array(machine->arena, uint64_t, (size_t)code->function->instruction_count + 1);
    uint64_t running = 0; /* runs that began at an earlier op and are not over */
    for (uint32_t i = 0; i < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        uint64_t alone = 0;
        for (unsigned k = 0; k < machine->workers; k++) {
            if (!workers[k].executions)
                continue;
            running += workers[k].executions[op->number].runs;
            alone += workers[k].executions[op->number].alone;
        }
        if (op->count && op->source)
            counts[op->source - code->function->instructions] += running + alone;
        if (op->flags & OP_ENDS)
            running = 0;
    }
    return counts;
}

const uint64_t *const *executed_sum(const struct machine *machine, const struct worker *workers)
{
    uint32_t const functions = machine->program->function_count;
    const uint64_t **counts = arena_array(machine->arena, const uint64_t *, (size_t)functions + 1);
    for (uint32_t f = 0; f < functions; f++)
        if (machine->codes[f].ops)
            counts[f] = counts_of(machine, workers, &machine->codes[f]);
    return counts;
}
