// Cooperative groups: the thread block, tiles of a warp, coalesced lanes, the grid. Our own code, by the interface of
// the CUDA C++ Programming Guide, "Cooperative Groups".
#pragma once
#include "cuda_runtime.h"
#ifdef __cplusplus
#define LANESCOPE_CG static __inline__ __attribute__((always_inline, nodebug, device))
#define LANESCOPE_CG_MEMBER __inline__ __attribute__((always_inline, nodebug, device))

// The blocks of a grid that have arrived at its barrier. The top bit changes when all have, so that the next barrier
// begins where this one ended.
static __device__ __attribute__((unused)) unsigned lanescope_grid_barrier;

namespace cooperative_groups
{
namespace lanescope
{
LANESCOPE_CG unsigned lane()
{
    unsigned number;
    asm("mov.u32 %0, %%laneid;" : "=r"(number));
    return number;
}
LANESCOPE_CG unsigned thread_in_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
LANESCOPE_CG unsigned block_threads()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
LANESCOPE_CG unsigned long long grid_blocks()
{
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
// A group moves values of every size: word by word, by an instruction for each.
#define LANESCOPE_CG_SHUFFLE(NAME)                                                                                     \
    template <typename T> LANESCOPE_CG T NAME(unsigned mask, T value, unsigned by, unsigned width)                     \
    {                                                                                                                  \
        unsigned words[(sizeof(T) + 3) / 4] = {};                                                                      \
        __builtin_memcpy(words, &value, sizeof(T));                                                                    \
        for (unsigned &word : words)                                                                                   \
            word = __##NAME##_sync(mask, word, by, width);                                                             \
        __builtin_memcpy(&value, words, sizeof(T));                                                                    \
        return value;                                                                                                  \
    }
LANESCOPE_CG_SHUFFLE(shfl)
LANESCOPE_CG_SHUFFLE(shfl_up)
LANESCOPE_CG_SHUFFLE(shfl_down)
LANESCOPE_CG_SHUFFLE(shfl_xor)
#undef LANESCOPE_CG_SHUFFLE
} // namespace lanescope

class thread_group
{
  protected:
    enum kind_type { BLOCK, LANES, GRID } kind_;
    unsigned mask_, rank_, size_;
    LANESCOPE_CG_MEMBER thread_group(kind_type kind, unsigned mask, unsigned rank, unsigned size)
        : kind_(kind), mask_(mask), rank_(rank), size_(size)
    {
    }
    friend LANESCOPE_CG_MEMBER thread_group tiled_partition(const thread_group &parent, unsigned size);

  public:
    LANESCOPE_CG_MEMBER unsigned thread_rank() const
    {
        return rank_;
    }
    LANESCOPE_CG_MEMBER unsigned size() const
    {
        return size_;
    }
    LANESCOPE_CG_MEMBER unsigned num_threads() const
    {
        return size_;
    }
    LANESCOPE_CG_MEMBER bool is_valid() const
    {
        return true;
    }
    LANESCOPE_CG_MEMBER void sync() const
    {
        if (kind_ == BLOCK)
            __syncthreads();
        else
            __syncwarp(mask_);
    }
};

class thread_block : public thread_group
{
    friend LANESCOPE_CG_MEMBER thread_block this_thread_block();
    LANESCOPE_CG_MEMBER thread_block()
        : thread_group(BLOCK, 0, lanescope::thread_in_block(), lanescope::block_threads())
    {
    }

  public:
    LANESCOPE_CG_MEMBER static void sync()
    {
        __syncthreads();
    }
    LANESCOPE_CG_MEMBER static unsigned thread_rank()
    {
        return lanescope::thread_in_block();
    }
    LANESCOPE_CG_MEMBER static unsigned size()
    {
        return lanescope::block_threads();
    }
    LANESCOPE_CG_MEMBER static unsigned num_threads()
    {
        return lanescope::block_threads();
    }
    LANESCOPE_CG_MEMBER static dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    LANESCOPE_CG_MEMBER static dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    LANESCOPE_CG_MEMBER static dim3 group_dim()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    LANESCOPE_CG_MEMBER static dim3 dim_threads()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
};
LANESCOPE_CG_MEMBER thread_block this_thread_block()
{
    return thread_block();
}

// Lanes of one warp: the functions that tiles and coalesced groups share. Ranks are positions among the mask's lanes.
class lane_group : public thread_group
{
  protected:
    LANESCOPE_CG_MEMBER lane_group(unsigned mask, unsigned rank, unsigned size) : thread_group(LANES, mask, rank, size)
    {
    }
    // The lane of a rank: the rank-th bit of the mask.
    LANESCOPE_CG_MEMBER unsigned lane_of(unsigned rank) const
    {
        unsigned left = mask_;
        for (unsigned i = 0; i < rank; i++)
            left &= left - 1;
        return left ? (unsigned)__ffs((int)left) - 1 : lanescope::lane();
    }
    // The bits of a vote, moved to the ranks of the lanes.
    LANESCOPE_CG_MEMBER unsigned ranks_of(unsigned lanes) const
    {
        unsigned ranks = 0, position = 0;
        for (unsigned left = mask_; left; left &= left - 1, position++)
            ranks |= (lanes & left & (0u - left)) ? 1u << position : 0;
        return ranks;
    }

  public:
    LANESCOPE_CG_MEMBER void sync() const
    {
        __syncwarp(mask_);
    }
    LANESCOPE_CG_MEMBER int any(int predicate) const
    {
        return __any_sync(mask_, predicate);
    }
    LANESCOPE_CG_MEMBER int all(int predicate) const
    {
        return __all_sync(mask_, predicate);
    }
    LANESCOPE_CG_MEMBER unsigned ballot(int predicate) const
    {
        return ranks_of(__ballot_sync(mask_, predicate));
    }
    template <typename T> LANESCOPE_CG_MEMBER unsigned match_any(T value) const
    {
        return ranks_of(__match_any_sync(mask_, value));
    }
    template <typename T> LANESCOPE_CG_MEMBER T shfl(T value, unsigned rank) const
    {
        return lanescope::shfl(mask_, value, lane_of(rank % size_), 32);
    }
    template <typename T> LANESCOPE_CG_MEMBER T shfl_up(T value, unsigned by) const
    {
        return lanescope::shfl(mask_, value, rank_ >= by ? lane_of(rank_ - by) : lanescope::lane(), 32);
    }
    template <typename T> LANESCOPE_CG_MEMBER T shfl_down(T value, unsigned by) const
    {
        return lanescope::shfl(mask_, value, rank_ + by < size_ ? lane_of(rank_ + by) : lanescope::lane(), 32);
    }
    LANESCOPE_CG_MEMBER unsigned lanescope_mask() const
    {
        return mask_;
    }
};

class coalesced_group : public lane_group
{
    unsigned part_, parts_;
    friend LANESCOPE_CG_MEMBER coalesced_group coalesced_threads();
    template <typename Group>
    friend LANESCOPE_CG_MEMBER coalesced_group binary_partition(const Group &group, bool predicate);
    template <typename Group, typename Label>
    friend LANESCOPE_CG_MEMBER coalesced_group labeled_partition(const Group &group, Label label);
    LANESCOPE_CG_MEMBER explicit coalesced_group(unsigned mask)
        : lane_group(mask, (unsigned)__popc(mask & ((1u << lanescope::lane()) - 1)), (unsigned)__popc(mask)), part_(0),
          parts_(1)
    {
    }

  public:
    LANESCOPE_CG_MEMBER unsigned meta_group_rank() const
    {
        return part_;
    }
    LANESCOPE_CG_MEMBER unsigned meta_group_size() const
    {
        return parts_;
    }
};
LANESCOPE_CG_MEMBER coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}
template <typename Group> LANESCOPE_CG_MEMBER coalesced_group binary_partition(const Group &group, bool predicate)
{
    unsigned const mask = group.lanescope_mask(), votes = __ballot_sync(mask, predicate);
    return coalesced_group(predicate ? votes : mask & ~votes);
}
// The lanes of the group that have the same label.
template <typename Group, typename Label>
LANESCOPE_CG_MEMBER coalesced_group labeled_partition(const Group &group, Label label)
{
    return coalesced_group(__match_any_sync(group.lanescope_mask(), (long long)label));
}

template <unsigned Size, typename Parent = void> class thread_block_tile : public lane_group
{
    static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    template <unsigned S, typename P>
    friend LANESCOPE_CG_MEMBER thread_block_tile<S, P> tiled_partition(const P &parent);
    LANESCOPE_CG_MEMBER thread_block_tile()
        : lane_group((Size == 32 ? 0xffffffffu : ((1u << (Size % 32)) - 1)) << (lanescope::lane() / Size * Size),
                     lanescope::lane() % Size, Size)
    {
    }

  public:
    // A tile does not depend on what it was cut from, so a parameter may leave the parent out.
    template <typename Other>
    LANESCOPE_CG_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &) : thread_block_tile()
    {
    }
    // A tile's lanes are neighbours, so that the shuffle's own width does.
    template <typename T> LANESCOPE_CG_MEMBER T shfl(T value, int rank) const
    {
        return lanescope::shfl(mask_, value, (unsigned)rank, Size);
    }
    template <typename T> LANESCOPE_CG_MEMBER T shfl_up(T value, unsigned by) const
    {
        return lanescope::shfl_up(mask_, value, by, Size);
    }
    template <typename T> LANESCOPE_CG_MEMBER T shfl_down(T value, unsigned by) const
    {
        return lanescope::shfl_down(mask_, value, by, Size);
    }
    template <typename T> LANESCOPE_CG_MEMBER T shfl_xor(T value, unsigned mask) const
    {
        return lanescope::shfl_xor(mask_, value, mask, Size);
    }
    LANESCOPE_CG_MEMBER unsigned ballot(int predicate) const
    {
        return (__ballot_sync(mask_, predicate) & mask_) >> (lanescope::lane() / Size * Size);
    }
    LANESCOPE_CG_MEMBER static constexpr unsigned size()
    {
        return Size;
    }
    LANESCOPE_CG_MEMBER static constexpr unsigned num_threads()
    {
        return Size;
    }
    LANESCOPE_CG_MEMBER unsigned meta_group_rank() const
    {
        return lanescope::thread_in_block() / Size;
    }
    LANESCOPE_CG_MEMBER unsigned meta_group_size() const
    {
        return (lanescope::block_threads() + Size - 1) / Size;
    }
};
template <unsigned Size, typename Parent>
LANESCOPE_CG_MEMBER thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<Size, Parent>();
}
LANESCOPE_CG_MEMBER thread_group tiled_partition(const thread_group &, unsigned size)
{
    unsigned const lane = lanescope::lane(), first = lane / size * size;
    unsigned const mask = (size >= 32 ? 0xffffffffu : ((1u << size) - 1)) << first;
    return thread_group(thread_group::LANES, mask, lane - first, size);
}

class grid_group
{
    friend LANESCOPE_CG_MEMBER grid_group this_grid();
    LANESCOPE_CG_MEMBER grid_group()
    {
    }

  public:
    LANESCOPE_CG_MEMBER bool is_valid() const
    {
        return true;
    }
    LANESCOPE_CG_MEMBER unsigned long long size() const
    {
        return lanescope::grid_blocks() * lanescope::block_threads();
    }
    LANESCOPE_CG_MEMBER unsigned long long num_threads() const
    {
        return size();
    }
    LANESCOPE_CG_MEMBER unsigned long long num_blocks() const
    {
        return lanescope::grid_blocks();
    }
    LANESCOPE_CG_MEMBER unsigned long long block_rank() const
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    LANESCOPE_CG_MEMBER unsigned long long thread_rank() const
    {
        return block_rank() * lanescope::block_threads() + lanescope::thread_in_block();
    }
    LANESCOPE_CG_MEMBER dim3 group_dim() const
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    LANESCOPE_CG_MEMBER dim3 dim_blocks() const
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    LANESCOPE_CG_MEMBER void sync() const
    {
        __syncthreads();
        if (lanescope::thread_in_block() == 0) {
            unsigned const others = (unsigned)lanescope::grid_blocks() - 1;
            __threadfence();
            unsigned const before = atomicAdd(&lanescope_grid_barrier, block_rank() == 0 ? 0x80000000u - others : 1u);
            while (((before ^ *(volatile unsigned *)&lanescope_grid_barrier) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
};
LANESCOPE_CG_MEMBER grid_group this_grid()
{
    return grid_group();
}

template <typename Group> LANESCOPE_CG_MEMBER void sync(const Group &group)
{
    group.sync();
}
template <typename Group> LANESCOPE_CG_MEMBER unsigned thread_rank(const Group &group)
{
    return (unsigned)group.thread_rank();
}
template <typename Group> LANESCOPE_CG_MEMBER unsigned group_size(const Group &group)
{
    return (unsigned)group.size();
}
template <typename Group> LANESCOPE_CG_MEMBER void invoke_one_barrier(const Group &group)
{
    group.sync();
}
} // namespace cooperative_groups
#endif
