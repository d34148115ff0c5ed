#include "compile/process.h"
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool process_find(const char *name, char *found, size_t size)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t const length = strcspn(path, ":");
        snprintf(found, size, "%.*s/%s", (int)length, path, name);
        if (length > 0 && *path == '/' && access(found, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

int process_run(const char *const *arguments, const char *folder, const char *output)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    pid_t child = 0;
    bool const started =
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, 1, 2) == 0 &&
        posix_spawn_file_actions_addchdir_np(&actions, folder) == 0 &&
        posix_spawn(&child, arguments[0], &actions, NULL, (char *const *)arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    if (!started)
        return -1;
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool workplace_open(struct workplace *place)
{
    const char *temporary = getenv("TMPDIR");
    int const length = snprintf(place->folder, sizeof place->folder, "%s/lanescope-XXXXXX",
                                temporary && *temporary == '/' ? temporary : "/tmp");
    return length < (int)sizeof place->folder && mkdtemp(place->folder) != NULL;
}

void workplace_close(struct arena *arena, const struct workplace *place)
{
    char **names = NULL;
    size_t const count = folder_list(arena, place->folder, &names);
    for (size_t i = 0; i < count; i++)
        unlink(arena_format(arena, "%s/%s", place->folder, names[i]));
    rmdir(place->folder);
}
