/* What a step depends on, and the outcomes kept under a name made of it. */
#include "base/words.h"
#include "compile/compile.h"
#include "grade/outcome.h"
#include "grade/steps.h"
#include "program/program.h"
#include <stdlib.h>
#include <string.h>

static void key_bytes(FILE *out, const void *bytes, size_t size)
{
    fprintf(out, "%zu:", size);
    fwrite(bytes, 1, size, out);
}

static void key_text(FILE *out, const char *text)
{
    key_bytes(out, text, strlen(text));
}

/* Everything that a build depends on, and a run too: the texts, the flags, the limits, this program, the language. */
struct digest steps_key(const struct steps *steps, const struct steps_student *student, int run)
{
    char *text = NULL;
    size_t size = 0;
    const struct rubric *rubric = steps->rubric;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return digest_of("", 0);
    key_text(out, steps->made_by);
    key_text(out, words_language() == WORDS_KOREAN ? "ko" : "en");
    fprintf(out, "%.17g %llu %llu %llu %u %d", rubric->seconds, (unsigned long long)rubric->instructions,
            (unsigned long long)rubric->memory, (unsigned long long)rubric->disk, rubric->processes,
            steps->request->trust);
    key_text(out, rubric->file);
    key_bytes(out, student->text, student->size);
    key_text(out, rubric->program.name ? rubric->program.name : "");
    if (rubric->program.name)
        key_bytes(out, rubric->program.bytes, rubric->program.size);
    for (size_t i = 0; i < rubric->file_count; i++) {
        key_text(out, rubric->files[i].name);
        key_bytes(out, rubric->files[i].bytes, rubric->files[i].size);
    }
    for (size_t i = 0; i < rubric->flag_count; i++)
        key_text(out, rubric->flags[i]);
    if (run == STEPS_BUILD)
        key_text(out, "build");
    else if (rubric->caches)
        key_text(out, "caches");
    for (size_t i = 0; run != STEPS_BUILD && i < rubric->runs[run].word_count; i++)
        key_text(out, rubric->runs[run].words[i]);
    for (size_t i = 0; run != STEPS_BUILD && rubric->kernel && i < rubric->rule_count; i++)
        fprintf(out, " %d", rubric->rules[i].check == RUBRIC_REFERENCE ? rubric->rules[i].buffer : RUBRIC_NO_BUFFER);
    fclose(out);
    struct digest const digest = digest_of(text, size);
    free(text);
    return digest;
}

const char *steps_path(struct arena *arena, const struct steps *steps, const struct digest *key, const char *ending)
{
    return arena_format(arena, "%s/%s%s", steps->folder, key->text, ending);
}

bool steps_ended(const json_t *outcome, const char *ending)
{
    const char *word = json_string_value(json_object_get(outcome, "ending"));
    return word && strcmp(word, ending) == 0;
}

json_t *steps_kept(const struct steps *steps, const struct digest *key)
{
    struct arena arena = {0};
    json_t *given = json_object_get(steps->given, key->text);
    json_t *kept = given ? json_incref(given) : json_load_file(steps_path(&arena, steps, key, ".json"), 0, NULL);
    arena_free(&arena);
    if (kept && !json_is_string(json_object_get(kept, "ending"))) {
        json_decref(kept);
        kept = NULL;
    }
    return kept;
}

void steps_keep(const struct steps *steps, const struct digest *key, const json_t *outcome)
{
    struct arena arena = {0};
    char *text = outcome_lasts(outcome) ? json_dumps(outcome, JSON_COMPACT) : NULL;
    if (text)
        file_write(steps_path(&arena, steps, key, ".json"), text, strlen(text), NULL);
    free(text);
    arena_free(&arena);
}

static void look(const struct steps *steps, const struct steps_student *students, size_t student, int run,
                 struct steps_missing *missing, size_t *missing_count, size_t *kept)
{
    struct digest const key = steps_key(steps, &students[student], run);
    json_t *outcome = steps_kept(steps, &key);
    /* A program that does not compile runs nowhere. */
    bool const built = run != STEPS_BUILD || steps_ended(outcome, "exited") || !outcome;
    if (outcome)
        ++*kept;
    else
        missing[(*missing_count)++] = (struct steps_missing){student, key};
    json_decref(outcome);
    for (int i = 0; run == STEPS_BUILD && built && i < (int)steps->rubric->run_count; i++)
        look(steps, students, student, i, missing, missing_count, kept);
}

struct steps_missing *steps_missing(const struct steps *steps, const struct steps_student *students, size_t count,
                                    size_t *missing_count, size_t *kept)
{
    size_t const runs = steps->rubric->run_count;
    struct steps_missing *missing = arena_array(steps->arena, struct steps_missing, count * (runs + 1));
    *missing_count = *kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!students[i].text)
            continue;
        if (!steps->rubric->kernel)
            look(steps, students, i, STEPS_BUILD, missing, missing_count, kept);
        for (int run = 0; steps->rubric->kernel && run < (int)runs; run++)
            look(steps, students, i, run, missing, missing_count, kept);
    }
    return missing;
}

static const char *digest_of_file(struct arena *arena, const char *path)
{
    struct arena scratch = {0};
    char *bytes;
    size_t size;
    struct digest digest = {""};
    if (file_read(&scratch, path, &bytes, &size, NULL))
        digest = digest_of(bytes, size);
    arena_free(&scratch);
    return arena_text(arena, digest.text);
}

/* Returns what tells this program from another build of it, and from one with another compiler, on any computer. */
static const char *made_by(struct arena *arena, const char *self, const char *libraries)
{
    struct compiler_status compilers[2];
    compile_status(compilers, NULL);
    return arena_format(arena, "%s %s %s, %s", LANESCOPE_VERSION, digest_of_file(arena, self),
                        digest_of_file(arena, arena_format(arena, "%s/liblanescope_cudart.so", libraries)),
                        compilers[1].version);
}

bool steps_prepare(struct steps *steps, const char *folder, struct error *error)
{
    struct arena *arena = steps->arena;
    const char *self = path_absolute(arena, "/proc/self/exe");
    const char *slash = strrchr(self, '/');
    steps->self = self;
    steps->libraries = program_library_folder(arena);
    if (!steps->libraries)
        return error_set(error, ERROR_MISSING,
                         "the CUDA runtime for programs is not beside the program: reinstall "
                         "Lanescope");
    steps->folder = folder;
    steps->made_by = made_by(arena, self, steps->libraries);
    const char **environment = arena_array(arena, const char *, 8), **visible = arena_array(arena, const char *, 8);
    const char *data = path_absolute(arena, folder_data());
    environment[0] = arena_format(arena, "LANESCOPE_DATA=%s", data);
    environment[1] = arena_format(arena, "LANESCOPE_LIBRARIES=%s", steps->libraries);
    environment[2] = "LC_ALL=C.UTF-8";
    environment[3] = "LANESCOPE_JSON_WORDS=1";      /* findings in the user's language */
    environment[4] = "ASAN_OPTIONS=detect_leaks=0"; /* which needs ptrace */
    size_t shown = 0;
    visible[shown++] = arena_text_n(arena, self, (size_t)(slash - self));
    visible[shown++] = steps->libraries;
    visible[shown++] = arena_format(arena, "%s/assets", data);
    const char *const catalogues = arena_format(arena, "%s/../locale", data);
    if (file_exists(catalogues)) /* of a program that lies outside /usr */
        visible[shown++] = path_absolute(arena, catalogues);
    const char *headers = program_headers_folder(arena);
    if (headers) {
        environment[5] = arena_format(arena, HEADERS_VARIABLE "=%s", headers);
        visible[shown++] = headers;
    }
    steps->environment = environment;
    steps->visible = visible;
    steps->hidden = arena_format(arena, "%s/assets/assignments", data); /* rubrics and solutions */
    return folder_make(steps->folder, error);
}
