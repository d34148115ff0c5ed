/* Compiles the files of a program: each .cu twice, for the device to PTX and for the host to an object that holds the
 * PTX. */
#include "base/file.h"
#include "compile/overlay.h"
#include "program/build/build.h"
#include "source/tokens.h"
#include <stdlib.h>
#include <string.h>

static bool ends(const char *path, const char *const *endings)
{
    for (; *endings; endings++)
        if (path_ends_with(path, *endings))
            return true;
    return false;
}
static const char *const device_endings[] = {".cu", NULL}, *const cpp_endings[] = {".cpp", ".cc", ".cxx", NULL},
                         *const c_endings[] = {".c", NULL}, *const object_endings[] = {".o", ".a", ".so", NULL};

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
        words_add(&build->compile, arena_format(build->arena, "-I%s", folder)); /* behind the user's own */
        words_add(&build->compile, "-DCCCL_DISABLE_NVTX"); /* CUB would use more of NVTX than our header has */
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
            words_add(&searched, path_absolute(build->arena, word[2] ? word + 2 : build->compile.items[++i]));
    }
    overlay.searched = searched.items;
    overlay.searched_count = searched.count;
    bool const fine = overlay_add(&overlay, file, error);
    build->overlay = fine ? overlay_end(&overlay, error) : NULL;
    free(searched.items);
    return fine && (build->overlay || !overlay.count);
}

/* The options of both halves of a .cu that hold for our headers, too. */
static void add_cuda_options(struct build *build, struct words *words)
{
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
                                 data_path(build->arena, "assets/cuda/program")};
    words_add_all(words, fixed, sizeof fixed / sizeof *fixed);
}

/* The words that hold for the user's text alone. */
static void add_text(struct build *build, struct words *words, const char *output, const char *file)
{
    const char *const fixed[] = {build->named, "-o", output, file}, *const over[] = {"-ivfsoverlay", build->overlay};
    words_add_all(words, fixed, sizeof fixed / sizeof *fixed);
    words_add_all(words, over, build->overlay ? 2 : 0);
}

/* The user's options come last, so that they win. The device's code is always optimised as a kernel of its own is. */
static void add_user_options(struct build *build, struct words *words, bool host)
{
    for (size_t i = 0; i < build->compile.count; i++)
        if (host || strncmp(build->compile.items[i], "-O", 2) != 0)
            words_add(words, build->compile.items[i]);
}

static void add_device_half(struct build *build, struct words *half)
{
    add_cuda_options(build, half);
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
                               "-fno-strict-aliasing"}; /* kernels load floats as uint4, and nvcc lets them */
    const char *const unset[] = {"-Xclang", clang_unset_option(&build->clang)};
    words_add_all(half, own, sizeof own / sizeof *own);
    words_add_all(half, unset, unset[1] ? 2 : 0);
    add_user_options(build, half, false);
}

static bool compile_device(struct build *build, const char *file, const char *ptx, struct error *error)
{
    struct words half = {0}, rest = {0};
    add_device_half(build, &half);
    add_text(build, &rest, ptx, file);
    return build_half(build, &half, &rest, file, error);
}

/* Adds the texts of the files that a source includes by "name" from its own folder: a kernel in them has parameters
 * with names, too. */
static void add_included(struct build *build, struct text *text, const char *file, const char *source_text)
{
    const struct source *source = source_read(build->arena, source_text, NULL, 0, SOURCE_ALL);
    for (uint32_t i = 0; i < source->include_count; i++) {
        char *included;
        const char *path =
            arena_format(build->arena, "%.*s%s", (int)(path_name(file) - file), file, source->includes[i] + 1);
        if (*source->includes[i] == '"' && file_read(build->arena, path, &included, NULL, NULL))
            text_add(text, "%s\n", included);
    }
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
    add_included(build, &text, file, source);
    bool const fine = file_write(image, text.items, text.count + 1, error);
    free(text.items);
    return fine;
}

/* The user's host code is not optimised, as nvcc leaves it: every access stays at its line (see source_left_plain). The
 * functions of libraries are, which makes a loop over a std::vector several times as fast. `-- -O2` changes that.
 * Without the fast selection of instructions, a plain function divides by constants and addresses memory as an
 * optimised one does; it still makes the same accesses in the same order. */
static void add_host_half(struct build *build, struct words *half)
{
    add_cuda_options(build, half);
    const char *const own[] = {
        "--cuda-host-only", "-c", "-O1",  "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-mllvm",
        "-fast-isel=false", "-g", "-fPIE"};
    words_add_all(half, own, sizeof own / sizeof *own);
    add_user_options(build, half, true);
}

static bool compile_host(struct build *build, const char *file, const char *image, const char *object,
                         struct error *error)
{
    struct words half = {0}, rest = {0};
    const char *const held[] = {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", image};
    add_host_half(build, &half);
    words_add_all(&rest, held, sizeof held / sizeof *held);
    add_text(build, &rest, object, file);
    return build_half(build, &half, &rest, file, error);
}

void build_prepare(struct build *build)
{
    void (*const halves[])(struct build * build, struct words * half) = {add_device_half, add_host_half};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        struct words half = {0};
        halves[i](build, &half);
        build_headers(build, &half);
        free(half.items);
    }
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
    words_add_all(&words, own, sizeof own / sizeof *own);
    for (size_t i = 0; i < build->compile.count; i++)
        if (cpp || strncmp(build->compile.items[i], "-std=c++", 8) != 0)
            words_add(&words, build->compile.items[i]);
    const char *const rest[] = {"-o", object, file};
    words_add_all(&words, rest, sizeof rest / sizeof *rest);
    const char *log;
    int const code = build_run(build, &words, &log);
    return build_ended(build, code, log, file, error);
}

bool build_compile(struct build *build, size_t index, struct error *error)
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
        words_add(&build->objects, file);
        return true;
    }
    words_add(&build->objects, object);
    if (ends(file, device_endings) || ends(file, cpp_endings))
        add_toolkit_headers(build, file);
    if (ends(file, device_endings))
        return lay_over(build, file, error) && compile_device(build, file, ptx, error) &&
               write_image(build, file, ptx, image, error) && compile_host(build, file, image, object, error);
    if (ends(file, cpp_endings) || ends(file, c_endings))
        return compile_plain(build, file, object, error);
    return error_at(error, ERROR_INPUT, file, 0, 0, "is neither .cu, .cpp, .cc, .cxx nor .c, .o, .a");
}
