# SPDX-License-Identifier: Apache-2.0
"""The page in a real browser: Chromium drives it against the kernel and the demo."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Page as Tab

from tests.gdbstub.web.conftest import DEMO, Open
from tests.tools import find_tool

ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-quic")
SIZES = {"desk": (1280, 800), "phone": (390, 844)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = find_tool("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


class Visit:
    """A tab, and what went wrong in it."""

    def __init__(self, browser: Browser, address: str, size: str, scheme: str) -> None:
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
        self.tab.locator("#hart-1 text").nth(1).wait_for()

    def _requested(self, request: object) -> None:
        url = request.url  # type: ignore[attr-defined]
        if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:")):
            self.errors.append(f"requests {url}")

    def waits_for(self, text: str, where: str = "#where") -> None:
        """Wait until this stands there."""
        self.tab.locator(where).filter(has_text=text).wait_for(timeout=20_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_kernel(
    browser: Browser, open_page: Open, programs: list[str], scheme: str, tmp_path: Path
) -> None:
    with open_page(*programs) as page:
        visit = Visit(browser, page.address, "desk", scheme)
        tab = visit.tab
        tab.click("#record")
        visit.waits_for("history: 0 to", "#span")
        tab.fill("#gate-text", "PACR")
        tab.press("#gate-text", "Enter")
        visit.waits_for("gate   PACR", "#gates")
        tab.click("#continue")
        visit.waits_for("PACR")
        tab.locator("#gate-2.shown, #gate-2").click()
        visit.waits_for("T2 pack", "#details-title")
        held = "\n".join(tab.locator("#gate-2 text").all_text_contents())
        assert "PACR from" in held
        tab.locator(".line.here").wait_for()
        tab.locator("#dst-0").click()
        visit.waits_for("faces at rows 0, 16, 32, 48", "#details-text")
        cycle = int(str(tab.locator("#slider").input_value()))
        tab.locator("#slider").evaluate("(it) => { it.value = 100; it.onchange; }")
        tab.locator("#slider").dispatch_event("change")
        visit.waits_for("cycle 100,")
        assert cycle > 100
        tab.click("#timeline summary")
        visit.waits_for("cycles 0 to 1000", "#timeline-text")
        tab.click("#whole")
        visit.waits_for(f"cycles 0 to {cycle}", "#timeline-text")
        tab.click("#zoom-in")
        visit.waits_for(f"cycles {cycle // 4} to", "#timeline-text")
        tab.locator("#timeline-canvas").click(position={"x": 700, "y": 40})
        tab.locator("#where").filter(has_not_text="cycle 100,").wait_for()
        tab.screenshot(path=tmp_path / f"{scheme}.png")
        found = Axe().run(tab).response["violations"]
        assert found == [], [(each["id"], each["nodes"][0]["html"]) for each in found]
        assert visit.errors == []
        tab.close()


def test_the_demo_with_keys_on_a_phone(browser: Browser, open_page: Open, tmp_path: Path) -> None:
    folder = tmp_path / ("afolderofthislength" * 5)  # its name has no place to break a line
    shutil.copytree(DEMO, folder)
    with open_page("--dir", str(folder)) as page:
        visit = Visit(browser, page.address, "phone", "light")
        tab = visit.tab
        tab.locator("#hart-1").focus()
        tab.keyboard.press("Enter")
        visit.waits_for("pc 00006000", "#details-text")
        tab.keyboard.press("i")
        visit.waits_for("pc 00006004", "#details-text")
        tab.locator(".line button.code").first.click()
        tab.locator(".line button.set").first.wait_for()
        tab.fill("#monitor-text", "why")
        tab.press("#monitor-text", "Enter")
        visit.waits_for("> monitor why", "#text")
        width = tab.evaluate("document.documentElement.scrollWidth")
        assert width <= SIZES["phone"][0]
        assert Axe().run(tab).response["violations"] == []
        assert visit.errors == []
        tab.close()


def test_the_server_goes_and_the_page_says_so(
    browser: Browser, open_page: Open, demo: list[str]
) -> None:
    with open_page(*demo) as page:
        visit = Visit(browser, page.address, "desk", "light")
    visit.waits_for("the server is gone")
    visit.tab.close()
