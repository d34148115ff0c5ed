/* The grades of all submissions: a table, CSV, JSON and JUnit XML. */
#include "base/file.h"
#include "base/markup.h"
#include "base/output.h"
#include "base/words.h"
#include "grade/grade.h"
#include <stdlib.h>
#include <string.h>

const char *grade_points(struct arena *arena, double points)
{
    return arena_format(arena, "%.10g", points);
}

const char *grade_cause(struct arena *arena, const struct grade_verdict *verdict)
{
    const char *place = *verdict->file ? arena_format(arena, "%s:%d: ", verdict->file, verdict->line) : "";
    const char *run = *verdict->run ? arena_format(arena, _("run %s: "), verdict->run) : "";
    return arena_format(arena, "%s%s%s", run, place, verdict->cause);
}

/* ---- a table ---- */

/* Returns the code point at the text, and how many bytes it has. */
static unsigned read_point(const char *text, size_t *bytes)
{
    unsigned char const first = (unsigned char)*text;
    *bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    unsigned point = *bytes == 1 ? first : first & (0x7Fu >> *bytes);
    for (size_t i = 1; i < *bytes; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80) {
            *bytes = i;
            break;
        }
        point = point << 6 | ((unsigned char)text[i] & 0x3F);
    }
    return point;
}

/* Returns how many columns of a terminal a text takes: East Asian letters take two, combining ones none. A name from a
 * Mac has its Hangul in parts, of which the first takes the columns of the syllable. */
static int columns_of(const char *text)
{
    static const struct {
        unsigned first, last;
        int columns;
    } ranges[] = {{0x300, 0x36F, 0},    {0x1100, 0x115F, 2}, {0x1160, 0x11FF, 0}, {0x200B, 0x200F, 0},
                  {0x2E80, 0xA4CF, 2},  {0xAC00, 0xD7A3, 2}, {0xF900, 0xFAFF, 2}, {0xFE00, 0xFE0F, 0},
                  {0xFE30, 0xFE6F, 2},  {0xFF00, 0xFF60, 2}, {0xFFE0, 0xFFE6, 2}, {0x1F300, 0x1FAFF, 2},
                  {0x20000, 0x3FFFD, 2}};
    int columns = 0;
    for (size_t bytes; *text; text += bytes) {
        unsigned const point = read_point(text, &bytes);
        size_t i = 0;
        while (i < sizeof ranges / sizeof *ranges && (point < ranges[i].first || point > ranges[i].last))
            i++;
        columns += i < sizeof ranges / sizeof *ranges ? ranges[i].columns : 1;
    }
    return columns;
}

static void cell(FILE *out, const char *text, int width, bool right)
{
    int const left = width - columns_of(text);
    fprintf(out, "%*s%s%*s", right && left > 0 ? left : 0, "", text, !right && left > 0 ? left : 0, "");
}

void grade_table(FILE *out, const struct grade *grade)
{
    struct arena arena = {0};
    const struct rubric *rubric = &grade->rubric;
    int name_width = 12;
    for (size_t i = 0; i < grade->count; i++)
        if (columns_of(grade->submissions[i].name) > name_width)
            name_width = columns_of(grade->submissions[i].name);
    fprintf(out, "%s\n", rubric->title);
    for (size_t k = 0; k < rubric->rule_count; k++)
        fprintf(out, "  R%zu  %s%s (%s)\n", k + 1, rubric->rules[k].text, rubric->rules[k].hidden ? _(", hidden") : "",
                grade_points(&arena, rubric->rules[k].points));
    cell(out, "", name_width, false);
    for (size_t k = 0; k < rubric->rule_count; k++)
        cell(out, arena_format(&arena, "R%zu", k + 1), 6, true);
    cell(out, _("points"), 10, true);
    fputc('\n', out);
    double sum = 0;
    for (size_t i = 0; i < grade->count; i++) {
        const struct grade_submission *one = &grade->submissions[i];
        cell(out, one->name, name_width, false);
        for (size_t k = 0; k < rubric->rule_count; k++)
            cell(out, one->verdicts[k].holds ? grade_points(&arena, one->verdicts[k].points) : "-", 6, true);
        cell(out, grade_points(&arena, one->points), 10, true);
        if (one->problem)
            fprintf(out, "  %s", one->problem);
        fputc('\n', out);
        sum += one->points;
    }
    words_print(out,
                _("%zu {submission|submissions}, %.4g of %.10g points on average; steps: %zu, of which kept: %zu\n"),
                grade->count, sum / (double)grade->count, rubric->points, grade->steps, grade->kept);
    arena_free(&arena);
}

/* ---- CSV ---- */

/* Writes a field of RFC 4180. A spreadsheet would take what begins with = + - or @ as a formula. */
void grade_csv_text(FILE *out, const char *text)
{
    fputs(strchr("=+-@\t\r", *text) && *text ? "\"'" : "\"", out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_csv(FILE *out, const struct grade *grade)
{
    struct arena arena = {0};
    const struct rubric *rubric = &grade->rubric;
    fputs("name,points,of", out);
    for (size_t k = 0; k < rubric->rule_count; k++) {
        fputc(',', out);
        grade_csv_text(out, rubric->rules[k].text);
    }
    fputs("\r\n", out);
    for (size_t i = 0; i < grade->count; i++) {
        const struct grade_submission *one = &grade->submissions[i];
        grade_csv_text(out, one->name);
        fprintf(out, ",%s,%s", grade_points(&arena, one->points), grade_points(&arena, rubric->points));
        for (size_t k = 0; k < rubric->rule_count; k++)
            fprintf(out, ",%s", grade_points(&arena, one->verdicts[k].points));
        fputs("\r\n", out);
    }
    arena_free(&arena);
}

/* ---- JSON ---- */

static json_t *text_or_null(const char *text)
{
    return *text ? json_string(text) : json_null();
}

static json_t *verdict_json(const struct rubric_rule *rule, const struct grade_verdict *verdict)
{
    json_t *row = json_object();
    json_object_set_new(row, "rule", json_string(rule->text));
    json_object_set_new(row, "hidden", json_boolean(rule->hidden));
    json_object_set_new(row, "holds", json_boolean(verdict->holds));
    json_object_set_new(row, "points", json_real(verdict->points));
    json_object_set_new(row, "of", json_real(rule->points));
    json_object_set_new(row, "run", text_or_null(verdict->run));
    json_object_set_new(row, "cause", text_or_null(verdict->cause));
    json_object_set_new(row, "file", text_or_null(verdict->file));
    json_object_set_new(row, "line", verdict->line ? json_integer(verdict->line) : json_null());
    json_object_set_new(row, "remedy", text_or_null(verdict->remedy));
    json_object_set_new(row, "feedback", verdict->holds ? json_null() : text_or_null(rule->feedback));
    json_object_set_new(row, "lesson", verdict->holds ? json_null() : text_or_null(verdict->lesson));
    return row;
}

json_t *grade_json(const struct grade *grade)
{
    const struct rubric *rubric = &grade->rubric;
    json_t *root = json_object(), *list = json_array();
    json_object_set_new(root, "version", json_integer(1));
    json_object_set_new(root, "title", json_string(rubric->title));
    json_object_set_new(root, "of", json_real(rubric->points));
    for (size_t i = 0; i < grade->count; i++) {
        const struct grade_submission *one = &grade->submissions[i];
        json_t *row = json_object(), *verdicts = json_array(), *name = json_string(one->name);
        json_object_set_new(row, "name", name ? name : json_string("?"));
        json_object_set_new(row, "number", text_or_null(one->number));
        json_object_set_new(row, "points", json_real(one->points));
        json_object_set_new(row, "problem", one->problem ? json_string(one->problem) : json_null());
        for (size_t k = 0; k < rubric->rule_count; k++)
            json_array_append_new(verdicts, verdict_json(&rubric->rules[k], &one->verdicts[k]));
        json_object_set_new(row, "rules", verdicts);
        json_array_append_new(list, row);
    }
    json_object_set_new(root, "submissions", list);
    return root;
}

/* ---- JUnit ---- */

static void attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    markup_put(out, text);
    fputc('"', out);
}

static size_t failures_of(const struct grade *grade, const struct grade_submission *one)
{
    size_t count = 0;
    for (size_t k = 0; k < grade->rubric.rule_count; k++)
        count += !one->verdicts[k].holds;
    return count;
}

static void write_junit(FILE *out, const struct grade *grade)
{
    struct arena arena = {0};
    const struct rubric *rubric = &grade->rubric;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
    attribute(out, "name", rubric->title);
    fputs(">\n", out);
    for (size_t i = 0; i < grade->count; i++) {
        const struct grade_submission *one = &grade->submissions[i];
        fputs("<testsuite", out);
        attribute(out, "name", one->name);
        fprintf(out, " tests=\"%zu\" failures=\"%zu\">\n", rubric->rule_count, failures_of(grade, one));
        for (size_t k = 0; k < rubric->rule_count; k++) {
            const struct grade_verdict *verdict = &one->verdicts[k];
            fputs("<testcase", out);
            attribute(out, "classname", one->name);
            attribute(out, "name", rubric->rules[k].text);
            if (!verdict->holds) {
                fputs("><failure", out);
                attribute(out, "message", grade_cause(&arena, verdict));
                fputs("/></testcase>\n", out);
            } else {
                fputs("/>\n", out);
            }
        }
        fputs("</testsuite>\n", out);
    }
    fputs("</testsuites>\n", out);
    arena_free(&arena);
}

/* ---- files ---- */

static void write_json(FILE *out, const struct grade *grade)
{
    json_t *root = grade_json(grade);
    json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    fputc('\n', out);
    json_decref(root);
}

static bool write_file(struct arena *arena, const char *folder, const char *name, const struct grade *grade,
                       void (*write)(FILE *out, const struct grade *grade), struct error *error)
{
    struct output output;
    if (!output_open(&output, arena_format(arena, "%s/%s", folder, name), error))
        return false;
    write(output.stream, grade);
    return output_keep(&output, error);
}

/* A name that is no file's, such as "..", gets an ending. */
const char *grade_file(struct arena *arena, const char *folder, const struct grade_submission *one, const char *ending)
{
    char *name = arena_text(arena, one->name);
    for (char *at = name; *at; at++)
        if (*at == '/' || *at == '\n' || *at == '\t')
            *at = '_';
    return arena_format(arena, "%s/%s%s", folder, name, ending);
}

bool grade_write(const struct grade *grade, const char *folder, struct error *error)
{
    struct arena arena = {0};
    const char *reports = arena_format(&arena, "%s/reports", folder);
    bool fine = folder_make(reports, error) && write_file(&arena, folder, "grades.csv", grade, write_csv, error) &&
                write_file(&arena, folder, "grades.json", grade, write_json, error) &&
                write_file(&arena, folder, "grades.xml", grade, write_junit, error);
    for (size_t i = 0; i < grade->count && fine; i++) {
        struct output output;
        fine = output_open(&output, grade_file(&arena, reports, &grade->submissions[i], ".html"), error);
        if (fine) {
            grade_page(output.stream, grade, &grade->submissions[i]);
            fine = output_keep(&output, error);
        }
    }
    arena_free(&arena);
    return fine;
}
