/* PTX keeps symbols and sizes of a kernel's parameters; their names come from the text of the source. */
#include "run/kernel_words.h"
#include "run/fill.h"
#include "run/signature.h"
#include <string.h>

/* Returns whether two texts are the same but for spaces. */
static bool same_but_spaces(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* Returns the name with a template's arguments: "sum<int, 16>". */
static const char *whole_name(struct arena *arena, const struct ptx_function *kernel)
{
    const char *name = signature_name(arena, kernel->name), *arguments = signature_template(arena, kernel->name);
    return *arguments ? arena_format(arena, "%s<%s>", name, arguments) : name;
}

/* Returns whether the source calls the kernel so: by its name alone, or with the arguments of its template. */
static bool has_name(struct arena *arena, const struct ptx_function *kernel, const char *name)
{
    return strchr(name, '<') ? same_but_spaces(whole_name(arena, kernel), name)
                             : strcmp(signature_name(arena, kernel->name), name) == 0;
}

const struct ptx_function *kernel_of_source(struct arena *arena, const struct ptx_program *program, const char *name)
{
    const struct ptx_function *found = NULL;
    for (uint32_t i = 0; i < program->function_count; i++) {
        const struct ptx_function *function = &program->functions[i];
        if (!function->is_kernel || !function->has_body || !has_name(arena, function, name))
            continue;
        if (found)
            return NULL;
        found = function;
    }
    return found;
}

const struct ptx_function *kernel_chosen(struct arena *arena, const struct ptx_program *program, const char *name)
{
    const struct ptx_function *kernel = ptx_kernel(program, name);
    return kernel || !name ? kernel : kernel_of_source(arena, program, name);
}

const char *kernel_words(struct arena *arena, const struct ptx_program *program, const struct ptx_function *kernel)
{
    const char *name = signature_name(arena, kernel->name), *whole = whole_name(arena, kernel);
    return kernel_of_source(arena, program, name)    ? name
           : kernel_of_source(arena, program, whole) ? whole
                                                     : kernel->name;
}

/* Returns how `--arg` writes a parameter of this PTX type. */
static const char *parameter_words(struct arena *arena, const struct ptx_variable *parameter)
{
    size_t const width = ptx_type_size(parameter->type);
    if (parameter->size > width)
        return arena_format(arena, "struct{...}|bytes=HEX (%zu B)", parameter->size);
    switch (parameter->type) {
    case PTX_F32:
        return "f32";
    case PTX_F64:
        return "f64";
    case PTX_U64:
    case PTX_B64:
        return "TYPE[N]|u64|i64";
    case PTX_S64:
        return "i64";
    default:
        return width == 4 ? "i32|u32" : width == 2 ? "i16|u16" : "i8|u8|bool";
    }
}

const char **kernel_parameters(struct arena *arena, const char *source, const struct ptx_function *kernel)
{
    const char **all = arena_array(arena, const char *, (size_t)kernel->parameter_count + 1);
    struct signature_parameter *named;
    bool const has_names =
        source && signature_parameters(arena, source, kernel->name, &named) == kernel->parameter_count;
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const char *words = parameter_words(arena, &kernel->parameters[i]);
        if (has_names && named[i].pointer)
            words = arena_format(arena, "%s[N]", named[i].type ? fill_type_name(named[i].type) : "TYPE");
        all[i] = has_names ? arena_format(arena, "%s: %s", named[i].name, words) : words;
    }
    return all;
}
