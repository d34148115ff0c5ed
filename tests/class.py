"""A term's class: makes submissions of the shipped transpose assignment, and grades them.

    python3 tests/class.py PROGRAM FOLDER [--students 200] [--jobs 2]

Each is the solution or one of the wrong submissions with other names of variables, comments and sizes of the code; a
hostile one of each kind is among them. It grades them twice from nothing, the second time with a kill -9 in the middle,
compares all that is written byte by byte, compares the points with assets/assignments/transpose/points.txt, and prints the times. Not a
test of the suite: 200 submissions take some minutes."""
import argparse
import json
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import time

ASSIGNMENT = pathlib.Path(__file__).resolve().parent.parent / "assets/assignments/transpose"
NAMES = "tile row column rows columns block grid in out".split()
CALL = "void transpose(float *out, const float *in, int rows, int columns)\n{\n%s\n}\n"
HEAD = "#include <csignal>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <unistd.h>\n"
HOSTILE = {
    "forks": "    for (;;)\n        fork();",
    "fills": '    static char bytes[1 << 20];\n    for (int i = 0;; i++) {\n        char name[20];\n        sprintf(name, "f%d", i);\n'
             '        FILE *f = fopen(name, "w");\n        if (f) {\n            fwrite(bytes, 1, sizeof bytes, f);\n            fclose(f);\n'
             "        } else {\n            exit(1);\n        }\n    }",
    "reads": '    system("find / -name \'*.yaml\' -o -name \'solution.cu\' 2>/dev/null | grep -v ^/usr | xargs cat");',
    "kills": "    kill(getppid(), SIGKILL);\n    kill(1, SIGKILL);\n    kill(-1, SIGKILL);",
    "hangs": "    for (volatile int i = 0;; i++)\n        ;",
    "sleeps": "    for (;;)\n        pause();",
    "prints": '    for (;;)\n        puts("PASSE");',
}


def changed(text, chance):
    """The same program in other words: names, comments, blank lines. The words of the interface stay where they bind."""
    words = {name: f"{name}_{chance.choice('abcdefgh')}{chance.randrange(100)}" for name in NAMES}
    text = re.sub(r"\b(" + "|".join(NAMES) + r")\b", lambda match: words[match[0]], text.split("\n", 1)[1])
    lines = []
    for line in text.splitlines():
        lines.append(line)
        if chance.random() < 0.2 and line.endswith(";"):
            lines.append(chance.choice(["", f"    // step {chance.randrange(1000)}", "    /* checked */"]))
    return f"// {chance.randrange(10**9)}\n" + "\n".join(lines) + "\n"


def grade(program, folder, out, jobs, kill_after=None):
    words = [program, "grade", ASSIGNMENT / "transpose.yaml", folder, "-o", out, "--jobs", str(jobs)]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    if kill_after is not None:
        while child.poll() is None and len(list((out / "steps").glob("*.json"))) < kill_after:
            time.sleep(0.05)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        return None
    last = child.communicate()[0].splitlines()[-2]
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    processors = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    return f"{time.monotonic() - begin:.0f} s, of processors {processors:.0f} s; {last}"


def files(out):
    return {path.relative_to(out): path.read_bytes() for path in sorted(out.rglob("*"))
            if path.is_file() and "steps" not in path.parts}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("program", type=pathlib.Path)
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--students", type=int, default=200)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--hostile", type=int, default=1, help="submissions of each hostile kind")
    given = options.parse_args()
    chance = random.Random(26)
    points = {row.split()[0]: float(row.split()[1]) for row in (ASSIGNMENT / "points.txt").read_text().splitlines()[1:]}
    sources = {path.stem: path.read_text() for path in (ASSIGNMENT / "handed-in").glob("*.cu")}
    handed, due = given.folder / "handed-in", {}
    shutil.rmtree(given.folder, ignore_errors=True)
    handed.mkdir(parents=True)
    kinds = [*sorted(HOSTILE) * given.hostile, *["ada"] * (3 * given.students // 10)] + sorted(sources) * given.students
    for number, kind in enumerate(kinds[:given.students]):
        name = f"student{number:03}_{kind}"
        text = HEAD + CALL % HOSTILE[kind] if kind in HOSTILE else changed(sources[kind], chance)
        (handed / f"{name}.cu").write_text(text)
        due[name] = points.get(kind, 0)
    first, killed = (given.folder / name for name in ("first", "killed"))
    print("from nothing:", grade(given.program, handed, first, given.jobs), flush=True)
    killed.mkdir()
    grade(given.program, handed, killed, given.jobs, kill_after=2 * given.students)
    left = len(list((killed / "steps").glob("*.json")))
    print(f"killed after {left} steps, gone on:", grade(given.program, handed, killed, given.jobs), flush=True)
    print("again, all kept:", grade(given.program, handed, killed, given.jobs), flush=True)
    assert files(first) == files(killed), "two gradings differ"
    got = {one["name"]: one["points"] for one in json.loads((first / "grades.json").read_text())["submissions"]}
    wrong = {name: (got[name], due[name]) for name in due if got[name] != due[name]}
    print("all", len(files(first)), "files are the same twice; points that are not those of points.txt:", wrong or "none")


if __name__ == "__main__":
    main()
