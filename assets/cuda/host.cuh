// Declarations for the host half of a course's .cu file. Only the kernels are compiled, so main() must parse and
// nothing here needs a body.
#pragma once
#ifndef __CUDACC_RTC__
enum cudaError { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 };
typedef cudaError cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
extern "C" {
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
cudaError_t cudaFree(void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaDeviceReset();
cudaError_t cudaFreeHost(void *);
}
template <typename T> cudaError_t cudaMalloc(T **, size_t);
template <typename T> cudaError_t cudaMallocHost(T **, size_t);
template <typename T> cudaError_t cudaMallocManaged(T **, size_t, unsigned = 1);
template <typename T> cudaError_t cudaMallocPitch(T **, size_t *, size_t, size_t);
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice);
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void *, const T &, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost);
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, sharedMemPerMultiprocessor;
    int regsPerBlock, warpSize_, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor;
    int multiProcessorCount, maxThreadsPerMultiProcessor, memoryClockRate, memoryBusWidth, l2CacheSize;
};
extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);

// The parts of the C library that main() uses.
typedef struct lanescope_file FILE;
extern FILE *stdout, *stderr;
extern "C" {
int fprintf(FILE *, const char *, ...);
int puts(const char *);
int fflush(FILE *);
[[noreturn]] void exit(int);
void *calloc(size_t, size_t);
int rand();
void srand(unsigned);
int atoi(const char *);
double atof(const char *);
int strcmp(const char *, const char *);
int memcmp(const void *, const void *, size_t);
}
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#endif
