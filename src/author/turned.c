/* The words of a beat after a knob was turned: what they say has to be true of the setting on screen, or to name the
 * setting that it is true of. A figure follows the knobs unless it is one of `elsewhere`, pinned to another setting, or
 * is typed. */
#include "author/turned.h"
#include "lesson/facts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void append(struct shown *shown, const char *text, size_t length, enum kind kind)
{
    shown->text = array_grow(shown->text, &shown->capacity, shown->length + length + 1, 1);
    shown->kind = array_grow(shown->kind, &shown->kind_capacity, shown->length + length + 1, 1);
    memcpy(shown->text + shown->length, text, length);
    memset(shown->kind + shown->length, (int)kind, length);
    shown->length += length;
    shown->text[shown->length] = '\0';
}

static const char *filled(const struct turned *turned, const char *text)
{
    return run_fill_text(turned->run, turned->check->lesson, turned->setting, &turned->check->arena, text);
}

void turned_tell(const struct turned *turned, const char *rule, const char *near, const char *format, ...)
{
    struct check *check = turned->check;
    const char *key = FORMAT(check, "%s %d %d %s", rule, turned->file, turned->beat, near);
    for (size_t i = 0; i < check->turned_told.count; i++)
        if (strcmp(check->turned_told.items[i], key) == 0)
            return;
    array_push(&check->turned_told, key);
    va_list arguments;
    va_start(arguments, format);
    const char *said = arena_format_v(&check->arena, format, arguments);
    va_end(arguments);
    say_words(check, PROBLEM_WARNING, turned->file, turned->beat, near, "%s: %s", setting_words(check, turned->setting),
              said);
}

const struct plan_elsewhere *turned_elsewhere(const struct lesson *lesson, const char *name, size_t length)
{
    for (size_t i = 0; i < lesson->plan->elsewhere_count; i++)
        if (strlen(lesson->plan->elsewhere[i].name) == length &&
            memcmp(lesson->plan->elsewhere[i].name, name, length) == 0)
            return &lesson->plan->elsewhere[i];
    return NULL;
}

/* Returns whether an expression is a knob, here or at the setting of a number from elsewhere. */
static bool is_knob(const struct lesson *lesson, const char *expression)
{
    const struct plan_elsewhere *from = turned_elsewhere(lesson, expression, strlen(expression));
    return lesson_knob_index(lesson, from ? from->value : expression) >= 0;
}

/* Appends a pair of braces as it is shown. Returns false for a condition that does not hold: the rest is hidden. */
static bool append_braces(const struct turned *turned, struct shown *shown, const char *braces)
{
    struct arena *arena = &turned->check->arena;
    if (braces[1] == '?')
        return *filled(turned, FORMAT(turned->check, "%s.", braces)) != '\0';
    const char *text = filled(turned, braces), *expression = words_expression(arena, braces);
    bool const figure = expression && shown->count < FIGURES_MAX && *text != '{';
    if (figure) {
        struct figure *one = &shown->figures[shown->count++];
        *one = (struct figure){braces, expression, NAN, text, shown->length};
        run_evaluate(turned->run, turned->check->lesson, turned->setting, expression, &one->value, NULL);
    }
    append(shown, text, strlen(text), !figure ? CODE : is_knob(turned->check->lesson, expression) ? KNOB : FIGURE);
    return true;
}

static bool append_span(const struct turned *turned, struct shown *shown, const struct text_span *span)
{
    shown->raw = FORMAT(turned->check, "%s%s", shown->raw, span->text);
    enum kind const kind = span->style == TEXT_CODE ? CODE : TYPED;
    for (const char *at = span->text; *at;) {
        size_t const plain = strcspn(at, "{");
        append(shown, at, plain, kind);
        at += plain;
        const char *end = strchr(at, '}');
        if (!end)
            break;
        if (!append_braces(turned, shown, arena_text_n(&turned->check->arena, at, (size_t)(end - at) + 1)))
            return false;
        at = end + 1;
    }
    return true;
}

static struct shown show(const struct turned *turned, const struct text_paragraph *paragraph)
{
    struct shown shown = {.raw = "", .before = ""};
    append(&shown, "", 0, TYPED);
    if (run_lacks_access(turned->run, turned->check->lesson, turned->setting, &turned->check->arena, paragraph))
        return shown;
    for (size_t i = 0; i < paragraph->span_count && append_span(turned, &shown, &paragraph->spans[i]); i++)
        ;
    return shown;
}

const char *turned_named_text(const struct turned *turned, const struct shown *shown)
{
    char *text = arena_text(&turned->check->arena, shown->text);
    for (size_t i = 0; i < shown->length; i++)
        if (shown->kind[i] == FIGURE)
            text[i] = ' ';
    return text;
}

static void free_shown(struct shown *shown)
{
    free(shown->text);
    free(shown->kind);
}

static void check_paragraphs(const struct turned *turned, const struct lesson_text *text, size_t first)
{
    const char *before = "";
    for (size_t i = first; i < text->count; i++) {
        struct shown shown = show(turned, &text->paragraphs[i]);
        if (text->paragraphs[i].item)
            shown.before = before;
        else
            before = turned_named_text(turned, &shown);
        /* The words of a task name what it asks for; at another variant they still tell of their own. */
        turned_check(turned, &shown,
                     turned->file == LANGUAGE_EN && turned->check->lesson->beats[turned->beat].kind != BEAT_TASK &&
                         turned->setting->variant == turned->own.variant);
        free_shown(&shown);
    }
}

/* At the step's own setting nothing may be left out because an access is missing. */
static void check_nothing_lacks(const struct turned *turned, const struct lesson_text *text)
{
    if (memcmp(turned->setting, &turned->own, sizeof turned->own) == 0 &&
        run_lacks_accesses(turned->run, turned->check->lesson, turned->setting, &turned->check->arena, text))
        turned_tell(turned, "lacks", "",
                    "a paragraph is left out: it shows a figure of an access that is not made here");
}

static void check_line(const struct turned *turned, const char *line)
{
    struct text_span const span = {.style = TEXT_PLAIN, .text = line};
    struct text_paragraph const paragraph = {.spans = &span, .span_count = 1};
    struct lesson_text const text = {&paragraph, 1};
    if (line)
        check_paragraphs(turned, &text, 0);
}

void check_turned(struct check *check, int index, const struct lesson_setting *setting, const struct run *run)
{
    const struct lesson_beat *beat = &check->lesson->beats[index];
    double value = 0;
    bool const asks = beat->kind == BEAT_ASK || beat->kind == BEAT_OBSERVE;
    bool const done =
        beat->kind == BEAT_TASK && run_evaluate(run, check->lesson, setting, beat->goal, &value, NULL) && value != 0;
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        struct turned const turned = {
            check, index, language, setting, run, check->opened[index], setting_of_beat(check->lesson, index)};
        const struct lesson_text *words = &beat->words[language];
        check_nothing_lacks(&turned, words);
        check_nothing_lacks(&turned, &beat->after[language]);
        check_paragraphs(&turned, words, (asks || done) && words->count ? words->count - 1 : 0);
        if (beat->kind != BEAT_TASK || done)
            check_paragraphs(&turned, &beat->after[language], 0);
        const char *big = big_sentence(check, index, language), *tally = beat->tally[language];
        check_line(&turned, FORMAT(check, "%s. %s", big ? big : "", tally ? tally : ""));
    }
}
