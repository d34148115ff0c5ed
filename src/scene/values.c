/* Values of lanes as a person writes them: 3.25, not 0x40500000. PTX may load an int as u32 and a float as b32. If the
 * instruction gives only a size or an integer type, the buffer's type decides. */
#include "base/words.h"
#include "ptx/element.h"
#include "scene/scene.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 8, NUMBER_MOST = 40 };

static bool is_float(enum ptx_type type)
{
    return type == PTX_F16X2 || type == PTX_BF16X2 || ptx_is_real(type);
}

static bool is_whole(enum ptx_type type)
{
    return (type >= PTX_U8 && type <= PTX_U64) || (type >= PTX_S8 && type <= PTX_S64);
}

/* Returns whether an access of several words, or of a word of several elements, moves whole elements of the buffer. A
 * compiler copies a float4 or a double2 as integers, whose type then says nothing. */
static bool copies_elements(const struct scene *scene, const struct trace_buffer *buffer, uint64_t address)
{
    size_t const bytes = scene->site->bytes, word = ptx_type_size(scene->site->type);
    size_t const element = ptx_type_size(buffer->type);
    return !is_float(scene->site->type) && element && (bytes > word || word > element) && bytes % element == 0 &&
           (address - buffer->address) % element == 0;
}

/* PTX does not say what shared memory holds. Returns the type of floats that its numbers of this size, of one or two
 * bytes, have: that of the launch's arrays, if all of this size have the same one. */
static enum ptx_type small_real_of(const struct trace *trace, size_t size)
{
    enum ptx_type found = PTX_TYPE_NONE;
    for (uint32_t i = 0; i < trace->buffer_count && size <= 2; i++) {
        enum ptx_type const type = trace->buffers[i].type;
        if (ptx_type_size(type) != size)
            continue;
        if (!ptx_is_real(type) || (found && found != type))
            return PTX_TYPE_NONE;
        found = type;
    }
    return found;
}

/* Returns the type of the elements that a lane reads or writes. */
static enum ptx_type element_type(const struct scene *scene, uint64_t address)
{
    enum ptx_type const written = scene->site->type;
    const struct trace_buffer *buffer =
        scene->kind != SCENE_SHARED ? trace_find_buffer(scene->trace, address, NULL) : NULL;
    if (written == PTX_F16X2)
        return PTX_F16;
    if (written == PTX_BF16X2)
        return PTX_BF16;
    enum ptx_type const small =
        scene->kind == SCENE_SHARED ? small_real_of(scene->trace, ptx_type_size(written)) : PTX_TYPE_NONE;
    if (small)
        return small;
    if (buffer && copies_elements(scene, buffer, address))
        return buffer->type;
    /* An integer over floats reads their bits; but compilers have no other loads of halves and of floats of a byte. */
    if (!buffer || is_float(written) ||
        (is_whole(written) && is_float(buffer->type) && ptx_type_size(buffer->type) > 2))
        return written;
    return !written || ptx_type_size(written) == ptx_type_size(buffer->type) ? buffer->type : written;
}

/* Writes the fewest digits that read back as the same number. */
static void write_number(char *to, double number, bool is_single)
{
    for (int digits = is_single ? 6 : 15; digits <= 17; digits++) {
        snprintf(to, NUMBER_MOST, "%.*g", digits, number);
        if (isnan(number) || (is_single ? strtof(to, NULL) == (float)number : strtod(to, NULL) == number))
            return;
    }
}

static void write_bits(char *to, uint64_t bits)
{
    to[0] = '0';
    to[1] = 'b';
    for (int i = 0; i < 8; i++)
        to[9 - i] = bits >> i & 1 ? '1' : '0';
    to[10] = '\0';
}

static void write_element(char *to, enum ptx_type type, size_t size, uint64_t bits)
{
    uint64_t const sign = UINT64_C(1) << (8 * size - 1);
    if (is_float(type))
        write_number(to, ptx_real(type, bits), type != PTX_F64);
    else if (type == PTX_B1)
        write_bits(to, bits);
    else if (type >= PTX_S8 && type <= PTX_S64)
        snprintf(to, NUMBER_MOST, "%" PRId64, (int64_t)((bits ^ sign) - sign));
    else if (type >= PTX_U8 && type <= PTX_U64)
        snprintf(to, NUMBER_MOST, "%" PRIu64, bits);
    else
        snprintf(to, NUMBER_MOST, "0x%" PRIx64, bits);
}

const char *scene_number(struct arena *arena, enum ptx_type type, uint64_t bits)
{
    char text[NUMBER_MOST];
    size_t const size = ptx_type_size(type);
    write_element(text, type, size ? size : VALUE_BYTES, size && size < VALUE_BYTES ? bits & UINT32_MAX : bits);
    return arena_text(arena, text);
}

/* The bytes that the trace keeps of one lane. */
struct kept {
    enum ptx_type type;
    size_t size, bytes; /* size: of an element; bytes: of all that are kept */
    uint64_t bits;
};

static bool find_kept(const struct scene *scene, int lane, struct kept *kept)
{
    const uint64_t *values = scene->addresses ? trace_values(scene->trace, scene->event) : NULL;
    if (!values || !scene->site->bytes || !(scene->event->mask >> lane & 1))
        return false;
    kept->bits = values[lane];
    kept->bytes = scene->site->bytes < VALUE_BYTES ? scene->site->bytes : VALUE_BYTES;
    kept->type = element_type(scene, scene->addresses[lane]);
    kept->size = ptx_type_size(kept->type);
    if (!kept->size || kept->size > kept->bytes) { /* not a number: show its bytes */
        kept->type = PTX_TYPE_NONE;
        kept->size = kept->bytes;
    }
    return true;
}

/* Returns the text of the element that begins `at` bytes on. */
static const char *element_text(const struct kept *kept, struct arena *arena, size_t at)
{
    char text[NUMBER_MOST];
    uint64_t const all = kept->size < VALUE_BYTES ? (UINT64_C(1) << 8 * kept->size) - 1 : UINT64_MAX;
    write_element(text, kept->type, kept->size, kept->bits >> 8 * at & all);
    return arena_text(arena, text);
}

const char *scene_value_at(const struct scene *scene, struct arena *arena, int lane, uint64_t address)
{
    struct kept kept;
    if (!find_kept(scene, lane, &kept))
        return NULL;
    uint64_t const first = scene->addresses[lane], at = address > first ? (address - first) / kept.size * kept.size : 0;
    return at < kept.bytes && kept.size <= kept.bytes - at ? element_text(&kept, arena, at) : NULL;
}

const char *scene_values(const struct scene *scene, struct arena *arena, int lane)
{
    struct kept kept;
    if (!find_kept(scene, lane, &kept))
        return NULL;
    const char *text = element_text(&kept, arena, 0);
    for (size_t at = kept.size; at + kept.size <= kept.bytes; at += kept.size)
        text = arena_format(arena, "%s, %s", text, element_text(&kept, arena, at));
    return scene->site->bytes > VALUE_BYTES ? arena_format(arena, "%s, …", text) : text;
}

const char *scene_name_lane(const struct scene *scene, struct arena *arena, int lane)
{
    uint64_t const address = scene->addresses[lane];
    const char *name = scene->kind == SCENE_SHARED ? scene_name_byte(scene, arena, address)
                                                   : scene_name_address(scene, arena, address);
    return scene_name_value(scene, arena, name, scene_values(scene, arena, lane));
}

const char *scene_name_value(const struct scene *scene, struct arena *arena, const char *name, const char *value)
{
    if (!value)
        return name;
    if (scene->site->operation == TRACE_ATOMIC)
        return arena_format(arena, _("%s (found %s)"), name, value);
    if (scene->site->operation == TRACE_REDUCTION)
        return arena_format(arena, _("%s (brought %s)"), name, value);
    bool const element = strchr(name, '[') && !strchr(name, ' ');
    if (scene->kind == SCENE_SHARED && !element) /* an offset does not name a value */
        return arena_format(arena, _("%s (value %s)"), name, value);
    return arena_format(arena, "%s = %s", name, value);
}
