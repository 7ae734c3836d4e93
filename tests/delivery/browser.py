"""A real browser, driven over its debugging pipe: pages are opened, clicked and listened to."""

import fcntl
import json
import os
import shutil
import subprocess
import time
from contextlib import contextmanager

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    def __init__(self, to_browser, from_browser):
        self._to, self._from = to_browser, from_browser
        self._number, self._rest = 0, b""
        self.complaints = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")

    def _ask(self, method, **params):
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if hasattr(self, "_session"):
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _next(self):
        while b"\0" not in self._rest:
            data = os.read(self._from, 1 << 20)
            assert data, "the browser is gone"
            self._rest += data
        line, self._rest = self._rest.split(b"\0", 1)
        message = json.loads(line)
        self._listen(message.get("method"), message.get("params", {}))
        return message

    def _listen(self, method, params):
        if method == "Runtime.exceptionThrown":
            self.complaints.append(params["exceptionDetails"]["exception"].get("description", ""))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.complaints.append(params["args"])
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"]["text"])
        elif method == "Network.loadingFailed" and not params.get("canceled"):
            self.complaints.append(params["errorText"])

    def size(self, width, height, dark=False):
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._ask("Emulation.setEmulatedMedia", features=scheme)

    def open(self, path):
        self._ask("Page.navigate", url=path.as_uri())
        self.until("document.readyState === 'complete'")

    def value(self, expression):
        """What an expression is in the page; promises are awaited."""
        answer = self._ask(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, expression):
        """Wait for something to become true. The test's own limit bounds it."""
        while not self.value(expression):
            time.sleep(0.05)

    def picture(self):
        """A screenshot of the whole page, as PNG."""
        import base64

        return base64.b64decode(self._ask("Page.captureScreenshot", captureBeyondViewport=True)["data"])


@contextmanager
def browser(folder):
    """A headless browser with a profile of its own under `folder`."""
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    reads, writes = (fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (theirs_in, theirs_out))
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"]
    options += [f"--user-data-dir={folder / 'profile'}", "--autoplay-policy=no-user-gesture-required"]
    script = f'exec "$0" "$@" 3<&{reads} 4>&{writes}'
    process = subprocess.Popen(
        ["bash", "-c", script, PROGRAM, *options],
        pass_fds=(reads, writes),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for end in (theirs_in, theirs_out, reads, writes):
        os.close(end)
    try:
        yield Browser(ours_out, ours_in)
    finally:
        process.terminate()
        process.wait(20)
        os.close(ours_out)
        os.close(ours_in)
