#include "document/kernel_form.h"
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
    form->own = run_file_copy(arena, &work->own);
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

bool document_is_typing(const struct document *document)
{
    return document->form && document->form->typing;
}
