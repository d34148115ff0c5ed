"""Chromium without a display, driven through DevTools, and a server for the page: standard library only."""
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
    """One tab. Its methods wait for the browser's answer."""

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

    def call(self, method, **values):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": values}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(answer["params"]["exceptionDetails"])[:2000])
            elif answer.get("method") == "Log.entryAdded" and answer["params"]["entry"]["level"] == "error":
                self.errors.append(json.dumps(answer["params"]["entry"])[:2000])
            elif answer.get("method") == "Runtime.consoleAPICalled" and answer["params"]["type"] == "error":
                self.errors.append(json.dumps(answer["params"]["args"])[:2000])
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
