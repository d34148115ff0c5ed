/* JSON values of the kept state: cleaning foreign ones, and merging those of two windows. */
#include "app/progress/state.h"
#include <stdint.h>
#include <string.h>

enum { TEXT_MOST = 4096, ENTRIES_MOST = 4096, DEPTH_MOST = 10 };

/* Returns the character at the start of UTF-8 text that jansson has checked, and its length in bytes. */
static uint32_t character_at(const unsigned char *text, int *length)
{
    *length = text[0] < 0x80 ? 1 : text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : 4;
    uint32_t character = *length == 1 ? text[0] : text[0] & (0x7Fu >> *length);
    for (int i = 1; i < *length && text[i]; i++)
        character = character << 6 | (text[i] & 0x3Fu);
    return character;
}

bool progress_plain(const char *text)
{
    size_t const bytes = strlen(text);
    int length;
    if (bytes > TEXT_MOST)
        return false;
    for (size_t i = 0; i < bytes; i += (size_t)length) {
        uint32_t const c = character_at((const unsigned char *)text + i, &length);
        bool const control = c < 0x20 || (c >= 0x7F && c < 0xA0), line = c == 0x2028 || c == 0x2029;
        bool const turns = c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        if (control || line || turns || i + (size_t)length > bytes)
            return false;
    }
    return true;
}

static json_t *clean(const json_t *value, int depth)
{
    const char *key;
    json_t *member, *copy;
    size_t index;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        if (depth > DEPTH_MOST || json_object_size(value) > ENTRIES_MOST)
            return NULL;
        copy = json_object();
        json_object_foreach((json_t *)value, key,
                            member) if (progress_plain(key) && (member = clean(member, depth + 1)))
            json_object_set_new(copy, key, member);
        return copy;
    case JSON_ARRAY:
        if (depth > DEPTH_MOST || json_array_size(value) > ENTRIES_MOST)
            return NULL;
        copy = json_array();
        json_array_foreach((json_t *)value, index, member) if ((member = clean(member, depth + 1)))
            json_array_append_new(copy, member);
        return copy;
    case JSON_STRING:
        return progress_plain(json_string_value(value)) ? json_copy((json_t *)value) : NULL;
    default:
        return json_copy((json_t *)value);
    }
}

json_t *progress_clean(const json_t *value)
{
    return clean(value, 0);
}

/* Adds to the result what becomes of one entry. */
static void merge_entry(json_t *result, const char *key, const json_t *base, const json_t *ours, const json_t *theirs)
{
    json_t *const merged =
        progress_merge(json_object_get(base, key), json_object_get(ours, key), json_object_get(theirs, key));
    if (merged)
        json_object_set_new(result, key, merged);
}

json_t *progress_merge(const json_t *base, const json_t *ours, const json_t *theirs)
{
    if (json_equal(base, ours) || (!base && !ours))
        return json_deep_copy(theirs);
    if (!json_is_object(ours) || !json_is_object(theirs))
        return json_deep_copy(!ours && !json_equal(base, theirs) ? theirs : ours);
    const char *key;
    json_t *member, *result = json_object();
    json_object_foreach((json_t *)theirs, key, member) merge_entry(result, key, base, ours, theirs);
    json_object_foreach((json_t *)ours, key, member) if (!json_object_get(theirs, key))
        merge_entry(result, key, base, ours, theirs);
    return result;
}

json_t *progress_object(json_t *parent, const char *name)
{
    json_t *object = json_object_get(parent, name);
    if (!json_is_object(object)) {
        object = json_object();
        json_object_set_new(parent, name, object);
    }
    return object;
}

int progress_int(const json_t *object, const char *name, int least, int most, int otherwise)
{
    const json_t *value = json_object_get(object, name);
    json_int_t const number = json_integer_value(value);
    return json_is_integer(value) && number >= least && number <= most ? (int)number : otherwise;
}

bool progress_true(const json_t *object, const char *name)
{
    return json_is_true(json_object_get(object, name));
}

const char *progress_text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}
