"""Chromium without a display, driven through DevTools, Firefox, driven through Marionette, and a server for the page:
standard library only."""
import base64
import functools
import http.server
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time
import urllib.request

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm",
                      ".js": "text/javascript"}

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.server.asked.append(self.path)
        super().do_GET()


class Server:
    """Hands out a folder on a port of its own."""

    def __init__(self, folder):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        self.server.asked = []
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Socket:
    """A client of one websocket: whole messages of text, both ways."""

    def __init__(self, address):
        host, _, path = address.removeprefix("ws://").partition("/")
        name, _, port = host.partition(":")
        self.socket = socket.create_connection((name, int(port)), 60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.socket.recv(65536)
        head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode())

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = bytes([0x81]) + (bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + struct.pack(">H", size)
                                if size < 65536 else bytes([0xFF]) + struct.pack(">Q", size))
        padded = (mask * (size // 4 + 1))[:size]
        self.socket.sendall(head + mask + (int.from_bytes(data, "big") ^ int.from_bytes(padded, "big")).to_bytes(size, "big"))

    def take(self, count):
        while len(self.bytes) < count:
            got = self.socket.recv(1 << 20)
            if not got:
                raise ConnectionError("the browser has gone")
            self.bytes += got
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def receive(self):
        text = b""
        while True:
            first, size = self.take(2)
            size &= 127
            if size == 126:
                size, = struct.unpack(">H", self.take(2))
            elif size == 127:
                size, = struct.unpack(">Q", self.take(8))
            data = self.take(size)
            if first & 15 in (0, 1):
                text += data
                if first & 128:
                    return text.decode()


class Browser:
    """One tab of Chromium. Its methods wait for the browser's answer."""
    NAME = "Chromium"

    def __init__(self, width=1280, height=720, words=()):
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking", "--disable-component-update", "--lang=en-US",
             "--remote-debugging-port=0", "--remote-allow-origins=*", f"--user-data-dir={self.folder}",
             f"--window-size={width},{height}", *words, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ, LANGUAGE="en"))
        port_file = pathlib.Path(self.folder) / "DevToolsActivePort"
        port = wait_for(lambda: port_file.exists() and port_file.read_text().split("\n")[0])
        pages = wait_for(lambda: [page for page in json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list"))
                                  if page["type"] == "page"])
        self.socket = Socket(pages[0]["webSocketDebuggerUrl"])
        self.number = 0
        self.errors = []  # of scripts, and words in the console
        for domain in ("Runtime", "Page", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(width, height)

    def close(self):
        self.socket.socket.close()
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, session=None, **values):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": values,
                                     **({"sessionId": session} if session else {})}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(answer["params"]["exceptionDetails"])[:2000])
            elif answer.get("method") == "Log.entryAdded" and answer["params"]["entry"]["level"] == "error":
                self.errors.append(json.dumps(answer["params"]["entry"])[:2000])
            elif answer.get("method") == "Runtime.consoleAPICalled" and answer["params"]["type"] == "error":
                self.errors.append(json.dumps(answer["params"]["args"])[:2000])
            elif answer.get("method") == "Target.attachedToTarget" and answer["params"]["targetInfo"]["type"] == "worker":
                self.workers.append(answer["params"]["sessionId"])
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def size(self, width, height, scale=1, touch=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)

    def media(self, **features):
        """prefers_color_scheme="dark", prefers_reduced_motion="reduce"."""
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def open(self, address):
        self.call("Page.navigate", url=address)

    def run(self, words):
        """The value of an expression of JavaScript."""
        answer = self.call("Runtime.evaluate", expression=words, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def mouse(self, kind, x, y, buttons=0):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" else "none",
                  buttons=buttons, clickCount=0 if kind == "mouseMoved" else 1)

    def touch(self, kind, *points):
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])

    def key(self, code, modifiers=0):
        """code: as KeyboardEvent.code has it; modifiers: 1 Alt, 2 Control, 8 Shift."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, code=code, key=code, modifiers=modifiers)


    def seconds(self, thread=""):
        """Processor time of the browser's threads whose name begins so, which other work does not lengthen."""
        found, left = 0, [self.process.pid]
        while left:
            for task in pathlib.Path(f"/proc/{left.pop()}/task").glob("*"):
                try:
                    left += map(int, (task / "children").read_text().split())
                    if (task / "comm").read_text().startswith(thread):
                        found += int((task / "schedstat").read_text().split()[0]) / 1e9
                except OSError:  # it has ended
                    pass
        return found

    def heap(self):
        """Bytes that the scripts of the page and of its workers hold."""
        self.workers = []
        self.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        held = sum(self.call("Runtime.getHeapUsage", session=session)["usedSize"] for session in [None, *self.workers])
        if not self.workers:
            raise RuntimeError("the page has no worker")
        self.call("Target.setAutoAttach", autoAttach=False, waitForDebuggerOnStart=False, flatten=True)
        return held

    def wheel(self, x, y, down):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=down)

    def drop(self, files):
        data = {"items": [], "files": [str(file) for file in files], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.call("Input.dispatchDragEvent", type=kind, x=300, y=300, data=data)

    def without(self, *names):
        """Pages that are opened from now on lack these: WebAssembly, OffscreenCanvas, serviceWorker."""
        words = {"WebAssembly": "delete globalThis.WebAssembly",
                 "OffscreenCanvas": "delete HTMLCanvasElement.prototype.transferControlToOffscreen",
                 "serviceWorker": "delete Navigator.prototype.serviceWorker"}
        for name in names:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=words[name])

    def offline(self):
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)

    def downloads(self, folder):
        """Files that a page saves are put there."""
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))


class Firefox:
    """One tab of Firefox, with the methods of Browser."""
    NAME = "Firefox"
    KEYS = {"Enter": "\ue006", "Tab": "\ue004", "Space": " ", "Escape": "\ue00c", "Backspace": "\ue003", "PageUp": "\ue00e",
            "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
            "ArrowRight": "\ue014", "ArrowDown": "\ue015", "BracketLeft": "[", "BracketRight": "]", "Minus": "-", "Equal": "="}
    WITHOUT = "WebAssembly", "OffscreenCanvas", "serviceWorker"
    PREFERENCES = {"marionette.port": 0, "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
                   "datareporting.policy.dataSubmissionEnabled": False, "browser.startup.page": 0,
                   "browser.newtabpage.enabled": False, "network.captive-portal-service.enabled": False,
                   "network.connectivity-service.enabled": False, "browser.safebrowsing.downloads.remote.enabled": False,
                   "intl.accept_languages": "en-US", "ui.systemUsesDarkTheme": 0, "ui.prefersReducedMotion": 0,
                   "layout.css.prefers-color-scheme.content-override": 1}

    def __init__(self, width=1280, height=720, words=()):
        self.folder = tempfile.mkdtemp()
        profile = pathlib.Path(self.folder)
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                                                 for name, value in self.PREFERENCES.items()))
        self.process = subprocess.Popen([FIREFOX, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", self.folder, *words],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env=dict(os.environ, MOZ_HEADLESS_WIDTH="1400", MOZ_HEADLESS_HEIGHT="1000", LANG="C.UTF-8"))
        port_file = profile / "MarionetteActivePort"
        port = wait_for(lambda: port_file.exists() and port_file.read_text().strip())
        self.socket = socket.create_connection(("127.0.0.1", int(port)), 120)
        self.bytes = b""
        self.number = 0
        self.receive()  # its greeting
        self.command("WebDriver:NewSession", strictFileInteractability=False)
        self.command("WebDriver:SetTimeouts", script=120000, pageLoad=120000)
        self.changed = set()
        self.inside("Services.mm.loadFrameScript('data:application/javascript,' + encodeURIComponent(arguments[0]), true)", """
            addEventListener("DOMWindowCreated", event => {
              const without = Services.prefs.getIntPref("lanescope.without", 0), page = event.target.defaultView.wrappedJSObject;
              if (without & 1)
                delete page.WebAssembly;
              if (without & 2)
                delete page.HTMLCanvasElement.prototype.transferControlToOffscreen;
              if (without & 4)
                delete page.Navigator.prototype.serviceWorker;
            }, true);""")
        self.size(width, height)

    def again(self, width, height):
        """As a new one, but for what it keeps for its sites."""
        for name in self.changed:
            self.inside("Services.prefs.clearUserPref(arguments[0])", name)
        for name in self.changed & set(self.PREFERENCES):
            self.prefer(name, self.PREFERENCES[name])
        self.changed = set()
        self.inside("Services.io.offline = false; Services.console.reset()")
        self.size(width, height)

    def close(self):
        """It stays for the next test."""
        self.command("WebDriver:ReleaseActions")
        self.open("about:blank")

    def end(self):
        self.socket.close()
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self):
        while b":" not in self.bytes:
            self.bytes += self.more()
        size, _, self.bytes = self.bytes.partition(b":")
        while len(self.bytes) < int(size):
            self.bytes += self.more()
        text, self.bytes = self.bytes[:int(size)], self.bytes[int(size):]
        return json.loads(text)

    def more(self):
        got = self.socket.recv(1 << 20)
        if not got:
            raise ConnectionError("the browser has gone")
        return got

    def command(self, name, **values):
        self.number += 1
        text = json.dumps([0, self.number, name, values]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{name}: {json.dumps(error)[:2000]}")
        return result.get("value") if isinstance(result, dict) and set(result) == {"value"} else result

    def inside(self, words, *values):
        """Runs statements in the browser itself, not in the page."""
        self.command("Marionette:SetContext", value="chrome")
        try:
            return self.command("WebDriver:ExecuteScript", script=words, args=list(values))
        finally:
            self.command("Marionette:SetContext", value="content")

    def prefer(self, name, value):
        kind = {bool: "Bool", int: "Int", str: "Char"}[type(value)]
        self.changed.add(name)
        self.inside(f"Services.prefs.set{kind}Pref(arguments[0], arguments[1])", name, value)

    @property
    def errors(self):
        """Errors of pages' scripts and of their policies."""
        return self.inside("""return Services.console.getMessageArray().filter(message => message instanceof Ci.nsIScriptError &&
            !(message.flags & message.warningFlag) && /content javascript|Content Security Policy|DOM Worker/.test(message.category) &&
            /^(http:|file:|blob:)/.test(message.sourceName)).map(message => message.errorMessage + " " + message.sourceName)""")

    @errors.setter
    def errors(self, left):  # none
        self.inside("Services.console.reset()")

    def size(self, width, height, scale=1, touch=False):
        self.prefer("layout.css.devPixelsPerPx", str(float(scale)))
        self.prefer("dom.w3c_touch_events.enabled", 1 if touch else 0)
        for _ in range(3):  # what stands around the page is known once it has a size
            outer = self.command("WebDriver:GetWindowRect")
            inner = self.run("[innerWidth, innerHeight]")
            if inner == [width, height]:
                break
            self.command("WebDriver:SetWindowRect", width=outer["width"] + width - inner[0],
                         height=outer["height"] + height - inner[1])
            time.sleep(0.2)

    def media(self, prefers_color_scheme=None, prefers_reduced_motion=None):
        if prefers_color_scheme:
            self.prefer("layout.css.prefers-color-scheme.content-override", 0 if prefers_color_scheme == "dark" else 1)
        if prefers_reduced_motion:
            self.prefer("ui.prefersReducedMotion", 1 if prefers_reduced_motion == "reduce" else 0)

    def open(self, address):
        self.command("WebDriver:Navigate", url=address)

    def run(self, words):
        return self.command("WebDriver:ExecuteScript", args=[], sandbox=None,
                            script=words if ";" in words else f"return ({words})")

    def picture(self, path):
        data = self.command("WebDriver:TakeScreenshot", full=False)
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def heap(self):
        return 0  # Marionette does not say it

    def act(self, kind, name, *actions, **parameters):
        self.command("WebDriver:PerformActions", actions=[{"type": kind, "id": name, "actions": list(actions), **parameters}])

    def mouse(self, kind, x, y, buttons=0):
        actions = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}]
        if kind != "mouseMoved":
            actions.append({"type": "pointerDown" if kind == "mousePressed" else "pointerUp", "button": 0})
        self.act("pointer", "mouse", *actions, parameters={"pointerType": "mouse"})

    def touch(self, kind, *points):
        actions = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0} for x, y in points[:1]]
        if kind != "touchMove":
            actions.append({"type": "pointerDown" if kind == "touchStart" else "pointerUp", "button": 0})
        self.act("pointer", "finger", *actions, parameters={"pointerType": "touch"})

    def key(self, code, modifiers=0):
        held = [value for bit, value in ((1, "\ue00a"), (2, "\ue009"), (8, "\ue008")) if modifiers & bit]
        value = self.KEYS.get(code) or code.removeprefix("Key").removeprefix("Digit").lower()
        self.act("key", "keyboard", *({"type": "keyDown", "value": name} for name in [*held, value]),
                 *({"type": "keyUp", "value": name} for name in [value, *held]))

    def wheel(self, x, y, down):
        self.act("wheel", "wheel", {"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": down, "duration": 0})

    def drop(self, files):
        """A drag from outside cannot be made: the page gets the same events with the same files."""
        contents = [[os.path.basename(file), base64.b64encode(pathlib.Path(file).read_bytes()).decode()] for file in files]
        self.command("WebDriver:ExecuteScript", sandbox=None, args=[contents], script="""
            const data = new DataTransfer();
            for (const [name, text] of arguments[0])
              data.items.add(new File([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))], name));
            for (const kind of ["dragenter", "dragover", "drop"])
              document.getElementById("window").dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true,
                cancelable: true, clientX: 300, clientY: 300 }));""")

    def without(self, *names):
        self.prefer("lanescope.without", sum(1 << self.WITHOUT.index(name) for name in names))

    def offline(self):
        self.inside("Services.io.offline = true")

    def downloads(self, folder):
        self.prefer("browser.download.folderList", 2)
        self.prefer("browser.download.dir", str(folder))
        self.prefer("browser.download.useDownloadDir", True)
        self.prefer("browser.helperApps.neverAsk.saveToDisk", "application/json")


def wait_for(what, limit=120):
    """The first true answer. The limit in seconds only ends a test that hangs."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        try:
            found = what()
        except (OSError, ConnectionError):
            found = None
        if found:
            return found
        time.sleep(0.03)
    raise TimeoutError("waited in vain")
