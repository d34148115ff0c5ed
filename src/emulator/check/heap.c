/* Accesses outside the memory that the kernel's malloc gave, or after free, and reads of unwritten bytes in it.
 * Keeps the state of each byte of the heap. */
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/memory/memory.h"
#include <stdlib.h>

enum { STATE_NONE, STATE_WRITTEN, STATE_FRESH, STATE_FREED };

static enum check_start start(struct emulation *emulation)
{
    if (!emulation->heap_bytes)
        return CHECK_IDLE;
    if (emulation->launch->heap) {
        emulation->checks->state[CHECK_heap] = emulation->launch->heap->state;
        return CHECK_ACTIVE;
    }
    emulation->checks->state[CHECK_heap] = calloc(1, emulation->heap_bytes + 1);
    return emulation->checks->state[CHECK_heap] ? CHECK_ACTIVE : CHECK_NO_MEMORY;
}

static void finish(struct emulation *emulation)
{
    if (!emulation->launch->heap)
        free(emulation->checks->state[CHECK_heap]);
}

static void given(struct emulation *emulation, uint64_t offset, uint64_t bytes)
{
    uint8_t *state = emulation->checks->state[CHECK_heap];
    if (bytes)
        memset(state + offset, STATE_FRESH, bytes);
    for (; !bytes && offset < emulation->heap_bytes; offset++) { /* freed */
        if (state[offset] != STATE_WRITTEN && state[offset] != STATE_FRESH)
            return;
        state[offset] = STATE_FREED;
    }
}

/* False after a fault: malloc did not give all of the bytes. */
static bool check_given(struct warp *w, const struct check_access *access, const uint8_t *state, uint64_t offset)
{
    for (unsigned i = 0; i < access->bytes; i++) {
        unsigned const now = state[offset + i];
        if (now == STATE_WRITTEN || now == STATE_FRESH)
            continue;
        uint64_t before = offset + i;
        while (before && state[before] == STATE_NONE)
            before--;
        struct finding fault = {.form = now == STATE_FREED ? FINDING_FREED : FINDING_OUTSIDE_HEAP,
                                .address = access->address,
                                .memory = fault_access(w, access->op, PTX_SPACE_GLOBAL, access->bytes, access->writes)};
        fault.memory.distance = now == STATE_FREED ? 0 : offset + i - before;
        fault_at(w, access->op, access->lane, &fault);
        return false;
    }
    return true;
}

static bool access_global(struct warp *w, const struct check_access *access)
{
    const struct emulation *emulation = w->worker->emulation;
    uint8_t *state = emulation->checks->state[CHECK_heap];
    uint64_t const offset = access->address - emulation->heap_base;
    if (access->region->base != emulation->heap_base)
        return true;
    if (!check_given(w, access, state, offset))
        return false;
    for (unsigned i = 0; i < access->bytes && access->reads; i++)
        if (state[offset + i] != STATE_WRITTEN) {
            checks_note_unwritten(w, access, offset + i);
            break;
        }
    if (access->writes)
        memset(state + offset, STATE_WRITTEN, access->bytes);
    return true;
}

const struct checker check_heap = {.start = start, .finish = finish, .global = access_global, .heap = given};
