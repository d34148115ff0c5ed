/* Coalescing: one warp access to global memory as the L1 cache sees it, in 128-byte chunks (cache lines) of four
 * 32-byte sectors. Sectors and requests equal l1tex__t_sectors/requests_pipe_lsu_mem_global_op_{ld,st} of Nsight
 * Compute on single accesses. */
#ifndef LANESCOPE_MODEL_COALESCING_H
#define LANESCOPE_MODEL_COALESCING_H
#include <stdint.h>

enum { CHUNK_BYTES = 128, SECTOR_BYTES = 32, CHUNK_SECTORS = 4, CHUNKS_MAX = 64 };
enum { SECTORS_MAX = CHUNKS_MAX * CHUNK_SECTORS };

struct chunk {
    uint64_t address; /* of the first byte; a multiple of 128 */
    uint8_t sectors;  /* bit s: sector s is fetched */
    uint32_t lanes;   /* lanes that access a byte of it */
    uint64_t used[2]; /* bit b of 128: some lane accesses byte b */
};

struct coalescing {
    uint32_t chunk_count; /* chunks are in the order of the first lane that accesses them */
    struct chunk chunks[CHUNKS_MAX];
    uint32_t requests;      /* 1 when any lane is active, else 0 */
    uint32_t sectors;       /* 32-byte sectors fetched */
    uint32_t sectors_ideal; /* fewest sectors that can hold the distinct bytes */
    uint32_t bytes_used;    /* distinct bytes that lanes access */
    uint32_t bytes_fetched; /* sectors * 32 */
};

/* Fills the whole picture of one access. mask: active lanes; bytes: width of a lane's access, 1 2 4 8 or 16. */
void model_coalescing(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, struct coalescing *result);
/* Lists the address of each sector that is fetched, chunk by chunk, and returns their number. */
uint32_t coalescing_sectors(const struct coalescing *coalescing, uint64_t sectors[SECTORS_MAX]);
/* Returns the same list and number for an access whose chunks are not needed. */
uint32_t model_sector_list(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, uint64_t sectors[SECTORS_MAX]);
/* The sectors of one line, that is a chunk. */
struct line_part {
    uint64_t line;   /* address / 128 */
    uint8_t sectors; /* bit s: sector s is fetched */
};
/* Lists the lines of the same access, in the same order, and returns their number. */
uint32_t model_lines(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, struct line_part parts[CHUNKS_MAX]);
/* Returns what l1tex__t_sectors counts of a cp.async.cg, of 16 bytes a lane: for each two neighbouring lanes, 0 and 1,
 * 2 and 3 and so on, the lines that they read. That is the number of sectors where the lanes read side by side
 * (tests/copies). */
uint32_t model_pair_lines(const uint64_t addresses[32], uint32_t mask);
/* Returns the number of sectors only, and the ideal number in *ideal: fast enough for every access of a launch. */
uint32_t model_sectors(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, uint32_t *ideal);
#endif
