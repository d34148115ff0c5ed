/* Reads an instruction: its words by the tables, its operands by their number, a call by its own grammar. */
#include "ptx/parser.h"
#include <stdlib.h>
#include <string.h>

static bool add_word(struct parser *p, struct ptx_instruction *instruction)
{
    const char *text = p->lexer.text + p->token.start;
    uint32_t const length = p->token.end - p->token.start;
    if (length == 2 && text[0] == 'v' && (text[1] == '2' || text[1] == '4' || text[1] == '8')) {
        instruction->vector = (uint8_t)(text[1] - '0');
        return true;
    }
    uint32_t const number = names_find(&p->names, text, length);
    const struct name *word = number == PTX_NO_INDEX ? NULL : &p->names.list.items[number];
    if (!word || (!word->type && !word->space && !word->modifier)) {
        p->unknown = true;
        return parser_fail_statement(p, "\".%.*s\" is not known", (int)length, text);
    }
    if (word->type) {
        if (instruction->type_count == PTX_TYPES_MAX)
            return parser_fail_statement(p, "more than %d types", PTX_TYPES_MAX);
        instruction->types[instruction->type_count++] = (enum ptx_type)(word->type - 1);
    }
    if (word->space) {
        enum ptx_space const space = (enum ptx_space)(word->space - 1);
        if (instruction->space == PTX_SPACE_GENERIC)
            instruction->space = space;
        else
            instruction->source_space = space;
    }
    if (word->modifier)
        instruction->modifiers.bits[(word->modifier - 1) / 64] |= UINT64_C(1) << ((word->modifier - 1) % 64);
    return true;
}

/* Returns the type that a number in this operand is read as. */
static enum ptx_type operand_type(const struct ptx_instruction *instruction, unsigned place)
{
    unsigned which = 0;
    enum ptx_group const group = ptx_opcode_group(instruction->opcode);
    if (group == PTX_GROUP_MATRIX || group == PTX_GROUP_TEXTURE || group == PTX_GROUP_PARALLEL ||
        instruction->opcode == PTX_OP_cp || instruction->opcode == PTX_OP_multimem)
        return PTX_TYPE_NONE; /* the numbers of these are strides, masks and sizes */
    if ((instruction->opcode == PTX_OP_cvt || instruction->opcode == PTX_OP_set) && place > 0)
        which = 1;
    if (instruction->opcode == PTX_OP_slct && place == 3)
        which = 1;
    if (place == 3 && group == PTX_GROUP_COMPARE && instruction->opcode != PTX_OP_slct)
        return PTX_TYPE_NONE; /* a predicate */
    if (instruction->opcode == PTX_OP_createpolicy)
        return ptx_has(instruction->modifiers, PTX_MOD_fractional) ? PTX_F32 : PTX_TYPE_NONE;
    return instruction->types[which];
}

/* Returns an instruction that the statement stands for beside the one that it names. It has no text of its own: `at` is
 * where it would stand. */
static struct ptx_instruction made_instruction(const struct ptx_instruction *of, enum ptx_opcode opcode, uint32_t at)
{
    struct ptx_instruction made = *of;
    made.opcode = opcode;
    made.modifiers = (struct ptx_modifiers){0};
    made.type_count = 1;
    made.vector = 1;
    made.space = made.source_space = PTX_SPACE_GENERIC;
    made.operand_count = 0;
    made.text_start = made.text_end = at;
    return made;
}

static enum ptx_type sum_type(enum ptx_type type)
{
    static const enum ptx_type types[] = {[2] = PTX_U16, [4] = PTX_U32, [8] = PTX_U64};
    size_t const size = ptx_type_size(type);
    bool const whole = type >= PTX_B16 && type <= PTX_S64 && size >= 2 && size <= 8;
    return whole ? types[size] : PTX_TYPE_NONE;
}

/* Reads `+4` behind a register that is read, which ptxas adds in the register's width: an addition to a register of its
 * own stands before the instruction. Its name is the sum's text, which PTX has wherever it has the register. */
static bool read_sum(struct parser *p, const struct ptx_instruction *instruction, uint32_t start,
                     struct ptx_operand *operand)
{
    bool const plain = operand->kind == PTX_OPERAND_REGISTER && !operand->negated && !operand->component &&
                       !operand->second && !parser_is_element(p, operand);
    if (!plain || instruction->operand_count == 1 || !parser_is(p, '+'))
        return true;
    enum ptx_type const type = p->registers.items[operand->index].type;
    if (sum_type(type) == PTX_TYPE_NONE)
        return parser_fail_statement(p, "a number is added to a register of integers of 16 bits or more, not of .%s",
                                     ptx_type_name(type));
    struct ptx_instruction sum = made_instruction(instruction, PTX_OP_add, p->statement_start);
    struct ptx_operand number = {.kind = PTX_OPERAND_IMMEDIATE};
    int64_t offset = 0;
    if (!parser_offset(p, &offset))
        return false;
    uint32_t end = p->token.start;
    while (p->lexer.text[end - 1] <= ' ')
        end--;
    number.bits = (uint64_t)offset;
    sum.types[0] = sum_type(type);
    sum.predicate = PTX_NO_INDEX;
    sum.operand_count = 3;
    sum.operands[1] = *operand;
    sum.operands[2] = number;
    operand->index = parser_add_register(p, p->lexer.text + start, end - start, type);
    sum.operands[0] = *operand;
    array_push(&p->instructions, sum);
    return true;
}

static bool read_operands(struct parser *p, struct ptx_instruction *instruction)
{
    unsigned fewest, most;
    ptx_opcode_operands(instruction->opcode, &fewest, &most);
    while (!parser_is(p, ';')) {
        if (instruction->operand_count && !parser_take(p, ','))
            return parser_fail_statement(p, "\",\" or \";\" is missing");
        unsigned const place = instruction->operand_count;
        if (place == most || place == PTX_OPERANDS_MAX)
            return parser_fail_statement(p, "\"%s\" takes at most %u operands", ptx_opcode_name(instruction->opcode),
                                         most);
        struct ptx_operand *operand = &instruction->operands[instruction->operand_count++];
        bool const label = instruction->opcode == PTX_OP_bra || (instruction->opcode == PTX_OP_brx && place == 1);
        if (label) {
            operand->kind = PTX_OPERAND_LABEL;
            if (!parser_label(p, (uint32_t)p->instructions.count, place, 0))
                return false;
            continue;
        }
        uint32_t const start = p->token.start;
        if (!parser_operand(p, operand_type(instruction, place), operand) || !read_sum(p, instruction, start, operand))
            return false;
    }
    if (instruction->operand_count < fewest)
        return parser_fail_statement(p, "\"%s\" takes at least %u operands", ptx_opcode_name(instruction->opcode),
                                     fewest);
    return true;
}

/* Reads `(a, b)` of a call. types: those of the callee's parameters, when they are known. */
static bool read_call_list(struct parser *p, const struct ptx_variable *types, uint32_t type_count,
                           const struct ptx_operand **list, uint32_t *count)
{
    enum { MOST = 256 };
    struct ptx_operand found[MOST + 4];
    uint32_t n = 0;
    while (!parser_take(p, ')')) {
        if (n >= MOST)
            return parser_fail_statement(p, "a call with more than %d arguments", MOST);
        if (parser_is(p, '{'))
            return parser_fail_statement(p, "a call takes no vector in braces");
        if (!parser_operand(p, n < type_count ? types[n].type : PTX_TYPE_NONE, &found[n]))
            return false;
        if (parser_is_element(p, &found[n]))
            return parser_fail_statement(p, "a call takes a whole vector register, not an element of one");
        if (found[n].kind == PTX_OPERAND_VECTOR) { /* of 4 at most; each element is a value of its own */
            struct ptx_operand const vector = found[n];
            memcpy(found + n, vector.elements, vector.count * sizeof *found);
            n += vector.count - 1;
        }
        n++;
        if (!parser_take(p, ',') && !parser_is(p, ')'))
            return parser_fail_statement(p, "\")\" is missing");
    }
    *list = arena_copy(p->arena, found, n, sizeof *found);
    *count = n;
    return true;
}

/* Reads call (results), callee, (arguments), prototype. Everything but the callee may be absent. */
static bool read_call(struct parser *p, struct ptx_instruction *instruction)
{
    if (parser_take(p, '(')) {
        if (!read_call_list(p, NULL, 0, &instruction->call_results, &instruction->call_result_count))
            return false;
        if (!parser_take(p, ','))
            return parser_fail_statement(p, "the function to call is missing");
    }
    struct ptx_operand *callee = &instruction->operands[0];
    instruction->operand_count = 1;
    if (!parser_operand(p, PTX_TYPE_NONE, callee))
        return false;
    if (callee->kind != PTX_OPERAND_FUNCTION && callee->kind != PTX_OPERAND_REGISTER)
        return parser_fail_statement(p, "a call needs a function or a register that holds one");
    const struct ptx_function *function =
        callee->kind == PTX_OPERAND_FUNCTION ? &p->functions.items[callee->index] : NULL;
    while (parser_take(p, ',')) {
        if (parser_take(p, '(')) {
            if (!read_call_list(p, function ? function->parameters : NULL, function ? function->parameter_count : 0,
                                &instruction->call_arguments, &instruction->call_argument_count))
                return false;
        } else if (p->token.kind == TOKEN_NAME) {
            parser_next(p); /* the prototype or the list of possible callees, which no run needs */
        } else {
            return parser_fail_statement(p, "a call's arguments must be in parentheses");
        }
    }
    return true;
}

static bool read_predicate(struct parser *p, struct ptx_instruction *instruction)
{
    instruction->predicate = PTX_NO_INDEX;
    if (!parser_take(p, '@'))
        return true;
    instruction->predicate_negated = parser_take(p, '!');
    if (p->token.kind != TOKEN_NAME)
        return parser_fail_statement(p, "a predicate is missing behind \"@\"");
    instruction->predicate = parser_register(p, parser_token_name(p));
    if (instruction->predicate == PTX_NO_INDEX)
        return parser_fail_statement(p, "\"%.*s\" is not declared", (int)(p->token.end - p->token.start),
                                     p->lexer.text + p->token.start);
    parser_next(p);
    return true;
}

static bool read_opcode(struct parser *p, struct ptx_instruction *instruction)
{
    if (p->token.kind != TOKEN_NAME)
        return parser_fail_statement(p, "an instruction is missing");
    uint32_t const length = p->token.end - p->token.start;
    uint32_t const name = names_find(&p->names, p->lexer.text + p->token.start, length);
    if (name == PTX_NO_INDEX || !p->names.list.items[name].opcode) {
        p->unknown = true;
        return parser_fail_statement(p, "\"%.*s\" is not an instruction that is known", (int)length,
                                     p->lexer.text + p->token.start);
    }
    instruction->opcode = (enum ptx_opcode)(p->names.list.items[name].opcode - 1);
    parser_next(p);
    for (; p->token.kind == TOKEN_WORD; parser_next(p))
        if (!add_word(p, instruction))
            return false;
    return true;
}

/* Adds one `mov` of a `mov` of vectors; what goes to `_` is not moved. */
static bool move_element(struct parser *p, const struct ptx_instruction *instruction, const struct ptx_operand *to,
                         const struct ptx_operand *from)
{
    struct ptx_instruction one = made_instruction(instruction, PTX_OP_mov, instruction->text_end);
    one.operand_count = 2;
    one.operands[0] = *to;
    one.operands[1] = *from;
    if (to->kind == PTX_OPERAND_SINK)
        return true;
    if (!parser_check_operands(p, &one))
        return false;
    array_push(&p->instructions, one);
    return true;
}

/* Returns whether an element is written before a later one reads it. */
static bool moves_cross(const struct ptx_operand *to, const struct ptx_operand *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = i + 1; k < count; k++)
            if (to[i].kind == PTX_OPERAND_REGISTER && from[k].kind == PTX_OPERAND_REGISTER &&
                to[i].index == from[k].index)
                return true;
    return false;
}

/* Makes a `mov` for each element of a `mov` of vectors, which moves all at once: elements that cross go through
 * registers of their own. The first one has the statement's text. */
static bool move_elements(struct parser *p, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *operands = instruction->operands;
    enum ptx_type const type = instruction->types[0];
    unsigned const count = instruction->vector;
    size_t const first = p->instructions.count;
    struct ptx_operand from[4];
    if (type == PTX_PRED || count > 4 || count * ptx_type_size(type) > 16)
        return parser_fail_statement(p, "\"mov\" moves vectors of at most four elements and 128 bits, and of no "
                                        "predicates");
    for (unsigned i = 0; i < 2; i++)
        if (operands[i].kind != PTX_OPERAND_VECTOR || operands[i].count != count)
            return parser_fail_statement(p, "operand %u of \"mov\" must be a vector of %u", i + 1, count);
    memcpy(from, operands[1].elements, count * sizeof *from);
    bool const cross = moves_cross(operands[0].elements, from, count);
    for (unsigned i = 0; i < count && cross; i++) {
        bool const named = from[i].kind == PTX_OPERAND_REGISTER;
        const char *name = named ? p->registers.items[from[i].index].name : "";
        struct ptx_operand const between = {.kind = PTX_OPERAND_REGISTER,
                                            .index = parser_add_register(p, name, strlen(name), type)};
        if (!move_element(p, instruction, &between, &from[i]))
            return false;
        from[i] = between;
    }
    for (unsigned i = 0; i < count; i++)
        if (!move_element(p, instruction, &operands[0].elements[i], &from[i]))
            return false;
    if (p->instructions.count > first) {
        p->instructions.items[first].text_start = instruction->text_start;
        p->instructions.items[first].text_end = instruction->text_end;
    }
    return true;
}

bool parser_instruction(struct parser *p)
{
    struct ptx_instruction instruction = {.vector = 1,
                                          .reconvergence = PTX_NO_INDEX,
                                          .site = PTX_NO_INDEX,
                                          .file = p->here.shown_line ? p->here.shown_file : PTX_NO_INDEX,
                                          .line = p->here.shown_line,
                                          .column = p->here.shown_line ? p->here.shown_column : 0,
                                          .call_line = p->here.shown_line ? p->here.call_line : 0,
                                          .used_bytes = p->used_bytes,
                                          .ptx_line = p->statement_line,
                                          .text_start = p->statement_start};
    p->used_bytes = 0;
    size_t const first = p->instructions.count;
    if (!read_predicate(p, &instruction) || !read_opcode(p, &instruction))
        return false;
    if (instruction.opcode != PTX_OP_ld)
        instruction.used_bytes = 0;
    if (!(instruction.opcode == PTX_OP_call ? read_call(p, &instruction) : read_operands(p, &instruction)))
        return false;
    if (!parser_is(p, ';'))
        return parser_fail_statement(p, "\";\" is missing");
    instruction.text_end = p->token.end;
    bool const moves = instruction.opcode == PTX_OP_mov && instruction.vector > 1;
    if (!(moves ? move_elements(p, &instruction) : parser_check_operands(p, &instruction)))
        return false;
    if (!moves)
        array_push(&p->instructions, instruction);
    p->instruction_count += p->instructions.count - first;
    if (p->instruction_count > PARSER_INSTRUCTIONS_MAX)
        return parser_fail(p, "the module has more than %d instructions", PARSER_INSTRUCTIONS_MAX);
    if (p->registers.count > PARSER_REGISTERS_MAX)
        return parser_fail(p, "the function uses more than %d registers", PARSER_REGISTERS_MAX);
    parser_next(p);
    return true;
}

struct ptx_words {
    struct parser parser;
};

struct ptx_words *ptx_words_new(void)
{
    size_t capacity = 0;
    struct ptx_words *words = array_grow(NULL, &capacity, 1, sizeof *words);
    *words = (struct ptx_words){.parser = {.name = ""}};
    names_start(&words->parser.names);
    return words;
}

bool ptx_words_read(struct ptx_words *words, const char *text, struct ptx_instruction *instruction)
{
    struct parser *p = &words->parser;
    p->lexer = (struct lexer){.text = text, .size = (uint32_t)strlen(text), .line = 1};
    *instruction = (struct ptx_instruction){.vector = 1, .predicate = PTX_NO_INDEX};
    parser_next(p);
    if (parser_take(p, '@')) {
        parser_take(p, '!');
        parser_next(p);
    }
    return read_opcode(p, instruction);
}

void ptx_words_free(struct ptx_words *words)
{
    names_free(&words->parser.names);
    free(words);
}
