/* The user's files as clang takes them, under their own names: clang reads texts of ours in their place, so that
 * messages, lines and __FILE__ are the user's. */
#ifndef LANESCOPE_COMPILE_OVERLAY_H
#define LANESCOPE_COMPILE_OVERLAY_H
#include "base/file.h"

struct overlay {
    struct arena *arena;
    const char *folder;          /* where our texts are written */
    const char *const *searched; /* the folders of -I */
    size_t searched_count;
    bool plain; /* host functions of the files are not to be optimised */
    /* Of overlay.c: */
    const char **seen, *entries;
    size_t seen_count, seen_capacity, count;
};
/* Adds a file, at its path from the root, and those that it includes in quotation marks. */
bool overlay_add(struct overlay *overlay, const char *path, struct error *error);
/* Adds the files that a text of this folder includes in quotation marks. */
bool overlay_add_includes(struct overlay *overlay, const char *text, const char *folder, struct error *error);
/* Writes the list for clang's -ivfsoverlay. Returns its path; NULL: every file stays as it is, or there is an error. */
const char *overlay_end(struct overlay *overlay, struct error *error);
#endif
