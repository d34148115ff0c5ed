/* Reads one `--arg`: a scalar, a buffer, or a structure with both in it. */
#include "run/fill.h"
#include "run/launch_words.h"
#include <stdlib.h>
#include <string.h>

static bool number(const char *text, uint64_t *value)
{
    return launch_number(text, 0, UINT64_MAX, value);
}

/* Scalars have the types of buffers, and bool in place of b1. */
static enum ptx_type scalar_type(const char *name, size_t length)
{
    if (length == 4 && memcmp(name, "bool", 4) == 0)
        return PTX_U8;
    enum ptx_type const type = fill_type(name, length);
    return type == PTX_B1 ? PTX_TYPE_NONE : type;
}

/* Reads a number of the type with this name. A bool may be written `true` or `false`. */
static bool parse_scalar(const char *name, size_t length, const char *text, enum ptx_type *type, uint64_t *bits,
                         struct error *error)
{
    *type = scalar_type(name, length);
    bool const truth = length == 4 && memcmp(name, "bool", 4) == 0;
    const char *number = !truth ? text : strcmp(text, "true") == 0 ? "1" : strcmp(text, "false") == 0 ? "0" : text;
    if (truth && strcmp(number, "0") != 0 && strcmp(number, "1") != 0)
        return error_set(error, ERROR_INPUT, "\"%.80s\" is not a valid %s", text, "bool");
    return fill_scalar(*type, number, bits, error);
}

/* A structure laid out as in C: each member begins at a multiple of its alignment, and the size is a multiple of the
 * largest alignment. */
struct layout {
    uint8_t *bytes;
    size_t size, alignment, capacity;
    struct argument_inner *inner;
    size_t inner_count, inner_capacity;
};

static void *layout_room(struct layout *layout, size_t size, size_t alignment)
{
    size_t const at = (layout->size + alignment - 1) / alignment * alignment;
    layout->bytes = array_grow(layout->bytes, &layout->capacity, at + size, 1);
    memset(layout->bytes + layout->size, 0, at + size - layout->size);
    layout->size = at + size;
    if (alignment > layout->alignment)
        layout->alignment = alignment;
    return layout->bytes + at;
}

enum { STRUCTURE_MOST = 4096, DEPTH_MOST = 8 }; /* a launch takes at most so many bytes */

/* Returns the length of the member at the beginning of the text: up to a comma or a bracket that is not inside it. */
static int member_length(const char *at)
{
    int length = 0;
    for (int open = 0; at[length] && (open || (at[length] != ',' && at[length] != '}')); length++)
        open += (at[length] == '{') - (at[length] == '}');
    return length < 60 ? length : 60;
}

static bool wrong_structure(const char *at, struct error *error)
{
    int const length = member_length(at);
    if (length)
        error_set(error, ERROR_INPUT, "\"%.*s\" is not a member of a structure", length, at);
    else if (*at)
        error_set(error, ERROR_INPUT, "a member is missing before \"%.10s\"", at);
    else
        error_set(error, ERROR_INPUT, "the structure has no closing bracket");
    return error_remedy(error,
                        "write struct{f32=1,i32[2]={3,4},f32[64]=iota,struct{u8=5}}, or the bytes as bytes=00ff");
}

/* Returns a copy of the text up to a comma or a closing bracket. */
static const char *next_value(struct arena *arena, const char **at)
{
    size_t const length = strcspn(*at, ",}");
    const char *value = arena_text_n(arena, *at, length);
    *at += length;
    return value;
}

/* Reads the elements of a buffer: "1024", "64x60" (rows and columns) or "64x60:256" (with the bytes from row to row).
 * Bits have no rows. */
static bool parse_count(struct arena *arena, const char *text, struct argument_inner *buffer)
{
    struct launch_shape *shape = &buffer->shape;
    uint64_t const size = ptx_type_size(buffer->type);
    const char *x = strchr(text, 'x'), *colon = strchr(text, ':');
    if (!x && buffer->type == PTX_B1) { /* bits, in whole bytes */
        bool const whole = number(text, &buffer->count) && buffer->count % 8 == 0;
        buffer->count /= 8;
        return whole;
    }
    if (!x)
        return number(text, &buffer->count);
    const char *end = colon ? colon : x + strlen(x);
    if (end < x || buffer->type == PTX_B1 || !number(arena_text_n(arena, text, (size_t)(x - text)), &shape->rows) ||
        !number(arena_text_n(arena, x + 1, (size_t)(end - x - 1)), &shape->columns) ||
        (colon && !number(colon + 1, &shape->pitch)))
        return false;
    if (!shape->rows || !shape->columns || shape->columns > UINT64_MAX / size)
        return false;
    shape->pitch = colon ? shape->pitch : shape->columns * size;
    if (shape->pitch / size > UINT64_MAX / shape->rows)
        return false;
    buffer->count = shape->rows * (shape->pitch / size);
    return true;
}

/* Reads "f32[1024]=iota". Sets no error, but returns false, where the text is no buffer at all. */
static bool parse_buffer(struct arena *arena, const char *text, struct argument_inner *buffer, struct error *error)
{
    size_t const name = strcspn(text, "[="), digits = strcspn(text + name, "]");
    const char *at = text + name;
    *buffer = (struct argument_inner){.type = fill_type(text, name)};
    *error = (struct error){0};
    if (buffer->type == PTX_TYPE_NONE || *at != '[' || at[digits] != ']' || at[digits + 1] != '=' ||
        !parse_count(arena, arena_text_n(arena, at + 1, digits - 1), buffer))
        return false;
    if (launch_shape_problem(&buffer->shape, buffer->count, ptx_type_size(buffer->type)))
        return error_set(error, ERROR_INPUT, "the pitch must hold a row, and whole elements");
    if (buffer->count == 0)
        return error_set(error, ERROR_INPUT, "a buffer needs at least one element");
    if (!fill_parse(arena, at + digits + 2, &buffer->fill, error))
        return false;
    uint64_t bits;
    bool const number = buffer->fill.kind == FILL_CONST || (buffer->fill.kind == FILL_IOTA && *buffer->fill.value);
    return !number || fill_scalar(buffer->type, buffer->fill.value, &bits, error);
}

/* Adds a buffer's address to the structure. */
static bool parse_inner(struct arena *arena, const char **at, struct layout *layout, struct error *error)
{
    const char *start = *at;
    struct argument_inner buffer;
    size_t const length = strcspn(start, ",}");
    if (!parse_buffer(arena, arena_text_n(arena, start, length), &buffer, error))
        return *error->message ? false : wrong_structure(start, error);
    *at += length;
    layout_room(layout, sizeof(uint64_t), sizeof(uint64_t));
    buffer.offset = (uint32_t)(layout->size - sizeof(uint64_t));
    layout->inner = array_grow(layout->inner, &layout->inner_capacity, layout->inner_count + 1, sizeof *layout->inner);
    layout->inner[layout->inner_count++] = buffer;
    return true;
}

/* Reads `f32=1`, `i32[2]={3,4}`, of which missing elements are 0, or the buffer `f32[64]=iota`. */
static bool parse_numbers(struct arena *arena, const char **at, struct layout *layout, struct error *error)
{
    const char *start = *at;
    size_t const name = strcspn(start, "[=,}");
    enum ptx_type type = scalar_type(start, name);
    size_t const size = type ? ptx_type_size(type) : 0;
    uint64_t count = 1, bits;
    bool const array = start[name] == '[';
    if (array && start[name + 1 + strcspn(start + name + 1, "]=,}")] == ']' &&
        strncmp(start + name + 1 + strcspn(start + name + 1, "]"), "]={", 3) != 0)
        return parse_inner(arena, at, layout, error);
    *at += name;
    if (array) {
        size_t const digits = strcspn(*at + 1, "]");
        if (!number(arena_text_n(arena, *at + 1, digits), &count) || count == 0 || count > STRUCTURE_MOST)
            return wrong_structure(start, error);
        *at += digits + ((*at)[digits + 1] == ']') + 1;
    }
    bool const braces = array && strncmp(*at, "={", 2) == 0;
    if (!size || (array ? !braces : **at != '='))
        return wrong_structure(start, error);
    *at += 1 + braces;
    uint8_t *to = layout_room(layout, size * count, size);
    for (uint64_t i = 0; braces ? **at != '}' : i == 0; i++) {
        if (i == count)
            return error_set(error, ERROR_INPUT, "\"%.*s\" has more than %llu {value|values}", member_length(start),
                             start, (unsigned long long)count);
        if (!parse_scalar(start, name, next_value(arena, at), &type, &bits, error))
            return false;
        memcpy(to + i * size, &bits, size); /* little-endian */
        if (braces && **at == ',')
            (*at)++;
    }
    *at += braces;
    return true;
}

/* Adds a structure as a member of another one. */
static void take_inner(struct layout *layout, const struct layout *inner)
{
    memcpy(layout_room(layout, inner->size, inner->alignment), inner->bytes, inner->size);
    size_t const begin = layout->size - inner->size;
    for (size_t i = 0; i < inner->inner_count; i++) {
        layout->inner =
            array_grow(layout->inner, &layout->inner_capacity, layout->inner_count + 1, sizeof *layout->inner);
        layout->inner[layout->inner_count] = inner->inner[i];
        layout->inner[layout->inner_count++].offset += (uint32_t)begin;
    }
}

/* Reads the members after `struct{`, up to the bracket that closes it. */
static bool parse_members(struct arena *arena, const char **at, unsigned depth, struct layout *layout,
                          struct error *error)
{
    static const char word[] = "struct{";
    for (;;) {
        if (strncmp(*at, word, sizeof word - 1) == 0) {
            struct layout inner = {.alignment = 1};
            *at += sizeof word - 1;
            bool const good =
                depth < DEPTH_MOST ? parse_members(arena, at, depth + 1, &inner, error) : wrong_structure(*at, error);
            if (good)
                take_inner(layout, &inner);
            free(inner.bytes);
            free(inner.inner);
            if (!good)
                return false;
        } else if (!parse_numbers(arena, at, layout, error)) {
            return false;
        }
        if (layout->size > STRUCTURE_MOST)
            return error_set(error, ERROR_INPUT, "the structure is larger than %d B", STRUCTURE_MOST);
        if (**at == '}')
            break;
        if (**at != ',')
            return wrong_structure(*at, error);
        (*at)++;
    }
    (*at)++;
    layout_room(layout, 0, layout->alignment);
    return true;
}

static bool parse_bytes(const char *text, struct layout *layout, struct error *error)
{
    size_t const length = strlen(text);
    if (length == 0 || length % 2 || strspn(text, "0123456789abcdefABCDEF") != length || length / 2 > STRUCTURE_MOST)
        return error_set(error, ERROR_INPUT, "bytes= takes pairs of hexadecimal digits, at most %d B", STRUCTURE_MOST);
    uint8_t *bytes = layout_room(layout, length / 2, 1);
    for (size_t i = 0; i < length / 2; i++) {
        char const pair[] = {text[2 * i], text[2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return true;
}

/* Stores a structure of a scalar's size as a scalar, so that the executors see a number. */
static void take_layout(struct arena *arena, const struct layout *layout, struct argument_text *argument)
{
    static const enum ptx_type types_by_size[] = {[1] = PTX_B8, [2] = PTX_B16, [4] = PTX_B32, [8] = PTX_B64};
    argument->structure = true;
    argument->size = (uint32_t)layout->size;
    argument->inner = arena_copy(arena, layout->inner, layout->inner_count, sizeof *layout->inner);
    argument->inner_count = (uint32_t)layout->inner_count;
    if (!layout->inner_count && layout->size <= 8 && types_by_size[layout->size]) {
        argument->type = types_by_size[layout->size];
        memcpy(&argument->bits, layout->bytes, layout->size);
        return;
    }
    argument->bytes = arena_copy(arena, layout->bytes, layout->size, 1);
}

/* Reads `bytes=HEX` or `struct{...}`, and sets *is_one when the text begins as one of them. */
static bool parse_structure(struct arena *arena, const char *text, struct argument_text *argument, bool *is_one,
                            struct error *error)
{
    bool const members = strncmp(text, "struct{", 7) == 0;
    struct layout layout = {.alignment = 1};
    *is_one = members || strncmp(text, "bytes=", 6) == 0;
    if (!*is_one)
        return true;
    const char *at = text + (members ? 7 : 6);
    bool good = members ? parse_members(arena, &at, 1, &layout, error) : parse_bytes(at, &layout, error);
    if (good && members && *at)
        good = wrong_structure(at, error);
    if (good)
        take_layout(arena, &layout, argument);
    free(layout.bytes);
    free(layout.inner);
    return good;
}

const char *argument_file(const char *argument, const char *at, size_t *length)
{
    static const char word[] = "=file:";
    const char *place = strstr(at, word);
    if (!place)
        return NULL;
    place += sizeof word - 1;
    *length = strncmp(argument, "struct{", 7) == 0 ? strcspn(place, ",}") : strlen(place);
    return place;
}

bool argument_parse(struct arena *arena, const char *text, struct argument_text *argument, struct error *error)
{
    *argument = (struct argument_text){0};
    size_t const name = strcspn(text, "[=");
    struct error inner = {0};
    bool structure;
    if (!parse_structure(arena, text, argument, &structure, &inner))
        goto inside;
    if (structure)
        return true;
    if (text[name] == '[') {
        struct argument_inner buffer;
        if (!parse_buffer(arena, text, &buffer, &inner)) {
            if (*inner.message)
                goto inside;
            goto grammar;
        }
        argument->is_buffer = true;
        argument->type = buffer.type;
        argument->count = buffer.count;
        argument->shape = buffer.shape;
        argument->fill = buffer.fill;
        return true;
    }
    argument->type = scalar_type(text, name);
    if (argument->type == PTX_TYPE_NONE || text[name] == '\0')
        goto grammar;
    if (!parse_scalar(text, name, text + name + 1, &argument->type, &argument->bits, &inner))
        goto inside;
    return true;
grammar:
    error_set(error, ERROR_INPUT, "--arg %s is neither a scalar nor a buffer", text);
    return error_remedy(error,
                        "write a scalar as i32=5, a buffer as f32[1024]=iota (i8 u8 i16 u16 i32 u32 i64 u64 e4m3 "
                        "e5m2 f16 bf16 f32 f64; a scalar also bool, a buffer also b1), a structure as "
                        "struct{f32=1,i32=2} or bytes=HEX");
inside:
    error_set(error, ERROR_INPUT, "--arg %s: %s", text, inner.message);
    return error_remedy(error, "%s", inner.remedy);
}
