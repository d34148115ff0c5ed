/* Interface text goes through gettext. The English text is the key; assets/locale/LANG.po holds the translations.
 * Without a chosen language (in a test, or in JSON for a script) every text stays English. */
#ifndef LANESCOPE_BASE_WORDS_H
#define LANESCOPE_BASE_WORDS_H
#include <libintl.h>
#define WORDS_DOMAIN "lanescope"
#define _(text) dgettext(WORDS_DOMAIN, text)
#define N_(text) text /* marks text in tables; _() translates it where it is shown */
#endif
