/* The handlers with AVX-512: CMakeLists.txt compiles this file for x86-64-v4. */
#if defined(__x86_64__)
#define LANES_TABLE lanes_x86_v4
#define LANES_SET "x86-64-v4"
#include "emulator/lanes/lanes.inc"
#else
typedef int lanes_x86_v4_absent;
#endif
