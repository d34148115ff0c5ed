/* Accesses outside a shared array. An index beyond one array lands in the next, and the hardware does not trap.
 * Decoding follows each address to the array from whose name it was computed; see decode/origin.c. */
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/memory/memory.h"

static enum check_start start(struct emulation *emulation)
{
    return emulation->arrays ? CHECK_ACTIVE : CHECK_IDLE;
}

static bool access_shared(struct warp *w, const struct check_access *access)
{
    const struct access *form = access->op->extra;
    const struct shared_array *array = form->array;
    if (access->copy || !array ||
        (access->address >= array->base && access->address + access->bytes <= array->base + array->size))
        return true;
    return fault_array(w, access->op, access->lane, access->address) != NULL;
}

const struct checker check_arrays = {.start = start, .shared = access_shared};
