/* What the emulator says of itself: the attributes of the device, by cudaDeviceAttr's numbers, which are the driver's.
 */
#include "cudart/backend/emulator.h"
#include "cudart/layer/device.h"

enum status emulator_attribute(int *value, int number)
{
    const struct occupancy_limits *limits = device_limits();
    struct {
        int number;
        double value;
    } const table[] = {
        {1, LAUNCH_THREADS_MAX},
        {2, LAUNCH_THREADS_MAX},
        {3, LAUNCH_THREADS_MAX},
        {4, LAUNCH_BLOCK_Z_MAX},
        {5, LAUNCH_GRID_X_MAX},
        {6, LAUNCH_GRID_YZ_MAX},
        {7, LAUNCH_GRID_YZ_MAX},
        {8, LAUNCH_STATIC_SHARED_MAX},
        {9, LAUNCH_CONSTANT_MAX},
        {10, WARP_LANES},
        {11, INT32_MAX},
        {12, (double)limits->registers_per_block},
        {13, device_fact("clock_mhz", 0) * 1000},
        {14, 512},
        {15, 1},
        {16, device_fact("multiprocessors", 1)},
        {17, 0},
        {18, 0},
        {19, 1},
        {20, 0},
        {31, 1},
        {32, 0},
        {33, 0},
        {34, 0},
        {35, 0},
        {36, device_fact("memory_clock_mhz", 0) * 1000},
        {37, device_fact("memory_bus_bits", 0)},
        {38, device_fact("l2_bytes", 0)},
        {39, (double)limits->threads},
        {40, 3},
        {41, 1},
        {75, device_capability(false)},
        {76, device_capability(true)},
        {78, 1},
        {79, 1},
        {80, 1},
        {81, (double)limits->shared},
        {82, (double)limits->registers},
        {83, 1},
        {84, 0},
        {88, 0},
        {89, 1},
        {90, 1},
        {95, 1},
        {96, 0},
        {97, (double)limits->shared_per_block},
        {99, 1},
        {101, 0},
        {102, 1}, /* virtual memory, of no other process (103 to 105) and not compressed (107) */
        {103, 0},
        {104, 0},
        {105, 0},
        {107, 0},
        {106, (double)limits->blocks},
        {111, (double)limits->shared_reserved},
        /* Limits of textures and surfaces, which arrays obey, too: CUDA C++ Programming Guide 13.0, technical
         * specifications of compute capability 9.0. */
        {21, 131072}, /* 1D */
        {22, 131072}, /* 2D */
        {23, 65536},
        {24, 16384}, /* 3D */
        {25, 16384},
        {26, 16384},
        {27, 32768}, /* 2D, layered */
        {28, 32768},
        {29, 2048},
        {42, 32768}, /* 1D, layered */
        {43, 2048},
        {45, 32768}, /* 2D, gathered */
        {46, 32768},
        {52, 32768}, /* cubes */
        {53, 32768},
        {54, 2046},
        {55, 32768},  /* surfaces: 1D */
        {56, 131072}, /* 2D */
        {57, 65536},
        {58, 16384}, /* 3D */
        {59, 16384},
        {60, 16384},
        {61, 32768}, /* 1D, layered */
        {62, 2048},
        {63, 32768}, /* 2D, layered */
        {64, 32768},
        {65, 2048},
        {66, 32768}, /* cubes */
        {67, 32768},
        {68, 2046},
        {69, 1 << 28}, /* textures in linear memory: 1D */
        {70, 131072},  /* 2D */
        {71, 65000},
        /* The guide lacks these: as driver 13.0 reports them for compute capability 8.9. */
        {30, 512},  /* alignment of surfaces */
        {47, 8192}, /* 3D in another shape */
        {48, 8192},
        {49, 32768},
        {51, 32},      /* alignment of the pitch */
        {72, 2097120}, /* the pitch of 2D in linear memory */
        {73, 32768},   /* with levels: 2D */
        {74, 32768},
        {77, 32768}, /* 1D */
        {50, 0},
        {85, 0},
        {86, 0},
        {87, 2},
        {91, 1},
        {100, 0},
        {108, 0},
        {109, 0},
        {115, 1},
        {120, 0},
        {125, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].number == number) {
            *value = (int)table[i].value;
            return STATUS_SUCCESS;
        }
    /* Abilities that the emulator lacks: gathering from textures (44), values that streams wait for (92 to 94, 98, 122,
     * 123), access by other devices and processes (110, 116 to 119, 124, 128, 132 to 138), sparse and deferred arrays
     * (112, 121), read-only registered memory (113), semaphores (114), tensor maps (127), function pointers of both
     * sides (129) and the host's memory as the device's (130, 141 to 147). */
    static const int absent[] = {44,  92,  93,  94,  98,  110, 112, 113, 114, 116, 117, 118, 119, 121, 122, 123, 124,
                                 127, 128, 129, 130, 132, 133, 135, 136, 137, 138, 141, 142, 143, 144, 145, 146, 147};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (absent[i] == number) {
            *value = 0;
            return STATUS_SUCCESS;
        }
    return STATUS_INVALID_VALUE;
}
