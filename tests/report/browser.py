"""A headless Chromium, driven by the DevTools protocol through two pipes: no driver and no port is needed."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
]


def find_browser() -> str | None:
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page of a browser; what it writes to its console, and what goes wrong in it, is in `complaints`."""

    def __init__(self, seconds: float = 60):
        self.seconds, self.number, self.buffer = seconds, 0, b""
        self.complaints: list[str] = []
        self.folder = tempfile.mkdtemp(prefix="browser-")
        to_browser, self.writer = _pipe()
        self.reader, from_browser = _pipe()
        command = [find_browser(), *FLAGS, f"--user-data-dir={self.folder}", "about:blank"]
        self.process = _spawn(command, to_browser, from_browser)
        self.session = None
        (target,) = [t for t in self.send("Target.getTargets")["targetInfos"] if t["type"] == "page"] or [None]
        self.session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def close(self):
        os.kill(self.process, signal.SIGTERM)
        os.waitpid(self.process, 0)
        os.close(self.writer)
        os.close(self.reader)
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self.number:
                assert "error" not in answer, f"{method}: {answer.get('error')}"
                return answer["result"]

    def _receive(self):
        deadline = time.monotonic() + self.seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.reader], [], [], max(0, deadline - time.monotonic()))
            assert ready, "the browser does not answer"
            self.buffer += os.read(self.reader, 2**20)
        text, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(text)
        self._listen(message.get("method"), message.get("params", {}))
        return message

    def _listen(self, event, params):
        if event == "Runtime.exceptionThrown":
            self.complaints.append(str(params["exceptionDetails"].get("exception", params)))
        elif event == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"]["text"])
        elif event == "Runtime.consoleAPICalled":
            self.complaints.append(str(params["args"]))
        elif event == "Network.requestWillBeSent" and not params["request"]["url"].startswith(("file:", "data:")):
            self.complaints.append(f"asks for {params['request']['url']}")
        elif event == "Page.loadEventFired":
            self.loaded = True

    def open(self, path: Path, width: int = 1000, *, dark: bool = False):
        """Load a file, at a width in pixels."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.loaded = False
        self.send("Page.navigate", url=Path(path).resolve().as_uri())
        while not self.loaded:
            self._receive()

    def run(self, script: str):
        """The value of a JavaScript expression."""
        found = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def screenshot(self, path: Path, *, top: int = 0, height: int | None = None):
        """The page from `top` on, as PNG; to its end without a `height`."""
        whole = self.run("({width: innerWidth, height: document.documentElement.scrollHeight})")
        clip = {"x": 0, "y": top, "width": whole["width"], "height": height or whole["height"] - top, "scale": 1}
        found = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        Path(path).write_bytes(base64.b64decode(found["data"]))


def _pipe():
    """Two ends, above the descriptors that the browser reads from and writes to, 3 and 4."""
    ends = os.pipe()
    moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return moved


def _spawn(command, to_browser, from_browser):
    quiet = [(os.POSIX_SPAWN_OPEN, place, os.devnull, os.O_RDWR, 0) for place in (0, 1, 2)]
    pipes = [(os.POSIX_SPAWN_DUP2, to_browser, 3), (os.POSIX_SPAWN_DUP2, from_browser, 4)]
    process = os.posix_spawn(command[0], command, os.environ, file_actions=[*quiet, *pipes])
    os.close(to_browser)
    os.close(from_browser)
    return process
