# SPDX-License-Identifier: Apache-2.0
"""The line of an instruction that a MOP or a REPLAY has issued: where it was configured, recorded.

What the Replay Expander issues has the place of the REPLAY that asked for it (replay_expander.py).
A compiler that has found the same instructions twice records them the first time, so their lines
are there: in the code the instructions that follow the nearest REPLAY before with `load`, for the
same entries. Where that is not clear from the code, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.assembly.listing import tensix_word
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.explain.made import line_of, pushed_at
from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.isa.opcodes import REPLAY
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.instrumented.scopes import Scope

ENTRIES = 32


@dataclass(frozen=True, slots=True)
class MadeAt:
    """The line that an instruction is from, and what has issued it there: `replayed at`."""

    line: str
    how: str


def made_at(machine: Machine, scope: Scope) -> MadeAt | None:
    """Return the line of an instruction that a MOP or a REPLAY has issued: where it was configured
    or recorded. None where it is what its line has pushed, or its line is not known."""
    places, hart, pc, word = machine.places, scope.hart, scope.pc, scope.word
    recorded = recorded_at(machine, hart, pc, word)
    if recorded is not None:
        return MadeAt(places.at(hart, recorded), "replayed at")
    pushed = pushed_at(places, hart, pc) >> 24
    lines = places.recorded(hart, word) if scope.is_replayed and word >> 24 != REPLAY else ""
    if scope.configured and pushed in (0, opcodes.MOP):
        line = line_of(places, hart, scope.configured)
        if lines:
            return MadeAt(lines, f"replayed by {line}, of the MOP at")
        return MadeAt(line, "expanded by the MOP at")
    if lines and pushed in (0, REPLAY):
        return MadeAt(lines, "replayed at")
    return None


def recorded_at(machine: Machine, hart: int, pc: int, word: int) -> int | None:
    """Return where the instruction `word` was recorded that the REPLAY at `pc` has issued; None if
    there is none at `pc`, or it is not known."""
    before = list(_pushes(machine, hart, pc))
    if not before or before[-1][0] != pc or before[-1][1] >> 24 != opcodes.REPLAY:
        return None
    index, count, loads = _replay(before[-1][1])
    if loads or word >> 24 == opcodes.REPLAY:
        return None
    wanted = {(index + i) % ENTRIES for i in range(count)}
    for number in range(len(before) - 2, -1, -1):
        there = before[number][1]
        if there >> 24 != opcodes.REPLAY:
            continue
        first, recorded, loads = _replay(there)
        entries = [(first + i) % ENTRIES for i in range(recorded)]
        if not loads or not wanted & set(entries):
            continue
        following = zip(entries, before[number + 1 :], strict=False)
        found = [at for entry, (at, each) in following if entry in wanted and each == word]
        return found[0] if len(found) == 1 else None
    return None


def _replay(word: int) -> tuple[int, int, bool]:
    """Return the first entry, how many, and whether they are recorded."""
    return word >> 14 & 31, word >> 4 & 63 or ENTRIES, bool(word & 1)


def _pushes(machine: Machine, hart: int, pc: int) -> Iterator[tuple[int, int]]:
    """Yield each `.ttinsn` of the code that an instruction is in, up to it: its place, and what it
    pushes."""
    for image in machine.images:
        for segment in image.segments if image.hart == hart else ():
            if segment.addr <= pc < segment.addr + len(segment.data):
                start = segment.addr + (pc - segment.addr) % 4
                for at in range(start, pc + 4, 4):
                    offset = at - segment.addr
                    code = int.from_bytes(segment.data[offset : offset + 4], "little")
                    pushed = tensix_word(code)
                    if pushed is not None:
                        yield at, pushed
                return
