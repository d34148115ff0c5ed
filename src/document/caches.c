/* Whether the sectors of the block on screen show where they came from. */
#include "run/caches.h"
#include "document/document.h"
#include "scene/scene.h"

void document_follow_caches(const struct document *document, const struct run *run, struct playback *playback)
{
    const struct trace *trace = playback->trace;
    const struct ptx_module *module = run && run->trace == trace ? run->module : NULL;
    playback->gpu = document->gpu;
    playback->caches_unknown = run_caches_unknown(trace, module, document->gpu);
}

/* Returns whether the lesson or its step shows the caches, whatever the user chose. */
static bool always_shows(const struct document *document)
{
    const struct lesson_beat *beat = document_beat(document);
    return (document->lesson && document->lesson->caches) || (beat && (beat->caches || (beat->stage & STAGE_CACHES)));
}

/* Returns whether the step shows a panel in which the caches are seen. A file does. */
static bool has_picture(const struct document *document)
{
    const struct lesson_beat *beat = document_beat(document);
    return !document->lesson || !beat || (beat->stage & (STAGE_CHUNKS | STAGE_CACHES | STAGE_DRAM));
}

bool document_wants_caches(const struct document *document)
{
    return document->caches || always_shows(document);
}

/* Returns why the access on screen does not show where its sectors came from although the caches are on; NULL: it
 * does. */
static const char *not_a_load(const struct document *document, const struct playhead *playhead)
{
    struct arena arena = {0};
    struct scene scene;
    uint32_t counts[ORIGIN_LEVELS];
    document_scene(document, playhead, &arena, &scene);
    bool const store = scene.event && scene.event->kind == TRACE_ACCESS && scene.site->operation == TRACE_STORE;
    bool const load =
        scene_origins(&scene) || origins_count_local(playback_origins(document->playback), playhead->position, counts);
    arena_free(&arena);
    if (load)
        return NULL;
    return store ? _("caches: on; this access is a store, and only loads show where their sectors came from")
                 : _("caches: on; only loads from global or local memory show where their sectors came from");
}

void document_turn_caches(struct document *document, const struct playhead *playhead)
{
    const struct playback *playback = document->playback;
    const char *unknown = playback ? playback->caches_unknown : NULL, *unseen = NULL;
    if (document->caches) {
        document->caches = false;
        if (document_covered(document))
            notice_pass(document->notice, "%s", _("caches: off"));
    } else if (unknown)
        notice_pass(document->notice, _("caches: not known: %s"), _(unknown));
    else if (playback && !playback_origins(playback))
        notice_pass(document->notice, "%s", _("this block loads nothing from global or local memory"));
    else if (playback) {
        document->caches = true;
        document->stale = document->lesson && !document->lesson->caches; /* the badge compares the hits of a launch */
        unseen = document_covered(document) ? _("caches: on; the question covers the picture until it has its answer")
                                            : not_a_load(document, playhead);
        if (unseen)
            notice_pass(document->notice, "%s", unseen);
    }
    if (!unknown && !has_picture(document))
        notice_pass(document->notice, "%s", _("this step has no picture of the caches"));
    else if (!unknown && !unseen && always_shows(document))
        notice_pass(document->notice, "%s", _("this step always shows the caches"));
}
