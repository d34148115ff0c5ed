/* The arithmetic handlers, compiled once for each instruction set and chosen when a run starts. */
#ifndef LANESCOPE_EMULATOR_LANES_LANES_H
#define LANESCOPE_EMULATOR_LANES_LANES_H
#include "emulator/core/warp.h"

enum lanes_operation {
#define LANES_NAME(name, ...) LANES_##name,
#define UNARY LANES_NAME
#define BINARY LANES_NAME
#define TERNARY LANES_NAME
#define QUATERNARY LANES_NAME
#define CARRY LANES_NAME
#define SELECT LANES_NAME
#define COMPARE LANES_NAME
#define PREDICATE LANES_NAME
#define CONVERT LANES_NAME
#define WRITTEN LANES_NAME
#include "emulator/lanes/lanes.def"
#undef LANES_NAME
#undef UNARY
#undef BINARY
#undef TERNARY
#undef QUATERNARY
#undef CARRY
#undef SELECT
#undef COMPARE
#undef PREDICATE
#undef CONVERT
#undef WRITTEN
    LANES_COUNT
};

struct lanes_table {
    const char *name;
    handler run[LANES_COUNT][VARIANTS];
};
extern const struct lanes_table lanes_portable, lanes_x86_v3, lanes_x86_v4;
/* Returns the best table that this computer can run, but none better than the one that $LANESCOPE_LANES names. */
const struct lanes_table *lanes_best(void);
#endif
