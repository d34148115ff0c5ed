// Thrust on vectors and CUB in a block.
#include <cstdio>
#include <cub/block/block_reduce.cuh>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

__global__ void sum(const int *in, int *out)
{
    using Reduce = cub::BlockReduce<int, 128>;
    __shared__ typename Reduce::TempStorage room;
    int const total = Reduce(room).Sum(in[threadIdx.x]);
    if (threadIdx.x == 0)
        *out = total;
}

int main()
{
    int const n = 500;
    thrust::host_vector<int> values(n);
    for (int i = 0; i < n; i++)
        values[i] = i * 37 % n;
    thrust::device_vector<int> sorted = values, total(1);
    thrust::sort(sorted.begin(), sorted.end());
    sum<<<1, 128>>>(thrust::raw_pointer_cast(sorted.data()), thrust::raw_pointer_cast(total.data()));
    printf("%d %d %d %d\n", (int)sorted[0], (int)sorted[n - 1], thrust::reduce(sorted.begin(), sorted.end()), (int)total[0]);
}
