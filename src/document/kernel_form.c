#include "document/kernel_form.h"
#include "base/words.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void kernel_form_begin(struct document *document, const char *path)
{
    struct arena arena = {0};
    const char *whole = arena_text(&arena, path); /* it may be the form's own */
    kernel_form_free(document);
    struct kernel_form *form = calloc(1, sizeof *form);
    if (form)
        form->path = arena_text(&form->arena, whole);
    document->form = form;
    arena_free(&arena);
}

void kernel_form_free(struct document *document)
{
    struct kernel_form *form = document->form;
    document->form = NULL;
    if (!form)
        return;
    what_if_free(&form->what_if);
    arena_free(&form->run_arena);
    arena_free(&form->arena);
    free(form);
}

void kernel_form_note(struct document *document, const struct kernel_work *work)
{
    struct kernel_form *form = document->form;
    if (!form || strcmp(form->path, work->original.path) != 0)
        return;
    struct arena *arena = &form->run_arena;
    arena_reset(arena);
    form->own = document_copy_request(arena, &work->own);
    form->own.source = NULL;
    form->own.options = (struct run_options){.executor = EXECUTOR_BEST};
    form->own_guess = work->own_guess;
    form->own_guess.names = NULL;
    form->own_guess.taken = arena_text(arena, work->own_guess.taken ? work->own_guess.taken : "");
    form->own_guess.guessed = arena_text(arena, work->own_guess.guessed ? work->own_guess.guessed : "");
    what_if_note_source(&form->what_if, work->text ? work->text : "", &form->own);
    form->known = true;
}

bool kernel_form_changed(const struct document *document)
{
    const struct kernel_form *form = document->form;
    return form && (form->edits.count || form->what_if.turn_count);
}

static const struct form_field *same_field(const struct form_field *fields, size_t count,
                                           const struct form_field *wanted)
{
    for (size_t i = 0; i < count; i++)
        if (fields[i].kind == wanted->kind && fields[i].index == wanted->index)
            return &fields[i];
    return NULL;
}

size_t kernel_form_items(const struct document *document, struct arena *arena, struct form_item **items)
{
    const struct kernel_form *form = document->form;
    if (!form || !form->known || !document_is_kernel(document) || strcmp(form->path, document->file.path) != 0)
        return 0;
    struct run_file_request now = form->own;
    struct launch_guess guess = form->own_guess;
    struct form_field *own, *fields;
    size_t const own_count = form_fields(arena, &form->own, guess.grid == LAUNCH_GUESSED, &own);
    bool const covers = form_apply(arena, &form->edits, &now, &guess);
    size_t const count = form_fields(arena, &now, covers, &fields);
    const struct source_knobs *knobs = &form->what_if.knobs;
    struct form_item *all = arena_array(arena, struct form_item, count + knobs->count + 1);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct form_field *before = same_field(own, own_count, &fields[i]);
        all[used++] = (struct form_item){.field = fields[i], .own = before ? before->value : "1"};
    }
    for (size_t i = 0; i < knobs->count; i++) {
        const struct source_knob *knob = &knobs->items[i];
        if (knob->kernel) /* a number between <<< and >>>: the fields above have it */
            continue;
        all[used++] = (struct form_item){
            .knob = knob,
            .field = {.kind = FORM_VALUE, .value = arena_format(arena, "%lld", what_if_value(&form->what_if, knob))},
            .own = arena_format(arena, "%lld", knob->value)};
    }
    *items = all;
    return used;
}

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

bool document_is_typing(const struct document *document)
{
    return document->form && document->form->typing;
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
