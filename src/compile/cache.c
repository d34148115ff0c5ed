#include "compile/cache.h"
#include "base/file.h"
#include "base/output.h"
#include <sys/stat.h>
#include <unistd.h>

static bool is_own(const struct stat *found)
{
    return found->st_uid == geteuid() && !(found->st_mode & (S_IWGRP | S_IWOTH));
}

/* Writes the path of the folder that holds `path`, which has a slash. */
static const char *folder_of(const char *path, char folder[OUTPUT_PATH_MOST])
{
    snprintf(folder, OUTPUT_PATH_MOST, "%.*s", (int)(path_name(path) - path) - 1, path);
    return folder;
}

bool cache_trusts(const char *path)
{
    struct stat file, folder;
    char above[OUTPUT_PATH_MOST];
    return lstat(path, &file) == 0 && S_ISREG(file.st_mode) && is_own(&file) &&
           lstat(folder_of(path, above), &folder) == 0 && S_ISDIR(folder.st_mode) && is_own(&folder);
}

bool cache_store(const char *path, const void *bytes, size_t size, bool program)
{
    struct output output;
    char folder[OUTPUT_PATH_MOST];
    if (!folder_make(folder_of(path, folder), NULL) || chmod(folder, 0700) != 0 || !output_open(&output, path, NULL))
        return false;
    bool const closed = fchmod(fileno(output.stream), program ? 0700 : 0600) == 0;
    output_write(&output, bytes, size);
    if (closed)
        return output_keep(&output, NULL);
    output_drop(&output);
    return false;
}
