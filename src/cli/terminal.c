/* Names and texts of files that strangers wrote reach the terminal without their control characters, which could
 * rewrite what it shows. A pipe or a file gets every byte as it is. */
#include "base/file.h"
#include "base/words.h"
#include "cli/cli.h"
#include <stdio.h>
#include <unistd.h>

enum { PROGRESS_AFTER = 1 }; /* seconds: shorter work prints no progress */

struct terminal {
    int file;
    bool upper; /* the last byte was 0xC2, after which 128 to 159 are control characters, too */
};

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
        if (!file_put(terminal->file, clean, count))
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
    file_put(STDERR_FILENO, clear, sizeof clear - 1);
}

bool cli_progress_due(struct cli_progress *progress)
{
    double const now = clock_seconds();
    if (now - progress->begin < PROGRESS_AFTER || now - progress->last < 0.1)
        return false;
    progress->last = now;
    terminal_clear_line();
    return true;
}

void cli_progress_show(struct cli_progress *progress, const char *kernel, const struct executor_progress *at)
{
    if (!cli_progress_due(progress))
        return;
    if (*kernel)
        fprintf(stderr, "%.20s: ", kernel);
    char where[64];
    snprintf(where, sizeof where,
             at->doing == EXECUTOR_POLLS   ? _("line %u polls")
             : at->doing == EXECUTOR_LOOPS ? _("line %u loops")
                                           : _("line %u"),
             at->line);
    fprintf(stderr, _("%.0f %% of %llu blocks; %s, %.0f %% of --budget; %.0f s; Ctrl+C stops"),
            at->blocks ? 100.0 * (double)at->done / (double)at->blocks : 0.0, (unsigned long long)at->blocks, where,
            at->budget ? 100.0 * (double)at->instructions / (double)at->budget : 0.0, progress->last - progress->begin);
}
