"""Kernels that come to the driver as PTX, with the counts of the hardware: those of Triton, as its own compiler makes them
(tests/triton), and asynchronous copies in many patterns of addresses (tests/copies)."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
FOLDER, COPIES = pathlib.Path("tests/triton").resolve(), pathlib.Path("tests/copies").resolve()
HANG = 900  # seconds, to end a process that hangs; no verdict depends on it
# Of the tiles at the right edge nothing is left for the second of two stores. The PTX loads for it all the same; by its
# counts, the machine code of the H200 does so only where a lane of the warp stores: 3 blocks, 4 warps, 4 loads.
MOVED = {("transpose", f"{name}.sum"): 3 * 4 * 4 for name in
         ("smsp__sass_inst_executed_op_shared_ld", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld")}


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=HANG, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, LANGUAGE="en"))


def launch(folder):
    done = run(PROGRAM, "exec", "--on", "emulator", "--json", "--", sys.executable, str(folder / "launch.py"), str(folder))
    return json.loads(done.stdout), done


def counted(folder, found, moved):
    """Returns the counts of the launches, and those of the hardware, each a list for a launch."""
    names, *rows = [line.split() for line in (folder / "counters.txt").read_text().splitlines()]
    ours = [[one["kernel"], *[one["counters"][name] - moved.get((one["kernel"], name), 0) for name in names[1:]]]
            for one in found["launches"]]
    return ours, [[kernel, *map(int, numbers)] for kernel, *numbers in rows]


def problems(found):
    return [one["faults"] + one["hazards"] for one in found["launches"] if one["faults"] or one["hazards"]]


@unittest.skipIf("LANESCOPE_SANITIZED" in os.environ, "a host without the sanitizers cannot load a library that has them")
class Triton(unittest.TestCase):
    maxDiff = None

    def test_kernels_compute_and_count_what_the_hardware_does(self):
        found, done = launch(FOLDER)
        names = [one["kernel"] for one in found["launches"]]
        self.assertEqual(found["output"].splitlines(), [f"{name} right" for name in names], done.stderr)
        self.assertEqual(problems(found), [])
        self.assertEqual(*counted(FOLDER, found, MOVED))

    def test_lanes_that_copy_nothing_read_nothing_and_copies_past_the_l1_count_as_the_hardware_does(self):
        found, done = launch(COPIES)
        self.assertEqual(found["output"], (COPIES / "results.txt").read_text(), done.stderr)
        self.assertEqual(problems(found), [])
        self.assertEqual(*counted(COPIES, found, {}))

    def test_a_kernel_is_told_by_the_lines_of_its_python(self):
        sites = launch(FOLDER)[0]["launches"][0]["sites"]
        source = (FOLDER / "kernels.py").read_text().splitlines()
        lines = {site["operation"]: source[site["line"] - 1] for site in sites if site["space"] == "global"}
        self.assertEqual(set(lines), {"ld", "st"})
        self.assertIn("tl.load", lines["ld"])
        self.assertIn("tl.store", lines["st"])

    def test_a_host_with_libraries_and_an_assembler_of_its_own_takes_ours(self):
        """PyTorch's libraries name the folder of NVIDIA's runtime, which LD_LIBRARY_PATH does not come before; Triton hands
        what its assembler writes to the driver."""
        with tempfile.TemporaryDirectory() as folder:
            script, ptx, image = (pathlib.Path(folder, name) for name in ("host.py", "add.ptx", "add.cubin"))
            ptx.write_bytes((FOLDER / "add.ptx").read_bytes())
            script.write_text(f"""
import ctypes, os, subprocess
everything = ctypes.CDLL(None)
print(everything.cudaDeviceSynchronize(), os.environ["TRITON_OVERRIDE_ARCH"])
ptxas = os.environ["TRITON_PTXAS_PATH"]
print("release 13.0" in subprocess.run([ptxas, "--version"], capture_output=True, text=True).stdout)
subprocess.run([ptxas, "-lineinfo", "-v", "--gpu-name=sm_80", {str(ptx)!r}, "-o", {str(image)!r}], check=True)
print(subprocess.run([ptxas, "-v"], capture_output=True).returncode)
module = ctypes.c_uint64()
print(everything.cuModuleLoadData(ctypes.byref(module), open({str(image)!r}, "rb").read() + b"\\0"))
""")
            done = run(PROGRAM, "exec", "--on", "emulator", "--", sys.executable, str(script))
        self.assertEqual(done.stdout.splitlines()[:4], ["0 sm80", "True", "1", "0"], done.stderr)


if __name__ == "__main__":
    unittest.main()
