/* The roofline of a setting: each variant is a point, from the recorded counters of its timed launch and its time. */
#include "model/roofline.h"
#include "lesson/kept.h"
#include "lesson/lesson_run.h"
#include <string.h>

bool lesson_roofline(const struct lesson *lesson, const struct lesson_setting *setting, enum language language,
                     struct arena *arena, struct roofline *roofline)
{
    struct gpu gpu;
    struct roofline_point *points = arena_array(arena, struct roofline_point, (size_t)lesson->variant_count);
    if (!kept_gpu(lesson, &gpu) || !roofline_roofs(&gpu, roofline))
        return false;
    roofline->points = points;
    double flop;
    struct measured_time const compared = lesson_compared_time(lesson, setting, &flop);
    if (compared.source != TIME_NONE && strcmp(compared.device, roofline->gpu) == 0 && flop > 0) {
        roofline->other = lesson_compared_label(lesson, language);
        roofline->other_rate = flop / (compared.median * 1e-6);
    }
    for (int v = 0; v < lesson->variant_count; v++) {
        const struct lesson_variant *variant = &lesson->variants[v];
        struct lesson_setting at = *setting;
        const char *source;
        at.variant = v;
        if (variant->host || (variant->faulty && v != setting->variant))
            continue;
        struct roofline_point *point = &points[roofline->count++];
        *point = (struct roofline_point){.label = variant->label[language], .current = v == setting->variant};
        struct measured_time const time = run_lesson_time(lesson, &at);
        if (time.source == TIME_NONE || !plan_find_source(lesson, &at, &source))
            continue;
        struct sass_counts const counts = kept_counters(lesson, &at, true, source, arena);
        roofline_place(roofline->gpu, &counts, &time, point);
    }
    return true;
}
