#include "lesson/problems.h"
#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static const char *kept(struct lesson_problems *problems, const char *text)
{
    return text ? arena_text(&problems->arena, text) : NULL;
}

bool problems_full(const struct lesson_problems *problems)
{
    return problems->count >= PROBLEMS_MAX;
}

void problems_add(struct lesson_problems *problems, const struct lesson_problem *problem)
{
    if (problems_full(problems))
        return;
    struct lesson_problem own = *problem;
    own.kind = own.kind ? own.kind : ERROR_INPUT;
    own.file = kept(problems, own.file ? own.file : "");
    own.remedy = kept(problems, own.remedy ? own.remedy : "");
    for (size_t i = 0; i < problems->count; i++)
        if (problems->items[i].line == own.line && same_text(problems->items[i].file, own.file) &&
            same_text(problems->items[i].field, own.field) && same_text(problems->items[i].said, own.said))
            return;
    own.field = kept(problems, own.field);
    own.heading = kept(problems, own.heading);
    own.said = kept(problems, own.said);
    array_push(problems, own);
}

void problems_add_error(struct lesson_problems *problems, const struct error *error)
{
    problems_add(problems, &(struct lesson_problem){.kind = error->kind,
                                                    .file = error->file,
                                                    .line = error->line,
                                                    .column = error->column,
                                                    .said = error->message,
                                                    .remedy = error->remedy});
}

void problems_free(struct lesson_problems *problems)
{
    free(problems->items);
    arena_free(&problems->arena);
    *problems = (struct lesson_problems){0};
}

size_t problems_count(const struct lesson_problems *problems, enum problem_level level)
{
    size_t count = 0;
    for (size_t i = 0; i < problems->count; i++)
        count += problems->items[i].level == level;
    return count;
}

void problem_error(const struct lesson_problem *problem, struct error *error)
{
    if (problem->heading && !problem->field)
        error_at(error, problem->kind, problem->file, problem->line, problem->column, "under '%s': %s",
                 problem->heading, problem->said);
    else
        error_at(error, problem->kind, problem->file, problem->line, problem->column, "%s", problem->said);
    error_field(error, "%s", problem->field ? problem->field : "");
    error_remedy(error, "%s", problem->remedy);
}
