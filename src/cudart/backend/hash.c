#include "cudart/backend/hash.h"
#include "base/processor.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* Each part has a hash of its own, and the whole one of these hashes. */
enum { PART = 1 << 20, THREADS_MOST = 16, THREAD_PARTS = 4 }; /* a thread is worth that many parts at least */

struct hashing {
    const uint8_t *data;
    size_t size, parts;
    atomic_size_t next;
    XXH128_hash_t *hashes;
};

static void *hash_parts(void *context)
{
    struct hashing *h = context;
    for (size_t i; (i = atomic_fetch_add(&h->next, 1)) < h->parts;) {
        size_t const begin = i * PART, left = h->size - begin;
        h->hashes[i] = XXH3_128bits(h->data + begin, left < PART ? left : PART);
    }
    return NULL;
}

XXH128_hash_t hash_memory(const void *data, size_t size)
{
    struct hashing h = {.data = data, .size = size, .parts = (size + PART - 1) / PART};
    h.hashes = h.parts > 1 ? calloc(h.parts, sizeof *h.hashes) : NULL;
    if (!h.hashes)
        return XXH3_128bits(data, size);
    pthread_t threads[THREADS_MOST];
    size_t const fitting = h.parts / THREAD_PARTS, processors = processor_count();
    size_t const most = fitting < processors ? fitting : processors;
    size_t started = 0;
    while (started + 1 < most && started < THREADS_MOST && pthread_create(&threads[started], NULL, hash_parts, &h) == 0)
        started++;
    hash_parts(&h);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    XXH128_hash_t const whole = XXH3_128bits(h.hashes, h.parts * sizeof *h.hashes);
    free(h.hashes);
    return whole;
}
