/* Chooses the source of PTX: shipped, NVRTC or clang, with a cache in front of the two compilers. A cached file's name
 * is a hash of everything that decides the PTX, so an entry can become unused but never wrong. */
#include "compile/backend.h"
#include "compile/cache.h"
#include "source/tokens.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CACHE_FORMAT "lanescope cached PTX 5"

static const char *shipped_folder(struct arena *arena)
{
    return data_path(arena, "assets/ptx");
}

void text_add_folder(struct text *text, struct arena *arena, const char *folder)
{
    char **names = NULL;
    size_t const count = folder_list(arena, folder, &names);
    for (size_t i = 0; i < count; i++) {
        char *bytes = NULL;
        size_t size = 0;
        if (file_read(arena, arena_format(arena, "%s/%s", folder, names[i]), &bytes, &size, NULL))
            text_add(text, "header %s %s\n", names[i], digest_of(bytes, size).text);
    }
}

/* Returns the cached file's path, or NULL when this compilation is not cached: the contents of a source's own headers
 * are not in the key, so that it is compiled every time. The compiler's file size and time stand
 * for its version, which saves running it. */
static const char *cache_path(struct arena *arena, const struct unit *unit, const struct compiler_status *compiler)
{
    struct stat file;
    const char *folder = folder_cache();
    if (!folder || source_has_own_headers(arena, unit->text) || stat(compiler->path, &file) != 0)
        return NULL;
    struct text key = {0};
    text_add(&key, CACHE_FORMAT "\ncompiler %d %s %s %lld %lld\n", (int)compiler->compiler, compiler->path,
             compiler->version, (long long)file.st_size, (long long)file.st_mtime);
    text_add(&key, "target %u\nname %s\n", unit->target, unit->name);
    for (size_t i = 0; i < unit->define_count; i++)
        text_add(&key, "define %s=%s\n", unit->defines[i].name, unit->defines[i].value ? unit->defines[i].value : "");
    text_add_folder(&key, arena, prelude_folder(arena));
    text_add_folder(&key, arena, prelude_include_folder(arena));
    text_add(&key, "source %s", unit->text);
    const char *path = arena_format(arena, "%s/ptx/%s.ptx", folder, digest_of(key.items, key.count).text);
    free(key.items);
    return path;
}

/* Reads a cached file: "lanescope cached PTX 5 LOG_BYTES PTX_BYTES NAME\n", the log, the PTX. */
static bool cache_read(struct arena *arena, const char *path, enum compiler compiler, struct compile_result *result)
{
    char *text = NULL;
    size_t size = 0, log_size = 0, ptx_size = 0;
    int name_at = 0;
    if (!path || !cache_trusts(path) || !file_read(arena, path, &text, &size, NULL) ||
        sscanf(text, CACHE_FORMAT " %zu %zu %n", &log_size, &ptx_size, &name_at) != 2 || name_at == 0)
        return false;
    const char *newline = strchr(text, '\n');
    size_t const header = newline ? (size_t)(newline - text) + 1 : size;
    if (header > size || log_size > size || ptx_size != size - header - log_size)
        return false;
    *result = (struct compile_result){
        .ptx = text + header + log_size,
        .ptx_size = ptx_size,
        .compiler = compiler,
        .compiler_name = arena_text_n(arena, text + name_at, header - 1 - (size_t)name_at),
        .log = arena_text_n(arena, text + header, log_size),
        .cached = true,
    };
    return true;
}

/* Writes a cached file. A failure is no error, because it costs time only. */
static void cache_write(const char *path, const struct compile_result *result)
{
    if (!path)
        return;
    struct text text = {0};
    text_add(&text, CACHE_FORMAT " %zu %zu %s\n%s%s", strlen(result->log), result->ptx_size, result->compiler_name,
             result->log, result->ptx);
    cache_store(path, text.items, text.count, false);
    free(text.items);
}

typedef enum outcome compile_function(struct arena *arena, const struct unit *unit,
                                      const struct compiler_status *status, struct compile_result *result,
                                      struct error *error);

static enum outcome compile_cached(struct arena *arena, const struct unit *unit, const struct compiler_status *status,
                                   compile_function *compile, bool no_cache, struct compile_result *result,
                                   struct error *error)
{
    const char *path = no_cache ? NULL : cache_path(arena, unit, status);
    if (cache_read(arena, path, status->compiler, result))
        return OUTCOME_DONE;
    enum outcome const outcome = compile(arena, unit, status, result, error);
    if (outcome == OUTCOME_DONE)
        cache_write(path, result);
    return outcome;
}

static bool not_shipped(const struct unit *unit, struct error *error)
{
    error_at(error, ERROR_MISSING, unit->path, 0, 0,
             "assets/ptx holds no PTX made from this source with these defines");
    return error_remedy(error, "install clang (Debian: apt install clang) or the CUDA Toolkit to compile it");
}

static bool compile_unit(struct arena *arena, const struct unit *unit, enum compiler wanted, bool no_cache,
                         struct compile_result *result, struct error *error)
{
    static const struct {
        enum compiler compiler;
        void (*find)(struct compiler_status *);
        compile_function *compile;
    } ways[] = {{COMPILER_NVRTC, nvrtc_find, nvrtc_compile}, {COMPILER_CLANG, clang_find, clang_compile}};
    struct compiler_status status = {0};
    bool tried = false;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (wanted != COMPILER_ANY && wanted != ways[i].compiler)
            continue;
        ways[i].find(&status);
        if (!status.present)
            continue;
        tried = true;
        switch (compile_cached(arena, unit, &status, ways[i].compile, no_cache, result, error)) {
        case OUTCOME_DONE:
            return true;
        case OUTCOME_REFUSED:
            return false;
        case OUTCOME_UNUSABLE:
            break;
        }
    }
    return tried ? false : compiler_missing(unit, wanted, &status, error);
}

bool compile_cuda(struct arena *arena, const struct compile_request *request, struct compile_result *result,
                  struct error *error)
{
    struct unit unit;
    *result = (struct compile_result){.log = ""};
    if (!unit_prepare(arena, request, &unit, error))
        return false;
    bool const any = request->compiler == COMPILER_ANY;
    if ((any || request->compiler == COMPILER_SHIPPED) && shipped_read(arena, &unit, shipped_folder(arena), result))
        return true;
    if (request->compiler == COMPILER_SHIPPED)
        return not_shipped(&unit, error);
    return compile_unit(arena, &unit, request->compiler, request->no_cache, result, error);
}

void compile_status(struct compiler_status status[2], const atomic_bool *cancel)
{
    nvrtc_find(&status[0]);
    clang_find(&status[1]);
    clang_version(&status[1], cancel);
}

bool compile_ship(const struct compile_request *request, const char *folder, struct error *error)
{
    struct arena arena = {0};
    struct unit unit;
    struct compile_result result = {.log = ""};
    bool done = unit_prepare(&arena, request, &unit, error);
    if (done)
        unit.target = unit_least_target(unit.text);
    done = done && compile_unit(&arena, &unit, COMPILER_NVRTC, true, &result, error) &&
           shipped_write(&arena, &unit, folder, &result, error);
    arena_free(&arena);
    return done;
}
