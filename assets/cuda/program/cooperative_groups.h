// Cooperative groups: the thread block, tiles of a warp and of several, coalesced lanes, the grid. Our own code, by the
// interface of the CUDA C++ Programming Guide, "Cooperative Groups".
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

// What the threads of tiles of several warps share: a barrier for each tile of each size, the tiles of a size behind
// those of all larger ones, and eight bytes for each warp.
struct tile_memory {
    unsigned long long barriers[1024 / 32], places[1024 / 32];
};
LANESCOPE_CG tile_memory &tiles()
{
    static __shared__ tile_memory lanescope_tiles;
    return lanescope_tiles;
}
LANESCOPE_CG unsigned tile_barrier(unsigned size)
{
    return (unsigned)__cvta_generic_to_shared(&tiles().barriers[1024 / size + thread_in_block() / size]);
}
LANESCOPE_CG void tile_init(unsigned size)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(tile_barrier(size)), "r"(size) : "memory");
}
LANESCOPE_CG void tile_sync(unsigned size)
{
    unsigned const barrier = tile_barrier(size);
    unsigned long long token;
    int done = 0;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(barrier) : "memory");
    while (!done)
        asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p;}"
                     : "=r"(done)
                     : "r"(barrier), "l"(token)
                     : "memory");
}
} // namespace lanescope

class thread_group
{
  protected:
    enum kind_type { BLOCK, LANES, TILE } kind_;
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
        else if (kind_ == TILE)
            lanescope::tile_sync(size_);
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
// Memory for tiles of several warps. From compute capability 8.0 on they do not need it.
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
    unsigned long long lanescope_unused;
};
template <unsigned MaxBlockSize> LANESCOPE_CG_MEMBER thread_block this_thread_block(block_tile_memory<MaxBlockSize> &)
{
    return this_thread_block();
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

template <unsigned Size, typename Parent = void> class thread_block_tile;

namespace lanescope
{
template <unsigned Size, bool Large> class tile;
// A tile of one warp. Its lanes are neighbours, so that the shuffle's own width does.
template <unsigned Size> class tile<Size, false> : public lane_group
{
    static_assert(Size > 0 && (Size & (Size - 1)) == 0, "a tile's number of threads is a power of two");

  protected:
    template <typename Parent>
    LANESCOPE_CG_MEMBER explicit tile(const Parent &)
        : lane_group((Size == 32 ? 0xffffffffu : ((1u << (Size % 32)) - 1)) << (lane() / Size * Size), lane() % Size,
                     Size)
    {
    }

  public:
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
        return (__ballot_sync(mask_, predicate) & mask_) >> (lane() / Size * Size);
    }
};

// A tile of several warps. It has no shuffles but that from one thread to all, and all threads must name the same one.
template <unsigned Size> class tile<Size, true> : public thread_group
{
    static_assert(Size <= 512 && (Size & (Size - 1)) == 0, "a tile of several warps has 64, 128, 256 or 512 threads");
    enum { WARPS = Size / 32 };
    // The thread's warp says a value to the others of the tile, which all get those of all warps.
    template <typename T> LANESCOPE_CG_MEMBER void exchange(T value, bool says, T *all) const
    {
        static_assert(sizeof(T) <= sizeof tiles().places[0], "tiles of several warps exchange at most 8 bytes");
        unsigned const warp = thread_in_block() / 32, first = warp / WARPS * WARPS;
        if (says)
            __builtin_memcpy(&tiles().places[warp], &value, sizeof value);
        tile_sync(Size);
        for (unsigned k = 0; k < WARPS; k++)
            __builtin_memcpy(&all[k], &tiles().places[first + k], sizeof value);
        tile_sync(Size);
    }

  protected:
    // The parent's threads wait before it, since they may still use the barrier of an earlier tile, and behind it.
    template <typename Parent>
    LANESCOPE_CG_MEMBER explicit tile(const Parent &parent) : thread_group(TILE, 0, thread_in_block() % Size, Size)
    {
        parent.sync();
        if (rank_ == 0)
            tile_init(Size);
        parent.sync();
    }

  public:
    template <typename T> LANESCOPE_CG_MEMBER T shfl(T value, unsigned rank) const
    {
        T all[WARPS];
        exchange(value, rank_ == rank, all);
        for (unsigned k = 1; k < WARPS; k++)
            all[0] = rank / 32 == k ? all[k] : all[0];
        return all[0];
    }
    // The results of the tile's warps become one.
    template <typename T, typename Operator> LANESCOPE_CG_MEMBER T lanescope_join(T value, Operator &&combine) const
    {
        T all[WARPS];
        exchange(value, lane() == 0, all);
        for (unsigned by = WARPS / 2; by > 0; by /= 2)
            for (unsigned k = 0; k < by; k++)
                all[k] = combine(all[k], all[k + by]);
        return all[0];
    }
    LANESCOPE_CG_MEMBER int any(int predicate) const
    {
        return lanescope_join(__any_sync(0xffffffff, predicate), [](int a, int b) { return a | b; });
    }
    LANESCOPE_CG_MEMBER int all(int predicate) const
    {
        return lanescope_join(__all_sync(0xffffffff, predicate), [](int a, int b) { return a & b; });
    }
};
} // namespace lanescope

template <unsigned Size, typename Parent> class thread_block_tile : public lanescope::tile<Size, (Size > 32)>
{
    using base = lanescope::tile<Size, (Size > 32)>;
    unsigned part_, parts_;
    template <unsigned S, typename P> friend class thread_block_tile;
    template <unsigned S, typename P>
    friend LANESCOPE_CG_MEMBER thread_block_tile<S, P> tiled_partition(const P &parent);
    template <typename From>
    LANESCOPE_CG_MEMBER thread_block_tile(const From &parent, unsigned parts)
        : base(parent), part_(parent.thread_rank() / Size), parts_(parts)
    {
    }

  public:
    // A parameter may leave the parent out.
    template <typename Other>
    LANESCOPE_CG_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &same)
        : base(static_cast<const base &>(same)), part_(same.part_), parts_(same.parts_)
    {
    }
    LANESCOPE_CG_MEMBER static constexpr unsigned size()
    {
        return Size;
    }
    LANESCOPE_CG_MEMBER static constexpr unsigned num_threads()
    {
        return Size;
    }
    // Its number among the tiles of the parent.
    LANESCOPE_CG_MEMBER unsigned meta_group_rank() const
    {
        return part_;
    }
    LANESCOPE_CG_MEMBER unsigned meta_group_size() const
    {
        return parts_;
    }
};
template <unsigned Size, typename Parent>
LANESCOPE_CG_MEMBER thread_block_tile<Size, Parent> tiled_partition(const Parent &parent)
{
    return thread_block_tile<Size, Parent>(parent, (parent.size() + Size - 1) / Size);
}
// Where CUDA 11 has tiles of several warps.
namespace experimental
{
template <unsigned Bytes = 8, unsigned MaxBlockSize = 1024>
struct block_tile_memory : cooperative_groups::block_tile_memory<MaxBlockSize> {
};
using cooperative_groups::this_thread_block;
using cooperative_groups::thread_block_tile;
using cooperative_groups::tiled_partition;
} // namespace experimental
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
