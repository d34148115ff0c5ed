#include "source/dialect.h"
#include "source/tokens.h"
#include <stdio.h>
#include <string.h>

struct writing {
    struct arena *arena;
    const char *text;
    char *changed;        /* NULL until something differs */
    const char *inserted; /* the changed text up to `at`, with what was inserted; NULL: nothing */
    size_t at;
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

/* ---- launches by kernels ---- */

/* Returns the first token of a kernel's name before the marks of its launch: of ns::kernel<int>. */
static const struct source_token *kernel_name(const struct source_token *marks, const struct source_token *first)
{
    const struct source_token *at = marks;
    for (int depth = 0; at > first && (depth || source_is(at - 1, ">"));) {
        at--;
        depth += source_is(at, ">") - source_is(at, "<");
    }
    if (at == first || at[-1].kind != SOURCE_NAME)
        return NULL;
    for (at--; at - first > 1 && source_is(at - 2, "::");)
        at -= at - first > 2 && at[-3].kind == SOURCE_NAME ? 3 : 2;
    return at;
}

/* Writes kernel<<<grid, block>>>(...) as lanescope_kernel<kernel>(grid, block)(...). The inserted word has a line of
 * its own, so that what follows keeps its line and column; but no #line may stand between the brackets of a macro. */
static void rewrite_launch(struct writing *writing, const struct source_token *name, const struct source_token *open,
                           const struct source_token *close, bool bracketed)
{
    char *text = changed_text(writing);
    size_t column = 0;
    while (name->at > column && writing->text[name->at - column - 1] != '\n')
        column++;
    memcpy(text + open->at, "> (", 3);
    memcpy(text + close->at, ")  ", 3);
    const char *line = arena_format(writing->arena, "\n#line %u\n%*s", name->line, (int)column, "");
    writing->inserted =
        arena_format(writing->arena, "%s%.*slanescope_kernel<%s", writing->inserted ? writing->inserted : "",
                     (int)(name->at - writing->at), text + writing->at, bracketed ? "" : line);
    writing->at = name->at;
}

static void rewrite_body(struct writing *writing, const struct source_token *first, const struct source_token *end)
{
    int depth = 0;
    for (const struct source_token *at = first; end - at > 3; at++) {
        if (at->kind == SOURCE_MARK)
            depth += strchr("([", *at->text) ? 1 : strchr(")]", *at->text) ? -1 : 0;
        if (source_is(at, "__global__") || source_is(at, "main")) /* unknown #if: braces do not match */
            return;
        const struct source_token *name = source_opens_launch(at) ? kernel_name(at, first) : NULL;
        const struct source_token *close = name ? closing_marks(at + 3, end) : NULL;
        if (close)
            rewrite_launch(writing, name, at, close, depth > 0);
    }
}

/* Returns whether the tokens before a body are the head of a function that only the device has. */
static bool is_device_head(const struct source_token *head, const struct source_token *open)
{
    bool device = false;
    for (; head < open; head++) {
        device = device || source_is(head, "__global__") || source_is(head, "__device__");
        if (source_is(head, "__host__"))
            return false;
    }
    return device;
}

/* clang (14 at least) has no launches by kernels: they become calls of ours (assets/cuda/program/lanescope_launch.h).
 */
static void rewrite_device_launches(struct writing *writing, const struct source *source)
{
    static const char *const behind[] = {")", "const", "noexcept"};
    const struct source_token *end = source->tokens + source->count, *head = source->tokens;
    for (const struct source_token *at = head; at < end; at++) {
        if (source_is(at, ";") || source_is(at, "}")) {
            head = at + 1;
        } else if (source_is(at, "(")) {
            at = source_closed(at, end) - 1;
        } else if (source_is(at, "{")) {
            const struct source_token *close = source_closed(at, end);
            bool const body = at > head && SOURCE_IS_ONE_OF(at - 1, behind);
            if (body && is_device_head(head, at))
                rewrite_body(writing, at + 1, close);
            at = body ? close - 1 : at;
            head = at + 1;
        }
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
    rewrite_device_launches(&writing, source);
    if (!writing.inserted)
        return writing.changed ? writing.changed : text;
    return arena_format(arena, "%s%s", writing.inserted, writing.changed + writing.at);
}

/* ---- host code that is not optimised ---- */

/* Where a text stands while its lines are read: in brackets and in conditions of the preprocessor. */
struct place {
    const char *at;
    uint32_t line;
    int brackets, conditions;
    int guard;     /* conditions that hold for the whole file: 1 in a header that begins with #ifndef */
    bool directed; /* a directive was seen */
    bool included; /* since the last place that was kept */
};

/* Returns the end of what begins here and is no code: a comment, a text in quotation marks, a character. NULL: it is
 * code. */
static const char *no_code(const char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (at[0] == 'R' && at[1] == '"') { /* R"end( ... )end" */
        size_t const length = strcspn(at + 2, "(");
        const char *end = at + 2 + length;
        while ((end = strchr(end, ')')) != NULL && (strncmp(end + 1, at + 2, length) != 0 || end[1 + length] != '"'))
            end++;
        return end ? end + length + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return NULL;
    const char *end = at + 1;
    while (*end && *end != *at && *end != '\n')
        end += *end == '\\' && end[1] ? 2 : 1;
    return *end == *at ? end + 1 : end;
}

/* Reads a directive of the preprocessor up to the end of its line. */
static void read_directive(struct place *place)
{
    const char *word = place->at + 1 + strspn(place->at + 1, " \t");
    if (strncmp(word, "if", 2) == 0) {
        place->guard = !place->directed && strncmp(word, "ifndef", 6) == 0;
        place->conditions++;
    } else if (strncmp(word, "endif", 5) == 0) {
        place->conditions--;
    } else if (strncmp(word, "include", 7) == 0) {
        place->included |= !place->brackets; /* inside a function or a namespace the user's own code is around */
    }
    place->directed = true;
    unsigned line;
    if (sscanf(word, "line %u", &line) == 1) /* of ours: rewrite_launch */
        place->line = line - 1;
    for (; *place->at && *place->at != '\n'; place->at++)
        if (place->at[0] == '\\' && place->at[1] == '\n')
            place->line++, place->at++;
}

/* Returns where the marks belong, and the number of the line there. */
static const char *behind_includes(const char *text, uint32_t *line)
{
    struct place place = {.at = text, .line = 1};
    const char *found = text;
    bool blank = true; /* so far on this line */
    *line = 1;
    while (*place.at) {
        const char *end = no_code(place.at);
        if (end) {
            for (; place.at < end; place.at++)
                place.line += *place.at == '\n';
            blank = false;
            continue;
        }
        if (blank && *place.at == '#') {
            read_directive(&place);
            continue;
        }
        place.brackets += strchr("([{", *place.at) ? 1 : strchr(")]}", *place.at) ? -1 : 0;
        if (*place.at == '\n') {
            place.line++;
            if (place.included && !place.brackets && place.conditions == place.guard) {
                found = place.at + 1;
                *line = place.line;
                place.included = false;
            }
        }
        blank = *place.at == '\n' || (blank && strchr(" \t", *place.at));
        place.at++;
    }
    return found;
}

const char *source_left_plain(struct arena *arena, const char *text, bool header)
{
#define MARK(word) "#ifndef __CUDA_ARCH__\n#pragma clang optimize " word "\n#endif\n"
    uint32_t line;
    const char *at = behind_includes(text, &line);
    return arena_format(arena, "%.*s" MARK("off") "#line %u\n%s%s", (int)(at - text), text, line, at,
                        header ? "\n" MARK("on") : "");
#undef MARK
}
