#include "source/tokens.h"
#include "source/constant.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NESTED_MOST = 64, EXPANDED_MOST = 4096, EXPANDED_DEPTH = 8, EXPANDED_STEPS = 1 << 15 };

struct lexer {
    struct arena *arena;
    const char *begin, *at;
    uint32_t line;
    bool in_line; /* the end of the line ends it: a directive */
    bool fresh;   /* nothing stands before on this line */
};

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Returns the length of a backslash and the end of the line behind it, or 0. Compilers let blanks stand between them.
 */
static size_t splice(const char *at)
{
    if (*at != '\\')
        return 0;
    size_t const length = 1 + strspn(at + 1, " \t\f\v\r");
    return at[length] == '\n' ? length + 1 : 0;
}

/* Passes over one character, and over the end of the line that a backslash takes away. */
static void step(struct lexer *lexer)
{
    size_t const length = splice(lexer->at);
    lexer->line += length || *lexer->at == '\n';
    lexer->at += length ? length : 1;
}

static void skip_comment(struct lexer *lexer)
{
    bool const block = lexer->at[1] == '*';
    lexer->at += 2;
    while (*lexer->at && (block ? strncmp(lexer->at, "*/", 2) != 0 : *lexer->at != '\n'))
        step(lexer);
    lexer->at += block && *lexer->at ? 2 : 0;
}

static void skip_blanks(struct lexer *lexer)
{
    for (; *lexer->at; step(lexer)) {
        while (lexer->at[0] == '/' && (lexer->at[1] == '/' || lexer->at[1] == '*'))
            skip_comment(lexer);
        if (*lexer->at == '\n' && lexer->in_line)
            return;
        lexer->fresh = lexer->fresh || *lexer->at == '\n';
        if (!*lexer->at || (!strchr(" \t\r\n\f\v", *lexer->at) && !splice(lexer->at)))
            return;
    }
}

/* Passes over a text in quotation marks. It ends with its line where its mark is missing. */
static void skip_quoted(struct lexer *lexer)
{
    char const quote = *lexer->at++;
    while (*lexer->at && *lexer->at != quote && *lexer->at != '\n') {
        if (*lexer->at == '\\' && lexer->at[1] && !splice(lexer->at))
            lexer->at++;
        step(lexer);
    }
    lexer->at += *lexer->at == quote;
}

/* Passes over R"end( ... )end". */
static void skip_raw(struct lexer *lexer)
{
    const char *mark = ++lexer->at;
    size_t const length = strcspn(mark, "(\" \\\n");
    if (mark[length] != '(' || length > 16)
        return;
    for (lexer->at += length; *lexer->at; lexer->at++) {
        lexer->line += *lexer->at == '\n';
        if (*lexer->at == ')' && strncmp(lexer->at + 1, mark, length) == 0 && lexer->at[length + 1] == '"') {
            lexer->at += length + 2;
            return;
        }
    }
}

/* Returns the text of a name in which a backslash joins two lines. */
static const char *joined(struct arena *arena, const char *from, const char *to, uint32_t *length)
{
    char *text = arena_text_n(arena, from, (size_t)(to - from));
    *length = 0;
    for (const char *at = from; at < to; at++) {
        at += splice(at);
        if (at < to)
            text[(*length)++] = *at;
    }
    return text;
}

static void read_name(struct lexer *lexer, struct source_token *token)
{
    static const char *const raw[] = {"R", "LR", "uR", "UR", "u8R"}, *const wide[] = {"L", "u", "U", "u8"};
    bool spliced = false;
    while (is_letter(*lexer->at) || (splice(lexer->at) && is_letter(lexer->at[splice(lexer->at)]))) {
        spliced = spliced || splice(lexer->at);
        step(lexer);
    }
    token->kind = SOURCE_NAME;
    token->length = (uint32_t)(lexer->at - token->text);
    if (spliced)
        token->text = joined(lexer->arena, token->text, lexer->at, &token->length);
    bool const is_raw = *lexer->at == '"' && SOURCE_IS_ONE_OF(token, raw);
    if (!is_raw && !((*lexer->at == '"' || *lexer->at == '\'') && SOURCE_IS_ONE_OF(token, wide)))
        return;
    token->kind = SOURCE_TEXT;
    if (is_raw)
        skip_raw(lexer);
    else
        skip_quoted(lexer);
}

/* Passes over a number with its suffix: 0x1p-3f, 1'000u. */
static void skip_number(struct lexer *lexer)
{
    while (is_letter(*lexer->at) || *lexer->at == '.' || (*lexer->at == '\'' && is_letter(lexer->at[1]))) {
        bool const exponent = strchr("eEpP", *lexer->at) != NULL;
        lexer->at++;
        lexer->at += exponent && (*lexer->at == '+' || *lexer->at == '-') && isdigit((unsigned char)lexer->at[1]);
    }
}

/* Takes the next token, SOURCE_END at the end. */
static struct source_token next(struct lexer *lexer)
{
    skip_blanks(lexer);
    struct source_token token = {.text = lexer->at, .line = lexer->line, .kind = SOURCE_MARK};
    char const c = *lexer->at;
    token.at = (uint32_t)(lexer->at - lexer->begin);
    if (!c || c == '\n') {
        token.kind = SOURCE_END;
    } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)lexer->at[1]))) {
        token.kind = SOURCE_NUMBER;
        skip_number(lexer);
    } else if (is_letter(c)) {
        read_name(lexer, &token);
    } else if (c == '"' || c == '\'') {
        token.kind = SOURCE_TEXT;
        skip_quoted(lexer);
    } else {
        lexer->at++;
    }
    if (token.kind != SOURCE_NAME)
        token.length = (uint32_t)(lexer->at - token.text);
    token.end = (uint32_t)(lexer->at - lexer->begin);
    return token;
}

bool source_is(const struct source_token *token, const char *text)
{
    if (*token->text != *text) /* of most tokens nothing else is looked at: sources of a megabyte are searched */
        return false;
    size_t const length = strlen(text);
    if (token->kind == SOURCE_NAME || token->kind == SOURCE_NUMBER)
        return token->length == length && memcmp(token->text, text, length) == 0;
    for (size_t i = 0; i < length; i++)
        if (token[i].kind != SOURCE_MARK || token[i].text != token->text + i || *token[i].text != text[i])
            return false;
    return true;
}

bool source_opens_launch(const struct source_token *token)
{
    return source_is(token, "<<") && source_is(token + 2, "<");
}

bool source_closes_launch(const struct source_token *token)
{
    return source_is(token, ">>") && source_is(token + 2, ">");
}

bool source_same(const struct source_token *a, const struct source_token *b)
{
    return a->kind == SOURCE_NAME && b->kind == SOURCE_NAME && a->length == b->length &&
           memcmp(a->text, b->text, a->length) == 0;
}

bool source_includes(const struct source *source, const char *name)
{
    for (uint32_t i = 0; i < source->include_count; i++)
        if (strncmp(source->includes[i] + 1, name, strlen(name)) == 0)
            return true;
    return false;
}

bool source_has_own_headers(struct arena *arena, const char *text)
{
    const struct source *source = source_read(arena, text, NULL, 0, SOURCE_ALL);
    for (uint32_t i = 0; i < source->include_count; i++)
        if (*source->includes[i] != '<')
            return true;
    return false;
}

bool source_is_one_of(const struct source_token *token, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (source_is(token, words[i]))
            return true;
    return false;
}

const char *source_word(struct arena *arena, const struct source_token *token)
{
    return arena_text_n(arena, token->text, token->length);
}

/* ---- the preprocessor ---- */

struct list {
    struct source_token *items;
    size_t count, capacity;
};
struct macros {
    struct source_macro *items;
    size_t count, capacity;
};
struct includes {
    const char **items;
    size_t count, capacity;
};
/* One #if: whether this branch's code counts, whether a branch was surely taken, whether that is not known. */
struct branch {
    bool active, outside, taken, open;
};
struct reading {
    struct source source;
    enum source_branches mode;
    struct lexer lexer;
    struct list tokens;
    struct macros macros;
    struct includes includes;
    struct branch branches[NESTED_MOST];
    unsigned depth; /* of #if, also beyond NESTED_MOST */
    bool own_include;
    unsigned followed; /* macros in the value of a condition */
};

static bool is_active(const struct reading *reading)
{
    unsigned const level = reading->depth < NESTED_MOST ? reading->depth : NESTED_MOST;
    return level == 0 || reading->branches[level - 1].active;
}

static bool is_doubtful(const struct reading *reading)
{
    for (unsigned i = 0; i < reading->depth && i < NESTED_MOST; i++)
        if (reading->branches[i].open)
            return true;
    return false;
}

/* Returns the tokens up to the end of the lexer, with SOURCE_END behind them. */
static struct source_token *rest_of(struct lexer *lexer, uint32_t *count)
{
    struct list list = {0};
    do
        array_push(&list, next(lexer));
    while (list.items[list.count - 1].kind != SOURCE_END);
    struct source_token *tokens = arena_list(lexer->arena, list);
    *count = (uint32_t)list.count - 1;
    free(list.items);
    return tokens;
}

static const struct source_macro *find_macro(const struct source_macro *macros, size_t count,
                                             const struct source_token *name, uint32_t at)
{
    for (size_t i = count; i-- > 0;)
        if (source_same(&macros[i].name, name) && (macros[i].given || (macros[i].from <= at && at < macros[i].until)))
            return &macros[i];
    return NULL;
}

/* Returns the macro of this name at the end of what is read, or NULL. */
static struct source_macro *macro_now(struct reading *reading, const struct source_token *name)
{
    return (struct source_macro *)find_macro(reading->macros.items, reading->macros.count, name,
                                             (uint32_t)reading->tokens.count);
}

static void define(struct reading *reading)
{
    struct lexer *lexer = &reading->lexer;
    struct source_macro macro = {.from = (uint32_t)reading->tokens.count, .until = UINT32_MAX};
    macro.name = next(lexer);
    macro.opaque = *lexer->at == '(';
    struct source_macro *before = macro_now(reading, &macro.name);
    macro.value = rest_of(lexer, &macro.count);
    if (macro.name.kind != SOURCE_NAME || (before && before->given && reading->mode == SOURCE_TAKEN))
        return;
    if (before && reading->mode == SOURCE_TAKEN) {
        macro.opaque = macro.opaque || is_doubtful(reading);
        before->until = macro.from;
    }
    array_push(&reading->macros, macro);
}

static void undefine(struct reading *reading)
{
    struct source_token const name = next(&reading->lexer);
    struct source_macro *macro = macro_now(reading, &name);
    if (macro && !macro->given && reading->mode == SOURCE_TAKEN && is_doubtful(reading))
        macro->opaque = true;
    else if (macro && !macro->given)
        macro->until = (uint32_t)reading->tokens.count;
}

static void include(struct reading *reading)
{
    struct lexer *lexer = &reading->lexer;
    skip_blanks(lexer);
    char const end = *lexer->at == '<' ? '>' : *lexer->at == '"' ? '"' : '\0';
    size_t const length = end ? strcspn(lexer->at + 1, end == '>' ? ">\n" : "\"\n") : 0;
    bool const named = length && lexer->at[1 + length] == end;
    reading->own_include = reading->own_include || !named || end == '"';
    array_push(&reading->includes, named ? arena_text_n(lexer->arena, lexer->at, length + 1) : "?");
}

/* ---- conditions ---- */

enum truth { NO, YES, UNKNOWN };

/* Returns whether a name is a macro here. One of the compiler's, or of a file that is included, is not known. */
static enum truth is_defined(struct reading *reading, const struct source_token *name)
{
    static const char *const always[] = {"__CUDACC__", "__CUDA_ARCH__", "__cplusplus"};
    const struct source_macro *macro = macro_now(reading, name);
    if (macro || SOURCE_IS_ONE_OF(name, always))
        return YES;
    return reading->own_include || (name->length > 1 && strncmp(name->text, "__", 2) == 0) ? UNKNOWN : NO;
}

/* Gives the names in a condition their values. */
static const struct source_token *condition_value(void *context, const struct source_token *name,
                                                  const struct source_token *end, int64_t *value)
{
    struct reading *reading = context;
    if (source_is(name, "defined")) {
        bool const bracket = name + 1 < end && source_is(name + 1, "(");
        const struct source_token *asked = name + 1 + bracket;
        enum truth const truth = asked < end && asked->kind == SOURCE_NAME ? is_defined(reading, asked) : UNKNOWN;
        *value = truth == YES;
        return truth == UNKNOWN || (bracket && (asked + 1 >= end || !source_is(asked + 1, ")"))) ? NULL
                                                                                                 : asked + 1 + bracket;
    }
    const struct source_macro *macro = macro_now(reading, name);
    *value = source_is(name, "true");
    if (!macro)
        return *value || is_defined(reading, name) == NO ? name + 1 : NULL;
    if (macro->opaque || reading->followed++ > 100)
        return NULL;
    return source_evaluate(macro->value, macro->value + macro->count, condition_value, reading, value) ? name + 1
                                                                                                       : NULL;
}

static enum truth condition(struct reading *reading, const struct source_token *word)
{
    uint32_t count;
    const struct source_token *tokens = rest_of(&reading->lexer, &count);
    bool const names = !source_is(word, "if") && !source_is(word, "elif"), negated = source_is(word, "ifndef");
    int64_t value;
    reading->followed = 0;
    if (!names)
        return !source_evaluate(tokens, tokens + count, condition_value, reading, &value) ? UNKNOWN : value ? YES : NO;
    enum truth const truth = count ? is_defined(reading, tokens) : UNKNOWN;
    return truth == UNKNOWN ? UNKNOWN : (truth == YES) != negated ? YES : NO;
}

/* Reads #if, #ifdef, #ifndef, #elif, #else and #endif. */
static void conditional(struct reading *reading, const struct source_token *word)
{
    bool const ends = source_is(word, "endif"), opens = strncmp(word->text, "if", 2) == 0;
    bool const outside = is_active(reading);
    if (opens)
        reading->depth++;
    if (reading->depth == 0 || reading->depth > NESTED_MOST || ends) {
        reading->depth -= reading->depth > 0 && ends;
        return;
    }
    struct branch *branch = &reading->branches[reading->depth - 1];
    if (opens)
        *branch = (struct branch){.outside = outside};
    enum truth const truth = reading->mode == SOURCE_ALL         ? UNKNOWN
                             : !branch->outside || branch->taken ? NO
                             : source_is(word, "else")           ? (branch->open ? UNKNOWN : YES)
                                                                 : condition(reading, word);
    branch->active = branch->outside && truth != NO;
    branch->taken = branch->taken || (truth == YES && !branch->open);
    branch->open = branch->open || truth == UNKNOWN;
}

static void directive(struct reading *reading)
{
    static const char *const conditions[] = {"if", "ifdef", "ifndef", "elif", "else", "endif"};
    struct lexer *lexer = &reading->lexer;
    lexer->in_line = true;
    struct source_token const word = next(lexer);
    if (SOURCE_IS_ONE_OF(&word, conditions))
        conditional(reading, &word);
    else if (is_active(reading) && source_is(&word, "define"))
        define(reading);
    else if (is_active(reading) && source_is(&word, "undef"))
        undefine(reading);
    else if (is_active(reading) && source_is(&word, "include"))
        include(reading);
    while (*lexer->at && *lexer->at != '\n')
        next(lexer);
    lexer->in_line = false;
}

static struct source_macro given_macro(struct arena *arena, const struct source_token *name, const char *value)
{
    struct lexer lexer = {.arena = arena, .begin = value, .at = value, .in_line = true};
    struct source_macro macro = {.name = *name, .until = UINT32_MAX, .given = true};
    macro.value = rest_of(&lexer, &macro.count);
    return macro;
}

const struct source *source_read(struct arena *arena, const char *text, const struct compile_define *defines,
                                 size_t define_count, enum source_branches branches)
{
    struct reading *reading = arena_new(arena, struct reading);
    struct lexer *lexer = &reading->lexer;
    *lexer = (struct lexer){.arena = arena, .begin = text, .at = text, .line = 1, .fresh = true};
    reading->mode = branches;
    for (size_t i = 0; i < define_count; i++) {
        struct source_token const name = {
            .text = defines[i].name, .length = (uint32_t)strlen(defines[i].name), .kind = SOURCE_NAME};
        array_push(&reading->macros, given_macro(arena, &name, defines[i].value ? defines[i].value : "1"));
    }
    for (struct source_token token = next(lexer);; token = next(lexer)) {
        bool const first = lexer->fresh;
        lexer->fresh = false;
        if (first && source_is(&token, "#")) {
            directive(reading);
            continue;
        }
        if (token.kind == SOURCE_END || is_active(reading))
            array_push(&reading->tokens, token);
        if (token.kind == SOURCE_END)
            break;
    }
    struct source *source = &reading->source;
    *source = (struct source){.arena = arena,
                              .text = text,
                              .tokens = arena_list(arena, reading->tokens),
                              .count = (uint32_t)reading->tokens.count - 1,
                              .macros = arena_list(arena, reading->macros),
                              .macro_count = (uint32_t)reading->macros.count,
                              .includes = arena_list(arena, reading->includes),
                              .include_count = (uint32_t)reading->includes.count};
    free(reading->tokens.items);
    free(reading->macros.items);
    free(reading->includes.items);
    return source;
}

const struct source *source_in(struct arena *arena, const struct source *source)
{
    struct source *in = arena_new(arena, struct source);
    *in = *source;
    in->arena = arena;
    return in;
}

const struct source *source_with(const struct source *source, const struct source_token *name, const char *value)
{
    struct source *with = arena_new(source->arena, struct source);
    struct source_macro *macros = arena_array(source->arena, struct source_macro, (size_t)source->macro_count + 1);
    *with = *source;
    if (source->macro_count)
        memcpy(macros, source->macros, source->macro_count * sizeof *macros);
    macros[with->macro_count++] = given_macro(source->arena, name, value);
    with->macros = macros;
    return with;
}

const struct source_macro *source_macro_of(const struct source *source, const struct source_token *name, uint32_t at)
{
    return find_macro(source->macros, source->macro_count, name, at);
}

/* ---- lists of tokens ---- */

struct expansion {
    const struct source *source;
    struct list list;
    uint32_t steps;
    const struct source_macro *inside[EXPANDED_DEPTH]; /* a macro is not replaced in its own value */
};

static void expand(struct expansion *expansion, const struct source_token *tokens, uint32_t count, uint32_t at,
                   bool moves, unsigned depth)
{
    for (uint32_t i = 0; i < count && expansion->list.count < EXPANDED_MOST && expansion->steps++ < EXPANDED_STEPS;
         i++) {
        const struct source_macro *macro = depth < EXPANDED_DEPTH && tokens[i].kind == SOURCE_NAME
                                               ? source_macro_of(expansion->source, &tokens[i], moves ? at + i : at)
                                               : NULL;
        for (unsigned k = 0; macro && k < depth; k++)
            if (expansion->inside[k] == macro)
                macro = NULL;
        if (!macro || macro->opaque) {
            array_push(&expansion->list, tokens[i]);
            continue;
        }
        expansion->inside[depth] = macro;
        expand(expansion, macro->value, macro->count, moves ? at + i : at, false, depth + 1);
    }
}

const struct source_token *source_expanded(const struct source *source, uint32_t from, uint32_t to, uint32_t *count)
{
    struct expansion expansion = {.source = source};
    expand(&expansion, source->tokens + from, to - from, from, true, 0);
    struct source_token *tokens = arena_list(source->arena, expansion.list);
    *count = (uint32_t)expansion.list.count;
    free(expansion.list.items);
    return tokens;
}

const struct source_token *source_part_end(const struct source_token *from, const struct source_token *to)
{
    int depth = 0;
    for (; from < to; from++) {
        if (from->kind != SOURCE_MARK)
            continue;
        if (!depth && strchr(",;)]}", *from->text))
            break;
        depth += strchr("([{", *from->text) ? 1 : strchr(")]}", *from->text) ? -1 : 0;
    }
    return from;
}

const struct source_token *source_closed(const struct source_token *open, const struct source_token *to)
{
    for (int depth = 0; open < to; open++) {
        if (open->kind != SOURCE_MARK)
            continue;
        depth += strchr("([{", *open->text) ? 1 : strchr(")]}", *open->text) ? -1 : 0;
        if (depth <= 0)
            return open + 1;
    }
    return to;
}

const struct source_token *source_line_tokens(struct arena *arena, const char *line)
{
    struct lexer lexer = {.arena = arena, .begin = line, .at = line, .line = 1, .in_line = true};
    uint32_t count;
    return rest_of(&lexer, &count);
}

size_t source_line_code(struct arena *arena, const char *line)
{
    const struct source_token *token = source_line_tokens(arena, line);
    size_t length = 0;
    for (; token->kind != SOURCE_END; token++)
        length = token->end;
    return length;
}
