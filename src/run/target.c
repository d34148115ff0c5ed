#include "run/target.h"
#include "base/file.h"
#include "cuda/cuda.h"
#include "ptx/parse.h"

bool target_is_file(const char *path)
{
    return path_ends_with(path, ".cu") || path_ends_with(path, ".ptx");
}

unsigned target_architecture(void)
{
    enum { LOWEST = 75, HIGHEST = 90 };
    struct cuda_device device;
    if (!cuda_device(&device, NULL))
        return HIGHEST;
    unsigned const architecture = (unsigned)(device.major * 10 + device.minor);
    return architecture < LOWEST ? LOWEST : architecture > HIGHEST ? HIGHEST : architecture;
}

bool target_read(struct arena *arena, const struct target_request *request, struct target *target, struct error *error)
{
    char *text;
    size_t size;
    *target = (struct target){.source = "", .source_name = arena_text(arena, path_name(request->path))};
    if (!file_read(arena, request->path, &text, &size, error))
        return false;
    if (path_ends_with(request->path, ".ptx")) {
        target->compiler_name = "given as PTX";
        target->ptx = text;
        target->ptx_size = size;
        return true;
    }
    if (request->source)
        text = arena_text(arena, request->source);
    struct compile_result compiled;
    struct compile_request const compile = {.path = request->path,
                                            .source = text,
                                            .defines = request->defines,
                                            .define_count = request->define_count,
                                            .target = request->architecture,
                                            .compiler = request->compiler,
                                            .seconds = request->seconds,
                                            .cancel = request->cancel};
    if (!compile_cuda(arena, &compile, &compiled, error)) {
        target->late = compiled.late;
        return false;
    }
    target->source = text;
    target->compiler_name = compiled.compiler_name;
    target->ptx = compiled.ptx;
    target->ptx_size = compiled.ptx_size;
    return true;
}

bool target_load(struct arena *arena, const struct target_request *request, struct target *target, struct error *error)
{
    char *source;
    if (!target_read(arena, request, target, error) ||
        !ptx_parse(arena, request->path, target->ptx, target->ptx_size, &target->module, error))
        return false;
    bool const given = path_ends_with(request->path, ".ptx"); /* the first .file names the source */
    if (given && target->module->file_count && file_read(arena, target->module->files[0], &source, NULL, NULL))
        target->source = source;
    return true;
}
