"""python/: what lanescope.run and lanescope.grade give, what they refuse, and cells of a notebook that Jupyter executes.

The notebook needs Debian's python3-nbclient, python3-nbconvert and python3-ipykernel; without them its test is skipped."""
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(".").resolve()
sys.path.insert(0, str(ROOT / "python"))
import lanescope  # noqa: E402
from lanescope import _notebook, _program  # noqa: E402

HANG = 600  # seconds, to end a process that hangs; no verdict depends on it
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
KERNEL = """// lanescope: --grid 2 --block 32 --arg f32[64]=iota --arg i32=64
__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
"""
PROGRAM = """#include <cstdio>
#include <cstdlib>
__global__ void stride(float *y, const float *x, int n, int s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i * s];
}
int main(int argc, char **argv)
{
    int n = 256, s = argc > 1 ? atoi(argv[1]) : 1;
    float *x, *y;
    cudaMalloc(&x, n * sizeof *x * 8);
    cudaMalloc(&y, n * sizeof *y);
    cudaMemset(x, 0, n * sizeof *x * 8);
    stride<<<2, 128>>>(y, x, n, s);
    printf("stride %d: %s\\n", s, cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(x);
    cudaFree(y);
}
"""
OUTSIDE = PROGRAM.replace("sizeof *x * 8", "sizeof *x")


def jupyter():
    """Returns a Python that has what executes a notebook, or None."""
    for python in (sys.executable, "/usr/bin/python3"):
        words = [python, "-c", "import ipykernel, nbclient, nbconvert, nbformat"]
        try:
            if subprocess.run(words, capture_output=True, timeout=HANG).returncode == 0:
                return python
        except OSError:
            pass
    return None


class Objects(unittest.TestCase):
    def test_a_kernel_gives_counters_and_sites(self):
        run = lanescope.run(KERNEL)
        self.assertEqual(run.status, 0)
        self.assertEqual(run.counters[SECTORS], 8)
        self.assertEqual(len(run.launches), 1)
        self.assertEqual(run.findings, [])
        self.assertIn("twice", repr(run))

    def test_a_program_gives_output_and_counters_of_its_arguments(self):
        narrow, wide = lanescope.run(PROGRAM), lanescope.run(PROGRAM, args=[8])
        self.assertEqual(narrow.output, "stride 1: no error\n")
        self.assertEqual(narrow.counters[SECTORS], 32)
        self.assertEqual(wide.counters[SECTORS], 256)

    def test_findings_are_dicts_with_their_line(self):
        run = lanescope.run(OUTSIDE, args=[8])
        self.assertEqual(run.status, 1)
        self.assertEqual({(one["kind"], one["line"], one["kernel"]) for one in run.findings},
                         {("out of bounds", 7, "stride")})

    def test_a_lesson_and_its_options(self):
        run = lanescope.run("banks", set={"stride": 8})
        self.assertEqual(run.data["kernel"], run.launches[0]["kernel"])
        self.assertGreater(run.counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"], 0)

    def test_tables_are_frames_where_pandas_is_there(self):
        run = lanescope.run(KERNEL)
        try:
            import pandas
            self.assertIsInstance(run.counter_table(), pandas.DataFrame)
        except ImportError:
            self.assertEqual(run.counter_table()[0][SECTORS], 8)
            self.assertEqual([site["line"] for site in run.site_table()], [6, 6])
        # With pandas: a module of its name takes the rows.
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "pandas.py").write_text("class DataFrame(list):\n    pass\n")
            words = [sys.executable, "-c", f"import lanescope; print(type(lanescope.run({KERNEL!r}).counter_table()).__module__)"]
            path = f"{folder}:{ROOT / 'python'}"
            done = subprocess.run(words, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=HANG)
            self.assertEqual(done.stdout, "pandas\n", done.stderr)

    def test_what_is_wrong_is_one_sentence(self):
        for call, words in ((lambda: lanescope.run("no/such.cu"), "no/such.cu"),
                            (lambda: lanescope.run(KERNEL, grid="no"), "grid"),
                            (lambda: lanescope.run(KERNEL, nonsense=1), "nonsense"),
                            (lambda: lanescope.run(KERNEL.replace("int i", "it i")), "source.cu:4"),
                            (lambda: lanescope.grade("no/such.yaml", "x.cu"), "no/such.yaml")):
            with self.assertRaises(lanescope.LanescopeError) as caught:
                call()
            self.assertIn(words, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
            self.assertEqual(caught.exception.status, 2)

    def test_a_grading_gives_its_json(self):
        folder = ROOT / "assets/assignments/vector-add"
        with tempfile.TemporaryDirectory() as out:
            try:
                grades = lanescope.grade(folder / "vector-add.yaml", folder / "solution.cu", output=out)
            except lanescope.LanescopeError as error:
                if error.status != 3:
                    raise
                self.skipTest(f"no sandbox: {error}")
            self.assertEqual(grades["submissions"][0]["points"], grades["of"])
            self.assertTrue(pathlib.Path(out, "grades.csv").exists())


class Cells(unittest.TestCase):
    def test_options_of_a_cell(self):
        own, words, arguments = _notebook.split("--no-picture --grid 4 --height=300 -- --height 1")
        self.assertEqual((own["picture"], own["height"]), (False, 300))
        self.assertEqual((words, arguments), (["--grid", "4"], ["--", "--height", "1"]))
        for line in ("--height 5", "--height", "--json", "-o x", "--grid '4"):
            with self.assertRaises(lanescope.LanescopeError):
                _notebook.split(line)

    def test_export_gets_the_options_that_it_has(self):
        kept = _notebook.for_export(["--check", "none", "--grid", "4", "--explain", "--define=N=3", "--lang", "ko", "--outliers"])
        self.assertEqual(kept, ["--grid", "4", "--define=N=3", "--lang", "ko"])

    def test_options_are_those_of_the_help(self):
        known = _program.options()
        self.assertEqual((known["run"]["--grid"], known["run"]["--json"], known["export"]["-o"]), (True, False, True))
        self.assertNotIn("--check", known["export"])


CELLS = [
    "%load_ext lanescope",
    "%%lanescope\n" + KERNEL,
    "%%lanescope --height 500 -- 8\n" + PROGRAM,
    "%%lanescope --no-picture -- 8\n" + OUTSIDE,
    "%%lanescope\n" + KERNEL.replace("int i", "it i"),
    "%%lanescope --wrong\n" + KERNEL,
    "%%lanescope --height tall\n" + KERNEL,
    "%%lanescope\n",
    "%%lanescope\nint main() { return 0; }\n",
    "%%lanescope\nint main() { *(volatile int *)8 = 1; }\n",
    "import lanescope\nlanescope.run('''" + KERNEL + "''').counters['" + SECTORS + "']",
    "import os\nkept = os.environ['PATH'], os.environ['LANESCOPE']\nos.environ['PATH'] = '/nowhere'",
    "%%lanescope\n" + PROGRAM + "// another text, which no cache has\n",
    "os.environ['LANESCOPE'] = '/no/such/program'",
    "%%lanescope\n" + KERNEL,
]
EXECUTE = """
import nbclient, nbconvert, nbformat, pathlib, json, sys
cells = json.load(sys.stdin)
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
nbclient.NotebookClient(notebook, timeout=600, allow_errors=True).execute()
pathlib.Path("page.html").write_text(nbconvert.HTMLExporter().from_notebook_node(notebook)[0])
json.dump([cell.outputs for cell in notebook.cells], open("outputs.json", "w"))
"""


class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        python = jupyter()
        if not python:
            raise unittest.SkipTest("Jupyter is not installed (Debian: python3-nbclient python3-nbconvert python3-ipykernel)")
        keep = os.environ.get("NOTEBOOK_FOLDER")  # a page to look at
        cls.folder = tempfile.TemporaryDirectory()
        folder = keep or cls.folder.name
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "LANESCOPE": os.path.abspath(os.environ["LANESCOPE"])}
        done = subprocess.run([python, "-c", EXECUTE], input=json.dumps(CELLS), cwd=folder, env=environment, text=True,
                              capture_output=True, timeout=HANG)
        if done.returncode:
            raise AssertionError(done.stderr[-2000:])
        cls.outputs = json.loads(pathlib.Path(folder, "outputs.json").read_text())
        cls.page = pathlib.Path(folder, "page.html").read_text()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def words(self, cell, stream="stdout"):
        return "".join(one["text"] for one in self.outputs[cell] if one.get("name") == stream)

    def pictures(self, cell):
        return ["".join(one["data"]["text/html"]) for one in self.outputs[cell] if "text/html" in one.get("data", {})]

    def test_no_cell_shows_a_traceback(self):
        for number, outputs in enumerate(self.outputs):
            for one in outputs:
                self.assertNotEqual(one["output_type"], "error", f"{CELLS[number]}\n{one}")

    def test_a_kernel_has_its_verdict_and_its_picture(self):
        self.assertIn("looked in both blocks", self.words(1))
        self.assertEqual(self.words(1, "stderr"), "")
        picture = self.pictures(1)[0]
        self.assertIn('sandbox="allow-scripts"', picture)
        page = html.unescape(re.search(r'srcdoc="([^"]*)"', picture)[1])
        self.assertIn("<svg", page)
        self.assertIn(_notebook.ORDER, page)
        self.assertIn('id="lanescope-trace"', page)

    def test_a_program_has_its_output(self):
        self.assertTrue(self.words(2).startswith("stride 8: no error\n"), self.words(2))
        self.assertIn("height: 500px", self.pictures(2)[0])
        self.assertIn("height: 500px", self.page)

    def test_a_finding_is_told_and_needs_no_picture(self):
        self.assertIn("FAULT out of bounds", self.words(3))
        self.assertIn("cell.cu:7", self.words(3))
        self.assertEqual(self.pictures(3), [])

    def test_errors_are_one_sentence(self):
        for cell, words in ((4, "cell.cu:4"), (5, "--wrong"), (6, "--height takes"), (7, "body is empty"),
                            (8, "there is no picture"), (12, "clang"), (14, "cannot be started")):
            told = self.words(cell, "stderr")
            self.assertIn(words, told)
            self.assertEqual(told.count("\n"), 1, told)
            self.assertEqual(self.pictures(cell), [])

    def test_a_program_that_crashes_is_told(self):
        self.assertIn("ended by signal 11", self.words(9))

    def test_objects_in_a_cell(self):
        self.assertEqual(self.outputs[10][0]["data"]["text/plain"], "8")


if __name__ == "__main__":
    unittest.main()
