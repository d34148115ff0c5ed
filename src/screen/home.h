/* The first screen: what it offers, in its order. The lessons come first, then what is the user's own. */
#ifndef LANESCOPE_SCREEN_HOME_H
#define LANESCOPE_SCREEN_HOME_H
#include "screen/cards.h"

enum home_kind { HOME_LESSON, HOME_OPEN, HOME_SAMPLE, HOME_RECENT };
struct home_item {
    enum home_kind kind;
    int index; /* of a lesson, a sample, a file opened lately */
};
size_t home_count(const struct cards *cards);
struct home_item home_item(const struct cards *cards, size_t at);
/* Returns the lesson to go on with: the one that was open last or, if that was left on its last step, the next
 * unfinished one; else the first one that can be opened. */
size_t home_go_on(const struct cards *cards);

/* Kernels to try, in assets/samples: each with a mistake that shows at once. */
enum { HOME_SAMPLES = 3 };
struct home_sample {
    const char *file, *title, *words; /* title, words: in English; _() translates them */
    int access;                       /* the access that shows it; 0: the finding does */
};
extern const struct home_sample home_samples[HOME_SAMPLES];
#endif
