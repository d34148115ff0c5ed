/* PTX made ahead of time, one file for each kernel file and set of defines: assets/ptx/NAME.HASH.ptx. HASH is a hash of
 * the source and everything else that decides the PTX, so a file with that name is fresh. After an edit of the kernel
 * nothing refers to its old file. The header names the origin; a test compares it with kernels/:
 *
 *   // lanescope shipped PTX 1
 *   // source banks.cu 0123456789abcdef0123456789abcdef
 *   // define ELEMENT=float
 *   // target 75
 *   // compiler NVRTC 13.0 */
#include "compile/backend.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHIPPED_FORMAT "// lanescope shipped PTX 1\n"

static void add_header(struct text *text, const struct unit *unit)
{
    text_add(text, SHIPPED_FORMAT "// source %s %s\n", unit->name, digest_of(unit->text, strlen(unit->text)).text);
    for (size_t i = 0; i < unit->define_count; i++)
        text_add(text, "// define %s=%s\n", unit->defines[i].name,
                 unit->defines[i].value ? unit->defines[i].value : "");
    text_add(text, "// target %u\n", unit_least_target(unit->text));
}

/* Returns the header, in the arena. Its hash is part of the file's name. */
static char *header_of(struct arena *arena, const struct unit *unit)
{
    struct text text = {0};
    add_header(&text, unit);
    char *header = arena_text_n(arena, text.items, text.count);
    free(text.items);
    return header;
}

static char *name_of(struct arena *arena, const char *source_name, const char *header)
{
    size_t const length = strlen(source_name);
    bool const plain = length > 3 && strcmp(source_name + length - 3, ".cu") == 0;
    return arena_format(arena, "%.*s.%.12s.ptx", (int)(plain ? length - 3 : length), source_name,
                        digest_of(header, strlen(header)).text);
}

const char *shipped_path(struct arena *arena, const struct unit *unit, const char *folder)
{
    return arena_format(arena, "%s/%s", folder, name_of(arena, unit->name, header_of(arena, unit)));
}

bool shipped_read(struct arena *arena, const struct unit *unit, const char *folder, struct compile_result *result)
{
    char *ptx = NULL;
    size_t size = 0;
    if (unit->target < unit_least_target(unit->text) ||
        !file_read(arena, shipped_path(arena, unit, folder), &ptx, &size, NULL))
        return false;
    const char *header = header_of(arena, unit);
    static const char compiler[] = "// compiler ";
    if (strncmp(ptx, header, strlen(header)) != 0 || strncmp(ptx + strlen(header), compiler, sizeof compiler - 1) != 0)
        return false;
    const char *name = ptx + strlen(header) + sizeof compiler - 1;
    *result = (struct compile_result){
        .ptx = ptx,
        .ptx_size = size,
        .compiler = COMPILER_SHIPPED,
        .compiler_name = arena_format(arena, "shipped (%.*s)", (int)strcspn(name, "\n"), name),
        .log = "",
    };
    return true;
}

/* Removes files of the same kernel file whose header differs only in the digest of the source. */
static void remove_superseded(struct arena *arena, const struct unit *unit, const char *folder, const char *kept)
{
    char **names = NULL;
    size_t const count = folder_list(arena, folder, &names);
    const char *header = header_of(arena, unit);
    const char *digest = strchr(header, '\n') + 1;
    size_t const before = (size_t)(digest - header) + strlen("// source ") + strlen(unit->name) + 1;
    for (size_t i = 0; i < count; i++) {
        char *path = arena_format(arena, "%s/%s", folder, names[i]), *old = NULL;
        size_t size = 0;
        if (strcmp(path, kept) == 0 || !file_read(arena, path, &old, &size, NULL) || size < strlen(header))
            continue;
        if (strncmp(old, header, before) == 0 &&
            strncmp(old + before + 32, header + before + 32, strlen(header) - before - 32) == 0)
            unlink(path);
    }
}

bool shipped_write(struct arena *arena, const struct unit *unit, const char *folder,
                   const struct compile_result *result, struct error *error)
{
    struct text text = {0};
    const char *path = shipped_path(arena, unit, folder);
    add_header(&text, unit);
    text_add(&text, "// compiler %s\n%s", result->compiler_name, result->ptx);
    bool const written = file_write(path, text.items, text.count, error);
    free(text.items);
    if (written)
        remove_superseded(arena, unit, folder, path);
    return written;
}
