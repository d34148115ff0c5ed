/* Shared by both compilers: the names and defines of a source, growing text, and plain .file names in PTX. */
#include "compile/backend.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned unit_least_target(const char *text)
{
    static const char words[] = "// Needs sm_";
    const char *line = strstr(text, words);
    unsigned const named = line ? (unsigned)strtoul(line + strlen(words), NULL, 10) : 0;
    return named > COMPILE_LEAST_TARGET && named < 1000 ? named : COMPILE_LEAST_TARGET;
}

bool unit_prepare(struct arena *arena, const struct compile_request *request, struct unit *unit, struct error *error)
{
    char *text = NULL;
    size_t size = 0;
    if (!request->source && !file_read(arena, request->path, &text, &size, error))
        return false;
    if (text && strlen(text) != size)
        return error_at(error, ERROR_INPUT, request->path, 0, 0, "is not CUDA C: it holds a NUL byte");
    const char *name = path_name(request->path);
    *unit = (struct unit){
        .path = request->path,
        .name = name,
        .folder = name > request->path ? arena_text_n(arena, request->path, (size_t)(name - request->path) - 1) : ".",
        .text = request->source ? request->source : text,
        .defines = request->defines,
        .define_count = request->define_count,
        .seconds = request->seconds,
        .cancel = request->cancel,
    };
    unsigned const least = unit_least_target(unit->text);
    unit->target = request->target > least ? request->target : least;
    return true;
}

const char **unit_define_options(struct arena *arena, const struct unit *unit)
{
    const char **options = arena_array(arena, const char *, unit->define_count);
    for (size_t i = 0; i < unit->define_count; i++) {
        const char *value = unit->defines[i].value;
        options[i] =
            arena_format(arena, value && *value ? "-D%s=%s" : "-D%s%s", unit->defines[i].name, value ? value : "");
    }
    return options;
}

const char *prelude_folder(struct arena *arena)
{
    return data_path(arena, "assets/cuda");
}

const char *prelude_path(struct arena *arena)
{
    return data_path(arena, "assets/cuda/prelude.cuh");
}

const char *prelude_include_folder(struct arena *arena)
{
    return data_path(arena, "assets/cuda/include");
}

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int const length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    text->items = array_grow(text->items, &text->capacity, text->count + (size_t)length + 1, 1);
    vsnprintf(text->items + text->count, (size_t)length + 1, format, again);
    va_end(again);
    text->count += (size_t)length;
}

/* Adds a .file directive with the folders removed from its name. The directive is `.file N "name"` or `.file N "folder"
 * "name"`, optionally followed by ", time, size". */
static void add_file_line(struct text *out, const char *line, size_t length)
{
    const char *end = line + length;
    const char *open = memchr(line, '"', length), *close = NULL, *name = NULL;
    size_t name_length = 0;
    for (const char *quote = open; quote; quote = memchr(close + 1, '"', (size_t)(end - close - 1))) {
        close = memchr(quote + 1, '"', (size_t)(end - quote - 1));
        if (!close)
            break;
        name = quote + 1;
        name_length = (size_t)(close - name);
    }
    if (!name || !close) {
        text_add(out, "%.*s", (int)length, line);
        return;
    }
    char plain[256];
    snprintf(plain, sizeof plain, "%.*s", (int)name_length, name);
    if (name_length >= sizeof plain)
        snprintf(plain, sizeof plain, "%.*s", 200, name + name_length - 200);
    text_add(out, "%.*s\"%s\"%.*s", (int)(open - line), line, path_name(plain), (int)(end - close - 1), close + 1);
}

/* clang (14 at least) writes `x < 0 ? 7 : 0` as a bit field that leaves the word, bfe.u64 d, a, 63, 3, as if it were
 * filled with the sign; PTX fills it with zeros. Writes the shift that was meant, and returns true. */
static bool add_sign_field(struct text *out, const char *line, size_t length)
{
    char to[32], from[32], copy[160];
    unsigned bits = 0, at = 0, count = 0;
    if (length >= sizeof copy || !memchr(line, ';', length))
        return false;
    memcpy(copy, line, length);
    copy[length] = '\0';
    if (sscanf(copy, " bfe.u%u %31[^, ], %31[^, ], %u, %u;", &bits, to, from, &at, &count) != 5 ||
        (bits != 32 && bits != 64) || at >= bits || count >= bits || at + count <= bits)
        return false;
    text_add(out, "\tshr.s%u \t%s, %s, %u;\n\tand.b%u  \t%s, %s, %llu;\n", bits, to, from, at, bits, to, to,
             (1ULL << count) - 1);
    return true;
}

/* Writes the head of a module that has registers of 128 bits, and returns true: old versions of clang know no target
 * that has them, yet take inline PTX as it is. */
static bool add_wide_head(struct text *out, const char *line)
{
    bool const version = strncmp(line, ".version", 8) == 0;
    if (version ? strtod(line + 8, NULL) >= 8.4 : strncmp(line, ".target sm_", 11) || atoi(line + 11) >= 90)
        return false;
    text_add(out, version ? ".version 8.4\n" : ".target sm_90\n");
    return true;
}

char *ptx_with_plain_files(struct arena *arena, const char *ptx)
{
    struct text out = {0};
    bool const wide = strstr(ptx, ".reg .b128") != NULL;
    bool inline_code = false; /* of the user */
    for (const char *line = ptx; *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        size_t const indent = strspn(line, " \t");
        if (strncmp(line + indent, ".file", 5) == 0)
            add_file_line(&out, line, length);
        else if (wide && add_wide_head(&out, line))
            ;
        else if (inline_code || !add_sign_field(&out, line, length))
            text_add(&out, "%.*s", (int)length, line);
        if (strncmp(line + indent, "// begin inline asm", 19) == 0)
            inline_code = true;
        else if (strncmp(line + indent, "// end inline asm", 17) == 0)
            inline_code = false;
        line += length;
    }
    char *kept = arena_text_n(arena, out.items ? out.items : "", out.count);
    free(out.items);
    return kept;
}
