/* Errors are values: what happened, where, and what to do about it. Functions that can fail return bool and fill the
 * caller's struct error when they return false. Nothing below `cli` and `app` prints or exits. Formats are written in
 * English and told in the user's language: see base/words.h. */
#ifndef LANESCOPE_BASE_ERROR_H
#define LANESCOPE_BASE_ERROR_H
#include <stdbool.h>

enum error_kind {
    ERROR_NONE,
    ERROR_INPUT,   /* the command line, a file or the kernel's source is wrong: exit status 2 */
    ERROR_MISSING, /* this machine lacks what was asked for: exit status 3 */
    ERROR_RUN      /* the run itself found a fault: exit status 1 */
};

struct error {
    enum error_kind kind;
    int line, column;  /* 1-based; 0 when the error has no place in a file */
    char file[256];    /* "" when the error has no file */
    char message[512]; /* one sentence, no full stop at the end */
    char remedy[256];  /* what the user can do; "" when the message already says it */
};

/* Fill an error (which may be NULL) and give false, so that a function can end with `return error_set(...)`. Macros, so
 * that what reads the calling code, the compiler and clang-tidy, sees that it is always false:
 *   error_set(error, kind, format, ...)
 *   error_at(error, kind, file, line, column, format, ...)
 *   error_remedy(error, format, ...)    adds the remedy to an error that is already set */
#define error_set(error, kind, ...) error_told(error_fill(error, kind, __VA_ARGS__))
#define error_at(error, kind, file, line, column, ...)                                                                 \
    error_told(error_fill_at(error, kind, file, line, column, __VA_ARGS__))
#define error_remedy(error, ...) error_told(error_fill_remedy(error, __VA_ARGS__))

bool error_fill(struct error *error, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool error_fill_at(struct error *error, enum error_kind kind, const char *file, int line, int column,
                   const char *format, ...) __attribute__((format(printf, 6, 7)));
bool error_fill_remedy(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline bool error_told(bool told)
{
    (void)told;
    return false;
}

/* "file:line:column: message; remedy" into text. Returns text. */
const char *error_line(const struct error *error, char *text, int size);
#endif
