/* Each face is open twice: at a fixed large size for advances, and at the size that is being drawn. Small glyphs are
 * rendered four times as wide and averaged down at one of four quarter-pixel positions. Light hinting keeps their
 * horizontal strokes on pixel rows. */
#include "platform/glyphs.h"
#include "platform/utf8.h"
#include <math.h>
#include <SDL_ttf.h>
#include <stdlib.h>
#include <string.h>

enum { MEASURE_SIZE = 2000, MAX_FACES = 24, PHASES = 4, LARGEST_WITH_PHASES = 2 * 40 /* in half pixels */ };

struct face {
    struct font_file file;
    bool bold;
    TTF_Font *measure, *draw;
    int draw_size, draw_stretch;
    bool kerning;
};
/* A hash table with open addressing, for small structs with a 64-bit key that is never 0. */
struct cache {
    uint64_t *keys;
    void *values;
    size_t count, capacity, element;
};
struct character {
    int face; /* -1: no font has the character */
    float advance;
};
/* Most characters are ASCII: they and their pairs are looked up in plain tables. */
enum { ASCII = 128 };
struct ascii {
    struct character characters[ASCII];
    bool known[ASCII];
};
struct ascii_kerns {
    float kern[ASCII][ASCII];
    bool known[ASCII][ASCII];
};
/* A measured width. Frames mostly measure the texts of the frame before. A text is known by a hash of 64 bits, so that
 * two texts practically never share one; a slot keeps the latest text. */
enum { WIDTHS = 1 << 14 };
struct width {
    uint64_t hash; /* of text, role and size; 0: none */
    float width;
};
struct glyphs {
    struct font_finder finder;
    struct face faces[MAX_FACES];
    int face_count;
    int latin[FONT_ROLE_COUNT], korean[2];
    float ascent[FONT_ROLE_COUNT], descent[FONT_ROLE_COUNT];
    struct cache characters, drawn, kerns;
    struct ascii ascii[FONT_ROLE_COUNT];
    struct ascii_kerns *ascii_kerns[MAX_FACES]; /* of faces with kerning */
    struct width *widths;
    struct atlas_page pages[ATLAS_PAGES];
    int page_count;
    uint32_t generation;
    size_t bitmaps; /* drawn so far */
    bool ttf_started;
};

static size_t cache_slot(const struct cache *cache, uint64_t key)
{
    uint64_t hash = key * 0x9E3779B97F4A7C15u;
    size_t slot = (size_t)(hash >> 32) & (cache->capacity - 1);
    while (cache->keys[slot] && cache->keys[slot] != key)
        slot = (slot + 1) & (cache->capacity - 1);
    return slot;
}

static void *cache_at(const struct cache *cache, size_t slot)
{
    return (char *)cache->values + slot * cache->element;
}

static void *cache_find(const struct cache *cache, uint64_t key)
{
    if (!cache->capacity)
        return NULL;
    size_t slot = cache_slot(cache, key);
    return cache->keys[slot] ? cache_at(cache, slot) : NULL;
}

static void cache_free(struct cache *cache)
{
    free(cache->keys);
    free(cache->values);
    *cache = (struct cache){.element = cache->element};
}

/* Adds a value. Returns false, and does not keep the value, when there is no memory. */
static bool cache_add(struct cache *cache, uint64_t key, const void *value)
{
    if (cache->count * 2 >= cache->capacity) {
        struct cache grown = {.capacity = cache->capacity ? cache->capacity * 2 : 512, .element = cache->element};
        grown.keys = calloc(grown.capacity, sizeof *grown.keys);
        grown.values = calloc(grown.capacity, grown.element);
        if (!grown.keys || !grown.values) {
            cache_free(&grown);
            return false;
        }
        for (size_t i = 0; i < cache->capacity; i++)
            if (cache->keys[i])
                cache_add(&grown, cache->keys[i], cache_at(cache, i));
        cache_free(cache);
        *cache = grown;
    }
    size_t slot = cache_slot(cache, key);
    cache->keys[slot] = key;
    memcpy(cache_at(cache, slot), value, cache->element);
    cache->count++;
    return true;
}

static bool has_kerning(TTF_Font *font)
{
    static const char pairs[] = "AVToTaLTYoWATe";
    for (size_t i = 0; i + 1 < sizeof pairs; i += 2)
        if (TTF_GetFontKerningSizeGlyphs32(font, (Uint32)pairs[i], (Uint32)pairs[i + 1]) != 0)
            return true;
    return false;
}

/* Returns the index of the opened face, or -1 when the file is no font. Two roles with the same file share a face. */
static int open_face(struct glyphs *glyphs, struct font_file file, bool bold)
{
    if (!file.path)
        return -1;
    for (int i = 0; i < glyphs->face_count; i++)
        if (strcmp(glyphs->faces[i].file.path, file.path) == 0 && glyphs->faces[i].file.index == file.index)
            return i;
    if (glyphs->face_count == MAX_FACES)
        return -1;
    struct face face = {.file = file, .bold = bold};
    face.measure = TTF_OpenFontIndex(file.path, MEASURE_SIZE, file.index);
    face.draw = TTF_OpenFontIndex(file.path, 16, file.index);
    if (!face.measure || !face.draw) {
        if (face.measure)
            TTF_CloseFont(face.measure);
        if (face.draw)
            TTF_CloseFont(face.draw);
        return -1;
    }
    TTF_SetFontHinting(face.measure, TTF_HINTING_NONE);
    TTF_SetFontHinting(face.draw, TTF_HINTING_LIGHT);
    face.kerning = has_kerning(face.measure);
    if (face.kerning) /* without memory, the cache of all pairs serves */
        glyphs->ascii_kerns[glyphs->face_count] = calloc(1, sizeof *glyphs->ascii_kerns[0]);
    glyphs->faces[glyphs->face_count] = face;
    return glyphs->face_count++;
}

/* Measures the letters that reach highest and lowest. Brackets and accents may go a little further. */
static void measure_ink(struct glyphs *glyphs, enum font_role role)
{
    static const uint32_t sample[] = {'H', 'd', 'l', 'g', 'p', 'y', 'Q', '8', 0xD55C, 0xAE00};
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
        int korean = glyphs->korean[role == FONT_BOLD];
        int index = sample[i] < 0x80 || korean < 0 ? glyphs->latin[role] : korean;
        int low = 0, high = 0;
        if (TTF_GlyphMetrics32(glyphs->faces[index].measure, sample[i], NULL, NULL, &low, &high, NULL) != 0)
            continue;
        glyphs->ascent[role] = fmaxf(glyphs->ascent[role], (float)high / MEASURE_SIZE);
        glyphs->descent[role] = fmaxf(glyphs->descent[role], (float)-low / MEASURE_SIZE);
    }
}

static bool open_all(struct glyphs *glyphs, struct error *error)
{
    if (TTF_Init() != 0)
        return error_set(error, ERROR_MISSING, "SDL2_ttf did not start: %s", TTF_GetError());
    glyphs->ttf_started = true;
    if (!font_finder_open(&glyphs->finder, error))
        return false;
    glyphs->korean[0] = open_face(glyphs, glyphs->finder.korean[0], false);
    glyphs->korean[1] = open_face(glyphs, glyphs->finder.korean[1], true);
    for (enum font_role role = 0; role < FONT_ROLE_COUNT; role++) {
        glyphs->latin[role] = open_face(glyphs, glyphs->finder.latin[role], role == FONT_BOLD);
        if (glyphs->latin[role] < 0)
            return error_set(error, ERROR_MISSING, "%s cannot be read as a font; install it again",
                             glyphs->finder.latin[role].path);
        measure_ink(glyphs, role);
    }
    return true;
}

bool glyphs_open(struct glyphs **out, struct error *error)
{
    struct glyphs *glyphs = calloc(1, sizeof *glyphs);
    if (!glyphs)
        return error_set(error, ERROR_MISSING, "no memory for fonts");
    glyphs->characters.element = sizeof(struct character);
    glyphs->drawn.element = sizeof(struct glyph);
    glyphs->kerns.element = sizeof(float);
    if (!open_all(glyphs, error)) {
        glyphs_close(glyphs);
        return false;
    }
    *out = glyphs;
    return true;
}

void glyphs_close(struct glyphs *glyphs)
{
    if (!glyphs)
        return;
    free(glyphs->widths);
    for (int i = 0; i < glyphs->face_count; i++) {
        free(glyphs->ascii_kerns[i]);
        TTF_CloseFont(glyphs->faces[i].measure);
        TTF_CloseFont(glyphs->faces[i].draw);
    }
    for (int i = 0; i < glyphs->page_count; i++)
        free(glyphs->pages[i].alpha);
    cache_free(&glyphs->characters);
    cache_free(&glyphs->drawn);
    cache_free(&glyphs->kerns);
    font_finder_close(&glyphs->finder);
    if (glyphs->ttf_started)
        TTF_Quit();
    free(glyphs);
}

/* Returns true for Hangul, kana, Han and full-width forms, which come from a Korean font first. */
static bool is_east_asian(uint32_t code)
{
    return (code >= 0x1100 && code <= 0x11FF) || (code >= 0x2E80 && code <= 0xD7FF) ||
           (code >= 0xF900 && code <= 0xFAFF) || (code >= 0xFF00 && code <= 0xFFEF);
}

/* Returns the face for a character: the role's own; else the Korean one for East Asian characters, or the code face for
 * arrows and signs, which it draws in one style; else any font that has it. */
static int face_for(struct glyphs *glyphs, enum font_role role, uint32_t code)
{
    const int wanted[] = {glyphs->latin[role],
                          is_east_asian(code) ? glyphs->korean[role == FONT_BOLD] : glyphs->latin[FONT_CODE]};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (wanted[i] >= 0 && TTF_GlyphIsProvided32(glyphs->faces[wanted[i]].measure, code))
            return wanted[i];
    int other = open_face(glyphs, font_finder_any(&glyphs->finder, code, role == FONT_BOLD), role == FONT_BOLD);
    return other >= 0 ? other : glyphs->latin[role]; /* the Latin face then draws its box for a missing character */
}

static struct character find_character(struct glyphs *glyphs, enum font_role role, uint32_t code)
{
    struct ascii *ascii = &glyphs->ascii[role];
    if (code < ASCII && ascii->known[code])
        return ascii->characters[code];
    uint64_t key = (uint64_t)role << 32 | code | (uint64_t)1 << 40;
    const struct character *known = cache_find(&glyphs->characters, key);
    if (known)
        return *known;
    struct character found = {.face = face_for(glyphs, role, code)};
    int advance = 0;
    if (TTF_GlyphMetrics32(glyphs->faces[found.face].measure, code, NULL, NULL, NULL, NULL, &advance) != 0)
        found.face = -1;
    found.advance = (float)advance / MEASURE_SIZE;
    if (code < ASCII) {
        ascii->known[code] = true;
        ascii->characters[code] = found;
    } else
        cache_add(&glyphs->characters, key, &found);
    return found;
}

static float kern_between(struct glyphs *glyphs, int face, uint32_t before, uint32_t code)
{
    if (!before || face < 0 || !glyphs->faces[face].kerning)
        return 0;
    struct ascii_kerns *ascii = before < ASCII && code < ASCII ? glyphs->ascii_kerns[face] : NULL;
    if (ascii && ascii->known[before][code])
        return ascii->kern[before][code];
    uint64_t key = (uint64_t)(face + 1) << 42 | (uint64_t)before << 21 | code;
    const float *known = ascii ? NULL : cache_find(&glyphs->kerns, key);
    if (known)
        return *known;
    float kern = (float)TTF_GetFontKerningSizeGlyphs32(glyphs->faces[face].measure, before, code) / MEASURE_SIZE;
    if (ascii) {
        ascii->known[before][code] = true;
        ascii->kern[before][code] = kern;
    } else
        cache_add(&glyphs->kerns, key, &kern);
    return kern;
}

/* The pen that moves along a line. Measuring and drawing both use it, so they cannot disagree. */
struct pen {
    struct glyphs *glyphs;
    enum font_role role;
    float size, x;
    const char *text;
    size_t left;
    uint32_t before, code;
    struct character character;
    float at; /* pen position of this character's glyph */
};

static bool pen_next(struct pen *pen)
{
    if (!pen->left)
        return false;
    size_t used;
    pen->code = character_decode(pen->text, pen->left, &used);
    pen->text += used;
    pen->left -= used;
    int face_before = pen->before ? pen->character.face : -1;
    pen->character = find_character(pen->glyphs, pen->role, pen->code < 0x20 ? ' ' : pen->code);
    if (face_before == pen->character.face)
        pen->x += pen->size * kern_between(pen->glyphs, face_before, pen->before, pen->code);
    pen->at = pen->x;
    pen->x += pen->size * pen->character.advance;
    pen->before = pen->code;
    return true;
}

/* Returns a hash of the text, its role and its size; never 0. */
static uint64_t hash_text(enum font_role role, float size, const char *text, size_t length)
{
    uint64_t const factor = 0x9E3779B97F4A7C15u;
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    uint64_t hash = ((uint64_t)role << 32 | bits) * factor ^ length;
    for (size_t at = 0; at < length; at += 8) {
        uint64_t part = 0;
        memcpy(&part, text + at, length - at < 8 ? length - at : 8);
        hash = (hash ^ part) * factor;
        hash ^= hash >> 32;
    }
    hash = (hash ^ hash >> 29) * factor;
    return (hash ^ hash >> 32) | 1;
}

float glyphs_width(void *context, enum font_role role, float size, const char *text, size_t length)
{
    struct glyphs *glyphs = context;
    struct width *kept = NULL;
    uint64_t const hash = hash_text(role, size, text, length);
    if (!glyphs->widths)
        glyphs->widths = calloc(WIDTHS, sizeof *glyphs->widths);
    if (glyphs->widths)
        kept = &glyphs->widths[(hash >> 32) % WIDTHS];
    if (kept && kept->hash == hash)
        return kept->width;
    struct pen pen = {.glyphs = glyphs, .role = role, .size = size, .text = text, .left = length};
    while (pen_next(&pen)) {
    }
    if (kept)
        *kept = (struct width){hash, pen.x};
    return pen.x;
}

float glyphs_ascent(void *context, enum font_role role, float size)
{
    return ((const struct glyphs *)context)->ascent[role] * size;
}

float glyphs_descent(void *context, enum font_role role, float size)
{
    return ((const struct glyphs *)context)->descent[role] * size;
}

static bool add_page(struct glyphs *glyphs)
{
    if (glyphs->page_count == ATLAS_PAGES)
        return false;
    struct atlas_page page = {.alpha = calloc(ATLAS_SIDE, ATLAS_SIDE), .dirty_to = ATLAS_SIDE};
    if (!page.alpha)
        return false;
    for (int y = 0; y < ATLAS_WHITE; y++)
        memset(page.alpha + y * ATLAS_SIDE, 255, ATLAS_WHITE);
    page.shelf_y = ATLAS_WHITE + 1;
    glyphs->pages[glyphs->page_count++] = page;
    return true;
}

/* Finds room for a bitmap. Glyphs stand on shelves from left to right, one shelf below the other. Only the newest page
 * takes more. Returns false when the atlas is full. */
static bool find_room(struct glyphs *glyphs, int w, int h, struct glyph *glyph)
{
    if (w + 1 > ATLAS_SIDE || h + 1 > ATLAS_SIDE - ATLAS_WHITE - 1)
        return false;
    for (;;) {
        if (!glyphs->page_count && !add_page(glyphs))
            return false;
        struct atlas_page *page = &glyphs->pages[glyphs->page_count - 1];
        if (page->shelf_x + w + 1 > ATLAS_SIDE) {
            page->shelf_x = 0;
            page->shelf_y += page->shelf_height;
            page->shelf_height = 0;
        }
        if (page->shelf_y + h + 1 <= ATLAS_SIDE) {
            glyph->page = (uint16_t)(glyphs->page_count - 1);
            glyph->u = (uint16_t)page->shelf_x;
            glyph->v = (uint16_t)page->shelf_y;
            page->shelf_x += w + 1;
            page->shelf_height = page->shelf_height > h + 1 ? page->shelf_height : h + 1;
            page->dirty_from = page->dirty_from < glyph->v ? page->dirty_from : glyph->v;
            page->dirty_to = page->dirty_to > glyph->v + h ? page->dirty_to : glyph->v + h;
            return true;
        }
        if (!add_page(glyphs))
            return false;
    }
}

/* Averages each `stretch` columns of the bitmap into one, after moving it right by `phase` columns. */
static void fold(const SDL_Surface *bitmap, int origin, int top_row, const struct glyph *glyph, int stretch, int phase,
                 uint8_t *out)
{
    for (int y = 0; y < glyph->h; y++) {
        const uint8_t *row = (const uint8_t *)bitmap->pixels + (top_row + y) * bitmap->pitch;
        for (int x = 0; x < glyph->w; x++) {
            int sum = 0;
            for (int i = 0; i < stretch; i++) {
                int column = (glyph->left + x) * stretch + i - phase + origin;
                if (column >= 0 && column < bitmap->w)
                    sum += row[column * 4 + 3]; /* ARGB8888, little endian: alpha is the last byte */
            }
            out[y * ATLAS_SIDE + x] = (uint8_t)((sum + stretch / 2) / stretch);
        }
    }
}

static int floor_divide(int a, int b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* Draws a glyph into the atlas. Returns false when there is no room. SDL_ttf puts the origin of a single glyph at
 * column 0, or further right when its ink starts left of the origin, and its baseline at the font's ascent, or lower
 * when the ink reaches higher. */
static bool draw_glyph(struct glyphs *glyphs, int face_index, uint32_t code, int half_pixels, int stretch, int phase,
                       struct glyph *glyph)
{
    struct face *face = &glyphs->faces[face_index];
    if (face->draw_size != half_pixels || face->draw_stretch != stretch) {
        /* half_pixels points at 36 dots per inch are half_pixels / 2 pixels */
        if (TTF_SetFontSizeDPI(face->draw, half_pixels, 36 * (unsigned)stretch, 36) != 0)
            return true;
        face->draw_size = half_pixels;
        face->draw_stretch = stretch;
    }
    int min_x, max_x, min_y, max_y;
    if (TTF_GlyphMetrics32(face->draw, code, &min_x, &max_x, &min_y, &max_y, NULL) != 0 || max_x <= min_x ||
        max_y <= min_y)
        return true; /* a space */
    glyphs->bitmaps++;
    SDL_Surface *bitmap = TTF_RenderGlyph32_Blended(face->draw, code, (SDL_Color){255, 255, 255, 255});
    if (!bitmap)
        return true;
    int ascent = TTF_FontAscent(face->draw), top_row = (max_y > ascent ? max_y : ascent) - max_y;
    int left = floor_divide(min_x + phase, stretch), right = floor_divide(max_x + phase + stretch - 1, stretch);
    if (right - left > ATLAS_SIDE / 2 || max_y - min_y > ATLAS_SIDE / 2) {
        SDL_FreeSurface(bitmap); /* larger than any layout's text */
        return true;
    }
    int height = max_y - min_y < bitmap->h - top_row ? max_y - min_y : bitmap->h - top_row;
    bool room = height <= 0 || find_room(glyphs, right - left, height, glyph);
    if (room && height > 0) {
        glyph->w = (uint16_t)(right - left);
        glyph->h = (uint16_t)height;
        glyph->left = (int16_t)left;
        glyph->top = (int16_t)max_y;
        fold(bitmap, min_x < 0 ? -min_x : 0, top_row, glyph, stretch, phase,
             glyphs->pages[glyph->page].alpha + glyph->v * ATLAS_SIDE + glyph->u);
    }
    SDL_FreeSurface(bitmap);
    return room;
}

bool glyphs_line(struct glyphs *glyphs, enum font_role role, float size, float x, const char *text,
                 void (*put)(void *context, const struct glyph *glyph, int pen_x), void *context)
{
    struct pen pen = {.glyphs = glyphs, .role = role, .size = size, .x = x, .text = text, .left = strlen(text)};
    int half_pixels = (int)lroundf(size * 2);
    if (half_pixels < 2)
        return true;
    int stretch = half_pixels <= LARGEST_WITH_PHASES ? PHASES : 1;
    while (pen_next(&pen)) {
        if (pen.character.face < 0 || pen.code <= 0x20)
            continue;
        int place = (int)floorf(pen.at * (float)stretch + 0.5f);
        int pen_x = floor_divide(place, stretch), phase = place - pen_x * stretch;
        uint64_t key = (uint64_t)1 << 63 | (uint64_t)pen.character.face << 48 | (uint64_t)half_pixels << 28 |
                       (uint64_t)phase << 24 | pen.code;
        const struct glyph *known = cache_find(&glyphs->drawn, key);
        struct glyph fresh = {0};
        if (!known) {
            if (!draw_glyph(glyphs, pen.character.face, pen.code, half_pixels, stretch, phase, &fresh))
                return false;
            cache_add(&glyphs->drawn, key, &fresh);
            known = &fresh;
        }
        if (known->w)
            put(context, known, pen_x);
    }
    return true;
}

void glyphs_characters(struct glyphs *glyphs, enum font_role role, float size, float x, const char *text,
                       void (*put)(void *context, int face, uint32_t code, float at), void *context)
{
    struct pen pen = {.glyphs = glyphs, .role = role, .size = size, .x = x, .text = text, .left = strlen(text)};
    while (pen_next(&pen))
        if (pen.character.face >= 0)
            put(context, pen.character.face, pen.code < 0x20 ? ' ' : pen.code, pen.at);
}

struct font_file glyphs_face_file(const struct glyphs *glyphs, int face)
{
    return glyphs->faces[face].file;
}

bool glyphs_disc(struct glyphs *glyphs, int radius, int thick, struct glyph *glyph)
{
    uint64_t key = (uint64_t)1 << 62 | (uint64_t)radius << 16 | (uint64_t)thick;
    const struct glyph *known = cache_find(&glyphs->drawn, key);
    if (known) {
        *glyph = *known;
        return true;
    }
    *glyph = (struct glyph){.w = (uint16_t)(2 * radius), .h = (uint16_t)(2 * radius)};
    if (!find_room(glyphs, glyph->w, glyph->h, glyph))
        return false;
    uint8_t *out = glyphs->pages[glyph->page].alpha + glyph->v * ATLAS_SIDE + glyph->u;
    for (int y = 0; y < glyph->h; y++)
        for (int x = 0; x < glyph->w; x++) {
            float right = (float)(x - radius) + 0.5f, down = (float)(y - radius) + 0.5f;
            float away = sqrtf(right * right + down * down);
            float cover = fminf(1, fmaxf(0, (float)radius + 0.5f - away));
            if (thick > 0)
                cover -= fminf(1, fmaxf(0, (float)(radius - thick) + 0.5f - away));
            out[y * ATLAS_SIDE + x] = (uint8_t)lroundf(cover * 255);
        }
    cache_add(&glyphs->drawn, key, glyph);
    return true;
}

void glyphs_forget(struct glyphs *glyphs)
{
    cache_free(&glyphs->drawn);
    for (int i = 0; i < glyphs->page_count; i++)
        free(glyphs->pages[i].alpha);
    glyphs->page_count = 0;
    glyphs->generation++;
}

uint32_t glyphs_generation(const struct glyphs *glyphs)
{
    return glyphs->generation;
}

size_t glyphs_drawn(const struct glyphs *glyphs)
{
    return glyphs->bitmaps;
}

struct atlas_page *glyphs_page(struct glyphs *glyphs, int page)
{
    return &glyphs->pages[page];
}

int glyphs_page_count(const struct glyphs *glyphs)
{
    return glyphs->page_count;
}

const char *glyphs_font_path(const struct glyphs *glyphs, enum font_role role, bool hangul)
{
    return hangul ? glyphs->finder.korean[role == FONT_BOLD].path : glyphs->finder.latin[role].path;
}
