"""What nvcc takes and clang does not: each case of tests/programs/liberties.txt is a small program, which compiles and
prints what stands behind it. With LANESCOPE_NVCC=1 and nvcc on the machine, nvcc is asked, too, whether it takes the
program."""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
TABLE = pathlib.Path("tests/programs/liberties.txt")
HANG = 900  # seconds, to end a process that hangs; no verdict depends on it
cache = tempfile.TemporaryDirectory()
ENVIRONMENT = {"XDG_CACHE_HOME": cache.name, **os.environ, "LANGUAGE": "en"}


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, env=ENVIRONMENT, timeout=HANG,
                          stdin=subprocess.DEVNULL)


def cases():
    """Returns the cases as (name, {file: text}, output): "== name", the program, other files behind "-- file NAME", and
    what is printed behind "-- prints"."""
    for name, body in re.findall(r"^== (.*)\n((?:(?!== ).*\n)*)", TABLE.read_bytes().decode(), re.M):
        source, output = body.split("-- prints\n")
        parts = re.split(r"^-- file (.*)\n", source, flags=re.M)
        yield name, {"case.cu": parts[0], **dict(zip(parts[1::2], parts[2::2]))}, output


def verdict(files):
    """Returns what a case printed, or why it did not."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            pathlib.Path(folder, name).write_bytes(text.encode())
        path = f"{folder}/case.cu"
        if os.environ.get("LANESCOPE_NVCC") and shutil.which("nvcc"):
            done = subprocess.run(["nvcc", "-arch=sm_80", "-rdc=true", "--extended-lambda", "-c", "-o", "/dev/null", path],
                                  capture_output=True, text=True, timeout=HANG)
            if done.returncode:
                return "nvcc: " + done.stdout + done.stderr
        done = run("run", "--on", "emulator", "--json", path)
        return json.loads(done.stdout)["output"] if done.stdout else done.stderr


class Liberties(unittest.TestCase):
    maxDiff = None

    def test_programs_that_nvcc_takes_compile_and_print_the_same(self):
        table = list(cases())
        self.assertTrue(table)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (name, _, output), text in zip(table, pool.map(verdict, (files for _, files, _ in table))):
                with self.subTest(name):
                    self.assertEqual(text, output)

    def test_messages_and_counts_have_the_place_of_the_users_own_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path, header = pathlib.Path(folder, "place.cu"), pathlib.Path(folder, "own.h")
            header.write_text("__global__ void k(int *p)\n{\n    *p = 1;\n}\ninline void go() { k << <1, 1 >> > (0); }\n")
            path.write_text('#include "own.h"\nint main()\n{\n    int *p;\n    cudaMalloc(&p, 4);\n'
                            "    k << <1, 1 >> > (p); missing();\n}\n")
            self.assertIn(f"{path}:6:26: use of undeclared identifier 'missing'", run("run", str(path)).stderr)
            path.write_text(path.read_text().replace("missing", "go"))
            found = json.loads(run("run", "--on", "emulator", "--json", str(path)).stdout)
            self.assertEqual([launch["line"] for launch in found["launches"]], [6, 5])
            self.assertEqual([fault["line"] for fault in found["launches"][1]["faults"]], [3])
            alone = run("run", "--on", "emulator", "--grid", "1", "--block", "1", "--arg", "i32[4]=iota", str(path))
            self.assertEqual(alone.returncode, 0, alone.stderr)
            self.assertRegex(alone.stdout, r"\n +3  st.global 4 B")

    def test_what_ended_with_older_cuda_is_refused_with_a_remedy(self):
        remedies = {"#include <windows.h>\nint main() { }\n": "header of Windows",
                    "#include <helper_cuda.h>\nint main() { }\n": "folder Common",
                    "texture<float> t;\nint main() { }\n": "references ended with CUDA 12",
                    "__global__ void k(int *p) { *p = __shfl_down(*p, 1); }\nint main() { }\n": "write __shfl_down_sync"}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "old.cu")
            for source, remedy in remedies.items():
                path.write_text(source)
                done = run("run", str(path))
                self.assertEqual(done.returncode, 2)
                self.assertIn(remedy, done.stderr)

    def test_launches_by_kernels_have_their_places_and_are_refused_by_name_where_they_cannot_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "children.cu")
            path.write_text("__global__ void k(int *p, int n)\n{\n    p[n] = n;\n    if (n < 2)\n"
                            "        k<<<1, 1>>>(p, n + 1); missing();\n}\nint main()\n{\n    int *p;\n"
                            "    cudaMalloc(&p, 8);\n    k<<<1, 1>>>(p, 0);\n    return cudaFree(p);\n}\n")
            self.assertIn(f"{path}:5:32: use of undeclared identifier 'missing'", run("run", str(path)).stderr)
            path.write_text(path.read_text().replace(" missing();", ""))
            found = json.loads(run("run", "--on", "emulator", "--json", str(path)).stdout)
            self.assertEqual([(launch.get("launcher"), launch["line"]) for launch in found["launches"]],
                             [(None, 11), (1, 5), (2, 5)])
            self.assertEqual([fault["line"] for fault in found["launches"][2]["faults"]], [3])
            alone = run("run", "--on", "emulator", "--grid", "1", "--block", "1", "--arg", "i32[4]=iota", "--arg", "i32=0",
                        str(path))
            self.assertIn("run in whole programs only", alone.stderr)
            path.write_text("__global__ void k()\n{\n    cudaDeviceSynchronize();\n}\nint main() { }\n")
            self.assertRegex(run("run", str(path)).stderr, "children.cu:3:5: .*cannot wait for kernels that it launched")

    def test_the_launch_of_a_kernel_alone_is_read_from_parted_marks(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "guess.cu")
            path.write_text("__global__ void k(int *p)\n{\n    p[threadIdx.x] = 1;\n}\n"
                            "void go(int *p)\n{\n    k << <3, 64 >> > (p);\n}\n")
            found = json.loads(run("run", "--on", "emulator", "--json", str(path)).stdout)
            self.assertEqual((found["launch"]["grid"], found["launch"]["block"]), ([3, 1, 1], [64, 1, 1]))


if __name__ == "__main__":
    unittest.main()
