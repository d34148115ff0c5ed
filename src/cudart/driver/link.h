/* Several texts of PTX as one, as a linker makes one module of them. */
#ifndef LANESCOPE_CUDART_DRIVER_LINK_H
#define LANESCOPE_CUDART_DRIVER_LINK_H
#include <stddef.h>

struct link_text {
    char *items; /* ends with a zero byte */
    size_t count, capacity;
    unsigned texts;
};
/* Adds a text behind the others. It loses its head, .version and what belongs to it, because the first one has a head,
 * and its source files get numbers of their own, and its labels and strings names of their own. What it declares
 * `.extern` is defined by another one. */
void link_add(struct link_text *linked, const char *text, size_t size);
#endif
