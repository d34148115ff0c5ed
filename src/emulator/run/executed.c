#include "emulator/run/executed.h"

void executed_number(struct emulation *emulation)
{
    emulation->op_count = 0;
    for (uint32_t f = 0; f < emulation->module->function_count; f++)
        for (uint32_t i = 0; emulation->codes[f].ops && i < emulation->codes[f].op_count; i++)
            emulation->codes[f].ops[i].number = emulation->op_count++;
}

/* Returns the counts of one function. */
static const uint64_t *counts_of(const struct emulation *emulation, const struct worker *workers,
                                 const struct code *code)
{
    uint64_t *counts = arena_array(emulation->arena, uint64_t, (size_t)code->function->instruction_count + 1);
    uint64_t running = 0; /* runs that began at an earlier op and are not over */
    for (uint32_t i = 0; i < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        uint64_t alone = 0;
        for (unsigned k = 0; k < emulation->workers; k++) {
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

const uint64_t *const *executed_sum(const struct emulation *emulation, const struct worker *workers)
{
    uint32_t const functions = emulation->module->function_count;
    const uint64_t **counts = arena_array(emulation->arena, const uint64_t *, (size_t)functions + 1);
    for (uint32_t f = 0; f < functions; f++)
        if (emulation->codes[f].ops)
            counts[f] = counts_of(emulation, workers, &emulation->codes[f]);
    return counts;
}
