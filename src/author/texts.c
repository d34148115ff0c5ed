/* The words of a beat: every {expression} has a value, some paragraph is shown, and each wrong choice has a reply. */
#include "author/check.h"
#include <math.h>
#include <string.h>

struct place {
    struct check *check;
    int beat, file; /* of words */
    enum problem_level level;
    const struct lesson_setting *setting;
    const struct run *run;
    bool opening;
};

struct names {
    const struct run *run;
    bool finite;
};

static void note_name(void *context, const char *text, size_t length)
{
    struct names *names = context;
    for (size_t i = 0; i < names->run->fact_count; i++)
        if (strncmp(names->run->facts[i].name, text, length) == 0 && !names->run->facts[i].name[length]) {
            names->finite = names->finite && isfinite(names->run->facts[i].value);
            return;
        }
    names->finite = false; /* {device} and the like */
}

/* Returns whether braces show "—" although all their names have values: a division by zero. A time that was not
 * measured has none. */
static bool shows_nothing(const struct place *place, const char *braces)
{
    struct names names = {place->run, true};
    expression_names(braces, note_name, &names);
    return names.finite &&
           strcmp(run_fill_text(place->run, place->check->lesson, place->setting, &place->check->arena, braces), "—") ==
               0;
}

/* Checks every pair of braces, also behind a condition that does not hold here. */
static void check_words(const struct place *place, const char *text)
{
    struct check *check = place->check;
    for (const char *at = text; at && *at;) {
        size_t const plain = strcspn(at, "{}");
        const char *end = at[plain] == '{' ? strpbrk(at + plain + 1, "{}") : NULL;
        if (!at[plain])
            return;
        if (!end || *end == '{') {
            say_words(check, place->level, place->file, place->beat, at + plain, "a brace has no partner: \"%.40s\"",
                      at + plain);
            return;
        }
        const char *braces = arena_text_n(&check->arena, at + plain, (size_t)(end - at) - plain + 1);
        struct error error = {0};
        if (!run_text_known(place->run, check->lesson, place->setting, braces, &error))
            say_words(check, place->level, place->file, place->beat, braces, "no run gives %s: %s", braces,
                      error.message);
        else if (place->opening && shows_nothing(place, braces))
            say_words(check, place->level, place->file, place->beat, braces,
                      "%s has no value %s: it divides by zero, or the like", braces,
                      setting_words(check, place->setting));
        at = end + 1;
    }
}

static void check_text(const struct place *place, const struct lesson_text *text)
{
    struct check *check = place->check;
    for (size_t i = 0; i < text->count; i++)
        for (size_t k = 0; k < text->paragraphs[i].span_count; k++)
            check_words(place, text->paragraphs[i].spans[k].text);
    struct lesson_text const filled = run_fill_words(place->run, check->lesson, place->setting, &check->arena, text);
    bool const own = place->setting->variant == setting_of_beat(check->lesson, place->beat).variant;
    if (own && text->count && !filled.count)
        say_words(check, place->level, place->file, place->beat, text->paragraphs[0].spans[0].text,
                  "every paragraph is hidden %s: no condition holds; add one without {?...}",
                  setting_words(check, place->setting));
}

const char *big_sentence(struct check *check, int index, int language)
{
    const struct lesson_beat *beat = &check->lesson->beats[index];
    const char *words = beat->big_words[language], *place = words ? strstr(words, "{}") : NULL;
    return beat->big && place ? FORMAT(check, "%.*s{%s}%s", (int)(place - words), words, beat->big, place + 2) : words;
}

/* A title is shown where nothing runs. */
static void check_title(struct check *check, int language)
{
    const char *const texts[] = {check->lesson->title[language], check->lesson->summary[language]};
    for (int i = 0; i < 2; i++)
        if (strpbrk(texts[i], "{}"))
            problems_add(&check->report->problems,
                         &(struct lesson_problem){.file = check->words_path[language],
                                                  .line = 1,
                                                  .heading = "# Title",
                                                  .said = "title and summary are shown before any run: they can have "
                                                          "no {expressions}"});
}

void check_texts(struct check *check, int index, const struct lesson_setting *setting, const struct run *run,
                 bool opening)
{
    const struct lesson_beat *beat = &check->lesson->beats[index];
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        struct place const place = {check, index, language, PROBLEM_ERROR, setting, run, opening};
        if (opening && index == 0)
            check_title(check, language);
        check_text(&place, &beat->words[language]);
        check_text(&place, &beat->after[language]);
        check_words(&place, big_sentence(check, index, language));
        check_words(&place, beat->tally[language]);
        if (!opening)
            continue;
        for (int i = 0; i <= beat->choice_count; i++)
            check_text(&place, &beat->wrong[language][i]);
        for (int i = 0; beat->choice_words[language] && i < beat->choice_count; i++)
            check_words(&place, beat->choice_words[language][i]);
    }
}

/* The notes are for the setting at which the beat opens: a teacher reads them there. */
void check_notes(struct check *check, int index, const struct lesson_setting *setting, const struct run *run)
{
    static const char *const names[LANGUAGE_COUNT] = {"notes.en.md", "notes.ko.md"};
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        int const file = NOTES + language, other = NOTES + 1 - language;
        struct place const place = {check, index, file, PROBLEM_WARNING, setting, run, true};
        if (check->words[file]) {
            check_text(&place, &check->lesson->beats[index].notes[language]);
            for (size_t i = 0; index == 0 && i < check->lesson->notes[language].count; i++)
                if (strpbrk(check->lesson->notes[language].paragraphs[i].spans[0].text, "{}"))
                    problems_add(&check->report->problems,
                                 &(struct lesson_problem){.level = PROBLEM_WARNING,
                                                          .file = check->words_path[file],
                                                          .line = 1,
                                                          .heading = "# Title",
                                                          .said = "the notes on the whole lesson are of no step: they "
                                                                  "can have no {expressions}"});
        } else if (check->words[other] && index == 0) {
            problems_add(
                &check->report->problems,
                &(struct lesson_problem){.level = PROBLEM_WARNING,
                                         .file = check->words_path[file],
                                         .said = FORMAT(check, "there are notes in %s alone", names[1 - language])});
        }
    }
}

/* Lists the wrong choices that get no reply, in one problem. */
static void say_unanswered(struct check *check, int language, int index, double answer)
{
    const struct lesson_beat *beat = &check->lesson->beats[index];
    const char *all = "", *one = "";
    for (int i = 0; i < beat->choice_count; i++)
        if (beat->choices[i] != answer && !beat->wrong[language][i].count) {
            all = FORMAT(check, "%s%s%g", all, *all ? ", " : "", beat->choices[i]);
            one = *one ? one : FORMAT(check, "### wrong %g", beat->choices[i]);
        }
    if (*all && !beat->wrong[language][beat->choice_count].count)
        say_words(check, PROBLEM_WARNING, language, index, NULL, "wrong choices get no reply: %s; write one under `%s`",
                  all, one);
}

void check_replies(struct check *check, int index, const double *answer)
{
    static const char *const names[LANGUAGE_COUNT] = {"en.md", "ko.md"};
    const struct lesson_beat *beat = &check->lesson->beats[index];
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        const struct lesson_text *replies = beat->wrong[language];
        bool const any = replies[beat->choice_count].count > 0;
        if ((beat->kind == BEAT_MARK || beat->kind == BEAT_BUG) && !any)
            say_words(check, PROBLEM_WARNING, language, index, NULL,
                      "a wrong answer gets no reply: write it under `### wrong`");
        if (answer)
            say_unanswered(check, language, index, *answer);
        for (int i = 0; answer && i < beat->choice_count; i++)
            if (beat->choices[i] == *answer && replies[i].count)
                say_words(check, PROBLEM_WARNING, language, index, FORMAT(check, "### wrong %g", beat->choices[i]),
                          "`### wrong %g` is never shown: %g is the right answer", beat->choices[i], beat->choices[i]);
        int const other = 1 - language;
        if (beat->choice_words[other] && !beat->choice_words[language])
            say_words(check, PROBLEM_ERROR, language, index, NULL, "there is no `### choices`, but %s has it",
                      names[other]);
        if (beat->title[other] && !beat->title[language])
            say_words(check, PROBLEM_ERROR, language, index, NULL, "has no title, but in %s it has one", names[other]);
        if (beat->tally[other] && !beat->tally[language])
            say_words(check, PROBLEM_ERROR, language, index, NULL, "there is no `### tally`, but %s has it",
                      names[other]);
    }
}
