// cooperative_groups::reduce and its operators, for tiles and groups of lanes.
#pragma once
#include "../cooperative_groups.h"
namespace cooperative_groups
{
#define LANESCOPE_OPERATOR(NAME, RESULT)                                                                               \
    template <typename T = void> struct NAME {                                                                         \
        LANESCOPE_CG_MEMBER T operator()(T a, T b) const                                                               \
        {                                                                                                              \
            return RESULT;                                                                                             \
        }                                                                                                              \
    };                                                                                                                 \
    template <> struct NAME<void> {                                                                                    \
        template <typename T> LANESCOPE_CG_MEMBER T operator()(T a, T b) const                                         \
        {                                                                                                              \
            return RESULT;                                                                                             \
        }                                                                                                              \
    };
LANESCOPE_OPERATOR(plus, a + b)
LANESCOPE_OPERATOR(less, b < a ? b : a)
LANESCOPE_OPERATOR(greater, a < b ? b : a)
LANESCOPE_OPERATOR(bit_and, a &b)
LANESCOPE_OPERATOR(bit_or, a | b)
LANESCOPE_OPERATOR(bit_xor, a ^ b)
#undef LANESCOPE_OPERATOR
// Every lane gets the result over all lanes of the group.
template <unsigned Size, typename T, typename Operator>
LANESCOPE_CG_MEMBER T reduce(const lanescope::tile<Size, false> &group, T value, Operator &&combine)
{
    for (unsigned by = Size / 2; by > 0; by /= 2)
        value = combine(value, group.shfl_xor(value, by));
    return value;
}
template <unsigned Size, typename T, typename Operator>
LANESCOPE_CG_MEMBER T reduce(const lanescope::tile<Size, true> &group, T value, Operator &&combine)
{
    for (unsigned by = 16; by > 0; by /= 2)
        value = combine(value, lanescope::shfl_xor(0xffffffff, value, by, 32));
    return group.lanescope_join(value, combine);
}
template <typename T, typename Operator>
LANESCOPE_CG_MEMBER T reduce(const coalesced_group &group, T value, Operator &&combine)
{
    T result = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); rank++)
        result = combine(result, group.shfl(value, rank));
    return result;
}
} // namespace cooperative_groups
