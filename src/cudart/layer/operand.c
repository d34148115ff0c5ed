#include "cudart/layer/operand.h"
#include "cudart/backend/backend.h"
#include "cudart/layer/line.h"

/* Records the operand. Returns its allocation, or NULL when its bytes are not all in one that the device can reach. */
static struct allocation *find(const struct operand *o, bool writes)
{
    uint64_t const address = (uint64_t)(uintptr_t)o->pointer;
    uint64_t whole = 0, bytes = 0;
    struct allocation *a = space_pointed(address);
    bool const fits = !__builtin_mul_overflow(o->height - 1, o->pitch, &whole) &&
                      !__builtin_add_overflow(whole, o->width, &bytes) && a &&
                      bytes <= space_reach(a, address - a->address, writes);
    line_open_object(NULL);
    line_text("name", o->name);
    line_pointer("pointer", o->pointer);
    line_number("bytes", bytes);
    line_number("writes", writes);
    return fits ? a : NULL;
}

/* Counts the bytes of the rows that nothing ever wrote. */
static void record_unwritten(const struct operand *o, const struct allocation *a)
{
    uint64_t const begin = (uint64_t)(uintptr_t)o->pointer - a->address;
    uint64_t unwritten = 0, first = 0;
    for (size_t y = 0; a->written && y < o->height; y++)
        for (size_t x = 0; x < o->width; x++) {
            uint64_t const at = begin + y * o->pitch + x;
            if (a->written[at / 64] >> at % 64 & 1)
                continue;
            first = unwritten ? first : at - begin;
            unwritten++;
        }
    if (!unwritten)
        return;
    line_number("unwritten", unwritten);
    line_number("unwritten_first", first);
}

static enum status move(const struct operand *o, uint8_t *host, bool to_host)
{
    enum status status = STATUS_SUCCESS;
    if (!o->width || !o->height)
        return status;
    struct allocation *a = find(o, !to_host);
    if (!a) {
        status = STATUS_INVALID_VALUE;
    } else if (to_host) {
        record_unwritten(o, a);
    }
    for (size_t y = 0; a && y < o->height; y++) {
        uint64_t const at = (uint64_t)(uintptr_t)o->pointer - a->address + y * o->pitch;
        struct allocation row = *a;
        row.address += at;
        row.data = (uint8_t *)((uintptr_t)a->data + at);
        runtime.backend->move_variable(&row, host + y * o->width, o->width, to_host);
        if (!to_host)
            space_mark_written(a, at, o->width);
    }
    line_close();
    return status;
}

enum status operand_read(const struct operand *operand, void *host)
{
    return move(operand, host, true);
}

enum status operand_write(const struct operand *operand, const void *host)
{
    return move(operand, (uint8_t *)(uintptr_t)host, false);
}
