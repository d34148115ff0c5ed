// Writes the lines of occupancy.txt: for kernels with different needs, the number of blocks that fit on one
// multiprocessor, first as cudaOccupancyMaxActiveBlocksPerMultiprocessor says, then as seen in a launch.
#include <cstdio>

#define CHECK(call)                                                                                                    \
    if (cudaError_t error = (call)) {                                                                                  \
        fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                                                 \
        return 1;                                                                                                      \
    }

struct seen {
    int now[512], most[512]; // blocks on each multiprocessor
};

// Holds `values` numbers in registers while the block waits, so that other blocks can join it on its multiprocessor.
// The barrier's number decides how many of the hardware's barriers the kernel takes: those below it, too.
template <int values, int words, int barriers>
__global__ void __launch_bounds__(values > 60 ? 256 : 1024) hold(seen *seen, const float *in, float *out, int cycles)
{
    __shared__ float fixed[words ? words : 1];
    extern __shared__ float free_size[];
    float kept[values];
#pragma unroll
    for (int i = 0; i < values; i++)
        kept[i] = in[threadIdx.x + i * 32];
    unsigned on;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(on));
    if (threadIdx.x == 0) {
        atomicMax(&seen->most[on], atomicAdd(&seen->now[on], 1) + 1);
        for (long long begin = clock64(); clock64() - begin < cycles;)
            ;
        atomicSub(&seen->now[on], 1);
    }
    asm volatile("bar.sync %0;" ::"n"(barriers - 1) : "memory");
    if (words)
        fixed[threadIdx.x % (words ? words : 1)] = kept[0];
    if (cycles < 0) // never: keeps the dynamic array and the values in use
        free_size[threadIdx.x] = kept[values - 1];
    float product = 1;
#pragma unroll
    for (int i = 0; i < values; i++)
        product = product * kept[i] + kept[values - 1 - i];
    if (product == 0.123f)
        out[threadIdx.x] = product + (words ? fixed[0] : 0) + free_size[0];
}

template <int values, int words, int barriers> static int measure(seen *seen_on, float *memory, int multiprocessors)
{
    static const int threads[] = {1, 32, 64, 96, 100, 128, 160, 192, 224, 256, 384, 512, 640, 768, 1000, 1024};
    static const int bytes[] = {0,     1024,  2000,  3072,  7168,  8192,   15360,  20000,
                                31000, 48128, 56000, 76000, 99328, 115712, 166000, 231424};
    auto kernel = hold<values, words, barriers>;
    cudaFuncAttributes about;
    CHECK(cudaFuncGetAttributes(&about, kernel));
    static int turn;
    for (int t : threads)
        for (int b : bytes) {
            if (turn++ % 3 || t > about.maxThreadsPerBlock || b + about.sharedSizeBytes > 232448)
                continue;
            CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, b));
            int blocks = 0;
            CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, t, b));
            seen result = {};
            CHECK(cudaMemcpy(seen_on, &result, sizeof result, cudaMemcpyHostToDevice));
            if (blocks)
                kernel<<<multiprocessors * 40, t, b>>>(seen_on, memory, memory + 65536, 40000);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(&result, seen_on, sizeof result, cudaMemcpyDeviceToHost));
            int most = 0;
            for (int m : result.most)
                most = m > most ? m : most;
            printf("%d %d %d %zu %d : %d %d\n", t, about.numRegs, barriers, about.sharedSizeBytes, b, blocks, most);
        }
    return 0;
}

int main()
{
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    seen *seen_on;
    float *memory;
    CHECK(cudaMalloc(&seen_on, sizeof(seen)));
    CHECK(cudaMalloc(&memory, 1 << 20));
    CHECK(cudaMemset(memory, 0, 1 << 20));
    int driver = 0;
    CHECK(cudaDriverGetVersion(&driver));
    printf("# %s, compute capability %d.%d, CUDA driver %d.%d. Made by tests/silicon/occupancy.cu\n", device.name,
           device.major, device.minor, driver / 1000, driver % 1000 / 10);
    printf("# threads registers barriers static dynamic : blocks on a multiprocessor by "
           "cudaOccupancyMaxActiveBlocksPerMultiprocessor, most seen at one time\n");
    int n = device.multiProcessorCount;
    return measure<4, 0, 1>(seen_on, memory, n) || measure<20, 300, 1>(seen_on, memory, n) ||
           measure<28, 0, 1>(seen_on, memory, n) || measure<44, 1000, 1>(seen_on, memory, n) ||
           measure<60, 0, 1>(seen_on, memory, n) || measure<80, 6000, 1>(seen_on, memory, n) ||
           measure<120, 0, 1>(seen_on, memory, n) || measure<200, 0, 1>(seen_on, memory, n) ||
           measure<4, 0, 3>(seen_on, memory, n) || measure<4, 0, 16>(seen_on, memory, n);
}
