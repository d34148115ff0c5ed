// CUDA calls in host functions of streams, in callbacks and in host nodes of graphs: few are permitted.
#include <cstdio>

__global__ void one(int *data)
{
    *data = 1;
}

static int *data, *more, host;
static cudaStream_t stream, other;
static cudaEvent_t start, stop;

static void say(const char *call, cudaError_t error)
{
    printf("  %s: %s\n", call, cudaGetErrorName(error));
}

static void calls(const char *where)
{
    int number;
    unsigned flags;
    size_t free, total;
    float milliseconds;
    void *memory;
    cudaStream_t new_stream;
    cudaDeviceProp properties;
    printf("%s\n", where);
    say("last error", cudaGetLastError());
    say("device count", cudaGetDeviceCount(&number));
    say("properties", cudaGetDeviceProperties(&properties, 0));
    say("version", cudaRuntimeGetVersion(&number));
    say("query event", cudaEventQuery(stop));
    say("wait for event", cudaEventSynchronize(stop));
    say("time", cudaEventElapsedTime(&milliseconds, start, stop));
    say("last error", cudaPeekAtLastError());
    say("device", cudaGetDevice(&number));
    say("set device", cudaSetDevice(0));
    say("last error", cudaPeekAtLastError());
    say("memory info", cudaMemGetInfo(&free, &total));
    say("malloc", cudaMalloc(&memory, 64));
    say("free", cudaFree(more));
    say("memcpy", cudaMemcpy(&host, data, sizeof host, cudaMemcpyDeviceToHost));
    say("memset", cudaMemsetAsync(data, 0, sizeof host, other));
    say("create stream", cudaStreamCreate(&new_stream));
    say("query stream", cudaStreamQuery(other));
    say("flags", cudaStreamGetFlags(stream, &flags));
    say("synchronize", cudaStreamSynchronize(other));
    say("host function", cudaLaunchHostFunc(other, [](void *) { puts("never"); }, nullptr));
    say("record event", cudaEventRecord(start, other));
    say("device synchronize", cudaDeviceSynchronize());
    say("last error", cudaGetLastError());
    one<<<1, 1, 0, other>>>(data);
    say("launch", cudaGetLastError());
    say("last error", cudaGetLastError());
}

static void check(const char *what)
{
    printf("%s: %s, ", what, cudaGetErrorName(cudaStreamSynchronize(stream)));
    printf("last error %s, ", cudaGetErrorName(cudaGetLastError()));
    cudaMemset(data, 0, sizeof *data);
    one<<<1, 1, 0, stream>>>(data);
    cudaStreamSynchronize(stream);
    cudaMemcpy(&host, data, sizeof host, cudaMemcpyDeviceToHost);
    printf("then %d, last error %s\n", host, cudaGetErrorName(cudaGetLastError()));
}

int main()
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaMalloc(&data, sizeof *data);
    cudaMalloc(&more, sizeof *more);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    one<<<1, 1>>>(data); // a kernel whose first launch is not permitted stays without code
    cudaEventRecord(start);
    cudaEventRecord(stop);
    cudaDeviceSynchronize();
    cudaLaunchHostFunc(stream, [](void *text) { calls((const char *)text); }, (void *)"host function");
    check("host function");
    cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t status, void *text) {
        say((const char *)text, status);
        calls("callback");
    }, (void *)"status", 0);
    check("callback");
    cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void *) { cudaFree(more); }, nullptr, 0);
    check("callback that leaves an error");
    cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void *) {
        say("last error of the one before", cudaGetLastError());
    }, nullptr, 0);
    check("callback");
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaGraphNode_t node;
    cudaHostNodeParams parameters = {[](void *text) { calls((const char *)text); }, (void *)"host node"};
    cudaGraphCreate(&graph, 0);
    cudaGraphAddHostNode(&node, graph, nullptr, 0, &parameters);
    cudaGraphInstantiate(&instance, graph, 0);
    cudaGraphLaunch(instance, stream);
    check("host node");
    cudaFree(data);
    cudaFree(more);
}
