/* A launch as fields that a user can change one by one: grid, block, and type, size and fill of each argument. */
#ifndef LANESCOPE_RUN_LAUNCH_FORM_H
#define LANESCOPE_RUN_LAUNCH_FORM_H
#include "run/guess.h"

enum form_kind {
    FORM_GRID,  /* index: the dimension */
    FORM_RULE,  /* of the grid: it stays, or has a thread for each element */
    FORM_BLOCK, /* index: the dimension */
    FORM_TYPE,  /* index: the parameter, here and below */
    FORM_SIZE,  /* elements of an array */
    FORM_FILL,  /* of an array */
    FORM_VALUE, /* of a number */
    FORM_KINDS
};
struct form_field {
    enum form_kind kind;
    int index;
    const char *value; /* "992", "iota", "f32"; of a rule "stays" or "covers" */
    bool fixed;        /* it is of no form that can be changed here */
};
enum { FORM_EDITS_MAX = 64, FORM_VALUE_MAX = 40, FORM_CHOICES_MAX = 16 };
struct form_edit { /* a field at another value than the file's */
    enum form_kind kind;
    int index;
    char value[FORM_VALUE_MAX];
};
struct form_edits {
    struct form_edit items[FORM_EDITS_MAX];
    size_t count;
};

/* Returns the fields of a complete launch, in the arena. covers: the grid follows the block. */
size_t form_fields(struct arena *arena, const struct run_file_request *launch, bool covers, struct form_field **fields);
/* Returns the values that a field can be turned to, with the one that it has, at *at. own: its value in the file. */
size_t form_choices(struct arena *arena, const struct form_field *field, const char *own,
                    const char *choices[FORM_CHOICES_MAX], size_t *at);
/* Returns whether a text can be typed as the field's value. */
bool form_accepts(const struct form_field *field, const char *text);
/* Keeps a value; the file's own is no edit. */
void form_set(struct form_edits *edits, const struct form_field *field, const char *value, const char *own);
/* Changes a launch that is complete, and takes what was changed off the guess. Returns whether the grid follows the
 * block. */
bool form_apply(struct arena *arena, const struct form_edits *edits, struct run_file_request *launch,
                struct launch_guess *guess);
/* Returns the name of a kind in kept files, "size", and the kind of a name; FORM_KINDS: there is none. */
const char *form_kind_name(enum form_kind kind);
enum form_kind form_kind_named(const char *name);
#endif
