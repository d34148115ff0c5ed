/* A signal that asks the program to end closes the window as its frame does, so that all is kept and no child is left
 * behind. A handler may do hardly anything: it writes a byte, and a thread makes an event of it. A second signal ends
 * the program at once. */
#include "platform/state.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static const int endings[] = {SIGTERM, SIGHUP, SIGINT};
enum { ENDINGS = sizeof endings / sizeof *endings, STOP = 0 };

static struct {
    bool watching;
    int ends[2]; /* of a pipe: to read, to write */
    pthread_t thread;
    struct sigaction before[ENDINGS];
    atomic_bool asked;
} watch;

const atomic_bool *platform_asked_to_end(void)
{
    return &watch.asked;
}

static void tell(int number)
{
    int const kept = errno;
    unsigned char const byte = (unsigned char)number;
    (void)!write(watch.ends[1], &byte, 1);
    errno = kept;
}

static void *listen(void *context)
{
    unsigned char byte;
    for (ssize_t got; (got = read(watch.ends[0], &byte, 1)) == 1 || (got < 0 && errno == EINTR);) {
        if (got == 1 && byte == STOP)
            break;
        if (got != 1)
            continue;
        atomic_store(&watch.asked, true);
        SDL_PushEvent(&(SDL_Event){.type = SDL_QUIT});
    }
    return context;
}

void signals_watch(void)
{
    struct sigaction const action = {.sa_handler = tell, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    if (watch.watching || pipe2(watch.ends, O_CLOEXEC) != 0)
        return;
    watch.watching = pthread_create(&watch.thread, NULL, listen, NULL) == 0;
    for (int i = 0; i < ENDINGS && watch.watching; i++)
        sigaction(endings[i], &action, &watch.before[i]);
    if (watch.watching)
        return;
    close(watch.ends[0]);
    close(watch.ends[1]);
}

void signals_end(void)
{
    if (!watch.watching)
        return;
    for (int i = 0; i < ENDINGS; i++)
        sigaction(endings[i], &watch.before[i], NULL);
    tell(STOP);
    pthread_join(watch.thread, NULL);
    close(watch.ends[0]);
    close(watch.ends[1]);
    watch.watching = false;
}
