/* The changed launch of a kernel's file: one text for each field, "size 2 = 100", and one for each knob of its source.
 */
#include "app/progress/state.h"
#include "base/file.h"
#include "document/kernel_form.h"
#include <stdio.h>
#include <string.h>

enum { FILES_MOST = 50 };

static json_t *form_json(const struct kernel_form *form)
{
    json_t *fields = json_array(), *knobs = json_array();
    for (size_t i = 0; i < form->edits.count; i++) {
        const struct form_edit *edit = &form->edits.items[i];
        json_array_append_new(fields, json_pack("[s,i,s]", form_kind_name(edit->kind), edit->index, edit->value));
    }
    for (size_t i = 0; i < form->what_if.turn_count; i++) {
        const struct source_turn *turn = &form->what_if.turns[i];
        json_array_append_new(
            knobs, json_pack("[s,i,i,I]", turn->name, turn->dimension, (int)turn->nth, (json_int_t)turn->value));
    }
    return json_pack("{s:o,s:o}", "fields", fields, "knobs", knobs);
}

void progress_note_form(struct progress *progress, const struct document *document)
{
    const struct kernel_form *form = document->form;
    if (!document_is_kernel(document) || !form || strcmp(form->path, document->file.path) != 0)
        return;
    struct arena arena = {0};
    const char *key = path_absolute(&arena, form->path);
    json_t *launches = json_object_get(progress->state, "launches");
    if (kernel_form_changed(document) && progress_plain(key) && file_exists(key)) {
        launches = progress_object(progress->state, "launches");
        if (json_object_size(launches) >= FILES_MOST && !json_object_get(launches, key))
            json_object_clear(launches);
        json_object_set_new(launches, key, form_json(form));
    } else if (launches) {
        json_object_del(launches, key);
    }
    arena_free(&arena);
}

void progress_resume_form(struct progress *progress, struct document *document)
{
    struct kernel_form *form = document->form;
    struct arena arena = {0};
    const json_t *field, *knob;
    size_t index;
    if (!progress || !form)
        return;
    const char *key = path_absolute(&arena, form->path);
    const json_t *kept = json_object_get(json_object_get(progress->state, "launches"), key);
    json_array_foreach(json_object_get(kept, "fields"), index, field)
    {
        const char *kind = json_string_value(json_array_get(field, 0)),
                   *value = json_string_value(json_array_get(field, 2));
        json_int_t const at = json_integer_value(json_array_get(field, 1));
        if (!kind || !value || form_kind_named(kind) == FORM_KINDS || at < 0 || at > 1000)
            continue;
        form_set(&form->edits, &(struct form_field){.kind = form_kind_named(kind), .index = (int)at}, value, "");
    }
    json_array_foreach(json_object_get(kept, "knobs"), index, knob)
    {
        const char *name = json_string_value(json_array_get(knob, 0));
        json_int_t const dimension = json_integer_value(json_array_get(knob, 1)),
                         nth = json_integer_value(json_array_get(knob, 2));
        if (!name || dimension < -1 || dimension > 2 || nth < 0 || nth > 1000 ||
            form->what_if.turn_count == SOURCE_KNOBS_MAX)
            continue;
        form->what_if.turns[form->what_if.turn_count++] =
            (struct source_turn){.name = arena_text(&form->what_if.turn_arena, name),
                                 .dimension = (int)dimension,
                                 .nth = (unsigned)nth,
                                 .value = json_integer_value(json_array_get(knob, 3))};
    }
    arena_free(&arena);
}
