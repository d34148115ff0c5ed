"""Compilers that misbehave, with tests/fake/nvrtc.c in the place of NVRTC: whatever happens in one becomes one sentence,
and no process and no file is left behind."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["LANESCOPE"]
FAKE = os.environ["FAKE_NVRTC"]
HANG = 300  # seconds, to end a process that hangs; no verdict depends on it


def is_there(process):
    """Returns whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Compilers(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.temporary = pathlib.Path(self.home.name, "temporary")
        self.temporary.mkdir()
        self.number = pathlib.Path(self.home.name, "number")
        self.environment = dict(os.environ, LANGUAGE="en", XDG_CACHE_HOME=self.home.name, LD_LIBRARY_PATH=FAKE,
                                TMPDIR=str(self.temporary), FAKE_NVRTC_PID=str(self.number))

    def tearDown(self):
        self.home.cleanup()

    def start(self, what, compiler="nvrtc", **environment):
        path = pathlib.Path(self.home.name, "k.cu")
        path.write_text(f"// {what}\n__global__ void k(int *a) {{ a[threadIdx.x] = 1; }}\n")
        return subprocess.Popen([PROGRAM, "run", str(path), "--arg", "i32[32]=zero", "--compiler", compiler, "--on",
                                 "emulator"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=dict(self.environment, **environment))

    def run_source(self, what, **options):
        process = self.start(what, **options)
        _, errors = process.communicate(timeout=HANG)
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertFalse(is_there(self.number.read_text()))
        return process.returncode, errors

    def test_one_that_hangs_is_ended(self):
        status, errors = self.run_source("hang", LANESCOPE_COMPILER_SECONDS="1")
        self.assertEqual(status, 2)
        self.assertIn("k.cu: NVRTC did not end within 1 second, and was ended", errors)

    def test_a_lesson_on_which_one_hangs_starts_it_once(self):
        lesson = pathlib.Path(self.home.name, "lesson")
        shutil.copytree("tests/lessons/shift", lesson)
        source = (lesson / "shift.cu").read_text()
        for name in ("shift.cu", "other.cu"):
            (lesson / name).write_text("// hang\n" + source)
        plan = lesson / "lesson.yaml"
        plan.write_text(plan.read_text().replace("launch:", "  - {name: other, label: {en: other, ko: 다른}, "
                                                 "source: other.cu, kernel: shift_copy}\nlaunch:"))
        starts = pathlib.Path(self.home.name, "starts")
        done = subprocess.run([PROGRAM, "inspect", str(lesson)], capture_output=True, text=True, timeout=HANG,
                              env=dict(self.environment, LANESCOPE_COMPILER_SECONDS="1", FAKE_NVRTC_STARTS=str(starts)))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("NVRTC did not end within 1 second, and was ended"), 1, done.stderr)
        self.assertIn("the compiler did not end for another setting of this lesson", done.stderr)
        self.assertEqual(starts.read_text(), "xx")  # for the list of its kernels, and for the check

    def test_one_that_crashes_is_an_error(self):
        status, errors = self.run_source("crash")
        self.assertEqual(status, 2)
        self.assertIn("k.cu: NVRTC crashed on this source (signal 6: Aborted)", errors)

    def test_where_one_crashes_the_other_is_tried(self):
        if not any(os.access(f"{folder}/clang", os.X_OK) for folder in os.environ["PATH"].split(":")):
            self.skipTest("clang is not on this machine")
        status, errors = self.run_source("crash", compiler="any")
        self.assertEqual((status, errors), (0, ""))

    def test_one_that_prints_without_end_is_ended(self):
        status, errors = self.run_source("talk")
        self.assertEqual(status, 2)
        self.assertIn("k.cu: NVRTC wrote more than 256 MiB, and was ended", errors)

    def test_its_refusal_names_the_line(self):
        status, errors = self.run_source("refuse")
        self.assertEqual(status, 2)
        self.assertIn("k.cu:2: a fake compiler refuses everything", errors)

    def start_and_wait(self):
        process = self.start("hang")
        while not self.number.exists() or not self.number.read_text():
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        return process, self.number.read_text()

    def test_ctrl_c_ends_it_and_the_program(self):
        process, compiler = self.start_and_wait()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 1)
        self.assertIn("k.cu: NVRTC was stopped", errors)
        self.assertFalse(is_there(compiler))
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_it_ends_with_the_program(self):
        process, compiler = self.start_and_wait()
        self.assertTrue(is_there(compiler))
        self.assertNotEqual(compiler, str(process.pid))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        while is_there(compiler):  # forever, if it stays
            time.sleep(0.01)


if __name__ == "__main__":
    unittest.main()
