/* One row per fact: its kernel, the kernel's numbers, and the meaning of its answer. A latency is the cycles that the
 * kernel itself counted, divided by the steps of its chain. A rate is work divided by the median time between two
 * events. A step is computed from two latencies, and a pitch is asked of the driver. */
#include "cuda/facts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 16384, FEW_STEPS = 4096, ROUNDS = 1024, MIB = 1 << 20 };

enum fact_kind { LATENCY, RATE, STEP, PITCH, COPY_LATENCY, COPY_RATE };

struct row {
    const char *name, *unit, *kernel, *method;
    enum fact_kind kind;
    double work;       /* per thread (or steps, in rows with one_thread); of a rate in units of 10^9 */
    uint64_t bytes[2]; /* of the buffers, which are the first arguments */
    uint32_t scalars[4];
    uint32_t buffer_count, scalar_count;
    bool alone;            /* launched with one thread, for a kernel that does not end its other threads itself */
    bool whole_gpu;        /* enough blocks to fill every multiprocessor twice; else one block */
    bool work_is_whole;    /* work is that of the whole launch, not of a thread */
    struct cuda_copy copy; /* of a rate the bytes of two copies: these, and half of them */
};

#define CHASE(size, nodes, spread, steps, evict)                                                                       \
    .kind = LATENCY, .work = steps, .bytes = {256, size}, .buffer_count = 2, .scalars = {nodes, spread, steps, evict}

#define CHASE_CONSTANTS(addresses)                                                                                     \
    .kind = LATENCY, .work = STEPS, .bytes = {256}, .buffer_count = 1, .scalars = {addresses, STEPS}, .scalar_count = 2

#define COPY_OF_FOUR "cuMemcpy of 4 bytes between two events, the median of 31, "
#define COPY_OF_MANY "cuMemcpy of 128 MiB less one of 64 MiB, each between two events, the medians of 31, "

static const struct row rows[] = {
    {"instruction_latency", "cycles", "chain_multiply_add",
     "one thread follows a chain of fused multiply-adds, each needing the one before", .kind = LATENCY, .work = STEPS,
     .bytes = {256}, .buffer_count = 1, .scalars = {0, STEPS}, .scalar_count = 2, .alone = true},
    {"shared_latency", "cycles", "chase_shared",
     "one thread follows a chain of 1024 words in shared memory, each load needing the one before", .kind = LATENCY,
     .work = STEPS, .bytes = {256}, .buffer_count = 1, .scalars = {STEPS}, .scalar_count = 1},
    {"l1_latency", "cycles", "chase_l1",
     "one thread follows a chain through 16 KiB, a node a 32-byte sector, walked once before", .scalar_count = 3,
     CHASE(16 << 10, 512, 32, STEPS, 0)},
    {"l2_latency", "cycles", "chase_l2",
     "one thread follows a chain through 4 MiB with loads that go by L1, a node every 128 bytes, walked once before",
     .scalar_count = 4, CHASE(4 * MIB, 32768, 128, STEPS, 0)},
    {"dram_latency", "cycles", "chase_l2",
     "one thread follows 4096 nodes of a chain through 256 MiB after 256 MiB of other memory were written, so that "
     "none "
     "is in L2; misses of the address translation are part of it",
     .scalar_count = 4, CHASE(UINT64_C(512) * MIB, 2 * MIB, 128, FEW_STEPS, 256 * MIB)},
    {"constant_latency", "cycles", "chase_constant",
     "one warp reads one word of constant memory, each load needing the one before", CHASE_CONSTANTS(1)},
    {"constant_latency_2", "cycles", "chase_constant", "the same, its lanes at 2 neighbouring words",
     CHASE_CONSTANTS(2)},
    {"constant_latency_4", "cycles", "chase_constant", "the same, its lanes at 4 words", CHASE_CONSTANTS(4)},
    {"constant_latency_8", "cycles", "chase_constant", "the same, its lanes at 8 words", CHASE_CONSTANTS(8)},
    {"constant_latency_16", "cycles", "chase_constant", "the same, its lanes at 16 words", CHASE_CONSTANTS(16)},
    {"constant_latency_32", "cycles", "chase_constant", "the same, its lanes at 32 words", CHASE_CONSTANTS(32)},
    {"constant_latency_far", "cycles", "chase_constant_far",
     "the same, its lanes at 32 words 1 KiB apart, more than the first level of the constant cache holds",
     CHASE_CONSTANTS(32)},
    {"constant_step", "cycles", NULL, "constant_latency_32 less constant_latency, divided by 31", .kind = STEP},
    {"global_atomic_latency", "cycles", "chase_atomic",
     "one thread adds to one word, each atomic needing what the one before gave back", .kind = LATENCY, .work = STEPS,
     .bytes = {256, 256}, .buffer_count = 2, .scalars = {STEPS}, .scalar_count = 1, .alone = true},
    {"copy_rate", "GB/s", "copy", "256 MiB read and 256 MiB written, 16 bytes a thread and step; both are counted",
     .kind = RATE, .work = 512.0 * MIB / 1e9, .work_is_whole = true,
     .bytes = {UINT64_C(256) * MIB, UINT64_C(256) * MIB}, .buffer_count = 2, .scalars = {16 * MIB}, .scalar_count = 1,
     .whole_gpu = true},
    {"write_rate", "GB/s", "fill", "256 MiB written, 16 bytes a thread and step", .kind = RATE,
     .work = 256.0 * MIB / 1e9, .work_is_whole = true, .bytes = {UINT64_C(256) * MIB}, .buffer_count = 1,
     .scalars = {16 * MIB}, .scalar_count = 1, .whole_gpu = true},
    {"fma_rate", "GFLOP/s", "multiply_add",
     "every thread makes 8 chains of 1024 fused multiply-adds in single precision; each counts as two operations",
     .kind = RATE, .work = 2.0 * 8 * ROUNDS / 1e9, .bytes = {256}, .buffer_count = 1, .scalars = {ROUNDS},
     .scalar_count = 1, .whole_gpu = true},
    {"l1_read_rate", "GB/s", "read_l1",
     "every thread reads 16 bytes 8192 times, of 16 KiB of global memory that the L1 holds", .kind = RATE,
     .work = 16.0 * 8 * ROUNDS / 1e9, .bytes = {16 << 10}, .buffer_count = 1, .scalars = {8 * ROUNDS},
     .scalar_count = 1, .whole_gpu = true},
    {"shared_read_rate", "GB/s", "read_shared",
     "every thread reads 16 bytes of shared memory 8192 times, without bank conflicts", .kind = RATE,
     .work = 16.0 * 8 * ROUNDS / 1e9, .bytes = {256}, .buffer_count = 1, .scalars = {8 * ROUNDS}, .scalar_count = 1,
     .whole_gpu = true},
    {"global_atomic_rate_one_word", "G adds/s", "add_global",
     "every thread adds 1024 numbers, all different, to the same word", .kind = RATE, .work = ROUNDS / 1e9,
     .bytes = {4 * MIB}, .buffer_count = 1, .scalars = {0, ROUNDS}, .scalar_count = 2, .whole_gpu = true},
    {"global_atomic_rate_own_words", "G adds/s", "add_global", "every thread adds 1024 numbers to a word of its own",
     .kind = RATE, .work = ROUNDS / 1e9, .bytes = {4 * MIB}, .buffer_count = 1, .scalars = {1, ROUNDS},
     .scalar_count = 2, .whole_gpu = true},
    {"shared_atomic_rate_one_word", "G adds/s", "add_shared",
     "every thread adds 1024 numbers, all different, to one word of its block's shared memory", .kind = RATE,
     .work = ROUNDS / 1e9, .bytes = {256}, .buffer_count = 1, .scalars = {0, ROUNDS}, .scalar_count = 2,
     .whole_gpu = true},
    {"shared_atomic_rate_own_words", "G adds/s", "add_shared",
     "every thread adds 1024 numbers to a word of its own in shared memory", .kind = RATE, .work = ROUNDS / 1e9,
     .bytes = {256}, .buffer_count = 1, .scalars = {1, ROUNDS}, .scalar_count = 2, .whole_gpu = true},
    {"pitch_alignment", "bytes", NULL,
     "the pitches that cuMemAllocPitch gives rows of 1, 400, 513 and 40000 bytes, the largest power of two that "
     "divides every pitch",
     .kind = PITCH},
    {"to_device_latency", "us", NULL, COPY_OF_FOUR "from memory of malloc to the device", .kind = COPY_LATENCY,
     .copy = {CUDA_TO_DEVICE, false, 4}},
    {"to_device_rate", "GB/s", NULL, COPY_OF_MANY "from memory of malloc to the device", .kind = COPY_RATE,
     .copy = {CUDA_TO_DEVICE, false, UINT64_C(128) * MIB}},
    {"from_device_latency", "us", NULL, COPY_OF_FOUR "from the device to memory of malloc", .kind = COPY_LATENCY,
     .copy = {CUDA_FROM_DEVICE, false, 4}},
    {"from_device_rate", "GB/s", NULL, COPY_OF_MANY "from the device to memory of malloc", .kind = COPY_RATE,
     .copy = {CUDA_FROM_DEVICE, false, UINT64_C(128) * MIB}},
    {"pinned_to_device_latency", "us", NULL, COPY_OF_FOUR "from memory of cuMemHostAlloc to the device",
     .kind = COPY_LATENCY, .copy = {CUDA_TO_DEVICE, true, 4}},
    {"pinned_to_device_rate", "GB/s", NULL, COPY_OF_MANY "from memory of cuMemHostAlloc to the device",
     .kind = COPY_RATE, .copy = {CUDA_TO_DEVICE, true, UINT64_C(128) * MIB}},
    {"pinned_from_device_latency", "us", NULL, COPY_OF_FOUR "from the device to memory of cuMemHostAlloc",
     .kind = COPY_LATENCY, .copy = {CUDA_FROM_DEVICE, true, 4}},
    {"pinned_from_device_rate", "GB/s", NULL, COPY_OF_MANY "from the device to memory of cuMemHostAlloc",
     .kind = COPY_RATE, .copy = {CUDA_FROM_DEVICE, true, UINT64_C(128) * MIB}},
    {"within_device_latency", "us", NULL, COPY_OF_FOUR "within the device", .kind = COPY_LATENCY,
     .copy = {CUDA_WITHIN_DEVICE, false, 4}},
};

static bool run(const struct row *row, const struct ptx_module *module, uint32_t blocks, void *const data[2],
                struct cuda_time *time, struct error *error)
{
    struct launch_buffer buffers[2];
    struct launch_argument arguments[6];
    uint32_t count = 0;
    for (uint32_t i = 0; i < row->buffer_count; i++) {
        buffers[i] = (struct launch_buffer){.name = "memory",
                                            .type = PTX_U8,
                                            .count = row->bytes[i],
                                            .data = data[i],
                                            .read_only = row->bytes[i] > 256};
        arguments[count++] = (struct launch_argument){.is_buffer = true, .buffer = i};
    }
    for (uint32_t i = 0; i < row->scalar_count; i++)
        arguments[count++] = (struct launch_argument){.type = PTX_U32, .bits = row->scalars[i]};
    struct launch const launch = {.kernel = row->kernel,
                                  .grid = {blocks, 1, 1},
                                  .block = {row->alone ? 1 : 1024, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = count,
                                  .buffers = buffers,
                                  .buffer_count = row->buffer_count};
    struct cuda_timing const timing = {.read_back = row->kind == LATENCY};
    return cuda_time_kernel(module, &launch, &timing, time, error);
}

static bool measure(const struct row *row, const struct ptx_module *module, int multiprocessors, double *value,
                    struct error *error)
{
    struct cuda_time time;
    uint32_t const blocks = row->whole_gpu ? 2 * (uint32_t)multiprocessors : 1;
    void *data[2] = {NULL, NULL};
    bool good = true;
    for (uint32_t i = 0; i < row->buffer_count && good; i++)
        good = (data[i] = calloc(1, row->bytes[i])) != NULL;
    good = good ? run(row, module, blocks, data, &time, error)
                : error_set(error, ERROR_MISSING, "no memory to measure %s", row->name);
    if (good && row->kind == LATENCY)
        *value = (double)*(const uint64_t *)data[0] / row->work; /* NOLINT: the row of a latency has a buffer */
    else if (good)
        *value = row->work * (row->work_is_whole ? 1 : 1024.0 * blocks) / (time.median * 1e-6);
    free(data[0]);
    free(data[1]);
    return good;
}

static double value_of(const struct cuda_fact *facts, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(facts[i].name, name) == 0)
            return facts[i].value;
    return 0;
}

/* Returns the power of two that divides all pitches. */
static bool measure_pitch(double *alignment, struct error *error)
{
    static const uint64_t widths[] = {1, 400, 513, 40000};
    uint64_t all = 0;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        uint64_t pitch;
        if (!cuda_pitch(widths[i], &pitch, error))
            return false;
        all |= pitch;
    }
    *alignment = (double)(all & (~all + 1));
    return true;
}

/* Measures a copy: of a latency its time; of a rate the bytes by which two copies differ, by the difference of their
 * times. */
static bool measure_copy(const struct row *row, double *value, struct error *error)
{
    struct cuda_copy half = row->copy;
    double less = 0;
    half.bytes /= 2;
    if (!cuda_copy_time(&row->copy, value, error) || (row->kind == COPY_RATE && !cuda_copy_time(&half, &less, error)))
        return false;
    if (row->kind == COPY_RATE)
        *value = (double)half.bytes / (*value - less) * 1e-3;
    return true;
}

static bool measure_row(const struct row *row, const struct ptx_module *module, int multiprocessors, double *value,
                        struct error *error)
{
    switch (row->kind) {
    case PITCH:
        return measure_pitch(value, error);
    case COPY_LATENCY:
    case COPY_RATE:
        return measure_copy(row, value, error);
    default:
        return measure(row, module, multiprocessors, value, error);
    }
}

bool cuda_facts(struct arena *arena, const struct ptx_module *module, const struct cuda_fact **facts, size_t *count,
                struct error *error)
{
    struct cuda_device device;
    *count = sizeof rows / sizeof *rows;
    struct cuda_fact *made = arena_array(arena, struct cuda_fact, *count);
    *facts = made;
    if (!cuda_device(&device, error))
        return false;
    for (size_t i = 0; i < *count; i++) {
        made[i] = (struct cuda_fact){.name = rows[i].name, .unit = rows[i].unit, .method = rows[i].method};
        if (rows[i].kind == STEP)
            made[i].value = (value_of(made, i, "constant_latency_32") - value_of(made, i, "constant_latency")) / 31;
        else if (!measure_row(&rows[i], module, device.multiprocessors, &made[i].value, error))
            return false;
    }
    return true;
}

bool cuda_write_rate(const struct ptx_module *module, double *bytes_a_second, struct error *error)
{
    struct cuda_device device;
    if (!cuda_device(&device, error))
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, "write_rate") == 0 &&
            !measure(&rows[i], module, device.multiprocessors, bytes_a_second, error))
            return false;
    *bytes_a_second *= 1e9;
    return true;
}
