/* How long work takes, in model microseconds: docs/programs.md. Nothing of it is measured. */
#include "cudart/layer/device.h"
#include "run/run.h"

/* Where the GPU's file has no rates of copies. Source: PCI Express 5.0 x16, the link of the H200, by its
 * specification. */
static const double link_rate = 64;

double model_copy_us(uint64_t bytes, int kind, bool pinned)
{
    double const wait = device_fact("dram_latency", 0) / device_fact("clock_mhz", 1);
    if (kind == COPY_DEVICE_TO_DEVICE) /* copy_rate counts both ways */
        return device_fact("within_device_latency", wait) + 2 * (double)bytes / (device_fact("copy_rate", 1) * 1e3);
    bool const out = kind == COPY_DEVICE_TO_HOST;
    double const latency = device_fact(pinned ? out ? "pinned_from_device_latency" : "pinned_to_device_latency"
                                       : out  ? "from_device_latency"
                                              : "to_device_latency",
                                       wait);
    double const rate = device_fact(pinned ? out ? "pinned_from_device_rate" : "pinned_to_device_rate"
                                    : out  ? "from_device_rate"
                                           : "to_device_rate",
                                    link_rate);
    return latency + (double)bytes / (rate * 1e3);
}

double model_fill_us(uint64_t bytes)
{
    double const wait = device_fact("dram_latency", 0) / device_fact("clock_mhz", 1);
    double const rate = device_fact("write_rate", device_fact("copy_rate", 1));
    return wait + (double)bytes / (rate * 1e3);
}

/* The longer of two bounds: every multiprocessor issues four warp instructions a cycle, and the memory moves its
 * sectors at the rate of a copy; after one access to memory. */
double model_launch_us(const struct run *run)
{
    double const clock = device_fact("clock_mhz", 1), rate = device_fact("copy_rate", 1) * 1e3;
    double const issue = (double)run->counts.totals.warp_instructions / (4 * device_fact("multiprocessors", 1) * clock);
    uint64_t sectors = 0;
    for (uint32_t i = 0; i < run->counts.site_count; i++)
        sectors += run->counts.sites[i].sectors;
    double const moved = 32 * (double)sectors / rate;
    return device_fact("dram_latency", 0) / clock + (issue > moved ? issue : moved);
}
