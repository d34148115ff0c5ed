"""Uses the page of build/web as in a long lesson, by events and not by time, and says how much memory it takes.

    python3 tests/use_web.py [EVENTS]        4,000 events: about one each second of an hour"""
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from browser import Browser, Server, wait_for  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEYS = [*["BracketRight", "BracketLeft"] * 8, *["ArrowRight"] * 6, *["PageDown"] * 4, "PageUp", "Home", "End", "Space", "Tab",
        "Digit1", "Enter", "KeyL", "KeyT", "KeyO", "Escape", "KeyP", "KeyW", "KeyN"]


def rest(browser):
    wait_for(lambda: not browser.run("lanescope_page.busy()"))


def use(browser, events, traces, say=lambda *_: None):
    """Keys, lessons and dropped traces, in an order that is always the same. Returns the most bytes of the program and of
    the scripts' heaps together."""
    dice, most = random.Random(1), 0
    lessons = sorted(path.parent.name for path in (ROOT / "lessons").glob("*/lesson.yaml"))
    for event in range(events):
        if event % 40 == 0:
            lesson, step = lessons[event // 40 % len(lessons)], dice.randrange(1, 13)
            browser.run(f"location.hash = '#{lesson}/{step}?lang={dice.choice(('en', 'ko'))}'")
        elif event % 40 == 39:
            browser.drop([dice.choice(traces)])
        else:
            browser.key(dice.choice(KEYS))
        rest(browser)
        if event % 40 in (38, 39):
            bytes_now = browser.run("lanescope_page.times.memory") + browser.heap()
            most = max(most, bytes_now)
            say(event + 1, bytes_now)
    return most


def traces_in(folder, program):
    """Traces of different kinds, to be dropped."""
    made = []
    for sample in ("race", "copy", "conflict"):
        made.append(pathlib.Path(folder) / f"{sample}.trace")
        subprocess.run([program, "run", ROOT / f"assets/samples/{sample}.cu", "--trace", made[-1]],
                       stdout=subprocess.DEVNULL, check=False)
    return made


if __name__ == "__main__":
    server, browser = Server(ROOT / "build" / "web"), Browser()
    browser.open(server.address + "#?lang=en")
    wait_for(lambda: browser.run("window.lanescope_page !== undefined"))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        events = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
        found = use(browser, events, traces_in(folder, ROOT / "build" / "gcc" / "lanescope"),
                    lambda event, size: event % 400 == 0 and print(f"{event} events: {size / 1e6:.0f} MB", flush=True))
    print(f"{events} events in {time.monotonic() - began:.0f} s: at most {found / 1e6:.0f} MB of WebAssembly's memory and "
          f"the scripts' heaps; errors: {browser.errors}")
    browser.close()
    server.close()
