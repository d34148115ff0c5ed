"""Six kernels in Triton, and the PTX that its compiler makes of them, without a GPU: python3 kernels.py FOLDER writes
NAME.ptx, and what a launch needs beside it into kernels.json."""
import json
import pathlib
import re
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def add(x, y, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(out, x, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + column, mask=column < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + column, powers / tl.sum(powers, axis=0), mask=column < columns)


@triton.jit
def normalize(x, weight, out, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    values = tl.load(x + row * columns + column, mask=inside, other=0.0)
    mean = tl.sum(values, axis=0) / columns
    off = tl.where(inside, values - mean, 0.0)
    variance = tl.sum(off * off, axis=0) / columns
    scale = tl.load(weight + column, mask=inside)
    tl.store(out + row * columns + column, off * tl.rsqrt(variance + epsilon) * scale, mask=inside)


@triton.jit
def transpose(x, out, rows, columns, TILE: tl.constexpr):
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    column = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tile = tl.load(x + row[:, None] * columns + column[None, :], mask=inside)
    turned = tl.trans(tile)
    back = (column[:, None] < columns) & (row[None, :] < rows)
    tl.store(out + column[:, None] * rows + row[None, :], turned, mask=back)


@triton.jit
def histogram(x, bins, count, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < count, other=0)
    tl.atomic_add(bins + value % BINS, 1, mask=at < count, sem="relaxed")


@triton.jit
def matmul(a, b, c, m, n, k, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    row = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    column = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    step = tl.arange(0, TILE_K)
    sums = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    from_a = a + row[:, None] * k + step[None, :]
    from_b = b + step[:, None] * n + column[None, :]
    for begin in range(0, k, TILE_K):
        inside = begin + step < k
        left = tl.load(from_a, mask=inside[None, :], other=0.0)
        right = tl.load(from_b, mask=inside[:, None], other=0.0)
        sums = tl.dot(left, right, sums)
        from_a += TILE_K
        from_b += TILE_K * n
    tl.store(c + row[:, None] * n + column[None, :], sums.to(tl.float16))


# kernel, types of the parameters, values of the constants, warps of a block, stages of its pipeline. A type with :16 is
# of a multiple of 16, which Triton finds out at a launch: so are the buffers, and some of the numbers in launch.py.
KERNELS = [(add, "*fp32:16 *fp32:16 *fp32:16 i32:16", {"BLOCK": 1024}, 4, 1),
           (softmax, "*fp32:16 *fp32:16 i32 i32", {"BLOCK": 1024}, 4, 1),
           (normalize, "*fp32:16 *fp32:16 *fp32:16 i32 fp32", {"BLOCK": 1024}, 8, 1),
           (transpose, "*fp32:16 *fp32:16 i32:16 i32", {"TILE": 32}, 4, 1),
           (histogram, "*i32:16 *i32:16 i32", {"BLOCK": 512, "BINS": 64}, 4, 1),
           (matmul, "*fp16:16 *fp16:16 *fp16:16 i32:16 i32:16 i32:16", {"TILE_M": 64, "TILE_N": 64, "TILE_K": 32}, 4, 3)]


def main(folder):
    told = {"triton": triton.__version__}
    for kernel, types, constants, warps, stages in KERNELS:
        kinds = [word.partition(":") for word in types.split()]
        signature = dict(zip(kernel.arg_names, (kind for kind, _, _ in kinds))) | dict.fromkeys(constants, "constexpr")
        aligned = {(i,): [["tt.divisibility", 16]] for i, (_, _, multiple) in enumerate(kinds) if multiple}
        made = triton.compile(ASTSource(kernel, signature, constexprs=constants, attrs=aligned),
                              target=GPUTarget("cuda", 80, 32), options={"num_warps": warps, "num_stages": stages})
        name = kernel.__name__
        text = made.asm["ptx"]
        # Files are named as from here and from Triton's folder, whose places are the machine's own.
        text = text.replace(str(pathlib.Path(__file__).parent.resolve()), ".")
        text = text.replace(str(pathlib.Path(triton.__file__).parent), "triton")
        text = re.sub(r"\t\.section\t\.debug_\w+\s*\{.*?\n\t\}\n?", "", text, flags=re.S)
        pathlib.Path(folder, f"{name}.ptx").write_text(text)
        told[name] = {"threads": 32 * made.metadata.num_warps, "shared": made.metadata.shared}
    pathlib.Path(folder, "kernels.json").write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
