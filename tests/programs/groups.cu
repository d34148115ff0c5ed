// Cooperative groups: tiles, coalesced lanes, the barrier of the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void sum(const int *in, int *out, int n)
{
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = cg::reduce(warp, i < n ? in[i] : 0, cg::plus<int>());
    if (warp.thread_rank() == 0)
        atomicAdd(out, value);
}

__global__ void rotate(int *data, int n)
{
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank();
    data[i] = i;
    grid.sync();
    int value = data[(i + 100) % n];
    grid.sync();
    data[i] = value;
}

__global__ void ranks(int *out)
{
    int i = threadIdx.x;
    if (i % 3 == 0) {
        auto some = cg::coalesced_threads();
        out[i] = 100 * some.size() + cg::inclusive_scan(some, 1);
    } else {
        cg::thread_block_tile<4> four = cg::tiled_partition<4>(cg::this_thread_block());
        out[i] = 10 * four.thread_rank() + four.meta_group_rank();
    }
}

struct four {
    int x, y, z, w;
};

// Lanes with the same remainder form a group; its first lane's four numbers go to all.
__global__ void labels(int *out)
{
    int const i = threadIdx.x;
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto alike = cg::labeled_partition(warp, i % 5);
    four const first = alike.shfl(four{i, 2 * i, 3 * i, 4 * i}, 0);
    four const neighbour = warp.shfl_xor(first, 1);
    int all;
    unsigned const everyone = __match_all_sync(0xffffffff, 5LL, &all);
    out[i] = 1000 * alike.size() + 100 * first.x + 10 * first.w + neighbour.y + (everyone == 0xffffffff && all ? 10000 : 0);
}

int main()
{
    int n = 512, *data, *out;
    cudaMallocManaged(&data, n * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < n; i++)
        data[i] = 2;
    out[0] = 0;
    sum<<<2, 256>>>(data, out, n);
    cudaDeviceSynchronize();
    printf("sum %d\n", out[0]);
    void *arguments[] = {&data, &n};
    cudaLaunchCooperativeKernel((void *)rotate, dim3(4), dim3(128), arguments);
    cudaDeviceSynchronize();
    printf("rotated %d %d\n", data[0], data[511]);
    printf("%s\n", cudaGetErrorName(cudaLaunchCooperativeKernel((void *)rotate, dim3(100000), dim3(128), arguments)));
    ranks<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 12; i++)
        printf("%d ", out[i]);
    puts("");
    labels<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 7; i++)
        printf("%d ", out[i]);
    puts("");
}
