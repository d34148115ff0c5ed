/* The driver's version as NVIDIA writes it, "580.159.04", and its state. */
#ifndef LANESCOPE_CUDA_DRIVER_H
#define LANESCOPE_CUDA_DRIVER_H
#include <stdbool.h>
#include <stddef.h>

/* Reads the version from the text of /proc/driver/nvidia/version. Returns false when the text has none. */
bool driver_version_parse(const char *text, char *version, size_t size);
/* Gets the version from the kernel module's file, or from NVML when that library is present. Without either it returns
 * false and version is "". */
bool driver_version(char *version, size_t size);
/* A GPU's current clocks and temperature, from NVML. Without NVML the function returns false and all fields are 0. bus:
 * the PCI address as CUDA writes it. */
struct driver_state {
    unsigned clock_mhz, memory_clock_mhz, temperature;
};
bool driver_state(const char *bus, struct driver_state *state);
#endif
