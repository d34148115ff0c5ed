/* A launch for a kernel's file that comes without one, or with a part of one: see guess.c. */
#ifndef LANESCOPE_RUN_GUESS_H
#define LANESCOPE_RUN_GUESS_H
#include "run/file.h"

enum launch_origin { LAUNCH_SAID, LAUNCH_FROM_SOURCE, LAUNCH_REQUIRED, LAUNCH_GUESSED };
struct launch_guess {
    bool any;                       /* some part of the launch is a guess */
    enum launch_origin grid, block; /* SAID: by the user, or a default; REQUIRED: by the kernel */
    unsigned shared;                /* bytes of shared memory that are guessed */
    unsigned elements;              /* of the guessed arrays; 0: there is none */
    uint32_t line;                  /* of the launch in the source; 0: there is none */
    const char *const *names;       /* of all parameters; NULL: not known */
    const char *taken, *guessed;    /* parameters: with numbers of that launch, and guessed; "a, b" */
};
/* Completes a launch from the comment `// lanescope: --grid 4 ...` of the source. Without arguments, these and what
 * else is missing are taken from a launch in the source or guessed, and *guess says which. Strings are in the arena. */
bool launch_guess(struct arena *arena, struct run_file_request *request, struct launch_guess *guess,
                  struct error *error);
/* Does the same for a module that is loaded, without the comment. source: its text, "" where there is none. */
void launch_guess_of(struct arena *arena, struct run_file_request *request, const struct ptx_module *module,
                     const char *source, struct launch_guess *guess);
/* Returns what is guessed, and what the source gives: "Guessed: a, b; arrays of 992 elements." */
const char *launch_guess_words(struct arena *arena, const struct launch_guess *guess);
#endif
