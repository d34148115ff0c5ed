#include "grade/grade.h"
#include "base/file.h"
#include "base/words.h"
#include "grade/cluster.h"
#include "grade/judge.h"
#include "grade/steps.h"
#include "sandbox/sandbox.h"
#include <stdlib.h>
#include <string.h>

/* Judges one student. Without an outcome of a run it was not built, which judge looks at first. */
static void judge_student(struct grade *grade, const struct steps_student *student, json_t *const *reference,
                          struct grade_verdict *verdicts)
{
    judge(&grade->arena, &grade->rubric, student->text, student->build, student->runs, reference, verdicts);
}

/* The reference must hold all rules. */
static bool accept_reference(struct grade *grade, const struct steps_student *reference, struct error *error)
{
    const struct rubric *rubric = &grade->rubric;
    struct grade_verdict *verdicts = arena_array(&grade->arena, struct grade_verdict, rubric->rule_count);
    judge_student(grade, reference, NULL, verdicts);
    for (size_t i = 0; i < rubric->rule_count; i++) {
        const struct grade_verdict *verdict = &verdicts[i];
        if (verdict->holds)
            continue;
        error_at(error, ERROR_INPUT, rubric->path, rubric->rules[i].line, 0, "the reference %s fails \"%s\": %s",
                 rubric->reference.name, rubric->rules[i].text, grade_cause(&grade->arena, verdict));
        return error_remedy(error, "mend the rule or the reference");
    }
    return true;
}

/* Does the steps of all submissions, here or elsewhere. */
static bool do_students(struct grade *grade, struct steps *steps, struct steps_student *students, struct error *error)
{
    size_t const kept_of_reference = steps->kept;
    size_t missing, kept = 0;
    if (steps->request->on) {
        steps_missing(steps, students, grade->count, &missing, &kept);
        if (!cluster_do(steps, students, grade->count, &grade->cancelled, error))
            return false;
    }
    if (!grade->cancelled && !steps_do(steps, students, grade->count, &grade->cancelled, error))
        return false;
    grade->steps = steps->all;
    grade->kept = steps->request->on ? kept_of_reference + kept : steps->kept;
    return true;
}

static bool do_all(struct grade *grade, struct steps *steps, struct steps_student *reference,
                   struct steps_student *students, struct error *error)
{
    const struct rubric *rubric = &grade->rubric;
    bool const compared = rubric->reference.name != NULL;
    if (!steps_prepare(steps, arena_format(&grade->arena, "%s/steps", steps->request->folder), error))
        return false;
    if (compared) {
        *reference = (struct steps_student){.text = rubric->reference.bytes, .size = rubric->reference.size};
        if (!steps_do(steps, reference, 1, &grade->cancelled, error))
            return false;
        if (!grade->cancelled && !accept_reference(grade, reference, error))
            return false;
    }
    for (size_t i = 0; i < grade->count; i++) {
        students[i].text = grade->submissions[i].text;
        students[i].size = grade->submissions[i].size;
    }
    if (!grade->cancelled && !do_students(grade, steps, students, error))
        return false;
    for (size_t i = 0; i < grade->count && !grade->cancelled; i++) {
        struct grade_submission *one = &grade->submissions[i];
        one->verdicts = arena_array(&grade->arena, struct grade_verdict, rubric->rule_count);
        for (size_t k = 0; k < rubric->rule_count && !one->text; k++)
            one->verdicts[k] = (struct grade_verdict){
                .cause = one->problem, .run = "", .file = "", .remedy = "", .lesson = rubric->rules[k].lesson};
        if (one->text)
            judge_student(grade, &students[i], compared ? reference->runs : NULL, one->verdicts);
        for (size_t k = 0; k < rubric->rule_count; k++)
            one->points += one->verdicts[k].points;
    }
    return true;
}

bool grade_run(const struct grade_request *request, struct grade **out, struct error *error)
{
    struct grade *grade = calloc(1, sizeof *grade);
    struct steps_student reference = {0}, *students = NULL;
    *out = NULL;
    if (!grade)
        return error_set(error, ERROR_MISSING, "no memory");
    struct steps steps = {.arena = &grade->arena, .rubric = &grade->rubric, .request = request, .given = json_object()};
    bool fine = rubric_load(&grade->arena, request->rubric, &grade->rubric, error) &&
                grade_find(&grade->arena, &grade->rubric, request->paths, request->path_count, &grade->submissions,
                           &grade->count, error);
    if (fine && !request->trust && !sandbox_works(error)) {
        error_remedy(error, "--trust grades without one: then each submission can read, change and send your files");
        fine = false;
    }
    if (fine) {
        students = arena_array(&grade->arena, struct steps_student, grade->count);
        fine = do_all(grade, &steps, &reference, students, error);
    }
    json_decref(steps.given);
    steps_free(&reference, 1, grade->rubric.run_count);
    if (students)
        steps_free(students, grade->count, grade->rubric.run_count);
    if (!fine) {
        grade_free(grade);
        return false;
    }
    *out = grade;
    return true;
}

void grade_free(struct grade *grade)
{
    if (!grade)
        return;
    arena_free(&grade->arena);
    free(grade);
}
