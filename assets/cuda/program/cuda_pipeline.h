// Copies to shared memory that run while the kernel computes: the functions of C, by the CUDA C++ Programming Guide,
// "Pipeline Primitives Interface".
#pragma once
#include "cuda_runtime.h"
#ifdef __cplusplus
#define LANESCOPE_PIPELINE static __inline__ __attribute__((always_inline, nodebug, device))
// 4, 8 or 16 bytes; behind size - zeros bytes the place is filled with zeros.
LANESCOPE_PIPELINE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0)
{
    unsigned const place = (unsigned)__cvta_generic_to_shared(to), bytes = (unsigned)(size - zeros);
    if (size == 4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(place), "l"(from), "r"(bytes) : "memory");
    else if (size == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(place), "l"(from), "r"(bytes) : "memory");
    else if (size == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place), "l"(from), "r"(bytes) : "memory");
    else
        __trap();
}
LANESCOPE_PIPELINE void __pipeline_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}
// Waits until at most so many groups are under way. The instruction takes a constant.
LANESCOPE_PIPELINE void __pipeline_wait_prior(size_t left)
{
    if (left == 1)
        asm volatile("cp.async.wait_group 1;" ::: "memory");
    else if (left == 2)
        asm volatile("cp.async.wait_group 2;" ::: "memory");
    else if (left == 3)
        asm volatile("cp.async.wait_group 3;" ::: "memory");
    else if (left == 4)
        asm volatile("cp.async.wait_group 4;" ::: "memory");
    else
        asm volatile("cp.async.wait_group 0;" ::: "memory");
}
#undef LANESCOPE_PIPELINE
#endif
