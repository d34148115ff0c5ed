/* The roofline of a GPU: how fast a kernel can be that makes so many floating-point operations for each byte of a
 * memory. The roofs are rates that `bench device` measured. A kernel is a point only where one GPU has counted its
 * bytes and measured its time; nothing modelled enters. */
#ifndef LANESCOPE_MODEL_ROOFLINE_H
#define LANESCOPE_MODEL_ROOFLINE_H
#include "model/gpu.h"
#include "model/sass.h"
#include "trace/time.h"

enum roofline_memory { ROOFLINE_DRAM, ROOFLINE_L1, ROOFLINE_SHARED, ROOFLINE_MEMORIES };

struct roofline_point {
    const char *label;
    bool current; /* the setting on screen */
    bool known;   /* counted and measured on the GPU of the roofs; else only the label is set */
    double flop;  /* a fused multiply-add counts as two */
    /* Read and written in DRAM; that global memory's sectors take through L1; 128 for each pass through shared memory
     * (0 or NAN: none, or not counted). */
    double bytes[ROOFLINE_MEMORIES];
    double microseconds;
};

struct roofline {
    const char *gpu;                 /* "NVIDIA H200" */
    double flop_rate;                /* in a second */
    double rates[ROOFLINE_MEMORIES]; /* bytes in a second; of shared memory 0: not measured */
    const struct roofline_point *points;
    size_t count;
    const char *other; /* a program that is not ours, of which only the time is measured; NULL: none */
    double other_rate; /* its operations in a second */
};

/* Sets the roofs. Returns false when the GPU's file lacks one of them. */
bool roofline_roofs(const struct gpu *gpu, struct roofline *roofline);
/* Sets all fields of a point but its label and `current` from the counts and the time of one launch. */
void roofline_place(const char *gpu, const struct sass_counts *counts, const struct measured_time *time,
                    struct roofline_point *point);
/* Returns whether the launch has bytes of this memory: a kernel without shared memory has none there. */
bool roofline_uses(const struct roofline_point *point, enum roofline_memory memory);
/* Return operations for each byte, operations in a second, and the roof above so many operations for each byte. */
double roofline_intensity(const struct roofline_point *point, enum roofline_memory memory);
double roofline_rate(const struct roofline_point *point);
double roofline_roof(const struct roofline *roofline, enum roofline_memory memory, double intensity);
/* Sums up counters. Returns NaN when one of them was not counted. */
double roofline_flop(const struct sass_counts *counts);
double roofline_bytes(const struct sass_counts *counts, enum roofline_memory memory);
#endif
