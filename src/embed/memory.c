/* Instances and their memory. The list of memory is sorted, so that an overlap is found beside the place of what is
 * new. */
#include "embed/embed.h"
#include "emulator/emulator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lanescope *lanescope_new(void)
{
    return calloc(1, sizeof(struct lanescope));
}

static void forget(struct embed_memory *memory)
{
    if (memory->written) /* allocated */
        free((void *)(uintptr_t)memory->address);
    free(memory->written);
    free(memory->name);
}

void lanescope_free(struct lanescope *instance)
{
    if (!instance)
        return;
    while (instance->runs)
        lanescope_run_free(instance->runs);
    while (instance->modules)
        lanescope_unload(instance->modules);
    for (size_t i = 0; i < instance->memory.count; i++)
        forget(&instance->memory.items[i]);
    free(instance->memory.items);
    free(instance);
}

const char *lanescope_error(const struct lanescope *instance)
{
    return instance ? instance->sentence : "there is no instance";
}

const char *lanescope_version(void)
{
    return LANESCOPE_VERSION;
}

enum lanescope_status embed_fail(struct lanescope *instance)
{
    const struct error *error = &instance->error;
    char place[288] = "";
    if (*error->file && error->line)
        snprintf(place, sizeof place, "%s:%d: ", error->file, error->line);
    snprintf(instance->sentence, sizeof instance->sentence, "%s%s%s%s", place, error->message,
             *error->remedy ? "; " : "", error->remedy);
    return error->kind == ERROR_MISSING ? LANESCOPE_MISSING : LANESCOPE_WRONG;
}

/* Returns the index of the first memory that begins behind the address. */
static size_t behind(const struct lanescope *instance, uint64_t address)
{
    size_t low = 0, high = instance->memory.count;
    while (low < high) {
        size_t const middle = (low + high) / 2;
        if (instance->memory.items[middle].address > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

struct embed_memory *embed_memory_at(struct lanescope *instance, uint64_t address)
{
    size_t const index = behind(instance, address);
    struct embed_memory *memory = index ? &instance->memory.items[index - 1] : NULL;
    return memory && address - memory->address < memory->bytes ? memory : NULL;
}

/* The emulator gives shared memory, local memory and functions addresses of their own, between these two. */
static bool in_windows(uint64_t address, uint64_t bytes)
{
    return address < EMULATOR_WINDOWS_END && address + bytes > EMULATOR_CODE_BASE;
}

static enum lanescope_status add(struct lanescope *instance, struct embed_memory memory)
{
    size_t const index = behind(instance, memory.address);
    struct embed_memory *items = instance->memory.items;
    bool const before = index && memory.address - items[index - 1].address < items[index - 1].bytes;
    bool const after = index < instance->memory.count && items[index].address - memory.address < memory.bytes;
    if (before || after)
        error_set(&instance->error, ERROR_INPUT, "the memory overlaps memory that the instance knows");
    else if (!memory.bytes || memory.address + memory.bytes < memory.address || !memory.address)
        error_set(&instance->error, ERROR_INPUT, "memory needs an address and at least one byte");
    else if (in_windows(memory.address, memory.bytes))
        error_set(&instance->error, ERROR_INPUT, "the memory lies where the emulator has its own addresses");
    else {
        instance->memory.items = items =
            array_grow(items, &instance->memory.capacity, instance->memory.count + 1, sizeof *items);
        memmove(&items[index + 1], &items[index], (instance->memory.count - index) * sizeof *items);
        items[index] = memory;
        instance->memory.count++;
        return LANESCOPE_OK;
    }
    return embed_fail(instance);
}

enum lanescope_status lanescope_allocate(struct lanescope *instance, size_t bytes, void **memory)
{
    enum { ALIGNMENT = 256 };
    size_t const words = bytes / 64 + 1, room = bytes < SIZE_MAX / 2 ? (bytes / ALIGNMENT + 2) * ALIGNMENT : 0;
    void *data = room ? aligned_alloc(ALIGNMENT, room) : NULL;
    uint64_t *written = data ? calloc(words, sizeof *written) : NULL;
    char *name = written ? strdup("memory") : NULL;
    *memory = NULL;
    if (name) {
        memset(data, 0, room);
        if (add(instance, (struct embed_memory){(uint64_t)(uintptr_t)data, bytes, written, name}) == LANESCOPE_OK) {
            *memory = data;
            return LANESCOPE_OK;
        }
    } else {
        error_set(&instance->error, ERROR_MISSING, "there is no memory for %zu {byte|bytes}", bytes);
        embed_fail(instance);
    }
    free(data);
    free(written);
    free(name);
    return instance->error.kind == ERROR_MISSING ? LANESCOPE_MISSING : LANESCOPE_WRONG;
}

enum lanescope_status lanescope_share(struct lanescope *instance, void *memory, size_t bytes, const char *name)
{
    char *own = strdup(name ? name : "memory");
    if (!own) {
        error_set(&instance->error, ERROR_MISSING, "there is no memory for a name");
        return embed_fail(instance);
    }
    enum lanescope_status const status =
        add(instance, (struct embed_memory){(uint64_t)(uintptr_t)memory, bytes, NULL, own});
    if (status)
        free(own);
    return status;
}

enum lanescope_status lanescope_release(struct lanescope *instance, void *memory)
{
    struct embed_memory *found = embed_memory_at(instance, (uint64_t)(uintptr_t)memory);
    if (!found || found->address != (uint64_t)(uintptr_t)memory) {
        error_set(&instance->error, ERROR_INPUT, "no memory of the instance begins at %p", memory);
        return embed_fail(instance);
    }
    forget(found);
    size_t const index = (size_t)(found - instance->memory.items);
    instance->memory.count--;
    memmove(found, found + 1, (instance->memory.count - index) * sizeof *found);
    return LANESCOPE_OK;
}

enum lanescope_status lanescope_write(struct lanescope *instance, void *to, const void *from, size_t bytes)
{
    uint64_t const address = (uint64_t)(uintptr_t)to;
    struct embed_memory *found = embed_memory_at(instance, address);
    if (bytes && (!found || bytes > found->bytes - (address - found->address))) {
        error_set(&instance->error, ERROR_INPUT,
                  "%zu {byte|bytes} from %p on are not all in one memory of the instance", bytes, to);
        return embed_fail(instance);
    }
    if (!bytes)
        return LANESCOPE_OK;
    memcpy(to, from, bytes);
    for (size_t i = 0; found->written && i < bytes; i++)
        found->written[(address - found->address + i) / 64] |= UINT64_C(1) << (address - found->address + i) % 64;
    return LANESCOPE_OK;
}
