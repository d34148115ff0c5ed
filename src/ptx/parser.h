/* What the parser's files share: the text, the token it stands at, what is declared, and the program as it grows. Not
 * for use outside src/ptx. Functions that can fail return false with the error set; nothing recurses. */
#ifndef LANESCOPE_PTX_PARSER_H
#define LANESCOPE_PTX_PARSER_H
#include "ptx/lexer.h"
#include "ptx/names.h"
#include "ptx/parse.h"

/* Limits that no real module meets, so that no text makes the parser use memory out of proportion to its size. */
enum {
    PARSER_TEXT_MAX = 1 << 30,
    PARSER_DEPTH_MAX = 64,
    PARSER_INITIAL_MAX = 64 << 20, /* bytes of initialised variables beyond what the text spells out */
    PARSER_ALIGN_MAX = 1 << 20
};
#define PARSER_SIZE_MAX ((size_t)1 << 40)

struct register_range { /* `.reg .b32 %r<12>`: a register of it is made when it is first named */
    enum ptx_type type;
    uint64_t count;
};

struct location { /* .loc; shown_*: the place in the kernel's own file, outside of inlined headers */
    uint32_t file, line, column;
    uint32_t shown_file, shown_line, shown_column;
};
enum { LOCATIONS_REMEMBERED = 16 };

struct label_use { /* resolved when the scope it stands in, or one around it, ends */
    uint32_t name, depth;
    uint32_t instruction, operand; /* or instruction PTX_NO_INDEX: an entry of `targets` */
    uint32_t target;
    uint32_t start, line; /* for the error */
};

struct target_list {
    uint32_t first, count; /* in parser.targets */
};

struct pending_address { /* an initialiser names what may be declared later */
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
    struct token token; /* the one to look at next */
    struct names names;
    struct ptx_program *program;
    size_t initial_bytes;
    bool external; /* .extern stands before the declaration that is open */

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

    /* of the function that is open */
    uint32_t function;
    bool in_body;
    size_t call_bytes; /* of .param variables that are in scope */
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
    } ranges;              /* kept over the module, so that their numbers stay apart */
    uint64_t *range_slots; /* (range + 1) << 32 | number, open addressing */
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

    /* of the statement that is open */
    uint32_t statement_start, statement_line;
    bool unknown; /* the error is that the instruction is not known, not that the text is wrong */

    bool surveying;
    struct {
        struct ptx_unknown *items;
        size_t count, capacity;
    } found;
};

/* parse.c */
void parser_next(struct parser *p);
bool parser_is(const struct parser *p, char mark);
bool parser_take(struct parser *p, char mark); /* if it stands there */
bool parser_expect(struct parser *p, char mark);
bool parser_word_is(const struct parser *p, const char *word);
uint32_t parser_token_name(struct parser *p); /* the current token's text as a name */
/* An error at the current token, or at the statement that is open, which is quoted. */
bool parser_fail(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool parser_fail_statement(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *parser_text(struct parser *p, struct token token); /* in the arena */

/* declare.c: variables, registers, parameters */
bool parser_registers(struct parser *p);
bool parser_variables(struct parser *p, enum ptx_space space, bool external);
bool parser_parameters(struct parser *p, struct ptx_variable **list, uint32_t **registers, uint32_t *count,
                       size_t *bytes);
void parser_declare_parameters(struct parser *p, const struct ptx_variable *list, const uint32_t *registers,
                               uint32_t count, enum ptx_scope scope);
bool parser_resolve_addresses(struct parser *p);
/* The register a name means here, made if it is of a range: PTX_NO_INDEX when it is none. */
uint32_t parser_register(struct parser *p, uint32_t name);

/* function.c */
bool parser_function(struct parser *p, bool is_kernel);

/* instruction.c: one statement from its predicate to its `;` */
bool parser_instruction(struct parser *p);
/* operand.c */
bool parser_operand(struct parser *p, enum ptx_type type, struct ptx_operand *operand);
bool parser_label(struct parser *p, uint32_t instruction, uint32_t operand, uint32_t target);

/* flow.c, layout.c: over a program that is whole */
/* Whether lanes may part here: a conditional bra, or a brx. */
bool flow_parts(const struct ptx_instruction *instruction);
void flow_reconvergence(struct ptx_function *function, const struct ptx_program *program);
void layout_sites(struct ptx_program *program);
void layout_shared(struct ptx_program *program);
#endif
