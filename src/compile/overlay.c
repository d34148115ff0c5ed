#include "compile/overlay.h"
#include "source/dialect.h"
#include "source/tokens.h"
#include <string.h>

/* Returns the words with quotation marks, for a list in JSON. */
static const char *quoted(struct arena *arena, const char *words)
{
    char *text = arena_alloc(arena, 2 * strlen(words) + 3), *at = text;
    *at++ = '"';
    for (; *words; words++) {
        if (*words == '"' || *words == '\\')
            *at++ = '\\';
        *at++ = *words;
    }
    memcpy(at, "\"", 2);
    return text;
}

static bool is_new(struct overlay *overlay, const char *path)
{
    for (size_t i = 0; i < overlay->seen_count; i++)
        if (strcmp(overlay->seen[i], path) == 0)
            return false;
    if (overlay->seen_count == overlay->seen_capacity) {
        const char **old = overlay->seen;
        overlay->seen_capacity = 2 * overlay->seen_capacity + 16;
        overlay->seen = arena_array(overlay->arena, const char *, overlay->seen_capacity);
        if (old)
            memcpy(overlay->seen, old, overlay->seen_count * sizeof *old);
    }
    overlay->seen[overlay->seen_count++] = path;
    return true;
}

bool overlay_add_includes(struct overlay *overlay, const char *text, const char *folder, struct error *error)
{
    struct arena *arena = overlay->arena;
    const struct source *source = source_read(arena, text, NULL, 0, SOURCE_ALL);
    for (uint32_t i = 0; i < source->include_count; i++) {
        const char *name = source->includes[i] + 1,
                   *path = *name == '/' ? name : arena_format(arena, "%s/%s", folder, name);
        for (size_t k = 0; k < overlay->searched_count && !file_exists(path); k++)
            path = arena_format(arena, "%s/%s", overlay->searched[k], name);
        if (*source->includes[i] == '"' && file_exists(path) && !overlay_add(overlay, path, error))
            return false;
    }
    return true;
}

bool overlay_add(struct overlay *overlay, const char *path, struct error *error)
{
    struct arena *arena = overlay->arena;
    char *text;
    if (!is_new(overlay, path) || !file_read(arena, path, &text, NULL, NULL))
        return true; /* clang says what is wrong with a file that cannot be read */
    /* A mark of UTF-8 at the beginning, as editors of Windows write it, would stand behind what we put before it. */
    const char *plain = strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text;
    const char *ours = source_for_clang(arena, plain);
    if (overlay->plain)
        ours = source_left_plain(arena, ours, overlay->seen_count > 1);
    if (ours != text) {
        const char *file = arena_format(arena, "%s/words-%zu", overlay->folder, overlay->count);
        if (!file_write(file, ours, strlen(ours), error))
            return false;
        overlay->entries = arena_format(arena, "%s%s{\"type\": \"file\", \"name\": %s, \"external-contents\": %s}",
                                        overlay->count ? overlay->entries : "", overlay->count ? ",\n" : "",
                                        quoted(arena, path), quoted(arena, file));
        overlay->count++;
    }
    return overlay_add_includes(overlay, text, arena_text_n(arena, path, (size_t)(path_name(path) - path)), error);
}

const char *overlay_end(struct overlay *overlay, struct error *error)
{
    const char *path = arena_format(overlay->arena, "%s/overlay", overlay->folder);
    const char *list =
        arena_format(overlay->arena, "{\"version\": 0, \"use-external-names\": false, \"roots\": [\n%s]}\n",
                     overlay->count ? overlay->entries : "");
    return overlay->count && file_write(path, list, strlen(list), error) ? path : NULL;
}
