/* The first process of a sandbox. It collects processes that lost their parent, and looks a hundred times a second at
 * what all of them use. When it ends, the kernel ends every other process of the sandbox. */
#include "sandbox/inside.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_US = 10000 };

struct usage {
    uint64_t memory;
    double seconds;
};

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Adds what one process uses: proc(5), fields 14 to 17 (ticks, with those of the children it collected) and 24. */
static void add_process(int folder, const char *number, struct usage *usage)
{
    char path[32], text[1024];
    snprintf(path, sizeof path, "%.16s/stat", number);
    int const file = openat(folder, path, O_RDONLY | O_CLOEXEC);
    ssize_t const size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[size > 0 ? size : 0] = '\0';
    const char *at = strrchr(text, ')'); /* behind the name, which may hold anything */
    unsigned long long ticks = 0, pages = 0;
    for (int field = 3; at && (at = strchr(at, ' ')) && field <= 24; field++) {
        at++;
        if (field >= 14 && field <= 17)
            ticks += strtoull(at, NULL, 10);
        else if (field == 24)
            pages = strtoull(at, NULL, 10);
    }
    usage->seconds += (double)ticks / (double)sysconf(_SC_CLK_TCK);
    usage->memory += pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static double seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

/* Returns what all processes of the sandbox used until now, those that have ended included. */
static struct usage usage_of_all(bool own)
{
    struct rusage ended;
    getrusage(RUSAGE_CHILDREN, &ended);
    struct usage usage = {0, seconds_of(&ended.ru_utime) + seconds_of(&ended.ru_stime)};
    DIR *list = own ? opendir("/proc") : NULL;
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (isdigit((unsigned char)entry->d_name[0]) && strcmp(entry->d_name, "1") != 0)
            add_process(dirfd(list), entry->d_name, &usage);
    if (list)
        closedir(list);
    return usage;
}

void sandbox_watch(pid_t command, const struct sandbox_limits *limits, bool own, struct sandbox_end *end)
{
    double const begin = wall_clock();
    int status = 0;
    for (bool over = false; !over;) {
        int one;
        for (pid_t ended; (ended = waitpid(own ? -1 : command, &one, WNOHANG)) > 0 || (ended < 0 && errno == EINTR);)
            if (ended == command) {
                status = one;
                over = true;
            }
        struct usage const usage = usage_of_all(own);
        end->wall_seconds = wall_clock() - begin;
        end->seconds = usage.seconds;
        if (over)
            break;
        if (usage.seconds > limits->seconds)
            end->ending = SANDBOX_SECONDS;
        else if (end->wall_seconds > limits->wall_seconds)
            end->ending = SANDBOX_WALL;
        else if (usage.memory > limits->memory)
            end->ending = SANDBOX_MEMORY;
        if (end->ending != SANDBOX_EXITED)
            break;
        usleep(LOOK_US);
    }
    if (own) /* whatever is left: the folder holds still while it is read */
        kill(-1, SIGKILL);
    else
        kill(-command, SIGKILL);
    if (end->ending == SANDBOX_EXITED && WIFSIGNALED(status)) {
        end->ending = WTERMSIG(status) == SIGXCPU ? SANDBOX_SECONDS : SANDBOX_SIGNALLED;
        end->signal = WTERMSIG(status);
    }
    end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}
