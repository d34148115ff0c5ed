/* Programs of strangers run as children in a sandbox: without network, in a folder of their own in memory, on a system
 * that they can only read, with limits. It is made of the kernel's own means: namespaces for what a program can reach
 * (files, processes, network), a seccomp filter for the calls that it may make, and a first process inside that holds
 * the limits. Works for an ordinary user and for root. docs/security.md says what it holds.
 *
 * Sources: namespaces(7), user_namespaces(7), pivot_root(2), mount_setattr(2), seccomp(2). Needs Linux 5.14, the first
 * that counts RLIMIT_NPROC within a user namespace. */
#ifndef LANESCOPE_SANDBOX_SANDBOX_H
#define LANESCOPE_SANDBOX_SANDBOX_H
#include "base/arena.h"
#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

struct sandbox_limits {
    double seconds;      /* of processors, of all processes together */
    double wall_seconds; /* from start to end */
    double idle_seconds; /* in which no thread works, all together; 0: no limit. Not looked at without a sandbox */
    uint64_t memory;     /* bytes that all processes together hold; without a sandbox, that each may ask for */
    uint64_t disk;       /* bytes of the folder */
    uint64_t file;       /* bytes of one file, also of `output` */
    unsigned files;      /* in the folder */
    unsigned processes;  /* at a time, threads included */
};
/* A file that lies in the folder at the start, at most two folders deep: "run/transpose.cu". */
struct sandbox_file {
    const char *name;
    const void *bytes;
    size_t size;
    bool program; /* it can be run */
};
/* A file of the folder whose bytes are copied into the open file `to` after the end, if it is there. */
struct sandbox_result {
    const char *name;
    int to;
};
struct sandbox_request {
    const char *const *command; /* an absolute path, and its words; ends in NULL */
    const char *const
        *environment;           /* "NAME=value", besides PATH and the folders; ends in NULL. No other is passed on */
    const char *const *visible; /* files and folders besides the system's that can be read; ends in NULL */
    const char *hidden;         /* a folder that is empty there, wherever it would be seen; NULL: none */
    const struct sandbox_file *files;
    size_t file_count;
    const struct sandbox_result *results;
    size_t result_count;
    const char *folder; /* in which the command starts, of the sandbox's own: "run" */
    int output, errors; /* open files of the command's streams */
    struct sandbox_limits limits;
    bool trust; /* no sandbox: an ordinary child in a temporary folder, with limits of the kernel for each process */
};

enum sandbox_ending {
    SANDBOX_EXITED,
    SANDBOX_SIGNALLED,
    SANDBOX_SECONDS, /* the limits that were passed */
    SANDBOX_WALL,
    SANDBOX_IDLE,
    SANDBOX_MEMORY,
    SANDBOX_PROCESSES, /* as many as can be: it forks without end */
    SANDBOX_ENDED,     /* by sandbox_end, or with its first process */
    SANDBOX_IMPOSSIBLE /* it could not be made: `why` */
};
struct sandbox_end {
    enum sandbox_ending ending;
    int status, signal;
    double seconds, wall_seconds; /* as in the limits */
    char why[160];
};

struct sandbox; /* one that runs */
/* Starts a command. The caller has no threads, and frees the sandbox with sandbox_free. */
bool sandbox_start(const struct sandbox_request *request, struct sandbox **sandbox, struct error *error);
/* Returns whether it has ended, and how. Does not wait. */
bool sandbox_ended(struct sandbox *sandbox, struct sandbox_end *end);
/* Ends it, with all processes in it. */
void sandbox_end(struct sandbox *sandbox);
void sandbox_free(struct sandbox *sandbox);
/* Returns whether this computer lets this user have a sandbox: it makes one. */
bool sandbox_works(struct error *error);
#endif
