/* Expected results, computed by the host: every lesson's run is checked against them. */
#ifndef LANESCOPE_RUN_REFERENCE_H
#define LANESCOPE_RUN_REFERENCE_H
#include "base/error.h"
#include "trace/launch.h"

bool reference_known(const char *name);
/* Fills `expected`, which has the size of the launch's buffer `buffer`, from the launch before it runs. Returns false
 * when the launch lacks an argument that the reference needs. */
bool reference_compute(const char *name, const struct launch *launch, uint32_t buffer, void *expected,
                       struct error *error);

/* Returns whether an element of the type is a floating-point number. */
bool reference_is_real(enum ptx_type type);
/* Returns element `index` of data of a buffer's type as a number; reference_store converts a number to the type. */
double reference_element(enum ptx_type type, const void *data, uint64_t index);
void reference_store(enum ptx_type type, void *data, uint64_t index, double value);

/* Loops of the host, which a `host` variant times. */
bool reference_loop_known(const char *name);
bool reference_loop(const char *name, const struct launch *launch, struct error *error);
#endif
