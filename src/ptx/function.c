/* Reads a function: its header, its body of nested scopes, and its labels, which are resolved at the end of each
 * scope. */
#include "ptx/parser.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void resolve_one(struct parser *p, const struct label_use *use, const struct meaning *meaning)
{
    if (use->instruction == PTX_NO_INDEX)
        p->targets.items[use->target] = meaning->index;
    else
        p->instructions.items[use->instruction].operands[use->operand].index = meaning->index;
}

/* Resolves the uses of labels declared in the scope that ends. The other uses move to the scope around it; at the end
 * of the body an unresolved use is an error. */
static bool resolve_labels(struct parser *p)
{
    size_t first = p->uses.count, kept;
    while (first > 0 && p->uses.items[first - 1].depth == p->names.depth)
        first--;
    kept = first;
    for (size_t i = first; i < p->uses.count; i++) {
        struct label_use use = p->uses.items[i];
        bool const list =
            use.instruction != PTX_NO_INDEX && p->instructions.items[use.instruction].opcode == PTX_OP_brx;
        const struct meaning *meaning = names_meaning(&p->names, use.name);
        if (meaning && meaning->depth == p->names.depth && meaning->kind == (list ? MEANS_TARGETS : MEANS_LABEL)) {
            resolve_one(p, &use, meaning);
            continue;
        }
        if (p->names.depth == 1) { /* the body itself */
            struct name const name = p->names.list.items[use.name];
            p->token = (struct token){.start = use.start, .line = use.line};
            return parser_fail(p, "label \"%.*s\" is not in this function", (int)name.length, name.text);
        }
        use.depth--;
        p->uses.items[kept++] = use;
    }
    p->uses.count = kept;
    return true;
}

static bool read_number(struct parser *p, uint32_t *number)
{
    if (p->token.kind != TOKEN_INTEGER)
        return parser_fail_statement(p, "a number is missing");
    if (p->token.bits > INT32_MAX)
        return parser_fail_statement(p, "%" PRIu64 " is larger than 2^31 - 1", p->token.bits);
    *number = (uint32_t)p->token.bits;
    parser_next(p);
    return true;
}

/* Sets the shown location. For an instruction inlined from a header, that is the location of the call, which an earlier
 * .loc gave. */
static void show_location(struct parser *p, struct location *location, const struct location *inlined_at)
{
    location->shown_file = location->file;
    location->shown_line = location->line;
    location->shown_column = location->column;
    if (!inlined_at)
        return;
    if (location->file == p->main_file) {
        location->call_line = inlined_at->file == p->main_file ? inlined_at->line : 0;
        return;
    }
    location->shown_file = inlined_at->file;
    location->shown_line = inlined_at->line;
    location->shown_column = inlined_at->column;
    uint32_t const known = p->location_count < LOCATIONS_REMEMBERED ? p->location_count : LOCATIONS_REMEMBERED;
    for (uint32_t i = 1; i <= known; i++) {
        const struct location *earlier = &p->locations[(p->location_count - i) % LOCATIONS_REMEMBERED];
        if (earlier->file != inlined_at->file || earlier->line != inlined_at->line ||
            earlier->column != inlined_at->column)
            continue;
        location->shown_file = earlier->shown_file;
        location->shown_line = earlier->shown_line;
        location->shown_column = earlier->shown_column;
        location->call_line = earlier->call_line;
        return;
    }
}

static bool read_place(struct parser *p, struct location *location)
{
    return read_number(p, &location->file) && read_number(p, &location->line) && read_number(p, &location->column);
}

static bool name_is(const struct parser *p, const char *name)
{
    size_t const length = p->token.end - p->token.start;
    return p->token.kind == TOKEN_NAME && strlen(name) == length &&
           memcmp(p->lexer.text + p->token.start, name, length) == 0;
}

/* Skips `$L__info_string0` or `$L__info_string0+8`. */
static bool skip_function_name(struct parser *p)
{
    uint32_t offset;
    if (p->token.kind != TOKEN_NAME)
        return parser_fail_statement(p, "the name of a function is missing");
    parser_next(p);
    return !parser_take(p, '+') || read_number(p, &offset);
}

/* Reads ".loc 2 409 9, function_name $L__info_string0, inlined_at 1 25 3" after its first word. */
static bool read_location(struct parser *p)
{
    struct location location = {0}, inlined_at = {0};
    bool inlined = false;
    if (!read_place(p, &location))
        return false;
    while (parser_take(p, ',')) {
        inlined = name_is(p, "inlined_at");
        if (!inlined && !name_is(p, "function_name"))
            return parser_fail_statement(p, "\"function_name\" or \"inlined_at\" is missing behind a comma");
        parser_next(p);
        if (!(inlined ? read_place(p, &inlined_at) : skip_function_name(p)))
            return false;
    }
    if (p->main_file == PTX_NO_INDEX)
        p->main_file = location.file;
    show_location(p, &location, inlined ? &inlined_at : NULL);
    p->locations[p->location_count++ % LOCATIONS_REMEMBERED] = location;
    p->here = location;
    return true;
}

static bool skip_statement(struct parser *p)
{
    int depth = 0;
    while (p->token.kind != TOKEN_END) {
        if (parser_is(p, ';') && depth == 0)
            break;
        if (parser_is(p, '{'))
            depth++;
        if (parser_is(p, '}') && --depth < 0)
            break;
        parser_next(p);
    }
    parser_take(p, ';');
    return true;
}

/* Reads the pragmas of a statement; those that are not known change nothing. A mask is of the next instruction. */
static bool read_pragma(struct parser *p)
{
    static const char word[] = "used_bytes_mask ";
    parser_next(p);
    const char *text = p->lexer.text + p->token.start;
    size_t const size = p->token.end - p->token.start;
    if (p->token.kind == TOKEN_STRING && size >= sizeof word && memcmp(text, word, sizeof word - 1) == 0)
        p->used_bytes = (uint32_t)strtoul(text + sizeof word - 1, NULL, 0);
    return skip_statement(p);
}

static bool read_targets(struct parser *p, uint32_t label)
{
    struct target_list list = {.first = (uint32_t)p->targets.count};
    do {
        parser_next(p);
        array_push(&p->targets, 0);
        if (!parser_label(p, PTX_NO_INDEX, 0, (uint32_t)p->targets.count - 1))
            return false;
        list.count++;
    } while (parser_is(p, ','));
    array_push(&p->lists, list);
    names_declare(&p->names, label, MEANS_TARGETS, PTX_SCOPE_FUNCTION, (uint32_t)p->lists.count - 1);
    return parser_expect(p, ';');
}

/* Reads a label after its `:`. It may name a list of targets, a prototype, or the next instruction. */
static bool read_label(struct parser *p, uint32_t name)
{
    if (names_declared_here(&p->names, name)) {
        struct name const text = p->names.list.items[name];
        return parser_fail(p, "label \"%.*s\" is declared twice", (int)text.length, text.text);
    }
    if (parser_word_is(p, "branchtargets"))
        return read_targets(p, name);
    if (parser_word_is(p, "calltargets") || parser_word_is(p, "callprototype")) {
        names_declare(&p->names, name, MEANS_PROTOTYPE, PTX_SCOPE_FUNCTION, 0);
        return skip_statement(p);
    }
    names_declare(&p->names, name, MEANS_LABEL, PTX_SCOPE_FUNCTION, (uint32_t)p->instructions.count);
    return true;
}

static bool read_directive(struct parser *p)
{
    uint32_t const name = names_find(&p->names, p->lexer.text + p->token.start, p->token.end - p->token.start);
    if (parser_word_is(p, "loc")) {
        parser_next(p);
        return read_location(p);
    }
    if (parser_word_is(p, "reg")) {
        parser_next(p);
        return parser_registers(p);
    }
    if (name != PTX_NO_INDEX && p->names.list.items[name].space) {
        enum ptx_space const space = (enum ptx_space)(p->names.list.items[name].space - 1);
        parser_next(p);
        return parser_variables(p, space, false);
    }
    if (parser_word_is(p, "extern")) {
        parser_next(p);
        if (!parser_word_is(p, "shared"))
            return parser_fail_statement(p, "only shared memory is \".extern\" in a function");
        parser_next(p);
        return parser_variables(p, PTX_SPACE_SHARED, true);
    }
    if (parser_word_is(p, "pragma"))
        return read_pragma(p);
    p->unknown = true;
    return parser_fail_statement(p, "directive \".%s\" is not known", parser_text(p, p->token));
}

/* In a survey, notes an unknown statement, continues after it and returns true. */
static bool note_unknown(struct parser *p, struct lexer lexer, struct token token, size_t uses)
{
    if (!p->surveying || !p->unknown)
        return false;
    p->uses.count = uses;
    p->lexer = lexer;
    p->token = token;
    skip_statement(p);
    uint32_t const start = p->statement_start;
    size_t end = start;
    while (end < p->lexer.at && p->lexer.text[end] != ';')
        end++;
    struct ptx_unknown const found = {.instruction = arena_text_n(p->arena, p->lexer.text + start, end - start),
                                      .function = p->functions.items[p->function].name,
                                      .reason = p->reason,
                                      .ptx_line = p->statement_line,
                                      .line = p->here.shown_line};
    array_push(&p->found, found);
    return true;
}

static bool read_statement(struct parser *p)
{
    p->statement_start = p->token.kind == TOKEN_WORD ? p->token.start - 1 : p->token.start;
    p->statement_line = p->token.line;
    p->unknown = false;
    struct lexer lexer = p->lexer;
    struct token token = p->token;
    size_t const uses = p->uses.count;
    if (token.kind == TOKEN_WORD)
        return read_directive(p) || note_unknown(p, lexer, token, uses);
    if (token.kind == TOKEN_NAME) {
        struct lexer ahead = p->lexer;
        struct token const next = lexer_next(&ahead);
        if (next.kind == TOKEN_MARK && next.mark == ':') {
            uint32_t const name = parser_token_name(p);
            parser_next(p);
            parser_next(p);
            return read_label(p, name);
        }
    } else if (!parser_is(p, '@')) {
        return parser_fail(p, "an instruction is missing");
    }
    return parser_instruction(p) || note_unknown(p, lexer, token, uses);
}

static bool read_body(struct parser *p)
{
    size_t frames[PARSER_DEPTH_MAX] = {0}; /* call_bytes at the start of each open scope */
    uint32_t depth = 0;
    while (!parser_is(p, '}') || depth > 0) {
        p->statement_start = PTX_NO_INDEX;
        if (p->token.kind == TOKEN_END)
            return parser_fail(p, "the text ends inside function \"%s\"", p->functions.items[p->function].name);
        if (parser_take(p, ';'))
            continue;
        if (parser_take(p, '{')) {
            if (depth == PARSER_DEPTH_MAX)
                return parser_fail(p, "more than %d scopes inside each other", PARSER_DEPTH_MAX);
            frames[depth++] = p->call_bytes;
            names_open(&p->names);
        } else if (parser_take(p, '}')) {
            if (!resolve_labels(p))
                return false;
            names_close(&p->names);
            p->call_bytes = frames[--depth];
        } else if (!read_statement(p)) {
            return false;
        }
    }
    p->functions.items[p->function].body_end = p->token.start;
    parser_next(p);
    return resolve_labels(p);
}

static void keep_body(struct parser *p)
{
    struct ptx_function *function = &p->functions.items[p->function];
    uint32_t *targets = arena_list(p->arena, p->targets);
    for (size_t i = 0; i < p->instructions.count; i++) {
        struct ptx_instruction *instruction = &p->instructions.items[i];
        if (instruction->opcode != PTX_OP_brx)
            continue;
        struct target_list const list = p->lists.items[instruction->operands[1].index];
        instruction->targets = targets + list.first;
        instruction->target_count = list.count;
        instruction->operands[1].index = targets[list.first];
    }
    function->instruction_count = (uint32_t)p->instructions.count;
    function->instructions = arena_list(p->arena, p->instructions);
    function->register_count = (uint32_t)p->registers.count;
    function->registers = arena_list(p->arena, p->registers);
    function->variable_count = (uint32_t)p->locals.count;
    function->variables = arena_list(p->arena, p->locals);
}

static bool is_performance(const struct parser *p)
{
    static const char words[][24] = {
        "maxntid",           "reqntid",        "minnctapersm",    "maxnctapersm",     "maxnreg",
        "noreturn",          "pragma",         "attribute",       "abi_preserve",     "abi_preserve_control",
        "reqnctapercluster", "maxclusterrank", "explicitcluster", "blocksareclusters"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (parser_word_is(p, words[i]))
            return true;
    return false;
}

/* Returns whether a statement of the module begins here. nvopencc, the compiler of CUDA before 4.1, ends the
 * declaration of a function with the line. */
static bool begins_statement(const struct parser *p)
{
    static const char words[][8] = {"visible", "extern", "weak", "func", "entry", "file", "global", "const", "shared"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (parser_word_is(p, words[i]))
            return true;
    return false;
}

/* Reads the directives between the parameters and the body, such as .maxntid 128, 1, 1. */
static bool read_performance(struct parser *p, struct ptx_function *function)
{
    while (p->token.kind == TOKEN_WORD && !begins_statement(p)) {
        if (!is_performance(p))
            return parser_fail(p, "directive \".%s\" is not known", parser_text(p, p->token));
        uint32_t *threads = parser_word_is(p, "maxntid")   ? function->max_threads
                            : parser_word_is(p, "reqntid") ? function->required_threads
                                                           : NULL;
        bool const pragma = parser_word_is(p, "pragma"), attribute = parser_word_is(p, "attribute");
        if (parser_word_is(p, "noreturn"))
            function->noreturn = true;
        parser_next(p);
        if (attribute && !parser_skip_parentheses(p))
            return false;
        if (pragma) {
            skip_statement(p);
            continue;
        }
        for (uint32_t i = 0; threads && i < 3; i++) {
            threads[i] = 1;
            if ((i == 0 || parser_take(p, ',')) && !read_number(p, &threads[i]))
                return false;
        }
        while (p->token.kind == TOKEN_INTEGER || parser_is(p, ','))
            parser_next(p);
    }
    return true;
}

/* Sets p->function to the function declared earlier under this name, or to a new one. */
static bool declare_function(struct parser *p, uint32_t name, struct token token, bool is_kernel)
{
    const struct meaning *meaning = names_meaning(&p->names, name);
    if (meaning && meaning->kind != MEANS_FUNCTION)
        return parser_fail(p, "\"%s\" is declared twice", parser_text(p, token));
    if (meaning) {
        p->function = meaning->index;
        return true;
    }
    struct ptx_function const fresh = {.name = parser_text(p, token), .is_kernel = is_kernel};
    array_push(&p->functions, fresh);
    p->function = (uint32_t)p->functions.count - 1;
    names_declare(&p->names, name, MEANS_FUNCTION, PTX_SCOPE_MODULE, p->function);
    return true;
}

static bool lie_alike(const struct ptx_variable *a, const struct ptx_variable *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i].size != b[i].size || a[i].offset != b[i].offset || a[i].space != b[i].space || a[i].type != b[i].type)
            return false;
    return true;
}

/* Returns whether two headers of a function have the same parameters and results, so that a call checked by one fits
 * the other. */
static bool headers_agree(const struct ptx_function *a, const struct ptx_function *b)
{
    return a->is_kernel == b->is_kernel && a->parameter_count == b->parameter_count &&
           a->result_count == b->result_count && lie_alike(a->parameters, b->parameters, a->parameter_count) &&
           lie_alike(a->results, b->results, a->result_count);
}

static void open_function(struct parser *p)
{
    p->instructions.count = p->registers.count = p->locals.count = 0;
    p->uses.count = p->targets.count = p->lists.count = 0;
    p->call_bytes = 0;
    p->location_count = 0;
    p->main_file = PTX_NO_INDEX;
    p->here = (struct location){0};
}

/* Passes over a body, up to its `}`. */
static bool skip_body(struct parser *p)
{
    int depth = 0;
    do {
        depth += parser_is(p, '{') - parser_is(p, '}');
        if (p->token.kind == TOKEN_END || p->token.kind == TOKEN_BAD)
            return parser_fail(p, "\"}\" is missing");
        parser_next(p);
    } while (depth > 0);
    return true;
}

bool parser_function(struct parser *p, bool is_kernel)
{
    open_function(p);
    struct ptx_function fresh = {.is_kernel = is_kernel, .merges = p->merges};
    p->merges = false; /* what the body declares does not */
    struct ptx_variable *list = NULL;
    uint32_t *registers = NULL;
    size_t bytes;
    if (!read_performance(p, &fresh)) /* .noreturn may also stand before the name */
        return false;
    if (parser_take(p, '(')) {
        if (!parser_parameters(p, &list, &registers, &fresh.result_count, &bytes))
            return false;
        fresh.results = list;
        fresh.result_registers = registers;
        p->without_abi |= fresh.result_count > (list[0].elements ? list[0].elements : 1u);
    }
    if (p->token.kind != TOKEN_NAME)
        return parser_fail(p, "a function's name is missing");
    struct token const token = p->token;
    uint32_t const name = parser_token_name(p);
    parser_next(p);
    if (parser_take(p, '(')) {
        if (!parser_parameters(p, &list, &registers, &fresh.parameter_count, &fresh.parameter_bytes))
            return false;
        fresh.parameters = list;
        fresh.parameter_registers = registers;
        for (uint32_t i = 0; is_kernel && i < fresh.parameter_count; i++)
            if (list[i].space == PTX_SPACE_REGISTER)
                return parser_fail(p, "parameter \"%s\" of a kernel must be .param", list[i].name);
    }
    if (!read_performance(p, &fresh))
        return false;
    size_t const known = p->functions.count;
    if (!declare_function(p, name, token, is_kernel))
        return false;
    struct ptx_function *function = &p->functions.items[p->function];
    if (p->functions.count == known && !headers_agree(function, &fresh))
        return parser_fail(p, "function \"%s\" is declared with other parameters or results before", function->name);
    if (function->has_body && function->merges && fresh.merges && parser_is(p, '{'))
        return skip_body(p);
    if (function->has_body && parser_is(p, '{'))
        return parser_fail(p, "function \"%s\" has two bodies", function->name);
    fresh.name = function->name;
    fresh.noreturn |= function->noreturn;
    if (function->has_body)
        return parser_expect(p, ';');
    *function = fresh;
    if (parser_take(p, ';') || (!is_kernel && p->token.kind == TOKEN_WORD))
        return true;
    function->body_start = p->token.end;
    if (!parser_expect(p, '{'))
        return false;
    function->has_body = p->in_body = true;
    names_open(&p->names);
    bool const good =
        parser_declare_parameters(p, fresh.results, fresh.result_registers, fresh.result_count, PTX_SCOPE_RETURN) &&
        parser_declare_parameters(p, fresh.parameters, fresh.parameter_registers, fresh.parameter_count,
                                  PTX_SCOPE_PARAMETER) &&
        read_body(p);
    names_close(&p->names);
    p->in_body = false;
    if (good)
        keep_body(p);
    return good;
}
