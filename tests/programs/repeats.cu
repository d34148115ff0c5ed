// Launches that repeat an earlier one on the same memory are not executed again, and do the same all the same. Those that
// find other bytes, other arguments or other memory are executed.
#include <cstdio>

constexpr int N = 4096;
__device__ int factor = 3;

__global__ void triple(int *out, const int *in) // reads nothing that it writes
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < in[N]; k++)
        sum += in[i] * factor;
    out[i] = sum / in[N];
}

__global__ void grow(int *out, int rounds) // changes its own input
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; k++)
        atomicAdd(&out[i], 1);
}

__global__ void bump(int *out) // reads what it writes, by plain accesses
{
    out[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void count(int *counter, const int *in) // from a counter that the host sets to 0
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < in[N]; k++)
        if (in[i] % 2)
            atomicAdd(&counter[i % 32], 1);
}

__global__ void say(int *out, int rounds)
{
    int sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += atomicMax(&out[threadIdx.x], (int)threadIdx.x);
    __syncthreads();
    if (!threadIdx.x)
        printf("kernel: %d\n", out[5] + (sum > 1 << 30));
}

__global__ void leave(int *out, int rounds) // lanes of two warps write one element
{
    for (int k = 0; k < rounds; k++)
        out[N] = threadIdx.x / 32;
}

static void show(const char *what, const int *device, int at)
{
    int value;
    cudaMemcpy(&value, device + at, sizeof value, cudaMemcpyDeviceToHost);
    printf("%s: %d\n", what, value);
}

int main()
{
    static int host[N + 1];
    int *in, *out, *counter, *managed;
    for (int i = 0; i < N; i++)
        host[i] = i;
    host[N] = 50;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&counter, 32 * sizeof(int));
    cudaMallocManaged(&managed, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);

    for (int i = 0; i < 4; i++)
        triple<<<N / 256, 256>>>(out, in);
    show("tripled", out, 7);
    cudaMemcpy(in, host + 1, sizeof(int), cudaMemcpyHostToDevice); // other bytes
    triple<<<N / 256, 256>>>(out, in);
    show("the first", out, 0);
    triple<<<N / 256, 256>>>(out, in);
    int four = 4;
    cudaMemcpyToSymbol(factor, &four, sizeof four); // another variable
    triple<<<N / 256, 256>>>(out, in);
    show("by four", out, 7);
    triple<<<N / 512, 512>>>(out, in); // another shape
    cudaMemset(out, 0, sizeof host);
    triple<<<N / 256, 256>>>(out, in); // found again from here
    show("filled again", out, 7);

    for (int i = 0; i < 3; i++)
        bump<<<N / 256, 256>>>(out);
    show("bumped", out, 7);

    cudaMemset(out, 0, sizeof host);
    for (int i = 0; i < 4; i++)
        grow<<<N / 256, 256>>>(out, 40);
    show("grown", out, 7);

    for (int i = 0; i < 4; i++) {
        cudaMemset(counter, 0, 32 * sizeof(int));
        count<<<N / 256, 256>>>(counter, in);
    }
    show("counted", counter, 1);
    for (int i = 0; i < 2; i++) // and from what they left
        count<<<N / 256, 256>>>(counter, in);
    show("counted on", counter, 1);

    for (int i = 0; i < N; i++)
        managed[i] = i;
    managed[N] = 50;
    for (int i = 0; i < 5; i++) {
        triple<<<N / 256, 256>>>(out, managed);
        cudaDeviceSynchronize();
        if (i == 3)
            managed[7] = 100; // unseen by any call
    }
    show("managed", out, 7);
    for (int i = 0; i < 4; i++) {
        triple<<<N / 256, 256>>>(out, managed);
        if (i == 1)
            cudaDeviceSynchronize(), managed[7] = 200; // unseen, before others that nothing waits for
    }
    show("managed again", out, 7);

    int *pinned;
    cudaMallocHost(&pinned, sizeof host);
    for (int i = 0; i < 4; i++) {
        pinned[7] = i;
        triple<<<N / 256, 256>>>(out, in); // does not use it
    }
    show("beside other memory", out, 7);
    for (int i = 0; i <= N; i++)
        pinned[i] = host[i];
    for (int i = 0; i < 4; i++) {
        pinned[7] = i / 2;
        triple<<<N / 256, 256>>>(out, pinned);
        cudaDeviceSynchronize();
    }
    show("pinned", out, 7);

    cudaMemset(out, 0, sizeof host);
    for (int i = 0; i < 4; i++)
        say<<<1, 256>>>(out, 400);
    cudaDeviceSynchronize();

    for (int i = 0; i < 3; i++)
        leave<<<1, 64>>>(out, 300); // its race is told each time
    cudaFree(out);
    cudaMalloc(&out, sizeof host); // other memory
    triple<<<N / 256, 256>>>(out, in);
    show("anew", out, 7);
    cudaError_t const last = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(last));
    cudaFree(in), cudaFree(out), cudaFree(counter), cudaFree(managed), cudaFreeHost(pinned);
}
