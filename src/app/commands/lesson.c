/* A lesson's steps, questions and knobs, and the runs beside the one on screen. */
#include "app/state.h"
#include "scene/follow.h"

static bool lesson_on_screen(const struct app *app)
{
    return !app->at_list && app->document.kind == DOCUMENT_LESSON;
}

static bool program_on_screen(const struct app *app)
{
    return !app->at_list && app->document.program;
}

void app_go_beat(struct app *app, const struct action *action)
{
    document_go_beat(&app->document, &app->playhead, action->value);
}

void app_show_part(struct app *app, const struct action *action)
{
    app->document.reading.part = (enum part)action->value;
}

void app_scroll_words(struct app *app, const struct action *action)
{
    app->document.reading.words = action->value;
}

void app_scroll_code(struct app *app, const struct action *action)
{
    app->document.reading.code = (uint32_t)action->value;
    app->document.reading.at_line = (uint32_t)action->other;
}

void app_go_definition(struct app *app, const struct action *action)
{
    enum { ABOVE = 2 }; /* lines in sight above the definition */
    struct reading *reading = &app->document.reading;
    uint32_t const line = (uint32_t)action->value, current = (uint32_t)action->other;
    if (!reading->jumped || reading->at_line != current)
        reading->from = reading->at_line == current ? reading->code : 0;
    reading->jumped = line;
    reading->code = line > ABOVE ? line - ABOVE : 1;
    reading->at_line = current;
}

void app_leave_definition(struct app *app, const struct action *action)
{
    (void)action;
    struct reading *reading = &app->document.reading;
    if (reading->jumped)
        reading->code = reading->from;
    reading->jumped = 0;
}

void app_ptx(struct app *app, const struct action *action)
{
    (void)action;
    struct document *document = &app->document;
    if (app->at_list || !document->playback)
        return;
    document->ptx = !document->ptx;
    document->reading.lit = document->reading.lit_row = document->reading.ptx = 0;
    if (document->ptx)
        document->reading.part = PART_CODE; /* where it has a page of its own */
}

void app_pin_lane(struct app *app, const struct action *action)
{
    uint32_t const lane = 1u << (unsigned)action->value % WARP_LANES;
    app->document.pinned = app->document.pinned == lane ? 0 : lane;
}

void app_choose_element(struct app *app, const struct action *action)
{
    uint32_t const chosen = (uint32_t)action->value + 1;
    app->document.chosen = app->document.chosen == chosen && !action->other ? 0 : chosen;
}

/* value: 1 and -1 go along the row, 2 and -2 along the column. */
void app_move_element(struct app *app, const struct action *action)
{
    struct document *document = &app->document;
    struct scene scene;
    struct arena arena = {0};
    if (!lesson_on_screen(app) || !document->playback || document_covered(document))
        return;
    document_scene(document, &app->playhead, &arena, &scene);
    struct followed const followed = scene_follow(&scene, document->pinned);
    int const right = action->value % 2, down = action->value / 2;
    if (followed.array && followed.element != UINT32_MAX)
        document->chosen = scene_neighbour(followed.array, followed.element, right, down) + 1;
    arena_free(&arena);
}

void app_ptx_light(struct app *app, const struct action *action)
{
    struct reading *reading = &app->document.reading;
    uint32_t const row = (uint32_t)action->value, current = (uint32_t)action->other;
    bool const again = reading->ptx_at == current && reading->lit_row == row;
    reading->ptx = reading->ptx_at == current ? reading->ptx : 0;
    reading->lit_row = again ? 0 : row;
    reading->lit = again ? 0 : (uint32_t)action->position;
    reading->ptx_at = current;
    reading->code = reading->jumped = 0; /* the line comes into sight */
}

void app_ptx_row(struct app *app, const struct action *action)
{
    struct reading *reading = &app->document.reading;
    uint32_t const current = (uint32_t)action->other;
    if (reading->ptx_at != current)
        reading->lit = reading->lit_row = 0;
    reading->ptx = (uint32_t)action->value;
    reading->ptx_at = current;
}

void app_read_code(struct app *app, const struct action *action)
{
    app->ui.input.read_code = action->value;
    app->document.reading.part = PART_CODE; /* where it has a page of its own */
}

void app_read_on(struct app *app, const struct action *action)
{
    app->ui.input.read_on = action->value;
}

void app_reset(struct app *app, const struct action *action)
{
    (void)action;
    if (app->at_list)
        return;
    if (app->document.program) {
        notice_clear(&app->notice);
        document_rerun_program(&app->document);
        return;
    }
    if (document_is_kernel(&app->document)) {
        document_rerun_kernel(&app->document);
        return;
    }
    if (!lesson_on_screen(app)) {
        playhead_seek(&app->playhead, app->document.playback, app->playhead.beat_position, false);
        return;
    }
    struct guess *guess = &app->document.guesses[app->document.beat];
    *guess = (struct guess){.chosen = -1, .again = guess->again || document_answered(&app->document)};
    document_go_beat(&app->document, &app->playhead, app->document.beat);
}

void app_restart(struct app *app, const struct action *action)
{
    (void)action;
    if (!lesson_on_screen(app))
        return;
    notice_clear(&app->notice);
    document_restart(&app->document, &app->playhead);
}

void app_turn_knob(struct app *app, const struct action *action)
{
    struct document *document = &app->document;
    if (program_on_screen(app))
        document_turn_value(document, action->value);
    else if (document_is_kernel(document) && !app->at_list)
        document_turn_field(document, action->value);
    else if (lesson_on_screen(app))
        document_turn_knob(document, &app->playhead, document->knob,
                           document->look.setting.value[document->knob] + action->value);
}

void app_set_knob(struct app *app, const struct action *action)
{
    if (program_on_screen(app))
        document_set_value(&app->document, action->value, action->other);
    else
        document_turn_knob(&app->document, &app->playhead, action->value, action->other);
}

void app_next_knob(struct app *app, const struct action *action)
{
    struct document *document = &app->document;
    if (program_on_screen(app))
        document_next_value(document, action->value);
    else if (document_is_kernel(document) && !app->at_list)
        document_next_field(document, action->value);
    if (document->lesson && document->lesson->knob_count)
        document->knob = (document->knob + action->value + document->lesson->knob_count) % document->lesson->knob_count;
}

void app_choose_field(struct app *app, const struct action *action)
{
    document_choose_field(&app->document, action->value);
    if (action->other)
        document_turn_field(&app->document, action->other);
}

void app_own_values(struct app *app, const struct action *action)
{
    (void)action;
    if (program_on_screen(app))
        document_own_values(&app->document);
    else if (document_is_kernel(&app->document))
        document_own_fields(&app->document);
}

void app_choose_knob(struct app *app, const struct action *action)
{
    app->document.knob = action->value;
}

void app_choose_variant(struct app *app, const struct action *action)
{
    struct lesson_setting setting = app->document.look.setting;
    setting.variant = action->value;
    const struct lesson_beat *beat = document_beat(&app->document);
    if (beat && beat->kind == BEAT_BUG && action->value == beat->mended)
        app->document.guesses[app->document.beat].mended = true;
    if (app->document.lesson)
        document_change_setting(&app->document, &app->playhead, &setting);
    if (beat && beat->kind == BEAT_BUG && app->document.playback) /* not beside the panels of the step */
        app->playhead.position =
            playback_shown_near(app->document.playback, app->playhead.position, document_memories(&app->document));
}

void app_compare(struct app *app, const struct action *action)
{
    (void)action;
    document_compare(&app->document, &app->playhead);
}

void app_above(struct app *app, const struct action *action)
{
    (void)action;
    if (!lesson_on_screen(app) || !app->document.has_other)
        notice_pass(&app->notice, "%s", _("turn a knob first, or press E: there is nothing to compare with yet"));
    else
        app->document.above = !app->document.above;
}

void app_flip(struct app *app, const struct action *action)
{
    (void)action;
    if (!app->at_list && app->document.file.run)
        document_flip_file(&app->document, &app->playhead);
    else if (lesson_on_screen(app) && app->document.run)
        document_flip_lesson(&app->document, &app->playhead);
    else
        notice_pass(&app->notice, "%s",
                    _("only a lesson or a kernel has two runs, one on the GPU and one on the emulator"));
}

void app_turn_dram(struct app *app, const struct action *action)
{
    if (action->value == 2)
        document_turn_dram_feed(&app->document);
    else if (action->value)
        document_turn_dram(&app->document, action->value);
    else
        document_turn_dram_mapping(&app->document);
}

void app_turn_caches(struct app *app, const struct action *action)
{
    (void)action;
    document_turn_caches(&app->document, &app->playhead);
}

void app_measure(struct app *app, const struct action *action)
{
    (void)action;
    document_measure(&app->document);
}

void app_use_emulator(struct app *app, const struct action *action)
{
    (void)action;
    app->document.look.executor = EXECUTOR_EMULATOR;
    notice_clear(&app->notice);
    document_show_setting(&app->document, &app->playhead, false);
}
