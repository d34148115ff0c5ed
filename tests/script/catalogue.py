"""Every sentence for people has a Korean translation: the texts marked with _() and N_(), and the formats of errors.

With --missing it prints the entries that assets/locale/ko.po lacks, ready to be filled in. Errors for authors of lessons
and for recording on a GPU stay English; ENGLISH lists their files."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CATALOGUE = ROOT / "assets" / "locale" / "ko.po"
ENGLISH = """
lesson/schema
base/schema
lesson/words
lesson/plan
lesson/expression
lesson/recording
lesson/text
author/check
author/files
author/texts
author/beats
author/tasks
author/reach
recording/counters
recording/counting
recording/profiler
run/reference
cuda/facts
cuda/record/decode
cuda/process/job
cuda/process/link
cuda/process/child
cuda/probe/probe
cli/bench_ui
cli/bench_window
cli/command_bench
cli/command_record
cli/record_counters
platform/gif
""".split()
STRING = r'"(?:[^"\\]|\\.)*"'
LITERAL = rf"(?:(?:{STRING}|PRI[a-zA-Z0-9]+)\s*)+"
MARKS = [  # where the sentence stands
    rf"\bN?_\(\s*({LITERAL})\)",
    rf"\b(?:cli_usage|complain|differ)\(\s*(?:difference,\s*)?({LITERAL})",
    rf"\berror_set\([^,\"]*,\s*[A-Z_]+,\s*({LITERAL})",
    rf"\berror_at\([^\";]*?,[^,\";]*,[^,\";]*,\s*({LITERAL})",
    rf"\berror_remedy\([^,\"]*,\s*({LITERAL})",
]
ERRORS = MARKS[2:]
CONVERSION = r"%(?:\d+\$)?[-+ 0#]*[\d*]*(?:\.[\d*]+)?(?:<PRI\w+>|[hlz]*[a-z])"
GUESSED = CONVERSION + r"['\"`*]*(?:은|는|이|가|을|를|으로|로|과|와)(?:[\s.,:;]|$)"  # follows the value's sound: {이/가}
NOUNS = "access argument arrival block branch buffer byte conflict cycle element error event group kernel lane launch line " \
        "pass path register run sector setting step target thread time value warning warp word".split()
COUNTED = r"%(?:[hlz]*[du]|<PRI[du]\d+>) (?:other |more |of them )?(?:" + "|".join(NOUNS) + r")(?:s|es)\b"
NEVER_ONE = [  # how a sentence begins whose count cannot be 1, and why
    "%s Among them: %s of %u bytes", "%s; %<PRIu64> of %u bytes a lane",  # accesses that do the work of several
    "  model clock (",  # a block takes more than one cycle
    "  measured on %s", "  recorded on %s",  # the times of many runs
    "%.0f %% of %llu blocks",  # a part of them
    "kernel %s was compiled for blocks", "; only blocks of %u x", "  cannot run: %.*s, %zu times", "A block of %u x", "A launch of %u x", "A grid of %u x", "%s was compiled for at most",
    "the grids differ:", "the blocks differ:",  # products of several numbers
    "this GPU cannot give a block", "%s takes %zu bytes of parameters", "There is not enough memory for %s of",
    "Variable %s (%zu B)", "A block %u threads deep", "%s declares %llu bytes", "%s needs %llu bytes",
    "%s needs %u bytes", "buffer %s of %llu elements", "the trace takes %zu bytes",
    "no memory for a bundle of %zu bytes", "The mbarrier at offset %llu of shared memory is to wait for %lld bytes",
    "Calls are %u deep", "Barrier %llu",  # above a limit
    "the cell \\\"%s\\\" of the glossary is longer", "An extern __shared__ array is as large",  # the limit; an array
    "Divergent thread(s) in warp", "Barrier that some of the", "Of %d lanes", "bank %d, pass %d: one word",
    "bank %d is used in", "%u of %s slots used; %u lanes",  # a part, or several, of them
    "Lane %u runs an instruction",  # "runs" is a verb here
    "Warp %u, lane %u reads %u bytes", "Warp %u, lane %u writes %u bytes",  # a single byte is always aligned
    "%llu bytes", "%u other blocks have begun", "holds %u kernels", "%u passes", "%s, %d lanes",
    # another sentence says it of 1
    "%u of %u warps, blocks: %u",  # what the multiprocessor holds
    "block %<PRIu64>, warp %<PRIu32>, event %zu: %s: lane %u accesses",  # "accesses" is a verb here
]
AGREEING = r"\{(?:[가-힣]+/[가-힣]+|[A-Za-z -]*\|[A-Za-z -]+)\}"


def whole(literal):
    """Joins C string pieces as gettext does: PRIu64 becomes <PRIu64>."""
    text = re.sub(r"\s*(PRI[a-zA-Z0-9]+)\s*", r'"<\1>"', literal)
    return "".join(piece[1:-1] for piece in re.findall(STRING, text))


def sentences(any_letter=False):
    found = {}
    files = [path for ending in ("*.c", "*.def") for path in (ROOT / "src").rglob(ending)]
    for path in sorted(files):
        name = str(path.relative_to(ROOT / "src").with_suffix(""))
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        for mark in MARKS:
            if mark in ERRORS and name in ENGLISH:
                continue
            for match in re.finditer(mark, text):
                sentence = whole(match[1])
                if any_letter or re.search(r"[A-Za-z]{2}", re.sub(r"%[-+ 0#.*\d]*(<PRI\w+>|[a-z]+)|\\n", "", sentence)):
                    found.setdefault(sentence, name)
    return found


def entries():
    """Returns msgid to msgstr, as written in the file."""
    found = {}
    entry = rf"^msgid ((?:{STRING}\n?)+)^msgstr ((?:{STRING}\n?)+)"  # entries need no empty line between them
    for match in re.finditer(entry, CATALOGUE.read_text(), re.M):
        found["".join(p[1:-1] for p in re.findall(STRING, match[1]))] = \
            "".join(p[1:-1] for p in re.findall(STRING, match[2]))
    return found


def conversions(text):
    """Returns the conversions such as %u in the order of the arguments: %2$s is the second."""
    found = re.findall(r"%(?:(\d+)\$)?[-+ 0#]*[\d*]*(?:\.[\d*]+)?(<PRI\w+>|[hlz]*[a-z])", text.replace("%%", ""))
    return [kind for _, kind in sorted(((int(at or i + 1), kind) for i, (at, kind) in enumerate(found)))]


class Catalogue(unittest.TestCase):
    def test_every_sentence_has_its_korean(self):
        known = entries()
        missing = [f"{where}: {sentence}" for sentence, where in sentences().items() if not known.get(sentence)]
        self.assertEqual(missing, [], "tests/script/catalogue.py --missing prints them as entries for ko.po")
        self.assertGreater(len(sentences()), 500)

    def test_every_entry_is_used(self):
        said = sentences(any_letter=True)
        units = re.findall(r'(?m)^#\. the unit of .*\n(?:#, c-format\n)?msgid "(.*)"', CATALOGUE.read_text())
        self.assertEqual([s for s in entries() if s and s not in said and s not in units], [])

    def test_a_translation_takes_the_arguments_of_its_sentence(self):
        for sentence, korean in entries().items():
            if sentence and korean:
                self.assertEqual(conversions(korean), conversions(sentence), sentence)

    def test_the_korean_is_in_one_polite_style(self):
        for sentence, korean in entries().items():
            self.assertNotRegex(korean, r"(세요|까요|나요|어요|해요|이에요|예요)\b", sentence)

    def test_no_particle_is_left_open_or_guessed(self):
        for sentence, korean in entries().items():
            self.assertNotRegex(korean, r"[이가을를은는와과로]\([이가을를은는와과으로]+\)|\(으\)로|\(이\)", sentence)
            self.assertNotRegex(korean, GUESSED, sentence)

    def test_words_that_agree_stand_after_a_value_in_text_that_is_formatted(self):
        printed = "".join(path.read_text() for path in (ROOT / "src").rglob("*.c"))
        call = rf"\b(?:[fn]?printf|puts|fputs)\([^;\"]*_\(\s*({LITERAL})"
        printed = {whole(match[1]) for match in re.finditer(call, printed)}
        for sentence, korean in entries().items():
            for text in (sentence, korean):
                if re.search(AGREEING, text):
                    self.assertRegex(text[:re.search(AGREEING, text).start()], r"%|\{\}", sentence)
                    self.assertNotIn(sentence, printed, "agree() does not see what printf prints")

    def test_a_counted_noun_has_its_singular(self):
        counted = [s for s in sentences() if re.search(COUNTED, s)]
        wrong = [s for s in counted if not s.startswith(tuple(NEVER_ONE))]
        self.assertEqual(wrong, [], "write %u {access|accesses}; base/agree.h chooses")
        self.assertEqual([start for start in NEVER_ONE if not any(s.startswith(start) for s in counted)], [])

    def test_the_korean_uses_the_usual_words(self):
        for sentence, korean in entries().items():
            self.assertNotRegex(korean, r"잰 것이 아|측정 아님|앞 단계|바이트 %\S*의 값|[가-힣]태[을은과]\b", sentence)


if __name__ == "__main__":
    if sys.argv[1:] == ["--missing"]:
        for sentence, where in sentences().items():
            if not entries().get(sentence):
                flag = "#, c-format\n" if "%" in sentence else ""
                print(f'#: {where}\n{flag}msgid "{sentence}"\nmsgstr ""\n')
    else:
        unittest.main()
