"""The program needs no file of NVIDIA: none to build, and none to start. Where the driver, NVRTC or clang is missing,
`doctor` says so, and lessons run from the PTX shipped with them."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

PROGRAM = pathlib.Path(os.environ["LANESCOPE"]).resolve()
BUILD = PROGRAM.parent
SOURCES = pathlib.Path.cwd()
HEADER = re.compile(r"(cuda|nvrtc|nvml|cupti|driver_types|vector_types|device_types)[a-z_]*\.h$")
HANG = 300  # seconds, to end a process that hangs; no verdict depends on it


def run(*words, **environment):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=HANG,
                          env=dict(os.environ, LANGUAGE="en", **environment))


class Nvidia(unittest.TestCase):
    def test_the_build_reads_no_header_of_nvidia(self):
        read = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], capture_output=True, text=True, check=True).stdout
        headers = {pathlib.Path(os.path.normpath(BUILD / line.strip())) for line in read.splitlines()
                   if line.startswith(" ")}
        self.assertIn(SOURCES / "src/cuda/cuda.h", headers)
        foreign = [path for path in headers if not path.is_relative_to(SOURCES) and
                   (HEADER.match(path.name) or "/cuda" in str(path))]
        self.assertEqual(foreign, [])

    def test_no_library_of_nvidia_is_linked(self):
        for file in [PROGRAM, *BUILD.glob("*.so"), *BUILD.glob("compatible/*.so*")]:
            needed = re.findall(r"\(NEEDED\).*\[(.*)\]", subprocess.run(
                ["readelf", "-d", file], capture_output=True, text=True, check=True).stdout)
            self.assertIn("libc.so.6", needed)
            self.assertEqual([name for name in needed if re.match("lib(cuda|nv)", name)], [])

    def test_doctor_names_what_is_missing_and_a_lesson_runs_without_it(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "libcuda.so.1").write_text("no library")
            without = {"LD_LIBRARY_PATH": folder, "PATH": folder, "XDG_CACHE_HOME": folder}
            rows = run("doctor", **without).stdout.splitlines()
            self.assertIn("--   driver      there is no NVIDIA driver on this machine; install it (Debian: nvidia-driver), "
                          "or use --on emulator", rows)
            self.assertTrue([row for row in rows if row.startswith("--   clang ") and "apt install clang" in row], rows)
            refused = run("run", "kernels/transpose.cu", "--on", "gpu", **without)
            self.assertEqual(refused.returncode, 3, refused.stderr)
            self.assertIn("there is no NVIDIA driver on this machine", refused.stderr)
            lesson = run("run", "lessons/coalescing", **without)
            self.assertEqual(lesson.returncode, 0, lesson.stderr)


if __name__ == "__main__":
    unittest.main()
