/* Where the user is in the glossary: the card of a word of the step, and the screen of all terms. */
#ifndef LANESCOPE_SCREEN_LOOKUP_H
#define LANESCOPE_SCREEN_LOOKUP_H
#include "lesson/glossary.h"

enum { LOOKUP_TYPED = 24 };

struct lookup {
    bool open;                /* the screen of all terms covers what was there */
    uint32_t chosen;          /* its term on screen, an index */
    char typed[LOOKUP_TYPED]; /* the list has the terms that this leads to; "": all */
    uint32_t term;            /* whose card is open on the step, an index + 1; 0: none */
    int walk;                 /* the step's words are drawn first, then the card of the first (1) or last (-1) opens */
    bool fresh;               /* the card was opened since the last frame: its word is scrolled into sight */
};

/* Returns the number of terms in the list, and puts their indices into the arena, in the order of the language. */
uint32_t lookup_list(const struct glossary *glossary, const struct lookup *lookup, enum language language,
                     struct arena *arena, uint32_t **out);
/* Returns what was typed, as the user sees it: Latin letters, in Korean with the consonants on the same keys. */
const char *lookup_typed(const struct lookup *lookup, enum language language, struct arena *arena);
#endif
