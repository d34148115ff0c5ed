"""Whole sessions in a real window under Xvfb, by mouse and keys. They read what the program says that it shows
(LANESCOPE_SHOWS, see docs/architecture.md), never pixels, and wait for frames, never for a time."""
import json
import pathlib
import shutil
import unittest
from window import TOOLS, Desktop, wait_for


def middle(box):
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def holds(box, point):
    return box[0] <= point[0] < box[0] + box[2] and box[1] <= point[1] < box[1] + box[3]


class Session(Desktop):
    """A window, what it shows, and the hands of a user."""

    def setUp(self):
        super().setUp()
        self.manage()
        self.path = pathlib.Path(self.folder, "shows.json")
        self.environment["LANESCOPE_SHOWS"] = str(self.path)

    def open(self, *words):
        self.path.unlink(missing_ok=True)
        self.did = "the start"
        self.launch(*words)
        wait_for(lambda: self.tool("windowfocus", self.window) or self.tool("getwindowfocus", "-f") == [self.window])
        self.until(lambda shown: True)

    def until(self, what):
        """Waits for a frame at rest that fits, and returns it."""
        def fits():
            self.assertIsNone(self.program.poll(), "the program ended")
            shown = json.loads(self.path.read_text()) if self.path.exists() else None
            return shown if shown and shown["still"] and what(shown) else None

        try:
            self.shown = wait_for(fits)
        except TimeoutError:
            self.shown = json.loads(self.path.read_text())
            self.fail(f"after {self.did} it still shows {self.shown['state']}: {self.words()}")
        return self.shown

    @staticmethod
    def words_of(shown):
        """All that the frame says, in the order of drawing: a text may be drawn in pieces."""
        return " ".join(" ".join(text["text"] for text in shown["texts"]).split())

    def words(self):
        return self.words_of(self.shown)

    def find(self, beginning):
        """The control that has a tip, or shows a text, with this beginning."""
        for place in self.shown["tips"] + self.shown["texts"]:
            if place["text"].startswith(beginning):
                at = middle(place["box"])
                boxes = [box for box in self.shown["controls"] if holds(box, at)]
                if boxes:
                    return min(boxes, key=lambda box: box[2] * box[3])
        return None

    def point(self, x, y):
        self.tool("mousemove", "--window", self.window, str(round(x)), str(round(y)))

    def click(self, beginning, what):
        """Clicks the control, and waits for a frame that fits."""
        box = self.find(beginning)
        self.assertIsNotNone(box, f"no control says {beginning!r}: {self.words()}")
        self.did = f"a click on {beginning!r}"
        self.point(*middle(box))
        self.tool("click", "1")
        return self.until(what)

    def press(self, name, what):
        self.did = f"the key {name}"
        self.tool("key", "--window", self.window, name)
        return self.until(what)

    def beside(self, name, shown=None):
        """The control in the row of the knob of this name; None: the frame shows none."""
        shown = shown or self.shown
        names = [middle(text["box"]) for text in shown["texts"] if text["text"] == name]
        boxes = [box for at in names for box in shown["controls"]
                 if box[0] > at[0] and box[1] <= at[1] < box[1] + box[3]]
        return min(boxes, key=lambda box: box[0], default=None)

    def step(self):
        return int(self.shown["state"].split("--beat ")[1].split()[0])


@unittest.skipUnless(TOOLS and shutil.which("openbox"), "Xvfb, xdotool and openbox are not installed")
class Sessions(Session):
    def test_the_mouse_alone_goes_through_a_lesson_and_on_to_the_next(self):
        self.open()
        self.assertEqual(self.shown["screen"], "home")
        self.click("Begin: Start here", lambda shown: shown["screen"] == "document")
        first = self.shown["state"].split()[1]
        while self.find("Next: "):
            after = self.step() + 1
            self.click("Next: ", lambda shown: f"--beat {after} " in shown["state"])
        self.assertGreater(self.step(), 5)
        self.click("Next lesson: ", lambda shown: shown["state"].split()[1] != first)
        self.assertEqual(self.step(), 1)
        self.click("all lessons", lambda shown: shown["screen"] == "home")
        self.assertNotIn("✓ all", self.words())  # no question was answered
        self.assertRegex(self.words(), r"questions? open")
        self.close()

    def test_a_class_run_begins_clean_and_leaves_private_answers_alone(self):
        self.open("banks", "--beat", "3")
        self.press("1", lambda shown: True)
        self.press("Return", lambda shown: "--answered" in shown["state"])
        self.assertIn("You guessed 1; the run says 8", self.words())
        self.close()
        self.open("banks", "--present")
        self.assertEqual(self.step(), 1)
        self.press("Next", lambda shown: "--beat 2 " in shown["state"])
        for step in (2, 3):
            self.press("Next", lambda shown: f"--beat {step} " in shown["state"] and "--answered" in shown["state"])
            self.assertNotIn("You guessed", self.words())
            self.press("Next", lambda shown: f"--beat {step + 1} " in shown["state"])
        self.press("F11", lambda shown: "--present" not in shown["state"])
        self.close()
        self.open("banks")
        while self.step() > 3:
            at = self.step()
            self.press("Prior", lambda shown: f"--beat {at - 1} " in shown["state"])
        self.assertIn("You guessed 1; the run says 8", self.words())
        self.close()

    def test_a_bug_has_the_stage_and_then_its_line_beside_the_fixed_one(self):
        self.open("stencil", "--beat", "9", "--size", "1366x768")
        self.assertNotIn("line 86 is wrong", self.words())
        self.assertIn("out[y * width + x] = in[y * width + x] > least ? 255 : 0;", self.words())  # the whole kernel
        self.click("int across = ceilf(width / blockDim.x);", lambda shown: True)
        self.click("This line", lambda shown: "--answered" in shown["state"])
        self.assertIn("line 86 is wrong", self.words())
        self.assertIn("fixed: line 69", self.words())
        self.close()

    def test_the_name_of_a_variant_does_not_tell_its_bug(self):
        self.open("scan", "--beat", "3", "--answered", "--size", "1920x1080")
        self.assertIn("variant A", self.words())
        self.assertNotIn("one buffer", self.words())
        self.press("Next", lambda shown: "--beat 4 " in shown["state"])
        self.click("Skip", lambda shown: "--answered" in shown["state"])
        self.assertIn("one buffer", self.words())
        self.close()

    def test_a_clicker_does_the_task_before_it_goes_on(self):
        self.open("banks", "--beat", "9", "--present")
        self.assertIn("padding=0", self.shown["state"])
        self.press("Next", lambda shown: "padding=1" in shown["state"])
        self.assertIn("--beat 9 ", self.shown["state"])
        self.press("Next", lambda shown: "--beat 10 " in shown["state"])
        self.close()

    def test_after_a_turned_knob_the_question_can_be_tried_again(self):
        self.open("banks", "--beat", "3")
        self.press("3", lambda shown: True)
        self.press("Return", lambda shown: "--answered" in shown["state"])
        self.assertIn("YOU GUESSED 8", self.words())
        self.assertIsNone(self.find("Try again"))
        self.press("bracketright", lambda shown: "--set stride=9 " in shown["state"])
        self.assertNotIn("YOU GUESSED", self.words())
        self.click("Try again", lambda shown: "--set stride=8 " in shown["state"])
        self.assertNotIn("--answered", self.shown["state"])
        self.close()

    def test_a_clicker_alone_goes_through_a_lesson_and_on_to_the_next(self):
        self.open("warps", "--present")
        presses = 0
        while self.shown["state"].startswith("lanescope warps "):
            before = self.shown["frame"]
            self.press("Next", lambda shown: shown["frame"] > before)
            presses += 1
            self.assertLess(presses, 60, self.shown["state"])
        self.assertIn("--present", self.shown["state"])
        self.close()

    def test_a_wrong_guess_stays_and_gets_its_reason(self):
        self.open("banks", "--beat", "2")
        covered = self.words()
        self.assertIn("the run stays covered", covered)
        self.press("1", lambda shown: True)
        self.press("Return", lambda shown: "--answered" in shown["state"])
        self.assertNotIn("the run stays covered", self.words())
        self.assertIn("You guessed", self.words())
        self.assertIn("How many passes does the warp need?", self.words())
        self.close()

    def test_a_wrong_guess_by_mouse_hears_what_the_run_says(self):
        self.open("pipeline", "--beat", "2")
        self.click("Shorter by more", lambda shown: True)
        self.click("Answer", lambda shown: "--answered" in shown["state"])
        said = self.words()
        self.assertIn("You said: Shorter by more than 30 %. The run says: ", said)
        self.assertIn("How long does the block take", said)
        self.click("Next: Where it waits", lambda shown: "--beat 3 " in shown["state"])
        self.close()

    def test_a_dragged_knob_shows_one_setting_and_stays_in_place(self):
        self.open("banks", "--beat", "9")
        slider = self.beside("stride")
        left, width = slider[0], slider[2]
        self.point(left + width / 2, middle(slider)[1])
        self.tool("mousedown", "1")
        values = set()
        for part in (0.9, 0.55, 0.35, 0.15, 0.75):
            before = self.shown["state"]
            self.did = f"a drag to {part}"
            self.point(left + width * part, middle(slider)[1])
            self.until(lambda shown: shown["state"] != before)
            stride = self.shown["state"].split("stride=")[1].split()[0]
            values.add(stride)
            self.assertIn(f"banks_load<<<1, 32>>>(out, in, {stride}, ", self.words())
            self.assertEqual(self.beside("stride"), slider, "the knob moved under the mouse")
        self.tool("mouseup", "1")
        self.assertEqual(len(values), 5)
        self.close()

    def test_a_dragged_knob_is_not_taken_away_where_the_cards_share_a_slot(self):
        self.open("banks", "--beat", "11", "--size", "1366x768")
        self.click("Knobs", lambda shown: self.beside("stride", shown))
        left, top, width, height = self.beside("stride")
        self.point(left + width / 2, top + height / 2)
        self.tool("mousedown", "1")
        for part in (0.6, 0.7, 0.3, 0.75):  # at these settings the words leave room for other cards beside them
            before = self.shown["state"]
            self.did = f"a drag to {part}"
            self.point(left + width * part, top + height / 2)
            self.until(lambda shown: shown["state"] != before)
            self.assertEqual(self.beside("stride"), [left, top, width, height])
        self.tool("mouseup", "1")
        self.assertEqual(self.beside("stride"), [left, top, width, height])
        self.close()

    def test_cells_are_marked_by_mouse_and_counted(self):
        self.open("banks", "--beat", "7")
        for count in (1, 2, 3, 4):
            self.click("bank 4: words stacked", lambda shown: any(
                tip["text"] == f"bank 4: words stacked: {count}" for tip in shown["tips"]))
        self.click("bank 5: words stacked", lambda shown: any(
            tip["text"] == "bank 5: words stacked: 1" for tip in shown["tips"]))
        self.click("Check", lambda shown: "--answered" in shown["state"])
        self.assertIn("4 right, 28 missing, 1 too many.", self.words())
        self.close()

    def test_a_task_is_done_by_its_knob_and_compared_with_the_run_before(self):
        self.open("banks", "--beat", "9")
        self.assertIn("Not there yet", self.words())
        self.press("shift+bracketright", lambda shown: True)
        self.press("shift+bracketright", lambda shown: True)
        self.press("bracketright", lambda shown: "padding=1" in shown["state"])
        self.assertNotIn("Not there yet", self.words())
        self.press("Tab", lambda shown: "padding=0" in shown["state"])
        self.assertIn("31 passes lost to conflicts", self.words())
        self.press("Tab", lambda shown: "padding=1" in shown["state"])
        self.assertNotIn("31 passes lost to conflicts", self.words())
        self.close()

    def test_a_lesson_goes_on_where_it_was_left(self):
        self.open("banks")
        for number in (2, 3):
            self.press("Next", lambda shown: f"--beat {number} " in shown["state"])
        self.close()
        self.open()
        self.assertIn("step 3 of ", self.words())
        self.click("Go on: ", lambda shown: shown["screen"] == "document")
        self.assertEqual(self.step(), 3)
        self.close()

    def test_a_launch_is_changed_by_mouse_and_digits_and_kept(self):
        kernel = pathlib.Path(self.folder, "own.cu")
        kernel.write_text("__global__ void add(const float *in, float *out, int n)\n{\n"
                          "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                          "    if (i < n)\n        out[i] = in[i] + 1;\n}\n")
        self.open(str(kernel))
        self.until(lambda shown: "<<<4, 256>>>(in, out, 992)" in self.text(shown))
        self.click("threads in a block", lambda shown: True)
        left, top = self.find("threads in a block")[:2]
        arrow = next(box for box in self.shown["controls"]
                     if abs(box[0] + box[2] - left) < 2 and abs(box[1] - top) < 2)  # at the field's left
        self.point(*middle(arrow))
        self.tool("click", "1")
        self.until(lambda shown: "<<<8, 128>>>(in, out, 992)" in self.text(shown))
        self.click("the argument", lambda shown: True)
        for digit in "50":
            self.press(digit, lambda shown: True)
        self.press("Return", lambda shown: "<<<8, 128>>>(in, out, 50)" in self.text(shown))
        self.close()
        self.open(str(kernel))
        self.until(lambda shown: "<<<8, 128>>>(in, out, 50)" in self.text(shown))
        kernel.write_text(kernel.read_text().replace("+ 1", "+ 2"))
        self.until(lambda shown: "+ 2" in self.text(shown))
        self.click("The file's values", lambda shown: "<<<4, 256>>>(in, out, 992)" in self.text(shown))

    def text(self, shown):
        return " ".join(text["text"] for text in shown["texts"])

    def test_a_lesson_is_exported_by_mouse_as_a_handout(self):
        self.open("start", "--beat", "2")
        self.click("all keys", lambda shown: shown["screen"] == "keys")
        while not self.find("Shift + G"):
            before = self.words()
            self.click("More", lambda shown: self.words_of(shown) != before)
        key = next(text["box"] for text in self.shown["texts"] if text["text"] == "Shift + G")
        self.did = "a click on the key Shift + G"
        self.point(*middle(key))
        self.tool("click", "1")
        self.until(lambda shown: any(".pdf" in text["text"] for text in shown["texts"]))
        self.assertEqual(self.step(), 2)
        handout = next(pathlib.Path(self.folder).rglob("*.pdf")).read_bytes()
        self.assertTrue(handout.startswith(b"%PDF-") and b"%%EOF" in handout[-32:])
        self.assertGreater(len(handout), 50000)
        self.close()

    def test_presenting_begins_and_ends_and_a_picture_is_saved(self):
        self.open("banks")
        self.press("F11", lambda shown: "--present" in shown["state"])
        self.press("Escape", lambda shown: "--present" not in shown["state"])
        self.press("s", lambda shown: any(".png" in text["text"] for text in shown["texts"]))
        self.assertTrue(self.screenshots())
        self.press("shift+s", lambda shown: any(".svg" in text["text"] for text in shown["texts"]))
        vector = next(pathlib.Path(self.folder).rglob("*.svg")).read_text()
        self.assertIn("32 banks", vector)
        self.close()


if __name__ == "__main__":
    unittest.main()
