/* Times are read when a set is opened, traces at the first question for one. Damage is an error that names the file. */
#include "recording/recordings.h"
#include "base/file.h"
#include "recording/bundle.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct recordings {
    struct arena arena;
    const char *name;
    const char *bundle; /* path of the traces; NULL: nothing is recorded */
    struct recorded_times times;
    bool traces_read;
    struct bundle_entry *traces;
    size_t trace_count;
    struct error error; /* of the file of times */
};

void recordings_free(struct recordings *recordings)
{
    if (!recordings)
        return;
    arena_free(&recordings->arena);
    free(recordings);
}

struct recordings *recordings_none(const struct recording_names *names)
{
    struct recordings *recordings = calloc(1, sizeof *recordings);
    if (recordings)
        recordings->name = arena_text(&recordings->arena, names->name);
    return recordings;
}

struct recordings *recordings_open(const char *folder, const struct recording_names *names)
{
    struct recordings *recordings = recordings_none(names);
    if (!recordings)
        return NULL;
    struct arena *arena = &recordings->arena;
    recordings->bundle = arena_format(arena, "%s/%s.traces", folder, names->name);
    const char *path = arena_format(arena, "%s/%s.json", folder, names->name);
    if (!recorded_times_read(arena, path, names, &recordings->times, &recordings->error))
        recordings->times.count = 0;
    return recordings;
}

/* Returns the first GPU folder of assets/recordings that has NAME.`ending`, or NULL. */
static const char *first_folder(struct arena *arena, const char *name, const char *ending)
{
    char **folders;
    size_t const count = folder_list(arena, data_path(arena, "assets/recordings"), &folders);
    for (size_t i = 0; i < count; i++) {
        const char *folder = data_path(arena, "assets/recordings/%s", folders[i]);
        if (file_exists(arena_format(arena, "%s/%s.%s", folder, name, ending)))
            return folder;
    }
    return NULL;
}

struct recordings *recordings_find(const struct recording_names *names)
{
    struct arena arena = {0};
    const char *folder = first_folder(&arena, names->name, "json");
    struct recordings *found = folder ? recordings_open(folder, names) : recordings_none(names);
    const char *other =
        found && found->bundle && !file_exists(found->bundle) ? first_folder(&arena, names->name, "traces") : NULL;
    if (other)
        found->bundle = arena_format(&found->arena, "%s/%s.traces", other, names->name);
    arena_free(&arena);
    return found;
}

size_t recordings_bytes(const char *lesson)
{
    struct arena arena = {0};
    char **folders, **files;
    size_t const length = strlen(lesson);
    size_t most = 0;
    size_t const count = folder_list(&arena, data_path(&arena, "assets/recordings"), &folders);
    for (size_t i = 0; i < count; i++) {
        const char *folder = data_path(&arena, "assets/recordings/%s", folders[i]);
        size_t const file_count = folder_list(&arena, folder, &files);
        size_t sum = 0, bytes;
        char *text;
        for (size_t k = 0; k < file_count; k++)
            if (strncmp(files[k], lesson, length) == 0 && files[k][length] == '.' &&
                file_read(&arena, arena_format(&arena, "%s/%s", folder, files[k]), &text, &bytes, NULL))
                sum += bytes;
        most = sum > most ? sum : most;
    }
    arena_free(&arena);
    return most;
}

const struct error *recordings_damage(const struct recordings *recordings)
{
    return recordings && recordings->error.kind != ERROR_NONE ? &recordings->error : NULL;
}

struct measured_time recordings_time(const struct recordings *recordings, const char *setting)
{
    return recordings ? recorded_times_find(&recordings->times, setting) : (struct measured_time){.source = TIME_NONE};
}

bool recordings_trace(struct recordings *recordings, const char *setting, struct trace **trace, struct error *error)
{
    if (!recordings->bundle) {
        error_set(error, ERROR_MISSING, "there is no recording of lesson %s", recordings->name);
        return error_remedy(error, "use --on emulator");
    }
    if (recordings_damage(recordings)) {
        if (error)
            *error = recordings->error;
        return false;
    }
    const char *path = recordings->bundle;
    if (!recordings->traces_read) {
        char *bytes;
        size_t size;
        if (!file_read(&recordings->arena, path, &bytes, &size, error) ||
            !bundle_unpack(path, (const uint8_t *)bytes, size, &recordings->arena, &recordings->traces,
                           &recordings->trace_count, error))
            return false;
        recordings->traces_read = true;
    }
    for (size_t i = 0; i < recordings->trace_count; i++)
        if (strcmp(recordings->traces[i].name, setting) == 0)
            return trace_unpack(path, recordings->traces[i].bytes, recordings->traces[i].size, trace, error);
    error_set(error, ERROR_MISSING, "no trace of %s was recorded at %s", recordings->name, setting);
    return error_remedy(error, "use --on emulator, which runs every setting");
}

void recording_folder(char *to, size_t size, const char *gpu)
{
    size_t length = 0;
    for (; *gpu && length + 1 < size; gpu++)
        if (isalnum((unsigned char)*gpu))
            to[length++] = (char)tolower((unsigned char)*gpu);
        else if (length && to[length - 1] != '-')
            to[length++] = '-';
    while (length && to[length - 1] == '-')
        length--;
    to[length] = '\0';
}
