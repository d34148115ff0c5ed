/* Settings: the defaults, and changes given as text. */
#include "base/words.h"
#include "lesson/plan.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lesson_knob_index(const struct lesson *lesson, const char *name)
{
    for (int i = 0; i < lesson->knob_count; i++)
        if (strcmp(lesson->knobs[i].name, name) == 0)
            return i;
    return -1;
}

int lesson_variant_index(const struct lesson *lesson, const char *name)
{
    for (int i = 0; i < lesson->variant_count; i++)
        if (strcmp(lesson->variants[i].name, name) == 0)
            return i;
    return -1;
}

bool lesson_setting_same(const struct lesson *lesson, const struct lesson_setting *a, const struct lesson_setting *b)
{
    bool same = a->variant == b->variant;
    for (int i = 0; i < lesson->knob_count; i++)
        same = same && a->value[i] == b->value[i];
    return same;
}

int64_t lesson_knob_number(const struct lesson_knob *knob, int value)
{
    return knob->values[value];
}

int64_t lesson_knob_step(const struct lesson_knob *knob)
{
    int64_t const step = knob->value_count > 3 ? knob->values[1] - knob->values[0] : 0;
    for (int i = 1; i < knob->value_count; i++)
        if (knob->values[i] != knob->values[i - 1] + step)
            return 0;
    return step;
}

const char *lesson_knob_value(const struct lesson_knob *knob, int value, struct arena *arena)
{
    return arena_format(arena, "%lld", (long long)lesson_knob_number(knob, value));
}

const char *lesson_knob_label(const struct lesson_knob *knob, int value, enum language language, struct arena *arena)
{
    return arena_format(arena, "%s %s", knob->label[language], lesson_knob_value(knob, value, arena));
}

const char *lesson_knob_assignment(const struct lesson_knob *knob, int value, struct arena *arena)
{
    return arena_format(arena, "%s=%s", knob->name, lesson_knob_value(knob, value, arena));
}

struct lesson_setting lesson_defaults(const struct lesson *lesson)
{
    struct lesson_setting setting = {0};
    for (int i = 0; i < lesson->knob_count; i++)
        setting.value[i] = lesson->knobs[i].default_index;
    return setting;
}

void lesson_apply_sets(struct lesson_setting *setting, const struct lesson_set *sets, int set_count)
{
    for (int i = 0; i < set_count; i++)
        if (sets[i].knob < 0)
            setting->variant = sets[i].value_index;
        else
            setting->value[sets[i].knob] = sets[i].value_index;
}

static bool no_such_name(const struct lesson *lesson, const char *name, struct error *error)
{
    struct arena arena = {0};
    const char *all = "variant";
    for (int i = 0; i < lesson->knob_count; i++)
        all = arena_format(&arena, "%s, %s", all, lesson->knobs[i].name);
    error_set(error, ERROR_INPUT, "lesson %s has no knob \"%s\"", lesson->name, name);
    error_remedy(error, "it has %s", all);
    arena_free(&arena);
    return false;
}

static bool no_such_variant(const struct lesson *lesson, const char *value, struct error *error)
{
    struct arena arena = {0};
    const char *all = "";
    for (int i = 0; i < lesson->variant_count; i++)
        all = arena_format(&arena, "%s%s%s", all, i ? ", " : "", lesson->variants[i].name);
    error_set(error, ERROR_INPUT, "lesson %s has no variant \"%s\"", lesson->name, value);
    error_remedy(error, "it has %s", all);
    arena_free(&arena);
    return false;
}

static bool out_of_range(const struct lesson_knob *knob, const char *value, struct error *error)
{
    struct arena arena = {0};
    const char *all = "";
    int const last = knob->value_count - 1;
    for (int i = 0; i <= last; i++)
        all = arena_format(&arena, "%s%s%s", all, i ? ", " : "", lesson_knob_value(knob, i, &arena));
    if (lesson_knob_step(knob) == 1 && last > 3)
        all = arena_format(&arena, _("a whole number from %lld to %lld"), (long long)lesson_knob_number(knob, 0),
                           (long long)lesson_knob_number(knob, last));
    error_set(error, ERROR_INPUT, "knob %s cannot be \"%s\"", knob->name, value);
    error_remedy(error, "it takes %s", all);
    arena_free(&arena);
    return false;
}

bool lesson_parse_set(const struct lesson *lesson, const char *assignment, struct lesson_set *set, struct error *error)
{
    const char *equals = strchr(assignment, '=');
    if (!equals)
        return error_set(error, ERROR_INPUT, "\"%s\" is not of the form NAME=VALUE", assignment);
    char name[128];
    size_t const length = (size_t)(equals - assignment);
    if (length >= sizeof name)
        return error_set(error, ERROR_INPUT, "\"%.40s...\" is not the name of a knob", assignment);
    memcpy(name, assignment, length);
    name[length] = '\0';
    const char *value = equals + 1;
    if (strcmp(name, "variant") == 0) {
        *set = (struct lesson_set){-1, lesson_variant_index(lesson, value)};
        return set->value_index >= 0 || no_such_variant(lesson, value, error);
    }
    int const knob = lesson_knob_index(lesson, name);
    if (knob < 0)
        return no_such_name(lesson, name, error);
    char *end;
    errno = 0;
    long long const number = strtoll(value, &end, 10);
    for (int i = 0; errno == 0 && end != value && *end == '\0' && i < lesson->knobs[knob].value_count; i++)
        if (lesson_knob_number(&lesson->knobs[knob], i) == number) {
            *set = (struct lesson_set){knob, i};
            return true;
        }
    return out_of_range(&lesson->knobs[knob], value, error);
}

bool lesson_set_text(const struct lesson *lesson, struct lesson_setting *setting, const char *assignment,
                     struct error *error)
{
    struct lesson_set set = {0};
    if (!lesson_parse_set(lesson, assignment, &set, error))
        return false;
    lesson_apply_sets(setting, &set, 1);
    return true;
}
