/* Compares a YAML text with a schema of libcyaml and reports every difference. libcyaml itself stops at the first one,
 * and names neither the line of an unknown field nor the words that are allowed. */
#include "base/schema.h"
#include <cyaml/cyaml.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct walk {
    struct arena *arena;
    yaml_document_t *document;
    schema_report *report;
    void *context;
    size_t count;
};

/* Reports a difference. fields: those that there are, where one is unknown; else NULL. */
__attribute__((format(printf, 5, 6))) static void differ(struct walk *walk, const yaml_node_t *at, const char *field,
                                                         const char *fields, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *said = arena_format_v(walk->arena, format, arguments);
    va_end(arguments);
    struct schema_problem const problem = {
        .line = (int)at->start_mark.line + 1,
        .field = field,
        .said = said,
        .remedy = fields ? arena_format(walk->arena, "the fields here are %s", fields) : "",
        .unknown_field = fields != NULL};
    walk->report(walk->context, &problem);
    walk->count++;
}

static const char *text_of(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static const char *words_of(struct walk *walk, const cyaml_strval_t *strings, uint32_t count)
{
    const char *all = "";
    for (uint32_t i = 0; i < count; i++)
        all = arena_format(walk->arena, "%s%s%s", all, i ? ", " : "", strings[i].str);
    return all;
}

static bool is_whole(const char *text)
{
    char *end;
    errno = 0;
    strtoll(text, &end, 0);
    return end != text && *end == '\0' && errno == 0;
}

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && *end == '\0';
}

static bool is_word(const char *text, const cyaml_schema_value_t *schema)
{
    for (uint32_t i = 0; i < schema->enumeration.count; i++)
        if (strcmp(schema->enumeration.strings[i].str, text) == 0)
            return true;
    return is_whole(text); /* as libcyaml takes it */
}

static void walk_scalar(struct walk *walk, yaml_node_t *node, const cyaml_schema_value_t *schema, const char *field)
{
    const char *text = text_of(node);
    if (!text)
        differ(walk, node, field, NULL, "takes one value, not a list or a group of fields");
    else if ((schema->type == CYAML_INT || schema->type == CYAML_UINT) && !is_whole(text))
        differ(walk, node, field, NULL, "takes a whole number, not \"%s\"", text);
    else if (schema->type == CYAML_FLOAT && !is_number(text))
        differ(walk, node, field, NULL, "takes a number, not \"%s\"", text);
    else if (schema->type == CYAML_ENUM && !is_word(text, schema))
        differ(walk, node, field, NULL, "\"%s\" is none of %s", text,
               words_of(walk, schema->enumeration.strings, schema->enumeration.count));
}

static void walk_value(struct walk *walk, yaml_node_t *node, const cyaml_schema_value_t *schema, const char *field);

static void walk_list(struct walk *walk, yaml_node_t *node, const cyaml_schema_value_t *schema, const char *field)
{
    bool const flags = schema->type == CYAML_FLAGS;
    if (node->type != YAML_SEQUENCE_NODE) {
        differ(walk, node, field, NULL, "takes a list: [a, b], or lines that begin with -");
        return;
    }
    const yaml_node_item_t *first = node->data.sequence.items.start;
    for (const yaml_node_item_t *item = first; item < node->data.sequence.items.top; item++) {
        yaml_node_t *entry = yaml_document_get_node(walk->document, *item);
        const char *name = arena_format(walk->arena, "%s.%d", field, (int)(item - first));
        if (!flags)
            walk_value(walk, entry, schema->sequence.entry, name);
        else if (!text_of(entry) || !is_word(text_of(entry), schema))
            differ(walk, entry, name, NULL, "\"%s\" is none of %s", text_of(entry) ? text_of(entry) : "",
                   words_of(walk, schema->enumeration.strings, schema->enumeration.count));
    }
}

static const cyaml_schema_field_t *field_of(const cyaml_schema_field_t *fields, const char *key)
{
    for (; fields->key; fields++)
        if (strcmp(fields->key, key) == 0)
            return fields;
    return NULL;
}

static const char *names_of(struct walk *walk, const cyaml_schema_field_t *fields)
{
    const char *all = "";
    for (; fields->key; fields++)
        all = arena_format(walk->arena, "%s%s%s", all, *all ? ", " : "", fields->key);
    return all;
}

/* Returns whether an earlier pair of the mapping has the key. */
static bool is_repeated(struct walk *walk, yaml_node_t *node, const yaml_node_pair_t *pair, const char *key)
{
    for (const yaml_node_pair_t *other = node->data.mapping.pairs.start; other < pair; other++) {
        const char *name = text_of(yaml_document_get_node(walk->document, other->key));
        if (name && strcmp(name, key) == 0)
            return true;
    }
    return false;
}

static void walk_fields(struct walk *walk, yaml_node_t *node, const cyaml_schema_value_t *schema, const char *path)
{
    const cyaml_schema_field_t *fields = schema->mapping.fields;
    const char *dot = *path ? "." : "";
    if (node->type != YAML_MAPPING_NODE) {
        differ(walk, node, path, NULL, "takes a group of fields: %s", names_of(walk, fields));
        return;
    }
    const yaml_node_pair_t *top = node->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < top; pair++) {
        yaml_node_t *key = yaml_document_get_node(walk->document, pair->key);
        const char *name = text_of(key) ? text_of(key) : "";
        const char *field = arena_format(walk->arena, "%s%s%s", path, dot, name);
        const cyaml_schema_field_t *known = field_of(fields, name);
        if (!known)
            differ(walk, key, field, names_of(walk, fields), "there is no such field");
        else if (is_repeated(walk, node, pair, name))
            differ(walk, key, field, NULL, "is given twice");
        else
            walk_value(walk, yaml_document_get_node(walk->document, pair->value), &known->value, field);
    }
    for (const cyaml_schema_field_t *field = fields; field->key; field++) {
        bool given = (field->value.flags & CYAML_FLAG_OPTIONAL) != 0;
        for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < top && !given; pair++) {
            const char *name = text_of(yaml_document_get_node(walk->document, pair->key));
            given = name && strcmp(name, field->key) == 0;
        }
        if (!given)
            differ(walk, node, arena_format(walk->arena, "%s%s%s", path, dot, field->key), NULL, "is missing");
    }
}

static void walk_value(struct walk *walk, yaml_node_t *node, const cyaml_schema_value_t *schema, const char *field)
{
    if (schema->type == CYAML_MAPPING)
        walk_fields(walk, node, schema, field);
    else if (schema->type == CYAML_SEQUENCE || schema->type == CYAML_SEQUENCE_FIXED || schema->type == CYAML_FLAGS)
        walk_list(walk, node, schema, field);
    else if (schema->type != CYAML_IGNORE)
        walk_scalar(walk, node, schema, field);
}

size_t schema_check(struct arena *arena, const char *text, size_t size, const struct cyaml_schema_value *schema,
                    schema_report *report, void *context)
{
    yaml_parser_t parser;
    yaml_document_t document;
    struct walk walk = {.arena = arena, .document = &document, .report = report, .context = context};
    if (!schema_bounded("", text, size, NULL) || !yaml_parser_initialize(&parser))
        return 0;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    if (yaml_parser_load(&parser, &document)) {
        yaml_node_t *root = yaml_document_get_root_node(&document);
        if (root)
            walk_value(&walk, root, schema, "");
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    return walk.count;
}
