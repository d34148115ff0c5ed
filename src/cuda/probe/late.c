/* Memory that a kernel declares behind its prologue. The body is written twice from the prologue on, and each copy
 * would have such a variable of its own. So the declarations move in front of both copies, where their names mean the
 * same. */
#include "cuda/probe/probe.h"
#include "ptx/lexer.h"
#include <stdio.h>
#include <string.h>

enum { LATE_MOST = 64, NAMES_MOST = 8 };

struct reader { /* of the tokens of a kernel's body */
    const char *text;
    struct lexer lexer;
    struct token token;
    unsigned depth;
};

static void next(struct reader *reader)
{
    reader->token = lexer_next(&reader->lexer);
    if (reader->token.kind != TOKEN_MARK)
        return;
    reader->depth += reader->token.mark == '{';
    reader->depth -= reader->token.mark == '}' && reader->depth;
}

static bool begins_memory(const struct reader *reader)
{
    static const char *const words[] = {"shared", "global", "const", "extern"};
    const struct token *token = &reader->token;
    for (size_t i = 0; i < sizeof words / sizeof *words && token->kind == TOKEN_WORD; i++)
        if (strlen(words[i]) == token->end - token->start &&
            memcmp(reader->text + token->start, words[i], token->end - token->start) == 0)
            return true;
    return false;
}

static bool same_name(const char *text, const struct token *a, const struct token *b)
{
    return a->kind == TOKEN_NAME && a->end - a->start == b->end - b->start &&
           memcmp(text + a->start, text + b->start, a->end - a->start) == 0;
}

/* Returns true when a declaration that moves to the body's start keeps the meaning of its name everywhere in the body:
 * the name stands nowhere before the declaration, and nowhere behind its scope. */
static bool can_move(const struct ptx_module *module, const struct ptx_function *kernel, const struct token *name,
                     const struct probe_range *declaration, unsigned depth)
{
    struct reader reader = {
        .text = module->text,
        .lexer = {
            .text = module->text, .size = (uint32_t)kernel->body_end, .at = (uint32_t)kernel->body_start, .line = 1}};
    bool over = false;
    for (next(&reader); reader.token.kind != TOKEN_END; next(&reader)) {
        bool const before = reader.token.start < declaration->start, behind = reader.token.start >= declaration->end;
        over = over || (behind && reader.depth < depth);
        if ((before || over) && same_name(module->text, &reader.token, name))
            return false;
    }
    return true;
}

static bool cannot_move(const struct ptx_module *module, const struct ptx_function *kernel, const struct token *name,
                        struct error *error)
{
    error_set(error, ERROR_INPUT,
              "kernel \"%s\" declares `%.*s` behind its first instructions, and the name has another meaning elsewhere "
              "in it, so it cannot be recorded on a GPU",
              kernel->name, (int)(name->end - name->start), module->text + name->start);
    return error_remedy(error, "declare the memory at the start of the kernel, or under a name of its own");
}

/* Reads a declaration to its end, and checks that all its names can move. */
static bool read_declaration(struct reader *reader, const struct ptx_module *module, const struct ptx_function *kernel,
                             struct probe_range *range, struct error *error)
{
    struct token names[NAMES_MOST];
    unsigned const depth = reader->depth;
    size_t count = 0;
    range->start = reader->token.start - 1; /* the dot */
    while (reader->token.kind != TOKEN_END && !(reader->token.kind == TOKEN_MARK && reader->token.mark == ';')) {
        if (reader->token.kind == TOKEN_NAME && count < NAMES_MOST)
            names[count++] = reader->token;
        next(reader);
    }
    range->end = reader->token.end;
    for (size_t i = 0; i < count; i++)
        if (!can_move(module, kernel, &names[i], range, depth))
            return cannot_move(module, kernel, &names[i], error);
    return count < NAMES_MOST || cannot_move(module, kernel, &names[0], error);
}

bool probe_find_late(struct arena *arena, const struct ptx_module *module, const struct ptx_function *kernel,
                     size_t prologue, struct probe_late *late, struct error *error)
{
    struct reader reader = {.text = module->text};
    size_t at = prologue;
    *late = (struct probe_late){.ranges = arena_array(arena, struct probe_range, LATE_MOST)};
    reader.depth = probe_depth(module->text, kernel->body_start, prologue, 0);
    for (uint32_t i = 0; i <= kernel->instruction_count; i++) {
        bool const more = i < kernel->instruction_count;
        const struct ptx_instruction *instruction = &kernel->instructions[i];
        if (more && instruction->text_start < at)
            continue;
        size_t const end = more ? instruction->text_start : kernel->body_end;
        reader.lexer = (struct lexer){.text = module->text, .size = (uint32_t)end, .at = (uint32_t)at, .line = 1};
        for (next(&reader); reader.token.kind != TOKEN_END; next(&reader)) {
            if (!begins_memory(&reader))
                continue;
            if (late->count == LATE_MOST)
                return error_set(error, ERROR_INPUT,
                                 "kernel \"%s\" declares memory at more than %d places behind its first instructions, "
                                 "so it cannot be recorded on a GPU",
                                 kernel->name, LATE_MOST);
            if (!read_declaration(&reader, module, kernel, &late->ranges[late->count], error))
                return false;
            late->count++;
        }
        at = more ? instruction->text_end : at;
    }
    return true;
}

void probe_write_late(const struct probe_writer *writer)
{
    for (size_t i = 0; i < writer->late.count; i++) {
        const struct probe_range *range = &writer->late.ranges[i];
        fprintf(writer->out, "\n%.*s", (int)(range->end - range->start), writer->module->text + range->start);
    }
}

void probe_copy(const struct probe_writer *writer, size_t from, size_t to)
{
    const char *text = writer->module->text;
    for (size_t i = 0; i < writer->late.count; i++) {
        const struct probe_range *range = &writer->late.ranges[i];
        if (range->end <= from || range->start >= to)
            continue;
        if (range->start > from)
            fwrite(text + from, 1, range->start - from, writer->out);
        from = range->end;
    }
    if (from < to)
        fwrite(text + from, 1, to - from, writer->out);
}
