/* PTX keeps symbols and sizes of a kernel's parameters; their names come from the text of the source. */
#include "run/kernel_words.h"
#include "base/mangled.h"
#include "run/fill.h"
#include "source/kernel.h"
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
    struct mangled mangled;
    const char *list = "";
    if (!mangled_read(arena, kernel->name, &mangled))
        return kernel->name;
    for (size_t i = 0; i < mangled.argument_count; i++)
        list = arena_format(arena, "%s%s%s", list, i ? ", " : "", mangled.arguments[i]);
    return *list ? arena_format(arena, "%s<%s>", mangled.name, list) : mangled.name;
}

/* Returns whether the source calls the kernel so: by its name alone, or with the arguments of its template. */
static bool has_name(struct arena *arena, const struct ptx_function *kernel, const char *name)
{
    return strchr(name, '<') ? same_but_spaces(whole_name(arena, kernel), name)
                             : strcmp(mangled_name(arena, kernel->name), name) == 0;
}

const struct ptx_function *kernel_of_source(struct arena *arena, const struct ptx_module *module, const char *name)
{
    const struct ptx_function *found = NULL;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = &module->functions[i];
        if (!function->is_kernel || !function->has_body || !has_name(arena, function, name))
            continue;
        if (found)
            return NULL;
        found = function;
    }
    return found;
}

const struct ptx_function *kernel_chosen(struct arena *arena, const struct ptx_module *module, const char *name)
{
    const struct ptx_function *kernel = ptx_kernel(module, name);
    return kernel || !name ? kernel : kernel_of_source(arena, module, name);
}

const char *kernel_words(struct arena *arena, const struct ptx_module *module, const struct ptx_function *kernel)
{
    const char *name = mangled_name(arena, kernel->name), *whole = whole_name(arena, kernel);
    return kernel_of_source(arena, module, name) ? name : kernel_of_source(arena, module, whole) ? whole : kernel->name;
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
    const struct source_parameter *named = source_parameters(arena, source, kernel);
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const char *words = parameter_words(arena, &kernel->parameters[i]);
        enum ptx_type const type = named ? named[i].type : PTX_TYPE_NONE;
        if (named && named[i].pointer)
            words = arena_format(arena, "%s[N]", type ? fill_type_name(type) : "TYPE");
        all[i] = named ? arena_format(arena, "%s: %s", named[i].name, words) : words;
    }
    return all;
}
