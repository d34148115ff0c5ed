#include "base/file.h"
#include "screen/folder.h"
#include <string.h>

static bool can_be_opened(const char *name)
{
    return path_ends_with(name, ".cu") || path_ends_with(name, ".ptx") || path_ends_with(name, ".trace");
}

void folder_show(struct folder *folder, const char *path)
{
    struct arena arena = {0};
    char **names;
    const char *whole = path_absolute(&arena, path);
    size_t const count = folder_list(&arena, whole, &names);
    struct folder next = {.open = true, .arena = arena, .path = whole};
    next.entries = arena_array(&next.arena, struct folder_entry, count + 1);
    next.entries[next.count++] = (struct folder_entry){"..", true};
    for (int files = 0; files < 2; files++)
        for (size_t i = 0; i < count; i++) {
            const char *at = arena_format(&next.arena, "%s/%s/.", whole, names[i]);
            bool const is_folder = file_exists(at);
            if (names[i][0] != '.' && is_folder == !files && (is_folder || can_be_opened(names[i])))
                next.entries[next.count++] = (struct folder_entry){names[i], is_folder};
        }
    next.chosen = next.count > 1 ? 1 : 0;
    arena_free(&folder->arena);
    *folder = next;
}

const char *folder_choose(struct folder *folder, size_t entry)
{
    if (entry >= folder->count)
        return NULL;
    const char *path = arena_format(&folder->arena, "%s/%s", folder->path, folder->entries[entry].name);
    if (!folder->entries[entry].folder)
        return path;
    folder_show(folder, path);
    return NULL;
}

void folder_close(struct folder *folder)
{
    arena_free(&folder->arena);
    *folder = (struct folder){0};
}
