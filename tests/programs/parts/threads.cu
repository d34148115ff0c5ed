// Threads of the host, each with a stream of its own and managed memory that is attached to it. Each reads an element
// before its stream is done.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

__global__ void increment(int *data, int *sum)
{
    atomicAdd(sum, ++data[threadIdx.x]);
}

static void work(std::atomic<int> *wrong)
{
    int const n = 128;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    for (int round = 0; round < 40; round++) {
        int *data, *sum;
        cudaMallocManaged(&data, n * sizeof *data, cudaMemAttachHost);
        cudaMallocManaged(&sum, sizeof *sum);
        for (int i = 0; i < n; i++)
            data[i] = i;
        *sum = 0;
        cudaStreamAttachMemAsync(stream, data);
        cudaStreamAttachMemAsync(stream, sum);
        cudaStreamSynchronize(stream);
        increment<<<1, n, 0, stream>>>(data, sum);
        int const early = data[3];
        cudaStreamSynchronize(stream);
        *wrong += early < 3 || *sum != n * (n + 1) / 2;
        cudaFree(data);
        cudaFree(sum);
    }
    cudaStreamDestroy(stream);
}

int main()
{
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; t++)
        threads.emplace_back(work, &wrong);
    for (std::thread &thread : threads)
        thread.join();
    printf("%d wrong\n", wrong.load());
}
