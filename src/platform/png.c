#include "base/output.h"
#include "platform/picture.h"
#include <png.h>
#include <stdio.h>

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

static void write_bytes(png_structp png, png_bytep bytes, size_t size)
{
    if (!output_write(png_get_io_ptr(png), bytes, size))
        png_error(png, "the file is not whole");
}

/* A function of its own, so that no local variable lives across libpng's longjmp. */
static bool write_rows(png_structp png, png_infop info, struct output *output, const struct picture *picture)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_write_fn(png, output, write_bytes, NULL);
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

static bool write_png(const struct picture *picture, const char *path, struct error *error)
{
    struct output output;
    if (!output_open(&output, path, error))
        return false;
    char message[128] = "no memory";
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, message, keep_message, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool const written = info && write_rows(png, info, &output, picture);
    png_destroy_write_struct(&png, &info);
    if (written || output.reason)
        return output_keep(&output, error);
    output_drop(&output);
    return error_at(error, ERROR_INPUT, path, 0, 0, "cannot be written: %s", message);
}

const struct picture_format picture_format_png = {.ending = ".png", .write = write_png};
