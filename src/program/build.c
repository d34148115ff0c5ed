/* Builds a program: clang compiles each .cu twice, for the device to PTX and for the host to an object that holds the
 * PTX; the linker puts our runtime in the place of NVIDIA's. */
#include "base/file.h"
#include "base/output.h"
#include "compile/cache.h"
#include "compile/clang.h"
#include "compile/log.h"
#include "compile/overlay.h"
#include "compile/process.h"
#include "program/program.h"
#include "source/tokens.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARY "liblanescope_cudart.so"

struct words {
    const char **items;
    size_t count, capacity;
};
static void add(struct words *words, const char *word)
{
    array_push(words, word);
}
static void add_all(struct words *words, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(words, list[i]);
}

struct build {
    struct arena *arena;
    const struct program_build_request *request;
    struct compiler_status clang;
    const char *folder;    /* where the parts are written */
    const char *libraries; /* where our runtime lies */
    const char *overlay;   /* for -ivfsoverlay; NULL: none */
    const char *named;     /* for __FILE__: the file's folder as the user named it */
    struct words compile, link, objects;
    const char *log;
};

/* ---- the library ---- */

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

/* ---- what is to be compiled ---- */

static bool ends(const char *path, const char *const *endings)
{
    for (; *endings; endings++)
        if (path_ends_with(path, *endings))
            return true;
    return false;
}
static const char *const device_endings[] = {".cu", NULL}, *const cpp_endings[] = {".cpp", ".cc", ".cxx", NULL},
                         *const c_endings[] = {".c", NULL}, *const object_endings[] = {".o", ".a", ".so", NULL};

/* Sorts the user's flags. Options of nvcc that choose a GPU or its code have no meaning here; -Xcompiler and -Xlinker
 * hand theirs on. */
static void sort_flags(struct build *build)
{
    static const char *const with_value[] = {
        "-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code",   "-ccbin", "--threads",
        "-t",    "-maxrregcount",      "-Xptxas",  "-Xnvlink",        "-cudart", NULL};
    static const char *const alone[] = {"-lineinfo",
                                        "-G",
                                        "--expt-relaxed-constexpr",
                                        "--expt-extended-lambda",
                                        "-extended-lambda",
                                        "--extended-lambda",
                                        "-rdc=true",
                                        "-dc",
                                        "--use_fast_math",
                                        "-use_fast_math",
                                        "-lcudart",
                                        "-lcudadevrt",
                                        "-lcublas",
                                        "-lcublas_static",
                                        "-lcurand",
                                        "-lcurand_static",
                                        NULL};
    const struct program_build_request *request = build->request;
    for (size_t i = 0; i < request->flag_count; i++) {
        const char *flag = request->flags[i];
        const char *value = i + 1 < request->flag_count ? request->flags[i + 1] : NULL;
        bool skipped = false;
        for (size_t k = 0; with_value[k] && !skipped; k++) {
            size_t const length = strlen(with_value[k]);
            skipped = strncmp(flag, with_value[k], length) == 0 && (flag[length] == '=' || !flag[length]);
            i += skipped && !flag[length];
        }
        for (size_t k = 0; alone[k] && !skipped; k++)
            skipped = strcmp(flag, alone[k]) == 0;
        if (skipped)
            continue;
        if ((strcmp(flag, "-Xcompiler") == 0 || strcmp(flag, "-I") == 0 || strcmp(flag, "-D") == 0 ||
             strcmp(flag, "-include") == 0) &&
            value) {
            if (strcmp(flag, "-Xcompiler") != 0)
                add(&build->compile, flag);
            add(&build->compile, value);
            i++;
        } else if ((strcmp(flag, "-Xlinker") == 0 || strcmp(flag, "-L") == 0 || strcmp(flag, "-l") == 0) && value) {
            add(&build->link, flag);
            add(&build->link, value);
            i++;
        } else if (strncmp(flag, "-l", 2) == 0 || strncmp(flag, "-L", 2) == 0 || strncmp(flag, "-Wl,", 4) == 0) {
            add(&build->link, flag);
        } else {
            add(&build->compile, flag);
            if (strncmp(flag, "-f", 2) == 0 || strcmp(flag, "-pthread") == 0)
                add(&build->link, flag);
        }
    }
    for (size_t i = 0; i < request->define_count; i++) {
        const struct compile_define *d = &request->defines[i];
        bool const value = d->value && *d->value;
        add(&build->compile, arena_format(build->arena, "-D%s%s%s", d->name, value ? "=" : "", value ? d->value : ""));
    }
}

/* ---- the compiler ---- */

/* Returns whether a name begins with one of the words. */
static bool begins(const char *name, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

static bool fail(struct build *build, const char *file, const char *log, int code, struct error *error)
{
    static const char *const templates[] = {"thrust/", "cub/"}, *const samples[] = {"helper_"};
    static const char *const windows[] = {"windows.h", "Windows.h", "conio.h"};
    static const char *const votes[] = {"__shfl", "__any", "__all", "__ballot"}, *const textures[] = {"texture",
                                                                                                      "surface"};
    static const char *const libraries[] = {"cublasLt", "cublasXt", "cufft",  "cusparse",
                                            "cusolver", "cudnn", /* machine code alone */
                                            "nccl",     "npp",      "nvjpeg", "cutensor"};
    struct log_cause cause;
    if (log_first_error(file, "", log, &cause, error)) {
        if (begins(cause.name, templates, sizeof templates / sizeof *templates))
            error_remedy(error, "Thrust and CUB are headers of the CUDA Toolkit 13: install it, set CUDA_HOME to its "
                                "folder, or give -I with the folder of its cccl headers");
        else if (begins(cause.name, libraries, sizeof libraries / sizeof *libraries))
            error_remedy(error,
                         "Lanescope has no libraries such as cuFFT, cuSPARSE and cuDNN: their kernels are machine "
                         "code of a GPU; replace the call by a kernel of your own");
        else if (cause.kind == LOG_NO_NAME && begins(cause.name, votes, sizeof votes / sizeof *votes))
            error_remedy(error,
                         "no GPU since Volta has it: write %s_sync, with the mask of the lanes, such as "
                         "0xffffffff, as its first argument",
                         cause.name);
        else if (cause.kind == LOG_NO_NAME && begins(cause.name, textures, sizeof textures / sizeof *textures))
            error_remedy(error, "texture and surface references ended with CUDA 12: load from global memory");
        else if (begins(cause.name, samples, sizeof samples / sizeof *samples))
            error_remedy(error, "it is a header of NVIDIA's samples: give -I with their folder Common");
        else if (begins(cause.name, windows, sizeof windows / sizeof *windows))
            error_remedy(error, "it is a header of Windows: leave it out, and take the time from <chrono>");
        return false;
    }
    if (cause.kind == LOG_NO_DEFINITION) {
        error_set(error, ERROR_INPUT, "the program cannot be linked: nothing defines %s", cause.name);
        if (strncmp(cause.name, "cublas", 6) == 0 && !program_has_cublas(build->arena))
            return error_remedy(error, "cuBLAS needs OpenBLAS: install the Debian package libopenblas-dev, and build "
                                       "Lanescope again");
        return error_remedy(error, "give the file or library that does; docs/programs.md lists the CUDA functions");
    }
    error_at(error, ERROR_INPUT, file, 0, 0, "clang %s failed (status %d): %.*s", build->clang.version, code,
             (int)strcspn(log, "\n"), log);
    return false;
}

/* Runs clang and keeps its warnings. */
static bool run_clang(struct build *build, struct words *words, const char *file, struct error *error)
{
    const char *log_path = arena_format(build->arena, "%s/log", build->folder);
    char *log = NULL, here[4096];
    add(words, NULL);
    int const code =
        process_compile(words->items, getcwd(here, sizeof here) ? here : ".", log_path, 0, build->request->cancel);
    const char *text = file_read(build->arena, log_path, &log, NULL, NULL) ? log : "";
    free(words->items);
    *words = (struct words){0};
    build->log = arena_format(build->arena, "%s%s", build->log, text);
    if (!process_ended(code, 0, "clang", file, error))
        return false;
    return code == 0 || fail(build, file, text, code, error);
}

static unsigned device_target(const struct build *build)
{
    return atoi(build->clang.version) < 16 ? 86 : 90; /* clang before 16 knows no target above sm_86 */
}

/* Thrust and CUB come with the toolkit, in a folder of their own from CUDA 13 on. It has also headers of names that we
 * have, so that only a file that names Thrust or CUB sees it. */
static void add_toolkit_headers(struct build *build, const char *file)
{
    const char *const roots[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
    char *text;
    if (!file_read(build->arena, file, &text, NULL, NULL))
        return;
    const struct source *source = source_read(build->arena, text, NULL, 0, SOURCE_ALL);
    if (!source_includes(source, "thrust/") && !source_includes(source, "cub/"))
        return;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        const char *folder = roots[i] ? arena_format(build->arena, "%s/include/cccl", roots[i]) : NULL;
        if (!folder || !file_exists(arena_format(build->arena, "%s/thrust/version.h", folder)))
            continue;
        add(&build->compile, arena_format(build->arena, "-I%s", folder)); /* behind the user's own */
        add(&build->compile, "-DCCCL_DISABLE_NVTX"); /* CUB would use more of NVTX than our header has */
        return;
    }
}

/* Returns whether the user says how host code is optimised. */
static bool asks_optimiser(const struct build *build)
{
    for (size_t i = 0; i < build->compile.count; i++)
        if (strncmp(build->compile.items[i], "-O", 2) == 0)
            return true;
    return false;
}

/* Gives clang the file and its own headers in the words that clang takes. */
static bool lay_over(struct build *build, const char *file, struct error *error)
{
    struct overlay overlay = {.arena = build->arena, .folder = build->folder, .plain = !asks_optimiser(build)};
    struct words searched = {0};
    for (size_t i = 0; i < build->compile.count; i++) {
        const char *word = build->compile.items[i];
        if (strncmp(word, "-I", 2) == 0 && (word[2] || i + 1 < build->compile.count))
            add(&searched, path_absolute(build->arena, word[2] ? word + 2 : build->compile.items[++i]));
    }
    overlay.searched = searched.items;
    overlay.searched_count = searched.count;
    bool const fine = overlay_add(&overlay, file, error);
    build->overlay = fine ? overlay_end(&overlay, error) : NULL;
    free(searched.items);
    return fine && (build->overlay || !overlay.count);
}

/* The options of both halves of a .cu. */
static void add_cuda_options(struct build *build, struct words *words)
{
    const char *headers = data_path(build->arena, "assets/cuda");
    const char *const fixed[] = {build->clang.path,
                                 "-x",
                                 "cuda",
                                 "-std=gnu++17",
                                 CLANG_LIBERTIES,
                                 "-nocudainc",
                                 "-nocudalib",
                                 "--cuda-path=/nonexistent",
                                 "-fno-color-diagnostics",
                                 "-ferror-limit=20",
                                 "-Wno-unknown-cuda-version",
                                 "-Wno-unused-command-line-argument",
                                 arena_format(build->arena, "--cuda-gpu-arch=sm_%u", device_target(build)),
                                 "-Xclang",
                                 "-target-sdk-version=11.0", /* launches by cudaLaunchKernel */
                                 "-Xclang",
                                 "-fcuda-allow-variadic-functions", /* nvcc allows their declarations */
                                 "-fno-finite-loops",               /* an endless loop stays one */
                                 "-Wno-register",                   /* nvcc accepts the old word, too */
                                 "-Wno-pass-failed",                /* `#pragma unroll` is a wish */
                                 "-isystem",
                                 arena_format(build->arena, "%s/program", headers),
                                 "-include",
                                 arena_format(build->arena, "%s/program.cuh", headers),
                                 build->named};
    add_all(words, fixed, sizeof fixed / sizeof *fixed);
    if (build->overlay) {
        add(words, "-ivfsoverlay");
        add(words, build->overlay);
    }
}

/* The user's options come last, so that they win. The device's code is always optimised as a kernel of its own is. */
static void add_user_options(struct build *build, struct words *words, bool host)
{
    for (size_t i = 0; i < build->compile.count; i++)
        if (host || strncmp(build->compile.items[i], "-O", 2) != 0)
            add(words, build->compile.items[i]);
}

static bool compile_device(struct build *build, const char *file, const char *ptx, struct error *error)
{
    struct words words = {0};
    add_cuda_options(build, &words);
    /* The two limits of 0: otherwise lanes that a condition has parted stay apart up to its next use, although the
     * source lets them meet, and their output is in another order than on a GPU. */
    const char *const own[] = {"--cuda-device-only",
                               "-S",
                               "-O3",
                               "-gline-tables-only",
                               "-Xclang",
                               "-target-feature",
                               "-Xclang",
                               device_target(build) > 86 ? "+ptx78" : "+ptx71",
                               "-mllvm",
                               "-sink-common-insts=0",
                               "-mllvm",
                               "-simplifycfg-max-small-block-size=0",
                               "-mllvm",
                               "-jump-threading-threshold=0",
                               "-fno-strict-aliasing", /* kernels load floats as uint4, and nvcc lets them */
                               "-o",
                               ptx,
                               file};
    const char *const unset[] = {"-Xclang", clang_unset_option(&build->clang)};
    add_all(&words, own, sizeof own / sizeof *own);
    add_all(&words, unset, unset[1] ? 2 : 0);
    add_user_options(build, &words, false);
    return run_clang(build, &words, file, error);
}

/* Writes the block of bytes that src/cudart/layer/module.c reads. */
static bool write_image(struct build *build, const char *file, const char *ptx_path, const char *image,
                        struct error *error)
{
    char *source, *ptx;
    size_t source_size;
    struct text text = {0};
    if (!file_read(build->arena, file, &source, &source_size, error) ||
        !file_read(build->arena, ptx_path, &ptx, NULL, error))
        return false;
    const char *plain = ptx_with_plain_files(build->arena, ptx);
    text_add(&text, "lanescope program 1 %zu %zu\n%s\nclang %s\n%s%s", strlen(source), strlen(plain), path_name(file),
             build->clang.version, source, plain);
    bool const fine = file_write(image, text.items, text.count + 1, error);
    free(text.items);
    return fine;
}

/* The user's host code is not optimised, as nvcc leaves it: every access stays at its line (see source_left_plain). The
 * functions of libraries are, which makes a loop over a std::vector several times as fast. `-- -O2` changes that.
 * Without the fast selection of instructions, a plain function divides by constants and addresses memory as an
 * optimised one does; it still makes the same accesses in the same order. */
static bool compile_host(struct build *build, const char *file, const char *image, const char *object,
                         struct error *error)
{
    struct words words = {0};
    add_cuda_options(build, &words);
    const char *const own[] = {"--cuda-host-only",
                               "-c",
                               "-O1",
                               "-fno-omit-frame-pointer",
                               "-fno-optimize-sibling-calls",
                               "-mllvm",
                               "-fast-isel=false",
                               "-g",
                               "-fPIE",
                               "-Xclang",
                               "-fcuda-include-gpubinary",
                               "-Xclang",
                               image,
                               "-o",
                               object,
                               file};
    add_all(&words, own, sizeof own / sizeof *own);
    add_user_options(build, &words, true);
    return run_clang(build, &words, file, error);
}

static bool compile_plain(struct build *build, const char *file, const char *object, struct error *error)
{
    struct words words = {0};
    bool const cpp = ends(file, cpp_endings);
    const char *const own[] = {build->clang.path,
                               "-x",
                               cpp ? "c++" : "c",
                               "-Wno-register",
                               "-c",
                               "-O0",
                               "-g",
                               "-fPIE",
                               "-fno-color-diagnostics",
                               build->named,
                               "-isystem",
                               data_path(build->arena, "assets/cuda/program")};
    add_all(&words, own, sizeof own / sizeof *own);
    for (size_t i = 0; i < build->compile.count; i++)
        if (cpp || strncmp(build->compile.items[i], "-std=c++", 8) != 0)
            add(&words, build->compile.items[i]);
    const char *const rest[] = {"-o", object, file};
    add_all(&words, rest, sizeof rest / sizeof *rest);
    return run_clang(build, &words, file, error);
}

static bool compile_file(struct build *build, size_t index, struct error *error)
{
    const char *file = build->request->files[index], *given = file;
    const char *stem = arena_format(build->arena, "%s/%zu", build->folder, index);
    const char *object = arena_format(build->arena, "%s.o", stem);
    const char *ptx = arena_format(build->arena, "%s.ptx", stem), *image = arena_format(build->arena, "%s.image", stem);
    if (!file_exists(file))
        return error_at(error, ERROR_INPUT, file, 0, 0, "cannot be read");
    file = path_absolute(build->arena, file);
    build->named = arena_format(build->arena, "-fmacro-prefix-map=%.*s=%.*s", (int)(path_name(file) - file), file,
                                (int)(path_name(given) - given), given);
    if (ends(file, object_endings)) {
        add(&build->objects, file);
        return true;
    }
    add(&build->objects, object);
    if (ends(file, device_endings) || ends(file, cpp_endings))
        add_toolkit_headers(build, file);
    if (ends(file, device_endings))
        return lay_over(build, file, error) && compile_device(build, file, ptx, error) &&
               write_image(build, file, ptx, image, error) && compile_host(build, file, image, object, error);
    if (ends(file, cpp_endings) || ends(file, c_endings))
        return compile_plain(build, file, object, error);
    return error_at(error, ERROR_INPUT, file, 0, 0, "is neither .cu, .cpp, .cc, .cxx nor .c, .o, .a");
}

static bool link_program(struct build *build, const char *output, struct error *error)
{
    struct words words = {0};
    add(&words, build->clang.path);
    add(&words, "-pie");
    add(&words, "-o");
    add(&words, output);
    add_all(&words, build->objects.items, build->objects.count);
    add_all(&words, build->link.items, build->link.count);
    const char *const own[] = {arena_format(build->arena, "-L%s", build->libraries),
                               program_has_cublas(build->arena) ? "-Wl,--as-needed,-llanescope_cublas,--no-as-needed"
                                                                : "-Wl,--no-as-needed",
                               "-llanescope_cudart",
                               arena_format(build->arena, "-Wl,-rpath,%s", build->libraries),
                               "-lstdc++",
                               "-lm",
                               "-lpthread",
                               "-ldl"};
    add_all(&words, own, sizeof own / sizeof *own);
#ifdef LANESCOPE_SANITIZED
    add(&words, "-fsanitize=address,undefined"); /* the library's own, which the program must hold */
#endif
    return run_clang(build, &words, build->request->files[0], error);
}

/* ---- the cache ---- */

/* Returns the path of the program in the cache, or NULL when it is not cached: a source with headers of its own or from
 * folders of the user's is built every time. */
static const char *cached_path(struct build *build)
{
    static const char *const folders[] = {"-I", "-include", "-isystem"};
    const struct program_build_request *request = build->request;
    const char *cache = folder_cache();
    struct text key = {0};
    struct stat clang;
    bool plain = cache && stat(build->clang.path, &clang) == 0;
    if (!plain)
        return NULL;
    text_add(&key, "program 7 %s %s %lld\n%s\n", build->clang.path, build->clang.version, (long long)clang.st_mtime,
             build->libraries);
    for (size_t i = 0; i < build->compile.count; i++) {
        plain = plain && !begins(build->compile.items[i], folders, sizeof folders / sizeof *folders);
        text_add(&key, "%s\n", build->compile.items[i]);
    }
    for (size_t i = 0; i < build->link.count; i++)
        text_add(&key, "link %s\n", build->link.items[i]);
    static const char *const headers[] = {
        "", "/program", "/program/cuda", "/program/cooperative_groups", "/program/crt", "/program/nvtx3"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        text_add_folder(&key, build->arena, data_path(build->arena, "assets/cuda%s", headers[i]));
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

/* Returns the place of a program that is built every time: one for each file, so that two of one name do not meet. */
static const char *last_path(struct build *build)
{
    const char *cache = folder_cache(), *first = path_absolute(build->arena, build->request->files[0]);
    const char *name = path_name(first);
    return cache ? arena_format(build->arena, "%s/programs/last-%s-%.*s", cache, digest_of(first, strlen(first)).text,
                                (int)strcspn(name, "."), name)
                 : NULL;
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
        if (!compile_file(build, i, error))
            return false;
    return link_program(build, output, error) && move(build, output, built->path, error);
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
    sort_flags(&build);
    const char *cached = request->output ? NULL : cached_path(&build);
    built->compiler_name = arena_format(arena, "clang %s", build.clang.version);
    built->path = request->output ? request->output : cached;
    bool fine = cached && cache_trusts(cached) && access(cached, X_OK) == 0;
    if (!fine && !workplace_open(&place)) {
        fine = error_set(error, ERROR_MISSING, "no temporary folder can be made for clang");
    } else if (!fine) {
        build.folder = place.folder;
        if (!built->path)
            built->path = last_path(&build);
        fine = built->path ? build_all(&build, built, error) : no_place(error);
        workplace_close(&place);
    }
    built->log = build.log;
    free(build.compile.items);
    free(build.link.items);
    free(build.objects.items);
    return fine;
}
