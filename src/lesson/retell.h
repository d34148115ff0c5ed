/* Sentences that a trace, a recording or a script's JSON keeps in English, told again in the user's language: findings
 * of the emulator, what was timed. */
#ifndef LANESCOPE_LESSON_RETELL_H
#define LANESCOPE_LESSON_RETELL_H
#include "base/arena.h"

/* In the arena, or the sentence itself where the catalogue does not have it. */
const char *retell(struct arena *arena, const char *sentence);
#endif
