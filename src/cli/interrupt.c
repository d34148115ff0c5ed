/* Ctrl+C during long work: the first ends the work and keeps its results so far, a second ends the program as usual. */
#include "cli/cli.h"
#include <signal.h>
#include <stdatomic.h>

static atomic_bool stop_asked; /* a signal handler may set only this */
static struct sigaction before;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&stop_asked, true);
}

const atomic_bool *cli_interrupt_begin(void)
{
    struct sigaction const action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, &before);
    return &stop_asked;
}

void cli_interrupt_end(void)
{
    sigaction(SIGINT, &before, NULL);
}
