// Mistakes with CUDA arrays, and correct programs that look like them.
#include "cases.h"

static cudaArray_t array;
static float host[4][8], back[4][8];

__global__ void read(const float *from, float *to)
{
    *to = *from;
}

static void allocate()
{
    cudaChannelFormatDesc const format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, 8, 4);
}

static void fill()
{
    allocate();
    cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 4, cudaMemcpyHostToDevice);
}

// ---- faulty ----

static void beyond_a_row()
{
    fill();
    cudaMemcpy2DFromArray(back, 32, array, 8, 0, 32, 1, cudaMemcpyDeviceToHost);
    cudaFreeArray(array);
}

static void beyond_the_rows()
{
    allocate();
    cudaMemcpy2DToArray(array, 0, 1, host, 32, 32, 4, cudaMemcpyHostToDevice);
    cudaFreeArray(array);
}

static void beyond_the_bytes()
{
    fill();
    cudaMemcpyFromArray(back, array, 0, 1, sizeof back, cudaMemcpyDeviceToHost);
    cudaFreeArray(array);
}

static void bytes_for_elements()
{
    cudaMemcpy3DParms copy = {};
    fill();
    copy.srcArray = array;
    copy.dstPtr = make_cudaPitchedPtr(back, 32, 32, 4);
    copy.extent = make_cudaExtent(32, 4, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    cudaFreeArray(array);
}

static void plain_memory_too_small()
{
    float *device;
    fill();
    cudaMalloc(&device, 3 * 32);
    cudaMemcpy2DFromArray(device, 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToDevice);
    cudaFree(device);
    cudaFreeArray(array);
}

static void down_for_up()
{
    allocate();
    cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 4, cudaMemcpyDeviceToHost);
    cudaFreeArray(array);
}

static void freed_before_the_copy()
{
    fill();
    cudaFreeArray(array);
    cudaMemcpy2DFromArray(back, 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToHost);
}

static void freed_twice()
{
    fill();
    cudaFreeArray(array);
    cudaFreeArray(array);
}

static void freed_as_memory()
{
    fill();
    cudaFree(array);
    cudaFreeArray(array);
}

static void never_freed()
{
    fill();
    allocate();
}

static void never_written()
{
    allocate();
    cudaMemcpyFromArray(back, array, 0, 0, sizeof back, cudaMemcpyDeviceToHost);
    cudaFreeArray(array);
}

static void read_by_the_host()
{
    fill();
    back[0][0] = *(const volatile float *)array;
}

static void read_by_a_kernel()
{
    float *device;
    fill();
    cudaMalloc(&device, sizeof *device);
    read<<<1, 1>>>((const float *)array, device);
    cudaDeviceSynchronize();
}

// ---- correct ----

static void whole()
{
    fill();
    cudaMemcpy2DFromArray(back, 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToHost);
    cudaFreeArray(array);
}

static void the_last_element()
{
    fill();
    cudaMemcpy2DFromArray(back, 4, array, 28, 3, 4, 1, cudaMemcpyDeviceToHost);
    cudaFreeArray(array);
}

static void into_the_next_row()
{
    fill();
    cudaMemcpyFromArray(back, array, 16, 1, 32, cudaMemcpyDeviceToHost);
    cudaFreeArray(array);
}

static void from_the_device()
{
    float *device;
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    allocate();
    cudaMemcpy2DToArray(array, 0, 0, device, 32, 32, 4, cudaMemcpyDeviceToDevice);
    cudaMemcpyFromArray(back, array, 0, 0, sizeof back, cudaMemcpyDefault);
    cudaFree(device);
    cudaFreeArray(array);
}

static void freed_nothing()
{
    cudaFreeArray(nullptr);
}

static const a_case faulty[] = {CASE(beyond_a_row),
                               CASE(beyond_the_rows),
                               CASE(beyond_the_bytes),
                               CASE(bytes_for_elements),
                               CASE(plain_memory_too_small),
                               CASE(down_for_up),
                               CASE(freed_before_the_copy),
                               CASE(freed_twice),
                               CASE(freed_as_memory),
                               CASE(never_freed),
                               CASE(never_written),
                               CASE(read_by_the_host),
                               CASE(read_by_a_kernel)};
static const a_case correct[] = {CASE(whole), CASE(the_last_element), CASE(into_the_next_row), CASE(from_the_device),
                                CASE(freed_nothing)};

MAIN(faulty, correct)
