"""The page for browsers refers to nothing that a browser has not. Nothing is built by emscripten here: the objects are
those of this machine, without the files that CMakeLists.txt leaves out of the page (not_in_browser).

tests/page/symbols.txt lists what the page may take from libraries. A file of src/ that refers to another name, such as
fork, fails here with the name of both. So does a function of a left-out file without a version in a web/ folder, and a
function that the scripts of the page and the program do not name alike."""
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LISTS = pathlib.Path(os.environ["PAGE"])
WEB = ROOT / "src" / "platform" / "web"


def objects(name):
    return [line for line in (LISTS / name).read_text().splitlines() if line]


def source(path):
    """The file of src/ that was compiled to the object."""
    return "src/" + re.sub(r"\.o$", "", path.rpartition("/src/")[2])


def symbols(paths):
    """Of each object, the names that it defines and those that it takes from elsewhere."""
    table = {path: (set(), set()) for path in paths}
    if not paths:
        return table
    text = subprocess.run(["nm", "-A", "-g", *paths], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        path, _, rest = line.rpartition(":")
        kind, name = rest.split()[-2:]
        if kind not in "wv":  # weak: it may be missing
            table[path][kind == "U"].add(name)
    return table


def reached(table):
    """The objects that a linker takes from the rooms' libraries for page.c."""
    owner = {name: path for path, (defined, _) in table.items() for name in defined}
    wanted = [path for path in table if source(path) == "src/page.c"]
    found = set()
    while wanted:
        path = wanted.pop()
        if path not in found:
            found.add(path)
            wanted += [owner[name] for name in table[path][1] if name in owner]
    return found


def missing(table, allowed):
    """(source, name) for each name that no object defines and the list does not have."""
    defined = set().union(*(names for names, _ in table.values()))
    plain = set(allowed)
    patterns = [name for name in allowed if "*" in name]
    return sorted((source(path), name) for path in reached(table) for name in table[path][1]
                  if name not in defined and name not in plain and f"{name} in {source(path)}" not in plain and
                  not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns))


class Symbols(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = symbols(objects("page_objects.txt"))
        cls.without = symbols(objects("page_without.txt"))
        text = re.sub("#.*", "", (ROOT / "tests/page/symbols.txt").read_text())
        lines = [line.strip() for line in text.splitlines()]
        words = {word for line in lines for word in ([line] if " in " in line else line.split())}
        cls.imports = set(re.findall(r"^\s*(page_\w+)\s*:", (WEB / "library.js").read_text(), re.M))
        cls.allowed = words | cls.imports

    def test_the_page_is_there(self):
        sources = {source(path) for path in reached(self.table)}
        for one in ("src/page.c", "src/emulator/run/run.c", "src/compile/web/none.c", "src/app/app.c"):
            self.assertIn(one, sources)
        self.assertFalse(sources & {"src/compile/process.c", "src/run/timing.c", "src/platform/window.c"})

    def test_it_takes_nothing_that_a_browser_has_not(self):
        left_out = {name: source(path) for path, (defined, _) in self.without.items() for name in defined}
        wrong = [f"{where} refers to {name}, " +
                 (f"which {left_out[name]} defines: the page is built without that file, and no web/ folder has it"
                  if name in left_out else
                  "which the page has not used before: if a browser has it, add it to tests/page/symbols.txt")
                 for where, name in missing(self.table, self.allowed)]
        self.assertEqual(wrong, [])

    def test_a_call_of_the_system_is_named(self):
        """The check itself: a file of the page that called fork would fail it."""
        for name in ("fork", "execve", "posix_spawn", "socket", "dlopen", "pthread_create", "cuda_of_no_room"):
            table = {path: (defined, set(taken)) for path, (defined, taken) in self.table.items()}
            path = next(path for path in table if source(path) == "src/run/execute.c")
            table[path][1].add(name)
            self.assertEqual(missing(table, self.allowed), [("src/run/execute.c", name)])

    def test_scripts_and_program_name_the_same_functions(self):
        declared = set(re.findall(r"\b(page_\w+)\(", (WEB / "web.h").read_text()))
        self.assertEqual(declared, self.imports)
        scripts = "".join(path.read_text() for path in WEB.glob("*.js"))
        called = set(re.findall(r"_(web_\w+)\(", scripts)) | set(re.findall(r"ccall\(\"(\w+)\"", scripts))
        page = next(path for path in self.table if source(path) == "src/page.c")
        exported = {name for name in self.table[page][0] if name.startswith("web_")}
        self.assertEqual(called, exported)
        wishes = set(re.findall(r"Module\.page\.(\w+)\(", (WEB / "library.js").read_text()))
        for name in wishes:
            self.assertRegex(scripts, rf"\n    {name}(\(|:)", f"no script of the page has {name}")


if __name__ == "__main__":
    if not (LISTS / "page_objects.txt").exists():
        print("skipped: there is no list of the page's objects")
        sys.exit(77)
    unittest.main()
