"""Prints the table of docs/validation.md: every case with the findings of compute-sanitizer and of Lanescope.

Both columns come from CASE.txt. `sanitizer` was recorded on an H200 (see sanitize.sh). tests/script/faults.py checks that
the program agrees with the rest.
"""
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent


def description(case):
    rows = (line.split(": ", 1) for line in (FOLDER / f"{case}.txt").read_text().splitlines())
    return {key: value.strip() for key, value in rows}


def cases():
    return sorted((path.stem for path in FOLDER.glob("*.txt")), key=lambda case: (case.startswith("ok_"), case))


def verdict(wanted):
    if "known" in wanted:
        return f"**{wanted['known'].split(': ', 1)[0]}**"
    lines = wanted.get("line", "").split()
    words = [wanted["verdict"].replace("hazard", "race:")]
    if lines:
        words.append(("line " if len(lines) == 1 else "lines ") + " and ".join(", ".join(lines).rsplit(", ", 1)))
    if "at" in wanted:
        words.append(wanted["at"])
    return ", ".join(words)


def rows():
    yield "| case | what | compute-sanitizer | Lanescope |"
    yield "| --- | --- | --- | --- |"
    for case in cases():
        wanted = description(case)
        what = (FOLDER / f"{case}.cu").read_text().splitlines()[0].removeprefix("// ").rstrip(".")
        yield f"| {case} | {what} | {wanted['sanitizer']} | {verdict(wanted)} |"


def found(text):
    return text not in ("nothing", "clean")


def summary():
    both = {case: description(case) for case in cases()}
    today = {case: both[case].get("known", both[case]["verdict"]).split(": ")[0] for case in both}
    for name, says in (("compute-sanitizer", {case: both[case]["sanitizer"] for case in both}), ("Lanescope", today)):
        ran = [case for case in both if says[case] != "not run"]
        faulty = [case for case in ran if both[case]["verdict"] != "clean"]
        clean = [case for case in ran if both[case]["verdict"] == "clean"]
        silent = [case for case in faulty if not found(says[case])]
        hangs = [case for case in faulty if says[case].startswith("never ends")]
        alarms = [case for case in clean if found(says[case])]
        yield (f"- {name}: of {len(faulty)} faulty cases it names {len(faulty) - len(silent) - len(hangs)}, "
               + (f"hangs in {len(hangs)}, " if hangs else "") + f"is silent on {len(silent)}; of {len(clean)} without a fault "
               f"it flags {len(alarms)}" + (f" ({', '.join(alarms)})" if alarms else "")
               + (f"; it was not run on {len(both) - len(ran)} newer cases" if len(ran) < len(both) else "") + ".")


if __name__ == "__main__":
    print("\n".join([*summary(), "", *rows()]))
