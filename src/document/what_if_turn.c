/* Turning the knobs of the program on screen. */
#include "base/words.h"
#include "document/document.h"
#include "document/program.h"

static void run_with(struct document *document, const char *name, long long value)
{
    notice_clear_passing(document->notice);
    if (document->worker->start)
        notice_pass(document->notice, _("%s = %lld: it is compiled and run again"), name, value);
    document_rerun_program(document);
}

void document_set_value(struct document *document, int knob, int index)
{
    struct what_if *what_if = &document->program->what_if;
    long long values[WHAT_IF_VALUES];
    int at;
    if (knob < 0 || knob >= (int)what_if->knobs.count)
        return;
    const struct source_knob *chosen = &what_if->knobs.items[knob];
    int const count = what_if_values(what_if, chosen, values, &at);
    what_if->current = knob;
    if (index < 0 || index >= count || index == at)
        return;
    what_if_set(what_if, chosen, values[index]);
    run_with(document, chosen->name, values[index]);
}

void document_turn_value(struct document *document, int direction)
{
    const struct what_if *what_if = &document->program->what_if;
    long long values[WHAT_IF_VALUES];
    int at;
    if (!what_if->knobs.count)
        return;
    what_if_values(what_if, &what_if->knobs.items[what_if->current], values, &at);
    document_set_value(document, what_if->current, at + direction);
}

void document_next_value(struct document *document, int direction)
{
    struct what_if *what_if = &document->program->what_if;
    int const count = (int)what_if->knobs.count;
    if (count)
        what_if->current = (what_if->current + direction + count) % count;
}

void document_own_values(struct document *document)
{
    struct what_if *what_if = &document->program->what_if;
    if (!what_if->turn_count)
        return;
    what_if->turn_count = 0;
    document_rerun_program(document);
}
