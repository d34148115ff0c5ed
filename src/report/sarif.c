#include "report/sarif.h"
#include "base/file.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static json_t *text_json(const char *text)
{
    json_t *value = json_string(text), *object = json_object();
    json_object_set_new(object, "text", value ? value : json_string("?"));
    return object;
}

/* Returns a path as a relative reference of RFC 3986. */
static const char *uri_of(struct arena *arena, const char *path)
{
    char *uri = arena_alloc(arena, 3 * strlen(path) + 1), *at = uri;
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    for (; *path; path++) {
        unsigned char const letter = (unsigned char)*path;
        if (isalnum(letter) || strchr("/-._~", letter))
            *at++ = *path;
        else
            at += sprintf(at, "%%%02X", letter);
    }
    *at = '\0';
    return uri;
}

const char *sarif_fingerprint(struct arena *arena, const struct sarif_result *result)
{
    char *text = arena_format(arena, "%s\n%s\n%s", result->rule, result->file, result->message), *to = text;
    for (const char *from = text; *from; from++)
        if (!isdigit((unsigned char)*from))
            *to++ = *from;
    struct digest const digest = digest_of(text, (size_t)(to - text));
    return arena_text(arena, digest.text);
}

static size_t rule_index(json_t *rules, const struct sarif_result *result)
{
    size_t i;
    json_t *rule;
    json_array_foreach(rules, i,
                       rule) if (strcmp(json_string_value(json_object_get(rule, "id")), result->rule) == 0) return i;
    rule = json_object();
    json_object_set_new(rule, "id", json_string(result->rule));
    json_object_set_new(rule, "shortDescription", text_json(result->rule_text));
    json_object_set_new(rule, "fullDescription", text_json(result->rule_text));
    json_array_append_new(rules, rule);
    return i;
}

static json_t *result_json(struct arena *arena, json_t *rules, const struct sarif_result *result)
{
    json_t *row = json_object(), *place = json_object(), *file = json_object(), *region = json_object();
    json_t *location = json_object(), *locations = json_array(), *prints = json_object();
    json_object_set_new(row, "ruleIndex", json_integer((json_int_t)rule_index(rules, result)));
    json_object_set_new(row, "ruleId", json_string(result->rule));
    json_object_set_new(row, "level", json_string(result->warning ? "warning" : "error"));
    json_object_set_new(row, "message", text_json(result->message));
    json_object_set_new(file, "uri", json_string(uri_of(arena, result->file)));
    json_object_set_new(region, "startLine", json_integer(result->line > 0 ? result->line : 1));
    json_object_set_new(place, "artifactLocation", file);
    json_object_set_new(place, "region", region);
    json_object_set_new(location, "physicalLocation", place);
    json_array_append_new(locations, location);
    json_object_set_new(row, "locations", locations);
    json_object_set_new(prints, "lanescope/v1", json_string(sarif_fingerprint(arena, result)));
    json_object_set_new(row, "partialFingerprints", prints);
    return row;
}

json_t *sarif_json(struct arena *arena, const struct sarif_result *results, size_t count)
{
    json_t *root = json_object(), *runs = json_array(), *run = json_object(), *tool = json_object();
    json_t *driver = json_object(), *rules = json_array(), *rows = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(rows, result_json(arena, rules, &results[i]));
    json_object_set_new(driver, "name", json_string("Lanescope"));
    json_object_set_new(driver, "semanticVersion", json_string(LANESCOPE_VERSION));
    json_object_set_new(driver, "rules", rules);
    json_object_set_new(tool, "driver", driver);
    json_object_set_new(run, "tool", tool);
    json_object_set_new(run, "columnKind", json_string("unicodeCodePoints"));
    json_object_set_new(run, "results", rows);
    json_array_append_new(runs, run);
    json_object_set_new(root, "$schema", json_string("https://json.schemastore.org/sarif-2.1.0.json"));
    json_object_set_new(root, "version", json_string("2.1.0"));
    json_object_set_new(root, "runs", runs);
    return root;
}
