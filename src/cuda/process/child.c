/* Messages are packets (SOCK_SEQPACKET), so no message is ever half read. The end of the process closes the socket, so
 * its death is noticed at once. */
#include "cuda/process/child.h"
#include "base/file.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts the program. File descriptors of the window, of files and of other children are not inherited. */
static int spawn(pid_t *pid, const char *program, char *const arguments[], int socket)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0); /* its own process group, so signals of the terminal do not reach it */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, socket, CHILD_SOCKET);
    posix_spawn_file_actions_addclosefrom_np(&actions, CHILD_SOCKET + 1);
    int const failed = posix_spawn(pid, program, &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

bool child_start(struct child *child, const char *program, char *const arguments[], struct error *error)
{
    int ends[2];
    *child = (struct child){.socket = -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(error, ERROR_RUN, "no connection to the GPU process: %s", strerror(errno));
    int const failed = spawn(&child->pid, program, arguments, ends[1]);
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        *child = (struct child){.socket = -1};
        return error_set(error, ERROR_RUN, "the GPU process does not start: %s", strerror(failed));
    }
    child->socket = ends[0];
    return true;
}

bool child_send(int socket, uint32_t word, int file)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec bytes = {.iov_base = &word, .iov_len = sizeof word};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
    if (file >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof file);
        memcpy(CMSG_DATA(head), &file, sizeof file);
    }
    ssize_t sent;
    do
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof word;
}

static bool wait_for_word(int socket, double seconds)
{
    double const end = clock_seconds() + seconds;
    for (;;) {
        double const left = end - clock_seconds();
        struct pollfd wanted = {.fd = socket, .events = POLLIN};
        int const milliseconds = seconds < 0 ? -1 : left <= 0 ? 0 : left > 1e6 ? 1000000000 : (int)(left * 1e3) + 1;
        int const ready = poll(&wanted, 1, milliseconds);
        if (ready > 0)
            return true;
        if (ready == 0 || errno != EINTR)
            return false;
    }
}

enum child_event child_hear(int socket, double seconds, uint32_t *word, int *file)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec bytes = {.iov_base = word, .iov_len = sizeof *word};
    struct msghdr message = {
        .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (file)
        *file = -1;
    if (!wait_for_word(socket, seconds))
        return CHILD_SILENT;
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof *word)
        return CHILD_ENDED;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_type == SCM_RIGHTS) {
        int sent;
        memcpy(&sent, CMSG_DATA(head), sizeof sent);
        if (file)
            *file = sent;
        else
            close(sent);
    }
    return CHILD_SAID;
}

/* Waits for the process to end. A process that hangs in the driver may outlive its kill signal for a while; it is then
 * left behind. */
static bool reap(pid_t pid, int *status)
{
    double const end = clock_seconds() + 5;
    while (clock_seconds() < end) {
        pid_t const ended = waitpid(pid, status, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR))
            return ended == pid;
        usleep(1000);
    }
    return false;
}

void child_stop(struct child *child, char *how, int size)
{
    int status = 0;
    if (how)
        snprintf(how, (size_t)size, "stopped");
    if (child->pid > 0) {
        close(child->socket);
        bool ended = waitpid(child->pid, &status, WNOHANG) == child->pid;
        for (int i = 0; i < 50 && !ended && how; i++) { /* its socket closes before the process has ended */
            usleep(1000);
            ended = waitpid(child->pid, &status, WNOHANG) == child->pid;
        }
        if (!ended) {
            kill(child->pid, SIGKILL);
            ended = reap(child->pid, &status);
        }
        if (how && ended && WIFSIGNALED(status))
            snprintf(how, (size_t)size, "ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
        else if (how && ended)
            snprintf(how, (size_t)size, "ended with status %d", WEXITSTATUS(status));
    }
    *child = (struct child){.socket = -1};
}
