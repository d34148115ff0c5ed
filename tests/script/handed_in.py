"""What is handed in as archives or as the download of a course system, and the forms of grades that others import: each
is compared with a file of tests/grades. LANESCOPE_WRITE_GOLDEN=1 writes those files."""
import io
import json
import os
import pathlib
import re
import subprocess
import tarfile
import tempfile
import unittest
import zipfile

PROGRAM = os.environ["LANESCOPE"]
HANG = 600  # seconds, to end a process that hangs; no verdict depends on it
GOLDEN = pathlib.Path("tests/grades").resolve()
RUBRIC = """title: Scaling, week 3
file: scale.cu
kernel: scale
reference: right.cu
runs:
  - run: ragged
    arg: ["f32[100]=zero", "f32[100]=iota", "i32=100"]
    grid: "4"
    block: "32"
rules:
  - {rule: Each element is scaled, points: 3, reference: 0, name: right}
  - {rule: Nothing is found, points: 1.5, without: [any], hidden: true}
  - {rule: "No tile, \\"just\\" loads", points: 1, lacks: [__shared__], feedback: "Look, again"}
"""
RIGHT = """__global__ void scale(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2.5f * in[i];
}
"""
OPEN = RIGHT.replace("if (i < n)", "__shared__ int t; t = n;")
WRONG = RIGHT.replace("2.5f", "3.5f")


def run(*words, **more):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=HANG,
                          env={**os.environ, "LANGUAGE": "en", **more})


DOCTOR = run("doctor").stdout.splitlines()
TRUST = [] if any(line.startswith("ok") and " sandbox " in line for line in DOCTOR) else ["--trust"]


def zipped(files):
    """Returns a zip of names with texts or bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def tarred(files, mode="w:gz", **attributes):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            for key, value in attributes.items():
                setattr(entry, key, value)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return out.getvalue()


class Graded(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)
        (self.place / "rubric.yaml").write_text(RUBRIC)
        (self.place / "right.cu").write_text(RIGHT)
        self.handed = self.place / "in"
        self.handed.mkdir()

    def hand(self, name, content):
        path = self.handed / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def grade(self, *paths, more=()):
        done = run("grade", self.place / "rubric.yaml", *(paths or [self.handed]), "-o", self.place / "grades", "--json",
                   *TRUST, *more)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(done.stderr, "")
        self.grades = json.loads(done.stdout)["submissions"]
        return {one["name"]: (one["points"], one["problem"]) for one in self.grades}


@unittest.skipUnless(any(line.startswith("ok") and " archives " in line for line in DOCTOR), "built without libarchive")
class Archives(Graded):
    def test_archives_of_students(self):
        self.hand("ada.zip", zipped({"scale.cu": RIGHT, "notes.txt": "x" * 5000, "__MACOSX/._scale.cu": "junk"}))
        self.hand("ben.tar.gz", tarred({"./ben/work/mine.cu": RIGHT, "./ben/work/.hidden.cu": "junk"}))
        self.hand("cho.tar", tarred({"old/scale.cu": WRONG, "scale.cu": RIGHT}, "w"))
        self.hand("dae.zip", zipped({"a.cu": RIGHT, "b.cu": RIGHT}))
        self.hand("eva.zip", zipped({"readme.md": "later"}))
        self.hand("fay.cu", RIGHT)
        grades = self.grade()
        self.assertEqual({name: points for name, (points, _) in grades.items()},
                         {"ada": 5.5, "ben": 5.5, "cho": 5.5, "dae": 0, "eva": 0, "fay": 5.5})
        self.assertIn("no scale.cu", grades["dae"][1])
        self.assertIn("eva.zip has no sources", grades["eva"][1])
        one = self.grade(self.handed / "ada.zip")  # given by itself it is a student's, too
        self.assertEqual(one, {"ada": (5.5, None)})

    def test_archives_that_are_refused(self):
        link = tarfile.TarInfo("scale.cu")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w") as archive:
            archive.addfile(link)
        cases = {
            "up.zip": (zipped({"../scale.cu": RIGHT}), "has a path that leaves it: ../scale.cu"),
            "deep.tar.gz": (tarred({"a/../../scale.cu": RIGHT}), "has a path that leaves it"),
            "root.tar": (tarred({"/tmp/scale.cu": RIGHT}, "w"), "has a path that leaves it: /tmp/scale.cu"),
            "link.tar": (out.getvalue(), "has a link: scale.cu"),
            "pipe.tar": (tarred({"scale.cu": ""}, "w", type=tarfile.FIFOTYPE), "no file: scale.cu"),
            "large.zip": (zipped({"scale.cu": "/" * (2 << 20)}), "a file of more than 1024 KiB: scale.cu"),
            "bomb.zip": (zipped({f"{i}.zip": b"\0" * (60 << 20) for i in range(5)}), "unpacks to more than 256 MiB"),
            "many.zip": (zipped({f"{i}.txt": "" for i in range(10001)}), "has more than 10000 files"),
            "cut.tar.gz": (tarred({"scale.cu": RIGHT * 50})[:90], "cannot be unpacked"),
            "junk.zip": (b"PK junk", "cannot be unpacked"),
        }
        for name, (content, _) in cases.items():
            self.hand(name, content)
        self.hand("good.zip", zipped({"scale.cu": RIGHT}))
        grades = self.grade()
        self.assertEqual(grades.pop("good"), (5.5, None))
        self.assertEqual(len(grades), len(cases))
        for name, (_, word) in cases.items():
            points, problem = grades[name.partition(".")[0]]
            self.assertEqual(points, 0, name)
            self.assertIn(word, problem, name)
            self.assertIn(name, problem)
            self.assertNotIn("\n", problem)
        self.assertEqual(sorted(path.name for path in self.place.iterdir()), ["grades", "in", "right.cu", "rubric.yaml"])

    def test_a_download_of_canvas(self):
        inner = zipped({"scale/scale.cu": RIGHT})
        path = self.hand("submissions.zip", zipped({
            "lovelaceada_1001_5001_scale-1.cu": RIGHT, "bennettben_LATE_1002_5002_work.zip": inner,
            "chocho_1003_5003_scale.cu": WRONG, "chocho_1003_5004_notes.pdf": "x",
            "kimmin_1004_5005_scale.cu": RIGHT, "kimmin_1005_5006_scale.cu": OPEN}))
        self.assertEqual({name: points for name, (points, _) in self.grade(path).items()},
                         {"lovelaceada": 5.5, "bennettben": 5.5, "chocho": 2.5, "kimmin (1004)": 5.5,
                          "kimmin (1005)": 0})
        self.assertEqual({one["name"]: one["number"] for one in self.grades},
                         {"lovelaceada": "1001", "bennettben": "1002", "chocho": "1003", "kimmin (1004)": "1004",
                          "kimmin (1005)": "1005"})

    def test_a_download_of_moodle(self):
        for name, text in {"Ada Lovelace_71_assignsubmission_file_": RIGHT,
                           "김 민지_72_assignsubmission_file": WRONG}.items():
            self.hand(f"{name}/scale.cu", text)
        self.hand("Ada Lovelace_71_assignsubmission_onlinetext_/onlinetext.html", "<p>hello</p>")
        self.assertEqual({name: points for name, (points, _) in self.grade().items()}, {"Ada Lovelace": 5.5, "김 민지": 2.5})
        self.assertEqual([one["number"] for one in self.grades], ["71", "72"])


class Forms(Graded):
    def test_each_form_is_as_it_was(self):
        for name, text in {"Ada Lovelace_71_assignsubmission_file_/scale.cu": RIGHT,
                           "=cmd_72_assignsubmission_file_/scale.cu": OPEN, "fay.cu": "int main( {", "gus.cu": WRONG,
                           "hal/readme.md": ""}.items():
            self.hand(name, text)
        self.grade(more=["--for", "sarif,gradescope,canvas,moodle,nbgrader"])
        made = self.place / "grades"
        files = ["canvas.csv", "moodle.csv", "nbgrader.csv", "grades.sarif", "gradescope/Ada Lovelace.json",
                 "gradescope/=cmd.json", "gradescope/hal.json"]
        for name in files:
            bytes = (made / name).read_bytes().replace(str(self.handed).encode(), b"in")
            bytes = re.sub(rb'("semanticVersion": )"[^"]*"', rb'\1"0"', bytes)
            bytes = re.sub(rb'("lanescope/v1": )"[0-9a-f]{32}"', rb'\1"0"', bytes)
            golden = GOLDEN / pathlib.Path(name).name
            if os.environ.get("LANESCOPE_WRITE_GOLDEN"):
                golden.write_bytes(bytes)
            self.assertEqual(bytes.decode(), golden.read_bytes().decode(), name)

        sarif = json.loads((made / "grades.sarif").read_text())  # what GitHub's code scanning requires
        self.assertEqual(sarif["version"], "2.1.0")
        self.assertTrue(sarif["$schema"].endswith("sarif-2.1.0.json"))
        tool = sarif["runs"][0]["tool"]["driver"]
        self.assertTrue(tool["name"])
        for rule in tool["rules"]:
            self.assertTrue(rule["id"] and rule["shortDescription"]["text"])
        prints = set()
        for result in sarif["runs"][0]["results"]:
            self.assertEqual(tool["rules"][result["ruleIndex"]]["id"], result["ruleId"])
            self.assertTrue(result["message"]["text"])
            place = result["locations"][0]["physicalLocation"]
            self.assertNotIn(" ", place["artifactLocation"]["uri"])
            self.assertGreaterEqual(place["region"]["startLine"], 1)
            prints.add(result["partialFingerprints"]["lanescope/v1"])
        self.assertEqual(len(prints), len(sarif["runs"][0]["results"]))
        tests = json.loads((made / "gradescope" / "gus.json").read_text())["tests"]
        self.assertEqual(sum(test["score"] for test in tests), 2.5)
        self.assertEqual([test["visibility"] for test in tests], ["visible", "hidden", "visible"])

    def test_an_unknown_form(self):
        for forms in ("blackboard", "sarif,", "sarif,sarif", ""):
            done = run("grade", "a.yaml", "b.cu", "--for", forms)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), forms)


if __name__ == "__main__":
    unittest.main()
