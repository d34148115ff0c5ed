"""What a run and a grading give, as Python objects. Nothing is computed here: the program's JSON says it all."""
import json
import os
import pathlib
import tempfile

from ._program import LanescopeError, call, sentence


def _table(rows):
    """Returns a pandas.DataFrame where pandas is installed, otherwise the list of dicts itself."""
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


class Run:
    """One run. `data` is all that `lanescope run --json` says (docs/formats.md)."""

    def __init__(self, data, status):
        self.data = data
        self.status = status  # 0: nothing found; 1: a finding, or the program failed

    @property
    def output(self):
        """What the program printed."""
        return self.data.get("output") or ""

    @property
    def launches(self):
        """The launches, a dict each; a kernel that was run alone is one launch."""
        return self.data["launches"] if "launches" in self.data else [self.data]

    @property
    def counters(self):
        """The counters by their names, summed over all launches."""
        total = {}
        for launch in self.launches:
            for name, value in (launch.get("counters") or {}).items():
                total[name] = total.get(name, 0) + value
        return total

    @property
    def findings(self):
        """All findings, a dict each: faults and races of launches, and mistakes of host code."""
        found = [dict(mistake) for mistake in self.data.get("mistakes", [])]
        for launch in self.launches:
            for finding in (launch.get("faults") or []) + (launch.get("hazards") or []):
                found.append({"kernel": launch.get("kernel"), "launch": launch.get("number", 1), **finding})
        return found

    def counter_table(self):
        """The counters, a row for each launch: a pandas.DataFrame, or a list of dicts without pandas."""
        return _table([{"launch": launch.get("number", 1), "kernel": launch.get("kernel"), **(launch.get("counters") or {})}
                       for launch in self.launches])

    def site_table(self):
        """The accesses by line of source, a row for each site: a pandas.DataFrame, or a list of dicts without pandas."""
        return _table([{"launch": launch.get("number", 1), "kernel": launch.get("kernel"), **site}
                       for launch in self.launches for site in launch.get("sites") or []])

    def __repr__(self):
        kernels = ", ".join(dict.fromkeys(str(launch.get("kernel")) for launch in self.launches))
        return f"<lanescope.Run: {kernels or 'no launch'}; launches: {len(self.launches)}, findings: {len(self.findings)}>"


def _words(target, options, values):
    words = ["run", target, *options]
    for name, value in values.items():
        name = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if isinstance(value, dict):
            value = [f"{key}={one}" for key, one in value.items()]
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, tuple):
                one = ",".join(str(part) for part in one)
            words += [name] if one is True else [name, str(one)]
    return words


def run(source_or_path, args=(), options=(), **values):
    """Runs a lesson, a .cu or .ptx file, or CUDA C++ text (any text of more than one line), and returns a Run.

    args: arguments of the program. values: options of `lanescope run`, as kernel="scale", grid=(4, 1), block=256,
    arg=["f32[1024]=zero", "i32=1024"], define={"N": 64}. options: further words of its command line.
    Raises LanescopeError, with one sentence, if the source or an option is wrong, or this computer lacks a compiler.
    A finding raises nothing: see Run.findings."""
    text = str(source_or_path)
    folder = None
    try:
        if "\n" in text:
            folder = tempfile.TemporaryDirectory(prefix="lanescope-")
            target = os.path.join(folder.name, "source.cu")
            pathlib.Path(target).write_text(text, encoding="utf-8")
        else:
            target = text
        words = _words(target, options, values) + ["--json"]
        if args:
            words += ["--", *(str(word) for word in args)]
        status, output, errors = call(words)
        try:
            return Run(json.loads(output), status)
        except ValueError:
            raise LanescopeError(sentence(errors, status), status) from None
    finally:
        if folder:
            folder.cleanup()


def grade(rubric, *submissions, output=None, options=()):
    """Grades submissions and returns what `lanescope grade --json` says, a dict (docs/teaching.md). output: the folder of
    the reports; otherwise one that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="lanescope-") as folder:
        words = ["grade", str(rubric), *(str(one) for one in submissions), "-o", str(output or os.path.join(folder, "grades")),
                 "--json", *options]
        status, text, errors = call(words)
        try:
            return json.loads(text)
        except ValueError:
            raise LanescopeError(sentence(errors, status), status) from None
