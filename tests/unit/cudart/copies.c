/* Copies and fills of a program on the emulator: every direction and form, and what is refused. */
#include "cudart/calls/api.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES = 256 };

static uint8_t *device_bytes(size_t size)
{
    void *pointer = NULL;
    assert_int_equal(cudaMalloc(&pointer, size), cudaSuccess);
    assert_int_equal(cudaMemset(pointer, 0, size), cudaSuccess);
    return pointer;
}

static void count_up(uint8_t *bytes)
{
    for (unsigned i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)i;
}

static void bytes_survive_all_directions(void **state)
{
    uint8_t out[BYTES], back[BYTES] = {0}, last[BYTES] = {0};
    uint8_t *a = device_bytes(BYTES), *b = device_bytes(BYTES);
    (void)state;
    count_up(out);
    assert_int_equal(cudaMemcpy(a, out, BYTES, COPY_HOST_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpy(b, a, BYTES, COPY_DEVICE_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpy(back, b, BYTES, COPY_DEVICE_TO_HOST), cudaSuccess);
    assert_int_equal(cudaMemcpy(last, back, BYTES, COPY_HOST_TO_HOST), cudaSuccess);
    assert_memory_equal(last, out, BYTES);
    assert_int_equal(cudaMemset(b, 0, BYTES), cudaSuccess);
    assert_int_equal(cudaMemcpy(b + 1, out, BYTES - 1, COPY_DEFAULT), cudaSuccess);
    assert_int_equal(cudaMemcpy(back, b, BYTES, COPY_DEFAULT), cudaSuccess);
    assert_int_equal(back[0], 0);
    assert_memory_equal(back + 1, out, BYTES - 1);
    assert_int_equal(cudaMemcpyPeer(a, 0, b, 0, BYTES), cudaSuccess);
    assert_int_equal(cudaMemcpyPeer(a, 1, b, 0, BYTES), cudaErrorInvalidDevice);
    cudaFree(a);
    cudaFree(b);
}

static void a_wrong_direction_is_refused(void **state)
{
    uint8_t host[BYTES] = {0}, *device = device_bytes(BYTES);
    void *managed = NULL, *pinned = NULL;
    (void)state;
    assert_int_equal(cudaMemcpy(device, host, BYTES, COPY_DEVICE_TO_HOST), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(host, device, BYTES, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(host, device, BYTES, COPY_HOST_TO_HOST), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(device, host, BYTES, COPY_DEVICE_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(device, host, BYTES, 5), cudaErrorInvalidMemcpyDirection);
    assert_int_equal(cudaMemcpy(device, host, BYTES, -1), cudaErrorInvalidMemcpyDirection);
    assert_int_equal(cudaMallocManaged(&managed, BYTES, 1), cudaSuccess);
    assert_int_equal(cudaMallocHost(&pinned, BYTES), cudaSuccess);
    for (int kind = COPY_HOST_TO_HOST; kind <= COPY_DEFAULT; kind++) /* both sides can reach them */
        assert_int_equal(cudaMemcpy(managed, pinned, BYTES, kind), cudaSuccess);
    cudaFree(managed);
    cudaFreeHost(pinned);
    cudaFree(device);
}

static void a_copy_beyond_an_allocation_is_refused_and_writes_nothing(void **state)
{
    uint8_t host[BYTES + 1], *device = device_bytes(BYTES);
    (void)state;
    memset(host, 9, sizeof host);
    assert_int_equal(cudaMemcpy(device, host, BYTES + 1, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(device + 1, host, BYTES, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(device, NULL, BYTES, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemset(device + BYTES - 1, 9, 2), cudaErrorInvalidValue);
    assert_int_equal(cudaMemset(host, 9, 2), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(host, device, BYTES, COPY_DEVICE_TO_HOST), cudaSuccess);
    for (unsigned i = 0; i < BYTES; i++)
        assert_int_equal(host[i], 0);
    cudaFree(device);
    assert_int_equal(cudaMemcpy(device, host, 1, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemset(device, 9, 1), cudaErrorInvalidValue);
}

static void no_bytes_are_copied_from_anywhere(void **state)
{
    (void)state;
    assert_int_equal(cudaMemcpy(NULL, NULL, 0, COPY_HOST_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpy2D(NULL, 64, NULL, 64, 0, 7, COPY_DEFAULT), cudaSuccess);
    assert_int_equal(cudaMemcpy2D(NULL, 64, NULL, 64, 7, 0, COPY_DEFAULT), cudaSuccess);
    assert_int_equal(cudaMemset(NULL, 1, 0), cudaSuccess);
}

static void copies_of_rows_leave_the_bytes_between_them(void **state)
{
    uint8_t in[4 * 10], out[4 * 16], *device = device_bytes(4 * 32);
    (void)state;
    memset(in, 7, sizeof in);
    memset(out, 1, sizeof out);
    assert_int_equal(cudaMemcpy2D(device, 32, in, 10, 10, 4, COPY_HOST_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemset2D(device + 8, 32, 5, 2, 4), cudaSuccess);
    assert_int_equal(cudaMemcpy2D(out, 16, device, 32, 12, 4, COPY_DEVICE_TO_HOST), cudaSuccess);
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 16; x++)
            assert_int_equal(out[y * 16 + x], x < 8 ? 7 : x < 10 ? 5 : x < 12 ? 0 : 1);
    assert_int_equal(cudaMemcpy2D(device, 8, in, 10, 10, 4, COPY_HOST_TO_DEVICE), cudaErrorInvalidPitchValue);
    assert_int_equal(cudaMemcpy2D(device, 32, in, 10, 10, 5, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    cudaFree(device);
}

static void rows_whose_end_does_not_fit_into_64_bits_are_refused(void **state)
{
    uint8_t host[64] = {0}, *device = device_bytes(64);
    size_t const rows = ((size_t)1 << 58) + 1; /* of 64 bytes: 64 bytes and 2^64 */
    (void)state;
    assert_int_equal(cudaMemcpy2D(device, 64, host, 64, 64, rows, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemset2D(device, 64, 1, 64, rows), cudaErrorInvalidValue);
    cudaFree(device);
}

static void a_box_is_copied_from_corner_to_corner(void **state)
{
    uint8_t in[2][3][4], out[2][2][2];
    struct pitched box = {0};
    (void)state;
    for (unsigned i = 0; i < sizeof in; i++)
        (&in[0][0][0])[i] = (uint8_t)i;
    assert_int_equal(cudaMalloc3D(&box, (struct extent){4, 3, 2}), cudaSuccess);
    struct copy_3d const to = {.from = {in, 4, 4, 3}, .to = box, .extent = {4, 3, 2}, .kind = COPY_HOST_TO_DEVICE};
    struct copy_3d const back = {.from = box,
                                 .from_position = {1, 1, 0},
                                 .to = {out, 2, 2, 2},
                                 .extent = {2, 2, 2},
                                 .kind = COPY_DEVICE_TO_HOST};
    assert_int_equal(cudaMemcpy3D(&to), cudaSuccess);
    assert_int_equal(cudaMemcpy3D(&back), cudaSuccess);
    for (unsigned z = 0; z < 2; z++)
        for (unsigned y = 0; y < 2; y++)
            for (unsigned x = 0; x < 2; x++)
                assert_int_equal(out[z][y][x], in[z][y + 1][x + 1]);
    struct copy_3d nothing = to;
    nothing.to.ptr = NULL;
    assert_int_equal(cudaMemcpy3D(&nothing), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy3D(NULL), cudaErrorInvalidValue);
    cudaFree(box.ptr);
}

static void a_copy_in_a_destroyed_stream_is_refused(void **state)
{
    uint8_t host[4] = {0}, *device = device_bytes(4);
    cudaStream_t stream = NULL;
    (void)state;
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(device, host, 4, COPY_HOST_TO_DEVICE, stream), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(device, host, 4, COPY_HOST_TO_DEVICE, stream), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaMemsetAsync(device, 0, 4, stream), cudaErrorInvalidResourceHandle);
    cudaFree(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_survive_all_directions),
        cmocka_unit_test(a_wrong_direction_is_refused),
        cmocka_unit_test(a_copy_beyond_an_allocation_is_refused_and_writes_nothing),
        cmocka_unit_test(no_bytes_are_copied_from_anywhere),
        cmocka_unit_test(copies_of_rows_leave_the_bytes_between_them),
        cmocka_unit_test(rows_whose_end_does_not_fit_into_64_bits_are_refused),
        cmocka_unit_test(a_box_is_copied_from_corner_to_corner),
        cmocka_unit_test(a_copy_in_a_destroyed_stream_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
