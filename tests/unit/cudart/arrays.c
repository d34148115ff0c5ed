/* CUDA arrays on the emulator, by both interfaces: what can be made, what copies leave where, and what is refused. */
#include "cudart/calls/api.h"
#include "cudart/driver/driver.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIGNED, UNSIGNED, FLOAT };
enum { LAYERED = 1, SURFACE = 2, CUBE = 4, GATHER = 8, SPARSE = 0x40 };
enum { FORMAT_U8 = 1, FORMAT_HALF = 0x10, FORMAT_FLOAT = 0x20, FORMAT_NV12 = 0xb0 };
enum { WIDTH = 8, HEIGHT = 4 }; /* of floats */

/* As a program has them. */
struct driver_array {
    size_t width, height;
    int format;
    unsigned channels;
};
struct driver_array_3d {
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
};
struct driver_copy_2d {
    size_t from_x, from_y;
    int from_kind;
    const void *from_host;
    CUdeviceptr from_device;
    CUarray from_array;
    size_t from_pitch, to_x, to_y;
    int to_kind;
    void *to_host;
    CUdeviceptr to_device;
    CUarray to_array;
    size_t to_pitch, width, height;
};

static const struct channels floats = {{32}, FLOAT};

static cudaArray_t new_array(size_t width, size_t height)
{
    cudaArray_t array = NULL;
    assert_int_equal(cudaMallocArray(&array, &floats, width, height, 0), cudaSuccess);
    return array;
}

static void count_up(float *numbers, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        numbers[i] = (float)i;
}

static void rows_go_into_an_array_and_come_back(void **state)
{
    float in[HEIGHT][WIDTH], out[2][3] = {{0}}, all[HEIGHT * WIDTH];
    cudaArray_t a = new_array(WIDTH, HEIGHT), b = new_array(WIDTH, HEIGHT);
    (void)state;
    count_up(in[0], HEIGHT * WIDTH);
    assert_int_equal(cudaMemcpy2DToArray(a, 0, 0, in, sizeof in[0], sizeof in[0], HEIGHT, COPY_HOST_TO_DEVICE),
                     cudaSuccess);
    assert_int_equal(cudaMemcpy2DFromArray(out, 12, a, 8, 1, 12, 2, COPY_DEVICE_TO_HOST), cudaSuccess);
    assert_memory_equal(out[0], &in[1][2], sizeof out[0]);
    assert_memory_equal(out[1], &in[2][2], sizeof out[1]);
    assert_int_equal(cudaMemcpy2DArrayToArray(b, 4, 2, a, 0, 0, 8, 2, COPY_DEVICE_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpy2DFromArrayAsync(out, 12, b, 4, 2, 8, 2, COPY_DEVICE_TO_HOST, NULL), cudaSuccess);
    assert_memory_equal(out[0], in[0], 8);
    assert_memory_equal(out[1], in[1], 8);
    assert_int_equal(cudaMemcpyFromArray(all, a, 4, 1, 4 * WIDTH, COPY_DEFAULT), cudaSuccess); /* into the next row */
    assert_memory_equal(all, &in[1][1], 4 * WIDTH);
    assert_int_equal(cudaMemcpyToArray(b, 0, 0, in, sizeof in, COPY_HOST_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpyArrayToArray(a, 0, 1, b, 0, 0, 4 * WIDTH, COPY_DEVICE_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpyFromArrayAsync(all, a, 0, 0, sizeof all, COPY_DEVICE_TO_HOST, NULL), cudaSuccess);
    assert_memory_equal(all + WIDTH, in[0], 4 * WIDTH);
    assert_memory_equal(all + 2 * WIDTH, in[2], 4 * WIDTH);
    assert_int_equal(cudaFreeArray(a), cudaSuccess);
    assert_int_equal(cudaFreeArray(b), cudaSuccess);
}

static void a_box_counts_elements_of_its_array(void **state)
{
    float in[2][3][4], out[2][2][2];
    cudaArray_t array = NULL, flat = new_array(4, 3), bytes = NULL;
    struct channels const byte = {{8}, UNSIGNED};
    (void)state;
    count_up(in[0][0], 24);
    assert_int_equal(cudaMalloc3DArray(&array, &floats, (struct extent){4, 3, 2}, 0), cudaSuccess);
    assert_int_equal(cudaMallocArray(&bytes, &byte, 16, 3, 0), cudaSuccess);
    struct copy_3d to = {.from = {in, 16, 16, 3}, .to_array = array, .extent = {4, 3, 2}, .kind = COPY_HOST_TO_DEVICE};
    struct copy_3d back = {.from_array = array,
                           .from_position = {1, 1, 0},
                           .to = {out, 8, 8, 2},
                           .extent = {2, 2, 2},
                           .kind = COPY_DEVICE_TO_HOST};
    struct copy_3d within = {.from_array = array,
                             .from_position = {0, 0, 1},
                             .to_array = flat,
                             .extent = {4, 3, 1},
                             .kind = COPY_DEVICE_TO_DEVICE};
    assert_int_equal(cudaMemcpy3D(&to), cudaSuccess);
    assert_int_equal(cudaMemcpy3D(&back), cudaSuccess);
    for (unsigned z = 0; z < 2; z++)
        for (unsigned y = 0; y < 2; y++)
            assert_memory_equal(out[z][y], &in[z][y + 1][1], sizeof out[z][y]);
    assert_int_equal(cudaMemcpy3DAsync(&within, NULL), cudaSuccess);
    assert_int_equal(cudaMemcpyFromArray(out, flat, 0, 1, 32, COPY_DEVICE_TO_HOST), cudaSuccess);
    assert_memory_equal(out, in[1][1], 32);
    within.to_array = bytes;
    assert_int_equal(cudaMemcpy3D(&within), cudaErrorInvalidValue); /* elements of other sizes */
    to.to = (struct pitched){out, 8, 8, 2};
    assert_int_equal(cudaMemcpy3D(&to), cudaErrorInvalidValue); /* two targets */
    back.from_position.z = 1;
    assert_int_equal(cudaMemcpy3D(&back), cudaErrorInvalidValue); /* a layer too many */
    back.extent.width = SIZE_MAX / 2;
    assert_int_equal(cudaMemcpy3D(&back), cudaErrorInvalidValue);
    cudaFreeArray(array);
    cudaFreeArray(flat);
    cudaFreeArray(bytes);
}

static void positions_that_wrap_round_are_refused(void **state)
{
    void *plain = NULL;
    cudaArray_t array = new_array(4, 3);
    (void)state;
    assert_int_equal(cudaMalloc(&plain, 64), cudaSuccess);
    struct copy_3d copy = {
        .from = {plain, 16, 16, 3}, .to_array = array, .extent = {2, 1, 1}, .kind = COPY_DEVICE_TO_DEVICE};
    copy.to_position.x = SIZE_MAX / 4 + 2; /* four bytes each: 4 */
    assert_int_equal(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
    copy.to_position.x = 1;
    copy.from_position.y = SIZE_MAX; /* a row before the first one */
    assert_int_equal(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
    copy.from_position.y = 1;
    assert_int_equal(cudaMemcpy3D(&copy), cudaSuccess);
    cudaFree(plain);
    cudaFreeArray(array);
}

static void a_graph_copies_rows_of_an_array(void **state)
{
    float in[WIDTH], out[WIDTH] = {0};
    cudaArray_t array = new_array(WIDTH, 0);
    struct graph *graph = NULL, *instance = NULL;
    struct graph_node *first = NULL, *second = NULL;
    struct copy_3d const to = {
        .from = {in, 32, 32, 1}, .to_array = array, .extent = {WIDTH, 1, 1}, .kind = COPY_HOST_TO_DEVICE};
    struct copy_3d const back = {
        .from_array = array, .to = {out, 32, 32, 1}, .extent = {WIDTH, 1, 1}, .kind = COPY_DEVICE_TO_HOST};
    (void)state;
    count_up(in, WIDTH);
    assert_int_equal(cudaGraphCreate(&graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphAddMemcpyNode(&first, graph, NULL, 0, &to), cudaSuccess);
    assert_int_equal(cudaGraphAddMemcpyNode(&second, graph, &first, 1, &back), cudaSuccess);
    assert_int_equal(cudaGraphInstantiateWithFlags(&instance, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphLaunch(instance, NULL), cudaSuccess);
    assert_memory_equal(out, in, sizeof in);
    cudaFreeArray(array);
    assert_int_equal(cudaGraphLaunch(instance, NULL), cudaErrorInvalidValue);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
}

static void a_copy_beyond_an_array_is_refused(void **state)
{
    float host[HEIGHT * WIDTH] = {0};
    size_t const row = 4 * WIDTH, far = SIZE_MAX - 3;
    cudaArray_t a = new_array(WIDTH, HEIGHT);
    (void)state;
    assert_int_equal(cudaMemcpy2DToArray(a, 4, 0, host, row, row, 1, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy2DToArray(a, 0, 1, host, row, row, HEIGHT, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy2DToArray(a, far, 0, host, row, 8, 1, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy2DToArray(a, 2, 0, host, row, 8, 1, COPY_HOST_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpy2DToArray(a, 0, 0, host, 4, 8, 1, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy2DToArray(a, 0, 0, host, 4, 8, 2, COPY_HOST_TO_DEVICE), cudaErrorInvalidPitchValue);
    assert_int_equal(cudaMemcpy2DToArray(a, 0, 0, host, row, 8, 1, COPY_DEVICE_TO_HOST), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpyToArray(a, 4, 0, host, sizeof host, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpyToArray(a, 0, HEIGHT, host, 4, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpyToArray(a, 0, 0, host, 3, COPY_HOST_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpy2DToArray(a, row, 0, host, 0, 0, 0, COPY_HOST_TO_DEVICE), cudaSuccess); /* no bytes */
    cudaFreeArray(a);
}

static void an_array_is_no_memory_of_pointers(void **state)
{
    float host[WIDTH] = {0};
    struct pointer_attributes attributes;
    void *plain = NULL;
    cudaArray_t a = new_array(WIDTH, 0);
    (void)state;
    assert_int_equal(cudaMalloc(&plain, 64), cudaSuccess);
    assert_int_equal(cudaMemcpy(a, host, 4, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemset(a, 0, 4), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpyToArray(plain, 0, 0, host, 4, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpyToArray((cudaArray_t)(void *)host, 0, 0, host, 4, COPY_DEFAULT), cudaErrorInvalidValue);
    assert_int_equal(cudaPointerGetAttributes(&attributes, a), cudaSuccess);
    assert_int_equal(attributes.type, POINTER_UNREGISTERED);
    assert_int_equal(cudaFree(a), cudaErrorInvalidValue);
    assert_int_equal(cudaFreeArray(plain), cudaErrorInvalidValue);
    assert_int_equal(cudaFreeArray(NULL), cudaSuccess);
    assert_int_equal(cudaFreeArray(a), cudaSuccess);
    assert_int_equal(cudaFreeArray(a), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpyToArray(a, 0, 0, host, 4, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    cudaFree(plain);
}

static cudaError_t make(size_t width, size_t height, size_t depth, unsigned flags)
{
    cudaArray_t array = NULL;
    struct extent const extent = {width, height, depth};
    cudaError_t const error = cudaMalloc3DArray(&array, &floats, extent, flags);
    if (error)
        return error;
    struct channels channels;
    struct extent is;
    unsigned kept = 0;
    assert_int_equal(cudaArrayGetInfo(&channels, &is, &kept, array), cudaSuccess);
    assert_memory_equal(&channels, &floats, sizeof channels);
    assert_memory_equal(&is, &extent, sizeof is);
    assert_int_equal(kept, flags);
    return cudaFreeArray(array);
}

static void only_possible_shapes_can_be_made(void **state)
{
    (void)state;
    assert_int_equal(make(5, 0, 0, 0), cudaSuccess);
    assert_int_equal(make(5, 3, 0, SURFACE | GATHER), cudaSuccess);
    assert_int_equal(make(5, 3, 2, 0), cudaSuccess);
    assert_int_equal(make(5, 0, 2, LAYERED), cudaSuccess);
    assert_int_equal(make(5, 3, 2, LAYERED), cudaSuccess);
    assert_int_equal(make(5, 5, 6, CUBE), cudaSuccess);
    assert_int_equal(make(5, 5, 12, CUBE | LAYERED), cudaSuccess);
    assert_int_equal(make(0, 0, 0, 0), cudaErrorInvalidValue);
    assert_int_equal(make(5, 0, 2, 0), cudaErrorInvalidValue);
    assert_int_equal(make(5, 3, 0, LAYERED), cudaErrorInvalidValue);
    assert_int_equal(make(5, 4, 6, CUBE), cudaErrorInvalidValue);
    assert_int_equal(make(5, 5, 12, CUBE), cudaErrorInvalidValue);
    assert_int_equal(make(5, 0, 0, GATHER), cudaErrorInvalidValue);
    assert_int_equal(make(131073, 0, 0, 0), cudaErrorInvalidValue);
    assert_int_equal(make(131072, 0, 0, 0), cudaSuccess);
    assert_int_equal(make(1, 65537, 0, 0), cudaErrorInvalidValue);
    assert_int_equal(make(16385, 1, 1, 0), cudaErrorInvalidValue);
    assert_int_equal(make(16384, 16384, 16384, 0), cudaErrorMemoryAllocation);
    assert_int_equal(make(5, 3, 0, SPARSE), cudaErrorNotSupported);
    assert_int_equal(make(5, 3, 0, 0x1000), cudaErrorInvalidValue);
}

static cudaError_t with(struct channels channels)
{
    cudaArray_t array = NULL;
    struct channels is;
    cudaError_t const error = cudaMallocArray(&array, &channels, 4, 0, 0);
    if (error)
        return error;
    assert_int_equal(cudaGetChannelDesc(&is, array), cudaSuccess);
    assert_memory_equal(&is, &channels, sizeof is);
    return cudaFreeArray(array);
}

static void only_possible_elements_can_be_made(void **state)
{
    cudaArray_t array = NULL;
    (void)state;
    assert_int_equal(with((struct channels){{8}, UNSIGNED}), cudaSuccess);
    assert_int_equal(with((struct channels){{8, 8, 8, 8}, SIGNED}), cudaSuccess);
    assert_int_equal(with((struct channels){{16, 16}, UNSIGNED}), cudaSuccess);
    assert_int_equal(with((struct channels){{16}, FLOAT}), cudaSuccess);
    assert_int_equal(with((struct channels){{32, 32, 32, 32}, SIGNED}), cudaSuccess);
    assert_int_equal(with((struct channels){{8}, FLOAT}), cudaErrorInvalidChannelDescriptor);
    assert_int_equal(with((struct channels){{32, 32, 32}, FLOAT}), cudaErrorInvalidChannelDescriptor);
    assert_int_equal(with((struct channels){{32, 16}, FLOAT}), cudaErrorInvalidChannelDescriptor);
    assert_int_equal(with((struct channels){{0, 32}, FLOAT}), cudaErrorInvalidChannelDescriptor);
    assert_int_equal(with((struct channels){{64}, FLOAT}), cudaErrorInvalidChannelDescriptor);
    assert_int_equal(with((struct channels){{32}, 3}), cudaErrorInvalidChannelDescriptor);
    assert_int_equal(cudaMallocArray(&array, &floats, 4, 4, LAYERED), cudaErrorInvalidValue);
    assert_int_equal(cudaMallocArray(NULL, &floats, 4, 4, 0), cudaErrorInvalidValue);
    assert_int_equal(cudaMallocArray(&array, NULL, 4, 4, 0), cudaErrorInvalidValue);
}

static void the_driver_has_the_same_arrays(void **state)
{
    enum { HOST = 1, DEVICE, ARRAY };
    struct driver_array const line = {WIDTH, 0, FORMAT_FLOAT, 1}, plane = {WIDTH, HEIGHT, FORMAT_FLOAT, 1};
    struct driver_array_3d const box = {4, 3, 2, FORMAT_HALF, 2, LAYERED};
    struct driver_array d = {WIDTH, 0, FORMAT_NV12, 1};
    struct driver_array_3d d3 = {0};
    float in[HEIGHT][WIDTH], out[2][2] = {{0}};
    CUarray a = NULL, b = NULL, c = NULL;
    CUdeviceptr memory = 0;
    (void)state;
    count_up(in[0], HEIGHT * WIDTH);
    assert_int_equal(cuArrayCreate_v2(&a, &line), CUDA_SUCCESS);
    assert_int_equal(cuArrayCreate_v2(&b, &plane), CUDA_SUCCESS);
    assert_int_equal(cuArray3DCreate_v2(&c, &box), CUDA_SUCCESS);
    assert_int_equal(cuArrayCreate_v2(&c, &d), CUDA_ERROR_NOT_SUPPORTED);
    d.format = FORMAT_U8 + 4;
    assert_int_equal(cuArrayCreate_v2(&c, &d), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuArrayCreate_v2(&c, NULL), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuArrayGetDescriptor_v2(&d, b), CUDA_SUCCESS);
    assert_memory_equal(&d, &plane, sizeof d);
    assert_int_equal(cuArray3DGetDescriptor_v2(&d3, c), CUDA_SUCCESS);
    assert_memory_equal(&d3, &box, offsetof(struct driver_array_3d, flags) + sizeof d3.flags);

    assert_int_equal(cuMemAlloc_v2(&memory, 64), CUDA_SUCCESS);
    assert_int_equal(cuMemcpyHtoA_v2(a, 4, in, 8), CUDA_SUCCESS);
    assert_int_equal(cuMemcpyAtoD_v2(memory, a, 4, 8), CUDA_SUCCESS);
    assert_int_equal(cuMemcpyDtoA_v2(a, 16, memory, 8), CUDA_SUCCESS);
    assert_int_equal(cuMemcpyAtoA_v2(b, 0, a, 16, 8), CUDA_SUCCESS);
    assert_int_equal(cuMemcpyAtoHAsync_v2(out, b, 0, 8, NULL), CUDA_SUCCESS);
    assert_memory_equal(out[0], in[0], 8);
    assert_int_equal(cuMemcpyHtoAAsync_v2(a, 0, in, 4 * WIDTH, NULL), CUDA_SUCCESS);
    assert_int_equal(cuMemcpyHtoA_v2(a, 4, in, 4 * WIDTH), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemcpyHtoA_v2(a, 2, in, 8), CUDA_SUCCESS);   /* also between two elements */
    assert_int_equal(cuMemcpyAtoA_v2(c, 0, a, 0, 8), CUDA_SUCCESS); /* both have elements of 4 bytes */

    struct driver_copy_2d copy = {
        .from_kind = HOST, .from_host = in, .to_kind = ARRAY, .to_array = b, .width = 4 * WIDTH, .height = HEIGHT};
    assert_int_equal(cuMemcpy2D_v2(&copy), CUDA_SUCCESS);
    copy = (struct driver_copy_2d){.from_x = 8,
                                   .from_y = 2,
                                   .from_kind = ARRAY,
                                   .from_array = b,
                                   .to_kind = HOST,
                                   .to_host = out,
                                   .width = 8,
                                   .height = 2};
    assert_int_equal(cuMemcpy2DUnaligned_v2(&copy), CUDA_SUCCESS);
    assert_memory_equal(out[0], &in[2][2], 8);
    assert_memory_equal(out[1], &in[3][2], 8);
    copy.from_y = 3;
    assert_int_equal(cuMemcpy2D_v2(&copy), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuArrayDestroy(b), CUDA_SUCCESS);
    assert_int_equal(cuMemcpy2D_v2(&copy), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuArrayDestroy(b), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuArrayGetDescriptor_v2(&d, b), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuArrayDestroy(NULL), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuArrayDestroy(a), CUDA_SUCCESS);
    assert_int_equal(cuArrayDestroy(c), CUDA_SUCCESS);
    cuMemFree_v2(memory);
}

static int attach(void **state)
{
    CUcontext context = NULL;
    (void)state;
    return cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_go_into_an_array_and_come_back),   cmocka_unit_test(a_box_counts_elements_of_its_array),
        cmocka_unit_test(positions_that_wrap_round_are_refused), cmocka_unit_test(a_graph_copies_rows_of_an_array),
        cmocka_unit_test(a_copy_beyond_an_array_is_refused),     cmocka_unit_test(an_array_is_no_memory_of_pointers),
        cmocka_unit_test(only_possible_shapes_can_be_made),      cmocka_unit_test(only_possible_elements_can_be_made),
        cmocka_unit_test(the_driver_has_the_same_arrays),
    };
    return cmocka_run_group_tests(tests, attach, NULL);
}
