# SPDX-License-Identifier: Apache-2.0
"""`run --trace FILE`: the timeline of a run, in the form that the name of the file asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.tensix.output.timeline import TextTimeline
from tensix_gdb.gdbstub.tensix.output.timeline_chrome import ChromeTimeline
from tensix_gdb.gdbstub.usage import UsageError


@contextmanager
def traced(machine: Machine, path: str | None) -> Iterator[None]:
    """Write what the machine does meanwhile to a file; without a path, nothing at all."""
    if path is None:
        yield
        return
    with ExitStack() as files:
        try:
            out = files.enter_context(Path(path).open("w", encoding="utf-8"))
        except OSError as problem:
            raise UsageError(f"--trace {path}: {problem.strerror}") from None
        form = TextTimeline if path.endswith(".txt") else ChromeTimeline
        timeline = form(machine, out)
        machine.trace(timeline.changes)
        try:
            yield
        finally:
            machine.trace(None)
            timeline.close()
