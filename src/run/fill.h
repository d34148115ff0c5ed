/* Buffers and scalars given in words: `f32[1024]=iota`, `i32=5`, and the fills of lesson files. */
#ifndef LANESCOPE_RUN_FILL_H
#define LANESCOPE_RUN_FILL_H
#include "base/arena.h"
#include "base/error.h"
#include "trace/launch.h"

/* FILL_NONE leaves a buffer uninitialized: its bytes are zeros, but a kernel that reads them before it writes them has
 * a bug. */
enum fill_kind {
    FILL_ZERO,
    FILL_IOTA,
    FILL_CONST,
    FILL_MOD,
    FILL_CHASE,
    FILL_RANDOM,
    FILL_DIGITS,
    FILL_SAME,
    FILL_PICTURE,
    FILL_FILE,
    FILL_NONE
};
struct fill {
    enum fill_kind kind;
    uint64_t number;   /* for mod, chase, random, digits and same */
    const char *value; /* for const and iota the number as written ("": iota has none), for file the path */
};

/* Reads "iota", "mod:7" and so on. The parts are copied into the arena. */
bool fill_parse(struct arena *arena, const char *text, struct fill *fill, struct error *error);
/* Puts the path of a file fill into `folder`, as path_inside does. Returns false when it leads out of the folder. */
bool fill_inside(struct arena *arena, const char *folder, struct fill *fill, struct error *error);
/* Writes the elements of an allocated buffer. random: element i is splitmix64(seed, i); see docs/lessons.md. picture:
 * the buffer must have a shape. */
bool fill_buffer(const struct fill *fill, const struct launch_buffer *buffer, struct error *error);

/* Returns the type of a buffer's elements by its name on the command line: i8 u8 i16 u16 i32 u32 i64 u64 b1 e4m3 e5m2
 * f16 bf16 f32 f64. Returns PTX_TYPE_NONE for other names. An element of b1 is a byte, of eight bits. */
enum ptx_type fill_type(const char *name, size_t length);
const char *fill_type_name(enum ptx_type type);
/* Reads a number of this type into the low bytes of bits. */
bool fill_scalar(enum ptx_type type, const char *text, uint64_t *bits, struct error *error);

/* Allocates zeroed memory for the elements of all buffers, or of none. The error names what they need and what there
 * is.
 */
bool launch_buffers_allocate(struct launch *launch, struct error *error);
void launch_buffers_free(struct launch *launch);

/* A buffer inside a structure: the 8 bytes at `offset` are its address. */
struct argument_inner {
    uint32_t offset;
    enum ptx_type type;
    uint64_t count;
    struct launch_shape shape;
    struct fill fill;
};
/* One `--arg` of the command line. A buffer is neither allocated nor filled yet. */
struct argument_text {
    bool is_buffer;
    enum ptx_type type;
    uint64_t count;
    struct launch_shape shape;
    struct fill fill;
    uint64_t bits;
    /* A structure by value, laid out as in C: `size` bytes in the arena; NULL where `bits` holds them. */
    bool structure;
    const uint8_t *bytes;
    uint32_t size;
    const struct argument_inner *inner; /* the buffers in it, in the arena */
    uint32_t inner_count;
};
/* Returns the next path of a file fill in an argument, from `at` on, and its length; NULL: there is none. */
const char *argument_file(const char *argument, const char *at, size_t *length);
bool argument_parse(struct arena *arena, const char *text, struct argument_text *argument, struct error *error);
#endif
