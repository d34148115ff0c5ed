#include "base/file.h"
#include "base/output.h"
#include "base/words.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

static const size_t FILE_SIZE_MOST = (size_t)2 << 30;

static bool system_error(struct error *error, const char *path, const char *format)
{
    return error_at(error, ERROR_INPUT, path, 0, 0, format, strerror(errno));
}

bool file_read(struct arena *arena, const char *path, char **bytes, size_t *size, struct error *error)
{
    /* without O_NONBLOCK, a pipe that nobody writes to would be waited for here */
    int const handle = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (handle < 0 || fstat(handle, &status) != 0) {
        system_error(error, path, N_("cannot be opened: %s"));
        if (handle >= 0)
            close(handle);
        return false;
    }
    FILE *file = S_ISREG(status.st_mode) ? fdopen(handle, "rb") : NULL;
    if (!file) {
        close(handle);
        return S_ISDIR(status.st_mode)
                   ? error_at(error, ERROR_INPUT, path, 0, 0, "is a folder, not a file")
                   : error_at(error, ERROR_INPUT, path, 0, 0, "is a device, a pipe or a socket, not a file");
    }
    /* The loop reads until the end of the file: files in /proc report no size. */
    struct {
        char *items;
        size_t count, capacity;
    } text = {0};
    for (;;) {
        text.items = array_grow(text.items, &text.capacity, text.count + 65536, 1);
        size_t const got = fread(text.items + text.count, 1, text.capacity - text.count, file);
        text.count += got;
        if (got == 0 || text.count > FILE_SIZE_MOST)
            break;
    }
    bool const large = text.count > FILE_SIZE_MOST, failed = large || ferror(file) != 0;
    if (large)
        error_at(error, ERROR_INPUT, path, 0, 0, "has more than %zu MiB, the most that is read", FILE_SIZE_MOST >> 20);
    else if (failed)
        system_error(error, path, N_("cannot be read: %s"));
    fclose(file);
    if (!failed) {
        *bytes = arena_text_n(arena, text.items, text.count);
        if (size)
            *size = text.count;
    }
    free(text.items);
    return !failed;
}

bool folder_make(const char *path, struct error *error)
{
    char partial[4096];
    if (snprintf(partial, sizeof partial, "%s", path) >= (int)sizeof partial)
        return error_at(error, ERROR_INPUT, path, 0, 0, "the path is too long");
    for (char *at = partial + 1;; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char const kept = *at;
        *at = '\0';
        if (mkdir(partial, 0777) != 0 && errno != EEXIST)
            return system_error(error, partial, N_("cannot be made: %s"));
        *at = kept;
        if (kept == '\0')
            return true;
    }
}

bool file_write(const char *path, const void *bytes, size_t size, struct error *error)
{
    char folder[OUTPUT_PATH_MOST];
    struct output output;
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash && slash != folder) {
        *slash = '\0';
        if (!folder_make(folder, error))
            return false;
    }
    if (!output_open(&output, path, error))
        return false;
    output_write(&output, bytes, size);
    return output_keep(&output, error);
}

bool path_ends_with(const char *path, const char *ending)
{
    size_t const length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool file_put(int file, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        ssize_t const done = write(file, from, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        from += done;
        size -= (size_t)done;
    }
    return true;
}

bool file_exists(const char *path)
{
    return access(path, R_OK) == 0;
}

bool file_same(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

const char *path_absolute(struct arena *arena, const char *path)
{
    char *absolute = realpath(path, NULL);
    const char *kept = arena_text(arena, absolute ? absolute : path);
    free(absolute);
    return kept;
}

static bool climbs(const char *name)
{
    for (const char *part = name; *part; part += strcspn(part, "/"), part += *part == '/')
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return true;
    return false;
}

const char *path_inside(struct arena *arena, const char *folder, const char *name, struct error *error)
{
    const char *path = arena_format(arena, "%s/%s", folder, name);
    bool inside = *name != '/' && !climbs(name);
    if (inside && access(path, F_OK) == 0) {
        const char *above = path_absolute(arena, folder), *real = path_absolute(arena, path);
        size_t const length = strlen(above);
        inside = strncmp(real, above, length) == 0 && (real[length] == '/' || (length && above[length - 1] == '/'));
    }
    if (inside)
        return path;
    error_at(error, ERROR_INPUT, name, 0, 0, "lies outside the folder of the file that names it");
    return NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t folder_list(struct arena *arena, const char *path, char ***names)
{
    struct {
        char **items;
        size_t count, capacity;
    } found = {0};
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            array_push(&found, arena_text(arena, entry->d_name));
    if (folder)
        closedir(folder);
    *names = arena_list(arena, found);
    qsort(*names, found.count, sizeof **names, compare_names);
    free(found.items);
    return found.count;
}

static const char *find_data(char *path, size_t size)
{
    const char *given = getenv("LANESCOPE_DATA");
    if (given && *given) {
        snprintf(path, size, "%s", given);
        return path;
    }
    char program[4096];
    ssize_t const length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = '\0';
        char *slash = strrchr(program, '/');
        if (slash) {
            *slash = '\0';
            snprintf(path, size, "%s/../share/lanescope", program);
            if (file_exists(path))
                return path;
        }
    }
    snprintf(path, size, "%s", LANESCOPE_SOURCE_FOLDER);
    return path;
}

const char *folder_data(void)
{
    static char path[8192];
    return path[0] ? path : find_data(path, sizeof path);
}

static const char *home_folder(char *path, size_t size, const char *variable, const char *below_home)
{
    const char *base = getenv(variable), *home = getenv("HOME");
    if (base && base[0] == '/')
        snprintf(path, size, "%s/lanescope", base);
    else if (home && home[0] == '/')
        snprintf(path, size, "%s/%s/lanescope", home, below_home);
    else
        return NULL;
    return path;
}

const char *folder_cache(void)
{
    static char path[4096];
    return home_folder(path, sizeof path, "XDG_CACHE_HOME", ".cache");
}

const char *folder_user_data(void)
{
    static char path[4096];
    return home_folder(path, sizeof path, "XDG_DATA_HOME", ".local/share");
}

const char *folder_state(void)
{
    static char path[4096];
    return home_folder(path, sizeof path, "XDG_STATE_HOME", ".local/state");
}

char *data_path(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *rest = arena_format_v(arena, format, arguments);
    va_end(arguments);
    return arena_format(arena, "%s/%s", folder_data(), rest);
}

struct digest digest_of(const void *bytes, size_t size)
{
    XXH128_hash_t const hash = XXH3_128bits(bytes, size);
    struct digest digest;
    snprintf(digest.text, sizeof digest.text, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return digest;
}

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void clock_date(char text[11])
{
    time_t const now = time(NULL);
    struct tm day;
    gmtime_r(&now, &day);
    strftime(text, 11, "%Y-%m-%d", &day);
}
