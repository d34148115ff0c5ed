#!/usr/bin/env python3
"""Compares the operands that the parser accepts with those that ptxas accepts.

    operands.py FORMS [OPTION...]     FORMS: the program of tests/fuzz/forms.c; run in tests/

prints the instructions on which they differ, a line each: who refuses it, why, and the instruction. OPTION goes to FORMS,
such as --every 100. ptxas reports all wrong operands of a module by line, but only its first wrong word, so each module
is given to it again without the lines that it refused.
"""
import os
import re
import subprocess
import sys
import tempfile

FILES = ["fuzz/forms.txt", "instructions/results.txt", "matrix/results.txt"]
AT_ONCE = 250
PTXAS = os.environ.get("PTXAS", "/usr/local/cuda/bin/ptxas")


def refused(head, tail, lines):
    """Returns what ptxas says about the lines that it refuses, by number."""
    reasons, left = {}, list(range(len(lines)))
    before = head.count("\n") + 1
    while left:
        with tempfile.NamedTemporaryFile("w", suffix=".ptx") as module:
            module.write(head + "".join(lines[i] + "\n" for i in left) + tail)
            module.flush()
            run = subprocess.run([PTXAS, "-arch=sm_90a", "-O0", "-o", os.devnull, module.name], capture_output=True,
                                 text=True)
        found = {}
        for number, reason in re.findall(r"line (\d+); (?:error|fatal)\s*:\s*(.*)", run.stdout + run.stderr):
            if 0 <= int(number) - before < len(left):
                found.setdefault(left[int(number) - before], reason)
        if not found and run.returncode and len(left) > 1:  # it crashes on a line, without saying on which
            half = len(left) // 2
            for part in left[:half], left[half:]:
                for i, reason in refused(head, tail, [lines[i] for i in part]).items():
                    reasons[part[i]] = reason
            return reasons
        if not found and run.returncode:
            found = {left[0]: "ptxas ends with status %d" % run.returncode}
        if not found:
            return reasons
        reasons.update(found)
        left = [i for i in left if i not in found]
    return reasons


def main():
    out = subprocess.run([sys.argv[1], "--verdicts", *sys.argv[2:], *FILES], check=True, capture_output=True, text=True)
    head, tail, verdicts = out.stdout.split("\f")
    rows = [line.split("\t") for line in verdicts.splitlines()]
    differ = 0
    for at in range(0, len(rows), AT_ONCE):
        part = rows[at:at + AT_ONCE]
        theirs = refused(head, tail, [instruction for instruction, _ in part])
        for i, (instruction, ours) in enumerate(part):
            if bool(ours) != (i in theirs):
                differ += 1
                print("%s refuses: %s: %s" % ("Lanescope" if ours else "ptxas", ours or theirs[i], instruction))
    print("%d instructions, %d of them differ" % (len(rows), differ))


if __name__ == "__main__":
    main()
