/* A list of a folder, to choose a file where the desktop has no chooser of its own. */
#ifndef LANESCOPE_SCREEN_FOLDER_H
#define LANESCOPE_SCREEN_FOLDER_H
#include "base/arena.h"
#include <stdbool.h>

struct folder_entry {
    const char *name; /* ".." first, then folders, then files */
    bool folder;
};
struct folder {
    bool open;
    struct arena arena;
    const char *path;
    struct folder_entry *entries;
    size_t count, chosen;
    char typed[128]; /* the beginning of an entry's name */
};
/* Lists the folder: its subfolders, and the files that can be opened. Hidden ones are left out. */
void folder_show(struct folder *folder, const char *path);
/* Opens an entry: a subfolder is listed. Returns the path of a file, in the folder's arena; NULL: it is a folder. */
const char *folder_choose(struct folder *folder, size_t entry);
void folder_close(struct folder *folder);
#endif
