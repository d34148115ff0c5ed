"""The program: where it lies, and how it is called."""
import os
import pathlib
import re
import shutil
import signal
import subprocess


class LanescopeError(Exception):
    """One sentence of what is wrong: the source, an option, or what this computer lacks. `status` is the program's: 2
    for wrong input, 3 for what is missing."""

    def __init__(self, sentence, status=2):
        super().__init__(sentence)
        self.status = status


def path():
    """Returns the program: that of $LANESCOPE, that of the wheel, or the one in the PATH."""
    inside = pathlib.Path(__file__).parent / "program" / "bin" / "lanescope"
    for place in (os.environ.get("LANESCOPE"), str(inside) if inside.exists() else None, shutil.which("lanescope")):
        if place:
            return place
    raise LanescopeError("the program lanescope is not there: install the wheel, or set $LANESCOPE to its path", 3)


def call(words, folder=None):
    """Runs the program to its end, and returns its status, output and errors. Ctrl+C stops it, as on a terminal."""
    try:
        child = subprocess.Popen([path(), *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
    except OSError as error:
        raise LanescopeError(f"the program {path()} cannot be started: {error.strerror}", 3) from None
    try:
        output, errors = child.communicate()
    except KeyboardInterrupt:
        child.send_signal(signal.SIGINT)
        child.communicate()
        raise
    return child.returncode, output.decode("utf-8", "replace"), errors.decode("utf-8", "replace")


def sentence(errors, status):
    """Returns the first line of what the program wrote as an error."""
    lines = [line for line in errors.splitlines() if line.strip()]
    words = lines[0].removeprefix("lanescope: ") if lines else f"the program ended with status {status} and no word"
    return words


def options():
    """Returns the options of `run` and of `export`, each with whether a value follows."""
    if not options.known:
        for command in ("run", "export"):
            _, text, _ = call([command, "--help", "--lang", "en"])
            found = {}
            for line in text.splitlines():
                named = re.match(r"\s+(?:(-\w), )?(--[a-z-]+)(?: (\S+))?(?:\s{2,}|$)", line)
                if named:
                    found.update({name: bool(named[3]) for name in named.group(1, 2) if name})
            options.known[command] = found
    return options.known


options.known = {}
