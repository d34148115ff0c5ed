/* The launches that are compared with a GPU, those whose PTX is in the repository: with probes on the emulator they
 * leave the same results as without, and their records give the kernel's own trace. */
#include "launches_helper.h"
#include "probed_helper.h"
#include "run/file.h"
#include "sanitized.h"

enum { THREADS_MOST = 4096, EVERY = SANITIZED ? 3 : 1 }; /* compared is one launch in so many */

/* Returns the allowed differences: with probes another lane may be first, and malloc's heap and functions lie elsewhere
 * because the module has more variables and functions. */
static unsigned allowed_of(const char *name)
{
    bool const loads_functions = strstr(name, "ok_function_pointers") || strstr(name, "_Z4callPii");
    return 1u << TRACE_TIMED | 1u << TRACE_OUTSIDE | (loads_functions ? 1u << TRACE_VALUED : 0);
}

/* Returns true for blocks that wait for others: the probes' accesses hide from the emulator that a poll changes
 * nothing. */
static bool waits_for_blocks(const char *name)
{
    return strcmp(name, "ok_grid_barrier") == 0 || strcmp(name, "ok_ticket_lock") == 0 ||
           strncmp(name, "ok_wait_", strlen("ok_wait_")) == 0;
}

static bool is_taken(const char *name, const struct run_file_request *request)
{
    const uint32_t *grid = request->grid, *block = request->block;
    return strstr(request->path, ".ptx") && !waits_for_blocks(name) &&
           (uint64_t)grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2] <= THREADS_MOST;
}

/* Loads the program and the launch, and compares both runs. */
static void check(void *context, const char *name, const struct run_file_request *given)
{
    static const atomic_bool cancel = true;
    static unsigned seen;
    unsigned *count = context;
    struct run_file_request request = *given;
    if (!is_taken(name, given) || seen++ % EVERY)
        return;
    struct arena arena = {0};
    struct error error = {0};
    struct bench b;
    struct run *run = NULL;
    char *text = arena_text(&arena, "");
    request.options.executor = EXECUTOR_EMULATOR;
    request.options.no_recording = true;
    request.options.cancel = &cancel;
    if (!run_file(&request, &run, &error) || !file_read(&arena, request.path, &text, NULL, &error))
        fail_msg("%s: %s", name, error.message);
    bench_text(&b, text);
    b.launch = run->launch;
    b.launch.buffers = b.buffers;
    assert_true(run->launch.buffer_count < 8 && run->blocks_run == 0);
    memcpy(b.buffers, run->launch.buffers, run->launch.buffer_count * sizeof *b.buffers);
    probed_check(&b, allowed_of(name));
    (*count)++;
    bench_free(&b);
    run_free(run);
    arena_free(&arena);
}

static void test_launches_have_the_emulators_trace(void **state)
{
    (void)state;
    unsigned count = 0;
    launches_of_tests(check, &count);
    assert_true(count > 20 / EVERY);
}

static void launches_with_known_counters_have_the_emulators_trace(void **state)
{
    (void)state;
    unsigned count = 0;
    launches_of_silicon(check, &count);
    assert_true(count > 20 / EVERY);
}

static void correct_cases_have_the_emulators_trace(void **state)
{
    (void)state;
    unsigned count = 0;
    launches_of_cases(check, &count);
    assert_true(count > 50 / EVERY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches_have_the_emulators_trace),
        cmocka_unit_test(launches_with_known_counters_have_the_emulators_trace),
        cmocka_unit_test(correct_cases_have_the_emulators_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
