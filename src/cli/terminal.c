/* Names and texts of files that strangers wrote reach the terminal without their control characters, which could
 * rewrite what it shows. A pipe or a file gets every byte as it is. */
#include "cli/cli.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct terminal {
    int file;
    bool upper; /* the last byte was 0xC2, after which 128 to 159 are control characters, too */
};

static bool put(int file, const char *bytes, size_t size)
{
    while (size) {
        ssize_t const done = write(file, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

static ssize_t write_clean(void *cookie, const char *bytes, size_t size)
{
    struct terminal *terminal = cookie;
    char clean[1024];
    for (size_t at = 0; at < size;) {
        size_t count = 0;
        for (; at < size && count < sizeof clean; at++) {
            unsigned char const c = (unsigned char)bytes[at];
            bool const control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
            clean[count++] = control || (terminal->upper && c >= 0x80 && c < 0xA0) ? '?' : bytes[at];
            terminal->upper = c == 0xC2;
        }
        if (!put(terminal->file, clean, count))
            return 0;
    }
    return (ssize_t)size;
}

static void guard(FILE **stream, struct terminal *terminal, int buffering)
{
    FILE *guarded =
        isatty(terminal->file) ? fopencookie(terminal, "w", (cookie_io_functions_t){.write = write_clean}) : NULL;
    if (!guarded)
        return;
    setvbuf(guarded, NULL, buffering, BUFSIZ);
    *stream = guarded;
}

void terminal_guard(void)
{
    static struct terminal output = {.file = STDOUT_FILENO}, errors = {.file = STDERR_FILENO};
    guard(&stdout, &output, _IOLBF);
    guard(&stderr, &errors, _IONBF);
}

void terminal_clear_line(void)
{
    static const char clear[] = "\r\033[K";
    fflush(stderr);
    put(STDERR_FILENO, clear, sizeof clear - 1);
}
