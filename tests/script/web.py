"""The page of build/web in a headless Chromium and in Firefox: what a user does there, asserted on what the page shows.

It is skipped unless `./run web` has built the page from these sources and one of the two is installed."""
import gzip
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from browser import FIREFOX, PROGRAM, Browser, Firefox, Server, wait_for  # noqa: E402
from use_web import traces_in, use  # noqa: E402

PAGE = pathlib.Path(os.environ.get("LANESCOPE_WEB", ROOT / "build" / "web"))
SOURCES = ["src", "lessons", "kernels", "assets"]


def why_not():
    """Why the page cannot be tested here; None: it can."""
    if not (PAGE / "lanescope.wasm").exists():
        return f"there is no page in {PAGE}: ./run web makes it"
    if not PROGRAM and not FIREFOX:
        return "no browser is installed (Debian: chromium, firefox-esr)"
    made = (PAGE / "lanescope.wasm").stat().st_mtime
    for folder in SOURCES:
        newer = [path for path in (ROOT / folder).rglob("*") if path.is_file() and path.stat().st_mtime > made and
                 path.suffix in (".c", ".h", ".def", ".inc", ".yaml", ".md", ".cu", ".ptx")]
        if newer:
            return f"{newer[0].relative_to(ROOT)} is newer than the page: ./run web makes it anew"
    return None


def box_of(x, y, width, height, pen):
    """The outer edges of a rectangle, as x, y, width, height."""
    return [x - pen / 2, y - pen / 2, width + pen, height + pen]


def line_or_path(points, pen, dashed):
    """A level or upright line counts as the rectangle that it covers: so the page draws it."""
    (ax, ay), (bx, by) = points[0], points[-1]
    if len(points) == 2 and pen > 0 and not dashed and min(abs(ax - bx), abs(ay - by)) < 0.05:
        level = abs(ay - by) < 0.05
        return ["rect", min(ax, bx) - (0 if level else pen / 2), min(ay, by) - (pen / 2 if level else 0),
                abs(ax - bx) if level else pen, pen if level else abs(ay - by)]
    return ["path", *(value for point in points for value in point)]


def shapes_of_svg(text):
    """The shapes of the desktop's picture, in their order."""
    shapes = []
    for line in re.sub("<clipPath.*?</clipPath>", "", text).splitlines():
        value = {name: words for name, words in re.findall(r'([-a-z]+)="([^"]*)"', line)}
        pen = float(value.get("stroke-width", 0))
        if line.startswith("<rect"):
            shapes.append(["rect", *box_of(*(float(value[name]) for name in ("x", "y", "width", "height")), pen)])
        elif line.startswith("<path"):
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", value["d"])]
            shapes.append(line_or_path(list(zip(numbers[::2], numbers[1::2])), pen, "stroke-dasharray" in value))
        elif line.startswith("<text"):
            words = html.unescape(re.sub("<[^>]*>", "", line))
            at = re.search('<text y="([^"]*)" font-size="([^"]*)".*?<tspan x="([^"]*)"', line)
            if words.strip():
                shapes.append(["text", float(at[3]), float(at[1]), float(at[2]), words])
    return shapes


def shapes_of_page(drawn):
    shapes = []
    for kind, _, *values in drawn:
        if kind == "rect":
            pen, x, y, width, height = values
            shapes.append(["rect", *box_of(x, y, width, height, pen)])
        elif kind == "path":
            shapes.append(line_or_path(list(zip(values[2::2], values[3::2])), values[0], values[1] > 0))
        elif values[-1].strip():
            _, size, x, y, words = values
            shapes.append(["text", x, y, size, words])
    return shapes


ENDLESS = """.version 7.0
.target sm_75
.address_size 64
.visible .entry spin(.param .u64 p)
{
.reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<3>;
ld.param.u64 %rd1, [p];
cvta.to.global.u64 %rd2, %rd1;
again: ld.volatile.global.u32 %r1, [%rd2];
setp.ne.s32 %p1, %r1, 77;
@%p1 bra again;
ret;
}
"""
# One third and minus one third, rounded each way, and fused sums; the kernel writes to address 0 if a result is another.
THIRDS = """// lanescope: --grid 1 --block 32 --arg f32[32]=zero
.version 7.0
.target sm_75
.address_size 64
.visible .entry thirds(.param .u64 p)
{
.reg .pred %%q<2>; .reg .b32 %%r<4>; .reg .f32 %%f<2>; .reg .b64 %%d<3>;
ld.param.u64 %%d1, [p]; cvta.to.global.u64 %%d1, %%d1; mov.u64 %%d2, 0;
%s
st.global.f32 [%%d1], %%f1; ret;
}
"""
SAME = " mov.b32 %%r1, %%f1; setp.ne.u32 %%q1, %%r1, 0x%s; @%%q1 st.global.u32 [%%d2], %%r1;"
ONE_THIRD = "div.%s.f32 %%f1, 0f%s, 0f40400000;" + SAME
# A product halfway between two floats, and what moves it by less than double precision can tell.
HALFWAY = "fma.rn.f32 %%f1, 0f78010000, 0f31000040, 0f%s;" + SAME


def thirds(*rows):
    lines = [ONE_THIRD % row for row in rows] + [HALFWAY % row for row in (("A1EE2F5E", "69810040"), ("21EE2F5E", "69810041"))]
    return THIRDS % "\n".join(line.replace("%%", "%") for line in lines)


REASON = why_not()


class Sessions:
    """What a user does, in any browser: MAKE opens one."""

    def setUp(self):
        self.server = Server(PAGE)  # a place of its own: what a browser keeps belongs to it
        self.browser = None

    def tearDown(self):
        if self.browser:
            self.browser.close()
        self.server.close()

    def open(self, place="", width=1280, height=720, **media):
        """Opens the page anew, in a browser that kept nothing, or in the one that is open."""
        if not self.browser:
            self.browser = self.MAKE(width, height)
        if media:
            self.browser.media(**media)
        self.browser.open("about:blank")
        self.browser.open(self.server.address + place)
        wait_for(lambda: self.browser.run("window.lanescope_page !== undefined"))
        self.rest()

    def rest(self):
        """Waits until nothing moves, and the address and the mirror follow."""
        wait_for(lambda: self.browser.run("!lanescope_page.busy()"))
        time.sleep(0.25)

    def shows(self):
        return self.browser.run("lanescope_page.shows()")

    def texts(self):
        return [text["text"] for text in self.shows()["texts"]]

    def words(self):
        return " ".join(self.texts())

    def place(self, words, nth=0):
        """The middle of the text, in points of the page."""
        boxes = [text["box"] for text in self.shows()["texts"] if text["text"] == words]
        self.assertGreater(len(boxes), nth, f"nothing says {words!r}: {self.texts()}")
        x, y, width, height = boxes[nth]
        scale = self.browser.run("lanescope_page.size()[0] / document.getElementById('window').clientWidth")
        return (x + width / 2) / scale, (y + height / 2) / scale

    def lesson(self, words):
        """The text in the list of lessons that begins so, behind its number."""
        return next(text for text in self.texts() if re.fullmatch(r"[0-9]+  " + words, text))

    def click(self, words, nth=0):
        x, y = self.place(words, nth)
        self.browser.mouse("mouseMoved", x, y)
        self.browser.mouse("mousePressed", x, y, 1)
        self.browser.mouse("mouseReleased", x, y)
        self.rest()

    def tap(self, words):
        x, y = self.place(words)
        self.browser.touch("touchStart", (x, y))
        self.browser.touch("touchEnd")
        self.rest()

    def slider(self, name):
        """The control in the row of the knob of this name."""
        shows = self.shows()
        rows = [text["box"] for text in shows["texts"] if text["text"] == name]
        return next(box for box in shows["controls"] for row in rows
                    if box[0] > row[0] and box[1] < row[1] + row[3] / 2 < box[1] + box[3] and box[2] > 100)

    def key(self, code, modifiers=0):
        self.browser.key(code, modifiers)
        self.rest()

    def address(self):
        return self.browser.run("location.hash")

    def state(self):
        return self.shows()["state"]

    def assert_sound(self):
        self.assertEqual(self.browser.errors, [])

    # ---- the course ----

    def test_a_lesson_by_mouse_and_keys(self):
        self.open()
        self.assertEqual(self.shows()["screen"], "home")
        self.click(self.lesson("Bank"))
        self.assertIn("STEP 1", self.words())
        self.key("PageDown")
        self.key("PageDown")
        self.assertIn("How many passes this time?", self.texts())
        self.assertNotIn("×8", self.texts())  # covered
        self.key("Digit3")
        self.key("Enter")
        self.assertIn("×8", self.texts())
        self.assertRegex(self.address(), r"^#banks/3\?")
        before = self.state()
        self.key("ArrowLeft")
        self.assertNotEqual(self.state(), before)
        self.key("ArrowRight")
        self.assertEqual(self.state(), before)
        self.assert_sound()

    def test_playing_moves_and_ends(self):
        self.open("#banks/5?lang=en")
        self.key("Home")
        start = self.state()
        self.browser.key("Space")
        wait_for(lambda: self.state() != start, 30)
        self.assertFalse(self.shows()["still"])
        self.browser.key("Space")
        wait_for(lambda: self.shows()["still"], 30)
        self.assert_sound()

    def test_a_knob_by_drag_and_by_key(self):
        self.open("#banks/12?lang=en")
        self.click("Knobs")
        self.assertIn("padding=1", self.state())
        self.key("BracketLeft")
        self.assertIn("padding=0", self.state())
        self.assertIn("padding=0", self.address())
        self.assertIn("×32", self.texts())  # lanes in the first bank
        x, y, width, height = self.slider("stride")
        self.browser.mouse("mouseMoved", x + width * 0.5, y + height / 2)
        self.browser.mouse("mousePressed", x + width * 0.5, y + height / 2, 1)
        for part in (0.6, 0.7, 0.8):
            self.browser.mouse("mouseMoved", x + width * part, y + height / 2, 1)
        self.rest()
        self.assertGreater(int(re.search(r"stride=(\d+)", self.state())[1]), 32)  # before it is let go
        self.browser.mouse("mouseReleased", x + width * 0.2, y + height / 2)
        self.rest()
        stride = re.search(r"stride=\d+", self.state())[0]
        self.assertNotEqual(stride, "stride=32")
        self.assertIn(stride, self.address())
        self.assert_sound()

    def test_touch(self):
        self.browser = self.MAKE(1180, 820)
        self.browser.size(1180, 820, 2, touch=True)
        self.open("#?lang=en")
        self.tap(self.lesson("The barrier"))
        self.assertIn("STEP 1", self.words())
        self.assert_sound()

    def test_korean_and_dark(self):
        self.open("#banks/4?lang=ko", prefers_color_scheme="dark")
        self.assertIn("뱅크 충돌", self.texts())
        self.assertIn("--theme dark", self.state())
        self.key("KeyL")
        self.assertIn("Bank conflicts", self.texts())
        self.assertIn("lang=en", self.address())
        self.assert_sound()

    def test_progress_is_kept(self):
        self.open("#banks/1?lang=en")
        self.key("PageDown")
        self.key("PageDown")
        self.key("Digit3")
        self.key("Enter")
        time.sleep(1.5)  # it is saved within a second
        self.rest()
        self.open("?again#banks?lang=en")
        self.assertIn("STEP 3", self.words())
        self.assertIn("×8", self.texts())
        self.assert_sound()

    def test_progress_goes_to_another_browser_as_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            self.open("#banks/1?lang=en")
            self.browser.downloads(folder)
            self.key("PageDown")
            time.sleep(1.5)  # it is saved within a second
            self.rest()
            self.key("KeyS", 2)
            path = pathlib.Path(folder) / "progress.json"
            wait_for(path.exists)
            state = wait_for(lambda: path.read_text().strip().endswith("}") and json.loads(path.read_text()))
            self.assertEqual(state["lessons"]["banks"]["at"]["number"], 2)
            self.browser.close()
            self.browser = None
            self.server.close()
            self.server = Server(PAGE)
            self.open("#coalescing/1?lang=en")
            self.drop(path)
            self.assertIn("1 lesson taken over from progress.json", self.words())
            self.click(self.lesson("Bank"))
            self.assertIn("--beat 2", self.state())
            self.assert_sound()

    def test_the_steps_of_a_phone_have_room_beside_the_badge(self):
        for lesson in ("banks", "start", "coalescing"):
            for language in ("en", "ko"):
                self.open(f"#{lesson}/2?lang={language}", 390, 844)
                steps = [tip["box"] for tip in self.shows()["tips"] if re.match("step [0-9]+:|[0-9]+단계", tip["text"])]
                badge = next(text["box"] for text in self.shows()["texts"] if text["text"] in ("EMULATOR", "에뮬레이터"))
                steps = [box for box in steps if box[1] < badge[1]]  # in the bar
                words = [text["box"] for text in self.shows()["texts"] if re.fullmatch("2 / [0-9]+", text["text"])]
                self.assertTrue(steps or words)
                for box in steps:
                    self.assertGreater(box[2], 6)
                for box in steps + words:
                    self.assertLess(box[0] + box[2], badge[0] - 8)
        self.assert_sound()

    def test_without_a_network_after_the_first_visit(self):
        server = Server(PAGE)
        self.browser = self.MAKE()
        self.browser.open(server.address + "#banks/1?lang=en")
        wait_for(lambda: self.browser.run("window.lanescope_page !== undefined"))
        self.browser.run("navigator.serviceWorker.ready.then(() => true)")
        wait_for(lambda: self.browser.run("navigator.serviceWorker.controller !== null"))
        server.close()
        self.browser.open("about:blank")
        self.browser.open(server.address + "#banks/2?lang=en")
        wait_for(lambda: self.browser.run("window.lanescope_page !== undefined"))
        self.rest()
        self.assertIn("--beat 2", self.state())
        self.assert_sound()

    def test_it_asks_no_other_host(self):
        self.server.server.asked.clear()
        self.open("#banks/1?lang=en")
        urls = self.browser.run("performance.getEntriesByType('resource').map(entry => entry.name)")
        self.assertTrue(urls)
        self.assertEqual([url for url in urls if not url.startswith(self.server.address) and url != "data:,"], [])
        self.assertIn("/lanescope.wasm", self.server.server.asked)

    def test_a_frame_of_another_page_has_no_bar(self):
        self.open("?embed#banks/5?lang=en")
        self.assertNotIn("Lanescope", self.texts())
        self.assertIn("STEP 5", self.words())
        before = self.state()
        self.key("ArrowLeft")
        self.assertEqual(self.state(), before)  # the keys are those of the page around
        self.browser.mouse("mousePressed", 300, 20, 1)
        self.browser.mouse("mouseReleased", 300, 20)
        self.key("ArrowLeft")
        self.assertNotEqual(self.state(), before)
        self.assert_sound()

    def test_a_frame_leaves_tab_and_wheel_to_the_page_around(self):
        self.open("?embed#banks/5?lang=en")
        self.browser.run("window.seen = []; for (const kind of ['keydown', 'wheel']) "
                         "window.addEventListener(kind, event => seen.push([kind, event.defaultPrevented]))")
        self.browser.wheel(300, 300, 100)
        wait_for(lambda: self.browser.run("seen.length === 1"))
        self.browser.mouse("mousePressed", 300, 20, 1)
        self.browser.mouse("mouseReleased", 300, 20)
        self.rest()
        self.browser.key("KeyZ")
        self.browser.key("Tab")
        wait_for(lambda: self.browser.run("seen.length === 3"))
        self.assertEqual(self.browser.run("seen"), [["wheel", False], ["keydown", True], ["keydown", False]])
        self.assert_sound()

    def test_a_link_in_a_frame_opens_its_place_and_language(self):
        self.open("?embed#coalescing/4?stride=8&lang=ko")
        self.assertIn("coalescing ", self.state())
        self.assertIn("stride=8", self.state())
        self.assertIn("--lang ko", self.state())
        self.assertEqual(self.browser.run("document.activeElement.tagName"), "BODY")  # it takes no focus by itself
        self.assert_sound()

    def test_cells_are_marked_by_mouse_and_counted(self):
        self.open("#banks/7?lang=en")
        for bank, count in ((4, 1), (4, 2), (4, 3), (4, 4), (5, 1)):
            x, y, width, height = next(tip["box"] for tip in self.shows()["tips"]
                                       if tip["text"].startswith(f"bank {bank}: words stacked"))
            self.browser.mouse("mouseMoved", x + width / 2, y + height / 2)
            self.browser.mouse("mousePressed", x + width / 2, y + height / 2, 1)
            self.browser.mouse("mouseReleased", x + width / 2, y + height / 2)
            self.rest()
            self.assertIn(f"bank {bank}: words stacked: {count}", [tip["text"] for tip in self.shows()["tips"]])
        self.click("Check")
        self.assertIn("4 right, 28 missing, 1 too many.", self.words())
        self.assert_sound()

    def test_a_task_is_done_by_its_knob_and_compared_with_the_run_before(self):
        self.open("#banks/9?lang=en")
        self.assertIn("Not there yet", self.words())
        self.key("BracketRight", 8)
        self.key("BracketRight", 8)
        self.key("BracketRight")
        self.assertIn("padding=1", self.state())
        self.assertNotIn("Not there yet", self.words())
        self.key("Tab")
        self.assertIn("31 passes lost to conflicts", self.words())
        self.key("Tab")
        self.assertNotIn("31 passes lost to conflicts", self.words())
        self.assert_sound()

    def test_a_browser_without_webassembly_gets_a_sentence(self):
        for missing in ("WebAssembly", "OffscreenCanvas"):
            said = f"Lanescope needs {missing}, which this browser does not have"
            self.browser = self.MAKE()
            self.browser.without(missing)
            self.browser.open(self.server.address + "#banks/3?lang=en")
            wait_for(lambda: said in (self.browser.run("document.getElementById('said')?.textContent") or ""))
            self.assert_sound()
            self.browser.close()
            self.browser = None

    def test_a_lesson_fetches_its_own_recordings_alone(self):
        """And the program with one lesson has at most 2 MB compressed."""
        self.browser = self.MAKE()
        self.browser.without("serviceWorker")  # which would fetch everything for later
        self.server.server.asked.clear()
        self.open("#banks/3?lang=en")
        self.key("PageDown")
        asked = {path.partition("?")[0].lstrip("/") or "index.html" for path in self.server.server.asked}
        recordings = {path for path in asked if path.startswith("recordings/")}
        self.assertTrue(recordings)
        self.assertEqual({path.rpartition("/")[2].partition(".")[0] for path in recordings}, {"banks"})
        size = sum(len(gzip.compress((PAGE / path).read_bytes(), 6)) for path in asked)
        self.assertLess(size, 2e6)
        self.assert_sound()

    def test_the_mirror_says_what_is_shown(self):
        def lines():
            texts = self.texts()
            mirror = self.browser.run("Array.from(document.getElementById('mirror').children, line => line.textContent)")
            self.assertTrue(" ".join(mirror).startswith(" ".join(texts)))
            return mirror

        self.open("#?lang=en")
        self.assertTrue(any(re.fullmatch("[0-9]+  Bank conflicts [0-9]+ steps · [0-9]+ min", line) for line in lines()))
        self.browser.run("Array.from(document.querySelectorAll('#mirror button'))"
                         ".find(button => button.textContent.includes('  Bank conflicts')).click()")
        wait_for(lambda: "--beat 1" in self.state())
        self.rest()
        self.assertIn("Bank conflicts", lines())
        self.assertEqual(self.browser.run("Array.from(document.querySelectorAll('#mirror button'))"
                                          ".find(button => button.textContent === 'Glossary').title"),
                         "all terms of the course (I)")
        before = lines()
        self.browser.run("for (const line of document.getElementById('mirror').children) line.stood = true;")
        self.key("PageDown")
        stays = set(before) & set(lines())
        kept = self.browser.run("Array.from(document.getElementById('mirror').children).filter(line => line.stood).map(line => line.textContent)")
        self.assertTrue(kept)  # those are not read out again
        self.assertLessEqual(set(kept), stays)
        self.assert_sound()

    def test_long_use_takes_no_more_memory(self):
        """A short form; `python3 tests/use_web.py` makes as many events as an hour has."""
        self.open("#?lang=en")
        with tempfile.TemporaryDirectory() as folder:
            most = use(self.browser, 80, traces_in(folder, os.environ["LANESCOPE"]))
        self.assertLess(most, 300e6)
        self.assert_sound()

    def test_reduced_motion(self):
        def frames():
            """How many frames an access takes."""
            self.key("Home")
            self.browser.run("lanescope_page.times.frames.length = 0")
            for _ in range(3):
                self.key("ArrowRight")
            return self.browser.run("lanescope_page.times.frames.length")

        self.open("#banks/5?lang=en", prefers_reduced_motion="reduce")
        still = frames()
        self.key("KeyM")
        self.assertGreater(frames(), 2 * still)

    # ---- files ----

    def drop(self, *files):
        self.browser.drop(files)
        time.sleep(0.3)
        self.rest()

    def test_files_are_dropped(self):
        self.open("#?lang=en")
        with tempfile.TemporaryDirectory() as folder:
            def write(name, text):
                path = pathlib.Path(folder) / name
                path.write_text(text)
                return path

            trace = pathlib.Path(folder) / "race.trace"
            subprocess.run([os.environ["LANESCOPE"], "run", ROOT / "assets/samples/race.cu", "--trace", trace],
                           stdout=subprocess.DEVNULL, check=False)
            self.drop(trace)
            self.assertIn("race.trace", self.texts())
            self.assertIn("tile[i] = in[i];", self.words())
            self.drop(write("shift.ptx", next((ROOT / "assets/ptx").glob("race.*.ptx")).read_text()))
            self.assertIn("shift.ptx", self.texts())
            self.assertIn("EMULATOR", self.texts())
            self.drop(write("mine.cu", "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n"))
            self.assertIn("mine.cu: cannot be compiled in a browser", self.words())
            made = next((ROOT / "assets/ptx").glob("race.*.ptx")).read_text().replace("race.cu", "/home/me/mine.cu")
            self.drop(write("mine.cu", (ROOT / "assets/samples/race.cu").read_text() + "// mine\n"), write("mine.ptx", made))
            self.assertIn("mine.cu", self.texts())
            self.assertIn("tile[i] = in[i];", self.words())
            self.drop(write("whole.cu", "int main() { return 0; }\n"))
            self.assertIn("is a whole program, which a browser cannot start", self.words())
            self.drop(write("bad.trace", "no trace at all"))
            self.assertIn("bad.trace: is not a Lanescope trace", self.words())
            self.drop(write("notes.txt", "no kernel"))
            self.assertIn("notes.txt is not a .cu, .ptx or .trace file", self.words())
            self.drop(write("endless.ptx", ENDLESS))
            wait_for(lambda: "runs for more than" in self.words(), 60)
        self.assert_sound()

    def test_hostile_files_are_named_and_the_page_goes_on(self):
        self.open("#?lang=en")
        for path in sorted((ROOT / "tests" / "hostile").iterdir()):
            self.drop(path)
            self.assertIn(path.name, self.words())
        self.browser.run("location.hash = '#banks/2?lang=en'")
        wait_for(lambda: "--beat 2" in self.state())
        self.assert_sound()

    def test_results_are_rounded_as_the_kernel_says(self):
        right = [(mode, sign + "F800000", bits) for sign, modes in (("3", ("AB", "AA", "AA", "AB")), ("B", ("AB", "AA", "AB", "AA")))
                 for mode, end in zip(("rn", "rz", "rm", "rp"), modes) for bits in (("3E" if sign == "3" else "BE") + "AAAA" + end,)]
        self.open("#?lang=en")
        with tempfile.TemporaryDirectory() as folder:
            for name, rows, wrong in (("right.ptx", right, False), ("wrong.ptx", [("rz", "3F800000", "3EAAAAAB")], True)):
                path = pathlib.Path(folder) / name
                path.write_text(thirds(*rows))
                self.drop(path)
                self.assertIn(name, self.texts())
                self.assertEqual("null pointer" in self.words(), wrong, self.words())
        self.assert_sound()

    def test_work_that_does_not_end_leaves_the_page_awake_and_can_be_stopped(self):
        self.open("#banks/5?lang=en")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "endless.ptx"
            path.write_text(ENDLESS)
            self.browser.drop([path])
            button = "document.querySelector('#working:not([hidden]) button')"
            wait_for(lambda: self.browser.run(f"{button} !== null"))
            self.assertEqual(self.browser.run(f"{button}.textContent"), "Stop")
            self.browser.run(f"window.lanescope_page = undefined; {button}.click()")
            wait_for(lambda: self.browser.run("window.lanescope_page !== undefined"))
            self.rest()
        self.assertIn("Stopped.", self.browser.run("document.getElementById('said').textContent"))
        self.assertIn("--beat 5", self.state())
        self.key("PageDown")  # it works on
        self.assertIn("--beat 6", self.state())
        self.assert_sound()

    def test_a_sample_of_the_first_screen(self):
        self.open("#?lang=en")
        self.click("Try: A race")
        self.assertIn("race.cu", self.texts())
        self.assertIn("Read after write: one thread reads a value that another wrote", self.words())
        self.assert_sound()

    # ---- a report, one file ----

    def export(self, folder, *words):
        """Writes a report, and opens it by file:// without a network."""
        path = pathlib.Path(folder) / "report.html"
        subprocess.run([os.environ["LANESCOPE"], "export", *words, "-o", path], check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, LANESCOPE_PAGE=str(PAGE / "report.part")))
        self.open_report(path)
        return path

    def open_report(self, path, place=""):
        if not self.browser:
            self.browser = self.MAKE()
            self.browser.offline()
        self.browser.open("about:blank")
        self.browser.open(path.as_uri() + place)
        wait_for(lambda: self.browser.run("window.lanescope_page !== undefined"))
        self.rest()

    def test_a_report_plays_its_run_without_a_network(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.export(folder, ROOT / "assets/samples/race.cu")
            self.assertIn("tile[i] = in[i];", self.words())
            self.assertIn("access 3 of 8", self.words())
            self.browser.run("document.getElementById('window').scrollIntoView()")
            self.browser.run("document.getElementById('window').focus()")
            self.key("ArrowRight")
            self.assertIn("access 4 of 8", self.words())
            self.assertIn("access=4", self.address())
            self.open_report(path, "#access=6")
            self.assertIn("access 6 of 8", self.words())
            page = self.browser.run("document.querySelector('main').innerText")
            for words in ("Findings: 1", "lines 7 and 9", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"):
                self.assertIn(words, page)
            self.assertLess(path.stat().st_size, 3e6)
            self.assertEqual(self.browser.run("fetch('http://127.0.0.1:1/').catch(error => 'refused')"), "refused")
            self.browser.errors = [error for error in self.browser.errors if "127.0.0.1:1/" not in error]
            self.assert_sound()

    def test_a_report_of_a_lesson_opens_its_step(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.export(folder, "banks", "--set", "stride=8", "--beat", "5", "--lang", "ko")
            self.assertIn("--beat 5", self.state())
            self.assertIn("stride=8", self.state())
            self.assertIn("--lang ko", self.state())
            self.assertLess(path.stat().st_size, 3e6)
            self.assert_sound()

    def test_a_report_of_a_trace_is_in_its_language(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "conflict.trace"
            subprocess.run([os.environ["LANESCOPE"], "run", ROOT / "assets/samples/conflict.cu", "--trace", trace],
                           stdout=subprocess.DEVNULL, check=False)
            path = self.export(folder, trace, "--lang", "ko")
            self.assertIn("레인", self.texts())
            self.open_report(path, "#access=40")
            self.assertIn("--lang ko", self.state())
            self.assertIn("--access 40", self.state())
            self.open_report(path, "#access=40&lang=en")
            self.assertIn("Lanes", self.texts())
            self.assert_sound()

    def test_a_report_quotes_hostile_names(self):
        with tempfile.TemporaryDirectory() as folder:
            kernel = pathlib.Path(folder) / "a'\"><img src=x onerror=alert(1)>%20?&#.ptx"
            kernel.write_text(next((ROOT / "assets/ptx").glob("race.*.ptx")).read_text())
            self.export(folder, kernel, "--grid", "1", "--block", "64", "--arg", "f32[64]=iota", "--arg", "f32[64]=zero")
            self.assertEqual(self.browser.run("document.images.length"), 0)
            self.assertIn("access", self.words())
            self.browser.run("document.getElementById('window').focus()")
            self.key("ArrowRight")
            self.assertRegex(self.address(), "^#access=")
            self.assert_sound()

    # ---- as on the desktop ----

    def assert_same_picture(self, there, here, where):
        """The same shapes in the same order, within a pixel and a half; texts begin within the width of a letter."""
        self.assertEqual([shape[0] for shape in there], [shape[0] for shape in here], where)
        for one, other in zip(there, here):
            if one[0] == "text":
                self.assertEqual(one[4], other[4], where)
                self.assertLess(abs(one[1] - other[1]), 0.6 * one[3], (where, one, other))
                self.assertLess(abs(one[2] - other[2]), 1.5, (where, one, other))
            else:
                self.assertEqual(len(one), len(other), (where, one, other))
                for a, b in zip(one[1:], other[1:]):
                    self.assertLess(abs(a - b), 1.5, (where, one, other))

    def test_the_pictures_are_those_of_the_desktop(self):
        """Twenty screens, a step of every lesson among them: the same words and figures, and the same shapes and places."""
        program = os.environ["LANESCOPE"]
        self.browser = self.MAKE(1366, 768)
        self.open("#?lang=en")
        lessons = sorted(path.parent.name for path in (ROOT / "lessons").glob("*/lesson.yaml"))
        lessons.append("banks")
        with tempfile.TemporaryDirectory() as folder:
            for number, lesson in enumerate(lessons):
                language, beat = ("en", "ko")[number % 2], 1 + number % 8
                picture = pathlib.Path(folder) / "picture.svg"
                subprocess.run([program, "render", lesson, "--beat", str(beat), "--lang", language, "--on", "emulator",
                                "--size", "1366x768", "-o", picture], check=True)
                lines = [html.unescape(re.sub("<[^>]*>", "", line))
                         for line in re.findall("<text.*?</text>", picture.read_text())]
                self.browser.run(f"location.hash = '#{lesson}/{beat}?lang={language}'")
                wait_for(lambda: f"{lesson} " in self.state() and f"--beat {beat} " in self.state())
                self.rest()
                self.assertEqual(sorted(self.words().split()), sorted(" ".join(lines).split()), f"{lesson}, step {beat}")
                self.assert_same_picture(shapes_of_svg(picture.read_text()),
                                         shapes_of_page(self.browser.run("lanescope_page.drawn()")), f"{lesson}, step {beat}")
        self.assert_sound()

    # ---- the address ----

    def test_back_and_forward(self):
        self.open("#banks/1?lang=en")
        self.key("PageDown")
        self.key("PageDown")
        self.assertRegex(self.address(), "^#banks/3")
        self.browser.run("history.back()")
        wait_for(lambda: "--beat 2" in self.state())
        self.assertRegex(self.address(), "^#banks/2")
        self.browser.run("history.forward()")
        wait_for(lambda: "--beat 3" in self.state())
        self.assert_sound()

    def test_a_link_that_leads_nowhere_opens_the_nearest(self):
        for link, beat, said in (("bank/2", "banks --", "there is no lesson bank; the nearest is banks"),
                                 ("banks/99", "--beat 12", "this lesson has no step 99; the nearest is step 12"),
                                 ("banks/12?stride=7000", "stride=", "stride has no value 7000; the nearest is"),
                                 ("banks/12?colour=red", "--beat 12", "this lesson has nothing that is called colour"),
                                 ("zzzzzzzz/1", "", "there is no lesson zzzzzzzz; here are all of them")):
            self.open(f"#{link}" + ("&" if "?" in link else "?") + "lang=en")
            self.assertIn(said, self.words())
            self.assertIn(beat, self.state())
        self.assert_sound()


@unittest.skipUnless(PROGRAM, "Chromium is not installed (Debian: chromium)")
class InChromium(Sessions, unittest.TestCase):
    MAKE = Browser


@unittest.skipUnless(FIREFOX, "Firefox is not installed (Debian: firefox-esr)")
class InFirefox(Sessions, unittest.TestCase):
    """One process for all tests: it takes long to start."""
    kept = None

    @classmethod
    def MAKE(cls, width=1280, height=720):
        if cls.kept:
            cls.kept.again(width, height)
        else:
            cls.kept = Firefox(width, height)
        return cls.kept

    @classmethod
    def tearDownClass(cls):
        if cls.kept:
            cls.kept.end()


if __name__ == "__main__":
    if {"InChromium": not PROGRAM, "InFirefox": not FIREFOX}.get(" ".join(sys.argv[1:])):
        REASON = "this browser is not installed (Debian: chromium, firefox-esr)"
    if REASON:
        print("skipped:", REASON)
        sys.exit(77)  # ctest says that it was skipped
    unittest.main()
