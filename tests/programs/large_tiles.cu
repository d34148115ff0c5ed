// Tiles of several warps: ranks, barriers, broadcasts, votes and sums, with memory for the tiles and without.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;

struct pair {
    float sum;
    int count;
};
struct add_pairs {
    __device__ pair operator()(pair a, pair b) const
    {
        return {a.sum + b.sum, a.count + b.count};
    }
};

// Each tile sums what its threads left in shared memory: a wait of the tile alone stands between.
template <unsigned Size> __global__ void sums(int *out, long long *ranks)
{
    __shared__ cg::block_tile_memory<1024> memory;
    __shared__ int values[1024];
    cg::thread_block block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<Size>(block);
    int const i = (int)block.thread_rank();
    values[i] = i;
    tile.sync();
    int sum = 0;
    if (tile.thread_rank() == 0)
        for (unsigned k = 0; k < tile.num_threads(); k++)
            sum += values[i + k];
    int const all = cg::reduce(tile, i, cg::plus<int>()), most = cg::reduce(tile, i % 100, cg::greater<int>());
    int const told = tile.shfl(all + i, Size - 1);
    if (tile.thread_rank() == 0)
        out[tile.meta_group_rank()] = sum == all && told == all + i + (int)Size - 1 ? all : -1;
    ranks[i] = 1000000LL * tile.thread_rank() + 10000 * tile.meta_group_rank() + 100 * tile.meta_group_size() + most;
}

// A parameter that leaves the parent out, and a tile made anew in each turn.
__device__ int turn(const cg::thread_block_tile<128> &tile, int value)
{
    return tile.shfl(value, 70) + (int)tile.meta_group_size();
}
__global__ void again(int *out)
{
    __shared__ int places[256];
    int const i = (int)threadIdx.x;
    int value = i;
    for (int k = 0; k < 4; k++) {
        auto tile = cg::tiled_partition<128>(cg::this_thread_block());
        places[i] = turn(tile, value);
        tile.sync();
        value += places[i ^ 127];
        tile.sync();
    }
    out[i] = value;
}

// Tiles of tiles. Those of one size may wait while those of another do.
__global__ void nested(int *out)
{
    auto block = cg::this_thread_block();
    auto large = cg::tiled_partition<256>(block);
    auto small = cg::tiled_partition<64>(large);
    auto warp = cg::tiled_partition<32>(small);
    auto four = cg::tiled_partition<4>(warp);
    int value = (int)block.thread_rank();
    if (small.meta_group_rank() == 0)
        for (int k = 0; k < 3; k++)
            value += small.any(small.thread_rank() == 5u * k) + 10 * small.all(value >= 0);
    if (large.meta_group_rank() == 1)
        large.sync();
    pair const both = cg::reduce(small, pair{value / 10.0f, value % 3}, add_pairs());
    int *mine = out + 4 * block.thread_rank();
    mine[0] = __float_as_int(both.sum);
    mine[1] = both.count;
    mine[2] = (int)(1000 * small.meta_group_rank() + 100 * small.meta_group_size() + 10 * warp.meta_group_rank() +
                    warp.meta_group_size());
    mine[3] = (int)(100 * four.meta_group_rank() + 10 * four.meta_group_size() + four.thread_rank());
}

template <unsigned Size> static void run(int *out, long long *ranks)
{
    for (int threads : {1024, 512}) {
        if ((unsigned)threads < Size)
            continue;
        sums<Size><<<1, threads>>>(out, ranks);
        cudaError_t const error = cudaDeviceSynchronize();
        printf("%s tiles of %u of %d:", cudaGetErrorName(error), Size, threads);
        for (int k = 0; k < threads / (int)Size && k < 3; k++)
            printf(" %d", out[k]);
        long long all = 0;
        for (int i = 0; i < threads; i++)
            all = all * 31 + ranks[i];
        printf(", ranks %lld %lld %llx\n", ranks[0], ranks[threads - 1], all);
    }
}

int main()
{
    int *out;
    long long *ranks;
    cudaMallocManaged(&out, 4096 * sizeof *out);
    cudaMallocManaged(&ranks, 1024 * sizeof *ranks);
    run<64>(out, ranks);
    run<128>(out, ranks);
    run<256>(out, ranks);
    run<512>(out, ranks);
    nested<<<1, 512>>>(out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i : {0, 5, 63, 64, 300, 511})
        printf("%d: %d %d %d %d\n", i, out[4 * i], out[4 * i + 1], out[4 * i + 2], out[4 * i + 3]);
    again<<<1, 256>>>(out);
    cudaDeviceSynchronize();
    printf("again %d %d %d\n", out[0], out[100], out[255]);
    cudaFree(out);
    cudaFree(ranks);
}
