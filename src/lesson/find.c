/* Finds lessons by name or by folder. A name is searched among the installed lessons, then among the user's own, then
 * in the current folder; a word with a slash is a folder. */
#include "base/file.h"
#include "base/words.h"
#include "lesson/problems.h"
#include <stdlib.h>
#include <string.h>

static bool holds_lesson(struct arena *arena, const char *folder)
{
    return file_exists(arena_format(arena, "%s/lesson.yaml", folder));
}

/* Returns the folder of the user's own lessons, or NULL when the environment names none. */
static const char *own_lessons(struct arena *arena)
{
    const char *data = folder_user_data();
    return data ? arena_format(arena, "%s/lessons", data) : NULL;
}

const char *lesson_find(const char *name, struct arena *arena)
{
    const char *own = own_lessons(arena);
    if (*name == '\0')
        return NULL;
    const char *const folders[] = {data_path(arena, "lessons/%s", name),
                                   own ? arena_format(arena, "%s/%s", own, name) : NULL, name};
    for (size_t i = strchr(name, '/') || name[0] == '.' ? 2 : 0; i < sizeof folders / sizeof folders[0]; i++)
        if (folders[i] && holds_lesson(arena, folders[i]))
            return folders[i];
    return NULL;
}

bool lesson_exists(const char *name)
{
    struct arena arena = {0};
    bool const found = lesson_find(name, &arena) != NULL;
    arena_free(&arena);
    return found;
}

bool lesson_is_named(const struct lesson *lesson, const char *name)
{
    struct arena arena = {0};
    const char *folder = lesson_find(name, &arena);
    bool const named = folder && file_same(lesson->folder, folder);
    arena_free(&arena);
    return named;
}

bool lesson_is_installed(const struct lesson *lesson)
{
    struct arena arena = {0};
    bool const installed = file_same(lesson->folder, data_path(&arena, "lessons/%s", lesson->name));
    arena_free(&arena);
    return installed;
}

bool lesson_none(struct error *error)
{
    error_set(error, ERROR_MISSING, "there are no lessons in %s/lessons", folder_data());
    return error_remedy(error, "set LANESCOPE_DATA to the folder that holds Lanescope's lessons, kernels and assets");
}

struct listing {
    struct lesson **lessons;
    size_t count;
    struct error *errors;
    size_t error_count;
};

static bool is_listed(const struct listing *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->lessons[i]->name, name) == 0)
            return true;
    return false;
}

/* Adds the lessons of one folder in their order. A name that is already listed is skipped. */
static void add_lessons(struct arena *arena, const char *folder, char *const *names, size_t count, struct listing *list)
{
    for (size_t i = 0; i < count; i++) {
        const char *path = arena_format(arena, "%s/%s", folder, names[i]);
        struct lesson *lesson;
        if (!holds_lesson(arena, path) || is_listed(list, names[i]))
            continue;
        if (!lesson_load_folder(path, &lesson, &list->errors[list->error_count])) {
            list->error_count++;
            continue;
        }
        size_t at = list->count++;
        for (; at > 0 && list->lessons[at - 1]->order > lesson->order; at--)
            list->lessons[at] = list->lessons[at - 1];
        list->lessons[at] = lesson;
    }
}

static struct listing list_lessons(struct arena *arena, bool with_own)
{
    const char *const folders[] = {data_path(arena, "lessons"), with_own ? own_lessons(arena) : NULL};
    char **found[2];
    size_t counts[2] = {0};
    for (int i = 0; i < 2; i++)
        counts[i] = folders[i] ? folder_list(arena, folders[i], &found[i]) : 0;
    size_t const most = counts[0] + counts[1];
    struct listing list = {.lessons = arena_array(arena, struct lesson *, most),
                           .errors = arena_array(arena, struct error, most)};
    for (int i = 0; i < 2; i++)
        if (counts[i])
            add_lessons(arena, folders[i], found[i], counts[i], &list);
    return list;
}

size_t lesson_load_all(struct arena *arena, struct lesson ***lessons, struct error **errors, size_t *error_count)
{
    struct listing const list = list_lessons(arena, true);
    *lessons = list.lessons;
    *errors = list.errors;
    *error_count = list.error_count;
    return list.count;
}

static size_t list_names(struct arena *arena, bool with_own, const char ***names, struct error **errors,
                         size_t *error_count)
{
    struct listing const list = list_lessons(arena, with_own);
    *names = arena_array(arena, const char *, list.count);
    for (size_t i = 0; i < list.count; i++) {
        (*names)[i] = arena_text(arena, list.lessons[i]->name);
        lesson_free(list.lessons[i]);
    }
    *errors = list.errors;
    *error_count = list.error_count;
    return list.count;
}

size_t lesson_names(struct arena *arena, const char ***names, struct error **errors, size_t *error_count)
{
    return list_names(arena, true, names, errors, error_count);
}

size_t lesson_names_installed(struct arena *arena, const char ***names, struct error **errors, size_t *error_count)
{
    return list_names(arena, false, names, errors, error_count);
}

/* Sets the error of a path that is there, but no lesson. */
static bool no_lesson(struct arena *arena, const char *path, struct error *error)
{
    char **names;
    if (!file_exists(arena_format(arena, "%s/.", path))) {
        error_at(error, ERROR_INPUT, path, 0, 0, "is neither a lesson nor a .cu, .ptx or .trace file");
        return error_remedy(error, "a lesson is a folder with lesson.yaml, en.md and ko.md");
    }
    error_at(error, ERROR_INPUT, path, 0, 0, "holds no lesson.yaml, so it is not a lesson");
    size_t const count = folder_list(arena, path, &names);
    for (size_t i = 0; i < count; i++)
        if (path_ends_with(names[i], ".cu") || path_ends_with(names[i], ".ptx") || path_ends_with(names[i], ".trace"))
            return error_remedy(
                error, "open a file of it: lanescope %s/%s",
                words_shell(arena,
                            arena_format(arena, "%.*s", (int)(strlen(path) - (path[strlen(path) - 1] == '/')), path)),
                names[i]);
    return error_remedy(error, "a lesson is a folder with lesson.yaml, en.md and ko.md");
}

static bool not_found(struct arena *arena, const char *name, struct error *error)
{
    if (*name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && file_exists(name))
        return no_lesson(arena, name, error);
    const char *own = own_lessons(arena), *const folders[] = {data_path(arena, "lessons"), own}, *all = "";
    for (int i = 0; i < 2; i++) {
        char **names;
        size_t const count = folders[i] ? folder_list(arena, folders[i], &names) : 0;
        for (size_t k = 0; k < count; k++)
            all = arena_format(arena, "%s%s%s", all, *all ? ", " : "", names[k]);
    }
    if (!*all)
        return lesson_none(error);
    error_set(error, ERROR_INPUT, "there is no lesson \"%s\"", name);
    return error_remedy(error, "the lessons are: %s", all);
}

bool lesson_load(const char *name, struct lesson **lesson, struct error *error)
{
    struct arena arena = {0};
    const char *folder = lesson_find(name, &arena);
    *lesson = NULL;
    bool const loaded = folder ? lesson_load_folder(folder, lesson, error) : not_found(&arena, name, error);
    arena_free(&arena);
    return loaded;
}
