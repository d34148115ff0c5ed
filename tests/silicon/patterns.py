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


FAMILIES = {"constant_strides": constants(constant_strides), "constant_gathers": constants(constant_gathers),
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
        if name.endswith("kernels"):
            lines = FAMILIES[name]()
        else:
            family = Family(name.partition("_")[0])
            FAMILIES[name](family)
            lines = family.lines
        with open(os.path.join(folder, name + ".in"), "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
