#include "cuda/gpu/probed_launch.h"

static uint32_t warps_of(const struct probed_launch *r)
{
    return (r->block[0] * r->block[1] * r->block[2] + WARP_LANES - 1) / WARP_LANES;
}

static bool find_control(const struct probed_launch *r, uint64_t *address, struct error *error)
{
    size_t size = 0;
    return cuda_api_did(r->api, r->api->module_variable(address, &size, r->probed.module, r->control),
                        "finding the probes' control variable", error);
}

/* Runs the module's window kernel once. */
static bool find_windows(struct probed_launch *r, struct error *error)
{
    static const uint32_t one[3] = {1, 1, 1};
    uint64_t address = 0, control = 0;
    void *arguments[] = {&address};
    struct cuda_start start = {.grid = one, .block = one, .arguments = arguments};
    bool const good = cuda_api_did(r->api, r->api->module_kernel(&start.kernel, r->probed.module, r->window),
                                   "loading the probes", error) &&
                      cuda_api_allocate(r->api, sizeof r->windows, "the record", &address, error) &&
                      cuda_start(r->api, &start, error) &&
                      cuda_to_host(r->api, &r->windows, address, sizeof r->windows, error) &&
                      find_control(r, &control, error);
    r->windows.constant_generic = control - r->windows.constant_generic;
    cuda_release(r->api, address);
    return good;
}

bool probed_prepare(struct probed_launch *r, const struct record_plan *plan, uint64_t first, struct error *error)
{
    uint64_t const bytes = (plan->own_chunks + plan->more_chunks) * plan->chunk_bytes;
    if (bytes > r->chunks_bytes) {
        cuda_release(r->api, r->chunks);
        r->chunks = r->chunks_bytes = 0;
        if (!cuda_api_allocate(r->api, bytes, "the record", &r->chunks, error))
            return false;
        r->chunks_bytes = bytes;
    }
    struct record_control const control = {.first = first,
                                           .span = plan->blocks - 1,
                                           .own = r->chunks,
                                           .more = r->chunks + plan->own_chunks * plan->chunk_bytes,
                                           .more_chunks = plan->more_chunks,
                                           .counters = r->counters,
                                           .chunk_bytes = plan->chunk_bytes,
                                           .warps = warps_of(r),
                                           .row_shift = record_row_shift(r->block)};
    uint64_t address = 0;
    return cuda_api_did(r->api, r->api->fill(r->chunks, 0, bytes, NULL), "clearing memory", error) &&
           cuda_api_did(r->api, r->api->fill(r->counters, 0, sizeof r->counted, NULL), "clearing memory", error) &&
           find_control(r, &address, error) && cuda_to_device(r->api, address, &control, sizeof control, error);
}

/* Returns the memory for records: half of the GPU's free memory, within the owner's room for them. */
static uint64_t memory_limit(const struct probed_launch *r)
{
    size_t available = 0, total = 0;
    uint64_t half = r->room;
    if (!r->api->memory_info(&available, &total))
        half = (available + r->chunks_bytes) / 2;
    return half < r->room ? half : r->room;
}

static bool hand_on(struct probed_launch *r, const struct record_plan *plan, uint64_t first, struct error *error)
{
    uint64_t const taken = r->counted.taken < plan->more_chunks ? r->counted.taken : plan->more_chunks;
    struct record_batch const batch = {.chunk_count = plan->own_chunks + taken,
                                       .own_chunks = plan->own_chunks,
                                       .first = first,
                                       .warps = warps_of(r),
                                       .chunk_bytes = plan->chunk_bytes,
                                       .row_shift = record_row_shift(r->block),
                                       .windows = r->windows,
                                       .clock_khz = r->clock_khz,
                                       .complete = r->counted.lost == 0};
    r->lost += r->counted.lost;
    return r->take(r, &batch, error);
}

/* Records all blocks, in as many launches as that takes. A launch whose records found no room is made again, with more
 * room or for fewer blocks. */
static bool record_all(struct probed_launch *r, struct error *error)
{
    uint64_t at = r->blocks.first, a_block = 0;
    while (at <= r->blocks.last) {
        struct record_plan const plan =
            record_plan(r->blocks.last - at + 1, warps_of(r), r->chunk_bytes, a_block, memory_limit(r));
        if (!plan.blocks) {
            error_set(error, ERROR_MISSING, "the GPU has no room for the record of a single block");
            return error_remedy(error, "close other programs that use the GPU");
        }
        if (!r->launch(r, &plan, at, error) ||
            !cuda_to_host(r->api, &r->counted, r->counters, sizeof r->counted, error))
            return false;
        if (r->counted.lost && !plan.all_memory) {
            uint64_t const used = (plan.own_chunks + plan.more_chunks) * plan.chunk_bytes;
            uint64_t const need = (used + r->counted.lost * r->record_bytes) / plan.blocks + 1;
            a_block = need > 2 * a_block ? need : 2 * a_block;
            continue;
        }
        if (!hand_on(r, &plan, at, error))
            return false;
        at += plan.blocks;
    }
    return true;
}

bool probed_run(struct probed_launch *r, struct error *error)
{
    return find_windows(r, error) && cuda_api_allocate(r->api, sizeof r->counted, "the record", &r->counters, error) &&
           record_all(r, error);
}

void probed_free(struct probed_launch *r)
{
    cuda_release(r->api, r->chunks);
    cuda_release(r->api, r->counters);
    cuda_kernel_unload(r->api, &r->probed);
}
