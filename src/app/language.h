/* The language of interface strings: see language.c. */
#ifndef LANESCOPE_APP_LANGUAGE_H
#define LANESCOPE_APP_LANGUAGE_H
#include "lesson/lesson.h"

void language_use(enum language language);
enum language language_of_environment(void);
#endif
