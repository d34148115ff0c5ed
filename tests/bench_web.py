"""Measures the page in build/web in a headless Chromium: sizes, first frame, knobs, frames while playing, memory; and the
emulator's rate in WebAssembly, beside that of build/gcc.

    python3 tests/bench_web.py"""
import gzip
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from browser import Browser, Server, wait_for  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parent.parent / "build" / "web"


def p99(values):
    return sorted(values)[int(len(values) * 0.99)]


def opened(place):
    browser = Browser(1280, 720)
    browser.open(server.address + place)
    wait_for(lambda: browser.run("window.lanescope_page !== undefined"))
    return browser


def settle(browser):
    wait_for(lambda: not browser.run("lanescope_page.busy()"))
    time.sleep(0.3)


def report(what, values, unit="ms"):
    print(f"{what}: median {statistics.median(values):.0f} {unit}, p99 {p99(values):.0f} {unit}, of {len(values)}")


server = Server(PAGE)
total, most, begin = 0, {}, 0
for path in sorted(path for path in PAGE.rglob("*") if path.is_file() and path.name != "report.part"):
    size = len(gzip.compress(path.read_bytes(), 9))
    total += size
    if path.parent == PAGE:
        begin += size
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {size / 1e6:.2f} MB with gzip -9")
    else:
        lesson = path.name.partition(".")[0]
        most[lesson] = most.get(lesson, 0) + size
largest = max(most, key=most.get)
print(f"all files: {total / 1e6:.2f} MB with gzip -9")
print(f"without recordings {begin / 1e6:.2f} MB; with those of {largest}, the largest, {(begin + most[largest]) / 1e6:.2f} MB")
for place in ("#?lang=en", "#banks/3?lang=en"):
    first, worker, everything = [], [], []
    for _ in range(7):
        browser = opened(place)
        first.append(browser.run("lanescope_page.times.first"))
        worker.append(browser.seconds("DedicatedWorker") * 1e3)
        everything.append(browser.seconds() * 1e3)
        browser.close()
    report(f"first frame of {place}, nothing kept", first)
    report("  processor time of the page's worker until then", worker)
    report("  processor time of all of Chromium since its start", everything)
for place, key in (("#banks/12?lang=en", "BracketLeft"), ("#coalescing/12?lang=en", "BracketRight"),
                   ("#matmul/12?lang=en", "BracketRight")):
    browser = opened(place)
    settle(browser)
    browser.run("lanescope_page.times.frames.length = 0")
    took = []
    for i in range(60):
        # there and back: no more than eight runs are kept, and the knob has an end
        browser.key(key if i // 4 % 2 == 0 else "BracketRight" if key == "BracketLeft" else "BracketLeft")
        settle(browser)
        took.append(browser.run("Math.max(...lanescope_page.times.frames.splice(0))"))
    report(f"the longest frame after a turn of the knob, {place}", took)
    browser.close()
browser = opened("#banks/5?lang=en")
settle(browser)
browser.key("Home")
settle(browser)
browser.run("lanescope_page.times.frames.length = 0")
browser.key("Space")
time.sleep(10)
report("a frame while playing, 10 s of #banks/5", browser.run("lanescope_page.times.frames"))
print(f"memory of WebAssembly then: {browser.run('lanescope_page.times.memory') / 1e6:.0f} MB")
browser.close()

# The emulator's rate: tests/page/rate.c compiled for WebAssembly, run by node, and for this machine, interpreted. Both
# count the time of one processor.
OBJECTS, PROGRAM = PAGE.parent / "web-objects", PAGE.parent / "gcc" / "tests" / "emulator_rate"
subprocess.run(["cmake", "--build", OBJECTS, "--target", "emulator_rate"], stdout=subprocess.DEVNULL, check=True)


def rates(*words):
    lines = subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    return {name: float(rate) for name, rate in (line.split("\t") for line in lines)}


# emscripten 3.1 reads its file otherwise where node has fetch
page, here = rates("node", "--no-experimental-fetch", OBJECTS / "emulator_rate.js"), rates(PROGRAM)
for name, rate in page.items():
    print(f"{name}: {rate:.2f} G thread instructions a second in WebAssembly, {here[name]:.2f} here: {rate / here[name]:.2f}")
server.close()
print(f"{os.cpu_count()} processors")
