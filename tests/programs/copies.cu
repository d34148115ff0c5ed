// Copies: rows, wrong directions and sizes, fills, symbols.
#include <cstdio>

__global__ void nothing() {}

static void say(const char *what, cudaError_t error)
{
    printf("%s: %s\n", what, cudaGetErrorName(error));
}

int main()
{
    int host[12], back[12] = {0};
    for (int i = 0; i < 12; i++)
        host[i] = i;
    int *rows, *plain;
    size_t pitch;
    say("pitch", cudaMallocPitch(&rows, &pitch, 4 * sizeof(int), 3));
    printf("pitch %zu\n", pitch);
    say("rows", cudaMemcpy2D(rows, pitch, host, 4 * sizeof(int), 4 * sizeof(int), 3, cudaMemcpyHostToDevice));
    say("back", cudaMemcpy2D(back, 4 * sizeof(int), rows, pitch, 4 * sizeof(int), 3, cudaMemcpyDeviceToHost));
    for (int value : back)
        printf("%d ", value);
    puts("");
    cudaMalloc(&plain, sizeof host);
    say("beyond", cudaMemcpy(plain, host, sizeof host + 4, cudaMemcpyHostToDevice));
    say("wrong direction", cudaMemcpy(plain, host, sizeof host, cudaMemcpyDeviceToHost));
    say("fill", cudaMemset(plain, 1, sizeof host));
    say("within", cudaMemcpy(plain + 6, plain, 6 * sizeof(int), cudaMemcpyDeviceToDevice));
    say("back", cudaMemcpy(back, plain, sizeof host, cudaMemcpyDefault));
    printf("%08x\n", back[7]);
    say("free", cudaFree(plain));
    say("free again", cudaFree(plain));
    say("free inside", cudaFree(rows + 1));
    say("use after free", cudaMemcpy(back, plain, 4, cudaMemcpyDeviceToHost));
    say("free nothing", cudaFree(nullptr));
    cudaFree(rows);
    nothing<<<1, 1>>>();
    say("last", cudaDeviceSynchronize());
}
