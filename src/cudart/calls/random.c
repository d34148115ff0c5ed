/* cuRAND's host interface: generators whose numbers the host makes (layer/random.c), for memory of the device or of the
 * host. docs/programs.md says which of the library's sequences they have. */
#include "cudart/layer/random.h"
#include "cudart/calls/api.h"
#include "cudart/calls/library.h"
#include <stdio.h>
#include <stdlib.h>

enum {
    RANDOM_SUCCESS = 0,
    RANDOM_NOT_INITIALIZED = 101,
    RANDOM_ALLOCATION_FAILED,
    RANDOM_TYPE_ERROR,
    RANDOM_OUT_OF_RANGE,
    RANDOM_LENGTH_NOT_MULTIPLE,
    RANDOM_LAUNCH_FAILURE = 201
};
struct generator {
    bool on_host;
    void *stream;
    struct random random;
};

#define BEGIN(name, stream) bool const can = lanescope_library_begin(#name, __builtin_return_address(0), stream)

static cudaError_t end(int status)
{
    static const struct {
        int status;
        const char *name;
    } names[] = {{RANDOM_NOT_INITIALIZED, "CURAND_STATUS_NOT_INITIALIZED"},
                 {RANDOM_ALLOCATION_FAILED, "CURAND_STATUS_ALLOCATION_FAILED"},
                 {RANDOM_TYPE_ERROR, "CURAND_STATUS_TYPE_ERROR"},
                 {RANDOM_OUT_OF_RANGE, "CURAND_STATUS_OUT_OF_RANGE"},
                 {RANDOM_LENGTH_NOT_MULTIPLE, "CURAND_STATUS_LENGTH_NOT_MULTIPLE"},
                 {RANDOM_LAUNCH_FAILURE, "CURAND_STATUS_LAUNCH_FAILURE"}};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        name = names[i].status == status ? names[i].name : name;
    return (cudaError_t)lanescope_library_end(status, name);
}

static int create(struct generator **generator, int type, bool on_host)
{
    enum { DEFAULT = 100, XORWOW = 101, MRG32K3A = 121, PHILOX = 161 };
    bool const known = type == DEFAULT || type == XORWOW || type == MRG32K3A || type == PHILOX;
    lanescope_library_number("type", type);
    if (!known) {
        fflush(stdout);
        fprintf(stderr, "lanescope: cuRAND's generator %d is not supported; XORWOW, MRG32k3a and Philox are\n", type);
    }
    if (!generator || !known)
        return RANDOM_TYPE_ERROR;
    *generator = calloc(1, sizeof **generator);
    if (!*generator)
        return RANDOM_ALLOCATION_FAILED;
    (*generator)->on_host = on_host;
    (*generator)->random.kind = type == PHILOX ? RANDOM_PHILOX : type == MRG32K3A ? RANDOM_MRG32K3A : RANDOM_XORWOW;
    return RANDOM_SUCCESS;
}

cudaError_t curandCreateGenerator(struct generator **generator, int type)
{
    BEGIN(curandCreateGenerator, NULL);
    (void)can;
    return end(create(generator, type, false));
}

cudaError_t curandCreateGeneratorHost(struct generator **generator, int type)
{
    BEGIN(curandCreateGeneratorHost, NULL);
    (void)can;
    return end(create(generator, type, true));
}

cudaError_t curandDestroyGenerator(struct generator *generator)
{
    BEGIN(curandDestroyGenerator, NULL);
    (void)can;
    if (generator)
        random_restart(&generator->random);
    free(generator);
    return end(generator ? RANDOM_SUCCESS : RANDOM_NOT_INITIALIZED);
}

cudaError_t curandGetVersion(int *version)
{
    if (version)
        *version = 10305; /* of CUDA 12.4 */
    return version ? RANDOM_SUCCESS : RANDOM_OUT_OF_RANGE;
}

cudaError_t curandSetStream(struct generator *generator, cudaStream_t stream)
{
    BEGIN(curandSetStream, stream);
    (void)can;
    if (generator)
        generator->stream = stream;
    return end(generator ? RANDOM_SUCCESS : RANDOM_NOT_INITIALIZED);
}

cudaError_t curandSetPseudoRandomGeneratorSeed(struct generator *generator, unsigned long long seed)
{
    BEGIN(curandSetPseudoRandomGeneratorSeed, NULL);
    (void)can;
    lanescope_library_number("seed", (long long)seed);
    if (!generator)
        return end(RANDOM_NOT_INITIALIZED);
    generator->random.seed = seed;
    random_restart(&generator->random);
    return end(RANDOM_SUCCESS);
}

cudaError_t curandSetGeneratorOffset(struct generator *generator, unsigned long long offset)
{
    BEGIN(curandSetGeneratorOffset, NULL);
    (void)can;
    lanescope_library_number("offset", (long long)offset);
    if (!generator || offset >> RANDOM_OFFSET_BITS)
        return end(generator ? RANDOM_OUT_OF_RANGE : RANDOM_NOT_INITIALIZED);
    generator->random.offset = offset;
    random_restart(&generator->random);
    return end(RANDOM_SUCCESS);
}

cudaError_t curandSetGeneratorOrdering(struct generator *generator, int ordering)
{
    enum { BEST = 100, DEFAULT = 101, LEGACY = 103 };
    BEGIN(curandSetGeneratorOrdering, NULL);
    (void)can;
    bool const known = ordering == BEST || ordering == DEFAULT || ordering == LEGACY;
    return end(!generator ? RANDOM_NOT_INITIALIZED : known ? RANDOM_SUCCESS : RANDOM_OUT_OF_RANGE);
}

/* Fills the memory; in that of the device the numbers are copied. */
static int fill(struct generator *g, enum random_form form, double a, double b, void *memory, size_t count, bool can)
{
    bool const normal = form >= RANDOM_NORMAL && form != RANDOM_POISSON;
    size_t const size = random_size(form);
    int status = RANDOM_SUCCESS;
    if (!g)
        return RANDOM_NOT_INITIALIZED;
    if (normal && count % 2)
        return RANDOM_LENGTH_NOT_MULTIPLE;
    if (form == RANDOM_POISSON && !(a > 0))
        return RANDOM_OUT_OF_RANGE;
    if (g->on_host)
        return random_fill(&g->random, form, a, b, count, memory) ? RANDOM_SUCCESS : RANDOM_ALLOCATION_FAILED;
    if (!can || count > SIZE_MAX / size)
        return RANDOM_LAUNCH_FAILURE;
    void *numbers = malloc(count * size + 1);
    if (!numbers || !random_fill(&g->random, form, a, b, count, numbers))
        status = RANDOM_ALLOCATION_FAILED;
    else if (!lanescope_library_write("output", memory, count * size, 1, 0, numbers))
        status = RANDOM_LAUNCH_FAILURE;
    free(numbers);
    return status;
}

#define GENERATE(name, parameters, form, a, b)                                                                         \
    cudaError_t name parameters                                                                                        \
    {                                                                                                                  \
        BEGIN(name, generator ? generator->stream : NULL);                                                             \
        return end(fill(generator, form, a, b, memory, count, can));                                                   \
    }
GENERATE(curandGenerate, (struct generator * generator, unsigned *memory, size_t count), RANDOM_BITS, 0, 0)
GENERATE(curandGenerateUniform, (struct generator * generator, float *memory, size_t count), RANDOM_UNIFORM, 0, 0)
GENERATE(curandGenerateUniformDouble, (struct generator * generator, double *memory, size_t count),
         RANDOM_UNIFORM_DOUBLE, 0, 0)
GENERATE(curandGenerateNormal, (struct generator * generator, float *memory, size_t count, float mean, float deviation),
         RANDOM_NORMAL, mean, deviation)
GENERATE(curandGenerateNormalDouble,
         (struct generator * generator, double *memory, size_t count, double mean, double deviation),
         RANDOM_NORMAL_DOUBLE, mean, deviation)
GENERATE(curandGenerateLogNormal,
         (struct generator * generator, float *memory, size_t count, float mean, float deviation), RANDOM_LOG_NORMAL,
         mean, deviation)
GENERATE(curandGenerateLogNormalDouble,
         (struct generator * generator, double *memory, size_t count, double mean, double deviation),
         RANDOM_LOG_NORMAL_DOUBLE, mean, deviation)
GENERATE(curandGeneratePoisson, (struct generator * generator, unsigned *memory, size_t count, double lambda),
         RANDOM_POISSON, lambda, 0)
