/* What a kernel and its parameters are called where they were written, and what they point to: read from the source's
 * text. PTX keeps none of it. For names on screen and for guessing a launch, never for running. */
#ifndef LANESCOPE_RUN_SIGNATURE_H
#define LANESCOPE_RUN_SIGNATURE_H
#include "base/arena.h"
#include "ptx/program.h"

struct signature_parameter {
    const char *name;
    bool pointer;
    enum ptx_type type; /* what it is, or points to; PTX_TYPE_NONE: a type of the source's own */
};
/* The parameters of the kernel of that PTX name, in the arena; 0 when the text does not show them. */
size_t signature_parameters(struct arena *arena, const char *source, const char *kernel,
                            struct signature_parameter **parameters);
/* "_Z7reversePfPKfi" is "reverse"; a name that is not mangled so stays. In the arena. */
const char *signature_name(struct arena *arena, const char *kernel);
#endif
