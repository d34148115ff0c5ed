/* The desktop's own file chooser, as a child process without a shell: zenity or kdialog. The file comes back as if it
 * had been dropped on the window. */
#include "platform/state.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_MOST = 4096, CANCELLED = 1 };
struct chooser {
    pid_t child;
    int answer; /* reads what the child writes */
};
static struct {
    atomic_bool open; /* one chooser at a time */
    atomic_int child;
} state;

/* Starts the first of the programs that is there. Returns false if none is. */
static bool start(const char *title, struct chooser *chooser)
{
    const char *const patterns = "*.cu *.ptx *.trace";
    char named[256], filter[64];
    snprintf(named, sizeof named, "--title=%s", title);
    snprintf(filter, sizeof filter, "--file-filter=%s", patterns);
    const char *const programs[][6] = {{"zenity", "--file-selection", named, filter, NULL},
                                       {"kdialog", named, "--getopenfilename", ".", patterns, NULL}};
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    bool started = false;
    if (posix_spawn_file_actions_init(&actions) == 0) {
        bool const ready = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
                           posix_spawn_file_actions_adddup2(&actions, ends[1], 1) == 0 &&
                           posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0;
        for (size_t i = 0; ready && !started && i < sizeof programs / sizeof *programs; i++)
            started =
                posix_spawnp(&chooser->child, programs[i][0], &actions, NULL, (char *const *)programs[i], environ) == 0;
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    chooser->answer = ends[0];
    if (!started)
        close(ends[0]);
    return started;
}

/* Returns the first line that the child writes, in memory of SDL; NULL: none. *failed: it could not ask at all. */
static char *wait_for_answer(const struct chooser *chooser, bool *failed)
{
    char *answer = SDL_calloc(1, ANSWER_MOST);
    size_t size = 0;
    int status = 0;
    for (ssize_t got; answer && size + 1 < ANSWER_MOST; size += (size_t)got)
        if ((got = read(chooser->answer, answer + size, ANSWER_MOST - 1 - size)) <= 0)
            break;
    close(chooser->answer);
    while (waitpid(chooser->child, &status, 0) < 0 && errno == EINTR)
        ;
    bool const chosen = answer && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    *failed = WIFEXITED(status) && WEXITSTATUS(status) > CANCELLED;
    if (answer)
        answer[strcspn(answer, "\n")] = '\0';
    if (chosen && *answer == '/')
        return answer;
    SDL_free(answer);
    return NULL;
}

static int ask(void *context)
{
    struct chooser *chooser = context;
    bool failed = false;
    SDL_Event event = {.type = SDL_USEREVENT};
    char *answer = wait_for_answer(chooser, &failed);
    atomic_store(&state.child, 0);
    atomic_store(&state.open, false);
    free(chooser);
    if (answer)
        event.drop = (SDL_DropEvent){.type = SDL_DROPFILE, .file = answer};
    if ((answer || failed) && SDL_PushEvent(&event) != 1)
        SDL_free(answer);
    return 0;
}

bool window_choose_file(void *context, const char *title)
{
    (void)context;
    if (atomic_exchange(&state.open, true))
        return true; /* it is open already */
    struct chooser *chooser = calloc(1, sizeof *chooser);
    if (chooser && start(title, chooser)) {
        atomic_store(&state.child, (int)chooser->child);
        SDL_Thread *thread = SDL_CreateThread(ask, "chooser", chooser);
        if (thread) {
            SDL_DetachThread(thread);
            return true;
        }
        kill(chooser->child, SIGTERM);
        close(chooser->answer);
    }
    free(chooser);
    atomic_store(&state.open, false);
    return false;
}

void window_end_chooser(void)
{
    int const child = atomic_load(&state.child);
    if (child > 0)
        kill((pid_t)child, SIGTERM);
}
