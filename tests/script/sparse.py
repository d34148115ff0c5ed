"""Products with a sparse matrix a (mma.sp) on the emulator: each register and each bit of the metadata stands where the PTX
manual has it. The products here are exact in any order; tests/matrix/forms.py has the forms whose bits a GPU settles."""
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
KERNEL = """.version 8.5
.target sm_90
.address_size 64
.visible .entry product(.param .u64 in, .param .u64 out) {{
.reg .b32 %r<20>; .reg .b32 %o<4>; .reg .b64 %d<6>;
ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r19, %laneid;
mul.wide.u32 %d3, %r19, 64; add.s64 %d4, %d1, %d3; mul.wide.u32 %d3, %r19, 16; add.s64 %d5, %d2, %d3;
ld.global.v4.b32 {{%r0, %r1, %r2, %r3}}, [%d4]; ld.global.v4.b32 {{%r4, %r5, %r6, %r7}}, [%d4+16];
ld.global.v4.b32 {{%r8, %r9, %r10, %r11}}, [%d4+32]; ld.global.b32 %r12, [%d4+48];
mov.b32 %o0, 0; mov.b32 %o1, 0; mov.b32 %o2, 0; mov.b32 %o3, 0;
{statement}
st.global.v4.b32 [%d5], {{%o0, %o1, %o2, %o3}}; ret; }}
"""
E4M3 = {0: 0, 1: 0x38, 2: 0x40, 3: 0x44, -1: 0xb8, -2: 0xc0, -3: 0xc4}
FORMATS = {  # bits, and the bits of a small whole number
    "f16": (16, lambda x: struct.unpack("<H", struct.pack("<e", x))[0]),
    "bf16": (16, lambda x: struct.unpack("<I", struct.pack("<f", x))[0] >> 16),
    "tf32": (32, lambda x: struct.unpack("<I", struct.pack("<f", x))[0]),
    "s8": (8, lambda x: x & 255), "e4m3": (8, lambda x: E4M3[x])}


def names(count, first):
    return "{" + ", ".join(f"%r{first + i}" for i in range(count)) + "}"


class Sparse(unittest.TestCase):
    def product(self, form, k, selector, ordered="", seed=1):
        """Runs D = A * B + C of small whole numbers. Returns what the emulator has, and what it should have."""
        draw = random.Random(f"{form} {k} {selector} {seed}")
        bits, encode = FORMATS[form]
        per, whole = 32 // bits, form == "s8"
        a = [[draw.randint(-3, 3) for _ in range(k // 2)] for _ in range(16)]  # what is left of each row
        b = [[draw.randint(-3, 3) for _ in range(8)] for _ in range(k)]
        c = [[draw.randint(-9, 9) for _ in range(8)] for _ in range(16)]
        groups = k // 2 if form == "tf32" else k // 4
        codes = [0x4, 0xe] if form == "tf32" else [0x4, 0x8, 0xc, 0x9, 0xd, 0xe]
        meta = [[draw.choice(codes) for _ in range(groups)] for _ in range(16)]
        words = [[0] * 16 for _ in range(32)]
        for lane in range(32):
            group, place = divmod(lane, 4)
            for register in range(k // 2 * 16 * bits // 1024):
                for i in range(per):
                    row, column = group + 8 * (register % 2), register // 2 * 4 * per + place * per + i
                    words[lane][register] |= encode(a[row][column]) << bits * i
            for register in range(k * 8 * bits // 1024):
                for i in range(per):
                    words[lane][4 + register] |= encode(b[register * 4 * per + place * per + i][group]) << bits * i
            for register in range(4):
                value = c[group + 8 * (register // 2)][place * 2 + register % 2]
                words[lane][8 + register] = value & 0xffffffff if whole else struct.unpack("<I", struct.pack("<f", value))[0]
            words[lane][12] = draw.getrandbits(32)  # in lanes without metadata, anything
        for row in range(16):
            for g in range(groups):
                if bits == 8:
                    lane = selector * 2 + g // 8 * 2 + row // 8
                    at = g % 8 * 4
                else:
                    lane = selector * (2 if groups > 4 else 1) + g // 4
                    at = g % 4 * 4 + row // 8 * 16
                lane += row % 8 * 4
                words[lane][12] = words[lane][12] & ~(15 << at) | meta[row][g] << at
        ra, rb = k // 2 * 16 * bits // 1024, k * 8 * bits // 1024
        kinds = f"s32.{form}.{form}.s32" if whole else f"f32.{form}.{form}.f32"
        statement = (f"mma.sp{ordered}.sync.aligned.m16n8k{k}.row.col.{kinds} {{%o0, %o1, %o2, %o3}}, {names(ra, 0)}, "
                     f"{names(rb, 4)}, {names(4, 8)}, %r12, {selector};")
        with tempfile.TemporaryDirectory() as folder:
            ptx, given, out = (pathlib.Path(folder, name) for name in ("k.ptx", "in", "out"))
            ptx.write_text(KERNEL.format(statement=statement))
            given.write_bytes(b"".join(struct.pack("<16I", *row) for row in words))
            done = subprocess.run([PROGRAM, "run", str(ptx), "--on", "emulator", "--block", "32", "--arg", f"u32[512]=file:{given}",
                                   "--arg", "u32[128]=zero", "--dump", f"1={out}"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            got = [value[0] for value in struct.iter_unpack("<i" if whole else "<f", out.read_bytes())]
        expected = []
        for lane in range(32):
            for register in range(4):
                row, column = lane // 4 + 8 * (register // 2), lane % 4 * 2 + register % 2
                total = c[row][column]
                for x in range(k // 2):
                    if form == "tf32":
                        place = 2 * x + (meta[row][x] == 0xe)
                    else:
                        place = x // 2 * 4 + (meta[row][x // 2] >> x % 2 * 2 & 3)
                    total += a[row][x] * b[place][column]
                expected.append(total)
        return got, expected

    def test_products(self):
        for form, k, selectors in (("f16", 16, 4), ("f16", 32, 2), ("bf16", 16, 4), ("bf16", 32, 2), ("tf32", 8, 4),
                                   ("tf32", 16, 2), ("s8", 32, 2), ("s8", 64, 1), ("e4m3", 64, 1)):
            for selector in range(selectors):
                for ordered in ("", "::ordered_metadata"):
                    got, expected = self.product(form, k, selector, ordered)
                    self.assertEqual(got, expected, (form, k, selector, ordered))

    def test_what_no_machine_has_is_refused(self):
        for words, operands in (("m16n8k16.row.col.f32.f16.f16.f32", "{%r0, %r1}, {%r4, %r5}, {%r8, %r9, %r10, %r11}, %r12, 4"),
                                ("m16n8k32.row.col.f32.f16.f16.f32", "{%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%r8, %r9, %r10, %r11}, %r12, 2"),
                                ("m16n8k32.row.col.f32.f16.f16.f32", "{%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%r8, %r9, %r10, %r11}"),
                                ("m16n8k32.row.col.f32.f16.f16.f32", "{%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%r8, %r9, %r10, %r11}, %d1, 0"),
                                ("m16n8k128.row.col.s32.s4.s4.s32", "{%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%r8, %r9, %r10, %r11}, %r12, 0")):
            with tempfile.TemporaryDirectory() as folder:
                ptx = pathlib.Path(folder, "k.ptx")
                ptx.write_text(KERNEL.format(statement=f"mma.sp.sync.aligned.{words} {{%o0, %o1, %o2, %o3}}, {operands};"))
                done = subprocess.run([PROGRAM, "run", str(ptx), "--on", "emulator"], capture_output=True, text=True)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn("mma.sp", done.stderr)


if __name__ == "__main__":
    unittest.main()
