// __managed__ variables, new and delete in a kernel, placement new.
#include <cstdio>
#include <new>

__device__ __managed__ int counter = 5;
__managed__ float table[4];

struct Node {
    int value;
    Node *next;
    __device__ Node(int v, Node *n) : value(v), next(n) {}
};

__global__ void build()
{
    atomicAdd(&counter, 1);
    if (threadIdx.x < 4)
        table[threadIdx.x] = threadIdx.x * 0.5f;
    if (threadIdx.x == 0) {
        Node *list = new Node(1, new Node(2, nullptr));
        printf("%d %d\n", list->value, list->next->value);
        delete list->next;
        delete list;
        alignas(Node) char place[sizeof(Node)];
        printf("%d\n", (new (place) Node(3, nullptr))->value);
    }
}

int main()
{
    printf("%d\n", counter);
    counter = 10;
    build<<<1, 32>>>();
    cudaDeviceSynchronize();
    printf("%d %g\n", counter, table[3]);
}
