/* The assignments that come with Lanescope: folders of assets/assignments with a rubric of their name. */
#include "base/file.h"
#include "base/words.h"
#include "grade/grade.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 4 }; /* folders within an assignment */

size_t grade_assignments(struct arena *arena, struct grade_assignment **assignments)
{
    char **names;
    size_t const found = folder_list(arena, data_path(arena, "assets/assignments"), &names);
    struct grade_assignment *list = arena_array(arena, struct grade_assignment, found);
    size_t count = 0;
    for (size_t i = 0; i < found; i++) {
        struct rubric rubric;
        struct error error;
        const char *folder = data_path(arena, "assets/assignments/%s", names[i]);
        if (rubric_load(arena, arena_format(arena, "%s/%s.yaml", folder, names[i]), &rubric, &error))
            list[count++] = (struct grade_assignment){names[i], rubric.title, folder, rubric.file, rubric.points};
    }
    *assignments = list;
    return count;
}

static bool copy_folder(struct arena *arena, const char *from, const char *to, int deep, struct error *error)
{
    char **names;
    size_t const count = folder_list(arena, from, &names);
    if (!folder_make(to, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *source = arena_format(arena, "%s/%s", from, names[i]);
        const char *copy = arena_format(arena, "%s/%s", to, names[i]);
        struct stat found;
        char *bytes;
        size_t size;
        if (lstat(source, &found) != 0)
            return error_at(error, ERROR_INPUT, source, 0, 0, "cannot be read: %s", strerror(errno));
        if (S_ISDIR(found.st_mode) && deep < DEEPEST) {
            if (!copy_folder(arena, source, copy, deep + 1, error))
                return false;
        } else if (!file_read(arena, source, &bytes, &size, error) || !file_write(copy, bytes, size, error)) {
            return false;
        }
    }
    return true;
}

/* Removes what a copy wrote. */
static void remove_folder(struct arena *arena, const char *folder, int deep)
{
    char **names;
    size_t const count = folder_list(arena, folder, &names);
    for (size_t i = 0; i < count; i++) {
        const char *path = arena_format(arena, "%s/%s", folder, names[i]);
        if (unlink(path) != 0 && deep < DEEPEST)
            remove_folder(arena, path, deep + 1);
    }
    rmdir(folder);
}

bool grade_copy_assignment(struct arena *arena, const char *name, const char *to, struct error *error)
{
    struct grade_assignment *list;
    size_t const count = grade_assignments(arena, &list);
    struct stat there;
    size_t i = 0;
    while (i < count && strcmp(list[i].name, name) != 0)
        i++;
    if (i == count) {
        error_set(error, ERROR_INPUT, "no assignment is called '%s'", name);
        return error_remedy(error, "lanescope grade --list names them");
    }
    if (lstat(to, &there) == 0)
        return error_at(error, ERROR_INPUT, to, 0, 0, "is there already: give another folder with -o");
    const char *beside = arena_format(arena, "%s.%ld", to, (long)getpid()); /* renamed when it is whole */
    bool fine = copy_folder(arena, list[i].folder, beside, 0, error);
    if (fine && rename(beside, to) != 0)
        fine = error_at(error, ERROR_INPUT, to, 0, 0, "cannot be written: %s", strerror(errno));
    if (!fine)
        remove_folder(arena, beside, 0);
    return fine;
}
