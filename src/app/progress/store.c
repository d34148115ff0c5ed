/* The file of the kept state: reading, merging with what other windows wrote, writing. */
#include "app/progress/state.h"
#include "base/error.h"
#include "base/file.h"
#include "base/words.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1, BYTES_MOST = 1 << 20, LESSONS_MOST = 200, ASIDE_MOST = 9 };

static void refuse(struct progress *progress, const char *reason)
{
    if (!progress->refused && !progress->said[0])
        snprintf(progress->said, sizeof progress->said, _("progress is not kept: %s"), reason);
    progress->refused = true;
}

static void refuse_path(struct progress *progress, const char *path)
{
    const char *reason = strerror(errno);
    refuse(progress, arena_format(&progress->arena, "%s: %s", path, reason));
}

/* Renames a damaged file, so that its owner can look at it, and says so. */
static void set_aside(struct progress *progress)
{
    const char *to = NULL;
    for (int i = 1; i <= ASIDE_MOST && (!to || file_exists(to)); i++)
        to = arena_format(&progress->arena, "%s.damaged-%d", progress->path, i);
    if (rename(progress->path, to) != 0) {
        refuse_path(progress, progress->path);
        return;
    }
    snprintf(progress->said, sizeof progress->said,
             _("the file of kept progress was damaged and now has the name %s; lessons begin anew"), to);
}

/* Returns the bytes of the file and their number. False: there is none, or it cannot be read; *damaged: it is none of
 * ours. */
static bool read_bytes(struct progress *progress, char **bytes, size_t *size, bool *damaged)
{
    struct stat status;
    *damaged = false;
    int const file = open(progress->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        if (errno != ENOENT)
            refuse_path(progress, progress->path);
        return false;
    }
    *bytes = malloc(BYTES_MOST + 1);
    *size = 0;
    bool const plain = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    for (ssize_t got; plain && *bytes && *size <= BYTES_MOST; *size += (size_t)got)
        if ((got = read(file, *bytes + *size, BYTES_MOST + 1 - *size)) <= 0)
            break;
    close(file);
    *damaged = !plain || *size > BYTES_MOST;
    return *bytes != NULL;
}

/* Returns the state in the file, cleaned; NULL: there is none. */
static json_t *read_state(struct progress *progress)
{
    char *bytes = NULL;
    size_t size = 0;
    bool damaged = false;
    json_t *state = NULL, *read = NULL;
    if (progress->path && read_bytes(progress, &bytes, &size, &damaged)) {
        read = damaged ? NULL : json_loadb(bytes, size, 0, NULL);
        const json_t *version = json_object_get(read, "version");
        if (json_is_integer(version) && json_integer_value(version) > VERSION)
            refuse(progress, arena_format(&progress->arena,
                                          _("%s has version %lld, and this program knows version %d; start the newer "
                                            "Lanescope, or move the file away"),
                                          progress->path, (long long)json_integer_value(version), VERSION));
        else if (json_is_integer(version) && json_integer_value(version) == VERSION)
            state = progress_clean(read);
        else
            set_aside(progress);
    }
    json_decref(read);
    free(bytes);
    return state;
}

struct progress *progress_open(void)
{
    struct progress *progress = calloc(1, sizeof *progress);
    if (!progress)
        return NULL;
    const char *folder = folder_state();
    progress->path = folder ? arena_format(&progress->arena, "%s/progress.json", folder) : NULL;
    progress->lesson_key = "";
    progress->state = read_state(progress);
    if (!progress->state)
        progress->state = json_pack("{s:i}", "version", VERSION);
    progress->saved = json_deep_copy(progress->state);
    if (!progress->path)
        refuse(progress, _("there is no home folder; set XDG_STATE_HOME"));
    return progress;
}

const char *progress_said(struct progress *progress)
{
    if (!progress || !progress->said[0])
        return NULL;
    const char *said = arena_text(&progress->arena, progress->said);
    progress->said[0] = 0;
    return said;
}

static int take_over(struct progress *progress, json_t *theirs)
{
    json_t *ours = progress_object(progress->state, "lessons"), *lesson;
    const char *key;
    int taken = 0;
    json_object_foreach(theirs, key, lesson)
    {
        const json_t *own = json_object_get(ours, key);
        json_int_t const used = json_integer_value(json_object_get(lesson, "used"));
        if (!json_is_object(lesson) || (own && json_integer_value(json_object_get(own, "used")) >= used))
            continue;
        json_object_set_new(ours, key, json_deep_copy(lesson));
        taken++;
    }
    if (taken)
        progress_touch(progress);
    return taken;
}

int progress_import(struct progress *progress, const char *path, struct error *error)
{
    struct arena arena = {0};
    char *bytes;
    size_t size;
    int taken = -1;
    if (!progress || progress->refused) {
        error_set(error, ERROR_MISSING, "no progress is kept here, so none can be taken over");
    } else if (file_read(&arena, path, &bytes, &size, error)) {
        json_t *read = size <= BYTES_MOST ? json_loadb(bytes, size, 0, NULL) : NULL;
        bool const known = json_integer_value(json_object_get(read, "version")) == VERSION;
        json_t *theirs = known ? progress_clean(read) : NULL, *lessons = json_object_get(theirs, "lessons");
        if (json_is_object(lessons))
            taken = take_over(progress, lessons);
        else
            error_at(error, ERROR_INPUT, path_name(path), 0, 0, "is no kept progress of Lanescope");
        json_decref(theirs);
        json_decref(read);
    }
    arena_free(&arena);
    return taken;
}

void progress_touch(struct progress *progress)
{
    if (progress && progress->due == 0)
        progress->due = clock_seconds() + 1;
}

double progress_wait(const struct progress *progress)
{
    if (!progress || progress->due == 0)
        return INFINITY;
    return fmax(0, progress->due - clock_seconds());
}

/* Forgets the lessons that were not opened for the longest time, until there are no more than so many. */
static void prune(json_t *state, size_t most)
{
    json_t *lessons = json_object_get(state, "lessons"), *lesson;
    while (json_object_size(lessons) > most) {
        const char *key, *oldest = NULL;
        json_int_t used = 0;
        json_object_foreach(lessons, key, lesson)
        {
            json_int_t const at = json_integer_value(json_object_get(lesson, "used"));
            if (!oldest || at < used) {
                oldest = key;
                used = at;
            }
        }
        json_object_del(lessons, oldest);
    }
}

/* Takes the lock that windows share while they read and write. Returns its file, or -1: another window has it, or
 * nothing can be written here. */
static int take_lock(struct progress *progress, bool patient)
{
    struct arena arena = {0};
    struct error error;
    const char *path = arena_format(&arena, "%s.lock", progress->path);
    char line[600];
    int lock = -1;
    if (!folder_make(folder_state(), &error))
        refuse(progress, error_line(&error, line, sizeof line));
    else if ((lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600)) < 0)
        refuse_path(progress, path);
    for (int tries = patient ? 100 : 1; lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;)
        if (--tries > 0) {
            usleep(10000);
        } else {
            close(lock);
            lock = -1;
        }
    arena_free(&arena);
    return lock;
}

static void write_state(struct progress *progress)
{
    struct error error;
    char line[600], *text = NULL;
    json_t *theirs = read_state(progress);
    if (!progress->refused) {
        json_t *merged = progress_merge(progress->saved, progress->state, theirs ? theirs : progress->saved);
        for (size_t most = LESSONS_MOST;; most /= 2) {
            prune(merged, most);
            free(text);
            text = json_dumps(merged, JSON_INDENT(1) | JSON_SORT_KEYS);
            if (!text || strlen(text) < BYTES_MOST || most == 0)
                break;
        }
        json_decref(progress->state);
        json_decref(progress->saved);
        progress->state = merged;
        progress->saved = json_deep_copy(merged);
        if (!text || !file_write(progress->path, text, strlen(text), &error))
            refuse(progress, text ? error_line(&error, line, sizeof line) : "");
        free(text);
    }
    json_decref(theirs);
}

static void save(struct progress *progress, bool patient)
{
    progress->due = 0;
    if (progress->refused || json_equal(progress->state, progress->saved))
        return;
    int const lock = take_lock(progress, patient);
    if (lock >= 0 || (patient && !progress->refused))
        write_state(progress);
    else
        progress_touch(progress);
    if (lock >= 0)
        close(lock);
}

void progress_save(struct progress *progress)
{
    if (progress)
        save(progress, false);
}

void progress_close(struct progress *progress)
{
    if (!progress)
        return;
    save(progress, true);
    json_decref(progress->state);
    json_decref(progress->saved);
    json_decref(progress->preferences);
    json_decref(progress->window);
    json_decref(progress->lesson);
    arena_free(&progress->arena);
    free(progress);
}
