// Launches in which one warp makes one access, for a profiler to count. The lanes' addresses come with the kernel's
// parameters, which are in constant memory, so that nothing else of a launch passes through the counted unit. For loads
// from constant memory they come from global memory.
//
//   probe FILE        one launch a line of FILE, as patterns.py writes them:
//     ld.shared 4 ffffffff 0+2*32             operation, bytes a lane, active lanes, lanes' elements (32 of them)
//     run CUBIN KERNEL 4,1,1 256,1,1 0 f32[1000]=zero i32=1000     a whole kernel, arguments as on the command line
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct Pattern {
    uint32_t offsets[32]; // in bytes
    uint32_t mask;
};

constexpr size_t GLOBAL_BYTES = 16 << 20, SHARED_BYTES = 48 << 10, CONSTANT_BYTES = 60 << 10;
static __constant__ __align__(1024) char constants[CONSTANT_BYTES];

#define AT_shared(at) "r"((unsigned)__cvta_generic_to_shared(at))
#define AT_global(at) "l"(__cvta_generic_to_global(at))
#define BASE_shared                                                                                                    \
    __shared__ __align__(1024) char tile[SHARED_BYTES];                                                                \
    char *base = tile;
#define BASE_global char *base = global;

// A loaded value goes into a condition that never holds, so that no compiler removes the load.
#define PROBE(name, space, ...)                                                                                        \
    static __global__ void name(const __grid_constant__ Pattern pattern, char *global, unsigned secret)                \
    {                                                                                                                  \
        BASE_##space unsigned const lane = threadIdx.x;                                                                \
        unsigned seen = 0;                                                                                             \
        if (pattern.mask >> lane & 1) {                                                                                \
            char *at = base + pattern.offsets[lane];                                                                   \
            __VA_ARGS__ if (seen == ~secret) __trap();                                                                 \
        }                                                                                                              \
    }

#define LOADS(space)                                                                                                   \
    PROBE(ld1_##space, space, {                                                                                        \
        uint16_t a;                                                                                                    \
        asm volatile("ld." #space ".u8 %0, [%1];" : "=h"(a) : AT_##space(at) : "memory");                              \
        seen = a;                                                                                                      \
    })                                                                                                                 \
    PROBE(ld2_##space, space, {                                                                                        \
        uint16_t a;                                                                                                    \
        asm volatile("ld." #space ".u16 %0, [%1];" : "=h"(a) : AT_##space(at) : "memory");                             \
        seen = a;                                                                                                      \
    })                                                                                                                 \
    PROBE(ld4_##space, space, {                                                                                        \
        asm volatile("ld." #space ".u32 %0, [%1];" : "=r"(seen) : AT_##space(at) : "memory");                          \
    })                                                                                                                 \
    PROBE(ld8_##space, space, {                                                                                        \
        unsigned a, b;                                                                                                 \
        asm volatile("ld." #space ".v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : AT_##space(at) : "memory");           \
        seen = a ^ b;                                                                                                  \
    })                                                                                                                 \
    PROBE(ld16_##space, space, {                                                                                       \
        unsigned a, b, c, d;                                                                                           \
        asm volatile("ld." #space ".v4.u32 {%0, %1, %2, %3}, [%4];"                                                    \
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                                              \
                     : AT_##space(at)                                                                                  \
                     : "memory");                                                                                      \
        seen = a ^ b ^ c ^ d;                                                                                          \
    })

#define STORES(space)                                                                                                  \
    PROBE(st1_##space, space, {                                                                                        \
        asm volatile("st." #space ".u8 [%0], %1;" ::AT_##space(at), "h"((uint16_t)lane) : "memory");                   \
    })                                                                                                                 \
    PROBE(st2_##space, space, {                                                                                        \
        asm volatile("st." #space ".u16 [%0], %1;" ::AT_##space(at), "h"((uint16_t)lane) : "memory");                  \
    })                                                                                                                 \
    PROBE(st4_##space, space, { asm volatile("st." #space ".u32 [%0], %1;" ::AT_##space(at), "r"(lane) : "memory"); }) \
    PROBE(st8_##space, space, {                                                                                        \
        asm volatile("st." #space ".v2.u32 [%0], {%1, %1};" ::AT_##space(at), "r"(lane) : "memory");                   \
    })                                                                                                                 \
    PROBE(st16_##space, space, {                                                                                       \
        asm volatile("st." #space ".v4.u32 [%0], {%1, %1, %1, %1};" ::AT_##space(at), "r"(lane) : "memory");           \
    })

// add of a value known only at run time, add of 1 (as in a histogram), exchange, compare and exchange
#define ATOMICS(space)                                                                                                 \
    PROBE(atom_add_##space, space, {                                                                                   \
        asm volatile("atom." #space ".add.u32 %0, [%1], %2;" : "=r"(seen) : AT_##space(at), "r"(secret) : "memory");   \
    })                                                                                                                 \
    PROBE(atom_one_##space, space, {                                                                                   \
        asm volatile("atom." #space ".add.u32 %0, [%1], 1;" : "=r"(seen) : AT_##space(at) : "memory");                 \
    })                                                                                                                 \
    PROBE(atom_exch_##space, space, {                                                                                  \
        asm volatile("atom." #space ".exch.b32 %0, [%1], %2;" : "=r"(seen) : AT_##space(at), "r"(lane) : "memory");    \
    })                                                                                                                 \
    PROBE(atom_cas_##space, space, {                                                                                   \
        asm volatile("atom." #space ".cas.b32 %0, [%1], %2, %3;"                                                       \
                     : "=r"(seen)                                                                                      \
                     : AT_##space(at), "r"(secret), "r"(lane)                                                          \
                     : "memory");                                                                                      \
    })                                                                                                                 \
    PROBE(atom_exch8_##space, space, {                                                                                 \
        unsigned long long a;                                                                                          \
        asm volatile("atom." #space ".exch.b64 %0, [%1], %2;"                                                          \
                     : "=l"(a)                                                                                         \
                     : AT_##space(at), "l"((unsigned long long)lane)                                                   \
                     : "memory");                                                                                      \
        seen = (unsigned)(a ^ a >> 32);                                                                                \
    })                                                                                                                 \
    PROBE(atom_cas8_##space, space, {                                                                                  \
        unsigned long long a;                                                                                          \
        asm volatile("atom." #space ".cas.b64 %0, [%1], %2, %3;"                                                       \
                     : "=l"(a)                                                                                         \
                     : AT_##space(at), "l"((unsigned long long)secret), "l"((unsigned long long)lane)                  \
                     : "memory");                                                                                      \
        seen = (unsigned)(a ^ a >> 32);                                                                                \
    })                                                                                                                 \
    PROBE(red_add_##space, space, {                                                                                    \
        asm volatile("red." #space ".add.u32 [%0], %1;" ::AT_##space(at), "r"(secret) : "memory");                     \
    })                                                                                                                 \
    PROBE(red_one_##space, space, { asm volatile("red." #space ".add.u32 [%0], 1;" ::AT_##space(at) : "memory"); })

LOADS(shared)
LOADS(global)
STORES(shared)
STORES(global)
ATOMICS(shared)
ATOMICS(global)
PROBE(atom_add8_global, global, {
    unsigned long long a;
    asm volatile("atom.global.add.u64 %0, [%1], %2;"
                 : "=l"(a)
                 : AT_global(at), "l"((unsigned long long)secret)
                 : "memory");
    seen = (unsigned)(a ^ a >> 32);
})
PROBE(red_addf_global, global, { asm volatile("red.global.add.f32 [%0], %1;" ::AT_global(at), "f"(1.5f) : "memory"); })

static __device__ unsigned mix(unsigned a)
{
    return a;
}
static __device__ unsigned mix(uint2 a)
{
    return a.x ^ a.y;
}
static __device__ unsigned mix(uint4 a)
{
    return a.x ^ a.y ^ a.z ^ a.w;
}
// A load from constant memory. Without active lanes, a launch does everything but the load. The memory holds zeros, so
// the condition never holds. ptxas makes one LDC of 8 bytes a lane only where it can prove the alignment, as here.
template <class Word> static __global__ void ld_constant(const Pattern *pattern)
{
    unsigned const lane = threadIdx.x, element = pattern->offsets[lane];
    if (pattern->mask >> lane & 1 && mix(((const Word *)constants)[element]) == 0x7f)
        __trap();
}
// The same without a proof of the alignment.
template <class Word> static __global__ void ld_constant_loose(const Pattern *pattern)
{
    unsigned const lane = threadIdx.x, offset = pattern->offsets[lane];
    if (pattern->mask >> lane & 1 && mix(*(const Word *)(constants + offset)) == 0x7f)
        __trap();
}

static const std::map<std::string, const void *> PROBES = {
    {"ld.constant 1", (const void *)ld_constant<uint8_t>},
    {"ld.constant 2", (const void *)ld_constant<uint16_t>},
    {"ld.constant 4", (const void *)ld_constant<unsigned>},
    {"ld.constant 8", (const void *)ld_constant<uint2>},
    {"ld.constant 16", (const void *)ld_constant<uint4>},
    {"ld.constant.loose 8", (const void *)ld_constant_loose<uint2>},
    {"ld.constant.loose 16", (const void *)ld_constant_loose<uint4>},
#define WIDTHS(space)                                                                                                  \
    {"ld." #space " 1", (const void *)ld1_##space}, {"ld." #space " 2", (const void *)ld2_##space},                    \
        {"ld." #space " 4", (const void *)ld4_##space}, {"ld." #space " 8", (const void *)ld8_##space},                \
        {"ld." #space " 16", (const void *)ld16_##space}, {"st." #space " 1", (const void *)st1_##space},              \
        {"st." #space " 2", (const void *)st2_##space}, {"st." #space " 4", (const void *)st4_##space},                \
        {"st." #space " 8", (const void *)st8_##space}, {"st." #space " 16", (const void *)st16_##space},              \
        {"atom." #space ".add 4", (const void *)atom_add_##space},                                                     \
        {"atom." #space ".one 4", (const void *)atom_one_##space},                                                     \
        {"atom." #space ".exch 4", (const void *)atom_exch_##space},                                                   \
        {"atom." #space ".cas 4", (const void *)atom_cas_##space},                                                     \
        {"atom." #space ".exch 8", (const void *)atom_exch8_##space},                                                  \
        {"atom." #space ".cas 8", (const void *)atom_cas8_##space},                                                    \
        {"red." #space ".add 4", (const void *)red_add_##space},                                                       \
        {"red." #space ".one 4", (const void *)red_one_##space},
    WIDTHS(shared) WIDTHS(global){"atom.global.add 8", (const void *)atom_add8_global},
    {"red.global.addf 4", (const void *)red_addf_global}};

static void check(cudaError_t error, const std::string &line)
{
    if (error == cudaSuccess)
        return;
    std::cerr << line << ": " << cudaGetErrorString(error) << "\n";
    exit(1);
}

// START, START+STEP*COUNT or START-STEP*COUNT, in elements
static Pattern pattern_of(std::istringstream &words, unsigned bytes, const std::string &line)
{
    Pattern pattern = {};
    unsigned lane = 0;
    words >> std::hex >> pattern.mask >> std::dec;
    for (std::string word; words >> word;) {
        long start = 0, step = 0, count = 1;
        char sign = '+';
        if (sscanf(word.c_str(), "%ld%c%ld*%ld", &start, &sign, &step, &count) == 4 && sign == '-')
            step = -step;
        for (long i = 0; i < count && lane < 32; i++)
            pattern.offsets[lane++] = (uint32_t)((start + i * step) * bytes);
    }
    if (lane != 32) {
        std::cerr << line << ": not 32 lanes\n";
        exit(1);
    }
    return pattern;
}

static void run_access(std::istringstream &words, const std::string &operation, char *global, const std::string &line)
{
    unsigned bytes = 0, secret = 0x9e3779b1;
    words >> bytes;
    Pattern pattern = pattern_of(words, bytes, line);
    auto const found = PROBES.find(operation + " " + std::to_string(bytes));
    bool const constant = operation.compare(0, 11, "ld.constant") == 0;
    size_t const limit = constant                                         ? CONSTANT_BYTES
                         : operation.find(".shared") != std::string::npos ? SHARED_BYTES
                                                                          : GLOBAL_BYTES;
    for (unsigned lane = 0; lane < 32; lane++)
        if (found == PROBES.end() || pattern.offsets[lane] + bytes > limit) {
            std::cerr << line << ": no such operation, or too far\n";
            exit(1);
        }
    void *arguments[] = {&pattern, &global, &secret}, *pointer[] = {&global};
    for (unsigned lane = 0; lane < 32 && operation == "ld.constant"; lane++)
        pattern.offsets[lane] /= bytes; // the number of an element
    if (constant)
        check(cudaMemcpy(global, &pattern, sizeof pattern, cudaMemcpyHostToDevice), line);
    check(cudaLaunchKernel(found->second, dim3(1), dim3(32), constant ? pointer : arguments, 0, 0), line);
    check(cudaDeviceSynchronize(), line);
}

// Returns the 8 bytes of a parameter: TYPE=VALUE or TYPE[COUNT]=FILL with FILL zero, iota or mod:M.
static uint64_t argument_of(const std::string &text, std::vector<void *> &buffers, const std::string &line)
{
    size_t const end = text.find_first_of("[=");
    std::string const type = text.substr(0, end), value = text.substr(text.find('=') + 1);
    uint64_t bits = 0;
    if (text[end] == '=') {
        float const real = strtof(value.c_str(), nullptr);
        int64_t const whole = strtoll(value.c_str(), nullptr, 10);
        type == "f32" ? memcpy(&bits, &real, 4) : memcpy(&bits, &whole, 8);
        return bits;
    }
    unsigned const bytes = (unsigned)atoi(type.c_str() + 1) / 8;
    size_t const count = strtoull(text.c_str() + end + 1, nullptr, 10);
    size_t const modulus = value.compare(0, 4, "mod:") == 0 ? strtoull(value.c_str() + 4, nullptr, 10) : 0;
    std::vector<char> host(count * bytes + 16);
    for (size_t i = 0; i < count && value != "zero"; i++) {
        uint64_t const whole = modulus ? i % modulus : i;
        float const real = (float)whole;
        double const twice = (double)whole;
        const void *from = type == "f32" ? (const void *)&real : type == "f64" ? (const void *)&twice : &whole;
        memcpy(host.data() + i * bytes, from, bytes);
    }
    void *buffer = nullptr;
    check(cudaMalloc(&buffer, host.size()), line);
    check(cudaMemcpy(buffer, host.data(), host.size(), cudaMemcpyHostToDevice), line);
    buffers.push_back(buffer);
    return (uint64_t)buffer;
}

static void run_kernel(std::istringstream &words, const std::string &line)
{
    std::string file, name, word;
    dim3 grid, block;
    unsigned shared = 0;
    words >> file >> name >> word;
    sscanf(word.c_str(), "%u,%u,%u", &grid.x, &grid.y, &grid.z);
    words >> word;
    sscanf(word.c_str(), "%u,%u,%u", &block.x, &block.y, &block.z);
    words >> shared;
    std::vector<void *> buffers, pointers;
    std::vector<uint64_t> values;
    while (words >> word)
        values.push_back(argument_of(word, buffers, line));
    for (uint64_t &value : values)
        pointers.push_back(&value);
    cudaLibrary_t library;
    cudaKernel_t kernel;
    check(cudaLibraryLoadFromFile(&library, file.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), line);
    check(cudaLibraryGetKernel(&kernel, library, name.c_str()), line);
    if (shared > SHARED_BYTES)
        check(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared), line);
    check(cudaLaunchKernel((const void *)kernel, grid, block, pointers.data(), shared, 0), line);
    check(cudaDeviceSynchronize(), line);
    check(cudaLibraryUnload(library), line);
    for (void *buffer : buffers)
        check(cudaFree(buffer), line);
}

int main(int count, char **arguments)
{
    std::ifstream file(count == 2 ? arguments[1] : "");
    if (!file) {
        std::cerr << "probe FILE\n";
        return 2;
    }
    char *global = nullptr;
    check(cudaMalloc(&global, GLOBAL_BYTES), "cudaMalloc");
    check(cudaMemset(global, 0, GLOBAL_BYTES), "cudaMemset");
    for (std::string line, word; std::getline(file, line);) {
        std::istringstream words(line);
        words >> word;
        if (word == "run")
            run_kernel(words, line);
        else
            run_access(words, word, global, line);
    }
    return 0;
}
