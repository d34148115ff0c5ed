/* A part of a grading that is done elsewhere: written here, done and read there. */
#include "grade/task.h"
#include "base/base64.h"
#include "base/words.h"
#include "compile/process.h"
#include "sandbox/sandbox.h"
#include <stdlib.h>
#include <string.h>

enum { TASK_VERSION = 1 };

/* ---- writing ---- */

static json_t *bytes_json(const char *bytes, size_t size)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return json_null();
    base64_write(out, (const uint8_t *)bytes, size);
    fclose(out);
    json_t *value = json_stringn(text, length);
    free(text);
    return value;
}

static json_t *file_json(const struct rubric_file *file)
{
    json_t *value = json_object();
    json_object_set_new(value, "name", json_string(file->name));
    json_object_set_new(value, "bytes", bytes_json(file->bytes, file->size));
    return value;
}

static json_t *words_json(const char *const *words, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(words[i]));
    return list;
}

static json_t *rubric_json(const struct rubric *rubric)
{
    json_t *root = json_object(), *files = json_array(), *runs = json_array(), *buffers = json_array();
    json_object_set_new(root, "file", json_string(rubric->file));
    if (rubric->program.name)
        json_object_set_new(root, "program", file_json(&rubric->program));
    if (rubric->kernel)
        json_object_set_new(root, "kernel", json_string(rubric->kernel));
    for (size_t i = 0; i < rubric->file_count; i++)
        json_array_append_new(files, file_json(&rubric->files[i]));
    for (size_t i = 0; i < rubric->run_count; i++)
        json_array_append_new(runs, words_json(rubric->runs[i].words, rubric->runs[i].word_count));
    for (size_t i = 0; i < rubric->rule_count; i++)
        json_array_append_new(buffers, json_integer(rubric->rules[i].check == RUBRIC_REFERENCE ? rubric->rules[i].buffer
                                                                                               : RUBRIC_NO_BUFFER));
    json_object_set_new(root, "files", files);
    json_object_set_new(root, "runs", runs);
    json_object_set_new(root, "buffers", buffers);
    json_object_set_new(root, "flags", words_json(rubric->flags, rubric->flag_count));
    json_object_set_new(root, "seconds", json_real(rubric->seconds));
    json_object_set_new(root, "memory", json_integer((json_int_t)rubric->memory));
    json_object_set_new(root, "disk", json_integer((json_int_t)rubric->disk));
    json_object_set_new(root, "processes", json_integer(rubric->processes));
    json_object_set_new(root, "instructions", json_integer((json_int_t)rubric->instructions));
    return root;
}

static bool write_json(const char *path, json_t *root, struct error *error)
{
    char *text = json_dumps(root, JSON_COMPACT);
    bool const fine = text ? file_write(path, text, strlen(text), error) : error_set(error, ERROR_MISSING, "no memory");
    free(text);
    json_decref(root);
    return fine;
}

bool task_write(const char *path, const struct steps *steps, const struct steps_student *students, const size_t *chosen,
                size_t count, struct error *error)
{
    json_t *root = json_object(), *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, bytes_json(students[chosen[i]].text, students[chosen[i]].size));
    json_object_set_new(root, "version", json_integer(TASK_VERSION));
    json_object_set_new(root, "made_by", json_string(steps->made_by));
    json_object_set_new(root, "language", json_string(words_language() == WORDS_KOREAN ? "ko" : "en"));
    json_object_set_new(root, "trust", json_boolean(steps->request->trust));
    json_object_set_new(root, "rubric", rubric_json(steps->rubric));
    json_object_set_new(root, "students", list);
    return write_json(path, root, error);
}

bool task_collect(const char *path, const struct steps *steps, json_t *to)
{
    json_t *root = json_load_file(path, 0, NULL), *outcomes = json_object_get(root, "steps"), *outcome;
    const char *by = json_string_value(json_object_get(root, "made_by")), *key;
    bool const ours = by && strcmp(by, steps->made_by) == 0;
    if (ours)
        json_object_foreach(outcomes, key, outcome) json_object_set(to, key, outcome);
    json_decref(root);
    return ours;
}

/* ---- reading ---- */

/* A task that is read. The first thing that is not as it must be clears `fine`. */
struct reader {
    struct arena *arena;
    bool fine;
};

static const char *text_of(struct reader *reader, const json_t *value)
{
    const char *text = json_string_value(value);
    reader->fine = reader->fine && text;
    return text ? arena_text(reader->arena, text) : "";
}

static const char *bytes_of(struct reader *reader, const json_t *value, size_t *size)
{
    const char *text = json_string_value(value);
    size_t const length = json_string_length(value);
    char *bytes = arena_alloc(reader->arena, length / 4 * 3 + 4);
    *size = 0;
    reader->fine = reader->fine && text && base64_read(text, length, (uint8_t *)bytes, size);
    bytes[*size] = '\0';
    return bytes;
}

static struct rubric_file file_of(struct reader *reader, const json_t *value)
{
    struct rubric_file file = {.name = text_of(reader, json_object_get(value, "name"))};
    file.bytes = bytes_of(reader, json_object_get(value, "bytes"), &file.size);
    return file;
}

static const char *const *words_of(struct reader *reader, const json_t *list, size_t *count)
{
    *count = json_array_size(list);
    const char **words = arena_array(reader->arena, const char *, *count + 1);
    reader->fine = reader->fine && json_is_array(list);
    for (size_t i = 0; i < *count; i++)
        words[i] = text_of(reader, json_array_get(list, i));
    return words;
}

static uint64_t number_of(struct reader *reader, const json_t *value)
{
    json_int_t const number = json_integer_value(value);
    reader->fine = reader->fine && json_is_integer(value) && number >= 0;
    return number > 0 ? (uint64_t)number : 0;
}

static void read_rubric(struct reader *reader, const json_t *root, struct rubric *rubric)
{
    const json_t *program = json_object_get(root, "program"), *kernel = json_object_get(root, "kernel");
    const json_t *files = json_object_get(root, "files"), *runs = json_object_get(root, "runs");
    const json_t *buffers = json_object_get(root, "buffers");
    rubric->path = "";
    rubric->file = text_of(reader, json_object_get(root, "file"));
    if (program)
        rubric->program = file_of(reader, program);
    rubric->kernel = kernel ? text_of(reader, kernel) : NULL;
    rubric->flags = words_of(reader, json_object_get(root, "flags"), &rubric->flag_count);
    rubric->seconds = json_real_value(json_object_get(root, "seconds"));
    rubric->memory = number_of(reader, json_object_get(root, "memory"));
    rubric->disk = number_of(reader, json_object_get(root, "disk"));
    rubric->processes = (unsigned)number_of(reader, json_object_get(root, "processes"));
    rubric->instructions = number_of(reader, json_object_get(root, "instructions"));
    rubric->file_count = json_array_size(files);
    rubric->files = arena_array(reader->arena, struct rubric_file, rubric->file_count + 1);
    for (size_t i = 0; i < rubric->file_count; i++)
        rubric->files[i] = file_of(reader, json_array_get(files, i));
    rubric->run_count = json_array_size(runs);
    rubric->runs = arena_array(reader->arena, struct rubric_run, rubric->run_count + 1);
    for (size_t i = 0; i < rubric->run_count; i++)
        rubric->runs[i].words = words_of(reader, json_array_get(runs, i), &rubric->runs[i].word_count);
    rubric->rule_count = json_array_size(buffers);
    rubric->rules = arena_array(reader->arena, struct rubric_rule, rubric->rule_count + 1);
    for (size_t i = 0; i < rubric->rule_count; i++) {
        int const buffer = (int)json_integer_value(json_array_get(buffers, i));
        rubric->rules[i].check = buffer == RUBRIC_NO_BUFFER ? RUBRIC_STATUS : RUBRIC_REFERENCE;
        rubric->rules[i].buffer = buffer;
    }
    reader->fine = reader->fine && rubric->seconds > 0;
}

/* ---- doing ---- */

static bool do_steps(struct steps *steps, const json_t *task, const char *path, bool *cancelled, struct error *error)
{
    struct reader reader = {steps->arena, true};
    struct rubric rubric = {0};
    const json_t *list = json_object_get(task, "students");
    size_t const count = json_array_size(list);
    struct steps_student *students = arena_array(steps->arena, struct steps_student, count + 1);
    read_rubric(&reader, json_object_get(task, "rubric"), &rubric);
    for (size_t i = 0; i < count; i++)
        students[i].text = bytes_of(&reader, json_array_get(list, i), &students[i].size);
    if (!reader.fine || json_integer_value(json_object_get(task, "version")) != TASK_VERSION)
        return error_at(error, ERROR_INPUT, path, 0, 0, "is no part of a grading, or of another version");
    const char *by = text_of(&reader, json_object_get(task, "made_by"));
    if (strcmp(by, steps->made_by) != 0)
        return error_set(error, ERROR_MISSING,
                         "this computer has another Lanescope or clang (%s) than the one that grades (%s)",
                         steps->made_by, by);
    steps->rubric = &rubric;
    bool const fine = steps_do(steps, students, count, cancelled, error);
    steps_free(students, count, rubric.run_count);
    return fine;
}

static bool begin(const struct grade_request *request, struct steps *steps, const struct workplace *place,
                  struct error *error)
{
    if (!request->trust && !sandbox_works(error))
        return false;
    const char *folder = request->folder ? arena_format(steps->arena, "%s/steps", request->folder) : place->folder;
    return steps_prepare(steps, folder, error);
}

bool grade_task(const char *path, const struct grade_request *given, bool *cancelled, struct error *error)
{
    struct arena arena = {0};
    struct workplace place;
    json_error_t wrong;
    json_t *task = json_load_file(path, 0, &wrong);
    struct grade_request request = *given;
    struct steps steps = {.arena = &arena, .request = &request, .made = json_object()};
    *cancelled = false;
    request.trust = json_is_true(json_object_get(task, "trust"));
    const char *language = json_string_value(json_object_get(task, "language"));
    bool const temporary = !request.folder;
    bool fine = task ? true : error_at(error, ERROR_INPUT, path, 0, 0, "cannot be read: %s", wrong.text);
    if (fine && language && strcmp(language, words_language() == WORDS_KOREAN ? "ko" : "en") != 0)
        fine = error_set(error, ERROR_INPUT, "the grading is in another language: give --lang %s", language);
    if (fine && temporary && !workplace_open(&place))
        fine = error_set(error, ERROR_MISSING, "no temporary folder can be made");
    if (fine) {
        fine = begin(&request, &steps, &place, error) && do_steps(&steps, task, path, cancelled, error);
        if (temporary)
            workplace_close(&place);
    }
    if (fine && !*cancelled) {
        size_t const length = strlen(path) - (path_ends_with(path, TASK_ENDING) ? strlen(TASK_ENDING) : 0);
        json_t *outcomes = json_object();
        json_object_set_new(outcomes, "version", json_integer(TASK_VERSION));
        json_object_set_new(outcomes, "made_by", json_string(steps.made_by));
        json_object_set(outcomes, "steps", steps.made);
        fine = write_json(arena_format(&arena, "%.*s" TASK_DONE_ENDING, (int)length, path), outcomes, error);
    }
    json_decref(steps.made);
    json_decref(task);
    arena_free(&arena);
    return fine;
}
