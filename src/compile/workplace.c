/* Temporary folders. Each is locked by the process that made it, and the lock ends with that process, however it ends.
 * A folder that nobody has locked is removed when the next one is made. */
#include "compile/process.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Long enough that no folder of a user has such a name. */
static const char beginning[] = "lanescope-workplace-";

static const char *temporary_folder(void)
{
    const char *named = getenv("TMPDIR");
    return named && *named == '/' ? named : "/tmp";
}

/* Returns whether the environment that a process was started with holds an entry. */
static bool was_started_with(pid_t process, const char *entry)
{
    char path[32], *text = NULL;
    size_t room = 0;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%ld/environ", (long)process);
    FILE *environment = fopen(path, "re");
    while (environment && !found && getdelim(&text, &room, 0, environment) > 0)
        found = strcmp(text, entry) == 0;
    free(text);
    if (environment)
        fclose(environment);
    return found;
}

static bool end_all(const char *entry)
{
    bool found = false;
    DIR *processes = opendir("/proc");
    for (const struct dirent *row; processes && (row = readdir(processes));) {
        pid_t const process = (pid_t)strtol(row->d_name, NULL, 10);
        if (process > 1 && process != getpid() && was_started_with(process, entry))
            found |= kill(process, SIGKILL) == 0;
    }
    if (processes)
        closedir(processes);
    return found;
}

bool workplace_end_programs(const char *folder)
{
    enum { ROUNDS = 100 }; /* one of them may start others meanwhile */
    static const struct timespec pause = {.tv_nsec = 1000000};
    char entry[sizeof WORKPLACE_VARIABLE + PATH_MAX];
    snprintf(entry, sizeof entry, "%s=%s", WORKPLACE_VARIABLE, folder);
    int rounds = 0;
    for (; rounds < ROUNDS && end_all(entry); rounds++)
        nanosleep(&pause, NULL);
    return rounds > 0;
}

/* Removes a folder and the files in it. */
static void remove_folder(const char *path, int folder)
{
    int const again = dup(folder);
    DIR *files = again < 0 ? NULL : fdopendir(again);
    for (const struct dirent *row; files && (row = readdir(files));)
        unlinkat(folder, row->d_name, 0); /* fails for . and .. */
    if (files)
        closedir(files);
    else if (again >= 0)
        close(again);
    rmdir(path);
}

/* Opens a folder of this user alone, and locks it. Returns -1 if it is something else, is gone, or another process
 * lives that has it. */
static int lock_folder(const char *path)
{
    struct stat opened, named;
    int const folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && fstat(folder, &opened) == 0 && opened.st_uid == geteuid() && (opened.st_mode & 077) == 0 &&
        flock(folder, LOCK_EX | LOCK_NB) == 0 && lstat(path, &named) == 0 && named.st_ino == opened.st_ino)
        return folder;
    if (folder >= 0)
        close(folder);
    return -1;
}

/* Removes what killed processes left behind. */
static void sweep(const char *temporary)
{
    DIR *folders = opendir(temporary);
    for (const struct dirent *row; folders && (row = readdir(folders));) {
        char path[PATH_MAX];
        if (strncmp(row->d_name, beginning, sizeof beginning - 1) != 0 ||
            snprintf(path, sizeof path, "%s/%s", temporary, row->d_name) >= (int)sizeof path)
            continue;
        int const folder = lock_folder(path);
        if (folder < 0)
            continue;
        workplace_end_programs(path);
        remove_folder(path, folder);
        close(folder);
    }
    if (folders)
        closedir(folders);
}

bool workplace_open(struct workplace *place)
{
    enum { TRIES = 100 }; /* another process may sweep a new folder away before it is locked */
    const char *temporary = temporary_folder();
    sweep(temporary);
    for (int i = 0; i < TRIES; i++) {
        int const length = snprintf(place->folder, sizeof place->folder, "%s/%sXXXXXX", temporary, beginning);
        if (length >= (int)sizeof place->folder || !mkdtemp(place->folder))
            return false;
        place->lock = lock_folder(place->folder);
        if (place->lock >= 0)
            return true;
    }
    return false;
}

void workplace_close(const struct workplace *place)
{
    remove_folder(place->folder, place->lock);
    close(place->lock);
}
