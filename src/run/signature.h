/* Names and types of a kernel's parameters and of module variables, read from the text of the source, because PTX does
 * not keep them. They
 * serve for names on screen and for guessing a launch, never for running. */
#ifndef LANESCOPE_RUN_SIGNATURE_H
#define LANESCOPE_RUN_SIGNATURE_H
#include "base/arena.h"
#include "ptx/program.h"

struct signature_parameter {
    const char *name;
    bool pointer;
    const char *words;  /* the text of its declaration */
    enum ptx_type type; /* its type, or the type it points to; PTX_TYPE_NONE for a type that the source defines */
};
/* Returns the number of parameters of the kernel with this PTX name, and the parameters in the arena. Returns 0 when
 * the text does not show them. */
size_t signature_parameters(struct arena *arena, const char *source, const char *kernel,
                            struct signature_parameter **parameters);
/* Returns the text behind the opening brace of the kernel with this PTX name, or NULL. */
const char *signature_body(struct arena *arena, const char *source, const char *kernel);
/* Returns the type of the elements of a __constant__ or __device__ array, for which PTX has bytes alone. PTX_TYPE_NONE
 * when the text does not show it, and for arrays of vectors or structures. */
enum ptx_type signature_array(struct arena *arena, const char *source, const char *name);
/* Returns the name in the source, in the arena: "reverse" for "_Z7reversePfPKfi". Other names stay as they are. */
const char *signature_name(struct arena *arena, const char *kernel);
/* Returns the arguments of a template's instance as the source would write them, in the arena: "int, 16" for
 * "_Z4sumIiLi16EEvPT_". "": it is none, or they are of no simple type. */
const char *signature_template(struct arena *arena, const char *kernel);
/* Returns the first argument of a template's instance if it is a type of numbers, else PTX_TYPE_NONE. */
enum ptx_type signature_template_type(const char *kernel);
#endif
