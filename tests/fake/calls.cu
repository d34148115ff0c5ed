// Calls of every kind, for tests/script/forward.py: what a program asks for is what the driver is asked for.
#include <cstdio>
#include <cstdlib>

__constant__ int table[4];
__managed__ int counter = 3;

__global__ void touch(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += table[i % 4];
}

static void CUDART_CB told(void *text)
{
    void *memory;
    printf("%s, last error %d\n", (const char *)text, cudaPeekAtLastError());
    printf("malloc in the driver's thread %d\n", cudaMalloc(&memory, 1));
}

int main()
{
    int const n = 64;
    int host[n], values[4] = {1, 2, 3, 4}, *device, *pinned, *managed, blocks, registers;
    size_t pitch, available, total;
    char *rows;
    cudaStream_t stream;
    cudaEvent_t event, later;
    float milliseconds;
    for (int &value : host)
        value = 7;
    cudaMalloc(&device, sizeof host);
    cudaMallocHost(&pinned, sizeof host);
    cudaMallocManaged(&managed, 100);
    cudaMallocPitch(&rows, &pitch, 100, 3);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaEventCreate(&later);
    cudaMemcpyToSymbol(table, values, sizeof values);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(managed, 5, 100);
    cudaMemset2D(rows, pitch, 1, 100, 3);
    cudaGraph_t graph;
    cudaGraphNode_t fill;
    cudaGraphExec_t instance;
    cudaMemsetParams const sevens = {managed, 0, 7, 4, 25, 1};
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &sevens);
    cudaGraphInstantiate(&instance, graph, 0);
    cudaGraphLaunch(instance, 0);
    cudaMemcpy2D(host, 10, rows, pitch, 10, 3, cudaMemcpyDeviceToHost);
    printf("copied %d\n", ((char *)host)[29]);
    cudaEventRecord(event, stream);
    touch<<<2, 32, 16, stream>>>(device, n);
    cudaMemcpyAsync(pinned, device, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(later, stream);
    cudaLaunchHostFunc(stream, told, (void *)"told");
    cudaStreamSynchronize(stream);
    cudaEventElapsedTime(&milliseconds, event, later);
    printf("%g ms, %s\n", milliseconds, cudaGetErrorName(cudaStreamQuery(stream)));
    cudaMemPrefetchAsync(managed, 100, 0, stream);
    cudaMemGetInfo(&available, &total);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, touch);
    registers = attributes.numRegs;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, touch, 64, 0);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    printf("%s %d.%d, %zu of %zu, %d registers, %d blocks\n", properties.name, properties.major, properties.minor,
           available, total, registers, blocks);
    printf("too much: %s\n", cudaGetErrorName(cudaMalloc(&rows, 5ull << 30)));
    touch<<<0, 32>>>(device, n);
    printf("no blocks: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("beyond: %s\n", cudaGetErrorName(cudaMemcpy(device, host, sizeof host + 4, cudaMemcpyHostToDevice)));
    printf("twice: %s", cudaGetErrorName(cudaFree(device)));
    printf(" %s\n", cudaGetErrorName(cudaFree(device)));
    cudaFreeHost(pinned);
    cudaStreamDestroy(stream);
    touch<<<1, 1>>>(managed, 1);
    printf("synchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("again: %s\n", cudaGetErrorName(cudaMemset(managed, 0, 4)));
    printf("reset: %s\n", cudaGetErrorName(cudaDeviceReset()));
    printf("then: %s\n", cudaGetErrorName(cudaMalloc(&device, 8)));
}
