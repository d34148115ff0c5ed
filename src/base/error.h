/* Errors are values: a message, its place and a remedy. A function that can fail returns bool; when it returns false it
 * has filled the caller's struct error. Only `cli` and `app` print or exit. Formats are written in English and
 * translated when the error is filled (base/words.h). */
#ifndef LANESCOPE_BASE_ERROR_H
#define LANESCOPE_BASE_ERROR_H
#include <stdbool.h>

enum error_kind {
    ERROR_NONE,
    ERROR_INPUT,   /* the command line, a file or the kernel's source is wrong: exit status 2 */
    ERROR_MISSING, /* this computer lacks a requested device, tool or library: exit status 3 */
    ERROR_RUN      /* the run itself failed or found a fault: exit status 1 */
};

struct error {
    enum error_kind kind;
    int line, column;  /* 1-based; 0 when the error has no place in a file */
    char file[256];    /* "" when the error has no file */
    char field[96];    /* of the file, as "beats.3.at"; "" when it is about none */
    char message[512]; /* one sentence without a full stop */
    char remedy[256];  /* advice for the user; "" when the message already contains it */
};

/* Each macro fills an error (which may be NULL) and is always false, so that a function can end with `return
 * error_set(...)`. They are macros so that the compiler and clang-tidy see the constant result in the caller:
 *   error_set(error, kind, format, ...)
 *   error_at(error, kind, file, line, column, format, ...)
 *   error_field(error, format, ...)     names the field that an error already set is about
 *   error_remedy(error, format, ...)    adds the remedy to it */
#define error_set(error, kind, ...) error_told(error_fill(error, kind, __VA_ARGS__))
#define error_at(error, kind, file, line, column, ...)                                                                 \
    error_told(error_fill_at(error, kind, file, line, column, __VA_ARGS__))
#define error_field(error, ...) error_told(error_fill_field(error, __VA_ARGS__))
#define error_remedy(error, ...) error_told(error_fill_remedy(error, __VA_ARGS__))

bool error_fill(struct error *error, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool error_fill_at(struct error *error, enum error_kind kind, const char *file, int line, int column,
                   const char *format, ...) __attribute__((format(printf, 6, 7)));
bool error_fill_field(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool error_fill_remedy(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline bool error_told(bool told)
{
    (void)told;
    return false;
}

/* Writes "field 'beats.3.at': message" into `text` of `size` bytes, or the message of an error without a field. Returns
 * text. */
const char *error_problem(const struct error *error, char *text, int size);
/* Writes the same between the place and the remedy, "file:line:column: field 'x': message; remedy", without the parts
 * that are absent. Returns text. */
const char *error_line(const struct error *error, char *text, int size);
#endif
