# SPDX-License-Identifier: Apache-2.0
"""The reason why a run ended, as a test sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.stop import StopKind

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.testing.hart import Hart
    from tensix_gdb.gdbstub.testing.tensix import TensixThread

REASONS = {
    StopKind.BREAK: "breakpoint",
    StopKind.WATCH: "watchpoint",
    StopKind.STEP: "step",
    StopKind.EBREAK: "ebreak",
    StopKind.ECALL: "ecall",
    StopKind.FAULT: "fault",
    StopKind.ALL_PAUSED: "idle",
    StopKind.STANDSTILL: "deadlock",
    StopKind.GATE: "gate",
    StopKind.RACE: "race",
}


class NotStopped(AssertionError):
    """The tile did not stop where a test expected it to; the message says where it is."""


@dataclass(frozen=True, slots=True, repr=False)
class Stop:
    """`reason` is one of REASONS' values; `function`, `file` and `line` are empty, empty and 0
    where the debug information does not say. `thread` is the Tensix thread that it is about, if it
    is about one; `hart` then has pushed the instruction, at `pc`."""

    reason: str
    hart: Hart
    pc: int
    cycle: int
    text: str
    function: str
    file: str
    line: int
    addr: int | None = None
    thread: TensixThread | None = None

    def at(self, place: str | int) -> bool:
        """True if the stop is at this function, `file:line` or address."""
        if isinstance(place, int):
            return self.pc == place
        if place == self.function:
            return True
        file, colon, line = place.rpartition(":")
        if colon and line.isdecimal():
            return self.line == int(line) and f"/{self.file}".endswith(f"/{file}")
        return self.pc in self.hart.program_addresses(place)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<stop of {self.text}>"
