# SPDX-License-Identifier: Apache-2.0
"""Pictures to look at: `python -m tests.gdbstub.pages.web.looks FOLDER [SITUATION...]`.

Eight situations, each in both themes and at four widths: FOLDER/SITUATION-THEME-WIDTH.png. What is
wider than its window, or has a text that is cut, is printed.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from playwright.sync_api import Browser
from playwright.sync_api import Page as Tab

from scripts.examples.c10.race import KERNEL
from scripts.examples.counted import kernel
from scripts.examples.tensix.sessions import FOLDER, SESSIONS
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tests.gdb.harness import serve
from tests.gdbstub.pages.web.page import Page
from tests.gdbstub.pages.web.smooth import running
from tests.gdbstub.pages.web.visit import ARROWS, Visit, chromium
from tests.patience import HANG_MS
from tests.programs.build import PROGRAMS, build

WIDTHS = {"1280": (1280, 800), "1440": (1440, 900), "1920": (1920, 1080), "phone": (390, 844)}
THEMES = ("light", "dark")
# The texts of HTML that are cut where nothing scrolls.
CUT = """() => [...document.querySelectorAll('button, label, h1, h2, p, summary, a, output, .pill')]
  .filter((one) => one.getClientRects().length && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => getComputedStyle(one).overflowX !== 'visible')
  .map((one) => `${one.id || one.className || one.tagName}: ${one.textContent.slice(0, 60)}`)"""
WIDER = "document.documentElement.scrollWidth > innerWidth"


@contextmanager
def _live(browser: Browser, *words: str) -> Iterator[Tab]:
    """The page of a server that records, run to its end."""
    with serve({}, *words, "--record", "--web") as server:
        visit = Visit(browser, Page(server).address, "desk", "light")
        visit.tab.click("#continue")
        yield visit.tab
        visit.tab.close()


def _hang_in(folder: Path) -> list[str]:
    for source in ("hang.c", "tensix.h"):
        shutil.copy(FOLDER / source, folder)
    elfs = SESSIONS[0].elfs(folder)
    return [f"--elf={hart.lower()}={path}" for hart, path in elfs.items()]


def _has(tab: Tab, where: str, text: str) -> None:
    tab.locator(where).filter(has_text=text).first.wait_for(timeout=HANG_MS)


@contextmanager
def _hang(browser: Browser, folder: Path) -> Iterator[Tab]:
    with _live(browser, *_hang_in(folder)) as tab:
        _has(tab, "#where", "has ended")
        tab.click("#continue")
        _has(tab, "#where", "nothing can move")
        yield tab


@contextmanager
def _gate(browser: Browser, folder: Path) -> Iterator[Tab]:
    with _hang(browser, folder) as tab:
        tab.locator("#gate-2").click()
        _has(tab, "#details-text", "semaphore 1 is 0")
        yield tab


@contextmanager
def _origin(browser: Browser, folder: Path) -> Iterator[Tab]:
    with _hang(browser, folder) as tab:
        tab.locator("#gate-1").click()
        tab.locator('[data-place="gpr T1 4"]').click()
        _has(tab, "#origin-tree", "hang.c:11")
        yield tab


@contextmanager
def _race(browser: Browser, folder: Path) -> Iterator[Tab]:
    elf = folder / "no-wait.elf"
    build(KERNEL, "T0", elf, defines=("WAIT=0",))
    with _live(browser, "--elf", f"t0={elf}", "--races") as tab:
        _has(tab, "#span", "history: 0 to")
        tab.click("#timeline summary")
        _has(tab, "#race-list", "race 1")
        tab.locator("#race-list button").first.click()
        _has(tab, "#timeline-text", "cycles ")
        yield tab


@contextmanager
def _kernel(browser: Browser, folder: Path) -> Iterator[Tab]:
    shutil.copy(PROGRAMS / "data_path.c", folder)
    with _live(browser, *kernel(folder)) as tab:
        for _ in range(3):  # each of its programs ends
            _has(tab, "#where", "has ended")
            tab.click("#continue")
        yield tab


@contextmanager
def _dst(browser: Browser, folder: Path) -> Iterator[Tab]:
    with _kernel(browser, folder) as tab:
        tab.locator("#dst-0").click()
        _has(tab, "#details-text", "faces at rows")
        yield tab


@contextmanager
def _word(browser: Browser, folder: Path) -> Iterator[Tab]:
    with _kernel(browser, folder) as tab:
        tab.locator("#l1").focus()
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("Enter")
        tab.locator(".words button").first.click()
        _has(tab, "#word", "cycle")
        yield tab


@contextmanager
def _chip(browser: Browser, folder: Path) -> Iterator[Tab]:
    with running("14x10") as address:
        visit = Visit(browser, address, "desk", "light", "#tile-1-2")
        visit.tab.wait_for_function(ARROWS, timeout=HANG_MS)
        yield visit.tab
        visit.tab.close()


@contextmanager
def _shared(browser: Browser, folder: Path) -> Iterator[Tab]:
    recording, file = folder / "run.rec", folder / "bug.html"
    tensix_gdb(["run", *_hang_in(folder), "--record-to", str(recording)])
    tensix_gdb(["share", str(recording), "-o", str(file), "--no-races"])
    tab = browser.new_page()
    tab.goto(file.as_uri())
    _has(tab, "#where", "nothing can move")
    tab.locator("#hart-3").click()
    _has(tab, "#source-title", "tensix.h")
    yield tab
    tab.close()


SITUATIONS: dict[str, Callable[[Browser, Path], AbstractContextManager[Tab]]] = {
    "hang": _hang,
    "gate": _gate,
    "origin": _origin,
    "race": _race,
    "dst": _dst,
    "word": _word,
    "chip": _chip,
    "shared": _shared,
}


def take(tab: Tab, folder: Path, name: str) -> None:
    """Take the pictures of a situation."""
    for theme in THEMES:
        if tab.evaluate("document.documentElement.dataset.theme") != theme:
            tab.click("#theme")
        for width, (across, down) in WIDTHS.items():
            tab.set_viewport_size({"width": across, "height": down})
            tab.evaluate("window.scrollTo(0, 0)")
            tab.mouse.move(1, 1)
            tab.wait_for_timeout(300)
            tab.screenshot(path=folder / f"{name}-{theme}-{width}.png", full_page=width == "phone")
            if tab.evaluate(WIDER):
                print(f"{name} {theme} {width}: wider than the window")
            for text in tab.evaluate(CUT):
                print(f"{name} {theme} {width}: cut: {text}")


def main(words: list[str]) -> None:
    """Take all of them, or those that are named."""
    folder = Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for name in words[1:] or SITUATIONS:
            with (
                tempfile.TemporaryDirectory() as own,
                SITUATIONS[name](browser, Path(own)) as tab,
            ):
                take(tab, folder, name)
            print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
