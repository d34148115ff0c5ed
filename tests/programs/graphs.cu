// Graphs: captured from streams, built node by node, changed, launched again; and what a capture forbids.
#include <cstdio>

__global__ void add(int *x, int n, int by)
{
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += by;
}
__global__ void times(int *x, int n, int by)
{
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= by;
}

constexpr int N = 256;
static int counted;
static void CUDART_CB count(void *by)
{
    counted += *(int *)by;
}
static const char *name(cudaError_t error)
{
    return cudaGetErrorName(error);
}

static void captured(int *x, int *host)
{
    cudaStream_t first, second;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    int by = 10;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(x, 0, 2 * N * sizeof *x, first);
    add<<<1, N, 0, first>>>(x, N, 3);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork);
    add<<<1, N, 0, second>>>(x + N, N, 5);
    times<<<1, N, 0, first>>>(x, N, 7);
    cudaEventRecord(join, second);
    cudaStreamWaitEvent(first, join);
    cudaLaunchHostFunc(first, count, &by);
    cudaMemcpyAsync(host, x, 2 * N * sizeof *x, cudaMemcpyDeviceToHost, first);
    cudaStreamCaptureStatus status;
    cudaStreamIsCapturing(second, &status);
    printf("nothing is done yet: %d %d, capturing %d\n", host[0], counted, status);
    cudaError_t const ended = cudaStreamEndCapture(first, &graph);
    size_t nodes = 0, edges = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphGetEdges(graph, nullptr, nullptr, &edges);
    printf("%s, %zu nodes, %zu edges\n", name(ended), nodes, edges);
    cudaGraphInstantiate(&instance, graph, NULL, NULL, 0);
    cudaGraphDestroy(graph);
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(instance, first);
    cudaStreamSynchronize(first);
    printf("%d %d, host functions %d\n", host[0], host[2 * N - 1], counted);
    cudaGraphExecDestroy(instance);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

static void built(int *x, int *host)
{
    cudaGraph_t graph, part;
    cudaGraphExec_t instance;
    cudaGraphNode_t fill, kernel, child, copy, inner;
    int n = N, by = 4, other = 6;
    int *second = x + N;
    void *arguments[] = {&x, &n, &by}, *others[] = {&second, &n, &other};
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&part, 0);
    cudaKernelNodeParams parameters = {(void *)times, dim3(1), dim3(N), 0, arguments, nullptr};
    cudaGraphAddKernelNode(&inner, part, nullptr, 0, &parameters);
    parameters.func = (void *)add;
    // Added last to first: the needs give the order.
    cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, host, x, 2 * N * sizeof *x, cudaMemcpyDeviceToHost);
    cudaGraphAddChildGraphNode(&child, graph, nullptr, 0, part);
    cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &parameters);
    cudaMemsetParams const fours = {x, 0, 0x00010002, 4, 2 * N, 1};
    cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &fours);
    cudaGraphNode_t const from[] = {child, kernel, fill}, to[] = {copy, child, kernel};
    cudaGraphAddDependencies(graph, from, to, 3);
    by = 1000; // the node has a copy
    cudaGraphInstantiate(&instance, graph, 0);
    cudaGraphLaunch(instance, 0);
    cudaDeviceSynchronize();
    printf("%d %d\n", host[0], host[N]);
    parameters.kernelParams = others;
    printf("%s\n", name(cudaGraphExecKernelNodeSetParams(instance, kernel, &parameters)));
    cudaGraphLaunch(instance, 0);
    cudaDeviceSynchronize();
    printf("%d %d\n", host[0], host[N]);
    cudaGraph_t copied;
    cudaGraphClone(&copied, graph);
    cudaGraphExecUpdateResultInfo info;
    printf("%s", name(cudaGraphExecUpdate(instance, copied, &info)));
    cudaGraphNode_t more;
    cudaGraphAddEmptyNode(&more, copied, nullptr, 0);
    printf(" %s\n", name(cudaGraphExecUpdate(instance, copied, &info)));
    printf("a circle: %s\n", (cudaGraphAddDependencies(graph, &copy, &fill, 1), name(cudaGraphInstantiate(&instance, graph, 0))));
    cudaGraphDestroy(copied);
    cudaGraphDestroy(part);
    cudaGraphDestroy(graph);
}

static void forbidden(int *x)
{
    cudaStream_t first, second;
    cudaEvent_t event;
    cudaGraph_t graph;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&event);
    printf("begin in the default stream: %s\n", name(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal)));
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    printf("wait: %s", name(cudaStreamSynchronize(first)));
    printf(", then the end: %s\n", name(cudaStreamEndCapture(first, &graph)));
    cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed);
    add<<<1, N>>>(x, N, 1);
    printf("default stream: %s\n", name(cudaGetLastError()));
    cudaStreamEndCapture(first, &graph);
    cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed);
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
    add<<<1, N, 0, second>>>(x, N, 1);
    printf("event: %s", name(cudaEventSynchronize(event)));
    printf(", other stream: %s", name(cudaStreamEndCapture(second, &graph)));
    printf(", not joined: %s\n", name(cudaStreamEndCapture(first, &graph)));
    printf("no capture: %s\n", name(cudaStreamEndCapture(first, &graph)));
    cudaGetLastError();
    cudaEventDestroy(event);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

int main()
{
    int *x, *host;
    cudaMalloc(&x, 2 * N * sizeof *x);
    cudaMallocHost(&host, 2 * N * sizeof *host);
    host[0] = -1;
    captured(x, host);
    built(x, host);
    forbidden(x);
    cudaFree(x);
    cudaFreeHost(host);
}
