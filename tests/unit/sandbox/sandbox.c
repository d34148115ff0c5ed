/* What a hostile program can do in a sandbox: nothing to others. Each test starts a shell inside; the tests run as the
 * user who starts them and, for root, as an ordinary user too. */
#include "sandbox/sandbox.h"
#include "base/file.h"
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

/* Far above what a test takes: a verdict rests on what was passed, not on how fast. */
static struct sandbox_limits const usual = {.seconds = 60,
                                            .wall_seconds = 300,
                                            .memory = 1u << 30,
                                            .disk = 16u << 20,
                                            .file = 8u << 20,
                                            .files = 200,
                                            .processes = 40};

struct outcome {
    struct sandbox_end end;
    char output[4096];
};

static struct outcome run_with(const char *script, const struct sandbox_limits *limits, bool trust,
                               const struct sandbox_result *result)
{
    const char *const command[] = {"/bin/sh", "-c", script, NULL};
    const char *const environment[] = {"GREETING=hello", NULL};
    struct sandbox_file const file = {"run/given.txt", "given\n", 6, false};
    struct sandbox_request const request = {.command = command,
                                            .environment = environment,
                                            .files = &file,
                                            .file_count = 1,
                                            .results = result,
                                            .result_count = result ? 1 : 0,
                                            .folder = "run",
                                            .output = memfd_create("output", 0),
                                            .errors = open("/dev/null", O_WRONLY),
                                            .limits = *limits,
                                            .trust = trust};
    struct sandbox *sandbox;
    struct error error;
    struct outcome outcome = {0};
    assert_true(sandbox_start(&request, &sandbox, &error));
    while (!sandbox_ended(sandbox, &outcome.end))
        usleep(1000);
    sandbox_free(sandbox);
    assert_true(pread(request.output, outcome.output, sizeof outcome.output - 1, 0) >= 0);
    close(request.output);
    close(request.errors);
    return outcome;
}

static struct outcome run(const char *script)
{
    return run_with(script, &usual, false, NULL);
}

static void ends_with(const char *script, const char *output)
{
    struct outcome const outcome = run(script);
    assert_string_equal(outcome.end.why, "");
    assert_int_equal(outcome.end.ending, SANDBOX_EXITED);
    assert_string_equal(outcome.output, output);
}

static void runs_a_command(void **state)
{
    (void)state;
    struct outcome const outcome = run("cat given.txt; echo $GREETING; pwd; echo $TMPDIR; exit 5");
    assert_string_equal(outcome.output, "given\nhello\n/sandbox/run\n/sandbox/tmp\n");
    assert_int_equal(outcome.end.status, 5);
    ends_with("echo > mine && echo kept", "kept\n");
    assert_int_equal(run("kill -TERM $$").end.ending, SANDBOX_SIGNALLED);
}

static void sees_no_file_of_others(void **state)
{
    (void)state;
    char folder[] = "/tmp/rubric-XXXXXX", script[512];
    assert_non_null(mkdtemp(folder));
    char *path = NULL;
    assert_true(asprintf(&path, "%s/rubric.yaml", folder) > 0);
    assert_true(file_write(path, "secret", 6, NULL));
    chmod(folder, 0755);
    snprintf(script, sizeof script,
             "cat %s 2>/dev/null; cat /etc/passwd 2>/dev/null; ls /root /home 2>/dev/null; ls %s "
             "2>/dev/null; ls /proc | grep -c '^[0-9]' | head -c 1; cat /proc/1/environ 2>/dev/null; head -c 9 "
             "/proc/1/mem 2>/dev/null",
             path, folder);
    struct outcome const outcome = run(script);
    assert_int_equal(strlen(outcome.output), 1);           /* a few processes: its own */
    snprintf(script, sizeof script, "ln -s %s out", path); /* and a result cannot be a link out of the folder */
    int const to = memfd_create("result", 0);
    struct sandbox_result const result = {"run/out", to};
    run_with(script, &usual, false, &result);
    char bytes[8];
    assert_int_equal(pread(to, bytes, sizeof bytes, 0), 0);
    run_with("printf ok > out", &usual, false, &result);
    assert_int_equal(pread(to, bytes, sizeof bytes, 0), 2);
    close(to);
    unlink(path);
    rmdir(folder);
    free(path);
}

static void sees_nothing_of_a_hidden_folder(void **state)
{
    (void)state;
    char folder[] = "/tmp/shown-XXXXXX", hidden[64], path[80], script[400];
    assert_non_null(mkdtemp(folder));
    snprintf(hidden, sizeof hidden, "%s/hidden", folder);
    snprintf(path, sizeof path, "%s/solution", hidden);
    assert_int_equal(mkdir(hidden, 0755), 0);
    assert_true(file_write(path, "secret", 6, NULL));
    chmod(folder, 0755);
    snprintf(script, sizeof script, "ls %s; ls -A %s; cat %s 2>/dev/null; echo a 2>/dev/null > %s; true", folder,
             hidden, path, path);
    const char *const command[] = {"/bin/sh", "-c", script, NULL}, *const none[] = {NULL};
    const char *const visible[] = {folder, NULL};
    struct sandbox_request const request = {.command = command,
                                            .environment = none,
                                            .visible = visible,
                                            .hidden = hidden,
                                            .folder = "run",
                                            .output = memfd_create("output", 0),
                                            .errors = open("/dev/null", O_WRONLY),
                                            .limits = usual};
    struct sandbox *sandbox;
    struct error error;
    struct sandbox_end end;
    char output[64] = "";
    assert_true(sandbox_start(&request, &sandbox, &error));
    while (!sandbox_ended(sandbox, &end))
        usleep(1000);
    sandbox_free(sandbox);
    assert_true(pread(request.output, output, sizeof output - 1, 0) >= 0);
    assert_string_equal(output, "hidden\n");
    close(request.output);
    close(request.errors);
    unlink(path);
    rmdir(hidden);
    rmdir(folder);
}

static void changes_nothing_outside(void **state)
{
    (void)state;
    ends_with(
        "for f in /usr/x /bin/x /x /etc/x /dev/x /proc/sys/kernel/hostname; do echo a 2>/dev/null > $f && echo $f; "
        "done; true",
        "");
    /* mount in a namespace of its own, and that namespace */
    ends_with(
        "unshare -Ur true 2>/dev/null && echo namespace; mount -t tmpfs none /sandbox/run 2>/dev/null && echo mount; "
        "true",
        "");
}

static void reaches_no_network_and_no_process(void **state)
{
    (void)state;
    ends_with("grep -v lo: /proc/net/dev | tail -n +3; true", "");
    struct outcome const outcome = run("kill -9 1; kill -9 $PPID; echo alive");
    assert_string_equal(outcome.output, "alive\n");
    /* all that it can reach is itself */
    pid_t const other = fork();
    if (other == 0)
        for (;;)
            pause();
    assert_true(run("kill -9 -1; echo").end.ending != SANDBOX_IMPOSSIBLE);
    assert_int_equal(waitpid(other, NULL, WNOHANG), 0);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
}

static void forks_without_end(void **state)
{
    (void)state;
    struct sandbox_limits limits = usual;
    limits.seconds = 2;
    /* The shell fails to fork at the limit; without one, the bomb is seen or goes on until its time is over. */
    struct outcome const outcome = run_with("b() { b | b & }; b; while :; do :; done", &limits, false, NULL);
    assert_true(outcome.end.ending == SANDBOX_SECONDS || outcome.end.ending == SANDBOX_EXITED ||
                outcome.end.ending == SANDBOX_PROCESSES);
    /* Sleepers alike: the shell gives up, or is seen at the limit before. */
    struct outcome const sleepers =
        run("i=0; while [ $i -lt 100 ]; do sleep 100 & i=$((i+1)); done 2>/dev/null; echo all");
    assert_true(sleepers.end.ending == SANDBOX_EXITED || sleepers.end.ending == SANDBOX_PROCESSES);
    assert_string_equal(sleepers.output, "");
    ends_with("(setsid sh -c 'sleep 1000' &) ; echo left", "left\n"); /* and what it left is gone with it */
}

static void fills_the_disk(void **state)
{
    (void)state;
    ends_with("i=0; while dd if=/dev/zero of=f$i bs=1M count=4 2>/dev/null && [ $i -lt 100 ]; do i=$((i+1)); done; "
              "[ $i -lt 6 ] && echo full",
              "full\n");
    ends_with("dd if=/dev/zero of=big bs=1M count=12 2>/dev/null; [ $(stat -c %s big) -le 8388608 ] && echo short",
              "short\n");
    ends_with("i=0; while echo 2>/dev/null > n$i && [ $i -lt 1000 ]; do i=$((i+1)); done; [ $i -lt 220 ] && echo few",
              "few\n");
}

static void prints_without_end(void **state)
{
    (void)state;
    struct outcome const outcome = run("yes");
    assert_int_equal(outcome.end.ending, SANDBOX_EXITED); /* `yes` was ended by SIGXFSZ, the shell tells its number */
    assert_int_equal(outcome.end.status, 128 + SIGXFSZ);
}

static void takes_time_and_memory(void **state)
{
    (void)state;
    struct sandbox_limits limits = usual;
    limits.seconds = 1;
    assert_int_equal(run_with("while :; do :; done", &limits, false, NULL).end.ending, SANDBOX_SECONDS);
    /* processor time of all processes counts */
    assert_int_equal(run_with("(while :; do :; done)& (while :; do :; done)& wait", &limits, false, NULL).end.ending,
                     SANDBOX_SECONDS);
    limits.wall_seconds = 1;
    assert_int_equal(run_with("sleep 1000", &limits, false, NULL).end.ending, SANDBOX_WALL);
    limits.wall_seconds = 1000;
    limits.idle_seconds = 0.2;
    assert_int_equal(run_with("sleep 1000", &limits, false, NULL).end.ending, SANDBOX_IDLE);
    /* what works is not idle, nor is one who waits for it */
    assert_int_equal(
        run_with("i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done & wait", &limits, false, NULL).end.ending,
        SANDBOX_EXITED);
    limits = usual;
    limits.memory = 100 << 20;
    assert_int_equal(run_with("head -c 500m /dev/zero | tail -c 500m", &limits, false, NULL).end.ending,
                     SANDBOX_MEMORY);
}

static void is_ended_from_outside(void **state)
{
    (void)state;
    const char *const command[] = {"/bin/sh", "-c", "sleep 1000", NULL};
    struct sandbox_request const request = {.command = command, .output = 1, .errors = 2, .limits = usual};
    struct sandbox *sandbox;
    struct sandbox_end end;
    assert_true(sandbox_start(&request, &sandbox, NULL));
    assert_false(sandbox_ended(sandbox, &end));
    sandbox_end(sandbox);
    while (!sandbox_ended(sandbox, &end))
        usleep(1000);
    assert_int_equal(end.ending, SANDBOX_ENDED);
    sandbox_free(sandbox);
}

static void without_a_sandbox_limits_hold(void **state)
{
    (void)state;
    struct sandbox_limits limits = usual;
    struct outcome outcome = run_with("cat given.txt; [ -e /etc/passwd ] && echo seen", &limits, true, NULL);
    assert_string_equal(outcome.output, "given\nseen\n");
    limits.seconds = 1;
    outcome = run_with("exec sh -c 'while :; do :; done'", &limits, true, NULL);
    assert_true(outcome.end.ending == SANDBOX_SECONDS || outcome.end.signal == SIGKILL);
    limits.wall_seconds = 1;
    assert_int_equal(run_with("sleep 1000", &limits, true, NULL).end.ending, SANDBOX_WALL);
}

/* Root runs everything again as an ordinary user. */
static void as_another_user(void **state)
{
    int status;
    (void)state;
    if (geteuid() != 0)
        return;
    static void (*const again[])(void **) = {runs_a_command,
                                             sees_no_file_of_others,
                                             sees_nothing_of_a_hidden_folder,
                                             changes_nothing_outside,
                                             reaches_no_network_and_no_process,
                                             forks_without_end,
                                             fills_the_disk,
                                             takes_time_and_memory};
    pid_t const child = fork();
    if (child == 0) {
        if (setgid(54321) != 0 || setuid(54321) != 0)
            _exit(2);
        for (size_t i = 0; i < sizeof again / sizeof *again; i++)
            again[i](NULL);
        _exit(0);
    }
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    struct error error;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_a_command),
        cmocka_unit_test(sees_no_file_of_others),
        cmocka_unit_test(sees_nothing_of_a_hidden_folder),
        cmocka_unit_test(changes_nothing_outside),
        cmocka_unit_test(reaches_no_network_and_no_process),
        cmocka_unit_test(forks_without_end),
        cmocka_unit_test(fills_the_disk),
        cmocka_unit_test(prints_without_end),
        cmocka_unit_test(takes_time_and_memory),
        cmocka_unit_test(is_ended_from_outside),
        cmocka_unit_test(without_a_sandbox_limits_hold),
        cmocka_unit_test(as_another_user),
    };
    if (!sandbox_works(&error)) {
        printf("not tested: %s\n", error.message);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
