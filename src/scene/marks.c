/* Cells that a student marks: which there are, and what the run says to each. */
#include "scene/marks.h"
#include "model/fragments.h"
#include "scene/follow.h"

enum { CHUNK_ROWS_MAX = 40 };

uint64_t marks_chunks(const struct scene *scene, uint32_t *count)
{
    uint64_t low = UINT64_MAX, high = 0, element;
    *count = 0;
    if (scene->kind != SCENE_GLOBAL || !scene->chunks.chunk_count)
        return 0;
    for (uint32_t i = 0; i < scene->chunks.chunk_count; i++) {
        low = scene->chunks.chunks[i].address < low ? scene->chunks.chunks[i].address : low;
        high = scene->chunks.chunks[i].address > high ? scene->chunks.chunks[i].address : high;
    }
    if (low >= CHUNK_BYTES && trace_find_buffer(scene->trace, low - 1, &element))
        low -= CHUNK_BYTES;
    if (trace_find_buffer(scene->trace, high + CHUNK_BYTES, &element))
        high += CHUNK_BYTES;
    uint64_t const rows = (high - low) / CHUNK_BYTES + 1;
    *count = rows < CHUNK_ROWS_MAX ? (uint32_t)rows : CHUNK_ROWS_MAX;
    return low;
}

uint32_t marks_row(const struct scene_shelf *shelf, uint32_t rank)
{
    for (uint32_t i = 0; i < shelf->row_count; i++) {
        uint32_t lower = 0;
        for (uint32_t other = 0; other < shelf->row_count; other++)
            lower += shelf->row_offered[other] && shelf->rows[other] < shelf->rows[i];
        if (shelf->row_offered[i] && lower == rank)
            return i;
    }
    return 0;
}

static uint32_t most_rows(const struct scene_dram *dram)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < dram->shelf_count; i++)
        rows = dram->shelves[i].offered_count > rows ? dram->shelves[i].offered_count : rows;
    return rows;
}

/* Returns 0 for a block of more threads than a panel shows. */
static uint32_t block_threads(const struct trace *trace)
{
    uint64_t const threads = launch_count(trace->block);
    return threads <= LAUNCH_THREADS_MAX ? (uint32_t)threads : 0;
}

/* Returns the array of the first active lane's access, and how many elements a row has with its padding; NULL: it has
 * no rows, or too long ones. */
static const struct trace_buffer *array_of(const struct scene *scene, uint32_t *across)
{
    if (scene->kind != SCENE_GLOBAL || !scene->event->mask)
        return NULL;
    const struct trace_buffer *buffer =
        trace_find_buffer(scene->trace, scene->addresses[__builtin_ctz(scene->event->mask)], NULL);
    uint64_t const columns = buffer ? buffer->shape.pitch / ptx_type_size(buffer->type) : 0;
    if (!columns || columns > MARKS_MAX)
        return NULL;
    *across = (uint32_t)columns;
    return buffer;
}

/* Marks the elements that the lanes access. */
static void elements_right(const struct scene *scene, uint32_t count, uint8_t right[MARKS_MAX])
{
    uint32_t across;
    const struct trace_buffer *buffer = array_of(scene, &across);
    if (!buffer)
        return;
    uint64_t const size = ptx_type_size(buffer->type);
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (uint64_t byte = 0; (scene->event->mask >> lane & 1) && byte < scene->site->bytes; byte += size) {
            if (scene->addresses[lane] < buffer->address)
                continue;
            uint64_t const offset = scene->addresses[lane] + byte - buffer->address;
            uint64_t const cell = offset / buffer->shape.pitch * across + offset % buffer->shape.pitch / size;
            if (cell < count)
                right[cell] = 1;
        }
}

/* Returns the named arrays of a product if the block accesses all three. */
static const struct elements *product_of(const struct scene *scene, const struct element_array *arrays[ARRAYS_MOST])
{
    const struct elements *elements = scene->playback ? playback_elements(scene->playback) : NULL;
    if (!elements || !scene->arrays || scene->arrays->kind != ARRAYS_PRODUCT)
        return NULL;
    for (int i = 0; i < ARRAYS_MOST; i++)
        if (!(arrays[i] = elements_array(elements, scene->arrays->names[i])))
            return NULL;
    return elements;
}

/* Marks the elements of c whose threads load, at any time, the element of a or b that the lane in focus accesses. */
static void sharers_right(const struct scene *scene, uint32_t count, uint8_t right[MARKS_MAX])
{
    const struct element_array *arrays[ARRAYS_MOST], *c;
    uint32_t loaders[LAUNCH_THREADS_MAX / WARP_LANES] = {0}, element = UINT32_MAX;
    int from = 0;
    if (!product_of(scene, arrays) || scene->kind != SCENE_GLOBAL || !(scene->event->mask >> scene->lane & 1))
        return;
    for (int i = 0; i < ARRAYS_MOST - 1 && element == UINT32_MAX; i++)
        element = elements_at(arrays[from = i], scene->addresses[scene->lane]);
    if (element == UINT32_MAX)
        return;
    for (uint32_t i = arrays[from]->first[element]; i < arrays[from]->first[element + 1]; i++) {
        const struct element_use *use = &arrays[from]->uses[i];
        uint32_t const warp = playback_event(scene->playback, use->position)->warp;
        if (!use->store && warp < sizeof loaders / sizeof *loaders)
            loaders[warp] |= use->lanes;
    }
    c = arrays[ARRAYS_MOST - 1];
    for (uint32_t cell = 0; cell < count; cell++)
        for (uint32_t i = c->first[cell]; i < c->first[cell + 1]; i++) {
            uint32_t const warp = playback_event(scene->playback, c->uses[i].position)->warp;
            if (c->uses[i].store && warp < sizeof loaders / sizeof *loaders && (loaders[warp] & c->uses[i].lanes))
                right[cell] = 1;
        }
}

enum { PIXELS_AROUND = 8 }; /* at least: more than a window reaches, so that the part does not give it away */

bool marks_pixels(const struct scene *scene, struct marks_pixels *part)
{
    const struct launch_picture *of = scene->picture;
    const struct elements *elements = of && scene->playback ? playback_elements(scene->playback) : NULL;
    const struct element_array *writes = elements ? elements_array(elements, of->output_name) : NULL;
    uint32_t low[2] = {UINT32_MAX, UINT32_MAX}, high[2] = {0, 0};
    for (uint32_t phase = 0; writes && phase < elements->phase_count; phase++) {
        const struct element_part *now = &writes->parts[phase];
        if (now->rows[0] > now->rows[1])
            continue;
        low[0] = now->rows[0] < low[0] ? now->rows[0] : low[0];
        low[1] = now->columns[0] < low[1] ? now->columns[0] : low[1];
        high[0] = now->rows[1] > high[0] ? now->rows[1] : high[0];
        high[1] = now->columns[1] > high[1] ? now->columns[1] : high[1];
    }
    if (!writes || low[0] == UINT32_MAX)
        return false;
    uint32_t const most = (uint32_t)of->window / 2 + 1, around = most > PIXELS_AROUND ? most : PIXELS_AROUND;
    uint32_t const bottom = high[0] + around < writes->rows ? high[0] + around : writes->rows - 1,
                   end = high[1] + around < writes->columns ? high[1] + around : writes->columns - 1;
    part->top = low[0] > around ? low[0] - around : 0;
    part->left = low[1] > around ? low[1] - around : 0;
    part->down = bottom - part->top + 1;
    part->across = end - part->left + 1;
    return true;
}

/* Marks the pixels that the block reads; window: that the thread in focus reads. */
static void pixels_right(const struct scene *scene, bool window, uint8_t right[MARKS_MAX])
{
    struct marks_pixels part;
    const struct elements *elements = scene->playback ? playback_elements(scene->playback) : NULL;
    const struct element_array *reads =
        elements && scene->picture ? elements_array(elements, scene->picture->input_name) : NULL;
    if (!reads || !marks_pixels(scene, &part))
        return;
    struct followed const followed = scene_follow(scene, 0);
    for (uint32_t cell = 0; cell < part.across * part.down; cell++) {
        uint32_t const pixel = (part.top + cell / part.across) * reads->columns + part.left + cell % part.across;
        for (uint32_t i = reads->first[pixel]; i < reads->first[pixel + 1]; i++) {
            const struct element_use *use = &reads->uses[i];
            bool const own = playback_event(scene->playback, use->position)->warp == followed.warp &&
                             (use->lanes >> followed.lane & 1);
            if (!use->store && (own || !window))
                right[cell] = 1;
        }
    }
}

/* Takes the marks of sectors that an earlier access of the block has touched. */
static void fresh_right(const struct scene *scene, uint32_t count, uint64_t first, uint8_t right[MARKS_MAX])
{
    for (size_t at = 0; at < scene->position; at++) {
        const struct trace_event *event = playback_event(scene->playback, at);
        const struct trace_site *site = playback_site(scene->playback, at);
        if (event->kind != TRACE_ACCESS || !site || trace_space(site, event) != PTX_SPACE_GLOBAL)
            continue;
        const uint64_t *addresses = trace_addresses(scene->trace, event);
        for (uint32_t lanes = event->mask; lanes; lanes &= lanes - 1) {
            uint64_t const address = addresses[__builtin_ctz(lanes)];
            for (uint64_t sector = address / SECTOR_BYTES; sector <= (address + site->bytes - 1) / SECTOR_BYTES;
                 sector++)
                if (sector >= first / SECTOR_BYTES && sector - first / SECTOR_BYTES < count)
                    right[sector - first / SECTOR_BYTES] = 0;
        }
    }
}

enum place marks_place(enum ptx_space space)
{
    switch (space) {
    case PTX_SPACE_REGISTER:
        return PLACE_REGISTERS;
    case PTX_SPACE_SHARED:
        return PLACE_SHARED;
    case PTX_SPACE_LOCAL:
        return PLACE_LOCAL;
    case PTX_SPACE_CONST:
        return PLACE_CONSTANT;
    case PTX_SPACE_PARAM:
        return PLACE_PARAMETERS;
    default:
        return PLACE_GLOBAL;
    }
}

uint32_t marks_cells(const struct scene *scene, enum mark_cells cells, uint32_t *across)
{
    const struct trace_buffer *buffer;
    const struct element_array *arrays[ARRAYS_MOST];
    struct marks_pixels part;
    uint32_t rows = 0;
    *across = WARP_LANES;
    switch (cells) {
    case CELLS_LANES:
        return scene->event ? WARP_LANES : 0;
    case CELLS_BANKS:
        return scene->kind == SCENE_SHARED ? BANKS : 0;
    case CELLS_SECTORS:
    case CELLS_FRESH:
        marks_chunks(scene, &rows);
        *across = CHUNK_SECTORS;
        return rows * CHUNK_SECTORS;
    case CELLS_ROWS:
        *across = scene->dram.shelf_count ? scene->dram.shelf_count : 1;
        return scene->kind == SCENE_GLOBAL ? scene->dram.shelf_count * most_rows(&scene->dram) : 0;
    case CELLS_THREADS:
        *across = scene->trace->block[0];
        return scene->event ? block_threads(scene->trace) : 0;
    case CELLS_ELEMENTS:
        buffer = array_of(scene, across);
        return buffer && buffer->shape.rows <= MARKS_MAX / *across ? (uint32_t)buffer->shape.rows * *across : 0;
    case CELLS_SHARERS:
        if (!product_of(scene, arrays))
            return 0;
        *across = arrays[ARRAYS_MOST - 1]->columns;
        return arrays[ARRAYS_MOST - 1]->rows * *across;
    case CELLS_WINDOW:
    case CELLS_COPY:
        if (!marks_pixels(scene, &part))
            return 0;
        *across = part.across;
        return part.across * part.down;
    case CELLS_VARIABLES:
        *across = 1;
        return scene->variable_count;
    }
    return 0;
}

bool marks_exist(const struct scene *scene, enum mark_cells cells, uint32_t cell)
{
    uint32_t const across = scene->dram.shelf_count;
    if (cells == CELLS_VARIABLES) /* nobody can place a variable without knowing its name */
        return cell < scene->variable_count && !scene->variables[cell].by_compiler;
    return cells != CELLS_ROWS || (across && cell / across < scene->dram.shelves[cell % across].offered_count);
}

/* Returns the lanes of the access; at a product of matrices those that hold the row of A in which the lane in focus has
 * its first element. */
static uint32_t lanes_right(const struct scene *scene)
{
    const struct fragments *fragments = playback_fragments(scene->playback);
    const struct fragment_site *site = fragments ? fragments_at(fragments, scene->position) : NULL;
    unsigned row, column;
    if (!site || site->form.action != PTX_MATRIX_MULTIPLY)
        return scene->event->mask;
    fragment_locate(&site->form, 'a', (struct fragment_element){scene->lane, 0, 0}, &row, &column);
    return fragment_row_lanes(&site->form, 'a', row);
}

void marks_right(const struct scene *scene, enum mark_cells cells, uint8_t right[MARKS_MAX])
{
    uint32_t across, rows = 0;
    uint32_t const count = marks_cells(scene, cells, &across);
    uint64_t const first = marks_chunks(scene, &rows);
    for (uint32_t i = 0; i < count; i++)
        right[i] = 0;
    uint32_t const lanes = cells == CELLS_LANES ? lanes_right(scene) : 0;
    if (cells == CELLS_LANES)
        for (uint32_t i = 0; i < count; i++)
            right[i] = lanes >> i & 1;
    if (cells == CELLS_THREADS)
        for (uint32_t i = 0; i < count; i++)
            right[i] = i / WARP_LANES == scene->warp && (scene->event->mask >> i % WARP_LANES & 1);
    if (cells == CELLS_VARIABLES)
        for (uint32_t i = 0; i < count; i++)
            right[i] = marks_exist(scene, cells, i) ? (uint8_t)marks_place(scene->variables[i].space) : 0;
    if (cells == CELLS_ELEMENTS)
        elements_right(scene, count, right);
    if (cells == CELLS_BANKS)
        for (uint32_t pass = 0; pass < scene->banks.passes; pass++)
            for (uint32_t bank = 0; bank < count; bank++)
                right[bank] = (uint8_t)(right[bank] + (scene->banks.slots[pass][bank].lanes != 0));
    if (cells == CELLS_SHARERS)
        sharers_right(scene, count, right);
    if (marks_framed(cells))
        pixels_right(scene, cells == CELLS_WINDOW, right);
    if (cells == CELLS_SECTORS || cells == CELLS_FRESH)
        for (uint32_t i = 0; i < scene->chunks.chunk_count; i++)
            for (uint32_t sector = 0; sector < CHUNK_SECTORS; sector++) {
                uint64_t const row = (scene->chunks.chunks[i].address - first) / CHUNK_BYTES;
                if (row < rows && (scene->chunks.chunks[i].sectors >> sector & 1))
                    right[row * CHUNK_SECTORS + sector] = 1;
            }
    if (cells == CELLS_FRESH)
        fresh_right(scene, count, first, right);
    if (cells == CELLS_ROWS)
        for (uint32_t i = 0; i < count; i++) {
            const struct scene_shelf *shelf = &scene->dram.shelves[i % across];
            right[i] = marks_exist(scene, cells, i) && shelf->row_opened[marks_row(shelf, i / across)];
        }
}

struct mark_counts marks_compare(enum mark_cells cells, const uint8_t *marked, const uint8_t *right, uint32_t count)
{
    struct mark_counts counts = {0};
    for (uint32_t i = 0; i < count && cells == CELLS_VARIABLES; i++) {
        counts.right += right[i] && marked[i] == right[i];
        counts.missing += right[i] && !marked[i];
        counts.extra += marked[i] && marked[i] != right[i];
    }
    if (cells == CELLS_VARIABLES)
        return counts;
    for (uint32_t i = 0; i < count; i++) {
        unsigned const both = marked[i] < right[i] ? marked[i] : right[i];
        counts.right += both;
        counts.missing += right[i] - both;
        counts.extra += marked[i] - both;
    }
    return counts;
}
