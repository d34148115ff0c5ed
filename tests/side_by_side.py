"""Draws screens by the desktop's program and by the page of build/web in Chromium and in Firefox, side by side.

    LANESCOPE=build/gcc/lanescope python3 tests/side_by_side.py -o docs/web.png"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from browser import Browser, Firefox, Server, wait_for  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parent.parent / "build" / "web"
SCREENS = (("banks", 4, "en", "light"), ("adjdiff", 6, "ko", "dark"))
WIDTH, HEIGHT, SHOWN = 1280, 720, 700
PARTS = (("lanescope render", None), ("Chromium", Browser), ("Firefox", Firefox))


def rest(browser):
    wait_for(lambda: browser.run("window.lanescope_page !== undefined && !lanescope_page.busy()"))
    time.sleep(0.25)


def main(target):
    server = Server(PAGE)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for lesson, step, language, theme in SCREENS:
            subprocess.run([os.environ["LANESCOPE"], "render", lesson, "--beat", str(step), "--lang", language, "--theme", theme,
                            "--on", "emulator", "--size", f"{WIDTH}x{HEIGHT}", "-o", folder / f"0-{lesson}.png"], check=True)
        for number, (_, make) in enumerate(PARTS):
            if not make:
                continue
            browser = make(WIDTH, HEIGHT)
            for lesson, step, language, theme in SCREENS:
                browser.media(prefers_color_scheme=theme)
                browser.open("about:blank")
                browser.open(f"{server.address}#{lesson}/{step}?lang={language}")
                rest(browser)
                browser.picture(folder / f"{number}-{lesson}.png")
            getattr(browser, "end", browser.close)()
        row = "".join(f"<th>{name}</th>" for name, _ in PARTS)
        rows = "".join("<tr>" + "".join(f'<td><img width="{SHOWN}" src="{number}-{lesson}.png"></td>'
                                        for number in range(len(PARTS))) + "</tr>" for lesson, *_ in SCREENS)
        (folder / "all.html").write_text(f'<!doctype html><style>body {{ margin: 0; font: 20px sans-serif }} '
                                         f'td, th {{ padding: 4px }}</style><table><tr>{row}</tr>{rows}</table>')
        height = 50 + len(SCREENS) * (SHOWN * HEIGHT // WIDTH + 12)
        browser = Browser((SHOWN + 10) * len(PARTS) + 6, height)
        browser.open(f"file://{folder}/all.html")
        time.sleep(0.5)
        browser.picture(target)
        browser.close()
    server.close()


if len(sys.argv) != 3 or sys.argv[1] != "-o":
    sys.exit(__doc__)
main(pathlib.Path(sys.argv[2]))
