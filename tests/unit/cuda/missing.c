/* On a machine without a GPU, a driver or the toolkit, the error names the missing part and a remedy. A machine with a
 * GPU passes too. */
#include "cuda/cuda.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n";

static void check_answer(bool good, const struct error *error)
{
    if (good)
        return;
    assert_int_equal(error->kind, ERROR_MISSING);
    assert_true(error->message[0] && error->remedy[0]);
    assert_null(strchr(error->message, '\n'));
}

static void every_entry_answers_with_a_sentence_and_a_remedy(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct ptx_module *module;
    struct error error = {0};
    struct cuda_device device;
    struct cuda_time time;
    struct trace *trace = NULL;
    struct launch const launch = {.kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    assert_true(ptx_parse(&arena, "test", text, strlen(text), &module, &error));
    bool const there = cuda_device(&device, &error);
    check_answer(there, &error);
    assert_int_equal(there, device.name[0] != '\0');
    bool const traced = cuda_trace(module, &launch, LAUNCH_ALL_BLOCKS, NULL, &trace, &error);
    check_answer(traced, &error);
    assert_int_equal(traced, trace != NULL);
    bool const timed = cuda_time_kernel(module, &launch, &(struct cuda_timing){.runs = 30}, &time, &error);
    check_answer(timed, &error);
    assert_int_equal(timed, time.runs > 0);
    assert_int_equal(there, timed);
    trace_free(trace);
    arena_free(&arena);
}

static void a_null_error_is_allowed(void **state)
{
    (void)state;
    struct cuda_device device;
    struct error error;
    assert_int_equal(cuda_device(&device, NULL), cuda_device(&device, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_answers_with_a_sentence_and_a_remedy),
        cmocka_unit_test(a_null_error_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
