/* Reads tests/silicon line by line: counts from an H200. */
#ifndef LANESCOPE_TESTS_SILICON_TABLE_H
#define LANESCOPE_TESTS_SILICON_TABLE_H
#include "base/arena.h"
#include "base/file.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words of a line up to the colon ("" beyond word_count), and the numbers after it. */
enum { SILICON_WORDS_MAX = 64, SILICON_COUNTS_MAX = 32 };
struct silicon_row {
    const char *words[SILICON_WORDS_MAX];
    size_t word_count;
    uint64_t counts[SILICON_COUNTS_MAX];
    size_t count_count;
};

/* Returns a family's text, to be read with silicon_next, or NULL when there is none. */
static inline char *silicon_open(struct arena *arena, const char *family)
{
    char *text = NULL, path[128];
    struct error error = {0};
    snprintf(path, sizeof path, "silicon/%s.txt", family); /* tests run in the folder tests/ */
    return file_read(arena, path, &text, NULL, &error) ? text : NULL;
}

/* Cuts the next row out of the text. Returns false at the end. */
static inline bool silicon_next(char **text, struct silicon_row *row)
{
    *row = (struct silicon_row){0};
    for (size_t i = 0; i < SILICON_WORDS_MAX; i++)
        row->words[i] = "";
    while (**text == '#') {
        *text += strcspn(*text, "\n");
        *text += **text == '\n';
    }
    char *end = *text + strcspn(*text, "\n");
    char *next = end + (*end == '\n'), *rest = NULL;
    *end = 0;
    bool counts = false;
    for (char *word = strtok_r(*text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (strcmp(word, ":") == 0)
            counts = true;
        else if (counts && row->count_count < SILICON_COUNTS_MAX)
            row->counts[row->count_count++] = strtoull(word, NULL, 10);
        else if (!counts && row->word_count < SILICON_WORDS_MAX)
            row->words[row->word_count++] = word;
    }
    *text = next;
    return row->word_count != 0;
}
#endif
