# SPDX-License-Identifier: Apache-2.0
"""The page in a real browser: Chromium drives it against a kernel and the demo."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.gdbstub.pages.web.conftest import DEMO, Open
from tests.gdbstub.pages.web.visit import Visit, chromium

TOP, ROW = 28, 17  # of the timeline's canvas
WAITS = re.compile(r"^T\d \w+ [A-Z0-9]+:.* waits \d+ cycles until ")
LINE = re.compile(r"^cycle \d+, .*: .*\w\.[ch]\w*:\d+")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


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
        visit.waits_for("1  gate   PACR", "#gates")
        tab.click("#continue")
        visit.waits_for("PACR")
        tab.locator("#gate-2").click()
        visit.waits_for("T2 pack", "#details-title")
        held = "\n".join(tab.locator("#gate-2 text").all_text_contents())
        assert "PACR from" in held
        tab.locator(".line.here").wait_for()
        tab.locator("#dst-0").click()
        visit.waits_for("faces at rows 0, 16, 32, 48", "#details-text")
        assert tab.locator(".matrix rect").count() == 32 * 32
        tab.locator("#bank-0").click()
        visit.waits_for("SrcA bank 0", "#details-title")
        tab.locator("#lreg-3").click()
        visit.waits_for("LReg 3", "#details-title")
        tab.locator("#unit-matrix-unit").click()
        visit.waits_for("passed its gate in cycle", "#details-text")
        tab.locator("#l1").focus()
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("Enter")
        visit.waits_for("L1 0x400 to 0x7ff", "#details-text")
        tab.locator(".words button").first.click()
        visit.waits_for("unchanged up to cycle", "#word")
        visit.is_good()
        tab.keyboard.press("Escape")
        cycle = int(str(tab.locator("#slider").input_value()))
        tab.locator("#slider").evaluate("(it) => { it.value = 100; }")
        tab.locator("#slider").dispatch_event("change")
        visit.waits_for("cycle 100,", "#cycle")
        assert cycle > 100
        tab.click("#timeline summary")
        visit.waits_for("cycles 0 to 1000", "#timeline-text")
        tab.click("#whole")
        visit.waits_for(f"cycles 0 to {cycle}", "#timeline-text")
        tab.click("#zoom-in")
        visit.waits_for(f"cycles {cycle // 4} to", "#timeline-text")
        canvas = tab.locator("#timeline-canvas")
        canvas.click(position={"x": 700, "y": 40})
        tab.locator("#cycle").filter(has_not_text="cycle 100,").wait_for()
        height = (canvas.bounding_box() or {})["height"]
        for y in range(TOP, int(height) - 4, ROW):  # each row says the cycle, and a line
            canvas.hover(position={"x": 700, "y": y})
            assert LINE.search(tab.locator("#timeline-text").text_content() or "")
        canvas.hover(position={"x": 700, "y": 40})
        tab.keyboard.down("Control")
        tab.mouse.wheel(0, -200)
        tab.keyboard.up("Control")
        tab.locator("#timeline-text").filter(has_not_text=f"cycles {cycle // 4} to").wait_for()
        tab.click("#gates button")
        visit.waits_for("none", "#gates")
        tab.click("#continue")
        visit.waits_for("has ended", "#where")
        tab.click("#whole")
        tab.locator("#hart-3").click()  # in its source: what the lines have waited for
        tab.locator(".line.waits").filter(has_text=WAITS).first.wait_for()
        tab.screenshot(path=tmp_path / f"{scheme}.png")
        visit.is_good()
        tab.close()


@pytest.mark.long("test_chip.py and tests/gdbstub/pages/share drive Chromium")
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
        tab.locator(".line button.code").last.scroll_into_view_if_needed()
        tab.fill("#monitor-text", "why")
        tab.press("#monitor-text", "Enter")
        visit.waits_for("> monitor why", "#text")
        visit.is_good()
        tab.close()


def test_run_to_a_line(browser: Browser, open_page: Open, demo: list[str]) -> None:
    with open_page(*demo) as page:
        visit = Visit(browser, page.address, "desk", "dark")
        tab = visit.tab
        tab.locator("#hart-1").click()
        tab.locator(".line.here ~ .line button.run").nth(1).click()
        visit.waits_for("at a breakpoint")  # B has the same line, and comes first
        visit.is_good()
        tab.close()


def test_the_server_goes_and_the_page_says_so(
    browser: Browser, open_page: Open, demo: list[str]
) -> None:
    with open_page(*demo) as page:
        visit = Visit(browser, page.address, "desk", "light")
    visit.waits_for("the server is gone")
    visit.tab.close()
