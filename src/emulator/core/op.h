/* core/ holds the state of a run (ops, warps, blocks, workers, the emulation) and the flow of control. This header: a
 * kernel after decoding. decode/ makes these values once, before anything runs; they never change afterwards and lie
 * in the emulation's arena. */
#ifndef LANESCOPE_EMULATOR_CORE_OP_H
#define LANESCOPE_EMULATOR_CORE_OP_H
#include "emulator/emulator.h"

struct op;
struct warp;
/* Does one instruction for the lanes of warp->mask. Returns the next op, or NULL when the handler set warp->pc itself
 * (the flow of control changed) or when the warp stopped. */
typedef const struct op *(*handler)(struct warp *w, const struct op *op);

/* An op has one handler for each of these cases: all 32 lanes, some lanes (computed for all and blended), or few lanes
 * (one after the other). */
enum variant { FOR_ALL, FOR_SOME, FOR_FEW, VARIANTS };
enum { FEW_LANES = 4 };
#define ALL_LANES UINT32_MAX

/* Of an op, from the row of its handler in handlers.def. */
enum op_flag { OP_NONE = 0, OP_ENDS = 1, OP_ORDERS = 2, OP_RELEASES = 4 };

/* The handlers by number: decode_emit takes OP_ and the name of a row in handlers.def. */
enum operation {
#define HANDLER(name, ...) OP_##name,
#include "emulator/core/handlers.def"
#undef HANDLER
    OPERATIONS
};
#define HANDLER(name, ...) const struct op *name(struct warp *w, const struct op *op);
#include "emulator/core/handlers.def"
#undef HANDLER

enum combine { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

struct op {
    handler run[VARIANTS];
    uint32_t d, a, b, c, e; /* operands: byte offsets of rows in the frame; a predicate's row has 32 bits */
    uint32_t flip;          /* xor for the predicate operand: all ones when it is negated */
    uint32_t run_count;     /* instructions from here to the end of the straight run */
    uint8_t count;          /* 1, or 0 for an op that is no instruction of the program */
    uint8_t class;          /* enum ptx_class */
    uint8_t flags;          /* enum op_flag */
    uint8_t combine;        /* of a comparison: enum combine, how the result meets predicate c; else see the handler */
    uint16_t lanes;         /* 1 + enum lanes_operation; 0: the handlers are others than those of lanes.def */
    uint32_t site;
    uint32_t number; /* among all ops of the emulation: see run/executed.h */
    uint64_t immediate;
    const void *extra; /* further operands: struct access, struct branch, struct call, ... */
    const struct ptx_instruction *source;
};

enum { SPECIAL_LOCAL = PTX_SPECIAL_COUNT }; /* a row that holds frame->local_base + addend */
/* A row that holds a special register plus `addend`. */
struct special_row {
    uint32_t special, component, offset; /* offset: of the row in the frame */
    bool wide;
    uint64_t addend;
    bool varies; /* with the block, the warp or the frame; other rows are filled in once, when decoding */
};

/* One function, decoded. */
struct code {
    const struct ptx_function *function;
    struct op *ops;
    uint32_t op_count;
    size_t frame_bytes;
    uint32_t constant_start; /* from here to the end, a frame holds constants */
    const uint8_t *constants;
    const struct special_row *specials;
    uint32_t special_count;
    uint32_t register_end; /* bytes to clear when registers may be read before they are written */
    bool clear;
    uint32_t local_bytes; /* of one thread: .local variables, call-scoped parameters, own parameters and results */
    const uint32_t *variable_offset, *parameter_offset, *result_offset;
    const uint32_t *rows; /* of each register */
    uint32_t signature;   /* index of the first function with the same parameters and results; they lie alike in both */
};

/* op->extra of a branch. */
struct branch {
    const struct op *target, *meet;  /* meet: NULL when the paths meet only at the function's end */
    const struct op *const *targets; /* of a table */
    uint32_t target_count;
    bool counted; /* true for a branch of the program; decoding makes others for predicated instructions */
};

/* op->extra of a call, and where one argument or result lies in the caller and in the callee. */
struct call_value {
    bool in_register, callee_register;
    bool predicate;    /* both are rows of one word, with a bit for each lane */
    uint32_t from, to; /* row, or offset in the frame's local memory */
    uint8_t row_bytes;
    uint32_t bytes;
};
struct call {
    const struct code *callee; /* NULL: through the pointer in row op->a */
    uint32_t signature;        /* that a function behind the pointer must have */
    const struct call_value *arguments, *results;
    uint32_t argument_count, result_count;
};
#endif
