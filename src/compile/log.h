/* The first error in the log of a compiler or a linker. */
#ifndef LANESCOPE_COMPILE_LOG_H
#define LANESCOPE_COMPILE_LOG_H
#include "base/error.h"

/* Why a compilation failed, for advice that depends on it. */
struct log_cause {
    enum {
        LOG_OTHER,
        LOG_NO_FILE,      /* an included file does not exist */
        LOG_NO_NAME,      /* nothing declares a name of the program */
        LOG_NO_DEFINITION /* the linker finds no definition; the error has no place then */
    } kind;
    char name[128]; /* of the file, name or function, "" for LOG_OTHER */
};

/* Fills error with the first error that has a place, and the cause (NULL: not wanted). Returns false when the log has
 * none. path and text are those of the compiled source: a place in it gets the path, and its column where the log has a
 * caret alone. */
bool log_first_error(const char *path, const char *text, const char *log, struct log_cause *cause, struct error *error);
#endif
