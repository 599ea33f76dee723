# SPDX-License-Identifier: Apache-2.0
"""Reports of races for the timeline: an arrow from the earlier access to the later one.

An end of the arrow names its row as the Trace Event file does, `PID-TID`: that of a hart, or that
of a Tensix thread at its wait gate. An access from outside the tile has none: its end is at the
ruler.
"""

from __future__ import annotations

from typing import Any

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.order.report.located import Elsewhere, Side, located
from tensix_gdb.gdbstub.order.report.text import report_lines
from tensix_gdb.gdbstub.tensix.output.timeline_chrome import GATE_ROWS, HART_ROWS


def reports(machine: Machine, elsewhere: Elsewhere | None = None) -> dict[str, Any]:
    """Return what was found so far, and whether anything is looked for. `elsewhere` finds the
    programs of other tiles."""
    if machine.runner.races is None:
        return {"observed": False, "races": []}
    found = [
        {
            "number": one.report.number,
            "text": "\n".join(report_lines(one)),
            "earlier": _end(one.earlier),
            "later": _end(one.later),
        }
        for one in located(machine.races(), machine.places, elsewhere)
    ]
    return {"observed": True, "races": found}


def _end(side: Side) -> dict[str, Any]:
    access, step = side.access, side.step
    thread = access.thread
    row = f"{HART_ROWS}-{access.hart}" if thread is None else f"{GATE_ROWS}-{thread}"
    return {
        "row": "" if access.outside else row,
        "cycle": access.first,
        "what": f"{access.agent}: {side.what}, {side.place}",
        "file": step.file if step else "",
        "line": step.line if step else 0,
    }
