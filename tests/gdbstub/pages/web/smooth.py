# SPDX-License-Identifier: Apache-2.0
"""Frames a second of a page while a chip runs: `python -m tests.gdbstub.pages.web.smooth`.

Of 14x10 tiles that read from and write to each other without an end; with an address, of the page
that is there (`tensix-gdb ttnn --tiles 14x10 --web -- program.py` prints one).

A counter in the page has the frames, six times; an empty page is counted in turn, which says what
the machine has left for any page. Then a trace of the browser, which makes it slower, says how long
the page's own thread works for a frame, in time of the processor, how long others draw what it has
painted (that part a GPU would do), and how many of the pictures that came the worker has drawn.
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

from playwright.sync_api import Browser, WebSocket

from tests.gdbstub.pages.web.visit import Visit, chromium
from tests.patience import HANG_MS

TREE = Path(__file__).resolve().parents[4]
ROUNDS = 6
SECONDS = 7.0
TRACED = 5.0
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
DRAWN = "OffscreenCanvas::PushFrame"
DRAWING = {"RasterTask", "Display::DrawAndSwap", "DirectRenderer::DrawFrame"}


class Counted(NamedTuple):
    """The frames of a page, and the pictures that came."""

    frames: float  # a second
    interval: float  # the median between two, in milliseconds
    late: float  # the part of intervals that are longer than one frame and a half
    pictures: float  # a second, from the server
    bytes: float  # of a picture

    def text(self) -> str:
        """Return it in words."""
        return (
            f"{self.frames:.1f} frames/s, median {self.interval:.1f} ms apart, "
            f"{100 * self.late:.0f} % late; {self.pictures:.1f} pictures/s of "
            f"{self.bytes / 1000:.1f} kB"
        )


class Opened:
    """A page in a tab, and the sizes of the pictures that it was sent."""

    def __init__(self, browser: Browser, address: str, ready: str) -> None:
        self._browser = browser
        self.pictures: list[int] = []
        at, _, token = address.partition("?")
        first = f"{at.partition('/tile/')[0].rstrip('/')}/?{token}"
        self.tab = Visit(browser, first, "wide", "light", "h1").tab
        self.tab.on("websocket", self._connected)
        self.tab.goto(at)  # the token is in a cookie
        self.tab.locator(ready).first.wait_for(timeout=HANG_MS)
        self.tab.evaluate(COUNT, 1.5)  # what is drawn once

    def _connected(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._came)

    def _came(self, text: str | bytes) -> None:
        self.pictures.append(len(text))

    def counted(self, seconds: float = SECONDS) -> Counted:
        """Count its frames."""
        before = len(self.pictures)
        times = self.tab.evaluate(COUNT, seconds)
        came = self.pictures[before:]
        gaps = [after - here for here, after in pairwise(times)]
        length = (times[-1] - times[0]) / 1000
        return Counted(
            len(gaps) / length,
            statistics.median(gaps),
            sum(gap > 25 for gap in gaps) / len(gaps),
            len(came) / length,
            sum(came) / max(len(came), 1),
        )

    def traced(self) -> str:
        """Say what the browser does for a frame."""
        self._browser.start_tracing(page=self.tab, categories=CATEGORIES)
        before = len(self.pictures)
        frames = len(self.tab.evaluate(COUNT, TRACED)) - 1
        came = len(self.pictures) - before
        events = json.loads(self._browser.stop_tracing())["traceEvents"]
        work, longest, drawing = of_trace(events)
        drawn = sum(one["name"] == DRAWN for one in events)
        parts = ", ".join(f"{kind} {value / frames:.1f}" for kind, value in work.items())
        return (
            f"ms of a frame: {parts}, together {sum(work.values()) / frames:.1f}; longest task "
            f"{longest:.0f} ms; drawing elsewhere {drawing / frames:.1f} ms of a frame; "
            f"of {came} pictures a worker has drawn {drawn}"
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
    times: list[float] = tab.evaluate(COUNT, SECONDS / 3)
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


def main(words: list[str]) -> None:
    """Measure the grid, and the page of its first tile."""
    with chromium() as browser:
        if words:
            all_of(browser, words[0])
            return
        with running("14x10") as address:
            all_of(browser, address)


def all_of(browser: Browser, address: str) -> None:
    """Measure the two pages, and an empty one, in turn."""
    at, _, token = address.partition("?")
    pages = {"grid": (address, "#tile-1-2"), "tile": (f"{at}tile/1-2/?{token}", "#hart-1 g text")}
    frames: dict[str, list[float]] = {"empty page": [], **{name: [] for name in pages}}
    for number in range(ROUNDS):
        frames["empty page"].append(nothing(browser))
        print(f"empty page: {frames['empty page'][-1]:.1f} frames/s", flush=True)
        for name, page in pages.items():
            opened = Opened(browser, *page)
            counted = opened.counted()
            frames[name].append(counted.frames)
            print(f"{name}: {counted.text()}", flush=True)
            if number == ROUNDS - 1:
                print(f"{name}, traced: {opened.traced()}", flush=True)
            opened.tab.close()
    for name, values in frames.items():
        between = f"{min(values):.1f} to {max(values):.1f}"
        print(f"{name}: median {statistics.median(values):.1f} frames/s ({between})", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
