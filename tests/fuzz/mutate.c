/* A mutation picks places in the text by line and by token: a token is a run of letters, digits, `_` and `$`, with a
 * `%` or a `.` before it. It keeps no grammar, because the target drops text that does not parse. */
#include "mutate.h"
#include "ptx/module.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct text {
    uint8_t *bytes;
    size_t size, most;
    uint64_t random;
};
struct piece {
    size_t at, length;
};

static size_t draw(struct text *text, size_t below)
{
    text->random = text->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below ? (size_t)(text->random >> 33) % below : 0;
}

static void replace(struct text *text, struct piece old, const uint8_t *with, size_t length)
{
    if (text->size - old.length + length > text->most)
        return;
    uint8_t copy[512]; /* `with` may point into the text itself */
    if (length > sizeof copy)
        return;
    if (length)
        memcpy(copy, with, length);
    memmove(text->bytes + old.at + length, text->bytes + old.at + old.length, text->size - old.at - old.length);
    if (length)
        memcpy(text->bytes + old.at, copy, length);
    text->size = text->size - old.length + length;
}

static struct piece line_at(const uint8_t *bytes, size_t size, size_t at)
{
    size_t start = at, end = at;
    while (start > 0 && bytes[start - 1] != '\n')
        start--;
    while (end < size && bytes[end] != '\n')
        end++;
    return (struct piece){start, end + (end < size) - start};
}

static bool in_word(uint8_t c)
{
    return isalnum(c) || c == '_' || c == '$';
}

/* Returns the token at a place or after it. */
static struct piece token_at(const struct text *text, size_t at)
{
    size_t start = at;
    while (start < text->size && !in_word(text->bytes[start]))
        start++;
    while (start > 0 && in_word(text->bytes[start - 1]))
        start--;
    size_t end = start;
    while (end < text->size && in_word(text->bytes[end]))
        end++;
    if (start > 0 && (text->bytes[start - 1] == '%' || text->bytes[start - 1] == '.'))
        start--;
    return (struct piece){start, end - start};
}

/* Returns 'r' for a register, '.' for a word, '0' for a number, 'a' for a name. */
static int class_of(const struct text *text, struct piece token)
{
    if (!token.length)
        return 0;
    uint8_t const c = text->bytes[token.at];
    return c == '%' ? (token.length > 1 ? text->bytes[token.at + 1] : 'r') : c == '.' ? '.' : isdigit(c) ? '0' : 'a';
}

static void exchange_token(struct text *text)
{
    struct piece const token = token_at(text, draw(text, text->size));
    for (int tries = 0; token.length && tries < 32; tries++) {
        struct piece const other = token_at(text, draw(text, text->size));
        if (class_of(text, other) == class_of(text, token)) {
            replace(text, token, text->bytes + other.at, other.length);
            return;
        }
    }
}

static void change_number(struct text *text)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "2",
                                          "3",
                                          "4",
                                          "8",
                                          "16",
                                          "31",
                                          "32",
                                          "33",
                                          "63",
                                          "64",
                                          "65",
                                          "127",
                                          "128",
                                          "255",
                                          "256",
                                          "1024",
                                          "4095",
                                          "65535",
                                          "65536",
                                          "2147483647",
                                          "2147483648",
                                          "4294967295",
                                          "4294967296",
                                          "0x7fffffffffffffff",
                                          "0x8000000000000000",
                                          "0xffffffffffffffff",
                                          "-1",
                                          "-4",
                                          "-2147483648",
                                          "0f00000000",
                                          "0f7F800000",
                                          "0f7FC00000",
                                          "0fFF7FFFFF",
                                          "0d7FF0000000000000",
                                          "0d8000000000000000"};
    for (int tries = 0; tries < 32; tries++) {
        struct piece const token = token_at(text, draw(text, text->size));
        if (class_of(text, token) != '0')
            continue;
        const char *number = numbers[draw(text, sizeof numbers / sizeof numbers[0])];
        replace(text, token, (const uint8_t *)number, strlen(number));
        return;
    }
}

/* Replaces the opcode before a line's first dot, or replaces, adds or removes a word after it. */
static void change_instruction(struct text *text)
{
    struct piece const line = line_at(text->bytes, text->size, draw(text, text->size));
    struct piece token = token_at(text, line.at);
    if (!token.length || token.at >= line.at + line.length)
        return;
    if (draw(text, 3) == 0) {
        const char *name = ptx_opcode_name((enum ptx_opcode)draw(text, PTX_OPCODE_COUNT));
        replace(text, token, (const uint8_t *)name, strlen(name));
        return;
    }
    unsigned words = 0;
    struct piece next = token_at(text, token.at + token.length);
    while (class_of(text, next) == '.' && next.at < line.at + line.length && words++ < 6 && draw(text, 2)) {
        token = next;
        next = token_at(text, token.at + token.length);
    }
    char word[64];
    int length = 0;
    switch (draw(text, 3)) {
    case 0:
        length =
            snprintf(word, sizeof word, ".%s", ptx_modifier_word((enum ptx_modifier)draw(text, PTX_MODIFIER_COUNT)));
        break;
    case 1:
        length = snprintf(word, sizeof word, ".%s", ptx_type_name((enum ptx_type)draw(text, PTX_TYPE_COUNT)));
        break;
    default:
        length = snprintf(word, sizeof word, "%s%s", words ? "." : "",
                          ptx_space_name((enum ptx_space)draw(text, PTX_SPACE_REGISTER + 1)));
    }
    bool const add = draw(text, 3) == 0 || class_of(text, token) != '.';
    struct piece const place = add ? (struct piece){token.at + token.length, 0} : token;
    if (length > 0 && (size_t)length < sizeof word)
        replace(text, place, (const uint8_t *)word, !add && draw(text, 4) == 0 ? 0 : (size_t)length);
}

static void move_line(struct text *text)
{
    struct piece const line = line_at(text->bytes, text->size, draw(text, text->size));
    struct piece const place = {line_at(text->bytes, text->size, draw(text, text->size)).at, 0};
    unsigned const choice = (unsigned)draw(text, 3);
    if (choice != 0) /* a copy */
        replace(text, place, text->bytes + line.at, line.length);
    if (choice != 1) /* without the old one */
        replace(text, line_at(text->bytes, text->size, draw(text, text->size)), NULL, 0);
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

size_t mutate_ptx(uint8_t *bytes, size_t size, size_t most, unsigned seed)
{
    struct text text = {bytes, size, most, seed};
    if (size < 16 || draw(&text, 12) == 0)
        return LLVMFuzzerMutate(bytes, size, most);
    for (size_t edits = 1 + draw(&text, 3); edits > 0; edits--)
        switch (draw(&text, 8)) {
        case 0:
        case 1:
            move_line(&text);
            break;
        case 2:
        case 3:
            change_number(&text);
            break;
        case 4:
            change_instruction(&text);
            break;
        default:
            exchange_token(&text);
        }
    return text.size;
}

size_t mutate_ptx_with(uint8_t *bytes, size_t size, size_t most, const uint8_t *other, size_t other_size, unsigned seed)
{
    struct text text = {bytes, size, most, seed};
    if (!size || !other_size)
        return size;
    for (size_t lines = 1 + draw(&text, 3); lines > 0; lines--) {
        struct piece const line = line_at(other, other_size, draw(&text, other_size));
        struct piece const place = {line_at(bytes, text.size, draw(&text, text.size)).at, 0};
        replace(&text, place, other + line.at, line.length);
    }
    return text.size;
}
