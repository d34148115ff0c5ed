// Finds lines that share a set of the L1. A load that hits takes some 50 cycles, one that misses 270 or more. A line is
// loaded, then many others, then it again: if it misses now, lines are left out, first by quarters, then one by one, as
// long as it still misses. What remains has thrown it out: each row of the output has the five lines of one set. The same
// memory is mapped at addresses that differ in every bit from the 31st to the 46th, so that the lines differ in them, too.
//
//   nvcc -O2 -arch=sm_90 -o cache_sets cache_sets.cu -lcuda && ./cache_sets >cache_sets.txt
#include <algorithm>
#include <cuda.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

constexpr size_t EXTENT = size_t(1) << 31;
constexpr int LINES_MOST = 7500, POOL = 6000, ROWS = 48;
constexpr unsigned HIT_CYCLES = 120;
__constant__ uint64_t lines[LINES_MOST]; // address / 128

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}
static bool fine(CUresult result)
{
    return result == CUDA_SUCCESS;
}

// Maps one piece of memory at many addresses, and returns them.
static std::vector<uint64_t> map_everywhere()
{
    CUmemAllocationProp properties = {};
    CUmemGenericAllocationHandle memory;
    CUmemAccessDesc access = {};
    std::vector<uint64_t> wanted{uint64_t(1) << 45}, mapped;
    for (int bit = 31; bit < 45; bit++)
        wanted.push_back(uint64_t(1) << 45 | uint64_t(1) << bit);
    wanted.push_back(uint64_t(1) << 46);
    wanted.push_back(uint64_t(3) << 45);
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    if (!fine(cuMemCreate(&memory, EXTENT, &properties, 0)))
        exit(1);
    for (uint64_t address : wanted) {
        CUdeviceptr got = 0;
        if (fine(cuMemAddressReserve(&got, EXTENT, EXTENT, address, 0)) && got == address &&
            fine(cuMemMap(got, EXTENT, 0, memory, 0)) && fine(cuMemSetAccess(got, EXTENT, &access, 1)))
            mapped.push_back(got);
        else
            fprintf(stderr, "not mapped: %llx\n", (unsigned long long)address);
    }
    check(cudaMemset((void *)mapped[0], 0, EXTENT));
    return mapped;
}

// One thread loads the lines one after another; *cycles is how long the last load took. The memory holds zeros, so that
// each address depends on the load before.
static __global__ void walk(int count, unsigned *cycles)
{
    unsigned value = 0, begin = 0, end = 0;
    for (int i = 0; i < count; i++) {
        const char *at = (const char *)(lines[i] * 128) + value;
        asm volatile("mov.u32 %0, %%clock;" : "=r"(begin)::"memory");
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p trap; mov.u32 %0, %%clock; }"
                     : "=r"(end)
                     : "r"(value)
                     : "memory");
    }
    *cycles = end - begin;
}

static bool throws_out(unsigned *cycles, uint64_t line, const std::vector<uint64_t> &others)
{
    std::vector<uint64_t> all{line};
    unsigned took = 0;
    all.insert(all.end(), others.begin(), others.end());
    all.push_back(line);
    check(cudaMemcpyToSymbol(lines, all.data(), all.size() * sizeof all[0]));
    walk<<<1, 1>>>((int)all.size(), cycles);
    check(cudaMemcpy(&took, cycles, sizeof took, cudaMemcpyDeviceToHost));
    return took >= HIT_CYCLES;
}

int main()
{
    unsigned *cycles = nullptr;
    cudaDeviceProp device;
    int driver = 0;
    std::mt19937_64 random(5);
    check(cudaGetDeviceProperties(&device, 0));
    check(cudaDriverGetVersion(&driver));
    check(cudaMalloc(&cycles, sizeof *cycles));
    check(cudaFuncSetAttribute(walk, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
    std::vector<uint64_t> const bases = map_everywhere();
    auto const any_line = [&] { return (bases[random() % bases.size()] + random() % EXTENT) / 128; };
    printf("# %s, CUDA %d.%d\n# five lines of one set of the L1, each as address / 128\n", device.name, driver / 1000,
           driver % 1000 / 10);
    for (int row = 0; row < ROWS; row++) {
        uint64_t const line = any_line();
        std::vector<uint64_t> others(POOL);
        std::generate(others.begin(), others.end(), any_line);
        if (!throws_out(cycles, line, others))
            continue;
        for (size_t chunk = others.size() / 4; chunk; chunk /= 2)
            for (size_t at = 0; at < others.size();) {
                std::vector<uint64_t> fewer(others.begin(), others.begin() + (long)at);
                fewer.insert(fewer.end(), others.begin() + (long)std::min(others.size(), at + chunk), others.end());
                if (throws_out(cycles, line, fewer) && throws_out(cycles, line, fewer))
                    others = fewer;
                else
                    at += chunk;
            }
        if (others.size() > 16) // something else used the GPU meanwhile
            continue;
        printf("set %llu", (unsigned long long)line);
        for (uint64_t other : others)
            printf(" %llu", (unsigned long long)other);
        puts("");
    }
}
