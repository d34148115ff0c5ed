/* Runs a program as a child process with limits. Its output goes to files in the record's folder, from where it is
 * shown as it comes: a file shows how much was printed before each call, and cannot block the program. */
#include "base/file.h"
#include "compile/process.h"
#include "program/program.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t default_memory = UINT64_C(16) << 30, default_device = UINT64_C(8) << 30;
static const uint64_t default_output = UINT64_C(64) << 20;
#ifdef LANESCOPE_SANITIZED
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
enum { DEFAULT_SECONDS = 600, LOOK_US = 10000 };

/* One of the program's streams, shown as it grows. */
struct stream_shown {
    int file, to;
    uint64_t shown;
};

/* Reads which kernel runs, and where it is. Returns false when none does. */
static bool read_progress(struct program_run *run)
{
    char text[512];
    struct executor_progress *at = &run->at;
    int name = 0, doing;
    int const file = open(arena_format(&run->arena, "%s/progress", run->folder), O_RDONLY | O_CLOEXEC);
    ssize_t const size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[size > 0 ? size : 0] = 0;
    if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu32 " %d %n", &at->done,
               &at->blocks, &at->block, &at->instructions, &at->budget, &at->line, &doing, &name) != 7 ||
        !name || doing < EXECUTOR_GOES_ON || doing > EXECUTOR_POLLS)
        return false;
    at->doing = (enum executor_doing)doing;
    run->kernel = arena_text_n(&run->arena, text + name, strcspn(text + name, "\n"));
    return true;
}

static uint64_t printed(const struct stream_shown *stream)
{
    struct stat file;
    return fstat(stream->file, &file) == 0 ? (uint64_t)file.st_size : 0;
}

/* Shows some of what was printed until now, as far as the reader takes it. More may come faster than a terminal shows
 * it, and a reader may stop, such as a pager, so the limits are looked at in between. */
static void show(struct stream_shown *stream, bool visible)
{
    enum { AT_ONCE = 1 << 20 };
    char bytes[PIPE_BUF]; /* a pipe that takes anything takes so much */
    struct pollfd reader = {.fd = stream->to, .events = POLLOUT};
    ssize_t count;
    uint64_t const all = printed(stream), end = all < stream->shown + AT_ONCE ? all : stream->shown + AT_ONCE;
    while (stream->shown < end && (!visible || poll(&reader, 1, 0) > 0) &&
           (count = pread(stream->file, bytes, sizeof bytes, (off_t)stream->shown)) > 0) {
        stream->shown += (uint64_t)count;
        for (ssize_t at = 0, done; visible && at < count; at += done)
            if ((done = write(stream->to, bytes + at, (size_t)(count - at))) <= 0)
                break;
    }
}

/* Returns where NVIDIA's driver is. The program finds ours under the driver's name, which needs NVIDIA's on a GPU. */
static const char *driver_path(struct arena *arena)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    struct link_map *map = NULL;
    const char *path = NULL;
    if (library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map)
        path = arena_text(arena, map->l_name);
    if (library)
        dlclose(library);
    return path;
}

/* Returns what lets glibc ask for large pages for the program's arrays: the system gives them zeros much faster
 * (docs/performance.md). An older glibc passes over a name that it does not know. */
static const char *large_pages(struct arena *arena)
{
    const char *before = getenv("GLIBC_TUNABLES");
    if (before && strstr(before, "glibc.malloc.hugetlb"))
        return arena_format(arena, "GLIBC_TUNABLES=%s", before); /* the user has chosen */
    return arena_format(arena, "GLIBC_TUNABLES=%s%sglibc.malloc.hugetlb=1", before ? before : "",
                        before && *before ? ":" : "");
}

/* Adds what a host needs that brings NVIDIA's libraries and assembler along (PyTorch, Triton), so that it takes ours.
 * Returns the number of entries. */
static size_t stand_in(struct arena *arena, const char *library, const char **entries)
{
    size_t count = 0;
    /* Its own libcudart comes first where its libraries name the folder; only what is loaded before comes earlier. */
    if (!SANITIZED && !strpbrk(library, ": ")) {
        const char *before = getenv("LD_PRELOAD");
        entries[count++] =
            arena_format(arena, "LD_PRELOAD=%s%s%s", library, before && *before ? ":" : "", before ? before : "");
    }
    /* Triton calls an assembler, and on a GPU of 9.0 its products use instructions that the emulator does not have. */
    if (!getenv("TRITON_PTXAS_PATH"))
        entries[count++] = arena_format(arena, "TRITON_PTXAS_PATH=%s/assets/exec/ptxas", folder_data());
    if (!getenv("TRITON_OVERRIDE_ARCH"))
        entries[count++] = "TRITON_OVERRIDE_ARCH=sm80";
    return count;
}

/* Returns the environment that src/cudart/layer/options.c reads. */
static char **make_environment(struct arena *arena, const struct program_run_request *request, const char *folder,
                               const char *libraries)
{
    enum { MOST = 24 };
    const char *entries[MOST] = {0}, *before = getenv("LD_LIBRARY_PATH");
    const struct program_limits *limits = &request->limits;
    size_t count = 0;
    entries[count++] = arena_format(arena, WORKPLACE_VARIABLE "=%s", folder);
    entries[count++] = arena_format(arena, "LANESCOPE_DATA=%s", folder_data());
    entries[count++] = arena_format(arena, "LANESCOPE_PROGRAM_CHECKS=%s%s", request->checks.memory ? "memory," : "",
                                    request->checks.races ? "race" : "");
    entries[count++] = arena_format(arena, "LANESCOPE_PROGRAM_VALUES=%llu", (unsigned long long)request->checks.values);
    entries[count++] =
        arena_format(arena, "LANESCOPE_PROGRAM_BLOCKS=%llu-%llu", (unsigned long long)request->blocks.first,
                     (unsigned long long)request->blocks.last);
    entries[count++] = request->rows ? "LANESCOPE_PROGRAM_ROWS=1" : "LANESCOPE_PROGRAM_ROWS=0";
    entries[count++] = request->caches ? "LANESCOPE_PROGRAM_CACHES=1" : "LANESCOPE_PROGRAM_CACHES=0";
    entries[count++] = request->record_all ? "LANESCOPE_PROGRAM_RECORD_LAUNCH=all"
                                           : arena_format(arena, "LANESCOPE_PROGRAM_RECORD_LAUNCH=%llu",
                                                          (unsigned long long)request->record_launch);
    if (request->record_kernel)
        entries[count++] = arena_format(arena, "LANESCOPE_PROGRAM_RECORD_KERNEL=%s", request->record_kernel);
    entries[count++] = arena_format(arena, "LANESCOPE_PROGRAM_EXECUTOR=%s", request->on_gpu ? "gpu" : "emulator");
    const char *driver = request->on_gpu ? driver_path(arena) : NULL;
    if (driver)
        entries[count++] = arena_format(arena, "LANESCOPE_PROGRAM_DRIVER=%s", driver);
    if (request->gpu)
        entries[count++] = arena_format(arena, "LANESCOPE_PROGRAM_GPU=%s", request->gpu);
    entries[count++] = arena_format(arena, "LANESCOPE_PROGRAM_BUDGET=%llu", (unsigned long long)request->budget);
    entries[count++] = arena_format(arena, "LANESCOPE_PROGRAM_DEVICE_BYTES=%llu",
                                    (unsigned long long)(limits->device_bytes ? limits->device_bytes : default_device));
    /* Where the program finds our library under the names of NVIDIA's runtime and driver. A wheel of Python, which has
     * no links, has the folder elsewhere. */
    const char *compatible = getenv("LANESCOPE_COMPATIBLE");
    if (libraries && !(compatible && *compatible))
        compatible = arena_format(arena, "%s/compatible", libraries);
    if (libraries)
        entries[count++] = arena_format(arena, "LD_LIBRARY_PATH=%s%s%s", compatible, before && *before ? ":" : "",
                                        before ? before : "");
    if (libraries && !request->on_gpu)
        count += stand_in(arena, arena_format(arena, "%s/libcudart.so.13", compatible), entries + count);
    if (!request->on_gpu)
        entries[count++] = large_pages(arena);
#ifdef LANESCOPE_SANITIZED
    entries[count++] = "ASAN_OPTIONS=detect_leaks=0:handle_segv=0:allow_user_segv_handler=1";
#endif
    return process_environment(arena, entries);
}

static void limit(int resource, uint64_t value)
{
    struct rlimit const most = {value, value};
    setrlimit((__rlimit_resource_t)resource, &most);
}

/* Returns whether the program is to read from the terminal of this process, which is in its foreground. */
static bool hands_terminal(const struct program_run_request *request)
{
    return request->terminal && isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* Makes a group of processes the terminal's foreground, which alone may read from it. */
static void give_terminal(pid_t group)
{
    struct sigaction const ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    sigaction(SIGTTOU, &ignore, &before); /* which the call raises in a group of the background */
    tcsetpgrp(STDIN_FILENO, group);
    sigaction(SIGTTOU, &before, NULL);
}

/* Returns whether this process was given a file or a pipe to read. */
static bool has_input(void)
{
    struct stat input;
    return fstat(STDIN_FILENO, &input) == 0 && !S_ISCHR(input.st_mode);
}

static void close_input(void)
{
    int const nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0 && nothing != STDIN_FILENO) {
        dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
}

/* Returns the words that the program is started with, its path first. */
static const char **make_words(struct arena *arena, const struct program_run_request *request)
{
    const char **words = arena_array(arena, const char *, request->argument_count + 2);
    words[0] = request->path;
    for (size_t i = 0; i < request->argument_count; i++)
        words[i + 1] = request->arguments[i];
    return words;
}

/* In the child. Does not return, and allocates nothing (process_environment says why). */
static void become(const struct program_run_request *request, const char **words, char **environment,
                   const int streams[2], bool handed)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* so that it does not outlive a window that was killed */
#endif
    dup2(streams[0], STDOUT_FILENO);
    dup2(streams[1], STDERR_FILENO);
    close(streams[0]);
    close(streams[1]);
    if (handed)
        give_terminal(getpid());
    else if (isatty(STDIN_FILENO))
        close_input();
    else if (!request->terminal)
        lseek(STDIN_FILENO, 0, SEEK_SET); /* a window runs the program again: a file begins anew */
    limit(RLIMIT_CORE, 0);
    if (!SANITIZED && !request->on_gpu) /* whose own memory is larger, and the driver's */
        limit(RLIMIT_DATA, request->limits.memory_bytes ? request->limits.memory_bytes : default_memory);
    if (!request->folder || chdir(request->folder) == 0)
        execve(request->path, (char *const *)(uintptr_t)words, environment);
    _exit(127);
}

/* Returns whether the program printed more than was shown. */
static bool has_news(const struct stream_shown *stream)
{
    return printed(stream) > stream->shown;
}

/* Shows where the kernel is, which other output takes away. */
static void show_progress(struct program_run *run, const struct program_run_request *request,
                          const struct stream_shown streams[2], double *last)
{
    bool const news = request->show && (has_news(&streams[0]) || has_news(&streams[1]));
    double const now = clock_seconds();
    if (!request->progress || (!news && now - *last < 0.1))
        return;
    *last = now;
    bool const runs = !news && read_progress(run);
    request->progress(request->progress_context, runs ? run->kernel : NULL, &run->at);
}

/* Waits for the child's end, shows its output and enforces the limits. */
static void attend(struct program_run *run, const struct program_run_request *request, pid_t child,
                   struct stream_shown streams[2])
{
    uint64_t const most = request->limits.output_bytes ? request->limits.output_bytes : default_output;
    double const begin = clock_seconds(),
                 seconds = request->limits.seconds > 0 ? request->limits.seconds : DEFAULT_SECONDS;
    double shown = begin;
    int status = 0;
    for (;;) {
        pid_t const ended = waitpid(child, &status, WNOHANG);
        show_progress(run, request, streams, &shown);
        for (int i = 0; i < 2; i++)
            show(&streams[i], request->show);
        if (ended == child || (ended < 0 && errno != EINTR))
            break;
        bool const cancelled = request->cancel && atomic_load(request->cancel);
        bool const late = clock_seconds() - begin > seconds;
        bool const talks = printed(&streams[0]) + printed(&streams[1]) > most;
        if (run->end == PROGRAM_EXITED && (cancelled || late || talks)) {
            run->end = cancelled ? PROGRAM_CANCELLED : late ? PROGRAM_TIME : PROGRAM_OUTPUT;
            kill(-child, SIGKILL);
        }
        usleep(LOOK_US);
    }
    for (int i = 0; i < 2; i++)
        while (has_news(&streams[i]) && streams[i].shown < most && !(request->cancel && atomic_load(request->cancel))) {
            show(&streams[i], request->show);
            if (has_news(&streams[i]))
                usleep(LOOK_US / 10);
        }
    bool const others = kill(-child, SIGKILL) == 0; /* what it started and left behind, also in other sessions */
    run->left = (workplace_end_programs(run->folder) || others) && run->end == PROGRAM_EXITED;
    run->seconds = clock_seconds() - begin;
    run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    run->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (run->end == PROGRAM_EXITED && run->signal)
        run->end = PROGRAM_SIGNALLED;
    run->kernel = NULL;
    if (run->end != PROGRAM_EXITED)
        read_progress(run);
}

/* Takes the terminal back. Its Ctrl+C went to the program alone: then the run was stopped. */
static void take_terminal(struct program_run *run)
{
    give_terminal(getpgrp());
    if (run->end == PROGRAM_SIGNALLED && run->signal == SIGINT)
        run->end = PROGRAM_CANCELLED;
}

static int open_output(struct program_run *run, const char *name)
{
    return open(arena_format(&run->arena, "%s/%s", run->folder, name),
                O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
}

static bool run_child(struct program_run *run, const struct program_run_request *request, struct error *error)
{
    const char **words = make_words(&run->arena, request);
    char **environment = make_environment(&run->arena, request, run->folder, program_library_folder(&run->arena));
    int const files[2] = {open_output(run, "output"), open_output(run, "errors")};
    if (files[0] < 0 || files[1] < 0)
        return error_set(error, ERROR_MISSING, "no file can be made in %s", run->folder);
    bool const handed = hands_terminal(request);
    fflush(NULL);
    pid_t const child = fork();
    if (child == 0)
        become(request, words, environment, files, handed);
    struct stream_shown streams[2] = {{files[0], STDOUT_FILENO, 0}, {files[1], STDERR_FILENO, 0}};
    if (child > 0) {
        setpgid(child, child);
        if (handed) {
            give_terminal(child);
            kill(-child, SIGCONT); /* it may have read before, and stopped */
        }
        attend(run, request, child, streams);
        if (handed)
            take_terminal(run);
    }
    close(files[0]);
    close(files[1]);
    return child > 0 || error_set(error, ERROR_MISSING, "no process can be started for %s", request->path);
}

static bool can_run(const char *path, struct error *error)
{
    struct stat file;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return error_at(error, ERROR_INPUT, path, 0, 0, "is not there, or is not a file");
    return access(path, X_OK) == 0 || error_at(error, ERROR_INPUT, path, 0, 0, "is not a program that can be run");
}

bool program_run(const struct program_run_request *request, struct program_run **out, struct error *error)
{
    *out = NULL;
    if (!can_run(request->path, error))
        return false;
    struct program_run *run = calloc(1, sizeof *run);
    struct workplace *place = run ? arena_new(&run->arena, struct workplace) : NULL;
    if (!run || !workplace_open(place)) {
        if (run)
            arena_free(&run->arena);
        free(run);
        error_set(error, ERROR_MISSING, "no temporary folder can be made for the program");
        return error_remedy(error, "set TMPDIR to a writable folder");
    }
    run->place = place;
    run->folder = place->folder;
    run->output = run->errors = "";
    if (!run_child(run, request, error)) {
        program_run_free(run);
        return false;
    }
    char *text;
    if (file_read(&run->arena, arena_format(&run->arena, "%s/output", run->folder), &text, &run->output_size, NULL))
        run->output = text;
    if (file_read(&run->arena, arena_format(&run->arena, "%s/errors", run->folder), &text, NULL, NULL))
        run->errors = text;
    program_read_calls(run, request->path);
    run->starved = run->starved && !request->terminal && !has_input();
    mistakes_find(run);
    *out = run;
    return true;
}

void program_run_free(struct program_run *run)
{
    if (!run)
        return;
    workplace_close(run->place);
    json_decref(run->lines);
    arena_free(&run->arena);
    free(run);
}
