/* The emulator as the device: emulator.c, emulator_memory.c and emulator_launch.c. */
#ifndef LANESCOPE_CUDART_EMULATOR_H
#define LANESCOPE_CUDART_EMULATOR_H
#include "cudart/backend/backend.h"

#define BACKEND(result, name, parameters) result emulator_##name parameters;
#include "cudart/backend/backend.def"

/* Takes a range of addresses for virtual memory. */
enum status emulator_reserve(uint64_t *address, uint64_t size, uint64_t alignment);
/* Makes the heap of the kernels' malloc, once, with the most bytes that kernels have of it at a time; releases it. */
enum { LIMIT_PENDING_LAUNCHES = 4 }; /* cudaLimitDevRuntimePendingLaunchCount */
bool emulator_make_heap(uint64_t limit);
void emulator_free_heap(void);
size_t emulator_heap_limit(void);
/* Gives the variables of the loaded modules their initial values again. */
void emulator_reset_variables(void);
/* Adds work to a stream after all that the legacy default stream orders before it. */
void emulator_add_work(struct stream *stream, double microseconds);
/* Returns the model time at which all work is done. */
double emulator_done_us(void);
#endif
