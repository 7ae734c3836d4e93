"""A real browser, driven by Playwright: pages are opened, clicked and listened to. Nothing is downloaded for it."""

import shutil
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One page, with everything it complained about."""

    def __init__(self, page):
        self._page = page
        self.complaints = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._said)
        page.on("requestfailed", self._failed)

    def _said(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _failed(self, request):
        if request.failure != "net::ERR_ABORTED":  # a film that is no longer wanted
            self.complaints.append(f"{request.url}: {request.failure}")

    def size(self, width, height, dark=False):
        self._page.set_viewport_size({"width": width, "height": height})
        self._page.emulate_media(color_scheme="dark" if dark else "light")

    def open(self, path):
        self._page.goto(path.as_uri(), wait_until="load")

    def value(self, expression):
        """What an expression is in the page; promises are awaited."""
        return self._page.evaluate(expression)

    def until(self, expression):
        """Wait for something to become true. The test's own limit bounds it."""
        self._page.wait_for_function(expression, timeout=0)

    def picture(self):
        """A screenshot of the whole page, as PNG."""
        return self._page.screenshot(full_page=True)


@contextmanager
def browser():
    """A headless browser with a profile of its own."""
    options = ["--autoplay-policy=no-user-gesture-required"]
    with sync_playwright() as playwright:
        window = playwright.chromium.launch(executable_path=PROGRAM, args=options, chromium_sandbox=False)
        try:
            yield Browser(window.new_page())
        finally:
            window.close()
