"""`baseline`: what grows is told with its line, in each form; the steps of action.yml and of docs/ci.md run in a shell."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM = os.environ["LANESCOPE"]
HANG = 600  # seconds, to end a process that hangs; no verdict depends on it
ROOT = pathlib.Path(".").resolve()
KERNEL = """// lanescope: --grid 2 --block 32 --arg f32[64]=iota --arg i32=64
__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
"""
STRIDED = KERNEL.replace("x[i]", "x[i * 2]").replace("f32[64]", "f32[128]")
OPEN = KERNEL.replace("if (i < n)", "").replace("f32[64]", "f32[60]")
PROGRAM_TEXT = """#include <cstdlib>
__global__ void add(int *x) { x[threadIdx.x] += 1; }
int main(int argc, char **argv)
{
    int *x;
    cudaMalloc(&x, 128);
    for (int i = 0; i < atoi(argv[1]); i++)
        add<<<1, 32>>>(x);
    cudaFree(x);
    return 0;
}
"""


class Repository(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name).resolve()
        (self.place / "kernels").mkdir()
        self.source = self.place / "kernels" / "twice.cu"
        self.source.write_text(KERNEL)

    def run_it(self, *words, status=0, **more):
        done = subprocess.run([PROGRAM, "baseline", *map(str, words)], capture_output=True, text=True, timeout=HANG,
                              cwd=self.place, env={**os.environ, "LANGUAGE": "en", **more})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def grew(self, *words):
        return json.loads(self.run_it("--json", *words, status=1).stdout)["grew"]


class Baseline(Repository):
    def test_a_kernel_is_kept_and_compared(self):
        self.run_it("kernels/twice.cu", "--update")
        path = self.place / "lanescope-baseline.json"
        kept = json.loads(path.read_text())
        self.assertEqual(kept["version"], 1)
        self.assertEqual([(one["kernel"], one["launches"]) for one in kept["targets"][0]["kernels"]], [("twice", 1)])
        counters = kept["targets"][0]["kernels"][0]["counters"]
        self.assertEqual(counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 8)
        before = path.read_bytes()
        self.run_it("kernels/twice.cu", "--update")
        self.assertEqual(path.read_bytes(), before)
        self.assertEqual(self.run_it().stdout, "1 target: nothing grew\n")

        self.source.write_text("// one more line\n" + STRIDED)
        grew = self.grew()
        self.assertEqual({(one["rule"], one["file"], one["line"]) for one in grew}, {("counter", "kernels/twice.cu", 7)})
        self.assertEqual({one["message"].rpartition(" grew ")[2] for one in grew}, {"from 8 to 16"})
        self.assertEqual(path.read_bytes(), before)

        self.source.write_text(OPEN)
        grew = self.grew("kernels/twice.cu")
        self.assertIn(("finding", "kernels/twice.cu", 6), {(one["rule"], one["file"], one["line"]) for one in grew})
        self.source.write_text(STRIDED)
        self.run_it("--update")
        self.assertEqual(self.run_it().stdout, "1 target: nothing grew\n")
        self.source.write_text(KERNEL)  # better than the baseline: told, and no error
        better = self.run_it()
        self.assertIn("went from 16 to 8", better.stderr)
        self.assertIn("--update takes this over", better.stderr)

    def test_a_program_with_words_of_its_own(self):
        (self.place / "main.cu").write_text(PROGRAM_TEXT)
        self.run_it("main.cu", "--update", "--", "--seconds", "100", "--", "2")
        self.assertEqual(self.run_it().stdout, "1 target: nothing grew\n")
        self.assertEqual([one["rule"] for one in self.grew("main.cu", "--", "--", "3")][0], "launches")
        (self.place / "main.cu").write_text(PROGRAM_TEXT.replace("    cudaFree(x);\n", ""))
        self.assertIn(("finding", "main.cu"), {(one["rule"], one["file"]) for one in self.grew()})

    def test_forms(self):
        self.run_it("kernels/twice.cu", "--update")
        self.source.write_text(STRIDED)
        done = self.run_it("--for", "sarif,junit,gitlab,github", "-o", "report", status=1)
        self.assertIn("::error file=kernels/twice.cu,line=6,title=A counter of memory traffic grew::twice: ", done.stdout)
        suite = xml.etree.ElementTree.parse(self.place / "report" / "baseline.xml").getroot()[0]
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("1", "1"))
        quality = json.loads((self.place / "report" / "gl-code-quality-report.json").read_text())
        self.assertEqual({(one["location"]["path"], one["location"]["lines"]["begin"], one["severity"])
                          for one in quality}, {("kernels/twice.cu", 6, "major")})
        self.assertEqual(len({one["fingerprint"] for one in quality}), len(quality))
        results = json.loads((self.place / "report" / "baseline.sarif").read_text())["runs"][0]["results"]
        self.assertEqual([one["ruleId"] for one in results], ["counter"] * len(quality))
        self.source.write_text(KERNEL)
        self.run_it("--for", "sarif,junit,gitlab", "-o", "report")
        self.assertEqual(json.loads((self.place / "report" / "gl-code-quality-report.json").read_text()), [])

    def test_wrong_input(self):
        for words, status, word in ((["kernels/twice.cu"], 2, "there is no baseline"),
                                    (["banks", "--update"], 2, "'banks' is no .cu"),
                                    (["kernels/none.cu", "--update"], 2, "none.cu"),
                                    (["--update"], 2, "give a .cu"),
                                    (["--for", "toast"], 2, "toast")):
            done = self.run_it(*words, status=status)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), words)
            self.assertIn(word, done.stderr)
        self.assertFalse((self.place / "lanescope-baseline.json").exists())
        for text, word in (("{", "is no JSON"), ("{}", "no baseline of version 1"),
                           ('{"version": 1, "targets": [{}]}', "no baseline of version 1"),
                           ('{"version": 1, "targets": []}', "give a .cu")):
            (self.place / "lanescope-baseline.json").write_text(text)
            self.assertIn(word, self.run_it(status=2).stderr)


class Servers(Repository):
    def shell(self, script, **more):
        bin = self.place / "bin"
        bin.mkdir(exist_ok=True)
        if not (bin / "lanescope").exists():
            (bin / "lanescope").symlink_to(PROGRAM)
        return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], capture_output=True,
                              text=True, timeout=HANG, cwd=self.place,
                              env={**os.environ, "LANGUAGE": "en", "PATH": f"{bin}:{os.environ['PATH']}", **more})

    def test_the_steps_of_the_action(self):
        text = (ROOT / "action.yml").read_text()
        steps = re.findall(r"^    - id: (\w+)\n(.*?)(?=^    - id:|\Z)", text, re.M | re.S)
        self.assertEqual([name for name, _ in steps], ["install", "compare"])
        defaults = dict(re.findall(r"^  ([\w-]+):\n    description:.*\n    default: (.*)$", text, re.M))
        runs = {}
        for name, step in steps:
            variables = {key: defaults[value].strip("'") for key, value in
                         re.findall(r"^        (\w+): \$\{\{ inputs\.([\w-]+) \}\}$", step, re.M)}
            script = "".join(line[8:] + "\n" for line in step.partition("run: |\n")[2].splitlines())
            self.assertNotIn("${{", script)  # values come through the environment, never as text of a script
            runs[name] = (script, variables)

        self.run_it("kernels/twice.cu", "--update")
        files = {key: str(self.place / key) for key in ("GITHUB_OUTPUT", "GITHUB_PATH")}
        for source, status in ((KERNEL, 0), (STRIDED, 1)):
            self.source.write_text(source)
            for name in ("install", "compare"):
                script, variables = runs[name]
                done = self.shell(script, **variables, **files, GITHUB_ACTION_PATH=str(ROOT))
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual(done.stdout.count("::error file=kernels/twice.cu,line=6"), 2 * status)
        sarif = pathlib.Path(re.findall("^sarif=(.*)$", pathlib.Path(files["GITHUB_OUTPUT"]).read_text(), re.M)[-1])
        self.assertEqual(len(json.loads(sarif.read_text())["runs"][0]["results"]), 2)

    def test_the_script_for_gitlab(self):
        snippet = (ROOT / "docs" / "ci.md").read_text().partition("## GitLab")[2]
        script = re.search(r"  script:\n((?:    - .*\n)+)", snippet)[1].replace("    - ", "")
        self.run_it("kernels/twice.cu", "--update")
        self.source.write_text(STRIDED)
        self.assertEqual(self.shell(script).returncode, 1)
        for name in re.findall(r"(?:junit|codequality): (.*)", snippet):
            self.assertTrue((self.place / name).exists(), name)


if __name__ == "__main__":
    unittest.main()
