/* Modules, variables and launches of a program on the emulator, and the limits of a launch. */
#include "cudart_helper.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include <cmocka.h>

static const char ptx[] = PTX_HEAD ".visible .global .align 4 .u32 counter[4] = {7, 8, 9, 10};\n"
                                   ".visible .entry fill(.param .u64 fill_0, .param .u32 fill_1)\n"
                                   "{\n"
                                   ".reg .b32 %r<6>;\n"
                                   ".reg .b64 %rd<4>;\n"
                                   "ld.param.u64 %rd1, [fill_0];\n"
                                   "ld.param.u32 %r1, [fill_1];\n"
                                   "mov.u32 %r2, %tid.x;\n"
                                   "mov.u32 %r3, %ctaid.x;\n"
                                   "mov.u32 %r4, %ntid.x;\n"
                                   "mad.lo.s32 %r5, %r3, %r4, %r2;\n"
                                   "mul.wide.u32 %rd2, %r5, 4;\n"
                                   "add.s64 %rd3, %rd1, %rd2;\n"
                                   "st.global.u32 [%rd3], %r1;\n"
                                   "ret;\n"
                                   "}\n"
                                   ".visible .entry bounded()\n"
                                   ".maxntid 64, 1, 1\n"
                                   "{\n"
                                   "ret;\n"
                                   "}\n";
static char fill, bounded, counter, stranger, broken;

static int begin(void **state)
{
    (void)state;
    void **module = registered(ptx);
    registered_kernel(module, &fill, "fill");
    registered_kernel(module, &bounded, "bounded");
    __cudaRegisterVar(module, &counter, NULL, "counter", 0, 16, 0, 1);
    __cudaRegisterFatBinaryEnd(module);
    void **damaged = registered("no PTX");
    registered_kernel(damaged, &broken, "broken");
    return cudaGetLastError() != cudaSuccess;
}

static void a_kernel_writes_what_its_arguments_say(void **state)
{
    uint32_t out[8], value = 5;
    void *memory = NULL, *arguments[] = {&memory, &value};
    (void)state;
    assert_int_equal(cudaMalloc(&memory, sizeof out), cudaSuccess);
    assert_int_equal(launched(&fill, (struct dim3){2, 1, 1}, (struct dim3){4, 1, 1}, arguments), cudaSuccess);
    assert_int_equal(cudaMemcpy(out, memory, sizeof out, COPY_DEVICE_TO_HOST), cudaSuccess);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(out[i], 5);
    cudaFree(memory);
}

static void a_captured_launch_keeps_its_arguments(void **state)
{
    uint32_t out = 0, value = 5;
    void *memory = NULL, *arguments[] = {&memory, &value};
    struct graph *graph = NULL, *instance = NULL;
    cudaStream_t stream = NULL;
    (void)state;
    assert_int_equal(cudaMalloc(&memory, sizeof out), cudaSuccess);
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    assert_int_equal(cudaStreamBeginCapture(stream, 0), cudaSuccess);
    assert_int_equal(cudaLaunchKernel(&fill, (struct dim3){1, 1, 1}, (struct dim3){1, 1, 1}, arguments, 0, stream),
                     cudaSuccess);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    value = 6;
    assert_int_equal(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphLaunch(instance, stream), cudaSuccess);
    assert_int_equal(cudaMemcpy(&out, memory, sizeof out, COPY_DEVICE_TO_HOST), cudaSuccess);
    assert_int_equal(out, 5);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(memory);
}

static void launches_beyond_a_limit_are_refused(void **state)
{
    static const struct {
        struct dim3 grid, block;
    } wrong[] = {{{0, 1, 1}, {1, 1, 1}},     {{1, 1, 1}, {0, 1, 1}},       {{1, 1, 1}, {1025, 1, 1}},
                 {{1, 1, 1}, {32, 33, 1}},   {{1, 1, 1}, {1, 1, 65}},      {{1, 65536, 1}, {1, 1, 1}},
                 {{1, 1, 65536}, {1, 1, 1}}, {{1u << 31, 1, 1}, {1, 1, 1}}};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(launched(&bounded, wrong[i].grid, wrong[i].block, NULL), cudaErrorInvalidConfiguration);
    assert_int_equal(launched(&bounded, (struct dim3){1, 1, 1}, (struct dim3){65, 1, 1}, NULL),
                     cudaErrorLaunchOutOfResources);
    assert_int_equal(launched(&bounded, (struct dim3){1, 1, 1}, (struct dim3){64, 1, 1}, NULL), cudaSuccess);
}

static void more_shared_memory_than_48_kib_must_be_asked_for(void **state)
{
    enum { DYNAMIC_SHARED = 8, MORE = 64 << 10 };
    struct dim3 const one = {1, 1, 1};
    (void)state;
    assert_int_equal(cudaLaunchKernel(&bounded, one, one, NULL, MORE, NULL), cudaErrorInvalidValue);
    assert_int_equal(cudaFuncSetAttribute(&bounded, DYNAMIC_SHARED, 228 << 10), cudaErrorInvalidValue);
    assert_int_equal(cudaFuncSetAttribute(&bounded, DYNAMIC_SHARED, -1), cudaErrorInvalidValue);
    assert_int_equal(cudaFuncSetAttribute(&bounded, DYNAMIC_SHARED, MORE), cudaSuccess);
    assert_int_equal(cudaLaunchKernel(&bounded, one, one, NULL, MORE, NULL), cudaSuccess);
}

static void a_cooperative_launch_must_be_resident_at_once(void **state)
{
    int blocks = 0, multiprocessors = 0;
    (void)state;
    assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &bounded, 64, 0), cudaSuccess);
    assert_int_equal(cudaDeviceGetAttribute(&multiprocessors, 16, 0), cudaSuccess);
    unsigned const most = (unsigned)(blocks * multiprocessors);
    struct dim3 const block = {64, 1, 1};
    assert_int_equal(cudaLaunchCooperativeKernel(&bounded, (struct dim3){most, 1, 1}, block, NULL, 0, NULL),
                     cudaSuccess);
    assert_int_equal(cudaLaunchCooperativeKernel(&bounded, (struct dim3){most + 1, 1, 1}, block, NULL, 0, NULL),
                     cudaErrorCooperativeLaunchTooLarge);
}

static void an_unknown_kernel_and_one_without_ptx_are_refused(void **state)
{
    struct dim3 const one = {1, 1, 1};
    struct function_attributes attributes;
    const char *name = NULL;
    (void)state;
    assert_int_equal(launched(&stranger, one, one, NULL), cudaErrorInvalidDeviceFunction);
    assert_int_equal(launched(&broken, one, one, NULL), cudaErrorInvalidKernelImage);
    assert_int_equal(cudaFuncGetAttributes(&attributes, &stranger), cudaErrorInvalidDeviceFunction);
    assert_int_equal(cudaFuncGetName(&name, &fill), cudaSuccess);
    assert_string_equal(name, "fill");
    assert_int_equal(cudaFuncGetAttributes(&attributes, &bounded), cudaSuccess);
    assert_int_equal(attributes.max_threads, 64);
    assert_int_equal(attributes.ptx_version, 80);
}

static void a_variable_is_read_and_written_within_its_bytes(void **state)
{
    uint32_t values[4], nine = 99;
    size_t size = 0;
    void *address = NULL;
    (void)state;
    assert_int_equal(cudaGetSymbolSize(&size, &counter), cudaSuccess);
    assert_int_equal(size, 16);
    assert_int_equal(cudaMemcpyToSymbol(&counter, &nine, 4, 8, COPY_HOST_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaMemcpyFromSymbol(values, &counter, 16, 0, COPY_DEVICE_TO_HOST), cudaSuccess);
    assert_int_equal(values[0], 7);
    assert_int_equal(values[2], 99);
    assert_int_equal(values[3], 10);
    assert_int_equal(cudaMemcpyToSymbol(&counter, values, 16, 4, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpyToSymbol(&counter, values, 4, SIZE_MAX, COPY_HOST_TO_DEVICE), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpyToSymbol(&stranger, values, 4, 0, COPY_HOST_TO_DEVICE), cudaErrorInvalidSymbol);
    assert_int_equal(cudaGetSymbolAddress(&address, &counter), cudaSuccess);
    assert_int_equal(cudaFree(address), cudaErrorInvalidValue);
}

static void a_reset_frees_memory_and_gives_variables_their_first_values(void **state)
{
    uint32_t value = 0;
    void *memory = NULL;
    (void)state;
    assert_int_equal(cudaMalloc(&memory, 4), cudaSuccess);
    assert_int_equal(cudaMemcpyToSymbol(&counter, &value, 4, 0, COPY_HOST_TO_DEVICE), cudaSuccess);
    assert_int_equal(cudaDeviceReset(), cudaSuccess);
    assert_int_equal(cudaMemcpyFromSymbol(&value, &counter, 4, 0, COPY_DEVICE_TO_HOST), cudaSuccess);
    assert_int_equal(value, 7);
    assert_int_equal(cudaFree(memory), cudaErrorInvalidValue);
}

static void a_fault_stays_until_the_device_is_reset(void **state)
{
    uint32_t value = 5;
    void *memory = NULL, *arguments[] = {&memory, &value};
    struct dim3 const one = {1, 1, 1};
    (void)state;
    assert_int_equal(launched(&fill, one, one, arguments), cudaSuccess); /* at address 0 */
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    assert_int_equal(cudaMalloc(&memory, 4), cudaErrorIllegalAddress);
    assert_int_equal(launched(&bounded, one, one, NULL), cudaErrorIllegalAddress);
    assert_int_equal(cudaGetLastError(), cudaErrorIllegalAddress);
    assert_int_equal(cudaGetLastError(), cudaErrorIllegalAddress);
    assert_int_equal(cudaDeviceReset(), cudaSuccess);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_int_equal(cudaMalloc(&memory, 4), cudaSuccess);
    assert_int_equal(launched(&fill, one, one, arguments), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(cudaFree(memory), cudaSuccess);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_writes_what_its_arguments_say),
        cmocka_unit_test(a_captured_launch_keeps_its_arguments),
        cmocka_unit_test(launches_beyond_a_limit_are_refused),
        cmocka_unit_test(more_shared_memory_than_48_kib_must_be_asked_for),
        cmocka_unit_test(a_cooperative_launch_must_be_resident_at_once),
        cmocka_unit_test(an_unknown_kernel_and_one_without_ptx_are_refused),
        cmocka_unit_test(a_variable_is_read_and_written_within_its_bytes),
        cmocka_unit_test(a_reset_frees_memory_and_gives_variables_their_first_values),
        cmocka_unit_test(a_fault_stays_until_the_device_is_reset),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
