/* Words of matrix instructions. What memory sees of wmma.load and wmma.store is not in the PTX manual: it is what ptxas
 * 13.0 makes of them for sm_90, see docs/validation.md. */
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

/* The next word behind a dot; false at the end of the opcode. */
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

/* Behind the opcode's own word. */
static struct words start(const struct ptx_program *program, const struct ptx_instruction *instruction)
{
    const char *name = ptx_opcode_name(instruction->opcode);
    struct words words = {program->text + instruction->text_start, program->text + instruction->text_end};
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

/* m16n8k16; m8n8 */
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

/* Words that change nothing here: what they say is read from the parser's set, or is the same for all forms. */
static bool known(const char *word)
{
    static const char *const words[] = {"sync",  "aligned", "load", "store", "mma",      "row",    "col",
                                        "a",     "b",       "c",    "d",     "global",   "shared", "shared::cta",
                                        "rn",    "rz",      "rm",   "rp",    "popc",     "xor",    "and",
                                        "trans", "x1",      "x2",   "x4",    "satfinite"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* Does a row of a tile, which the lanes share out, lie together in memory? Rows of a run along k, those of b are its
 * columns; those of c and d along n, or along m for m8n32k16. */
static bool together(const struct ptx_matrix *m)
{
    bool const along_columns = m->which == 'b' || (m->which != 'a' && m->m < m->n && m->n == 32);
    return m->by_columns == along_columns;
}

static void choose_way(struct ptx_matrix *m, enum ptx_space space)
{
    unsigned const bits = ptx_number_bits(m->format[0]);
    bool const factor = m->which == 'a' || m->which == 'b';
    m->way = PTX_MATRIX_WORDS;
    m->bytes = factor && bits < 64 ? 4 : (uint8_t)(bits * (factor ? 1 : 2) / 8);
    if (bits == 16 ? factor && space == PTX_SPACE_SHARED : bits <= 8 && together(m) && space == PTX_SPACE_SHARED) {
        m->way = PTX_MATRIX_ROWS;
        m->bytes = 16;
    } else if (bits != 16 && !together(m)) {
        m->way = PTX_MATRIX_SINGLES;
        m->bytes = (uint8_t)(bits / 8);
    }
}

static bool read_words(const struct ptx_program *program, const struct ptx_instruction *instruction,
                       struct ptx_matrix *matrix, unsigned *formats)
{
    char word[16];
    struct words words = start(program, instruction);
    while (next_word(&words, word, sizeof word)) {
        if (instruction->opcode == PTX_OP_wmma && !matrix->which && word[1] == 0 && strchr("abcd", word[0]))
            matrix->which = word[0];
        if (!known(word) && !read_shape(word, matrix) && !read_format(word, matrix, formats))
            return false;
    }
    return true;
}

/* ldmatrix, stmatrix, movmatrix. */
static bool settle_tiles(const struct ptx_instruction *instruction, struct ptx_matrix *m)
{
    m->tiles = ptx_has(instruction->modifiers, PTX_MOD_x4) ? 4 : ptx_has(instruction->modifiers, PTX_MOD_x2) ? 2 : 1;
    m->transposed = ptx_has(instruction->modifiers, PTX_MOD_trans);
    m->way = PTX_MATRIX_ROWS;
    m->bytes = 16;
    m->action = instruction->opcode == PTX_OP_ldmatrix   ? PTX_MATRIX_LOAD
                : instruction->opcode == PTX_OP_stmatrix ? PTX_MATRIX_STORE
                                                         : PTX_MATRIX_MOVE;
    return m->m == 8 && m->n == 8 && !m->k && m->format[0] == PTX_NUMBER_B16 &&
           (m->action != PTX_MATRIX_MOVE || m->transposed);
}

static void settle_product(const struct ptx_instruction *instruction, struct ptx_matrix *m, unsigned formats)
{
    if (formats == 2) { /* wmma of halves names d and c alone */
        m->format[3] = m->format[1];
        m->format[1] = m->format[2] = PTX_NUMBER_F16;
    }
    m->saturates = ptx_has(instruction->modifiers, PTX_MOD_satfinite);
    m->exclusive = ptx_has(instruction->modifiers, PTX_MOD_xor);
    static const enum ptx_modifier roundings[] = {PTX_MOD_rz, PTX_MOD_rm, PTX_MOD_rp};
    m->rounding = PTX_MOD_rn;
    for (unsigned i = 0; i < 3; i++)
        if (ptx_has(instruction->modifiers, roundings[i]))
            m->rounding = (uint8_t)roundings[i];
}

bool ptx_matrix_read(const struct ptx_program *program, const struct ptx_instruction *instruction,
                     struct ptx_matrix *matrix)
{
    unsigned formats = 0;
    *matrix = (struct ptx_matrix){.whole = instruction->opcode == PTX_OP_wmma};
    if (!read_words(program, instruction, matrix, &formats) || !formats)
        return false;
    if (!matrix->whole && instruction->opcode != PTX_OP_mma)
        return formats == 1 && settle_tiles(instruction, matrix);
    if (!matrix->whole || ptx_has(instruction->modifiers, PTX_MOD_mma)) {
        settle_product(instruction, matrix, formats);
        return formats == 4 || (formats == 2 && matrix->whole);
    }
    matrix->action = ptx_has(instruction->modifiers, PTX_MOD_load) ? PTX_MATRIX_LOAD : PTX_MATRIX_STORE;
    matrix->by_columns = ptx_has(instruction->modifiers, PTX_MOD_col);
    choose_way(matrix, instruction->space);
    return formats == 1 && matrix->which != 0;
}
