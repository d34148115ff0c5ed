/* C++ text of any kind: the tokens, macros and conditions, the kernel's head, its variables, the launch and the knobs;
 * the first line also as a symbol. Whatever is read lies in the text. */
#include "base/mangled.h"
#include "fuzz.h"
#include "source/definitions.h"
#include "source/knobs.h"
#include "source/launch.h"
#include "source/variables.h"
#include <string.h>

static void check_tokens(const struct source *source, size_t size)
{
    for (uint32_t i = 0; i < source->count; i++) {
        const struct source_token *token = &source->tokens[i];
        require(token->kind != SOURCE_END && token->length > 0 && token->at < token->end && token->end <= size);
        require(i == 0 || source->tokens[i - 1].end <= token->at);
    }
    require(source->tokens[source->count].kind == SOURCE_END);
}

static void check_kernel(struct arena *arena, const char *text, const char *name)
{
    struct ptx_variable const parameters[] = {{.size = 8}, {.size = 8}, {.size = 4}};
    struct compile_define const define = {"N", "64"};
    const struct source *source = source_read(arena, text, &define, 1, SOURCE_TAKEN);
    for (uint32_t count = 1; count <= 3; count++) {
        struct ptx_function const kernel = {.name = name, .parameters = parameters, .parameter_count = count};
        struct source_kernel const found = source_kernel_find(source, &kernel);
        uint32_t variables;
        require(found.end <= source->count && found.body <= found.end);
        source_variables(&found, &variables);
        for (uint32_t i = 0; found.parameters && i < count; i++)
            require(found.parameters[i].name && found.parameters[i].words);
        source_shared_layout(&found, "s", 0);
    }
    struct source_launch launch;
    source_launch_find(source, "k", &launch);
    source_size_named(source, "N");
    source_array_type(source, "s");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    const char *text = arena_text_n(&arena, (const char *)data, size);
    const char *symbol = arena_text_n(&arena, text, strcspn(text, "\n"));
    size_t const length = strlen(text);
    struct source_knobs knobs;
    check_tokens(source_read(&arena, text, NULL, 0, SOURCE_ALL), length);
    check_tokens(source_read(&arena, text, NULL, 0, SOURCE_TAKEN), length);
    check_kernel(&arena, text, "k");
    check_kernel(&arena, text, "_Z1kIfLi4EEvPT_S0_i");
    struct mangled mangled;
    if (mangled_read(&arena, symbol, &mangled))
        require(mangled.name && strlen(mangled.name) <= length + 32);
    source_knobs_find(&arena, text, NULL, 0, &knobs);
    for (size_t i = 0; i < knobs.count; i++)
        require(knobs.items[i].at + knobs.items[i].length <= length);
    code_names_of(&arena, text);
    arena_free(&arena);
    return 0;
}
