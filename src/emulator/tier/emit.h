/* What the files that write a compiled unit have in common: emit.c its functions and runs, emit_loads.c lane operations
 * and loads in a better order, emit_lanes.c loops over lanes, emit_rows.c which op reads and writes what. */
#ifndef LANESCOPE_EMULATOR_TIER_EMIT_H
#define LANESCOPE_EMULATOR_TIER_EMIT_H
#include "emulator/core/emulation.h"
#include "emulator/lanes/lanes.h"
#include "emulator/memory/memory.h"
#include <stdio.h>

enum { SEGMENT_OPS = 64, PIECE_OPS = 256, ROWS_MOST = 5 * SEGMENT_OPS };

enum form_kind { FORM_OTHER, FORM_VALUE, FORM_SELECT, FORM_COMPARE, FORM_PREDICATE, FORM_ACCESS };
struct form { /* of an operation of lanes.def */
    const char *name;
    enum form_kind kind;
    uint8_t operands;
    const char *types[5]; /* of the result and the operands */
    const char *expression;
};

struct used_row { /* in a segment */
    uint32_t row;
    bool wide, exposed, written; /* exposed: read before it is written */
};

/* Lane ops and loads without another op between them, and without a place where another run begins: they are put in
 * another order, loads early and many together. */
struct piece {
    uint32_t start; /* of the run */
    uint32_t from, to;
    bool done[PIECE_OPS];
    uint32_t ops[PIECE_OPS]; /* written next */
    uint32_t count;
};

struct emitter {
    FILE *out;
    const struct emulation *emulation;
    const struct code *code;
    uint32_t function;
    bool *starts, *begins; /* ops at which a run may begin, and those at which a compiled one does */
    uint32_t *registers;   /* by row / 4: 1 + the register that begins there */
    struct readers {
        uint32_t first, last;
    } * reads;    /* by register: the ops that read it; first > last: none does */
    uint32_t ops; /* of compiled runs */
    struct {
        struct run {
            uint32_t function, op;
        } * items;
        size_t count, capacity;
    } runs;
    struct used_row rows[ROWS_MOST];
    uint32_t row_count;
};

/* emit_rows.c: returns the form of an op of lanes.def, or NULL. */
const struct form *emit_form(const struct op *op);
bool emit_is_wide(const char *type);
/* Whether an op is an operation on lanes that vectorises; or a load of one element a lane. */
bool emit_is_lane_op(const struct op *op);
bool emit_is_load(const struct op *op);
/* Fills in the readers of each register. */
void emit_find_readers(struct emitter *e);
/* Whether two such ops give the same in either order. */
bool emit_are_independent(const struct op *a, const struct op *b);
/* Whether a row that some ops of a piece write must be there behind them. */
bool emit_is_needed(const struct emitter *e, const struct piece *piece, const struct used_row *used,
                    const uint32_t *ops, uint32_t count);

/* emit_lanes.c: writes the loop of the first of some lane ops. Returns how many it has. */
uint32_t emit_segment(struct emitter *e, const struct piece *piece, const uint32_t *ops, uint32_t most);

/* emit_loads.c: writes an access by itself, of the run that begins at `start`. */
void emit_access(struct emitter *e, uint32_t start, uint32_t index);
/* Writes the lane ops and loads from `from` on. Returns the op behind them. */
uint32_t emit_piece(struct emitter *e, uint32_t start, uint32_t from);
#endif
