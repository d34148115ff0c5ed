/* What this computer has, looked at in the background while the first screen is shown. */
#include "app/state.h"

static void work(void *argument)
{
    struct computer_seen *computer = argument;
    computer->look(&computer->facts, computer->cancel);
}

void computer_look(struct app *app)
{
    struct computer_seen *computer = &app->computer;
    const struct app_worker *worker = &app->host.worker;
    if (!app->at_list || !computer->look || computer->known)
        return;
    if (!computer->started) {
        computer->started = true;
        computer->task = worker->start ? worker->start(worker->context, work, computer) : NULL;
        if (!computer->task)
            work(computer);
        computer->known = !computer->task;
    } else if (worker->finished(worker->context, computer->task))
        computer_wait(app);
}

void computer_wait(struct app *app)
{
    struct computer_seen *computer = &app->computer;
    if (!computer->task)
        return;
    app->host.worker.join(app->host.worker.context, computer->task);
    computer->task = NULL;
    computer->known = true;
}
