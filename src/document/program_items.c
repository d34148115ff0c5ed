/* The calls of a program's record as items of the strip and the list. */
#include "document/program.h"
#include <string.h>

static uint64_t number(const json_t *object, const char *key)
{
    json_int_t const value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Returns whether one of a library call's operands is memory. */
static bool uses_memory(const json_t *operands)
{
    const json_t *operand;
    size_t i;
    json_array_foreach(operands, i, operand)
    {
        if (json_object_get(operand, "pointer"))
            return true;
    }
    return false;
}

static enum program_item_kind kind_of(const struct program_call *call)
{
    const char *name = call->as;
    if (json_object_get(call->record, "grid"))
        return PROGRAM_LAUNCH;
    if (strcmp(name, "exit") == 0)
        return PROGRAM_END;
    if (strcmp(name, "signal") == 0)
        return PROGRAM_CRASH;
    if (strcmp(name, "host access") == 0)
        return PROGRAM_HOST;
    if (uses_memory(json_object_get(call->record, "operands")))
        return PROGRAM_LIBRARY;
    if (begins(name, "cudaMemcpy"))
        return PROGRAM_COPY;
    if (begins(name, "cudaMemset"))
        return PROGRAM_FILL;
    if (begins(name, "cudaFree"))
        return PROGRAM_FREE;
    if (begins(name, "cudaMalloc") || begins(name, "cudaHostAlloc"))
        return PROGRAM_ALLOCATION;
    return strstr(name, "Synchronize") ? PROGRAM_WAIT : PROGRAM_OTHER;
}

/* Finds the line of the most wasteful access. The rule is that of the overview: 32 bytes for each sector above the
 * least, 128 for each pass above it. Where the caches are known, sectors that the L1 held count only among lines that
 * waste as much beyond it. */
static void find_worst(const json_t *sites, struct program_item *item)
{
    json_t *site;
    size_t i;
    json_array_foreach((json_t *)(uintptr_t)sites, i, site)
    {
        uint64_t const sectors = number(site, "sectors"), least = number(site, "sectors_ideal");
        uint64_t const passes = number(site, "wavefronts"), fewest = number(site, "wavefronts_ideal");
        uint64_t const wasted =
            (sectors > least ? 32 * (sectors - least) : 0) + (passes > fewest ? 128 * (passes - fewest) : 0);
        const char *operation = json_string_value(json_object_get(site, "operation"));
        uint64_t const hits = operation && strcmp(operation, "ld") == 0 ? 32 * number(site, "l1_hits") : 0;
        uint64_t const held = hits < wasted ? hits : wasted;
        uint64_t const beyond = wasted - held, before = item->worst_wasted - item->worst_held;
        item->wasted += wasted;
        if (beyond > before || (beyond == before && wasted > item->worst_wasted)) {
            item->worst_held = held;
            item->worst_wasted = wasted;
            item->worst_line = (uint32_t)number(site, "line");
        }
    }
}

static void fill_launch(const struct program_run *run, const struct program_call *call, struct program_item *item)
{
    const struct program_launch *launch = &run->launches[call->launch];
    item->name = launch->kernel;
    item->launch = launch->number;
    item->launcher = launch->launcher;
    item->opens = launch->trace_path != NULL;
    memcpy(item->grid, launch->grid, sizeof item->grid);
    memcpy(item->block, launch->block, sizeof item->block);
    item->shared_bytes = launch->shared_bytes;
    item->findings = launch->faults + launch->hazards;
    item->model_us = launch->model_us;
    find_worst(json_object_get(launch->record, "sites"), item);
}

static struct program_item item_of(const struct program_run *run, const struct program_call *call)
{
    const json_t *size = json_object_get(call->record, "bytes");
    const json_t *model = json_object_get(call->record, "model_us");
    uint64_t const direction = number(call->record, "direction");
    struct program_item item = {.kind = kind_of(call),
                                .name = call->name,
                                .file = call->at.file,
                                .line = call->at.line > 0 ? (uint32_t)call->at.line : 0,
                                .sized = size != NULL,
                                .bytes = number(call->record, "bytes"),
                                .direction = direction <= PROGRAM_WITHIN_DEVICE ? (enum program_direction)direction
                                                                                : PROGRAM_HOST_TO_HOST,
                                .model_us = json_number_value(model),
                                .measured_us = call->measured_us,
                                .host_us = (call->end_s - call->begin_s) * 1e6,
                                .error = call->error,
                                .error_name = json_string_value(json_object_get(call->record, "error_name"))};
    if (item.kind == PROGRAM_LAUNCH && call->launch != PTX_NO_INDEX)
        fill_launch(run, call, &item);
    if (item.kind == PROGRAM_CRASH)
        item.error = run->signal;
    if (item.kind == PROGRAM_CRASH || item.kind == PROGRAM_END || item.kind == PROGRAM_HOST)
        item.host_us = 0;
    return item;
}

/* Returns the output as a card can show it: what is no UTF-8, and control characters but the end of a line, as '?'. */
static const char *readable(struct arena *arena, const char *bytes, size_t size)
{
    char *text = arena_text_n(arena, bytes, size);
    for (size_t i = 0; i < size; i++) {
        unsigned char const c = (unsigned char)bytes[i];
        size_t const more = c >= 0xF0 && c < 0xF5 ? 3 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xC2 && c < 0xE0 ? 1 : 0;
        size_t whole = 0;
        while (whole < more && i + whole + 1 < size && ((unsigned char)bytes[i + whole + 1] & 0xC0) == 0x80)
            whole++;
        if (more && whole == more)
            i += more;
        else
            text[i] = c == '\t' ? ' ' : (c < 0x20 && c != '\n') || c >= 0x7F ? '?' : (char)c;
    }
    return text;
}

/* Returns the item of a mistake: its call, of a leak the allocation. */
static size_t item_of_mistake(const struct open_program *program, const struct mistake *mistake)
{
    bool const by_line = mistake->kind == MISTAKE_LEAK;
    size_t at = 0;
    for (; at < program->count; at++) {
        const struct program_item *item = &program->items[at];
        if (by_line ? item->line && (int)item->line == mistake->at.line && strcmp(item->file, mistake->at.file) == 0 &&
                          strcmp(item->name, mistake->call) == 0
                    : item->call == mistake->index)
            break;
    }
    return at;
}

/* Joins the mistakes of host code to their calls. */
static void add_mistakes(struct open_program *program)
{
    const struct program_run *run = program->run;
    program->mistake_items = arena_array(&program->run_arena, size_t, (size_t)run->mistake_count + 1);
    for (uint32_t k = 0; k < run->mistake_count; k++) {
        const struct mistake *mistake = &run->mistakes[k];
        size_t const at = item_of_mistake(program, mistake);
        program->mistake_items[k] = at;
        if (at == program->count)
            continue;
        struct program_item *item = &program->items[at];
        item->mistake = item->mistake ? item->mistake : k + 1;
        item->mistakes++;
        item->fault = item->fault || mistake_is_fault(mistake);
    }
}

void program_items(struct open_program *program)
{
    enum { OUTPUT_MOST = 1 << 16 }; /* the end of it is shown */
    const struct program_run *run = program->run;
    uint64_t in_use = 0;
    arena_free(&program->run_arena);
    program->items = arena_array(&program->run_arena, struct program_item, (size_t)run->call_count + 1);
    program->count = 0;
    program->most_in_use = 0;
    program->hidden = 0;
    for (uint32_t i = 0; i < run->call_count; i++) {
        const struct program_call *call = &run->calls[i];
        const json_t *now = json_object_get(call->record, "in_use");
        in_use = now ? number(call->record, "in_use") : in_use;
        if (begins(call->name, "__cuda") && !call->error && !program->all_calls) { /* the compiler's, before main */
            program->hidden++;
            continue;
        }
        struct program_item *item = &program->items[program->count++];
        *item = item_of(run, call);
        item->call = i;
        item->in_use = in_use;
        program->most_in_use = in_use > program->most_in_use ? in_use : program->most_in_use;
    }
    add_mistakes(program);
    size_t const skip = run->output_size > OUTPUT_MOST ? run->output_size - OUTPUT_MOST : 0;
    const char *output = readable(&program->run_arena, run->output + skip, run->output_size - skip);
    const char *errors = readable(&program->run_arena, run->errors, strnlen(run->errors, OUTPUT_MOST));
    program->said = arena_format(&program->run_arena, "%s%s%s", output, *output && *errors ? "\n" : "", errors);
}
