/* Parses PTX text into a ptx_module: lexer, parser, control flow. It tolerates every debug directive and section. An
 * unknown instruction, word or form is an error that names it and its PTX line. */
#ifndef LANESCOPE_PTX_PARSE_H
#define LANESCOPE_PTX_PARSE_H
#include "base/arena.h"
#include "base/error.h"
#include "ptx/module.h"

/* Parses a module into the arena. It keeps its own copy of text. name stands for the text in errors. */
bool ptx_parse(struct arena *arena, const char *name, const char *text, size_t size, struct ptx_module **module,
               struct error *error);

/* Like ptx_parse, but collects all unknown instructions instead of stopping at the first, for `inspect`. The module
 * holds the other instructions; it must not be run when count > 0. */
struct ptx_unknown {
    const char *instruction; /* as written */
    const char *function;
    const char *reason;      /* a sentence in English, which may have a translation */
    uint32_t ptx_line, line; /* in the PTX, and in the kernel's source */
};
bool ptx_survey(struct arena *arena, const char *name, const char *text, size_t size, struct ptx_module **module,
                struct ptx_unknown **unknown, size_t *count, struct error *error);

/* Reads single instructions without their operands: opcode, types, spaces and the other dotted words. The text may
 * begin with a predicate. ptx_words_read returns false when the text holds no known opcode, or a word that is not
 * known. */
struct ptx_words;
struct ptx_words *ptx_words_new(void);
bool ptx_words_read(struct ptx_words *words, const char *text, struct ptx_instruction *instruction);
void ptx_words_free(struct ptx_words *words);
#endif
