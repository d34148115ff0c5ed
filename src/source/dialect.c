#include "source/dialect.h"
#include "source/tokens.h"
#include <string.h>

struct writing {
    struct arena *arena;
    const char *text;
    char *changed; /* NULL until something differs */
};

static char *changed_text(struct writing *writing)
{
    if (!writing->changed)
        writing->changed = arena_text(writing->arena, writing->text);
    return writing->changed;
}

/* Puts the third of the marks beside the first two. The blanks and comments between them come behind it. */
static void join(struct writing *writing, const struct source_token *marks)
{
    size_t const gap = marks[2].at - marks[1].end;
    if (!gap)
        return;
    char *after = changed_text(writing) + marks[1].end;
    memmove(after + 1, after, gap);
    *after = *marks[2].text;
}

/* Returns the marks that close a launch: they stand at its depth, with the arguments' bracket behind them. NULL: none.
 */
static const struct source_token *closing_marks(const struct source_token *at, const struct source_token *end)
{
    for (int depth = 0; end - at > 3 && depth >= 0; at++) {
        if (at->kind != SOURCE_MARK)
            continue;
        if (!depth && source_closes_launch(at) && source_is(at + 3, "("))
            return at;
        depth += strchr("([{", *at->text) ? 1 : strchr(")]}", *at->text) ? -1 : 0;
    }
    return NULL;
}

static void join_launches(struct writing *writing, const struct source_token *tokens, uint32_t count)
{
    const struct source_token *end = tokens + count;
    for (const struct source_token *at = tokens + 1; end - at > 3; at++) {
        if (!source_opens_launch(at) || source_is(at - 1, "operator")) /* operator<< <T> */
            continue;
        const struct source_token *close = closing_marks(at + 3, end);
        if (!close)
            continue;
        join(writing, at);
        join(writing, close);
        at += 2;
    }
}

/* nvcc passes over a backslash that nothing but a comment follows on its line. */
static void drop_backslashes(struct writing *writing, const struct source_token *tokens, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *behind = writing->text + tokens[i].end;
        behind += strspn(behind, " \t");
        if (source_is(&tokens[i], "\\") && behind[0] == '/' && (behind[1] == '/' || behind[1] == '*'))
            changed_text(writing)[tokens[i].at] = ' ';
    }
}

/* nvcc passes over `#pragma unroll` where no loop follows. What a macro stands for is not looked at. */
static void drop_pragmas(struct writing *writing, const struct source *source)
{
    static const char *const loops[] = {"for", "while", "do"};
    const struct source_token *next = source->tokens;
    for (const char *at = writing->text; (at = strstr(at, "unroll")) != NULL; at += 6) {
        const char *line = at;
        while (line > writing->text && line[-1] != '\n')
            line--;
        size_t const indent = strspn(line, " \t"), blanks = 7 + strspn(line + indent + 7, " \t");
        if (strncmp(line + indent, "#pragma", 7) != 0 ||
            (line + indent + blanks != at && strncmp(line + indent + blanks, "nounroll", 8) != 0))
            continue;
        while (next->kind != SOURCE_END && writing->text + next->at < at)
            next++;
        bool const in_text = next > source->tokens && writing->text + next[-1].end > at;
        if (!in_text && !SOURCE_IS_ONE_OF(next, loops) &&
            !source_macro_of(source, next, (uint32_t)(next - source->tokens)))
            memset(changed_text(writing) + (line - writing->text) + indent + 7, ' ',
                   strcspn(line + indent + 7, "\r\n/"));
    }
}

const char *source_for_clang(struct arena *arena, const char *text)
{
    struct writing writing = {.arena = arena, .text = text};
    const struct source *source = source_read(arena, text, NULL, 0, SOURCE_ALL);
    join_launches(&writing, source->tokens, source->count);
    drop_backslashes(&writing, source->tokens, source->count);
    drop_pragmas(&writing, source);
    for (uint32_t i = 0; i < source->macro_count; i++)
        join_launches(&writing, source->macros[i].value, source->macros[i].count);
    return writing.changed ? writing.changed : text;
}
