"""Whole programs give the same report from the interpreter and as machine code (LANESCOPE_TIER): what they print, every
count, every finding. And machine code is taken only from a cache that nobody else can write."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
HANG = 900  # seconds, to end a process that hangs; no verdict depends on it
# Programs of assets/bench with a small size each, and programs of tests/programs: races, warps that part, shuffles.
SIZES = {"adjacent_difference": 100_001, "naive_product": 96, "tiled_product": 80, "reduction": 70_000, "stencil": 100,
         "histogram": 50_000}
PROGRAMS = ["shared_race", "groups", "last_thread"]
DIFFERS = ("_s", "_us", "seconds", "host", "frames")  # times, and places in the memory of the host


def without(report):
    if isinstance(report, dict):
        return {key: without(value) for key, value in report.items() if not key.endswith(DIFFERS)}
    return [without(item) for item in report] if isinstance(report, list) else report


@unittest.skipUnless(subprocess.run(["sh", "-c", "command -v clang"], stdout=subprocess.DEVNULL).returncode == 0,
                     "clang is not installed")
class Tiers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.cache = pathlib.Path(self.folder.name, "cache", "lanescope")

    def run_lanescope(self, *words, tier="compiled", path=None):
        environment = dict(os.environ, LANGUAGE="en", XDG_CACHE_HOME=str(self.cache.parent), LANESCOPE_TIER=tier)
        if path:
            environment["PATH"] = path
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, env=environment, timeout=HANG,
                              stdin=subprocess.DEVNULL)
        return done

    def build(self, source):
        program = os.path.join(self.folder.name, pathlib.Path(source).stem)
        done = self.run_lanescope("build", source, "-o", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def report(self, program, *arguments, tier, check, path=None):
        options = ["--check", "none"] if check == "none" else []
        done = self.run_lanescope("exec", "--on", "emulator", "--json", *options, program, "--", *arguments, tier=tier,
                                  path=path)
        return done.returncode, without(json.loads(done.stdout))

    def units(self):
        return sorted(self.cache.glob("native-*.so"))

    def test_counts_and_findings_are_the_same_as_machine_code(self):
        for source, arguments in [(f"assets/bench/{name}.cu", [str(size)]) for name, size in SIZES.items()] + \
                                 [(f"tests/programs/{name}.cu", []) for name in PROGRAMS]:
            program, before = self.build(source), len(self.units())
            for check in "all", "none":
                with self.subTest(source=source, check=check):
                    expected = self.report(program, *arguments, tier="interpreter", check=check)
                    self.assertEqual(len(self.units()), before, "the interpreter made machine code")
                    self.assertEqual(self.report(program, *arguments, tier="compiled", check=check), expected)
                    before = len(self.units())
            self.assertTrue(before, "no machine code was made")

    def test_a_unit_that_others_can_write_is_not_loaded(self):
        program = self.build("assets/bench/adjacent_difference.cu")
        expected = self.report(program, "5000", tier="compiled", check="none")
        unit = self.units()[0]
        unit.write_bytes(b"no shared object")
        unit.chmod(0o777)
        self.assertEqual(self.report(program, "5000", tier="compiled", check="none"), expected)
        self.assertEqual(unit.stat().st_mode & 0o777, 0o700, "it was not made anew")

    def test_without_a_compiler_the_interpreter_does_all(self):
        program = self.build("assets/bench/adjacent_difference.cu")
        expected = self.report(program, "5000", tier="interpreter", check="all")
        empty = os.path.join(self.folder.name, "empty")
        os.mkdir(empty)
        self.assertEqual(self.report(program, "5000", tier="compiled", check="all", path=empty), expected)
        self.assertEqual(self.units(), [])


if __name__ == "__main__":
    unittest.main()
