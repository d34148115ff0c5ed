/* Functions that the driver provides and a kernel only declares: malloc, free, printf, assertions,
 * launches. */
#ifndef LANESCOPE_EMULATOR_DECODE_PROVIDED_H
#define LANESCOPE_EMULATOR_DECODE_PROVIDED_H
#include "ptx/module.h"

/* True when the module calls malloc, so that it needs a heap. */
bool provided_heap(const struct ptx_module *module);
/* True when the module has kernels that launch kernels. */
bool provided_launches(const struct ptx_module *module);
#endif
