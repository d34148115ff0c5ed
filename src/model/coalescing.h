/* Global memory as the L1 sees one warp's access: 128-byte chunks (cache lines) and their four 32-byte sectors.
 * Sectors and requests equal ncu's l1tex__t_sectors/requests_pipe_lsu_mem_global_op_{ld,st} on single accesses. */
#ifndef LANESCOPE_MODEL_COALESCING_H
#define LANESCOPE_MODEL_COALESCING_H
#include <stdbool.h>
#include <stdint.h>

enum { CHUNK_BYTES = 128, SECTOR_BYTES = 32, CHUNK_SECTORS = 4, CHUNKS_MAX = 64 };

struct chunk {
    uint64_t address; /* of its first byte, a multiple of 128 */
    uint8_t sectors;  /* bit s: sector s is fetched */
    uint32_t lanes;   /* lanes with a byte in it */
    uint64_t used[2]; /* bit b of 128: byte b is asked for by some lane */
};

struct coalescing {
    uint32_t chunk_count; /* in order of first lane */
    struct chunk chunks[CHUNKS_MAX];
    uint32_t requests;      /* 1 when any lane is active */
    uint32_t sectors;       /* 32-byte sectors fetched */
    uint32_t sectors_ideal; /* the fewest that could hold the distinct bytes used */
    uint32_t bytes_used;    /* distinct bytes */
    uint32_t bytes_fetched; /* sectors * 32 */
};

/* addresses: 32; mask: active lanes; bytes: a lane, 1 2 4 8 16. */
void model_coalescing(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, struct coalescing *result);
/* Only the count of sectors: what a whole launch's totals need, quickly. */
uint32_t model_sectors(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, uint32_t *ideal);
/* Of an atomic or a reduction, of 4 or 8 bytes a lane: ncu's l1tex__t_sectors_pipe_lsu_mem_global_op_{atom,red}. Lanes
 * on one address take turns, and a sector counts once a turn; who shares a turn: docs/model.md. compare: it is a
 * compare and exchange. */
uint32_t model_atomic_sectors(const uint64_t addresses[32], uint32_t mask, bool compare);
#endif
