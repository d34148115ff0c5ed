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

/* Returns whether the step asks for cells: it counts all sectors, whatever the user chose. */
static bool asks_for_cells(const struct document *document)
{
    const struct lesson_beat *beat = document_beat(document);
    return beat && beat->kind == BEAT_MARK;
}

/* Returns what the document shows by itself: a lesson that speaks of all sectors counts all of them. */
static bool missed_by_document(const struct document *document)
{
    return !document->lesson || document->lesson->caches;
}

static bool caches_shown(const struct document *document)
{
    const struct playback *playback = document->playback;
    return document_wants_caches(document) && playback && !playback->caches_unknown && playback_origins(playback);
}

bool document_dram_missed(const struct document *document)
{
    bool const chosen = document->dram_feed ? document->dram_feed == DRAM_MISSED : missed_by_document(document);
    return caches_shown(document) && chosen && !asks_for_cells(document);
}

void document_turn_dram_feed(struct document *document)
{
    if (!caches_shown(document))
        notice_pass(document->notice, "%s",
                    _("switch the caches on (C) to choose between all sectors in DRAM and those that miss"));
    else if (asks_for_cells(document))
        notice_pass(document->notice, "%s", _("this step asks about all sectors"));
    else {
        bool const missed = !document_dram_missed(document);
        document->dram_feed = missed == missed_by_document(document) ? DRAM_BY_DOCUMENT
                              : missed                               ? DRAM_MISSED
                                                                     : DRAM_WHOLE;
    }
}
