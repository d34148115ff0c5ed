/* Draws a mesh into the window. On a graphics processor, one call draws everything up to the next change of clip or
 * atlas page. Rectangles and triangles take their opacity from the vertices and sample the page's solid square, so they
 * work with any page. */
#include "platform/state.h"

void window_forget_textures(struct platform *platform)
{
    for (int i = 0; i < ATLAS_PAGES; i++) {
        if (platform->pages[i])
            SDL_DestroyTexture(platform->pages[i]);
        platform->pages[i] = NULL;
    }
    platform->show_all = true;
}

static bool upload_rows(SDL_Texture *texture, const struct atlas_page *page, int from, int to)
{
    void *pixels;
    int pitch;
    SDL_Rect rows = {0, from, ATLAS_SIDE, to - from};
    if (SDL_LockTexture(texture, &rows, &pixels, &pitch) != 0)
        return false;
    for (int y = 0; y < rows.h; y++) {
        uint32_t *out = (uint32_t *)(void *)((char *)pixels + y * pitch);
        const uint8_t *in = page->alpha + (from + y) * ATLAS_SIDE;
        for (int x = 0; x < ATLAS_SIDE; x++)
            out[x] = 0xFFFFFFu | (uint32_t)in[x] << 24;
    }
    SDL_UnlockTexture(texture);
    return true;
}

/* Uploads the atlas: new rows of each page, and the whole page when it has no texture yet. */
static bool update_pages(struct platform *platform)
{
    int count = glyphs_page_count(platform->glyphs);
    for (int i = 0; i < count; i++) {
        struct atlas_page *page = glyphs_page(platform->glyphs, i);
        bool fresh = !platform->pages[i];
        if (fresh) {
            platform->pages[i] = SDL_CreateTexture(platform->renderer, SDL_PIXELFORMAT_ARGB8888,
                                                   SDL_TEXTUREACCESS_STREAMING, ATLAS_SIDE, ATLAS_SIDE);
            if (!platform->pages[i])
                return false;
            SDL_SetTextureBlendMode(platform->pages[i], SDL_BLENDMODE_BLEND);
            SDL_SetTextureScaleMode(platform->pages[i], SDL_ScaleModeNearest);
        }
        int from = fresh ? 0 : page->dirty_from, to = fresh ? ATLAS_SIDE : page->dirty_to;
        if (from < to && !upload_rows(platform->pages[i], page, from, to))
            return false;
        page->dirty_from = ATLAS_SIDE;
        page->dirty_to = 0;
    }
    return true;
}

static const float solid = 2.0f / ATLAS_SIDE; /* texture coordinate in the middle of the page's solid square */

static int add_vertex(struct platform *platform, float x, float y, struct color color, float opacity, float u, float v)
{
    SDL_Vertex vertex = {{x, y}, {color.r, color.g, color.b, (Uint8)((float)color.a * opacity + 0.5f)}, {u, v}};
    array_push(&platform->vertices, vertex);
    return (int)platform->vertices.count - 1;
}

static void add_index(struct platform *platform, int index)
{
    array_push(&platform->indices, index);
}

static void add_quad(struct platform *platform, const struct mesh_part *part, float u0, float v0, float u1, float v1)
{
    float x0 = (float)part->rect.x0, y0 = (float)part->rect.y0, x1 = (float)part->rect.x1, y1 = (float)part->rect.y1;
    int first = add_vertex(platform, x0, y0, part->color, 1, u0, v0);
    add_vertex(platform, x1, y0, part->color, 1, u1, v0);
    add_vertex(platform, x1, y1, part->color, 1, u1, v1);
    add_vertex(platform, x0, y1, part->color, 1, u0, v1);
    const int order[] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6; i++)
        add_index(platform, first + order[i]);
}

static void add_triangles(struct platform *platform, const struct mesh_part *part)
{
    const struct mesh *mesh = &platform->mesh;
    /* the vertices of one part are contiguous in the mesh, from its smallest index to its largest */
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = part->first; i < part->first + part->count; i++) {
        uint32_t index = mesh->indices.items[i];
        low = index < low ? index : low;
        high = index > high ? index : high;
    }
    int base = (int)platform->vertices.count;
    for (uint32_t i = low; i <= high; i++) {
        const struct mesh_vertex *v = &mesh->vertices.items[i];
        add_vertex(platform, v->x, v->y, part->color, v->opacity, solid, solid);
    }
    for (uint32_t i = part->first; i < part->first + part->count; i++)
        add_index(platform, base + (int)(mesh->indices.items[i] - low));
}

static bool flush(struct platform *platform, SDL_Texture *page, struct pixel_rect clip)
{
    if (!platform->indices.count)
        return true;
    SDL_Rect rect = {clip.x0, clip.y0, clip.x1 > clip.x0 ? clip.x1 - clip.x0 : 0,
                     clip.y1 > clip.y0 ? clip.y1 - clip.y0 : 0};
    bool drawn = rect.w == 0 || rect.h == 0 ||
                 (SDL_RenderSetClipRect(platform->renderer, &rect) == 0 &&
                  SDL_RenderGeometry(platform->renderer, page, platform->vertices.items, (int)platform->vertices.count,
                                     platform->indices.items, (int)platform->indices.count) == 0);
    platform->vertices.count = platform->indices.count = 0;
    return drawn;
}

static bool same_clip(struct pixel_rect a, struct pixel_rect b)
{
    return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
}

static bool draw_on_processor(struct platform *platform, struct color background)
{
    if (!update_pages(platform) || SDL_RenderSetClipRect(platform->renderer, NULL) != 0 ||
        SDL_SetRenderDrawColor(platform->renderer, background.r, background.g, background.b, 255) != 0 ||
        SDL_RenderClear(platform->renderer) != 0)
        return false;
    SDL_Texture *page = platform->pages[0]; /* NULL before the first glyph; plain colours are then right too */
    SDL_SetRenderDrawBlendMode(platform->renderer, SDL_BLENDMODE_BLEND);
    struct pixel_rect clip = {0};
    for (size_t i = 0; i < platform->mesh.parts.count; i++) {
        const struct mesh_part *part = &platform->mesh.parts.items[i];
        SDL_Texture *wanted = part->kind == MESH_GLYPH ? platform->pages[part->page] : page;
        if ((wanted != page || !same_clip(part->clip, clip)) && !flush(platform, page, clip))
            return false;
        page = wanted;
        clip = part->clip;
        if (part->kind == MESH_TRIANGLES) {
            add_triangles(platform, part);
        } else if (part->kind == MESH_GLYPH) {
            float w = (float)(part->rect.x1 - part->rect.x0), h = (float)(part->rect.y1 - part->rect.y0);
            add_quad(platform, part, (float)part->u / ATLAS_SIDE, (float)part->v / ATLAS_SIDE,
                     ((float)part->u + w) / ATLAS_SIDE, ((float)part->v + h) / ATLAS_SIDE);
        } else {
            add_quad(platform, part, solid, solid, solid, solid);
        }
    }
    return flush(platform, page, clip);
}

void window_pixels(const struct platform *platform, int *width, int *height)
{
    if (platform->renderer)
        SDL_GetRendererOutputSize(platform->renderer, width, height);
    else /* a window with a surface is not scaled by the window system */
        SDL_GetWindowSize(platform->window, width, height);
}

/* Copies an area of the canvas to the window's surface, whatever bytes that has for a pixel. */
static bool copy_area(const struct picture *from, SDL_Surface *to, const SDL_Rect *area)
{
    size_t const start = ((size_t)area->y * (size_t)from->width + (size_t)area->x) * 4;
    return SDL_ConvertPixels(
               area->w, area->h, SDL_PIXELFORMAT_ARGB8888, from->pixels + start, from->width * 4, to->format->format,
               (uint8_t *)to->pixels + area->y * to->pitch + area->x * to->format->BytesPerPixel, to->pitch) == 0;
}

/* Shows the canvas: what has changed since the last frame, or all of it in new memory. */
static bool show_canvas(struct platform *platform)
{
    struct canvas *canvas = &platform->canvas;
    SDL_Surface *surface = SDL_GetWindowSurface(platform->window);
    SDL_Rect const all = {0, 0, canvas->picture.width, canvas->picture.height};
    if (!surface)
        return false;
    if (surface->w != all.w || surface->h != all.h)
        return platform->show_all = true; /* the size has just changed: its event brings the next frame */
    if (platform->shown != surface->pixels || platform->show_all) {
        platform->shown = surface->pixels;
        platform->show_all = false;
        return copy_area(&canvas->picture, surface, &all) && SDL_UpdateWindowSurface(platform->window) == 0;
    }
    platform->areas.count = 0;
    for (size_t i = 0; i < canvas->changed.count; i++) {
        struct pixel_rect const r = canvas->changed.items[i];
        SDL_Rect const area = {r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0};
        if (!copy_area(&canvas->picture, surface, &area))
            return false;
        array_push(&platform->areas, area);
    }
    return !platform->areas.count ||
           SDL_UpdateWindowSurfaceRects(platform->window, platform->areas.items, (int)platform->areas.count) == 0;
}

bool window_draw(struct platform *platform, const struct draw_list *list, struct color background)
{
    int width = 0, height = 0;
    window_pixels(platform, &width, &height);
    if (width < 1 || height < 1)
        return true; /* minimised */
    mesh_build(&platform->mesh, list, platform->glyphs, width, height);
    if (platform->painted_here)
        return canvas_paint(&platform->canvas, &platform->mesh, platform->glyphs, width, height, background, NULL) &&
               show_canvas(platform);
    if (!draw_on_processor(platform, background))
        return false;
    SDL_RenderPresent(platform->renderer);
    return true;
}

bool platform_show(struct platform *platform, const struct draw_list *list, struct color background,
                   struct error *error)
{
    return window_draw(platform, list, background) ||
           error_set(error, ERROR_MISSING, "the window shows nothing: %s", SDL_GetError());
}

void platform_last_work(const struct platform *platform, struct platform_work *work)
{
    const struct mesh *mesh = &platform->mesh;
    int width = 1, height = 1;
    double area = 0, painted = 0;
    window_pixels(platform, &width, &height);
    size_t quads = 0;
    for (size_t i = 0; i < mesh->parts.count; i++) {
        const struct mesh_part *part = &mesh->parts.items[i];
        quads += part->kind != MESH_TRIANGLES;
        if (part->kind != MESH_TRIANGLES)
            area += (double)(part->rect.x1 - part->rect.x0) * (part->rect.y1 - part->rect.y0);
    }
    for (size_t i = 0; i < platform->canvas.changed.count; i++) {
        struct pixel_rect const r = platform->canvas.changed.items[i];
        painted += (double)(r.x1 - r.x0) * (r.y1 - r.y0);
    }
    double const all = (double)width * height;
    *work = (struct platform_work){.parts = mesh->parts.count,
                                   .vertices = mesh->vertices.count + 4 * quads,
                                   .glyphs = glyphs_drawn(platform->glyphs),
                                   .overdraw = area / all,
                                   .painted = platform->painted_here ? painted / all : 1,
                                   .on_processor = platform->painted_here};
}
