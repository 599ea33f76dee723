# SPDX-License-Identifier: Apache-2.0
"""A tab of a real browser with a page in it, and what went wrong there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Page as Tab

from tests.patience import HANG_MS
from tests.tools import find_tool

ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-quic")
SIZES = {"desk": (1280, 800), "phone": (390, 844), "wide": (1440, 900)}


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window."""
    path = find_tool("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


# Elements of source lines that have text of their own which nobody can see. The sign of "run to
# this line" is shown where the pointer is.
_INVISIBLE = """() => [...document.querySelectorAll('.line *')]
  .filter((each) => !each.matches('button.run'))
  .filter((each) => [...each.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .filter((each) => getComputedStyle(each).color === 'rgba(0, 0, 0, 0)')
  .map((each) => each.textContent)"""

# True if there are arrows between tiles: nothing else is in the gap beside the first of them.
ARROWS = """() => {
  const drawn = document.querySelector('.layers canvas');
  if (!drawn || !drawn.width) return false;
  const { left, width } = drawn.getBoundingClientRect();
  const gap = document.querySelector('.layers a').getBoundingClientRect().right + 5;
  const pen = new OffscreenCanvas(1, drawn.height).getContext('2d');
  pen.drawImage(drawn, -Math.round((gap - left) * drawn.width / width), 0);
  const pixels = new Uint32Array(pen.getImageData(0, 0, 1, drawn.height).data.buffer);
  return pixels.some((one) => one !== pixels[0]);
}"""


def invisible_words(tab: Tab) -> list[str]:
    """Return what the source lines have and do not show."""
    words: list[str] = tab.evaluate(_INVISIBLE)
    return words


class Visit:
    """A tab, and what went wrong in it."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        size: str,
        scheme: str,
        ready: str = "#hart-1 g text",
    ) -> None:
        width, height = SIZES[size]
        self.errors: list[str] = []
        self.tab: Tab = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        self.tab.on("console", lambda said: self.errors.append(f"{said.type}: {said.text}"))
        self.tab.on("pageerror", lambda problem: self.errors.append(str(problem)))
        self.tab.on("request", self._requested)
        self.tab.goto(address)
        self.tab.locator(ready).first.wait_for()

    def _requested(self, request: object) -> None:
        url = request.url  # type: ignore[attr-defined]
        if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:")):
            self.errors.append(f"requests {url}")

    def waits_for(self, text: str, where: str = "#where") -> None:
        """Wait until this stands there."""
        self.tab.locator(where).filter(has_text=text).wait_for(timeout=HANG_MS)

    def is_good(self) -> None:
        """Nothing was said on the console, nothing asked of elsewhere, axe finds no fault, and
        it is no wider than the window."""
        found = Axe().run(self.tab).response["violations"]
        assert found == [], [(each["id"], each["nodes"][0]["html"]) for each in found]
        assert self.errors == []
        assert invisible_words(self.tab) == []
        width = self.tab.evaluate("document.documentElement.scrollWidth")
        assert width <= self.tab.viewport_size["width"]  # type: ignore[index]
