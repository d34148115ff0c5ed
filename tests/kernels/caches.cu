// Small launches that ask the caches one question each: tests/silicon/caches.txt has the answers of a GPU. Lane l of warp
// w of block b begins at element l * lane + w * warp + b * block, and takes `count` elements, `step` apart, `rounds` times.
// Loads and stores are volatile asm, so that each happens, in this order.
#define AT(array)                                                                                                      \
    ((array) + (long long)(threadIdx.x % 32) * lane + (long long)(threadIdx.x / 32) * warp +                           \
     (long long)blockIdx.x * block + (long long)i * step)
#define EACH                                                                                                           \
    for (int r = 0; r < rounds; r++)                                                                                   \
        for (int i = 0; i < count; i++)
#define SHAPE int lane, int warp, int block, int step, int count, int rounds

static __device__ __forceinline__ void keep(float *out, float sum)
{
    if (sum == -1)
        out[0] = sum;
}

#define WALK(name, op)                                                                                                 \
    extern "C" __global__ void name(float *out, const float *in, SHAPE)                                                \
    {                                                                                                                  \
        float sum = 0, value;                                                                                          \
        EACH                                                                                                           \
        {                                                                                                              \
            asm volatile(op ".f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(AT(in))) : "memory");        \
            sum += value;                                                                                              \
        }                                                                                                              \
        keep(out, sum);                                                                                                \
    }
WALK(walk, "ld.global")
WALK(walk_ca, "ld.global.ca")
WALK(walk_cg, "ld.global.cg")
WALK(walk_cs, "ld.global.cs")
WALK(walk_lu, "ld.global.lu")
WALK(walk_cv, "ld.global.cv")
WALK(walk_nc, "ld.global.nc")
WALK(walk_volatile, "ld.volatile.global")
WALK(walk_relaxed, "ld.relaxed.gpu.global")
WALK(walk_last, "ld.global.L1::evict_last")
WALK(walk_first, "ld.global.L1::evict_first")
WALK(walk_none, "ld.global.L1::no_allocate")
WALK(walk_wide, "ld.global.L2::128B")
WALK(walk_wider, "ld.global.L2::256B")

// A number of dynamic shared bytes is in use (the launch says how many).
extern "C" __global__ void walk_shared(float *out, const float *in, SHAPE)
{
    extern __shared__ float tile[];
    float sum = 0, value;
    tile[threadIdx.x] = 0;
    EACH
    {
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(AT(in))) : "memory");
        sum += value;
    }
    keep(out, sum + tile[threadIdx.x ^ 1]);
}

#define STORE(name, op)                                                                                                \
    extern "C" __global__ void name(float *out, SHAPE)                                                                 \
    {                                                                                                                  \
        EACH asm volatile(op ".f32 [%0], %1;" ::"l"(__cvta_generic_to_global(AT(out))), "f"((float)r) : "memory");     \
    }
STORE(store, "st.global")
STORE(store_cg, "st.global.cg")
STORE(store_cs, "st.global.cs")
STORE(store_wt, "st.global.wt")

// Stores all, then loads all; with `first`, loads all before that, too.
extern "C" __global__ void store_load(float *out, int first, SHAPE)
{
    float sum = 0, value;
    for (int i = 0; first && i < count; i++) {
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(AT(out))) : "memory");
        sum += value;
    }
    for (int i = 0; i < count; i++)
        asm volatile("st.global.f32 [%0], %1;" ::"l"(__cvta_generic_to_global(AT(out))), "f"(1.0f) : "memory");
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < count; i++) {
            asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(AT(out))) : "memory");
            sum += value;
        }
    keep(out, sum);
}

extern "C" __global__ void copy(float *out, const float *in, SHAPE)
{
    EACH
    {
        float value;
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(AT(in))) : "memory");
        asm volatile("st.global.f32 [%0], %1;" ::"l"(__cvta_generic_to_global(AT(out))), "f"(value) : "memory");
    }
}

extern "C" __global__ void update(float *out, SHAPE)
{
    EACH
    {
        float value;
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(AT(out))) : "memory");
        asm volatile("st.global.f32 [%0], %1;" ::"l"(__cvta_generic_to_global(AT(out))), "f"(value + 1) : "memory");
    }
}

// Loads all, adds to all with atomics (or reductions, whose result nobody takes), loads all.
#define ATOMIC(name, text, ...)                                                                                        \
    extern "C" __global__ void name(float *out, int first, SHAPE)                                                      \
    {                                                                                                                  \
        float sum = 0, value = 0;                                                                                      \
        for (int i = 0; first && i < count; i++) {                                                                     \
            asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(AT(out))) : "memory"); \
            sum += value;                                                                                              \
        }                                                                                                              \
        for (int i = 0; i < count; i++) {                                                                              \
            asm volatile(text __VA_ARGS__ : "l"(__cvta_generic_to_global(AT(out))), "f"(1.0f) : "memory");             \
            sum += value;                                                                                              \
        }                                                                                                              \
        for (int r = 0; r < rounds; r++)                                                                               \
            for (int i = 0; i < count; i++) {                                                                          \
                asm volatile("ld.global.f32 %0, [%1];"                                                                 \
                             : "=f"(value)                                                                             \
                             : "l"(__cvta_generic_to_global(AT(out)))                                                  \
                             : "memory");                                                                              \
                sum += value;                                                                                          \
            }                                                                                                          \
        keep(out, sum);                                                                                                \
    }
ATOMIC(add_load, "atom.global.add.f32 %0, [%1], %2;", : "=f"(value))
ATOMIC(red_load, "red.global.add.f32 [%0], %1;", :)

// Loads twice, with a fence between; mode 1: of the block, 2: of the GPU, 3: of the system, 4: a barrier.
extern "C" __global__ void fenced(float *out, const float *in, int mode, SHAPE)
{
    float sum = 0, value;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < count; i++) {
            asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(AT(in))) : "memory");
            sum += value;
        }
        if (mode == 1)
            __threadfence_block();
        if (mode == 2)
            __threadfence();
        if (mode == 3)
            __threadfence_system();
        if (mode == 4)
            __syncthreads();
    }
    keep(out, sum);
}

// The same walk by the warps one after another, or (mode 1) backwards by every second one.
extern "C" __global__ void in_turn(float *out, const float *in, int mode, SHAPE)
{
    float sum = 0, value;
    for (unsigned w = 0; w < blockDim.x / 32; w++) {
        if (threadIdx.x / 32 == w)
            for (int r = 0; r < rounds; r++)
                for (int k = 0; k < count; k++) {
                    int const i = mode && w % 2 ? count - 1 - k : k;
                    asm volatile("ld.global.f32 %0, [%1];"
                                 : "=f"(value)
                                 : "l"(__cvta_generic_to_global(AT(in)))
                                 : "memory");
                    sum += value;
                }
        __syncthreads();
    }
    keep(out, sum);
}

// An array in local memory, at places known at run time.
extern "C" __global__ void local_array(float *out, const float *in, int places, int rounds)
{
    float array[256];
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < places; i++)
            array[(i * 7 + r) & 255] = (float)(i + r);
        for (int i = 0; i < places; i++)
            sum += array[(i * 7 + r + (int)in[0]) & 255];
    }
    keep(out, sum);
}

// Places at random in `extent` elements, each thread its own (apart) or the warp together.
extern "C" __global__ void scatter(float *out, const float *in, unsigned seed, unsigned extent, int apart, int count)
{
    unsigned state = seed + blockIdx.x * 977 + (apart ? threadIdx.x : threadIdx.x / 32) * 131;
    float sum = 0, value;
    for (int i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        const float *at = in + (state >> 8) % extent + (apart ? 0 : threadIdx.x % 32);
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(at)) : "memory");
        sum += value;
    }
    keep(out, sum);
}

extern "C" __global__ void where(unsigned *out)
{
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0)
        out[blockIdx.x] = sm;
}
