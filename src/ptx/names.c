/* A hash table of names with open addressing. Declarations form a stack, and each remembers the one that it hides. */
#include "ptx/names.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 2048 };

static uint32_t hash_of(const char *text, uint32_t length)
{
    uint32_t hash = 2166136261u; /* FNV-1a hash */
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static size_t find_slot(const struct names *names, const char *text, uint32_t length, uint32_t hash)
{
    size_t slot = hash & (names->slot_count - 1);
    while (names->slots[slot]) {
        const struct name *name = &names->list.items[names->slots[slot] - 1];
        if (name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0)
            break;
        slot = (slot + 1) & (names->slot_count - 1);
    }
    return slot;
}

static void set_slot_count(struct names *names, size_t count)
{
    free(names->slots);
    size_t capacity = 0;
    names->slots = array_grow(NULL, &capacity, count, sizeof *names->slots);
    memset(names->slots, 0, count * sizeof *names->slots);
    names->slot_count = count;
    for (size_t i = 0; i < names->list.count; i++) {
        size_t slot = names->list.items[i].hash & (count - 1);
        while (names->slots[slot])
            slot = (slot + 1) & (count - 1);
        names->slots[slot] = (uint32_t)i + 1;
    }
}

uint32_t names_find(const struct names *names, const char *text, uint32_t length)
{
    size_t const slot = find_slot(names, text, length, hash_of(text, length));
    return names->slots[slot] ? names->slots[slot] - 1 : PTX_NO_INDEX;
}

uint32_t names_add(struct names *names, const char *text, uint32_t length)
{
    uint32_t const hash = hash_of(text, length);
    size_t slot = find_slot(names, text, length, hash);
    if (names->slots[slot])
        return names->slots[slot] - 1;
    if (names->list.count * 2 >= names->slot_count) {
        set_slot_count(names, names->slot_count * 2);
        slot = find_slot(names, text, length, hash);
    }
    struct name const fresh = {.text = text, .length = length, .hash = hash};
    array_push(&names->list, fresh);
    names->slots[slot] = (uint32_t)names->list.count;
    return (uint32_t)names->list.count - 1;
}

static struct name *keyword(struct names *names, const char *text)
{
    uint32_t const name = names_add(names, text, (uint32_t)strlen(text));
    return &names->list.items[name];
}

static void add_spaces(struct names *names)
{
    static const struct {
        const char *word;
        enum ptx_space space;
    } spaces[] = {
        {"global", PTX_SPACE_GLOBAL},      {"shared", PTX_SPACE_SHARED},
        {"shared::cta", PTX_SPACE_SHARED}, {"shared::cluster", PTX_SPACE_SHARED},
        {"local", PTX_SPACE_LOCAL},        {"const", PTX_SPACE_CONST},
        {"param", PTX_SPACE_PARAM},        {"param::entry", PTX_SPACE_PARAM},
        {"param::func", PTX_SPACE_PARAM},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        keyword(names, spaces[i].word)->space = (uint8_t)(spaces[i].space + 1);
}

void names_start(struct names *names)
{
    *names = (struct names){0};
    set_slot_count(names, FIRST_SLOTS);
    for (int i = 0; i < PTX_OPCODE_COUNT; i++)
        keyword(names, ptx_opcode_name((enum ptx_opcode)i))->opcode = (uint16_t)(i + 1);
    for (int i = 0; i < PTX_MODIFIER_COUNT; i++)
        keyword(names, ptx_modifier_word((enum ptx_modifier)i))->modifier = (uint16_t)(i + 1);
    for (int i = 0; i < PTX_SPECIAL_COUNT; i++)
        keyword(names, ptx_special_word((enum ptx_special)i))->special = (uint16_t)(i + 1);
    for (int i = PTX_TYPE_NONE + 1; i < PTX_TYPE_COUNT; i++)
        keyword(names, ptx_type_name((enum ptx_type)i))->type = (uint8_t)(i + 1);
    add_spaces(names);
}

void names_free(struct names *names)
{
    free(names->list.items);
    free(names->meanings.items);
    free(names->slots);
}

void names_declare(struct names *names, uint32_t name, enum meaning_kind kind, enum ptx_scope scope, uint32_t index)
{
    struct name *owner = &names->list.items[name];
    uint32_t *innermost = kind == MEANS_RANGE ? &owner->range : &owner->meaning;
    struct meaning const fresh = {
        .kind = kind, .scope = scope, .index = index, .depth = names->depth, .name = name, .outer = *innermost};
    array_push(&names->meanings, fresh);
    *innermost = (uint32_t)names->meanings.count;
}

const struct meaning *names_meaning(const struct names *names, uint32_t name)
{
    uint32_t const innermost = names->list.items[name].meaning;
    return innermost ? &names->meanings.items[innermost - 1] : NULL;
}

const struct meaning *names_range(const struct names *names, uint32_t name)
{
    uint32_t const innermost = names->list.items[name].range;
    return innermost ? &names->meanings.items[innermost - 1] : NULL;
}

bool names_declared_here(const struct names *names, uint32_t name)
{
    const struct meaning *meaning = names_meaning(names, name);
    return meaning && meaning->depth == names->depth;
}

void names_open(struct names *names)
{
    names->depth++;
}

void names_close(struct names *names)
{
    while (names->meanings.count && names->meanings.items[names->meanings.count - 1].depth == names->depth) {
        struct meaning const last = names->meanings.items[--names->meanings.count];
        struct name *owner = &names->list.items[last.name];
        *(last.kind == MEANS_RANGE ? &owner->range : &owner->meaning) = last.outer;
    }
    names->depth--;
}
