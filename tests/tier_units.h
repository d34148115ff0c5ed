/* The code of many small launches as one unit, for tests, because a start of the compiler takes longer than such code.
 * Each launch runs twice: first with tier_units_collector, which keeps its functions and has it interpreted; and after
 * tier_units_compile with tier_units_server, which gives it its part of the table. */
#ifndef LANESCOPE_TESTS_TIER_UNITS_H
#define LANESCOPE_TESTS_TIER_UNITS_H
#include "base/file.h"
#include "emulator/tier/calls.h"
#include "emulator/tier/tier.h"
#include "run/native.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIER_UNITS_FUNCTIONS = 256 }; /* more than a launch has */

struct tier_units {
    unsigned served; /* runs that had code */
    FILE *unit;
    char *functions;
    size_t size;
    struct digest *texts; /* of the launches whose functions are in the unit */
    size_t count, capacity;
    const struct tier_table *all;
    struct tier_run *runs;
    struct tier_table now;
};

/* Returns the number of a launch's text, units->count if it is not in the unit. */
static inline size_t tier_units_find(const struct tier_units *units, const char *text, size_t size)
{
    struct digest const digest = digest_of(text, size);
    size_t number = 0;
    while (number < units->count && strcmp(units->texts[number].text, digest.text) != 0)
        number++;
    return number;
}

static inline void tier_units_open(struct tier_units *units)
{
    units->count = 0;
    units->unit = open_memstream(&units->functions, &units->size);
    if (!units->unit)
        abort();
}

/* Copies text; each launch's functions get names of their own. */
static inline void tier_units_copy(struct tier_units *units, const char *from, const char *to)
{
    static const char word[] = "run_";
    size_t const length = sizeof word - 1;
    while (from < to) {
        bool const named = (size_t)(to - from) > length && memcmp(from, word, length) == 0 &&
                           isdigit((unsigned char)from[length]) && !isalnum((unsigned char)from[-1]) && from[-1] != '_';
        if (!named) {
            fputc(*from++, units->unit);
            continue;
        }
        char *end;
        unsigned long const function = strtoul(from + length, &end, 10);
        fprintf(units->unit, "%s%lu", word, (unsigned long)units->count * TIER_UNITS_FUNCTIONS + function);
        from = end;
    }
}

static inline const void *tier_units_collect(void *context, const char *text, size_t size, uint64_t done,
                                             uint64_t ahead, bool *hopeless)
{
    (void)done, (void)ahead;
    const char *begin = text + strlen(tier_unit), *end = strstr(begin, "static const struct tier_run runs[]");
    struct tier_units *units = context;
    if (!end)
        abort();
    *hopeless = true;
    if (tier_units_find(units, text, size) == units->count) {
        tier_units_copy(units, begin, end);
        units->texts = array_grow(units->texts, &units->capacity, units->count + 1, sizeof *units->texts);
        units->texts[units->count++] = digest_of(text, size);
    }
    return NULL;
}

static inline const void *tier_units_serve(void *context, const char *text, size_t size, uint64_t done, uint64_t ahead,
                                           bool *hopeless)
{
    struct tier_units *units = context;
    size_t const number = tier_units_find(units, text, size);
    (void)done, (void)ahead, (void)hopeless;
    units->now = (struct tier_table){.runs = units->runs, .bind = units->all->bind};
    for (uint32_t i = 0; i < units->all->count; i++)
        if (units->all->runs[i].function / TIER_UNITS_FUNCTIONS == number) {
            struct tier_run *run = &units->runs[units->now.count++];
            *run = units->all->runs[i];
            run->function %= TIER_UNITS_FUNCTIONS;
        }
    units->served += units->now.count != 0;
    return &units->now;
}

static inline struct emulator_native tier_units_collector(struct tier_units *units)
{
    return (struct emulator_native){.context = units, .always = true, .find = tier_units_collect};
}

static inline struct emulator_native tier_units_server(struct tier_units *units)
{
    return (struct emulator_native){.context = units, .always = true, .find = tier_units_serve};
}

/* Writes the table of all runs, from the names of the functions in the text. */
static inline void tier_units_table(FILE *unit, const char *text)
{
    static const char head[] = "static const struct op *run_";
    unsigned count = 0;
    fputs("static const struct tier_run runs[] = {\n", unit);
    for (const char *at = text; (at = strstr(at, head)); at++) {
        unsigned function, op;
        int length = 0;
        const char *name = at + sizeof head - 1;
        if (sscanf(name, "%u_%u(struct warp *w, const struct op *o)%n", &function, &op, &length) == 2 &&
            name[length] == ';') /* a declaration: one of each */
            count++, fprintf(unit, "{%u, %u, run_%u_%u},\n", function, op, function, op);
    }
    fprintf(unit, "};\n__attribute__((visibility(\"default\"))) const struct tier_table %s = {%u, runs, bind_calls};\n",
            EMULATOR_NATIVE_SYMBOL, count);
}

/* Compiles what was collected. Returns false if that does not work. */
static inline bool tier_units_compile(struct tier_units *units)
{
    char *text;
    size_t size;
    bool hopeless = false;
    fclose(units->unit);
    FILE *whole = open_memstream(&text, &size);
    if (!whole)
        abort();
    fprintf(whole, "%s%s", tier_unit, units->functions);
    tier_units_table(whole, units->functions);
    fclose(whole);
    free(units->functions);
    setenv("LANESCOPE_TIER", "compiled", 1);
    setenv("LANESCOPE_COMPILER_SECONDS", "3600", 0); /* however busy the machine is */
    const struct emulator_native *maker = native_maker();
    units->all = maker->find(maker->context, text, size, 0, 0, &hopeless);
    free(text);
    free(units->runs);
    units->runs = units->all ? calloc(units->all->count + 1u, sizeof *units->runs) : NULL;
    return units->runs != NULL;
}

static inline void tier_units_free(struct tier_units *units)
{
    free(units->texts);
    free(units->runs);
}
#endif
