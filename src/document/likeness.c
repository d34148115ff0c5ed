#include "document/likeness.h"
#include "base/words.h"
#include <string.h>

struct likeness likeness_between(struct arena *arena, const struct trace *emulator, const struct trace *gpu)
{
    struct trace_difference difference;
    trace_compare(emulator, gpu, &difference);
    struct likeness likeness = {.verdict = difference.differ ? LIKE_DIFFERENT : LIKE_SAME,
                                .device = arena_text(arena, gpu->device),
                                .kind = difference.kind};
    memcpy(likeness.difference, difference.text, sizeof difference.text);
    return likeness;
}

const char *likeness_words(const struct likeness *likeness)
{
    const char *kind = trace_difference_word(likeness->kind);
    return kind ? _(kind) : likeness->difference;
}
