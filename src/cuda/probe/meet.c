/* A probe makes the active lanes wait for each other (vote, shuffle). Behind such code ptxas no longer brings lanes
 * together where a branch's paths meet, as it does in the unmodified kernel. The probed copy therefore remembers the
 * lanes that are together before the paths part, and lets them wait for each other where the paths meet. Lanes that
 * ended in between are not waited for. ptx/meet.h tells where that is safe. */
#include "base/arena.h"
#include "cuda/probe/probe.h"
#include <string.h>

/* The meetings of one function, by instruction: the number of the first one, or PTX_NO_INDEX. */
struct probe_meets {
    const struct ptx_meeting *items;
    uint32_t count;
    uint32_t *from, *next_from; /* a place may begin several; next_from: by meeting */
    uint32_t *at;
};

const struct probe_meets *probe_find_meets(struct arena *arena, const struct ptx_module *module)
{
    const struct ptx_meetings *all = ptx_find_meetings(arena, module);
    struct probe_meets *meets = arena_array(arena, struct probe_meets, module->function_count);
    for (uint32_t f = 0; f < module->function_count; f++) {
        size_t const n = module->functions[f].instruction_count;
        struct ptx_meeting *kept = arena_array(arena, struct ptx_meeting, all[f].count);
        struct probe_meets made = {.items = kept,
                                   .from = arena_array(arena, uint32_t, n),
                                   .at = arena_array(arena, uint32_t, n),
                                   .next_from = arena_array(arena, uint32_t, all[f].count)};
        for (size_t i = 0; i < n; i++)
            made.from[i] = made.at[i] = PTX_NO_INDEX;
        for (uint32_t i = 0; i < all[f].count; i++) {
            const struct ptx_meeting *meeting = &all[f].items[i];
            if (meeting->state != PTX_MEETING)
                continue;
            made.next_from[made.count] = made.from[meeting->from];
            made.from[meeting->from] = made.at[meeting->at] = made.count;
            kept[made.count++] = *meeting;
        }
        meets[f] = made;
    }
    return meets;
}

const struct probe_meets *probe_meets_of(const struct probe_meets *all, uint32_t function)
{
    return &all[function];
}

void probe_meets_declare(struct probe_writer *writer)
{
    const struct probe_meets *meets = writer->meets;
    if (meets->count)
        probe_write(writer, "\t.reg .b32 ~meet<#>;\n", meets->count);
    for (uint32_t i = 0; i < meets->count; i++)
        if (meets->items[i].once)
            probe_write(writer, "\tmov.u32 ~meet#, 0;\n", i);
}

void probe_meets_wait(struct probe_writer *writer, uint32_t instruction)
{
    uint32_t const number = writer->meets->at[instruction];
    if (number == PTX_NO_INDEX)
        return;
    if (!writer->meets->items[number].once) {
        probe_write(writer, "\n\tbar.warp.sync ~meet#;\n", number);
        return;
    }
    probe_write(writer, "\n\tsetp.ne.u32 ~room, ~meet#, 0;\n", number);
    probe_write(writer, "\t@~room bar.warp.sync ~meet#;\n", number);
    probe_write(writer, "\tmov.u32 ~meet#, 0;\n", number);
}

void probe_meets_remember(struct probe_writer *writer, struct probe_place place)
{
    const struct probe_meets *meets = writer->meets;
    for (uint32_t i = meets->from[place.instruction]; i != PTX_NO_INDEX; i = meets->next_from[i])
        if (meets->items[i].after == place.after)
            probe_write(writer, "\n\tactivemask.b32 ~meet#;\n", i);
}
