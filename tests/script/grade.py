"""`grade`: the points of submissions with known mistakes, what hostile ones can do, and what is said of wrong input."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree

PROGRAM = os.environ["LANESCOPE"]
HANG = 900  # seconds, to end a process that hangs; no verdict depends on it
EXAMPLE = pathlib.Path("assets/assignments/transpose").resolve()


def run(*words, folder=None, **more):
    environment = {**os.environ, "LANGUAGE": "en", **more}
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, env=environment, timeout=HANG,
                          cwd=folder)


WORKS = any(line.startswith("ok") for line in run("doctor").stdout.splitlines() if " sandbox " in line)


class Example(unittest.TestCase):
    """The assignment that docs/teaching.md grades."""

    # tests/script/assignments.py looks at the others
    NAMES = "ada ben cho dae eva fay gus".split()

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = pathlib.Path(self.folder.name, "grades")

    @unittest.skipUnless(WORKS, "this user has no sandbox")
    def test_each_mistake_loses_its_points_twice_the_same(self):
        files = [EXAMPLE / "handed-in" / f"{name}.cu" for name in self.NAMES]
        words = ("grade", EXAMPLE / "transpose.yaml", *files, "-o", self.out, "--json")
        first = run(*words)
        self.assertEqual((first.returncode, first.stderr), (1, ""))
        grades = json.loads(first.stdout)
        self.assertEqual([one["name"] for one in grades["submissions"]], self.NAMES)
        self.assertEqual(grades["of"], 12)
        lost = {one["name"]: [rule for rule in one["rules"] if not rule["holds"]] for one in grades["submissions"]}
        self.assertEqual([(rule["line"], rule["lesson"]) for rule in lost["ben"]], [(16, "transpose")])
        self.assertEqual([(rule["line"], rule["lesson"]) for rule in lost["cho"]],
                         [(None, "memory-spaces"), (7, "coalescing")])
        self.assertIn("barrier", [rule["lesson"] for rule in lost["dae"]])
        self.assertIn("__syncthreads", lost["dae"][-1]["remedy"])
        self.assertIn("out of bounds", lost["eva"][-1]["cause"])
        self.assertTrue(all("8:46: expected ';'" in rule["cause"] and not rule["lesson"] for rule in lost["fay"]))
        wrong = lost["eva"][0]  # a wrong result is explained by the access that made it so
        self.assertIn("FAILED", wrong["cause"])
        self.assertIn("out of bounds", wrong["cause"])
        self.assertEqual((wrong["line"], wrong["lesson"]), (9, "adjdiff"))
        files = {name: (self.out / name).read_bytes() for name in ("grades.csv", "grades.json", "grades.xml")}
        self.assertEqual(json.loads(files["grades.json"]), grades)
        self.assertEqual(files["grades.csv"].decode().splitlines()[1][:11], '"ada",12,12')
        suites = xml.etree.ElementTree.fromstring(files["grades.xml"])
        self.assertEqual([suite.get("failures") for suite in suites], ["0", "1", "2", "3", "3", "6", "7"])

        again = run(*words[:-1], "--jobs", "1")  # kept outcomes, another number of jobs
        self.assertIn("of which kept: 36", again.stdout)  # fay's four runs are not made: it does not compile
        for name, bytes in files.items():
            self.assertEqual((self.out / name).read_bytes(), bytes, name)
        for step in sorted((self.out / "steps").iterdir())[::2]:  # one of two is made anew
            step.unlink()
        run(*words[:-1], "--jobs", "3")
        for name, bytes in files.items():
            self.assertEqual((self.out / name).read_bytes(), bytes, name)

        page = (self.out / "reports" / "ben.html").read_text()
        self.assertIn("11 of 12 points", page)
        self.assertIn("<mark>", page)
        self.assertIn("lanescope transpose", page)
        self.assertNotIn("A tall matrix", page)  # which is hidden
        self.assertIn("Rules that are not shown: 1 of 1 points", page)
        self.assertNotIn("<script", page)

    @unittest.skipUnless(WORKS, "this user has no sandbox")
    def test_a_killed_grading_goes_on(self):
        words = [PROGRAM, "grade", EXAMPLE / "transpose.yaml", EXAMPLE / "handed-in" / "ada.cu",
                 EXAMPLE / "handed-in" / "ben.cu", "-o", self.out, "--jobs", "1"]
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, env={**os.environ, "LANGUAGE": "en"})
        end = time.monotonic() + HANG
        while len(list(self.out.glob("steps/*.json"))) < 3 and time.monotonic() < end:
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.wait()
        self.assertFalse((self.out / "grades.csv").exists())
        done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "LANGUAGE": "en"}, timeout=HANG)
        self.assertRegex(done.stdout, r"of which kept: ([3-9]|1\d)\n")
        self.assertIn("ben", done.stdout)

    def test_korean(self):
        done = run("grade", EXAMPLE / "transpose.yaml", EXAMPLE / "handed-in" / "cho.cu", "-o", self.out, "--lang", "ko",
                   *([] if WORKS else ["--trust"]))
        self.assertIn("행렬 전치", done.stdout)
        page = (self.out / "reports" / "cho.html").read_text()
        for words in ("12점 가운데 9점", "읽기와 쓰기가 병합 접근이다", "이웃한 레인이 256바이트씩", "수업"):
            self.assertIn(words, page)


# Each is a whole program that a student might hand in. GOOD is the honest one that runs beside them.
GOOD = """#include <cstdio>
__global__ void set(int *a) { a[threadIdx.x] = threadIdx.x; }
int main() { int *a, b[32]; cudaMalloc(&a, 128); set<<<1, 32>>>(a); cudaMemcpy(b, a, 128, cudaMemcpyDeviceToHost);
  cudaFree(a); if (b[31] == 31) puts("PASSED"); return 0; }
"""
HEAD = "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <unistd.h>\n#include <signal.h>\n" \
       "#include <dirent.h>\n"
HOSTILE = {
    "forks": HEAD + "int main() { for (;;) fork(); }",
    "fills": HEAD + "int main() { char n[20]; static char b[1 << 20]; for (int i = 0; i < 100000; i++) {"
                    ' sprintf(n, "f%d", i); FILE *f = fopen(n, "w"); if (!f) continue; '
                    "for (int k = 0; k < 30; k++) fwrite(b, 1, sizeof b, f); fclose(f); } return 0; }",
    "reads": HEAD + "static void look(const char *p, int d) { DIR *l = opendir(p); if (!l || d > 7) return; "
                    "while (dirent *e = readdir(l)) { if (e->d_name[0] == '.') continue; char n[4096]; "
                    'snprintf(n, sizeof n, "%s/%s", p, e->d_name); '
                    'if (strstr(n, "rubric") || strstr(n, "good.cu") || strstr(n, "solution.cu")) printf("found %s\\n", n); '
                    'if (strncmp(n, "/proc", 5) && strncmp(n, "/usr", 4)) look(n, d + 1); } closedir(l); }\n'
                    'int main() { look("", 0); puts("looked"); return 0; }',
    "includes": '#include "RUBRIC"\nint main() {}',
    "kills": HEAD + "int main() { kill(getppid(), SIGKILL); kill(1, SIGKILL); kill(-1, SIGKILL); }",
    "sleeps": HEAD + "int main() { for (;;) pause(); }",
    "hangs": HEAD + "int main() { for (;;); }",
    "prints": HEAD + 'int main() { for (;;) puts("printing without end"); }',
    "hoards": HEAD + "int main() { for (;;) { char *p = (char *)malloc(1 << 24); memset(p, 1, 1 << 24); } }",
    "crashes": HEAD + "int main() { abort(); }",
    "wrong": "int main( { return 0; }",
}
RUBRIC = """title: Hostile
file: work.cu
limits: {seconds: 3, memory: 512, disk: 64, processes: 40}
runs:
  - run: once
rules:
  - {rule: It passes, points: 2, prints: PASSED}
  - {rule: It ends well, points: 1, status: 0}
"""


@unittest.skipUnless(WORKS, "this user has no sandbox")
class Hostile(unittest.TestCase):
    def test_each_loses_its_own_points_only(self):
        with tempfile.TemporaryDirectory() as place:
            place = pathlib.Path(place)
            handed = place / "handed-in"
            handed.mkdir()
            (place / "rubric.yaml").write_text(RUBRIC)
            (handed / "good.cu").write_text(GOOD)
            for name, text in HOSTILE.items():
                (handed / f"{name}.cu").write_text(text.replace("RUBRIC", str(place / "rubric.yaml")))
            (handed / "windows.cu").write_bytes(b"\xEF\xBB\xBF" + GOOD.replace("\n", "\r\n").encode())
            (handed / "link.cu").symlink_to(place / "rubric.yaml")
            (handed / "binary.cu").write_bytes(b"\x7fELF\0\1\2")
            (handed / "latin.cu").write_bytes(b"// ok\n// caf\xe9\n")
            (handed / "packed.zip").write_bytes(b"PK")
            (handed / "folder").mkdir()
            watch = subprocess.Popen(["sleep", "1000"])
            done = run("grade", place / "rubric.yaml", handed, "-o", place / "grades", "--json")
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertIsNone(watch.poll())
            watch.kill()
            watch.wait()
            grades = {one["name"]: one for one in json.loads(done.stdout)["submissions"]}
            self.assertEqual((grades["good"]["points"], grades["windows"]["points"]), (3, 3))
            causes = {name: one["rules"][0]["cause"] for name, one in grades.items()}
            for name, one in grades.items():
                # "reads" and "fills" may end well: they met nothing, and harmed nothing
                self.assertLessEqual(one["points"], 3 if name in ("good", "windows") else 1 if name in ("reads", "fills") else 0, name)
            self.assertIn('its last line is "looked"', causes["reads"])
            outputs = [json.loads(step.read_text())["output"] for step in (place / "grades" / "steps").glob("*.json")]
            self.assertFalse([output for output in outputs if "found /" in output])
            self.assertTrue([output for output in outputs if "looked" in output])
            self.assertIn("file not found", causes["includes"])
            self.assertIn("processor time", causes["hangs"])
            self.assertIn("started 40 processes and went on", causes["forks"])
            self.assertIn("waited and did not end", causes["sleeps"])
            self.assertIn("printed or wrote", causes["prints"])
            self.assertIn("512 MiB of memory", causes["hoards"])
            self.assertIn("signal 6", causes["crashes"])
            self.assertIn("work.cu:1:", causes["wrong"])
            self.assertIn("is a link", causes["link"])
            self.assertIn("binary.cu:1", causes["binary"])
            self.assertIn("latin.cu:2", causes["latin"])
            self.assertIn("packed.zip", causes["packed"])
            self.assertIn("has no work.cu", causes["folder"])
            left, end = submissions(), time.monotonic() + HANG
            while left & submissions() and time.monotonic() < end:  # those of other tests end
                time.sleep(0.05)
            self.assertFalse(left & submissions())


def submissions():
    """The processes of programs that are graded now, with the time at which each began."""
    return {(path.parent.name, *read(path.parent / "stat").rpartition(b")")[2].split()[19:20])
            for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if b"../program" in read(path)}


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


KERNEL = """__global__ void scale(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = FACTOR * in[i];
}
"""
KERNEL_RUBRIC = """title: Scaling
file: scale.cu
kernel: scale
reference: solution.cu
runs:
  - run: ragged
    sizes: [n=100, threads_of_block=64]
    grid: "{ceil(n / threads_of_block)}"
    block: "{threads_of_block}"
    arg: ["f32[{n}]=zero", "f32[{n}]=iota", "i32={n}"]
rules:
  - {rule: Each element is scaled, points: 3, reference: 0, tolerance: 1e-6}
  - {rule: Nothing is found, points: 1, without: [any]}
  - {rule: One thread an element, points: 1, holds: threads < n + threads_of_block, kernel: scale}
"""


class Kernel(unittest.TestCase):
    """A kernel alone: nothing of a submission runs on the host."""

    def test_buffers_are_compared_with_the_reference(self):
        with tempfile.TemporaryDirectory() as place:
            place = pathlib.Path(place)
            (place / "rubric.yaml").write_text(KERNEL_RUBRIC)
            (place / "solution.cu").write_text(KERNEL.replace("FACTOR", "2.5f"))
            (place / "in").mkdir()
            (place / "in" / "near.cu").write_text("\N{BOM}" + KERNEL.replace("FACTOR", "2.5000001f").replace("\n", "\r\n"),
                                                  newline="")  # as an editor of Windows writes it
            (place / "in" / "far.cu").write_text(KERNEL.replace("FACTOR", "2.6f"))
            (place / "in" / "open.cu").write_text(KERNEL.replace("FACTOR", "2.5f").replace("if (i < n)", ""))
            done = run("grade", place / "rubric.yaml", place / "in", "-o", place / "grades", "--json",
                       *([] if WORKS else ["--trust"]))
            grades = {one["name"]: one for one in json.loads(done.stdout)["submissions"]}
            self.assertEqual({name: one["points"] for name, one in grades.items()}, {"near": 5, "far": 2, "open": 4 - 3})
            self.assertIn("element 1 of argument 0 is 2.59999", grades["far"]["rules"][0]["cause"])
            self.assertEqual(grades["open"]["rules"][1]["line"], 5)


    def test_a_rule_counts_hits_in_the_caches(self):
        """A row for each thread comes from the L1 but for its first element; columns do not, and __ldcg goes past it."""
        kernel = KERNEL.replace("out[i] = FACTOR * in[i];",
                                "{ float s = 0; for (int k = 0; k < 8; k++) s += in[INDEX]; out[i] = s; }")
        rubric = (KERNEL_RUBRIC.replace('"f32[{n}]=iota"', '"f32[{8 * n}]=iota"').split("rules:")[0] + """rules:
  - {rule: Sectors come once, points: 3, holds: dram__sectors_read.sum <= n + 16}
  - {rule: The L1 is used, points: 2, holds: "2 * l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum >= n"}
  - {rule: The L2 is asked, points: 1, holds: lts__t_sectors_srcunit_tex_op_read_sum != 5 || n > 0}
""")
        with tempfile.TemporaryDirectory() as place:
            place = pathlib.Path(place)
            (place / "rubric.yaml").write_text(rubric)
            (place / "solution.cu").write_text(kernel.replace("INDEX", "8 * i + k"))
            (place / "in").mkdir()
            (place / "in" / "rows.cu").write_text(kernel.replace("INDEX", "8 * i + k"))
            (place / "in" / "columns.cu").write_text(kernel.replace("INDEX", "i + k * n"))
            (place / "in" / "sharing.cu").write_text(kernel.replace("INDEX", "8 * (i % 8) + k"))
            (place / "in" / "passing.cu").write_text(kernel.replace("s += in[INDEX]", "s += __ldcg(&in[8 * i + k])"))
            done = run("grade", place / "rubric.yaml", place / "in", "-o", place / "grades", "--json",
                       *([] if WORKS else ["--trust"]))
            grades = {one["name"]: one for one in json.loads(done.stdout)["submissions"]}
            self.assertEqual({name: [rule["points"] for rule in one["rules"]] for name, one in grades.items()},
                             {"rows": [3, 2, 1], "columns": [3, 0, 1], "passing": [3, 0, 1], "sharing": [3, 2, 0]}, grades)
            self.assertIn("the model of the caches cannot tell", grades["sharing"]["rules"][2]["cause"])


class WrongInput(unittest.TestCase):
    """One sentence with file and line, status 2, and nothing is written."""

    GOOD = """title: T
file: work.cu
reference: right.cu
runs:
  - run: a
    sizes: [n=4]
    arguments: ["{n}"]
rules:
  - rule: It passes
    points: 1
    prints: PASSED
"""
    CASES = [
        ("title: T", "titel: T", 1, "titel"),
        ("file: work.cu", "file: work.c", 2, "work.c"),
        ("reference: right.cu", "reference: ../right.cu", 3, "right.cu"),
        ("reference: right.cu", "reference: absent.cu", 3, "absent.cu"),
        ("run: a", "run: a b", 5, '"a b"'),
        ("n=4", "n", 6, "NAME=VALUE"),
        ("n=4", "n=m", 6, '"m"'),
        ("{n}", "{k}", 7, '"k"'),
        ("{n}", "{n", 7, "without a }"),
        ("points: 1", "points: -1", 10, "0 to 1,000,000"),
        ("points: 1", "points: one", 10, "number"),
        ("points: 1", "points: 0", 9, "no points"),
        ("prints: PASSED", "prints: PASSED\n    status: 0", 9, "one of prints"),
        ("prints: PASSED", "prints: PASSED\n    runs: [b]", 12, '"b"'),
        ("prints: PASSED", "prints: PASSED\n    lesson: bancs", 12, "bancs"),
        ("prints: PASSED", "prints: PASSED\n    needs: x", 12, '"x"'),
        ("prints: PASSED", "without: [races]", 11, "races"),
        ("prints: PASSED", "holds: l1tex__t_sectors.sum < n", 11, "l1tex__t_sectors"),
        ("prints: PASSED", "holds: warp_instructions <", 11, "complete"),
        ("prints: PASSED", "status: zero", 11, "whole number"),
        ("prints: PASSED", "reference: 0", 11, "output"),
        ("  - run: a", "  - run: a\n    grid: '1'", 5, "kernel"),
        ("prints: PASSED", "prints: [", 12, "YAML"),
        ("title: T", "title: T\nlimits: {seconds: 0}", 2, "1 to 3600"),
    ]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)
        (self.place / "right.cu").write_text(GOOD)
        (self.place / "in").mkdir()
        (self.place / "in" / "a.cu").write_text(GOOD)

    def wrong(self, *words, status=2):
        done = run("grade", *words, "-o", self.place / "grades")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (status, "", 1), done.stderr)
        self.assertFalse((self.place / "grades" / "grades.csv").exists())
        return done.stderr

    def test_a_rubric(self):
        path = self.place / "rubric.yaml"
        for old, new, line, word in self.CASES:
            with self.subTest(new=new):
                self.assertIn(old, self.GOOD)
                path.write_text(self.GOOD.replace(old, new, 1))
                said = self.wrong(path, self.place / "in")
                self.assertIn(f"rubric.yaml:{line}:", said)
                self.assertIn(word, said)

    def test_submissions(self):
        path = self.place / "rubric.yaml"
        path.write_text(self.GOOD)
        (self.place / "none").mkdir()
        (self.place / "other").mkdir()
        (self.place / "other" / "a.cu").write_text(GOOD)
        self.assertIn("no submissions", self.wrong(path, self.place / "none"))
        self.assertIn("absent", self.wrong(path, self.place / "absent"))
        self.assertIn("two submissions are called 'a'", self.wrong(path, self.place / "in", self.place / "other"))
        self.assertIn("give a rubric and submissions", self.wrong(path))
        self.assertIn("missing.yaml", self.wrong(self.place / "missing.yaml", self.place / "in"))

    @unittest.skipUnless(WORKS, "this user has no sandbox")
    def test_a_reference_that_fails_its_own_rubric(self):
        path = self.place / "rubric.yaml"
        path.write_text(self.GOOD.replace("PASSED", "BETTER"))
        said = self.wrong(path, self.place / "in")
        self.assertIn("rubric.yaml:9:", said)
        self.assertIn('the reference right.cu fails "It passes": run a: ', said)


class Disturbed(unittest.TestCase):
    """What is ended from outside, as a batch system ends all processes of a task one by one, runs again."""

    RUBRIC = RUBRIC.replace("seconds: 3", "seconds: 60")
    WAITS = HEAD + ('int main() { if (access("PLACE/ended", F_OK) != 0) { FILE *f = fopen("PLACE/new", "w"); '
                    'fprintf(f, "%d", getpid()); fclose(f); rename("PLACE/new", "PLACE/pid"); for (;;) pause(); } '
                    'puts("PASSED"); }\n')

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)
        (self.place / "rubric.yaml").write_text(self.RUBRIC)

    def grading(self, text, **more):
        (self.place / "a.cu").write_text(text.replace("PLACE", str(self.place)))
        words = [PROGRAM, "grade", self.place / "rubric.yaml", self.place / "a.cu", "-o", self.place / "grades", "--json",
                 "--trust"]
        return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ, "LANGUAGE": "en", **more})

    def grade_of(self, grading):
        return json.loads(grading.communicate(timeout=HANG)[0])["submissions"][0]

    def test_a_program_or_its_emulator_that_others_end_runs_again(self):
        for above in (False, True):
            for name in ("ended", "pid"):
                (self.place / name).unlink(missing_ok=True)
            shutil.rmtree(self.place / "grades", ignore_errors=True)
            grading = self.grading(self.WAITS)
            end = time.monotonic() + HANG
            while not (self.place / "pid").exists() and grading.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            process = int((self.place / "pid").read_text())
            if above:
                process = int(re.search(r"PPid:\t(\d+)", pathlib.Path(f"/proc/{process}/status").read_text())[1])
            (self.place / "ended").touch()
            os.kill(process, signal.SIGTERM)
            self.assertEqual(self.grade_of(grading)["points"], 3, above)

    def test_a_compiler_that_others_end_runs_again(self):
        # with -I no headers are precompiled: what reads those is tried again without, also when a signal ended it
        (self.place / "rubric.yaml").write_text(self.RUBRIC.replace("runs:", "flags: [-I.]\nruns:"))
        (self.place / "bin").mkdir()
        clang = self.place / "bin" / "clang"
        clang.write_text(f'#!/bin/sh\ncase "$*" in *work.cu*) if mkdir {self.place}/ended; then kill -TERM $$; fi ;; '
                         f'esac\nexec {shutil.which("clang")} "$@"\n')
        clang.chmod(0o755)
        grading = self.grading(f"// {self.place}\n" + GOOD, PATH=f"{self.place}/bin:{os.environ['PATH']}")
        self.assertEqual(self.grade_of(grading)["points"], 3)
        self.assertTrue((self.place / "ended").exists())

    def test_a_program_that_ends_itself_so_does_it_again(self):
        grade = self.grade_of(self.grading(HEAD + "int main() { raise(SIGTERM); }\n"))
        self.assertEqual(grade["points"], 0)
        self.assertIn("signal 15", grade["rules"][0]["cause"])
        kept = [json.loads(step.read_text()) for step in (self.place / "grades" / "steps").glob("*.json")]
        self.assertEqual(sorted(step["ending"] for step in kept), ["exited", "signal"])


class Init(unittest.TestCase):
    def test_a_proposed_rubric_grades(self):
        with tempfile.TemporaryDirectory() as place:
            place = pathlib.Path(place)
            program = GOOD.replace("main()", "main(int argc, char **argv)").replace(
                "int *a,", "int n = argc > 1 ? atoi(argv[1]) : 1; if (n < 0) return 1; int *a,").replace(
                "#include <cstdio>", "#include <cstdio>\n#include <cstdlib>")
            (place / "work.cu").write_text(program)
            made = run("grade", "--init", "work.cu", "-o", "work.yaml", folder=place)
            self.assertEqual((made.returncode, made.stdout, made.stderr), (0, "", ""))
            text = (place / "work.yaml").read_text()
            for size in (0, 1, 31, 32, 33, 128, 131):  # around the block of 32 threads
                self.assertIn(f"[n={size}]", text)
            self.assertEqual(run("grade", "--init", "work.cu", folder=place).stdout, text)
            again = run("grade", "--init", "work.cu", "-o", "work.yaml", folder=place)
            self.assertEqual(again.returncode, 2)
            self.assertIn("is there already", again.stderr)
            done = run("grade", "work.yaml", "work.cu", *([] if WORKS else ["--trust"]), folder=place)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)


if __name__ == "__main__":
    unittest.main()
