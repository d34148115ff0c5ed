#include "emulator/tier/tier.h"
#include "emulator/core/control.h"
#include "emulator/tier/calls.h"
#include <stdlib.h>

/* A launch that will take fewer warp instructions is not worth a look, and after so many a worker looks again. */
enum { WORTH_A_LOOK = 300000, LOOK_AGAIN = 1 << 20 };

static const struct tier_calls calls = {
#define TIER_CALL(name) .name = name,
    TIER_CALLS(TIER_CALL)
#undef TIER_CALL
};

/* Publishes the runs of a table as handlers, by the number of their op. */
static void take_up(struct emulation *emulation, const struct tier_table *table)
{
    handler *compiled = calloc((size_t)emulation->op_count + 1, sizeof *compiled);
    if (!compiled)
        return;
    table->bind(&calls);
    for (uint32_t i = 0; i < table->count; i++) {
        const struct tier_run *run = &table->runs[i];
        compiled[emulation->codes[run->function].ops[run->op].number] = run->run;
    }
    atomic_store(&emulation->tier.compiled, compiled);
}

/* done: warp instructions since the launch was last asked about; ahead: those that it will still take. */
static void ask(struct emulation *emulation, uint64_t done, uint64_t ahead)
{
    struct tier *tier = &emulation->tier;
    const struct emulator_native *native = emulation->options->native;
    if (!tier->text)
        tier->text = tier_emit(emulation, &tier->size);
    if (!tier->text) {
        tier->hopeless = true;
        return;
    }
    bool hopeless = false;
    const struct tier_table *table = native->find(native->context, tier->text, tier->size, done, ahead, &hopeless);
    if (table)
        take_up(emulation, table);
    tier->hopeless |= hopeless || table;
}

void tier_start(struct emulation *emulation)
{
    const struct emulator_native *native = emulation->options->native;
    const struct trace_listener *listener = &emulation->options->listener;
    emulation->tier.hopeless = !native || !listener->accesses || !listener->sums;
    if (!emulation->tier.hopeless && native->always)
        ask(emulation, 0, UINT64_MAX);
}

/* Returns the warp instructions that the launch will still take, if the rest is as what this worker has run. Its first
 * block will take as many as it has taken so far. */
static uint64_t ahead_of(const struct worker *worker)
{
    const struct emulation *emulation = worker->emulation;
    uint64_t const ended = atomic_load_explicit(&emulation->ended, memory_order_relaxed);
    if (ended >= emulation->blocks)
        return 0;
    double const each =
        (double)worker->totals.warp_instructions / (double)(worker->blocks_run ? worker->blocks_run : 1);
    return (uint64_t)(each * (double)(emulation->blocks - ended));
}

/* Only one worker asks: what it has run stands for all. */
static void look(struct worker *worker)
{
    struct emulation *emulation = worker->emulation;
    uint64_t const now = worker->totals.warp_instructions, since = now - worker->looked;
    uint64_t const ahead = ahead_of(worker);
    bool const again = worker->looked != 0;
    if (ahead < WORTH_A_LOOK || (again && since < LOOK_AGAIN))
        return;
    worker->looked = now;
    ask(emulation, since * emulation->workers, ahead);
}

void tier_block(struct worker *worker)
{
    struct emulation *emulation = worker->emulation;
    if (worker->number == 0 && !emulation->tier.hopeless)
        look(worker);
    worker->compiled = atomic_load(&emulation->tier.compiled);
}

void tier_turn(struct worker *worker)
{
    struct emulation *emulation = worker->emulation;
    if (worker->compiled)
        return;
    bool const asks = worker->number == 0 && !emulation->tier.hopeless;
    if (asks && worker->totals.warp_instructions - worker->looked >= WORTH_A_LOOK)
        look(worker);
    worker->compiled = atomic_load_explicit(&emulation->tier.compiled, memory_order_acquire);
}

void tier_end(struct emulation *emulation)
{
    free(emulation->tier.text);
    free((void *)atomic_load(&emulation->tier.compiled));
}
