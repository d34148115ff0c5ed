/* The memory that a finding is about, in elements as wide as the access, and the sentence beside its picture. */
#include "base/words.h"
#include "report/report.h"
#include <inttypes.h>

/* Sets the elements next to the access: all of shared memory, or the buffer nearest to the address. */
static void find_region(const struct trace *trace, const struct finding *finding, struct report_region *region)
{
    const struct finding_memory *memory = &finding->memory;
    int64_t const width = region->width;
    uint64_t best = UINT64_MAX;
    if (memory->space == PTX_SPACE_SHARED) {
        int64_t const offset = finding->form == FINDING_UNWRITTEN_SHARED ? (int64_t)finding->address : memory->offset;
        region->name = _("shared memory");
        region->count = trace->shared_bytes / region->width;
        region->index = offset < 0 ? -((-offset + width - 1) / width) : offset / width;
        return;
    }
    for (uint32_t i = 0; i < trace->buffer_count; i++) {
        const struct trace_buffer *buffer = &trace->buffers[i];
        uint64_t const size = buffer->count * ptx_type_size(buffer->type), address = finding->address;
        uint64_t const away = address < buffer->address           ? buffer->address - address
                              : address >= buffer->address + size ? address - buffer->address - size
                                                                  : 0;
        if (away >= best || away > UINT64_C(1) << 36)
            continue;
        best = away;
        int64_t const offset = (int64_t)(address - buffer->address);
        region->name = buffer->name, region->named = true;
        region->count = size / region->width;
        region->index = offset < 0 ? -((-offset + width - 1) / width) : offset / width;
    }
}

struct report_region report_region(const struct trace *trace, const struct finding *finding)
{
    struct report_region region = {.width =
                                       finding->at.site < trace->site_count ? trace->sites[finding->at.site].bytes : 0};
    if (!region.width)
        region.width = 4;
    switch (finding->form) {
    case FINDING_MISALIGNED_ACCESS:
    case FINDING_MISALIGNED_COPY:
        region.picture = REPORT_BYTES;
        return region;
    case FINDING_UNWRITTEN_GLOBAL:
    case FINDING_UNWRITTEN_SHARED:
        find_region(trace, finding, &region);
        region.picture = region.count ? REPORT_ELEMENT : REPORT_NO_PICTURE;
        return region;
    case FINDING_OUTSIDE_BUFFERS:
    case FINDING_OUTSIDE_SHARED:
    case FINDING_OUTSIDE_ARRAY:
        find_region(trace, finding, &region);
        bool const within =
            region.index >= 0 &&
            (uint64_t)region.index < region.count; /* inside another array than the one that was meant */
        region.picture = region.count && !within ? REPORT_BEYOND : REPORT_NO_PICTURE;
        return region;
    default: /* memory of malloc or local memory: no array of the launch */
        return region;
    }
}

const char *report_element(struct arena *arena, const struct report_region *region, int64_t index)
{
    return arena_format(arena, "%s[%" PRId64 "]", region->named ? region->name : "", index);
}

const char *report_sentence(struct arena *arena, const struct trace *trace, const struct finding *finding)
{
    struct report_region const region = report_region(trace, finding);
    const struct trace_site *site = finding->at.site < trace->site_count ? &trace->sites[finding->at.site] : NULL;
    bool const load = site && site->operation == TRACE_LOAD;
    uint32_t warp;
    uint32_t const lane = report_lane(trace, finding->at.thread, &warp);
    if (region.picture == REPORT_BYTES && site)
        return arena_format(arena,
                            load ? _("Warp %u, lane %u reads %u bytes at 0x%llx, which is not a multiple of %u.")
                                 : _("Warp %u, lane %u writes %u bytes at 0x%llx, which is not a multiple of %u."),
                            warp, lane, (unsigned)site->bytes, (unsigned long long)finding->address,
                            (unsigned)site->bytes);
    if (region.picture != REPORT_BEYOND)
        return report_message(arena, REPORT_TRANSLATED, finding);
    const char *name = report_element(arena, &region, region.index);
    if (region.index < 0)
        return arena_format(arena,
                            load ? _("Warp %u, lane %u reads %s: %s before the first element.")
                                 : _("Warp %u, lane %u writes %s: %s before the first element."),
                            warp, lane, name, words_count(arena, (uint64_t)-region.index));
    return arena_format(arena,
                        load ? _("Warp %u, lane %u reads %s: %s past the last element, %s.")
                             : _("Warp %u, lane %u writes %s: %s past the last element, %s."),
                        warp, lane, name, words_count(arena, (uint64_t)region.index - region.count + 1),
                        report_element(arena, &region, (int64_t)region.count - 1));
}
