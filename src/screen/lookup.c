#include "screen/lookup.h"

uint32_t lookup_list(const struct glossary *glossary, const struct lookup *lookup, enum language language,
                     struct arena *arena, uint32_t **out)
{
    uint32_t count = 0;
    *out = arena_array(arena, uint32_t, (size_t)glossary->count + 1);
    for (uint32_t i = 0; i < glossary->count; i++) {
        uint32_t const term = glossary->sorted[language][i];
        if (glossary_typed(&glossary->terms[term], language, lookup->typed))
            (*out)[count++] = term;
    }
    return count;
}

const char *lookup_typed(const struct lookup *lookup, enum language language, struct arena *arena)
{
    const char *consonants = "";
    for (const char *c = lookup->typed; *c; c++) {
        const char *consonant = glossary_consonant(*c);
        if (language != LANGUAGE_KO || (*c != ' ' && !*consonant)) /* a vowel: a Latin word was meant */
            return lookup->typed;
        consonants = arena_format(arena, "%s%s", consonants, *c == ' ' ? " " : consonant);
    }
    return *consonants ? arena_format(arena, "%s · %s", consonants, lookup->typed) : "";
}
