/* The driver's version, as NVIDIA writes it: "580.159.04". */
#ifndef LANESCOPE_CUDA_DRIVER_H
#define LANESCOPE_CUDA_DRIVER_H
#include <stdbool.h>
#include <stddef.h>

/* From the text of /proc/driver/nvidia/version. False when it holds none. */
bool driver_version_parse(const char *text, char *version, size_t size);
/* From the kernel's file, else from NVML when that library is there. version is "" and the answer false without. */
bool driver_version(char *version, size_t size);
/* How a GPU runs right now, from NVML when that library is there; all 0 and false without. bus: as CUDA names it. */
struct driver_state {
    unsigned clock_mhz, memory_clock_mhz, temperature;
};
bool driver_state(const char *bus, struct driver_state *state);
#endif
