// Chosen multiprocessors load the same lines at chosen times, for a profiler to count the requests that reach the L2.
//
//   l2_merges gpcs    prints the multiprocessors of each GPC: those on which the blocks of a cluster ran together
//   l2_merges FILE    one launch a line:
//     ca 200 4000 0 0:0:f 124:75:f      operation (ca, cg, st), lines, nanoseconds from one line to the next, whether
//                                       another block has loaded the lines before, then
//                                       multiprocessor:delay in cycles:sectors of the line, 4 bits
//
//   ncu --csv --page raw --print-units base --clock-control none --cache-control all
//       --metrics lts__t_sectors_srcunit_tex_op_read.sum,lts__t_sectors_srcunit_tex_op_write.sum ./l2_merges FILE
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>

constexpr int PROCESSORS = 160, BLOCKS = 132, LINES = 4096, BETWEEN = 1024; // elements from one line to the next
constexpr unsigned ALONE = 200 << 10; // bytes of shared memory: one block has the multiprocessor for itself
struct Roles {
    short delay[PROCESSORS];
    unsigned char sectors[PROCESSORS];
    int lines, period, before, kind;
};

static __device__ unsigned processor()
{
    unsigned number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}
static __device__ unsigned long long now()
{
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}
// A loaded value goes into a condition that never holds, so that no compiler removes the load.
static __device__ void use(float value, unsigned secret)
{
    if (__float_as_uint(value) == secret)
        __trap();
}

static __global__ void load(const __grid_constant__ Roles roles, float *data, unsigned secret)
{
    unsigned const lane = threadIdx.x, sectors = roles.sectors[processor()];
    float value = 0;
    for (int i = 0; roles.before && blockIdx.x == 0 && i < roles.lines; i++) {
        asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(value) : "l"(data + i * BETWEEN + lane) : "memory");
        use(value, secret);
    }
    if (!sectors)
        return;
    unsigned long long const start = ((now() >> 19) + 2) << 19; // the same on all multiprocessors
    for (int i = 0; i < roles.lines; i++) {
        while (now() < start + (unsigned long long)i * roles.period)
            ;
        long long const at = clock64() + roles.delay[processor()];
        while (clock64() < at)
            ;
        float *place = data + i * BETWEEN + lane;
        if (!(sectors >> lane / 8 & 1))
            continue;
        if (roles.kind == 0)
            asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(value) : "l"(place) : "memory");
        else if (roles.kind == 1)
            asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(value) : "l"(place) : "memory");
        else
            asm volatile("st.global.f32 [%0], %1;" ::"l"(place), "f"(1.f) : "memory");
        use(value, secret);
    }
}

static __global__ void where(unsigned *numbers)
{
    if (threadIdx.x == 0)
        numbers[blockIdx.x] = processor();
    for (unsigned long long const begin = now(); now() - begin < 20000;)
        ;
}

static void check(cudaError_t error, const std::string &what)
{
    if (error == cudaSuccess)
        return;
    std::cerr << what << ": " << cudaGetErrorString(error) << "\n";
    exit(1);
}

static void print_gpcs()
{
    constexpr unsigned CLUSTER = 8, GRID = 1024;
    unsigned *numbers;
    int group[PROCESSORS];
    for (int i = 0; i < PROCESSORS; i++)
        group[i] = i;
    check(cudaMallocManaged(&numbers, GRID * sizeof *numbers), "cudaMallocManaged");
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {CLUSTER, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = GRID;
    config.blockDim = 1024;
    config.attrs = &attribute;
    config.numAttrs = 1;
    for (int round = 0; round < 8; round++) {
        check(cudaLaunchKernelEx(&config, where, numbers), "cudaLaunchKernelEx");
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        for (unsigned i = 0; i < GRID; i++) {
            int const from = group[numbers[i]], to = group[numbers[i / CLUSTER * CLUSTER]];
            for (int k = 0; k < PROCESSORS; k++)
                group[k] = group[k] == from ? to : group[k];
        }
    }
    for (int i = 0; i < BLOCKS; i++) {
        if (group[i] < 0)
            continue;
        printf("# together:");
        int const mine = group[i];
        for (int k = i; k < BLOCKS; k++)
            if (group[k] == mine) {
                printf(" %d", k);
                group[k] = -1;
            }
        printf("\n");
    }
}

static void launch(const std::string &line, float *data)
{
    std::istringstream words(line);
    std::string kind, word;
    Roles roles = {};
    words >> kind >> roles.lines >> roles.period >> roles.before;
    roles.kind = kind == "ca" ? 0 : kind == "cg" ? 1 : 2;
    while (words >> word) {
        int number, delay;
        unsigned sectors;
        if (sscanf(word.c_str(), "%d:%d:%x", &number, &delay, &sectors) != 3) {
            std::cerr << line << "\n";
            exit(2);
        }
        roles.delay[number] = (short)delay;
        roles.sectors[number] = (unsigned char)sectors;
    }
    load<<<BLOCKS, 32, ALONE>>>(roles, data, 0x12345678);
    check(cudaDeviceSynchronize(), line);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        std::cerr << "l2_merges gpcs | FILE\n";
        return 2;
    }
    if (strcmp(arguments[1], "gpcs") == 0) {
        print_gpcs();
        return 0;
    }
    std::ifstream file(arguments[1]);
    float *data;
    check(cudaMalloc(&data, LINES * BETWEEN * sizeof *data), "cudaMalloc");
    check(cudaMemset(data, 0, LINES * BETWEEN * sizeof *data), "cudaMemset");
    check(cudaFuncSetAttribute(load, cudaFuncAttributeMaxDynamicSharedMemorySize, ALONE), "cudaFuncSetAttribute");
    for (std::string line; std::getline(file, line);)
        launch(line, data);
    return 0;
}
