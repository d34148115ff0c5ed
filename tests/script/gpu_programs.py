"""Whole programs on a GPU: each tests/programs/NAME.cu prints there what it prints on the emulator, its calls return the
same errors, every kernel is timed, and what the probes count is what the emulator counts. $BUILT_PROGRAMS may name a
folder with the built programs, for a machine without clang."""
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
FOLDER = pathlib.Path("tests/programs" if pathlib.Path("tests/programs").is_dir() else "programs").resolve()
HANG = 300  # seconds, to end a process that hangs; no verdict depends on it
HERE = os.environ.get("BUILT_PROGRAMS")
cache = tempfile.TemporaryDirectory()
ENVIRONMENT = dict(os.environ, LANGUAGE="en", XDG_CACHE_HOME=cache.name)
# What only the emulator finds: an access a little beyond an allocation, a host access too early, memory after free.
ONLY_EMULATOR = {"last_thread", "managed", "heap"}
# What is up to time, by the beginning of the kernel's name: how often a flag, or a value to exchange, is loaded or tried
# again; which places of a queue a warp gets.
TIMED = {"rotate": "global_op_ld", "together": "global_op_ld", "shared_count": "shared", "select": "global_op_st"}
RACY = {"racy_histogram"}  # what they print is up to time, too
# The lanes part in long functions, and where they meet again before a store is up to the GPU.
PARTED = {"math_functions"}


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, env=ENVIRONMENT, timeout=HANG,
                          stdin=subprocess.DEVNULL)


def has_gpu():
    try:
        return ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
    except OSError:
        return False


def built(name):
    if HERE:
        return f"{HERE}/{name}"
    done = run("build", str(FOLDER / f"{name}.cu"), "-o", f"{cache.name}/{name}")
    assert done.returncode == 0, done.stderr
    return f"{cache.name}/{name}"


def execute(name, *words):
    done = run("exec", built(name), "--json", *words)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


NOT_PERMITTED = 800  # of a call in a stream's host function, which has no line on a GPU: the driver's thread makes it


def facts(found):
    """Returns what both executors must tell alike."""
    lines = [f"{found['end']}, status {found['status']}, signal {found['signal']}"]
    lines += [f"launch {one['number']}: {one['kernel']} {one['launch']}, line {one['line']}, error {one['error']}"
              for one in found["launches"]]
    lines += [f"line {call['line']}: {call['call']} returned {call['error']}" for call in found["calls"]
              if call["error"] not in (0, NOT_PERMITTED) and "grid" not in call]
    # A stream's host function prints when it is its turn, so that lines may change places. The buses of two H200s have
    # 6016 and 6144 bits.
    return lines + sorted(line.replace(" (Lanescope emulator)", "") for line in found["output"].splitlines()
                          if not line.endswith(" bits"))


def counts(found, counted):
    """Branches are left out: where the lanes of a loop meet again, and so how often a branch runs, is up to the GPU."""
    def compared(name, kernel):
        timed = any(kernel.startswith(begin) and what in name for begin, what in TIMED.items())
        return not timed and "_instructions" not in name and not name.startswith("branches")
    return {one["number"]: {name: value for name, value in one["counters"].items() if compared(name, one["kernel"])}
            for one in found["launches"] if one["number"] in counted}


@unittest.skipUnless(has_gpu(), "there is no GPU")
class Programs(unittest.TestCase):
    maxDiff = None


def test_of(name):
    def test(self):
        gpu, emulator = execute(name, "--on", "gpu"), execute(name, "--on", "emulator")
        self.assertEqual((gpu["executor"], emulator["executor"]), ("gpu", "emulator"))
        if name not in ONLY_EMULATOR | RACY:
            self.assertEqual(facts(gpu), facts(emulator))
        ran = [one for one in gpu["launches"] if one["ran"]]
        for one in ran:
            self.assertEqual(one["time_us"]["source"], "live", one)
            self.assertGreater(one["time_us"]["median"], 0)
            self.assertIsNone(one["model_us"])
        counted = {one["number"] for one in ran if one["counters"]}
        refused = {one["kernel"] for one in ran if one["uncounted"]}
        self.assertEqual({one["kernel"] for one in ran if one["number"] in counted} | refused,
                         {one["kernel"] for one in ran})
        if name != "last_thread" and name not in PARTED:  # the emulator stops last_thread
            self.assertEqual(counts(gpu, counted), counts(emulator, counted))
    return test


for path in sorted(FOLDER.glob("*.cu")):
    if path.stem == "children":  # kernels that launch kernels are refused on a GPU: forward.py
        continue
    setattr(Programs, f"test_{path.stem}", test_of(path.stem))


@unittest.skipUnless(has_gpu(), "there is no GPU")
class Recorded(unittest.TestCase):
    def test_a_launch_that_is_chosen_becomes_the_same_trace_as_on_the_emulator(self):
        with tempfile.TemporaryDirectory() as folder:
            for executor in ("gpu", "emulator"):
                done = run("exec", built("groups"), "--on", executor, "--launch", "1", "--trace",
                           f"{folder}/{executor}.trace")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            same = run("compare", f"{folder}/gpu.trace", f"{folder}/emulator.trace")
            self.assertEqual(same.returncode, 0, same.stdout + same.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
