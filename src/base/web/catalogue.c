/* gettext's functions for the page: those of emscripten's libc read their files wrongly. The catalogue is read once for
 * each language; it is one that msgfmt made, sorted by its texts. */
#include <libintl.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char folder[256], language[16];
    char *bytes; /* NULL: the language has no catalogue, its texts stay as they are */
} catalogue;

char *bindtextdomain(const char *domain, const char *folder)
{
    (void)domain;
    if (folder)
        snprintf(catalogue.folder, sizeof catalogue.folder, "%s", folder);
    return catalogue.folder;
}

char *bind_textdomain_codeset(const char *domain, const char *codeset)
{
    (void)domain;
    return (char *)(uintptr_t)codeset;
}

/* Returns all bytes of a file, with a NUL behind them; NULL: it is not there. */
static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long const size = ftell(file);
    rewind(file);
    char *bytes = size > 0 ? calloc(1, (size_t)size + 1) : NULL;
    if (bytes && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

static void read_catalogue(const char *domain, const char *language)
{
    char path[512];
    snprintf(catalogue.language, sizeof catalogue.language, "%s", language);
    snprintf(path, sizeof path, "%s/%s/LC_MESSAGES/%s.mo", catalogue.folder, language, domain);
    free(catalogue.bytes);
    catalogue.bytes = read_all(path);
}

/* Returns a field of the header or of a table: 32 bits at an offset. */
static uint32_t field(uint32_t at)
{
    uint32_t value;
    memcpy(&value, catalogue.bytes + at, sizeof value);
    return value;
}

char *(dgettext)(const char *domain, const char *text)
{
    const char *language = setlocale(LC_MESSAGES, NULL);
    if (strcmp(language, catalogue.language) != 0)
        read_catalogue(domain, language);
    if (!catalogue.bytes || !*text)
        return (char *)(uintptr_t)text;
    uint32_t low = 0, high = field(8), texts = field(12), translations = field(16);
    while (low < high) {
        uint32_t const middle = low + (high - low) / 2;
        int const order = strcmp(text, catalogue.bytes + field(texts + 8 * middle + 4));
        if (order == 0)
            return catalogue.bytes + field(translations + 8 * middle + 4);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return (char *)(uintptr_t)text;
}
