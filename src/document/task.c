/* A task's solution: a setting of the knobs and variants at which the run makes its goal true. */
#include "document/document.h"

enum { TASK_RUNS_MAX = 300 };

static bool does_task(struct document *document, const struct lesson_setting *setting)
{
    struct look const look = {*setting, document->look.executor};
    struct error error;
    double done = 0;
    const struct kept_run *kept = document_kept_run(document, &look, &error);
    return kept && run_evaluate(kept->run, document->lesson, setting, document_beat(document)->goal, &done, NULL) &&
           done != 0;
}

/* Finds a setting that does the task: first with one knob turned, then with several. Returns false when so many runs
 * find none. */
static bool find_solution(struct document *document, struct lesson_setting *setting)
{
    const struct lesson *lesson = document->lesson;
    struct lesson_setting const here = document->look.setting;
    for (int k = 0; k <= lesson->knob_count; k++)
        for (int v = 0; v < (k < lesson->knob_count ? lesson->knobs[k].value_count : 1); v++)
            for (int variant = 0; variant < lesson->variant_count; variant++) {
                *setting = here;
                setting->variant = variant;
                if (k < lesson->knob_count)
                    setting->value[k] = v;
                if (does_task(document, setting))
                    return true;
            }
    for (int run = 0; run < TASK_RUNS_MAX; run++) {
        *setting = (struct lesson_setting){.variant = run % lesson->variant_count};
        for (int k = lesson->knob_count - 1, rest = run / lesson->variant_count; k >= 0; k--) {
            setting->value[k] = rest % lesson->knobs[k].value_count;
            rest /= lesson->knobs[k].value_count;
        }
        if (does_task(document, setting))
            return true;
    }
    return false;
}

bool document_do_task(struct document *document, struct playhead *playhead)
{
    struct lesson_setting solution;
    if (!find_solution(document, &solution))
        return false;
    document_change_setting(document, playhead, &solution);
    return document->run != NULL;
}
