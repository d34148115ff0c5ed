/* `list`: lessons, variants, knobs. */
#include "base/words.h"
#include "cli/cli.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static json_t *lesson_json(const struct lesson *lesson)
{
    json_t *variants = json_array(), *knobs = json_array();
    for (int i = 0; i < lesson->variant_count; i++)
        json_array_append_new(variants, json_pack("{s:s,s:s,s:s}", "name", lesson->variants[i].name, "kernel",
                                                  lesson->variants[i].kernel, "source", lesson->variants[i].source));
    for (int i = 0; i < lesson->knob_count; i++) {
        const struct lesson_knob *knob = &lesson->knobs[i];
        json_t *values = json_array();
        for (int v = 0; v < knob->value_count; v++)
            json_array_append_new(values, json_integer(lesson_knob_number(knob, v)));
        json_array_append_new(knobs,
                              json_pack("{s:s,s:s,s:I,s:I,s:I,s:o}", "name", knob->name, "unit", knob->unit, "minimum",
                                        (json_int_t)lesson_knob_number(knob, 0), "maximum",
                                        (json_int_t)lesson_knob_number(knob, knob->value_count - 1), "default",
                                        (json_int_t)lesson_knob_number(knob, knob->default_index), "values", values));
    }
    json_t *minutes = lesson->minutes_alone ? json_pack("{s:i,s:i}", "alone", (int)lesson->minutes_alone, "class",
                                                        (int)lesson->minutes_in_class)
                                            : json_null();
    return json_pack("{s:s,s:{s:s,s:s},s:i,s:o,s:o,s:o}", "name", lesson->name, "title", "en",
                     lesson->title[LANGUAGE_EN], "ko", lesson->title[LANGUAGE_KO], "steps", lesson->beat_count,
                     "minutes", minutes, "variants", variants, "parameters", knobs);
}

/* A lesson that cannot be read has the keys of the others, and an error. */
static json_t *broken_json(struct arena *arena, const struct error *error)
{
    char line[1200];
    size_t const length = strlen(error->file) - strlen(path_name(error->file));
    const char *name = path_name(arena_text_n(arena, error->file, length ? length - 1 : 0));
    return json_pack("{s:s,s:{s:s,s:s},s:i,s:n,s:[],s:[],s:s}", "name", name, "title", "en", name, "ko", name, "steps",
                     0, "minutes", "variants", "parameters", "error", error_line(error, line, sizeof line));
}

static void lesson_text(const struct lesson *lesson, enum language language)
{
    printf("%s: %s\n", lesson->name, lesson->title[language]);
    if (lesson->minutes_alone)
        printf(_("  minutes: %u alone, %u in class\n"), lesson->minutes_alone, lesson->minutes_in_class);
    fputs(_("  variants:"), stdout);
    for (int i = 0; i < lesson->variant_count; i++)
        printf("%s %s", i ? "," : "", lesson->variants[i].name);
    putchar('\n');
    struct arena words = {0};
    for (int i = 0; i < lesson->knob_count; i++) {
        const struct lesson_knob *knob = &lesson->knobs[i];
        if (knob->unit[0])
            printf("  %s (%s): ", knob->name, _(knob->unit));
        else
            printf("  %s: ", knob->name);
        int64_t const step = lesson_knob_step(knob);
        if (step)
            printf(_("%" PRId64 " to %" PRId64), lesson_knob_number(knob, 0),
                   lesson_knob_number(knob, knob->value_count - 1));
        if (step > 1)
            printf(_(" by %" PRId64), step);
        if (!step)
            for (int v = 0; v < knob->value_count; v++)
                printf("%s%s", v ? ", " : "", lesson_knob_value(knob, v, &words));
        printf(_("; %s unless set\n"), lesson_knob_value(knob, knob->default_index, &words));
    }
    arena_free(&words);
}

int command_list(struct cli_options *options)
{
    if (options->targets.count)
        return cli_usage("list takes no arguments, but '%s' was given", options->targets.items[0]);
    struct error *errors, error;
    struct lesson **lessons;
    size_t error_count;
    size_t const count = lesson_load_all(&options->arena, &lessons, &errors, &error_count);
    if (count + error_count == 0) {
        lesson_none(&error);
        return cli_fail(&error);
    }
    json_t *all = json_array();
    int status = CLI_FINE;
    for (size_t i = 0; i < count; i++) {
        if (options->json)
            json_array_append_new(all, lesson_json(lessons[i]));
        else
            lesson_text(lessons[i], strcmp(options->language, "ko") == 0 ? LANGUAGE_KO : LANGUAGE_EN);
        lesson_free(lessons[i]);
    }
    for (size_t i = 0; i < error_count; i++) {
        if (options->json)
            json_array_append_new(all, broken_json(&options->arena, &errors[i]));
        status = cli_fail(&errors[i]);
    }
    if (options->json) {
        json_dumpf(all, stdout, JSON_INDENT(2));
        putchar('\n');
    }
    json_decref(all);
    return status;
}
