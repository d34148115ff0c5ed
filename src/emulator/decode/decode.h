/* decode/ turns each instruction into one op or a few, once, before anything runs. Registers, special registers,
 * constants and addresses all become rows of the frame, so a handler never asks for the kind of an operand. */
#ifndef LANESCOPE_EMULATOR_DECODE_DECODE_H
#define LANESCOPE_EMULATOR_DECODE_DECODE_H
#include "emulator/lanes/lanes.h"
#include "emulator/memory/memory.h"

struct fixup { /* a branch whose targets are set when all ops are decoded */
    struct branch *branch;
    uint32_t target, meet; /* instructions; PTX_NO_INDEX: none */
    const uint32_t *targets;
    uint32_t skip_to; /* op + 1 of a branch made for a predicated instruction; 0: target counts */
};

struct decoder {
    struct emulation *emulation;
    struct arena *arena;
    const struct lanes_table *lanes;
    const struct ptx_function *function;
    struct code *code;
    const struct ptx_instruction *instruction; /* being decoded */
    struct {
        struct op *items;
        size_t count, capacity;
    } ops;
    struct {
        uint8_t *items;
        size_t count, capacity;
    } tail; /* rows behind the registers: constants, and room for special values */
    struct {
        struct constant {
            uint64_t value;
            uint32_t row;
            uint32_t bytes; /* 4, 8; 1: a predicate */
        } * items;
        size_t count, capacity;
    } constants;
    struct {
        struct special_row *items;
        size_t count, capacity;
    } specials;
    struct {
        struct fixup *items;
        size_t count, capacity;
    } fixups;
    struct looked {
        uint32_t row, bytes;
        enum ptx_space space;
        uint32_t cache;
    } looked[8]; /* address rows used lately that were not written since */
    unsigned looked_count;
    const uint32_t *rows;
    uint32_t tail_start, scratch;
    const uint32_t *origins; /* of each register, see origin.c; NULL: not asked for */
    uint32_t saved_stack;    /* row of a function that uses alloca, else 0 */
    const uint64_t *read;    /* a bit for each register that some instruction reads; NULL: not asked for yet */
    bool failed;             /* an operand has a form that is not supported */
};

/* Decodes the kernel and all it reaches. */
bool decode_kernel(struct emulation *emulation, const struct lanes_table *lanes, struct error *error);

/* The first lays out the rows and local memory of a function, which its callers need; the second makes its ops and
 * calls `unsupported` for each instruction that has none. */
typedef void (*decode_report)(void *context, const struct ptx_function *function,
                              const struct ptx_instruction *instruction);
void decode_lay_out(struct decoder *d);
bool decode_function_code(struct decoder *d, decode_report unsupported, void *context);
void decode_free(struct decoder *d);

/* Return the row of an operand, and set decoder->failed when there is none. bytes: of the value, 1 to 16; a value of
 * 16 bytes has two rows of 8, the upper words behind the lower ones. */
uint32_t decode_source(struct decoder *d, const struct ptx_operand *operand, unsigned bytes);
uint32_t decode_target(struct decoder *d, const struct ptx_operand *operand, unsigned bytes);
uint32_t decode_predicate(struct decoder *d, const struct ptx_operand *operand, uint32_t *flip);
uint32_t decode_constant(struct decoder *d, uint64_t value, unsigned bytes);
uint32_t decode_special(struct decoder *d, uint32_t special, uint32_t component, uint64_t addend, bool wide);
/* Returns the row of the second target of `p|q`, or 0. */
uint32_t decode_second(struct decoder *d, const struct ptx_operand *operand);
uint32_t decode_row_bytes(enum ptx_type type);         /* of a register: 4, 8, 16; 0 for predicates */
uint32_t decode_room(struct decoder *d, size_t bytes); /* in the tail, zeros */
/* Returns true, and the address of a variable operand, when it is the same for all threads. */
bool decode_address(const struct decoder *d, const struct ptx_operand *operand, uint64_t *address);
/* Returns the row of a memory operand's base, and its offset; *wide: the row has 64 bits. */
uint32_t decode_base(struct decoder *d, const struct ptx_operand *operand, enum ptx_space space, uint64_t *offset,
                     bool *wide);

/* Makes an entry of worker.recent. use: what the access that it is made for does. */
uint32_t decode_cache(struct decoder *d, enum use use);
/* A row is written: later accesses cannot reuse its entry of worker.recent. */
void decode_forget_row(struct decoder *d, uint32_t row);

struct op *decode_emit(struct decoder *d, enum operation operation);
/* Emits an op of a checker, which runs before the instruction that is being decoded. */
struct op *decode_check(struct decoder *d, handler run);
/* Emits an op of lanes.def with the instruction's operands in order, in the widths of lanes.def. */
struct op *decode_lanes(struct decoder *d, enum lanes_operation operation);
struct op *decode_lanes_rows(struct decoder *d, enum lanes_operation operation, uint32_t target, uint32_t a, uint32_t b,
                             uint32_t c, uint32_t e);
static inline bool decode_has(const struct decoder *d, enum ptx_modifier modifier)
{
    return ptx_has(d->instruction->modifiers, modifier);
}
unsigned decode_flags(const struct decoder *d); /* rounding, .ftz, .sat */

/* liveness.c: returns whether a register may be read before it is written. If so, frames start cleared, so that runs
 * repeat. */
bool decode_reads_unwritten(const struct ptx_function *function);
/* Returns whether any instruction reads this target. */
bool decode_is_read(struct decoder *d, const struct ptx_operand *target);

/* origin.c: finds for each register the shared array that it holds an address of, if any (the list lies in the
 * arena); and the array of one address, or NULL. */
const uint32_t *origin_find(struct emulation *emulation, const struct ptx_function *function, struct arena *arena);
const struct shared_array *origin_array(const struct emulation *emulation, const struct ptx_function *function,
                                        const uint32_t *origins, const struct ptx_operand *address);

/* One for each family of opcodes; false: this form is not supported. */
typedef bool (*decode_family)(struct decoder *d);
#define FAMILY(opcode, function) bool function(struct decoder *d);
#include "emulator/decode/families.def"
#undef FAMILY
/* Forms that several families share. */
bool decode_integer_pair(struct decoder *d); /* add, min, max of u16x2 and s16x2 */
bool decode_bulk(struct decoder *d);         /* cp.async.bulk, cp.async.mbarrier */

/* Sets where a value of a call lies in the caller. */
bool decode_call_value(struct decoder *d, const struct ptx_operand *operand, struct call_value *value);
/* provided.c: decodes a call of a function that the driver provides; false: it is not one of them. */
bool decode_provided(struct decoder *d, const struct ptx_function *callee);
#endif
