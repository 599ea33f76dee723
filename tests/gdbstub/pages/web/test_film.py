# SPDX-License-Identifier: Apache-2.0
"""The history as a film in a real browser: it plays, pauses, and has marks for what happened."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page as Tab
from playwright.sync_api import expect

from scripts.examples.c10.race import KERNEL
from tests.gdbstub.pages.web.conftest import Open
from tests.gdbstub.pages.web.visit import Visit, chromium
from tests.patience import HANG_MS
from tests.programs.build import build


def cycle_of(tab: Tab) -> int:
    """The cycle that the page shows."""
    found = re.match(r"cycle (\d+)", str(tab.locator("#cycle").text_content()))
    assert found
    return int(found[1])


def test_it_plays_the_last_cycles(open_page: Open, tmp_path: Path) -> None:
    elf = tmp_path / "no-wait.elf"
    build(KERNEL, "T0", elf, defines=("WAIT=0",))
    with chromium() as browser, open_page("--elf", f"t0={elf}", "--races", "--record") as page:
        visit = Visit(browser, page.address, "desk", "light")
        tab = visit.tab
        tab.click("#continue")
        visit.waits_for("history: 0 to", "#span")
        tab.locator("#marks .mark-stop").wait_for(timeout=HANG_MS)
        expect(tab.locator("#marks .mark-race")).to_have_count(1, timeout=HANG_MS)
        end = cycle_of(tab)
        tab.select_option("#speed", "1000")
        tab.click("#play")
        expect(tab.locator("#play")).to_have_text("play", timeout=HANG_MS)  # it has come to the end
        expect(tab.locator("#cycle")).to_contain_text(f"cycle {end}", timeout=HANG_MS)
        tab.select_option("#speed", "1")
        tab.keyboard.press("Escape")
        tab.locator("#marks .mark-race").click()
        tab.locator("#where").filter(has_text="in the past").wait_for(timeout=HANG_MS)
        assert cycle_of(tab) < end
        tab.locator("#slider").evaluate("(it) => { it.value = 3; }")
        tab.locator("#slider").dispatch_event("change")
        expect(tab.locator("#cycle")).to_contain_text("cycle 3,", timeout=HANG_MS)
        said = tab.locator("#text").text_content()
        tab.locator("#floor").press("p")
        expect(tab.locator("#play")).to_have_text("pause")
        expect(tab.locator("#cycle")).not_to_contain_text("cycle 3,", timeout=HANG_MS)
        tab.locator("#floor").press("p")
        expect(tab.locator("#play")).to_have_text("play")
        assert 3 < cycle_of(tab) < end
        assert tab.locator("#text").text_content() == said  # it says nothing of each cycle
        visit.is_good()
        tab.screenshot(path=tmp_path / "film.png")
