/* What is handed in: files, folders of files, and folders of folders with one file each, as course systems give them.
 */
#include "base/file.h"
#include "base/words.h"
#include "grade/grade.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BYTES_MOST = 1 << 20, FOUND_MOST = 10000 };

struct found {
    struct arena *arena;
    const struct rubric *rubric;
    struct grade_submission *items;
    size_t count, capacity;
};

static struct grade_submission *add(struct found *found, const char *name, const char *path)
{
    found->items =
        arena_grow(found->arena, found->items, found->count, &found->capacity, sizeof(struct grade_submission));
    struct grade_submission *one = &found->items[found->count++];
    *one = (struct grade_submission){.name = words_clean(arena_text(found->arena, name)), .path = path};
    return one;
}

/* Returns the line of the first byte that is no UTF-8, or a control character; 0: there is none. */
static int first_wrong(const char *text, size_t size)
{
    int line = 1;
    for (size_t i = 0; i < size;) {
        unsigned char const c = (unsigned char)text[i];
        size_t const more = c < 0x80                ? 0
                            : c >= 0xC2 && c < 0xE0 ? 1
                            : c >= 0xE0 && c < 0xF0 ? 2
                            : c >= 0xF0 && c < 0xF5 ? 3
                                                    : 9;
        if (more == 9 || i + more >= size + (more == 0) || (c < 32 && !strchr("\n\t\r\f\v", c)) || c == 0)
            return line;
        for (size_t k = 1; k <= more; k++)
            if (((unsigned char)text[i + k] & 0xC0) != 0x80)
                return line;
        line += c == '\n';
        i += more + 1;
    }
    return 0;
}

/* Reads a submission. A link is none: it could name a file of the teacher's. */
static void read_text(struct found *found, struct grade_submission *one)
{
    struct arena *arena = found->arena;
    struct stat file;
    int const opened = open(one->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int const reason = errno;
    bool const regular = opened >= 0 && fstat(opened, &file) == 0 && S_ISREG(file.st_mode);
    if (opened < 0 && reason != ELOOP) {
        one->problem = arena_format(arena, _("%s cannot be read: %s"), path_name(one->path), strerror(reason));
    } else if (!regular) {
        one->problem = arena_format(arena, _("%s is a link, or no file"), path_name(one->path));
    } else if (file.st_size > BYTES_MOST) {
        one->problem = arena_format(arena, _("%s has more than %d KiB"), path_name(one->path), BYTES_MOST >> 10);
    } else {
        char *text = arena_alloc(arena, (size_t)file.st_size + 1);
        ssize_t const size = read(opened, text, (size_t)file.st_size);
        one->size = size > 0 ? (size_t)size : 0;
        int const wrong = first_wrong(text, one->size);
        if (wrong)
            one->problem = arena_format(arena, _("%s:%d: is no text in UTF-8"), path_name(one->path), wrong);
        else
            one->text = text;
    }
    if (opened >= 0)
        close(opened);
}

static bool is_archive(const char *name)
{
    static const char *const endings[] = {".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (path_ends_with(name, endings[i]))
            return true;
    return false;
}

static bool is_folder(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* Adds a file under its name without the ending. */
static void add_file(struct found *found, const char *path)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    if (is_archive(name)) {
        add(found, name, path)->problem = arena_format(found->arena, _("%s is an archive: unpack it first"), name);
        return;
    }
    read_text(found, add(found, arena_text_n(found->arena, name, dot ? (size_t)(dot - name) : strlen(name)), path));
}

/* Adds the folder of one student: it has the file that the rubric names, or one .cu of another name. */
static void add_student(struct found *found, const char *folder)
{
    char **names;
    size_t const count = folder_list(found->arena, folder, &names);
    const char *only = NULL;
    size_t sources = 0;
    for (size_t i = 0; i < count; i++) {
        if (names[i][0] == '.' || !path_ends_with(names[i], ".cu"))
            continue;
        sources++;
        only = names[i];
        if (strcmp(names[i], found->rubric->file) == 0) {
            sources = 1;
            break;
        }
    }
    const char *path = sources == 1 ? arena_format(found->arena, "%s/%s", folder, only) : folder;
    struct grade_submission *one = add(found, path_name(folder), path);
    if (sources == 1)
        read_text(found, one);
    else
        one->problem = arena_format(found->arena, _("the folder has no %s"), found->rubric->file);
}

static void add_folder(struct found *found, const char *folder)
{
    char **names;
    size_t const count = folder_list(found->arena, folder, &names);
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], found->rubric->file) == 0) {
            add_student(found, folder);
            return;
        }
    for (size_t i = 0; i < count; i++) {
        const char *path = arena_format(found->arena, "%s/%s", folder, names[i]);
        if (names[i][0] == '.')
            continue;
        if (is_folder(path))
            add_student(found, path);
        else if (path_ends_with(names[i], ".cu") || is_archive(names[i]))
            add_file(found, path);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct grade_submission *)a)->name, ((const struct grade_submission *)b)->name);
}

bool grade_find(struct arena *arena, const struct rubric *rubric, const char *const *paths, size_t path_count,
                struct grade_submission **submissions, size_t *count, struct error *error)
{
    struct found found = {.arena = arena, .rubric = rubric};
    for (size_t i = 0; i < path_count; i++) {
        char *path = arena_text(arena, paths[i]);
        for (size_t length = strlen(path); length > 1 && path[length - 1] == '/';)
            path[--length] = '\0';
        const char *whole =
            strcmp(path_name(path), ".") == 0 || strcmp(path_name(path), "..") == 0 ? path_absolute(arena, path) : path;
        struct stat there;
        if (lstat(path, &there) != 0)
            return error_at(error, ERROR_INPUT, path, 0, 0, "cannot be read: %s", strerror(errno));
        if (S_ISDIR(there.st_mode))
            add_folder(&found, whole);
        else
            add_file(&found, path);
        if (found.count > FOUND_MOST)
            return error_set(error, ERROR_INPUT, "there are more than %d submissions", FOUND_MOST);
    }
    if (!found.count) {
        error_set(error, ERROR_INPUT, "there are no submissions");
        return error_remedy(error, "give .cu files, or a folder with a .cu or a folder for each student");
    }
    qsort(found.items, found.count, sizeof *found.items, by_name);
    for (size_t i = 1; i < found.count; i++)
        if (strcmp(found.items[i - 1].name, found.items[i].name) == 0)
            return error_set(error, ERROR_INPUT, "two submissions are called '%s': %s and %s", found.items[i].name,
                             found.items[i - 1].path, found.items[i].path);
    *submissions = found.items;
    *count = found.count;
    return true;
}
