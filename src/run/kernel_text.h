/* What the source of a run says of a kernel. Each frame of the window asks for it, and reading a source takes longer
 * than drawing its code: the run keeps what was read for the kernel that was asked for last. */
#ifndef LANESCOPE_RUN_KERNEL_TEXT_H
#define LANESCOPE_RUN_KERNEL_TEXT_H
#include "run/run.h"
#include "source/kernel.h"

struct kernel_text {
    const struct source_parameter *parameters; /* as source_parameters; NULL: not known */
    uint32_t first, last;                      /* as source_kernel_lines; 0: not found */
};
/* Kept until the next question about another kernel. For one thread at a time. */
const struct kernel_text *run_kernel_text(const struct run *run, const char *kernel);

/* For run_new and run_free. */
struct kernel_text_kept {
    struct arena arena;
    const char *kernel; /* NULL: none was asked for */
    struct kernel_text text;
};
struct kernel_text_kept *kernel_text_new(void);
void kernel_text_free(struct kernel_text_kept *kept);
#endif
