#!/usr/bin/env python3
"""Writes the access patterns to be counted: one launch a line, one file a family.

patterns.py FOLDER      writes FOLDER/FAMILY.in for every family
patterns.py FOLDER A B  only these
Random patterns come from fixed seeds, so that they are the same on every machine."""
import os
import random
import sys

WIDTHS = (1, 2, 4, 8, 16)
FULL = 0xFFFFFFFF
SHARED_BYTES, GLOBAL_BYTES, CONSTANT_BYTES = 48 << 10, 16 << 20, 60 << 10


def compact(elements):
    """Returns 32 numbers as START, START+STEP*COUNT or START-STEP*COUNT."""
    words, at = [], 0
    while at < len(elements):
        count = 1
        if at + 1 < len(elements):
            step = elements[at + 1] - elements[at]
            while at + count < len(elements) and elements[at + count] - elements[at + count - 1] == step:
                count += 1
        if count > 2:
            words.append("%d%s%d*%d" % (elements[at], "-" if step < 0 else "+", abs(step), count))
            at += count
        else:
            words.append(str(elements[at]))
            at += 1
    return " ".join(words)


class Family:
    def __init__(self, space):
        self.space, self.lines, self.random = space, [], random.Random(1)

    def add(self, operation, width, elements, mask=FULL):
        elements = list(elements)
        limit = {"shared": SHARED_BYTES, "global": GLOBAL_BYTES, "constant": CONSTANT_BYTES}[self.space]
        assert len(elements) == 32 and min(elements) >= 0 and (max(elements) + 1) * width <= limit
        word, _, variant = operation.partition(".")
        name = "%s.%s%s" % (word, self.space, "." + variant if variant else "")
        line = "%s %d %08x %s" % (name, width, mask, compact(elements))
        if line not in self.lines:
            self.lines.append(line)

    def mask(self):
        """Returns active lanes, of many kinds."""
        kind, any_lanes = self.random.randrange(4), self.random.getrandbits(32)
        if kind == 0:
            return (1 << self.random.randrange(1, 33)) - 1
        if kind == 1:
            return any_lanes or 1
        if kind == 2:
            return any_lanes & any_lanes >> 7 or 2
        return FULL & ~(1 << self.random.randrange(32))

    def gather(self, extent):
        return [self.random.randrange(extent) for _ in range(32)]


def strides(family):
    for operation in ("ld", "st"):
        for width in WIDTHS:
            for stride in range(65) if operation == "ld" else (0, 1, 2, 3, 4, 7, 8, 16, 20, 32, 33, 48, 64):
                family.add(operation, width, (lane * stride for lane in range(32)))
            for stride in (1, 3, 8):
                family.add(operation, width, ((31 - lane) * stride for lane in range(32)))


def offsets(family):
    for operation in ("ld", "st"):
        for width in WIDTHS:
            for offset in range(1, 32) if operation == "ld" else (1, 2, 7, 16, 31):
                family.add(operation, width, (offset + lane for lane in range(32)))
            for offset in (5, 16):
                for stride in (2, 3):
                    family.add(operation, width, (offset + lane * stride for lane in range(32)))


def gathers(family):
    limit = (SHARED_BYTES if family.space == "shared" else GLOBAL_BYTES) // 16
    for operation in ("ld", "st"):
        for width in WIDTHS:
            for extent in (8, 24, 64, 256, limit):
                for _ in range(2):
                    family.add(operation, width, family.gather(extent))


def broadcasts(family):
    """Lanes that request the same element: neighbours, or lanes far apart."""
    for operation in ("ld", "st"):
        for width in WIDTHS:
            for share in (2, 4, 8, 16):
                for step in (1, 32 // share):
                    family.add(operation, width, (3 + lane // share * step for lane in range(32)))
                    family.add(operation, width, (3 + lane % share * step for lane in range(32)))
            for lone in (0, 7, 31):
                family.add(operation, width, (40 if lane == lone else 8 for lane in range(32)))


def partial(family):
    for operation in ("ld", "st"):
        for width in WIDTHS:
            for lanes in (1, 7, 8, 9, 16, 17, 31):
                family.add(operation, width, range(32), (1 << lanes) - 1)
            for mask in (1 << 31, 0x80000001, 0xFF0000FF, 0x55555555, 0x33333333, 0x00FFFF00):
                for stride in (1, 9):
                    family.add(operation, width, (lane * stride for lane in range(32)), mask)
            for extent in (16, 64, 1024):
                for _ in range(2):
                    family.add(operation, width, family.gather(extent), family.mask())


def tiles(family):
    """Tiles of 32 by 32 elements: a column, padded; rows and columns swizzled; 16-byte chunks swizzled."""
    for operation in ("ld", "st"):
        for width in (1, 2, 4, 8):
            for padding in (0, 1, 2, 3, 4):
                family.add(operation, width, (lane * (32 + padding) + 5 for lane in range(32)))
                family.add(operation, width, (lane % 8 * (32 + padding) + lane // 8 for lane in range(32)))
            for column in (0, 9):
                family.add(operation, width, (lane * 32 + (column ^ lane) for lane in range(32)))
                family.add(operation, width, (column * 32 + (column ^ lane) for lane in range(32)))
        for padding in (0, 1):
            family.add(operation, 16, (lane * (8 + padding) + 2 for lane in range(32)))
        for first in (0, 3):
            family.add(operation, 16, (lane * 8 + (first ^ lane % 8) for lane in range(32)))
            family.add(operation, 16, (lane // 8 * 8 + (lane % 8 ^ lane // 8 ^ first) for lane in range(32)))
            family.add(operation, 4, (lane // 4 * 32 + (first ^ lane // 4) * 4 + lane % 4 for lane in range(32)))


def atomics(family, operations=None):
    operations = operations or [("atom.add", 4), ("atom.one", 4), ("atom.exch", 4), ("atom.cas", 4), ("atom.exch", 8),
                  ("red.add", 4), ("red.one", 4)]
    if family.space == "global" and len(operations) > 1:
        operations += [("atom.add", 8), ("red.addf", 4)]
    for operation, width in operations:
        for stride in (0, 1, 2, 3, 8, 32, 33):
            family.add(operation, width, (lane * stride for lane in range(32)))
        for share in (2, 4, 16):
            family.add(operation, width, (lane // share for lane in range(32)))
            family.add(operation, width, (lane % share for lane in range(32)))
        family.add(operation, width, (lane % 2 * 32 for lane in range(32)))
        family.add(operation, width, (lane // 16 * 32 for lane in range(32)))
        for lanes in (1, 5, 16, 31):
            family.add(operation, width, range(32), (1 << lanes) - 1)
            family.add(operation, width, [7] * 32, (1 << lanes) - 1)
        for extent in (4, 8, 16, 64, 256, 1024):
            for _ in range(2 if family.space == "shared" else 1):
                family.add(operation, width, family.gather(extent))
        for extent in (8, 256):
            for _ in range(2):
                family.add(operation, width, family.gather(extent), family.mask())


def scattered(family):
    """Atomics on few lines, with many lanes on one word's place in different lines. The rule was found with these."""
    family.random.seed(7)
    for _ in range(40):
        for operation in ("atom.add", "red.add"):
            family.add(operation, 4, family.gather(256))
    for _ in range(30):
        family.add("atom.add", 8, family.gather(512))


def ways(family):
    """Finds lines that the same way looks up: lanes on two words of line A, and between them a lane on line B at the
    place of the second. One sector more is counted exactly when A and B have the same way."""
    def probe(first, second):
        family.add("red.add", 4, [first * 32 + 3, second * 32 + 5, first * 32 + 5] + [0] * 29, 7)
    lines = GLOBAL_BYTES // 128
    for bit in range(lines.bit_length() - 1):
        for low in range(4):
            probe(0, 1 << bit ^ low)
    for _ in range(80):
        probe(*family.random.sample(range(lines), 2))


def wide_compare(family):
    """Compare and exchange of 8 bytes, for which the rules were not made."""
    atomics(family, [("atom.cas", 8)])
    if family.space == "global":
        fresh_atomics(family, [("atom.cas", 8)])


def fresh_atomics(family, operations=(("atom.add", 4), ("red.add", 4), ("atom.cas", 4), ("red.addf", 4),
                                      ("atom.exch", 8), ("atom.add", 8))):
    """Others, drawn after the rule was written down: on few lines and on many, with all lanes and with some."""
    family.random.seed(20261122)
    for operation, width in operations:
        for extent in (64, 256, 300, 1024, 4096, 1 << 16, GLOBAL_BYTES // width):
            for _ in range(5):
                family.add(operation, width, family.gather(extent))
            places = family.gather(6)  # few places of a line, on many lines
            family.add(operation, width,
                       [family.random.randrange(extent * width // 128) * (128 // width) + place % 6
                        for place in (family.random.choice(places) for _ in range(32))])
            family.add(operation, width, family.gather(extent), family.mask())


def spread(family, width, groups):
    """Returns an element for each group number, on banks of several patterns."""
    kind, banks = family.random.randrange(4), 128 // width
    numbers = sorted(set(groups))
    if kind < 2:
        chosen = list(range(len(numbers))) if kind else family.random.sample(range(64), len(numbers))
    elif kind == 2:
        chosen = [family.random.randrange(4) * banks + at % banks for at in range(len(numbers))]
    else:
        chosen = family.random.sample(range(1024), len(numbers))
    place = dict(zip(numbers, chosen))
    return [place[group] for group in groups]


def coinciding(family):
    """Lanes of which many request the same word as the lane at a distance of 1, 2, 4, 8 or 16; some do not; some are
    idle."""
    kind, pick = family.random.randrange(6), family.random.choice
    groups = list(range(32))
    if kind == 0:  # pairs at one distance
        distance = pick((1, 1, 2, 2, 4, 8, 16))
        groups = [lane & ~distance for lane in range(32)]
    elif kind == 1:  # each half, or quarter, has pairs at its own distance
        size = pick((4, 8, 8, 16, 16))
        distances = [pick((1, 2)) for _ in range(32 // size)]
        groups = [lane & ~distances[lane // size] for lane in range(32)]
    elif kind == 2:  # only some halves, quarters or fours have pairs
        size, distance = pick((4, 8, 16)), pick((1, 2))
        paired = [pick((True, False)) for _ in range(32 // size)]
        groups = [lane & ~distance if paired[lane // size] else lane for lane in range(32)]
    elif kind == 3:  # two distances at once
        both = pick((3, 5, 6, 9, 17, 18, 7, 15, 11, 24, 20))
        groups = [lane & ~both for lane in range(32)]
    elif kind == 4:  # few elements, any lane
        few = pick((2, 3, 4, 6, 8, 12, 16, 20))
        groups = [family.random.randrange(few) for _ in range(32)]
    for _ in range(pick((0, 0, 0, 1, 2))):
        groups[family.random.randrange(32)] = 100 + family.random.randrange(4)
    mask = FULL
    masking = family.random.randrange(4)
    if masking == 0:  # idle lanes such that partners at a distance are idle, here and there
        size = pick((8, 16, 32))
        for first in range(0, 32, size):
            idle = sum(1 << lane for lane in range(first, first + size) if lane & pick((1, 2)))
            mask &= ~(pick((idle, idle >> 1 & idle, 0)) & FULL)
    elif masking == 1:
        mask = family.mask()
    return groups, mask or 1


def merges(family):
    """The launches with which the rule for wide loads in docs/model.md was found."""
    for width in (8, 16):
        for _ in range(150):
            groups, mask = coinciding(family)
            family.add("ld", width, spread(family, width, groups), mask)


def fresh(family):
    """Others of the same kind, drawn after the rule was written down."""
    family.random.seed(20261121)
    for operation, count in (("ld", 150), ("st", 40)):
        for width in (8, 16):
            for _ in range(count):
                groups, mask = coinciding(family)
                family.add(operation, width, spread(family, width, groups), mask)


def constants(patterns):
    """Returns a family of loads from constant memory: of each width, and of 8 and 16 bytes without a proof of their
    alignment. The first launches have no active lane: they count the loads that the kernel makes besides."""
    kinds = [("ld", width) for width in WIDTHS] + [("ld.loose", 8), ("ld.loose", 16)]

    def family(family):
        for operation, width in kinds:
            family.add(operation, width, [0] * 32, 0)
        for operation, width in kinds:
            patterns(family, operation, width)
    return family


def constant_strides(family, operation, width):
    for stride in (0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 64):
        family.add(operation, width, (lane * stride for lane in range(32)))
    family.add(operation, width, (17 + lane for lane in range(32)))
    family.add(operation, width, (90 - 2 * lane for lane in range(32)))


def constant_gathers(family, operation, width):
    for extent in (2, 3, 4, 8, 16, 24, 64, 256, CONSTANT_BYTES // 16):
        for _ in range(3):
            family.add(operation, width, family.gather(extent))


def constant_broadcasts(family, operation, width):
    for share in (2, 4, 8, 16):
        for step in (1, 32 // share, 64):
            family.add(operation, width, (3 + lane // share * step for lane in range(32)))
            family.add(operation, width, (3 + lane % share * step for lane in range(32)))
    for lone in (0, 7, 31):
        family.add(operation, width, (40 if lane == lone else 8 for lane in range(32)))


def constant_partial(family, operation, width):
    for lanes in (1, 2, 7, 8, 16, 17, 31):
        family.add(operation, width, range(32), (1 << lanes) - 1)
    for mask in (1 << 31, 0x80000001, 0xFF0000FF, 0x55555555, 0x33333333, 0x00FFFF00):
        for stride in (0, 1, 9):
            family.add(operation, width, (lane * stride for lane in range(32)), mask)
    for extent in (4, 16, 64, 1024):
        for _ in range(3):
            family.add(operation, width, family.gather(extent), family.mask())


def constant_kernels():
    """Whole kernels. Each is launched at several steps; at a step of 0 all lanes of each load have one address."""
    lines = []
    for step in (0, 1, 2, 7, 31, 32, 33):
        for block, blocks in ((32, 1), (96, 2), (50, 3)):
            words = ["i32=%d" % step, "i32=%d" % (block * blocks)]
            out = "f32[%d]=zero" % (block * blocks)
            kernel(lines, "constants", "constant_lookup", blocks, block, 0, out, *words)
            kernel(lines, "constants", "constant_widths", blocks, block, 0, out, *words)
            kernel(lines, "constants", "constant_rounds", blocks, block, 0, out, *(words + ["i32=5"]))
            kernel(lines, "constants", "constant_parts", blocks, block, 0, out, *words)
            kernel(lines, "constants", "constant_generic", blocks, block, 0, out, "f32[1024]=iota", *words)
    return lines


def kernel(lines, cubin, name, grid, block, shared, *arguments):
    def shape(size):
        return "%d,%d,%d" % (tuple(size) + (1, 1))[:3] if isinstance(size, tuple) else "%d,1,1" % size
    lines.append(" ".join(["run", cubin, name, shape(grid), shape(block), str(shared)] + list(arguments)))


def kernels():
    """The lessons' kernels at several settings, and a few more. collect.sh makes the cubins."""
    lines = []
    for element, words in (("float", "f32[%d]"), ("double", "f64[%d]"), ("double2", "f64[%d]")):
        times = 2 if element == "double2" else 1
        for name in ("banks_load", "banks_store"):
            for stride, padding in ((0, 0), (1, 0), (2, 0), (3, 0), (8, 0), (17, 0), (32, 0), (33, 0), (64, 0), (8, 1),
                                    (32, 1), (32, 2), (64, 4)):
                farthest = 31 * stride + 31 * stride // 32 * padding
                size = (farthest + 32) // 32 * 32
                kernel(lines, "banks.cu:ELEMENT=" + element, name, 2, 32, 0, words % (64 * times) + "=zero",
                       words % (size * times) + "=iota", "i32=%d" % stride, "i32=%d" % padding, "i32=%d" % size,
                       "i32=%d" % (1 + stride % 3))
    for length, block in ((1024, 256), (1000, 256), (1000, 128), (100, 32), (4096, 1024), (513, 64)):
        for name in ("adjdiff_global", "adjdiff_shared"):
            kernel(lines, "adjdiff.cu", name, -(-length // block), block, 0, "f32[%d]=zero" % length,
                   "f32[%d]=iota" % length, "i32=%d" % length)
    kernel(lines, "adjdiff_host.cu", "adjdiff_one_thread", 1, 1, 0, "f32[100]=zero", "f32[100]=iota", "i32=100")
    for n in (16, 32, 40, 64, 100):
        matrices = ["f32[%d]=zero" % (n * n), "f32[%d]=mod:7" % (n * n), "f32[%d]=mod:5" % (n * n), "i32=%d" % n]
        for width, height in ((16, 16), (32, 8), (8, 8)):
            kernel(lines, "matmul.cu", "matmul_naive", (-(-n // width), -(-n // height)), (width, height), 0, *matrices)
        for source in ("matmul.cu", "matmul_volatile"):
            kernel(lines, source, "matmul_tiled", (-(-n // 16), -(-n // 16)), (16, 16), 0, *matrices)
    for length, block in ((1024, 256), (1000, 128), (4096, 512), (100, 32), (3000, 1024)):
        blocks = -(-length // block)
        kernel(lines, "reduction.cu", "reduction", blocks, block, 4 * block, "f32[%d]=zero" % blocks,
               "f32[%d]=mod:9" % length, "i32=%d" % length)
        kernel(lines, "reduction", "_Z14reduce_shufflePfPKfi", 3, block, 0, "f32[1]=zero", "f32[%d]=mod:9" % length,
               "i32=%d" % length)
        kernel(lines, "reduction", "_Z11reduce_treePdPKd", 2, block, 8 * block, "f64[2]=zero",
               "f64[%d]=mod:9" % (2 * block))
        kernel(lines, "stencil", "_Z7stencilPfPKfi", blocks, block, 4 * (block + 6), "f32[%d]=zero" % length,
               "f32[%d]=mod:9" % length, "i32=%d" % length)
    # where the machine code makes lanes of a warp reconverge: see docs/validation.md
    image = ["u8[1024]=zero", "i32=32", "i32=32", "i32=50"]
    kernel(lines, "mandelbrot", "mandelbrot", (2, 4), (16, 8), 0, *image)
    kernel(lines, "meeting", "mandelbrot_meets", (2, 4), (16, 8), 0, *image)
    kernel(lines, "recursion", "_Z4callPii", 1, 32, 0, "i32[32]=zero", "i32=0")
    kernel(lines, "recursion", "_Z4callPii", 1, 64, 0, "i32[64]=zero", "i32=1")
    kernel(lines, "emulator/programs", "recursion", 1, 32, 0, "i32[32]=zero")
    kernel(lines, "faults/ok_recursion", "ok_recursion", 1, 32, 0, "i32[32]=mod:13")
    kernel(lines, "meeting", "recursion_meets", 1, 32, 0, "i32[32]=mod:13")
    kernel(lines, "meeting", "fibonacci_meets", 1, 32, 0, "i32[32]=mod:10")
    kernel(lines, "meeting", "fibonacci_groups", 1, 32, 0, "u32[64]=zero", "i32[32]=mod:10")
    kernel(lines, "faults/ok_shared_arrays", "ok_shared_arrays", 1, 64, 512, "i32[64]=iota", "i32=3")
    parting = ["i32[128]=zero", "i32[128]=mod:29", "i32[128]=mod:43"]
    for name in ("both_sides", "one_side_stores", "nested", "unequal_rounds", "leaves_and_goes_on", "loop_in_loop",
                 "some_return", "cases", "conditions", "returns_early"):
        kernel(lines, "parting", name, 2, 64, 0, *parting)
    for name in ("shuffle_apart", "rounds"):
        kernel(lines, "parting", name, 2, 64, 0, *parting[:2])
    for ways in (1, 2, 3, 8, 32):
        kernel(lines, "divergence.cu", "divergence", 2, 96, 0, "i32[192]=zero", "i32=%d" % ways, "i32=4")
    for length, values in ((1000, 256), (1000, 7), (4096, 1), (5000, 32)):
        kernel(lines, "histogram", "_Z9histogramPjPKhi", 2, 256, 0, "u32[256]=zero", "u8[%d]=mod:%d" % (length, values),
               "i32=%d" % length)
    for block in (32, 128, 256):
        kernel(lines, "scan", "_Z4scanPiS_i", 2, block, 0, "i32[500]=mod:9", "i32[2]=zero", "i32=500")
    for width, height in ((64, 64), (50, 70), (33, 32)):
        kernel(lines, "transpose", "_Z9transposePfPKfii", (-(-width // 32), -(-height // 32)), (32, 8), 0,
               "f32[%d]=zero" % (width * height), "f32[%d]=iota" % (width * height), "i32=%d" % width,
               "i32=%d" % height)
    return lines


class Launches:
    """Launches of tests/kernels/caches.cu: lane l of warp w of block b takes `count` elements, `step` apart, from element
    l * lane + w * warp + b * block on, `rounds` times."""

    def __init__(self):
        self.lines = []

    def walk(self, name="walk", grid=1, threads=32, shared=0, lane=1, warp=0, block=0, step=32, count=16, rounds=1,
             mode=None, stores=False):
        warps = (threads + 31) // 32
        size = 31 * lane + (warps - 1) * warp + (grid - 1) * block + (count - 1) * step + 1
        buffers = ["f32[%d]=zero" % size] if stores else ["f32[4]=zero", "f32[%d]=zero" % size]
        numbers = ([] if mode is None else [mode]) + [lane, warp, block, step, count, rounds]
        kernel(self.lines, "caches", name, grid, threads, shared, *(buffers + ["i32=%d" % number for number in numbers]))


def caches_walks():
    """One warp: how many lines stay in the L1, and what a load of some sectors takes from the L2 and the DRAM."""
    made = Launches()
    for lines in (1, 2, 4, 8, 16, 64, 256, 512, 1024, 1536, 1700, 1792, 1856, 1888, 1920, 1952, 1984, 2016, 2048, 2112,
                  2304, 2560, 3072, 4096):
        for rounds in (1, 2, 3) if lines in (16, 1024, 1984, 2560) else (2,):
            made.walk(count=lines, rounds=rounds)
    for lane in (0, 1, 2, 4, 8, 16, 32, 64, 33):
        for count, step in ((1, 32), (8, 1), (8, 8), (8, 16), (64, 32), (8, 1024)):
            made.walk(lane=lane, count=count, step=step, rounds=2)
    for step in (8, 16, 24, 32, 64, 128, 256, 512, 1024, 4096, 16384):
        for count in (8, 100, 1000):
            if step * count < 64 << 20:
                made.walk(lane=0, count=count, step=step, rounds=2)
    return made.lines


def caches_warps():
    """Several warps on the same lines, on neighbouring ones, on their own; together and one after another."""
    made = Launches()
    for warps in (2, 4, 8, 16, 32):
        for warp in (0, 8, 32, 1024):
            for count in (4, 64):
                for rounds in (2, 1):
                    made.walk(threads=32 * warps, warp=warp, count=count, rounds=rounds)
        made.walk(threads=32 * warps, warp=32 * 128, count=128, rounds=2)
        made.walk("in_turn", threads=32 * warps, count=1024, mode=0)
        made.walk("in_turn", threads=32 * warps, count=2560, mode=0)
        made.walk("in_turn", threads=32 * warps, count=2560, mode=1)
    return made.lines


def caches_blocks():
    """Blocks on the same lines, on overlapping ones, on their own."""
    made = Launches()
    for grid in (1, 2, 66, 132, 133, 198, 264, 300, 528, 1056, 2112):
        for block in (0, 32, 128):
            for threads in (32, 256, 1024):
                made.walk(grid=grid, threads=threads, warp=128 if block else 0, block=block, count=4 if block else 16)
    for grid in (132, 264, 1056, 2112):
        made.walk(grid=grid, threads=256, warp=32, block=256, count=2, step=256 * grid)
        made.walk(grid=grid, threads=256, warp=32, block=128, count=2, step=32)
    return made.lines


def caches_operations():
    """Cache operators, eviction hints, fences."""
    made = Launches()
    for name in "ca cg cs lu cv nc volatile relaxed last first none wide wider".split():
        for shape in (dict(count=64, rounds=2), dict(count=64, rounds=2, threads=256),
                      dict(count=64, rounds=2, lane=0), dict(grid=264, count=16, rounds=2),
                      dict(lane=8, step=1, count=8), dict(lane=0, step=64, count=100), dict(count=2560, rounds=2)):
            made.walk("walk_" + name, **shape)
    for mode in (0, 1, 2, 3, 4):
        for shape in (dict(), dict(threads=256), dict(threads=256, grid=132)):
            made.walk("fenced", count=16, rounds=3, mode=mode, **shape)
    return made.lines


def caches_stores():
    """Stores alone, behind loads, before loads; atomics between loads."""
    made = Launches()
    for name in ("store", "store_cg", "store_cs", "store_wt", "update"):
        for shape in (dict(), dict(rounds=2), dict(rounds=2, lane=0), dict(lane=8, count=4, step=1),
                      dict(lane=2, count=8, step=64), dict(threads=256, warp=32, count=64, step=256),
                      dict(grid=132, threads=256, warp=32, block=256, step=256 * 132),
                      dict(lane=0, count=256, step=64), dict(lane=0, count=256, step=8), dict(count=2560, rounds=2)):
            made.walk(name, stores=True, **shape)
    for name in ("store_load", "add_load", "red_load"):
        for first in (0, 1):
            for shape in (dict(), dict(rounds=2), dict(lane=0), dict(lane=2, count=8, step=64, rounds=2),
                          dict(threads=256, warp=512, rounds=2), dict(count=8, lane=8, step=256, rounds=2),
                          dict(threads=256), dict(grid=132, threads=64)):
                made.walk(name, stores=True, mode=first, **shape)
    return made.lines


SHARED_USED = (1024, 4096, 8192, 16384, 24576, 32768, 49152, 65536, 98304, 102400, 131072, 163840, 200704, 232448)


def caches_shared():
    """The L1 beside shared memory in use."""
    made = Launches()
    for shared in SHARED_USED:
        for threads in (32, 256, 1024):
            if shared >= 4 * threads:
                made.walk("walk_shared", threads=threads, shared=shared, count=2048, rounds=2)
        for count in (128, 160, 200, 400, 600, 900, 1200, 1472, 1728):
            made.walk("walk_shared", shared=shared, count=count, rounds=2)
        made.walk("walk_shared", grid=1056, threads=256, shared=shared, rounds=2)
    return made.lines


def caches_share():
    """Which share of the L1 the driver takes for shared memory."""
    made = Launches()
    for threads in range(32, 1025, 32):
        for shared in (0, 1024, 2048, 3000, 4096, 6144, 8192, 12288, 16384, 20480, 24576, 32768, 40960, 49152, 65536,
                       81920, 98304, 114688, 131072, 163840, 196608, 232448):
            made.walk(threads=threads, shared=shared, count=1)
    return made.lines


def caches_local():
    """Arrays in local memory."""
    lines = []
    for grid in (1, 132):
        for threads in (32, 256):
            for places in (16, 256):
                for rounds in (1, 2, 4):
                    kernel(lines, "caches", "local_array", grid, threads, 0, "f32[4]=zero", "f32[4]=zero",
                           "i32=%d" % places, "i32=%d" % rounds)
    return lines


def scatters(lines, seed, extents, shapes):
    for extent in extents:
        for apart in (0, 1):
            for grid, threads, count in shapes:
                kernel(lines, "caches", "scatter", grid, threads, 0, "f32[4]=zero", "f32[%d]=zero" % (extent + 32),
                       "u32=%d" % seed, "u32=%d" % extent, "i32=%d" % apart, "i32=%d" % count)


def caches_scatter():
    """Places at random, a warp's together or each thread's own."""
    lines = []
    scatters(lines, 7, (1000, 10000, 50000, 60000, 100000, 1000000, 10000000),
             ((1, 32, 2000), (1, 256, 1000), (132, 256, 100), (1056, 256, 16)))
    return lines


def caches_big():
    """Many bytes: what the L2 holds, and strides across all of it."""
    made = Launches()
    for mebibytes in (8, 16, 24, 32, 40, 48, 56):
        count = (mebibytes << 20) // 4 // (1056 * 256)
        for rounds in (1, 2):
            made.walk(grid=1056, threads=256, warp=32, block=256, step=256 * 1056, count=count, rounds=rounds)
        made.walk("store", stores=True, grid=1056, threads=256, warp=32, block=256, step=256 * 1056, count=count)
    for lane in (2, 8, 16, 32, 64):
        made.walk(grid=264, threads=256, lane=lane, warp=32 * lane, block=256 * lane, count=4, step=256 * 264 * lane)
    return made.lines


def caches_kernels():
    """The whole kernels, for which no rule was made."""
    return kernels() + constant_kernels()


def caches_fresh():
    """Larger launches of the lessons' kernels, and others of the kinds above, measured after the rules were written."""
    lines, chance = [], random.Random(20261127)
    for n in (128, 200, 256, 512):
        matrices = ["f32[%d]=zero" % (n * n), "f32[%d]=mod:7" % (n * n), "f32[%d]=mod:5" % (n * n), "i32=%d" % n]
        for width, height in ((16, 16), (32, 8), (8, 8), (32, 32), (256, 1), (64, 4)):
            kernel(lines, "matmul.cu", "matmul_naive", (-(-n // width), -(-n // height)), (width, height), 0, *matrices)
        kernel(lines, "matmul.cu", "matmul_tiled", (-(-n // 16), -(-n // 16)), (16, 16), 0, *matrices)
    for length, block in ((100000, 256), (1 << 20, 128), (1 << 20, 1024), (1 << 21, 512)):
        for name in ("adjdiff_global", "adjdiff_shared"):
            kernel(lines, "adjdiff.cu", name, -(-length // block), block, 0, "f32[%d]=zero" % length,
                   "f32[%d]=iota" % length, "i32=%d" % length)
        blocks = -(-length // block)
        kernel(lines, "reduction.cu", "reduction", blocks, block, 4 * block, "f32[%d]=zero" % blocks,
               "f32[%d]=mod:9" % length, "i32=%d" % length)
        kernel(lines, "stencil", "_Z7stencilPfPKfi", blocks, block, 4 * (block + 6), "f32[%d]=zero" % length,
               "f32[%d]=mod:9" % length, "i32=%d" % length)
    for width, height in ((512, 512), (1000, 700), (1024, 1024), (2048, 300)):
        kernel(lines, "transpose", "_Z9transposePfPKfii", (-(-width // 32), -(-height // 32)), (32, 8), 0,
               "f32[%d]=zero" % (width * height), "f32[%d]=iota" % (width * height), "i32=%d" % width,
               "i32=%d" % height)
        matrices = ["f32[%d]=%s" % (width * height, fill) for fill in ("zero", "iota", "iota")]
        for name, threads in (("add_by_rows", width), ("add_by_columns", width), ("add_by_strips", width)):
            kernel(lines, "matrix_add.cu", name, -(-threads // 128), 128, 0, *(matrices + ["i32=%d" % width, "i32=%d" % height]))
    for _ in range(12):
        scatters(lines, chance.randrange(1 << 16), (int(2 ** chance.uniform(10, 22)),),
                 ((chance.choice((1, 7, 100, 132, 200, 264, 500)), 32 * chance.randrange(1, 33), chance.randrange(4, 60)),))
    made, pick = Launches(), chance.choice
    for _ in range(50):
        threads = 32 * chance.randrange(1, 33)
        made.walk(pick(("walk", "walk", "walk_nc", "walk_cg")), grid=pick((1, 2, 50, 132, 150, 264, 400, 1000)),
                  threads=threads, lane=pick((0, 1, 1, 1, 2, 3, 8)), warp=pick((0, 8, 32, 32, 100, 1000)),
                  block=pick((0, 32, threads, 1000)), step=pick((1, 8, 32, 33, 100, 1024)),
                  count=chance.randrange(1, 40), rounds=pick((1, 1, 2, 3)))
    for _ in range(14):
        threads, lane = 32 * chance.randrange(1, 33), pick((1, 1, 2, 8))
        made.walk("update", stores=True, grid=pick((1, 20, 132)), threads=threads, lane=lane, warp=32 * lane,
                  block=threads * lane, step=threads * 132 * lane, count=chance.randrange(1, 10), rounds=pick((1, 2)))
    return lines + made.lines


def caches_single():
    """Blocks of one warp, at most one on each multiprocessor, that share lines in many ways: whether their loads merge on the
    way to the L2 cannot be told."""
    lines, chance = [], random.Random(20261129)
    for n in (16, 24, 32, 40, 64):
        matrices = ["f32[%d]=zero" % (n * n), "f32[%d]=mod:7" % (n * n), "f32[%d]=mod:5" % (n * n), "i32=%d" % n]
        for width, height in ((8, 4), (32, 1), (16, 2)):
            grid = (-(-n // width), -(-n // height))
            if grid[0] * grid[1] <= 132:
                kernel(lines, "matmul.cu", "matmul_naive", grid, (width, height), 0, *matrices)
    for length in (64, 500, 1000, 2048, 4224):
        kernel(lines, "adjdiff.cu", "adjdiff_global", -(-length // 32), 32, 0, "f32[%d]=zero" % length,
               "f32[%d]=iota" % length, "i32=%d" % length)
    made, pick = Launches(), chance.choice
    for _ in range(80):
        made.walk(pick(("walk", "walk", "walk_nc", "walk_cg")), grid=pick((2, 3, 16, 50, 100, 132)),
                  lane=pick((0, 1, 1, 1, 2, 8, 33)), block=pick((0, 0, 1, 8, 16, 32, 64, 1000)),
                  step=pick((1, 8, 32, 33, 100, 1024)), count=chance.randrange(1, 60), rounds=pick((1, 1, 2, 3)))
    return lines + made.lines


FAMILIES = {"caches_walks": caches_walks, "caches_warps": caches_warps, "caches_blocks": caches_blocks,
            "caches_operations": caches_operations, "caches_stores": caches_stores, "caches_shared": caches_shared,
            "caches_share": caches_share, "caches_local": caches_local, "caches_scatter": caches_scatter,
            "caches_big": caches_big, "caches_kernels": caches_kernels, "caches_fresh": caches_fresh, "caches_single": caches_single,
            "constant_strides": constants(constant_strides), "constant_gathers": constants(constant_gathers),
            "constant_broadcasts": constants(constant_broadcasts), "constant_partial": constants(constant_partial),
            "constant_kernels": constant_kernels, "shared_merges": merges, "shared_fresh": fresh, "shared_atomics": atomics, "shared_strides": strides,
            "shared_partial": partial, "shared_gathers": gathers, "shared_broadcasts": broadcasts,
            "shared_offsets": offsets, "shared_tiles": tiles, "global_atomics": atomics,
            "global_scattered": scattered, "global_ways": ways, "global_fresh": fresh_atomics,
            "shared_cas8": wide_compare, "global_cas8": wide_compare, "global_strides": strides,
            "global_partial": partial,
            "global_gathers": gathers, "global_broadcasts": broadcasts, "global_offsets": offsets,
            "global_tiles": tiles, "kernels": kernels}


def main(folder, names):
    for name in names or FAMILIES:
        if name.endswith("kernels") or name.startswith("caches"):
            lines = FAMILIES[name]()
        else:
            family = Family(name.partition("_")[0])
            FAMILIES[name](family)
            lines = family.lines
        with open(os.path.join(folder, name + ".in"), "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
