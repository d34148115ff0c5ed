/* Writes a second copy of the kernel's body, from its first event on, for blocks that are not recorded. It has no
 * probes. It uses the registers and variables of the first copy; its labels get new names. */
#include "cuda/probe/probe.h"
#include "ptx/lexer.h"
#include <stdlib.h>
#include <string.h>

static struct lexer lexer_between(const char *text, size_t start, size_t end)
{
    return (struct lexer){.text = text, .size = (uint32_t)end, .at = (uint32_t)start, .line = 1};
}

static bool is_mark(const struct token *token, char mark)
{
    return token->kind == TOKEN_MARK && token->mark == mark;
}

/* Counts the braces that a token opens or closes. */
static void count_braces(const struct token *token, unsigned *depth)
{
    *depth += is_mark(token, '{');
    *depth -= is_mark(token, '}') && *depth;
}

bool probe_is_straight(const char *text, size_t start, size_t end)
{
    struct lexer lexer = lexer_between(text, start, end);
    for (struct token token = lexer_next(&lexer); token.kind != TOKEN_END; token = lexer_next(&lexer))
        if (is_mark(&token, '{') || is_mark(&token, '}') || is_mark(&token, ':'))
            return false;
    return true;
}

unsigned probe_depth(const char *text, size_t start, size_t end, unsigned depth)
{
    struct lexer lexer = lexer_between(text, start, end);
    for (struct token token = lexer_next(&lexer); token.kind != TOKEN_END; token = lexer_next(&lexer))
        count_braces(&token, &depth);
    return depth;
}

struct labels {
    struct token *items;
    size_t count, capacity;
};

static bool is_label(const char *text, const struct labels *labels, const struct token *token)
{
    size_t const length = token->end - token->start;
    for (size_t i = 0; i < labels->count && token->kind == TOKEN_NAME; i++)
        if (labels->items[i].end - labels->items[i].start == length &&
            memcmp(text + labels->items[i].start, text + token->start, length) == 0)
            return true;
    return false;
}

/* Collects the names with a colon behind them. */
static void find_labels(const char *text, size_t start, size_t end, struct labels *labels)
{
    struct lexer lexer = lexer_between(text, start, end);
    struct token last = {.kind = TOKEN_END}, token;
    for (; (token = lexer_next(&lexer)).kind != TOKEN_END; last = token)
        if (is_mark(&token, ':') && last.kind == TOKEN_NAME)
            array_push(labels, last);
}

/* Returns true for a declaration such as `.reg .b32 %r<9>;`, which only the first copy keeps. */
static bool is_declaration(const char *text, const struct token *token)
{
    static const char *const words[] = {"reg", "shared", "local", "param", "const", "global", "extern"};
    size_t const length = token->end - token->start;
    for (size_t i = 0; i < sizeof words / sizeof *words && token->kind == TOKEN_WORD; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text + token->start, length) == 0)
            return true;
    return false;
}

void probe_plain(struct probe_writer *writer, size_t start, size_t end)
{
    const char *text = writer->program->text;
    struct lexer lexer = lexer_between(text, start, end);
    struct labels labels = {0};
    struct token token;
    size_t copied = start; /* the output has the text up to here */
    unsigned depth = 0;
    uint32_t line = 0;
    bool begins = true; /* the token is the first of a statement */
    find_labels(text, start, end, &labels);
    probe_write(writer, "~plain:\n", 0);
    while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
        begins = begins || token.line != line; /* .loc ends with its line, without a semicolon */
        line = token.line;
        if (begins && !depth && is_declaration(text, &token)) {
            fwrite(text + copied, 1, token.start - 1 - copied, writer->out); /* up to the word's dot */
            while (token.kind != TOKEN_END && !is_mark(&token, ';'))
                token = lexer_next(&lexer);
            copied = token.end;
            continue;
        }
        if (is_label(text, &labels, &token)) {
            fwrite(text + copied, 1, token.start - copied, writer->out);
            probe_write(writer, "~plain_", 0);
            copied = token.start;
        }
        count_braces(&token, &depth);
        begins = is_mark(&token, ';') || is_mark(&token, '{') || is_mark(&token, '}') || is_mark(&token, ':');
    }
    fwrite(text + copied, 1, end - copied, writer->out);
    free(labels.items);
}
