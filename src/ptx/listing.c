#include "ptx/listing.h"
#include <string.h>

const char *ptx_statement(struct arena *arena, const struct ptx_module *module,
                          const struct ptx_instruction *instruction)
{
    if (!module->text || instruction->text_end > module->text_size || instruction->text_start >= instruction->text_end)
        return arena_text(arena, ptx_opcode_name(instruction->opcode));
    const char *from = module->text + instruction->text_start;
    size_t const length = instruction->text_end - instruction->text_start;
    char *text = arena_alloc(arena, length + 1);
    size_t written = 0;
    for (size_t i = 0; i < length && from[i] != ';'; i++) {
        bool const blank = from[i] == ' ' || from[i] == '\t' || from[i] == '\n' || from[i] == '\r';
        if (!blank)
            text[written++] = from[i];
        else if (written && text[written - 1] != ' ')
            text[written++] = ' ';
    }
    while (written && text[written - 1] == ' ')
        written--;
    text[written] = '\0';
    return text;
}

struct rows {
    struct arena *arena;
    const struct ptx_module *module;
    struct ptx_row *items;
    uint32_t count;
};

static void add(struct rows *rows, struct ptx_row row)
{
    rows->items[rows->count++] = row;
}

/* Adds the labels that stand between two places of the text: words that end in a colon, outside comments. */
static void add_labels(struct rows *rows, const struct ptx_function *function, uint32_t from, uint32_t to)
{
    const char *text = rows->module->text;
    while (from < to) {
        uint32_t end = from;
        while (end < to && !strchr(" \t\r\n;", text[end]))
            end++;
        bool const comment = end - from >= 2 && text[from] == '/';
        if (!comment && end > from + 1 && text[end - 1] == ':')
            add(rows, (struct ptx_row){arena_text_n(rows->arena, text + from, end - from), function, NULL});
        while (comment && end < to && text[end] != '\n')
            end++;
        from = end + 1;
    }
}

/* Returns the number of colons in a part of the text: it has no more labels. */
static uint32_t colons_in(const char *text, uint32_t from, uint32_t to)
{
    uint32_t colons = 0;
    for (uint32_t i = from; i < to; i++)
        colons += text[i] == ':';
    return colons;
}

static void add_function(struct rows *rows, const struct ptx_function *function)
{
    uint32_t from = function->body_start;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (rows->module->text && instruction->text_start >= from && instruction->text_end > from) {
            add_labels(rows, function, from, instruction->text_start);
            from = instruction->text_end;
        }
        add(rows, (struct ptx_row){ptx_statement(rows->arena, rows->module, instruction), function, instruction});
    }
    if (rows->module->text && function->body_end > from)
        add_labels(rows, function, from, function->body_end);
}

/* Adds the functions that this one calls by name to the list, once each. */
static void reach(const struct ptx_module *module, const struct ptx_function *function, uint32_t *list, uint32_t *count)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_operand *callee = &function->instructions[i].operands[0];
        if (function->instructions[i].opcode != PTX_OP_call || callee->kind != PTX_OPERAND_FUNCTION ||
            !module->functions[callee->index].has_body)
            continue;
        uint32_t known = 0;
        while (known < *count && list[known] != callee->index)
            known++;
        if (known == *count)
            list[(*count)++] = callee->index;
    }
}

struct ptx_listing ptx_listing_of(struct arena *arena, const struct ptx_module *module,
                                  const struct ptx_function *kernel)
{
    uint32_t *list = arena_array(arena, uint32_t, (size_t)module->function_count + 1), count = 1;
    list[0] = (uint32_t)(kernel - module->functions);
    for (uint32_t i = 0; i < count; i++)
        reach(module, &module->functions[list[i]], list, &count);
    size_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_function *function = &module->functions[list[i]];
        most += (size_t)function->instruction_count + 1 +
                (module->text ? colons_in(module->text, function->body_start, function->body_end) : 0);
    }
    struct rows rows = {arena, module, arena_array(arena, struct ptx_row, most), 0};
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_function *function = &module->functions[list[i]];
        if (i)
            add(&rows, (struct ptx_row){function->name, function, NULL});
        add_function(&rows, function);
    }
    return (struct ptx_listing){rows.items, rows.count};
}
