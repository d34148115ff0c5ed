/* libcyaml reports an error through its log, the innermost field first; the first message and the first place make the
 * error that the user reads. */
#include "base/schema.h"
#include "base/words.h"
#include <cyaml/cyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* libcyaml allocates in the caller's arena: each block has its size before it, for when it grows. */
enum { SIZE_ROOM = 16 };
static void *allocate(void *context, void *old, size_t size)
{
    if (size == 0)
        return NULL;
    char *block = arena_alloc(context, size + SIZE_ROOM);
    memcpy(block, &size, sizeof size);
    if (old) {
        size_t old_size;
        memcpy(&old_size, (char *)old - SIZE_ROOM, sizeof old_size);
        memcpy(block + SIZE_ROOM, old, old_size < size ? old_size : size);
    }
    return block + SIZE_ROOM;
}

/* Counted before anything is built: an alias or deep brackets make little text into much work. */
enum { YAML_BYTES_MOST = 1 << 20, YAML_DEPTH_MOST = 32, YAML_NODES_MOST = 20000, YAML_VALUE_MOST = 8 << 10 };

/* Returns what a YAML text has that none of this program's files needs, at *line, or NULL. */
static const char *excess(yaml_parser_t *parser, int *line)
{
    const char *found = NULL;
    int depth = 0, nodes = 0;
    for (bool more = true; more && !found;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return NULL; /* what follows is no YAML: its reader says so */
        *line = (int)event.start_mark.line + 1;
        switch (event.type) {
        case YAML_ALIAS_EVENT:
            found = N_("names another place by an alias (*): write the value itself");
            break;
        case YAML_SEQUENCE_START_EVENT:
        case YAML_MAPPING_START_EVENT:
            depth++;
            nodes++;
            break;
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT:
            depth--;
            break;
        case YAML_SCALAR_EVENT:
            nodes++;
            if (event.data.scalar.length > YAML_VALUE_MOST)
                found = N_("holds a value of more than 8 KiB");
            else if (!words_plain((const char *)event.data.scalar.value))
                found = N_("holds a control character");
            break;
        default:
            break;
        }
        if (depth > YAML_DEPTH_MOST)
            found = N_("is nested too deeply");
        else if (nodes > YAML_NODES_MOST)
            found = N_("has too many values");
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    return found;
}

bool schema_bounded(const char *path, const char *text, size_t size, struct error *error)
{
    yaml_parser_t parser;
    int line = 0;
    if (size > YAML_BYTES_MOST)
        return error_at(error, ERROR_INPUT, path, 0, 0, "has more than %d KiB", YAML_BYTES_MOST >> 10);
    if (!yaml_parser_initialize(&parser))
        return error_set(error, ERROR_MISSING, "no memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    const char *found = excess(&parser, &line);
    yaml_parser_delete(&parser);
    return !found || error_at(error, ERROR_INPUT, path, line, 0, found, NULL);
}

struct complaint {
    char what[256], field[256]; /* field: the path from the top, "beats.3.at" */
    int line, column;
};

/* The first message says what is wrong; each line of the backtrace after it names a field, the innermost first. */
static void listen(cyaml_log_t level, void *context, const char *format, va_list arguments)
{
    struct complaint *complaint = context;
    char text[512], name[64], path[256];
    (void)level;
    vsnprintf(text, sizeof text, format, arguments);
    text[strcspn(text, "\n")] = '\0';
    const char *said = strncmp(text, "Load: ", 6) == 0 ? text + 6 : text;
    while (*said == ' ')
        said++;
    const char *place = strstr(said, "(line: ");
    if (!place) {
        if (!complaint->what[0] && strcmp(said, "Backtrace:") != 0)
            snprintf(complaint->what, sizeof complaint->what, "%.200s", said);
        return;
    }
    if (!complaint->line)
        sscanf(place, "(line: %d, column: %d)", &complaint->line, &complaint->column);
    unsigned entry;
    if (sscanf(said, "in sequence entry '%u'", &entry) == 1)
        snprintf(name, sizeof name, "%u", entry - 1); /* it counts from 1 */
    else if (sscanf(said, "in mapping field '%63[^']'", name) != 1)
        return;
    snprintf(path, sizeof path, "%s%s%.180s", name, complaint->field[0] ? "." : "", complaint->field);
    memcpy(complaint->field, path, sizeof path);
}

/* Text that is no YAML at all: libyaml knows the place, which libcyaml does not pass on. */
static bool complain_of_syntax(const char *path, const char *text, size_t size, struct error *error)
{
    yaml_parser_t parser;
    yaml_document_t document;
    if (!yaml_parser_initialize(&parser))
        return false;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    bool const loaded = yaml_parser_load(&parser, &document) != 0;
    if (loaded)
        yaml_document_delete(&document);
    else
        error_at(error, ERROR_INPUT, path, (int)parser.problem_mark.line + 1, (int)parser.problem_mark.column + 1,
                 "is not YAML here: %s", parser.problem ? parser.problem : "it cannot be read");
    if (!loaded)
        error_remedy(error, "put a text with : , # [ ] { or } into quotation marks, and indent with spaces");
    yaml_parser_delete(&parser);
    return !loaded;
}

static void take_first(void *context, const struct schema_problem *problem)
{
    struct schema_problem *first = context;
    if (!first->said)
        *first = *problem;
}

/* schema_check knows field and line; libcyaml's own words serve for what it does not look at. */
static bool complain(const struct complaint *complaint, struct arena *arena, const char *path, const char *text,
                     size_t size, const struct cyaml_schema_value *schema, const char *what, struct error *error)
{
    struct schema_problem first = {0};
    if (schema_check(arena, text, size, schema, take_first, &first)) {
        error_at(error, ERROR_INPUT, path, first.line, 0, "%s", first.said);
        error_field(error, "%s", first.field);
        return error_remedy(error, "%s", first.remedy);
    }
    int const line = complaint->field[0] ? schema_line(text, size, complaint->field) : 0;
    error_at(error, ERROR_INPUT, path, line ? line : complaint->line, line ? 0 : complaint->column, "%s", what);
    return error_field(error, "%s", complaint->field);
}

static bool load(struct arena *arena, const char *path, const char *text, size_t size,
                 const struct cyaml_schema_value *schema, cyaml_cfg_flags_t flags, void **loaded, struct error *error)
{
    struct complaint complaint = {0};
    cyaml_config_t const config = {.log_fn = listen,
                                   .log_ctx = &complaint,
                                   .mem_fn = allocate,
                                   .mem_ctx = arena,
                                   .log_level = CYAML_LOG_ERROR,
                                   .flags = CYAML_CFG_NO_ALIAS | flags};
    *loaded = NULL;
    if (!schema_bounded(path, text, size, error))
        return false;
    cyaml_err_t const result = cyaml_load_data((const uint8_t *)text, size, &config, schema, loaded, NULL);
    if (result == CYAML_OK && *loaded)
        return true;
    if (complain_of_syntax(path, text, size, error))
        return false;
    return complain(&complaint, arena, path, text, size, schema,
                    complaint.what[0] ? complaint.what : cyaml_strerror(result), error);
}

bool schema_load(struct arena *arena, const char *path, const char *text, size_t size,
                 const struct cyaml_schema_value *schema, void **loaded, struct error *error)
{
    return load(arena, path, text, size, schema, CYAML_CFG_DEFAULT, loaded, error);
}

bool schema_load_known(struct arena *arena, const char *path, const char *text, size_t size,
                       const struct cyaml_schema_value *schema, void **loaded, struct error *error)
{
    return load(arena, path, text, size, schema, CYAML_CFG_IGNORE_UNKNOWN_KEYS, loaded, error);
}

static yaml_node_t *child(yaml_document_t *document, yaml_node_t *node, const char *key, size_t length)
{
    if (node->type == YAML_SEQUENCE_NODE) {
        long const index = strtol(key, NULL, 10);
        yaml_node_item_t *item = node->data.sequence.items.start + index;
        return item < node->data.sequence.items.top ? yaml_document_get_node(document, *item) : NULL;
    }
    if (node->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *name = yaml_document_get_node(document, pair->key);
        if (name->type == YAML_SCALAR_NODE && name->data.scalar.length == length &&
            memcmp(name->data.scalar.value, key, length) == 0)
            return yaml_document_get_node(document, pair->value);
    }
    return NULL;
}

int schema_line(const char *text, size_t size, const char *field)
{
    yaml_parser_t parser;
    yaml_document_t document;
    int line = 0;
    if (!yaml_parser_initialize(&parser))
        return 0;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    if (yaml_parser_load(&parser, &document)) {
        yaml_node_t *node = yaml_document_get_root_node(&document);
        while (node) {
            line = (int)node->start_mark.line + 1;
            size_t const length = strcspn(field, ".");
            node = length ? child(&document, node, field, length) : NULL;
            field += length + (field[length] == '.');
        }
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    return line;
}
