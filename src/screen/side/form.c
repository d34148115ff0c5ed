#include "screen/side/form.h"
#include "base/words.h"
#include "document/kernel_form.h"
#include "run/kernel_text.h"
#include "view/cards/launch_form.h"
#include <string.h>

enum { ROWS_MAX = 7 };

/* Returns what a field is, for the mouse over it. */
static const char *field_tip(struct arena *arena, const struct form_item *item)
{
    switch (item->knob ? FORM_KINDS : item->field.kind) {
    case FORM_GRID:
        return arena_format(arena, _("blocks of the grid; without a change %s"), item->own);
    case FORM_RULE:
        return _("whether the grid follows the block, so that there are as many threads as without a change");
    case FORM_BLOCK:
        return arena_format(arena, _("threads in a block; without a change %s"), item->own);
    case FORM_TYPE:
        return arena_format(arena, _("type of the numbers; without a change %s"), item->own);
    case FORM_SIZE:
        return arena_format(arena, _("elements of the array; without a change %s"), item->own);
    case FORM_FILL:
        return arena_format(arena, _("what the array holds at first; without a change %s"), item->own);
    case FORM_VALUE:
        return item->field.fixed ? _("a structure: the options of the launch set it, --arg 'struct{...}'")
                                 : arena_format(arena, _("the argument; without a change %s"), item->own);
    case FORM_KINDS:
        break;
    }
    return arena_format(arena, _("line %u; in the file %lld"), item->knob->line, item->knob->value);
}

static const char *field_words(const struct form_item *item)
{
    if (item->knob || item->field.kind != FORM_RULE)
        return item->field.value;
    return strcmp(item->field.value, "covers") == 0 ? _("follows") : _("stays");
}

static const char *row_label(struct arena *arena, const struct form_item *item, const struct source_parameter *named,
                             size_t named_count)
{
    if (item->knob)
        return item->knob->name;
    if (item->field.kind <= FORM_RULE)
        return _("grid");
    if (item->field.kind == FORM_BLOCK)
        return _("block");
    size_t const index = (size_t)item->field.index;
    return named && index < named_count ? named[index].name : arena_format(arena, "arg%zu", index);
}

/* Returns whether two items stand in one row. */
static bool share_row(const struct form_item *a, const struct form_item *b)
{
    if (a->knob || b->knob)
        return false;
    if (a->field.kind <= FORM_BLOCK || b->field.kind <= FORM_BLOCK)
        return (a->field.kind <= FORM_RULE) == (b->field.kind <= FORM_RULE) && b->field.kind <= FORM_BLOCK &&
               a->field.kind <= FORM_BLOCK;
    return a->field.index == b->field.index;
}

static int fill_rows(struct drawing *drawing, const struct form_item *items, size_t count, struct form_row *rows)
{
    const struct document *document = drawing->document;
    const struct kernel_form *form = document->form;
    struct arena *arena = drawing->arena;
    const struct run *run = document->file.run;
    const struct ptx_function *kernel = run && run->module ? ptx_kernel(run->module, run->trace->kernel) : NULL;
    const struct source_parameter *named = kernel ? run_kernel_text(run, run->trace->kernel)->parameters : NULL;
    size_t const named_count = named ? kernel->parameter_count : 0;
    int used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct form_item *item = &items[i];
        if (i == 0 || !share_row(&items[i - 1], item) || rows[used - 1].count == FORM_ROW_FIELDS)
            rows[used++] = (struct form_row){.label = row_label(arena, item, named, named_count)};
        struct form_row *row = &rows[used - 1];
        bool const typed = (int)i == form->current && form->typing;
        row->cells[row->count++] =
            (struct form_cell){.text = typed ? arena_format(arena, "%s▏", form->typed) : field_words(item),
                               .tip = field_tip(arena, item),
                               .index = (int)i,
                               .fixed = item->field.fixed,
                               .edited = strcmp(item->field.value, item->own) != 0};
    }
    return used;
}

bool draw_launch_form(struct drawing *drawing, struct view *view, struct rect *box, float least, const char *words)
{
    const struct document *document = drawing->document;
    struct form_item *items;
    float const gap = 12 * drawing->ui->unit;
    size_t const count = kernel_form_items(document, drawing->arena, &items);
    if (!count)
        return false;
    struct form_row *rows = arena_array(drawing->arena, struct form_row, count);
    struct launch_form_view form = {.title = document->file.guess.any ? _("LAUNCH · guessed") : _("LAUNCH"),
                                    .words = words,
                                    .rows = rows,
                                    .count = fill_rows(drawing, items, count, rows),
                                    .current = document->form->current,
                                    .changed = kernel_form_changed(document)};
    int shown = ROWS_MAX;
    while (shown > 1 && card_launch_form_height(view, box->w, &form, shown) + gap > box->h - least)
        shown--;
    float const height = card_launch_form_height(view, box->w, &form, shown);
    if (height + gap > box->h - least)
        return true;
    action_ask(drawing->actions, card_launch_form(view, rect_cut_bottom(box, height), &form));
    rect_cut_bottom(box, gap);
    return true;
}
