"""Writes the forms of tests/matrix: python3 forms.py > forms.txt; those of mma.sp: python3 forms.py sparse > sparse.txt.
matrix.h describes a line."""
import sys

COMPUTE, MOVE = 1024, 16  # blocks


def registers(letter, count, first=0):
    return "{" + ", ".join(f"%{letter}{first + i}" for i in range(count)) + "}"


def mma(shape, d, a, b, c, counts, kinds, extra="", result="r", layout=".row.col"):
    letters = "OABC" if result == "d" else "oabc"
    operands = ", ".join(registers(letter, count) for letter, count in zip(letters, counts))
    print(f"{COMPUTE} {kinds} {result} mma.sync.aligned.{shape}{layout}{extra}.{d}.{a}.{b}.{c} {operands};")


def mma_floats():
    for k, a, b in ((8, 2, 1), (16, 4, 2)):
        mma(f"m16n8k{k}", "f32", "f16", "f16", "f32", (4, a, b, 4), "hhs")
        mma(f"m16n8k{k}", "f16", "f16", "f16", "f16", (2, a, b, 2), "hhh")
        mma(f"m16n8k{k}", "f32", "bf16", "bf16", "f32", (4, a, b, 4), "bbs")
    for k, a, b in ((4, 2, 1), (8, 4, 2)):
        mma(f"m16n8k{k}", "f32", "tf32", "tf32", "f32", (4, a, b, 4), "sss")
    for a, x in (("e4m3", "e"), ("e5m2", "f")):
        for b, y in (("e4m3", "e"), ("e5m2", "f")):
            mma("m16n8k32", "f32", a, b, "f32", (4, 4, 2, 4), x + y + "s")
    mma("m8n8k4", "f64", "f64", "f64", "f64", (2, 1, 1, 2), "DDD", result="d")
    for k, a, b in ((4, 2, 1), (8, 4, 2), (16, 8, 4)):
        mma(f"m16n8k{k}", "f64", "f64", "f64", "f64", (4, a, b, 4), "DDD", result="d")


def mma_tiny():
    for k, a, b in ((8, 2, 1), (16, 4, 2)):
        for c in "zx":
            mma(f"m16n8k{k}", "f32", "bf16", "bf16", "f32", (4, a, b, 4), "uu" + c)
        mma(f"m16n8k{k}", "f16", "f16", "f16", "f16", (2, a, b, 2), "yyz")
        mma(f"m16n8k{k}", "f32", "f16", "f16", "f32", (4, a, b, 4), "yyx")
    for c in "zx":
        mma("m16n8k8", "f32", "tf32", "tf32", "f32", (4, 4, 2, 4), "vv" + c)


def mma_integers():
    shapes = (("m8n8k", 16, (2, 1, 1, 2)), ("m16n8k", 16, (4, 2, 1, 4)), ("m16n8k", 32, (4, 4, 2, 4)))
    for a, b, wide in (("s8", "s8", 1), ("s8", "u8", 1), ("u8", "s8", 1), ("u8", "u8", 1), ("s4", "s4", 2),
                       ("s4", "u4", 2), ("u4", "s4", 2), ("u4", "u4", 2)):
        for shape, k, counts in shapes:
            for extra in ("", ".satfinite"):
                mma(f"{shape}{k * wide}", "s32", a, b, "s32", counts, "iii", extra)
    for shape, k, counts in shapes:
        for operation in ("xor", "and"):
            mma(f"{shape}{k * 8}", "s32", "b1", "b1", f"s32.{operation}.popc", counts, "iii")


def mma_sparse():
    """The metadata of each lane is made of its last word: of each 4 bits two different numbers, or one of tf32's two."""
    pairs = "and.b32 %c7, %c7, 0x55555555; or.b32 %c7, %c7, 0x88888888; "
    one = "and.b32 %c7, %c7, 0x22222222; mul.lo.u32 %c7, %c7, 5; or.b32 %c7, %c7, 0x44444444; "
    for shape, d, a, b, c, counts, kinds, selectors in (
            ("m16n8k16", "f32", "f16", "f16", "f32", (4, 2, 2, 4), "hhs", 4), ("m16n8k16", "f16", "f16", "f16", "f16", (2, 2, 2, 2), "hhh", 4),
            ("m16n8k32", "f32", "f16", "f16", "f32", (4, 4, 4, 4), "hhs", 2), ("m16n8k32", "f16", "f16", "f16", "f16", (2, 4, 4, 2), "hhh", 2),
            ("m16n8k16", "f32", "bf16", "bf16", "f32", (4, 2, 2, 4), "bbs", 4), ("m16n8k32", "f32", "bf16", "bf16", "f32", (4, 4, 4, 4), "bbs", 2),
            ("m16n8k8", "f32", "tf32", "tf32", "f32", (4, 2, 2, 4), "sss", 4), ("m16n8k16", "f32", "tf32", "tf32", "f32", (4, 4, 4, 4), "sss", 2),
            ("m16n8k64", "f32", "e4m3", "e4m3", "f32", (4, 4, 4, 4), "ees", 1), ("m16n8k64", "f32", "e5m2", "e4m3", "f32", (4, 4, 4, 4), "fes", 1),
            ("m16n8k32", "s32", "s8", "s8", "s32", (4, 2, 2, 4), "iii", 2), ("m16n8k32", "s32", "u8", "s8", "s32", (4, 2, 2, 4), "iii", 2),
            ("m16n8k64", "s32", "s8", "s8", "s32.satfinite", (4, 4, 4, 4), "iii", 1), ("m16n8k64", "s32", "u8", "u8", "s32", (4, 4, 4, 4), "iii", 1)):
        c, _, saturate = c.partition(".")
        operands = ", ".join(registers(letter, count) for letter, count in zip("oabc", counts))
        for selector in range(selectors):
            for ordered in ("", "::ordered_metadata"):
                print(f"{COMPUTE} {kinds} r {one if a == 'tf32' else pairs}mma.sp{ordered}.sync.aligned.{shape}.row.col"
                      f"{'.' + saturate if saturate else ''}.{d}.{a}.{b}.{c} {operands}, %c7, {selector};")


WMMA = (  # shape, element, kinds, registers of a, b, c, accumulators, layouts
    ("m16n16k16", "f16", "hh", 8, 8, ("f32", "f16")),
    ("m8n32k16", "f16", "hh", 8, 8, ("f32", "f16")),
    ("m32n8k16", "f16", "hh", 8, 8, ("f32", "f16")),
    ("m16n16k16", "bf16", "bb", 4, 4, ("f32",)),
    ("m8n32k16", "bf16", "bb", 2, 8, ("f32",)),
    ("m32n8k16", "bf16", "bb", 8, 2, ("f32",)),
    ("m16n16k8", "tf32", "ss", 4, 4, ("f32",)),
    ("m16n16k16", "s8", "ii", 2, 2, ("s32",)),
    ("m16n16k16", "u8", "ii", 2, 2, ("s32",)),
    ("m8n32k16", "s8", "ii", 1, 4, ("s32",)),
    ("m8n32k16", "u8", "ii", 1, 4, ("s32",)),
    ("m32n8k16", "s8", "ii", 4, 1, ("s32",)),
    ("m32n8k16", "u8", "ii", 4, 1, ("s32",)),
    ("m8n8k32", "s4", "ii", 1, 1, ("s32",)),
    ("m8n8k32", "u4", "ii", 1, 1, ("s32",)),
    ("m8n8k128", "b1", "ii", 1, 1, ("s32",)),
    ("m8n8k4", "f64", "DD", 1, 1, ("f64",)),
)
ACCUMULATOR = {"f32": ("s", 8), "f16": ("h", 4), "s32": ("i", 8), "f64": ("D", 2)}


def accumulators(shape, kind):
    return 2 if shape.startswith("m8n8") else ACCUMULATOR[kind][1]


def wmma_products():
    for shape, element, kinds, a, b, sums in WMMA:
        small = element in ("s4", "u4", "b1")
        for layout in ("row.col",) if small else ("row.row", "row.col", "col.row", "col.col"):
            if layout != "row.col" and (sums != ("f32", "f16") or shape != "m16n16k16"):
                continue
            for d in sums:
                for c in sums:
                    n, letter = accumulators(shape, c), ACCUMULATOR[c][0]
                    types = f".{d}.{c}" if element == "f16" else f".{d}.{element}.{element}.{c}"
                    head = f"wmma.mma.{'xor.popc.' if element == 'b1' else ''}sync.aligned.{layout}.{shape}"
                    pairs = element == "f64"
                    big, small_letters = "OABC", "oabc"
                    letters = big if pairs else small_letters
                    operands = ", ".join(registers(x, m) for x, m in zip(letters, (accumulators(shape, d), a, b, n)))
                    roundings = (".rn", ".rz", ".rm", ".rp", "") if pairs else ("",)
                    saturates = ("", ".satfinite") if element in ("s8", "u8", "s4", "u4") else ("",)
                    for rounding in roundings:
                        for saturate in saturates:
                            print(f"{COMPUTE} {kinds}{letter} {'d' if pairs else 'r'} "
                                  f"{head}{rounding}{types}{saturate} {operands};")


def wmma_moves():
    places = ((".global", "%in"), (".shared", "%tile"), ("", "%any"))
    for shape, element, kinds, a, b, sums in WMMA:
        pairs = element == "f64"
        result, letter = ("d", "O") if pairs else ("r", "o")
        rows = {"a": int(shape[1:].split("n")[0]), "b": int(shape.split("n")[1].split("k")[0])}
        depth = int(shape.split("k")[1])
        small = element in ("s4", "u4", "b1")
        for which, count in (("a", a), ("b", b)):
            layouts = ("row",) if small and which == "a" else ("col",) if small else ("row", "col")
            for layout in layouts:
                contiguous = depth if (which == "a") == (layout == "row") else rows[which]
                pad = {"f64": 2, "tf32": 4, "f16": 8, "bf16": 8, "s8": 16, "u8": 16, "s4": 32, "u4": 32, "b1": 128}[element]
                for space, at in places:
                    steps = {".global": (0, 3), ".shared": (1, 3), "": (2,)}
                    for step in steps[space]:
                        stride = f", {contiguous + step * pad}" if step else ""
                        print(f"{MOVE} iii {result} wmma.load.{which}.sync.aligned.{layout}.{shape}{space}.{element} "
                              f"{registers(letter, count)}, [{at}{'+32' if stride == '' else ''}]{stride};")
        for d in sums:
            if (element, d) in (("u8", "s32"), ("bf16", "f32"), ("u4", "s32"), ("b1", "s32")):
                continue  # the same as for s8, f16, s4
            count = accumulators(shape, d)
            for layout in ("row", "col"):
                contiguous = rows["b"] if layout == "row" else rows["a"]
                pad = 8 if d == "f16" else 2 if pairs else 4
                for space, at in places:
                    for stride in ("", f", {contiguous + pad}") if space else (f", {contiguous + 2 * pad}",):
                        print(f"{MOVE} iii {result} wmma.load.c.sync.aligned.{layout}.{shape}{space}.{d} "
                              f"{registers(letter, count)}, [{at}]{stride};")
                        to, out = ("%out", "g") if space == ".global" else (at, "m")
                        print(f"{MOVE} iii {out} wmma.store.d.sync.aligned.{layout}.{shape}{space}.{d} "
                              f"[{to}], {registers('C' if pairs else 'c', count)}{stride};")


def eights():
    for count in (1, 2, 4):
        for trans in ("", ".trans"):
            for space, at in ((".shared", "%row"), (".shared", "%tile"), ("", "%any")):
                print(f"{MOVE} iii r ldmatrix.sync.aligned.m8n8.x{count}{trans}{space}.b16 "
                      f"{registers('o', count)}, [{at}];")
            print(f"{MOVE} iii m stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%row], {registers('a', count)};")
    print(f"{MOVE} iii r movmatrix.sync.aligned.m8n8.trans.b16 %o0, %a0;")


if sys.argv[1:] == ["sparse"]:
    mma_sparse()
    sys.exit()
mma_floats()
mma_tiny()
mma_integers()
wmma_products()
wmma_moves()
eights()
