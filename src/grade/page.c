/* The report of one submission: a page without scripts, for its student. Hidden rules are counted, not shown. */
#include "base/markup.h"
#include "base/words.h"
#include "grade/grade.h"
#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark}body{font:16px/1.5 "
    "sans-serif;overflow-wrap:anywhere;word-break:keep-all;max-width:60em;margin:2em auto;padding:0 "
    "1em;color:#1b1b1f;background:#fff}"
    "h1{font-size:1.5em}h2{font-size:1.1em;margin:1.2em 0 .2em}.good{color:#0a6b2d}.bad{color:#a32020}"
    ".dim{color:#5a5a63}pre{background:#f4f4f6;padding:.6em;overflow-x:auto;font-size:.9em}"
    "mark{background:#ffe08a;display:block}p{margin:.2em 0}.sum{font-size:1.2em;font-weight:bold}"
    "@media(prefers-color-scheme:dark){body{color:#e6e6ea;background:#1b1b1f}.good{color:#63d38a}.bad{color:#ff8f8f}"
    ".dim{color:#a5a5b0}pre{background:#26262c}mark{background:#5c4a00;color:inherit}}";

static void element(FILE *out, const char *tag, const char *class, const char *text)
{
    fprintf(out, class ? "<%s class=\"%s\">" : "<%s>", tag, class);
    markup_put(out, text);
    fprintf(out, "</%s>\n", tag);
}

/* Returns whether a lost rule above has shown the same place: then its lines and its remedy stand there. */
static bool is_shown(const struct grade *grade, const struct grade_submission *one, size_t index)
{
    const struct grade_verdict *verdict = &one->verdicts[index];
    for (size_t i = 0; i < index; i++) {
        const struct grade_verdict *above = &one->verdicts[i];
        if (!above->holds && !grade->rubric.rules[i].hidden && above->line == verdict->line &&
            strcmp(above->file, verdict->file) == 0 && strcmp(above->remedy, verdict->remedy) == 0)
            return true;
    }
    return false;
}

/* Writes the line of the submission that a verdict names, with two around it. */
static void put_lines(FILE *out, const struct grade *grade, const struct grade_submission *one,
                      const struct grade_verdict *verdict)
{
    enum { AROUND = 2 };
    if (!one->text || verdict->line < 1 || strcmp(verdict->file, grade->rubric.file) != 0)
        return;
    int number = 1;
    fputs("<pre>", out);
    for (const char *at = one->text; *at && number <= verdict->line + AROUND; number++) {
        size_t const length = strcspn(at, "\n");
        if (number >= verdict->line - AROUND) {
            struct arena arena = {0};
            if (number == verdict->line)
                fputs("<mark>", out);
            markup_put(out, arena_format(&arena, "%4d  %.*s", number, (int)length, at));
            fputs(number == verdict->line ? "</mark>" : "\n", out);
            arena_free(&arena);
        }
        at += length + (at[length] == '\n');
    }
    fputs("</pre>\n", out);
}

/* Returns a cause with a full stop: what a terminal shows in a row has none. */
static const char *as_sentence(struct arena *arena, const char *cause)
{
    size_t const length = strlen(cause);
    return length && !strchr(".!?:", cause[length - 1]) ? arena_format(arena, "%s.", cause) : cause;
}

static void put_rule(FILE *out, struct arena *arena, const struct grade *grade, const struct grade_submission *one,
                     size_t index)
{
    const struct rubric_rule *rule = &grade->rubric.rules[index];
    const struct grade_verdict *verdict = &one->verdicts[index];
    element(out, "h2", verdict->holds ? "good" : "bad",
            arena_format(arena, "%s %s —\u00a0%s\u00a0/\u00a0%s", verdict->holds ? "✓" : "✗", rule->text,
                         grade_points(arena, verdict->points), grade_points(arena, rule->points)));
    if (verdict->holds)
        return;
    const char *run = *verdict->run ? arena_format(arena, _("run %s"), verdict->run) : "";
    const char *line = verdict->line ? arena_format(arena, "%s:%d", verdict->file, verdict->line) : "";
    if (*run || *line)
        element(out, "p", "dim", arena_format(arena, "%s%s%s", run, *run && *line ? " · " : "", line));
    element(out, "p", NULL, as_sentence(arena, verdict->cause));
    bool const shown = is_shown(grade, one, index);
    if (!shown)
        put_lines(out, grade, one, verdict);
    if (*verdict->remedy && !shown)
        element(out, "p", "good", verdict->remedy);
    if (*rule->feedback)
        element(out, "p", NULL, rule->feedback);
    if (*verdict->lesson)
        element(out, "p", "dim", arena_format(arena, _("The lesson about it: lanescope %s"), verdict->lesson));
}

void grade_page(FILE *out, const struct grade *grade, const struct grade_submission *one)
{
    struct arena arena = {0};
    const struct rubric *rubric = &grade->rubric;
    double hidden = 0, hidden_of = 0;
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
            "content=\"width=device-width, initial-scale=1\">\n<meta "
            "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
            words_language() == WORDS_KOREAN ? "ko" : "en");
    element(out, "title", NULL, arena_format(&arena, "%s · %s", rubric->title, one->name));
    fprintf(out, "<style>%s</style></head><body>\n", style);
    element(out, "h1", NULL, arena_format(&arena, "%s · %s", rubric->title, one->name));
    element(out, "p", "sum",
            arena_format(&arena, _("%s of %s points"), grade_points(&arena, one->points),
                         grade_points(&arena, rubric->points)));
    if (one->problem)
        element(out, "p", "bad", one->problem);
    for (size_t k = 0; k < rubric->rule_count; k++) {
        if (rubric->rules[k].hidden) {
            hidden += one->verdicts[k].points;
            hidden_of += rubric->rules[k].points;
        } else {
            put_rule(out, &arena, grade, one, k);
        }
    }
    if (hidden_of > 0)
        element(out, "p", "dim",
                arena_format(&arena, _("Rules that are not shown: %s of %s points"), grade_points(&arena, hidden),
                             grade_points(&arena, hidden_of)));
    fputs("</body></html>\n", out);
    arena_free(&arena);
}
