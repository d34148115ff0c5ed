/* Writes a second copy of the kernel's body, from its first event on, for blocks that are not recorded. It has no
 * probes. Both copies stand in braces of their own, so that labels and registers may have the same names in both; they
 * share what is declared before. */
#include "cuda/probe/probe.h"
#include "ptx/lexer.h"
#include <string.h>

static struct lexer lexer_between(const char *text, size_t start, size_t end)
{
    return (struct lexer){.text = text, .size = (uint32_t)end, .at = (uint32_t)start, .line = 1};
}

static bool is_mark(const struct token *token, char mark)
{
    return token->kind == TOKEN_MARK && token->mark == mark;
}

static bool is_word(const char *text, const struct token *token, const char *word)
{
    size_t const length = token->end - token->start;
    return token->kind == TOKEN_WORD && strlen(word) == length && memcmp(word, text + token->start, length) == 0;
}

bool probe_is_straight(const char *text, size_t start, size_t end)
{
    struct lexer lexer = lexer_between(text, start, end);
    for (struct token token = lexer_next(&lexer); token.kind != TOKEN_END; token = lexer_next(&lexer))
        if (is_mark(&token, '{') || is_mark(&token, '}') || is_mark(&token, ':'))
            return false;
    return true;
}

/* Counts the braces that a token opens or closes. */
static void count_braces(const struct token *token, unsigned *depth)
{
    *depth += is_mark(token, '{');
    *depth -= is_mark(token, '}') && *depth;
}

unsigned probe_depth(const char *text, size_t start, size_t end, unsigned depth)
{
    struct lexer lexer = lexer_between(text, start, end);
    for (struct token token = lexer_next(&lexer); token.kind != TOKEN_END; token = lexer_next(&lexer))
        count_braces(&token, &depth);
    return depth;
}

static bool declares(const char *text, const struct token *token)
{
    return token->kind == TOKEN_WORD && !is_word(text, token, "loc");
}

bool probe_keeps_names(const char *text, size_t start, size_t end)
{
    struct lexer lexer = lexer_between(text, start, end);
    for (struct token token = lexer_next(&lexer); token.kind != TOKEN_END; token = lexer_next(&lexer))
        if (is_mark(&token, '{') || is_mark(&token, '}') || declares(text, &token))
            return false;
    return true;
}

size_t probe_declared_until(const char *text, const struct ptx_function *function)
{
    size_t at = function->body_start, last = at;
    unsigned depth = 0;
    for (uint32_t i = 0; i <= function->instruction_count; i++) {
        bool const more = i < function->instruction_count;
        struct lexer lexer = lexer_between(text, at, more ? function->instructions[i].text_start : function->body_end);
        for (struct token token = lexer_next(&lexer); token.kind != TOKEN_END; token = lexer_next(&lexer)) {
            count_braces(&token, &depth);
            if (!depth && declares(text, &token))
                last = token.end;
        }
        at = more ? function->instructions[i].text_end : at;
    }
    return last;
}

size_t probe_code_at(const char *text, size_t start, size_t end)
{
    struct lexer lexer = lexer_between(text, start, end);
    size_t at = start;
    for (struct token token = lexer_next(&lexer); token.kind == TOKEN_WORD;) {
        bool const location = is_word(text, &token, "loc"); /* ends with its line, without a semicolon */
        uint32_t const line = token.line;
        while (token.kind != TOKEN_END && (location ? token.line == line : !is_mark(&token, ';')))
            token = lexer_next(&lexer);
        if (location)
            continue;
        at = token.end;
        token = lexer_next(&lexer);
    }
    return at;
}

void probe_plain(struct probe_writer *writer, size_t start, size_t end)
{
    probe_write(writer, "}\n~plain:\n{", 0);
    probe_copy(writer, start, end);
    fputs("}\n", writer->out);
}
