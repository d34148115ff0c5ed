/* Constant memory: a load through the constant cache (ld.const; LDC in machine code). In one pass the cache serves one
 * address to any number of lanes, so a warp takes as many passes as its active lanes have different addresses. The
 * addresses are those of the lanes' first bytes: two lanes that read neighbouring bytes of one word take two passes. A
 * lane reads at most 8 bytes at once; a load of 16 bytes is two loads. On an H200, passes - passes_ideal equals Nsight
 * Compute's sm__idc_divergent_instruction_replays, and the passes are the load's part of idc__requests:
 * docs/validation.md compares them launch by launch. */
#ifndef LANESCOPE_MODEL_CONSTANT_H
#define LANESCOPE_MODEL_CONSTANT_H
#include "trace/trace.h"

enum { CONSTANT_BYTES = 8 /* of a lane in one pass */, CONSTANT_PASSES_MAX = 256 /* a trace file may name 64 bytes */ };

struct constant_pass {
    uint64_t address;
    uint32_t lanes; /* that read there */
};

struct constant_passes {
    uint32_t addresses;    /* different ones among the active lanes */
    uint32_t passes;       /* addresses times passes_ideal */
    uint32_t passes_ideal; /* passes if all active lanes read one address: 1, or 2 for 16 bytes; 0 without lanes */
    struct constant_pass list[CONSTANT_PASSES_MAX]; /* in the order of the first lane of each, first halves first */
};

/* Lists the passes of one warp access. mask: active lanes; bytes: width of a lane's access, 1 2 4 8 or 16. */
void model_constant(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, struct constant_passes *result);
/* Returns the number of passes only, and the ideal number in *ideal. */
uint32_t model_constant_passes(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, uint32_t *ideal);
#endif
