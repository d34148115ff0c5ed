/* A process of our own that may die: started with one end of a socket as its descriptor 3, spoken to in short messages.
 * Nothing here knows what it does. */
#ifndef LANESCOPE_CUDA_PROCESS_CHILD_H
#define LANESCOPE_CUDA_PROCESS_CHILD_H
#include "base/error.h"
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_SOCKET = 3 }; /* in the child */

struct child {
    pid_t pid; /* 0: none */
    int socket;
};

enum child_event {
    CHILD_SAID,
    CHILD_ENDED, /* the process is gone, or will not speak again */
    CHILD_SILENT /* not a word in the time given */
};

/* Starts a program; its standard output goes to standard error, and Ctrl+C at the terminal does not reach it. */
bool child_start(struct child *child, const char *program, char *const arguments[], struct error *error);
/* One word, and a file that goes along (-1: none). False when nobody listens. */
bool child_send(int socket, uint32_t word, int file);
/* The next word, and the file that came with it (-1: none; NULL: not wanted). seconds below 0: without end. */
enum child_event child_hear(int socket, double seconds, uint32_t *word, int *file);
/* Ends the process if it has not, and says how it went: "ended by signal 11 (Segmentation fault)". */
void child_stop(struct child *child, char *how, int size);
#endif
