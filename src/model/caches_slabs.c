/* The memory of steps. A launch may keep those of all its blocks, so it comes in large pages. A slab begins at a
 * multiple of its size. */
#include "base/memory.h"
#include "model/caches_run.h"
#include <sys/mman.h>

/* The first region is for small launches. The others are as large as the pages that they are to have, or a multiple. */
enum { REGION_LEAST = 4 * SLAB_BYTES, REGION_BYTES = 8 << 20, LARGE_PAGE = 2 << 20 };

static size_t region_bytes(size_t number)
{
    return number ? REGION_BYTES : REGION_LEAST;
}

static size_t region_begins(size_t number)
{
    return number ? LARGE_PAGE : SLAB_BYTES;
}

static bool add_region(struct caches_run *run)
{
    size_t const number = run->regions.count, bytes = region_bytes(number), begins = region_begins(number);
    void *memory =
        mmap(NULL, bytes + begins, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    array_push(&run->regions, memory);
    run->region_at = (char *)memory + (begins - (uintptr_t)memory % begins) % begins;
    run->region_end = run->region_at + bytes;
    memory_prefer_large_pages(run->region_at, bytes);
    return true;
}

struct slab *caches_slab_take(struct caches_run *run)
{
    pthread_mutex_lock(&run->free_lock);
    struct slab *slab = run->free_slabs;
    if (slab) {
        run->free_slabs = slab->next;
    } else if (run->region_at != run->region_end || add_region(run)) {
        slab = (struct slab *)run->region_at;
        run->region_at += SLAB_BYTES;
    }
    pthread_mutex_unlock(&run->free_lock);
    if (slab)
        slab->users = 1;
    return slab;
}

void caches_slab_leave(struct caches_run *run, struct slab *slab)
{
    if (atomic_fetch_sub(&slab->users, 1) != 1)
        return;
    pthread_mutex_lock(&run->free_lock);
    slab->next = run->free_slabs;
    run->free_slabs = slab;
    pthread_mutex_unlock(&run->free_lock);
}

void caches_slabs_free(struct caches_run *run)
{
    for (size_t i = 0; i < run->regions.count; i++)
        munmap(run->regions.items[i], region_bytes(i) + region_begins(i));
    free(run->regions.items);
    run->regions.items = NULL;
    run->regions.count = run->regions.capacity = 0;
    run->region_at = run->region_end = NULL;
    run->free_slabs = NULL;
}
