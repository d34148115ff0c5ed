/* Where built programs lie, and what their names stand for. */
#include "base/file.h"
#include "program/build/build.h"
#include "source/tokens.h"
#include <string.h>
#include <sys/stat.h>

const char *build_tools_key(struct build *build)
{
    static const char *const headers[] = {
        "", "/program", "/program/cuda", "/program/cooperative_groups", "/program/crt", "/program/nvtx3"};
    struct text key = {0};
    struct stat clang;
    if (build->tools || stat(build->clang.path, &clang) != 0)
        return build->tools;
    text_add(&key, "%s %s %lld\n", build->clang.path, build->clang.version, (long long)clang.st_mtime);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        text_add_folder(&key, build->arena, data_path(build->arena, "assets/cuda%s", headers[i]));
    build->tools = arena_text_n(build->arena, key.items, key.count);
    free(key.items);
    return build->tools;
}

const char *build_cached_path(struct build *build)
{
    static const char *const folders[] = {"-I", "-include", "-isystem"};
    const struct program_build_request *request = build->request;
    const char *cache = folder_cache();
    const char *tools = build_tools_key(build);
    struct text key = {0};
    bool plain = cache && tools;
    if (!plain)
        return NULL;
    text_add(&key, "program 8 %s%s\n", tools, build->libraries);
    for (size_t i = 0; i < build->compile.count; i++) {
        plain = plain && !begins_with_one(build->compile.items[i], folders, sizeof folders / sizeof *folders);
        text_add(&key, "%s\n", build->compile.items[i]);
    }
    for (size_t i = 0; i < build->link.count; i++)
        text_add(&key, "link %s\n", build->link.items[i]);
    for (size_t i = 0; i < request->file_count && plain; i++) {
        char *bytes;
        size_t size;
        plain = file_read(build->arena, request->files[i], &bytes, &size, NULL) &&
                !source_has_own_headers(build->arena, bytes);
        if (plain)
            text_add(&key, "%s %s %s\n", request->files[i], path_absolute(build->arena, request->files[i]),
                     digest_of(bytes, size).text);
    }
    const char *name = path_name(request->files[0]);
    const char *path = plain ? arena_format(build->arena, "%s/programs/%s-%.*s", cache,
                                            digest_of(key.items, key.count).text, (int)strcspn(name, "."), name)
                             : NULL;
    free(key.items);
    return path;
}

const char *build_last_path(struct build *build)
{
    const char *cache = folder_cache(), *first = path_absolute(build->arena, build->request->files[0]);
    const char *name = path_name(first);
    return cache ? arena_format(build->arena, "%s/programs/last-%s-%.*s", cache, digest_of(first, strlen(first)).text,
                                (int)strcspn(name, "."), name)
                 : NULL;
}
