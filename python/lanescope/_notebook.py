"""The cells of a notebook that begin with %%lanescope: CUDA C++ that runs, with its output, its verdict and its picture.

A cell is a file cell.cu, a program with main() or a kernel with a launch in a comment. The picture is the page of
`lanescope export -o OUT.html` in a frame of its own, which can neither read nor change the notebook."""
import html
import os
import pathlib
import re
import shlex
import sys
import tempfile

from ._program import LanescopeError, call, options, sentence

HEIGHT = 640
# In a cell, the window that plays the run comes first, or the pictures where the page has no window.
ORDER = ("<style>main{display:flex;flex-direction:column}main>*{order:2}main>header,.window{order:0}main>figure{order:1}"
         ".window+*{order:0}</style>")


def split(line):
    """Returns the cell's own options, the words for `run`, and the arguments of the program."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise LanescopeError(f"the options of the cell cannot be read: {str(error).lower()}") from None
    before, arguments = (words[:words.index("--")], words[words.index("--"):]) if "--" in words else (words, [])
    own, rest = {"picture": True, "height": HEIGHT}, []
    while before:
        word = before.pop(0)
        name, _, value = word.partition("=")
        if word == "--no-picture":
            own["picture"] = False
        elif name == "--height":
            value = value or (before.pop(0) if before else "")
            if not value.isdecimal() or not 100 <= int(value) <= 10000:
                raise LanescopeError("--height takes the height of the picture in pixels, from 100 to 10000")
            own["height"] = int(value)
        elif word in ("--json", "-o", "--output", "--trace", "--dump"):
            raise LanescopeError(f"{word} is for the command line; lanescope.run(...) gives Python objects")
        else:
            rest.append(word)
    return own, rest, arguments


def for_export(words):
    """Returns the options among those of `run` that `export` has, too."""
    run, export = options()["run"], options()["export"]
    kept, words = [], list(words)
    while words:
        word = words.pop(0)
        name = word.partition("=")[0]
        value = [words.pop(0)] if run.get(name) and "=" not in word and words else []
        if name in export:
            kept += [word, *value]
    return kept


def frame(page, height):
    """Returns HTML that shows a whole page in a frame, which has its scripts and nothing of the notebook."""
    page = page.replace("</head>", ORDER + "</head>", 1)
    return (f'<div><iframe sandbox="allow-scripts" title="Lanescope" style="width: 100%; height: {height}px; border: 0" '
            f'srcdoc="{html.escape(page)}"></iframe></div>')


def run_cell(line, cell):
    own, words, arguments = split(line)
    from IPython.display import HTML, display
    with tempfile.TemporaryDirectory(prefix="lanescope-") as folder:
        pathlib.Path(folder, "cell.cu").write_text(cell, encoding="utf-8")
        names = {word.partition("=")[0] for word in words}
        program = re.search(r"\bmain\s*\(", cell)
        # Files that the program reads lie where the notebook does. A kernel alone is checked as a program is.
        where = ["--cwd", os.getcwd()] if program and "--cwd" not in names else []
        if not program and "--check" not in names:
            words = ["--check", "memory,race", *words]
        status, output, errors = call(["run", "cell.cu", *where, *words, *arguments], folder)
        sys.stdout.write(output)
        if status not in (0, 1):
            raise LanescopeError(sentence(errors, status), status)
        sys.stdout.write(errors)
        sys.stdout.flush()
        if not own["picture"]:
            return
        page = pathlib.Path(folder, "cell.html")
        status, _, errors = call(["export", "cell.cu", *where, *for_export(words), "-o", str(page), *arguments], folder)
        if not page.exists():
            raise LanescopeError("there is no picture: " + sentence(errors, status), status)
        display(HTML(frame(page.read_text(encoding="utf-8"), own["height"])))


def magic(line, cell=None):
    """Runs the cell, a CUDA program or kernel, and shows its output, its verdict and its picture.

    %%lanescope [--no-picture] [--height PIXELS] [options of `lanescope run`] [-- arguments of the program]"""
    try:
        if not (cell or "").strip():
            raise LanescopeError("a cell needs a CUDA program, or a kernel, below its first line")
        run_cell(line, cell)
    except LanescopeError as error:
        print(f"lanescope: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("lanescope: stopped", file=sys.stderr)


def load(shell):
    shell.register_magic_function(magic, magic_kind="cell", magic_name="lanescope")
