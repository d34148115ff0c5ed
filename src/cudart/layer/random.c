/* A generator is many streams of numbers, which take turns: each gives one number, or two normal ones, and the next
 * stream goes on. The streams are sequences of the generator that lie far apart. XORWOW: G. Marsaglia, "Xorshift RNGs"
 * (2003). MRG32k3a: P. L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive Random Number
 * Generators" (1999). Philox: J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3" (2011). */
#include "cudart/layer/random.h"
#include "cudart/layer/xorwow.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { XORWOW_STREAMS = 4096, MRG_STREAMS = 81920, PHILOX_STREAMS = 65536, MRG_APART = 76 /* 2^76 numbers */ };
static uint64_t const first_modulus = 4294967087, second_modulus = 4294944443;

struct random_stream {
    uint32_t added, v[XORWOW_WORDS]; /* XORWOW */
    uint64_t first[3], second[3];    /* MRG32k3a */
    uint64_t place;                  /* Philox: fours of numbers drawn */
};

size_t random_size(enum random_form form)
{
    return form == RANDOM_UNIFORM_DOUBLE || form == RANDOM_NORMAL_DOUBLE || form == RANDOM_LOG_NORMAL_DOUBLE ? 8 : 4;
}

void random_restart(struct random *random)
{
    free(random->streams);
    random->streams = NULL;
}

/* ---- XORWOW ---- */

static bool begin_xorwow(struct random *random)
{
    uint32_t *jumps = malloc(sizeof *jumps * XORWOW_MATRICES * XORWOW_BITS * XORWOW_WORDS);
    struct random_stream *streams = calloc(XORWOW_STREAMS, sizeof *streams);
    random->streams = streams;
    if (!jumps || !streams) {
        free(jumps);
        return false;
    }
    uint32_t const a = UINT32_C(1099087573) * ((uint32_t)random->seed ^ 0xaad26b49);
    uint32_t const b = UINT32_C(2591861531) * ((uint32_t)(random->seed >> 32) ^ 0xf7dcefdd);
    uint32_t v[XORWOW_WORDS] = {123456789 + a, 362436069 ^ a, 521288629 + b, 88675123 ^ b, 5783321 + a};
    xorwow_fill(jumps);
    for (uint32_t i = 0; i < XORWOW_STREAMS; i++) {
        uint64_t const skipped = random->offset / XORWOW_STREAMS + (i < random->offset % XORWOW_STREAMS);
        streams[i].added = 6615241 + a + b + 362437 * (uint32_t)skipped;
        memcpy(streams[i].v, v, sizeof v);
        xorwow_jump(streams[i].v, jumps, XORWOW_STEPS, skipped);
        xorwow_jump(v, jumps, XORWOW_SEQUENCES, 1);
    }
    free(jumps);
    return true;
}

static uint32_t xorwow(struct random_stream *s)
{
    xorwow_step(s->v);
    s->added += 362437;
    return s->v[4] + s->added;
}

/* ---- MRG32k3a ---- */

typedef uint64_t matrix[3][3];
static const matrix first_step = {{0, 1, 0}, {0, 0, 1}, {4294967087 - 810728, 1403580, 0}};
static const matrix second_step = {{0, 1, 0}, {0, 0, 1}, {4294944443 - 1370589, 0, 527612}};

static void multiply(matrix a, const matrix b, uint64_t modulus)
{
    matrix product = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                product[i][j] = (product[i][j] + a[i][k] * b[k][j] % modulus) % modulus;
    memcpy(a, product, sizeof product);
}

/* Makes `result` the matrix of `count` * 2^`squarings` steps. */
static void power(matrix result, const matrix step, uint64_t count, int squarings, uint64_t modulus)
{
    matrix square, copy;
    memcpy(square, step, sizeof square);
    memset(result, 0, sizeof square);
    for (int i = 0; i < 3; i++)
        result[i][i] = 1;
    for (; squarings || count; squarings -= squarings > 0) {
        if (!squarings) {
            if (count & 1)
                multiply(result, (const uint64_t(*)[3])square, modulus);
            count >>= 1;
        }
        memcpy(copy, square, sizeof copy);
        multiply(square, (const uint64_t(*)[3])copy, modulus);
    }
}

static void apply(uint64_t state[3], matrix m, uint64_t modulus)
{
    uint64_t result[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            result[i] = (result[i] + m[i][k] * state[k] % modulus) % modulus;
    memcpy(state, result, sizeof result);
}

static bool begin_mrg(struct random *random)
{
    struct random_stream *streams = random->streams = calloc(MRG_STREAMS, sizeof *streams);
    uint64_t const x = (uint32_t)random->seed ^ 0x55555555, y = (uint32_t)(random->seed >> 32) ^ 0xAAAAAAAA;
    uint64_t const p = random->seed ? x : 1, q = random->seed ? y : 1, seed = 12345;
    uint64_t first[3] = {p * seed % first_modulus, q * seed % first_modulus, p * seed % first_modulus};
    uint64_t second[3] = {q * seed % second_modulus, p * seed % second_modulus, q * seed % second_modulus};
    matrix apart[2], skip[2][2];
    if (!streams)
        return false;
    power(apart[0], first_step, 1, MRG_APART, first_modulus);
    power(apart[1], second_step, 1, MRG_APART, second_modulus);
    for (uint64_t more = 0; more < 2; more++) {
        power(skip[more][0], first_step, random->offset / MRG_STREAMS + more, 0, first_modulus);
        power(skip[more][1], second_step, random->offset / MRG_STREAMS + more, 0, second_modulus);
    }
    for (uint32_t i = 0; i < MRG_STREAMS; i++) {
        unsigned const more = i < random->offset % MRG_STREAMS;
        memcpy(streams[i].first, first, sizeof first);
        memcpy(streams[i].second, second, sizeof second);
        apply(streams[i].first, skip[more][0], first_modulus);
        apply(streams[i].second, skip[more][1], second_modulus);
        apply(first, apart[0], first_modulus);
        apply(second, apart[1], second_modulus);
    }
    return true;
}

/* Returns a number from 1 to the first modulus. */
static double mrg(struct random_stream *s)
{
    uint64_t const *f = s->first, *g = s->second;
    uint64_t const p = (1403580 * f[1] + (first_modulus - 810728) * f[0] % first_modulus) % first_modulus;
    uint64_t const q = (527612 * g[2] + (second_modulus - 1370589) * g[0] % second_modulus) % second_modulus;
    memmove(s->first, s->first + 1, 2 * sizeof *s->first);
    memmove(s->second, s->second + 1, 2 * sizeof *s->second);
    s->first[2] = p;
    s->second[2] = q;
    return (double)(p > q ? p - q : p + first_modulus - q);
}

/* ---- Philox ---- */

static bool begin_philox(struct random *random)
{
    uint64_t const fours = random->offset / 4;
    struct random_stream *streams = random->streams = calloc(PHILOX_STREAMS, sizeof *streams);
    for (uint32_t i = 0; streams && i < PHILOX_STREAMS; i++)
        streams[i].place = fours / PHILOX_STREAMS + (i < fours % PHILOX_STREAMS);
    random->next = (uint32_t)(fours % PHILOX_STREAMS);
    random->within = random->offset % 4;
    return streams;
}

/* Writes the four numbers at a place of a stream. */
static void philox(uint64_t seed, uint32_t stream, uint64_t place, uint32_t out[4])
{
    uint32_t c[4] = {(uint32_t)place, (uint32_t)(place >> 32), stream, 0};
    uint32_t k[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int round = 0; round < 10; round++) {
        uint64_t const a = UINT64_C(0xD2511F53) * c[0], b = UINT64_C(0xCD9E8D57) * c[2];
        uint32_t const next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ k[1],
                                  (uint32_t)a};
        memcpy(c, next, sizeof c);
        k[0] += 0x9E3779B9;
        k[1] += 0xBB67AE85;
    }
    memcpy(out, c, sizeof c);
}

/* ---- numbers of a distribution ---- */

static float const part = 2.3283064e-10F, circle = 6.2831855F;
static double const fine_part = 1.1102230246251565e-16, mrg_part = 2.3283065498378288e-10;

static float uniform(uint32_t x)
{
    return (float)x * part + part / 2;
}

static uint64_t join(const uint32_t x[2])
{
    return x[0] ^ (uint64_t)x[1] << 21;
}

static double uniform_double(const uint32_t x[2])
{
    return (double)join(x) * fine_part + fine_part / 2;
}

/* Box and Muller's two numbers. turns: of a circle, doubled. */
static void normal_double(double u, double turns, double out[2])
{
    double const length = sqrt(-2 * log(u)), angle = turns * 3.1415926535897932;
    out[0] = sin(angle) * length;
    out[1] = cos(angle) * length;
}

static void normal(float u, float angle, float out[2])
{
    float const length = sqrtf(-2 * logf(u));
    out[0] = sinf(angle) * length;
    out[1] = cosf(angle) * length;
}

static void normal_of_bits(const uint32_t x[2], float out[2])
{
    normal(uniform(x[0]), (float)x[1] * (part * circle) + part * circle / 2, out);
}

static void normal_double_of_bits(const uint32_t x[4], double out[2])
{
    normal_double(uniform_double(x), (double)join(x + 2) * (2 * fine_part) + fine_part, out);
}

/* Returns the number that the probabilities reach u at, taken from the middle outwards. */
static uint32_t poisson(double lambda, double u)
{
    double const middle = floor(lambda);
    double const peak = exp(middle * log(lambda) - lambda - lgamma(middle + 1));
    double below = peak, above = peak;
    u -= peak;
    for (double step = 1; u > 0 && (below > 0 || above > 1e-300); step++) {
        above *= lambda / (middle + step);
        u -= above;
        if (u <= 0)
            return (uint32_t)(middle + step);
        below = step <= middle ? below * (middle - step + 1) / lambda : 0;
        u -= below;
        if (below > 0 && u <= 0)
            return (uint32_t)(middle - step);
    }
    return (uint32_t)middle;
}

struct pair { /* one number, or two normal ones */
    uint32_t bits;
    float real[2];
    double fine[2];
};

static void take_xorwow(struct random_stream *s, enum random_form form, struct pair *out)
{
    uint32_t x[4] = {xorwow(s)};
    bool const normals = form >= RANDOM_NORMAL && form != RANDOM_POISSON;
    int const draws = form == RANDOM_NORMAL_DOUBLE || form == RANDOM_LOG_NORMAL_DOUBLE     ? 4
                      : normals || form == RANDOM_UNIFORM_DOUBLE || form == RANDOM_POISSON ? 2
                                                                                           : 1;
    for (int i = 1; i < draws; i++)
        x[i] = xorwow(s);
    out->bits = x[0];
    if (draws == 4)
        normal_double_of_bits(x, out->fine);
    else if (normals)
        normal_of_bits(x, out->real);
    else if (draws == 2)
        out->fine[0] = uniform_double(x);
    else
        out->real[0] = uniform(x[0]);
}

static void take_mrg(struct random_stream *s, enum random_form form, struct pair *out)
{
    double const x = mrg(s), u = x * mrg_part;
    bool const normals = form >= RANDOM_NORMAL && form != RANDOM_POISSON;
    double const v = normals ? mrg(s) * mrg_part : 0;
    out->bits = (uint32_t)(uint64_t)(x * 1.000000048662);
    out->real[0] = (float)u;
    out->fine[0] = u;
    if (form == RANDOM_NORMAL || form == RANDOM_LOG_NORMAL)
        normal((float)u, (float)v * circle, out->real);
    else if (normals)
        normal_double(u, 2 * v, out->fine);
}

/* Each stream of Philox gives four numbers at a time, with a draw of four for each two doubles and each four others. */
static void take_philox(struct random *random, enum random_form form, struct pair *out)
{
    uint32_t x[4];
    bool const normals = form >= RANDOM_NORMAL && form != RANDOM_POISSON;
    bool const doubles = random_size(form) == 8 || form == RANDOM_POISSON;
    struct random_stream *stream = &random->streams[random->next];
    unsigned const within = random->within, at = doubles ? within % 2 * 2 : within, other = within % 2;
    philox(random->seed, random->next, stream->place + (doubles ? within / 2 : 0), x);
    out->bits = x[at];
    if (doubles && normals) {
        normal_double_of_bits(x, out->fine);
        out->fine[0] = out->fine[other];
    } else if (doubles) {
        out->fine[0] = uniform_double(x + at);
    } else if (normals) {
        normal_of_bits(x + (at - other), out->real);
        out->real[0] = out->real[other];
    } else {
        out->real[0] = uniform(x[at]);
    }
    random->within = (within + 1) % 4;
    if (!random->within) {
        stream->place += doubles ? 2 : 1;
        random->next = (random->next + 1) % PHILOX_STREAMS;
    }
}

static void put(void *numbers, size_t i, enum random_form form, const struct pair *pair, int which, double a, double b)
{
    float const mean = (float)a, deviation = (float)b;
    switch (form) {
    case RANDOM_BITS:
        ((uint32_t *)numbers)[i] = pair->bits;
        break;
    case RANDOM_POISSON:
        ((uint32_t *)numbers)[i] = poisson(a, pair->fine[0]);
        break;
    case RANDOM_UNIFORM:
        ((float *)numbers)[i] = pair->real[0];
        break;
    case RANDOM_NORMAL:
        ((float *)numbers)[i] = mean + deviation * pair->real[which];
        break;
    case RANDOM_LOG_NORMAL:
        ((float *)numbers)[i] = expf(mean + deviation * pair->real[which]);
        break;
    case RANDOM_UNIFORM_DOUBLE:
        ((double *)numbers)[i] = pair->fine[0];
        break;
    case RANDOM_NORMAL_DOUBLE:
        ((double *)numbers)[i] = a + b * pair->fine[which];
        break;
    case RANDOM_LOG_NORMAL_DOUBLE:
        ((double *)numbers)[i] = exp(a + b * pair->fine[which]);
        break;
    }
}

static bool begin(struct random *random)
{
    bool const xorwow = random->kind == RANDOM_XORWOW;
    random->next = (uint32_t)(random->offset % (xorwow ? XORWOW_STREAMS : MRG_STREAMS));
    return random->kind == RANDOM_PHILOX ? begin_philox(random) : xorwow ? begin_xorwow(random) : begin_mrg(random);
}

bool random_fill(struct random *random, enum random_form form, double a, double b, size_t count, void *numbers)
{
    uint32_t const streams = random->kind == RANDOM_XORWOW ? XORWOW_STREAMS : MRG_STREAMS;
    bool const fours = random->kind == RANDOM_PHILOX;
    int const together = !fours && form >= RANDOM_NORMAL && form != RANDOM_POISSON ? 2 : 1;
    if (!random->streams && !begin(random)) {
        random_restart(random);
        return false;
    }
    for (size_t i = 0; i < count; i += (size_t)together) {
        struct pair pair = {0};
        if (fours) {
            take_philox(random, form, &pair);
        } else {
            (random->kind == RANDOM_XORWOW ? take_xorwow : take_mrg)(&random->streams[random->next], form, &pair);
            random->next = (random->next + 1) % streams;
        }
        for (int which = 0; which < together; which++)
            put(numbers, i + (size_t)which, form, &pair, which, a, b);
    }
    return true;
}
