#include "grade/outcome.h"
#include "base/base64.h"
#include "compile/process.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERRORS_MOST = 4000 };

static const char *ending_word(const struct sandbox_end *end)
{
    static const char *const words[] = {
        [SANDBOX_EXITED] = "exited",       [SANDBOX_SIGNALLED] = "signal", [SANDBOX_SECONDS] = "seconds",
        [SANDBOX_PROCESSES] = "processes", [SANDBOX_WALL] = "wall",        [SANDBOX_IDLE] = "idle",
        [SANDBOX_MEMORY] = "memory",       [SANDBOX_ENDED] = "failed",     [SANDBOX_IMPOSSIBLE] = "failed"};
    return words[end->ending];
}

/* Returns a text as JSON: what is no UTF-8 becomes '?'. */
static json_t *text_json(const char *bytes, size_t size)
{
    json_t *text = json_stringn(bytes, size);
    if (text)
        return text;
    char *plain = malloc(size + 1);
    for (size_t i = 0; plain && i < size; i++)
        plain[i] = (unsigned char)bytes[i] < 128 ? bytes[i] : '?';
    text = plain ? json_stringn_nocheck(plain, size) : json_string("");
    free(plain);
    return text;
}

/* Returns what a child told as errors, at most so much, without the folder that is the sandbox's. */
static json_t *errors_json(const char *errors)
{
    static const char folder[] = "/sandbox/run/";
    char text[ERRORS_MOST] = "";
    size_t size = 0;
    while (*errors && size < sizeof text) {
        bool const inside = strncmp(errors, folder, sizeof folder - 1) == 0;
        errors += inside ? sizeof folder - 1 : 0;
        if (*errors && !inside)
            text[size++] = *errors++;
    }
    return text_json(text, size);
}

static json_t *begin(const struct sandbox_end *end, const char *errors)
{
    json_t *outcome = json_object();
    json_object_set_new(outcome, "ending", json_string(ending_word(end)));
    json_object_set_new(outcome, "status", json_integer(end->status));
    json_object_set_new(outcome, "signal", json_integer(end->signal));
    json_object_set_new(outcome, "output", json_string(""));
    json_object_set_new(outcome, "errors", errors_json(errors));
    json_object_set_new(outcome, "why", json_string(end->why));
    json_object_set_new(outcome, "launches", json_array());
    json_object_set_new(outcome, "findings", json_array());
    json_object_set_new(outcome, "explain", json_array());
    return outcome;
}

static void set_ending(json_t *outcome, const char *word)
{
    json_object_set_new(outcome, "ending", json_string(word));
}

json_t *outcome_of_build(const struct sandbox_end *end, const char *errors)
{
    json_t *outcome = begin(end, errors);
    if (end->ending == SANDBOX_EXITED && end->status)
        set_ending(outcome, end->status == 2 ? "wrong" : "failed");
    return outcome;
}

bool outcome_disturbed(const json_t *outcome)
{
    const char *ending = json_string_value(json_object_get(outcome, "ending"));
    int const number = (int)json_integer_value(json_object_get(outcome, "signal"));
    return strcmp(ending, "failed") == 0 || (strcmp(ending, "signal") == 0 && process_signal_of_others(number));
}

bool outcome_lasts(const json_t *outcome)
{
    const char *ending = json_string_value(json_object_get(outcome, "ending"));
    return ending && strcmp(ending, "failed") != 0 && strcmp(ending, "wall") != 0;
}

static void copy(json_t *to, const json_t *from, const char *key)
{
    json_t *value = json_object_get(from, key);
    json_object_set_new(to, key, value ? json_incref(value) : json_null());
}

static long long sum_of_sites(const json_t *sites, const char *space, const char *key)
{
    long long sum = 0;
    json_t *site;
    size_t i;
    json_array_foreach(sites, i, site)
    {
        const char *of = json_string_value(json_object_get(site, "space"));
        if (of && strcmp(of, space) == 0)
            sum += json_integer_value(json_object_get(site, key));
    }
    return sum;
}

static json_t *launch_of(const json_t *from)
{
    static const struct {
        const char *name, *space, *key;
    } sums[] = {{"memory_l2_theoretical_sectors_global", "global", "sectors"},
                {"memory_l2_theoretical_sectors_global_ideal", "global", "sectors_ideal"},
                {"memory_l1_wavefronts_shared", "shared", "wavefronts"},
                {"memory_l1_wavefronts_shared_ideal", "shared", "wavefronts_ideal"}};
    json_t *launch = json_object(), *figures = json_object();
    const json_t *shape = json_object_get(from, "launch"), *sites = json_object_get(from, "sites");
    copy(launch, from, "kernel");
    copy(launch, from, "line");
    copy(launch, shape, "grid");
    copy(launch, shape, "block");
    copy(launch, shape, "shared_bytes");
    copy(launch, from, "counters");
    copy(launch, from, "caches");
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        json_object_set_new(figures, sums[i].name, json_integer(sum_of_sites(sites, sums[i].space, sums[i].key)));
    json_object_set_new(launch, "figures", figures);
    return launch;
}

/* Adds findings, each in the words of the language that the child was told, with their lesson. */
static void add_finding(json_t *outcome, const json_t *from, const char *kind, const json_t *place, bool fault)
{
    json_t *finding = json_object(), *words = json_object_get(from, "words");
    const json_t *own = json_object_get(from, "fault");
    json_object_set_new(finding, "kind", json_string(kind));
    json_object_set_new(finding, "fault", json_boolean(own ? json_is_true(own) : fault));
    json_object_set(finding, "message", words ? words : json_object_get(from, "message"));
    words = json_object_get(from, "remedy_words");
    if (!words)
        words = json_object_get(from, "remedy");
    json_object_set_new(finding, "remedy", words ? json_incref(words) : json_null());
    copy(finding, place, "file");
    copy(finding, place, "line");
    copy(finding, from, "lesson");
    json_array_append_new(json_object_get(outcome, "findings"), finding);
}

static void add_launch(json_t *outcome, const json_t *from)
{
    json_t *one;
    size_t i;
    const json_t *ran = json_object_get(from, "ran");
    if (!ran || json_is_true(ran))
        json_array_append_new(json_object_get(outcome, "launches"), launch_of(from));
    json_array_foreach(json_object_get(from, "faults"), i, one)
        add_finding(outcome, one, json_string_value(json_object_get(one, "kind")), one, true);
    json_array_foreach(json_object_get(from, "hazards"), i, one)
        add_finding(outcome, one, "race", json_object_get(one, "second"), true);
    json_array_foreach(json_object_get(from, "explain"), i, one)
    {
        static const char *const keys[] = {"kind", "space", "operation", "file", "line", "wasted_bytes", "lesson"};
        if (!json_is_true(json_object_get(one, "blamed")))
            continue;
        json_t *row = json_object(), *words = json_object_get(one, "words"),
               *remedy = json_object_get(one, "remedy_words");
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            copy(row, one, keys[k]);
        copy(row, from, "kernel");
        json_object_set(row, "message", words ? words : json_object_get(one, "message"));
        json_object_set(row, "remedy", remedy ? remedy : json_object_get(one, "remedy"));
        json_array_append_new(json_object_get(outcome, "explain"), row);
    }
}

/* Adds mistakes of the host: those that may be the cause of what a kernel does, or the others. */
static void add_mistakes(json_t *outcome, const json_t *root, bool others)
{
    json_t *one;
    size_t i;
    json_array_foreach(json_object_get(root, "mistakes"), i, one)
    {
        const char *kind = json_string_value(json_object_get(one, "kind"));
        bool const effect =
            kind && (strcmp(kind, "unchecked error") == 0 || !json_is_true(json_object_get(one, "fault")));
        if (kind && effect == others)
            add_finding(outcome, one, kind, one, true);
    }
}

/* Reads how the program of `exec` ended; its own words are those of report_program_json. */
static void read_end(json_t *outcome, const json_t *root)
{
    const char *end = json_string_value(json_object_get(root, "end"));
    if (!end) /* of a kernel */
        return;
    long long const number = json_integer_value(json_object_get(root, "signal"));
    if (strcmp(end, "signal") == 0)
        set_ending(outcome, number == SIGXFSZ ? "output" : number == SIGXCPU ? "seconds" : "signal");
    else if (strcmp(end, "output limit") == 0)
        set_ending(outcome, "output");
    else if (strcmp(end, "exited") != 0)
        set_ending(outcome, "wall");
    json_object_set_new(outcome, "status", json_integer(json_integer_value(json_object_get(root, "status"))));
    json_object_set_new(outcome, "signal", json_integer(json_integer_value(json_object_get(root, "signal"))));
    const json_t *output = json_object_get(root, "output");
    if (json_is_string(output))
        copy(outcome, root, "output");
}

static json_t *buffer_json(const struct outcome_text *text)
{
    char *letters = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&letters, &size);
    if (!out)
        return json_null();
    base64_write(out, (const uint8_t *)text->bytes, text->size);
    fclose(out);
    json_t *json = json_stringn(letters, size);
    free(letters);
    return json;
}

json_t *outcome_of_run(const struct sandbox_end *end, const struct outcome_text *output, const char *errors,
                       const struct outcome_buffer *buffers, size_t buffer_count)
{
    json_t *outcome = begin(end, errors), *one;
    size_t i;
    if (end->ending != SANDBOX_EXITED)
        return outcome;
    json_t *root = json_loadb(output->bytes, output->size, JSON_ALLOW_NUL, NULL);
    if (!root || (end->status != 0 && end->status != 1)) {
        set_ending(outcome, end->status == 2 ? "wrong" : end->status == 0 || end->status == 1 ? "output" : "failed");
        json_decref(root);
        return outcome;
    }
    json_object_set_new(outcome, "status", json_integer(0));
    read_end(outcome, root);
    const json_t *launches = json_object_get(root, "launches");
    add_mistakes(outcome, root, false);
    if (launches)
        json_array_foreach(launches, i, one) add_launch(outcome, one);
    else
        add_launch(outcome, root);
    add_mistakes(outcome, root, true);
    json_t *left = json_object();
    for (size_t k = 0; k < buffer_count; k++) {
        char name[16];
        snprintf(name, sizeof name, "%d", buffers[k].argument);
        json_object_set_new(left, name, buffer_json(&buffers[k].text));
    }
    json_object_set_new(outcome, "buffers", left);
    json_decref(root);
    return outcome;
}
