"""Kernels of other languages, as PTX without a host: `inspect` proposes a launch from their signatures, and it runs."""
import json
import os
import pathlib
import shlex
import struct
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
FOLDER = pathlib.Path(__file__).parent.parent / "languages"


def run(*words):
    environment = {**os.environ, "LANGUAGE": "en", "LANESCOPE_PAGE": ""}
    environment.pop("DISPLAY", None)
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, env=environment)


def path(name):
    return str(FOLDER / f"{name}.ptx")


def proposed(file):
    kernels = json.loads(run("inspect", file, "--json").stdout)["kernels"]
    return [kernel["launch"] for kernel in kernels]


class Languages(unittest.TestCase):
    def dumped(self, file, words, number, form):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.bin"
            done = run("run", file, "--on", "emulator", "--json", "--dump", f"{number}={out}", *words)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout[-500:])
            return [value[0] for value in struct.iter_unpack(form, out.read_bytes())]

    def test_a_launch_is_proposed_for_each_signature_and_runs_without_a_finding(self):
        expected = {
            "julia": "--grid 4 --block 256 --arg 'struct{i64[2]={}}' --arg 'struct{f32[1024]=iota,i64=0,i64=1024,i64=0}' "
                     "--arg f32=1 --arg 'struct{f32[1024]=iota,i64[3]={}}'",
            "warp": "--grid 4 --block 256 --arg 'struct{i32[4]={1024,1,1,1},i32=1,i64=1024}' "
                    + " ".join(["--arg 'struct{f32[1024]=iota,i64=0,i32[4]={1024,1,1,1},i32[4]={4,4,4,4},i32=1,i32=0}'"] * 2),
            "cute": "--grid 8 --block 128 --arg 'struct{f16[1024]=iota,i32=1024,i32=0,i64=0}' --arg 'struct{f16[1024]=iota,i64=0}'",
            "cutlass": "--grid 8 --block 128 --arg 'struct{i32=1024,i32=1024,i64[5]={},f32[1024]=iota,i64[25]={},"
                       "f32[1024]=iota,f32[1024]=iota,i64[5]={},f32=1,i32=0,i64[6]={}}'",
            "nvopencc": "--grid 4 --block 256 --shared 2048 --arg 'struct{i32[3]={}}' --arg 'f32[1024]=iota' --arg i32=1024 --arg i32=1024",
            "triton": "--grid 8 --block 128 --arg 'bf16[1024]=iota' --arg 'bf16[1024]=iota' --arg i32=1024 "
                      "--arg 'f32[1024]=iota' --arg 'f32[1024]=iota'",
        }
        for name, launch in expected.items():
            self.assertEqual(proposed(path(name)), [launch])
            self.assertIn(f"lanescope run {path(name)} {launch}\n", run("inspect", path(name)).stdout)
            for words in [shlex.split(launch), []]:  # the proposal, and a run that guesses the same
                done = run("run", path(name), "--on", "emulator", "--check", "memory,race", *words)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("nothing found", done.stdout)

    def test_structures_bring_buffers(self):
        words = ["--block", "64", "--arg", "struct{i64[2]={}}", "--arg", "struct{f32[64]=iota,i64=64,i64=64,i64=64}",
                 "--arg", "f32=2", "--arg", "struct{f32[64]=const:1,i64=64,i64=64,i64=64}"]
        self.assertEqual(self.dumped(path("julia"), words, 3, "<f"), [2.0 * i + 1 for i in range(64)])
        self.assertEqual(self.dumped(path("julia"), words, 1, "<f"), [float(i) for i in range(64)])
        done = run("run", path("julia"), *words, "--dump", "0=/dev/null")
        self.assertIn("argument 0 is not a buffer", done.stderr)

    def test_each_buffer_of_a_structure_can_be_written_to_a_file(self):
        words = ["--block", "128", "--arg", "struct{i32=128,i32=1,i64[5]={},f32[128]=iota,i64[25]={},f32[128]=const:3,"
                 "f32[128]=zero,i64[5]={},f32=0.5,i32=0,i64[6]={}}"]
        self.assertEqual(self.dumped(path("cutlass"), words, "0.2", "<f"), [i * 0.5 + 3 for i in range(128)])
        self.assertEqual(self.dumped(path("cutlass"), words, "0", "<f"), [float(i) for i in range(128)])
        done = run("run", path("cutlass"), *words, "--dump", "0.3=/dev/null")
        self.assertEqual(done.returncode, 2)
        self.assertIn("argument 0 has 3 buffers", done.stderr)

    def test_a_structure_of_another_size_is_refused_with_both_sizes(self):
        done = run("run", path("cute"), "--arg", "struct{f16[8]=iota,i64=8,i64=1,i64=1}", "--arg", "struct{f16[8]=iota,i64=1}")
        self.assertEqual(done.returncode, 2)
        self.assertIn("has 32 B, but its parameter takes 24 B", done.stderr)

    def test_a_pointer_out_of_its_buffer_is_named_by_the_structure(self):
        done = run("run", path("cute"), "--on", "emulator", "--arg", "struct{f16[8]=iota,i32=9,i32=0,i64=1}", "--arg",
                   "struct{f16[9]=zero,i64=1}")
        self.assertIn("1 byte after arg0 of 16 bytes", done.stdout)

    def test_what_cannot_run_is_refused_with_a_sentence_of_its_own(self):
        head = ".version 8.6\n.target sm_100\n.address_size 64\n"
        texts = {
            "instructions of chips after sm_90 are not emulated":
                head + ".entry k() {\n.reg .b64 %d;\nmov.b64 %d, 0;\nfma.rn.f32x2 %d, %d, %d, %d;\nret; }\n",
        }
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "k.ptx"
            for sentence, text in texts.items():
                file.write_text(text)
                self.assertIn(sentence, run("inspect", str(file)).stdout)

    def test_halves_are_computed_and_shown_as_numbers(self):
        words = ["--block", "128", "--arg", "bf16[128]=iota", "--arg", "bf16[128]=zero", "--arg", "i32=128", "--arg", "u64=0", "--arg", "u64=0"]
        got = self.dumped(path("triton"), words, 1, "<H")
        self.assertEqual([struct.unpack("<f", struct.pack("<I", bits << 16))[0] for bits in got], [i + 1.0 for i in range(128)])


if __name__ == "__main__":
    unittest.main()
