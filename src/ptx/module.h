/* A PTX module as typed data. The parser creates it, the emulator runs it, and the probes are added to it. Everything
 * is in the arena given to ptx_parse and lives as long as that arena. Source: PTX ISA 9.0, NVIDIA. */
#ifndef LANESCOPE_PTX_MODULE_H
#define LANESCOPE_PTX_MODULE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum ptx_type {
    PTX_TYPE_NONE,
    PTX_B8,
    PTX_B16,
    PTX_B32,
    PTX_B64,
    PTX_B128,
    PTX_U8,
    PTX_U16,
    PTX_U32,
    PTX_U64,
    PTX_S8,
    PTX_S16,
    PTX_S32,
    PTX_S64,
    PTX_F16,
    PTX_F16X2,
    PTX_BF16,
    PTX_BF16X2,
    PTX_F32,
    PTX_F64,
    PTX_U16X2,
    PTX_S16X2,
    PTX_PRED,
    PTX_TYPE_COUNT,
    /* Of a buffer's elements alone: no instruction is written with them as its type. */
    PTX_E4M3 = PTX_TYPE_COUNT,
    PTX_E5M2,
    PTX_B1, /* eight bits in a byte, the lowest first */
    PTX_ELEMENT_COUNT
};

enum ptx_space {
    PTX_SPACE_GENERIC, /* no space is written; the address determines it */
    PTX_SPACE_GLOBAL,
    PTX_SPACE_SHARED,
    PTX_SPACE_LOCAL,
    PTX_SPACE_CONST,
    PTX_SPACE_PARAM,
    PTX_SPACE_REGISTER
};

enum ptx_opcode {
#define PTX_OPCODE(name, ...) PTX_OP_##name,
#include "ptx/opcodes.def"
#undef PTX_OPCODE
    PTX_OPCODE_COUNT
};

/* The properties of an opcode that other modules need (ptx_kind, ptx_class, ptx_first), and its heading in docs/ptx.md
 * (ptx_group). */
enum ptx_kind {
    PTX_KIND_PLAIN,
    PTX_KIND_LOAD,
    PTX_KIND_STORE,
    PTX_KIND_ATOMIC,
    PTX_KIND_REDUCTION,
    PTX_KIND_MATRIX, /* of a whole warp: an access when it has an address, plain when it multiplies */
    PTX_KIND_COPY,   /* cp: an access when it is cp.async or cp.async.bulk, plain when it commits or waits */
    PTX_KIND_BARRIER,
    PTX_KIND_BRANCH,
    PTX_KIND_CALL,
    PTX_KIND_END /* end of the function or of the thread */
};
/* The resources that running an instruction involves. */
enum ptx_class {
    PTX_CLASS_ARITHMETIC = 1, /* registers of the same lane only */
    PTX_CLASS_MEMORY,
    PTX_CLASS_WARP,   /* registers of other lanes of the warp */
    PTX_CLASS_WAIT,   /* other threads, or the order of their accesses to memory */
    PTX_CLASS_CONTROL /* the choice of the next instruction, or the warp itself */
};
/* Whether an instruction writes or reads its first operand, or whether that depends on its form: see
 * ptx_writes_first. */
enum ptx_first { PTX_FIRST_WRITTEN = 1, PTX_FIRST_READ, PTX_FIRST_FORM };
enum ptx_group {
    PTX_GROUP_ARITHMETIC,
    PTX_GROUP_FLOAT,
    PTX_GROUP_BITS,
    PTX_GROUP_COMPARE,
    PTX_GROUP_MOVE,
    PTX_GROUP_MEMORY,
    PTX_GROUP_PARALLEL,
    PTX_GROUP_CONTROL,
    PTX_GROUP_VIDEO,
    PTX_GROUP_MATRIX,
    PTX_GROUP_TEXTURE,
    PTX_GROUP_COUNT
};

/* Every dotted word of an instruction that is neither a type nor a space: a bit in ptx_instruction.modifiers and a row
 * of modifiers.def. A word without a row is an error that names it. */
enum ptx_modifier {
#define PTX_MODIFIER(name, word) PTX_MOD_##name,
#include "ptx/modifiers.def"
#undef PTX_MODIFIER
    PTX_MODIFIER_COUNT
};
struct ptx_modifiers {
    uint64_t bits[4];
};
static inline bool ptx_has(struct ptx_modifiers set, enum ptx_modifier one)
{
    return (set.bits[(unsigned)one / 64] >> ((unsigned)one % 64) & 1) != 0;
}

/* Special registers such as %tid.x. Some have components: 0 x, 1 y, 2 z, 3 w. */
enum ptx_special {
#define PTX_SPECIAL(name, word) PTX_SR_##name,
#include "ptx/specials.def"
#undef PTX_SPECIAL
    PTX_SPECIAL_COUNT
};

enum ptx_operand_kind {
    PTX_OPERAND_NONE,
    PTX_OPERAND_REGISTER, /* index: the register's number in its function */
    /* bits: an integer, sign-extended to 64 bits for any operand width; for an f16, f32 or f64 operand a number as bits
     * of that width; for a predicate, not 0 means true */
    PTX_OPERAND_IMMEDIATE,
    PTX_OPERAND_SPECIAL,  /* index: enum ptx_special; component */
    PTX_OPERAND_VARIABLE, /* address of a variable: index in the variables of scope, plus offset */
    PTX_OPERAND_FUNCTION, /* index: in ptx_module.functions */
    PTX_OPERAND_LABEL,    /* index: the target instruction in this function; the instruction count means its end */
    /* [base + offset]; base: a register, a variable or nothing; elements: the operands after a comma in the brackets,
     * as in texture and tensor instructions */
    PTX_OPERAND_ADDRESS,
    PTX_OPERAND_VECTOR, /* {a, b, c, d}: count elements */
    PTX_OPERAND_SINK    /* _ : the result is discarded */
};
/* A part of a register, named by scalar video instructions: %r1.b2, %r1.h0. */
enum ptx_part { PTX_PART_WHOLE, PTX_PART_B0, PTX_PART_B1, PTX_PART_B2, PTX_PART_B3, PTX_PART_H0, PTX_PART_H1 };

enum ptx_scope { PTX_SCOPE_MODULE, PTX_SCOPE_FUNCTION, PTX_SCOPE_PARAMETER, PTX_SCOPE_RETURN };

struct ptx_operand {
    enum ptx_operand_kind kind;
    enum ptx_operand_kind base; /* of an ADDRESS: REGISTER, VARIABLE or NONE (absolute) */
    enum ptx_scope scope;       /* of a VARIABLE, or of an ADDRESS with a variable as base */
    bool negated;               /* !p, or -r where the grammar allows it */
    uint8_t component;          /* of a SPECIAL: x, y, z, w; of a REGISTER: enum ptx_part */
    uint32_t index;
    uint32_t second; /* the q of `p|q`: register number + 1; 0 when absent */
    int64_t offset;
    uint64_t bits;
    const struct ptx_operand *elements;
    uint32_t count;
};

enum { PTX_OPERANDS_MAX = 8, PTX_TYPES_MAX = 4 };
#define PTX_NO_INDEX UINT32_MAX

struct ptx_instruction {
    enum ptx_opcode opcode;
    struct ptx_modifiers modifiers;
    enum ptx_type types[PTX_TYPES_MAX];        /* as written, left to right */
    uint8_t type_count, operand_count, vector; /* vector: 1, 2, 4 or 8 elements a lane */
    /* Of a load behind `.pragma "used_bytes_mask M"`: M, a bit for each byte of a lane that the program uses; the
     * others may lie outside all memory. 0: all. Source: PTX ISA 9.0, pragma strings. */
    uint32_t used_bytes;
    enum ptx_space space;                          /* as written; the first one of `cp.async` and `cvta` */
    enum ptx_space source_space;                   /* the second one of a copy between two spaces; otherwise GENERIC */
    struct ptx_operand operands[PTX_OPERANDS_MAX]; /* destination first, as written */
    uint32_t predicate;                            /* register number of @p, or PTX_NO_INDEX */
    bool predicate_negated;
    /* Of a call, whose operands[0] is the callee (FUNCTION or REGISTER). */
    const struct ptx_operand *call_arguments, *call_results;
    uint32_t call_argument_count, call_result_count;
    const uint32_t *targets; /* of brx.idx: target instructions; operands[1] is the first of them */
    uint32_t target_count;
    /* The reconvergence point of a conditional bra or a brx, which is its immediate post-dominator; the function's
     * instruction count when the paths meet only at its end. PTX_NO_INDEX for other instructions. The paths meet
     * without lanes that trap, that a predicated ret or exit ends, or that branch to a bare ret of a kernel. */
    uint32_t reconvergence;
    /* A number without gaps over the module, in program order, for each access (ld, ldu, st, atom, red, cp.async; not
     * of .param, and not the stores that a compiler makes for printf), each shuffle, each product of matrices, each
     * barrier of a block or cluster (not bar.warp) and each conditional bra or brx. PTX_NO_INDEX for other
     * instructions. */
    uint32_t site;
    uint32_t file;         /* index in ptx_module.files, or PTX_NO_INDEX */
    uint32_t line, column; /* in the kernel's source, from .loc; 0: unknown */
    uint32_t
        call_line; /* of an instruction inlined from a function of the kernel's file: the line of the call; else 0 */
    uint32_t ptx_line;             /* 1-based line in the PTX text */
    uint32_t text_start, text_end; /* byte range of the whole statement in the PTX text, `;` included */
};

struct ptx_register {
    const char *name; /* "%r1"; of an element of a vector register "v.x"; of a sum "%r1+4" */
    enum ptx_type type;
    uint8_t elements; /* of a vector register's first element: 2 or 4, and the others follow it; else 0 */
};

struct ptx_relocation { /* 8 bytes at `at` of an initialiser: the address of a variable or function, plus addend */
    size_t at;
    bool function;
    bool generic; /* the generic address of the variable instead of the address in its own space */
    uint32_t index;
    int64_t addend;
};

struct ptx_variable {
    const char *name;
    enum ptx_space space;
    enum ptx_type type;
    uint32_t align;
    size_t size; /* bytes; 0 for `extern .shared x[]`, which is the launch's dynamic shared memory */
    /* Byte offset. Parameters and results: in their block. .local variables and call-scoped .param of a function: in
     * their frame; .local variables of the module: in ptx_module.local_bytes. .shared of module and function: in the
     * block's shared memory, where variables used by the same kernel never overlap; dynamic ones begin after
     * ptx_function.shared_bytes and have offset 0. Otherwise 0. */
    size_t offset;
    bool external;
    bool merges;      /* .common or .weak: texts that are linked may each have it */
    uint8_t elements; /* of a parameter in a vector register, as in ptx_register: each element is one of its own */
    const uint8_t *initial; /* size bytes; NULL means zeros */
    const struct ptx_relocation *relocations;
    uint32_t relocation_count;
};

struct ptx_function {
    const char *name;
    bool is_kernel, has_body;
    bool merges;                                     /* .weak: of texts that are linked, each may have it */
    const struct ptx_variable *parameters, *results; /* space PARAM; REGISTER for register parameters */
    uint32_t parameter_count, result_count;
    const uint32_t *parameter_registers; /* register numbers of REGISTER parameters; otherwise PTX_NO_INDEX */
    const uint32_t *result_registers;
    const struct ptx_variable *variables; /* .local, .shared and call-scoped .param declared in the function */
    uint32_t variable_count;
    const struct ptx_register *registers;
    uint32_t register_count;
    const struct ptx_instruction *instructions;
    uint32_t instruction_count;
    bool noreturn;                /* .noreturn: a call of it ends the lanes */
    uint32_t max_threads[3];      /* .maxntid, whose product bounds a block; 0 when absent */
    uint32_t required_threads[3]; /* .reqntid, the only block that a launch may have; 0 when absent */
    uint32_t body_start;          /* byte offset in the text just after `{` */
    uint32_t body_end;            /* byte offset of the `}` */
    size_t parameter_bytes;
    size_t local_bytes; /* bytes of the frame of its .local variables */
    size_t call_bytes;  /* bytes of the frame of its .param variables for calls, which consecutive calls share */
    /* bytes of static shared memory of a launch: its own variables and those of everything that it uses or calls */
    size_t shared_bytes;
};

struct ptx_module {
    const char *text; /* the PTX text, NUL-terminated */
    size_t text_size;
    uint32_t version_major, version_minor, target; /* target: 75 for sm_75 */
    const char *const *files;                      /* names in .file directives, as the compiler wrote them */
    uint32_t file_count;
    const struct ptx_variable *variables; /* of module scope: .global, .const, .shared, .local */
    uint32_t variable_count;
    size_t local_bytes; /* of its .local variables, which each thread has once, whatever it calls */
    const struct ptx_function *functions;
    uint32_t function_count;
    uint32_t site_count;
};

/* Makes the PTX its own source, under a name: the line of each instruction becomes that of the text. For a module
 * without any .file. */
void ptx_take_own_lines(struct arena *arena, struct ptx_module *module, const char *name);
size_t ptx_type_size(enum ptx_type type); /* bytes; 0 for PRED and NONE */
const char *ptx_type_name(enum ptx_type type);
const char *ptx_opcode_name(enum ptx_opcode opcode);
enum ptx_kind ptx_opcode_kind(enum ptx_opcode opcode);
enum ptx_group ptx_opcode_group(enum ptx_opcode opcode);
enum ptx_class ptx_opcode_class(enum ptx_opcode opcode);
/* Returns true when the instruction writes its first operand. For PTX_FIRST_FORM the form decides: a barrier writes it
 * in the forms with .red, other instructions when the operand is not an address. */
bool ptx_writes_first(const struct ptx_instruction *instruction);
/* Returns the instructions that a branch may lead to and sets their number, which is 0 for other instructions. */
const uint32_t *ptx_targets(const struct ptx_instruction *instruction, uint32_t *count);
/* least and greatest number of operands, as written */
void ptx_opcode_operands(enum ptx_opcode opcode, unsigned *fewest, unsigned *most);
const char *ptx_space_name(enum ptx_space space);
const char *ptx_modifier_word(enum ptx_modifier modifier); /* "rn", without the dot */
const char *ptx_special_word(enum ptx_special special);    /* "%tid", without the component */
/* Returns a kernel by name, or the only kernel when name is NULL. Returns NULL when there is none, or several for a
 * NULL name. */
const struct ptx_function *ptx_kernel(const struct ptx_module *module, const char *name);
/* Returns the bytes of static shared memory of a launch of this kernel (variables of module and function scope). */
size_t ptx_shared_bytes(const struct ptx_module *module, const struct ptx_function *function);
#endif
