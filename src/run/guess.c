/* Completes the launch of a dropped kernel. A comment in its source can give the launch (run/launch_words.h). Otherwise
 * 4 blocks of 256 threads are assumed, a thread for each element. If the kernel takes the number of elements, that is
 * 992: the last warp has no element, so that a missing `i < n` is found. If it does not, there are 1024 elements. If
 * the kernel multiplies by an integer parameter, the array is taken as a matrix of 56 x 56 with a thread for each row;
 * if it uses threadIdx.y, a thread for each element. Arrays have exactly this many elements, so that an index beyond is
 * found. */
#include "run/guess.h"
#include "base/words.h"
#include "run/fill.h"
#include "run/kernel_words.h"
#include "run/launch_words.h"
#include "run/signature.h"
#include <ctype.h>
#include <string.h>

static const struct ptx_function *first_kernel(const struct ptx_program *program)
{
    for (uint32_t i = 0; i < program->function_count; i++)
        if (program->functions[i].is_kernel && program->functions[i].has_body)
            return &program->functions[i];
    return NULL;
}

/* Returns whether the character can stand in a name. */
static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns whether the source multiplies by this parameter, which is then the row length of a matrix. */
static bool has_product(const char *source, const char *name)
{
    size_t const length = strlen(name);
    for (const char *at = strstr(source, name); at; at = strstr(at + length, name)) {
        const char *before = at, *after = at + length;
        bool const word = (at == source || !in_name(at[-1])) && !in_name(*after);
        while (before > source && before[-1] == ' ')
            before--;
        after += strspn(after, " ");
        if (word && (*after == '*' || (before > source && before[-1] == '*')))
            return true;
    }
    return false;
}

/* Returns whether the parameter can be the length of a row. The factor of `a * x[i]` cannot. */
static bool is_whole(const struct signature_parameter *parameter)
{
    switch (parameter->type) {
    case PTX_F16:
    case PTX_BF16:
    case PTX_F32:
    case PTX_F64:
        return false;
    default:
        return !parameter->pointer;
    }
}

/* Returns whether the source compares this parameter with something: `i < n`, `n <= i`. */
static bool is_compared(const char *source, const char *name)
{
    size_t const length = strlen(name);
    for (const char *at = strstr(source, name); at; at = strstr(at + length, name)) {
        const char *before = at, *after = at + length;
        if ((at > source && in_name(at[-1])) || in_name(*after))
            continue;
        while (before > source && before[-1] == ' ')
            before--;
        after += strspn(after, " ");
        bool const shifted = strncmp(after, "<<", 2) == 0 || strncmp(after, ">>", 2) == 0;
        bool const shifts =
            before - source > 1 && (strncmp(before - 2, "<<", 2) == 0 || strncmp(before - 2, ">>", 2) == 0);
        bool const least = before - source > 1 && before[-1] == '=' && strchr("<>", before[-2]);
        if ((strchr("<>", *after) && *after && !shifted) || least ||
            (before > source && strchr("<>", before[-1]) && !shifts))
            return true;
    }
    return false;
}

/* Returns whether the name is one that programs give to a number of elements. */
static bool names_length(const char *name)
{
    static const char *const names[] = {"n",     "N",      "len",  "length",  "size", "count",    "num",
                                        "width", "height", "rows", "columns", "cols", "elements", "num_elements",
                                        "m",     "M",      "k",    "K",       "nx",   "ny"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void assume_shape(const struct ptx_program *program, const char *source, const struct signature_parameter *named,
                         size_t named_count, struct run_file_request *request, unsigned *elements, unsigned *side)
{
    bool const square = strstr(program->text, "%tid.y") || strstr(program->text, "%ctaid.y");
    bool matrix = square, counted = false; /* counted: the kernel takes the number of elements */
    for (size_t i = 0; i < named_count; i++) {
        bool const whole = is_whole(&named[i]), product = whole && has_product(source, named[i].name);
        matrix = matrix || product;
        counted = counted || (whole && (names_length(named[i].name) || is_compared(source, named[i].name)));
    }
    static const uint32_t grids[3][3] = {{4, 1, 1}, {2, 1, 1}, {4, 4, 1}};
    static const uint32_t blocks[3][3] = {{256, 1, 1}, {32, 1, 1}, {16, 16, 1}};
    int const kind = square ? 2 : matrix;
    memcpy(request->grid, grids[kind], sizeof request->grid);
    memcpy(request->block, blocks[kind], sizeof request->block);
    *side = matrix ? (counted ? 56 : 64) : counted ? 992 : 1024;
    *elements = matrix ? *side * *side : *side;
}

/* Returns the argument for a structure of this size that is all zeros. */
static const char *zeros_argument(struct arena *arena, size_t size)
{
    char *zeros = arena_array(arena, char, 2 * size + 1);
    memset(zeros, '0', 2 * size);
    return arena_format(arena, "bytes=%s", zeros);
}

/* Returns the argument assumed for a parameter. named: its declaration in the source, or NULL. */
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
    if (parameter->size > ptx_type_size(parameter->type))
        return zeros_argument(arena, parameter->size);
    if (parameter->size < 4)
        return parameter->size == 1 ? "u8=1" : "u16=1";
    return arena_format(arena, parameter->size >= 8 ? "u64=%u" : "i32=%u", side);
}

bool launch_guess(struct arena *arena, struct run_file_request *request, unsigned *assumed, struct error *error)
{
    bool const said = request->grid[0] || request->block[0] || request->argument_count;
    bool commented;
    *assumed = 0;
    if (!launch_comment(arena, request, &commented, error))
        return false;
    if (said || commented)
        return true;
    struct target target;
    struct target_request const wanted = file_target(request);
    if (!target_load(arena, &wanted, &target, error))
        return false;
    const struct ptx_program *program = target.program;
    const struct ptx_function *kernel = kernel_chosen(arena, program, request->kernel);
    if (!kernel && !request->kernel)
        kernel = first_kernel(program);
    if (!kernel)
        return error_set(error, ERROR_INPUT, _("%s holds no kernel; mark one with __global__"), request->path);
    struct signature_parameter *named;
    size_t named_count = signature_parameters(arena, target.source, kernel->name, &named);
    named_count = named_count == kernel->parameter_count ? named_count : 0;
    unsigned elements = 0, side = 0;
    assume_shape(program, target.source, named, named_count, request, &elements, &side);
    const char **arguments = arena_array(arena, const char *, kernel->parameter_count + 1);
    for (uint32_t i = 0; i < kernel->parameter_count; i++)
        arguments[i] = assumed_argument(arena, &kernel->parameters[i], named_count ? &named[i] : NULL, elements, side);
    if (!ptx_kernel(program, NULL)) /* of several kernels the first */
        request->kernel = kernel->name;
    request->arguments = arguments;
    request->argument_count = kernel->parameter_count;
    *assumed = elements;
    return true;
}
