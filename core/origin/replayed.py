# SPDX-License-Identifier: Apache-2.0
"""The line that an instruction has which was replayed: that where it was recorded.

What the Replay Expander issues has the place of the REPLAY that asked for it (replay_expander.py).
A compiler that has found the same instructions twice records them the first time, so their lines
are there: in the code the instructions that follow the nearest REPLAY before with `load`, for the
same entries. Where that is not clear from the code, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.assembly.listing import tensix_word
from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.machine import Machine

ENTRIES = 32


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
