#include "lesson/picture.h"
#include "lesson/plan.h"
#include "run/reference.h"

enum { PIXELS_MOST = 65536 };

static const double *copy(struct arena *arena, const struct launch_buffer *buffer, const void *data)
{
    double *numbers = arena_array(arena, double, buffer->count);
    for (uint64_t i = 0; i < buffer->count; i++)
        numbers[i] = reference_element(buffer->type, data, i);
    return numbers;
}

static const struct launch_buffer *buffer_of(const struct launch *launch, int argument)
{
    return &launch->buffers[launch->arguments[argument].buffer];
}

static bool is_dense(const struct launch_buffer *buffer)
{
    return buffer->shape.pitch == buffer->shape.columns * ptx_type_size(buffer->type) &&
           buffer->count == buffer->shape.rows * buffer->shape.columns;
}

static uint64_t window_of(const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct arena arena = {0};
    struct run_fact *names;
    size_t count;
    double value = 0;
    bool const known = lesson->plan->picture_window &&
                       plan_names(lesson, setting, false, &arena, &names, &count, NULL) &&
                       expression_evaluate(lesson->plan->picture_window, names, count, &value, NULL);
    arena_free(&arena);
    return known && value >= 1 && value <= PIXELS_MOST ? (uint64_t)value : 0;
}

struct launch_picture *picture_before(struct run *run, const struct lesson *lesson,
                                      const struct lesson_setting *setting, const struct launch *launch)
{
    const struct lesson_plan *plan = lesson->plan;
    if (plan->picture < 0)
        return NULL;
    const struct launch_buffer *input = buffer_of(launch, plan->picture), *output = buffer_of(launch, plan->check);
    bool const alike = input->shape.rows == output->shape.rows && input->shape.columns == output->shape.columns;
    if (!alike || !is_dense(input) || !is_dense(output) || input->count > PIXELS_MOST)
        return NULL;
    struct launch_picture *picture = arena_new(&run->arena, struct launch_picture);
    *picture = (struct launch_picture){.rows = input->shape.rows,
                                       .columns = input->shape.columns,
                                       .input_name = input->name,
                                       .output_name = output->name,
                                       .input = copy(&run->arena, input, input->data),
                                       .window = window_of(lesson, setting)};
    run->picture = picture;
    return picture;
}

void picture_after(struct launch_picture *picture, struct run *run, const struct lesson *lesson,
                   const struct launch *launch, const void *expected)
{
    const struct launch_buffer *output = buffer_of(launch, lesson->plan->check);
    picture->output = copy(&run->arena, output, output->data);
    if (expected)
        picture->expected = copy(&run->arena, output, expected);
}
