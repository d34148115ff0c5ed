// Which line a full slice of the L1 throws out. One thread loads lines of one slice, one after another, one line more than
// fit: so each miss is for the line that the miss before it has thrown out. A load that hits takes some 60 cycles, one that
// misses 250 or more. No other access takes a line: the lines' numbers are in constant memory, the results in shared memory.
// Lines of the launch before are in the way at first, so only loads from FROM on are told.
//
//   nvcc -O2 -arch=sm_90 -o cache_order cache_order.cu && ./cache_order >cache_order.txt
//
// A row: launch, KB of shared memory, lines, slice, whether the lines are loaded in turn or at random, the first line
// (address / 128; the others are the next ones of the slice), loads; behind the colon, and in the rows after it, which
// of the loads from FROM on missed.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int LINES_MOST = 400, LOADS = 10000, FROM = 7000, IN_A_ROW = 32;
constexpr unsigned HIT_CYCLES = 120;
__constant__ unsigned lines[LINES_MOST]; // of the memory
extern __shared__ unsigned char missed[];

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}

// The line of a load: in turn, or, after the first round, by a generator of random numbers.
static __host__ __device__ unsigned index_of(unsigned load, unsigned count, bool random, unsigned *seed)
{
    if (!random || load < count)
        return load % count;
    *seed = *seed * 1664525 + 1013904223;
    return unsigned((unsigned long long)*seed * count >> 32);
}

__global__ void walk(const char *memory, unsigned count, bool random, unsigned char *out)
{
    unsigned seed = 1, sum = 0;
    for (unsigned i = 0; i < LOADS; i++) {
        const char *place = memory + (size_t)lines[index_of(i, count, random, &seed)] * 128 + sum;
        unsigned value, begin, end;
        asm volatile("mov.u32 %0, %%clock;" : "=r"(begin) : "l"(place) : "memory");
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
        asm volatile("{.reg .pred p; setp.eq.u32 p, %1, 1; @p trap; mov.u32 %0, %%clock;}" : "=r"(end) : "r"(value) : "memory");
        sum += value; // 0
        missed[i] = end - begin > HIT_CYCLES;
    }
    for (unsigned i = 0; i < LOADS; i++)
        out[i] = missed[i];
}

// The slice of a line: the first two masks of src/model/cache_sets.c.
static unsigned slice_of(uint64_t line)
{
    return __builtin_parityll(line & 0x56f5ef7ab5) | __builtin_parityll(line & 0xbbaebad5da) << 1;
}

int main()
{
    constexpr size_t BYTES = 8 << 20;
    static const struct { int shared, fit; } rooms[] = {{220, 42}, {192, 106}, {128, 234}};
    char *memory;
    unsigned char *out, result[LOADS];
    cudaDeviceProp device;
    check(cudaMalloc(&memory, BYTES));
    check(cudaMemset(memory, 0, BYTES));
    check(cudaMalloc(&out, LOADS));
    check(cudaFuncSetAttribute(walk, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
    check(cudaGetDeviceProperties(&device, 0));
    uint64_t const base = (uint64_t)memory / 128;
    printf("# %s, CUDA %d.%d: made by cache_order.cu, which says what the columns are\n", device.name,
           CUDART_VERSION / 1000, CUDART_VERSION % 100 / 10);
    for (auto room : rooms)
        for (unsigned slice = 0; slice < 4; slice++)
            for (bool random : {false, true}) {
                std::vector<unsigned> chosen;
                for (unsigned line = 0; (int)chosen.size() <= room.fit; line++)
                    if (slice_of(base + line) == slice)
                        chosen.push_back(line);
                check(cudaMemcpyToSymbol(lines, chosen.data(), chosen.size() * sizeof chosen[0]));
                walk<<<1, 1, room.shared << 10>>>(memory, (unsigned)chosen.size(), random, out);
                check(cudaMemcpy(result, out, LOADS, cudaMemcpyDeviceToHost));
                printf("launch %d %zu %u %s %llu %d :", room.shared, chosen.size(), slice, random ? "random" : "turn",
                       (unsigned long long)base, LOADS);
                int printed = 0;
                for (int i = FROM; i < LOADS; i++)
                    if (result[i])
                        printf(printed++ % IN_A_ROW == IN_A_ROW - 1 ? " %d\nmore :" : " %d", i);
                printf("\n");
            }
    return 0;
}
