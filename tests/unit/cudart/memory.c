/* Device, managed, pinned and registered memory of a program on the emulator: sizes, pitches, pointers, pools. */
#include "cudart/calls/api.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MIB = 1 << 20 };

static void rows_begin_at_multiples_of_the_pitch(void **state)
{
    static const size_t widths[] = {1, 511, 512, 513, 4000};
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        void *rows = NULL;
        char byte = 1;
        size_t pitch = 0;
        assert_int_equal(cudaMallocPitch(&rows, &pitch, widths[i], 3), cudaSuccess);
        assert_true(pitch >= widths[i]);
        assert_int_equal(pitch % 512, 0);
        assert_int_equal((uintptr_t)rows % 512, 0);
        char *end = (char *)rows + 3 * pitch;
        assert_int_equal(cudaMemcpy(end - 1, &byte, 1, COPY_HOST_TO_DEVICE), cudaSuccess);
        assert_int_equal(cudaMemcpy(end, &byte, 1, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
        assert_int_equal(cudaFree(rows), cudaSuccess);
    }
}

static void a_box_has_the_rows_of_all_its_slices(void **state)
{
    struct pitched box = {0};
    char byte = 1;
    (void)state;
    assert_int_equal(cudaMalloc3D(&box, (struct extent){100, 5, 4}), cudaSuccess);
    assert_int_equal(box.xsize, 100);
    assert_int_equal(box.ysize, 5);
    char *end = (char *)box.ptr + box.pitch * 5 * 4;
    assert_int_equal(cudaMemcpy(end - 1, &byte, 1, COPY_HOST_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpy(end, &byte, 1, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaFree(box.ptr), cudaSuccess);
}

static void memory_beyond_the_device_is_refused_and_none_is_lost(void **state)
{
    size_t before = 0, after = 0, total = 0;
    void *pointer = &total, *first = NULL;
    (void)state;
    assert_int_equal(cudaMemGetInfo(&before, &total), cudaSuccess);
    assert_int_equal(total, 64 * MIB);
    assert_int_equal(cudaMalloc(&first, 40 * MIB), cudaSuccess);
    assert_int_equal(cudaMalloc(&pointer, 40 * MIB), cudaErrorMemoryAllocation);
    assert_null(pointer);
    assert_int_equal(cudaMalloc(&pointer, SIZE_MAX), cudaErrorMemoryAllocation);
    assert_int_equal(cudaFree(first), cudaSuccess);
    assert_int_equal(cudaMemGetInfo(&after, &total), cudaSuccess);
    assert_int_equal(after, before);
}

static void sizes_that_do_not_fit_into_64_bits_are_refused(void **state)
{
    void *pointer = NULL;
    struct pitched box = {0};
    size_t pitch = 0;
    (void)state;
    assert_int_equal(cudaMallocPitch(&pointer, &pitch, (size_t)1 << 40, (size_t)1 << 24), cudaErrorMemoryAllocation);
    assert_int_equal(cudaMallocPitch(&pointer, &pitch, SIZE_MAX, 1), cudaErrorMemoryAllocation);
    assert_int_equal(cudaMalloc3D(&box, (struct extent){512, (size_t)1 << 32, (size_t)1 << 32}),
                     cudaErrorMemoryAllocation);
    assert_null(pointer);
}

static void no_bytes_give_no_memory(void **state)
{
    void *pointer = &pointer;
    (void)state;
    assert_int_equal(cudaMalloc(&pointer, 0), cudaSuccess);
    assert_null(pointer);
    assert_int_equal(cudaMallocManaged(&pointer, 0, 1), cudaErrorInvalidValue);
    assert_int_equal(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
    assert_int_equal(cudaFree(NULL), cudaSuccess);
}

static struct pointer_attributes attributes_of(const void *pointer)
{
    struct pointer_attributes attributes;
    assert_int_equal(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    return attributes;
}

static void a_pointer_tells_whose_memory_it_is(void **state)
{
    void *device = NULL, *managed = NULL, *pinned = NULL, *plain = malloc(64);
    (void)state;
    assert_int_equal(cudaMalloc(&device, 64), cudaSuccess);
    assert_int_equal(cudaMallocManaged(&managed, 64, 1), cudaSuccess);
    assert_int_equal(cudaMallocHost(&pinned, 64), cudaSuccess);
    struct pointer_attributes a = attributes_of((char *)device + 63);
    assert_int_equal(a.type, POINTER_DEVICE);
    assert_int_equal(a.device, 0);
    assert_ptr_equal(a.device_pointer, (char *)device + 63);
    assert_null(a.host_pointer);
    a = attributes_of(managed);
    assert_int_equal(a.type, POINTER_MANAGED);
    assert_ptr_equal(a.host_pointer, managed);
    a = attributes_of(pinned);
    assert_int_equal(a.type, POINTER_HOST);
    assert_ptr_equal(a.device_pointer, pinned);
    assert_int_equal(attributes_of(plain).type, POINTER_UNREGISTERED);
    assert_int_equal(cudaHostRegister(plain, 64, 0), cudaSuccess);
    assert_int_equal(attributes_of(plain).type, POINTER_HOST);
    assert_int_equal(cudaHostUnregister(plain), cudaSuccess);
    assert_int_equal(attributes_of(plain).type, POINTER_UNREGISTERED);
    assert_int_equal(attributes_of((char *)device + 64).type, POINTER_UNREGISTERED);
    assert_int_equal(cudaFree(device), cudaSuccess);
    assert_int_equal(attributes_of(device).type, POINTER_UNREGISTERED);
    assert_int_equal(cudaFree(managed), cudaSuccess);
    assert_int_equal(cudaFreeHost(pinned), cudaSuccess);
    free(plain);
}

static void memory_is_freed_once_as_a_whole_by_its_own_function(void **state)
{
    void *device = NULL, *pinned = NULL;
    int plain = 0;
    (void)state;
    assert_int_equal(cudaMalloc(&device, 64), cudaSuccess);
    assert_int_equal(cudaMallocHost(&pinned, 64), cudaSuccess);
    assert_int_equal(cudaFree((char *)device + 4), cudaErrorInvalidValue);
    assert_int_equal(cudaFreeHost(device), cudaErrorInvalidValue);
    assert_int_equal(cudaFree(pinned), cudaErrorInvalidValue);
    assert_int_equal(cudaFree(&plain), cudaErrorInvalidValue);
    assert_int_equal(cudaFree(device), cudaSuccess);
    assert_int_equal(cudaFree(device), cudaErrorInvalidValue);
    assert_int_equal(cudaFreeHost(pinned), cudaSuccess);
}

static void a_freed_address_is_not_given_out_again_at_once(void **state)
{
    void *first = NULL, *second = NULL;
    (void)state;
    assert_int_equal(cudaMalloc(&first, 64), cudaSuccess);
    assert_int_equal(cudaFree(first), cudaSuccess);
    assert_int_equal(cudaMalloc(&second, 64), cudaSuccess);
    assert_ptr_not_equal(first, second);
    assert_int_equal(cudaFree(second), cudaSuccess);
}

static void host_memory_is_registered_once(void **state)
{
    void *plain = malloc(64), *device = NULL;
    (void)state;
    assert_int_equal(cudaHostUnregister(plain), cudaErrorHostMemoryNotRegistered);
    assert_int_equal(cudaHostGetDevicePointer(&device, plain, 0), cudaErrorInvalidValue);
    assert_int_equal(cudaHostRegister(plain, 64, 0), cudaSuccess);
    assert_int_equal(cudaHostRegister(plain, 64, 0), cudaErrorHostMemoryAlreadyRegistered);
    assert_int_equal(cudaHostGetDevicePointer(&device, plain, 0), cudaSuccess);
    assert_ptr_equal(device, plain);
    assert_int_equal(cudaFree(plain), cudaErrorInvalidValue);
    assert_int_equal(cudaHostUnregister(plain), cudaSuccess);
    free(plain);
}

static uint64_t used_of(struct pool *pool)
{
    enum { USED_CURRENT = 7 };
    uint64_t bytes = 0;
    assert_int_equal(cudaMemPoolGetAttribute(pool, USED_CURRENT, &bytes), cudaSuccess);
    return bytes;
}

static void a_pool_counts_its_own_bytes(void **state)
{
    struct pool *pool = NULL, *standard = NULL;
    char properties[88] = {0};
    void *own = NULL, *other = NULL;
    (void)state;
    assert_int_equal(cudaMemPoolCreate(&pool, properties), cudaSuccess);
    assert_int_equal(cudaDeviceGetDefaultMemPool(&standard, 0), cudaSuccess);
    assert_int_equal(cudaMallocFromPoolAsync(&own, 1000, pool, NULL), cudaSuccess);
    assert_int_equal(cudaMallocAsync(&other, 10, NULL), cudaSuccess);
    assert_int_equal(used_of(pool), 1000);
    assert_int_equal(used_of(standard), 10);
    assert_int_equal(cudaFreeAsync(own, NULL), cudaSuccess);
    assert_int_equal(used_of(pool), 0);
    assert_int_equal(cudaFree(other), cudaSuccess);
    assert_int_equal(used_of(standard), 0);
    assert_int_equal(cudaMemPoolDestroy(pool), cudaSuccess);
    assert_int_equal(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
    assert_int_equal(cudaMallocFromPoolAsync(&own, 1000, pool, NULL), cudaErrorInvalidValue);
    assert_int_equal(cudaMemPoolDestroy(standard), cudaErrorInvalidValue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_begin_at_multiples_of_the_pitch),
        cmocka_unit_test(a_box_has_the_rows_of_all_its_slices),
        cmocka_unit_test(memory_beyond_the_device_is_refused_and_none_is_lost),
        cmocka_unit_test(sizes_that_do_not_fit_into_64_bits_are_refused),
        cmocka_unit_test(no_bytes_give_no_memory),
        cmocka_unit_test(a_pointer_tells_whose_memory_it_is),
        cmocka_unit_test(memory_is_freed_once_as_a_whole_by_its_own_function),
        cmocka_unit_test(a_freed_address_is_not_given_out_again_at_once),
        cmocka_unit_test(host_memory_is_registered_once),
        cmocka_unit_test(a_pool_counts_its_own_bytes),
    };
    setenv("LANESCOPE_PROGRAM_DEVICE_BYTES", "67108864", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
