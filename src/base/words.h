/* Interface text goes through gettext. The English text is the key; assets/locale/LANG.po holds the translations.
 * Without a chosen language (in a test, or in JSON for a script) every text stays English. */
#ifndef LANESCOPE_BASE_WORDS_H
#define LANESCOPE_BASE_WORDS_H
#include "base/arena.h"
#include <libintl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#define WORDS_DOMAIN "lanescope"
#define _(text) dgettext(WORDS_DOMAIN, text)
#define N_(text) text /* marks text in tables; _() translates it where it is shown */

/* The languages of interface text, as lessons and catalogues have them. */
enum words_language { WORDS_ENGLISH, WORDS_KOREAN, WORDS_LANGUAGES };
/* Returns the language that _() translates to. */
enum words_language words_language(void);
/* Returns a word as a shell takes it: in single quotes if it has characters that mean something there. */
const char *words_shell(struct arena *arena, const char *word);
/* Returns whether a text has no control characters but line ends and tabs: others can rewrite what a terminal shows. */
bool words_plain(const char *text);
/* Puts '?' in the place of control characters, except for line ends and tabs. Returns text. */
char *words_clean(char *text);
/* Writes to a stream with the forms of words chosen (base/agree.h), which printf leaves alone. */
void words_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns a number with commas, "1,048,576", in the arena. */
const char *words_count(struct arena *arena, uint64_t value);
/* Returns a number with its unit as the language writes it: "1,024 threads", "1 thread", in Korean with a counter. The
 * number is a text; the unit is English, in the plural. A catalogue translates "%s threads". */
const char *words_unit(struct arena *arena, const char *number, const char *unit);
#endif
