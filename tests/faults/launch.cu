// Runs one case of this folder on the GPU, for compute-sanitizer to watch:  launch CASE
// The words of CASE.txt's launch line are those of `lanescope run`, as far as the cases use them. CASE.ptx is loaded
// with its source lines. Every buffer is a separate allocation of exactly its size; `none` leaves it unfilled.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

static void must(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return;
    printf("LAUNCH %s: %s\n", what, cudaGetErrorName(status));
    exit(1);
}

static dim3 shape(const std::string &text)
{
    unsigned size[3] = {1, 1, 1};
    sscanf(text.c_str(), "%u,%u,%u", &size[0], &size[1], &size[2]);
    return dim3(size[0], size[1], size[2]);
}

struct argument {
    char type;
    unsigned width;
    size_t count;
    uint64_t bits;
    void *device;
};

static uint64_t element(const argument &a, const std::string &fill, size_t i)
{
    size_t colon = fill.find(':');
    uint64_t number = colon == std::string::npos ? 0 : strtoull(fill.c_str() + colon + 1, nullptr, 0);
    std::string word = fill.substr(0, colon);
    uint64_t value = word == "iota"    ? i
                     : word == "mod"   ? i % number
                     : word == "const" ? number
                     : word == "chase" ? (i + number) % a.count
                                       : 0;
    uint64_t bits = value;
    float f = (float)value;
    double d = (double)value;
    if (a.type == 'f')
        bits = 0, memcpy(&bits, a.width == 4 ? (void *)&f : (void *)&d, a.width);
    return bits;
}

static argument parse(const std::string &text)
{
    argument a = {text[0], (unsigned)atoi(text.c_str() + 1) / 8, 0, 0, nullptr};
    size_t equals = text.find('='), bracket = text.find('[');
    std::string value = text.substr(equals + 1);
    if (bracket == std::string::npos) {
        a.bits = strtoull(value.c_str(), nullptr, 0);
        return a;
    }
    a.count = strtoull(text.c_str() + bracket + 1, nullptr, 10);
    must(cudaMalloc(&a.device, a.count * a.width), "cudaMalloc");
    std::vector<unsigned char> bytes(a.count * a.width);
    for (size_t i = 0; i < a.count; i++) {
        uint64_t bits = element(a, value, i);
        memcpy(&bytes[i * a.width], &bits, a.width);
    }
    if (value != "none")
        must(cudaMemcpy(a.device, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
    a.bits = (uint64_t)(uintptr_t)a.device;
    return a;
}

int main(int count, char **words)
{
    std::string name = count == 2 ? words[1] : "", line, word;
    std::ifstream description(name + ".txt");
    while (std::getline(description, line) && line.rfind("launch:", 0) != 0) {
    }
    dim3 grid(1), block(32);
    unsigned shared = 0;
    std::vector<argument> arguments;
    std::istringstream rest(line.substr(line.size() < 7 ? line.size() : 7));
    for (std::string option; rest >> option >> word;) {
        if (option == "--grid")
            grid = shape(word);
        else if (option == "--block")
            block = shape(word);
        else if (option == "--shared")
            shared = (unsigned)atoi(word.c_str());
        else if (option == "--arg")
            arguments.push_back(parse(word));
    }
    std::vector<void *> pointers;
    for (argument &a : arguments)
        pointers.push_back(&a.bits);
    std::string kernel_name = name.substr(name.rfind('/') + 1);
    cudaJitOption options[] = {cudaJitGenerateLineInfo};
    void *values[] = {(void *)1};
    cudaLibrary_t library;
    cudaKernel_t kernel;
    must(cudaLibraryLoadFromFile(&library, (name + ".ptx").c_str(), options, values, 1, nullptr, nullptr, 0), "load");
    must(cudaLibraryGetKernel(&kernel, library, kernel_name.c_str()), "kernel");
    if (shared > 48 * 1024)
        must(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
             "shared");
    must(cudaLaunchKernel((const void *)kernel, grid, block, pointers.data(), shared, nullptr), "launch");
    must(cudaDeviceSynchronize(), "run");
    puts("LAUNCH fine");
    return 0;
}
