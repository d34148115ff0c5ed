/* A file that is written as a whole. It is written under another name beside its own and renamed at the end, so that a
 * full disk, a crash or a second process never leaves half a file, and nobody reads one. */
#ifndef LANESCOPE_BASE_OUTPUT_H
#define LANESCOPE_BASE_OUTPUT_H
#include "base/error.h"
#include <stdio.h>

enum { OUTPUT_PATH_MOST = 4096 };

struct output {
    FILE *stream; /* NULL once another program has taken over `beside` */
    int reason;   /* why not all was written, as in errno; 0 when it was */
    char path[OUTPUT_PATH_MOST], beside[OUTPUT_PATH_MOST];
};

/* Opens a new file beside `path`, in a folder that exists. Refuses a path where something other than a file is: a
 * folder, a device, a pipe, a symbolic link, which is not followed. */
bool output_open(struct output *output, const char *path, struct error *error);
/* Writes bytes. Returns false after a failure, which output_keep tells. */
bool output_write(struct output *output, const void *bytes, size_t size);
/* Closes the stream, so that another program can write the file `beside`. */
bool output_hand_over(struct output *output, struct error *error);
/* Gives the file its name when all of it was written; otherwise removes it and fills the error. */
bool output_keep(struct output *output, struct error *error);
/* Removes what was written. */
void output_drop(struct output *output);
#endif
