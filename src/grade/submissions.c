/* What is handed in: files, folders and archives of them, as students or course systems give them. A folder or an
 * archive is first listed as files with paths within it; then the paths are grouped by student. */
#include "base/file.h"
#include "base/words.h"
#include "grade/archive.h"
#include "grade/grade.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BYTES_MOST = ARCHIVE_SOURCE_MOST, FOUND_MOST = 10000, DEPTH_MOST = 4, LISTED_MOST = 100000 };

struct found {
    struct arena *arena;
    const struct rubric *rubric;
    struct grade_submission *items;
    size_t count, capacity;
};

/* A source, or an archive or a folder that has none. */
struct listed {
    const char *path; /* within what was given: "ada/transpose.cu" */
    const char *disk; /* of the file; NULL: it lay in an archive */
    const char *bytes;
    size_t size;
    const char *problem; /* why it cannot be graded, in place of bytes */
};
struct list {
    struct arena *arena;
    struct listed *items;
    size_t count, capacity;
};

static struct grade_submission *add(struct found *found, const char *name, const char *path)
{
    found->items =
        arena_grow(found->arena, found->items, found->count, &found->capacity, sizeof(struct grade_submission));
    struct grade_submission *one = &found->items[found->count++];
    *one = (struct grade_submission){.name = words_clean(arena_text(found->arena, name)), .number = "", .path = path};
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

/* Takes a text as a submission's, if it is one. */
static void take_text(struct found *found, struct grade_submission *one, const char *text, size_t size)
{
    int const wrong = first_wrong(text, size);
    one->size = size;
    if (wrong)
        one->problem = arena_format(found->arena, _("%s:%d: is no text in UTF-8"), path_name(one->path), wrong);
    else
        one->text = text;
}

/* Reads a file of at most so many bytes. A link is none: it could name a file of the teacher's. Returns NULL, or why it
 * cannot be read. */
static const char *read_file(struct arena *arena, const char *path, size_t most, const char **bytes, size_t *size)
{
    struct stat file;
    const char *problem = NULL;
    int const opened = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int const reason = errno;
    bool const regular = opened >= 0 && fstat(opened, &file) == 0 && S_ISREG(file.st_mode);
    if (opened < 0 && reason != ELOOP) {
        problem = arena_format(arena, _("%s cannot be read: %s"), path_name(path), strerror(reason));
    } else if (!regular) {
        problem = arena_format(arena, _("%s is a link, or no file"), path_name(path));
    } else if ((size_t)file.st_size > most) {
        problem = arena_format(arena, _("%s has more than %d KiB"), path_name(path), (int)(most >> 10));
    } else {
        char *text = arena_alloc(arena, (size_t)file.st_size + 1);
        size_t done = 0;
        for (ssize_t count; done < (size_t)file.st_size; done += (size_t)count)
            if ((count = read(opened, text + done, (size_t)file.st_size - done)) <= 0)
                break;
        *bytes = text;
        *size = done;
    }
    if (opened >= 0)
        close(opened);
    return problem;
}

static bool is_folder(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* ---- lists of files ---- */

static struct listed *list_add(struct list *list, const char *path)
{
    list->items = arena_grow(list->arena, list->items, list->count, &list->capacity, sizeof(struct listed));
    list->items[list->count] = (struct listed){.path = path};
    return &list->items[list->count++];
}

static const char *below(struct arena *arena, const char *folder, const char *name)
{
    return *folder ? arena_format(arena, "%s/%s", folder, name) : name;
}

/* Returns how long the folder is that all files lie in, with its slash; 0: none. */
static size_t common_folder(const struct archive_file *files, size_t count)
{
    const char *slash = count ? strchr(files[0].path, '/') : NULL;
    size_t const length = slash ? (size_t)(slash - files[0].path) + 1 : 0;
    for (size_t i = 1; i < count; i++)
        if (strncmp(files[i].path, files[0].path, length) != 0)
            return 0;
    return length;
}

/* Lists an archive as a folder of its name. The archives in it are students'; those in them are none. */
static void list_archive(struct list *list, const char *folder, const char *name, const char *bytes, size_t size,
                         bool inner)
{
    struct archive_file *files;
    size_t count;
    const char *problem = archive_read_all(list->arena, name, bytes, size,
                                           inner ? ARCHIVE_INNER_KEPT_MOST : ARCHIVE_KEPT_MOST, &files, &count);
    if (problem || !count) {
        list_add(list, below(list->arena, folder, "?"))->problem =
            problem ? problem : arena_format(list->arena, _("%s has no sources"), name);
        return;
    }
    for (size_t skip; (skip = common_folder(files, count));)
        for (size_t i = 0; i < count; i++)
            files[i].path += skip;
    for (size_t i = 0; i < count && list->count < LISTED_MOST; i++) {
        const char *path = below(list->arena, folder, files[i].path);
        if (!archive_is(path)) {
            struct listed *one = list_add(list, path);
            one->bytes = files[i].bytes;
            one->size = files[i].size;
        } else if (!inner) {
            list_archive(list, archive_stem(list->arena, path), path_name(path), files[i].bytes, files[i].size, true);
        }
    }
}

/* Lists an archive that lies on the disk. */
static void list_packed(struct list *list, const char *folder, const char *disk)
{
    const char *bytes = NULL, *problem;
    size_t size = 0;
    problem = read_file(list->arena, disk, (size_t)256 << 20, &bytes, &size);
    if (problem)
        list_add(list, below(list->arena, folder, "?"))->problem = problem;
    else
        list_archive(list, folder, path_name(disk), bytes, size, false);
}

static void list_folder(struct list *list, const char *folder, const char *disk, int depth)
{
    char **names;
    size_t const count = folder_list(list->arena, disk, &names);
    bool any = false;
    for (size_t i = 0; i < count && list->count < LISTED_MOST; i++) {
        const char *there = arena_format(list->arena, "%s/%s", disk, names[i]);
        const char *path = below(list->arena, folder, words_clean(names[i]));
        if (path_name(path)[0] == '.' || strcmp(path_name(path), "__MACOSX") == 0)
            continue;
        if (is_folder(there)) {
            any = true;
            if (depth < DEPTH_MOST)
                list_folder(list, path, there, depth + 1);
        } else if (path_ends_with(path, ".cu")) {
            any = true;
            list_add(list, path)->disk = there;
        } else if (archive_is(path)) {
            any = true;
            list_packed(list, archive_stem(list->arena, path), there);
        }
    }
    if (!any && *folder) /* so that a student who handed in nothing is seen */
        list_add(list, below(list->arena, folder, ""));
}

/* ---- students ---- */

/* What a course system says of a student in the name of a file or of a folder. */
struct owner {
    const char *name, *number;
    const char *file; /* the name under which it was handed in */
    bool none;        /* it is no file that was handed in */
};

/* Canvas: lovelaceada_12345_67890_transpose.cu, with _LATE behind the name of the student.
 * Moodle: Ada Lovelace_12345_assignsubmission_file_, a folder. */
static struct owner owner_of(struct arena *arena, const char *name)
{
    static const char moodle[] = "_assignsubmission_";
    struct owner owner = {name, "", name, false};
    const char *mark = strstr(name, moodle), *first = strchr(name, '_');
    const char *number = mark;
    if (mark) {
        while (number > name && isdigit((unsigned char)number[-1]))
            number--;
        if (number == mark || number == name || number[-1] != '_')
            return owner;
        owner.none = strncmp(mark + sizeof moodle - 1, "file", 4) != 0; /* a text typed into a page */
        owner.name = arena_text_n(arena, name, (size_t)(number - 1 - name));
        owner.number = arena_text_n(arena, number, (size_t)(mark - number));
        return owner;
    }
    if (!first || first == name)
        return owner;
    number = first + (strncmp(first, "_LATE_", 6) == 0 ? 6 : 1);
    size_t const digits = strspn(number, "0123456789");
    const char *second = number + digits;
    size_t const more = *second == '_' ? strspn(second + 1, "0123456789") : 0;
    if (!digits || !more || second[1 + more] != '_' || !second[2 + more])
        return owner;
    owner.name = arena_text_n(arena, name, (size_t)(first - name));
    owner.number = arena_text_n(arena, number, digits);
    owner.file = second + 2 + more;
    return owner;
}

static const char *stem(struct arena *arena, const char *name)
{
    const char *dot = strrchr(name, '.');
    return arena_text_n(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static const char *part_of(struct arena *arena, const char *path)
{
    return arena_text_n(arena, path, strcspn(path, "/"));
}

/* A path's student: the folder or the file that it begins with. */
static struct owner student_of(struct arena *arena, const char *path)
{
    struct owner owner = owner_of(arena, part_of(arena, path));
    if (!strchr(path, '/') && !*owner.number)
        owner.name = stem(arena, owner.name);
    return owner;
}

static bool is_named(struct arena *arena, const struct listed *one, const char *name)
{
    return strcmp(owner_of(arena, path_name(one->path)).file, name) == 0;
}

static int depth_of(const struct listed *one)
{
    int depth = 0;
    for (const char *at = one->path; (at = strchr(at, '/')); at++)
        depth++;
    return depth;
}

static void add_listed(struct found *found, struct grade_submission *one, const struct listed *file)
{
    const char *bytes = file->bytes;
    size_t size = file->size;
    one->path = file->disk ? file->disk : file->path;
    one->problem = file->problem;
    if (file->disk && !one->problem)
        one->problem = read_file(found->arena, file->disk, BYTES_MOST, &bytes, &size);
    if (!one->problem)
        take_text(found, one, bytes, size);
}

/* Adds a student with these files: the one that the rubric names, or the only one. */
static void add_student(struct found *found, const struct owner *owner, const struct listed *const *files, size_t count,
                        bool in_folder)
{
    const struct listed *only = NULL, *named = NULL, *wrong = NULL;
    size_t sources = 0;
    for (size_t i = 0; i < count; i++) {
        if (files[i]->problem)
            wrong = files[i];
        if (files[i]->problem || !path_ends_with(files[i]->path, ".cu"))
            continue;
        sources++;
        only = files[i];
        if (is_named(found->arena, only, found->rubric->file) && (!named || depth_of(only) < depth_of(named)))
            named = only;
    }
    struct grade_submission *one = add(found, owner->name, files[0]->path);
    one->number = owner->number;
    if (named || sources == 1)
        add_listed(found, one, named ? named : only);
    else if (wrong)
        add_listed(found, one, wrong);
    else
        one->problem =
            arena_format(found->arena, in_folder ? _("the folder has no %s") : _("there are several files, and no %s"),
                         found->rubric->file);
}

static int by_student(const void *a, const void *b)
{
    const struct owner *left = a, *right = b;
    int const order = strcmp(left->name, right->name);
    return order ? order : strcmp(left->number, right->number);
}

/* Groups a list: all of it is of one student if the file that the rubric names lies at its top. */
static void add_list(struct found *found, const char *name, const struct list *list)
{
    struct arena *arena = found->arena;
    const struct listed **files = arena_array(arena, const struct listed *, list->count + 1);
    bool *taken = arena_array(arena, bool, list->count + 1);
    bool whole = list->count == 1 && list->items[0].problem && strcmp(list->items[0].path, "?") == 0;
    for (size_t i = 0; i < list->count; i++) {
        files[i] = &list->items[i];
        whole = whole || strcmp(list->items[i].path, found->rubric->file) == 0;
    }
    if (whole) {
        struct owner const owner = {.name = name, .number = ""};
        add_student(found, &owner, files, list->count, true);
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        struct owner const owner = student_of(arena, list->items[i].path);
        size_t count = 0;
        if (taken[i] || owner.none)
            continue;
        for (size_t k = i; k < list->count; k++) {
            struct owner const other =
                taken[k] ? (struct owner){"", "", "", false} : student_of(arena, list->items[k].path);
            bool const same_place =
                *owner.number || strcmp(part_of(arena, list->items[i].path), part_of(arena, list->items[k].path)) == 0;
            if (taken[k] || !same_place || by_student(&owner, &other) != 0)
                continue;
            taken[k] = true;
            files[count++] = &list->items[k];
        }
        add_student(found, &owner, files, count, strchr(list->items[i].path, '/') != NULL);
    }
}

static void add_path(struct found *found, const char *path)
{
    struct list list = {.arena = found->arena};
    const char *name = path_name(path);
    if (is_folder(path)) {
        list_folder(&list, "", path, 0);
        add_list(found, name, &list);
    } else if (archive_is(name)) {
        const char *without = archive_stem(found->arena, name);
        list_packed(&list, "", path);
        bool const one = list.count == 1 && !*owner_of(found->arena, part_of(found->arena, list.items[0].path)).number;
        struct owner const owner = owner_of(found->arena, without);
        const struct listed *only = list.items;
        if (one) /* a student's own */
            add_student(found, &owner, &only, 1, true);
        else
            add_list(found, without, &list);
    } else {
        struct listed const file = {.path = name, .disk = path};
        struct owner const owner = student_of(found->arena, name);
        struct grade_submission *one = add(found, owner.name, path);
        one->number = owner.number;
        add_listed(found, one, &file);
    }
}

static int by_name(const void *a, const void *b)
{
    const struct grade_submission *left = a, *right = b;
    int const order = strcmp(left->name, right->name);
    return order ? order : strcmp(left->number, right->number);
}

/* Two students of one name whose numbers differ get them into their names. */
static void tell_apart(struct found *found)
{
    for (size_t i = 0; i < found->count;) {
        size_t end = i + 1;
        bool apart = false;
        for (; end < found->count && strcmp(found->items[i].name, found->items[end].name) == 0; end++)
            apart = strcmp(found->items[end - 1].number, found->items[end].number) != 0;
        const char *name = found->items[i].name;
        for (size_t k = i; k < end && apart; k++)
            if (*found->items[k].number)
                found->items[k].name = arena_format(found->arena, "%s (%s)", name, found->items[k].number);
        i = end;
    }
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
        add_path(&found, S_ISDIR(there.st_mode) ? whole : path);
        if (found.count > FOUND_MOST)
            return error_set(error, ERROR_INPUT, "there are more than %d submissions", FOUND_MOST);
    }
    if (!found.count) {
        error_set(error, ERROR_INPUT, "there are no submissions");
        return error_remedy(error, "give .cu files, or a folder with a .cu or a folder for each student");
    }
    qsort(found.items, found.count, sizeof *found.items, by_name);
    tell_apart(&found);
    for (size_t i = 1; i < found.count; i++)
        if (strcmp(found.items[i - 1].name, found.items[i].name) == 0)
            return error_set(error, ERROR_INPUT, "two submissions are called '%s': %s and %s", found.items[i].name,
                             found.items[i - 1].path, found.items[i].path);
    *submissions = found.items;
    *count = found.count;
    return true;
}
