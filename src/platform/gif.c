/* GIF frames have at most 256 colours. Each frame has its own table, made by median cut over the colours in it. Flat
 * pictures have few colours; smooth edges add ramps between pairs of them. */
#include "base/output.h"
#include "platform/picture.h"
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 5, LEVELS = 1 << BITS, CELLS = LEVELS * LEVELS * LEVELS, COLORS = 256 };

struct cell { /* colours with the same upper five bits of each channel */
    uint32_t count;
    uint64_t r, g, b;
    uint8_t index;
};
struct film {
    struct output output;
    GifFileType *file;
    int width, height;
    struct cell *cells;
    uint16_t *used; /* cells with pixels, sorted into boxes */
    GifByteType *row;
};
struct box {
    int first, count; /* range of gif.used */
    uint64_t weight;
    int axis, spread;
};

static void release(struct film **film)
{
    struct film *g = *film;
    if (g->file) {
        EGifCloseFile(g->file, NULL);
        output_drop(&g->output);
    }
    free(g->cells);
    free(g->used);
    free(g->row);
    free(g);
    *film = NULL;
}

static bool failed(struct film **film, int code, const char *what, struct error *error)
{
    const char *reason = GifErrorString(code);
    error_set(error, ERROR_INPUT, "the GIF cannot be %s: %s", what, reason ? reason : "the file could not be written");
    release(film);
    return false;
}

static int write_bytes(GifFileType *file, const GifByteType *bytes, int count)
{
    return output_write(file->UserData, bytes, (size_t)count) ? count : 0;
}

static int level(int cell, int axis)
{
    return cell >> (BITS * (2 - axis)) & (LEVELS - 1);
}

static void measure(const struct film *gif, struct box *box)
{
    int low[3] = {LEVELS, LEVELS, LEVELS}, high[3] = {0, 0, 0};
    box->weight = 0;
    for (int i = box->first; i < box->first + box->count; i++) {
        box->weight += gif->cells[gif->used[i]].count;
        for (int axis = 0; axis < 3; axis++) {
            int l = level(gif->used[i], axis);
            low[axis] = l < low[axis] ? l : low[axis];
            high[axis] = l > high[axis] ? l : high[axis];
        }
    }
    box->axis = 0;
    for (int axis = 1; axis < 3; axis++)
        if (high[axis] - low[axis] > high[box->axis] - low[box->axis])
            box->axis = axis;
    box->spread = high[box->axis] - low[box->axis];
}

/* Sorts the box's cells by its axis. A counting sort suits the few levels, and qsort has no argument for the axis. */
static void sort_box(struct film *gif, const struct box *box, uint16_t *scratch)
{
    int starts[LEVELS + 1] = {0};
    uint16_t *cells = gif->used + box->first;
    for (int i = 0; i < box->count; i++)
        starts[level(cells[i], box->axis) + 1]++;
    for (int l = 0; l < LEVELS; l++)
        starts[l + 1] += starts[l];
    for (int i = 0; i < box->count; i++)
        scratch[starts[level(cells[i], box->axis)]++] = cells[i];
    memcpy(cells, scratch, (size_t)box->count * sizeof *cells);
}

/* Splits boxes until there are 256, and returns their number. It splits the box with the widest spread, with some
 * weight for its number of pixels. */
static int cut_boxes(struct film *gif, struct box boxes[COLORS], int used, uint16_t *scratch)
{
    int count = 1;
    boxes[0] = (struct box){.count = used};
    measure(gif, &boxes[0]);
    while (count < COLORS) {
        int widest = -1;
        double best = 0;
        for (int i = 0; i < count; i++) {
            double weight = (double)boxes[i].spread * (double)boxes[i].spread * (1 + (double)boxes[i].weight * 1e-3);
            if (boxes[i].count > 1 && boxes[i].spread > 0 && weight > best) {
                best = weight;
                widest = i;
            }
        }
        if (widest < 0)
            break;
        struct box *box = &boxes[widest];
        sort_box(gif, box, scratch);
        int half = box->count / 2;
        boxes[count] = (struct box){.first = box->first + half, .count = box->count - half};
        box->count = half;
        measure(gif, box);
        measure(gif, &boxes[count++]);
    }
    return count;
}

static void count_colors(struct film *gif, const struct picture *picture)
{
    memset(gif->cells, 0, CELLS * sizeof *gif->cells);
    size_t pixels = (size_t)picture->width * (size_t)picture->height;
    for (size_t i = 0; i < pixels; i++) {
        const uint8_t *p = picture->pixels + i * 4;
        struct cell *cell = &gif->cells[p[2] >> 3 << 10 | p[1] >> 3 << 5 | p[0] >> 3];
        cell->count++;
        cell->r += p[2];
        cell->g += p[1];
        cell->b += p[0];
    }
}

static ColorMapObject *make_palette(struct film *gif, const struct picture *picture)
{
    struct box boxes[COLORS];
    GifColorType colors[COLORS] = {0};
    int used = 0;
    count_colors(gif, picture);
    for (int i = 0; i < CELLS; i++)
        if (gif->cells[i].count)
            gif->used[used++] = (uint16_t)i;
    int count = cut_boxes(gif, boxes, used, gif->used + CELLS);
    for (int i = 0; i < count; i++) {
        uint64_t r = 0, g = 0, b = 0, n = 0;
        for (int k = boxes[i].first; k < boxes[i].first + boxes[i].count; k++) {
            struct cell *cell = &gif->cells[gif->used[k]];
            cell->index = (uint8_t)i;
            r += cell->r;
            g += cell->g;
            b += cell->b;
            n += cell->count;
        }
        colors[i] = (GifColorType){(GifByteType)(r / n), (GifByteType)(g / n), (GifByteType)(b / n)};
    }
    return GifMakeMapObject(COLORS, colors);
}

static bool start(struct film **out, const struct picture *picture, const char *path, struct error *error)
{
    struct film *gif = *out = calloc(1, sizeof *gif);
    if (!gif) {
        error_set(error, ERROR_MISSING, "no memory for a GIF");
        return false;
    }
    gif->width = picture->width;
    gif->height = picture->height;
    gif->cells = calloc(CELLS, sizeof *gif->cells);
    gif->used = calloc(2 * CELLS, sizeof *gif->used); /* the second half is scratch space for sorting */
    gif->row = calloc((size_t)picture->width, 1);
    if (!gif->cells || !gif->used || !gif->row)
        return failed(out, E_GIF_ERR_NOT_ENOUGH_MEM, "made", error);
    int code = 0;
    if (!output_open(&gif->output, path, error)) {
        release(out);
        return false;
    }
    gif->file = EGifOpen(&gif->output, write_bytes, &code);
    if (!gif->file) {
        output_drop(&gif->output);
        return failed(out, code, "written", error);
    }
    EGifSetGifVersion(gif->file, true);
    const unsigned char forever[] = {1, 0, 0}; /* repeat without end, for slides */
    if (EGifPutScreenDesc(gif->file, gif->width, gif->height, 8, 0, NULL) == GIF_ERROR ||
        EGifPutExtensionLeader(gif->file, APPLICATION_EXT_FUNC_CODE) == GIF_ERROR ||
        EGifPutExtensionBlock(gif->file, 11, "NETSCAPE2.0") == GIF_ERROR ||
        EGifPutExtensionBlock(gif->file, sizeof forever, forever) == GIF_ERROR ||
        EGifPutExtensionTrailer(gif->file) == GIF_ERROR)
        return failed(out, gif->file->Error, "written", error);
    return true;
}

static bool put_frame(struct film *gif, const struct picture *picture, ColorMapObject *palette, int hundredths)
{
    GraphicsControlBlock control = {.DisposalMode = DISPOSE_DO_NOT, .DelayTime = hundredths, .TransparentColor = -1};
    GifByteType bytes[4];
    EGifGCBToExtension(&control, bytes);
    if (EGifPutExtension(gif->file, GRAPHICS_EXT_FUNC_CODE, sizeof bytes, bytes) == GIF_ERROR ||
        EGifPutImageDesc(gif->file, 0, 0, gif->width, gif->height, false, palette) == GIF_ERROR)
        return false;
    for (int y = 0; y < gif->height; y++) {
        const uint8_t *p = picture->pixels + (size_t)y * (size_t)picture->width * 4;
        for (int x = 0; x < gif->width; x++, p += 4)
            gif->row[x] = gif->cells[p[2] >> 3 << 10 | p[1] >> 3 << 5 | p[0] >> 3].index;
        if (EGifPutLine(gif->file, gif->row, gif->width) == GIF_ERROR)
            return false;
    }
    return true;
}

static bool add_frame(struct film **out, const struct picture *picture, int hundredths, const char *path,
                      struct error *error)
{
    if (!*out && !start(out, picture, path, error))
        return false;
    struct film *gif = *out;
    if (picture->width != gif->width || picture->height != gif->height)
        return failed(out, E_GIF_ERR_DATA_TOO_BIG, "continued in another size", error);
    ColorMapObject *palette = make_palette(gif, picture);
    bool put = palette && put_frame(gif, picture, palette, hundredths);
    GifFreeMapObject(palette);
    return put || failed(out, gif->file->Error, "written", error);
}

static bool finish(struct film **out, struct error *error)
{
    struct film *gif = *out;
    int code = 0;
    bool const closed = EGifCloseFile(gif->file, &code) == GIF_OK;
    gif->file = NULL;
    bool kept;
    if (closed || gif->output.reason) {
        kept = output_keep(&gif->output, error);
    } else {
        output_drop(&gif->output);
        kept = error_set(error, ERROR_INPUT, "the GIF cannot be finished: %s", GifErrorString(code));
    }
    release(out);
    return kept;
}

static bool write_gif(const struct picture *picture, const char *path, struct error *error)
{
    struct film *film = NULL;
    return add_frame(&film, picture, 0, path, error) && finish(&film, error);
}

const struct picture_format picture_format_gif = {
    .ending = ".gif", .write = write_gif, .add_frame = add_frame, .finish = finish, .drop = release};
