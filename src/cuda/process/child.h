/* A child process that may die. It starts with one end of a socket as its descriptor 3, and both sides exchange short
 * messages. This file knows nothing of their meaning. */
#ifndef LANESCOPE_CUDA_PROCESS_CHILD_H
#define LANESCOPE_CUDA_PROCESS_CHILD_H
#include "base/error.h"
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_SOCKET = 3 }; /* in the child */

struct child {
    pid_t pid; /* 0: no process */
    int socket;
};

enum child_event {
    CHILD_SAID,
    CHILD_ENDED, /* the process has ended, or will send nothing more */
    CHILD_SILENT /* no message came in the given time */
};

/* Starts a program. Its standard output goes to standard error, and Ctrl+C in the terminal does not reach it. */
bool child_start(struct child *child, const char *program, char *const arguments[], struct error *error);
/* Sends one word and, with it, a file (-1: none). Returns false when the other side is gone. */
bool child_send(int socket, uint32_t word, int file);
/* Receives the next word and the file that came with it (-1: none; NULL: not wanted). seconds below 0: waits without
 * limit. */
enum child_event child_hear(int socket, double seconds, uint32_t *word, int *file);
/* Ends the process if it still runs, and writes how it ended: "ended by signal 11 (Segmentation fault)". */
void child_stop(struct child *child, char *how, int size);
#endif
