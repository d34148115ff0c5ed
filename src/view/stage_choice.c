/* Chooses what stands on the stage at an event: the panels, the memory in the middle, the gate of a barrier. */
#include "view/stage.h"

/* Returns the memory of the last access before the scene's position, or of the first access. It stays on screen at a
 * branch. */
static enum scene_kind memory_before(const struct scene *scene)
{
    const struct playback *playback = scene->playback;
    size_t at = playback_find(playback, scene->position, -1, EVENT_ACCESS, 0);
    for (size_t before; at > 0 && playback_event(playback, at)->kind != TRACE_ACCESS; at = before)
        if ((before = playback_find(playback, at, -1, EVENT_ACCESS, 0)) == at)
            break;
    if (at == scene->position)
        at = playback_find(playback, scene->position, 1, EVENT_ACCESS, 0);
    const struct trace_site *site = playback_site(playback, at);
    const struct trace_event *event = playback_event(playback, at);
    if (!site || !event || event->kind != TRACE_ACCESS)
        return SCENE_EMPTY; /* this block accesses no memory */
    return trace_space(site, event) == PTX_SPACE_SHARED ? SCENE_SHARED : SCENE_GLOBAL;
}

unsigned stage_with(unsigned trait)
{
    unsigned flags = 0;
    for (int i = 0; i < STAGE_PANELS; i++)
        flags |= stage_panels[i].traits & trait ? stage_panels[i].flag : 0;
    return flags;
}

/* Returns whether the step shows a panel with the trait that is of this memory alone. */
static bool shows(const struct stage_view *stage, unsigned trait, unsigned memory)
{
    bool found = false;
    for (int i = 0; i < STAGE_PANELS; i++)
        found |= (stage_panels[i].traits & trait) && stage_panels[i].memories == memory &&
                 (stage->shown & stage_panels[i].flag);
    return found;
}

unsigned stage_memories(unsigned shown)
{
    unsigned memories = 0;
    for (int i = 0; i < STAGE_PANELS; i++)
        memories |= shown & stage_panels[i].flag ? stage_panels[i].memories : 0;
    return memories;
}

/* Chooses whether the gate of a barrier is shown: at the barrier's events, and while warps wait there and the event has
 * no picture of its own. It takes the room of the memory, so that nothing moves. A step without memory keeps its room
 * at every event, unless other panels need it. */
static void choose_gate(const struct view *view, struct stage_view *stage)
{
    unsigned const caches =
        stage->of_lesson ? STAGE_CACHES : 0; /* of a step on local memory: the caches need its room */
    unsigned const others = (STAGE_ALL & ~stage_with(PANEL_LEAVES_GATE)) | caches;
    const struct scene *scene = view->scene;
    bool waits = scene->kind == SCENE_BARRIER;
    for (uint32_t warp = 0; warp < scene->warp_count; warp++)
        waits |= scene->warps[warp] == TIMELINE_BARRIER;
    if (stage->access != SCENE_EMPTY)
        stage->gate = waits && scene->kind != stage->access && !stage->marks && !stage->covered;
    else if (!(stage->shown & others) && (scene->kind == SCENE_BARRIER || scene->warp_count > 1) &&
             scene->playback->has_barriers)
        stage->access = SCENE_BARRIER;
}

/* Chooses the memory in the middle of the stage: that of the event if the step shows it, else the step's own. */
static void choose_memory(const struct view *view, struct stage_view *stage)
{
    enum scene_kind const kind = view->scene->kind;
    if (!stage->shown) { /* the words need all the room */
        stage->access = stage->second = SCENE_EMPTY;
        return;
    }
    bool const banks = shows(stage, PANEL_ACCESS, MEMORY_SHARED), chunks = shows(stage, PANEL_ACCESS, MEMORY_GLOBAL);
    if (stage->fault || kind == SCENE_FAULT) {
        bool const gate = stage->fault && stage->fault->kind == FINDING_BARRIER;
        bool const picture = stage->fault && fault_height(view, stage->fault) > 0;
        stage->access = gate ? SCENE_BARRIER : picture ? SCENE_FAULT : SCENE_EMPTY;
        stage->second = SCENE_EMPTY;
        return;
    }
    if (kind == SCENE_SHARED && banks)
        stage->access = SCENE_SHARED;
    else if (kind == SCENE_GLOBAL && chunks)
        stage->access = SCENE_GLOBAL;
    else if (banks && chunks)
        stage->access = memory_before(view->scene);
    else
        stage->access = banks ? SCENE_SHARED : chunks ? SCENE_GLOBAL : SCENE_EMPTY;
    bool const none = banks && chunks && stage->access == SCENE_EMPTY;
    choose_gate(view, stage);
    bool const words = shows(stage, PANEL_ASIDE, MEMORY_SHARED) && !none;
    bool const dram =
        shows(stage, PANEL_ASIDE, MEMORY_GLOBAL) && (view->scene->dram.shelf_count || view->scene->dram.missed);
    if (kind == SCENE_GLOBAL && dram)
        stage->second = SCENE_GLOBAL;
    else if (words && (kind == SCENE_SHARED || !dram))
        stage->second = SCENE_SHARED;
    else
        stage->second = dram ? SCENE_GLOBAL : SCENE_EMPTY;
    if (stage->race)
        stage->second = SCENE_EMPTY;
}

unsigned stage_in_file(const struct scene *scene)
{
    unsigned shown = 0, hidden = 0;
    for (int i = 0; i < STAGE_PANELS; i++) {
        const struct panel *panel = &stage_panels[i];
        if (!(panel->traits & PANEL_NOT_IN_FILE) && (!panel->in_file || panel->in_file(scene)))
            shown |= panel->flag;
    }
    bool const access = scene->event && scene->event->kind == TRACE_ACCESS && scene->site;
    if (panel_fragments_in_file(scene)) /* the fragments take the room of the memory */
        hidden = PANEL_NOT_AT_MATRIX | (access ? 0 : PANEL_ACCESS);
    return shown & ~stage_with(hidden);
}

struct stage_view stage_chosen(const struct view *view, const struct stage_view *offered)
{
    struct stage_view stage = *offered;
    for (int i = 0; stage.half && i < STAGE_PANELS; i++)
        if (stage_panels[i].traits & PANEL_NOT_IN_HALF)
            stage.shown &= ~stage_panels[i].flag;
    choose_memory(view, &stage);
    if (stage.half && stage.access == SCENE_BARRIER)
        stage.shown &= ~(unsigned)STAGE_LANES;
    if (view->scene->playback->has_barriers && view->scene->warp_count > 1 && stage.shown)
        stage.shown |= STAGE_WARPS; /* at every event, so that nothing moves at a barrier */
    return stage;
}
