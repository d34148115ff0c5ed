"""A thousand submissions on Slurm: five shipped assignments, a node killed in the middle of each.

    LANESCOPE=PROGRAM python3 tests/thousand.py [SUBMISSIONS]

Each is the solution or one of the wrong submissions with other names and comments. Slurm runs on this computer alone, with
three nodes (tests/script/cluster.py). It prints times, and compares the points of every submission with points.txt. Not a
test of the suite: it takes an hour or less."""
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "script"))
from cluster import PATH, PROGRAM, Slurm, end, run, until  # noqa: E402

spec = importlib.util.spec_from_file_location("class_of", HERE / "class.py")
class_of = importlib.util.module_from_spec(spec)
spec.loader.exec_module(class_of)

ASSIGNMENTS = ("vector-add", "coalesced-copy", "transpose", "reduction", "histogram")
TOTAL = int(sys.argv.pop()) if len(sys.argv) > 1 else 1000
HANG = 6 * 3600  # seconds, to end what hangs
del Slurm.test_no_result_is_lost, Slurm.test_a_killed_grading_goes_on, Slurm.test_what_slurm_refuses_is_told


class Thousand(Slurm):
    def due(self, folder, out, count, chance):
        """Writes the submissions; returns the points of each."""
        points = {row.split()[0]: float(row.split()[1]) for row in (folder / "points.txt").read_text().splitlines()[1:]}
        sources = {path.stem: path.read_text() for path in (folder / "handed-in").glob("*.cu")}
        solution = folder / "solution.cu"
        if solution.exists():
            sources["solution"] = solution.read_text()
        out.mkdir()
        due = {}
        kinds = sorted(kind for kind in sources if kind in points or kind == "solution")
        for number in range(count):
            kind = kinds[number % len(kinds)]
            name = f"student{number:03}_{kind}"
            (out / f"{name}.cu").write_text(class_of.changed(sources[kind], chance))
            due[name] = points.get(kind)
        self.kinds += len(kinds)
        return due

    def kill_a_node(self, grading, out, count):
        until(lambda: grading.poll() is not None or len(list((out / "steps").glob("*.json"))) > count)
        self.assertIsNone(grading.poll())
        busy = []

        def one_works():
            busy[:] = run("squeue", "-h", "-r", "-t", "R", "-o", "%N").stdout.split()
            return busy or grading.poll() is not None

        until(one_works)
        dead = sorted(busy)[0]
        for process in [int((self.at / f"{dead}.pid").read_text()), *self.processes(f"SLURMD_NODENAME={dead}")]:
            end(process)
        return dead

    def test_no_result_of_a_thousand_is_lost(self):
        chance, begin, self.kinds, graded, wrong = random.Random(1000), time.monotonic(), 0, 0, {}
        for name in ASSIGNMENTS:
            folder, out = HERE.parent / "assets/assignments" / name, self.place / f"{name}.out"
            due = self.due(folder, self.place / name, TOTAL // len(ASSIGNMENTS), chance)
            began = time.monotonic()
            grading = subprocess.Popen([PROGRAM, "grade", next(folder.glob("*.yaml")), self.place / name, "-o", out, *self.trust,
                                        "--on", "slurm"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       env={**os.environ, "LANGUAGE": "en", "PATH": PATH})
            dead = self.kill_a_node(grading, out, len(due))
            _, errors = grading.communicate(timeout=HANG)
            self.assertEqual((grading.returncode, errors), (1, ""))
            until(lambda: "down" in run("sinfo", "-h", "-n", dead, "-o", "%T").stdout)
            self.start("slurmd", "-N", dead)
            until(lambda: run("sinfo", "-h", "-n", dead, "-o", "%T").stdout.strip() == "idle")
            got = {one["name"]: one["points"] for one in json.loads((out / "grades.json").read_text())["submissions"]}
            best = max(got.values())
            self.assertEqual(sorted(got), sorted(due))
            wrong.update({student: (got[student], points) for student, points in due.items()
                          if got[student] != (best if points is None else points)})
            graded += len(got)
            print(f"{name}: {len(got)} submissions, {dead} killed, {time.monotonic() - began:.0f} s", flush=True)
        took = time.monotonic() - begin
        print(f"{graded} submissions made of {self.kinds} sources: {took:.0f} s, {graded / took * 3600:.0f} an hour; points that are "
              f"not those of points.txt: {wrong or 'none'}")
        self.assertEqual(wrong, {})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
