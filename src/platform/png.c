#include "platform/picture.h"
#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void keep_message(png_structp png, png_const_charp message)
{
    snprintf(png_get_error_ptr(png), 128, "%s", message);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* A function of its own, so that no local variable lives across libpng's longjmp. */
static bool write_rows(png_structp png, png_infop info, FILE *file, const struct picture *picture)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 6);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP | PNG_FILTER_NONE);
    png_write_info(png, info);
    png_set_bgr(png);
    png_set_filler(png, 0, PNG_FILLER_AFTER); /* drops the alpha byte */
    for (int y = 0; y < picture->height; y++)
        png_write_row(png, picture->pixels + (size_t)y * (size_t)picture->width * 4);
    png_write_end(png, info);
    return true;
}

/* Returns whether the path names a file that can be replaced as a whole: not a device such as /dev/null. */
static bool replaceable(const char *path)
{
    struct stat status;
    return lstat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/* Writes beside the file and renames the result, so that nobody finds half a picture. */
static bool write_png(const struct picture *picture, const char *path, struct error *error)
{
    char beside[4096];
    bool const replaces = replaceable(path) && snprintf(beside, sizeof beside, "%s.part", path) < (int)sizeof beside;
    const char *to = replaces ? beside : path;
    FILE *file = fopen(to, "wb");
    if (!file)
        return error_set(error, ERROR_INPUT, "%s cannot be written: %s", path, strerror(errno));
    char message[128] = "no memory";
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, message, keep_message, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool written = info && write_rows(png, info, file, picture);
    png_destroy_write_struct(&png, &info);
    bool closed = fclose(file) == 0;
    if (written && closed && (!replaces || rename(to, path) == 0))
        return true;
    if (replaces)
        remove(to);
    return error_set(error, ERROR_INPUT, "%s cannot be written: %s", path, written ? strerror(errno) : message);
}

const struct picture_format picture_format_png = {.ending = ".png", .write = write_png};
