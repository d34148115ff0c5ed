/* Reads a module: its directives in order, then the properties that need the whole module. */
#include "ptx/parse.h"
#include "ptx/parser.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUOTE_MAX = 120 };

void parser_next(struct parser *p)
{
    p->token = lexer_next(&p->lexer);
}

bool parser_is(const struct parser *p, char mark)
{
    return p->token.kind == TOKEN_MARK && p->token.mark == mark;
}

bool parser_take(struct parser *p, char mark)
{
    if (!parser_is(p, mark))
        return false;
    parser_next(p);
    return true;
}

bool parser_expect(struct parser *p, char mark)
{
    return parser_take(p, mark) || parser_fail(p, "\"%c\" is missing", mark);
}

bool parser_word_is(const struct parser *p, const char *word)
{
    size_t const length = p->token.end - p->token.start;
    return p->token.kind == TOKEN_WORD && strlen(word) == length &&
           memcmp(p->lexer.text + p->token.start, word, length) == 0;
}

uint32_t parser_token_name(struct parser *p)
{
    return names_add(&p->names, p->lexer.text + p->token.start, p->token.end - p->token.start);
}

char *parser_text(struct parser *p, struct token token)
{
    return arena_text_n(p->arena, p->lexer.text + token.start, token.end - token.start);
}

static int column_of(const struct parser *p, uint32_t at)
{
    uint32_t start = at;
    while (start > 0 && p->lexer.text[start - 1] != '\n')
        start--;
    return (int)(at - start + 1);
}

bool parser_fail(struct parser *p, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_at(p->error, ERROR_INPUT, p->name, (int)p->token.line, column_of(p, p->token.start), "%s", message);
}

/* Copies the open statement as one line, shortened to a readable length. */
static void quote_statement(const struct parser *p, char quote[QUOTE_MAX])
{
    size_t length = 0;
    bool blank = false;
    for (uint32_t at = p->statement_start; at < p->lexer.size && length + 5 < QUOTE_MAX; at++) {
        unsigned char const c = (unsigned char)p->lexer.text[at];
        bool const space = c <= ' ';
        if (space && !blank && length)
            quote[length++] = ' ';
        else if (!space)
            quote[length++] = c < 127 ? (char)c : '?';
        blank = space;
        if (c == ';') {
            quote[length] = 0;
            return;
        }
    }
    while (length && quote[length - 1] == ' ')
        length--;
    memcpy(quote + length, "...", sizeof "...");
}

bool parser_fail_statement(struct parser *p, const char *format, ...)
{
    char message[300], quote[QUOTE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (p->surveying && p->unknown && p->in_body) { /* the survey lists the statement instead */
        p->reason = arena_text(p->arena, message);
        return false;
    }
    if (p->statement_start == PTX_NO_INDEX)
        return parser_fail(p, "%s", message);
    quote_statement(p, quote);
    return error_at(p->error, ERROR_INPUT, p->name, (int)p->statement_line, column_of(p, p->statement_start),
                    "%s in \"%s\"", message, quote);
}

/* Skips `.section .debug_info { ... }` with any contents. */
static bool skip_section(struct parser *p)
{
    while (p->token.kind != TOKEN_END && !parser_is(p, '{'))
        parser_next(p);
    int depth = 0;
    do {
        depth += parser_is(p, '{') - parser_is(p, '}');
        if (p->token.kind == TOKEN_END)
            return parser_fail(p, "a section is not closed");
        parser_next(p);
    } while (depth > 0);
    return true;
}

static void skip_line(struct parser *p)
{
    uint32_t const line = p->token.line;
    while (p->token.kind != TOKEN_END && p->token.line == line)
        parser_next(p);
}

/* Reads `.file 1 "folder" "name", 123, 456` after its first word. */
static bool read_file_name(struct parser *p)
{
    uint32_t const line = p->token.line;
    struct source_file file = {.number = (uint32_t)p->token.bits, .name = ""};
    if (p->token.kind != TOKEN_INTEGER || p->token.bits >= UINT32_MAX)
        return parser_fail(p, "the number of a file is missing");
    parser_next(p);
    while (p->token.kind == TOKEN_STRING) {
        const char *text = parser_text(p, p->token);
        file.name = *file.name && *text != '/' ? arena_format(p->arena, "%s/%s", file.name, text) : text;
        parser_next(p);
    }
    array_push(&p->files, file);
    while (p->token.line == line && (parser_is(p, ',') || p->token.kind == TOKEN_INTEGER))
        parser_next(p);
    return true;
}

/* Reads a number of up to three digits. */
static bool read_small(const char **text, uint32_t *value)
{
    const char *start = *text;
    *value = 0;
    for (; **text >= '0' && **text <= '9' && *text - start < 3; (*text)++)
        *value = *value * 10 + (uint32_t)(**text - '0');
    return *text > start;
}

static bool read_version(struct parser *p)
{
    const char *text = p->lexer.text + p->token.start;
    bool const good =
        read_small(&text, &p->module->version_major) && *text++ == '.' && read_small(&text, &p->module->version_minor);
    if (p->token.kind != TOKEN_DOUBLE || !good)
        return parser_fail(p, "the PTX version is missing");
    parser_next(p);
    return true;
}

static bool read_target(struct parser *p)
{
    const char *text = p->lexer.text + p->token.start;
    if (p->token.kind != TOKEN_NAME || strncmp(text, "sm_", 3) != 0 ||
        (text += 3, !read_small(&text, &p->module->target)))
        return parser_fail(p, "the target is not an \"sm_\" number");
    do
        parser_next(p);
    while (parser_take(p, ',') && p->token.kind == TOKEN_NAME);
    return true;
}

static bool read_alias(struct parser *p)
{
    uint32_t const name = parser_token_name(p);
    parser_next(p);
    if (!parser_expect(p, ','))
        return false;
    const struct meaning *known = names_meaning(&p->names, parser_token_name(p));
    if (!known || known->kind != MEANS_FUNCTION)
        return parser_fail(p, "an alias must name a function");
    names_declare(&p->names, name, MEANS_FUNCTION, PTX_SCOPE_MODULE, known->index);
    parser_next(p);
    return parser_expect(p, ';');
}

static bool read_pragma(struct parser *p)
{
    while (p->token.kind == TOKEN_STRING || parser_is(p, ','))
        parser_next(p);
    return parser_expect(p, ';');
}

static bool read_address_size(struct parser *p)
{
    if (p->token.kind != TOKEN_INTEGER || p->token.bits != 64)
        return parser_fail(p, "only 64-bit addresses are known");
    parser_next(p);
    return true;
}

/* Reads .version, .target and .address_size, which stand before everything else: the first two are needed, and none
 * comes again. */
static bool read_head(struct parser *p)
{
    if (!parser_word_is(p, "version"))
        return parser_fail(p, "the text does not begin with .version");
    parser_next(p);
    if (!read_version(p))
        return false;
    if (!parser_word_is(p, "target"))
        return parser_fail(p, ".target is missing behind .version");
    parser_next(p);
    if (!read_target(p))
        return false;
    if (!parser_word_is(p, "address_size"))
        return true;
    parser_next(p);
    return read_address_size(p);
}

/* Local memory outside a function ends the ABI of calls, which PTX has from version 3.0 on (ptxas 13.0). */
static bool check_local(struct parser *p)
{
    if (p->module->version_major >= 3)
        return parser_fail_statement(p, "from PTX 3.0 on, local memory is declared in a function");
    if (p->external || p->merges)
        return parser_fail_statement(p, "local memory is neither .extern, .weak nor .common");
    p->without_abi = true;
    return true;
}

static bool read_directive(struct parser *p, struct token word)
{
    static const struct {
        const char *word;
        bool (*read)(struct parser *p);
    } readers[] = {{"file", read_file_name}, {"section", skip_section}, {"alias", read_alias}, {"pragma", read_pragma}};
    struct token const next = p->token;
    p->token = word;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        if (!parser_word_is(p, readers[i].word))
            continue;
        p->token = next;
        return readers[i].read(p);
    }
    if (parser_word_is(p, "version") || parser_word_is(p, "target") || parser_word_is(p, "address_size"))
        return parser_fail(p, "\".%s\" stands at the start of a module, once", parser_text(p, word));
    if (parser_word_is(p, "tex")) { /* an old form: `.tex .u64 t` for `.global .texref t` */
        p->token = next;
        return parser_variables(p, PTX_SPACE_GLOBAL, p->external);
    }
    uint32_t const name = names_find(&p->names, p->lexer.text + word.start, word.end - word.start);
    if (name == PTX_NO_INDEX || !p->names.list.items[name].space)
        return parser_fail(p, "directive \".%s\" is not known", parser_text(p, word));
    p->token = next;
    if (p->names.list.items[name].space - 1 == PTX_SPACE_LOCAL && !check_local(p))
        return false;
    return parser_variables(p, (enum ptx_space)(p->names.list.items[name].space - 1), p->external);
}

static bool read_module(struct parser *p)
{
    if (!read_head(p))
        return false;
    while (p->token.kind != TOKEN_END) {
        p->statement_start = p->token.kind == TOKEN_WORD ? p->token.start - 1 : PTX_NO_INDEX;
        p->statement_line = p->token.line;
        p->external = p->merges = false;
        if (parser_take(p, ';'))
            continue;
        if (parser_is(p, '@')) { /* an old form: @@DWARF lines */
            skip_line(p);
            continue;
        }
        while (parser_word_is(p, "extern") || parser_word_is(p, "visible") || parser_word_is(p, "weak") ||
               parser_word_is(p, "common")) {
            p->external |= parser_word_is(p, "extern");
            p->merges |= parser_word_is(p, "common") || parser_word_is(p, "weak");
            parser_next(p);
        }
        if (p->token.kind != TOKEN_WORD)
            return parser_fail(p, "a directive is missing");
        struct token const word = p->token;
        bool const entry = parser_word_is(p, "entry"), function = parser_word_is(p, "func");
        parser_next(p);
        if (!(entry || function ? parser_function(p, entry) : read_directive(p, word)))
            return false;
    }
    if (p->predicate_line && !p->without_abi) {
        p->token = (struct token){.start = p->predicate_start, .line = p->predicate_line};
        return parser_fail(p, "calls pass predicates only in a module where a function has several results, or that "
                              "has local memory outside functions: these end the ABI of calls");
    }
    return parser_resolve_addresses(p);
}

static int by_number(const void *a, const void *b)
{
    const struct source_file *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Replaces file numbers by indices. A .file may come after the code that uses it, and its numbers may have gaps. */
static void number_files(struct parser *p, struct ptx_function *function)
{
    struct ptx_instruction *instructions = (struct ptx_instruction *)function->instructions;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        struct source_file const key = {.number = instructions[i].file};
        const struct source_file *file =
            p->files.count ? bsearch(&key, p->files.items, p->files.count, sizeof key, by_number) : NULL;
        instructions[i].file = file ? (uint32_t)(file - p->files.items) : PTX_NO_INDEX;
    }
}

static void finish(struct parser *p)
{
    struct ptx_module *module = p->module;
    if (p->files.count)
        qsort(p->files.items, p->files.count, sizeof *p->files.items, by_number);
    const char **files = arena_array(p->arena, const char *, p->files.count);
    for (size_t i = 0; i < p->files.count; i++)
        files[i] = p->files.items[i].name;
    module->files = files;
    module->file_count = (uint32_t)p->files.count;
    module->variables = arena_list(p->arena, p->variables);
    module->variable_count = (uint32_t)p->variables.count;
    struct ptx_function *functions = arena_list(p->arena, p->functions);
    module->functions = functions;
    module->function_count = (uint32_t)p->functions.count;
    for (uint32_t i = 0; i < module->function_count; i++) {
        number_files(p, &functions[i]);
        flow_reconvergence(&functions[i], module);
    }
    layout_sites(module);
    layout_shared(module);
}

static void free_parser(struct parser *p)
{
    names_free(&p->names);
    free(p->variables.items);
    free(p->functions.items);
    free(p->files.items);
    free(p->addresses.items);
    free(p->instructions.items);
    free(p->registers.items);
    free(p->locals.items);
    free(p->ranges.items);
    free(p->range_slots);
    free(p->range_registers);
    free(p->uses.items);
    free(p->targets.items);
    free(p->lists.items);
    free(p->found.items);
}

/* Replaces the headers of `cuobjdump -ptx` by blanks, so that places stay and the driver reads the rest. A header goes
 * from a line that begins with "Fatbin" to the next one that begins with "." or "/". */
static void blank_headers(char *text)
{
    bool header = false;
    for (char *line = text; *line; line += *line == '\n') {
        size_t const length = strcspn(line, "\n");
        header = strncmp(line, "Fatbin ", 7) == 0 || (header && *line != '.' && *line != '/');
        if (header)
            memset(line, ' ', length);
        line += length;
    }
}

static bool parse(struct arena *arena, const char *name, const char *text, size_t size, struct ptx_module **module,
                  struct ptx_unknown **unknown, size_t *count, struct error *error)
{
    if (size > PARSER_TEXT_MAX)
        return error_at(error, ERROR_INPUT, name, 0, 0, "the PTX is %zu B long; the limit is %d B", size,
                        PARSER_TEXT_MAX);
    while (size && text[size - 1] == 0) /* as compilers write that hand the text to the driver */
        size--;
    if (size && memchr(text, 0, size))
        return error_at(error, ERROR_INPUT, name, 0, 0, "the PTX holds a zero byte, so it is not text");
    struct parser p = {.arena = arena, .name = name, .error = error, .surveying = unknown != NULL};
    p.module = arena_new(arena, struct ptx_module);
    char *copy = arena_text_n(arena, text, size);
    blank_headers(copy);
    p.module->text = copy;
    p.module->text_size = size;
    p.lexer = (struct lexer){.text = p.module->text, .size = (uint32_t)size, .line = 1};
    names_start(&p.names);
    parser_next(&p);
    bool const good = read_module(&p);
    if (good) {
        finish(&p);
        *module = p.module;
    }
    if (good && unknown) {
        *unknown = arena_list(arena, p.found);
        *count = p.found.count;
    }
    free_parser(&p);
    return good;
}

bool ptx_parse(struct arena *arena, const char *name, const char *text, size_t size, struct ptx_module **module,
               struct error *error)
{
    return parse(arena, name, text, size, module, NULL, NULL, error);
}

bool ptx_survey(struct arena *arena, const char *name, const char *text, size_t size, struct ptx_module **module,
                struct ptx_unknown **unknown, size_t *count, struct error *error)
{
    return parse(arena, name, text, size, module, unknown, count, error);
}
