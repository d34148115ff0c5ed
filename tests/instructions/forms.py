#!/usr/bin/env python3
"""Writes the forms of single instructions (instructions.h) that are run on the GPU and in the emulator.

    forms.py                      every form, one a line
    forms.py --accepted MODULES   the forms that ptxas accepts for sm_90; MODULES is the program of modules.c
"""
import itertools
import os
import re
import subprocess
import sys
import tempfile

REGISTER = {16: "h", 32: "r", 64: "d"}
INTEGERS = ["u16", "s16", "u32", "s32", "u64", "s64"]
NARROW = ["f16", "f16x2", "bf16", "bf16x2"]
ROUNDINGS = ["rn", "rz", "rm", "rp"]
lines = []


def width(kind):
    """Returns the bits of the register that holds a type."""
    if kind in ("f16x2", "bf16x2", "u16x2", "s16x2"):
        return 32
    return max(16, int(re.search(r"\d+$", kind).group()))


def register(kind, number):
    return f"%{REGISTER[width(kind)]}{number}"


def inputs(kind):
    return {"f32": "s", "f64": "D", "f16": "h", "f16x2": "h", "bf16": "b", "bf16x2": "b"}.get(kind, "i")


def form(kinds, result, text):
    lines.append(f"{kinds.ljust(4, 'i')} {result} {text}")


def simple(opcode, kind, count, to=None, kinds=None, sources=None):
    """Returns a form: opcode with `count` operands of one type, or of the types `sources`, into one of type `to`."""
    to = to or kind
    operands = [register(source, k + 1) for k, source in enumerate(sources or [kind] * count)]
    form(kinds or inputs(kind) * count, REGISTER[width(to)], f"{opcode} {register(to, 0)}, {', '.join(operands)};")


def combinations(*lists):
    return ["".join("." + word if word else "" for word in words) for words in itertools.product(*lists)]


def integers():
    for t in INTEGERS:
        for opcode in ("add", "sub", "mul.lo", "mul.hi", "min", "max", "div", "rem"):
            simple(f"{opcode}.{t}", t, 2)
            for number in ("1", "-1", "7", "-128", "32767") if t != "u16" else ("1", "3", "255", "32767"):
                form("i", REGISTER[width(t)], f"{opcode}.{t} {register(t, 0)}, {register(t, 1)}, {number};")
        for opcode in ("mad.lo", "mad.hi", "sad"):
            simple(f"{opcode}.{t}", t, 3)
        form("ii", REGISTER[width(t)], f"mad.lo.{t} {register(t, 0)}, {register(t, 1)}, 12, {register(t, 2)};")
        if width(t) < 64:
            wide = t[0] + str(2 * width(t))
            simple(f"mul.wide.{t}", t, 2, wide)
            simple(f"mad.wide.{t}", t, 3, wide, sources=[t, t, wide])
            form("i", REGISTER[width(wide)], f"mul.wide.{t} {register(wide, 0)}, {register(t, 1)}, 12;")
        if t[0] == "s":
            simple(f"abs.{t}", t, 1)
            simple(f"neg.{t}", t, 1)
    for half, t in itertools.product(("lo", "hi"), ("u32", "s32")):
        simple(f"mul24.{half}.{t}", t, 2)
        simple(f"mad24.{half}.{t}", t, 3)
    for text in ("add.sat.s32", "sub.sat.s32", "min.relu.s32", "max.relu.s32"):
        simple(text, "s32", 2)
    for text in ("mad.hi.sat.s32", "mad24.hi.sat.s32"):
        simple(text, "s32", 3)
    for opcode, t in itertools.product(("add", "min", "max"), ("u16x2", "s16x2")):
        simple(f"{opcode}.{t}", t, 2)
    for opcode in ("min", "max"):
        simple(f"{opcode}.relu.s16x2", "s16x2", 2)
    for a, b in itertools.product(("u32", "s32"), repeat=2):
        simple(f"dp4a.{a}.{b}", "u32", 3)
        simple(f"dp2a.lo.{a}.{b}", "u32", 3)
        simple(f"dp2a.hi.{a}.{b}", "u32", 3)


def carries():
    for t in ("u32", "s32", "u64", "s64"):
        r, bits = REGISTER[width(t)], width(t)
        result = "r" if bits == 32 else "d"
        a, b, c, d, low, high = (f"%{r}{k}" for k in (1, 2, 3, 4, 0, 5))
        for first, middle, zero in (("add", "addc", "addc"), ("sub", "subc", "subc")):
            form("iiii", result, f"{first}.cc.{t} {low}, {a}, {b}; {middle}.{t} {high}, {c}, {d};")
            form("iiii", result, f"{first}.cc.{t} {low}, {a}, {b}; {middle}.cc.{t} {high}, {c}, {d}; "
                                 f"{zero}.{t} %{r}9, 0, 0; xor.b{bits} {low}, {low}, %{r}9;")
        form("iiii", result, f"add.cc.{t} {low}, {a}, {b}; subc.{t} {high}, {c}, {d};")
        form("iiii", result, f"sub.cc.{t} {low}, {a}, {b}; addc.{t} {high}, {c}, {d};")
        for half in ("lo", "hi"):
            form("iiii", result, f"mad.{half}.cc.{t} {low}, {a}, {b}, {c}; addc.{t} {high}, {d}, 0;")
            form("iiii", result, f"add.cc.{t} {high}, {c}, {d}; madc.{half}.{t} {low}, {a}, {b}, {d};")
            form("iiii", result, f"add.cc.{t} {high}, {c}, {d}; madc.{half}.cc.{t} {low}, {a}, {b}, {d}; "
                                 f"addc.{t} {high}, {c}, 0;")
            form("iiii", result, f"mad.{half}.cc.{t} {low}, {a}, {b}, {c}; madc.hi.{t} {high}, {a}, {b}, {d};")


def bits():
    for size in (16, 32, 64):
        t, r = f"b{size}", REGISTER[size]
        for opcode in ("and", "or", "xor"):
            simple(f"{opcode}.{t}", t, 2)
            form("i", r, f"{opcode}.{t} %{r}0, %{r}1, 21845;")
        for opcode in ("not", "cnot"):
            simple(f"{opcode}.{t}", t, 1)
        for opcode in (f"shl.b{size}", f"shr.b{size}", f"shr.u{size}", f"shr.s{size}"):
            simple(opcode, t, 2, kinds="ic", sources=[t, "u32"])
            for count in (1, 15, 16, 31, 32, 63, 64, 100):
                form("i", r, f"{opcode} %{r}0, %{r}1, {count};")
        if size > 16:
            simple(f"brev.{t}", t, 1)
            simple(f"clz.{t}", t, 1, "u32")
            simple(f"popc.{t}", t, 1, "u32")
            simple(f"bfi.{t}", t, 4, kinds="iicc", sources=[t, t, "u32", "u32"])
            form("ii", r, f"bfi.{t} %{r}0, %{r}1, %{r}2, 8, 24;")
            for s in (f"u{size}", f"s{size}"):
                simple(f"bfind.{s}", s, 1, "u32")
                simple(f"bfind.shiftamt.{s}", s, 1, "u32")
                simple(f"bfe.{s}", s, 3, kinds="icc", sources=[s, "u32", "u32"])
                form("i", r, f"bfe.{s} %{r}0, %{r}1, 4, 12;")
                form("i", r, f"bfe.{s} %{r}0, %{r}1, 24, 24;")
    for opcode in ("and", "or", "xor"):
        form("iiii", "p", f"{opcode}.pred %p0, %p1, %p2;")
    form("iiii", "p", "not.pred %p0, %p1; mov.pred %p5, %p2;")
    for way, mode in itertools.product("lr", ("wrap", "clamp")):
        simple(f"shf.{way}.{mode}.b32", "b32", 3, kinds="iic")
        form("ii", "r", f"shf.{way}.{mode}.b32 %r0, %r1, %r2, 7;")
        form("ii", "r", f"shf.{way}.{mode}.b32 %r0, %r1, %r2, 40;")
    for mode in ("clamp", "wrap"):
        simple(f"bmsk.{mode}.b32", "b32", 2, kinds="cc")
        for t in ("u32", "s32"):
            simple(f"szext.{mode}.{t}", t, 2, kinds="ic")
    simple("prmt.b32", "b32", 3)
    for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        simple(f"prmt.b32.{mode}", "b32", 3, kinds="iic")
    for selector in ("0x3210", "0x0123", "0x7654", "0x89ab", "0xba98", "0x4040"):
        form("ii", "r", f"prmt.b32 %r0, %r1, %r2, {selector};")
    for table in range(0, 256, 3):
        form("iii", "r", " ".join(f"lop3.b32 %r{r}, %r1, %r2, %r3, {min(table + k, 255)};"
                                  for k, r in enumerate((0, 5, 6))))
    for way in ("and", "or"):
        form("iiii", "r", f"lop3.{way}.b32 %r0|%p0, %r1, %r2, %r3, 0xe8, %p1; selp.b32 %r5, 1, 0, %p0;")
        form("iiii", "p", f"lop3.{way}.b32 _|%p0, %r1, %r2, %r3, 0x80, !%p1;")
    simple("fns.b32", "b32", 3, kinds="icc")
    form("iii", "r", "rem.s32 %r3, %r3, 9; and.b32 %r2, %r2, 31; fns.b32 %r0, %r1, %r2, %r3;")


def comparisons():
    integer, floating = ["eq", "ne", "lt", "le", "gt", "ge"], ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
    cases = [(t, integer + (["lo", "ls", "hi", "hs"] if t[0] == "u" else []), "") for t in INTEGERS]
    cases += [(t, ["eq", "ne"], "") for t in ("b16", "b32", "b64")]
    cases += [(t, integer + floating, ftz) for t in ("f32", "f64", "f16", "bf16") for ftz in ("", ".ftz")]
    for t, words, ftz in cases:
        a, b, kinds = register(t, 1), register(t, 2), inputs(t) * 2
        both = "%p0" if t in ("f16", "bf16") else "%p0|%p5"
        for word in words:
            form(kinds, "p", f"setp.{word}{ftz}.{t} {both}, {a}, {b};")
        for n, (way, word) in enumerate(itertools.product(("and", "or", "xor"), words)):
            if t in ("f32", "s32", "u16") or n % 5 == 0:
                form(kinds, "p", f"setp.{word}.{way}{ftz}.{t} {both}, {a}, {b}, {'!' * (n & 1)}%p1;")
            for to in ("u32", "s32", "f32")[n % 3:n % 3 + 1] if n % 4 == 0 or t == "f32" else ():
                form(kinds, "r", f"set.{word}.{way}{ftz}.{to}.{t} %r0, {a}, {b}, {'!' * (n & 1)}%p1;")
        for word in words:
            for to in ("u32", "s32", "f32") if width(t) == 32 else ("u32", "f32"):
                form(kinds, "r", f"set.{word}{ftz}.{to}.{t} %r0, {a}, {b};")
            if t in ("f16", "bf16"):
                for to in ("u16", "s16", t):
                    form(kinds, "h", f"set.{word}{ftz}.{to}.{t} %h0, {a}, {b};")
    for way, to in itertools.product(("and", "or", "xor"), ("u32", "s32")):
        form("iiii", "r", f"set.lt.{way}.{to}.s32 %r0, %r1, %r2, %p1;")
    for word, t, to in itertools.product(("lt", "ne", "geu"), ("s32", "u64", "f32", "f64", "s16"), ("f16", "bf16")):
        if word != "geu" or t[0] == "f":
            form(inputs(t) * 2, "h", f"set.{word}.{to}.{t} %h0, {register(t, 1)}, {register(t, 2)};")
    for word, t, to in itertools.product(integer + floating, ("f16x2", "bf16x2"), ("u32", "s32")):
        form(inputs(t) * 2, "r", f"set.{word}.{to}.{t} %r0, %r1, %r2;")
    for way, t in itertools.product(("and", "or", "xor"), ("f16x2", "bf16x2")):
        form(inputs(t) * 2, "r", f"set.lt.{way}.{t}.{t} %r0, %r1, %r2, !%p1;")
        form(inputs(t) * 2, "r", f"set.geu.{way}.u32.{t} %r0, %r1, %r2, %p2;")
    for word in integer + floating:
        for t in ("f16x2", "bf16x2"):
            for ftz in ("", ".ftz") if t == "f16x2" else ("",):
                form(inputs(t) * 2, "p", f"setp.{word}{ftz}.{t} %p0|%p5, %r1, %r2;")
                form(inputs(t) * 2, "p", f"setp.{word}.and{ftz}.{t} %p0|%p5, %r1, %r2, %p1;")
                form(inputs(t) * 2, "r", f"set.{word}{ftz}.{t}.{t} %r0, %r1, %r2;")
    for t in INTEGERS + ["b16", "b32", "b64", "f32", "f64"]:
        r, kind = REGISTER[width(t)], inputs(t)
        form(kind * 2, r, f"selp.{t} %{r}0, %{r}1, %{r}2, %p1;")
        form(kind * 2, r, f"slct.{t}.s32 %{r}0, %{r}1, %{r}2, %r3;")
        form(kind * 2 + "s", r, f"slct.{t}.f32 %{r}0, %{r}1, %{r}2, %r3;")
        form(kind * 2 + "s", r, f"slct.ftz.{t}.f32 %{r}0, %{r}1, %{r}2, %r3;")
    form("i", "r", "selp.b32 %r0, 5, -7, %p1;")
    for word, t in itertools.product(("finite", "infinite", "number", "notanumber", "normal", "subnormal"),
                                     ("f32", "f64")):
        form(inputs(t), "p", f"testp.{word}.{t} %p0, {register(t, 1)};")


def floating():
    for opcode, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("mad", 3), ("div", 2), ("rcp", 1),
                          ("sqrt", 1)):
        plain = [""] if opcode in ("add", "sub", "mul") else []
        sats = ["", "sat"] if opcode in ("add", "sub", "mul", "fma", "mad") else [""]
        for words in combinations(plain + ROUNDINGS, ["", "ftz"], sats):
            simple(f"{opcode}{words}.f32", "f32", count)
        for words in combinations(plain + ROUNDINGS):
            simple(f"{opcode}{words}.f64", "f64", count)
    for opcode, number in itertools.product(("add", "mul", "div.rn", "min"), ("0f3FC00000", "0f80000000", "0f7F800000")):
        form("s", "r", f"{opcode}.f32 %r0, %r1, {number};")
        form("s", "r", f"{opcode}.f32 %r0, {number}, %r1;")
    for opcode in ("min", "max"):
        for words in combinations(["", "ftz"], ["", "NaN"], ["", "xorsign.abs"]):
            simple(f"{opcode}{words}.f32", "f32", 2)
        simple(f"{opcode}.f64", "f64", 2)
        for t in NARROW:
            for words in combinations(["", "ftz"], ["", "NaN"], ["", "xorsign.abs"]):
                simple(f"{opcode}{words}.{t}", t, 2)
    for opcode, ftz in itertools.product(("abs", "neg"), ("", ".ftz")):
        for t in ["f32", "f64"] + NARROW:
            simple(f"{opcode}{ftz}.{t}", t, 1)
    simple("copysign.f32", "f32", 2)
    simple("copysign.f64", "f64", 2)
    for opcode in ("add", "sub", "mul"):
        for t, words in itertools.product(NARROW, combinations(["", "rn"], ["", "ftz"], ["", "sat"])):
            simple(f"{opcode}{words}.{t}", t, 2)
    for t, words in itertools.product(NARROW, combinations(["rn"], ["", "ftz"], ["", "sat", "relu"], )):
        simple(f"fma{words}.{t}", t, 3)


def approximations():
    ranges = {"ex2": "ew", "sin": "tw", "cos": "tw", "tanh": "tew", "lg2": "w", "rcp": "w", "sqrt": "w", "rsqrt": "w"}
    for opcode, kinds in ranges.items():
        for kind, ftz in itertools.product(kinds, ("", ".ftz")):
            form(kind, "a", f"{opcode}.approx{ftz}.f32 %r0, %r1;")
    for text in ("div.full", "div.full.ftz", "div.approx", "div.approx.ftz"):
        form("ss", "a", f"{text}.f32 %r0, %r1, %r2;")
    for opcode in ("rcp.approx.ftz", "rsqrt.approx", "rsqrt.approx.ftz"):
        form("z", "A", f"{opcode}.f64 %d0, %d1;")
    for opcode, ftz in itertools.product(("ex2", "tanh"), ("", ".ftz")):
        form("h", "x", f"{opcode}.approx{ftz}.f16 %h0, %h1;")
        form("h", "X", f"{opcode}.approx{ftz}.f16x2 %r0, %r1;")
        form("b", "y", f"{opcode}.approx{ftz}.bf16 %h0, %h1;")
        form("b", "Y", f"{opcode}.approx{ftz}.bf16x2 %r0, %r1;")


def conversions():
    small = ["u8", "s8"] + INTEGERS
    for to, source in itertools.permutations(small, 2):
        for sat in ("", ".sat"):
            simple(f"cvt{sat}.{to}.{source}", source, 1, to)
        for wider in ("b32", "b64"):  # registers wider than the types, as compilers use them for bytes
            if width(to) < width(wider):
                form("i", REGISTER[width(wider)], f"cvt.{to}.{source} {register(wider, 0)}, {register(source, 1)};")
            if width(source) < width(wider):
                form("i", REGISTER[width(to)], f"cvt.{to}.{source} {register(to, 0)}, {register(wider, 1)};")
    floats = ["f16", "bf16", "f32", "f64"]
    for to, source in itertools.product(small, floats):
        for words in combinations(["rni", "rzi", "rmi", "rpi"], ["", "ftz"], ["", "sat"]):
            simple(f"cvt{words}.{to}.{source}", source, 1, to)
        if width(to) < 32:
            form(inputs(source), "r", f"cvt.rzi.{to}.{source} %r0, {register(source, 1)};")
    for to, source in itertools.product(floats, small):
        for words in combinations(ROUNDINGS, ["", "sat"]):
            simple(f"cvt{words}.{to}.{source}", source, 1, to)
        if width(source) < 32:
            form("i", REGISTER[width(to)], f"cvt.rn.{to}.{source} {register(to, 0)}, %r1;")
    for to, source in itertools.product(floats, repeat=2):
        for words in combinations([""] + ROUNDINGS + ["rni", "rzi", "rmi", "rpi"], ["", "ftz"], ["", "sat", "relu"]):
            simple(f"cvt{words}.{to}.{source}", source, 1, to)
    for to, words in itertools.product(("f16x2", "bf16x2"), combinations(["rn", "rz"], ["", "satfinite"], ["", "relu"])):
        form("ss", "r", f"cvt{words}.{to}.f32 %r0, %r1, %r2;")
        form("ww", "r", f"cvt{words}.{to}.f32 %r0, %r1, %r2;")
    for text in ("cvt.rna.tf32.f32", "cvt.rn.tf32.f32", "cvt.rz.tf32.f32", "cvt.rn.relu.tf32.f32",
                 "cvt.rna.satfinite.tf32.f32"):
        form("s", "r", f"{text} %r0, %r1;")
    for to, source in itertools.product(("u16", "s16"), ("s32",)):
        form("ii", "r", f"cvt.pack.sat.{to}.{source} %r0, %r1, %r2;")
    for to in ("u8", "s8"):
        form("iii", "r", f"cvt.pack.sat.{to}.s32.b32 %r0, %r1, %r2, %r3;")
    for to in ("u4", "s4"):
        form("iii", "r", f"cvt.pack.sat.{to}.s32.b32 %r0, %r1, %r2, %r3;")
    for f8 in ("e4m3x2", "e5m2x2"):
        form("ww", "h", f"cvt.rn.satfinite.{f8}.f32 %h0, %r1, %r2;")
        for relu in ("", ".relu"):
            form("ss", "h", f"cvt.rn.satfinite{relu}.{f8}.f32 %h0, %r1, %r2;")
            form("h", "h", f"cvt.rn.satfinite{relu}.{f8}.f16x2 %h0, %r1;")
            form("i", "r", f"cvt.rn{relu}.f16x2.{f8} %r0, %h1;")


def moves():
    for text in ("mov.b32 %r0, {%h1, %h2};", "mov.b32 {%h0, %h5}, %r1; mov.b32 %r0, {%h5, %h0};",
                 "mov.b16 %h0, %h1; mov.b32 %r0, {%h0, %h1};", "mov.u32 %r0, %r1;", "mov.f32 %r0, %r1;",
                 "mov.b32 %r0, -7;", "mov.u32 %r0, %laneid;", "mov.u32 %r0, %tid.x; mov.u32 %r5, %ctaid.x;",
                 "mov.u32 %r0, %ntid.x; mov.u32 %r5, %nctaid.x;", "mov.u32 %r0, %ntid.y; mov.u32 %r5, %tid.z;",
                 "mov.u32 %r0, %lanemask_eq; mov.u32 %r5, %lanemask_le;",
                 "mov.u32 %r0, %lanemask_lt; mov.u32 %r5, %lanemask_ge; mov.u32 %r6, %lanemask_gt;",
                 "mov.u32 %r0, WARP_SZ;"):
        form("ii", "r", text)
    for text in ("mov.b64 %d0, {%r1, %r2};", "mov.b64 {%r0, %r5}, %d1; mov.b64 %d0, {%r5, %r0};",
                 "mov.b64 %d0, {%h1, %h2, %h3, %h4};", "mov.b64 {%h0, %h5, %h6, %h7}, %d1; "
                 "mov.b64 %d0, {%h7, %h6, %h5, %h0};", "mov.u64 %d0, %d1;", "mov.f64 %d0, 0d3FF8000000000000;",
                 "mov.b64 {%r0, _}, %d1; cvt.u64.u32 %d0, %r0;",
                 "cvta.to.global.u64 %d0, %d13; sub.s64 %d0, %d0, %d13;",
                 "cvta.global.u64 %d0, %d13; sub.s64 %d0, %d0, %d13;",
                 "cvt.u64.u32 %d9, %r13; cvta.shared.u64 %d8, %d9; cvta.to.shared.u64 %d7, %d8; sub.s64 %d0, %d7, %d9;",
                 "cvt.u64.u32 %d9, %r13; cvta.shared.u64 %d8, %d9; ld.u64 %d0, [%d8]; ld.u64 %d5, [%d13+8];",
                 "cvt.u64.u32 %d9, %r13; cvta.shared.u64 %d8, %d9; st.u64 [%d8], %d2; ld.shared.u64 %d0, [%r13];",
                 "mov.u32 %r9, 0; mapa.shared::cluster.u32 %r0, %r13, %r9; sub.s32 %r0, %r0, %r13; "
                 "cvt.u64.u32 %d0, %r0;",
                 "getctarank.shared::cluster.u32 %r0, %r13; cvt.u64.u32 %d0, %r0;"):
        form("iiii", "d", text)
    for text in ("mov.b16 {x, y}, %h1; mov.b16 %h0, {y, x};", "mov.b16 {x, y}, %h1; mov.b16 {y, z}, %h2; "
                 "mov.b16 %h0, {x, y}; mov.b16 %h5, {z, x};"):
        form("ii", "h", "{ .reg .b8 x, y, z; " + text + " }")
    wide = "{ .reg .b128 q, r, s; "
    for text in ("mov.b128 q, {%d1, %d2}; mov.b128 r, q; mov.b128 {%d5, %d0}, r;",
                 "ld.global.b128 q, [%d13]; mov.b128 {%d0, %d5}, q;", "ld.shared.b128 q, [%r13]; mov.b128 {%d0, %d5}, q;",
                 "mov.b128 q, {%d2, %d1}; st.shared.b128 [%r13], q; ld.shared.v2.u64 {%d0, %d5}, [%r13];",
                 "mov.b128 q, {%d2, %d1}; st.global.b128 [%d13], q; ld.global.v2.u64 {%d0, %d5}, [%d13];",
                 "mov.b128 q, {%d3, %d4}; atom.global.exch.b128 r, [%d13], q; mov.b128 {%d0, %d5}, r;",
                 "mov.b128 q, {%d3, %d4}; atom.shared.exch.b128 r, [%r13], q; ld.shared.v2.u64 {%d0, %d5}, [%r13];",
                 "mov.b128 q, {%d1, %d2}; mov.b128 s, {%d3, %d4}; atom.global.cas.b128 r, [%d13], q, s; "
                 "ld.global.v2.u64 {%d0, %d5}, [%d13];",
                 "mov.b128 q, {%d1, %d4}; mov.b128 s, {%d3, %d4}; atom.global.cas.b128 r, [%d13], q, s; "
                 "mov.b128 {%d0, %d5}, r;",
                 "mov.b128 q, {%d1, %d4}; mov.b128 s, {%d3, %d2}; atom.shared.cas.b128 r, [%r13], q, s; "
                 "ld.shared.v2.u64 {%d0, %d5}, [%r13];"):
        form("iiii", "d", wide + text + " }")
    for text in ("and.b64 %d9, %d2, 56; add.s64 %d9, %d9, 8; alloca.u64 %d8, %d9; st.local.u64 [%d8], %d1; "
                 "alloca.u64 %d7, %d9; st.local.u64 [%d7], %d3; ld.local.u64 %d0, [%d8]; and.b64 %d5, %d7, 7;",
                 "stacksave.u64 %d9; alloca.u64 %d8, 48, 16; stackrestore.u64 %d9; alloca.u64 %d7, 48, 16; "
                 "sub.s64 %d0, %d8, %d7; and.b64 %d5, %d7, 15;",
                 "and.b32 %r9, %r2, 12; add.s32 %r9, %r9, 4; alloca.u32 %r8, %r9; st.local.u32 [%r8], %r1; "
                 "cvt.u64.u32 %d8, %r8; cvta.local.u64 %d7, %d8; ld.u32 %r0, [%d7]; mov.b64 %d0, {%r0, %r9};"):
        form("iiii", "d", text)
    for space in ("global", "shared", "local", "const", "param", "shared::cta", "shared::cluster"):
        form("i", "p", f"cvt.u64.u32 %d9, %r13; cvta.shared.u64 %d8, %d9; isspacep.{space} %p0, %d8; "
                       f"isspacep.{space} %p5, %d13;")


def memory():
    for space, at in (("global", "[%d13"), ("shared", "[%r13")):
        for t in ["u8", "s8", "b8"] + INTEGERS + ["b16", "b32", "b64", "f32", "f64"]:
            own = REGISTER[width(t)]
            for target in "hrd":
                if "hrd".index(target) < "hrd".index(own) or (t[0] == "f" and target != own):
                    continue
                form("ii", target, f"ld.{space}.{t} %{target}0, {at}+{4 if width(t) < 64 else 8}];")
                result = {"h": "g", "r": "G", "d": "M"} if space == "global" else {"h": "H", "r": "S", "d": "L"}
                form("ii", result[target], f"st.{space}.{t} {at}], %{target}2;")
        for vector, t in (("v2", "u8"), ("v4", "u8"), ("v2", "s16"), ("v4", "s16"), ("v2", "u32"), ("v4", "u32"),
                          ("v2", "f32"), ("v2", "u64"), ("v4", "s8")):
            r, n = REGISTER[max(32, width(t))], int(vector[1])
            names = ", ".join(f"%{r}{k}" for k in (0, 5, 6, 7)[:n])
            form("ii", r, f"ld.{space}.{vector}.{t} {{{names}}}, {at}];")
            names = ", ".join(f"%{r}{k}" for k in (3, 4, 2, 1)[:n])
            form("iiii", "M" if space == "global" else "L",
                 f"st.{space}.{vector}.{t} {at}], {{{names}}};")
    for words in ("global.nc", "global.ca", "global.cg", "global.cs", "global.cv", "global.lu", "volatile.global",
                  "relaxed.gpu.global", "acquire.sys.global", "global.L1::no_allocate", "global.nc.L1::evict_last",
                  "global.nc.L2::128B", "global.L2::64B"):
        form("ii", "r", f"ld.{words}.u32 %r0, [%d13];")
    for words in ("wb.", "cg.", "cs.", "wt."):
        form("ii", "G", f"st.global.{words}u32 [%d13], %r2;")
    for words in ("volatile.", "relaxed.gpu.", "release.sys."):
        form("ii", "G", f"st.{words}global.u32 [%d13], %r2;")
    form("ii", "r", "ldu.global.u32 %r0, [%d14];")
    for size in (4, 8, 16):
        form("ii", "L", f"cp.async.ca.shared.global [%r13], [%d13+{0 if size == 16 else 8}], {size}; "
                        "cp.async.commit_group; cp.async.wait_group 0;")
    form("ii", "L", "cp.async.cg.shared.global [%r13], [%d13], 16; cp.async.wait_all;")
    form("iic", "L", "and.b32 %r3, %r3, 3; cp.async.ca.shared.global [%r13], [%d13+8], 4, %r3; cp.async.wait_all;")
    form("iic", "L", "and.b32 %r3, %r3, 3; createpolicy.fractional.L2::evict_last.b64 %d9, 1.0; "
                     "cp.async.ca.shared.global.L2::cache_hint [%r13], [%d13+8], 4, %r3, %d9; cp.async.wait_all;")
    for text in ("createpolicy.fractional.L2::evict_last.b64 %d9, 0.5;",
                 "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %d9;",
                 "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %d9, [%d13], 128, 512;"):
        form("ii", "r", f"{text} ld.global.L2::cache_hint.u32 %r0, [%d13], %d9;")
        form("ii", "G", f"{text} st.global.L2::cache_hint.u32 [%d13], %r2, %d9;")
    for text in ("prefetch.global.L1 [%d13];", "prefetch.global.L2 [%d13];", "prefetchu.L1 [%d13];",
                 "membar.cta;", "membar.gl;", "membar.sys;", "fence.sc.gpu;", "fence.acq_rel.cta;", "nanosleep.u32 20;",
                 "pmevent 1;", "griddepcontrol.wait;", "griddepcontrol.launch_dependents;",
                 "applypriority.global.L2::evict_normal [%d14], 128;", "barrier.sync 0;", "bar.sync 1, 64;",
                 "bar.warp.sync -1;", "barrier.cluster.arrive; barrier.cluster.wait;"):
        form("i", "r", f"{text} mov.b32 %r0, %r1;")


def atomics():
    cases = [(t, op) for t in ("u32", "s32", "u64", "s64") for op in ("add", "min", "max")]
    cases += [(f"b{size}", op) for size in (32, 64) for op in ("and", "or", "xor", "exch")]
    cases += [("u32", "inc"), ("u32", "dec"), ("f32", "add"), ("f64", "add")]
    narrow = [(t, "add.noftz") for t in NARROW]
    spaces = (("global", "[%d13]", "gGM"), ("shared", "[%r13]", "HSL"), ("", "[%d13]", "gGM"))
    for (space, at, results), (t, op) in itertools.product(spaces, cases + narrow):
        r, dot = REGISTER[width(t)], "." + space if space else ""
        result = results["hrd".index(r)]
        kinds = inputs(t) * 2
        # On pairs in shared memory the GPU leaves the upper half unchanged. PTX says that it adds both halves, as
        # elsewhere.
        if space == "shared" and t in ("f16x2", "bf16x2"):
            continue
        form(kinds, result, f"atom{dot}.{op}.{t} %{r}0, {at}, %{r}2;")
        form(kinds, result, f"red{dot}.{op}.{t} {at}, %{r}2;" if op != "exch" else
             f"atom.relaxed.gpu{dot}.{op}.{t} %{r}0, {at}, %{r}2;")
    for (space, at, results), size in itertools.product(spaces, (16, 32, 64)):
        r, dot = REGISTER[size], "." + space if space else ""
        result = results["hrd".index(r)]
        form("iii", result, f"atom{dot}.cas.b{size} %{r}0, {at}, %{r}2, %{r}3;")
        form("iii", result, f"atom{dot}.cas.b{size} %{r}0, {at}, %{r}1, %{r}3;")
    for words in ("relaxed.cta", "acquire.gpu", "release.sys", "acq_rel.gpu"):
        form("ii", "G", f"atom.{words}.global.add.u32 %r0, [%d13], %r2;")
    for kind, text in (("s", "add.v2.f32 {%r0, %r5}, [%d13], {%r2, %r3}"),
                       ("h", "add.noftz.v2.f16 {%h0, %h5}, [%d13], {%h2, %h3}"),
                       ("h", "add.noftz.v2.f16x2 {%r0, %r5}, [%d13], {%r2, %r3}"),
                       ("b", "add.noftz.v2.bf16x2 {%r0, %r5}, [%d13], {%r2, %r3}"),
                       ("h", "min.noftz.v2.f16x2 {%r0, %r5}, [%d13], {%r2, %r3}"),
                       ("h", "max.noftz.v2.f16x2 {%r0, %r5}, [%d13], {%r2, %r3}")):
        form(kind * 3, "g" if ".f16 " in text else "G", f"atom.global.{text};")
        form(kind * 3, "M", "red.global." + re.sub(r"{[^}]*}, ", "", text, count=1) + ";")
    form("ssss", "M", "red.global.add.v4.f32 [%d13], {%r1, %r2, %r3, %r4};")
    # All threads of a block on one word: the final value.
    for op, t in (("add", "u32"), ("min", "s32"), ("max", "u32"), ("and", "b32"), ("or", "b32"), ("xor", "b32"),
                  ("inc", "u32"), ("add", "u64"), ("max", "s64"), ("min", "u64")):
        r = REGISTER[width(t)]
        value = f"%{r}2" if op != "inc" else "100"
        form("ii", "L", f"red.shared.{op}.{t} [%r14], {value};")
        form("ii", "M", f"red.global.{op}.{t} [%d14], {value};")
        form("ii", "M", f"atom.global.{op}.{t} %{r}9, [%d14], {value};")
        form("ii", "M", f"@%p1 red.global.{op}.{t} [%d14], {value};")


def warps():
    for mode in ("up", "down", "bfly", "idx"):
        for kinds in ("icc", "iic"):
            form(kinds, "r", f"shfl.sync.{mode}.b32 %r0|%p0, %r1, %r2, %r3, -1; selp.b32 %r5, 1, 0, %p0;")
        for clamp in ("31", "0", "0x181f", "0x1c1f", "0x1c00", "0x1800", "15", "7"):
            form("ic", "r", f"shfl.sync.{mode}.b32 %r0|%p0, %r1, %r2, {clamp}, -1; selp.b32 %r5, 1, 0, %p0;")
        for lane in (0, 1, 5, 16, 31, 32, 40):
            form("i", "r", f"shfl.sync.{mode}.b32 %r0|%p0, %r1, {lane}, 31, -1; selp.b32 %r5, 1, 0, %p0;")
            form("i", "r", f"shfl.sync.{mode}.b32 %r0, %r1, {lane}, 0x1c1f, 0xffffffff;")
    some = "vote.sync.ballot.b32 %r8, %p1, -1; @%p1 "
    few = "setp.eq.u32 %p1, %r1, 7; "
    for mode in ("all", "any", "uni"):
        form("iiii", "p", f"vote.sync.{mode}.pred %p0, %p1, -1; vote.sync.{mode}.pred %p5, !%p2, -1;")
        form("iiii", "p", f"{few}vote.sync.{mode}.pred %p0, %p1, -1; vote.sync.{mode}.pred %p5, !%p1, -1;")
        form("iiii", "p", f"{some}vote.sync.{mode}.pred %p0, %p2, %r8;")
    form("iiii", "r", "vote.sync.ballot.b32 %r0, %p1, -1; vote.sync.ballot.b32 %r5, !%p2, -1;")
    form("iiii", "r", f"{some}vote.sync.ballot.b32 %r0, %p2, %r8;")
    form("iiii", "r", "activemask.b32 %r0;")
    for t, ops in (("u32", ("add", "min", "max")), ("s32", ("add", "min", "max")), ("b32", ("and", "or", "xor"))):
        for op in ops:
            form("i", "r", f"redux.sync.{op}.{t} %r0, %r1, -1;")
            form("iiii", "r", f"{some}redux.sync.{op}.{t} %r0, %r1, %r8;")
    for t in ("b32", "b64"):
        r = REGISTER[width(t)]
        for mask in ("0", "1", "3", "12"):
            form("i", "r", f"and.{t} %{r}1, %{r}1, {mask}; match.any.sync.{t} %r0, %{r}1, -1;")
            form("i", "r", f"and.{t} %{r}1, %{r}1, {mask}; match.all.sync.{t} %r0|%p0, %{r}1, -1; "
                           "selp.b32 %r5, 1, 0, %p0;")
        form("i", "r", f"match.any.sync.{t} %r0, %{r}1, -1;")
        form("iiii", "r", f"and.{t} %{r}1, %{r}1, 3; {some}match.any.sync.{t} %r0, %{r}1, %r8;")
        form("iiii", "r", f"and.{t} %{r}1, %{r}1, 16; {some}match.all.sync.{t} %r0|%p0, %{r}1, %r8; "
                          "selp.b32 %r5, 1, 0, %p0;")
    form("i", "r", "elect.sync %r0|%p0, -1; selp.b32 %r5, 1, 0, %p0;")
    for opcode in ("bar.red", "barrier.red"):
        form("iiii", "r", f"{opcode}.popc.u32 %r0, 0, %p1; {opcode}.popc.u32 %r5, 0, !%p2;")
        for op in ("and", "or"):
            form("iiii", "p", f"{opcode}.{op}.pred %p0, 0, %p1; {opcode}.{op}.pred %p5, 0, !%p2;")
            form("iiii", "p", f"{few}{opcode}.{op}.pred %p0, 0, %p1; {opcode}.{op}.pred %p5, 0, !%p1;")


def flow():
    form("iiii", "r", "@%p1 bra a; add.s32 %r0, %r1, %r2; bra b; a: sub.s32 %r0, %r1, %r2; b: mad.lo.s32 %r5, %r0, 3, %r3;")
    form("iiii", "r", "@!%p1 bra.uni a; mov.b32 %r6, 1; a: @%p2 bra b; not.b32 %r0, %r1; b: mov.b32 %r5, %r2;")
    form("iiii", "r", "@%p1 bra a; @%p2 bra b; mov.b32 %r0, 1; bra c; a: @%p2 bra b; mov.b32 %r0, 2; bra c; "
                      "b: mov.b32 %r0, 3; c: activemask.b32 %r5; vote.sync.ballot.b32 %r6, %p1, -1;")
    form("cc", "r", "and.b32 %r9, %r1, 31; a: setp.eq.s32 %p3, %r9, 0; @%p3 bra b; mad.lo.s32 %r0, %r0, 5, %r9; "
                    "sub.s32 %r9, %r9, 1; bra a; b: vote.sync.all.pred %p0, %p3, -1; selp.b32 %r5, 1, 0, %p0;")
    form("cc", "r", "and.b32 %r9, %r1, 3; t: .branchtargets a, b, c, d; brx.idx %r9, t; a: mov.b32 %r0, 10; bra e; "
                    "b: mov.b32 %r0, 20; c: add.s32 %r0, %r0, 30; bra e; d: mov.b32 %r0, %r2; e: add.s32 %r5, %r0, 1;")
    form("iiii", "r", "mov.b32 %r0, %r1; @%p1 exit; mov.b32 %r0, %r2;")
    form("iiii", "r", "mov.b32 %r0, %r1; @%p2 ret; mov.b32 %r0, %r2; @%p1 bra a; ret; a: exit;")
    call = "st.param.b32 [a], %r1; st.param.b32 [b], {}; {} ld.param.b32 %r0, [o]; }}"
    parts = "{ .param .b32 a; .param .b32 b; .param .b32 o; "
    form("iiii", "r", parts + call.format("3", "call.uni (o), fold, (a, b);"))
    form("ic", "r", "and.b32 %r9, %r2, 7; " + parts + call.format("%r9", "call (o), fold, (a, b);"))
    form("iiii", "r", "@%p1 bra e; " + parts + call.format("2", "call (o), fold, (a, b);") + " e: mov.b32 %r5, %r2;")
    form("iiii", "r", "mov.u64 %d9, fold; " + parts + call.format(
        "1", "p: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _); call (o), %d9, (a, b), p;"))
    form("i", "r", "mov.b32 %r0, %r1; discard.global.L2 [%d14], 128;")


def video():
    signs = list(itertools.product(("u32", "s32"), repeat=3))
    for parts, (op, extras) in itertools.product("24", (("vadd", ("", ".sat", ".add")), ("vsub", ("", ".sat", ".add")),
                                                       ("vavrg", ("", ".add")), ("vabsdiff", ("", ".sat", ".add")),
                                                       ("vmin", ("", ".add")), ("vmax", ("", ".add")))):
        for (d, a, b), extra in itertools.product(signs, extras):
            form("iii", "r", f"{op}{parts}.{d}.{a}.{b}{extra} %r0, %r1, %r2, %r3;")
    for parts, a, b, word in itertools.product("24", ("u32", "s32"), ("u32", "s32"),
                                               ("eq", "ne", "lt", "le", "gt", "ge")):
        form("iii", "r", f"vset{parts}.{a}.{b}.{word} %r0, %r1, %r2, %r3;")
        if word in ("lt", "ne"):
            form("iii", "r", f"vset{parts}.{a}.{b}.{word}.add %r0, %r1, %r2, %r3;")
    for op, a, b in itertools.product(("vadd", "vsub", "vabsdiff", "vmin", "vmax"), ("u32", "s32"), ("u32", "s32")):
        for extra in ("", ".sat"):
            form("iii", "r", f"{op}.s32.{a}.{b}{extra} %r0, %r1, %r2;")
    for op, mode in itertools.product(("vshl", "vshr"), ("clamp", "wrap")):
        form("ic", "r", f"{op}.u32.u32.u32.{mode} %r0, %r1, %r2;")
    form("iii", "r", "vmad.u32.u32.u32 %r0, %r1, %r2, %r3;")
    form("iii", "r", "vset.u32.u32.lt %r0, %r1, %r2;")
    scalar_video(signs)


def scalar_video(signs):
    """Forms on parts of a word, added to c or put into a part of it. For .sat in these, a second .min or .max, the part
    .h1, and vmad with .sat or a shift, the code of ptxas 13 departs from PTX, and the emulator refuses them."""
    parts, into = (".b0", ".b1", ".b2", ".b3", ".h0", ".h1"), (".b0", ".b1", ".b2", ".b3", ".h0")
    for n, op in enumerate(("vadd", "vsub", "vabsdiff", "vmin", "vmax")):
        for k, (d, a, b) in enumerate(signs):
            pick = [parts[(n + k * step + step) % 6] for step in (1, 5)]
            for extra in ("", ".sat"):
                form("iii", "r", f"{op}.{d}.{a}.{b}{extra} %r0, %r1{pick[0]}, %r2{pick[1]};")
            form("iii", "r", f"{op}.{d}.{a}.{b} %r0{into[(n + k) % 5]}, %r1{pick[1]}, %r2, %r3;")
            form("iii", "r", f"{op}.{d}.{a}.{b}.add %r0, %r1, %r2{pick[0]}, %r3;")
    for k, (op, mode, d, a) in enumerate(itertools.product(("vshl", "vshr"), ("clamp", "wrap"), ("u32", "s32"),
                                                          ("u32", "s32"))):
        form("ici", "r", f"{op}.{d}.{a}.u32.{mode} %r0, %r1, %r2;")
        form("ici", "r", f"{op}.{d}.{a}.u32.{mode} %r0{into[k % 5]}, %r1{parts[k * 5 % 6]}, %r2.b0, %r3;")
        form("ici", "r", f"{op}.{d}.{a}.u32.{mode}.add %r0, %r1, %r2, %r3;")
        if op == "vshr":
            form("ici", "r", f"{op}.{d}.{a}.u32.sat.{mode} %r0, %r1, %r2;")
    for k, ((d, a, b), extra) in enumerate(itertools.product(signs, ("", ".po"))):
        form("iii", "r", f"vmad.{d}.{a}.{b}{extra} %r0, %r1{parts[k % 6]}, %r2{parts[k * 5 % 6]}, %r3;")
        form("iii", "r", f"vmad.{d}.{a}.{b}{extra} %r0, %r1, %r2, %r3;")
    for k, (a, b, word) in enumerate(itertools.product(("u32", "s32"), ("u32", "s32"),
                                                       ("eq", "ne", "lt", "le", "gt", "ge"))):
        form("iii", "r", f"vset.{a}.{b}.{word} %r0, %r1{parts[k % 6]}, %r2;")
        form("iii", "r", f"vset.{a}.{b}.{word} %r0{into[k % 5]}, %r1, %r2{parts[k * 5 % 6]}, %r3;")
        form("iii", "r", f"vset.{a}.{b}.{word}.add %r0, %r1, %r2, %r3;")


def all_forms():
    for family in (integers, carries, bits, comparisons, floating, approximations, conversions, moves, memory, atomics,
                   warps, flow, video):
        family()
    return list(dict.fromkeys(lines))


def refused(modules, forms, folder):
    """Returns the forms in which ptxas finds a mistake, by the line that it names."""
    subprocess.run([modules, os.path.join(folder, "m"), str(len(forms))], input="\n".join(forms) + "\n", text=True,
                   check=True)
    path = os.path.join(folder, "m0.ptx")
    done = subprocess.run(["ptxas", "-arch=sm_90", "-o", "/dev/null", path], capture_output=True, text=True)
    if done.returncode == 0:
        return set()
    with open(path) as file:
        kernel, kernel_of = -1, {}
        for number, line in enumerate(file, 1):
            kernel += line.startswith(".visible .entry")
            kernel_of[number] = kernel
    bad = {kernel_of[int(number)] for number in re.findall(r", line (\d+)", done.stderr)}
    if not bad or -1 in bad:
        sys.exit(done.stderr)
    return {forms[k] for k in bad}


def accepted(modules, forms):
    with tempfile.TemporaryDirectory() as folder:
        good = []
        for start in range(0, len(forms), 300):
            some = forms[start:start + 300]
            while some and (bad := refused(modules, some, folder)):
                print(*sorted(bad), sep="\n", file=sys.stderr)
                some = [line for line in some if line not in bad]
            good += some
        return good


def main():
    forms = all_forms()
    if len(sys.argv) == 3 and sys.argv[1] == "--accepted":
        forms = accepted(sys.argv[2], forms)
    elif len(sys.argv) != 1:
        sys.exit(__doc__)
    print(*forms, sep="\n")


if __name__ == "__main__":
    main()
