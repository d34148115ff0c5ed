#include "model/roofline.h"
#include <math.h>
#include <string.h>

static double counter(const struct sass_counts *counts, const char *name)
{
    uint64_t value;
    return counts->counted && sass_counter(counts, name, &value) ? (double)value : (double)NAN;
}

double roofline_flop(const struct sass_counts *counts)
{
    return 2 * counter(counts, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") +
           counter(counts, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum") +
           counter(counts, "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum");
}

double roofline_bytes(const struct sass_counts *counts, enum roofline_memory memory)
{
    enum { PASS_BYTES = 128 }; /* 32 banks of 4 bytes */
    if (memory == ROOFLINE_SHARED)
        return PASS_BYTES * (counter(counts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") +
                             counter(counts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"));
    return memory == ROOFLINE_L1 ? counter(counts, "l1tex__t_bytes.sum")
                                 : counter(counts, "dram__bytes_read.sum") + counter(counts, "dram__bytes_write.sum");
}

bool roofline_roofs(const struct gpu *gpu, struct roofline *roofline)
{
    const struct gpu_fact *flop = gpu_find(gpu, "fma_rate"), *dram = gpu_find(gpu, "copy_rate"),
                          *l1 = gpu_find(gpu, "l1_read_rate"), *shared = gpu_find(gpu, "shared_read_rate");
    *roofline = (struct roofline){.gpu = gpu->name};
    if (!flop || !dram || !l1)
        return false;
    roofline->flop_rate = flop->value * 1e9;
    roofline->rates[ROOFLINE_DRAM] = dram->value * 1e9;
    roofline->rates[ROOFLINE_L1] = l1->value * 1e9;
    roofline->rates[ROOFLINE_SHARED] = shared ? shared->value * 1e9 : 0;
    return roofline->flop_rate > 0 && roofline->rates[ROOFLINE_DRAM] > 0 && roofline->rates[ROOFLINE_L1] > 0;
}

void roofline_place(const char *gpu, const struct sass_counts *counts, const struct measured_time *time,
                    struct roofline_point *point)
{
    bool const one_gpu = counts->counted && time->source != TIME_NONE && strcmp(counts->device, gpu) == 0 &&
                         strcmp(time->device, gpu) == 0;
    point->known = false;
    if (!one_gpu)
        return;
    point->flop = roofline_flop(counts);
    point->microseconds = time->median;
    point->known = point->flop > 0 && point->microseconds > 0;
    for (int memory = 0; memory < ROOFLINE_MEMORIES; memory++) {
        point->bytes[memory] = roofline_bytes(counts, (enum roofline_memory)memory);
        point->known = point->known && (memory == ROOFLINE_SHARED || point->bytes[memory] > 0);
    }
}

bool roofline_uses(const struct roofline_point *point, enum roofline_memory memory)
{
    return point->bytes[memory] > 0;
}

double roofline_intensity(const struct roofline_point *point, enum roofline_memory memory)
{
    return point->flop / point->bytes[memory];
}

double roofline_rate(const struct roofline_point *point)
{
    return point->flop / (point->microseconds * 1e-6);
}

double roofline_roof(const struct roofline *roofline, enum roofline_memory memory, double intensity)
{
    return fmin(roofline->flop_rate, intensity * roofline->rates[memory]);
}
