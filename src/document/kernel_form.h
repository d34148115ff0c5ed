/* The launch of a kernel that stands alone, as fields to change, and the integers of its source as knobs. What was
 * changed stays while the file is open, through its edits, and is kept for the next time. */
#ifndef LANESCOPE_DOCUMENT_KERNEL_FORM_H
#define LANESCOPE_DOCUMENT_KERNEL_FORM_H
#include "document/kernel.h"
#include "document/what_if.h"
#include "run/launch_form.h"

enum { FORM_TYPED_MAX = 16 };
struct kernel_form {
    struct arena arena;
    const char *path; /* of the file that it belongs to */
    struct form_edits edits;
    struct what_if what_if; /* only its knobs and turns */
    int current;            /* the item that the keys change */
    bool typing;
    char typed[FORM_TYPED_MAX];
    struct arena run_arena;
    struct run_file_request own; /* the complete launch of the newest run, without the edits */
    struct launch_guess own_guess;
    bool known; /* there was a run */
};

/* One place of the form: a field of the launch, or a knob of the source. */
struct form_item {
    const struct source_knob *knob; /* NULL: a field */
    struct form_field field;
    const char *own; /* its value in the file */
};
/* Returns the items of the kernel on screen with their values now, in the arena; none: there is no form. */
size_t kernel_form_items(const struct document *document, struct arena *arena, struct form_item **items);
/* Begins the form of another file. */
void kernel_form_begin(struct document *document, const char *path);
/* Takes over the launch of the run on screen. */
void kernel_form_note(struct document *document, const struct kernel_work *work);
bool kernel_form_changed(const struct document *document);
void kernel_form_free(struct document *document);
#endif
