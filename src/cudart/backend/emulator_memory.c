/* The device's addresses on the emulator: one reserved range of this process, closed to the host. The bytes of device
 * memory lie elsewhere in the process, so a host access to a device pointer raises SIGSEGV (signals.c), and the
 * emulator uses the bytes. Managed and pinned memory is open to the host at its own address. Addresses are not used
 * again while others are left, so a pointer to freed memory is still known. */
#include "base/memory.h"
#include "cudart/backend/emulator.h"
#include "cudart/layer/device.h"
#include "cudart/layer/line.h"
#include "emulator/emulator.h"
#include <string.h>
#include <sys/mman.h>

enum { SLOT = 2 << 20, GUARD = 1 << 20, PAGE = 4096, BEYOND = 64, BITS = 64 };

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

static bool reserve_range(void)
{
    if (runtime.range_reserved)
        return true;
    size_t const size = EMULATOR_PLACED_END - EMULATOR_PLACED_BASE;
    void *place = mmap(at(EMULATOR_PLACED_BASE), size, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (place != MAP_FAILED && place != at(EMULATOR_PLACED_BASE)) { /* an older kernel ignored the flag */
        munmap(place, size);
        place = MAP_FAILED;
    }
    runtime.range_reserved = place != MAP_FAILED;
    runtime.next_address = EMULATOR_PLACED_BASE;
    return runtime.range_reserved;
}

static bool map_bytes(struct allocation *a)
{
    a->mapped = round_up(a->size + BEYOND, PAGE);
    bool const open = a->kind == ALLOCATION_MANAGED || a->kind == ALLOCATION_HOST;
    int const flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (open ? MAP_FIXED : 0);
    void *bytes = mmap(open ? at(a->address) : NULL, a->mapped, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (bytes == MAP_FAILED)
        return false;
    a->data = bytes;
    memory_prefer_large_pages(bytes, a->mapped);
    if (!runtime.options.memory || a->kind == ALLOCATION_VARIABLE || open) /* the host writes unseen */
        return true;
    void *bits = mmap(NULL, (a->size / BITS + 1) * sizeof(uint64_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    a->written = bits == MAP_FAILED ? NULL : bits;
    if (a->written)
        memory_prefer_large_pages(a->written, (a->size / BITS + 1) * sizeof(uint64_t));
    return true;
}

enum status emulator_allocate(struct allocation *new)
{
    uint64_t const limit = runtime.options.device_bytes;
    if (!reserve_range())
        return STATUS_INITIALIZATION_ERROR;
    if (new->size > limit || runtime.bytes_in_use > limit - new->size)
        return STATUS_MEMORY_ALLOCATION;
    new->slot = round_up(new->size + GUARD, SLOT);
    if (new->slot <= EMULATOR_PLACED_END - runtime.next_address) {
        new->address = runtime.next_address;
        runtime.next_address += new->slot;
    } else {
        new->address = space_reuse(new->slot, &new->slot);
    }
    new->made_at = ++runtime.changes;
    return new->address &&map_bytes(new) ? STATUS_SUCCESS : STATUS_MEMORY_ALLOCATION;
}

enum status emulator_reserve(uint64_t *address, uint64_t size, uint64_t alignment)
{
    if (!reserve_range())
        return STATUS_INITIALIZATION_ERROR;
    uint64_t const begin = round_up(runtime.next_address, alignment > SLOT ? alignment : SLOT);
    if (begin > EMULATOR_PLACED_END || size > EMULATOR_PLACED_END ||
        round_up(size + GUARD, SLOT) > EMULATOR_PLACED_END - begin)
        return STATUS_MEMORY_ALLOCATION;
    runtime.next_address = begin + round_up(size + GUARD, SLOT);
    *address = begin;
    return STATUS_SUCCESS;
}

void emulator_release(struct allocation *a)
{
    if (a->kind == ALLOCATION_REGISTERED || a->is_mapping)
        return;
    if (a->kind != ALLOCATION_MANAGED && a->kind != ALLOCATION_HOST)
        munmap(a->data, a->mapped);
    else if (mmap(at(a->address), a->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
                  0) == MAP_FAILED)
        munmap(at(a->address), a->mapped); /* closed to the host as well, only not reserved */
    if (a->written)
        munmap(a->written, (a->size / BITS + 1) * sizeof(uint64_t));
}

/* ---- copies and fills ---- */

/* The bytes that a copy leaves behind count as written where those that it took did. */
static void mark_copied(const struct side *to, const struct side *from, uint64_t size)
{
    const uint64_t *known = from->allocation ? from->allocation->written : NULL;
    if (!to->allocation || !to->allocation->written)
        return;
    if (!known) {
        space_mark_written(to->allocation, to->offset, size);
        return;
    }
    uint64_t const whole = from->offset % BITS || to->offset % BITS ? 0 : size / BITS;
    memmove(to->allocation->written + to->offset / BITS, known + from->offset / BITS, whole * sizeof *known);
    for (uint64_t i = whole * BITS; i < size; i++) {
        uint64_t const at = from->offset + i, there = to->offset + i;
        uint64_t const bit = known[at / 64] >> at % 64 & 1;
        to->allocation->written[there / 64] &= ~(UINT64_C(1) << there % 64);
        to->allocation->written[there / 64] |= bit << there % 64;
    }
}

/* Records how many bytes of the source nothing ever wrote, and where the first is. */
static void record_unwritten(const struct side *from, uint64_t size)
{
    const uint64_t *known = from->allocation ? from->allocation->written : NULL;
    uint64_t unwritten = 0, first = size;
    for (uint64_t i = 0; known && i < size; i++) {
        uint64_t const at = from->offset + i;
        if (at % 64 == 0 && size - i >= 64 && known[at / 64] == UINT64_MAX) {
            i += 63;
        } else if (!(known[at / 64] >> at % 64 & 1)) {
            first = first < i ? first : i;
            unwritten++;
        }
    }
    if (!unwritten)
        return;
    line_number("unwritten", unwritten);
    line_number("unwritten_first", first);
}

enum status emulator_copy(const struct transfer *t)
{
    const struct rows *rows = &t->rows;
    if (t->from.device && !t->to.device && rows->height == 1 && rows->depth == 1)
        record_unwritten(&t->from, rows->width);
    for (size_t z = 0; rows->width && z < rows->depth; z++)
        for (size_t y = 0; y < rows->height; y++) {
            size_t const there = z * rows->to_slice + y * rows->to_pitch;
            size_t const here = z * rows->from_slice + y * rows->from_pitch;
            struct side row_to = t->to, row_from = t->from;
            row_to.offset += there;
            row_from.offset += here;
            memmove(t->to.bytes + there, t->from.bytes + here, rows->width);
            mark_copied(&row_to, &row_from, rows->width);
        }
    space_changed(t->to.allocation);
    double const model = model_copy_us((uint64_t)rows->width * rows->height * rows->depth, t->direction, t->pinned);
    line_real("model_us", model);
    emulator_add_work(t->stream, model);
    if (t->waits)
        runtime.host_time = emulator_done_us();
    return STATUS_SUCCESS;
}

/* Whether nothing has touched the memory of an allocation, which is full of zeros then. */
static bool is_fresh(const struct allocation *a)
{
    bool const closed = a && (a->kind == ALLOCATION_DEVICE);
    return closed && a->made_at > a->changed_at && a->made_at > a->hashed_at && a->made_at > runtime.all_changed_at;
}

static void fill_row(uint8_t *bytes, const struct work_fill *f)
{
    if (f->element <= 1)
        memset(bytes, (int)f->value, f->rows.width);
    else
        for (size_t i = 0; i < f->rows.width; i++)
            bytes[i] = (uint8_t)(f->value >> 8 * (i % f->element));
}

enum status emulator_fill(const struct side *to, const struct work_fill *f, struct stream *stream)
{
    const struct rows *rows = &f->rows;
    bool const done = !f->value && is_fresh(to->allocation); /* and its pages may stay untouched */
    for (size_t z = 0; z < rows->depth; z++)
        for (size_t y = 0; y < rows->height; y++) {
            size_t const there = z * rows->to_slice + y * rows->to_pitch;
            if (!done)
                fill_row(to->bytes + there, f);
            space_mark_written(to->allocation, to->offset + there, rows->width);
        }
    space_changed(to->allocation);
    double const model = model_fill_us((uint64_t)rows->width * rows->height * rows->depth);
    line_real("model_us", model);
    emulator_add_work(stream, model);
    return STATUS_SUCCESS;
}

/* ---- the heap of the kernels' malloc ---- */

static const uint64_t heap_space = UINT64_C(1) << 30; /* of addresses */

static void *map_zeros(uint64_t size)
{
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

bool emulator_make_heap(uint64_t limit)
{
    struct launch_heap *heap = &runtime.heap;
    if (heap->data)
        return true;
    heap->bytes = limit > heap_space ? limit : heap_space;
    heap->limit = limit;
    heap->data = map_zeros(heap->bytes + BEYOND);
    heap->state = map_zeros(heap->bytes + 1);
    return heap->data && heap->state;
}

void emulator_free_heap(void)
{
    struct launch_heap *heap = &runtime.heap;
    if (heap->data)
        munmap(heap->data, heap->bytes + BEYOND);
    if (heap->state)
        munmap(heap->state, heap->bytes + 1);
    launch_heap_free(heap);
    *heap = (struct launch_heap){0};
}
