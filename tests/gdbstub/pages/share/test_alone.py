# SPDX-License-Identifier: Apache-2.0
"""A shared file in a browser, in a folder with nothing else: from the hang back to its cause."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.patience import HANG_MS

pytestmark = pytest.mark.long("test_share.py reads the data of the file")


# The points of the timeline that have the colour of races.
RED = """() => {
  const canvas = document.getElementById('timeline-canvas');
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const pen = Object.assign(document.createElement('canvas'), {width: 1, height: 1});
  const one = pen.getContext('2d');
  one.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--race');
  one.fillRect(0, 0, 1, 1);
  const wanted = one.getImageData(0, 0, 1, 1).data;
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    count += [0, 1, 2].every((each) => data[i + each] === wanted[each]);
  }
  return count;
}"""


def opened(browser: Browser, page: Path, ready: str) -> tuple[Page, list[str]]:
    """A tab with the file, and what went wrong in it."""
    problems: list[str] = []
    tab = browser.new_page(viewport={"width": 1280, "height": 800})
    tab.on("console", lambda said: problems.append(said.text))
    tab.on("pageerror", lambda problem: problems.append(str(problem)))
    tab.on("request", lambda asked: asked.url == page.as_uri() or problems.append(asked.url))
    tab.goto(page.as_uri())
    tab.locator(ready).first.wait_for()
    return tab, problems


def test_back_to_the_cause(browser: Browser, bug: Path) -> None:
    assert list(bug.parent.iterdir()) == [bug]
    tab, problems = opened(browser, bug, "#hart-3 g text")
    tab.locator("#gate-2").click()
    tab.locator("#details-text").filter(has_text="semaphore 1 is 0 until it is posted").wait_for()
    tab.locator("#text").filter(has_text="nothing can move any more").wait_for()
    tab.hover("#front-2")
    tip = tab.locator("#tip").text_content() or ""
    assert "FIFO B: 8 of 8" in tip
    assert tip.count("SETDMAREG.Immediate new_value=0x5678") >= 1
    assert tab.locator("#bank-0 rect.v-zero").count() == 1
    assert tab.locator("#names").text_content() == "hang-t1.elf 0xa000hang-t2.elf 0xe000"
    tab.select_option("#thread", label="T2")
    tab.locator("#cycle").filter(has_text="cycle 357").wait_for()
    # Back, event by event, to where T1 posts the other semaphore: its pushes are in one cycle.
    tab.locator("#hart-2").click()
    line = tab.locator("#source-title").filter(has_text="hang.c:11")
    for _ in range(60):
        if line.count():
            break
        tab.click("#stepi-back")
    line.wait_for()
    assert "SEMPOST(S2)" in str(tab.locator(".line.here + .line").text_content())
    assert "in the past" in str(tab.locator("#where").text_content())
    tab.locator("#side").get_by_role("button", name="close").click()
    tab.click("#continue")
    tab.locator("#cycle").filter(has_text="cycle 357").wait_for()
    tab.select_option("#speed", "1000")
    tab.click("#play")
    expect(tab.locator("#play")).to_have_text("play", timeout=HANG_MS)
    tab.locator("#cycle").filter(has_text="cycle 357").wait_for()
    assert "nothing can move" in str(tab.locator("#marks .mark-fault").get_attribute("title"))
    tab.fill("#monitor-text", "why")
    tab.press("#monitor-text", "Enter")
    tab.locator("#text").filter(has_text="> monitor why").wait_for()
    tab.click("#origins summary")
    tab.fill("#origin-text", "gpr T1 4")
    tab.press("#origin-text", "Enter")
    tab.locator("#origin-tree").filter(has_text="hang.c:11").wait_for()
    tab.fill("#origin-text", "gpr T1 5")
    tab.press("#origin-text", "Enter")
    tab.locator("#origin-said").filter(has_text="--origin 'gpr T1 5'").wait_for()
    assert Axe().run(tab).response["violations"] == []
    assert problems == []
    tab.close()


# The drawing of a chip, which a shared file makes itself.
DRAWN = "document.querySelector('.layers canvas').toDataURL()"


def test_a_chip(browser: Browser, of_chip: Path) -> None:
    tab, problems = opened(browser, of_chip, "#tile-1-2")
    before = tab.locator("#event").text_content()
    tab.get_by_role("button", name="back one event").click()
    assert tab.locator("#event").text_content() != before
    drawn = tab.evaluate(DRAWN)
    tab.hover("#tile-2-2")
    tab.wait_for_function(f"drawn => {DRAWN} !== drawn", arg=drawn)  # its own arrows
    tab.mouse.move(1, 1)
    tab.wait_for_function(f"drawn => {DRAWN} === drawn", arg=drawn)
    only_ends = tab.locator("a[aria-label*='this file has only the end of this tile']")
    assert "tile-2-2" not in only_ends.evaluate_all("all => all.map((one) => one.id)")
    tab.locator("#tile-2-2").click()
    tab.locator("#hart-0 g text").first.wait_for()
    assert "Tensix tile 2-2" in str(tab.locator("h1").text_content())
    tab.locator("#hart-0").click()
    tab.locator("#details-text").filter(has_text="registers").wait_for()
    tab.locator("#marks .mark-race").first.wait_for(state="attached")
    tab.locator("#race-list button").first.click()  # the timeline is open: there are races
    tab.locator("#text").filter(has_text="Would order them").wait_for()
    assert tab.evaluate(RED) > 20  # its arrow
    tab.click("#chip")
    tab.locator("#tile-1-3").wait_for()
    assert [one for one in problems if not one.startswith(of_chip.as_uri())] == []
    tab.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_plan_is_whole_beside_the_panel(browser: Browser, quiet: Path, scheme: str) -> None:
    """Lines lead from what is held to what would release it; the reason stays in view."""
    tab, problems = opened(browser, quiet, "#hart-3 g text")
    tab.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    if tab.evaluate("document.documentElement.dataset.theme") != scheme:
        tab.click("#theme")
    tab.locator("#gate-2").click()
    tab.locator("#details-text").filter(has_text="semaphore 1 is 0").wait_for()
    ends = tab.locator("#held path.release").evaluate_all(
        "all => all.map((one) => one.dataset.ends)"
    )
    assert ends == ["gate-2 semaphore-1", "hart-3 gate-2"]
    for width in (1280, 1440, 1920):
        tab.set_viewport_size({"width": width, "height": 900})
        shown, whole = tab.evaluate(
            "(() => { const it = document.getElementById('floor');"
            " return [it.clientWidth, it.scrollWidth]; })()"
        )
        assert whole <= shown
        tab.evaluate("window.scrollTo(0, 600)")
        box = tab.locator("#where").bounding_box()
        assert box is not None
        assert 0 <= box["y"] < 60
        tab.evaluate("window.scrollTo(0, 0)")
    tab.set_viewport_size({"width": 390, "height": 844})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    assert "T2 pack: semaphore 1 is 0 until it is posted" in str(
        tab.locator("#where").text_content()
    )
    assert Axe().run(tab).response["violations"] == []
    assert problems == []
    tab.close()
