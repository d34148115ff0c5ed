/* English nouns after a number of the run: where the number is 1, the noun has to be in the singular. */
#include "author/check.h"
#include <string.h>

static const char *const plurals[] = {
    "accesses",  "additions",       "addresses",       "arguments", "atomics",    "banks",        "barriers",
    "bins",      "blocks",          "branches",        "buffers",   "bursts",     "bytes",        "chunks",
    "columns",   "conflicts",       "copies",          "counts",    "cycles",     "digits",       "elements",
    "errors",    "faults",          "floats",          "groups",    "halves",     "instructions", "ints",
    "kernels",   "lane-steps",      "lanes",           "layers",    "levels",     "lines",        "loads",
    "matrices",  "multiplications", "multiprocessors", "numbers",   "operations", "parameters",   "passes",
    "paths",     "phases",          "pixels",          "places",    "products",   "races",        "reads",
    "registers", "requests",        "results",         "rounds",    "rows",       "sectors",      "shuffles",
    "slots",     "steps",           "stores",          "sums",      "terms",      "threads",      "tiles",
    "times",     "turns",           "units",           "values",    "variables",  "warps",        "words",
    "writes",
};
static const char *const between[] = {
    /* words that may stand between a number and its noun */
    "active",       "bank",  "different", "divergent", "extra",  "further", "global", "idle", "lane",  "more",
    "neighbouring", "other", "resident",  "shared",    "unused", "useful",  "warp",   "wide", "wrong",
};
static const char *const verbs[] = {"are", "have", "were"};
static const char *const ordinal[] = {
    /* a number after these is a name: "At stride 1 sectors ..." */
    "bank", "bin", "block", "byte",   "column", "element", "lane", "level",
    "line", "row", "step",  "stride", "thread", "warp",    "word",
};

static bool listed(const char *const *words, size_t count, const char *text, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return true;
    return false;
}

#define LISTED(words, text, length) listed(words, sizeof(words) / sizeof *(words), text, length)

static size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz-");
}

/* Returns how long the words are that cannot follow a 1, or 0: " sectors", " wrong values", " are". */
static size_t plural_length(const char *after)
{
    if (*after != ' ')
        return 0;
    size_t const first = word_length(after + 1);
    if (LISTED(plurals, after + 1, first) || LISTED(verbs, after + 1, first))
        return first + 1;
    if (!LISTED(between, after + 1, first) || after[first + 1] != ' ')
        return 0;
    size_t const second = word_length(after + first + 2);
    return LISTED(plurals, after + first + 2, second) ? first + second + 2 : 0;
}

/* Returns whether the text before a number makes it a name or a factor. */
static bool follows_name(const char *text, const char *number)
{
    const char *end = number;
    while (end > text && end[-1] == ' ')
        end--;
    if (end - text >= 2 && memcmp(end - 2, "×", 2) == 0) /* the last factor of a product of numbers */
        return true;
    const char *word = end;
    while (word > text && word_length((char[]){word[-1], '\0'}))
        word--;
    return LISTED(ordinal, word, (size_t)(end - word));
}

struct place {
    struct check *check;
    int beat;
    const struct lesson_setting *setting;
    const struct run *run;
};

/* Returns the value of a pair of braces as it is shown. */
static const char *shown(const struct place *place, const char *braces)
{
    return run_fill_text(place->run, place->check->lesson, place->setting, &place->check->arena, braces);
}

static void check_sentence(const struct place *place, const char *text)
{
    struct check *check = place->check;
    for (const char *at = strchr(text, '{'); at; at = strchr(at + 1, '{')) {
        const char *end = strchr(at, '}');
        if (!end)
            return;
        const char *braces = arena_text_n(&check->arena, at, (size_t)(end - at) + 1);
        if (braces[1] == '?') {
            if (!*shown(place, FORMAT(check, "%s.", braces)))
                return; /* the rest is hidden */
            continue;
        }
        size_t const length = plural_length(end + 1);
        if (length && !follows_name(text, at) && strcmp(shown(place, braces), "1") == 0)
            say_words(check, PROBLEM_WARNING, LANGUAGE_EN, place->beat, braces,
                      "%s%.*s can read \"1%.*s\": write {number|one|many} for the words after the number", braces,
                      (int)length, end + 1, (int)length, end + 1);
    }
}

/* Emphasis does not separate a number from its noun. */
static void check_text(const struct place *place, const struct lesson_text *text)
{
    for (size_t i = 0; i < text->count; i++) {
        const char *whole = "";
        for (size_t k = 0; k < text->paragraphs[i].span_count; k++)
            whole = FORMAT(place->check, "%s%s", whole, text->paragraphs[i].spans[k].text);
        check_sentence(place, whole);
    }
}

void check_plurals(struct check *check, int index, const struct lesson_setting *setting, const struct run *run,
                   bool opening)
{
    struct place const place = {check, index, setting, run};
    const struct lesson_beat *beat = &check->lesson->beats[index];
    check_text(&place, &beat->words[LANGUAGE_EN]);
    check_text(&place, &beat->after[LANGUAGE_EN]);
    if (beat->tally[LANGUAGE_EN])
        check_sentence(&place, beat->tally[LANGUAGE_EN]);
    if (beat->big && beat->big_words[LANGUAGE_EN])
        check_sentence(&place, big_sentence(check, index, LANGUAGE_EN));
    for (int i = 0; opening && i <= beat->choice_count; i++)
        check_text(&place, &beat->wrong[LANGUAGE_EN][i]);
}
