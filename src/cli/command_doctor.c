/* `doctor`: the features that work on this computer, and the packages to install for the others. */
#include "base/words.h"
#include "cli/cli.h"
#include "cuda/cuda.h"
#include "grade/grade.h"
#include "platform/platform.h"
#include "program/program.h"
#include "run/native.h"
#include "sandbox/sandbox.h"
#include <stdio.h>

static void row(bool works, const char *what, const char *found)
{
    printf("%-4s %-11s %s\n", works ? "ok" : "--", what, found);
}

static void say_error(const char *what, const struct error *error)
{
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s", error->message, error->remedy[0] ? "; " : "", error->remedy);
    row(false, what, text);
}

static void say_gpu(void)
{
    struct cuda_device device;
    struct error error;
    if (!cuda_device(&device, &error)) {
        row(false, "GPU", _("none that CUDA can use: the emulator runs everything"));
        say_error("driver", &error);
        return;
    }
    char text[512];
    snprintf(text, sizeof text, _("%s, compute capability %d.%d, %d multiprocessors, %zu MiB"), device.name,
             device.major, device.minor, device.multiprocessors, device.memory_bytes >> 20);
    row(true, "GPU", text);
    snprintf(text, sizeof text, _("%s, for CUDA up to %d.%d"), device.driver, device.cuda / 1000,
             device.cuda % 1000 / 10);
    row(true, "driver", text);
}

static void say_compilers(void)
{
    struct compiler_status compilers[2];
    compile_status(compilers, NULL);
    static const char *const names[] = {"NVRTC", "clang"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s%s", compilers[i].version, compilers[i].path[0] ? ", " : "",
                 compilers[i].path);
        row(compilers[i].present, names[i], compilers[i].present ? text : compilers[i].why);
    }
}

static void say_native(void)
{
    double seconds;
    char text[256];
    bool const works = native_try(&seconds);
    snprintf(text, sizeof text, _("kernels that run long are compiled for this processor, %.1f s and more for each"),
             seconds);
    row(works, "native",
        works ? text : _("every kernel is interpreted: compiled kernels need clang, also when Lanescope is built"));
}

static void say_cublas(void)
{
    struct arena arena = {0};
    bool const there = program_has_cublas(&arena);
    row(there, "cuBLAS",
        there ? "OpenBLAS"
              : _("none for programs; install the Debian package libopenblas-dev, and build Lanescope again"));
    arena_free(&arena);
}

static void say_sandbox(void)
{
    struct error error;
    if (sandbox_works(&error))
        row(true, "sandbox", _("programs of strangers can be graded: no network, no files but their own, limits"));
    else
        say_error("sandbox", &error);
}

static void say_archives(void)
{
    bool const there = grade_reads_archives();
    row(there, "archives",
        there ? "zip, tar, 7z"
              : _("none as submissions; install the Debian package libarchive-dev, and build Lanescope again"));
}

static bool say_fonts(void)
{
    struct platform *platform;
    struct error error;
    if (!platform_open_headless(&platform, &error)) {
        say_error("fonts", &error);
        return false;
    }
    static const struct {
        const char *what;
        enum font_role role;
        bool hangul;
    } roles[] = {{"text", FONT_TEXT, false},
                 {"bold", FONT_BOLD, false},
                 {"code", FONT_CODE, false},
                 {"Korean", FONT_TEXT, true}};
    bool all = true;
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        const char *path = platform_font_path(platform, roles[i].role, roles[i].hangul);
        char what[32];
        snprintf(what, sizeof what, "font %s", roles[i].what);
        row(path != NULL, what,
            path ? path
                 : _("none found; install the Debian packages fonts-noto-core, fonts-nanum and fonts-jetbrains-mono"));
        all = all && path;
    }
    platform_close(platform);
    return all;
}

static bool say_lessons(void)
{
    struct arena arena = {0};
    const char **names;
    struct error *errors;
    size_t error_count;
    size_t const count = lesson_names(&arena, &names, &errors, &error_count);
    char text[512];
    snprintf(text, sizeof text, _("%zu in %s/lessons"), count, folder_data());
    row(count > 0, "lessons", text);
    for (size_t i = 0; i < error_count; i++)
        say_error("lesson", &errors[i]);
    arena_free(&arena);
    return count > 0 && error_count == 0;
}

int command_doctor(struct cli_options *options)
{
    if (options->targets.count)
        return cli_usage("doctor takes no arguments, but '%s' was given", options->targets.items[0]);
    say_gpu();
    say_compilers();
    say_native();
    say_cublas();
    say_sandbox();
    say_archives();
    char video[512] = "";
    bool const window = platform_video_status(video, sizeof video) != NULL;
    row(window, "renderer", video);
    bool const fonts = say_fonts(), lessons = say_lessons();
    const char *cache = folder_cache();
    row(cache != NULL, "cache",
        cache ? cache : _("no home folder, so every kernel is compiled again each time; set XDG_CACHE_HOME"));
    puts(_("A GPU and NVRTC are optional: without them the emulator runs every lesson, and clang or the PTX shipped "
           "with\nthe lessons replaces NVRTC."));
    return fonts && lessons ? CLI_FINE : CLI_MISSING;
}
