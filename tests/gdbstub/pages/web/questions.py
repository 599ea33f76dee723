# SPDX-License-Identifier: Apache-2.0
"""Questions to the page of a hang: `python -m tests.gdbstub.pages.web.questions [CHIP.html...]`.

CHIP.html is a shared page of several tiles of which one is stuck or has a wrong result, as `ttnn
--share` writes it of scripts/examples/ttnn/chip_fails.py: it is asked for the tile and the value.

It prints how many clicks lead from the page as it opens to the answer, whether the answer is in
view, and the seconds.

A script asks, no reader: it knows where to look. So the clicks are the fewest, and the seconds are
those of the page.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page as Tab

from scripts.examples.tensix.sessions import FOLDER, SESSIONS
from tests.gdb.harness import serve
from tests.gdbstub.pages.web.page import Page
from tests.gdbstub.pages.web.visit import Visit, chromium
from tests.patience import HANG_MS


class Question(NamedTuple):
    """A question, what is clicked or pointed at, and where the answer stands then."""

    text: str
    clicks: tuple[str, ...]
    points: str
    where: str
    answer: str


QUESTIONS = (
    Question("What is T2 waiting for?", (), "", "#where", "semaphore 1 is 0 until it is posted"),
    Question("Who wrote this value of a GPR?", ("#gate-1", '[data-place="gpr T1 4"]'), "",
             "#origin-tree", "hang.c:11"),
    Question("Which line is T2 at?", ("#hart-3",), "", "#source-title", "tensix.h:3"),
    Question("What is in the queue before its gate?", (), "#front-2", "#tip", "FIFO B: 8 of 8"),
    Question("How often was semaphore 2 posted?", (), "", "#semaphore-2", "4 of 2"),
)  # fmt: skip
STUCK = Question("Which tile is stuck?", (), "a[data-tone=waits]", "#tip", "polls cb 0 for pages")
WRONG = Question("Which value is wrong?", (), "", "#where", "and 55 is expected")
WRITER = Question("Which tile has written it?", (), "a[data-tone=wrong]", "#tip", "tile 4-6")
OF_CHIP = (STUCK, WRONG, WRITER)
IN_VIEW = """(it) => { const {top, bottom} = it.getBoundingClientRect();
  return top < innerHeight - 20 && bottom > 0 && it.getClientRects().length > 0; }"""


def ask(tab: Tab, question: Question) -> tuple[int, bool, float]:
    """Return clicks, whether the answer is in view, and seconds."""
    tab.reload()
    is_chip = question in OF_CHIP
    where, said = ("h1", "Tensix chip") if is_chip else ("#where", "nothing can move")
    tab.locator(where).filter(has_text=said).wait_for(timeout=HANG_MS)
    start = time.perf_counter()
    for click in question.clicks:
        tab.locator(click).click()
    if question.points:
        tab.hover(question.points)
    found = tab.locator(question.where).filter(has_text=question.answer)
    found.wait_for(timeout=HANG_MS)
    return len(question.clicks), found.evaluate(IN_VIEW), time.perf_counter() - start


def each(say: Callable[[str], None], *chips: Path) -> None:
    """Ask all of them."""

    def told(tab: Tab, question: Question) -> None:
        clicks, is_in_view, seconds = ask(tab, question)
        where = "in view" if is_in_view else "below"
        say(f"{clicks} clicks  {where}  {seconds:.1f} s  {question.text}")

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in ("hang.c", "tensix.h"):
            shutil.copy(FOLDER / source, folder)
        elfs = SESSIONS[0].elfs(folder)
        programs = [f"--elf={hart.lower()}={path}" for hart, path in elfs.items()]
        with serve({}, *programs, "--record", "--web") as server, chromium() as browser:
            visit = Visit(browser, Page(server).address, "desk", "light")
            visit.tab.click("#continue")
            visit.waits_for("has ended")
            visit.tab.click("#continue")
            for question in QUESTIONS:
                told(visit.tab, question)
            for chip in chips:
                tab = browser.new_page(viewport={"width": 1280, "height": 800})
                tab.goto(chip.absolute().as_uri())
                tab.locator("a[data-tone]").first.wait_for(timeout=HANG_MS)
                is_wrong = tab.locator("a[data-tone=wrong]").count() > 0
                for question in (WRONG, WRITER) if is_wrong else (STUCK,):
                    told(tab, question)


if __name__ == "__main__":
    each(print, *map(Path, sys.argv[1:]))
