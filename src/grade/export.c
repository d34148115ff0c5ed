/* The grades in the forms that other systems import. docs/grades.md names each form. */
#include "base/file.h"
#include "base/output.h"
#include "base/words.h"
#include "grade/grade.h"
#include "report/sarif.h"
#include <stdlib.h>
#include <string.h>

/* What a lost rule is told, in lines. */
static const char *told(struct arena *arena, const struct rubric_rule *rule, const struct grade_verdict *verdict)
{
    const char *text = grade_cause(arena, verdict);
    const char *const more[] = {verdict->remedy, rule->feedback};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (*more[i])
            text = arena_format(arena, "%s\n%s", text, more[i]);
    return *verdict->lesson ? arena_format(arena, _("%s\nlesson: lanescope %s"), text, verdict->lesson) : text;
}

static json_t *json_text(const char *text)
{
    json_t *value = json_string(text);
    return value ? value : json_string("?");
}

static void put_json(FILE *out, json_t *root)
{
    json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    fputc('\n', out);
    json_decref(root);
}

/* ---- SARIF ---- */

static void write_sarif(FILE *out, const struct grade *grade)
{
    struct arena arena = {0};
    const struct rubric *rubric = &grade->rubric;
    struct sarif_result *results = arena_array(&arena, struct sarif_result, grade->count * rubric->rule_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < grade->count; i++) {
        const struct grade_submission *one = &grade->submissions[i];
        for (size_t k = 0; k < rubric->rule_count; k++) {
            const struct grade_verdict *verdict = &one->verdicts[k];
            const struct rubric_rule *rule = &rubric->rules[k];
            if (verdict->holds)
                continue;
            bool const own = !*verdict->file || strcmp(verdict->file, rubric->file) == 0;
            results[count++] = (struct sarif_result){
                .rule = *rule->name ? rule->name : arena_format(&arena, "R%zu", k + 1),
                .rule_text = rule->text,
                .message = told(&arena, rule, verdict),
                .file = one->path,
                .line = own ? verdict->line : 0,
            };
        }
    }
    put_json(out, sarif_json(&arena, results, count));
    arena_free(&arena);
}

/* ---- Gradescope ---- */

static json_t *gradescope_json(struct arena *arena, const struct rubric *rubric, const struct grade_submission *one)
{
    json_t *root = json_object(), *tests = json_array();
    for (size_t k = 0; k < rubric->rule_count; k++) {
        const struct grade_verdict *verdict = &one->verdicts[k];
        const struct rubric_rule *rule = &rubric->rules[k];
        json_t *test = json_object();
        json_object_set_new(test, "name", json_text(rule->text));
        json_object_set_new(test, "number", json_string(arena_format(arena, "%zu", k + 1)));
        json_object_set_new(test, "score", json_real(verdict->points));
        json_object_set_new(test, "max_score", json_real(rule->points));
        json_object_set_new(test, "status", json_string(verdict->holds ? "passed" : "failed"));
        json_object_set_new(test, "output", json_text(verdict->holds ? "" : told(arena, rule, verdict)));
        json_object_set_new(test, "output_format", json_string("text"));
        json_object_set_new(test, "visibility", json_string(rule->hidden ? "hidden" : "visible"));
        json_array_append_new(tests, test);
    }
    if (one->problem)
        json_object_set_new(root, "output", json_text(one->problem));
    json_object_set_new(root, "output_format", json_string("text"));
    json_object_set_new(root, "stdout_visibility", json_string("hidden"));
    json_object_set_new(root, "tests", tests);
    return root;
}

static bool write_gradescope(const struct grade *grade, const char *folder, struct error *error)
{
    struct arena arena = {0};
    const char *own = arena_format(&arena, "%s/gradescope", folder);
    bool fine = folder_make(own, error);
    for (size_t i = 0; i < grade->count && fine; i++) {
        struct output output;
        fine = output_open(&output, grade_file(&arena, own, &grade->submissions[i], ".json"), error);
        if (fine) {
            put_json(output.stream, gradescope_json(&arena, &grade->rubric, &grade->submissions[i]));
            fine = output_keep(&output, error);
        }
    }
    arena_free(&arena);
    return fine;
}

/* ---- CSV ---- */

/* Each submission has a row; `fields` writes those behind what names the student. */
static void put_row(FILE *out, const char *const *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            fputc(',', out);
        grade_csv_text(out, fields[i]);
    }
    fputs("\r\n", out);
}
#define ROW(out, ...)                                                                                                  \
    put_row(out, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Canvas finds a student by ID, or, without one, by the login. */
static void write_canvas(FILE *out, const struct grade *grade)
{
    struct arena arena = {0};
    const struct rubric *rubric = &grade->rubric;
    ROW(out, "Student", "ID", "SIS User ID", "SIS Login ID", "Section", rubric->title);
    ROW(out, "    Points Possible", "", "", "", "", grade_points(&arena, rubric->points));
    for (size_t i = 0; i < grade->count; i++) {
        const struct grade_submission *one = &grade->submissions[i];
        ROW(out, one->name, one->number, "", *one->number ? "" : one->name, "", grade_points(&arena, one->points));
    }
    arena_free(&arena);
}

/* What Moodle shows as feedback: the rules that were lost and are not hidden. */
static const char *comments(struct arena *arena, const struct rubric *rubric, const struct grade_submission *one)
{
    const char *text = "";
    for (size_t k = 0; k < rubric->rule_count; k++) {
        const struct rubric_rule *rule = &rubric->rules[k];
        if (!one->verdicts[k].holds && !rule->hidden)
            text = arena_format(arena, "%s%s%s: %s", text, *text ? "\n" : "", rule->text,
                                grade_cause(arena, &one->verdicts[k]));
    }
    return text;
}

static void write_moodle(FILE *out, const struct grade *grade)
{
    struct arena arena = {0};
    const struct rubric *rubric = &grade->rubric;
    ROW(out, "Identifier", "Full name", "Grade", "Maximum grade", "Last modified (grade)", "Feedback comments");
    for (size_t i = 0; i < grade->count; i++) {
        const struct grade_submission *one = &grade->submissions[i];
        const char *identifier = *one->number ? arena_format(&arena, "Participant %s", one->number) : one->name;
        ROW(out, identifier, one->name, grade_points(&arena, one->points), grade_points(&arena, rubric->points), "",
            comments(&arena, rubric, one));
    }
    arena_free(&arena);
}

static void write_nbgrader(FILE *out, const struct grade *grade)
{
    struct arena arena = {0};
    const struct rubric *rubric = &grade->rubric;
    ROW(out, "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score",
        "late_submission_penalty", "score", "max_score");
    for (size_t i = 0; i < grade->count; i++) {
        const struct grade_submission *one = &grade->submissions[i];
        const char *points = grade_points(&arena, one->points);
        ROW(out, rubric->title, "", "", *one->number ? one->number : one->name, "", *one->number ? one->name : "", "",
            points, "0", points, grade_points(&arena, rubric->points));
    }
    arena_free(&arena);
}

/* ---- all ---- */

static const struct {
    const char *form, *file;
    void (*write)(FILE *out, const struct grade *grade);
    bool (*write_all)(const struct grade *grade, const char *folder, struct error *error);
} forms[] = {
    {"sarif", "grades.sarif", write_sarif, NULL},       {"gradescope", NULL, NULL, write_gradescope},
    {"canvas", "canvas.csv", write_canvas, NULL},       {"moodle", "moodle.csv", write_moodle, NULL},
    {"nbgrader", "nbgrader.csv", write_nbgrader, NULL},
};
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

bool grade_forms_known(const char *names)
{
    size_t known = 0, given = 1;
    for (const char *at = names; (at = strchr(at, ',')); at++)
        given++;
    for (size_t i = 0; i < FORMS; i++)
        known += has_form(names, forms[i].form);
    return known == given;
}

bool grade_export(const struct grade *grade, const char *folder, const char *names, struct error *error)
{
    struct arena arena = {0};
    bool fine = true;
    for (size_t i = 0; i < FORMS && fine; i++) {
        struct output output;
        if (!has_form(names, forms[i].form))
            continue;
        if (forms[i].write_all) {
            fine = forms[i].write_all(grade, folder, error);
            continue;
        }
        fine = output_open(&output, arena_format(&arena, "%s/%s", folder, forms[i].file), error);
        if (fine) {
            forms[i].write(output.stream, grade);
            fine = output_keep(&output, error);
        }
    }
    arena_free(&arena);
    return fine;
}
