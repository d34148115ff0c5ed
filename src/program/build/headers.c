/* Our headers stand before the text of each .cu, and reading them is half of what a small program's compilation costs.
 * clang reads them once for each set of options and keeps what it has read (a precompiled header); the cache holds
 * that. The PTX is the same to the byte (tests/script/programs.py). */
#include "base/file.h"
#include "compile/cache.h"
#include "compile/process.h"
#include "program/build/build.h"
#include "source/tokens.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A macro of the user's is defined after a precompiled header, not before it. That is the same where our headers and
 * those of the C++ library do not ask for it: such names begin with an underscore. */
static bool is_plain_define(const char *word)
{
    return strncmp(word, "-D", 2) == 0 && word[2] && word[2] != '_' && strncmp(word + 2, "NDEBUG", 6) != 0;
}

/* Returns whether our headers can be compiled before it is known what follows. The user's folders may hold headers of
 * the names that ours include, and other options may mean anything. */
static bool may_precompile(const struct build *build)
{
    static const char *const known[] = {"-O", "-W", "-std="};
    for (size_t i = 0; i < build->compile.count; i++) {
        const char *word = build->compile.items[i];
        if (!begins_with_one(word, known, sizeof known / sizeof *known) && !is_plain_define(word) &&
            strcmp(word, "-g") != 0 && strcmp(word, "-pthread") != 0)
            return false;
    }
    return true;
}

static const char *header_of(struct build *build)
{
    return data_path(build->arena, "assets/cuda/program.cuh");
}

/* Keeps what clang has read, for other users to read, too: the compiler in a sandbox of root's is another one. */
static bool store(const char *kept, const void *bytes, size_t size)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(path_name(kept) - kept) - 1, kept);
    return cache_store(kept, bytes, size, false) && chmod(kept, 0644) == 0 && chmod(folder, 0755) == 0;
}

/* Compiles our headers with the options of a half. */
static bool precompile(struct build *build, const struct words *options, const char *kept)
{
    const char *made = arena_format(build->arena, "%s/headers", build->folder), *log;
    const char *const own[] = {"-Xclang", "-emit-pch", "-o", made, header_of(build)};
    struct words words = {0};
    char *bytes;
    size_t size;
    words_add_all(&words, options->items, options->count);
    words_add_all(&words, own, sizeof own / sizeof *own);
    return build_run(build, &words, &log) == 0 && file_read(build->arena, made, &bytes, &size, NULL) &&
           store(kept, bytes, size);
}

const char *program_headers_folder(struct arena *arena)
{
    const char *named = getenv(HEADERS_VARIABLE), *cache = folder_cache();
    return named && *named ? named : cache ? arena_format(arena, "%s/headers", cache) : NULL;
}

/* Returns whether the entry can be used. In a sandbox it belongs to the one who made the sandbox, and there is no place
 * for another: what is made there is lost. */
static bool is_there(struct build *build, const struct words *options, const char *kept)
{
    const char *named = getenv(HEADERS_VARIABLE);
    if (named && *named)
        return file_exists(kept);
    return cache_trusts(kept) || precompile(build, options, kept);
}

const char *build_headers(struct build *build, const struct words *half)
{
    const char *folder = program_headers_folder(build->arena), *tools = build_tools_key(build);
    struct words options = {0};
    struct text key = {0};
    if (!folder || !tools || !may_precompile(build))
        return NULL;
    text_add(&key, "headers 1 %s", tools);
    for (size_t i = 0; i < half->count; i++)
        if (!is_plain_define(half->items[i])) {
            words_add(&options, half->items[i]);
            text_add(&key, "%s\n", half->items[i]);
        }
    const char *kept = arena_format(build->arena, "%s/%s", folder, digest_of(key.items, key.count).text);
    bool const there = is_there(build, &options, kept);
    free(key.items);
    free(options.items);
    return there ? kept : NULL;
}

static int run_half(struct build *build, const struct words *half, const char *ready, const struct words *rest,
                    const char **log)
{
    const char *const text[] = {"-include", header_of(build)};
    const char *const read[] = {"-Xclang", "-include-pch", "-Xclang", ready};
    struct words words = {0};
    words_add_all(&words, half->items, half->count);
    words_add_all(&words, ready ? read : text, ready ? 4 : 2);
    words_add_all(&words, rest->items, rest->count);
    return build_run(build, &words, log);
}

/* Returns whether clang complains about the precompiled header: the C++ library is another one since. */
static bool is_stale(int code, const char *log)
{
    return code <= PROCESS_SIGNAL || (code > 0 && (strstr(log, "PCH") || strstr(log, "precompiled")));
}

bool build_half(struct build *build, struct words *half, struct words *rest, const char *file, struct error *error)
{
    const char *log, *ready = build_headers(build, half);
    int code = run_half(build, half, ready, rest, &log);
    if (ready && is_stale(code, log)) {
        unlink(ready);
        code = run_half(build, half, NULL, rest, &log);
    }
    free(half->items);
    free(rest->items);
    *half = *rest = (struct words){0};
    return build_ended(build, code, log, file, error);
}
