"""Headless Chromium over the DevTools protocol on a pipe, with Python's standard library alone."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


def find():
    """The path of a Chromium, or None."""
    named = os.environ.get("CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A page in a new browser, with the messages of its console in `messages`."""

    def __init__(self, *options, width=1440, height=900, mobile=False):
        self.profile = tempfile.mkdtemp(prefix="inertial-browser-")
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        keep = (to_browser, from_browser)

        def wire():
            # Chromium reads the protocol on descriptor 3 and writes it on 4.
            spare = [os.dup(number) for number in keep]
            saved = [os.dup2(number, 20 + place) for place, number in enumerate(spare)]
            os.dup2(saved[0], 3)
            os.dup2(saved[1], 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--no-first-run", "--force-color-profile=srgb", "--hide-scrollbars", f"--user-data-dir={self.profile}",
             *options, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=wire, close_fds=False)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.next = 0
        self.events = []
        self.messages = []
        self.session = None
        self.metrics = (width, height, mobile)
        self._attach(next(t["targetId"] for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"))

    def _attach(self, target):
        self.target = target
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        self.size(*self.metrics)

    def renew(self):
        """Replaces the page by a new one, with the first size and no emulation."""
        old, self.session = self.target, None
        self._attach(self.call("Target.createTarget", url="about:blank")["targetId"])
        session, self.session = self.session, None
        self.call("Target.closeTarget", targetId=old)
        self.session = session
        self.messages.clear()
        self.events.clear()

    def size(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if mobile else 1, mobile=mobile)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def _read(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                raise TimeoutError("the browser did not answer")
            piece = os.read(self.input, 1 << 20)
            if not piece:
                raise EOFError("the browser has ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def _note(self, message):
        name, facts = message.get("method"), message.get("params", {})
        if name == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(str(a.get("value", a.get("description"))) for a in facts["args"]))
        elif name == "Runtime.exceptionThrown":
            details = facts["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif name == "Log.entryAdded":
            self.messages.append(facts["entry"]["text"])
        elif name == "Network.requestWillBeSent" and not facts["request"]["url"].startswith(("file:", "about:", "blob:")):
            self.messages.append("requested " + facts["request"]["url"])
        elif name == "Page.javascriptDialogOpening":
            self.messages.append("dialog: " + facts["message"])
        self.events.append(name)

    def call(self, method, timeout=120, **parameters):
        self.next += 1
        message = {"id": self.next, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + timeout
        while True:
            answer = self._read(deadline)
            if answer.get("id") != self.next:
                self._note(answer)
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def open(self, path, fragment=""):
        self.events.clear()
        url = path if path.startswith("about:") else "file://" + os.path.abspath(path) + fragment
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + 120
        while "Page.loadEventFired" not in self.events:
            self._note(self._read(deadline))

    def run(self, script):
        """The value of an expression, a promise's when it is there."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def key(self, key, code=None, text=None, shift=False):
        facts = {"key": key, "code": code or key, "modifiers": 8 if shift else 0}
        if text:
            facts["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown", **facts)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code or key)

    def drag(self, x0, y0, x1, y1, shift=False):
        common = {"button": "left", "clickCount": 1, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x0, y=y0, buttons=1, **common)
        for step in range(1, 6):
            self.call("Input.dispatchMouseEvent", type="mouseMoved", buttons=1, x=x0 + (x1 - x0) * step / 5,
                      y=y0 + (y1 - y0) * step / 5, button="left", modifiers=8 if shift else 0)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=x1, y=y1, buttons=0, **common)

    def move(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def picture(self, path, full=False):
        shown = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shown["data"]))

    def paper(self, path):
        shown = self.call("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shown["data"]))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close", timeout=10)
        except (TimeoutError, EOFError, OSError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.output)
        os.close(self.input)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
