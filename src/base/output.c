#include "base/output.h"
#include "base/words.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool cannot_write(const char *path, const char *why, struct error *error)
{
    return error_at(error, ERROR_INPUT, path, 0, 0, N_("cannot be written: %s"), why);
}

/* Returns what stands at the path and is no file that may be replaced, or NULL. */
static const char *in_the_way(const char *path)
{
    struct stat found;
    if (lstat(path, &found) != 0 || S_ISREG(found.st_mode))
        return NULL;
    if (S_ISDIR(found.st_mode))
        return _("a folder has this name");
    return S_ISLNK(found.st_mode) ? _("a symbolic link has this name, and links are not followed")
                                  : _("a device, a pipe or a socket has this name");
}

bool output_open(struct output *output, const char *path, struct error *error)
{
    enum { TRIES = 100 }; /* files that a crash left behind */
    int file = -1;
    *output = (struct output){0};
    const char *obstacle = in_the_way(path);
    if (obstacle)
        return cannot_write(path, obstacle, error);
    if (snprintf(output->path, sizeof output->path, "%s", path) >= (int)sizeof output->path)
        return cannot_write(path, strerror(ENAMETOOLONG), error);
    for (int i = 0; i < TRIES && file < 0; i++) {
        int const length = snprintf(output->beside, sizeof output->beside, "%s.%ld-%d.part", path, (long)getpid(), i);
        errno = ENAMETOOLONG;
        if (length < (int)sizeof output->beside)
            file = open(output->beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST)
            break;
    }
    if (file < 0)
        return cannot_write(path, strerror(errno), error);
    output->stream = fdopen(file, "wb");
    if (output->stream)
        return true;
    close(file);
    unlink(output->beside);
    return cannot_write(path, strerror(errno), error);
}

bool output_write(struct output *output, const void *bytes, size_t size)
{
    if (!output->reason && size > 0 && fwrite(bytes, 1, size, output->stream) != size)
        output->reason = errno;
    return !output->reason;
}

static void close_stream(struct output *output)
{
    if (output->stream && fclose(output->stream) != 0 && !output->reason)
        output->reason = errno;
    output->stream = NULL;
}

bool output_hand_over(struct output *output, struct error *error)
{
    close_stream(output);
    if (!output->reason)
        return true;
    cannot_write(output->path, strerror(output->reason), error);
    output_drop(output);
    return false;
}

bool output_keep(struct output *output, struct error *error)
{
    close_stream(output);
    const char *obstacle = in_the_way(output->path); /* it may have come meanwhile */
    if (!output->reason && !obstacle && rename(output->beside, output->path) == 0)
        return true;
    if (!output->reason && !obstacle)
        output->reason = errno;
    unlink(output->beside);
    return cannot_write(output->path, output->reason ? strerror(output->reason) : obstacle, error);
}

void output_drop(struct output *output)
{
    if (output->stream)
        fclose(output->stream);
    output->stream = NULL;
    unlink(output->beside);
}
