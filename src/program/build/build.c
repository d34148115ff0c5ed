/* Builds a program: clang compiles each .cu twice, for the device to PTX and for the host to an object that holds the
 * PTX; the linker puts our runtime in the place of NVIDIA's. */
#include "program/build/build.h"
#include "base/file.h"
#include "base/output.h"
#include "compile/cache.h"
#include "compile/process.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARY "liblanescope_cudart.so"

void words_add(struct words *words, const char *word)
{
    array_push(words, word);
}

void words_add_all(struct words *words, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words_add(words, list[i]);
}

bool begins_with_one(const char *name, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* Beside the program in a build folder, in ../lib/lanescope beside an installed one. */
const char *program_library_folder(struct arena *arena)
{
    static const char *const places[] = {"", "/..", "/../lib/lanescope", "/../lib/x86_64-linux-gnu/lanescope"};
    char own[4096];
    const char *named = getenv("LANESCOPE_LIBRARIES");
    ssize_t const length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (named && *named)
        return file_exists(arena_format(arena, "%s/" LIBRARY, named)) ? named : NULL;
    own[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(own, '/');
    if (!slash)
        return NULL;
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (file_exists(arena_format(arena, "%s%s/" LIBRARY, own, places[i])))
            return path_absolute(arena, arena_format(arena, "%s%s", own, places[i]));
    return NULL;
}

bool program_has_cublas(struct arena *arena)
{
    const char *folder = program_library_folder(arena);
    return folder && file_exists(arena_format(arena, "%s/liblanescope_cublas.so", folder));
}

int build_run(struct build *build, struct words *words, const char **log)
{
    const char *path = arena_format(build->arena, "%s/log", build->folder);
    char *text = NULL, here[4096];
    words_add(words, NULL);
    int const code =
        process_compile(words->items, getcwd(here, sizeof here) ? here : ".", path, 0, build->request->cancel);
    *log = file_read(build->arena, path, &text, NULL, NULL) ? text : "";
    free(words->items);
    *words = (struct words){0};
    return code;
}

bool build_ended(struct build *build, int code, const char *log, const char *file, struct error *error)
{
    build->log = arena_format(build->arena, "%s%s", build->log, log);
    if (!process_ended(code, 0, "clang", file, error))
        return false;
    return code == 0 || build_failed(build, file, log, code, error);
}

static bool link_program(struct build *build, const char *output, struct error *error)
{
    struct words words = {0};
    words_add(&words, build->clang.path);
    words_add(&words, "-pie");
    words_add(&words, "-o");
    words_add(&words, output);
    words_add_all(&words, build->objects.items, build->objects.count);
    words_add_all(&words, build->link.items, build->link.count);
    const char *const own[] = {arena_format(build->arena, "-L%s", build->libraries),
                               program_has_cublas(build->arena) ? "-Wl,--as-needed,-llanescope_cublas,--no-as-needed"
                                                                : "-Wl,--no-as-needed",
                               "-llanescope_cudart",
                               arena_format(build->arena, "-Wl,-rpath,%s", build->libraries),
                               "-lstdc++",
                               "-lm",
                               "-lpthread",
                               "-ldl"};
    words_add_all(&words, own, sizeof own / sizeof *own);
#ifdef LANESCOPE_SANITIZED
    words_add(&words, "-fsanitize=address,undefined"); /* the library's own, which the program must hold */
#endif
    const char *log;
    int const code = build_run(build, &words, &log);
    return build_ended(build, code, log, build->request->files[0], error);
}

static bool no_place(struct error *error)
{
    error_set(error, ERROR_MISSING, "there is no folder for the built program");
    return error_remedy(error, "set HOME or XDG_CACHE_HOME to a folder of yours, or use `lanescope build -o`");
}

/* Gives the user a program under the name that he chose. */
static bool write_program(const char *path, const void *bytes, size_t size, struct error *error)
{
    struct output output;
    struct stat file;
    if (!output_open(&output, path, error))
        return false;
    output_write(&output, bytes, size);
    bool const runs = fstat(fileno(output.stream), &file) == 0 && /* whoever may read it may run it */
                      fchmod(fileno(output.stream), file.st_mode | (file.st_mode & 0444) >> 2) == 0;
    if (runs)
        return output_keep(&output, error);
    output_drop(&output);
    return error_at(error, ERROR_INPUT, path, 0, 0, "cannot be made a program");
}

static bool move(struct build *build, const char *from, const char *to, struct error *error)
{
    char *bytes;
    size_t size;
    if (!file_read(build->arena, from, &bytes, &size, error))
        return false;
    if (build->request->output)
        return write_program(to, bytes, size, error);
    return cache_store(to, bytes, size, true) ||
           error_at(error, ERROR_MISSING, to, 0, 0, "cannot be written, or its folder is not yours alone");
}

static bool build_all(struct build *build, struct program_built *built, struct error *error)
{
    const char *output = arena_format(build->arena, "%s/program", build->folder);
    for (size_t i = 0; i < build->request->file_count; i++)
        if (!build_compile(build, i, error))
            return false;
    return link_program(build, output, error) && move(build, output, built->path, error);
}

void program_prepare(struct arena *arena, const char *const *flags, size_t flag_count, const atomic_bool *cancel)
{
    struct program_build_request const request = {.flags = flags, .flag_count = flag_count, .cancel = cancel};
    struct build build = {.arena = arena, .request = &request, .log = ""};
    struct workplace place;
    clang_find(&build.clang);
    if (build.clang.present)
        clang_version(&build.clang, cancel);
    if (!build.clang.present || !workplace_open(&place))
        return;
    build.folder = place.folder;
    build_sort_flags(&build);
    build_prepare(&build);
    workplace_close(&place);
    free(build.compile.items);
    free(build.link.items);
}

bool program_build(struct arena *arena, const struct program_build_request *request, struct program_built *built,
                   struct error *error)
{
    struct build build = {.arena = arena, .request = request, .log = "", .libraries = program_library_folder(arena)};
    struct workplace place;
    *built = (struct program_built){.log = ""};
    clang_find(&build.clang);
    if (build.clang.present)
        clang_version(&build.clang, request->cancel);
    if (!build.clang.present)
        return error_set(error, ERROR_MISSING, "%s", build.clang.why);
    if (!build.libraries)
        return error_set(error, ERROR_MISSING, "%s is not beside the program: reinstall Lanescope", LIBRARY);
    if (!request->file_count)
        return error_set(error, ERROR_INPUT, "give at least one .cu, .cpp or .c file");
    build_sort_flags(&build);
    const char *cached = request->output ? NULL : build_cached_path(&build);
    built->compiler_name = arena_format(arena, "clang %s", build.clang.version);
    built->path = request->output ? request->output : cached;
    bool fine = cached && cache_trusts(cached) && access(cached, X_OK) == 0;
    if (!fine && !workplace_open(&place)) {
        fine = error_set(error, ERROR_MISSING, "no temporary folder can be made for clang");
    } else if (!fine) {
        build.folder = place.folder;
        if (!built->path)
            built->path = build_last_path(&build);
        fine = built->path ? build_all(&build, built, error) : no_place(error);
        workplace_close(&place);
    }
    built->log = build.log;
    free(build.compile.items);
    free(build.link.items);
    free(build.objects.items);
    return fine;
}
