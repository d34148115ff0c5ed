/* Reads the words of matrix instructions. The PTX manual does not describe the memory accesses of wmma.load and
 * wmma.store. These are the accesses that ptxas 13.0 generates for sm_90: see docs/validation.md. */
#include "ptx/matrix.h"
#include <string.h>

static const struct {
    const char *word;
    uint8_t bits;
} numbers[PTX_NUMBER_COUNT] = {
    [PTX_NUMBER_F16] = {"f16", 16},  [PTX_NUMBER_BF16] = {"bf16", 16}, [PTX_NUMBER_TF32] = {"tf32", 32},
    [PTX_NUMBER_F32] = {"f32", 32},  [PTX_NUMBER_F64] = {"f64", 64},   [PTX_NUMBER_E4M3] = {"e4m3", 8},
    [PTX_NUMBER_E5M2] = {"e5m2", 8}, [PTX_NUMBER_S8] = {"s8", 8},      [PTX_NUMBER_U8] = {"u8", 8},
    [PTX_NUMBER_S4] = {"s4", 4},     [PTX_NUMBER_U4] = {"u4", 4},      [PTX_NUMBER_B1] = {"b1", 1},
    [PTX_NUMBER_S32] = {"s32", 32},  [PTX_NUMBER_B16] = {"b16", 16},
};

unsigned ptx_number_bits(enum ptx_number number)
{
    return numbers[number].bits;
}

struct words {
    const char *at, *end;
};

/* Reads the next dotted word. Returns false at the end of the opcode. */
static bool next_word(struct words *words, char *word, size_t size)
{
    if (words->at >= words->end || *words->at != '.')
        return false;
    size_t length = 0;
    for (words->at++; words->at < words->end &&
                      (*words->at == '_' || *words->at == ':' || (*words->at >= '0' && *words->at <= '9') ||
                       (*words->at >= 'a' && *words->at <= 'z'));
         words->at++)
        if (length + 1 < size)
            word[length++] = *words->at;
    word[length] = 0;
    return true;
}

/* Returns the position after the opcode's own word. */
static struct words start(const struct ptx_module *module, const struct ptx_instruction *instruction)
{
    const char *name = ptx_opcode_name(instruction->opcode);
    struct words words = {module->text + instruction->text_start, module->text + instruction->text_end};
    size_t const length = strlen(name);
    while (words.at + length < words.end && (strncmp(words.at, name, length) != 0 || words.at[length] != '.'))
        words.at++;
    words.at += length;
    return words;
}

static bool read_number(const char **at, uint16_t *number)
{
    const char *first = *at;
    for (*number = 0; **at >= '0' && **at <= '9' && *number < 1000; (*at)++)
        *number = (uint16_t)(*number * 10 + (**at - '0'));
    return *at > first && *number > 0;
}

/* Reads a shape such as m16n8k16 or m8n8. */
static bool read_shape(const char *word, struct ptx_matrix *matrix)
{
    if (*word++ != 'm' || !read_number(&word, &matrix->m) || *word++ != 'n' || !read_number(&word, &matrix->n))
        return false;
    return *word == 0 || (*word++ == 'k' && read_number(&word, &matrix->k) && *word == 0);
}

static bool read_format(const char *word, struct ptx_matrix *matrix, unsigned *count)
{
    for (int i = 0; i < PTX_NUMBER_COUNT; i++)
        if (strcmp(word, numbers[i].word) == 0 && *count < 4) {
            matrix->format[(*count)++] = (enum ptx_number)i;
            return true;
        }
    return false;
}

/* Returns true for words without effect here: they are read from the parser's set, or are the same in all forms. */
static bool known(const char *word)
{
    static const char *const words[] = {
        "sync",  "aligned", "load", "store", "mma",       "row",    "col",
        "a",     "b",       "c",    "d",     "global",    "shared", "shared::cta",
        "rn",    "rz",      "rm",   "rp",    "popc",      "xor",    "and",
        "trans", "x1",      "x2",   "x4",    "satfinite", "sp",     "sp::ordered_metadata"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

struct ptx_tiles ptx_tiles_of(const struct ptx_matrix *m, char which, enum ptx_number format, bool opaque)
{
    bool const sum = which == 'c' || which == 'd';
    unsigned const register_bits = ptx_number_bits(format) == 64 ? 64 : 32;
    struct ptx_tiles tiles = {.bits = (uint8_t)ptx_number_bits(format)};
    unsigned k = which == 'a' && m->sparse ? m->k / 2u : m->k, rows = which == 'b' ? m->n : m->m;
    if (tiles.bits == 1 || (tiles.bits < 8 && opaque)) {
        k = k * tiles.bits / 32;
        tiles.bits = 32;
    }
    tiles.per = (uint8_t)(sum ? 2 : register_bits / tiles.bits);
    tiles.turned = sum && m->whole && m->m == 8 && m->n == 32;
    if (sum) {
        k = tiles.turned ? m->m : m->n;
        rows = tiles.turned ? m->n : m->m;
    }
    tiles.outer = (uint8_t)(rows / PTX_TILE_ROWS);
    tiles.inner = (uint8_t)(k / (PTX_TILE_LANES * (unsigned)tiles.per));
    tiles.across_first = which == 'b' && m->n == 16;
    return tiles;
}

void ptx_tile_place(const struct ptx_tiles *tiles, unsigned tile, unsigned *outer, unsigned *inner)
{
    tile %= (unsigned)tiles->outer * tiles->inner;
    unsigned const pair = tiles->outer > 1 ? 2 : 1;
    *inner = tiles->across_first ? tile % tiles->inner : tile / pair % tiles->inner;
    *outer = tiles->across_first ? tile / tiles->inner : tile % pair + tile / (pair * tiles->inner) * pair;
}

bool ptx_is_product(const struct ptx_instruction *instruction)
{
    return instruction->opcode == PTX_OP_mma ||
           (instruction->opcode == PTX_OP_wmma && ptx_has(instruction->modifiers, PTX_MOD_mma));
}

static struct ptx_fragment fragment_of(const struct ptx_matrix *m, char which)
{
    struct ptx_fragment fragment = {.format = m->format[0], .tiles = m->held};
    if (m->action == PTX_MATRIX_MULTIPLY) {
        fragment.format = m->format[which == 'd' ? 0 : which - 'a' + 1];
        fragment.tiles = ptx_tiles_of(m, which, fragment.format, false);
    }
    fragment.bits = ptx_number_bits(fragment.format) == 64 ? 64 : 32;
    fragment.registers = (uint8_t)((unsigned)fragment.tiles.outer * fragment.tiles.inner * fragment.tiles.per *
                                   fragment.tiles.bits / fragment.bits);
    fragment.parts = (uint8_t)((fragment.registers * fragment.bits / 8u + PTX_PART_BYTES - 1) / PTX_PART_BYTES);
    return fragment;
}

struct ptx_fragment ptx_matrix_fragment(const struct ptx_matrix *m, char which)
{
    struct ptx_fragment fragment = fragment_of(m, which);
    for (char before = 'a'; m->action == PTX_MATRIX_MULTIPLY && before < which; before++)
        fragment.first_part = (uint8_t)(fragment.first_part + fragment_of(m, before).parts);
    return fragment;
}

unsigned ptx_fragment_packed(const struct ptx_fragment *fragment)
{
    return fragment->tiles.bits ? fragment->bits / fragment->tiles.bits : 0;
}

void ptx_fragment_place(const struct ptx_fragment *fragment, unsigned lane, unsigned number, unsigned index,
                        unsigned *outer, unsigned *inner)
{
    unsigned const packed = ptx_fragment_packed(fragment);
    unsigned const each = packed && fragment->tiles.per > packed ? fragment->tiles.per / packed : 1;
    ptx_tile_place(&fragment->tiles, number / each, outer, inner);
    *outer = *outer * PTX_TILE_ROWS + lane / PTX_TILE_LANES;
    *inner = (*inner * PTX_TILE_LANES + lane % PTX_TILE_LANES) * fragment->tiles.per + number % each * packed + index;
}

static struct ptx_piece place_of(const struct ptx_matrix *m, unsigned step, unsigned lane)
{
    const struct ptx_tiles *held = &m->held;
    unsigned const per = held->per, each = m->way == PTX_MATRIX_SINGLES ? per : 1;
    unsigned const quad = lane / PTX_TILE_LANES, place = lane % PTX_TILE_LANES;
    unsigned outer, inner, count = m->bytes * 8u / held->bits;
    if (m->way == PTX_MATRIX_ROWS) {
        ptx_tile_place(held, step * m->step_tiles + lane / PTX_TILE_ROWS, &outer, &inner);
        outer *= PTX_TILE_ROWS, inner *= PTX_TILE_LANES * per;
        unsigned const row = lane % PTX_TILE_ROWS;
        return (struct ptx_piece){
            .outer = outer + (m->together ? row : 0), .inner = inner + (m->together ? 0 : row), .count = count};
    }
    ptx_tile_place(held, step / each, &outer, &inner);
    outer *= PTX_TILE_ROWS, inner *= PTX_TILE_LANES * per;
    if (m->way == PTX_MATRIX_WORDS && !m->together)
        return (struct ptx_piece){.outer = outer + place * per, .inner = inner + quad, .count = count};
    return (struct ptx_piece){.outer = outer + quad, .inner = inner + place * per + step % each, .count = count};
}

struct ptx_piece ptx_matrix_piece(const struct ptx_matrix *m, unsigned step, unsigned lane)
{
    struct ptx_piece piece = place_of(m, step, lane);
    piece.line = m->together ? piece.outer : piece.inner;
    piece.bytes = (m->together ? piece.inner : piece.outer) * m->held.bits / 8;
    return piece;
}

uint32_t ptx_matrix_lanes(const struct ptx_matrix *m)
{
    bool const all = m->way != PTX_MATRIX_ROWS || m->step_tiles * PTX_TILE_ROWS >= 32;
    return all ? UINT32_MAX : (1u << m->step_tiles * PTX_TILE_ROWS) - 1;
}

uint64_t ptx_matrix_address(const struct ptx_matrix *m, struct ptx_piece piece, uint64_t base, uint64_t stride)
{
    return m->whole ? base + stride * ptx_number_bits(m->format[0]) / 8 * piece.line + piece.bytes : base;
}

static void settle_steps(struct ptx_matrix *m)
{
    unsigned const tiles = (unsigned)m->held.outer * m->held.inner, most = m->held.bits == 16 ? 4 : 2;
    m->step_tiles = (uint8_t)(m->way != PTX_MATRIX_ROWS ? 1 : tiles < most ? tiles : most);
    m->steps = (uint8_t)(m->step_tiles ? tiles / m->step_tiles * (m->way == PTX_MATRIX_SINGLES ? m->held.per : 1) : 0);
}

static void settle_move(struct ptx_matrix *m, enum ptx_space space)
{
    unsigned const bits = ptx_number_bits(m->format[0]);
    bool const factor = m->which == 'a' || m->which == 'b';
    m->held = ptx_tiles_of(m, m->which, m->format[0], true);
    m->together = m->by_columns == (m->which == 'b' || m->held.turned);
    m->stride = m->by_columns ? (m->which == 'b' ? m->k : m->m) : (m->which == 'a' ? m->k : m->n);
    m->way = PTX_MATRIX_WORDS;
    m->bytes = factor && bits < 64 ? 4 : (uint8_t)(bits * (factor ? 1 : 2) / 8);
    if (bits == 16 ? factor && space == PTX_SPACE_SHARED : bits <= 8 && m->together && space == PTX_SPACE_SHARED) {
        m->way = PTX_MATRIX_ROWS;
        m->bytes = 16;
    } else if (bits != 16 && !m->together) {
        m->way = PTX_MATRIX_SINGLES;
        m->bytes = (uint8_t)(bits / 8);
    }
    settle_steps(m);
}

static bool read_words(const struct ptx_module *module, const struct ptx_instruction *instruction,
                       struct ptx_matrix *matrix, unsigned *formats)
{
    char word[24];
    struct words words = start(module, instruction);
    while (next_word(&words, word, sizeof word)) {
        if (instruction->opcode == PTX_OP_wmma && !matrix->which && word[1] == 0 && strchr("abcd", word[0]))
            matrix->which = word[0];
        if (!known(word) && !read_shape(word, matrix) && !read_format(word, matrix, formats))
            return false;
    }
    return true;
}

/* Settles ldmatrix, stmatrix and movmatrix. */
static bool settle_tiles(const struct ptx_instruction *instruction, struct ptx_matrix *m)
{
    unsigned const tiles = ptx_has(instruction->modifiers, PTX_MOD_x4)   ? 4
                           : ptx_has(instruction->modifiers, PTX_MOD_x2) ? 2
                                                                         : 1;
    m->held = (struct ptx_tiles){.bits = 16, .per = 2, .outer = 1, .inner = (uint8_t)tiles};
    m->transposed = ptx_has(instruction->modifiers, PTX_MOD_trans);
    m->way = PTX_MATRIX_ROWS;
    m->together = !m->transposed;
    m->bytes = 16;
    settle_steps(m);
    m->action = instruction->opcode == PTX_OP_ldmatrix   ? PTX_MATRIX_LOAD
                : instruction->opcode == PTX_OP_stmatrix ? PTX_MATRIX_STORE
                                                         : PTX_MATRIX_MOVE;
    return m->m == 8 && m->n == 8 && !m->k && m->format[0] == PTX_NUMBER_B16 &&
           (m->action != PTX_MATRIX_MOVE || m->transposed);
}

static void settle_product(const struct ptx_instruction *instruction, struct ptx_matrix *m, unsigned formats)
{
    if (formats == 2) { /* wmma of halves names only d and c */
        m->format[3] = m->format[1];
        m->format[1] = m->format[2] = PTX_NUMBER_F16;
    }
    m->saturates = ptx_has(instruction->modifiers, PTX_MOD_satfinite);
    m->exclusive = ptx_has(instruction->modifiers, PTX_MOD_xor);
    m->sparse =
        ptx_has(instruction->modifiers, PTX_MOD_sp) || ptx_has(instruction->modifiers, PTX_MOD_sp_ordered_metadata);
    static const enum ptx_modifier roundings[] = {PTX_MOD_rz, PTX_MOD_rm, PTX_MOD_rp};
    m->rounding = PTX_MOD_rn;
    for (unsigned i = 0; i < 3; i++)
        if (ptx_has(instruction->modifiers, roundings[i]))
            m->rounding = (uint8_t)roundings[i];
}

bool ptx_matrix_read(const struct ptx_module *module, const struct ptx_instruction *instruction,
                     struct ptx_matrix *matrix)
{
    unsigned formats = 0;
    *matrix = (struct ptx_matrix){.whole = instruction->opcode == PTX_OP_wmma};
    if (!read_words(module, instruction, matrix, &formats) || !formats)
        return false;
    if (!matrix->whole && instruction->opcode != PTX_OP_mma)
        return formats == 1 && settle_tiles(instruction, matrix);
    if (!matrix->whole || ptx_has(instruction->modifiers, PTX_MOD_mma)) {
        settle_product(instruction, matrix, formats);
        return formats == 4 || (formats == 2 && matrix->whole);
    }
    matrix->action = ptx_has(instruction->modifiers, PTX_MOD_load) ? PTX_MATRIX_LOAD : PTX_MATRIX_STORE;
    matrix->by_columns = ptx_has(instruction->modifiers, PTX_MOD_col);
    settle_move(matrix, instruction->space);
    return formats == 1 && matrix->which != 0;
}
