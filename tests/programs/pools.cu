// Memory in the order of a stream, pools and their attributes, places of CUDA 13, attributes of streams, launches with a
// configuration.
#include <cstdio>

__global__ void fill(int *x, int n, float value)
{
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = (int)(value * i);
}

static void pools(cudaStream_t stream)
{
    cudaMemPool_t pool, own, now;
    unsigned long long used = 0, high = 0, threshold = ~0ull;
    int *a, *b;
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    cudaMemPoolCreate(&own, &properties);
    cudaMallocAsync(&a, 1000 * sizeof *a, stream);
    cudaMallocFromPoolAsync(&b, 500 * sizeof *b, own, stream);
    fill<<<4, 256, 0, stream>>>(a, 1000, 2);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
    cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemHigh, &high);
    int last = 0;
    cudaMemcpyAsync(&last, a + 999, sizeof last, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(a, stream);
    cudaFreeAsync(b, stream);
    cudaStreamSynchronize(stream);
    printf("used %llu, of the own pool at most %llu, last %d\n", used, high, last);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    cudaDeviceSetMemPool(0, own);
    cudaDeviceGetMemPool(&now, 0);
    printf("used %llu, threshold %llx, own %d, trim %d\n", used, threshold, now == own, cudaMemPoolTrimTo(own, 0));
    cudaMemPoolDestroy(own);
    printf("destroyed: %s\n", cudaGetErrorName(cudaMallocFromPoolAsync(&a, 4, own, stream)));
    cudaGetLastError();
}

static void places(cudaStream_t stream)
{
    int *m;
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
    cudaMallocManaged(&m, 4096);
    int const errors[] = {cudaMemPrefetchAsync(m, 4096, device, 0, stream), cudaMemPrefetchAsync(m, 4096, 0, stream),
                          cudaMemPrefetchAsync(m, 4096, host, 0), cudaMemPrefetchAsync(m, 4096, cudaCpuDeviceId),
                          cudaMemAdvise(m, 4096, cudaMemAdviseSetReadMostly, device),
                          cudaMemAdvise(m, 4096, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId)};
    for (int error : errors)
        printf("%d ", error);
    printf("no device: %d\n", cudaMemPrefetchAsync(m, 4096, 7, stream));
    cudaGetLastError();
    cudaFree(m);
}

static void attributes(cudaStream_t stream)
{
    cudaStreamAttrValue set = {}, got = {};
    set.accessPolicyWindow.num_bytes = 77;
    set.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &set);
    cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &got);
    unsigned flags = 9;
    int priority = 9, value = 9;
    cudaStreamGetFlags(stream, &flags);
    cudaStreamGetPriority(stream, &priority);
    printf("window %zu, flags %u, priority %d, pools %d, peer %s\n", got.accessPolicyWindow.num_bytes, flags, priority,
           (cudaDeviceGetAttribute(&value, cudaDevAttrMemoryPoolsSupported, 0), value),
           cudaGetErrorName(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1)));
    int *x;
    cudaMalloc(&x, 64 * sizeof *x);
    cudaLaunchAttribute one = {};
    one.id = cudaLaunchAttributePriority;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2);
    config.blockDim = dim3(32);
    config.stream = stream;
    config.attrs = &one;
    config.numAttrs = 1;
    printf("launch %d", cudaLaunchKernelEx(&config, fill, x, 64, 3)); // an int for the float
    one.id = cudaLaunchAttributeClusterDimension;
    one.val.clusterDim.x = 2;
    printf(", cluster %s", cudaGetErrorName(cudaLaunchKernelEx(&config, fill, x, 64, 3.0f)));
    int last = 0;
    cudaMemcpy(&last, x + 63, sizeof last, cudaMemcpyDeviceToHost);
    printf(", last %d\n", last);
    cudaGetLastError();
    cudaFree(x);
}

int main()
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    pools(stream);
    places(stream);
    attributes(stream);
    cudaStreamDestroy(stream);
}
