/* Grey pictures: the array that the kernel reads, large, and the one that it writes, with the pixels that are not as
 * expected. On them: the block's tile, all that the block reads, the pixels of this access, and the window of one
 * pixel, which the mouse drags. A lens shows that window with the one of the next pixel. */
#include "scene/follow.h"
#include "view/stage.h"
#include <math.h>
#include <string.h>

enum {
    LEVELS = 24,
    PICTURES = 2,
    LENS = 2,
    SECTOR = 32,
    LEAST = 190 /* units */,
    LEAST_CLASS = 380,
    BEST = 560,
    ASIDE = 190
};

/* Pixels from (left, top) to (right, bottom), the last ones included. */
struct frame {
    bool known;
    int64_t left, top, right, bottom;
};

struct pictures {
    const struct launch_picture *of;
    const struct trace_buffer *input, *output;
    int count;                       /* of pictures shown */
    struct rect areas[PICTURES + 1]; /* input, output, lens; a width of 0: not shown */
    uint64_t steps[PICTURES];        /* pixels along one side of a cell: 1, or more where the room is small */
    float cells[PICTURES];           /* pixels of the screen */
    uint64_t wrong;                  /* pixels */
    double black, white;
    struct followed followed;
    const struct element_array *reads, *writes;
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

static uint64_t count_wrong(const struct launch_picture *of)
{
    uint64_t count = 0;
    for (uint64_t i = 0; of->output && of->expected && i < of->rows * of->columns; i++)
        count += of->output[i] != of->expected[i];
    return count;
}

static bool find_pictures(const struct view *view, struct pictures *pictures)
{
    const struct launch_picture *of = view->scene->picture;
    *pictures = (struct pictures){.of = of};
    if (!of || !view->scene->trace)
        return false;
    pictures->input = buffer_named(view->scene->trace, of->input_name);
    pictures->output = buffer_named(view->scene->trace, of->output_name);
    pictures->count = of->output ? 2 : 1;
    pictures->wrong = count_wrong(of);
    widen(of->input, of->rows * of->columns, &pictures->black, &pictures->white);
    widen(of->expected ? of->expected : of->output, of->rows * of->columns, &pictures->black, &pictures->white);
    return pictures->input && pictures->output && pictures->white > pictures->black;
}

/* Finds what the block does with the pixels. */
static void find_uses(const struct view *view, struct pictures *pictures)
{
    const struct elements *elements = playback_elements(view->scene->playback);
    if (!elements)
        return;
    pictures->reads = elements_array(elements, pictures->of->input_name);
    pictures->writes = elements_array(elements, pictures->of->output_name);
    pictures->followed = scene_follow(view->scene, view->hot ? view->hot : view->pinned);
}

static float caption_height(const struct view *view)
{
    return 26 * view->ui->unit;
}

/* Gives a picture the largest cells that the room has: whole pixels of the screen, so that all are alike; where there
 * is no room for that, a cell stands for several pixels of the picture. */
static void fit(struct pictures *pictures, int picture, float wide, float high)
{
    uint64_t const rows = pictures->of->rows, columns = pictures->of->columns;
    float const least = 2;
    uint64_t step = 1;
    float cell;
    for (;; step++) {
        uint64_t const across = (columns + step - 1) / step, down = (rows + step - 1) / step;
        cell = floorf(fminf(wide / (float)across, high / (float)down));
        if (cell >= least || (across == 1 && down == 1))
            break;
    }
    pictures->steps[picture] = step;
    pictures->cells[picture] = fmaxf(cell, 1);
    float const scale = pictures->cells[picture] / (float)step;
    pictures->areas[picture].w = (float)columns * scale;
    pictures->areas[picture].h = (float)rows * scale;
}

/* Places the input at the left, and beside it the result with the lens below it. A wrong result is as large as the
 * input. */
static void arrange(const struct view *view, struct pictures *pictures, struct rect box)
{
    float const u = view->ui->unit, gap = 20 * u, caption = caption_height(view);
    float const high = box.h - 3 * caption, half = (box.w - gap) / 2;
    bool const lens = pictures->of->window > 0 && !pictures->wrong;
    struct rect *input = &pictures->areas[0], *output = &pictures->areas[1], *glass = &pictures->areas[LENS];
    fit(pictures, 0, pictures->wrong ? half : box.w - gap - ASIDE * u, high);
    input->x = floorf(box.x);
    input->y = output->y = floorf(box.y + caption);
    output->x = floorf(input->x + input->w + gap);
    float const beside = box.x + box.w - output->x;
    fit(pictures, 1, beside, pictures->wrong || !lens ? high : high * 0.42f);
    if (!lens)
        return;
    glass->x = output->x;
    glass->y = pictures->count > 1 ? output->y + output->h + caption : input->y;
    glass->w = glass->h = floorf(fminf(beside, input->y + high - glass->y));
}

/* Returns the marks of pixels; NULL: the panel is drawn as usual. */
static const struct marks *marks_here(const struct view *view)
{
    const struct marks *marks = marks_of(view, CELLS_WINDOW);
    return marks ? marks : marks_of(view, CELLS_COPY);
}

struct panel_size panel_picture_size(const struct view *view)
{
    struct pictures pictures;
    float const u = view->ui->unit;
    if (view->stage->fault || !find_pictures(view, &pictures))
        return NOT_SHOWN;
    struct panel_size size = panel_access_size(view, BEST * u);
    if (!view->stage->covered || marks_here(view))
        size = (struct panel_size){.least = view->stage->compact ? LEAST_CLASS : LEAST, .best = BEST, .low = LEAST};
    return size;
}

/* Returns the mean of a cell's pixels. */
static double mean_of(const struct pictures *pictures, int picture, uint64_t row, uint64_t column)
{
    const double *numbers = picture ? pictures->of->output : pictures->of->input;
    uint64_t const step = pictures->steps[picture];
    double sum = 0, count = 0;
    for (uint64_t y = row; y < row + step && y < pictures->of->rows; y++)
        for (uint64_t x = column; x < column + step && x < pictures->of->columns; x++) {
            sum += numbers[y * pictures->of->columns + x];
            count++;
        }
    return sum / count;
}

/* Returns the grey level of a cell of a picture, from 0; -1: a pixel of it is not as expected. */
static int level_of(const struct pictures *pictures, int picture, uint64_t row, uint64_t column)
{
    const struct launch_picture *of = pictures->of;
    uint64_t const step = pictures->steps[picture];
    for (uint64_t y = row; picture && pictures->wrong && y < row + step && y < of->rows; y++)
        for (uint64_t x = column; x < column + step && x < of->columns; x++)
            if (of->output[y * of->columns + x] != of->expected[y * of->columns + x])
                return -1;
    double const value = mean_of(pictures, picture, row, column);
    double const part = (value - pictures->black) / (pictures->white - pictures->black);
    return (int)(fmin(fmax(part, 0), 1) * (LEVELS - 1) + 0.5);
}

static struct rect pixels_box(const struct pictures *pictures, int picture, int64_t left, int64_t top, int64_t right,
                              int64_t bottom)
{
    float const scale = pictures->cells[picture] / (float)pictures->steps[picture];
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
    uint64_t const rows = pictures->of->rows, columns = pictures->of->columns, step = pictures->steps[picture];
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
                draw_fill(draw, box, 0, level < 0 ? wrong : grey(view, level));
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

/* Returns the frame of all that the block accesses of an array. */
static struct frame frame_of(const struct view *view, const struct element_array *array)
{
    const struct elements *elements = playback_elements(view->scene->playback);
    struct frame frame = {0};
    for (uint32_t phase = 0; array && phase < elements->phase_count; phase++) {
        const struct element_part *part = &array->parts[phase];
        if (part->rows[0] > part->rows[1])
            continue;
        struct frame const other = {true, part->columns[0], part->rows[0], part->columns[1], part->rows[1]};
        frame = !frame.known ? other
                             : (struct frame){true, other.left < frame.left ? other.left : frame.left,
                                              other.top < frame.top ? other.top : frame.top,
                                              other.right > frame.right ? other.right : frame.right,
                                              other.bottom > frame.bottom ? other.bottom : frame.bottom};
    }
    return frame;
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

/* Returns the part that two frames have in common. */
static struct frame shared_part(const struct frame *a, const struct frame *b)
{
    struct frame frame = {a->known && b->known, a->left > b->left ? a->left : b->left,
                          a->top > b->top ? a->top : b->top, a->right < b->right ? a->right : b->right,
                          a->bottom < b->bottom ? a->bottom : b->bottom};
    frame.known = frame.known && frame.left <= frame.right && frame.top <= frame.bottom;
    return frame;
}

static uint64_t pixels_in(const struct frame *frame)
{
    return frame->known ? (uint64_t)((frame->right - frame->left + 1) * (frame->bottom - frame->top + 1)) : 0;
}

/* Returns the pixels from the first to the last one of the sectors that a row of the window lies in. */
static struct frame sectors_of(const struct pictures *pictures, const struct frame *window, int64_t row)
{
    const struct trace_buffer *buffer = pictures->input;
    uint64_t const size = ptx_type_size(buffer->type), columns = pictures->of->columns;
    uint64_t const start = buffer->address + (uint64_t)row * columns * size;
    uint64_t const first = (start + (uint64_t)window->left * size) / SECTOR * SECTOR,
                   last = (start + (uint64_t)window->right * size) / SECTOR * SECTOR + SECTOR - size;
    int64_t const left = ((int64_t)first - (int64_t)start) / (int64_t)size, right = (int64_t)((last - start) / size);
    return (struct frame){true, left, row, right, row};
}

static uint64_t count_sectors(const struct pictures *pictures, const struct frame *window)
{
    uint64_t count = 0;
    uint64_t const wide = SECTOR / ptx_type_size(pictures->input->type);
    for (int64_t row = window->top; row <= window->bottom && wide; row++) {
        struct frame const sectors = sectors_of(pictures, window, row);
        count += (uint64_t)(sectors.right - sectors.left + 1) / wide;
    }
    return count;
}

/* Draws the pixels around the window, enlarged: the rest of its sectors hatched, and what the window of the next pixel
 * shares with it. */
static void draw_lens(struct view *view, const struct pictures *pictures, const struct frame *window,
                      const struct frame *next, int64_t x, int64_t y)
{
    struct draw_list *draw = &view->ui->draw;
    const struct launch_picture *of = pictures->of;
    struct rect const glass = pictures->areas[LENS];
    float const u = view->ui->unit;
    int64_t const radius = (int64_t)of->window / 2 + 3, side = 2 * radius + 1;
    struct pictures lens = *pictures;
    lens.steps[0] = 1;
    lens.cells[0] = glass.w / (float)side;
    lens.areas[0] = (struct rect){glass.x - lens.cells[0] * (float)(x - radius),
                                  glass.y - lens.cells[0] * (float)(y - radius), glass.w, glass.h};
    draw_clip(draw, glass);
    draw_fill(draw, glass, 0, view_color(view, COLOR_PANEL));
    for (int64_t row = y - radius; row <= y + radius; row++)
        for (int64_t column = x - radius; column <= x + radius; column++)
            if (row >= 0 && column >= 0 && row < (int64_t)of->rows && column < (int64_t)of->columns)
                draw_fill(draw, rect_inset(pixels_box(&lens, 0, column, row, column, row), 0.5f, 0.5f), 0,
                          grey(view, level_of(&lens, 0, (uint64_t)row, (uint64_t)column)));
    struct frame const both = shared_part(window, next);
    for (int64_t row = window->top; row <= window->bottom; row++) {
        struct frame const all = sectors_of(pictures, window, row);
        struct rect const box = pixels_box(&lens, 0, all.left, row, all.right, row);
        draw_outline(draw, box, 0, hairline(view->ui), view_color(view, COLOR_CONFLICT));
        if (all.left < window->left)
            draw_hatch(draw, pixels_box(&lens, 0, all.left, row, window->left - 1, row), 6 * u, fmaxf(1, 1.5f * u),
                       view_color(view, COLOR_CONFLICT));
        if (all.right > window->right)
            draw_hatch(draw, pixels_box(&lens, 0, window->right + 1, row, all.right, row), 6 * u, fmaxf(1, 1.5f * u),
                       view_color(view, COLOR_CONFLICT));
    }
    if (both.known)
        draw_fill(draw, pixels_box(&lens, 0, both.left, both.top, both.right, both.bottom), 0,
                  (struct color){ui_color(view->ui, COLOR_CURSOR).r, ui_color(view->ui, COLOR_CURSOR).g,
                                 ui_color(view->ui, COLOR_CURSOR).b, 90});
    if (next->known)
        draw_frame(view, &lens, 0, next, true, COLOR_ACCESS);
    draw_frame(view, &lens, 0, window, false, COLOR_CURSOR);
    draw_clip_none(draw);
    draw_outline(draw, rect_inset(glass, -1, -1), 0, hairline(view->ui), view_color(view, COLOR_IDLE));
}

/* Says the values of the pixel under the mouse. Returns the wish to frame the window of the pixel that a drag in the
 * input reaches. */
static struct action point(struct view *view, const struct pictures *pictures)
{
    struct ui *ui = view->ui;
    const struct launch_picture *of = pictures->of;
    struct action action = NO_ACTION;
    for (int i = 0; i < pictures->count; i++) {
        struct rect const area = pictures->areas[i];
        float const scale = pictures->cells[i] / (float)pictures->steps[i];
        int64_t x = (int64_t)floorf((ui->input.mouse.x - area.x) / scale),
                y = (int64_t)floorf((ui->input.mouse.y - area.y) / scale);
        x = x < 0 ? 0 : x >= (int64_t)of->columns ? (int64_t)of->columns - 1 : x;
        y = y < 0 ? 0 : y >= (int64_t)of->rows ? (int64_t)of->rows - 1 : y;
        uint64_t const at = (uint64_t)y * of->columns + (uint64_t)x;
        float position;
        if (ui_drag(ui, ui_id_child(ui_id_text("picture"), (uint32_t)i), area, &position) && pictures->writes &&
            view->scene->chosen != at + 1)
            action = (struct action){.kind = ACTION_CHOOSE_ELEMENT, .value = (int)at, .other = true};
        if (!ui_hovered(ui, area))
            continue;
        const char *text = arena_format(view->arena, _("row %lld, column %lld: %s = %.6g"), (long long)y, (long long)x,
                                        of->input_name, of->input[at]);
        if (of->output)
            text = arena_format(view->arena, "%s, %s = %.6g", text, of->output_name, of->output[at]);
        if (of->output && of->expected && of->output[at] != of->expected[at])
            text = arena_format(view->arena, _("%s, expected %.6g"), text, of->expected[at]);
        ui_tip(ui, area, "%s", text);
    }
    return action;
}

static void draw_captions(struct view *view, const struct pictures *pictures, struct rect room)
{
    const struct launch_picture *of = pictures->of;
    struct arena *arena = view->arena;
    const char *none = of->expected ? arena_format(arena, _("%s · none is wrong"), of->output_name) : of->output_name;
    const char *texts[PICTURES] = {
        arena_format(arena, _("%s · drag the window"), of->input_name),
        pictures->wrong ? arena_format(arena, _("%s · wrong: %s"), of->output_name, words_count(arena, pictures->wrong))
                        : none};
    for (int i = 0; i < pictures->count; i++) {
        struct rect box = pictures->areas[i];
        box.w = (i + 1 == pictures->count ? room.x + room.w : pictures->areas[i + 1].x - 4 * view->ui->unit) - box.x;
        box.y -= caption_height(view);
        box.h = caption_height(view) - 2 * view->ui->unit;
        view_caption(view, box, texts[i]);
    }
}

/* Says what the window holds, and what the frames mean, as far as there is room. */
static void draw_legend(struct view *view, const struct pictures *pictures, struct rect box, const struct frame *window,
                        const struct frame *next)
{
    struct arena *arena = view->arena;
    float const caption = caption_height(view);
    struct rect line = {box.x, box.y + box.h - 2 * caption, box.w, caption};
    struct frame const both = shared_part(window, next);
    if (window->known) {
        uint64_t const pixels = pixels_in(window), sectors = count_sectors(pictures, window);
        uint64_t const bytes = pixels * ptx_type_size(pictures->input->type);
        const char *whose = view->scene->chosen
                                ? arena_format(arena, _("window of row %u, column %u"),
                                               pictures->followed.element / pictures->followed.array->columns,
                                               pictures->followed.element % pictures->followed.array->columns)
                                : arena_format(arena, _("window of lane %u"), pictures->followed.lane);
        const char *text =
            arena_format(arena, _("%s: pixels: %llu, bytes: %llu, in sectors: %llu"), whose, (unsigned long long)pixels,
                         (unsigned long long)bytes, (unsigned long long)sectors);
        if (both.known)
            text = arena_format(arena, _("%s · shared with the next pixel: %llu"), text,
                                (unsigned long long)pixels_in(&both));
        view_caption(view, line, text);
        line.y += caption;
    }
    view_caption(
        view, line,
        _("frame: the block's tile · dashed: all that the block reads · filled: this access · yellow: the window"));
}

/* Draws the part of the input around the block's tile, enlarged, as cells to mark. A drag marks a frame of them. */
static struct action marked_pixels(struct view *view, struct pictures *pictures, struct rect box)
{
    const struct marks *marks = marks_here(view);
    struct ui *ui = view->ui;
    struct marks_pixels part;
    float const u = ui->unit, caption = caption_height(view);
    if (!marks_pixels(view->scene, &part))
        return NO_ACTION;
    struct rect const below = rect_cut_bottom(&box, caption);
    float const cell = floorf(fmaxf(2, fminf(box.w / (float)part.across, box.h / (float)part.down)));
    struct rect const area = {floorf(box.x), floorf(box.y), cell * (float)part.across, cell * (float)part.down};
    pictures->steps[0] = 1; /* the part lies in a picture of this size */
    pictures->cells[0] = cell;
    pictures->areas[0] =
        (struct rect){area.x - cell * (float)part.left, area.y - cell * (float)part.top, area.w, area.h};
    for (uint32_t i = 0; i < marks->count; i++) {
        int64_t const x = part.left + i % part.across, y = part.top + i / part.across;
        struct rect const pixel = rect_inset(pixels_box(pictures, 0, x, y, x, y), 0.5f, 0.5f);
        enum mark_state const state = marks_state(marks, i, 0);
        draw_fill(&ui->draw, pixel, 0, grey(view, level_of(pictures, 0, (uint64_t)y, (uint64_t)x)));
        if (state != MARK_EMPTY || marks->cursor == (int)i)
            marks_draw(view, pixel, state, NULL, marks->cursor == (int)i);
    }
    struct frame const writes = frame_of(view, pictures->writes);
    draw_frame(view, pictures, 0, &writes, false, COLOR_ELSE);
    const char *words = _("frame: the pixels that the block computes");
    if (marks->cells == CELLS_WINDOW && pictures->followed.array && pictures->followed.element != UINT32_MAX) {
        int64_t const x = pictures->followed.element % pictures->followed.array->columns,
                      y = pictures->followed.element / pictures->followed.array->columns;
        struct frame const own = {true, x, y, x, y};
        draw_frame(view, pictures, 0, &own, false, COLOR_CURSOR);
        words = arena_format(view->arena, _("%s · yellow: the pixel of lane %u"), words, pictures->followed.lane);
    }
    view_caption(view, (struct rect){below.x, area.y + area.h + 4 * u, below.w, caption}, words);
    ui_id const id = ui_id_text("marked pixels");
    if (marks->right || (!ui_pressed(ui, id, area) && ui->active != id))
        return NO_ACTION;
    struct point const ends[2] = {ui->input.from, ui->input.mouse};
    int cells[2];
    for (int i = 0; i < 2; i++) {
        float const right = fminf(fmaxf(0, (ends[i].x - area.x) / cell), (float)part.across - 1),
                    down = fminf(fmaxf(0, (ends[i].y - area.y) / cell), (float)part.down - 1);
        cells[i] = (int)down * (int)part.across + (int)right;
    }
    bool const same = marks->cursor == cells[1] && marks->marked[cells[0]] && !ui->input.pressed;
    return same ? NO_ACTION : (struct action){.kind = ACTION_MARK_FRAME, .value = cells[0], .other = cells[1]};
}

struct action panel_picture(struct view *view, struct rect box)
{
    struct pictures pictures;
    if (!find_pictures(view, &pictures))
        return NO_ACTION;
    box = view_columns(view, box);
    box.h -= 8 * view->ui->unit;
    if (marks_here(view)) {
        find_uses(view, &pictures);
        return marked_pixels(view, &pictures, box);
    }
    arrange(view, &pictures, box);
    find_uses(view, &pictures);
    for (int i = 0; i < pictures.count; i++)
        draw_picture(view, &pictures, i);
    struct frame const reads = frame_of(view, pictures.reads), writes = frame_of(view, pictures.writes);
    struct frame own = {0}, window = {0}, next = {0};
    draw_access(view, &pictures);
    draw_frame(view, &pictures, 0, &reads, true, COLOR_ELSE);
    draw_frame(view, &pictures, 0, &writes, false, COLOR_ELSE);
    if (pictures.count > 1)
        draw_frame(view, &pictures, 1, &writes, false, COLOR_ELSE);
    if (pictures.followed.array && pictures.followed.element != UINT32_MAX) {
        int64_t const x = pictures.followed.element % pictures.followed.array->columns,
                      y = pictures.followed.element / pictures.followed.array->columns;
        own = (struct frame){true, x, y, x, y};
        window = window_of(&pictures, x, y);
        next = x + 1 < (int64_t)pictures.of->columns ? window_of(&pictures, x + 1, y) : next;
    }
    if (window.known)
        draw_frame(view, &pictures, 0, &window, false, COLOR_CURSOR);
    if (own.known && pictures.count > 1)
        draw_frame(view, &pictures, 1, &own, false, COLOR_CURSOR);
    if (window.known && pictures.areas[LENS].w > 0)
        draw_lens(view, &pictures, &window, &next, own.left, own.top);
    draw_captions(view, &pictures, box);
    draw_legend(view, &pictures, box, &window, &next);
    return point(view, &pictures);
}
