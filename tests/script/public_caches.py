"""docs/validation.md has the table that tests/public/caches.py prints of its stored counts."""
import pathlib
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent


class PublicCaches(unittest.TestCase):
    def test_the_document_has_the_table(self):
        shown = subprocess.run([sys.executable, TESTS / "public/caches.py", "show", TESTS / "public/caches.txt"],
                               capture_output=True, text=True, check=True).stdout
        document = (TESTS.parent / "docs/validation.md").read_text().replace("**", "")
        self.assertIn(shown[:shown.index("\n\n")], document)


if __name__ == "__main__":
    unittest.main()
