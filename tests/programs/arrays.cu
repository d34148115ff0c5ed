// CUDA arrays as memory for copies: rows, boxes, elements, the driver's interface, and what is refused.
#include <cstdio>
#include <cuda.h>

static void say(const char *what, cudaError_t error)
{
    printf("%s: %s\n", what, cudaGetErrorName(error));
}

static void show(const float *numbers, int count)
{
    for (int i = 0; i < count; i++)
        printf("%g ", numbers[i]);
    puts("");
}

static void rows()
{
    float host[12], back[12] = {0};
    for (int i = 0; i < 12; i++)
        host[i] = i;
    cudaArray_t array;
    cudaChannelFormatDesc const format = cudaCreateChannelDesc<float>();
    say("array", cudaMallocArray(&array, &format, 4, 3));
    say("rows", cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 3, cudaMemcpyHostToDevice));
    say("back", cudaMemcpy2DFromArray(back, 8, array, 8, 1, 8, 2, cudaMemcpyDeviceToHost));
    show(back, 4);
    say("bytes", cudaMemcpyFromArray(back, array, 0, 0, sizeof back, cudaMemcpyDeviceToHost));
    show(back, 12);
    cudaExtent extent;
    cudaChannelFormatDesc is;
    unsigned flags;
    say("info", cudaArrayGetInfo(&is, &extent, &flags, array));
    printf("%zu %zu %zu, %d %d %d %d, kind %d, flags %u\n", extent.width, extent.height, extent.depth, is.x, is.y, is.z,
           is.w, is.f, flags);
    say("beyond a row", cudaMemcpy2DToArray(array, 4, 0, host, 16, 16, 1, cudaMemcpyHostToDevice));
    say("half an element", cudaMemcpy2DToArray(array, 2, 0, host, 16, 4, 1, cudaMemcpyHostToDevice));
    cudaTextureObject_t texture;
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    say("texture", cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    say("free", cudaFreeArray(array));
    say("free again", cudaFreeArray(array));
}

static void box()
{
    short2 host[2][2][4], back[4];
    for (int i = 0; i < 16; i++)
        host[0][0][i] = make_short2(i, -i);
    cudaArray_t array;
    cudaChannelFormatDesc const format = cudaCreateChannelDesc<short2>();
    say("layers", cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 2, 2), cudaArrayLayered));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host, 16, 16, 2);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(4, 2, 2);
    copy.kind = cudaMemcpyHostToDevice;
    say("in", cudaMemcpy3D(&copy));
    copy = {};
    copy.srcArray = array;
    copy.srcPos = make_cudaPos(1, 1, 1);
    copy.dstPtr = make_cudaPitchedPtr(back, 12, 12, 1);
    copy.extent = make_cudaExtent(3, 1, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    say("out", cudaMemcpy3D(&copy));
    for (int i = 0; i < 3; i++)
        printf("%d %d, ", back[i].x, back[i].y);
    puts("");
    copy.extent.depth = 2;
    say("a layer too many", cudaMemcpy3D(&copy));
    cudaFreeArray(array);
}

static void driver()
{
    float in[4] = {1, 2, 3, 4}, out[2];
    CUarray array;
    CUDA_ARRAY_DESCRIPTOR description = {4, 0, CU_AD_FORMAT_FLOAT, 1};
    printf("create: %d\n", cuArrayCreate(&array, &description));
    printf("in: %d\n", cuMemcpyHtoA(array, 0, in, sizeof in));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = array;
    copy.srcXInBytes = 8;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = out;
    copy.WidthInBytes = 8;
    copy.Height = 1;
    printf("out: %d\n", cuMemcpy2D(&copy));
    show(out, 2);
    printf("beyond: %d\n", cuMemcpyHtoA(array, 4, in, sizeof in));
    printf("destroy: %d\n", cuArrayDestroy(array));
    printf("destroy again: %d\n", cuArrayDestroy(array));
    description.NumChannels = 3;
    printf("three channels: %d\n", cuArrayCreate(&array, &description));
}

int main()
{
    CUcontext context;
    cuInit(0);
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    rows();
    box();
    driver();
    cudaArray_t lost;
    cudaChannelFormatDesc const format = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
    say("lost", cudaMallocArray(&lost, &format, 16));
}
