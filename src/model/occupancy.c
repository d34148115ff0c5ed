#include "model/occupancy.h"
#include "base/file.h"
#include "base/schema.h"
#include "trace/limits.h"
#include <cyaml/cyaml.h>
#include <string.h>

static uint64_t divide_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return divide_up(value, unit) * unit;
}

/* Blocks that the register file holds. A warp's registers lie in one partition, so that a partition's rest smaller than
 * a warp's share is lost. A launch is refused if the block would not fit with its warps spread over all partitions. */
static uint64_t by_registers(const struct occupancy_limits *limits, uint32_t registers, uint64_t warps)
{
    if (registers == 0)
        return limits->blocks;
    uint64_t const a_warp = round_up((uint64_t)registers * WARP_LANES, limits->register_unit);
    if (registers > limits->registers_per_thread ||
        a_warp * round_up(warps, limits->partitions) > limits->registers_per_block)
        return 0;
    return limits->registers / limits->partitions / a_warp * limits->partitions / warps;
}

static uint32_t at_most(uint64_t blocks)
{
    return blocks > UINT32_MAX ? UINT32_MAX : (uint32_t)blocks;
}

struct occupancy occupancy_of(const struct occupancy_limits *limits, const struct occupancy_needs *needs)
{
    struct occupancy result = {.warps_max = at_most(limits->threads / WARP_LANES)};
    uint64_t const warps = divide_up(needs->threads ? needs->threads : 1, WARP_LANES);
    result.block_registers = round_up((uint64_t)needs->registers * WARP_LANES, limits->register_unit) * warps;
    result.block_shared = round_up(needs->shared + limits->shared_reserved, limits->shared_unit);
    result.by[OCCUPANCY_BLOCKS] = at_most(limits->blocks);
    result.by[OCCUPANCY_THREADS] = at_most(limits->threads / WARP_LANES / warps);
    result.by[OCCUPANCY_REGISTERS] = at_most(by_registers(limits, needs->registers, warps));
    result.by[OCCUPANCY_SHARED] = needs->shared > limits->shared_per_block ? 0
                                  : result.block_shared ? at_most(limits->shared / result.block_shared)
                                                        : at_most(limits->blocks);
    result.by[OCCUPANCY_BARRIERS] = at_most(needs->barriers ? limits->barriers / needs->barriers : limits->blocks);
    for (int i = 1; i < OCCUPANCY_LIMIT_COUNT; i++)
        if (result.by[i] < result.by[result.limit])
            result.limit = (enum occupancy_limit)i;
    result.blocks = result.by[result.limit];
    result.warps = at_most(result.blocks * warps);
    return result;
}

struct raw_limits {
    struct occupancy_limits *list;
    unsigned list_count;
};
static const cyaml_schema_value_t share_schema = {CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, uint64_t)};
#define NUMBER(member) CYAML_FIELD_UINT(#member, CYAML_FLAG_DEFAULT, struct occupancy_limits, member)
static const cyaml_schema_field_t limits_fields[] = {
    CYAML_FIELD_STRING_PTR("capability", CYAML_FLAG_POINTER, struct occupancy_limits, capability, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("source", CYAML_FLAG_POINTER, struct occupancy_limits, source, 1, CYAML_UNLIMITED),
    NUMBER(threads),
    NUMBER(blocks),
    NUMBER(barriers),
    NUMBER(registers),
    NUMBER(registers_per_thread),
    NUMBER(registers_per_block),
    NUMBER(register_unit),
    NUMBER(partitions),
    NUMBER(shared),
    NUMBER(shared_per_block),
    NUMBER(shared_reserved),
    NUMBER(shared_unit),
    CYAML_FIELD_UINT("l1_bytes", CYAML_FLAG_OPTIONAL, struct occupancy_limits, l1_bytes),
    CYAML_FIELD_SEQUENCE_COUNT("shared_shares_kb", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct occupancy_limits,
                               shared_shares_kb, shared_share_count, &share_schema, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("l1_source", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct occupancy_limits, l1_source, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_END};
static const cyaml_schema_value_t limits_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct occupancy_limits, limits_fields)};
static const cyaml_schema_field_t file_fields[] = {CYAML_FIELD_SEQUENCE_COUNT("limits", CYAML_FLAG_POINTER,
                                                                              struct raw_limits, list, list_count,
                                                                              &limits_schema, 1, CYAML_UNLIMITED),
                                                   CYAML_FIELD_END};
static const cyaml_schema_value_t file_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_limits, file_fields)};

/* Returns whether the array of the L1 is there with its shares and its source, or none of the three. */
static bool has_good_l1(const struct occupancy_limits *limits)
{
    if (!limits->l1_bytes)
        return !limits->shared_share_count && !limits->l1_source;
    for (unsigned i = 1; i < limits->shared_share_count; i++)
        if (limits->shared_shares_kb[i] <= limits->shared_shares_kb[i - 1])
            return false;
    return limits->shared_share_count && limits->l1_source && limits->l1_bytes <= UINT32_MAX &&
           limits->shared_shares_kb[limits->shared_share_count - 1] <= limits->l1_bytes >> 10;
}

bool occupancy_read(struct arena *arena, const struct occupancy_limits **all, size_t *count, struct error *error)
{
    const char *path = data_path(arena, "assets/compute_capabilities.yaml");
    char *text;
    size_t size;
    void *loaded;
    if (!file_read(arena, path, &text, &size, error) ||
        !schema_load(arena, path, text, size, &file_schema, &loaded, error))
        return false;
    const struct raw_limits *raw = loaded;
    for (unsigned i = 0; i < raw->list_count; i++) {
        const struct occupancy_limits *one = &raw->list[i];
        const char *field = arena_format(arena, "limits.%u", i);
        if (!one->threads || !one->register_unit || !one->partitions || !one->shared_unit)
            return error_at(error, ERROR_INPUT, path, schema_line(text, size, field), 0,
                            "compute capability %s: threads, register_unit, partitions and shared_unit must be above 0",
                            one->capability);
        if (!has_good_l1(one))
            return error_at(error, ERROR_INPUT, path, schema_line(text, size, field), 0,
                            "compute capability %s: l1_bytes, shared_shares_kb and l1_source belong together, and the "
                            "shares must rise up to at most l1_bytes",
                            one->capability);
    }
    *all = raw->list;
    *count = raw->list_count;
    return true;
}

const struct occupancy_limits *occupancy_find(const struct occupancy_limits *all, size_t count, const char *capability)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].capability, capability) == 0)
            return &all[i];
    return NULL;
}
