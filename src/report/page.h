/* The report of a run as one HTML file: what ran, the verdict, findings, counters and explanations as text that can be
 * searched and printed, without scripts; then the window, if the page for browsers was built; pictures; and the trace
 * itself, which Lanescope reads again. */
#ifndef LANESCOPE_REPORT_PAGE_H
#define LANESCOPE_REPORT_PAGE_H
#include "report/run.h"
#include <stdio.h>

/* The page for browsers inside the report: what src/platform/web/bundle.py wrote. */
struct report_window {
    const char *hash; /* of its script, for the policy: "sha256-..." */
    const char *text; /* its elements */
    const char *link; /* the place that opens, as app_link has it; NULL: the trace */
};

struct report_page {
    const struct report_run *run;         /* NULL: a trace alone, or a program */
    const struct report_program *program; /* a whole program; NULL: none */
    const struct program_launch *launch;  /* of the program: the trace is its */
    const struct trace *trace;            /* the run's, or the trace */
    const struct counts *counts;          /* of its sites */
    const struct caches *caches;          /* what the L1 held for them; NULL: not known */
    const char *target;                   /* name of the file or lesson that ran */
    const struct report_window *window;   /* NULL: there is none, and a sentence says so */
};
/* Takes the parts of a bundle's text, which the window then refers to. Returns false for any other text. */
bool report_window_read(char *text, struct report_window *window);
/* Writes everything that stands above the pictures, in the user's language. */
void report_page_begin(FILE *out, const struct report_page *page);
/* Writes one picture. svg: the text of an SVG file; number: from 1, its part in the page's names; reopen: the command
 * line that shows the same in a window. */
void report_page_picture(FILE *out, const char *svg, int number, const char *reopen);
/* Writes the bytes of a trace file and ends the page. left_out: pictures that are not there; file: the page's own
 * name. */
void report_page_end(FILE *out, const struct report_page *page, unsigned left_out, const uint8_t *trace, size_t size,
                     const char *file);
#endif
