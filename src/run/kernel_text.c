#include "run/kernel_text.h"
#include "base/mangled.h"
#include <stdlib.h>
#include <string.h>

const struct kernel_text *run_kernel_text(const struct run *run, const char *kernel)
{
    struct kernel_text_kept *kept = run->kernel_text;
    if (kept->kernel && strcmp(kept->kernel, kernel) == 0)
        return &kept->text;
    arena_reset(&kept->arena);
    kept->text = (struct kernel_text){0};
    kept->kernel = arena_text(&kept->arena, kernel);
    kept->text.parameters =
        source_parameters(&kept->arena, run->source, run->module ? ptx_kernel(run->module, kernel) : NULL);
    if (run->source)
        source_kernel_lines(run->source, mangled_name(&kept->arena, kernel), &kept->text.first, &kept->text.last);
    return &kept->text;
}

struct kernel_text_kept *kernel_text_new(void)
{
    return calloc(1, sizeof(struct kernel_text_kept));
}

void kernel_text_free(struct kernel_text_kept *kept)
{
    if (kept)
        arena_free(&kept->arena);
    free(kept);
}
