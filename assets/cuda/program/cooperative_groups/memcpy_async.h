// cooperative_groups::memcpy_async and wait. The copy is done by the group's threads at once, which the interface
// allows; wait makes it visible to all of them.
#pragma once
#include "../cooperative_groups.h"
namespace cooperative_groups
{
template <typename Group, typename T>
LANESCOPE_CG_MEMBER void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    char *target = (char *)to;
    const char *source = (const char *)from;
    if ((((size_t)target | (size_t)source | bytes) & 3) == 0)
        for (size_t i = group.thread_rank(); i < bytes / 4; i += group.size())
            ((int *)target)[i] = ((const int *)source)[i];
    else
        for (size_t i = group.thread_rank(); i < bytes; i += group.size())
            target[i] = source[i];
}
template <typename Group> LANESCOPE_CG_MEMBER void wait(const Group &group)
{
    group.sync();
}
template <unsigned Left, typename Group> LANESCOPE_CG_MEMBER void wait_prior(const Group &group)
{
    group.sync();
}
} // namespace cooperative_groups
