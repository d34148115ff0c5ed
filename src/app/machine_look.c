#include "app/state.h"

static void work(void *argument)
{
    struct machine_looked *machine = argument;
    machine->look(&machine->facts);
}

void machine_look(struct app *app)
{
    struct machine_looked *machine = &app->machine;
    const struct app_worker *worker = &app->host.worker;
    if (!app->at_list || !machine->look || machine->known)
        return;
    if (!machine->started) {
        machine->started = true;
        machine->task = worker->start ? worker->start(worker->context, work, machine) : NULL;
        if (!machine->task)
            work(machine);
        machine->known = !machine->task;
    } else if (worker->finished(worker->context, machine->task))
        machine_wait(app);
}

void machine_wait(struct app *app)
{
    struct machine_looked *machine = &app->machine;
    if (!machine->task)
        return;
    app->host.worker.join(app->host.worker.context, machine->task);
    machine->task = NULL;
    machine->known = true;
}
