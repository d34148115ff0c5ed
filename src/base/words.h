/* What a person reads goes through gettext: the English text is the key, assets/locale/LANG.po holds the rest. Where no
 * language was chosen (a test, a script's JSON) everything stays as it is written. */
#ifndef LANESCOPE_BASE_WORDS_H
#define LANESCOPE_BASE_WORDS_H
#include <libintl.h>
#define WORDS_DOMAIN "lanescope"
#define _(text) dgettext(WORDS_DOMAIN, text)
#define N_(text) text /* for tables: looked up where it is shown */
#endif
