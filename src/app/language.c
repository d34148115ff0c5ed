/* The language of interface strings, changed while the program runs and without a Korean locale installed: GNU's
 * gettext looks at LANGUAGE in any locale but "C", and C.UTF-8 is always there. musl's, which a browser has, looks at
 * the name of the locale, and takes any. */
#include "app/language.h"
#include "app/app.h"
#include "base/file.h"
#include "base/words.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const codes[LANGUAGE_COUNT] = {"en", "ko"};

#ifdef __GLIBC__
/* gettext caches its lookups until this counter changes: see its manual, "Being a gettext grok". */
extern int _nl_msg_cat_cntr;

static void use_catalogue(enum language language)
{
    if (!setlocale(LC_MESSAGES, "C.UTF-8"))
        setlocale(LC_MESSAGES, "en_US.UTF-8");
    setenv("LANGUAGE", codes[language], 1);
    _nl_msg_cat_cntr++;
}
#else
static void use_catalogue(enum language language)
{
    setlocale(LC_MESSAGES, language == LANGUAGE_EN ? "C.UTF-8" : codes[language]);
}
#endif

static void find_catalogues(void)
{
    struct arena arena = {0};
    const char *installed = data_path(&arena, "../locale");
    bool const there = file_exists(arena_format(&arena, "%s/ko/LC_MESSAGES/" WORDS_DOMAIN ".mo", installed));
    bindtextdomain(WORDS_DOMAIN, there ? installed : LANESCOPE_LOCALE_FOLDER);
    bind_textdomain_codeset(WORDS_DOMAIN, "UTF-8");
    arena_free(&arena);
}

/* Returns what LANGUAGE said before this program wrote into it; empty: nothing. */
static const char *language_wished(void)
{
    static char wished[3];
    static bool known;
    const char *value = getenv("LANGUAGE");
    if (!known && value)
        snprintf(wished, sizeof wished, "%.2s", value);
    known = true;
    return wished;
}

void language_use(enum language language)
{
    language_wished();
    setlocale(LC_CTYPE, "C.UTF-8");
    use_catalogue(language);
    find_catalogues();
}

enum language language_of_environment(void)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *wished = language_wished(), *all = getenv("LC_ALL");
    bool const plain = all && (strcmp(all, "C") == 0 || strcmp(all, "POSIX") == 0); /* as scripts ask for English */
    if (*wished && !plain)
        return strncmp(wished, "ko", 2) == 0 ? LANGUAGE_KO : LANGUAGE_EN;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strncmp(value, "ko", 2) == 0 ? LANGUAGE_KO : LANGUAGE_EN;
    }
    return LANGUAGE_EN;
}

const char *app_use_language(const char *code)
{
    enum language language = language_of_environment();
    for (int i = 0; code && i < LANGUAGE_COUNT; i++)
        if (strcmp(code, codes[i]) == 0)
            language = (enum language)i;
    language_use(language);
    return codes[language];
}
