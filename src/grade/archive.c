#include "grade/archive.h"
#include "base/file.h"
#include "base/words.h"
#include "grade/grade.h"
#include <string.h>

static const char *const endings[] = {".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".zip",
                                      ".tar",    ".tgz",     ".tbz2",   ".txz",     ".7z"};

static const char *ending_of(const char *name)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (path_ends_with(name, endings[i]))
            return endings[i];
    return NULL;
}

bool archive_is(const char *name)
{
    return ending_of(name) != NULL;
}

const char *archive_stem(struct arena *arena, const char *name)
{
    const char *ending = ending_of(name);
    return arena_text_n(arena, name, strlen(name) - (ending ? strlen(ending) : 0));
}

#ifndef LANESCOPE_ARCHIVES
const char *archive_read_all(struct arena *arena, const char *name, const void *bytes, size_t size, size_t most,
                             struct archive_file **files, size_t *count)
{
    (void)bytes;
    (void)size;
    (void)most;
    *files = NULL;
    *count = 0;
    return arena_format(arena, _("%s is an archive, and this Lanescope was built without libarchive: unpack it"), name);
}
#else
#include <archive.h>
#include <archive_entry.h>

enum { FILES_MOST = 10000, FOLDERS_MOST = 16 };
static const la_int64_t UNPACKED_MOST = INT64_C(1) << 30;

struct reader {
    struct arena *arena;
    const char *name;
    struct archive *archive;
    la_int64_t unpacked;
    size_t kept, most;
    size_t seen;
    struct archive_file *files;
    size_t count, capacity;
};

static struct archive *open_archive(const void *bytes, size_t size)
{
    struct archive *archive = archive_read_new();
    if (!archive)
        return NULL;
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_support_format_zip(archive);
    archive_read_support_format_tar(archive);
    archive_read_support_format_7zip(archive);
    if (archive_read_open_memory(archive, bytes, size) == ARCHIVE_OK)
        return archive;
    archive_read_free(archive);
    return NULL;
}

/* Returns whether a path stays below where it begins. */
static bool stays(const char *path)
{
    int folders = 0;
    if (*path == '/' || *path == '\\' || (*path && path[1] == ':'))
        return false;
    for (const char *at = path; *at; at += strspn(at, "/\\")) {
        size_t const length = strcspn(at, "/\\");
        if (length == 2 && strncmp(at, "..", 2) == 0)
            return false;
        folders++;
        at += length;
    }
    return folders <= FOLDERS_MOST;
}

/* Returns whether a file is of no one: what macOS and editors leave. */
static bool is_hidden(const char *path)
{
    return *path == '.' ? path[1] != '/' || is_hidden(path + 2)
                        : strstr(path, "/.") || strncmp(path, "__MACOSX/", 9) == 0;
}

/* Returns the path with slashes, without "./" in front. */
static const char *plain_path(struct arena *arena, const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    char *plain = arena_text(arena, path);
    for (char *at = plain; *at; at++)
        if (*at == '\\')
            *at = '/';
    return plain;
}

static const char *too_much(const struct reader *reader, la_int64_t most)
{
    return arena_format(reader->arena, _("%s unpacks to more than %d MiB"), reader->name, (int)(most >> 20));
}

/* Reads the file where the reader stands, of a size that its entry tells or does not. Returns NULL, or what is wrong
 * with it. */
static const char *take(struct reader *reader, const char *path, la_int64_t told, size_t most)
{
    size_t size = 0, capacity = told > 0 && (size_t)told <= most ? (size_t)told + 1 : 1;
    char *bytes = arena_alloc(reader->arena, capacity);
    const void *block;
    size_t length;
    la_int64_t offset;
    int status;
    while ((status = archive_read_data_block(reader->archive, &block, &length, &offset)) == ARCHIVE_OK) {
        if (offset < 0 || (size_t)offset != size || length > most - size)
            return arena_format(reader->arena, _("%s has a file of more than %zu KiB: %s"), reader->name, most >> 10,
                                path);
        reader->kept += length;
        if (reader->kept > reader->most)
            return too_much(reader, (la_int64_t)reader->most);
        while (size + length + 1 > capacity)
            bytes = arena_grow(reader->arena, bytes, capacity, &capacity, 1);
        memcpy(bytes + size, block, length);
        size += length;
    }
    if (status != ARCHIVE_EOF)
        return arena_format(reader->arena, _("%s cannot be unpacked: %s"), reader->name,
                            archive_error_string(reader->archive));
    bytes[size] = '\0';
    reader->files =
        arena_grow(reader->arena, reader->files, reader->count, &reader->capacity, sizeof(struct archive_file));
    reader->files[reader->count++] = (struct archive_file){plain_path(reader->arena, path), bytes, size};
    return NULL;
}

static const char *look_at(struct reader *reader, struct archive_entry *entry)
{
    struct arena *arena = reader->arena;
    const char *path = archive_entry_pathname_utf8(entry);
    path = path ? path : archive_entry_pathname(entry);
    if (!path)
        return arena_format(arena, _("%s has a file whose name cannot be read"), reader->name);
    path = words_clean(arena_text(arena, path));
    if (++reader->seen > FILES_MOST)
        return arena_format(arena, _("%s has more than %d files"), reader->name, FILES_MOST);
    if (!stays(path))
        return arena_format(arena, _("%s has a path that leaves it: %s"), reader->name, path);
    if (archive_entry_symlink(entry) || archive_entry_hardlink(entry))
        return arena_format(arena, _("%s has a link: %s"), reader->name, path);
    if (archive_entry_filetype(entry) == AE_IFDIR)
        return NULL;
    if (archive_entry_filetype(entry) != AE_IFREG)
        return arena_format(arena, _("%s has something that is no file: %s"), reader->name, path);
    la_int64_t const told = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : 0;
    if (told < 0 || told > UNPACKED_MOST || (reader->unpacked += told) > UNPACKED_MOST)
        return too_much(reader, UNPACKED_MOST);
    if (is_hidden(path))
        return NULL;
    return path_ends_with(path, ".cu") ? take(reader, path, told, ARCHIVE_SOURCE_MOST)
           : archive_is(path)          ? take(reader, path, told, ARCHIVE_INNER_MOST)
                                       : NULL;
}

const char *archive_read_all(struct arena *arena, const char *name, const void *bytes, size_t size, size_t most,
                             struct archive_file **files, size_t *count)
{
    struct reader reader = {.arena = arena, .name = name, .most = most, .archive = open_archive(bytes, size)};
    struct archive_entry *entry;
    const char *wrong = NULL;
    int status = ARCHIVE_FATAL;
    while (reader.archive && !wrong &&
           ((status = archive_read_next_header(reader.archive, &entry)) == ARCHIVE_OK || status == ARCHIVE_WARN))
        wrong = look_at(&reader, entry);
    if (!wrong && status != ARCHIVE_EOF)
        wrong =
            arena_format(arena, _("%s cannot be unpacked: %s"), name,
                         reader.archive && archive_error_string(reader.archive) ? archive_error_string(reader.archive)
                                                                                : _("it is no archive"));
    if (reader.archive)
        archive_read_free(reader.archive);
    *files = reader.files;
    *count = wrong ? 0 : reader.count;
    return wrong;
}
#endif

bool grade_reads_archives(void)
{
#ifdef LANESCOPE_ARCHIVES
    return true;
#else
    return false;
#endif
}
