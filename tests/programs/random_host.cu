// cuRAND's host interface. The sums are those of the numbers that CUDA 13's library makes on the host.
#include <cstdio>
#include <cstring>
#include <curand.h>
#include <vector>

// FNV-1a over the bytes
template <typename T> static void show(const char *what, const std::vector<T> &numbers)
{
    unsigned long long sum = 14695981039346656037ULL;
    const unsigned char *bytes = (const unsigned char *)numbers.data();
    for (size_t i = 0; i < numbers.size() * sizeof(T); i++)
        sum = (sum ^ bytes[i]) * 1099511628211ULL;
    printf("%s %016llx\n", what, sum);
}

template <typename T, typename Generate> static void numbers(const char *what, curandRngType_t type, Generate generate)
{
    int const n = 10000;
    std::vector<T> host(n);
    curandGenerator_t generator;
    T *device;
    cudaMalloc(&device, n * sizeof(T));
    curandCreateGenerator(&generator, type);
    curandSetPseudoRandomGeneratorSeed(generator, 1234ULL + (5ULL << 32));
    curandSetGeneratorOffset(generator, 70001);
    for (int done = 0; done < n; done += n / 2) // the second goes on where the first ended
        if (generate(generator, device + done, n / 2))
            printf("%s failed\n", what);
    cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
    show(what, host);
    curandDestroyGenerator(generator);
    cudaFree(device);
}

static void all(const char *name, curandRngType_t type)
{
    printf("%s\n", name);
    numbers<unsigned>("bits", type, curandGenerate);
    numbers<float>("uniform", type, curandGenerateUniform);
    numbers<double>("uniform double", type, curandGenerateUniformDouble);
    numbers<float>("normal", type, [](auto g, auto p, auto n) { return curandGenerateNormal(g, p, n, 1, 3); });
    numbers<double>("normal double", type, [](auto g, auto p, auto n) { return curandGenerateNormalDouble(g, p, n, 1, 3); });
    numbers<float>("log-normal", type, [](auto g, auto p, auto n) { return curandGenerateLogNormal(g, p, n, 1, 3); });
    numbers<double>("log-normal double", type,
                    [](auto g, auto p, auto n) { return curandGenerateLogNormalDouble(g, p, n, 1, 3); });
}

int main()
{
    float host[4], *device;
    unsigned counts[2000];
    curandGenerator_t generator;
    all("XORWOW", CURAND_RNG_PSEUDO_DEFAULT);
    all("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A);
    all("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
    printf("%d", curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MT19937));
    printf(" %d\n", curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_XORWOW));
    printf("%d", curandGenerateNormal(generator, host, 3, 0, 1));
    printf(" %d %d\n", curandGenerateUniform(generator, host, 4), curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_SEEDED));
    double sum = 0;
    curandGeneratePoisson(generator, counts, 2000, 40.0);
    for (unsigned count : counts)
        sum += count;
    printf("%d\n", sum / 2000 > 39 && sum / 2000 < 41);
    curandDestroyGenerator(generator);
    cudaMalloc(&device, 3 * sizeof(float));
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW);
    printf("%d\n", curandGenerateUniform(generator, device, 4)); // one too many
    curandDestroyGenerator(generator);
    cudaFree(device);
}
