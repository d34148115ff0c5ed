/* Shared by both users of features.cu and math.cu: features_gpu.cu, and the tests emulator_features and
 * emulator_math. */
#ifndef LANESCOPE_TESTS_FEATURES_H
#define LANESCOPE_TESTS_FEATURES_H
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { FEATURE_BLOCKS = 2, FEATURE_THREADS = 64, FEATURE_WORDS = 8 * FEATURE_BLOCKS * FEATURE_THREADS };
enum { MATH_INPUTS = 2048, MATH_THREADS = 128, MATH_SINGLES = 44, MATH_DOUBLES = 25 };

static inline uint64_t feature_hash(const void *words, size_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
    for (size_t i = 0; i < count; i++) {
        memcpy(&word, (const char *)words + 8 * i, 8);
        hash = (hash ^ word ^ hash >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return hash;
}

/* Returns special numbers, small ones, and some of every size, so that the code for large arguments runs, too: pairs of
 * x and y, the same for both precisions if single has them. It uses no host function that could round differently
 * elsewhere. */
static inline double math_input(uint64_t *state)
{
    static const double specials[32] = {0.0,
                                        -0.0,
                                        1.0,
                                        -1.0,
                                        0.5,
                                        -0.5,
                                        2.0,
                                        1e300,
                                        -1e300,
                                        1e-300,
                                        1e-40,
                                        3.140625,
                                        1.5703125,
                                        100.0,
                                        -10.5,
                                        1e5,
                                        105615.0,
                                        1e10,
                                        1e22,
                                        3e38,
                                        -3e38,
                                        1e-20,
                                        88.75,
                                        -103.875,
                                        709.75,
                                        -745.0,
                                        7.0,
                                        -2.5,
                                        -3.0,
                                        0.99999988079071045,
                                        1.0000001192092896,
                                        -7.0};
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t bits = *state ^ *state >> 31, power, kind = *state >> 60;
    double value = (double)((int64_t)(bits << 20) >> 32) * 0x1p-31; /* from -1 to 1 */
    if (kind < 2)
        return specials[bits & 31];
    if (kind < 13)
        return value * (kind < 5 ? 1 : kind < 10 ? 10 : kind < 12 ? 100 : 1e6);
    power = (1023 - 120 + (bits >> 8) % 240) << 52;
    double scale;
    memcpy(&scale, &power, 8);
    return value * scale;
}

static inline void math_fill(double *pairs)
{
    uint64_t state = 20251121;
    for (unsigned i = 0; i < 2 * MATH_INPUTS; i++)
        pairs[i] = math_input(&state);
}
#endif
