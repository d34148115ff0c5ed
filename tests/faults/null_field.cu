// A field of a struct behind a null pointer.
struct item {
    int key, value, next, previous;
};
extern "C" __global__ void null_field(struct item *items, int value)
{
    items[threadIdx.x].next = value;
}
