/* Watches files for the app: a save becomes an event. inotify watches their folders, because most editors save by
 * renaming a new file to the old name. Where it cannot, the files are looked at once a second while the window has the
 * focus. In between the thread sleeps. */
#include "base/file.h"
#include "platform/state.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

enum { QUIET_MS = 120, LOOK_MS = 1000, PATHS_MAX = 256 };

struct watch {
    struct arena arena;
    const char *paths[PATHS_MAX]; /* as given, and where their links lead */
    int folders[PATHS_MAX];       /* of inotify, for each path; -1: its folder is not there */
    struct stat seen[PATHS_MAX];
    size_t count;
    int wake[2]; /* a byte ends the thread */
    int notify;  /* -1: the files are looked at */
    const atomic_bool *focused;
    pthread_t thread;
};

/* Returns whether a file is another one than when it was looked at last. */
static bool look(struct watch *watch)
{
    bool changed = false;
    for (size_t i = 0; i < watch->count; i++) {
        struct stat now = {0}, *seen = &watch->seen[i];
        if (stat(watch->paths[i], &now) != 0)
            now = (struct stat){0};
        changed = changed || now.st_ino != seen->st_ino || now.st_size != seen->st_size ||
                  now.st_mtim.tv_sec != seen->st_mtim.tv_sec || now.st_mtim.tv_nsec != seen->st_mtim.tv_nsec;
        *seen = now;
    }
    return changed;
}

#ifdef __linux__
static const char *folder_of(struct arena *arena, const char *path)
{
    size_t const length = (size_t)(path_name(path) - path);
    return length ? arena_text_n(arena, path, length) : ".";
}

static void begin_notify(struct watch *watch)
{
    watch->notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    for (size_t i = 0; watch->notify >= 0 && i < watch->count; i++)
        watch->folders[i] = inotify_add_watch(watch->notify, folder_of(&watch->arena, watch->paths[i]),
                                              IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE);
    if (watch->notify >= 0 && watch->count && watch->folders[0] >= 0)
        return;
    if (watch->notify >= 0)
        close(watch->notify);
    watch->notify = -1;
}

/* Takes all waiting events. Returns whether one is of a watched file. A folder that goes away ends the watching: from
 * then on the files are looked at. */
static bool take_notes(struct watch *watch)
{
    union {
        struct inotify_event first;
        char bytes[16384];
    } notes;
    bool changed = false, lost = false;
    for (ssize_t size; (size = read(watch->notify, notes.bytes, sizeof notes)) > 0;)
        for (ssize_t at = 0; at < size;) {
            struct inotify_event note;
            memcpy(&note, notes.bytes + at, sizeof note);
            const char *name = notes.bytes + at + sizeof note;
            at += (ssize_t)(sizeof note + note.len);
            lost = lost || (note.mask & IN_IGNORED);
            changed = changed || (note.mask & IN_Q_OVERFLOW);
            for (size_t i = 0; i < watch->count && note.len; i++)
                changed = changed || (watch->folders[i] == note.wd && strcmp(path_name(watch->paths[i]), name) == 0);
        }
    if (lost) {
        close(watch->notify);
        watch->notify = -1;
    }
    return changed || lost;
}
#else
static void begin_notify(struct watch *watch)
{
    watch->notify = -1;
}
static bool take_notes(struct watch *watch)
{
    return watch != NULL;
}
#endif

static void *run(void *context)
{
    struct watch *watch = context;
    bool changed = false;
    for (;;) {
        struct pollfd wait[2] = {{.fd = watch->wake[0], .events = POLLIN}, {.fd = watch->notify, .events = POLLIN}};
        int const patience = changed ? QUIET_MS : watch->notify >= 0 ? -1 : LOOK_MS;
        int const ready = poll(wait, watch->notify >= 0 ? 2 : 1, patience);
        if (ready > 0 && wait[0].revents)
            return NULL;
        if (ready > 0) {
            changed = take_notes(watch) || changed;
        } else if (ready == 0 && changed) { /* it has been quiet: an editor writes in several steps */
            changed = false;
            SDL_PushEvent(&(SDL_Event){.user = {.type = SDL_USEREVENT, .code = WATCH_EVENT}});
        } else if (ready == 0 && atomic_load(watch->focused)) {
            changed = look(watch);
        }
    }
}

static void free_watch(struct watch *watch)
{
    int const files[] = {watch->wake[0], watch->wake[1], watch->notify};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i] >= 0)
            close(files[i]);
    arena_free(&watch->arena);
    free(watch);
}

void window_end_watch(struct platform *platform)
{
    struct watch *watch = platform->watch;
    platform->watch = NULL;
    if (!watch)
        return;
    while (write(watch->wake[1], "", 1) < 0 && errno == EINTR) /* a pipe of its own has room */
        ;
    pthread_join(watch->thread, NULL);
    free_watch(watch);
}

static void add_path(struct watch *watch, const char *path)
{
    if (watch->count < PATHS_MAX)
        watch->paths[watch->count++] = arena_text(&watch->arena, path);
}

bool window_watch_files(void *context, const char *const *paths, size_t count)
{
    struct platform *platform = context;
    window_end_watch(platform);
    struct watch *watch = count ? calloc(1, sizeof *watch) : NULL;
    if (!watch)
        return !count;
    watch->wake[0] = watch->wake[1] = -1;
    watch->focused = &platform->focused;
    for (size_t i = 0; i < count; i++) {
        const char *whole = path_absolute(&watch->arena, paths[i]);
        add_path(watch, paths[i]);
        if (strcmp(path_name(whole), path_name(paths[i])) != 0 || strcmp(whole, paths[i]) != 0)
            add_path(watch, whole);
    }
    begin_notify(watch);
    look(watch);
    if (pipe(watch->wake) == 0) {
        fcntl(watch->wake[0], F_SETFD, FD_CLOEXEC); /* programs are started meanwhile */
        fcntl(watch->wake[1], F_SETFD, FD_CLOEXEC);
        if (pthread_create(&watch->thread, NULL, run, watch) == 0) {
            platform->watch = watch;
            return true;
        }
    }
    free_watch(watch);
    return false;
}
