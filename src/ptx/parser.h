/* For src/ptx only: the parser's state, which is the text, the current token, the declarations in scope, and the
 * module under construction. Functions that can fail return false with the error set. Nothing recurses but numbers, to
 * a bounded depth, so nested text cannot exhaust the stack. */
#ifndef LANESCOPE_PTX_PARSER_H
#define LANESCOPE_PTX_PARSER_H
#include "ptx/lexer.h"
#include "ptx/names.h"
#include "ptx/parse.h"

/* Limits far above any real module, so that a small text cannot make the parser use much memory. */
enum {
    PARSER_TEXT_MAX = 128 << 20,
    PARSER_INSTRUCTIONS_MAX = 1 << 21, /* of a module */
    PARSER_REGISTERS_MAX = 1 << 18,    /* of a function, declared by name or used */
    PARSER_DEPTH_MAX = 64,             /* of scopes, and of the parentheses of a number */
    PARSER_INITIAL_MAX = 64 << 20,     /* bytes of initialised variables beyond those written in the text */
    PARSER_ALIGN_MAX = 1 << 20
};
#if SIZE_MAX > UINT32_MAX
#define PARSER_SIZE_MAX ((size_t)1 << 40)
#else
#define PARSER_SIZE_MAX ((size_t)1 << 30)
#endif

struct register_range { /* `.reg .b32 %r<12>`: a register of the range is created at its first use */
    enum ptx_type type;
    uint8_t elements; /* of a vector: 2 or 4; else 1 */
    uint64_t count;
};

struct location { /* .loc; shown_*: the place in the kernel's own file, outside inlined headers */
    uint32_t file, line, column;
    uint32_t shown_file, shown_line, shown_column;
    uint32_t call_line; /* as in ptx_instruction */
};
enum { LOCATIONS_REMEMBERED = 16 };

struct label_use { /* resolved at the end of its scope or of a scope around it */
    uint32_t name, depth;
    uint32_t instruction, operand; /* if instruction is PTX_NO_INDEX, the use is an entry of `targets` instead */
    uint32_t target;
    uint32_t start, line; /* of the label, for the error */
};

struct target_list {
    uint32_t first, count; /* range of parser.targets */
};

struct pending_address { /* an address in an initialiser, resolved at the end because its name may be declared later */
    uint32_t variable, name;
    bool generic;
    size_t at;
    int64_t addend;
    struct token token;
};

struct parser {
    struct arena *arena;
    const char *name;
    struct error *error;
    struct lexer lexer;
    struct token token; /* the current token: read, not yet consumed */
    struct names names;
    struct ptx_module *module;
    size_t initial_bytes, instruction_count; /* of the whole module */
    /* Predicates are passed in modules without the ABI of calls alone; both are known at the module's end. */
    bool without_abi;
    uint32_t predicate_start, predicate_line; /* the first call that passes one; line 0: none */
    bool external;                            /* the open declaration has .extern */
    bool merges;                              /* it has .common or .weak */

    /* of the module */
    struct {
        struct ptx_variable *items;
        size_t count, capacity;
    } variables;
    struct {
        struct ptx_function *items;
        size_t count, capacity;
    } functions;
    struct {
        struct source_file {
            uint32_t number;
            const char *name;
        } * items;
        size_t count, capacity;
    } files;
    struct {
        struct pending_address *items;
        size_t count, capacity;
    } addresses;

    /* of the open function */
    uint32_t function;
    bool in_body;
    size_t call_bytes; /* bytes of .param variables in scope */
    struct {
        struct ptx_instruction *items;
        size_t count, capacity;
    } instructions;
    struct {
        struct ptx_register *items;
        size_t count, capacity;
    } registers;
    struct {
        struct ptx_variable *items;
        size_t count, capacity;
    } locals;
    struct {
        struct register_range *items;
        size_t count, capacity;
    } ranges;              /* kept for the whole module, so that range numbers stay unique */
    uint64_t *range_slots; /* hash table with open addressing; key: (range + 1) << 32 | number */
    uint32_t *range_registers;
    size_t range_slot_count, range_used;
    struct {
        struct label_use *items;
        size_t count, capacity;
    } uses;
    struct {
        uint32_t *items;
        size_t count, capacity;
    } targets;
    struct {
        struct target_list *items;
        size_t count, capacity;
    } lists;
    struct location locations[LOCATIONS_REMEMBERED];
    uint32_t location_count, main_file;
    struct location here;

    /* of the open statement */
    uint32_t statement_start, statement_line;
    uint32_t used_bytes; /* of the pragma before it; 0: none */
    bool unknown;        /* the error is an unknown instruction, not wrong text */
    const char *reason;  /* in a survey: what is unknown in it */

    bool surveying;
    struct {
        struct ptx_unknown *items;
        size_t count, capacity;
    } found;
};

/* parse.c. parser_next reads the next token; parser_is and parser_word_is test the current one. */
void parser_next(struct parser *p);
bool parser_is(const struct parser *p, char mark);
bool parser_take(struct parser *p, char mark); /* consumes the mark if it is the current token */
/* As parser_take, but a missing mark is an error. */
bool parser_expect(struct parser *p, char mark);
bool parser_word_is(const struct parser *p, const char *word);
uint32_t parser_token_name(struct parser *p); /* number of the current token's text in p->names */
/* Return false and set an error: at the current token, or at the open statement, which is quoted. */
bool parser_fail(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool parser_fail_statement(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *parser_text(struct parser *p, struct token token); /* in the arena */

/* declare.c: declarations of variables, registers and parameters */
bool parser_skip_parentheses(struct parser *p); /* from the `(` on, with all inside them */
bool parser_registers(struct parser *p);
bool parser_variables(struct parser *p, enum ptx_space space, bool external);
bool parser_parameters(struct parser *p, struct ptx_variable **list, uint32_t **registers, uint32_t *count,
                       size_t *bytes);
bool parser_declare_parameters(struct parser *p, const struct ptx_variable *list, const uint32_t *registers,
                               uint32_t count, enum ptx_scope scope);
bool parser_resolve_addresses(struct parser *p);
/* Returns the register of a name in this scope, of a vector the first element, and creates it if it belongs to a range.
 * Returns PTX_NO_INDEX when the name is no register. */
uint32_t parser_register(struct parser *p, uint32_t name);
/* Creates a register, under a name that no declaration gives. */
uint32_t parser_add_register(struct parser *p, const char *name, size_t length, enum ptx_type type);

/* function.c. Reads a header after `.func` or `.entry`, then `;` or the body. */
bool parser_function(struct parser *p, bool is_kernel);

/* instruction.c. Reads one statement from its predicate to its `;`. */
bool parser_instruction(struct parser *p);
/* operands.c. Compares an instruction with its row of operands.def. Later stages rely on it. */
bool parser_check_operands(struct parser *p, const struct ptx_instruction *instruction);
/* constant.c. parser_is_number returns whether a constant expression begins here, and parser_number reads it as the
 * bits of an immediate operand of this type (PTX_TYPE_NONE: of any). */
bool parser_is_number(const struct parser *p);
bool parser_number(struct parser *p, enum ptx_type type, uint64_t *bits);
/* operand.c. parser_offset reads `+4`, `-4` or `+(3 << 2)` after a name, if it is there. parser_label reads a label and
 * records its use, which is resolved later. */
bool parser_operand(struct parser *p, enum ptx_type type, struct ptx_operand *operand);
bool parser_is_element(const struct parser *p, const struct ptx_operand *operand); /* of a vector register: v.x */
bool parser_offset(struct parser *p, int64_t *offset);
bool parser_label(struct parser *p, uint32_t instruction, uint32_t operand, uint32_t target);

/* flow.c and layout.c work on the complete module. */
/* Returns whether lanes can diverge here: at a conditional bra, or a brx. */
bool flow_parts(const struct ptx_instruction *instruction);
void flow_reconvergence(struct ptx_function *function, const struct ptx_module *module);
void layout_sites(struct ptx_module *module);
void layout_shared(struct ptx_module *module);
#endif
