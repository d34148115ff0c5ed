/* Reads an operand: a register, a number, an address in brackets, a vector in braces, or a name. */
#include "ptx/parser.h"
#include <string.h>

enum { LIST_MAX = 256 };

bool parser_is_element(const struct parser *p, const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_REGISTER && strchr(p->registers.items[operand->index].name, '.');
}

static bool read_number(struct parser *p, enum ptx_type type, struct ptx_operand *operand)
{
    operand->kind = PTX_OPERAND_IMMEDIATE;
    return parser_number(p, type, &operand->bits);
}

bool parser_offset(struct parser *p, int64_t *offset)
{
    uint64_t bits;
    if (!parser_take(p, '+') && !parser_is(p, '-'))
        return true;
    if (!parser_number(p, PTX_S64, &bits))
        return false;
    *offset = (int64_t)bits;
    return true;
}

static const struct ptx_variable *variable_of(const struct parser *p, const struct ptx_operand *operand)
{
    const struct ptx_function *function = &p->functions.items[p->function];
    switch (operand->scope) {
    case PTX_SCOPE_MODULE:
        return &p->variables.items[operand->index];
    case PTX_SCOPE_FUNCTION:
        return &p->locals.items[operand->index];
    case PTX_SCOPE_PARAMETER:
        return &function->parameters[operand->index];
    case PTX_SCOPE_RETURN:
        return &function->results[operand->index];
    }
    return NULL;
}

/* Reads what may stand behind the name of a variable: `[2]` for the address of an element, and `+8`. */
static bool read_place(struct parser *p, struct ptx_operand *operand)
{
    uint64_t element;
    int64_t begin = 0;
    if (parser_take(p, '[')) {
        size_t const size = ptx_type_size(variable_of(p, operand)->type);
        if (!parser_number(p, PTX_U32, &element) || !parser_expect(p, ']'))
            return false;
        begin = (int64_t)(element * size);
    }
    if (!parser_offset(p, &operand->offset))
        return false;
    operand->offset += begin;
    return true;
}

/* Makes a name that stands alone its elements: those of a vector register, or x, y, z and w of a special one. */
static bool take_whole(struct parser *p, unsigned elements, struct ptx_operand *operand)
{
    struct ptx_operand *all = arena_array(p->arena, struct ptx_operand, elements);
    for (unsigned i = 0; i < elements; i++) {
        all[i] = *operand;
        if (operand->kind == PTX_OPERAND_REGISTER)
            all[i].index += i;
        else
            all[i].component = (uint8_t)i;
    }
    *operand = (struct ptx_operand){.kind = PTX_OPERAND_VECTOR, .elements = all, .count = elements};
    return true;
}

static bool special_has_elements(uint32_t special)
{
    static const enum ptx_special vectors[] = {PTX_SR_tid,           PTX_SR_ntid,          PTX_SR_ctaid,
                                               PTX_SR_nctaid,        PTX_SR_clusterid,     PTX_SR_nclusterid,
                                               PTX_SR_cluster_ctaid, PTX_SR_cluster_nctaid};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (special == vectors[i])
            return true;
    return false;
}

/* Reads `.y` or `.g` after the name of a vector register. */
static bool read_element(struct parser *p, unsigned elements, struct ptx_operand *operand)
{
    static const char letters[] = "xyzwrgba";
    if (p->token.kind != TOKEN_WORD)
        return take_whole(p, elements, operand);
    const char *word = p->lexer.text + p->token.start;
    uint32_t const length = p->token.end - p->token.start;
    const char *letter = length == 1 ? strchr(letters, *word) : NULL;
    unsigned const element = letter ? (unsigned)(letter - letters) % 4 : 4;
    if (element >= elements)
        return parser_fail_statement(p, "\".%.*s\" is no element of a vector of %u", (int)length, word, elements);
    operand->index += element;
    parser_next(p);
    return true;
}

/* Reads `.x` after a special register, or `.b2` after a register. */
static bool read_component(struct parser *p, struct ptx_operand *operand)
{
    unsigned const elements = operand->kind == PTX_OPERAND_REGISTER ? p->registers.items[operand->index].elements : 0;
    if (elements)
        return read_element(p, elements, operand);
    if (p->token.kind != TOKEN_WORD && operand->kind == PTX_OPERAND_SPECIAL && special_has_elements(operand->index))
        return take_whole(p, 4, operand);
    if (p->token.kind != TOKEN_WORD)
        return true;
    static const char letters[] = "xyzw", *const parts[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
    const char *word = p->lexer.text + p->token.start;
    uint32_t const length = p->token.end - p->token.start;
    int component = -1;
    for (int i = 0; i < 4 && operand->kind == PTX_OPERAND_SPECIAL && length == 1; i++)
        if (*word == letters[i])
            component = i;
    for (int i = 0; i < 6 && operand->kind == PTX_OPERAND_REGISTER && length == 2; i++)
        if (memcmp(word, parts[i], 2) == 0)
            component = PTX_PART_B0 + i;
    if (component < 0) {
        p->unknown = true;
        return parser_fail_statement(p, "\".%.*s\" behind an operand is not known", (int)length, word);
    }
    operand->component = (uint8_t)component;
    parser_next(p);
    return true;
}

static void take_meaning(const struct meaning *meaning, struct ptx_operand *operand)
{
    operand->index = meaning->index;
    if (meaning->kind == MEANS_REGISTER)
        operand->kind = PTX_OPERAND_REGISTER;
    if (meaning->kind == MEANS_FUNCTION)
        operand->kind = PTX_OPERAND_FUNCTION;
    if (meaning->kind == MEANS_VARIABLE) {
        operand->kind = PTX_OPERAND_VARIABLE;
        operand->scope = meaning->scope;
    }
}

static bool read_name(struct parser *p, struct ptx_operand *operand)
{
    struct token const token = p->token;
    const char *text = p->lexer.text + token.start;
    int const length = (int)(token.end - token.start);
    uint32_t const name = parser_token_name(p);
    const struct meaning *meaning = names_meaning(&p->names, name);
    if (meaning)
        take_meaning(meaning, operand);
    if (operand->kind == PTX_OPERAND_NONE && (operand->index = parser_register(p, name)) != PTX_NO_INDEX)
        operand->kind = PTX_OPERAND_REGISTER;
    if (operand->kind == PTX_OPERAND_NONE && p->names.list.items[name].special) {
        operand->kind = PTX_OPERAND_SPECIAL;
        operand->index = p->names.list.items[name].special - 1u;
    }
    if (operand->kind == PTX_OPERAND_NONE && length == 1 && *text == '_')
        operand->kind = PTX_OPERAND_SINK;
    if (operand->kind == PTX_OPERAND_NONE)
        return parser_fail_statement(p, "\"%.*s\" is not declared", length, text);
    parser_next(p);
    return read_component(p, operand);
}

/* Reads the q of `p|q`, the second result of setp, shfl, match and similar instructions. */
static bool read_second(struct parser *p, struct ptx_operand *operand)
{
    if (!parser_take(p, '|'))
        return true;
    struct ptx_operand second = {0};
    if (p->token.kind != TOKEN_NAME || !read_name(p, &second))
        return p->token.kind == TOKEN_NAME ? false : parser_fail_statement(p, "a register is missing behind \"|\"");
    if (second.kind != PTX_OPERAND_REGISTER && second.kind != PTX_OPERAND_SINK)
        return parser_fail_statement(p, "the operand behind \"|\" must be a register");
    operand->second = second.kind == PTX_OPERAND_REGISTER ? second.index + 1 : 0;
    return true;
}

/* Reads an operand that contains no others, as allowed in a vector. */
static bool read_simple(struct parser *p, enum ptx_type type, struct ptx_operand *operand)
{
    *operand = (struct ptx_operand){0};
    if (parser_is_number(p))
        return read_number(p, type, operand);
    bool const negated = parser_take(p, '!');
    operand->negated = negated;
    if (p->token.kind != TOKEN_NAME)
        return parser_fail_statement(p, "an operand is missing");
    if (!read_name(p, operand))
        return false;
    if (operand->kind == PTX_OPERAND_VARIABLE)
        return read_place(p, operand);
    if (operand->kind == PTX_OPERAND_VECTOR)
        return !negated || parser_fail_statement(p, "\"!\" stands before a vector");
    return parser_is_element(p, operand) || read_second(p, operand);
}

/* Replaces the vector register at the end of a list by its elements. */
static bool take_elements(struct parser *p, struct ptx_operand found[LIST_MAX], uint32_t *count)
{
    struct ptx_operand const vector = found[*count];
    if (LIST_MAX - *count < vector.count)
        return parser_fail_statement(p, "a vector of more than %d elements", LIST_MAX);
    memcpy(found + *count, vector.elements, vector.count * sizeof *found);
    *count += vector.count;
    return true;
}

/* Reads simple operands up to the closing mark, and consumes the mark. */
static bool read_list(struct parser *p, enum ptx_type type, char last, struct ptx_operand *operand)
{
    struct ptx_operand found[LIST_MAX];
    uint32_t count = 0;
    while (!parser_take(p, last)) {
        if (count == LIST_MAX)
            return parser_fail_statement(p, "a vector of more than %d elements", LIST_MAX);
        if (!read_simple(p, type, &found[count]))
            return false;
        if (found[count].kind != PTX_OPERAND_VECTOR)
            count++;
        else if (last == '}')
            return parser_fail_statement(p, "a vector stands inside another one");
        else if (!take_elements(p, found, &count)) /* of coordinates, which need no braces */
            return false;
        if (!parser_take(p, ',') && !parser_is(p, last))
            return parser_fail_statement(p, "\"%c\" is missing", last);
    }
    operand->elements = arena_copy(p->arena, found, count, sizeof *found);
    operand->count = count;
    return true;
}

static bool read_address(struct parser *p, struct ptx_operand *operand)
{
    struct ptx_operand base = {0};
    if (p->token.kind == TOKEN_NAME && !parser_is_number(p)) {
        if (!read_name(p, &base))
            return false;
        if ((base.kind != PTX_OPERAND_REGISTER && base.kind != PTX_OPERAND_VARIABLE) || parser_is_element(p, &base))
            return parser_fail_statement(p, "an address starts from a register, a variable or a number");
    } else if (!read_number(p, PTX_TYPE_NONE, &base)) {
        return false;
    }
    *operand = (struct ptx_operand){.kind = PTX_OPERAND_ADDRESS, .scope = base.scope, .index = base.index};
    operand->base = base.kind == PTX_OPERAND_IMMEDIATE ? PTX_OPERAND_NONE : base.kind;
    operand->offset = (int64_t)base.bits;
    if (operand->base != PTX_OPERAND_NONE && !parser_offset(p, &operand->offset))
        return false;
    if (parser_take(p, ',')) {
        bool const braces = parser_take(p, '{');
        if (!read_list(p, PTX_TYPE_NONE, braces ? '}' : ']', operand))
            return false;
        return braces ? parser_expect(p, ']') : true;
    }
    return parser_is(p, ']') ? parser_take(p, ']') : parser_fail_statement(p, "\"]\" is missing");
}

bool parser_operand(struct parser *p, enum ptx_type type, struct ptx_operand *operand)
{
    *operand = (struct ptx_operand){0};
    if (parser_take(p, '['))
        return read_address(p, operand);
    if (parser_take(p, '{')) {
        operand->kind = PTX_OPERAND_VECTOR;
        return read_list(p, type, '}', operand);
    }
    return read_simple(p, type, operand);
}

bool parser_label(struct parser *p, uint32_t instruction, uint32_t operand, uint32_t target)
{
    if (p->token.kind != TOKEN_NAME)
        return parser_fail_statement(p, "a label is missing");
    struct label_use const use = {.name = parser_token_name(p),
                                  .depth = p->names.depth,
                                  .instruction = instruction,
                                  .operand = operand,
                                  .target = target,
                                  .start = p->token.start,
                                  .line = p->token.line};
    array_push(&p->uses, use);
    parser_next(p);
    return true;
}
