#include "compile/process.h"
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FILE_BYTES_MOST = 256 << 20, NOT_STARTED = 127, COMPILER_SECONDS = 120 };
#ifdef LANESCOPE_SANITIZED
enum { COMPILER_MEMORY_GIB = 0 }; /* a sanitized compiler reserves terabytes of shadow */
#else
enum { COMPILER_MEMORY_GIB = 8 };
#endif

/* In bytes; 0: none. */
struct limits {
    rlim_t memory, file;
};

bool process_find(const char *name, char *found, size_t size)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t const length = strcspn(path, ":");
        snprintf(found, size, "%.*s/%s", (int)length, path, name);
        if (length > 0 && *path == '/' && access(found, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static bool is_set(const atomic_bool *cancel)
{
    return cancel && atomic_load(cancel);
}

static bool is_replaced(const char *own, const char *const *entries)
{
    size_t const length = strcspn(own, "=") + 1;
    while (*entries && strncmp(*entries, own, length) != 0)
        entries++;
    return *entries != NULL;
}

char **process_environment(struct arena *arena, const char *const *entries)
{
    size_t count = 0, used = 0;
    for (size_t i = 0; environ[i]; i++)
        count++;
    for (size_t i = 0; entries[i]; i++)
        count++;
    char **list = arena_array(arena, char *, count + 1);
    for (size_t i = 0; environ[i]; i++)
        if (!is_replaced(environ[i], entries))
            list[used++] = environ[i];
    for (size_t i = 0; entries[i]; i++)
        list[used++] = arena_text(arena, entries[i]);
    return list;
}

/* In the child. Does not return. It allocates nothing: another thread may have held the allocator's lock at the fork.
 */
static void become(const char *const *arguments, char **environment, const char *folder, const char *output,
                   struct limits limits)
{
    struct rlimit const file = {limits.file, limits.file}, data = {limits.memory, limits.memory}, none = {0};
    int const in = open("/dev/null", O_RDONLY), out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    setpgid(0, 0);
    setrlimit(RLIMIT_CORE, &none);
    if (limits.file)
        setrlimit(RLIMIT_FSIZE, &file);
    if (limits.memory)
        setrlimit(RLIMIT_DATA, &data);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (in >= 0 && out >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(out, STDERR_FILENO) >= 0 && chdir(folder) == 0)
        execve(arguments[0], (char *const *)(uintptr_t)arguments, environment);
    _exit(NOT_STARTED);
}

static int run(const char *const *arguments, char **environment, const char *folder, const char *output, double seconds,
               struct limits limits, const atomic_bool *cancel)
{
    static const struct timespec look = {.tv_nsec = 2000000};
    double const begin = clock_seconds();
    pid_t const child = fork();
    if (child == 0)
        become(arguments, environment, folder, output, limits);
    if (child < 0)
        return PROCESS_ABSENT;
    setpgid(child, child);
    int status = 0;
    int reason = 0;
    for (pid_t ended; (ended = waitpid(child, &status, WNOHANG)) != child;) {
        if (ended < 0 && errno != EINTR)
            return PROCESS_ABSENT;
        if (!reason && (is_set(cancel) || clock_seconds() - begin > seconds)) {
            reason = is_set(cancel) ? PROCESS_CANCELLED : PROCESS_LATE;
            kill(-child, SIGKILL);
        }
        nanosleep(&look, NULL);
    }
    kill(-child, SIGKILL); /* what it started and left behind */
    if (reason)
        return reason;
    if (WIFSIGNALED(status))
        return PROCESS_SIGNAL - WTERMSIG(status);
    return WIFEXITED(status) && WEXITSTATUS(status) != NOT_STARTED ? WEXITSTATUS(status) : PROCESS_ABSENT;
}

int process_run(const char *const *arguments, const char *folder, const char *output, unsigned seconds,
                const atomic_bool *cancel)
{
    return run(arguments, environ, folder, output, seconds, (struct limits){0}, cancel);
}

static double compiler_seconds(unsigned seconds)
{
    const char *asked = getenv("LANESCOPE_COMPILER_SECONDS");
    double const said = asked ? strtod(asked, NULL) : 0;
    return said > 0 ? said : seconds ? seconds : COMPILER_SECONDS;
}

int process_compile(const char *const *arguments, const char *folder, const char *output, unsigned seconds,
                    const atomic_bool *cancel)
{
    struct arena arena = {0};
    const char *temporary = arena_format(&arena, "TMPDIR=%.*s", (int)(path_name(output) - output), output);
    char **own = *output == '/' ? process_environment(&arena, (const char *const[]){temporary, NULL}) : environ;
    struct limits const limits = {.memory = (rlim_t)COMPILER_MEMORY_GIB << 30, .file = FILE_BYTES_MOST};
    int const code = run(arguments, own, folder, output, compiler_seconds(seconds), limits, cancel);
    arena_free(&arena);
    return code;
}

bool process_signal_of_others(int signal)
{
    return signal == SIGHUP || signal == SIGINT || signal == SIGTERM || signal == SIGKILL;
}

bool process_ended(int code, unsigned seconds, const char *name, const char *file, struct error *error)
{
    if (code == PROCESS_LATE)
        return error_at(error, ERROR_INPUT, file, 0, 0, "%s did not end within %.0f {second|seconds}, and was ended",
                        name, compiler_seconds(seconds));
    if (code == PROCESS_CANCELLED)
        return error_at(error, ERROR_RUN, file, 0, 0, "%s was stopped", name);
    if (code == PROCESS_SIGNAL - SIGXFSZ)
        return error_at(error, ERROR_INPUT, file, 0, 0, "%s wrote more than %d MiB, and was ended", name,
                        FILE_BYTES_MOST >> 20);
    if (code < PROCESS_SIGNAL && process_signal_of_others(PROCESS_SIGNAL - code))
        return error_set(error, ERROR_MISSING, "%s was ended from outside (signal %d: %s)", name, PROCESS_SIGNAL - code,
                         strsignal(PROCESS_SIGNAL - code));
    return code > PROCESS_SIGNAL ||
           error_at(error, ERROR_INPUT, file, 0, 0, "%s crashed on this source (signal %d: %s)", name,
                    PROCESS_SIGNAL - code, strsignal(PROCESS_SIGNAL - code));
}
