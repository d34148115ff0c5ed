#!/usr/bin/env python3
"""Reports how many kernels of a folder of PTX files the emulator accepts whole, and what it refuses, by frequency.

    LANESCOPE=build/lanescope corpus.py FOLDER      subfolders are rows of the table

Nothing runs: `lanescope inspect --json` lists for each kernel what the emulator refuses in it and in its callees."""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys


def inspect(path):
    """Returns the report; or None and the error when the file cannot be read."""
    done = subprocess.run([os.environ.get("LANESCOPE", "lanescope"), "inspect", str(path), "--json"],
                          capture_output=True, text=True)
    return (json.loads(done.stdout), "") if done.returncode == 0 else (None, done.stderr.strip())


def form(instruction):
    """Returns the instruction without its predicate and operands; a call keeps its callee."""
    words = re.sub(r"^@!?\S+\s+", "", instruction).split()
    if not words[0].startswith("call"):
        return words[0].rstrip(";")
    return "call " + re.sub(r"[(),;].*", "", re.sub(r"^call\S*\s+(\([^)]*\)\s*,\s*)?", "", instruction))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    rows = collections.defaultdict(lambda: [0, 0, 0])
    refused, unread = collections.defaultdict(set), []
    for path in sorted(folder.rglob("*.ptx")):
        report, error = inspect(path)
        if report is None:
            unread.append(error)
            continue
        row = rows[path.relative_to(folder).parent.as_posix()]
        row[0] += bool(report["kernels"])
        for kernel in report["kernels"]:
            row[1] += 1
            row[2] += kernel["can_run"]
            whole_file = [u for u in report["unsupported"] if u not in kernel["unsupported"]]
            for one in kernel["unsupported"] or ([] if kernel["can_run"] else whole_file):
                refused[form(one["instruction"])].add((path, kernel["kernel"]))
    print("| folder | files with kernels | kernels | accepted whole | % |\n|---|---|---|---|---|")
    for name, row in sorted(rows.items()) + [("**all**", [sum(column) for column in zip(*rows.values())])]:
        print(f"| {name} | {row[0]:,} | {row[1]:,} | {row[2]:,} | {100 * row[2] / max(row[1], 1):.1f} |")
    print("\n| refused | kernels |\n|---|---|")
    for name, kernels in sorted(refused.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"| `{name}` | {len(kernels):,} |")
    print(*unread, sep="\n", file=sys.stderr)
    sys.exit(bool(unread))


if __name__ == "__main__":
    main()
