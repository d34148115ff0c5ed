/* Reads the words of `--arg` and of `fill:` in lesson files, and allocates the memory that they describe. Buffers are
 * mapped: a large buffer costs nothing until it is touched, and missing memory is an error instead of a crash. */
#include "run/fill.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "ptx/element.h"
#include "run/picture.h"
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *name;
    enum ptx_type type;
} types[] = {{"u8", PTX_U8},   {"i8", PTX_S8},     {"u16", PTX_U16},   {"i16", PTX_S16},   {"i32", PTX_S32},
             {"u32", PTX_U32}, {"i64", PTX_S64},   {"u64", PTX_U64},   {"f32", PTX_F32},   {"f64", PTX_F64},
             {"f16", PTX_F16}, {"bf16", PTX_BF16}, {"e4m3", PTX_E4M3}, {"e5m2", PTX_E5M2}, {"b1", PTX_B1}};
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

/* Reads a number so that rounding it again to a type of fewer bits gives the type's nearest number: of the two doubles
 * around it the one whose last bit is 1 (rounding to odd). strtod follows the direction of rounding; where it does not,
 * the nearest double serves. */
static double read_odd(const char *text, char **end)
{
    int const mode = fegetround();
    fesetround(FE_DOWNWARD);
    double const below = strtod(text, end);
    fesetround(FE_UPWARD);
    double const above = strtod(text, end);
    fesetround(mode);
    uint64_t bits;
    memcpy(&bits, &below, sizeof bits);
    return bits & 1 ? below : above;
}

static bool parse_float(enum ptx_type type, const char *text, uint64_t *bits, struct error *error)
{
    char *end;
    if (*text == '\0' || *text == ' ')
        return not_a_number(type, text, error);
    if (type == PTX_F32) {
        float const number = strtof(text, &end);
        memcpy(bits, &number, sizeof number);
    } else if (ptx_is_small_real(type)) {
        *bits = ptx_real_bits(type, read_odd(text, &end));
    } else {
        double const number = strtod(text, &end);
        memcpy(bits, &number, sizeof number);
    }
    return *end == '\0' || not_a_number(type, text, error);
}

bool fill_scalar(enum ptx_type type, const char *text, uint64_t *bits, struct error *error)
{
    *bits = 0;
    if (ptx_is_real(type))
        return parse_float(type, text, bits, error);
    bool const negative = text[0] == '-',
               is_signed = type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
    uint64_t number;
    if (!parse_u64(text + negative, &number))
        return not_a_number(type, text, error);
    unsigned const width = type == PTX_B1 ? 1 : (unsigned)size_of(type) * 8;
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
    } kinds[] = {{"zero", FILL_ZERO, false},       {"iota", FILL_IOTA, false},   {"const", FILL_CONST, true},
                 {"mod", FILL_MOD, true},          {"chase", FILL_CHASE, true},  {"random", FILL_RANDOM, true},
                 {"same", FILL_SAME, true},        {"file", FILL_FILE, true},    {"none", FILL_NONE, false},
                 {"picture", FILL_PICTURE, false}, {"digits", FILL_DIGITS, true}};
    size_t const length = strcspn(text, ":");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strlen(kinds[i].word) != length || memcmp(kinds[i].word, text, length) != 0)
            continue;
        bool const given = text[length] == ':';
        if (kinds[i].parameter != given && kinds[i].kind != FILL_IOTA)
            return error_set(error, ERROR_INPUT,
                             kinds[i].parameter ? N_("\"%s\" needs a value after a colon")
                                                : N_("\"%s\" takes no value after a colon"),
                             kinds[i].word);
        const char *parameter = given ? text + length + 1 : "";
        *fill = (struct fill){kinds[i].kind, 0, arena_text(arena, parameter)};
        if (kinds[i].kind == FILL_CONST || kinds[i].kind == FILL_FILE || !kinds[i].parameter)
            return *parameter || !given ||
                   error_set(error, ERROR_INPUT, "\"%s:\" needs a value after the colon", kinds[i].word);
        if (!parse_u64(parameter, &fill->number))
            return error_set(error, ERROR_INPUT, "\"%.80s\" after \"%s:\" is not a whole number", parameter,
                             kinds[i].word);
        if (fill->kind == FILL_SAME && fill->number > 100)
            return error_set(error, ERROR_INPUT, "\"same:%s\" is more than all elements: same:100", parameter);
        return fill->kind != FILL_MOD || fill->number > 0 || error_set(error, ERROR_INPUT, "\"mod:0\" divides by zero");
    }
    error_set(error, ERROR_INPUT, "\"%.80s\" is not a fill", text);
    return error_remedy(error, "use zero, iota, iota:V, const:V, mod:M, chase:S, random:SEED, digits:SEED, "
                               "same:PERCENT, picture, file:PATH or "
                               "none");
}

bool fill_inside(struct arena *arena, const char *folder, struct fill *fill, struct error *error)
{
    if (fill->kind == FILL_FILE)
        fill->value = path_inside(arena, folder, fill->value, error);
    return fill->value != NULL;
}

static void store_real(enum ptx_type type, void *data, uint64_t i, double number)
{
    if (type == PTX_F64)
        ((double *)data)[i] = number;
    else if (type == PTX_F32)
        ((float *)data)[i] = (float)number;
    else {
        uint64_t const bits = ptx_real_bits(type, number);
        memcpy((char *)data + i * size_of(type), &bits, size_of(type)); /* the low bytes come first */
    }
}

static void store_whole(enum ptx_type type, void *data, uint64_t i, uint64_t number)
{
    if (ptx_is_real(type)) {
        store_real(type, data, i, (double)number);
        return;
    }
    switch (type) {
    case PTX_U8:
    case PTX_S8:
        ((uint8_t *)data)[i] = (uint8_t)number;
        break;
    case PTX_B1: /* i is the number of the bit */
        ((uint8_t *)data)[i / 8] = (uint8_t)((((uint8_t *)data)[i / 8] & ~(1u << i % 8)) | (number & 1) << i % 8);
        break;
    case PTX_S16:
    case PTX_U16:
        ((uint16_t *)data)[i] = (uint16_t)number;
        break;
    case PTX_S32:
    case PTX_U32:
        ((uint32_t *)data)[i] = (uint32_t)number;
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

/* Stores a number from 0 to 1, without 1, with as many bits as the type has; of whole numbers all bits. */
static void store_random(enum ptx_type type, void *data, uint64_t i, uint64_t random)
{
    int const digits = type == PTX_F16 ? 11 : type == PTX_BF16 ? 8 : type == PTX_E4M3 ? 4 : 3;
    if (ptx_is_small_real(type)) {
        uint64_t const bits = ptx_real_bits(type, ldexp((double)(random >> (64 - digits)), -digits));
        memcpy((char *)data + i * size_of(type), &bits, size_of(type));
        return;
    }
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

/* Stores i + `value`. Values of integers wrap around. */
static bool fill_iota(const struct fill *fill, const struct launch_buffer *buffer, uint64_t count, struct error *error)
{
    enum ptx_type const type = buffer->type;
    uint64_t start = 0;
    if (*fill->value && !fill_scalar(type, fill->value, &start, error))
        return false;
    double const real = *fill->value && ptx_is_real(type) ? strtod(fill->value, NULL) : 0;
    for (uint64_t i = 0; i < count; i++)
        if (ptx_is_real(type))
            store_real(type, buffer->data, i, (double)i + real);
        else
            store_whole(type, buffer->data, i, i + start);
    return true;
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
    size_t const width = size_of(type);
    uint64_t const bytes = width * buffer->count, count = type == PTX_B1 ? 8 * buffer->count : buffer->count;
    uint64_t bits = 0;
    switch (fill->kind) {
    case FILL_ZERO:
    case FILL_NONE:
        memset(data, 0, bytes);
        break;
    case FILL_IOTA:
        return fill_iota(fill, buffer, count, error);
    case FILL_CONST:
        if (!fill_scalar(type, fill->value, &bits, error))
            return false;
        if (type == PTX_B1)
            memset(data, bits ? 0xff : 0, bytes);
        for (uint64_t i = 0; i < count && type != PTX_B1; i++)
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
    case FILL_DIGITS:
        for (uint64_t i = 0; i < count; i++)
            store_whole(type, data, i, (splitmix64(fill->number, i) >> 32) % 10);
        break;
    case FILL_PICTURE:
        return fill_picture(buffer, error);
    case FILL_SAME:
        for (uint64_t i = 0; i < count; i++)
            store_same(type, data, i, fill->number);
        break;
    case FILL_FILE:
        return fill_from_file(fill->value, bytes, data, error);
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
