#include "platform/picture.h"
#include "base/file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct picture_format *const formats[] = {
#define PICTURE_FORMAT(name) &picture_format_##name,
#include "platform/pictures.def"
#undef PICTURE_FORMAT
};
enum { FORMATS = sizeof formats / sizeof *formats };

bool picture_new(struct picture *picture, int width, int height, struct error *error)
{
    *picture = (struct picture){.width = width, .height = height};
    if (width < 1 || height < 1 || width > 16384 || height > 16384)
        return error_set(error, ERROR_INPUT,
                         "a picture of %d x %d pixels cannot be drawn; use 1 to 16384 pixels in each direction", width,
                         height);
    picture->pixels = calloc((size_t)width * (size_t)height, 4);
    return picture->pixels ||
           error_set(error, ERROR_MISSING, "no memory for a picture of %d x %d pixels", width, height);
}

void picture_free(struct picture *picture)
{
    free(picture->pixels);
    *picture = (struct picture){0};
}

static bool has_ending(const char *path)
{
    return strchr(path_name(path), '.') != NULL;
}

const struct picture_format *picture_format_of(const char *path, bool frames, struct error *error)
{
    char known[128] = "";
    for (size_t i = 0; i < FORMATS; i++) {
        if (frames && !formats[i]->add_frame)
            continue;
        if (!has_ending(path) || path_ends_with(path, formats[i]->ending))
            return formats[i];
        size_t const length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", length ? ", " : "", formats[i]->ending);
    }
    error_set(error, ERROR_INPUT, "'%s' has no known ending of a picture: %s", path, known);
    return NULL;
}
