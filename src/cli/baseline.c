#include "cli/baseline.h"
#include "base/file.h"
#include "base/words.h"
#include <string.h>

/* ---- an entry ---- */

static json_t *list_of(json_t *object, const char *key)
{
    json_t *list = json_object_get(object, key);
    if (!list)
        json_object_set_new(object, key, list = json_array());
    return list;
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Returns the row of a list with this kernel and, if not NULL, this kind. */
static json_t *find(const json_t *list, const char *kernel, const char *kind)
{
    json_t *row;
    size_t i;
    json_array_foreach(list, i, row) if (strcmp(text_at(row, "kernel"), kernel) == 0 &&
                                         (!kind || strcmp(text_at(row, "kind"), kind) == 0)) return row;
    return NULL;
}

static void add_number(json_t *object, const char *key, json_int_t more)
{
    json_object_set_new(object, key, json_integer(json_integer_value(json_object_get(object, key)) + more));
}

/* Keeps the place of a finding, or of an access, once. Returns whether it is new. */
static bool add_place(json_t *entry, const char *kernel, const char *what, const json_t *at, json_int_t weight)
{
    json_t *places = list_of(entry, "places"), *row;
    json_int_t const line = json_integer_value(json_object_get(at, "line"));
    size_t i;
    json_array_foreach(places, i, row)
    {
        if (strcmp(text_at(row, "kernel"), kernel) == 0 && strcmp(text_at(row, "what"), what) == 0 &&
            json_integer_value(json_object_get(row, "line")) == line &&
            strcmp(text_at(row, "file"), text_at(at, "file")) == 0) {
            add_number(row, "weight", weight);
            return false;
        }
    }
    row = json_object();
    json_object_set_new(row, "kernel", json_string(kernel));
    json_object_set_new(row, "what", json_string(what));
    json_object_set_new(row, "file", json_string(text_at(at, "file")));
    json_object_set_new(row, "line", json_integer(line));
    json_object_set_new(row, "message", json_string(text_at(at, "message")));
    json_object_set_new(row, "weight", json_integer(weight));
    json_array_append_new(places, row);
    return true;
}

static void add_finding(json_t *entry, const char *kernel, const char *kind, const json_t *at)
{
    json_t *findings = list_of(entry, "findings"), *row = find(findings, kernel, kind);
    if (!add_place(entry, kernel, kind, at, 1))
        return;
    if (!row) {
        row = json_object();
        json_object_set_new(row, "kernel", json_string(kernel));
        json_object_set_new(row, "kind", json_string(kind));
        json_array_append_new(findings, row);
    }
    add_number(row, "count", 1);
}

static void add_sites(json_t *entry, const char *kernel, const json_t *sites)
{
    static const char *const figures[] = {"sectors", "wavefronts", "constant_passes"};
    json_t *site;
    size_t i;
    char what[96];
    json_array_foreach(sites, i, site) for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
    {
        json_int_t const weight = json_integer_value(json_object_get(site, figures[k]));
        snprintf(what, sizeof what, "%.20s %.20s %s", text_at(site, "space"), text_at(site, "operation"), figures[k]);
        if (weight)
            add_place(entry, kernel, what, site, weight);
    }
}

static void add_launch(json_t *entry, const json_t *launch)
{
    const char *kernel = text_at(launch, "kernel"), *key;
    json_t *kernels = list_of(entry, "kernels"), *row = find(kernels, kernel, NULL), *value;
    size_t i;
    if (!row) {
        row = json_object();
        json_object_set_new(row, "kernel", json_string(kernel));
        json_object_set_new(row, "counters", json_object());
        json_array_append_new(kernels, row);
    }
    add_number(row, "launches", 1);
    json_t *sums = json_object_get(row, "counters");
    json_object_foreach(json_object_get(launch, "counters"), key, value) if (json_is_integer(value))
        add_number(sums, key, json_integer_value(value));
    json_array_foreach(json_object_get(launch, "faults"), i, value)
        add_finding(entry, kernel, text_at(value, "kind"), value);
    json_array_foreach(json_object_get(launch, "hazards"), i, value)
    {
        json_t *side = json_copy(json_object_get(value, "second"));
        json_object_set(side, "message", json_object_get(value, "message"));
        add_finding(entry, kernel, "race", side);
        json_decref(side);
    }
    add_sites(entry, kernel, json_object_get(launch, "sites"));
}

json_t *baseline_entry(const char *target, const char *const *options, size_t option_count, const json_t *report)
{
    json_t *entry = json_object(), *words = json_array(), *row;
    const json_t *launches = json_object_get(report, "launches");
    size_t i;
    for (i = 0; i < option_count; i++)
        json_array_append_new(words, json_string(options[i]));
    json_object_set_new(entry, "target", json_string(target));
    json_object_set_new(entry, "options", words);
    list_of(entry, "kernels");
    list_of(entry, "findings");
    list_of(entry, "places");
    if (!launches)
        add_launch(entry, report); /* of a kernel alone */
    json_array_foreach(launches, i, row) add_launch(entry, row);
    json_array_foreach(json_object_get(report, "mistakes"), i, row) add_finding(entry, "", text_at(row, "kind"), row);
    return entry;
}

/* ---- comparing ---- */

struct comparison {
    struct arena *arena;
    const json_t *now;
    struct baseline_growth *growths;
    size_t *count, *capacity;
    FILE *notes;
    bool any; /* of notes */
};

/* Returns the path of a file that a finding names, beside the target. */
static const char *beside(struct arena *arena, const char *target, const char *file)
{
    const char *slash = strrchr(target, '/');
    return *file && *file != '/' && slash ? arena_format(arena, "%.*s/%s", (int)(slash - target), target, file)
           : *file                        ? arena_text(arena, file)
                                          : arena_text(arena, target);
}

/* Returns the heaviest place of a kind; NULL: none is known. */
static const json_t *place_of(const json_t *entry, const char *kernel, const char *what)
{
    json_t *row;
    const json_t *best = NULL;
    size_t i;
    json_array_foreach(json_object_get(entry, "places"), i, row)
    {
        if (strcmp(text_at(row, "kernel"), kernel) != 0 || strcmp(text_at(row, "what"), what) != 0)
            continue;
        if (!best ||
            json_integer_value(json_object_get(row, "weight")) > json_integer_value(json_object_get(best, "weight")))
            best = row;
    }
    return best;
}

static void grew(struct comparison *comparison, const char *rule, const char *kernel, const json_t *place,
                 const char *message)
{
    struct arena *arena = comparison->arena;
    const char *target = text_at(comparison->now, "target");
    comparison->growths = arena_grow(arena, comparison->growths, *comparison->count, comparison->capacity,
                                     sizeof(struct baseline_growth));
    comparison->growths[(*comparison->count)++] =
        (struct baseline_growth){.target = arena_text(arena, target),
                                 .kernel = arena_text(arena, kernel),
                                 .rule = rule,
                                 .message = message,
                                 .file = beside(arena, target, place ? text_at(place, "file") : ""),
                                 .line = place ? (int)json_integer_value(json_object_get(place, "line")) : 0};
}

/* A counter whose growth costs time on any GPU: sectors, passes, conflicts. The others are noted. */
static bool is_cost(const char *counter)
{
    static const char *const costs[] = {"sectors", "wavefronts", "bank_conflicts", "passes", "replays"};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (strstr(counter, costs[i]))
            return true;
    return false;
}

/* Returns the access that a counter is mostly of. */
static const json_t *place_of_counter(const json_t *entry, const char *kernel, const char *counter)
{
    const char *space = strstr(counter, "shared") ? "shared" : strstr(counter, "global") ? "global" : "constant";
    const char *figure = strstr(counter, "sectors") ? "sectors" : *space == 'c' ? "constant_passes" : "wavefronts";
    const char *operation = strstr(counter, "_st.") ? "st" : strstr(counter, "_atom.") ? "atom" : "ld";
    char what[96];
    snprintf(what, sizeof what, "%s %s %s", space, operation, figure);
    return place_of(entry, kernel, what);
}

static void compare_counters(struct comparison *comparison, const char *kernel, const json_t *before, json_t *now)
{
    const char *key;
    json_t *value;
    json_object_foreach(now, key, value)
    {
        json_int_t const is = json_integer_value(value), was = json_integer_value(json_object_get(before, key));
        if (is > was && is_cost(key)) {
            grew(comparison, "counter", kernel, place_of_counter(comparison->now, kernel, key),
                 arena_format(comparison->arena, _("%s: %s grew from %lld to %lld"), kernel, key, (long long)was,
                              (long long)is));
        } else if (is != was) {
            words_print(comparison->notes, _("%s: %s: %s went from %lld to %lld\n"), text_at(comparison->now, "target"),
                        kernel, key, (long long)was, (long long)is);
            comparison->any = true;
        }
    }
}

static void compare_kernels(struct comparison *comparison, const json_t *kept)
{
    json_t *row;
    size_t i;
    json_array_foreach(json_object_get(comparison->now, "kernels"), i, row)
    {
        const char *kernel = text_at(row, "kernel");
        const json_t *before = find(json_object_get(kept, "kernels"), kernel, NULL);
        json_int_t const is = json_integer_value(json_object_get(row, "launches"));
        json_int_t const was = json_integer_value(json_object_get(before, "launches"));
        if (!before) {
            grew(comparison, "kernel", kernel, NULL,
                 arena_format(comparison->arena, _("%s is not in the baseline: --update adds it"), kernel));
            continue;
        }
        if (is > was)
            grew(comparison, "launches", kernel, NULL,
                 arena_format(comparison->arena, _("%s: launches grew from %lld to %lld"), kernel, (long long)was,
                              (long long)is));
        compare_counters(comparison, kernel, json_object_get(before, "counters"), json_object_get(row, "counters"));
    }
}

static void compare_findings(struct comparison *comparison, const json_t *kept)
{
    json_t *row;
    size_t i;
    json_array_foreach(json_object_get(comparison->now, "findings"), i, row)
    {
        const char *kernel = text_at(row, "kernel"), *kind = text_at(row, "kind");
        const json_t *before = find(json_object_get(kept, "findings"), kernel, kind);
        json_int_t const is = json_integer_value(json_object_get(row, "count"));
        json_int_t const was = json_integer_value(json_object_get(before, "count"));
        const json_t *place = place_of(comparison->now, kernel, kind);
        if (is > was)
            grew(comparison, "finding", kernel, place,
                 arena_format(comparison->arena, _("%s: findings of the kind \"%s\" grew from %lld to %lld: %s"),
                              *kernel ? kernel : "main", kind, (long long)was, (long long)is,
                              text_at(place, "message")));
    }
}

struct baseline_growth *baseline_compare(struct arena *arena, const json_t *kept, const json_t *now,
                                         struct baseline_growth *growths, size_t *count, size_t *capacity, FILE *notes)
{
    struct comparison comparison = {arena, now, growths, count, capacity, notes, false};
    compare_kernels(&comparison, kept);
    compare_findings(&comparison, kept);
    if (comparison.any)
        words_print(notes, _("%s: --update takes this over\n"), text_at(now, "target"));
    return comparison.growths;
}
