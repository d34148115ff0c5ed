"""The examples of docs/embedding.md are compiled and run as they stand, and print what the document says; the library shows
its interface and nothing else."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
LIBRARY = pathlib.Path(os.environ["LANESCOPE"]).parent / "liblanescope.so"
SANITIZED = "LANESCOPE_SANITIZED" in os.environ


def block(name):
    """Returns the code behind a mark in the document."""
    text = (ROOT / "docs" / "embedding.md").read_text()
    return re.search(rf"<!-- {re.escape(name)} -->\n```\w*\n(.*?)```\n", text, re.S)[1]


class Embedding(unittest.TestCase):
    @unittest.skipIf(SANITIZED, "the examples are linked without a sanitizer")
    def test_the_example_in_c(self):
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder, "example.c"), pathlib.Path(folder, "example")
            source.write_text(block("example.c"))
            done = subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-I", ROOT / "src" / "embed", source, "-L", LIBRARY.parent,
                                   "-llanescope", f"-Wl,-rpath,{LIBRARY.parent}", "-o", program], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = subprocess.run([program], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, block("example.c prints")), done.stderr)

    @unittest.skipIf(SANITIZED, "Python is built without a sanitizer")
    def test_the_example_in_python(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "example.py")
            source.write_text(block("example.py"))
            done = subprocess.run([sys.executable, source, LIBRARY], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, block("example.py prints")), done.stderr)

    def test_the_library_shows_the_functions_of_its_header_alone(self):
        header = (ROOT / "src" / "embed" / "lanescope.h").read_text()
        declared = set(re.findall(r"^LANESCOPE_API [^;(]*?(\w+)\(", header, re.M))
        listed = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
        shown = {line.split()[2] for line in listed.splitlines() if line.split()[1] in "TDBRVW"}
        self.assertGreater(len(declared), 20)
        self.assertEqual({name for name in shown if not name.startswith(("_", "__"))}, declared)

    def test_the_library_has_a_name_of_its_version(self):
        says = subprocess.run(["readelf", "-d", LIBRARY], capture_output=True, text=True, check=True).stdout
        self.assertIn("[liblanescope.so.0]", says)


if __name__ == "__main__":
    unittest.main()
