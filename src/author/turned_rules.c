/* The rules for words after a knob was turned: figures that are pinned to another setting, typed numbers, comparisons
 * and claims about the machine code. */
#include "author/turned.h"
#include "lesson/facts.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Words for small numbers, in which a text may name the value of a knob. */
static const struct {
    int number;
    const char *word;
} number_words[] = {{0, "no"},     {0, "without"}, {0, "zero"}, {0, "none"}, {0, "없"}, {0, "0"},     {1, "one"},
                    {1, "single"}, {1, "한"},      {1, "하나"}, {2, "two"},  {2, "둘"}, {2, "두"},    {3, "three"},
                    {3, "세"},     {3, "셋"},      {4, "four"}, {4, "네"},   {4, "넷"}, {8, "eight"}, {8, "여덟"}};

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

/* Returns whether the word stands in the text; an English one stands alone. */
static bool has_word(const char *text, const char *word)
{
    size_t const length = strlen(word);
    for (const char *at = text; *at; at++) {
        bool same = true;
        for (size_t i = 0; i < length && same; i++)
            same = tolower((unsigned char)at[i]) == (unsigned char)word[i];
        if (same && ((unsigned char)*word >= 0x80 || !((at > text && is_letter(at[-1])) || is_letter(at[length]))))
            return true;
    }
    return false;
}

/* Reads the number at a digit, with commas. Returns its length. */
static size_t read_number(const char *at, double *value)
{
    char digits[32];
    size_t length = 0, count = 0;
    for (; count + 1 < sizeof digits; length++)
        if (isdigit((unsigned char)at[length]) || (at[length] == '.' && isdigit((unsigned char)at[length + 1])))
            digits[count++] = at[length];
        else if (!(at[length] == ',' && isdigit((unsigned char)at[length + 1])))
            break;
    digits[count] = '\0';
    *value = strtod(digits, NULL);
    return length;
}

static bool begins_number(const char *text, size_t at)
{
    return isdigit((unsigned char)text[at]) && !(at && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_'));
}

/* Returns whether the text names a value: in digits or in a word. */
static bool names(const char *text, double wanted)
{
    for (size_t at = 0; text[at];) {
        double value;
        size_t const length = begins_number(text, at) ? read_number(text + at, &value) : 0;
        if (length && value == wanted)
            return true;
        at += length ? length : 1;
    }
    for (size_t i = 0; i < sizeof number_words / sizeof *number_words; i++)
        if (number_words[i].number == wanted && has_word(text, number_words[i].word))
            return true;
    return false;
}

struct use {
    const struct turned *turned;
    const struct shown *shown;
    const struct figure *figure;
};

struct other_value {
    struct other_value *next;
    const char *expression;
    struct lesson_setting setting;
    double value;
};

/* Returns the value of an expression at another setting: NaN if it has none. */
static double value_at(struct check *check, const struct lesson_setting *setting, const char *expression)
{
    size_t place = (size_t)setting->variant;
    for (const char *c = expression; *c; c++)
        place = place * 31 + (unsigned char)*c;
    for (int k = 0; k < check->lesson->knob_count; k++)
        place = place * 31 + (size_t)setting->value[k];
    struct other_value **bucket = &check->values[place % (sizeof check->values / sizeof *check->values)];
    for (const struct other_value *kept = *bucket; kept; kept = kept->next)
        if (strcmp(kept->expression, expression) == 0 && lesson_setting_same(check->lesson, &kept->setting, setting))
            return kept->value;
    struct other_value *fresh = arena_new(&check->arena, struct other_value);
    *fresh = (struct other_value){*bucket, arena_text(&check->arena, expression), *setting, NAN};
    run_lesson_fact(check->lesson, setting, expression, &fresh->value, NULL);
    *bucket = fresh;
    return fresh->value;
}

/* Returns whether a number differs between two settings. A time that was not measured at both differs if the launches
 * do. */
static bool differs(struct check *check, const char *expression, const struct lesson_setting *a,
                    const struct lesson_setting *b)
{
    static const char of_launch[] =
        "warp_instructions + 0.37 * (global_load_sectors + 1.3 * global_store_sectors + 1.7 * shared_load_passes + "
        "2.3 * shared_store_passes + 2.9 * shared_bytes + 3.7 * threads + 4.3 * blocks)";
    double const x = value_at(check, a, expression), y = value_at(check, b, expression);
    if (isfinite(x) && isfinite(y))
        return fabs(x - y) > 0.005 * fabs(x);
    return value_at(check, a, of_launch) != value_at(check, b, of_launch);
}

/* Returns whether a paragraph names a value of a knob: in digits, in a word, or in the description of a timed launch at
 * this value, {what of NAME}. */
static bool names_value(const struct turned *turned, const struct shown *shown, int knob, int value)
{
    const struct lesson *lesson = turned->check->lesson;
    double const number = (double)lesson_knob_number(&lesson->knobs[knob], value);
    if (names(turned_named_text(turned, shown), number) || names(shown->before, number))
        return true;
    static const char what[] = "{what of ";
    for (const char *at = strstr(shown->raw, what); at; at = strstr(at + 1, what)) {
        const char *name = at + sizeof what - 1;
        const struct plan_elsewhere *from = turned_elsewhere(lesson, name, strcspn(name, "}"));
        for (int i = 0; from && i < from->set_count; i++)
            if (from->sets[i].knob == knob && from->sets[i].value_index == value)
                return true;
    }
    return false;
}

/* A number that is pinned to another value of a knob must name that value, where it makes a difference. */
static void check_pinned(void *context, const char *name, size_t length)
{
    const struct use *use = context;
    const struct turned *turned = use->turned;
    const struct lesson *lesson = turned->check->lesson;
    const struct plan_elsewhere *from = turned_elsewhere(lesson, name, length);
    if (!from)
        return;
    struct lesson_setting there = *turned->setting;
    lesson_apply_sets(&there, from->sets, from->set_count);
    for (int i = 0; i < from->set_count; i++) {
        int const knob = from->sets[i].knob;
        if (knob < 0 || there.value[knob] == turned->setting->value[knob])
            continue;
        struct lesson_setting here = there;
        here.value[knob] = turned->setting->value[knob];
        double const number = (double)lesson_knob_number(&lesson->knobs[knob], there.value[knob]);
        if (names_value(turned, use->shown, knob, there.value[knob]) ||
            !differs(turned->check, from->value, &there, &here))
            continue;
        turned_tell(
            turned, FORMAT(turned->check, "pinned %d", knob), use->figure->braces,
            "%s is a number of %s, and the paragraph does not say so: name the value, or show the paragraph only "
            "there, with {?%s == %g}",
            use->figure->braces, lesson_knob_assignment(&lesson->knobs[knob], there.value[knob], &turned->check->arena),
            lesson->knobs[knob].name, number);
    }
}

static void check_figures(const struct turned *turned, const struct shown *shown)
{
    for (int i = 0; i < shown->count; i++) {
        const struct figure *figure = &shown->figures[i];
        struct use use = {turned, shown, figure};
        const char *big =
            turned->check->lesson->beats[turned->beat].big; /* a large "—" stands alone, and says it all */
        if (!isfinite(figure->value) && !(big && strcmp(figure->expression, big) == 0))
            turned_tell(turned, "none", figure->braces,
                        "%s is shown as \"—\": show its paragraph only where it has a value", figure->braces);
        expression_names(figure->expression, check_pinned, &use);
    }
}

/* Returns the start of the sentence of a place in the text; end: where it ends. */
static size_t sentence_of(const char *text, size_t at, size_t *end)
{
    size_t start = 0;
    for (size_t i = 0; text[i]; i++)
        if (strchr(".?!:;", text[i]) && (text[i + 1] == ' ' || !text[i + 1])) {
            if (i >= at) {
                *end = i;
                return start;
            }
            start = i + 1;
        }
    *end = strlen(text);
    return start;
}

/* Returns how long the singular of a noun is: of "passes" 4. */
static size_t singular(const char *noun, size_t length)
{
    if (length > 4 && (memcmp(noun + length - 4, "sses", 4) == 0 || memcmp(noun + length - 4, "shes", 4) == 0))
        return length - 2;
    return length > 1 && noun[length - 1] == 's' && noun[length - 2] != 's' ? length - 1 : length;
}

static bool same_noun(const char *a, size_t a_length, const char *b, size_t b_length)
{
    a_length = singular(a, a_length);
    return a_length && a_length == singular(b, b_length) && memcmp(a, b, a_length) == 0;
}

/* The last word of a name, its noun: of "third_passes" "passes". */
static const char *noun_of(const char *name)
{
    const char *last = strrchr(name, '_');
    return last ? last + 1 : name;
}

/* A number that is typed, with its noun. */
struct typed {
    double value;
    const char *noun;
    size_t length;
    bool hyphen;
};

/* Returns whether a typed number of this noun is one of all GPUs, or of the layout of memory. */
static bool is_hardware(const struct typed *typed)
{
    static const struct {
        double value;
        const char *noun;
    } all[] = {{32, "lane"}, {32, "thread"}, {32, "bank"}, {32, "byte"}, {32, "word"}, {4, "byte"}, {128, "byte"}};
    static const char *const of_memory[] = {"chunk", "sector", "line", "boundary", "boundaries", "piece", "step"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (typed->value == all[i].value && same_noun(typed->noun, typed->length, all[i].noun, strlen(all[i].noun))) {
            const char *next = typed->noun + typed->length + 1;
            size_t const length = strspn(next, "abcdefghijklmnopqrstuvwxyz");
            if (!typed->hyphen)
                return true;
            for (size_t k = 0; k < sizeof of_memory / sizeof *of_memory; k++)
                if (same_noun(next, length, of_memory[k], strlen(of_memory[k])))
                    return true;
        }
    return false;
}

struct fact_use {
    const struct turned *turned;
    const char *name;
    double value;
    bool found;
};

static void note_fact(void *context, const char *name, size_t length)
{
    struct fact_use *use = context;
    const struct lesson *lesson = use->turned->check->lesson;
    const struct plan_elsewhere *from = turned_elsewhere(lesson, name, length);
    struct lesson_setting there = *use->turned->setting;
    if (!from)
        return;
    lesson_apply_sets(&there, from->sets, from->set_count);
    use->found = use->found || value_at(use->turned->check, &there, use->name) == use->value;
}

/* Returns whether a figure of the paragraph is of a setting whose fact has this value: the number tells of that. */
static bool tells_of(const struct turned *turned, const struct shown *shown, const char *name, double value)
{
    struct fact_use use = {turned, name, value, false};
    for (int i = 0; i < shown->count; i++)
        expression_names(shown->figures[i].expression, note_fact, &use);
    return use.found;
}

struct pin_use {
    const struct lesson *lesson;
    int knob;
    double value;
    bool found;
};

static void note_pin(void *context, const char *name, size_t length)
{
    struct pin_use *use = context;
    const struct plan_elsewhere *from = turned_elsewhere(use->lesson, name, length);
    for (int i = 0; from && i < from->set_count; i++)
        use->found = use->found || (from->sets[i].knob == use->knob &&
                                    (double)lesson_knob_number(&use->lesson->knobs[use->knob],
                                                               from->sets[i].value_index) == use->value);
}

/* Returns whether a figure of the paragraph is of a setting with this value of the knob: the text names it. */
static bool pins(const struct turned *turned, const struct shown *shown, int knob, double value)
{
    struct pin_use use = {turned->check->lesson, knob, value, false};
    for (int i = 0; i < shown->count; i++)
        expression_names(shown->figures[i].expression, note_pin, &use);
    return use.found;
}

/* Returns a number of the run or the setting that was the typed one where the beat opens, and is another one now; NULL:
 * there is none, or one that still is. */
static const char *follows(const struct turned *turned, const struct shown *shown, const struct typed *typed)
{
    const struct run *run = turned->run, *opened = turned->opened;
    const struct lesson *lesson = turned->check->lesson;
    const char *name = NULL;
    for (size_t i = 0; i < run->own_fact_count; i++) {
        const char *noun = noun_of(run->facts[i].name);
        const struct fact *fact = fact_of_access(lesson, run->facts[i].name, strlen(run->facts[i].name));
        if (!same_noun(typed->noun, typed->length, noun, strlen(noun)) || run->facts[i].value == 0 ||
            (fact && (fact->scope == SCOPE_MACHINE || fact->scope == SCOPE_TIMED)))
            continue; /* it is 0 where its access does not happen */
        if (run->facts[i].value == typed->value)
            return NULL;
        if (i < opened->own_fact_count && opened->facts[i].value == typed->value &&
            !tells_of(turned, shown, run->facts[i].name, typed->value))
            name = run->facts[i].name;
    }
    bool const bytes = typed->hyphen && same_noun(typed->noun, typed->length, "byte", 4);
    for (int k = 0; k < lesson->knob_count; k++) {
        const struct lesson_knob *knob = &lesson->knobs[k];
        const char *label = knob->label[LANGUAGE_EN];
        bool const named = same_noun(typed->noun, typed->length, label, strlen(label)) ||
                           same_noun(typed->noun, typed->length, knob->unit, strlen(knob->unit));
        double const before = (double)lesson_knob_number(knob, turned->own.value[k]),
                     now = (double)lesson_knob_number(knob, turned->setting->value[k]);
        if (named && (now == typed->value || pins(turned, shown, k, typed->value)))
            return NULL;
        for (int size = 1; size <= (bytes ? 8 : 1) && before != now; size *= 2)
            if ((named || bytes) && before * size == typed->value && before > 1)
                name = knob->name;
    }
    return name;
}

/* Returns whether a figure shows a number of another setting with a name of this noun. */
struct noun_use {
    const struct turned *turned;
    const struct typed *typed;
    bool found;
};

static void note_noun(void *context, const char *name, size_t length)
{
    struct noun_use *use = context;
    const struct plan_elsewhere *from = turned_elsewhere(use->turned->check->lesson, name, length);
    const char *noun = from ? noun_of(from->value) : NULL;
    use->found = use->found || (noun && same_noun(use->typed->noun, use->typed->length, noun, strlen(noun)));
}

static double at_opening(const struct turned *turned, const char *expression)
{
    double value = NAN;
    run_evaluate(turned->opened, turned->check->lesson, &turned->own, expression, &value, NULL);
    return value;
}

static void check_number(const struct turned *turned, const struct shown *shown, size_t at, const struct typed *typed)
{
    struct check *check = turned->check;
    const char *words =
        FORMAT(check, "%.*s", (int)(typed->noun + typed->length - (shown->text + at)), shown->text + at);
    for (int i = 0; i < shown->count; i++) {
        const struct figure *figure = &shown->figures[i];
        struct noun_use use = {turned, typed, false};
        expression_names(figure->expression, note_noun, &use);
        if (use.found && figure->value == typed->value && at_opening(turned, figure->expression) != typed->value)
            turned_tell(turned, "equal", figure->braces,
                        "%s is %s, too, so the paragraph compares nothing: show the comparison only where they differ",
                        figure->braces, words);
    }
    const char *follower = is_hardware(typed) ? NULL : follows(turned, shown, typed);
    if (follower)
        turned_tell(turned, "typed", words, "\"%s\" is %s where the step opens, and not here: write an expression",
                    words, follower);
}

/* A typed number does not follow the knobs. */
static void check_typed(const struct turned *turned, const struct shown *shown)
{
    for (size_t at = 0; shown->text[at];) {
        struct typed typed = {0};
        size_t const length = shown->kind[at] == TYPED && begins_number(shown->text, at)
                                  ? read_number(shown->text + at, &typed.value)
                                  : 0;
        const char *after = shown->text + at + length;
        if (length && (*after == ' ' || *after == '-') && shown->kind[at + length] == TYPED) {
            typed.hyphen = *after == '-';
            typed.noun = after + 1;
            typed.length = strspn(typed.noun, "abcdefghijklmnopqrstuvwxyz");
            check_number(turned, shown, at, &typed);
        }
        at += length ? length : 1;
    }
}

static const char *const comparators[][6] = {{"against", "instead of", "than", "compared with", "rather than"},
                                             {" 대 ", "보다", "대신", "아니라", "줄"}};

/* Two figures of a sentence that are compared must compare as they do where the beat opens. */
static void check_compared(const struct turned *turned, const struct shown *shown)
{
    for (int i = 0; i + 1 < shown->count; i++) {
        const struct figure *a = &shown->figures[i], *b = &shown->figures[i + 1];
        char *between = arena_text_n(&turned->check->arena, shown->text + a->at, b->at - a->at);
        size_t end;
        sentence_of(shown->text, a->at, &end);
        bool compared = false;
        for (int k = 0; k < 5; k++)
            compared = compared || strstr(between, comparators[turned->file][k]);
        double const before = at_opening(turned, a->expression) - at_opening(turned, b->expression),
                     now = a->value - b->value;
        if (compared && b->at < end && before != 0 && (before * now <= 0 || strcmp(a->shown, b->shown) == 0))
            turned_tell(turned, "compared", a->braces,
                        "%s and %s, here %s and %s, are equal or compare the other way round than where the step opens",
                        a->braces, b->braces, a->shown, b->shown);
    }
}

/* What a text says of the code as written, and when the machine code that was counted contradicts it. */
static const struct claim {
    const char *words[LANGUAGE_COUNT], *unless, *contradicted; /* unless: a word that says what is meant */
    bool of_product; /* it is about products of matrices: more instructions than products */
} claims[] = {
    {{"one instruction", "명령어 하나"}, "machine code", NULL, true},
    {{"that instruction", "그 명령어"}, "machine code", NULL, true},
    {{"in registers", "레지스터에"},
     "local",
     "machine && local_variables == 0 && machine_LDL + machine_STL > 0",
     false},
    {{"in local memory", "지역 메모리에"},
     "PTX",
     "machine && local_variables > 0 && machine_LDL + machine_STL == 0",
     false},
};

static bool contradicted(const struct turned *turned, const char *expression)
{
    double value = 0;
    return run_evaluate(turned->run, turned->check->lesson, turned->setting, expression, &value, NULL) && value == 1;
}

static void check_claims(const struct turned *turned, const struct shown *shown)
{
    struct check *check = turned->check;
    const struct lesson_plan *plan = check->lesson->plan;
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        const struct claim *claim = &claims[i];
        const char *words = claim->words[turned->file];
        bool against = false;
        if (!has_word(shown->text, words) || strstr(shown->text, claim->unless))
            continue;
        for (size_t k = 0; claim->of_product && k < plan->access_count; k++)
            against =
                against || (plan->accesses[k].operation == TRACE_PRODUCT &&
                            contradicted(turned, FORMAT(check, "machine && machine_HMMA > %s_requests_all * blocks",
                                                        plan->accesses[k].name)));
        if (against || (!claim->of_product && contradicted(turned, claim->contradicted)))
            turned_tell(
                turned, "claim", words,
                "\"%s\" is not what the profiler counted of the machine code here: say so, or show the paragraph only "
                "where it holds",
                words);
    }
}

void turned_check(const struct turned *turned, const struct shown *shown, bool typed)
{
    check_figures(turned, shown);
    check_compared(turned, shown);
    check_claims(turned, shown);
    if (typed)
        check_typed(turned, shown);
}
