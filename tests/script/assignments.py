"""The assignments that come with Lanescope: what their wrong submissions lose, their statements, and how they are had.

A whole grading takes a minute of processor time and more, so each run takes a third of the submissions;
LANESCOPE_ALL_SUBMISSIONS=1 takes all of them. LANESCOPE_WRITE_GOLDEN=1 writes points.txt, with all of them."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
HANG = 900  # seconds, to end a process that hangs; no verdict depends on it
FOLDER = pathlib.Path("assets/assignments").resolve()
NAMES = sorted(path.name for path in FOLDER.iterdir())
SANITIZED = "LANESCOPE_SANITIZED" in os.environ
WRITE = bool(os.environ.get("LANESCOPE_WRITE_GOLDEN"))
ALL = WRITE or bool(os.environ.get("LANESCOPE_ALL_SUBMISSIONS"))
HEAD = """# What each file of handed-in gets, and the rules that it loses. "starter" is starter.cu as it is.
"""


def run(*words, folder=None, **more):
    environment = {**os.environ, "LANGUAGE": "en", **more}
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, env=environment, timeout=HANG,
                          cwd=folder)


WORKS = any(line.startswith("ok") for line in run("doctor").stdout.splitlines() if " sandbox " in line)


def rules_of(name):
    """The rules of a rubric, in the form that the shipped ones have."""
    rules = []
    for text in re.split(r"\n  - rule: ", (FOLDER / name / f"{name}.yaml").read_text())[1:]:
        rules.append({"en": text.splitlines()[0], "ko": re.search(r"ko: (.*)", text)[1],
                      "points": int(re.search(r"points: (\d+)", text)[1]), "hidden": "hidden: true" in text})
    return rules


class Points(unittest.TestCase):
    @unittest.skipIf(SANITIZED, "whole gradings of programs take minutes there")
    @unittest.skipUnless(WORKS, "this user has no sandbox")
    def test_each_wrong_submission_loses_the_points_meant(self):
        for number, name in enumerate(NAMES):
            with self.subTest(name=name), tempfile.TemporaryDirectory() as place:
                folder = FOLDER / name
                files = [folder / "starter.cu", *sorted((folder / "handed-in").glob("*.cu"))]
                self.assertGreaterEqual(len(files), 11)
                if not ALL:
                    files = files[number % 3::3]
                done = run("grade", folder / f"{name}.yaml", *files, "-o", place, "--json")
                self.assertEqual((done.returncode, done.stderr), (1, ""))
                lines = []
                for one in json.loads(done.stdout)["submissions"]:
                    lost = [f"R{k}" for k, rule in enumerate(one["rules"], 1) if not rule["holds"]]
                    lines.append(f"{one['name']:20}{one['points']:4g}  {' '.join(lost)}".rstrip())
                    self.say_why(one)
                golden = folder / "points.txt"
                if WRITE:
                    golden.write_text(HEAD + "".join(line + "\n" for line in lines))
                due = golden.read_text()
                self.assertTrue(due.startswith(HEAD))
                due = due[len(HEAD):].splitlines()
                self.assertEqual(len(due), 1 + len(list((folder / "handed-in").glob("*.cu"))))
                self.assertLessEqual(set(lines), set(due))

    def say_why(self, one):
        """A lost rule has a cause; a student who lost points is told a line, or what to think about."""
        lost = [rule for rule in one["rules"] if not rule["holds"]]
        for rule in lost:
            self.assertTrue(rule["cause"], (one["name"], rule["rule"]))
        self.assertTrue(not lost or any(rule["line"] or rule["feedback"] or rule["lesson"] for rule in lost), one["name"])


class Statements(unittest.TestCase):
    def test_they_have_the_rules_and_points_of_the_rubric(self):
        self.assertEqual(len(NAMES), 8)
        for name in NAMES:
            rules = rules_of(name)
            whole, hidden = (sum(rule["points"] for rule in rules if rule["hidden"] >= least) for least in (0, 1))
            for language, sum_of in ("en", f"{whole} points in all"), ("ko", f"모두 {whole}점입니다"):
                with self.subTest(name=name, language=language):
                    text = (FOLDER / name / f"{language}.md").read_text()
                    rows = re.findall(r"^\| (.*) \| (\d+) \|$", text, re.M)
                    due = [(rule[language], str(rule["points"])) for rule in rules if not rule["hidden"]]
                    self.assertEqual(rows[:-1], due)
                    self.assertEqual(rows[-1][1], str(hidden))
                    self.assertIn(sum_of, text)
                    for lesson in re.findall(r"`lanescope ([a-z-]+)`", text):
                        self.assertTrue(pathlib.Path("lessons", lesson).is_dir(), lesson)

    @unittest.skipIf(SANITIZED, "its programs have no sanitizer of ours")
    def test_what_a_student_is_told_to_type_works(self):
        name = "histogram"  # one of eight that are alike
        with tempfile.TemporaryDirectory() as place:
            for source, copy in ("main.cu", "main.cu"), ("solution.cu", "histogram.cu"):
                pathlib.Path(place, copy).write_bytes((FOLDER / name / source).read_bytes())
            words = re.search(r"^lanescope (run .*)$", (FOLDER / name / "en.md").read_text(), re.M)[1].split()
            done = run(*words, folder=place)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue(done.stdout.startswith("PASSED\n"))


class Copies(unittest.TestCase):
    def test_they_are_listed_and_copied(self):
        listed = run("grade", "--list", "--json")
        self.assertEqual((listed.returncode, listed.stderr), (0, ""))
        rows = json.loads(listed.stdout)
        self.assertEqual([row["name"] for row in rows], NAMES)
        for row in rows:
            self.assertEqual(row["points"], sum(rule["points"] for rule in rules_of(row["name"])))
        self.assertRegex(run("grade", "--list", "--lang", "ko").stdout, r"(?m)^transpose +행렬 전치 \(12점\)$")
        with tempfile.TemporaryDirectory() as place:
            done = run("grade", "--copy", "scan", folder=place)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            there = {path.relative_to(FOLDER / "scan") for path in (FOLDER / "scan").rglob("*")}
            copied = {path.relative_to(pathlib.Path(place, "scan")) for path in pathlib.Path(place, "scan").rglob("*")}
            self.assertEqual(copied, there)
            self.assertEqual(os.listdir(place), ["scan"])
            for words, said in ((("--copy", "scan"), "is there already"), (("--copy", "scam"), "no assignment is called 'scam'"),
                                (("--list", "x.cu"), "take no files"),
                                (("--copy", "scan", "-o", "scan/main.cu/x"), "main.cu")):
                done = run("grade", *words, folder=place)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
                self.assertIn(said, done.stderr)
            self.assertEqual(os.listdir(place), ["scan"])


if __name__ == "__main__":
    unittest.main()
