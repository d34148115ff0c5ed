/* Memory of the device that a library's call uses, whose work the host does. */
#ifndef LANESCOPE_CUDART_OPERAND_H
#define LANESCOPE_CUDART_OPERAND_H
#include "cudart/layer/state.h"

/* Rows of bytes that lie `pitch` apart. name: in the library's documentation. */
struct operand {
    const char *name;
    const void *pointer;
    size_t width, height, pitch;
};
/* Copies the rows into packed rows of the host. The record has the operand, and how many of its bytes nothing wrote. */
enum status operand_read(const struct operand *operand, void *host);
/* Copies them back. */
enum status operand_write(const struct operand *operand, const void *host);
#endif
