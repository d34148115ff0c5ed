// cooperative_groups::inclusive_scan and exclusive_scan, for groups of lanes.
#pragma once
#include "reduce.h"
namespace cooperative_groups
{
template <typename Group, typename T, typename Operator>
LANESCOPE_CG_MEMBER T inclusive_scan(const Group &group, T value, Operator &&combine)
{
    for (unsigned by = 1; by < group.size(); by *= 2) {
        T const before = group.shfl_up(value, by);
        if (group.thread_rank() >= by)
            value = combine(before, value);
    }
    return value;
}
template <typename Group, typename T> LANESCOPE_CG_MEMBER T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
template <typename Group, typename T, typename Operator>
LANESCOPE_CG_MEMBER T exclusive_scan(const Group &group, T value, Operator &&combine)
{
    T const before = group.shfl_up(inclusive_scan(group, value, combine), 1);
    return group.thread_rank() ? before : T();
}
template <typename Group, typename T> LANESCOPE_CG_MEMBER T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}
} // namespace cooperative_groups
