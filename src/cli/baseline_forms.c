/* What has grown, in the forms that servers of continuous integration read. docs/ci.md */
#include "base/file.h"
#include "base/markup.h"
#include "base/output.h"
#include "cli/baseline.h"
#include "report/sarif.h"
#include <string.h>

static const char *target_of(const json_t *entry)
{
    const char *target = json_string_value(json_object_get(entry, "target"));
    return target ? target : "";
}

static struct sarif_result result_of(const struct baseline_growth *growth)
{
    static const struct {
        const char *rule, *text;
    } texts[] = {{"counter", "A counter of memory traffic grew"},
                 {"finding", "A check found more"},
                 {"kernel", "A kernel is not in the baseline"},
                 {"launches", "A kernel is launched more often"}};
    struct sarif_result result = {growth->rule, "", growth->message, growth->file, growth->line, false};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(texts[i].rule, growth->rule) == 0)
            result.rule_text = texts[i].text;
    return result;
}

json_t *baseline_json(const json_t *entries, const struct baseline_growth *growths, size_t count)
{
    json_t *root = json_object(), *list = json_array(), *targets = json_array(), *entry;
    size_t i;
    json_array_foreach(entries, i, entry) json_array_append_new(targets, json_string(target_of(entry)));
    for (i = 0; i < count; i++) {
        json_t *row = json_object();
        json_object_set_new(row, "target", json_string(growths[i].target));
        json_object_set_new(row, "kernel", json_string(growths[i].kernel));
        json_object_set_new(row, "rule", json_string(growths[i].rule));
        json_object_set_new(row, "message", json_string(growths[i].message));
        json_object_set_new(row, "file", json_string(growths[i].file));
        json_object_set_new(row, "line", growths[i].line ? json_integer(growths[i].line) : json_null());
        json_array_append_new(list, row);
    }
    json_object_set_new(root, "version", json_integer(1));
    json_object_set_new(root, "targets", targets);
    json_object_set_new(root, "grew", list);
    return root;
}

static void put_json(FILE *out, json_t *root)
{
    json_dumpf(root, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(root);
}

static void write_sarif(FILE *out, const json_t *entries, const struct baseline_growth *growths, size_t count)
{
    struct arena arena = {0};
    struct sarif_result *results = arena_array(&arena, struct sarif_result, count + 1);
    (void)entries;
    for (size_t i = 0; i < count; i++)
        results[i] = result_of(&growths[i]);
    put_json(out, sarif_json(&arena, results, count));
    arena_free(&arena);
}

/* GitLab's Code Quality, a subset of Code Climate's: a list. */
static void write_gitlab(FILE *out, const json_t *entries, const struct baseline_growth *growths, size_t count)
{
    struct arena arena = {0};
    json_t *list = json_array();
    (void)entries;
    for (size_t i = 0; i < count; i++) {
        struct sarif_result const result = result_of(&growths[i]);
        json_t *row = json_object(), *place = json_object(), *lines = json_object();
        json_object_set_new(row, "description", json_string(growths[i].message));
        json_object_set_new(row, "check_name", json_string(growths[i].rule));
        json_object_set_new(row, "fingerprint", json_string(sarif_fingerprint(&arena, &result)));
        json_object_set_new(row, "severity", json_string("major"));
        json_object_set_new(lines, "begin", json_integer(growths[i].line > 0 ? growths[i].line : 1));
        json_object_set_new(place, "path", json_string(growths[i].file));
        json_object_set_new(place, "lines", lines);
        json_object_set_new(row, "location", place);
        json_array_append_new(list, row);
    }
    put_json(out, list);
    arena_free(&arena);
}

static void attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    markup_put(out, text);
    fputc('"', out);
}

/* A suite, with a case for each target. */
static void write_junit(FILE *out, const json_t *entries, const struct baseline_growth *growths, size_t count)
{
    json_t *entry;
    size_t i, failures = 0;
    json_array_foreach(entries, i, entry)
    {
        bool grew = false;
        for (size_t k = 0; k < count; k++)
            grew = grew || strcmp(growths[k].target, target_of(entry)) == 0;
        failures += grew;
    }
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"lanescope baseline\" "
            "tests=\"%zu\" failures=\"%zu\">\n",
            json_array_size(entries), failures);
    json_array_foreach(entries, i, entry)
    {
        fputs("<testcase classname=\"baseline\"", out);
        attribute(out, "name", target_of(entry));
        fputs(">\n", out);
        for (size_t k = 0; k < count; k++) {
            if (strcmp(growths[k].target, target_of(entry)) != 0)
                continue;
            fputs("<failure", out);
            attribute(out, "type", growths[k].rule);
            attribute(out, "message", growths[k].message);
            fprintf(out, ">");
            markup_put(out, growths[k].file);
            fprintf(out, ":%d</failure>\n", growths[k].line > 0 ? growths[k].line : 1);
        }
        fputs("</testcase>\n", out);
    }
    fputs("</testsuite>\n</testsuites>\n", out);
}

/* GitHub's commands in the log of a workflow, which annotate lines: ::error file=F,line=L,title=T::MESSAGE */
static void put_escaped(FILE *out, const char *text, const char *more)
{
    for (; *text; text++)
        if (strchr("%\r\n", *text) || strchr(more, *text))
            fprintf(out, "%%%02X", (unsigned char)*text);
        else
            fputc(*text, out);
}

static void write_github(const struct baseline_growth *growths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sarif_result const result = result_of(&growths[i]);
        fputs("::error file=", stdout);
        put_escaped(stdout, growths[i].file, ":,");
        printf(",line=%d,title=", growths[i].line > 0 ? growths[i].line : 1);
        put_escaped(stdout, result.rule_text, ":,");
        fputs("::", stdout);
        put_escaped(stdout, growths[i].message, "");
        putchar('\n');
    }
}

static const struct {
    const char *form, *file;
    void (*write)(FILE *out, const json_t *entries, const struct baseline_growth *growths, size_t count);
} forms[] = {{"sarif", "baseline.sarif", write_sarif},
             {"junit", "baseline.xml", write_junit},
             {"gitlab", "gl-code-quality-report.json", write_gitlab},
             {"github", NULL, NULL}};
enum { FORMS = sizeof forms / sizeof *forms };

static bool has_form(const char *names, const char *form)
{
    for (size_t length; *names; names += length + (names[length] == ',')) {
        length = strcspn(names, ",");
        if (length == strlen(form) && strncmp(names, form, length) == 0)
            return true;
    }
    return false;
}

bool baseline_forms_known(const char *names)
{
    size_t known = 0, given = 1;
    for (const char *at = names; (at = strchr(at, ',')); at++)
        given++;
    for (size_t i = 0; i < FORMS; i++)
        known += has_form(names, forms[i].form);
    return known == given;
}

bool baseline_write(const char *folder, const char *names, const json_t *entries, const struct baseline_growth *growths,
                    size_t count, struct error *error)
{
    struct arena arena = {0};
    bool fine = folder_make(folder, error);
    for (size_t i = 0; i < FORMS && fine; i++) {
        struct output output;
        if (!has_form(names, forms[i].form))
            continue;
        if (!forms[i].write) {
            write_github(growths, count);
            continue;
        }
        fine = output_open(&output, arena_format(&arena, "%s/%s", folder, forms[i].file), error);
        if (fine) {
            forms[i].write(output.stream, entries, growths, count);
            fine = output_keep(&output, error);
        }
    }
    arena_free(&arena);
    return fine;
}
