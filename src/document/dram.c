/* The DRAM of the model: the lesson's preset, or the default of files, until the user chooses another. A preset is a
 * chip with one of two address mappings ("gddr6", "gddr6:ChRaBaRoCo"). The real mapping is not published, so a user can
 * try both. */
#include "document/document.h"
#include <string.h>

static bool same_chip(const struct dram_preset *a, const struct dram_preset *b)
{
    size_t const length = strcspn(a->name, ":");
    return length == strcspn(b->name, ":") && strncmp(a->name, b->name, length) == 0;
}

/* The lesson's row counts change with it, so its runs are repeated before the next frame. */
static void choose(struct document *document, const struct dram_preset *preset)
{
    document->dram = preset->name;
    if (document->lesson)
        document->stale = lesson_use_dram(document->lesson, preset->name, NULL);
}

void document_turn_dram(struct document *document, int direction)
{
    const struct dram_preset *const *presets = dram_presets(), *now = document_dram(document);
    int count = 0, at = 0;
    for (; presets[count]; count++)
        if (presets[count] == now)
            at = count;
    const struct dram_preset *next = NULL;
    for (int i = 1; i <= count && !next; i++) {
        const struct dram_preset *preset = presets[(at + count + i * direction % count) % count];
        next = preset->mapping == now->mapping ? preset : NULL;
    }
    choose(document, next ? next : now);
}

void document_turn_dram_mapping(struct document *document)
{
    const struct dram_preset *now = document_dram(document);
    for (const struct dram_preset *const *preset = dram_presets(); *preset; preset++)
        if (same_chip(*preset, now) && (*preset)->mapping != now->mapping) {
            choose(document, *preset);
            return;
        }
}
