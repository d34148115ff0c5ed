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

enum { FILE_BYTES_MOST = 256 << 20, NOT_STARTED = 127 };

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

/* In the child. Does not return. */
static void become(const char *const *arguments, const char *folder, const char *output)
{
    struct rlimit const most = {FILE_BYTES_MOST, FILE_BYTES_MOST};
    int const in = open("/dev/null", O_RDONLY), out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    setpgid(0, 0);
    setrlimit(RLIMIT_FSIZE, &most);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (in >= 0 && out >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(out, STDERR_FILENO) >= 0 && chdir(folder) == 0)
        execv(arguments[0], (char *const *)(uintptr_t)arguments);
    _exit(NOT_STARTED);
}

int process_run(const char *const *arguments, const char *folder, const char *output, unsigned seconds)
{
    static const struct timespec look = {.tv_nsec = 2000000};
    double const begin = clock_seconds();
    pid_t const child = fork();
    if (child == 0)
        become(arguments, folder, output);
    if (child < 0)
        return -1;
    setpgid(child, child);
    int status = 0;
    bool late = false;
    for (pid_t ended; (ended = waitpid(child, &status, WNOHANG)) != child;) {
        if (ended < 0 && errno != EINTR)
            return -1;
        if (!late && clock_seconds() - begin > seconds) {
            late = true;
            kill(-child, SIGKILL);
        }
        nanosleep(&look, NULL);
    }
    kill(-child, SIGKILL); /* what it started and left behind */
    if (late)
        return PROCESS_LATE;
    return WIFEXITED(status) && WEXITSTATUS(status) != NOT_STARTED ? WEXITSTATUS(status) : -1;
}

bool workplace_open(struct workplace *place)
{
    const char *temporary = getenv("TMPDIR");
    int const length = snprintf(place->folder, sizeof place->folder, "%s/lanescope-XXXXXX",
                                temporary && *temporary == '/' ? temporary : "/tmp");
    return length < (int)sizeof place->folder && mkdtemp(place->folder) != NULL;
}

void workplace_close(struct arena *arena, const struct workplace *place)
{
    char **names = NULL;
    size_t const count = folder_list(arena, place->folder, &names);
    for (size_t i = 0; i < count; i++)
        unlink(arena_format(arena, "%s/%s", place->folder, names[i]));
    rmdir(place->folder);
}
