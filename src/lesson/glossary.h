/* The terms of the course, read from assets/glossary/terms.md: its head describes the form. The first occurrence of a
 * term in the words of a step is marked, so that the window can explain it there. */
#ifndef LANESCOPE_LESSON_GLOSSARY_H
#define LANESCOPE_LESSON_GLOSSARY_H
#include "lesson/lesson.h"

/* A file above these limits is an error. GLOSSARY_CELL: bytes of one cell. */
enum { GLOSSARY_BYTES = 256 * 1024, GLOSSARY_TERMS = 500, GLOSSARY_CELL = 600 };

struct glossary_term {
    const char *name[LANGUAGE_COUNT];
    const char *said[LANGUAGE_COUNT]; /* what it means */
};
struct glossary {
    struct glossary_term *terms; /* in the order of the file */
    uint32_t count;
    uint32_t *longest[LANGUAGE_COUNT]; /* indices of the terms, the longest name first */
    uint32_t *sorted[LANGUAGE_COUNT];  /* in the alphabet's order */
};

/* Reads the table. On an error the glossary is empty, and the error names the line. */
bool glossary_parse(struct arena *arena, const char *file, const char *text, size_t size, struct glossary *glossary,
                    struct error *error);
/* Reads the installed glossary. */
bool glossary_load(struct arena *arena, struct glossary *glossary, struct error *error);

/* Finds the first term in the text, from byte `from` on: English in the singular or the plural, in any case; Korean
 * with any particle behind it. Where several terms begin, the longest is found. */
struct glossary_match {
    uint32_t term;
    size_t at, length; /* bytes of the text, without a particle */
};
bool glossary_find(const struct glossary *glossary, enum language language, const char *text, size_t from,
                   struct glossary_match *match);
/* Returns the text with each term's first occurrence outside of code as a span of its own, whose `term` is the term's
 * index + 1. `not_this` is the index + 1 of a term that stays unmarked; 0: none. */
struct lesson_text glossary_mark(const struct glossary *glossary, enum language language, struct arena *arena,
                                 const struct lesson_text *text, uint32_t not_this);

/* Returns whether the keys typed so far lead to the term. They are letters of a Latin keyboard, "bank c". The English
 * name has them at the beginning of a word; or, in Korean, the initial consonants of the Korean name are those on the
 * same keys of a Korean keyboard: "qz" is ㅂㅋ, 뱅크. Spaces of the Korean name are skipped. */
bool glossary_typed(const struct glossary_term *term, enum language language, const char *typed);
/* Returns the consonant on the key of a Korean keyboard that has this Latin letter; "" if it has a vowel. */
const char *glossary_consonant(char letter);
/* Returns the initial of a name: a capital letter, or 가 나 다 ... for the consonant of a Hangul syllable. */
const char *glossary_initial(const char *name, struct arena *arena);
#endif
