/* The generators of cuRAND's host interface. Their sequences are the library's: docs/programs.md says which. */
#ifndef LANESCOPE_CUDART_RANDOM_H
#define LANESCOPE_CUDART_RANDOM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum random_kind { RANDOM_XORWOW, RANDOM_MRG32K3A, RANDOM_PHILOX };
enum { RANDOM_OFFSET_BITS = 44 }; /* of the largest offset */
enum random_form {
    RANDOM_BITS,
    RANDOM_UNIFORM,
    RANDOM_UNIFORM_DOUBLE,
    RANDOM_NORMAL,
    RANDOM_NORMAL_DOUBLE,
    RANDOM_LOG_NORMAL,
    RANDOM_LOG_NORMAL_DOUBLE,
    RANDOM_POISSON
};
struct random {
    enum random_kind kind;
    uint64_t seed, offset;
    struct random_stream *streams; /* NULL: not begun */
    uint32_t next, within;         /* the stream that the next number is from; of Philox: which of its four */
};
/* Forgets what was generated: the next number is that of the seed and the offset. */
void random_restart(struct random *random);
/* Writes `count` numbers. a, b: mean and standard deviation; of Poisson a is lambda. The count of normal numbers is
 * even. Returns false when there is no memory. */
bool random_fill(struct random *random, enum random_form form, double a, double b, size_t count, void *numbers);
size_t random_size(enum random_form form);
#endif
