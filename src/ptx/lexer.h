/* Splits PTX text into tokens. A dotted word (".u32", ".L2::128B") is one token, so an instruction is a name and its
 * words. */
#ifndef LANESCOPE_PTX_LEXER_H
#define LANESCOPE_PTX_LEXER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,    /* ld, %r1, $L__BB0_2 */
    TOKEN_WORD,    /* .global; start is after the dot */
    TOKEN_INTEGER, /* bits: the value */
    TOKEN_SINGLE,  /* 0f3F800000; bits: of the float */
    TOKEN_DOUBLE,  /* 0d..., 1.5; bits: of the double */
    TOKEN_STRING,  /* start and end are inside the quotes */
    TOKEN_MARK,    /* one character of punctuation */
    TOKEN_BAD      /* a byte or number that is not PTX */
};

struct token {
    enum token_kind kind;
    char mark;
    uint32_t start, end, line; /* byte offsets in the text; 1-based line */
    uint64_t bits;
};

struct lexer {
    const char *text; /* NUL-terminated */
    uint32_t size, at, line;
};

struct token lexer_next(struct lexer *lexer);
#endif
