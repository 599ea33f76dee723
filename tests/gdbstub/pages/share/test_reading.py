# SPDX-License-Identifier: Apache-2.0
"""A shared page as a reader meets it: nothing moves on a click, no text is cut, a place of the
source in a text shows its line, and no click is offered that leads nowhere."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import Page as Tab

from tensix_gdb.gdbstub.pages.share.first_origins import SECONDS, first_origins, wanted
from tensix_gdb.gdbstub.pages.web.page_state import Page
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.output.recording import history_of
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.gdbstub.pages.share.test_alone import opened


@pytest.fixture
def page(quiet: Path) -> Path:
    return quiet


PLACES = """() => ['#top', '#continue', '#stepi-back', '#slider', '#gate-2', '#semaphore-1', '#l1']
  .map((one) => document.querySelector(one).getBoundingClientRect())
  .map(({x, y, width, height}) => [x, y, width, height].map(Math.round))"""
TEXTS = "#details-text pre, #details-text table, #text, #reason"
CUT = """(texts) => [...document.querySelectorAll(texts)]
  .filter((one) => one.getClientRects().length)
  .filter((one) => one.scrollWidth > one.clientWidth + 1 ||
    one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right + 1)
  .map((one) => `${one.id} ${one.textContent.slice(0, 60)}`)"""


@pytest.mark.parametrize("width", [1280, 1440, 1920])
def test_nothing_moves_on_a_click(browser: Browser, page: Path, width: int) -> None:
    tab, problems = opened(browser, page, "#hart-3 g text")
    tab.set_viewport_size({"width": width, "height": 800})
    before = tab.evaluate(PLACES)
    assert "Click a box" in str(tab.locator("#empty").text_content())
    for box in ("#gate-2", "#gate-1", "#hart-3", "#semaphore-2"):
        tab.locator(box).click()
        tab.locator("#details-text pre").first.wait_for()
        assert tab.evaluate(PLACES) == before
    tab.get_by_role("button", name="close").click()
    assert tab.evaluate(PLACES) == before
    tab.click("#back")  # another sentence in the header
    assert tab.evaluate(PLACES) == before
    assert problems == []
    tab.close()


def test_texts_wrap(browser: Browser, page: Path) -> None:
    tab, _ = opened(browser, page, "#hart-3 g text")
    for box in ("#front-2", "#gate-2", "#hart-2", "#semaphore-2", "#unit-scalar-unit"):
        tab.locator(box).click()
        tab.locator("#details-text pre").first.wait_for()
        assert tab.evaluate(CUT, TEXTS) == []
    tab.close()


def shows(tab: Tab, line: str, text: str) -> None:
    tab.locator("#source-title").filter(has_text=line).wait_for()
    assert text in str(tab.locator(".line.here code").text_content())


def test_a_place_in_a_text_shows_its_line(browser: Browser, page: Path) -> None:
    tab, problems = opened(browser, page, "#hart-3 g text")
    tab.locator("#reason button.place").filter(has_text="hang.c:12").click()
    shows(tab, "hang.c:12", "SEMPOST(S2)")
    tab.get_by_role("button", name="close").click()
    tab.locator("#text button.place").filter(has_text="hang.c:26").click()
    shows(tab, "hang.c:26", "SEMWAIT_WHILE_0(S1)")
    tab.locator("#front-2").click()
    tab.locator("#details-text button.place").filter(has_text="hang.c:28").first.click()
    shows(tab, "hang.c:28", "SEMGET(S1)")
    tab.locator("#hart-3").click()
    tab.locator("#details-text button.place").filter(has_text="hang.c:35").click()
    shows(tab, "hang.c:35", "wait_for_tensix()")
    assert "crt0.S:38" in str(tab.locator("#details-text").text_content())
    assert tab.locator("button.place").filter(has_text="crt0.S").count() == 0  # it is not here
    assert problems == []
    tab.close()


def test_the_wait_comes_before_what_it_holds(browser: Browser, page: Path) -> None:
    tab, _ = opened(browser, page, "#hart-3 g text")
    lines = [text for text in tab.locator("#gate-2 g text").all_text_contents() if text.strip()]
    assert lines[0].startswith("SEMWAIT")
    assert next(line for line in lines if "SETDMAREG" in line).startswith("holds")
    tab.locator("#gate-2").click()
    shows(tab, "hang.c:26", "SEMWAIT_WHILE_0(S1)")
    why = str(tab.locator("#details-text").text_content())
    assert "11 instructions wait before the gate, with the held one" in why
    queues = " ".join(tab.locator("#front-2 text").all_text_contents())
    assert "FIFO A 1/32 FIFO B 8/8 FIFO C 2/2" in queues
    tab.locator("#hart-3").click()
    shows(tab, "tensix.h:35", "*(volatile u32 *)0xffe80004")  # as its `why` says
    assert tab.locator("#semaphore-2 .mark").text_content() == "!"  # 4 of 2
    assert tab.locator("#semaphore-1 .mark").count() == 0
    tab.close()


def test_a_click_is_offered_where_the_file_has_the_origin(browser: Browser, page: Path) -> None:
    tab, problems = opened(browser, page, "#hart-3 g text")
    tab.locator("#gate-1").click()
    tab.locator("#details-text caption").filter(has_text="select one: its origin").wait_for()
    assert tab.locator("[data-place]").count() == 1  # the others are 0
    before = tab.evaluate(PLACES)
    tab.locator('[data-place="gpr T1 4"]').click()
    tab.locator("#origin-tree").filter(has_text="hang.c:11").wait_for()
    assert tab.evaluate(PLACES) == before
    tab.click("#stepi-back")  # the file has the origins of the end
    tab.locator("#details-text caption").filter(has_not_text="origin").wait_for()
    assert tab.locator("[data-place]").count() == 0
    tab.locator("#hart-3").click()
    tab.locator("#details-text caption").filter(has_text="registers of T2").wait_for()
    assert "origin" not in str(tab.locator("#details-text caption").text_content())
    assert problems == []
    tab.close()


def test_the_first_origins_have_a_limit(hang: Path) -> None:
    machine, history, _ = history_of(str(hang / "run.rec"), "reference")
    with contextlib.closing(machine):
        tile = SharedTile(tensix_target(machine, history=history))
        page = Page.of_tile(Server(tile), tile, machine)
        with contextlib.closing(page.timelines):
            assert list(wanted(machine)) == ["sem 1", "sem 2", "gpr T1 4"]
            now = 0.0
            ask = page.timelines.origin_now

            def asked(words: list[str], *rest: Any) -> Any:
                """The search of the first takes all of the time."""
                nonlocal now
                found = ask(words, *rest)
                now = SECONDS
                return found

            page.timelines.origin_now = asked  # type: ignore[method-assign]
            assert list(first_origins(page, {"sem 1": {}}, lambda: now)) == ["sem 2"]


def test_the_changes_of_a_semaphore(browser: Browser, page: Path) -> None:
    """Each with its cycle, its thread and its line, and a way there."""
    tab, problems = opened(browser, page, "#hart-3 g text")
    tab.locator("#semaphore-2").click()
    changes = tab.locator("#changes li")
    changes.first.wait_for()
    assert changes.all_text_contents() == [
        f"cycle {cycle} {what}"
        for cycle, what in (
            (85, "4, T1 math: SEMPOST sem=S2 from hang.c:12"),
            (79, "3, T1 math: SEMPOST sem=S2 from hang.c:12"),
            (73, "2, T1 math: SEMPOST sem=S2 from hang.c:12"),
            (63, "1, T1 math: SEMPOST sem=S2 from hang.c:12"),
            (
                40,
                "the same value, T1 math: SEMINIT new_max=2, new_value=0, sem=S1|S2 from hang.c:17",
            ),
        )
    ]
    tab.locator("#changes button").filter(has_text="cycle 73").click()
    tab.locator("#cycle").filter(has_text="cycle 73").wait_for()
    tab.locator("#changes button").filter(has_text="cycle 85").wait_for()  # still there
    tab.locator("#semaphore-1").click()
    tab.locator("#changes li").filter(has_text="cycle 40").wait_for()
    assert tab.locator("#changes li").count() == 1  # nothing has posted it
    assert problems == []
    tab.close()
