/* A lexer over NUL-terminated text, so that looking one byte ahead is always allowed. */
#include "ptx/lexer.h"
#include <stdlib.h>
#include <string.h>

enum { LITERAL_MAX = 64 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$';
}

static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static void skip_block_comment(struct lexer *lexer)
{
    lexer->at += 2;
    while (lexer->at < lexer->size) {
        char const c = lexer->text[lexer->at++];
        if (c == '\n')
            lexer->line++;
        if (c == '*' && lexer->text[lexer->at] == '/') {
            lexer->at++;
            return;
        }
    }
}

static void skip_blank(struct lexer *lexer)
{
    while (lexer->at < lexer->size) {
        char const c = lexer->text[lexer->at];
        if (c == '\n') {
            lexer->line++;
            lexer->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
            lexer->at++;
        } else if (c == '/' && lexer->text[lexer->at + 1] == '/') {
            const char *end = memchr(lexer->text + lexer->at, '\n', lexer->size - lexer->at);
            lexer->at = end ? (uint32_t)(end - lexer->text) : lexer->size;
        } else if (c == '/' && lexer->text[lexer->at + 1] == '*') {
            skip_block_comment(lexer);
        } else {
            return;
        }
    }
}

/* Reads digits of a base. Returns false when there are none or the value exceeds 64 bits. */
static bool read_digits(struct lexer *lexer, unsigned base, uint64_t *value)
{
    uint32_t const start = lexer->at;
    bool fits = true;
    *value = 0;
    for (int digit; (digit = digit_value(lexer->text[lexer->at])) < (int)base; lexer->at++) {
        if (*value > (UINT64_MAX - (unsigned)digit) / base)
            fits = false;
        *value = *value * base + (unsigned)digit;
    }
    return fits && lexer->at > start;
}

static bool read_float_bits(struct lexer *lexer, struct token *token)
{
    bool const single = (lexer->text[lexer->at + 1] | 0x20) == 'f';
    uint32_t const digits = single ? 8 : 16;
    lexer->at += 2;
    uint32_t const start = lexer->at;
    token->kind = single ? TOKEN_SINGLE : TOKEN_DOUBLE;
    return read_digits(lexer, 16, &token->bits) && lexer->at - start == digits;
}

/* Reads 1.5, .5e3 and similar numbers. strtod works on a copy, because it might read on into the text after the
 * number. */
static bool read_decimal(struct lexer *lexer, struct token *token)
{
    char copy[LITERAL_MAX];
    uint32_t length = 0;
    for (char c; (c = lexer->text[lexer->at]) != 0; lexer->at++) {
        bool const sign = (c == '+' || c == '-') && length && (copy[length - 1] | 0x20) == 'e';
        if (!is_digit(c) && c != '.' && (c | 0x20) != 'e' && !sign)
            break;
        if (length + 1 == LITERAL_MAX)
            return false;
        copy[length++] = c;
    }
    copy[length] = 0;
    char *end;
    double const value = strtod(copy, &end);
    memcpy(&token->bits, &value, sizeof value);
    token->kind = TOKEN_DOUBLE;
    return length && !*end;
}

static bool is_decimal(const struct lexer *lexer)
{
    const char *text = lexer->text + lexer->at;
    while (is_digit(*text))
        text++;
    return *text == '.' || ((*text | 0x20) == 'e' && (is_digit(text[1]) || text[1] == '-' || text[1] == '+'));
}

static bool read_number(struct lexer *lexer, struct token *token)
{
    const char *text = lexer->text + lexer->at;
    char const second = (char)(text[1] | 0x20);
    bool good;
    token->kind = TOKEN_INTEGER;
    if (text[0] == '0' && (second == 'f' || second == 'd')) {
        good = read_float_bits(lexer, token);
    } else if (text[0] == '0' && (second == 'x' || second == 'b')) {
        lexer->at += 2;
        good = read_digits(lexer, second == 'x' ? 16 : 2, &token->bits);
    } else if (is_decimal(lexer)) {
        good = read_decimal(lexer, token);
    } else {
        good = read_digits(lexer, text[0] == '0' ? 8 : 10, &token->bits);
    }
    if (token->kind == TOKEN_INTEGER && lexer->text[lexer->at] == 'U')
        lexer->at++;
    while (is_word(lexer->text[lexer->at])) {
        good = false;
        lexer->at++;
    }
    return good;
}

static void read_word(struct lexer *lexer)
{
    for (;;) {
        while (is_word(lexer->text[lexer->at]))
            lexer->at++;
        const char *text = lexer->text + lexer->at;
        if (text[0] != ':' || text[1] != ':' || !is_word(text[2]))
            return;
        lexer->at += 2;
    }
}

static void read_string(struct lexer *lexer, struct token *token)
{
    token->start = ++lexer->at;
    while (lexer->at < lexer->size && lexer->text[lexer->at] != '"' && lexer->text[lexer->at] != '\n')
        lexer->at += lexer->text[lexer->at] == '\\' && lexer->at + 1 < lexer->size ? 2 : 1;
    token->end = lexer->at;
    token->kind = lexer->text[lexer->at] == '"' ? TOKEN_STRING : TOKEN_BAD;
    lexer->at += token->kind == TOKEN_STRING;
}

struct token lexer_next(struct lexer *lexer)
{
    skip_blank(lexer);
    struct token token = {.start = lexer->at, .line = lexer->line};
    const char *text = lexer->text + lexer->at;
    if (lexer->at >= lexer->size)
        return token.end = lexer->at, token;
    if (is_digit(*text)) {
        if (!read_number(lexer, &token))
            token.kind = TOKEN_BAD;
    } else if (is_word(*text) || (*text == '%' && is_word(text[1]))) {
        token.kind = TOKEN_NAME;
        lexer->at++;
        while (is_word(lexer->text[lexer->at]))
            lexer->at++;
    } else if (*text == '.' && is_word(text[1])) {
        token.kind = TOKEN_WORD;
        token.start = ++lexer->at;
        read_word(lexer);
    } else if (*text == '"') {
        read_string(lexer, &token);
        return token;
    } else {
        token.kind = *text && strchr("{}()[]<>,;:@!|&^~?+-=*/%", *text) ? TOKEN_MARK : TOKEN_BAD;
        token.mark = *text;
        lexer->at++;
    }
    token.end = lexer->at;
    return token;
}
