// Streams, events, pinned memory, callbacks, properties and occupancy.
#include <cstdio>
#include <cstdlib>

__global__ void add(int *data, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] += by;
}

static void CUDART_CB told(void *text)
{
    printf("%s\n", (const char *)text);
}

int main()
{
    int const n = 1 << 16;
    int *host, *device;
    cudaStream_t streams[2];
    cudaEvent_t start, middle, stop;
    cudaMallocHost(&host, n * sizeof(int));
    cudaMalloc(&device, n * sizeof(int));
    for (int i = 0; i < n; i++)
        host[i] = i;
    for (cudaStream_t &stream : streams)
        cudaStreamCreate(&stream);
    cudaEventCreate(&start);
    cudaEventCreate(&middle);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    for (int k = 0; k < 2; k++) {
        int *part = device + k * (n / 2);
        cudaMemcpyAsync(part, host + k * (n / 2), n / 2 * sizeof(int), cudaMemcpyHostToDevice, streams[k]);
        add<<<n / 2 / 256, 256, 0, streams[k]>>>(part, 10 * (k + 1));
        cudaMemcpyAsync(host + k * (n / 2), part, n / 2 * sizeof(int), cudaMemcpyDeviceToHost, streams[k]);
    }
    cudaEventRecord(middle, streams[0]);
    cudaStreamWaitEvent(streams[1], middle, 0);
    cudaLaunchHostFunc(streams[1], told, (void *)"copied");
    cudaEventRecord(stop);
    float before = -1, first, whole;
    printf("too early: %s\n", cudaGetErrorName(cudaEventElapsedTime(&before, start, stop)));
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&first, start, middle);
    cudaEventElapsedTime(&whole, start, stop);
    printf("times in order: %d\n", 0 < first && first <= whole);
    printf("%d %d\n", host[5], host[n - 1] - n);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    int multiprocessors, blocks, grid, block;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, add);
    printf("%s, %d.%d, %d multiprocessors, %d blocks, %d x %d\n", properties.name, properties.major, properties.minor,
           multiprocessors == properties.multiProcessorCount ? multiprocessors : -1, blocks, grid, block);
    int threads, shared;
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
    printf("%d %d\n", threads == properties.maxThreadsPerMultiProcessor,
           (size_t)shared == properties.sharedMemPerMultiprocessor);
    int width;
    cudaDeviceGetAttribute(&width, cudaDevAttrGlobalMemoryBusWidth, 0);
    printf("%d of %d bits\n", width, properties.memoryBusWidth);
    printf("%s %s\n", cudaGetErrorName(cudaSetDevice(1)), cudaGetErrorString(cudaStreamDestroy(streams[0])));
    cudaFreeHost(host);
    cudaFree(device);
}
