/* Reads the words of `--arg` and of `fill:` in lesson files, and allocates the memory that they describe. Buffers are
 * mapped: a large buffer costs nothing until it is touched, and missing memory is an error instead of a crash. */
#include "run/fill.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "run/picture.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *name;
    enum ptx_type type;
} types[] = {{"u8", PTX_U8},   {"u16", PTX_U16}, {"i32", PTX_S32}, {"u32", PTX_U32},
             {"i64", PTX_S64}, {"u64", PTX_U64}, {"f32", PTX_F32}, {"f64", PTX_F64}};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

enum ptx_type fill_type(const char *name, size_t length)
{
    for (int i = 0; i < TYPE_COUNT; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0)
            return types[i].type;
    return PTX_TYPE_NONE;
}

const char *fill_type_name(enum ptx_type type)
{
    if (type == PTX_S8 || type == PTX_S16)
        return type == PTX_S8 ? "i8" : "i16";
    for (int i = 0; i < TYPE_COUNT; i++)
        if (types[i].type == type)
            return types[i].name;
    return ptx_type_name(type);
}

static size_t size_of(enum ptx_type type)
{
    return ptx_type_size(type);
}

/* Reads a whole number in decimal or 0x digits. The whole text must be the number. */
static bool parse_u64(const char *text, uint64_t *number)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    *number = strtoull(text, &end, text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10);
    return errno == 0 && end != text && *end == '\0';
}

static bool not_a_number(enum ptx_type type, const char *text, struct error *error)
{
    return error_set(error, ERROR_INPUT, "\"%.80s\" is not a valid %s", text, fill_type_name(type));
}

static bool parse_float(enum ptx_type type, const char *text, uint64_t *bits, struct error *error)
{
    char *end;
    if (*text == '\0' || *text == ' ')
        return not_a_number(type, text, error);
    if (type == PTX_F32) {
        float const number = strtof(text, &end);
        memcpy(bits, &number, sizeof number);
    } else {
        double const number = strtod(text, &end);
        memcpy(bits, &number, sizeof number);
    }
    return *end == '\0' || not_a_number(type, text, error);
}

bool fill_scalar(enum ptx_type type, const char *text, uint64_t *bits, struct error *error)
{
    *bits = 0;
    if (type == PTX_F32 || type == PTX_F64)
        return parse_float(type, text, bits, error);
    bool const negative = text[0] == '-',
               is_signed = type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
    uint64_t number;
    if (!parse_u64(text + negative, &number))
        return not_a_number(type, text, error);
    unsigned const width = (unsigned)size_of(type) * 8;
    uint64_t const all = UINT64_MAX >> (64 - width);
    /* 0xffffffff is accepted as the i32 -1 */
    bool const hexadecimal = text[0] == '0' && number != 0 && (text[1] == 'x' || text[1] == 'X');
    uint64_t const limit = !is_signed || hexadecimal ? all : negative ? (all >> 1) + 1 : all >> 1;
    if ((negative && !is_signed) || number > limit)
        return error_set(error, ERROR_INPUT, "%s is out of the range of %s", text, fill_type_name(type));
    *bits = (negative ? UINT64_C(0) - number : number) & all;
    return true;
}

bool fill_parse(struct arena *arena, const char *text, struct fill *fill, struct error *error)
{
    static const struct {
        const char *word;
        enum fill_kind kind;
        bool parameter;
    } kinds[] = {{"zero", FILL_ZERO, false},      {"iota", FILL_IOTA, false},  {"const", FILL_CONST, true},
                 {"mod", FILL_MOD, true},         {"chase", FILL_CHASE, true}, {"random", FILL_RANDOM, true},
                 {"same", FILL_SAME, true},       {"file", FILL_FILE, true},   {"none", FILL_NONE, false},
                 {"picture", FILL_PICTURE, false}};
    size_t const length = strcspn(text, ":");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strlen(kinds[i].word) != length || memcmp(kinds[i].word, text, length) != 0)
            continue;
        if (kinds[i].parameter != (text[length] == ':'))
            return error_set(error, ERROR_INPUT,
                             kinds[i].parameter ? N_("\"%s\" needs a value after a colon")
                                                : N_("\"%s\" takes no value after a colon"),
                             kinds[i].word);
        const char *parameter = kinds[i].parameter ? text + length + 1 : "";
        *fill = (struct fill){kinds[i].kind, 0, arena_text(arena, parameter)};
        if (kinds[i].kind == FILL_CONST || kinds[i].kind == FILL_FILE || !kinds[i].parameter)
            return *parameter || !kinds[i].parameter ||
                   error_set(error, ERROR_INPUT, "\"%s:\" needs a value after the colon", kinds[i].word);
        if (!parse_u64(parameter, &fill->number))
            return error_set(error, ERROR_INPUT, "\"%.80s\" after \"%s:\" is not a whole number", parameter,
                             kinds[i].word);
        if (fill->kind == FILL_SAME && fill->number > 100)
            return error_set(error, ERROR_INPUT, "\"same:%s\" is more than all elements: same:100", parameter);
        return fill->kind != FILL_MOD || fill->number > 0 || error_set(error, ERROR_INPUT, "\"mod:0\" divides by zero");
    }
    error_set(error, ERROR_INPUT, "\"%.80s\" is not a fill", text);
    return error_remedy(
        error, "use zero, iota, const:V, mod:M, chase:S, random:SEED, same:PERCENT, picture, file:PATH or none");
}

bool fill_inside(struct arena *arena, const char *folder, struct fill *fill, struct error *error)
{
    if (fill->kind == FILL_FILE)
        fill->value = path_inside(arena, folder, fill->value, error);
    return fill->value != NULL;
}

static void store_whole(enum ptx_type type, void *data, uint64_t i, uint64_t number)
{
    switch (type) {
    case PTX_U8:
        ((uint8_t *)data)[i] = (uint8_t)number;
        break;
    case PTX_U16:
        ((uint16_t *)data)[i] = (uint16_t)number;
        break;
    case PTX_S32:
    case PTX_U32:
        ((uint32_t *)data)[i] = (uint32_t)number;
        break;
    case PTX_F32:
        ((float *)data)[i] = (float)number;
        break;
    case PTX_F64:
        ((double *)data)[i] = (double)number;
        break;
    default:
        ((uint64_t *)data)[i] = number;
        break;
    }
}

/* Returns output number i of the generator splitmix64 with this seed. */
static uint64_t splitmix64(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void store_random(enum ptx_type type, void *data, uint64_t i, uint64_t random)
{
    if (type == PTX_F32)
        ((float *)data)[i] = (float)(random >> 40) * 0x1p-24F;
    else if (type == PTX_F64)
        ((double *)data)[i] = (double)(random >> 11) * 0x1p-53;
    else
        store_whole(type, data, i, random);
}

/* Stores 100 in `percent` of 100 elements, at places that look random; the others are those of random:1. */
static void store_same(enum ptx_type type, void *data, uint64_t i, uint64_t percent)
{
    if ((splitmix64(2, i) >> 32) % 100 < percent)
        store_whole(type, data, i, 100);
    else
        store_random(type, data, i, splitmix64(1, i));
}

static bool fill_from_file(const char *path, size_t size, void *data, struct error *error)
{
    struct stat status;
    int const handle = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* which does not wait for a pipe's writer */
    if (handle < 0)
        return error_at(error, ERROR_INPUT, path, 0, 0, "cannot be opened: %s", strerror(errno));
    FILE *file = fstat(handle, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(handle, "rb") : NULL;
    if (!file) {
        close(handle);
        return error_at(error, ERROR_INPUT, path, 0, 0, "is not a file");
    }
    size_t const got = fread(data, 1, size, file);
    bool const more = got == size && fgetc(file) != EOF;
    fclose(file);
    if (got == size && !more)
        return true;
    return error_at(error, ERROR_INPUT, path, 0, 0,
                    more ? N_("holds more than the %zu {byte|bytes} of the buffer")
                         : N_("holds fewer than the %zu {byte|bytes} of the buffer"),
                    size);
}

static bool fill_picture(const struct launch_buffer *buffer, struct error *error)
{
    uint64_t const rows = buffer->shape.rows, columns = buffer->shape.pitch / size_of(buffer->type);
    if (!columns) {
        error_set(error, ERROR_INPUT, "buffer %s has no rows and columns for a picture", buffer->name);
        return error_remedy(error, "give its shape, such as f32[60x100]=picture");
    }
    for (uint64_t i = 0; i < buffer->count; i++) {
        uint64_t const row = i / columns < rows ? i / columns : rows - 1;
        store_whole(buffer->type, buffer->data, i, picture_pixel(row, i % columns, rows, columns));
    }
    return true;
}

bool fill_buffer(const struct fill *fill, const struct launch_buffer *buffer, struct error *error)
{
    enum ptx_type const type = buffer->type;
    void *data = buffer->data;
    uint64_t const count = buffer->count;
    size_t const width = size_of(type);
    uint64_t bits = 0;
    switch (fill->kind) {
    case FILL_ZERO:
    case FILL_NONE:
        memset(data, 0, width * count);
        break;
    case FILL_IOTA:
        for (uint64_t i = 0; i < count; i++)
            store_whole(type, data, i, i);
        break;
    case FILL_CONST:
        if (!fill_scalar(type, fill->value, &bits, error))
            return false;
        for (uint64_t i = 0; i < count; i++)
            memcpy((char *)data + i * width, &bits, width);
        break;
    case FILL_MOD:
        for (uint64_t i = 0; i < count; i++)
            store_whole(type, data, i, i % fill->number);
        break;
    case FILL_CHASE:
        for (uint64_t i = 0; i < count; i++)
            store_whole(type, data, i, (i + fill->number % count) % count);
        break;
    case FILL_RANDOM:
        for (uint64_t i = 0; i < count; i++)
            store_random(type, data, i, splitmix64(fill->number, i));
        break;
    case FILL_PICTURE:
        return fill_picture(buffer, error);
    case FILL_SAME:
        for (uint64_t i = 0; i < count; i++)
            store_same(type, data, i, fill->number);
        break;
    case FILL_FILE:
        return fill_from_file(fill->value, width * count, data, error);
    }
    return true;
}

/* Adds a buffer's bytes to those of the buffers before it. */
static bool add_bytes(const struct launch_buffer *buffer, uint64_t *bytes, struct error *error)
{
    size_t const width = size_of(buffer->type);
    if (buffer->count == 0)
        return error_set(error, ERROR_INPUT, "buffer %s needs at least one element", buffer->name);
    if (buffer->count > (UINT64_C(1) << 46) / width)
        return error_set(error, ERROR_INPUT, "buffer %s of %llu elements is larger than any memory", buffer->name,
                         (unsigned long long)buffer->count);
    *bytes += buffer->count * width;
    uint64_t const has = memory_available();
    return *bytes <= has ||
           error_set(error, ERROR_MISSING,
                     "this machine has %.1f GB of memory free; with buffer %s the launch needs %.1f GB",
                     (double)has * 1e-9, buffer->name, (double)*bytes * 1e-9);
}

bool launch_buffers_allocate(struct launch *launch, struct error *error)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < launch->buffer_count; i++)
        launch->buffers[i].data = NULL;
    for (uint32_t i = 0; i < launch->buffer_count; i++)
        if (!add_bytes(&launch->buffers[i], &bytes, error))
            return false;
    for (uint32_t i = 0; i < launch->buffer_count; i++) {
        struct launch_buffer *buffer = &launch->buffers[i];
        size_t const size = buffer->count * size_of(buffer->type);
        void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (data == MAP_FAILED) {
            launch_buffers_free(launch);
            return error_set(error, ERROR_MISSING, "this machine has no %.1f GB of memory for buffer %s",
                             (double)size * 1e-9, buffer->name);
        }
        madvise(data, size, MADV_HUGEPAGE);
        buffer->data = data;
    }
    return true;
}

void launch_buffers_free(struct launch *launch)
{
    for (uint32_t i = 0; i < launch->buffer_count; i++)
        if (launch->buffers[i].data) {
            munmap(launch->buffers[i].data, launch->buffers[i].count * size_of(launch->buffers[i].type));
            launch->buffers[i].data = NULL;
        }
}

/* Types that only scalars have, besides the types of buffers. */
static const struct {
    const char *name;
    enum ptx_type type;
} narrow[] = {{"i8", PTX_S8}, {"i16", PTX_S16}, {"bool", PTX_U8}};

static enum ptx_type scalar_type(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof narrow / sizeof narrow[0]; i++)
        if (strlen(narrow[i].name) == length && memcmp(narrow[i].name, name, length) == 0)
            return narrow[i].type;
    return fill_type(name, length);
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
    return error_remedy(error, "write struct{f32=1,i32[2]={3,4},struct{u8=5}}, or the bytes as bytes=00ff");
}

/* Returns a copy of the text up to a comma or a closing bracket. */
static const char *next_value(struct arena *arena, const char **at)
{
    size_t const length = strcspn(*at, ",}");
    const char *value = arena_text_n(arena, *at, length);
    *at += length;
    return value;
}

/* Reads `f32=1` or `i32[2]={3,4}`. Missing elements are 0. */
static bool parse_numbers(struct arena *arena, const char **at, struct layout *layout, struct error *error)
{
    const char *start = *at;
    size_t const name = strcspn(start, "[=,}");
    enum ptx_type type = scalar_type(start, name);
    size_t const size = type ? ptx_type_size(type) : 0;
    uint64_t count = 1, bits;
    bool const array = start[name] == '[';
    *at += name;
    if (array) {
        size_t const digits = strcspn(*at + 1, "]");
        if (!parse_u64(arena_text_n(arena, *at + 1, digits), &count) || count == 0 || count > STRUCTURE_MOST)
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
                memcpy(layout_room(layout, inner.size, inner.alignment), inner.bytes, inner.size);
            free(inner.bytes);
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
    if (layout->size <= 8 && types_by_size[layout->size]) {
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
    return good;
}

/* Reads the elements of a buffer: "1024", "64x60" (rows and columns) or "64x60:256" (with the bytes from row to row).
 */
static bool parse_count(struct arena *arena, const char *text, struct argument_text *argument)
{
    struct launch_shape *shape = &argument->shape;
    uint64_t const size = ptx_type_size(argument->type);
    const char *x = strchr(text, 'x'), *colon = strchr(text, ':');
    if (!x)
        return parse_u64(text, &argument->count);
    const char *end = colon ? colon : x + strlen(x);
    if (end < x || !parse_u64(arena_text_n(arena, text, (size_t)(x - text)), &shape->rows) ||
        !parse_u64(arena_text_n(arena, x + 1, (size_t)(end - x - 1)), &shape->columns) ||
        (colon && !parse_u64(colon + 1, &shape->pitch)))
        return false;
    if (!shape->rows || !shape->columns || shape->columns > UINT64_MAX / size)
        return false;
    shape->pitch = colon ? shape->pitch : shape->columns * size;
    if (shape->pitch / size > UINT64_MAX / shape->rows)
        return false;
    argument->count = shape->rows * (shape->pitch / size);
    return true;
}

bool argument_parse(struct arena *arena, const char *text, struct argument_text *argument, struct error *error)
{
    *argument = (struct argument_text){0};
    size_t const name = strcspn(text, "[=");
    const char *at = text + name;
    struct error inner = {0};
    bool structure;
    if (!parse_structure(arena, text, argument, &structure, &inner))
        goto inside;
    if (structure)
        return true;
    argument->type = *at == '[' ? fill_type(text, name) : scalar_type(text, name);
    if (argument->type == PTX_TYPE_NONE || *at == '\0')
        goto grammar;
    if (*at == '[') {
        size_t const digits = strcspn(at + 1, "]");
        argument->is_buffer = true;
        if (at[1 + digits] != ']' || at[2 + digits] != '=' ||
            !parse_count(arena, arena_text_n(arena, at + 1, digits), argument))
            goto grammar;
        if (launch_shape_problem(&argument->shape, argument->count, ptx_type_size(argument->type)))
            return error_set(error, ERROR_INPUT, "--arg %s: the pitch must hold a row, and whole elements", text);
        if (argument->count == 0)
            return error_set(error, ERROR_INPUT, "--arg %s: a buffer needs at least one element", text);
        if (!fill_parse(arena, at + 3 + digits, &argument->fill, &inner))
            goto inside;
        uint64_t bits;
        if (argument->fill.kind == FILL_CONST && !fill_scalar(argument->type, argument->fill.value, &bits, &inner))
            goto inside;
        return true;
    }
    if (!parse_scalar(text, name, at + 1, &argument->type, &argument->bits, &inner))
        goto inside;
    return true;
grammar:
    error_set(error, ERROR_INPUT, "--arg %s is neither a scalar nor a buffer", text);
    return error_remedy(error, "write a scalar as i32=5 (bool i8 u8 i16 u16 i32 u32 i64 u64 f32 f64), a buffer as "
                               "f32[1024]=iota (u8 u16 i32 u32 i64 u64 f32 f64), a structure as struct{f32=1,i32=2} or "
                               "bytes=HEX");
inside:
    error_set(error, ERROR_INPUT, "--arg %s: %s", text, inner.message);
    return error_remedy(error, "%s", inner.remedy);
}
