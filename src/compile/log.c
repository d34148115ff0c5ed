/* Finds the first error in a compiler's log.
 *   NVRTC:  banks.cu(4): error: identifier "y" is undefined      clang:  banks.cu:4:9: error: use of undeclared ...
 *             a[0] = y;
 *                    ^     (the caret gives the column)
 * The message is the text after "error". NVRTC may put a number between them (error #20-D:). */
#include "compile/log.h"
#include "base/file.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    const char *text;
    size_t length;
};

static struct line line_at(const char *text)
{
    return (struct line){text, strcspn(text, "\n")};
}

static struct line line_after(struct line line)
{
    return line_at(line.text + line.length + (line.text[line.length] == '\n'));
}

static const char *find_in(struct line line, const char *word)
{
    return memmem(line.text, line.length, word, strlen(word));
}

/* Returns the start of ": error", ": fatal error" or ": catastrophic error", which follows the place; NULL when absent.
 * message is the text after it. */
static const char *find_severity(struct line line, const char **message)
{
    static const char *const words[] = {": error", ": fatal error", ": catastrophic error"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = find_in(line, words[i]);
        if (!at)
            continue;
        const char *rest = at + strlen(words[i]), *end = line.text + line.length;
        if (rest < end && *rest == ' ') /* " #20-D" */
            while (rest < end && *rest != ':')
                rest++;
        if (rest >= end || *rest != ':')
            continue;
        *message = rest + 1 + strspn(rest + 1, " ");
        return at;
    }
    return NULL;
}

/* Reads "file(4)" or "file:4:9" before the severity. Returns false when there is no line number. */
static bool read_place(const char *start, const char *end, struct error *error)
{
    const char *file_end = NULL;
    if (end > start && end[-1] == ')') {
        for (file_end = end - 1; file_end > start && *file_end != '(';)
            file_end--;
        error->line = atoi(file_end + 1);
    } else {
        const char *colon = end;
        int numbers[2] = {0, 0}, count = 0;
        while (count < 2) {
            const char *digits = colon;
            while (digits > start && isdigit((unsigned char)digits[-1]))
                digits--;
            if (digits == colon || digits == start || digits[-1] != ':')
                break;
            numbers[count++] = atoi(digits);
            colon = digits - 1;
        }
        if (count == 0)
            return false;
        error->line = numbers[count - 1];
        error->column = count == 2 ? numbers[0] : 0;
        file_end = colon;
    }
    snprintf(error->file, sizeof error->file, "%.*s", (int)(file_end - start), start);
    return error->line > 0;
}

static size_t blanks(struct line line)
{
    size_t const count = strspn(line.text, " \t");
    return count < line.length ? count : line.length;
}

static struct line source_line(const char *text, int number)
{
    struct line line = line_at(text);
    for (int i = 1; i < number && line.text[line.length]; i++)
        line = line_after(line);
    return line;
}

/* Returns the column from NVRTC's log, or 0. NVRTC repeats the source line, indented, with a caret under the place; the
 * distance from the first word to the caret is the same as in the source. */
static int column_from_caret(const char *text, struct line report, int number)
{
    struct line printed = line_after(report);
    for (int i = 0; i < 8 && printed.length; i++) {
        struct line const caret = line_after(printed);
        size_t const at = blanks(caret);
        if (at < caret.length && caret.text[at] == '^' && at + 1 >= caret.length) {
            struct line const source = source_line(text, number);
            long const column = (long)at - (long)blanks(printed) + (long)blanks(source) + 1;
            return column > 0 ? (int)column : 0;
        }
        printed = caret;
    }
    return 0;
}

/* Copies the text between `opening` and the next of the characters `closing`. */
static void take_name(const char *opening, const char *closing, struct log_cause *cause)
{
    snprintf(cause->name, sizeof cause->name, "%.*s", (int)strcspn(opening, closing), opening);
}

/* clang: 'cub/cub.cuh' file not found      NVRTC: cannot open source file "cub/cub.cuh" */
static struct log_cause cause_of(const char *message)
{
    static const char clang[] = "' file not found", nvrtc[] = "cannot open source file \"";
    struct log_cause cause = {LOG_OTHER, ""};
    const char *name = strstr(message, nvrtc);
    if (name)
        take_name(name + strlen(nvrtc), "\"", &cause);
    else if (*message == '\'' && strstr(message, clang))
        take_name(message + 1, "'", &cause);
    cause.kind = cause.name[0] ? LOG_NO_FILE : LOG_OTHER;
    static const char *const unknown[] = {"use of undeclared identifier '", "unknown type name '",
                                          "no template named '"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (strncmp(message, unknown[i], strlen(unknown[i])) == 0) {
            take_name(message + strlen(unknown[i]), "'", &cause);
            cause.kind = LOG_NO_NAME;
        }
    return cause;
}

static struct log_cause linker_cause(const char *log)
{
    static const char words[] = "undefined reference to `";
    struct log_cause cause = {LOG_OTHER, ""};
    const char *name = strstr(log, words);
    if (!name)
        return cause;
    cause.kind = LOG_NO_DEFINITION;
    take_name(name + strlen(words), "'\n", &cause);
    return cause;
}

bool log_first_error(const char *path, const char *text, const char *log, struct log_cause *cause, struct error *error)
{
    for (struct line line = line_at(log); line.length || line.text[line.length]; line = line_after(line)) {
        const char *message = NULL;
        const char *severity = find_severity(line, &message);
        struct error found = {.kind = ERROR_INPUT};
        if (!severity || !read_place(line.text, severity, &found))
            continue;
        snprintf(found.message, sizeof found.message, "%.*s", (int)(line.text + line.length - message), message);
        if (strcmp(path_name(found.file), path_name(path)) == 0) {
            if (found.column == 0)
                found.column = column_from_caret(text, line, found.line);
            snprintf(found.file, sizeof found.file, "%s", path);
        }
        if (cause)
            *cause = cause_of(found.message);
        if (error)
            *error = found;
        return true;
    }
    if (cause)
        *cause = linker_cause(log);
    return false;
}
