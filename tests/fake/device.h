/* The device behind tests/fake/cuda.c: memory that has the same address for the host, and kernels, which the emulator
 * runs. */
#ifndef LANESCOPE_TESTS_FAKE_DEVICE_H
#define LANESCOPE_TESTS_FAKE_DEVICE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the address of zeroed memory, a multiple of 512, or 0. */
uint64_t device_allocate(size_t size);
void device_release(uint64_t address);

/* Parses PTX and makes its variables. Returns NULL when that fails; the log says why. */
struct device_module *device_load(const char *ptx, char *log, size_t log_size);
void device_unload(struct device_module *module);
/* Returns a kernel of the module, or NULL. */
struct device_kernel *device_kernel(struct device_module *module, const char *name);
/* Returns false when the module has no such variable. */
bool device_variable(const struct device_module *module, const char *name, uint64_t *address, size_t *size);

/* Runs a launch to its end. Returns the driver's error for it, or 0. A kernel that cannot end does not return. */
int device_launch(const struct device_kernel *kernel, const unsigned grid[3], const unsigned block[3], unsigned shared,
                  void **arguments);
#endif
