/* Interface words go through gettext: the English text is the key, assets/locale/LANG.po holds the rest. */
#ifndef LANESCOPE_VIEW_WORDS_H
#define LANESCOPE_VIEW_WORDS_H
#include <libintl.h>
#define WORDS_DOMAIN "lanescope"
#define _(text) dgettext(WORDS_DOMAIN, text)
#define N_(text) text /* for tables: looked up where it is shown */
#endif
