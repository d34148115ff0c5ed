/* A sandbox has two processes of ours. The first leaves the user's namespaces and waits; the second is the first one
 * inside: it makes the system of files, gives up its rights, starts the command, and holds the limits. Both end when
 * their parent does. The end is told through a pipe that the command does not get. */
#include "sandbox/inside.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct sandbox {
    pid_t child;
    int report; /* the pipe's end for reading */
    bool ended;
    struct sandbox_end end;
    char folder[PATH_MAX]; /* without a sandbox: the temporary folder; else "" */
};

static void limit_to(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit const most = {soft, hard};
    setrlimit((__rlimit_resource_t)resource, &most);
}
static void limit(int resource, uint64_t value)
{
    limit_to(resource, value, value);
}

/* ---- inside ---- */

static bool write_all(int file, const char *bytes, size_t size)
{
    while (size) {
        ssize_t const done = write(file, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

/* Puts the files into the current folder, and makes the folders of every sandbox. */
static bool lay_out(const struct sandbox_request *request)
{
    static const char *const folders[] = {"tmp", "home", "cache"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(folders[i], 0700) != 0)
            return false;
    if (request->folder && mkdir(request->folder, 0700) != 0 && errno != EEXIST)
        return false;
    for (size_t i = 0; i < request->file_count; i++) {
        const struct sandbox_file *file = &request->files[i];
        char folder[PATH_MAX];
        const char *slash = strchr(file->name, '/');
        snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - file->name) : 0, file->name);
        if (slash && mkdir(folder, 0700) != 0 && errno != EEXIST)
            return false;
        int const out = open(file->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file->program ? 0700 : 0600);
        bool const fine = out >= 0 && write_all(out, file->bytes, file->size);
        if (out >= 0)
            close(out);
        if (!fine)
            return false;
    }
    return true;
}

/* Copies a file that the command wrote. It may be anything by now: only a file without links on its way is read. */
static void fetch(const struct sandbox_result *result, uint64_t most)
{
    char bytes[1 << 16];
    struct stat found;
    int const file = open(result->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    uint64_t copied = 0;
    ssize_t count;
    if (file < 0)
        return;
    if (fstat(file, &found) == 0 && S_ISREG(found.st_mode))
        while (copied < most && (count = read(file, bytes, sizeof bytes)) > 0) {
            if (!write_all(result->to, bytes, (size_t)count))
                break;
            copied += (uint64_t)count;
        }
    close(file);
}

/* Returns the whole environment of the command. */
static char **environment_of(const struct sandbox_request *request, const char *folder)
{
    static const struct {
        const char *name, *part;
    } folders[] = {{"HOME", "home"}, {"TMPDIR", "tmp"}, {"XDG_CACHE_HOME", "cache"}, {"XDG_STATE_HOME", "home"}};
    enum { FOLDERS = sizeof folders / sizeof *folders };
    size_t given = 0;
    const char *path = getenv("PATH");
    while (request->environment && request->environment[given])
        given++;
    char **all = calloc(FOLDERS + given + 2, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; all && i < FOLDERS; i++)
        if (asprintf(&all[count], "%s=%s/%s", folders[i].name, folder, folders[i].part) > 0)
            count++;
    if (all && asprintf(&all[count], "PATH=%s", path ? path : "/usr/local/bin:/usr/bin:/bin") > 0)
        count++;
    for (size_t i = 0; all && i < given; i++)
        all[count++] = (char *)(uintptr_t)request->environment[i];
    return all;
}

/* In the process that becomes the command. */
static void become(const struct sandbox_request *request, char **environment)
{
    const struct sandbox_limits *limits = &request->limits;
    int const nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(request->output, STDOUT_FILENO) < 0 ||
        dup2(request->errors, STDERR_FILENO) < 0)
        _exit(127);
    syscall(SYS_close_range, 3, ~0u, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, limits->file);
    /* The first process counts all processes together; it cannot without a sandbox. SIGXCPU, then SIGKILL. */
    limit_to(RLIMIT_CPU, (uint64_t)limits->seconds + (request->trust ? 0 : 30),
             (uint64_t)limits->seconds + (request->trust ? 1 : 31));
    limit(RLIMIT_NOFILE, 256);
    if (request->trust)
        limit(RLIMIT_DATA, limits->memory);
    else
        limit(RLIMIT_NPROC, limits->processes);
    if (request->folder && chdir(request->folder) != 0)
        _exit(127);
    personality(ADDR_NO_RANDOMIZE); /* the same addresses each time, also in what is said of a wrong one */
    if (request->trust || sandbox_filter())
        execve(request->command[0], (char *const *)(uintptr_t)request->command, environment);
    _exit(127);
}

static void impossible(struct sandbox_end *end, const char *what)
{
    end->ending = SANDBOX_IMPOSSIBLE;
    if (!end->why[0])
        snprintf(end->why, sizeof end->why, "%s: %s", what, strerror(errno));
}

/* The first process inside. Fills how the command ended. */
static void attend(const struct sandbox_request *request, const char *folder, struct sandbox_end *end)
{
    if (!request->trust) {
        if (!sandbox_build(request, end->why, sizeof end->why) || !sandbox_drop(end->why, sizeof end->why)) {
            impossible(end, "");
            return;
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* which a change of the user takes away */
        prctl(PR_SET_DUMPABLE, 0);        /* its memory is a copy of the caller's: nobody inside may read it */
        folder = SANDBOX_FOLDER;
    }
    if (chdir(folder) != 0 || !lay_out(request)) {
        impossible(end, "folder");
        return;
    }
    if (!request->command)
        return; /* a trial */
    char **environment = environment_of(request, folder);
    pid_t const command = environment ? fork() : -1;
    if (command == 0)
        become(request, environment);
    if (command < 0) {
        impossible(end, "fork");
        return;
    }
    setpgid(command, command);
    sandbox_watch(command, &request->limits, !request->trust, end);
    for (size_t i = 0; i < request->result_count; i++)
        fetch(&request->results[i], request->limits.file);
}

static void attend_and_tell(const struct sandbox_request *request, const char *folder, int report)
{
    struct sandbox_end end = {.ending = SANDBOX_EXITED};
    attend(request, folder, &end);
    _exit(write_all(report, (const char *)&end, sizeof end) ? 0 : 1);
}

/* In the first child. */
static void stand_between(const struct sandbox_request *request, const char *folder, int report)
{
    struct sandbox_end end = {.ending = SANDBOX_IMPOSSIBLE};
    int status;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); /* Ctrl+C is for the caller, who ends this */
    signal(SIGPIPE, SIG_IGN);
    if (request->trust)
        attend_and_tell(request, folder, report);
    pid_t const first = sandbox_leave(end.why, sizeof end.why) ? fork() : -1;
    if (first == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        attend_and_tell(request, folder, report);
    }
    if (first < 0) {
        impossible(&end, "fork");
        _exit(write_all(report, (const char *)&end, sizeof end) ? 0 : 1);
    }
    while (waitpid(first, &status, 0) < 0 && errno == EINTR)
        ;
    _exit(0);
}

/* ---- outside ---- */

static bool make_folder(struct sandbox *sandbox)
{
    const char *above = getenv("TMPDIR");
    snprintf(sandbox->folder, sizeof sandbox->folder, "%s/lanescope-trusted-XXXXXX", above && *above ? above : "/tmp");
    return mkdtemp(sandbox->folder) != NULL;
}

bool sandbox_start(const struct sandbox_request *request, struct sandbox **out, struct error *error)
{
    int ends[2];
    struct sandbox *sandbox = calloc(1, sizeof *sandbox);
    *out = NULL;
    if (!sandbox || (request->trust && !make_folder(sandbox)) || pipe2(ends, O_CLOEXEC) != 0) {
        free(sandbox);
        return error_set(error, ERROR_MISSING, "no process can be started: %s", strerror(errno));
    }
    fflush(NULL);
    sandbox->report = ends[0];
    sandbox->child = fork();
    if (sandbox->child == 0)
        stand_between(request, sandbox->folder, ends[1]);
    close(ends[1]);
    if (sandbox->child < 0) {
        sandbox_free(sandbox);
        return error_set(error, ERROR_MISSING, "no process can be started: %s", strerror(errno));
    }
    *out = sandbox;
    return true;
}

bool sandbox_ended(struct sandbox *sandbox, struct sandbox_end *end)
{
    int status;
    if (!sandbox->ended) {
        pid_t const found = waitpid(sandbox->child, &status, WNOHANG);
        if (found == 0 || (found < 0 && errno == EINTR))
            return false;
        /* With the first process ended, the kernel ends all others of the sandbox, so that the pipe is closed. */
        if (read(sandbox->report, &sandbox->end, sizeof sandbox->end) != (ssize_t)sizeof sandbox->end)
            sandbox->end = (struct sandbox_end){.ending = SANDBOX_ENDED};
        sandbox->ended = true;
    }
    *end = sandbox->end;
    return true;
}

void sandbox_end(struct sandbox *sandbox)
{
    if (!sandbox->ended)
        kill(sandbox->child, SIGKILL);
}

static int remove_one(const char *path, const struct stat *found, int kind, struct FTW *place)
{
    (void)found;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

void sandbox_free(struct sandbox *sandbox)
{
    int status;
    if (!sandbox)
        return;
    if (!sandbox->ended && sandbox->child > 0) {
        kill(sandbox->child, SIGKILL);
        while (waitpid(sandbox->child, &status, 0) < 0 && errno == EINTR)
            ;
    }
    if (sandbox->folder[0])
        nftw(sandbox->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    close(sandbox->report);
    free(sandbox);
}

bool sandbox_works(struct error *error)
{
    struct sandbox_request const trial = {.limits = {.seconds = 1, .wall_seconds = 10, .disk = 1 << 20, .files = 64}};
    struct sandbox *sandbox;
    struct sandbox_end end;
    if (!sandbox_start(&trial, &sandbox, error))
        return false;
    while (!sandbox_ended(sandbox, &end))
        usleep(1000);
    sandbox_free(sandbox);
    if (end.ending == SANDBOX_EXITED)
        return true;
    error_set(error, ERROR_MISSING, "this computer lets this user have no sandbox (%s)",
              end.why[0] ? end.why : "it ended early");
    return error_remedy(error, "allow user namespaces (Linux 5.14), also in the container that this may run in");
}
