"""Runs every case of tests/faults: each mistake is found, named and placed, and correct twins have no finding.

A case is CASE.cu, its PTX (so that the test needs no compiler), and CASE.txt:
    launch: the words of `lanescope run`
    verdict: clean | refused | hazard SPACE | the kind of the fault
    line: the fault's line; for a hazard, all lines that may be one of its sides
    at: block B thread X[,Y[,Z]], if it is the same in every run
    words: parts of the message, separated by semicolons
    after: hazard SPACE: a race that may have caused the fault, and that is listed before it
    differs: CASE K: argument K after the run differs from that of the correct case (no checker can see a wrong result)
    sanitizer: the finding of compute-sanitizer on an H200: see tests/faults/sanitize.sh
    known: VERDICT: reason; the program's present verdict, when it is wrong. The test fails when that changes.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "faults"
BUDGET = "300000"
# Ten times slower: what is asked of every case a second time is asked of a sample.
SAMPLE = 4 if "LANESCOPE_SANITIZED" in os.environ else 1
HANG = 900  # seconds, to end a process that hangs; no verdict depends on it
sys.path.insert(0, str(FOLDER))
from table import description, rows, summary  # noqa: E402


def run(case, *more):
    launch = description(case)["launch"].split()
    words = [PROGRAM, "run", str(FOLDER / f"{case}.ptx"), *launch, "--check", "memory,race", "--on", "emulator",
             "--budget", BUDGET, *more]
    return subprocess.run(words, capture_output=True, text=True, env=dict(os.environ, LANGUAGE="en"), timeout=HANG)


def place(finding):
    """Returns "block 1 thread 36", with y and z where they are not 0."""
    x, y, z = finding["thread"]
    return f"block {finding['block']} thread " + ",".join(str(n) for n in ([x, y, z] if z else [x, y] if y else [x]))


def verdict(done, report):
    if done.returncode not in (0, 1):
        return "refused" if done.returncode == 2 else f"status {done.returncode}"
    if report["faults"]:
        return report["faults"][0]["kind"]
    if report["hazards"]:
        return "hazard " + report["hazards"][0]["space"]
    return "clean"


def complaints(done, wanted):
    """Returns one sentence for each difference between the program's report and the case."""
    report = json.loads(done.stdout) if done.returncode in (0, 1) else None
    got, want = verdict(done, report), wanted["verdict"]
    if got != want:
        says = done.stderr.strip() if report is None else [f["message"] for f in report["faults"] + report["hazards"]]
        return [f"says {got!r}, not {want!r}: {says}"]
    if done.returncode != {"clean": 0, "refused": 2}.get(want, 1):
        return [f"ends with status {done.returncode}"]
    if want == "clean":
        return []
    lines = {int(n) for n in wanted.get("line", "").split()}
    wrong = []
    if want == "refused":
        message = done.stderr
    elif want.startswith("hazard"):
        message = report["hazards"][0]["message"]
        for hazard in report["hazards"]:
            sides = (hazard["first"]["line"], hazard["second"]["line"])
            if not set(sides) <= lines or not all(hazard[side]["file"] for side in ("first", "second")):
                wrong.append(f"hazard between lines {sides}")
            if all(hazard["first"][what] == hazard["second"][what] for what in ("block", "thread")):
                wrong.append(f"a thread races with itself: {hazard['first']}")
        if len({f["kind"] for f in report["faults"]}) > 0:
            wrong.append("faults beside the hazard")
    else:
        fault = report["faults"][0]
        message = fault["message"]
        if "after" in wanted and wanted["after"] not in ["hazard " + hazard["space"] for hazard in report["hazards"]]:
            wrong.append(f"hazards {report['hazards']}")
        if fault["line"] not in lines:
            wrong.append(f"line {fault['line']} of {fault['file']!r}")
        if "at" in wanted and place(fault) != wanted["at"]:
            wrong.append(place(fault))
        wrong += [f"{f['kind']} as well: {f['message']}" for f in report["faults"] if f["kind"] != want]
    wrong += [f"{message.strip()!r} lacks {part!r}"
              for part in filter(None, wanted.get("words", "").split("; ")) if part not in message]
    return wrong


class Faults(unittest.TestCase):
    CASES = sorted(path.stem for path in FOLDER.glob("*.txt"))

    def test_there_are_as_many_as_promised(self):
        verdicts = [description(case)["verdict"] for case in self.CASES]
        self.assertGreaterEqual(len([v for v in verdicts if v != "clean"]), 30)
        self.assertGreaterEqual(len([c for c in self.CASES if c.startswith("ok_")]), 30)
        for case in self.CASES:
            for suffix in (".cu", ".ptx"):
                self.assertTrue((FOLDER / (case + suffix)).exists(), case + suffix)

    def test_every_case_gets_its_verdict(self):
        for case in self.CASES:
            wanted = description(case)
            with self.subTest(case):
                wrong = complaints(run(case, "--json"), wanted)
                if "known" in wanted:
                    today, why = wanted["known"].split(": ", 1)
                    self.assertGreater(len(why), 20, "a known difference needs its reason")
                    self.assertIn(f"says {today!r}, not {wanted['verdict']!r}", str(wrong), "its line 'known' is out of date")
                else:
                    self.assertEqual(wrong, [], case)

    def test_every_case_is_told_in_korean(self):
        english = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")
        for case in self.CASES[::SAMPLE]:
            with self.subTest(case):
                done = run(case, "--lang", "ko")
                told = [line for line in (done.stdout + done.stderr).splitlines() if "assertion.cu" not in line]
                self.assertTrue(re.search("[가-힣]", "".join(told)), done)
                self.assertEqual([line for line in told if english.search(line)], [], case)

    def test_the_table_in_the_documents_is_up_to_date(self):
        page = (FOLDER.parent.parent / "docs" / "validation.md").read_text()
        for line in [*summary(), *rows()]:
            self.assertIn(line + "\n", page, "run tests/faults/table.py and put what it prints into docs/validation.md")

    def test_a_race_is_listed_before_what_it_causes(self):
        found = [case for case in self.CASES if "after" in description(case)]
        self.assertGreater(len(found), 0)
        for case in found:
            for more in ([], ["--blocks", "all"]):
                with self.subTest(case, more=more):
                    words = re.findall(r"^  (HAZARD|FAULT) ", run(case, *more).stdout, re.M)
                    self.assertEqual(words[0], "HAZARD")
                    self.assertEqual(words[-1], "FAULT")

    def test_a_side_without_a_line_is_shown_near_the_line_before(self):
        text = (FOLDER / "race_reverse.ptx").read_text()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "race_reverse.ptx")
            path.write_text(re.sub(r"(?m)^(\s*ld\.shared)", r"\t.loc 1 0 0\n\1", text, count=1))
            words = [PROGRAM, "run", path, *description("race_reverse")["launch"].split(), "--check", "race", "--on",
                     "emulator"]
            env = dict(os.environ, LANGUAGE="en")
            done = subprocess.run([*words, "--json"], capture_output=True, text=True, env=env)
            hazard = json.loads(done.stdout)["hazards"][0]
            self.assertNotIn("near", hazard["first"])
            self.assertIs(hazard["second"]["near"], True)
            self.assertGreater(hazard["second"]["line"], 0)
            self.assertTrue(hazard["second"]["file"])
            told = subprocess.run(words, capture_output=True, text=True, env=env).stdout
            self.assertIn(f"near {hazard['second']['file']}:{hazard['second']['line']} (the compiler", told)

    def test_recording_changes_no_verdict(self):
        for case in self.CASES[1 % SAMPLE::SAMPLE]:
            wanted = description(case)
            if "known" not in wanted:
                with self.subTest(case):
                    self.assertEqual(complaints(run(case, "--json", "--blocks", "all"), wanted), [], case)

    def test_a_wrong_result_differs_from_its_correct_twin(self):
        for case in self.CASES:
            if "differs" not in (wanted := description(case)):
                continue
            twin, argument = wanted["differs"].split()
            with tempfile.TemporaryDirectory() as folder:
                results = []
                for name in (case, twin):
                    path = pathlib.Path(folder, name)
                    self.assertEqual(run(name, "--dump", f"{argument}={path}").returncode, 0, name)
                    results.append(path.read_bytes())
                self.assertEqual(len(results[0]), len(results[1]))
                self.assertNotEqual(results[0], results[1], case)


if __name__ == "__main__":
    unittest.main()
