# SPDX-License-Identifier: Apache-2.0
"""Frames a second of a page while a chip runs: `python -m tests.gdbstub.pages.web.smooth`.

Of 14x10 tiles that read from and write to each other without an end; with an address, of the page
that is there (`tensix-gdb ttnn --tiles 14x10 --web -- program.py` prints one).

A counter in the page has the frames; an empty page is counted too, which says what the machine has
left for any page. A trace of the browser says how long the page's own thread works for a frame, in
time of the processor, and how long others draw what it has painted: that part a GPU would do.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser

from tests.gdbstub.pages.web.visit import Visit, chromium
from tests.patience import HANG_MS

TREE = Path(__file__).resolve().parents[4]
SECONDS = 15.0
CATEGORIES = ["devtools.timeline", "toplevel", "cc", "viz", "blink", "__metadata"]
COUNT = """(seconds) => new Promise((done) => {
  const times = [];
  const frame = (now) => {
    times.push(now);
    if (now - times[0] < 1000 * seconds) requestAnimationFrame(frame); else done(times);
  };
  requestAnimationFrame(frame);
})"""
WORK = {
    "scripts": {"FunctionCall", "EvaluateScript", "FireAnimationFrame", "TimerFire"},
    "styles": {"UpdateLayoutTree", "RecalculateStyles"},
    "layout": {"Layout"},
    "painting": {"PrePaint", "Paint", "Layerize", "Commit", "UpdateLayer"},
}  # fmt: skip
DRAWING = {"RasterTask", "Display::DrawAndSwap", "DirectRenderer::DrawFrame"}


class Seen(NamedTuple):
    """The figures of a page, in milliseconds."""

    frames: float  # a second
    interval: float  # the median between two
    late: float  # the part of intervals that are longer than one frame and a half
    pictures: float  # a second, from the server
    bytes: float  # of a picture
    work: dict[str, float]  # a frame, of the page's thread
    longest: float  # task of that thread
    drawing: float  # a frame, in other threads


def measured(browser: Browser, address: str, ready: str, seconds: float = SECONDS) -> Seen:
    """Open a page and watch it."""
    pictures: list[int] = []
    at, _, token = address.partition("?")
    visit = Visit(
        browser, f"{at.partition('/tile/')[0].rstrip('/')}/?{token}", "wide", "light", "h1"
    )
    visit.tab.on(
        "websocket", lambda one: one.on("framereceived", lambda text: pictures.append(len(text)))
    )
    visit.tab.goto(at)  # the token is in a cookie
    visit.tab.locator(ready).first.wait_for(timeout=HANG_MS)
    times = visit.tab.evaluate(COUNT, 2.0)  # what is drawn once
    before = len(pictures)
    browser.start_tracing(page=visit.tab, categories=CATEGORIES)
    times = visit.tab.evaluate(COUNT, seconds)
    trace = json.loads(browser.stop_tracing())
    came = pictures[before:]
    visit.tab.close()
    gaps = [after - here for here, after in pairwise(times)]
    work, longest, drawing = of_trace(trace["traceEvents"])
    length = (times[-1] - times[0]) / 1000
    return Seen(
        len(gaps) / length,
        statistics.median(gaps),
        sum(gap > 25 for gap in gaps) / len(gaps),
        len(came) / length,
        sum(came) / max(len(came), 1),
        {name: value / len(gaps) for name, value in work.items()},
        longest,
        drawing / len(gaps),
    )


def of_trace(events: list[dict[str, Any]]) -> tuple[dict[str, float], float, float]:
    """Return the work of the page's thread by kind, its longest task, and the drawing elsewhere."""
    threads = {
        (one["pid"], one["tid"]): one["args"]["name"]
        for one in events
        if one["name"] == "thread_name"
    }
    whole = [one for one in events if one.get("ph") == "X"]
    main = [one for one in whole if threads.get((one["pid"], one["tid"])) == "CrRendererMain"]
    work = {kind: spent(outermost(main, names)) for kind, names in WORK.items()}
    tasks = [
        spent([one]) for one in main if one["name"] in ("RunTask", "ThreadControllerImpl::RunTask")
    ]
    drawing = spent(outermost(whole, DRAWING))
    return work, max(tasks, default=0.0), drawing


def spent(events: Iterable[dict[str, Any]]) -> float:
    """Return the milliseconds of the processor; those of other processes are not in it."""
    return sum(one.get("tdur", one["dur"]) for one in events) / 1000


def outermost(events: list[dict[str, Any]], names: set[str]) -> Iterator[dict[str, Any]]:
    """Yield the events of these names that are in no other of them."""
    ends: dict[tuple[int, int], float] = {}
    for one in sorted(
        (each for each in events if each["name"] in names), key=lambda each: each["ts"]
    ):
        thread = (one["pid"], one["tid"])
        if one["ts"] >= ends.get(thread, 0):
            ends[thread] = one["ts"] + one["dur"]
            yield one


def nothing(browser: Browser) -> float:
    """Return the frames a second of an empty page."""
    tab = browser.new_page()
    times = tab.evaluate(COUNT, SECONDS / 3)
    tab.close()
    return 1000 * (len(times) - 1) / (times[-1] - times[0])


@contextmanager
def running(grid: str) -> Iterator[str]:
    """The page of a chip that runs, in a process of its own."""
    words = [sys.executable, "-m", "tests.gdbstub.pages.web.chips", grid]
    with subprocess.Popen(
        words, cwd=TREE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as chip:
        assert chip.stdin is not None
        assert chip.stdout is not None
        yield chip.stdout.readline().strip()
        chip.stdin.close()


def said(name: str, seen: Seen) -> str:
    """Return what was measured, in words."""
    work = ", ".join(f"{kind} {value:.1f}" for kind, value in seen.work.items())
    return (
        f"{name}: {seen.frames:.1f} frames/s, median {seen.interval:.1f} ms apart, "
        f"{100 * seen.late:.0f} % late; {seen.pictures:.1f} pictures/s of "
        f"{seen.bytes / 1000:.1f} kB; ms of a frame: {work}, together "
        f"{sum(seen.work.values()):.1f}; longest task {seen.longest:.0f} ms; "
        f"drawing elsewhere {seen.drawing:.1f} ms of a frame"
    )


def main(words: list[str]) -> None:
    """Measure the grid, and the page of its first tile."""
    with chromium() as browser:
        if words:
            both(browser, words[0])
            return
        with running("14x10") as address:
            both(browser, address)


def both(browser: Browser, address: str) -> None:
    """Measure the two pages, and an empty one."""
    print(f"an empty page: {nothing(browser):.1f} frames/s", flush=True)
    at, _, token = address.partition("?")
    print(said("grid", measured(browser, address, "#tile-1-2")), flush=True)
    tile = f"{at}tile/1-2/?{token}"
    print(said("tile", measured(browser, tile, "#hart-1 g text")), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
