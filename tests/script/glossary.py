"""The Korean texts follow assets/glossary/terms.md: no form that the glossary rules out, and the Korean term wherever
the English text of the same section or entry contains a term with the rule `strict`."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GLOSSARY = ROOT / "assets" / "glossary" / "terms.md"
CATALOGUE = ROOT / "assets" / "locale" / "ko.po"
HEADER = ["term", "Korean", "rule", "never", "English", "explained in Korean"]


def read_glossary(text):
    """Returns the rows of the table as dictionaries by the names of HEADER."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    assert cells[0] == HEADER and all(set(cell) == {"-"} for cell in cells[1]), "the head of the table"
    for row in cells[2:]:
        assert len(row) == len(HEADER), row
    return [dict(zip(HEADER, row)) for row in cells[2:]]


def prose(text):
    """Returns the text without code, {expressions}, options, command lines and printf's conversions: these are no
    words."""
    text = re.sub(r"`[^`\n]*`", " ", text)
    text = re.sub(r"--\w+(?: [\w,]+)?|lanescope \w[\w ]*", " ", text)
    text = re.sub(r"\{[^{}]*\}", " ", text)
    return re.sub(r"%[0-9$.*]*(?:<[^>]*>|[a-z])?", " ", text).replace("**", "").replace("*", "")


def says(english, term):
    """Returns whether the English text contains the term as a word, in the singular or the plural."""
    ending = "(?:s|es|d)?" if not term.endswith("s") else "(?:es)?"
    return re.search(rf"(?<![\w/.-]){re.escape(term)}{ending}(?![\w/-])", english, re.I) is not None


def without(korean, term):
    return korean.replace(term, " ")


def problems(terms, english, korean):
    """Returns what is wrong with a Korean text. Each problem is one sentence."""
    english, korean = prose(english), prose(korean)
    found = []
    longer = {t["term"]: [o["term"] for o in terms if o is not t and t["term"] in o["term"].split()] for t in terms}
    for term in terms:
        for form in filter(None, re.split(r",\s*", term["never"])):
            if form in without(korean, term["Korean"]):
                found.append(f"\"{form}\" is written for {term['term']}: use {term['Korean']}")
        if term["rule"] != "strict":
            continue
        rest = english
        for other in longer[term["term"]]:  # "bank conflict" is no "bank"
            rest = re.sub(rf"{re.escape(other)}s?", " ", rest, flags=re.I)
        kept = says(korean, term["term"])  # such as the words that an option takes
        if says(rest, term["term"]) and term["Korean"] not in korean and not kept:
            found.append(f"the English text says \"{term['term']}\", the Korean text does not say {term['Korean']}")
    return found


def sections(text):
    """Returns the texts of a lesson by their headings: "eight/after"."""
    parts, beat, name = {}, "", ""
    for line in text.splitlines():
        if line.startswith("# "):
            beat, name = "", "title"
            line = line[2:]
        elif line.startswith("## "):
            beat = name = line[3:].split(":")[0].strip()
            continue
        elif line.startswith("### "):
            name = f"{beat}/{line[4:].strip()}"
            continue
        parts[name] = parts.get(name, "") + line + "\n"
    return parts


def catalogue(text):
    """Returns pairs of English and Korean, without the header."""
    string = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
    join = lambda quoted: "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', quoted)).replace("\\n", " ").replace('\\"', '"')
    pairs = [(join(a), join(b)) for a, b in re.findall(rf"^msgid {string}msgstr {string}", text, flags=re.M)]
    return [pair for pair in pairs if pair[0] and pair[1]]


class Glossary(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.terms = read_glossary(GLOSSARY.read_text(encoding="utf-8"))

    def test_the_table_has_its_strict_form(self):
        names = [term["term"] for term in self.terms]
        self.assertEqual(names, sorted(names))
        for column in ("term", "Korean"):
            values = [term[column] for term in self.terms]
            self.assertEqual(len(values), len(set(values)), column)
        for term in self.terms:
            self.assertIn(term["rule"], ("strict", "open"), term)
            self.assertRegex(term["English"], r"^[A-Z0-9].*\.$", term)
            self.assertRegex(term["explained in Korean"], r"다\.$", term)
            for form in filter(None, re.split(r",\s*", term["never"])):
                self.assertNotIn(form, term["Korean"])

    def test_the_glossary_follows_itself(self):
        for term in self.terms:
            for other in self.terms:
                for form in filter(None, re.split(r",\s*", other["never"])):
                    self.assertNotIn(form, term["explained in Korean"], term)

    def test_every_lesson_follows_the_glossary(self):
        found = []
        folders = sorted(path.parent for path in (ROOT / "lessons").glob("*/ko.md"))
        self.assertGreaterEqual(len(folders), 8)
        for folder in folders:
            for notes in ("", "notes."):
                path = folder / f"{notes}ko.md"
                if notes and not path.exists():
                    continue
                english = sections((folder / f"{notes}en.md").read_text(encoding="utf-8"))
                korean = sections(path.read_text(encoding="utf-8"))
                for name, text in korean.items():
                    for problem in problems(self.terms, english.get(name, ""), text):
                        found.append(f"lessons/{folder.name}/{notes}ko.md, {name}: {problem}")
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_the_window_follows_the_glossary(self):
        found = []
        pairs = catalogue(CATALOGUE.read_text(encoding="utf-8"))
        self.assertGreater(len(pairs), 300)
        for english, korean in pairs:
            for problem in problems(self.terms, english, korean):
                found.append(f"ko.po, \"{english[:90]}\": {problem}")
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_another_word_for_a_term_is_found(self):
        self.assertEqual(len(problems(self.terms, "A barrier waits.", "장벽이 기다립니다.")), 2)
        self.assertEqual(len(problems(self.terms, "A bank conflict.", "뱅크 경합입니다.")), 2)
        self.assertEqual(problems(self.terms, "A bank conflict.", "뱅크 충돌입니다."), [])

    def test_code_and_numbers_are_no_words(self):
        self.assertEqual(problems(self.terms, "`tile[i]` has {warps|warp|warps} %u.", "`tile[i]`입니다."), [])


if __name__ == "__main__":
    unittest.main()
