"""Programs on a GPU, with tests/fake/cuda.c in the place of the driver: which of its functions the runtime calls, in which
order, and with what. tests/fake/calls.txt has the calls of tests/fake/calls.cu and what it prints; it is written by
LANESCOPE_WRITE_GOLDEN=1."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
FAKE = os.environ["FAKE_DRIVER"]
HANG = 300  # seconds, to end a process that hangs; no verdict depends on it
work = tempfile.TemporaryDirectory()
GOLDEN = pathlib.Path("tests/fake/calls.txt").resolve()


def build():
    program = f"{work.name}/calls"
    if not os.path.exists(program):
        done = subprocess.run([PROGRAM, "build", "-o", program, "tests/fake/calls.cu"], capture_output=True, text=True,
                              timeout=HANG, env=dict(os.environ, LANGUAGE="en", XDG_CACHE_HOME=work.name))
        assert done.returncode == 0, done.stderr
    return program


def run(driver=FAKE, **environment):
    """Returns the finished program, the driver's calls and the lines of the record."""
    log = pathlib.Path(work.name, "log")
    log.write_text("")
    done = subprocess.run([build()], capture_output=True, text=True, timeout=HANG, cwd=work.name, env=dict(
        os.environ, ASAN_OPTIONS="detect_leaks=0", LD_LIBRARY_PATH=driver, FAKE_CUDA_LOG=str(log),
        LANESCOPE_PROGRAM_EXECUTOR="gpu", LANESCOPE_PROGRAM_FOLDER=work.name, **environment))
    record = pathlib.Path(work.name, "program.record").read_text().splitlines()
    return done, log.read_text().splitlines(), [json.loads(line) for line in record]


class Forward(unittest.TestCase):
    maxDiff = None

    def test_a_program_whose_kernels_launch_kernels_is_refused_by_name(self):
        source, program = pathlib.Path(work.name, "children.cu"), f"{work.name}/children"
        source.write_text("__global__ void leaf() { }\n__global__ void k() { leaf<<<1, 1>>>(); }\n"
                          "int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n")
        environment = dict(os.environ, LANGUAGE="en", XDG_CACHE_HOME=work.name)
        subprocess.run([PROGRAM, "build", "-o", program, str(source)], check=True, timeout=HANG, env=environment)
        done = subprocess.run([program], capture_output=True, text=True, timeout=HANG, cwd=work.name, env=dict(
            environment, ASAN_OPTIONS="detect_leaks=0", LD_LIBRARY_PATH=FAKE, LANESCOPE_PROGRAM_EXECUTOR="gpu"))
        self.assertIn("kernels that launch kernels run on the emulator alone", done.stderr)

    def test_a_gpu_describes_itself_where_no_file_does(self):
        source, program = pathlib.Path(work.name, "device.cu"), f"{work.name}/device"
        source.write_text("#include <cstdio>\nint main() {\n    cudaDeviceProp it;\n    cudaGetDeviceProperties(&it, 0);\n"
                          "    printf(\"%d %s\\n\", it.multiProcessorCount, it.name);\n}\n")
        environment = dict(os.environ, LANGUAGE="en", XDG_CACHE_HOME=work.name, ASAN_OPTIONS="detect_leaks=0")
        subprocess.run([PROGRAM, "build", "-o", program, str(source)], check=True, timeout=HANG, env=environment)
        seen = {subprocess.run([program], capture_output=True, text=True, timeout=HANG, cwd=work.name, env=dict(
            environment, LD_LIBRARY_PATH=FAKE, LANESCOPE_PROGRAM_EXECUTOR="gpu", **of)).stdout
            for of in ({}, {"LANESCOPE_PROGRAM_GPU": "none"}, {"LANESCOPE_DATA": work.name})}
        self.assertEqual(seen, {"4 Fake GPU\n"})

    def test_the_driver_is_called_as_the_program_asks(self):
        done, calls, _ = run(LANESCOPE_PROGRAM_CHECKS="")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = "\n".join([*calls, "output:", done.stdout])
        if os.environ.get("LANESCOPE_WRITE_GOLDEN"):
            GOLDEN.write_text(text)
        self.assertEqual(text, GOLDEN.read_text())

    def test_a_fault_stays_until_the_device_is_reset(self):
        done, _, _ = run(LANESCOPE_PROGRAM_CHECKS="", FAKE_CUDA_FAULT="2")
        self.assertIn("synchronize: cudaErrorIllegalAddress\nagain: cudaErrorIllegalAddress\nreset: cudaSuccess\n"
                      "then: cudaSuccess\n", done.stdout)

    def test_work_has_measured_times_and_no_model_times(self):
        _, _, record = run(LANESCOPE_PROGRAM_CHECKS="")
        self.assertEqual(record[0]["device"], "Fake GPU")
        named = {line["n"]: line["call"] for line in record if "n" in line}
        measured = [named[line["measured"]] for line in record if "measured" in line]
        self.assertEqual(measured.count("cudaLaunchKernel"), 2, measured)
        self.assertLessEqual({"cudaMemcpy", "cudaMemcpyAsync", "cudaMemset", "cudaMemset2D", "cudaMemcpyToSymbol"},
                             set(measured))
        self.assertEqual({line["us"] for line in record if "measured" in line}, {250})
        self.assertEqual([key for line in record for key in line if "model" in key], [])
        self.assertEqual([line["measured_ms"] for line in record if "measured_ms" in line], [0.25])

    def test_a_chosen_launch_runs_with_probes_first_and_its_memory_is_restored(self):
        done, calls, record = run(LANESCOPE_PROGRAM_CHECKS="", LANESCOPE_PROGRAM_RECORD_LAUNCH="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        launches = [i for i, call in enumerate(calls) if "(2 1 1) (32 1 1)" in call]
        self.assertEqual(len(launches), 2, calls)
        probed, real = launches
        memory = ["cuMemcpy 256", "cuMemcpy 256", "cuMemcpy 100", "cuMemcpy 1536"]
        self.assertEqual(sorted(call for call in calls[:probed] if call in memory), sorted(memory + ["cuMemcpy 256"]))
        self.assertEqual(sorted(call for call in calls[probed:real] if call in memory), sorted(memory))
        self.assertNotIn("in a stream", calls[probed])
        self.assertIn("in a stream", calls[real])
        self.assertIn("cuModuleUnload", calls[probed:real])
        line = next(line for line in record if line.get("launch") == 1)
        self.assertEqual(line["ran"], 1)
        self.assertNotIn("uncounted", line)

    def test_without_a_driver_every_call_fails_and_the_program_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "libcuda.so.1").write_text("no library")
            done, _, _ = run(driver=folder)
        self.assertIn("there is no NVIDIA driver on this machine", done.stderr)
        self.assertIn("then: cudaErrorNoDevice", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
