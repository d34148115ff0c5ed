/* Reads declarations: registers and register ranges, variables with their initial bytes, parameters. */
#include "ptx/parser.h"
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t key)
{
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 29;
}

static size_t range_slot(const struct parser *p, uint64_t key)
{
    size_t slot = mix(key) & (p->range_slot_count - 1);
    while (p->range_slots[slot] && p->range_slots[slot] != key)
        slot = (slot + 1) & (p->range_slot_count - 1);
    return slot;
}

static void grow_range_slots(struct parser *p)
{
    if ((p->range_used + 1) * 2 <= p->range_slot_count)
        return;
    uint64_t *old = p->range_slots;
    uint32_t *old_registers = p->range_registers;
    size_t const old_count = p->range_slot_count;
    size_t capacity = 0;
    p->range_slot_count = old_count ? old_count * 2 : 1024;
    p->range_slots = array_grow(NULL, &capacity, p->range_slot_count, sizeof *p->range_slots);
    capacity = 0;
    p->range_registers = array_grow(NULL, &capacity, p->range_slot_count, sizeof *p->range_registers);
    memset(p->range_slots, 0, p->range_slot_count * sizeof *p->range_slots);
    for (size_t i = 0; i < old_count; i++) {
        if (!old[i])
            continue;
        size_t const slot = range_slot(p, old[i]);
        p->range_slots[slot] = old[i];
        p->range_registers[slot] = old_registers[i];
    }
    free(old);
    free(old_registers);
}

uint32_t parser_add_register(struct parser *p, const char *name, size_t length, enum ptx_type type)
{
    struct ptx_register const fresh = {.name = arena_text_n(p->arena, name, length), .type = type};
    array_push(&p->registers, fresh);
    return (uint32_t)p->registers.count - 1;
}

/* Adds a register, or one for each element of a vector: v.x, v.y and so on. Returns the first. */
static uint32_t add_registers(struct parser *p, const char *text, size_t length, enum ptx_type type, unsigned elements)
{
    uint32_t const first = (uint32_t)p->registers.count;
    if (elements == 1)
        return parser_add_register(p, text, length, type);
    for (unsigned i = 0; i < elements; i++) {
        const char *name = arena_format(p->arena, "%.*s.%c", (int)length, text, "xyzw"[i]);
        parser_add_register(p, name, length + 2, type);
    }
    p->registers.items[first].elements = (uint8_t)elements;
    return first;
}

/* Splits "%r12" into its number and the length of its prefix. Returns false when there is no number, or one with
 * leading zeros, which no register of a range has. */
static bool split_number(const struct name *name, uint32_t *prefix, uint64_t *number)
{
    uint32_t at = name->length;
    while (at > 0 && name->text[at - 1] >= '0' && name->text[at - 1] <= '9')
        at--;
    if (at == 0 || at == name->length || name->length - at > 9 || (name->text[at] == '0' && name->length - at > 1))
        return false;
    *number = 0;
    for (uint32_t i = at; i < name->length; i++)
        *number = *number * 10 + (uint64_t)(name->text[i] - '0');
    *prefix = at;
    return true;
}

/* Returns the range that has a register of this name, such as %r7 of %r<9>, and sets its number; NULL: none. */
static const struct meaning *range_of(const struct parser *p, const struct name *text, uint64_t *number)
{
    uint32_t length;
    if (!split_number(text, &length, number))
        return NULL;
    uint32_t const prefix = names_find(&p->names, text->text, length);
    const struct meaning *range = prefix == PTX_NO_INDEX ? NULL : names_range(&p->names, prefix);
    return range && *number < p->ranges.items[range->index].count ? range : NULL;
}

uint32_t parser_register(struct parser *p, uint32_t name)
{
    const struct meaning *meaning = names_meaning(&p->names, name);
    if (meaning)
        return meaning->kind == MEANS_REGISTER ? meaning->index : PTX_NO_INDEX;
    struct name const text = p->names.list.items[name];
    uint64_t number;
    const struct meaning *range = range_of(p, &text, &number);
    if (!range)
        return PTX_NO_INDEX;
    grow_range_slots(p);
    uint64_t const key = ((uint64_t)range->index + 1) << 32 | number;
    size_t const slot = range_slot(p, key);
    if (!p->range_slots[slot]) {
        p->range_slots[slot] = key;
        struct register_range const of = p->ranges.items[range->index];
        p->range_registers[slot] = add_registers(p, text.text, text.length, of.type, of.elements);
        p->range_used++;
    }
    return p->range_registers[slot];
}

/* Returns whether a range of the current scope already has a register of this name. */
static bool in_range_here(const struct parser *p, uint32_t name)
{
    uint64_t number;
    const struct meaning *range = range_of(p, &p->names.list.items[name], &number);
    return range && range->depth == p->names.depth;
}

static enum ptx_type word_type(struct parser *p)
{
    if (p->token.kind != TOKEN_WORD)
        return PTX_TYPE_NONE;
    uint32_t const name = names_find(&p->names, p->lexer.text + p->token.start, p->token.end - p->token.start);
    if (name != PTX_NO_INDEX && p->names.list.items[name].type)
        return (enum ptx_type)(p->names.list.items[name].type - 1);
    if (parser_word_is(p, "texref") || parser_word_is(p, "samplerref") || parser_word_is(p, "surfref"))
        return PTX_B64; /* a handle, which no run needs */
    return PTX_TYPE_NONE;
}

/* Reads the words before registers: `.b32`, or `.v4 .b32` for vectors, which have at most 128 bits and no
 * predicates. */
static bool read_register_words(struct parser *p, enum ptx_type *type, unsigned *elements)
{
    *elements = 1;
    if (parser_word_is(p, "v2") || parser_word_is(p, "v4")) {
        *elements = (unsigned)(p->lexer.text[p->token.start + 1] - '0');
        parser_next(p);
    }
    *type = word_type(p);
    if (*type == PTX_TYPE_NONE) {
        p->unknown = true;
        return parser_fail_statement(p, "this type of register is not known");
    }
    if (*elements > 1 && (*type == PTX_PRED || *elements * ptx_type_size(*type) > 16))
        return parser_fail_statement(p, "a register that is a vector has at most 128 bits, and no predicates");
    return true;
}

/* Reads `.reg .b32 %r<12>, %x;` after `.reg`. */
bool parser_registers(struct parser *p)
{
    enum ptx_type type;
    unsigned elements;
    if (!read_register_words(p, &type, &elements))
        return false;
    do {
        parser_next(p);
        if (p->token.kind != TOKEN_NAME)
            return parser_fail_statement(p, "a register's name is missing");
        struct token const token = p->token;
        uint32_t const name = parser_token_name(p);
        parser_next(p);
        if (parser_take(p, '<')) {
            if (p->token.kind != TOKEN_INTEGER)
                return parser_fail_statement(p, "the number of registers is missing");
            const struct meaning *before = names_range(&p->names, name);
            if (before && before->depth == p->names.depth)
                return parser_fail_statement(p, "\"%s<\" is declared twice", parser_text(p, token));
            struct register_range const range = {.type = type, .elements = (uint8_t)elements, .count = p->token.bits};
            array_push(&p->ranges, range);
            names_declare(&p->names, name, MEANS_RANGE, PTX_SCOPE_FUNCTION, (uint32_t)p->ranges.count - 1);
            parser_next(p);
            if (!parser_expect(p, '>'))
                return false;
        } else {
            if (names_declared_here(&p->names, name) || in_range_here(p, name))
                return parser_fail_statement(p, "\"%s\" is declared twice", parser_text(p, token));
            names_declare(&p->names, name, MEANS_REGISTER, PTX_SCOPE_FUNCTION,
                          add_registers(p, p->lexer.text + token.start, token.end - token.start, type, elements));
        }
    } while (parser_is(p, ','));
    return parser_expect(p, ';');
}

bool parser_skip_parentheses(struct parser *p)
{
    int depth = 0;
    do {
        depth += parser_is(p, '(') - parser_is(p, ')');
        if (p->token.kind == TOKEN_END || p->token.kind == TOKEN_BAD)
            return parser_fail(p, "\")\" is missing");
        parser_next(p);
    } while (depth > 0);
    return true;
}

static bool is_space(const struct parser *p)
{
    static const char *const spaces[] = {"reg", "const", "global", "local", "param", "shared"};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (parser_word_is(p, spaces[i]))
            return true;
    return false;
}

/* Reads the words before a variable's name: alignment, type, vector, attributes. */
static bool read_variable_words(struct parser *p, struct ptx_variable *variable, uint32_t *elements)
{
    bool pointer = false; /* in `.ptr .global .align 4` the alignment is that of the memory pointed to */
    *elements = 1;
    while (p->token.kind == TOKEN_WORD) {
        enum ptx_type const type = word_type(p);
        if (type != PTX_TYPE_NONE)
            variable->type = type;
        else if (parser_word_is(p, "ptr"))
            pointer = true;
        else if (!pointer && is_space(p)) /* one declaration within another */
            break;
        else if (parser_word_is(p, "v2") || parser_word_is(p, "v4") || parser_word_is(p, "v8"))
            *elements = (uint32_t)(p->lexer.text[p->token.start + 1] - '0');
        if (parser_word_is(p, "align")) {
            parser_next(p);
            uint64_t const align = p->token.bits;
            if (p->token.kind != TOKEN_INTEGER || align == 0 || align > PARSER_ALIGN_MAX || (align & (align - 1)))
                return parser_fail_statement(p, "an alignment must be a power of two up to %d", PARSER_ALIGN_MAX);
            if (!pointer)
                variable->align = (uint32_t)align;
        }
        parser_next(p);
        if (parser_is(p, '(') && !parser_skip_parentheses(p))
            return false;
    }
    if (variable->type == PTX_TYPE_NONE || p->token.kind == TOKEN_WORD) {
        p->unknown = p->token.kind != TOKEN_WORD;
        return parser_fail_statement(p, "this type of variable is not known");
    }
    return true;
}

/* Reads `[4][8]` after a name. `[]` takes its size from the initialiser or the launch. */
static bool read_dimensions(struct parser *p, size_t *size)
{
    while (parser_take(p, '[')) {
        if (parser_take(p, ']')) {
            *size = 0;
            continue;
        }
        if (p->token.kind != TOKEN_INTEGER || (p->token.bits && *size > PARSER_SIZE_MAX / p->token.bits))
            return parser_fail_statement(p,
                                         "an array's length must be a number, and the array smaller than 2^40 bytes");
        *size *= p->token.bits;
        parser_next(p);
        if (!parser_expect(p, ']'))
            return false;
    }
    return true;
}

static bool read_variable(struct parser *p, struct ptx_variable const *common, uint32_t elements,
                          struct ptx_variable *variable, uint32_t *name)
{
    *variable = *common;
    if (p->token.kind != TOKEN_NAME) {
        parser_fail_statement(p, "a variable's name is missing");
        return false;
    }
    *name = parser_token_name(p);
    variable->name = parser_text(p, p->token);
    variable->size = ptx_type_size(common->type) * elements;
    if (!variable->align)
        variable->align = variable->size ? (uint32_t)variable->size : 1;
    parser_next(p);
    return read_dimensions(p, &variable->size);
}

/* The bytes of an initialiser while it is read. */
struct initial {
    struct {
        uint8_t *items;
        size_t count, capacity;
    } bytes;
    struct ptx_variable *variable;
    uint32_t index;
};

static void add_bytes(struct initial *initial, uint64_t bits, size_t size)
{
    initial->bytes.items = array_grow(initial->bytes.items, &initial->bytes.capacity, initial->bytes.count + size, 1);
    for (size_t i = 0; i < size; i++)
        initial->bytes.items[initial->bytes.count++] = (uint8_t)(i < 8 ? bits >> (8 * i) : 0);
}

/* Reads name, name+4, generic(name)+4, or one byte of an address: 0xFF00(name). mask 0 means the whole address. */
static bool read_initial_address(struct parser *p, struct initial *initial, uint64_t mask)
{
    bool const generic = p->token.kind == TOKEN_NAME && p->token.end - p->token.start == 7 &&
                         memcmp(p->lexer.text + p->token.start, "generic", 7) == 0;
    if (generic)
        parser_next(p);
    if (generic && !parser_expect(p, '('))
        return false;
    if (p->token.kind != TOKEN_NAME)
        return parser_fail_statement(p, "a variable's name is missing");
    struct pending_address address = {.variable = initial->index,
                                      .generic = generic,
                                      .name = parser_token_name(p),
                                      .at = initial->bytes.count,
                                      .token = p->token};
    parser_next(p);
    if (generic && !parser_expect(p, ')'))
        return false;
    if (!parser_offset(p, &address.addend))
        return false;
    if (mask == 0 && ptx_type_size(initial->variable->type) != 8)
        return parser_fail_statement(p, "an address needs 8 bytes");
    if (mask == 0 || mask == 0xff)
        array_push(&p->addresses, address);
    add_bytes(initial, 0, mask ? 1 : ptx_type_size(initial->variable->type));
    return true;
}

static bool read_initial_value(struct parser *p, struct initial *initial)
{
    if (p->token.kind == TOKEN_NAME && !parser_is_number(p))
        return read_initial_address(p, initial, 0);
    struct token const before = p->token;
    struct ptx_operand value;
    if (!parser_operand(p, initial->variable->type, &value))
        return false;
    if (before.kind == TOKEN_INTEGER && parser_take(p, '('))
        return read_initial_address(p, initial, before.bits) && parser_expect(p, ')');
    if (value.kind != PTX_OPERAND_IMMEDIATE)
        return parser_fail_statement(p, "an initial value must be a number or an address");
    add_bytes(initial, value.bits, ptx_type_size(initial->variable->type));
    return true;
}

static bool read_initial_list(struct parser *p, struct initial *initial)
{
    int depth = 0;
    do {
        if (parser_is(p, '{') || parser_is(p, '}')) {
            depth += parser_is(p, '{') ? 1 : -1;
            parser_next(p);
        } else if (!parser_take(p, ',') && !read_initial_value(p, initial)) {
            return false;
        }
    } while (depth > 0);
    return true;
}

static bool read_initial(struct parser *p, struct ptx_variable *variable, uint32_t index)
{
    struct initial initial = {.variable = variable, .index = index};
    bool good = read_initial_list(p, &initial);
    if (good && variable->size == 0)
        variable->size = initial.bytes.count;
    if (good && initial.bytes.count > variable->size)
        good = parser_fail_statement(p, "more initial values than \"%s\" has room for", variable->name);
    size_t const padding = good ? variable->size - initial.bytes.count : 0;
    if (good && padding > PARSER_INITIAL_MAX - p->initial_bytes)
        good = parser_fail_statement(p, "\"%s\" is too large for a variable with initial values", variable->name);
    if (good) {
        p->initial_bytes += padding;
        uint8_t *bytes = arena_array(p->arena, uint8_t, variable->size);
        if (initial.bytes.count)
            memcpy(bytes, initial.bytes.items, initial.bytes.count);
        variable->initial = bytes;
    }
    free(initial.bytes.items);
    return good;
}

/* Places a variable behind those of a frame. */
static bool place_variable(struct parser *p, size_t *frame, struct ptx_variable *variable)
{
    variable->offset = (*frame + variable->align - 1) / variable->align * variable->align;
    *frame = variable->offset + variable->size;
    return *frame <= PARSER_SIZE_MAX ||
           parser_fail_statement(p, "the variables of this %s are too large", p->in_body ? "function" : "module");
}

/* Adds a module variable, or completes the one declared earlier. */
static bool declare_module_variable(struct parser *p, struct ptx_variable *variable, uint32_t name, uint32_t *index)
{
    const struct meaning *meaning = names_meaning(&p->names, name);
    bool const module = meaning && meaning->scope == PTX_SCOPE_MODULE;
    if (!meaning || (!module && !names_declared_here(&p->names, name))) {
        if (variable->space == PTX_SPACE_LOCAL && !place_variable(p, &p->module->local_bytes, variable))
            return false;
        array_push(&p->variables, *variable);
        *index = (uint32_t)p->variables.count - 1;
        names_declare(&p->names, name, MEANS_VARIABLE, PTX_SCOPE_MODULE, *index);
        return true;
    }
    const struct ptx_variable *before =
        module && meaning->kind == MEANS_VARIABLE ? &p->variables.items[meaning->index] : NULL;
    bool const merge = before && before->merges && variable->merges && before->size == variable->size;
    if (!before || !(before->external || variable->external || merge))
        return parser_fail_statement(p, "\"%s\" is declared twice", variable->name);
    *index = meaning->index;
    if (p->variables.items[*index].external)
        p->variables.items[*index] = *variable;
    return true;
}

static bool declare_local_variable(struct parser *p, struct ptx_variable *variable, uint32_t name)
{
    if (names_declared_here(&p->names, name))
        return parser_fail_statement(p, "\"%s\" is declared twice", variable->name);
    struct ptx_function *function = &p->functions.items[p->function];
    size_t *frame = variable->space == PTX_SPACE_LOCAL   ? &function->local_bytes
                    : variable->space == PTX_SPACE_PARAM ? &p->call_bytes
                                                         : NULL;
    if (frame && !place_variable(p, frame, variable))
        return false;
    if (variable->space == PTX_SPACE_PARAM && *frame > function->call_bytes)
        function->call_bytes = *frame;
    array_push(&p->locals, *variable);
    names_declare(&p->names, name, MEANS_VARIABLE, PTX_SCOPE_FUNCTION, (uint32_t)p->locals.count - 1);
    return true;
}

/* Reads variables after the space's word, up to the `;`. In a function, .global and .const still belong to the
 * module. */
bool parser_variables(struct parser *p, enum ptx_space space, bool external)
{
    struct ptx_variable common = {.space = space, .external = external, .merges = p->merges};
    uint32_t elements;
    if (parser_take(p, '[')) { /* an old form: a bank of constant memory */
        parser_next(p);
        if (!parser_expect(p, ']'))
            return false;
    }
    if (!read_variable_words(p, &common, &elements))
        return false;
    bool const local =
        p->in_body && (space == PTX_SPACE_LOCAL || space == PTX_SPACE_SHARED || space == PTX_SPACE_PARAM);
    do {
        struct ptx_variable variable = {0};
        uint32_t name = 0, index = 0;
        if (!read_variable(p, &common, elements, &variable, &name))
            return false;
        if (space == PTX_SPACE_LOCAL && !variable.size)
            return parser_fail_statement(p, "\"%s\" needs a size", variable.name);
        if (!(local ? declare_local_variable(p, &variable, name) : declare_module_variable(p, &variable, name, &index)))
            return false;
        if (parser_take(p, '=')) {
            if (local || space == PTX_SPACE_LOCAL)
                return parser_fail_statement(p, "\"%s\" cannot have initial values", variable.name);
            if (!read_initial(p, &variable, index))
                return false;
            p->variables.items[index] = variable;
        }
    } while (parser_take(p, ','));
    return parser_expect(p, ';');
}

/* Reads `(.param .b32 a, .reg .b32 %b)` after the `(`. */
bool parser_parameters(struct parser *p, struct ptx_variable **list, uint32_t **registers, uint32_t *count,
                       size_t *bytes)
{
    struct {
        struct ptx_variable *items;
        size_t count, capacity;
    } found = {0};
    struct {
        uint32_t *items;
        size_t count, capacity;
    } numbers = {0};
    bool good = true;
    *bytes = 0;
    while (good && !parser_take(p, ')')) {
        struct ptx_variable common = {.space = PTX_SPACE_PARAM}, variable = {0};
        uint32_t elements, name = 0, number = PTX_NO_INDEX;
        if (parser_word_is(p, "reg"))
            common.space = PTX_SPACE_REGISTER;
        if (parser_word_is(p, "reg") || parser_word_is(p, "param"))
            parser_next(p);
        good = read_variable_words(p, &common, &elements) && read_variable(p, &common, elements, &variable, &name);
        if (good && common.space != PTX_SPACE_REGISTER && common.type == PTX_PRED)
            good = parser_fail(p, "a predicate is passed in a register, not in .param");
        if (!good)
            break;
        if (common.space == PTX_SPACE_REGISTER) {
            number = add_registers(p, variable.name, strlen(variable.name), variable.type, elements);
            variable.size = ptx_type_size(variable.type);
            variable.elements = (uint8_t)(elements > 1 ? elements : 0);
        } else {
            variable.offset = (*bytes + variable.align - 1) / variable.align * variable.align;
            *bytes = variable.offset + variable.size;
            elements = 1;
        }
        array_push(&found, variable);
        array_push(&numbers, number);
        for (uint32_t i = 1; i < elements; i++) { /* the other elements of a vector register */
            variable.name = p->registers.items[++number].name;
            variable.elements = 0;
            array_push(&found, variable);
            array_push(&numbers, number);
        }
        if (*bytes > PARSER_SIZE_MAX)
            good = parser_fail(p, "the parameters of this function are too large");
        else if (!parser_take(p, ',') && !parser_is(p, ')'))
            good = parser_fail(p, "\",\" or \")\" is missing");
    }
    *count = (uint32_t)found.count;
    *list = arena_list(p->arena, found);
    *registers = arena_list(p->arena, numbers);
    free(found.items);
    free(numbers.items);
    return good;
}

/* Declares the parameters in the scope of the function's body. Their names are added here, after the header, because
 * the function's name belongs to the scope outside. */
bool parser_declare_parameters(struct parser *p, const struct ptx_variable *list, const uint32_t *registers,
                               uint32_t count, enum ptx_scope scope)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t const name = names_add(&p->names, list[i].name, (uint32_t)strlen(list[i].name));
        bool const is_register = list[i].space == PTX_SPACE_REGISTER;
        if (names_declared_here(&p->names, name))
            return parser_fail(p, "parameter \"%s\" is declared twice", list[i].name);
        names_declare(&p->names, name, is_register ? MEANS_REGISTER : MEANS_VARIABLE, scope,
                      is_register ? registers[i] : i);
    }
    return true;
}

static int by_variable(const void *a, const void *b)
{
    const struct pending_address *x = a, *y = b;
    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

bool parser_resolve_addresses(struct parser *p)
{
    if (p->addresses.count == 0)
        return true;
    qsort(p->addresses.items, p->addresses.count, sizeof *p->addresses.items, by_variable);
    struct ptx_relocation *relocations = arena_array(p->arena, struct ptx_relocation, p->addresses.count);
    for (size_t i = 0; i < p->addresses.count; i++) {
        const struct pending_address *address = &p->addresses.items[i];
        const struct meaning *meaning = names_meaning(&p->names, address->name);
        struct ptx_variable *variable = &p->variables.items[address->variable];
        if (!meaning || (meaning->kind != MEANS_VARIABLE && meaning->kind != MEANS_FUNCTION)) {
            p->token = address->token;
            return parser_fail(p, "\"%s\" in the initial values of \"%s\" is not declared",
                               parser_text(p, address->token), variable->name);
        }
        if (meaning->kind == MEANS_VARIABLE && p->variables.items[meaning->index].space == PTX_SPACE_LOCAL) {
            p->token = address->token;
            return parser_fail(p, "\"%s\" lies at another address in each thread, so it is no initial value",
                               parser_text(p, address->token));
        }
        if (variable->size < 8 || address->at > variable->size - 8) {
            p->token = address->token;
            return parser_fail(p, "\"%s\" has no room for the address of \"%s\"", variable->name,
                               parser_text(p, address->token));
        }
        relocations[i] = (struct ptx_relocation){.at = address->at,
                                                 .function = meaning->kind == MEANS_FUNCTION,
                                                 .generic = address->generic,
                                                 .index = meaning->index,
                                                 .addend = address->addend};
        if (variable->relocation_count++ == 0)
            variable->relocations = &relocations[i];
    }
    return true;
}
