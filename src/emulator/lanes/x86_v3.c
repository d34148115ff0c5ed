/* The handlers with AVX2 and FMA: CMakeLists.txt compiles this file for x86-64-v3. */
#if defined(__x86_64__)
#define LANES_TABLE lanes_x86_v3
#define LANES_SET "x86-64-v3"
#include "emulator/lanes/lanes.inc"
#else
typedef int lanes_x86_v3_absent;
#endif
