#include "report/page.h"
#include "base/base64.h"
#include "base/file.h"
#include "base/mangled.h"
#include "base/markup.h"
#include "base/words.h"
#include "model/explain.h"
#include "report/mistake.h"
#include "report/report.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Colours are those of the window, light and dark. */
static const char style[] =
    ":root{color-scheme:light dark;--text:#1a1d21;--dim:#5f6672;--back:#fff;--card:#f5f7f9;--line:#d5dae1;"
    "--good:#0b4f78;--bad:#c22a0c}"
    "@media(prefers-color-scheme:dark){:root{--text:#e7eaf0;--dim:#a3abb8;--back:#15181d;--card:#1d2127;"
    "--line:#3a414c;--good:#8fb6ff;--bad:#ff9f6b}}"
    "body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 'Noto Sans',system-ui,sans-serif}"
    "main{max-width:1100px;margin:0 auto;padding:24px}"
    "h1{font-size:1.7em;margin:.2em 0}h2{font-size:1.25em;margin:1.6em 0 .4em}h3{font-size:1em;margin:.2em 0}"
    "p{margin:.3em 0}.dim{color:var(--dim)}.good{color:var(--good)}.bad{color:var(--bad)}"
    ".verdict{font-size:1.4em;font-weight:bold}"
    "li{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:8px 14px;margin:8px 0}"
    "table{border-collapse:collapse}td,th{padding:2px 14px 2px 0;text-align:left;border-bottom:1px solid var(--line)}"
    "td.n,th.n{text-align:right;white-space:nowrap}code,pre{font:14px/1.45 'JetBrains Mono',ui-monospace,monospace}"
    "pre{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:10px 14px;overflow-x:auto}"
    "figure{margin:18px 0}figure svg{width:100%;height:auto;border:1px solid var(--line);background:#fff}"
    "@media(max-width:600px){main{padding:14px;overflow-wrap:anywhere}ol{padding-left:1.4em}table{display:block;"
    "overflow-x:auto}}"
    "@media print{main{max-width:none}figure{break-inside:avoid}pre{white-space:pre-wrap;overflow-wrap:anywhere}}";

/* Of the window, which page.js finds by the names of the elements. */
static const char window_style[] =
    ".window{position:relative;display:flex;flex-direction:column;height:min(76vh,720px);min-height:420px;border:1px "
    "solid var(--line);margin:12px 0}"
    "#window{display:block;width:100%;flex:1 1 0;min-height:0;outline-offset:2px;touch-action:pan-x pan-y pinch-zoom}"
    "#said,#working{position:absolute;left:0;right:0;margin:0;padding:.5em 1em;background:var(--card);bottom:0}"
    "#said.line{position:static}#working{bottom:auto;top:0;text-align:center}#said[hidden],#working[hidden]{display:"
    "none}#working "
    "button{font:inherit}"
    "#mirror{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:pre-line}"
    "@media(min-width:1200px){.window{margin:12px calc(570px - 48vw)}}@media(min-width:1500px){.window{margin:12px "
    "-150px}}"
    "@media print{.window{display:none}}";

bool report_window_read(char *text, struct report_window *window)
{
    static const char begin[] = "sha256-",
                      letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
    size_t const length = strcspn(text, "\n");
    if (strncmp(text, begin, sizeof begin - 1) != 0 || text[length] != '\n' ||
        strspn(text + sizeof begin - 1, letters) != length - (sizeof begin - 1))
        return false;
    text[length] = '\0';
    *window = (struct report_window){.hash = text, .text = text + length + 1};
    return true;
}

/* Writes <tag class="...">text</tag>; class: NULL: none. */
static void element(FILE *out, const char *tag, const char *class, const char *text)
{
    fprintf(out, "<%s", tag);
    if (class)
        fprintf(out, " class=\"%s\"", class);
    fputc('>', out);
    markup_put(out, text);
    fprintf(out, "</%s>\n", tag);
}

static struct report findings_of(const struct report_page *page)
{
    const struct run *run = page->run ? page->run->run : NULL;
    return (struct report){.trace = page->trace,
                           .looked_known = run != NULL,
                           .looked = run ? run->counted : (struct launch_blocks){0, 0},
                           .causes = page->run ? page->run->causes : NULL};
}

/* Writes a finding as an item of the list. launch: its launch in a program; "": none. */
static void put_finding(FILE *out, struct arena *arena, const struct report *report, uint32_t index, uint32_t number,
                        const char *launch)
{
    struct report_row const row = report_row(arena, report, index);
    fprintf(out, "<li id=\"finding-%u\">", number);
    element(out, "h3", "bad", row.title);
    element(out, "p", "dim", *launch ? arena_format(arena, "%s · %s", launch, row.place) : row.place);
    element(out, "p", NULL, report_message(arena, REPORT_TRANSLATED, report_finding(report, index)));
    if (row.advice)
        element(out, "p", "good", row.advice);
    fputs("</li>\n", out);
}

static const char *launch_words(struct arena *arena, const struct program_launch *launch)
{
    return arena_format(arena, _("launch %" PRIu64 ": %s"), launch->number, launch->kernel);
}

/* Writes the findings of a program's launch, if its trace was kept. Returns the number of the last item. */
static uint32_t put_launch_findings(FILE *out, struct arena *arena, const struct report_page *page,
                                    const struct program_launch *launch, uint32_t number)
{
    struct error error;
    struct trace *trace;
    if (!(launch->faults + launch->hazards) || !program_launch_trace(launch, &trace, &error))
        return number;
    struct report const report = {.trace = trace,
                                  .looked_known = true,
                                  .looked = LAUNCH_ALL_BLOCKS,
                                  .causes = causes_find(arena, page->program->run, launch, trace)};
    for (uint32_t i = 0; i < report_count(&report); i++)
        put_finding(out, arena, &report, i, ++number, launch_words(arena, launch));
    trace_free(trace);
    return number;
}

static void put_mistake(FILE *out, struct arena *arena, const struct mistake *mistake, uint32_t number)
{
    const char *error = report_mistake_error(arena, REPORT_TRANSLATED, mistake);
    fprintf(out, "<li id=\"finding-%u\">", number);
    element(out, "h3", "bad", report_mistake_title(REPORT_TRANSLATED, mistake));
    element(out, "p", "dim",
            arena_format(arena, "%s:%d", *mistake->at.file ? mistake->at.file : "?", mistake->at.line));
    element(out, "p", NULL, report_mistake(arena, REPORT_TRANSLATED, mistake));
    if (error)
        element(out, "p", NULL, error);
    element(out, "p", "good", report_mistake_advice(arena, REPORT_TRANSLATED, mistake));
    fputs("</li>\n", out);
}

/* The verdict of a program: the findings of its launches, each with its lines, and the mistakes of its host code. */
static void put_program_verdict(FILE *out, struct arena *arena, const struct report_page *page)
{
    const struct program_run *run = page->program->run;
    uint32_t count = run->mistake_count, number = 0;
    bool const ended = run->end == PROGRAM_EXITED && run->status == 0;
    for (uint32_t i = 0; i < run->launch_count; i++)
        count += run->launches[i].faults + run->launches[i].hazards;
    element(out, "h2", NULL, _("Verdict"));
    if (count)
        element(out, "p", "verdict bad", arena_format(arena, _("Findings: %u"), count));
    else if (ended && !run->device)
        element(out, "p", "verdict good", _("Nothing found"));
    if (!ended)
        element(out, "p", "verdict bad", _("The program did not end well: see the whole report."));
    if (!count)
        return;
    element(out, "h2", NULL, _("Findings"));
    fputs("<ol>\n", out);
    for (uint32_t i = 0; i < run->launch_count; i++)
        number = put_launch_findings(out, arena, page, &run->launches[i], number);
    for (uint32_t i = 0; i < run->mistake_count; i++)
        put_mistake(out, arena, &run->mistakes[i], ++number);
    fputs("</ol>\n", out);
    if (number < count)
        element(out, "p", "dim", _("The first of a kernel's launches show theirs; the others are only counted."));
}

static void put_verdict(FILE *out, struct arena *arena, const struct report_page *page)
{
    struct report const report = findings_of(page);
    uint32_t const count = report_count(&report);
    const struct run *run = page->run ? page->run->run : NULL;
    element(out, "h2", NULL, _("Verdict"));
    if (count)
        element(out, "p", "verdict bad", arena_format(arena, _("Findings: %u"), count));
    if (run && run->check.checked && !run->check.right)
        element(out, "p", "verdict bad",
                arena_format(arena, _("Wrong result: %s[%" PRIu64 "] is %.9g, the host computed %.9g"), run->check.name,
                             run->check.index, run->check.got, run->check.expected));
    if (!count && run && run->executor == EXECUTOR_EMULATOR)
        element(out, "p", "verdict good", _("Nothing found"));
    else if (!count)
        element(out, "p", "dim", _("No finding is recorded here."));
    if (run && run->check.checked && run->check.right)
        element(out, "p", "good", _("The results equal the host's."));
    if (!count)
        return;
    element(out, "h2", NULL, _("Findings"));
    fputs("<ol>\n", out);
    for (uint32_t i = 0; i < count; i++)
        put_finding(out, arena, &report, i, i + 1, "");
    fputs("</ol>\n", out);
}

static void put_counters(FILE *out, struct arena *arena, const struct report_page *page)
{
    struct counter *counters;
    size_t const count = counts_counters(page->counts, page->trace->sites, arena, &counters);
    element(out, "h2", NULL, _("Counters"));
    if (page->launch)
        element(out, "p", NULL, launch_words(arena, page->launch));
    element(out, "p", "dim",
            _("Names with two underscores are those of Nsight Compute; the profiler counts the machine code, this is "
              "the PTX."));
    fputs("<table>\n", out);
    for (size_t i = 0; i < count; i++) {
        if (!counters[i].value)
            continue;
        fputs("<tr><td><code>", out);
        markup_put(out, counters[i].name);
        fprintf(out, "</code></td><td class=\"n\">%s</td></tr>\n", words_count(arena, counters[i].value));
    }
    fputs("</table>\n", out);
}

static void put_explanations(FILE *out, struct arena *arena, const struct report_page *page)
{
    const struct explain *explain = page->run ? report_explain_run(arena, page->run->run, page->run->gpu)
                                              : explain_new(arena, page->trace, page->counts, page->caches, NULL);
    bool any = false;
    element(out, "h2", NULL, _("What is wasted, and why"));
    if (page->launch)
        element(out, "p", NULL, launch_words(arena, page->launch));
    if (explain->cached)
        element(out, "p", "dim", report_explain_order());
    for (size_t i = 0; i < explain->count; i++) {
        const struct explanation *item = &explain->items[i];
        if (!item->blamed)
            continue;
        fputs(any ? "<li>" : "<ol>\n<li>", out);
        any = true;
        element(out, "h3", NULL, report_explain_title(REPORT_TRANSLATED, item->kind));
        element(out, "p", "dim",
                arena_format(arena, "%s · %s", report_explain_place(arena, REPORT_TRANSLATED, item),
                             report_explain_cost(arena, REPORT_TRANSLATED, item)));
        element(out, "p", NULL, report_explain(arena, REPORT_TRANSLATED, item));
        element(out, "p", "good", report_explain_remedy(arena, REPORT_TRANSLATED, item));
        element(out, "p", "dim", arena_format(arena, _("Lesson: %s"), explain_lesson(item->kind)));
        fputs("</li>\n", out);
    }
    fputs(any ? "</ol>\n" : "", out);
    if (!any)
        element(out, "p", NULL, _("Nothing that matters."));
}

static void put_report(FILE *out, const struct report_page *page)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = page->run || page->program ? open_memstream(&text, &size) : NULL;
    if (!memory)
        return;
    if (page->program)
        report_program_text(memory, page->program);
    else
        report_run_text(memory, page->run);
    if (fclose(memory) == 0) {
        element(out, "h2", NULL, _("The whole report"));
        element(out, "pre", NULL, text);
    }
    free(text);
}

/* Writes an attribute, whose value a browser reads as it is. */
static void attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    markup_put(out, value);
    fputc('"', out);
}

/* Writes the elements that page.js takes over. Where scripts do not run, a sentence stays. */
static void put_window(FILE *out, struct arena *arena, const struct report_page *page)
{
    element(out, "h2", NULL, _("Window"));
    if (page->launch)
        element(out, "p", NULL, launch_words(arena, page->launch));
    if (!page->window) {
        element(out, "p", "dim",
                _("There is no window in this file to play the run: it was written by a Lanescope without its page for "
                  "browsers (./run web builds it)."));
        return;
    }
    element(out, "p", "dim",
            _("It plays the run: ← and → step, Space plays, ? lists the keys, which work after a click into it. "
              "#access=41 behind this file's address opens access 41."));
    fputs("<div class=\"window\">\n<canvas id=\"window\" tabindex=\"0\" role=\"application\" aria-label=\"Lanescope\" "
          "aria-describedby=\"mirror\"",
          out);
    if (page->window->link)
        attribute(out, "data-link", page->window->link);
    else
        attribute(out, "data-name",
                  path_ends_with(page->target, ".trace") ? page->target
                                                         : arena_format(arena, "%s.trace", page->target));
    fputs("></canvas>\n", out);
    fputs("<div id=\"working\" role=\"alert\" hidden><span></span> <button type=\"button\"></button></div>\n", out);
    fputs("<p id=\"said\">", out);
    markup_put(out, _("The window appears when this browser runs scripts."));
    fputs("</p>\n<div id=\"mirror\" aria-live=\"polite\"></div>\n"
          "<input id=\"chooser\" type=\"file\" accept=\".ptx,.cu,.trace\" multiple hidden>\n</div>\n",
          out);
}

void report_page_begin(FILE *out, const struct report_page *page)
{
    struct arena arena = {0};
    const struct trace *trace = page->trace;
    const uint32_t *g = trace->grid, *b = trace->block;
    const char *kernel = mangled_name(&arena, trace->kernel);
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'",
            words_language() == WORDS_KOREAN ? "ko" : "en");
    if (page->window)
        fprintf(out, "; script-src '%s' 'wasm-unsafe-eval'; worker-src blob:", page->window->hash);
    fputs("\">\n<title>", out);
    markup_put(out, arena_format(&arena, "%s · Lanescope", kernel));
    fprintf(out, "</title>\n<style>%s%s</style>\n</head>\n<body>\n<main>\n", style, page->window ? window_style : "");
    element(out, "p", "dim", page->target);
    element(out, "h1", NULL, kernel);
    element(out, "p", NULL,
            arena_format(&arena, _("grid %u x %u x %u, block %u x %u x %u, shared memory %u B"), g[0], g[1], g[2], b[0],
                         b[1], b[2], trace->shared_bytes));
    element(out, "p", "dim",
            trace->device[0] ? arena_format(&arena, _("recorded on %s"), trace->device) : _("run on the emulator"));
    if (page->program)
        put_program_verdict(out, &arena, page);
    else
        put_verdict(out, &arena, page);
    put_explanations(out, &arena, page);
    put_counters(out, &arena, page);
    put_report(out, page);
    put_window(out, &arena, page);
    element(out, "h2", NULL, _("Pictures"));
    arena_free(&arena);
}

/* Writes an SVG's element; its clips get names of their own, for a page holds several pictures. */
static void put_svg(FILE *out, const char *svg, int number)
{
    static const char *const names[] = {"id=\"clip", "url(#clip"};
    const char *at = strstr(svg, "<svg");
    while (at && *at) {
        const char *next = NULL;
        size_t length = 0;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const char *found = strstr(at, names[i]);
            if (found && (!next || found < next)) {
                next = found;
                length = strlen(names[i]) - strlen("clip");
            }
        }
        if (!next) {
            fputs(at, out);
            return;
        }
        fwrite(at, 1, (size_t)(next - at) + length, out);
        fprintf(out, "p%d", number);
        at = next + length;
    }
}

void report_page_picture(FILE *out, const char *svg, int number, const char *reopen)
{
    fprintf(out, "<figure id=\"picture-%d\">\n", number);
    put_svg(out, svg, number);
    fputs("<figcaption class=\"dim\"><code>", out);
    markup_put(out, reopen ? reopen : "");
    fputs("</code></figcaption>\n</figure>\n", out);
}

void report_page_end(FILE *out, const struct report_page *page, unsigned left_out, const uint8_t *trace, size_t size,
                     const char *file)
{
    struct arena arena = {0};
    if (left_out)
        element(out, "p", "dim", arena_format(&arena, _("Pictures left out: %u"), left_out));
    element(out, "h2", NULL, _("Open it again"));
    element(out, "p", NULL,
            _("This file holds the trace. Lanescope opens it, plays it, and compares it with another:"));
    element(out, "pre", NULL, arena_format(&arena, "lanescope %s", file));
    fputs("</main>\n" TRACE_PAGE_BEGIN "\n", out);
    base64_write(out, trace, size);
    fputs("\n" TRACE_PAGE_END "\n", out);
    if (page->window)
        fputs(page->window->text, out);
    fputs("</body>\n</html>\n", out);
    arena_free(&arena);
}
