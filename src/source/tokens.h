/* The text of a C++ source as tokens: comments are left out, lines that a backslash joins are one, lines of the
 * preprocessor become macros and included files. Every reader of C text in this program begins here. */
#ifndef LANESCOPE_SOURCE_TOKENS_H
#define LANESCOPE_SOURCE_TOKENS_H
#include "base/arena.h"
#include "base/define.h"
#include <stdbool.h>
#include <stdint.h>

/* TEXT: in quotation marks, a character too. MARK: one other character; "<<" is two of them. */
enum source_kind { SOURCE_END, SOURCE_NAME, SOURCE_NUMBER, SOURCE_TEXT, SOURCE_MARK };
struct source_token {
    const char *text;
    uint32_t length, line, at, end; /* at, end: bytes of the source; both 0 in a macro of the command line */
    enum source_kind kind;
};
struct source_macro {
    struct source_token name;
    uint32_t from, until;             /* the tokens of the source for which it holds */
    const struct source_token *value; /* up to SOURCE_END */
    uint32_t count;
    bool given;  /* by the command line, or an argument of a template */
    bool opaque; /* it takes arguments, or its value depends on something that is not known */
};
struct source {
    struct arena *arena;
    const char *text;
    const struct source_token *tokens; /* SOURCE_END is behind the last */
    uint32_t count;
    const struct source_macro *macros; /* in order */
    uint32_t macro_count;
    const char *const *includes; /* names of files in quotes or angle brackets: "\"a.h", "<b.h"; "?": a macro's */
    uint32_t include_count;
};
/* TAKEN: code that #if leaves out is no token; where the condition is not known, all of its code is. ALL: all code is.
 */
enum source_branches { SOURCE_TAKEN, SOURCE_ALL };
/* Reads a source into the arena; the text must live as long. The macros of the command line win over its own. */
const struct source *source_read(struct arena *arena, const char *text, const struct compile_define *defines,
                                 size_t define_count, enum source_branches branches);
/* Returns the source with another arena for what is made of it. */
const struct source *source_in(struct arena *arena, const struct source *source);
/* Returns the source with one more macro, which holds for all of it. */
const struct source *source_with(const struct source *source, const struct source_token *name, const char *value);
/* Returns whether the tokens from here on are this word, or these marks without a space between: "::". */
bool source_is(const struct source_token *token, const char *text);
/* Returns whether the three tokens from here on are the marks of a launch: <<< or >>>, or as nvcc takes them and
 * editors write them, `<< <` or `>> >`. */
bool source_opens_launch(const struct source_token *token);
bool source_closes_launch(const struct source_token *token);
/* Returns whether the source includes a file whose name begins so: "thrust/". */
bool source_includes(const struct source *source, const char *name);
/* Returns whether a text includes files of its own: in quotation marks or by a macro, also in code that #if leaves out.
 */
bool source_has_own_headers(struct arena *arena, const char *text);
/* Returns whether both are the same word. */
bool source_same(const struct source_token *a, const struct source_token *b);
bool source_is_one_of(const struct source_token *token, const char *const *words, size_t count);
#define SOURCE_IS_ONE_OF(token, words) source_is_one_of(token, words, sizeof(words) / sizeof *(words))
/* Returns the word of a token in the arena. */
const char *source_word(struct arena *arena, const struct source_token *token);
/* Returns the macro that the name means at this token of the source, or NULL. */
const struct source_macro *source_macro_of(const struct source *source, const struct source_token *name, uint32_t at);
/* Returns tokens of the source with the macros without arguments replaced, and SOURCE_END behind them. */
const struct source_token *source_expanded(const struct source *source, uint32_t from, uint32_t to, uint32_t *count);
/* Returns the end of an expression: the comma, semicolon or closing bracket behind it at the same depth, or `to`. */
const struct source_token *source_part_end(const struct source_token *from, const struct source_token *to);
/* Returns the token behind the bracket that closes the one here, or `to`. */
const struct source_token *source_closed(const struct source_token *open, const struct source_token *to);
/* Returns the tokens of a line, without those of the preprocessor. */
const struct source_token *source_line_tokens(struct arena *arena, const char *line);
/* Returns how many bytes of a line are code: those before a comment at its end; 0: it is a comment, or blank. */
size_t source_line_code(struct arena *arena, const char *line);
#endif
