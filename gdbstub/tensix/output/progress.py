# SPDX-License-Identifier: Apache-2.0
"""The progress of a long run, or other work, on a terminal: one line, gone when it is over.

rich draws it. Where standard error is no terminal nothing is shown, and rich is not even loaded.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import Protocol

QUIET_SECONDS = 1.0  # a short run shows nothing


class Progress(Protocol):
    """Reports now and then."""

    def __call__(self, cycles: int, where: str) -> None: ...


def _nothing(cycles: int, where: str) -> None:
    pass


@contextmanager
def progress(limit: int) -> Iterator[Progress]:
    """Shows cycles, cycles per second, time and place of a run of at most `limit` cycles."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _nothing
        return
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import SpinnerColumn, Task, TextColumn, TimeElapsedColumn
    from rich.table import Column
    from rich.text import Text

    class Where(TextColumn):
        """The places of five harts are wider than most terminals. What does not fit is left out:
        rich makes all columns narrow where it may make none of them so."""

        def render(self, task: Task) -> Text:
            return Text(task.description, no_wrap=True, overflow="ellipsis")

    bar = Bar(
        SpinnerColumn(table_column=Column(no_wrap=True)),
        TextColumn("{task.fields[cycles]} cycles"),
        TextColumn("{task.fields[speed]}/s"),
        TimeElapsedColumn(table_column=Column(no_wrap=True)),
        Where("", table_column=Column()),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=limit, cycles="0", speed="0")
    begin = monotonic()

    def tell(cycles: int, where: str) -> None:
        seconds = monotonic() - begin
        if seconds < QUIET_SECONDS:
            return
        speed = _short(cycles / seconds)
        bar.update(task, completed=cycles, description=where, cycles=_short(cycles), speed=speed)
        if not bar.live.is_started:
            bar.start()

    try:
        yield tell
    finally:
        if bar.live.is_started:
            bar.stop()


@contextmanager
def working(what: str) -> Iterator[None]:
    """Shows `what` is done, and for how long, where it takes more than a moment."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False)
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(what)
    timer = Timer(QUIET_SECONDS, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


def _short(number: float) -> str:
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.2f}{letter}"
    return f"{number:.0f} "
