# SPDX-License-Identifier: Apache-2.0
"""`run --trace FILE`: the timeline of a run, in the form that the name of the file asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.tensix.output.output_file import text_output
from tensix_gdb.gdbstub.tensix.output.timeline import TextTimeline
from tensix_gdb.gdbstub.tensix.output.timeline_chrome import ChromeTimeline


@contextmanager
def traced(machine: Machine, path: str | None) -> Iterator[None]:
    """Write what the machine does meanwhile to a file; without a path, nothing at all."""
    if path is None:
        yield
        return
    with ExitStack() as files:
        out = files.enter_context(text_output("--trace", path))
        form = TextTimeline if path.endswith(".txt") else ChromeTimeline
        timeline = form(machine, out)
        machine.trace(timeline.changes)
        try:
            yield
        finally:
            machine.trace(None)
            timeline.close()
