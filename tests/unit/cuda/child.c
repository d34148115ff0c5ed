/* The link to the process that uses the GPU, with children that need no GPU: this program starts itself with a word
 * that selects the child's behaviour. Whatever happens to a child, the next job gets an answer. */
#include "cuda/process/link.h"
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

#define WORD "--be-a-child"

/* The number of runs in a job selects the child's behaviour, so that one child meets every case. */
enum behaviour { ANSWER = 1, REFUSE, FAULT, CRASH, LEAVE, HANG_LOADING, HANG_RUNNING, BATCHES, SLOW_BUT_ALIVE };

static void behave(struct job *job, const struct job_host *host)
{
    struct job_answer *answer = &job->answer;
    answer->good = true;
    host->say(host->context, JOB_LOADING);
    switch ((enum behaviour)job->timing.runs) {
    case REFUSE:
        answer->good = error_set(&answer->error, ERROR_INPUT, "no");
        break;
    case FAULT:
        answer->good = error_set(&answer->error, ERROR_RUN, "outside its buffers");
        break;
    case CRASH:
        host->say(host->context, JOB_RUNNING);
        abort();
    case LEAVE:
        _exit(7);
    case HANG_LOADING:
        pause();
        break;
    case HANG_RUNNING:
        host->say(host->context, JOB_RUNNING);
        pause();
        break;
    case BATCHES:
        for (int i = 0; i < 3 && answer->good; i++) {
            answer->batch.chunk_count = (uint64_t)i;
            answer->good = host->say(host->context, JOB_BATCH);
        }
        break;
    case SLOW_BUT_ALIVE:
        for (int i = 0; i < 6; i++) {
            host->say(host->context, JOB_RUNNING);
            usleep(100000);
        }
        break;
    case ANSWER:
        break;
    }
    answer->time.runs = (unsigned)getpid();
}

static char program_name[] = "child", child_word[] = WORD;
static char *const arguments[] = {program_name, child_word, NULL};

static struct link link_new(void)
{
    return (struct link){.program = "/proc/self/exe", .arguments = arguments, .load_seconds = 2, .run_seconds = 0.4};
}

static bool ask(struct link *link, enum behaviour behaviour, link_batch batch, void *context, unsigned *child,
                struct error *error)
{
    struct job_space space;
    *error = (struct error){0};
    assert_true(job_new(&space, JOB_DEVICE, NULL, NULL, NULL, 4096, error));
    space.job->timing.runs = behaviour;
    bool const good = link_do(link, &space, batch, context, error);
    if (child)
        *child = space.job->answer.time.runs;
    job_free(&space);
    return good;
}

static void check_lives_on(struct link *link)
{
    struct error error;
    char line[1024];
    if (!ask(link, ANSWER, NULL, NULL, NULL, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
}

/* Checks that the job fails with these words and that the next one works. */
static void check(enum behaviour behaviour, enum error_kind kind, const char *words, bool with_remedy)
{
    struct link link = link_new();
    struct error error;
    check_lives_on(&link);
    assert_false(ask(&link, behaviour, NULL, NULL, NULL, &error));
    assert_int_equal(error.kind, kind);
    if (!strstr(error.message, words))
        fail_msg("%s", error.message);
    assert_int_equal(error.remedy[0] != '\0', with_remedy);
    check_lives_on(&link);
    link_close(&link);
}

static void a_child_stays_for_the_next_job(void **state)
{
    (void)state;
    struct link link = link_new();
    struct error error;
    unsigned first = 0, second = 0, third = 0, fourth = 0;
    assert_true(ask(&link, ANSWER, NULL, NULL, &first, &error));
    assert_false(ask(&link, REFUSE, NULL, NULL, &second, &error)); /* a wrong launch leaves the child usable */
    assert_true(ask(&link, ANSWER, NULL, NULL, &third, &error));
    assert_false(ask(&link, FAULT, NULL, NULL, &fourth, &error));
    assert_true(first && first == second && second == third && third == fourth);
    assert_true(ask(&link, ANSWER, NULL, NULL, &fourth, &error)); /* after a fault the process cannot be used again */
    assert_true(fourth != first);
    assert_true(fourth != (unsigned)getpid());
    link_close(&link);
}

static void a_crash_of_the_child_is_reported_with_its_signal(void **state)
{
    (void)state;
    check(CRASH, ERROR_RUN, "ended by signal 6 (Aborted) while a kernel was running", true);
}

static void an_exit_of_the_child_is_reported_with_its_status(void **state)
{
    (void)state;
    check(LEAVE, ERROR_RUN, "ended with status 7 while the driver was starting", true);
}

static void a_kernel_without_end_is_stopped(void **state)
{
    (void)state;
    check(HANG_RUNNING, ERROR_RUN, "had not ended after 0.4 seconds", true);
}

static void a_driver_that_hangs_is_abandoned(void **state)
{
    (void)state;
    check(HANG_LOADING, ERROR_MISSING, "was not ready within 2 seconds", true);
}

static void a_fault_comes_back_in_the_childs_words(void **state)
{
    (void)state;
    check(FAULT, ERROR_RUN, "outside its buffers", false);
}

static void a_child_killed_between_two_jobs_is_replaced(void **state)
{
    (void)state;
    struct link link = link_new();
    check_lives_on(&link);
    for (int i = 0; i < 3; i++) {
        siginfo_t ended;
        assert_int_equal(kill(link.child.pid, SIGKILL), 0);
        assert_int_equal(waitid(P_PID, (id_t)link.child.pid, &ended, WEXITED | WNOWAIT), 0);
        check_lives_on(&link);
    }
    link_close(&link);
}

static void long_work_in_short_launches_is_not_stopped(void **state)
{
    (void)state;
    struct link link = link_new();
    struct error error;
    /* 0.6 s in total, with a limit of 0.4 s per launch */
    assert_true(ask(&link, SLOW_BUT_ALIVE, NULL, NULL, NULL, &error));
    link_close(&link);
}

struct taken {
    uint64_t sum;
    int count, stop_at;
};

static bool take(void *context, const struct job_space *space, struct error *error)
{
    struct taken *taken = context;
    taken->sum += space->job->answer.batch.chunk_count;
    return taken->count++ < taken->stop_at || error_set(error, ERROR_RUN, "no more");
}

static void batches_are_taken_one_after_the_other(void **state)
{
    (void)state;
    struct link link = link_new();
    struct error error;
    struct taken all = {.stop_at = 9}, some = {.stop_at = 1};
    assert_true(ask(&link, BATCHES, take, &all, NULL, &error));
    assert_int_equal(all.count, 3);
    assert_int_equal(all.sum, 0 + 1 + 2);
    assert_false(ask(&link, BATCHES, take, &some, NULL, &error));
    assert_string_equal(error.message, "no more");
    assert_int_equal(some.count, 2);
    check_lives_on(&link);
    link_close(&link);
}

static void a_missing_program_is_reported(void **state)
{
    (void)state;
    struct link link = link_new();
    struct error error;
    link.program = "/nonexistent/program";
    assert_false(ask(&link, ANSWER, NULL, NULL, NULL, &error));
    assert_int_equal(error.kind, ERROR_RUN);
    assert_true(error.message[0]);
}

/* No process is left behind: a child ends when its parent is gone, even in the middle of a kernel. */
static void a_child_ends_when_its_parent_ends(void **state)
{
    (void)state;
    struct child child;
    struct error error;
    assert_true(child_start(&child, "/proc/self/exe", arguments, &error));
    struct job_space space;
    assert_true(job_new(&space, JOB_DEVICE, NULL, NULL, NULL, 0, &error));
    space.job->timing.runs = HANG_RUNNING;
    uint32_t word = 0;
    assert_true(child_send(child.socket, 100, space.file));
    while (word != JOB_RUNNING)
        assert_int_equal(child_hear(child.socket, 5, &word, NULL), CHILD_SAID);
    close(child.socket);
    int status;
    assert_int_equal(waitpid(child.pid, &status, 0), child.pid);
    assert_true(WIFEXITED(status));
    job_free(&space);
}

static void a_job_carries_its_launch_whole(void **state)
{
    (void)state;
    float in[5] = {1, 2, 3, 4, 5}, out[3] = {0};
    struct launch_buffer buffers[] = {{.name = "in", .type = PTX_F32, .count = 5, .data = in, .read_only = true},
                                      {.name = "out", .type = PTX_F32, .count = 3, .data = out}};
    struct launch_argument const given[] = {{.is_buffer = true, .buffer = 1}, {.type = PTX_U32, .bits = 77}};
    struct launch const launch = {.kernel = "k",
                                  .grid = {4, 5, 6},
                                  .block = {7, 8, 9},
                                  .shared_bytes = 10,
                                  .arguments = given,
                                  .argument_count = 2,
                                  .buffers = buffers,
                                  .buffer_count = 2};
    struct ptx_variable const variables[] = {{.name = "table", .space = PTX_SPACE_CONST, .size = 64},
                                             {.name = "tile", .space = PTX_SPACE_SHARED, .size = 64},
                                             {.name = "count", .space = PTX_SPACE_GLOBAL, .size = 4}};
    struct ptx_module const module = {.text = "the text", .variables = variables, .variable_count = 3};
    struct job_space here, there;
    struct error error;
    assert_true(job_new(&here, JOB_TIME, &module, &launch, NULL, 1 << 20, &error));
    assert_true(job_map(&there, dup(here.file)));
    struct job *job = there.job;
    assert_int_equal(job->kind, JOB_TIME);
    assert_string_equal(job_at(job, job->ptx), "the text");
    assert_string_equal(job_at(job, job->kernel), "k");
    assert_memory_equal(job->grid, launch.grid, sizeof launch.grid);
    assert_memory_equal(job->block, launch.block, sizeof launch.block);
    assert_memory_equal(job_at(job, job->arguments), given, sizeof given);
    const struct job_buffer *kept = job_at(job, job->buffers);
    assert_memory_equal(job_at(job, kept[0].at), in, sizeof in);
    assert_int_equal(job->variable_count, 2);
    const struct job_variable *named = job_at(job, job->variables);
    assert_string_equal(job_at(job, named[0].name), "table");
    assert_string_equal(job_at(job, named[1].name), "count");
    memset(job_at(job, kept[0].at), 1, kept[0].bytes);
    memset(job_at(job, kept[1].at), 1, kept[1].bytes);
    memset(job_at(job, job->records), 1, job->room);
    job_results(&here, &launch);
    float wanted[3];
    memset(wanted, 1, sizeof wanted);
    assert_memory_equal(out, wanted, sizeof wanted);
    assert_true(in[0] > 0.5F && in[4] > 4.5F);
    job_free(&there);
    job_free(&here);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], WORD) == 0) {
        link_serve(behave);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_stays_for_the_next_job),
        cmocka_unit_test(a_crash_of_the_child_is_reported_with_its_signal),
        cmocka_unit_test(an_exit_of_the_child_is_reported_with_its_status),
        cmocka_unit_test(a_kernel_without_end_is_stopped),
        cmocka_unit_test(a_driver_that_hangs_is_abandoned),
        cmocka_unit_test(a_fault_comes_back_in_the_childs_words),
        cmocka_unit_test(a_child_killed_between_two_jobs_is_replaced),
        cmocka_unit_test(long_work_in_short_launches_is_not_stopped),
        cmocka_unit_test(batches_are_taken_one_after_the_other),
        cmocka_unit_test(a_missing_program_is_reported),
        cmocka_unit_test(a_child_ends_when_its_parent_ends),
        cmocka_unit_test(a_job_carries_its_launch_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
