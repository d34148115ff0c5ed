/* Going to a step by its number. */
#include "app/commands/commands.h"
#include "app/state.h"
#include "ui/keys.h"

enum { LARGEST = 99 };

static void say(struct app *app)
{
    const struct lesson *lesson = app->document.lesson;
    if (app->jump.number)
        notice_pass(&app->notice, _("Enter goes to step %d of %d"), app->jump.number, lesson->beat_count);
    else
        notice_pass(&app->notice, _("type the number of a step, 1 to %d"), lesson->beat_count);
}

static void stop(struct app *app)
{
    app->jump = (struct jump){0};
    notice_clear_passing(&app->notice);
}

void app_jump(struct app *app, const struct action *action)
{
    (void)action;
    if (app->at_list || !app->document.lesson)
        return;
    app->jump = (struct jump){.open = true};
    say(app);
}

static void go(struct app *app)
{
    int const number = app->jump.number, steps = app->document.lesson->beat_count;
    stop(app);
    if (number > steps)
        notice_pass(&app->notice, _("there is no step %d; the last one is %d"), number, steps);
    else if (number)
        action_apply(app, &(struct action){.kind = ACTION_GO_BEAT, .value = number - 1});
}

/* Returns whether the step has something to answer or to do. Who answers once more is led to no other step. */
static bool asks(const struct document *document)
{
    const struct lesson_beat *beat = document_beat(document);
    return lesson_beat_asks(beat) || beat->kind == BEAT_TASK;
}

bool jump_takes_key(struct app *app, int key, int modifiers)
{
    struct jump *jump = &app->jump;
    int const digit = modifiers ? -1 : key_digit(key);
    if (app->at_list || !app->document.lesson) {
        jump->open = false;
        return false;
    }
    if (!jump->open && (digit <= 0 || document_asks(&app->document)))
        return false; /* a question's choices have the digits */
    if (!jump->open && asks(&app->document)) {
        notice_pass(&app->notice, "%s",
                    document_beat(&app->document)->kind == BEAT_TASK
                        ? _("H and a number go to a step; ] and [ turn a knob")
                        : _("answered already: R asks again, H and a number go to a step"));
        return true;
    }
    if (digit >= 0) {
        jump->number = jump->open ? jump->number * 10 + digit : digit;
        if (jump->number > LARGEST)
            jump->number = digit;
        jump->open = true;
        say(app);
        return true;
    }
    if (key == KEY_BACKSPACE) {
        jump->number /= 10;
        say(app);
        return true;
    }
    if (key == KEY_ENTER || key == KEY_PAD_ENTER) {
        go(app);
        return true;
    }
    stop(app);
    return key == KEY_ESCAPE || key == KEY_H;
}
