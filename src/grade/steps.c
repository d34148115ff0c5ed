#include "grade/steps.h"
#include "base/file.h"
#include "base/words.h"
#include "grade/outcome.h"
#include "program/program.h"
#include "sandbox/sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUILD = STEPS_BUILD,
    WORDS_MOST = 400,
    PRINTED_MIB = 4,
    BUILD_SECONDS = 120,
    IDLE_SECONDS = 10,
    BUFFERS_MOST = 64
};

struct step {
    size_t student;
    int run; /* BUILD, or the index of a run */
    enum { STEP_WAITS, STEP_RUNS, STEP_DONE } state;
    bool again; /* it was disturbed and runs a second time */
    struct digest key;
    struct sandbox *sandbox;
    int output, errors;
    struct sandbox_result results[BUFFERS_MOST];
    size_t result_count;
};

struct work {
    struct steps *steps;
    struct steps_student *students;
    struct step *items;
    size_t count;
    struct arena scratch;
    double begin;
    size_t ran;
    bool prepared; /* the headers of programs are ready for builds */
};

/* ---- one step ---- */

static struct digest key_of(const struct work *work, const struct step *step)
{
    return steps_key(work->steps, &work->students[step->student], step->run);
}

static const char *program_path(struct work *work, const struct step *step)
{
    struct digest const key = steps_key(work->steps, &work->students[step->student], BUILD);
    return steps_path(&work->scratch, work->steps, &key, ".program");
}

static void add_file(struct sandbox_file *files, size_t *count, struct arena *arena, const char *name,
                     const void *bytes, size_t size)
{
    files[(*count)++] = (struct sandbox_file){arena_format(arena, "run/%s", name), bytes, size, false};
}

static size_t source_files(struct work *work, const struct step *step, struct sandbox_file *files)
{
    const struct rubric *rubric = work->steps->rubric;
    const struct steps_student *student = &work->students[step->student];
    size_t count = 0;
    add_file(files, &count, &work->scratch, rubric->file, student->text, student->size);
    if (rubric->program.name)
        add_file(files, &count, &work->scratch, rubric->program.name, rubric->program.bytes, rubric->program.size);
    for (size_t i = 0; i < rubric->file_count; i++)
        add_file(files, &count, &work->scratch, rubric->files[i].name, rubric->files[i].bytes, rubric->files[i].size);
    return count;
}

/* The teacher's own files lie beside the program while it runs, so that it can read them; sources do not matter then.
 */
static bool program_files(struct work *work, const struct step *step, struct sandbox_file *files, size_t *count,
                          struct error *error)
{
    const struct rubric *rubric = work->steps->rubric;
    char *bytes;
    size_t size;
    *count = 0;
    if (!file_read(&work->scratch, program_path(work, step), &bytes, &size, error))
        return false;
    files[(*count)++] = (struct sandbox_file){"program", bytes, size, true};
    for (size_t i = 0; i < rubric->file_count; i++)
        add_file(files, count, &work->scratch, rubric->files[i].name, rubric->files[i].bytes, rubric->files[i].size);
    return true;
}

static void add_result(struct work *work, struct step *step, const char *name)
{
    step->results[step->result_count++] =
        (struct sandbox_result){arena_text(work->steps->arena, name), memfd_create("result", MFD_CLOEXEC)};
}

static void build_words(struct work *work, const char **words, size_t *count)
{
    const struct rubric *rubric = work->steps->rubric;
    words[(*count)++] = "build";
    words[(*count)++] = "-o";
    words[(*count)++] = "../program";
    words[(*count)++] = rubric->program.name ? rubric->program.name : rubric->file;
    if (rubric->flag_count)
        words[(*count)++] = "--";
    for (size_t i = 0; i < rubric->flag_count && *count < WORDS_MOST - 4; i++)
        words[(*count)++] = rubric->flags[i];
}

static void run_words(struct work *work, struct step *step, const char **words, size_t *count)
{
    const struct rubric *rubric = work->steps->rubric;
    const struct rubric_run *run = &rubric->runs[step->run];
    words[(*count)++] = rubric->kernel ? "run" : "exec";
    words[(*count)++] = rubric->kernel ? rubric->file : "../program";
    words[(*count)++] = "--on";
    words[(*count)++] = "emulator";
    words[(*count)++] = "--json";
    words[(*count)++] = "--explain";
    if (rubric->caches) {
        words[(*count)++] = "--caches";
        words[(*count)++] = "model";
    }
    words[(*count)++] = "--check";
    words[(*count)++] = "memory,race";
    words[(*count)++] = "--budget";
    words[(*count)++] = arena_format(&work->scratch, "%llu", (unsigned long long)rubric->instructions);
    words[(*count)++] = "--lang";
    words[(*count)++] = words_language() == WORDS_KOREAN ? "ko" : "en";
    if (rubric->kernel) {
        words[(*count)++] = "--compiler"; /* the same everywhere */
        words[(*count)++] = "clang";
        for (size_t i = 0; i < rubric->rule_count; i++) {
            const struct rubric_rule *rule = &rubric->rules[i];
            if (rule->check != RUBRIC_REFERENCE || step->result_count == BUFFERS_MOST)
                continue;
            const char *name = arena_format(&work->scratch, "buffer%d", rule->buffer);
            add_result(work, step, name);
            words[(*count)++] = "--dump";
            words[(*count)++] = arena_format(&work->scratch, "%d=../%s", rule->buffer, name);
        }
    } else {
        words[(*count)++] = "--print";
        words[(*count)++] = arena_format(&work->scratch, "%d", PRINTED_MIB);
        words[(*count)++] = "--seconds"; /* the sandbox's own limits come first */
        words[(*count)++] = "100000";
        words[(*count)++] = "--";
    }
    for (size_t i = 0; i < run->word_count && *count < WORDS_MOST - 4; i++)
        words[(*count)++] = run->words[i];
}

static bool start(struct work *work, struct step *step, struct error *error)
{
    const struct rubric *rubric = work->steps->rubric;
    const char *words[WORDS_MOST] = {work->steps->self};
    struct sandbox_file *files = arena_array(&work->scratch, struct sandbox_file, rubric->file_count + 3);
    size_t count = 1, file_count;
    bool const source = step->run == BUILD || rubric->kernel;
    step->result_count = 0;
    if (step->run == BUILD && !work->prepared)
        program_prepare(work->steps->arena, rubric->flags, rubric->flag_count, work->steps->request->cancel);
    work->prepared = work->prepared || step->run == BUILD;
    if (step->run == BUILD) {
        build_words(work, words, &count);
        add_result(work, step, "program");
    } else {
        run_words(work, step, words, &count);
    }
    if (source)
        file_count = source_files(work, step, files);
    else if (!program_files(work, step, files, &file_count, error))
        return false;
    step->output = memfd_create("output", MFD_CLOEXEC);
    step->errors = memfd_create("errors", MFD_CLOEXEC);
    double const seconds = step->run == BUILD ? BUILD_SECONDS : rubric->seconds;
    struct sandbox_request const request = {
        .command = words,
        .environment = work->steps->environment,
        .visible = work->steps->visible,
        .hidden = work->steps->hidden,
        .files = files,
        .file_count = file_count,
        .results = step->results,
        .result_count = step->result_count,
        .folder = "run",
        .output = step->output,
        .errors = step->errors,
        .trust = work->steps->request->trust,
        /* What is ready to run and does not, on a slow computer, is not idle. */
        .limits = {.seconds = seconds,
                   .wall_seconds = 10 * seconds + 60,
                   .idle_seconds = IDLE_SECONDS,
                   .memory = step->run == BUILD ? UINT64_C(4) << 30 : rubric->memory,
                   .disk = rubric->disk,
                   .file = UINT64_C(64) << 20,
                   .files = 4096,
                   .processes = rubric->processes}};
    step->state = STEP_RUNS;
    return step->output >= 0 && step->errors >= 0
               ? sandbox_start(&request, &step->sandbox, error)
               : error_set(error, ERROR_MISSING, "no file can be made in memory: %s", strerror(errno));
}

/* Reads all that was written to a file in memory, and closes it. */
static struct outcome_text take(struct arena *arena, int file)
{
    struct stat found;
    struct outcome_text text = {"", 0};
    if (file < 0)
        return text;
    if (fstat(file, &found) == 0 && found.st_size > 0) {
        char *bytes = arena_alloc(arena, (size_t)found.st_size + 1);
        ssize_t const size = pread(file, bytes, (size_t)found.st_size, 0);
        text = (struct outcome_text){bytes, size > 0 ? (size_t)size : 0};
    }
    close(file);
    return text;
}

static void set_outcome(struct work *work, const struct step *step, json_t *outcome)
{
    struct steps_student *student = &work->students[step->student];
    if (work->steps->made)
        json_object_set(work->steps->made, step->key.text, outcome);
    if (step->run == BUILD)
        student->build = outcome;
    else
        student->runs[step->run] = outcome;
}

/* Reads what an ended step left. */
static json_t *finish(struct work *work, struct step *step, const struct sandbox_end *end)
{
    struct arena arena = {0};
    struct outcome_text const output = take(&arena, step->output), errors = take(&arena, step->errors);
    struct outcome_buffer buffers[BUFFERS_MOST] = {0};
    for (size_t i = 0; i < step->result_count; i++) {
        buffers[i].text = take(&arena, step->results[i].to);
        buffers[i].argument =
            (int)strtol(step->results[i].name + strcspn(step->results[i].name, "0123456789"), NULL, 10);
    }
    json_t *outcome = step->run == BUILD ? outcome_of_build(end, errors.bytes)
                                         : outcome_of_run(end, &output, errors.bytes, buffers, step->result_count);
    if (step->run == BUILD && steps_ended(outcome, "exited") &&
        !file_write(program_path(work, step), buffers[0].text.bytes, buffers[0].text.size, NULL))
        json_object_set_new(outcome, "ending", json_string("failed"));
    arena_free(&arena);
    return outcome;
}

/* ---- all steps ---- */

/* Returns the build of a step's student when it still waits for it. */
static const struct step *waits_for(const struct work *work, const struct step *step)
{
    if (step->run == BUILD || work->steps->rubric->kernel)
        return NULL;
    const struct step *build = step - 1 - step->run;
    return build->state == STEP_DONE ? NULL : build;
}

static bool is_pointless(const struct work *work, const struct step *step)
{
    const json_t *build = work->students[step->student].build;
    return step->run != BUILD && !work->steps->rubric->kernel && (!build || !steps_ended(build, "exited"));
}

static void done(struct work *work, struct step *step)
{
    step->state = STEP_DONE;
    work->steps->done++;
}

/* Returns whether a build was kept without its program, and a run needs that. */
static bool lacks_program(struct work *work, const struct step *build, const json_t *kept)
{
    if (!steps_ended(kept, "exited") || file_exists(program_path(work, build)))
        return false;
    for (int run = 0; run < (int)work->steps->rubric->run_count; run++) {
        struct digest const key = steps_key(work->steps, &work->students[build->student], run);
        json_t *outcome = steps_kept(work->steps, &key);
        if (!outcome)
            return true;
        json_decref(outcome);
    }
    return false;
}

/* Starts steps until so many run. A step that an earlier grading left takes no time. */
static bool start_more(struct work *work, size_t *running, size_t jobs, struct error *error)
{
    for (size_t i = 0; i < work->count && *running < jobs; i++) {
        struct step *step = &work->items[i];
        if (step->state != STEP_WAITS || waits_for(work, step))
            continue;
        if (is_pointless(work, step)) {
            done(work, step);
            continue;
        }
        arena_reset(&work->scratch);
        step->key = key_of(work, step);
        json_t *kept = steps_kept(work->steps, &step->key);
        if (kept && step->run == BUILD && lacks_program(work, step, kept)) {
            json_decref(kept);
            kept = NULL;
        }
        if (kept) {
            set_outcome(work, step, kept);
            work->steps->kept++;
            done(work, step);
            continue;
        }
        if (!start(work, step, error))
            return false;
        (*running)++;
    }
    return true;
}

/* Collects the steps that ended. Returns false where this computer cannot run any. */
static bool collect(struct work *work, size_t *running, struct error *error)
{
    for (size_t i = 0; i < work->count; i++) {
        struct step *step = &work->items[i];
        struct sandbox_end end;
        if (step->state != STEP_RUNS || !sandbox_ended(step->sandbox, &end))
            continue;
        sandbox_free(step->sandbox);
        step->sandbox = NULL;
        (*running)--;
        arena_reset(&work->scratch);
        json_t *outcome = finish(work, step, &end);
        if (outcome_disturbed(outcome) && !step->again && end.ending != SANDBOX_IMPOSSIBLE) {
            /* Once more: a submission that ends itself does so again. If someone ends this whole grading, it dies
             * before it can keep the outcome. */
            json_decref(outcome);
            step->again = true;
            step->state = STEP_WAITS;
            continue;
        }
        set_outcome(work, step, outcome);
        done(work, step);
        work->ran++;
        if (end.ending == SANDBOX_IMPOSSIBLE)
            return error_set(error, ERROR_MISSING, "a sandbox could not be made: %s", end.why);
        steps_keep(work->steps, &step->key, outcome);
    }
    return true;
}

static void tell(const struct work *work)
{
    const struct grade_request *request = work->steps->request;
    double const took = clock_seconds() - work->begin;
    size_t const left = work->steps->all - work->steps->done;
    if (request->progress)
        request->progress(request->context, work->steps->done, work->steps->all,
                          work->ran ? took / (double)work->ran * (double)left : -1);
}

static void stop_all(struct work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        struct step *step = &work->items[i];
        if (step->state != STEP_RUNS)
            continue;
        sandbox_free(step->sandbox);
        close(step->output);
        close(step->errors);
        for (size_t k = 0; k < step->result_count; k++)
            close(step->results[k].to);
    }
}

static void list_steps(struct work *work, size_t student_count)
{
    const struct rubric *rubric = work->steps->rubric;
    size_t const each = rubric->run_count + !rubric->kernel;
    work->items = arena_array(work->steps->arena, struct step, student_count * each);
    for (size_t i = 0; i < student_count; i++) {
        work->students[i].runs = calloc(rubric->run_count, sizeof(json_t *));
        for (int run = rubric->kernel ? 0 : BUILD; run < (int)rubric->run_count; run++) {
            if (work->students[i].text)
                work->items[work->count++] = (struct step){.student = i, .run = run, .output = -1, .errors = -1};
        }
    }
}

bool steps_do(struct steps *steps, struct steps_student *students, size_t count, bool *cancelled, struct error *error)
{
    struct work work = {.steps = steps, .students = students, .begin = clock_seconds()};
    const struct grade_request *request = steps->request;
    long const processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t const jobs = request->jobs ? request->jobs : processors > 0 ? (size_t)processors : 1;
    size_t running = 0;
    bool fine = true;
    *cancelled = false;
    list_steps(&work, count);
    steps->all += work.count;
    while (fine && !*cancelled) {
        *cancelled = request->cancel && atomic_load(request->cancel);
        fine = start_more(&work, &running, jobs, error);
        tell(&work);
        if (!running)
            break;
        usleep(2000);
        fine = fine && collect(&work, &running, error);
    }
    stop_all(&work);
    arena_free(&work.scratch);
    return fine;
}

void steps_free(struct steps_student *students, size_t count, size_t run_count)
{
    for (size_t i = 0; i < count; i++) {
        json_decref(students[i].build);
        for (size_t k = 0; students[i].runs && k < run_count; k++)
            json_decref(students[i].runs[k]);
        free(students[i].runs);
    }
}
