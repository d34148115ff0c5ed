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
    uint64_t threads;
    bool works; /* a thread runs, is ready to run, or waits for a disk */
};

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Reads a stat file of proc(5). Returns what follows the name, which may hold anything; NULL: it is gone. */
static const char *read_stat(int folder, const char *path, char *text, size_t size)
{
    int const file = openat(folder, path, O_RDONLY | O_CLOEXEC);
    ssize_t const got = file < 0 ? 0 : read(file, text, size - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    return strrchr(text, ')');
}

/* Returns whether the state, the field after the name, is R (runs, or is ready to) or D (waits for a disk). */
static bool is_working(const char *at)
{
    return at && strlen(at) > 2 && (at[2] == 'R' || at[2] == 'D');
}

/* Returns whether a thread of a process works. The process's own state is that of its first thread alone. */
static bool has_working_thread(int folder, const char *number)
{
    char path[64], text[1024];
    bool found = false;
    snprintf(path, sizeof path, "%.16s/task", number);
    int const tasks = openat(folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = tasks >= 0 ? fdopendir(tasks) : NULL;
    for (struct dirent *entry; list && !found && (entry = readdir(list));) {
        snprintf(path, sizeof path, "%.16s/stat", entry->d_name);
        found = isdigit((unsigned char)entry->d_name[0]) && is_working(read_stat(dirfd(list), path, text, sizeof text));
    }
    if (list)
        closedir(list);
    return found;
}

/* Adds what one process uses: proc(5), fields 14 to 17 (ticks, with those of the children it
 * collected), 20 (threads) and 24 (pages). */
static void add_process(int folder, const char *number, struct usage *usage)
{
    char path[32], text[1024];
    snprintf(path, sizeof path, "%.16s/stat", number);
    const char *at = read_stat(folder, path, text, sizeof text);
    usage->works = usage->works || is_working(at) || (at && has_working_thread(folder, number));
    unsigned long long ticks = 0, pages = 0;
    for (int field = 3; at && (at = strchr(at, ' ')) && field <= 24; field++) {
        at++;
        if (field >= 14 && field <= 17)
            ticks += strtoull(at, NULL, 10);
        else if (field == 20)
            usage->threads += strtoull(at, NULL, 10);
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
    struct usage usage = {.seconds = seconds_of(&ended.ru_utime) + seconds_of(&ended.ru_stime), .works = !own};
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
    double idle = 0, last = begin;
    int status = 0;
    for (bool over = false; !over;) {
        int one;
        for (pid_t ended; (ended = waitpid(own ? -1 : command, &one, WNOHANG)) > 0 || (ended < 0 && errno == EINTR);)
            if (ended == command) {
                status = one;
                over = true;
            }
        struct usage const usage = usage_of_all(own);
        double const now = wall_clock();
        /* Only what was seen asleep at both ends of a short while counts: a busy computer may look away for long. */
        idle += usage.works ? 0 : now - last < 0.1 ? now - last : 0.1;
        last = now;
        end->wall_seconds = now - begin;
        end->seconds = usage.seconds;
        if (over)
            break;
        if (usage.seconds > limits->seconds)
            end->ending = SANDBOX_SECONDS;
        else if (end->wall_seconds > limits->wall_seconds)
            end->ending = SANDBOX_WALL;
        else if (limits->idle_seconds > 0 && idle > limits->idle_seconds)
            end->ending = SANDBOX_IDLE;
        else if (usage.memory > limits->memory)
            end->ending = SANDBOX_MEMORY;
        else if (own && usage.threads + 1 >= limits->processes) /* with the first one: no more can begin */
            end->ending = SANDBOX_PROCESSES;
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
