/* Grey pictures side by side: the array that the kernel reads, the one that it writes, and the pixels where the result
 * is not as expected. On them: the block's tile, all that the block reads, the pixels of this access, and the window of
 * one pixel. */
#include "view/stage.h"
#include <math.h>
#include <string.h>

enum { LEVELS = 24, PICTURES = 3, CLASS_LEAST = 230 /* units */ };

/* Pixels from (left, top) to (right, bottom), the last ones included. */
struct frame {
    bool known;
    int64_t left, top, right, bottom;
};

struct pictures {
    const struct launch_picture *of;
    const struct trace_buffer *input, *output;
    int count;                   /* of pictures shown */
    struct rect areas[PICTURES]; /* input, output, difference */
    uint64_t step;               /* pixels along one side of a cell: 1, or more where the room is small */
    float cell;                  /* pixels of the screen */
    double black, white;
};

static const struct trace_buffer *buffer_named(const struct trace *trace, const char *name)
{
    for (uint32_t i = 0; i < trace->buffer_count; i++)
        if (strcmp(trace->buffers[i].name, name) == 0)
            return &trace->buffers[i];
    return NULL;
}

static void widen(const double *numbers, uint64_t count, double *black, double *white)
{
    for (uint64_t i = 0; numbers && i < count; i++) {
        *black = numbers[i] < *black ? numbers[i] : *black;
        *white = numbers[i] > *white ? numbers[i] : *white;
    }
}

static bool find_pictures(const struct view *view, struct pictures *pictures)
{
    const struct launch_picture *of = view->scene->picture;
    *pictures = (struct pictures){.of = of};
    if (!of || !view->scene->trace)
        return false;
    pictures->input = buffer_named(view->scene->trace, of->input_name);
    pictures->output = buffer_named(view->scene->trace, of->output_name);
    pictures->count = !of->output ? 1 : !of->expected ? 2 : 3;
    widen(of->input, of->rows * of->columns, &pictures->black, &pictures->white);
    widen(of->expected ? of->expected : of->output, of->rows * of->columns, &pictures->black, &pictures->white);
    return pictures->input && pictures->output && pictures->white > pictures->black;
}

static float caption_height(const struct view *view)
{
    return 26 * view->ui->unit;
}

/* Places the pictures in the box. A pixel is a whole number of screen pixels wide, so that all are alike; where there
 * is no room for that, a cell stands for several pixels. */
static void arrange(const struct view *view, struct pictures *pictures, struct rect box)
{
    float const gap = 16 * view->ui->unit, least = 2;
    float const wide = (box.w - gap * (PICTURES - 1)) / PICTURES,
                high = box.h - 2 * caption_height(view) - 4 * view->ui->unit;
    uint64_t const rows = pictures->of->rows, columns = pictures->of->columns;
    for (pictures->step = 1;; pictures->step++) {
        uint64_t const across = (columns + pictures->step - 1) / pictures->step,
                       down = (rows + pictures->step - 1) / pictures->step;
        pictures->cell = floorf(fminf(wide / (float)across, high / (float)down));
        if (pictures->cell >= least || (across == 1 && down == 1))
            break;
    }
    pictures->cell = fmaxf(pictures->cell, 1);
    float const scale = pictures->cell / (float)pictures->step;
    for (int i = 0; i < PICTURES; i++)
        pictures->areas[i] =
            (struct rect){floorf(box.x + (float)i * ((float)columns * scale + gap)),
                          floorf(box.y + caption_height(view)), (float)columns * scale, (float)rows * scale};
}

struct panel_size panel_picture_size(const struct view *view)
{
    struct pictures pictures;
    float const u = view->ui->unit;
    if (view->stage->fault || !find_pictures(view, &pictures))
        return NOT_SHOWN;
    struct rect const columns = view_columns(view, (struct rect){0, 0, 0, 1e6f});
    arrange(view, &pictures, columns);
    struct panel_size size = panel_access_size(view, 2 * caption_height(view) + pictures.areas[0].h + 14 * u);
    if (view->stage->compact && !view->stage->covered) /* a class has to read the letters in it */
        size.least = fminf(size.best, CLASS_LEAST);
    return size;
}

/* Returns the mean of a cell's pixels. */
static double mean_of(const struct pictures *pictures, const double *numbers, uint64_t row, uint64_t column)
{
    double sum = 0, count = 0;
    for (uint64_t y = row; y < row + pictures->step && y < pictures->of->rows; y++)
        for (uint64_t x = column; x < column + pictures->step && x < pictures->of->columns; x++) {
            sum += numbers[y * pictures->of->columns + x];
            count++;
        }
    return sum / count;
}

/* Returns the grey level of a cell of a picture, from 0. The difference is white where all is as expected. */
static int level_of(const struct pictures *pictures, int picture, uint64_t row, uint64_t column)
{
    const struct launch_picture *of = pictures->of;
    double value;
    if (picture == 2) {
        bool same = true;
        for (uint64_t y = row; y < row + pictures->step && y < of->rows; y++)
            for (uint64_t x = column; x < column + pictures->step && x < of->columns; x++)
                same = same && of->output[y * of->columns + x] == of->expected[y * of->columns + x];
        return same ? LEVELS - 1 : 0;
    }
    value = mean_of(pictures, picture ? of->output : of->input, row, column);
    double const part = (value - pictures->black) / (pictures->white - pictures->black);
    return (int)(fmin(fmax(part, 0), 1) * (LEVELS - 1) + 0.5);
}

static struct rect pixels_box(const struct pictures *pictures, int picture, int64_t left, int64_t top, int64_t right,
                              int64_t bottom)
{
    float const scale = pictures->cell / (float)pictures->step;
    struct rect const area = pictures->areas[picture];
    return (struct rect){area.x + scale * (float)left, area.y + scale * (float)top, scale * (float)(right - left + 1),
                         scale * (float)(bottom - top + 1)};
}

static struct color grey(const struct view *view, int level)
{
    uint8_t const tone = (uint8_t)(255 * level / (LEVELS - 1));
    struct color const color = {tone, tone, tone, 255};
    return view->dim ? color_mix(color, ui_color(view->ui, COLOR_BACKGROUND), 0.6f) : color;
}

/* Draws one picture: equal neighbours of a row are one rectangle. */
static void draw_picture(struct view *view, const struct pictures *pictures, int picture)
{
    struct draw_list *draw = &view->ui->draw;
    uint64_t const rows = pictures->of->rows, columns = pictures->of->columns, step = pictures->step;
    struct color const wrong = view_color(view, COLOR_CONFLICT);
    draw_fill(draw, pictures->areas[picture], 0, grey(view, LEVELS - 1));
    for (uint64_t row = 0; row < rows; row += step)
        for (uint64_t from = 0, to; from < columns; from = to) {
            int const level = level_of(pictures, picture, row, from);
            for (to = from + step; to < columns && level_of(pictures, picture, row, to) == level; to += step)
                ;
            uint64_t const last = (to < columns ? to : columns) - 1,
                           bottom = (row + step < rows ? row + step : rows) - 1;
            struct rect const box =
                pixels_box(pictures, picture, (int64_t)from, (int64_t)row, (int64_t)last, (int64_t)bottom);
            if (level < LEVELS - 1) /* white is there already */
                draw_fill(draw, box, 0, picture == 2 ? wrong : grey(view, level));
        }
    draw_outline(draw, pictures->areas[picture], 0, hairline(view->ui), view_color(view, COLOR_IDLE));
}

/* Finds the pixel of an array that lies at an address. */
static bool pixel_at(const struct pictures *pictures, const struct trace_buffer *buffer, uint64_t address, int64_t *x,
                     int64_t *y)
{
    uint64_t const size = ptx_type_size(buffer->type);
    if (address < buffer->address || (address - buffer->address) / size >= pictures->of->rows * pictures->of->columns)
        return false;
    uint64_t const pixel = (address - buffer->address) / size;
    *x = (int64_t)(pixel % pictures->of->columns);
    *y = (int64_t)(pixel / pictures->of->columns);
    return true;
}

static void include(struct frame *frame, int64_t x, int64_t y)
{
    if (!frame->known)
        *frame = (struct frame){true, x, y, x, y};
    frame->left = x < frame->left ? x : frame->left;
    frame->right = x > frame->right ? x : frame->right;
    frame->top = y < frame->top ? y : frame->top;
    frame->bottom = y > frame->bottom ? y : frame->bottom;
}

/* Finds the pixels that the block reads and those that it writes, and the pixel that one lane of this warp writes. */
static void find_frames(const struct view *view, const struct pictures *pictures, int lane, struct frame *reads,
                        struct frame *writes, struct frame *own)
{
    const struct playback *playback = view->scene->playback;
    *reads = *writes = *own = (struct frame){0};
    for (size_t at = 0; at < playback->count; at++) {
        const struct trace_event *event = playback_event(playback, at);
        const struct trace_site *site = playback_site(playback, at);
        if (!site || event->kind != TRACE_ACCESS || trace_space(site, event) != PTX_SPACE_GLOBAL)
            continue;
        const uint64_t *addresses = trace_addresses(playback->trace, event);
        for (int i = 0; i < WARP_LANES; i++) {
            int64_t x, y;
            if (!(event->mask >> i & 1))
                continue;
            if (site->operation == TRACE_LOAD && pixel_at(pictures, pictures->input, addresses[i], &x, &y))
                include(reads, x, y);
            if (site->operation != TRACE_STORE || !pixel_at(pictures, pictures->output, addresses[i], &x, &y))
                continue;
            include(writes, x, y);
            if (i == lane && event->warp == view->scene->warp)
                include(own, x, y);
        }
    }
}

static void draw_frame(struct view *view, const struct pictures *pictures, int picture, const struct frame *frame,
                       bool dashed, enum color_role role)
{
    float const width = fmaxf(2, 2 * view->ui->unit);
    if (!frame->known)
        return;
    struct rect const inside = pixels_box(pictures, picture, frame->left, frame->top, frame->right, frame->bottom);
    struct rect const box = rect_inset(inside, -width, -width);
    /* On greys of any level, a frame is seen by its casing. */
    struct color const casing = role == COLOR_CURSOR ? view_color(view, COLOR_CURSOR_RING) : grey(view, LEVELS - 1);
    draw_outline(&view->ui->draw, rect_inset(box, -1, -1), 0, width + 2, casing);
    if (dashed)
        draw_outline_dashed(&view->ui->draw, box, 0, width, 6 * view->ui->unit, view_color(view, role));
    else
        draw_outline(&view->ui->draw, box, 0, width, view_color(view, role));
}

/* Draws the pixels of this access. */
static void draw_access(struct view *view, const struct pictures *pictures)
{
    const struct scene *scene = view->scene;
    if (!scene->event || scene->event->kind != TRACE_ACCESS || !scene->addresses || scene->kind != SCENE_GLOBAL)
        return;
    for (int i = 0; i < WARP_LANES; i++) {
        int64_t x, y;
        for (int picture = 0; picture < 2 && picture < pictures->count && (scene->event->mask >> i & 1); picture++)
            if (pixel_at(pictures, picture ? pictures->output : pictures->input, scene->addresses[i], &x, &y)) {
                struct rect const box = pixels_box(pictures, picture, x, y, x, y);
                draw_fill(&view->ui->draw, box, 0, view_color(view, COLOR_ACCESS));
                view_heat(view, box, 1u << i);
            }
    }
}

/* Returns the window of a pixel, as far as it lies in the picture. */
static struct frame window_of(const struct pictures *pictures, int64_t x, int64_t y)
{
    int64_t const radius = (int64_t)pictures->of->window / 2, right = (int64_t)pictures->of->columns - 1,
                  bottom = (int64_t)pictures->of->rows - 1;
    return (struct frame){pictures->of->window > 0, x > radius ? x - radius : 0, y > radius ? y - radius : 0,
                          x + radius < right ? x + radius : right, y + radius < bottom ? y + radius : bottom};
}

/* Returns the pixel under the mouse, in any of the pictures, and says its values. */
static struct frame pixel_under_mouse(struct view *view, const struct pictures *pictures)
{
    struct ui *ui = view->ui;
    const struct launch_picture *of = pictures->of;
    float const scale = pictures->cell / (float)pictures->step;
    for (int i = 0; i < pictures->count; i++) {
        if (!ui_hovered(ui, pictures->areas[i]))
            continue;
        int64_t const x = (int64_t)((ui->input.mouse.x - pictures->areas[i].x) / scale),
                      y = (int64_t)((ui->input.mouse.y - pictures->areas[i].y) / scale);
        if (x < 0 || y < 0 || x >= (int64_t)of->columns || y >= (int64_t)of->rows)
            continue;
        uint64_t const at = (uint64_t)y * of->columns + (uint64_t)x;
        const char *text = arena_format(view->arena, _("row %lld, column %lld: %s = %.6g"), (long long)y, (long long)x,
                                        of->input_name, of->input[at]);
        if (of->output)
            text = arena_format(view->arena, "%s, %s = %.6g", text, of->output_name, of->output[at]);
        if (of->output && of->expected && of->output[at] != of->expected[at])
            text = arena_format(view->arena, _("%s, expected %.6g"), text, of->expected[at]);
        ui_tip(ui, pictures->areas[i], "%s", text);
        return (struct frame){true, x, y, x, y};
    }
    return (struct frame){0};
}

static uint64_t count_wrong(const struct launch_picture *of)
{
    uint64_t count = 0;
    for (uint64_t i = 0; of->expected && i < of->rows * of->columns; i++)
        count += of->output[i] != of->expected[i];
    return count;
}

static void draw_captions(struct view *view, const struct pictures *pictures)
{
    const struct launch_picture *of = pictures->of;
    uint64_t const wrong = pictures->count > 2 ? count_wrong(of) : 0;
    const char *texts[PICTURES] = {of->input_name, of->output_name,
                                   wrong ? arena_format(view->arena, _("wrong: %s"), words_count(view->arena, wrong))
                                         : _("none is wrong")};
    for (int i = 0; i < pictures->count; i++) {
        struct rect box = pictures->areas[i];
        struct rect const room = view_columns(view, box);
        bool const last = i + 1 == pictures->count;
        box.w = (last ? room.x + room.w : pictures->areas[i + 1].x - 4 * view->ui->unit) - box.x;
        box.y -= caption_height(view);
        box.h = caption_height(view) - 2 * view->ui->unit;
        view_caption(view, box, texts[i]);
    }
}

/* Says what the frames mean, as far as there is room. lane: whose window is framed; -1: of the pixel under the mouse.
 */
static void draw_legend(struct view *view, const struct pictures *pictures, struct rect box, bool has_window, int lane)
{
    struct arena *arena = view->arena;
    const char *const parts[] = {_("frame: the block's tile"), _("dashed: all that the block reads"),
                                 _("filled: this access"),
                                 !has_window ? NULL
                                 : lane < 0  ? _("yellow: the pixel's window")
                                             : arena_format(arena, _("yellow: the window of lane %d"), lane)};
    const char *text = NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *longer = !parts[i] ? text : text ? arena_format(arena, "%s · %s", text, parts[i]) : parts[i];
        if (longer && ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), longer) <= box.w)
            text = longer;
    }
    struct rect const area = pictures->areas[0];
    if (text)
        view_caption(view, (struct rect){box.x, area.y + area.h + 4 * view->ui->unit, box.w, caption_height(view)},
                     text);
}

struct action panel_picture(struct view *view, struct rect box)
{
    struct pictures pictures;
    struct frame reads, writes, own;
    if (!find_pictures(view, &pictures))
        return NO_ACTION;
    box = view_columns(view, box);
    box.h -= 8 * view->ui->unit;
    arrange(view, &pictures, box);
    for (int i = 0; i < pictures.count; i++)
        draw_picture(view, &pictures, i);
    uint32_t const lanes = view->hot ? view->hot : view->scene->event ? view->scene->event->mask : 0;
    int lane = lanes ? __builtin_ctz(lanes) : -1;
    find_frames(view, &pictures, lane, &reads, &writes, &own);
    draw_access(view, &pictures);
    draw_frame(view, &pictures, 0, &reads, true, COLOR_ELSE);
    draw_frame(view, &pictures, 0, &writes, false, COLOR_ELSE);
    if (pictures.count > 1)
        draw_frame(view, &pictures, 1, &writes, false, COLOR_ELSE);
    struct frame const pointed = pixel_under_mouse(view, &pictures);
    if (pointed.known) {
        own = pointed;
        lane = -1;
    }
    struct frame const window = window_of(&pictures, own.left, own.top);
    bool const has_window = own.known && window.known;
    if (has_window)
        draw_frame(view, &pictures, 0, &window, false, COLOR_CURSOR);
    if (own.known && pictures.count > 1)
        draw_frame(view, &pictures, 1, &own, false, COLOR_CURSOR);
    draw_captions(view, &pictures);
    draw_legend(view, &pictures, box, has_window, lane);
    return NO_ACTION;
}
