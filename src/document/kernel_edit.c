/* The keys and clicks that change a field of the form or a knob of the source: the kernel then runs again. */
#include "document/kernel_form.h"
#include <stdlib.h>
#include <string.h>

static void run_again(struct document *document, const char *value)
{
    notice_clear_passing(document->notice);
    if (document->worker->start)
        notice_pass(document->notice, _("%s: the kernel runs again"), value);
    document_rerun_kernel(document);
}

static void set_item(struct document *document, const struct form_item *item, const char *value)
{
    struct kernel_form *form = document->form;
    if (strcmp(item->field.value, value) == 0)
        return;
    if (item->knob)
        what_if_set(&form->what_if, item->knob, strtoll(value, NULL, 10));
    else
        form_set(&form->edits, &item->field, value, item->own);
    run_again(document, value);
}

void document_choose_field(struct document *document, int index)
{
    struct kernel_form *form = document->form;
    struct arena arena = {0};
    struct form_item *items;
    int const count = (int)kernel_form_items(document, &arena, &items);
    if (form && index >= 0 && index < count) {
        form->current = index;
        form->typing = false;
    }
    arena_free(&arena);
}

void document_next_field(struct document *document, int direction)
{
    struct kernel_form *form = document->form;
    struct arena arena = {0};
    struct form_item *items;
    int const count = (int)kernel_form_items(document, &arena, &items);
    if (count)
        form->current = (form->current + direction + count) % count;
    for (int i = 0; i < count && items[form->current].field.fixed; i++)
        form->current = (form->current + direction + count) % count;
    if (form)
        form->typing = false;
    arena_free(&arena);
}

/* Returns the value of a knob that lies so many steps away. */
static const char *turned_knob(struct arena *arena, const struct kernel_form *form, const struct source_knob *knob,
                               int direction)
{
    long long values[WHAT_IF_VALUES];
    int at, count = what_if_values(&form->what_if, knob, values, &at);
    at += direction;
    return at >= 0 && at < count ? arena_format(arena, "%lld", values[at]) : NULL;
}

void document_turn_field(struct document *document, int direction)
{
    struct kernel_form *form = document->form;
    struct arena arena = {0};
    struct form_item *items;
    size_t const count = kernel_form_items(document, &arena, &items);
    if (count && (size_t)form->current < count && !items[form->current].field.fixed) {
        const struct form_item *item = &items[form->current];
        const char *choices[FORM_CHOICES_MAX], *value = NULL;
        size_t at;
        form->typing = false;
        if (item->knob) {
            value = turned_knob(&arena, form, item->knob, direction);
        } else {
            size_t const choice_count = form_choices(&arena, &item->field, item->own, choices, &at);
            if (direction < 0 ? at > 0 : at + 1 < choice_count)
                value = choices[direction < 0 ? at - 1 : at + 1];
        }
        if (value)
            set_item(document, item, value);
    }
    arena_free(&arena);
}

void document_own_fields(struct document *document)
{
    struct kernel_form *form = document->form;
    if (!kernel_form_changed(document))
        return;
    form->edits.count = 0;
    form->what_if.turn_count = 0;
    form->typing = false;
    document_rerun_kernel(document);
}

bool document_type_field(struct document *document, char letter)
{
    struct kernel_form *form = document->form;
    struct arena arena = {0};
    struct form_item *items;
    size_t const count = kernel_form_items(document, &arena, &items);
    bool taken = count && (size_t)form->current < count;
    const struct form_item *item = taken ? &items[form->current] : NULL;
    taken = taken && !item->field.fixed &&
            (item->field.kind == FORM_GRID || item->field.kind == FORM_BLOCK || item->field.kind == FORM_SIZE ||
             item->field.kind == FORM_VALUE);
    size_t const length = taken && form->typing ? strlen(form->typed) : 0;
    if (taken && letter == '\b') {
        taken = form->typing;
        if (length)
            form->typed[length - 1] = '\0';
    } else if (taken && letter == '\n') {
        taken = form->typing;
        form->typing = false;
        if (taken && form_accepts(&item->field, form->typed))
            set_item(document, item, form->typed);
        else if (taken)
            notice_pass(document->notice, _("%s is no value of this field"), form->typed);
    } else if (taken && letter == '\033') {
        taken = form->typing;
        form->typing = false;
    } else if (taken && length + 1 < FORM_TYPED_MAX) {
        form->typed[length] = letter;
        form->typed[length + 1] = '\0';
        form->typing = true;
    }
    arena_free(&arena);
    return taken;
}
