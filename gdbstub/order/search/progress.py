# SPDX-License-Identifier: Apache-2.0
"""The progress of a search on a terminal: a bar with its rate and the time that is left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Show = Callable[[int, int], None]  # runs that were done meanwhile, and all wrong ones


@contextmanager
def progress(total: int, known: int = 0) -> Iterator[Show]:
    """Shows nothing where standard error is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, wrong: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        BarColumn(bar_width=16),  # 80 columns have the rest, too
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} runs"),
        TextColumn("{task.fields[rate]}/s"),
        TextColumn("{task.fields[wrong]:,} wrong"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=total, rate="-", wrong=0)

    def show(done: int, wrong: int) -> None:
        bar.advance(task, done)
        speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
        bar.update(task, wrong=wrong, rate="-" if speed is None else f"{speed:,.0f}")

    with bar:
        yield show
