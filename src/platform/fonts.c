#include "platform/fonts.h"
#include "base/file.h"
#include <fontconfig/fontconfig.h>
#include <stdlib.h>

static const uint32_t hangul_han = 0xD55C; /* a font with this character is a Korean font */

/* Returns fontconfig's best match that has the character. With `strict`, only a font of the requested family counts. */
static struct font_file match(struct font_finder *finder, const char *family, bool bold, uint32_t character,
                              bool strict)
{
    struct font_file file = {0};
    FcPattern *pattern = FcPatternCreate();
    FcCharSet *characters = FcCharSetCreate();
    FcCharSetAddChar(characters, character);
    FcPatternAddCharSet(pattern, FC_CHARSET, characters);
    if (family)
        FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)family);
    FcPatternAddInteger(pattern, FC_WEIGHT, bold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR);
    FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN);
    FcPatternAddBool(pattern, FC_VARIABLE, FcFalse);
    FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
    FcConfigSubstitute(finder->config, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcResult result = FcResultNoMatch;
    FcPattern *found = FcFontMatch(finder->config, pattern, &result);
    FcChar8 *path = NULL, *name = NULL;
    FcCharSet *has = NULL;
    bool named = !strict;
    for (int i = 0; found && !named && FcPatternGetString(found, FC_FAMILY, i, &name) == FcResultMatch; i++)
        named = FcStrCmpIgnoreCase(name, (const FcChar8 *)family) == 0;
    if (found && named && FcPatternGetString(found, FC_FILE, 0, &path) == FcResultMatch &&
        FcPatternGetCharSet(found, FC_CHARSET, 0, &has) == FcResultMatch && FcCharSetHasChar(has, character)) {
        int index = 0;
        FcPatternGetInteger(found, FC_INDEX, 0, &index);
        file.path = arena_text(&finder->arena, (const char *)path);
        file.index = index & 0xFFFF; /* the bits above are the instance of a variable font */
    }
    if (found)
        FcPatternDestroy(found);
    FcCharSetDestroy(characters);
    FcPatternDestroy(pattern);
    return file;
}

static struct font_file find(struct font_finder *finder, const char *dropped, const char *const *families, bool bold,
                             uint32_t character)
{
    char *path = data_path(&finder->arena, "fonts/%s", dropped);
    if (file_exists(path))
        return (struct font_file){.path = path};
    struct font_file file = {0};
    for (int i = 0; families[i] && !file.path; i++)
        file = match(finder, families[i], bold, character, families[i + 1] != NULL);
    return file;
}

bool font_finder_open(struct font_finder *finder, struct error *error)
{
    /* The last name of each list is a kind of font rather than a family, so any font of that kind matches. */
    static const char *const sans[] = {"Noto Sans", "DejaVu Sans", "sans-serif", NULL};
    static const char *const mono[] = {"JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono", "monospace", NULL};
    static const char *const korean[] = {"Noto Sans CJK KR", "Noto Sans KR", "NanumGothic", "sans-serif", NULL};
    *finder = (struct font_finder){0};
    finder->config = FcInitLoadConfigAndFonts();
    if (!finder->config)
        return error_set(error, ERROR_MISSING, "fontconfig has no configuration; install fontconfig-config");
    finder->latin[FONT_TEXT] = find(finder, "text.ttf", sans, false, 'a');
    finder->latin[FONT_BOLD] = find(finder, "bold.ttf", sans, true, 'a');
    finder->latin[FONT_CODE] = find(finder, "code.ttf", mono, false, 'a');
    finder->korean[0] = find(finder, "korean.ttf", korean, false, hangul_han);
    finder->korean[1] = find(finder, "korean-bold.ttf", korean, true, hangul_han);
    if (finder->latin[FONT_TEXT].path && finder->latin[FONT_BOLD].path && finder->latin[FONT_CODE].path)
        return true;
    bool code = finder->latin[FONT_TEXT].path && finder->latin[FONT_BOLD].path;
    font_finder_close(finder);
    error_set(error, ERROR_MISSING, "no font for %s", code ? "code" : "text");
    return error_remedy(error, "install the package %s, or put a font in fonts/ (see its README)",
                        code ? "fonts-jetbrains-mono" : "fonts-noto-core");
}

void font_finder_close(struct font_finder *finder)
{
    if (finder->config)
        FcConfigDestroy(finder->config);
    arena_free(&finder->arena);
    *finder = (struct font_finder){0};
}

struct font_file font_finder_any(struct font_finder *finder, uint32_t character, bool bold)
{
    return match(finder, NULL, bold, character, false);
}

const char *font_family(struct font_file file, struct arena *arena, bool *bold)
{
    int faces = 0, weight = FC_WEIGHT_REGULAR;
    FcChar8 *name = NULL;
    const char *family = "sans-serif";
    FcPattern *pattern = FcFreeTypeQuery((const FcChar8 *)file.path, (unsigned)file.index, NULL, &faces);
    if (pattern && FcPatternGetString(pattern, FC_FAMILY, 0, &name) == FcResultMatch)
        family = arena_text(arena, (const char *)name);
    if (pattern)
        FcPatternGetInteger(pattern, FC_WEIGHT, 0, &weight);
    *bold = weight >= FC_WEIGHT_DEMIBOLD;
    if (pattern)
        FcPatternDestroy(pattern);
    return family;
}
