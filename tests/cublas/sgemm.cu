// Times cublasSgemm (FP32, no TF32) as Lanescope times its own kernels: five launches to warm up, then 31, each between
// its own two events, over as many copies of the matrices as fill the L2 twice. Prints the recording that the lesson
// on matrix products shows beside its own kernels.
//   nvcc -O2 -arch=sm_90 -o sgemm sgemm.cu -lcublas && ./sgemm 512 1024 2048 > cublas.json
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <ctime>
#include <vector>

enum { WARM_UP = 5, RUNS = 31, SETS_MOST = 64 };

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "sgemm: %s failed\n", what);
    exit(1);
}

struct set { // a copy of the three matrices
    float *c, *a, *b;
};

static float *matrix(size_t n, int modulus)
{
    std::vector<float> host(n * n);
    float *device;
    for (size_t i = 0; i < n * n; i++)
        host[i] = (float)(i % modulus);
    check(cudaMalloc(&device, n * n * sizeof(float)) == cudaSuccess, "cudaMalloc");
    check(cudaMemcpy(device, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess, "cudaMemcpy");
    return device;
}

// c = a * b for matrices stored row after row. cuBLAS stores them column after column, so it computes b * a.
static void product(cublasHandle_t cublas, const set &of, int n)
{
    float const one = 1, zero = 0;
    check(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, of.b, n, of.a, n, &zero, of.c, n) ==
              CUBLAS_STATUS_SUCCESS,
          "cublasSgemm");
}

// The sums are of small whole numbers, so they are exact in any order.
static void check_result(const set &of, int n)
{
    std::vector<float> c((size_t)n * n);
    check(cudaMemcpy(c.data(), of.c, c.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess, "cudaMemcpy");
    for (size_t i = 0; i < c.size(); i += 97) {
        double sum = 0;
        for (size_t k = 0; k < (size_t)n; k++)
            sum += (double)((i / n * n + k) % 7) * (double)((k * n + i % n) % 5);
        check(c[i] == sum, "the result");
    }
}

static double quantile(const std::vector<float> &sorted, double share)
{
    double const at = share * (double)(sorted.size() - 1);
    size_t const below = (size_t)at;
    float const above = sorted[std::min(below + 1, sorted.size() - 1)];
    return 1e3 * (sorted[below] + (at - (double)below) * (above - sorted[below]));
}

static void time_size(cublasHandle_t cublas, int n, size_t cache, bool first)
{
    size_t const bytes = 3 * sizeof(float) * n * n;
    std::vector<set> sets(std::min<size_t>(SETS_MOST, 1 + (2 * cache + bytes - 1) / bytes));
    std::vector<float> times(RUNS);
    cudaEvent_t events[2 * RUNS];
    for (set &one : sets)
        one = {matrix(n, 1), matrix(n, 7), matrix(n, 5)};
    for (cudaEvent_t &event : events)
        cudaEventCreate(&event);
    for (int i = 0; i < WARM_UP; i++)
        product(cublas, sets[i % sets.size()], n);
    check(cudaDeviceSynchronize() == cudaSuccess, "the warm-up");
    for (int i = 0; i < RUNS; i++) {
        cudaEventRecord(events[2 * i]);
        product(cublas, sets[i % sets.size()], n);
        cudaEventRecord(events[2 * i + 1]);
    }
    check(cudaDeviceSynchronize() == cudaSuccess, "the launches");
    check_result(sets[0], n);
    for (int i = 0; i < RUNS; i++)
        cudaEventElapsedTime(&times[i], events[2 * i], events[2 * i + 1]);
    std::sort(times.begin(), times.end());
    printf("%s\n[\"sgemm\",%d,%.3f,%.3f,%.3f,%d]", first ? "" : ",", n, quantile(times, 0.5), quantile(times, 0.25),
           quantile(times, 0.75), RUNS);
    for (set &one : sets)
        for (float *pointer : {one.c, one.a, one.b})
            cudaFree(pointer);
}

int main(int count, char **sizes)
{
    cublasHandle_t cublas;
    cudaDeviceProp device;
    int version = 0;
    char date[16], driver[64] = "";
    time_t const now = time(NULL);
    check(cudaGetDeviceProperties(&device, 0) == cudaSuccess, "cudaGetDeviceProperties");
    check(cublasCreate(&cublas) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    check(cublasSetMathMode(cublas, CUBLAS_PEDANTIC_MATH) == CUBLAS_STATUS_SUCCESS, "cublasSetMathMode");
    cublasGetVersion(cublas, &version);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    FILE *file = fopen("/sys/module/nvidia/version", "r");
    if (file && fscanf(file, "%63s", driver) != 1)
        driver[0] = '\0';
    printf("{\n\"lesson\": \"cublas\",\n\"device\": \"%s\",\n\"driver\": \"%s\",\n\"date\": \"%s\",\n", device.name,
           driver, date);
    printf("\"timed\": \"cublasSgemm, FP32 without TF32 (CUBLAS_PEDANTIC_MATH), cuBLAS %d\",\n"
           "\"unit\": \"microseconds between two CUDA events\",\n"
           "\"command\": \"nvcc -O2 -arch=sm_90 -o sgemm tests/cublas/sgemm.cu -lcublas && ./sgemm 512 1024 2048\",\n"
           "\"beyond_l2\": true,\n\"columns\": [\"variant\", \"n\", \"median\", \"p25\", \"p75\", \"runs\"],\n"
           "\"rows\": [",
           version);
    for (int i = 1; i < count; i++)
        time_size(cublas, atoi(sizes[i]), (size_t)device.l2CacheSize, i == 1);
    printf("]\n}\n");
    cublasDestroy(cublas);
    return 0;
}
