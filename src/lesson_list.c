/* Usage: lesson_list FOLDER. Writes lessons.json in the folder of data, whose lessons it reads: what the list of
 * lessons of the page for browsers says. It is compiled as the page is and run when the page is built, so that one
 * program reads lessons. */
#include "lesson/brief.h"
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words)
{
    struct arena arena = {0};
    struct lesson_brief *briefs;
    struct error *errors;
    size_t error_count;
    char path[4096], said[600];
    if (count != 2 || setenv("LANESCOPE_DATA", words[1], 1) != 0)
        return 2;
    size_t const briefs_count = lesson_briefs(&arena, &briefs, &errors, &error_count);
    for (size_t i = 0; i < error_count; i++)
        fprintf(stderr, "%s\n", error_line(&errors[i], said, sizeof said));
    char *text = error_count ? NULL : lesson_briefs_text(briefs, briefs_count);
    snprintf(path, sizeof path, "%s/lessons.json", words[1]);
    FILE *file = text ? fopen(path, "w") : NULL;
    bool good = file && fputs(text, file) >= 0;
    good = file && fclose(file) == 0 && good;
    free(text);
    arena_free(&arena);
    return good ? 0 : 1;
}
