/* A kernel dropped on the window says nothing of its launch, unless a comment of its source does
 * (run/launch_words.h). Else one thread an element is assumed: 4 blocks of 256 threads, whole numbers and arrays of
 * 1024. A kernel that multiplies by a number it is given walks through a matrix, 64 x 64, a thread a row; one that asks
 * for threadIdx.y has a thread an element of it. Arrays hold just so many elements, so that an index too far shows. */
#include "app/document/kernel.h"
#include "base/file.h"
#include "base/words.h"
#include "ptx/parse.h"
#include "run/fill.h"
#include "run/launch_words.h"
#include "run/signature.h"
#include <ctype.h>
#include <string.h>

static const struct ptx_function *first_kernel(const struct ptx_program *program, const char *name)
{
    for (uint32_t i = 0; i < program->function_count; i++) {
        const struct ptx_function *function = &program->functions[i];
        if (function->is_kernel && function->has_body && (!name || strcmp(name, function->name) == 0))
            return function;
    }
    return NULL;
}

static bool read_program(struct arena *arena, const struct run_file_request *request, struct ptx_program **program,
                         const char **source, struct error *error)
{
    size_t length = strlen(request->path), size = 0;
    char *text = NULL;
    if (!file_read(arena, request->path, &text, &size, error))
        return false;
    *source = text;
    if (length > 4 && strcmp(request->path + length - 4, ".ptx") == 0)
        return ptx_parse(arena, request->path, text, size, program, error);
    struct compile_request const compile = {.path = request->path,
                                            .source = text,
                                            .defines = request->defines,
                                            .define_count = request->define_count,
                                            .target = file_target(),
                                            .compiler = request->compiler};
    struct compile_result result;
    return compile_cuda(arena, &compile, &result, error) &&
           ptx_parse(arena, request->path, result.ptx, result.ptx_size, program, error);
}

/* Whether the source multiplies by a number that it is given: the row length of a matrix. */
static bool has_product(const char *source, const char *name)
{
    size_t const length = strlen(name);
    for (const char *at = strstr(source, name); at; at = strstr(at + length, name)) {
        const char *before = at, *after = at + length;
        bool const word = (at == source || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
                          !(isalnum((unsigned char)*after) || *after == '_');
        while (before > source && before[-1] == ' ')
            before--;
        after += strspn(after, " ");
        if (word && (*after == '*' || (before > source && before[-1] == '*')))
            return true;
    }
    return false;
}

static void assume_shape(const struct ptx_program *program, const char *source, const struct signature_parameter *named,
                         size_t named_count, struct run_file_request *request, unsigned *elements, unsigned *side)
{
    bool const square = strstr(program->text, "%tid.y") || strstr(program->text, "%ctaid.y");
    bool matrix = square;
    for (size_t i = 0; i < named_count; i++)
        matrix = matrix || (!named[i].pointer && has_product(source, named[i].name));
    static const uint32_t grids[3][3] = {{4, 1, 1}, {2, 1, 1}, {4, 4, 1}};
    static const uint32_t blocks[3][3] = {{256, 1, 1}, {32, 1, 1}, {16, 16, 1}};
    int const kind = square ? 2 : matrix;
    memcpy(request->grid, grids[kind], sizeof request->grid);
    memcpy(request->block, blocks[kind], sizeof request->block);
    *side = matrix ? 64 : 1024;
    *elements = matrix ? *side * *side : *side;
}

/* named: what the source says of it, or NULL. */
static const char *assumed_argument(struct arena *arena, const struct ptx_variable *parameter,
                                    const struct signature_parameter *named, unsigned elements, unsigned side)
{
    bool const pointer = named ? named->pointer : parameter->type == PTX_U64 || parameter->type == PTX_B64;
    if (pointer)
        return arena_format(arena, "%s[%u]=iota", named && named->type ? fill_type_name(named->type) : "f32", elements);
    if (parameter->type == PTX_F32)
        return "f32=1";
    if (parameter->type == PTX_F64)
        return "f64=1";
    return arena_format(arena, parameter->size >= 8 ? "u64=%u" : "i32=%u", side);
}

bool kernel_guess_launch(struct arena *arena, struct run_file_request *request, bool *assumed, struct error *error)
{
    struct ptx_program *program = NULL;
    const char *source = "";
    bool const said = request->grid[0] || request->block[0] || request->argument_count;
    bool commented;
    *assumed = false;
    if (!launch_comment(arena, request, &commented, error))
        return false;
    if (said || commented)
        return true;
    if (!read_program(arena, request, &program, &source, error))
        return false;
    const struct ptx_function *kernel = first_kernel(program, request->kernel);
    if (!kernel)
        return error_set(error, ERROR_INPUT, _("%s holds no kernel; mark one with __global__"), request->path);
    struct signature_parameter *named;
    size_t named_count = signature_parameters(arena, source, kernel->name, &named);
    named_count = named_count == kernel->parameter_count ? named_count : 0;
    unsigned elements = 0, side = 0;
    assume_shape(program, source, named, named_count, request, &elements, &side);
    const char **arguments = arena_array(arena, const char *, kernel->parameter_count + 1);
    for (uint32_t i = 0; i < kernel->parameter_count; i++)
        arguments[i] = assumed_argument(arena, &kernel->parameters[i], named_count ? &named[i] : NULL, elements, side);
    if (!ptx_kernel(program, NULL)) /* there are several: the first */
        request->kernel = kernel->name;
    request->arguments = arguments;
    request->argument_count = kernel->parameter_count;
    *assumed = true;
    return true;
}
