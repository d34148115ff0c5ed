/* The errors of the runtime: names, texts, and the last error of a thread. */
#include "cudart/calls/api.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *name;
    cudaError_t code;
} errors[] = {
#define STATUS(name, value, runtime_name, text) {#runtime_name, runtime_name},
#include "cudart/layer/status.def"
};
enum { COUNT = sizeof errors / sizeof *errors };

static void each_code_has_one_name_and_a_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        assert_string_equal(cudaGetErrorName(errors[i].code), errors[i].name);
        assert_string_not_equal(cudaGetErrorString(errors[i].code), "");
        assert_true(!i || errors[i - 1].code < errors[i].code);
    }
    assert_string_equal(cudaGetErrorName(12345), "unrecognized error code");
    assert_string_equal(cudaGetErrorString((cudaError_t)-1), "unrecognized error code");
}

static void the_layer_has_the_numbers_of_the_runtime(void **state)
{
    (void)state;
#define STATUS(name, value, runtime_name, text) assert_int_equal(STATUS_##name, runtime_name);
#include "cudart/layer/status.def"
}

static void the_last_error_is_kept_until_it_is_taken(void **state)
{
    (void)state;
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_int_equal(cudaSetDevice(1), cudaErrorInvalidDevice);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidDevice);
    assert_int_equal(cudaPeekAtLastError(), cudaSuccess);
}

static void waiting_for_work_is_no_error(void **state)
{
    cudaEvent_t start = NULL, end = NULL;
    float milliseconds;
    void *memory = NULL;
    (void)state;
    assert_int_equal(cudaMalloc(&memory, 1 << 20), cudaSuccess);
    assert_int_equal(cudaEventCreate(&start), cudaSuccess);
    assert_int_equal(cudaEventCreate(&end), cudaSuccess);
    assert_int_equal(cudaEventRecord(start, NULL), cudaSuccess);
    assert_int_equal(cudaMemsetAsync(memory, 0, 1 << 20, NULL), cudaSuccess);
    assert_int_equal(cudaEventRecord(end, NULL), cudaSuccess);
    assert_int_equal(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorNotReady);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    cudaFree(memory);
}

static void *choose_a_wrong_device(void *unused)
{
    (void)unused;
    cudaSetDevice(1);
    return (void *)(uintptr_t)cudaPeekAtLastError();
}

static void an_error_belongs_to_its_thread(void **state)
{
    pthread_t thread;
    void *seen = NULL;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, choose_a_wrong_device, NULL), 0);
    assert_int_equal(pthread_join(thread, &seen), 0);
    assert_int_equal((uintptr_t)seen, cudaErrorInvalidDevice);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

static void an_unsupported_function_says_so(void **state)
{
    (void)state;
    assert_int_equal(cudaMallocMipmappedArray(), cudaErrorNotSupported);
    assert_int_equal(cudaGetLastError(), cudaErrorNotSupported);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_code_has_one_name_and_a_text),
        cmocka_unit_test(the_layer_has_the_numbers_of_the_runtime),
        cmocka_unit_test(the_last_error_is_kept_until_it_is_taken),
        cmocka_unit_test(waiting_for_work_is_no_error),
        cmocka_unit_test(an_error_belongs_to_its_thread),
        cmocka_unit_test(an_unsupported_function_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
