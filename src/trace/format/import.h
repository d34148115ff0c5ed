/* For src/trace/format only: makes a trace of machine code from the lines of another program's text file. Its readers
 * (accelsim.c, nvbit.c) pass each instruction once, and each event in the order of its warp. Such a file has no clock:
 * an event of a block takes one cycle of the model clock, which orders the picture and measures nothing. */
#ifndef LANESCOPE_TRACE_FORMAT_IMPORT_H
#define LANESCOPE_TRACE_FORMAT_IMPORT_H
#include "trace/trace.h"

/* What an instruction of SASS does, by its opcode with modifiers, e.g. "LDG.E.64.CONSTANT". Source of the opcodes: CUDA
 * Binary Utilities, "Instruction Set Reference". */
enum sass_kind {
    SASS_OTHER, /* no event: arithmetic, branches, constant memory, control of caches */
    SASS_ACCESS,
    SASS_BARRIER, /* waits for the block */
    SASS_EXIT,
    SASS_STRANGE /* accesses memory in a way that a trace does not hold: textures, surfaces, bulk copies */
};
struct sass_form {
    enum sass_kind kind;
    enum trace_operation operation;
    enum ptx_space space; /* PTX_SPACE_GENERIC: the address decides */
    uint8_t bytes;        /* of a lane */
    bool copies;          /* LDGSTS, from global to shared memory: two accesses of one instruction */
    uint32_t rows;        /* of LDSM and STSM: lanes that give the address of a row */
};
struct sass_form sass_read(const char *opcode);

/* A place in a line. Lines end at '\n' or at the end of the file; '\r' is a space. */
struct import_line {
    const char *at, *end;
    int number; /* 1-based */
};
struct import_text {
    const char *at, *end;
    int number;
};
bool import_next_line(struct import_text *text, struct import_line *line);
/* Take the next word between spaces (empty at the end), or a number that is a whole word. base: 10 or 16, which may
 * begin with 0x. */
struct import_word {
    const char *at;
    size_t size;
};
struct import_word import_take_word(struct import_line *line);
bool import_word_is(struct import_word word, const char *text);
bool import_number(struct import_word word, unsigned base, uint64_t most, uint64_t *number);
bool import_take_number(struct import_line *line, unsigned base, uint64_t most, uint64_t *number);
/* Skips a text at the place, or returns false. */
bool import_skip(struct import_line *line, const char *text);
/* Reads "3,2,1" with all of a line or word; returns false unless it is three numbers of 32 bits. */
bool import_triple(const char *at, size_t size, uint32_t three[3]);

/* The making of one trace. */
struct import;
struct import *import_new(const char *name, struct error *error);
void import_free(struct import *import);
/* The trace to fill: kernel, grid, block, shared_bytes, device, totals. */
struct trace *import_trace(struct import *import);
/* Returns the number of the instruction with this address and text, a new one where there is none yet. opcode: 63
 * letters at most. line: of the source, 0: unknown. */
uint32_t import_instruction(struct import *import, uint64_t address, const char *opcode, const char *registers,
                            uint32_t line);
const struct sass_form *import_form(const struct import *import, uint32_t instruction);
/* Returns the number of a block, or false with an error when it is outside the grid. */
bool import_block(struct import *import, int line, const uint32_t block[3], uint64_t *number);
/* Adds an event of a warp: an access with the 32 addresses, a barrier or an exit with NULL. space: of an address of a
 * generic instruction, otherwise PTX_SPACE_GENERIC. An empty mask adds nothing. */
bool import_event(struct import *import, int line, uint64_t block, uint32_t warp, uint32_t instruction, uint32_t mask,
                  enum ptx_space space, const uint64_t *addresses);
/* Ends the making, also after an error, when `good` is false. */
bool import_end(struct import *import, bool good, struct trace **trace);
#endif
