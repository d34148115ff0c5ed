"""A real window under Xvfb: it opens, answers keys, changes its picture, and is idle while nothing moves."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["LANESCOPE"]
SANITIZED = "LANESCOPE_SANITIZED" in os.environ
TOOLS = all(shutil.which(tool) for tool in ("Xvfb", "xdotool"))


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children_of(pid):
    """The number and the path of each program that the process started."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            try:
                found.append((int(child), os.readlink(f"/proc/{child}/exe")))
            except OSError:  # it has ended
                pass
    return found


def runs(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_for(what, limit=200):
    """The first true answer. The limit in seconds only ends a test that hangs: no machine is as slow."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    raise TimeoutError("waited in vain")


class Desktop(unittest.TestCase):
    """A server without a screen, and the program in it."""
    SCREEN = "1920x1080"

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.environment = dict(os.environ, HOME=self.folder, XDG_CACHE_HOME=self.folder, XDG_PICTURES_DIR=self.folder,
                                LANGUAGE="en",
                                LSAN_OPTIONS=f"suppressions={pathlib.Path(__file__).with_name('leaks.txt')}")
        for name in ("WAYLAND_DISPLAY", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
            self.environment.pop(name, None)
        self.program = self.manager = None
        read, write = os.pipe()
        # -noreset: otherwise the server starts anew when its last client leaves, and drops those that come meanwhile.
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", self.SCREEN + "x24",
                                        "-noreset"], pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as answer:
            self.environment["DISPLAY"] = ":" + answer.readline().strip()

    def tearDown(self):
        for process in (self.program, self.manager, self.server):
            if process:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def manage(self):
        """Starts a window manager, and waits until it manages windows."""
        self.manager = subprocess.Popen(["openbox"], env=self.environment, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        wait_for(lambda: self.nudge() or self.manager.poll() is not None)

    def nudge(self):
        """Asks the window manager for another number of desktops. Returns whether it did so: only then its loop runs.
        What openbox 3.6.1 reads while it starts lies in its own queue until another event comes; the wish to show a
        window lay there for ever."""
        return self.tool("set_num_desktops", "3", "get_num_desktops") == ["3"]

    def tool(self, *words):
        return subprocess.run(["xdotool", *words], env=self.environment, capture_output=True, text=True).stdout.split()

    def find_window(self):
        if self.program.poll() is not None:
            raise ChildProcessError("the program ended before its window opened")
        if self.manager:
            self.nudge()
        found = self.tool("search", "--onlyvisible", "--pid", str(self.program.pid))
        return found[0] if found else None

    def open(self, *words):
        self.launch(*words)
        time.sleep(1.5)

    def launch(self, *words):
        """Starts the program and finds its window."""
        self.program = subprocess.Popen([PROGRAM, *words], env=self.environment, cwd=self.folder)
        self.window = wait_for(self.find_window)

    def key(self, *names):
        self.tool("windowfocus", self.window)
        for name in names:
            self.tool("key", "--window", self.window, name)
        time.sleep(0.7)

    def screenshots(self):
        return sorted(pathlib.Path(self.folder).rglob("*.png"))

    def ended(self):
        """Presses the key of the frame that closes the window, which the manager may miss. Returns whether it closed."""
        self.tool("windowfocus", self.window)
        self.tool("key", "alt+F4")
        try:
            self.program.wait(2)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self):
        """Closes the window by its frame's key or, without a window manager, by a kill."""
        if self.manager:
            wait_for(self.ended)
            self.assertEqual(self.program.returncode, 0)
        else:
            self.program.kill()
            self.program.wait()

    def kept(self):
        path = pathlib.Path(self.folder, ".local/state/lanescope/progress.json")
        return json.loads(path.read_text()) if path.exists() else {}


@unittest.skipUnless(TOOLS, "Xvfb and xdotool are not installed")
class Window(Desktop):
    @unittest.skipIf(SANITIZED, "the program waits there, and a sanitizer sees nothing")
    def test_a_still_picture_costs_no_processor(self):
        self.open("banks")

        def rests():  # a busy machine may take a while until the first pictures are drawn
            before = cpu_seconds(self.program.pid)
            time.sleep(2)
            return cpu_seconds(self.program.pid) - before <= 0.02

        self.assertTrue(wait_for(rests))

    @unittest.skipIf(SANITIZED, "clang's work, then a program that waits")
    def test_a_program_whose_file_is_watched_costs_no_processor(self):
        path = pathlib.Path(self.folder, "homework.cu")
        path.write_text("__global__ void k() {}\nint main() { k<<<1, 32>>>(); return cudaDeviceSynchronize(); }\n")
        self.open(str(path))

        def rests():
            before = cpu_seconds(self.program.pid)
            time.sleep(2)
            return cpu_seconds(self.program.pid) - before <= 0.02

        self.assertTrue(wait_for(rests))

    def test_keys_change_the_picture_and_the_window_survives_them(self):
        self.open("banks")
        self.key("s")
        first = wait_for(self.screenshots)[0].read_bytes()
        for name in ("bracketright", "Right", "Left", "space", "t", "l", "m", "Tab", "F11", "Escape", "question",
                     "Escape", "Next", "Prior", "ctrl+plus", "ctrl+0", "r", "Next", "1", "Return"):
            self.key(name)
            self.assertIsNone(self.program.poll(), f"the window closed at {name}")
        self.key("s")
        wait_for(lambda: len(self.screenshots()) >= 2)
        self.assertTrue(any(path.read_bytes() != first for path in self.screenshots()))

    def test_a_signal_closes_the_window_and_all_is_kept(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            before = self.kept().get("preferences", {}).get("theme", "light")
            self.open("banks")
            shots = len(self.screenshots())
            self.key("t")
            self.key("s")
            wait_for(lambda seen=shots: len(self.screenshots()) > seen)  # the keys have arrived before the signal
            self.program.send_signal(number)
            self.assertEqual(self.program.wait(100), 0)
            self.assertNotEqual(self.kept()["preferences"]["theme"], before)

    def test_a_program_does_not_outlive_the_window_that_ran_it(self):
        source = pathlib.Path(self.folder, "endless.cu")
        source.write_text("#include <unistd.h>\n__global__ void k() {}\n"
                          "int main() { k<<<1, 1>>>(); for (;;) usleep(1000); }\n")
        for number in (signal.SIGTERM, signal.SIGKILL):
            self.launch(str(source))
            children = wait_for(lambda: [child for child in children_of(self.program.pid) if "endless" in child[1]])
            self.program.send_signal(number)
            self.program.wait(100)
            for pid, _ in children:
                wait_for(lambda: not runs(pid))

    def test_a_window_of_any_size_goes_on(self):
        self.open("banks")
        sizes = [(1 + 17 * i % 2000, 1 + 29 * i % 1200) for i in range(150)]
        for width, height in [*sizes[::4 if SANITIZED else 1], (1, 1), (1, 1200), (2000, 1), *((i, i) for i in range(60)), (1280, 720)]:
            self.tool("windowsize", self.window, str(width), str(height))
            self.assertIsNone(self.program.poll(), f"the window closed at {width}x{height}")
        self.key("s")
        wait_for(self.screenshots)
        self.close()

    def test_a_window_closes_while_a_compiler_hangs(self):
        tool = pathlib.Path(self.folder, "clang")
        tool.write_text("#!/bin/sh\nexec sleep 10000\n")
        tool.chmod(0o755)
        self.environment["PATH"] = f"{self.folder}:{self.environment['PATH']}"
        source = pathlib.Path(self.folder, "program.cu")
        for main, words in (("int main() { k<<<1, 1>>>(); }\n", ()), ("", ("--compiler", "clang"))):
            source.write_text("__global__ void k() {}\n" + main)
            self.launch(str(source), *words)
            children = wait_for(lambda: [child for child in children_of(self.program.pid) if "sleep" in child[1]])
            self.program.send_signal(signal.SIGTERM)
            self.assertEqual(self.program.wait(100), 0)
            for pid, _ in children:
                wait_for(lambda: not runs(pid))

    def wait_for_step(self, number):
        wait_for(lambda: self.kept().get("lessons", {}).get("banks", {}).get("at", {}).get("number") == number)

    def test_a_lesson_opens_where_it_was_closed(self):
        self.open("banks")
        self.key("t", "Next", "Next")
        self.wait_for_step(3)
        self.assertEqual(self.kept()["preferences"]["theme"], "dark")
        self.close()
        self.open("banks")
        self.key("Next")
        self.wait_for_step(4)
        self.close()
        self.open("banks", "--fresh")
        self.key("Next")
        time.sleep(2)
        self.close()
        self.open("banks")
        self.key("Next")
        self.wait_for_step(5)


@unittest.skipUnless(TOOLS and all(shutil.which(tool) for tool in ("openbox", "xprop", "xwininfo")),
                     "Xvfb, xdotool, openbox and x11-utils are not installed")
class Framed(Desktop):
    """Under a window manager, on a small screen: the window and its frame fit, and open where they were."""
    SCREEN = "1366x768"

    def setUp(self):
        super().setUp()
        self.manage()

    def ask(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True).stdout

    def place(self):
        """Left, top, width and height of the window, without its frame."""
        said = self.ask("xwininfo", "-id", self.window)
        return [int(re.search(name + r":\s+(-?\d+)", said)[1])
                for name in ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")]

    def frame(self):
        """The frame's size: left, right, top, bottom. The manager says it some time after the window is there."""
        return wait_for(lambda: [int(number) for number in re.findall(
            r"\d+", self.ask("xprop", "-id", self.window, "_NET_FRAME_EXTENTS"))])

    def assert_inside(self):
        x, y, width, height = self.place()
        left, right, top, bottom = self.frame()
        self.assertGreaterEqual(x - left, 0)
        self.assertGreaterEqual(y - top, 0)
        self.assertLessEqual(x + width + right, 1366)
        self.assertLessEqual(y + height + bottom, 768)

    def test_the_first_window_is_inside_the_screen_with_its_frame(self):
        self.open("banks")
        self.assert_inside()

    def test_the_first_window_is_inside_a_screen_of_many_dots(self):
        self.ask("xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", "Xft.dpi: 192")
        self.open("banks")
        self.assert_inside()

    def test_a_maximized_window_opens_maximized_and_keeps_its_own_size(self):
        self.open("banks", "--size", "1100x640")
        before = self.place()
        self.assertEqual(before[2:], [1100, 640])
        title = [str(before[0] + 300), str(before[1] - 10)]
        self.tool("mousemove", *title, "click", "--repeat", "2", "--delay", "50", "1")
        wait_for(lambda: self.place()[2] > 1300)
        large = self.place()
        self.close()
        self.open("banks")
        self.assertEqual(self.place(), large)
        self.tool("mousemove", "400", "10", "click", "--repeat", "2", "--delay", "50", "1")
        wait_for(lambda: self.place()[2:] == [1100, 640])

    def test_a_window_opens_where_it_was_closed(self):
        self.open("banks")
        self.tool("windowsize", self.window, "1100", "640")
        self.tool("windowmove", self.window, "120", "60")
        time.sleep(1)
        before = self.place()
        self.close()
        self.open("banks")
        self.assertEqual(self.place(), before)
        self.close()
        self.open("banks")
        self.assertEqual(self.place(), before)

    def test_a_place_outside_of_the_screen_is_brought_back(self):
        folder = pathlib.Path(self.folder, ".local/state/lanescope")
        folder.mkdir(parents=True)
        place = {"width": 3000, "height": 2000, "x": 1300, "y": -500, "maximized": False}
        (folder / "progress.json").write_text(json.dumps({"version": 1, "window": place}))
        self.open("banks")
        self.assert_inside()


if __name__ == "__main__":
    unittest.main()
