"""The minutes that a lesson states follow the rule of docs/curriculum.md, from its steps and its words alone."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LESSONS = sorted(path.parent for path in (ROOT / "lessons").glob("*/lesson.yaml"))
CURRICULUM = (ROOT / "docs/curriculum.md").read_text()
ASKS = {"ask", "observe", "mark", "bug"}


def kinds(folder):
    """The kind of each step."""
    beats = (folder / "lesson.yaml").read_text().partition("\nbeats:\n")[2]
    found = [re.search(r"^    kind: (\w+)", beat, re.M) for beat in re.split(r"^  - id: ", beats, flags=re.M)[1:]]
    return [kind[1] if kind else "tell" for kind in found]


def words(folder):
    """The English words below the headings but for the replies to wrong answers. An expression is one word."""
    parts = re.split(r"^(#+ .*)$", (folder / "en.md").read_text(), flags=re.M)
    texts = [text for heading, text in zip(parts[1::2], parts[2::2]) if not heading.startswith("### wrong")]
    return sum(len(re.sub(r"\{[^}]*\}", "x", text).split()) for text in texts)


def planned(folder):
    steps = kinds(folder)
    asked, tasks = sum(kind in ASKS for kind in steps), steps.count("task")
    return {"alone": round(words(folder) / 150 + 0.75 * asked + 2 * tasks), "class": len(steps) + asked + tasks}


def stated(folder):
    found = re.search(r"^minutes: \{alone: (\d+), class: (\d+)\}$", (folder / "lesson.yaml").read_text(), re.M)
    return {"alone": int(found[1]), "class": int(found[2])}


class Minutes(unittest.TestCase):
    def test_each_lesson_states_the_minutes_of_the_rule(self):
        self.assertGreater(len(LESSONS), 10)
        for folder in LESSONS:
            self.assertEqual(stated(folder), planned(folder), folder.name)

    def test_the_curriculum_has_the_same_minutes(self):
        rows = re.findall(r"^\| `([\w-]+)` \| (\d+) \| (\d+) \|", CURRICULUM, re.M)
        self.assertEqual({name: {"alone": int(alone), "class": int(class_)} for name, alone, class_ in rows},
                         {folder.name: stated(folder) for folder in LESSONS})

    def test_the_sums_of_the_curriculum_are_those_of_its_table(self):
        for part, said in (("alone", r"(\d+) minutes alone"), ("class", r"(\d+) in class")):
            total = sum(stated(folder)[part] for folder in LESSONS)
            self.assertEqual(int(re.search(r"All \w+ together: .*?" + said, CURRICULUM)[1]), total, part)


if __name__ == "__main__":
    unittest.main()
