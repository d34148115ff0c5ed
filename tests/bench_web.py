"""Measures the page in build/web in a headless Chromium: sizes, first frame, knobs, frames while playing, memory.

    python3 tests/bench_web.py"""
import gzip
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
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
    first = []
    for _ in range(7):
        browser = opened(place)
        first.append(browser.run("lanescope_page.times.first"))
        browser.close()
    report(f"first frame of {place}, nothing kept", first)
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

# The emulator's rate: the same launch in the page and by the program of build/gcc (or $LANESCOPE), with the same checks.
# The page's worker says how long its longest frame took: it is the one that runs the kernel.
program = os.environ.get("LANESCOPE", PAGE.parent / "gcc" / "lanescope")
kernel = """// lanescope: --grid 64 --block 256 --arg f32[16384]=iota --arg u32=400
.version 7.0
.target sm_75
.address_size 64
.visible .entry work(.param .u64 p, .param .u32 n)
{
.reg .pred %q<2>; .reg .b32 %r<8>; .reg .f32 %f<3>; .reg .b64 %d<5>;
ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n];
cvta.to.global.u64 %d2, %d1;
mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
mad.lo.s32 %r5, %r2, %r3, %r4; mul.wide.u32 %d3, %r5, 4; add.s64 %d4, %d2, %d3;
ld.global.f32 %f1, [%d4]; mov.u32 %r6, 0;
again: fma.rn.f32 %f1, %f1, 0f3F000000, 0f3F800000; add.u32 %r6, %r6, 1;
setp.lt.u32 %q1, %r6, %r1; @%q1 bra again;
st.global.f32 [%d4], %f1;
ret;
}
"""
def seconds_in_page(browser, path):
    browser.run("lanescope_page.times.frames.length = 0")
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.call("Input.dispatchDragEvent", type=kind, x=300, y=300, data=data)
    time.sleep(0.5)
    settle(browser)
    return browser.run("Math.max(...lanescope_page.times.frames)") / 1e3


def seconds_here(path):
    """On one processor, interpreted as in the page: not compiled to machine code."""
    begin = time.monotonic()
    subprocess.run(["taskset", "-c", "0", program, "run", path, "--on", "emulator", "--check", "memory,race"],
                   stdout=subprocess.DEVNULL, check=True, env=dict(os.environ, LANESCOPE_TIER="interpreter"))
    return time.monotonic() - begin


with tempfile.TemporaryDirectory() as folder:
    short, long = pathlib.Path(folder) / "short.ptx", pathlib.Path(folder) / "long.ptx"
    short.write_text(kernel.replace("u32=400", "u32=1"))
    long.write_text(kernel.replace("u32=400", "u32=4000"))
    browser = opened("#?lang=en")
    settle(browser)
    rates = []
    for name, seconds in (("the page", lambda path: seconds_in_page(browser, path)), ("the desktop's program", seconds_here)):
        took = statistics.median(seconds(long) for _ in range(5)) - statistics.median(seconds(short) for _ in range(5))
        rates.append(64 * 256 * 4 * 3999 / took / 1e9)
        print(f"{name} runs 64 x 256 threads, 3,999 turns of 4 instructions: {took:.2f} s, {rates[-1]:.2f} G/s")
    print(f"rate of the page: {rates[0] / rates[1]:.2f} of the desktop's on one processor")
    browser.close()
server.close()
print(f"{os.cpu_count()} processors")
