"""A real window under Xvfb: it opens, answers keys, changes its picture, and is idle while nothing moves."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["LANESCOPE"]
TOOLS = all(shutil.which(tool) for tool in ("Xvfb", "xdotool"))


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for(what):
    """The first true answer. The limit only ends a test that hangs: no machine is as slow."""
    end = time.monotonic() + 600
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("waited in vain")


@unittest.skipUnless(TOOLS, "Xvfb and xdotool are not installed")
class Window(unittest.TestCase):
    def setUp(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1920x1080x24"],
                                       pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as answer:
            self.display = ":" + answer.readline().strip()
        self.folder = tempfile.mkdtemp()
        self.environment = dict(os.environ, DISPLAY=self.display, HOME=self.folder, XDG_CACHE_HOME=self.folder,
                                XDG_PICTURES_DIR=self.folder, LANGUAGE="en")
        self.environment.pop("WAYLAND_DISPLAY", None)
        self.environment.pop("XDG_RUNTIME_DIR", None)
        self.program = None

    def tearDown(self):
        if self.program:
            self.program.kill()
            self.program.wait()
        self.server.kill()
        self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def tool(self, *words):
        return subprocess.run(["xdotool", *words], env=self.environment, capture_output=True, text=True).stdout.split()

    def find_window(self):
        if self.program.poll() is not None:
            raise ChildProcessError("the program ended before its window opened")
        found = self.tool("search", "--onlyvisible", "--pid", str(self.program.pid))
        return found[0] if found else None

    def open(self, *words):
        for attempt in range(3):  # a new X server sometimes drops its first client
            self.program = subprocess.Popen([PROGRAM, *words], env=self.environment, cwd=self.folder)
            try:
                self.window = wait_for(self.find_window)
                break
            except ChildProcessError:
                if attempt == 2:
                    raise
        time.sleep(1.5)

    def key(self, *names):
        self.tool("windowfocus", self.window)
        for name in names:
            self.tool("key", "--window", self.window, name)
        time.sleep(0.7)

    def screenshots(self):
        return sorted(pathlib.Path(self.folder).rglob("*.png"))

    def test_a_still_picture_costs_no_processor(self):
        self.open("banks")

        def rests():  # a busy machine may take a while until the first pictures are drawn
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


if __name__ == "__main__":
    unittest.main()
