"""A headless Chromium for the scripts beside this one: `chromium`, or what CHROMIUM names (Debian: apt-get install
chromium)."""
import base64
import json
import os
import shutil
import subprocess
import sys
import time


class Browser:
    """Chromium by the DevTools protocol over two pipes: messages end with a zero byte."""

    def __init__(self, profile):
        program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
        if not program:
            sys.exit("no Chromium was found: install it (Debian: apt-get install chromium), or name it in CHROMIUM")
        ours, theirs = os.pipe(), os.pipe()  # (read by Chromium, written here), and the other way round

        def connect():  # its end of the pipes are 3 and 4
            ends = [os.dup(ours[0]), os.dup(theirs[1])]
            for place, end in zip((3, 4), ends):
                os.dup2(end, place)
                os.set_inheritable(place, True)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1200,1000",
             f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self.writing, self.reading = ours[1], theirs[0]
        self.rest, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def _receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.reading, 1 << 20)
            if not more:
                sys.exit("Chromium has ended")
            self.rest += more
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._receive()
            if reply.get("id") == self.number:
                if "error" in reply:
                    sys.exit(f"{method}: {reply['error']}")
                return reply["result"]
            self.events.append(reply)

    def evaluate(self, expression):
        reply = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in reply:
            sys.exit(f"{expression}: {reply['exceptionDetails']}")
        return reply["result"].get("value")

    def press(self, key, control=False):
        code = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40, "PageUp": 33, "Enter": 13, "Escape": 27, " ": 32, "s": 83}[key]
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                      modifiers=2 if control else 0)

    def write(self, text):
        """At the caret, as from a keyboard."""
        self.call("Input.insertText", text=text)

    def open(self, url, ready):
        """Loads a page and waits until `ready`, an expression, is true of it; the seconds that took."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        return self.wait(ready)

    def wait(self, condition, seconds=60):
        began = time.monotonic()
        while not self.evaluate(condition):
            if time.monotonic() - began > seconds:
                sys.exit(f"not so after {seconds} s: {condition}")
            time.sleep(0.05)
        return time.monotonic() - began

    def complaints(self, allowed=("file:", "data:", "about:")):
        """Errors on the console, and requests for anything but the page."""
        found = []
        for event in self.events:
            method, told = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(told["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
                found.append(told["entry"]["text"])
            elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning"):
                found.append(str(told["args"]))
            elif method == "Network.requestWillBeSent":
                url = told["request"]["url"]
                if not url.startswith(allowed):
                    found.append(f"a request for {url}")
        return found

    def shot(self, path):
        size = self.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True,
                         clip={"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1})["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        self.process.wait(20)
