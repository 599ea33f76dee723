# SPDX-License-Identifier: Apache-2.0
"""The answer of `run` to a wrong tile or a fault of a unit: the lines that told the unit to do
that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.registers.own_words import arch
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import AT_GATE, StopKind
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.table import find
from tensix_gdb.gdbstub.origin.blame.moves import packer_formats, unpacker_formats
from tensix_gdb.gdbstub.origin.blame.requests import OF_REQUESTS, told
from tensix_gdb.gdbstub.origin.blame.second_run import UNPACK, SecondRun
from tensix_gdb.gdbstub.origin.blame.tiles import Odd, Tiles, left_out, odd
from tensix_gdb.gdbstub.origin.blame.unwritten import unwritten

MOST = 3  # odd moves
OF_FORMATS = (Fault.UNPACK_FORMAT, Fault.PACR_FORMATS)


def blamed_for_tiles(
    machine: Machine,
    inputs: Sequence[Tiles],
    outputs: Sequence[Tiles],
    is_interrupted: Callable[[], bool],
) -> list[str]:
    """Run again to the present cycle; lines about moves that do not fit the tiles."""
    found, left = odd_moves(machine, inputs, outputs, is_interrupted)
    return [*(line for one in found for line in one.lines(machine)), *left]


def odd_moves(
    machine: Machine,
    inputs: Sequence[Tiles],
    outputs: Sequence[Tiles],
    is_interrupted: Callable[[], bool],
    begin: Callable[[], None] | None = None,
) -> tuple[list[Odd], list[str]]:
    """Run again to the present cycle; return the moves that do not fit the tiles, and lines about
    tiles that no move begins with. `begin` goes to another beginning than a reset."""
    if machine.execution.schedule is Schedule.SC:
        return [], []  # units have done all of it in the cycle in which they begin
    second = SecondRun(machine, begin)
    second.go(is_interrupted)
    found = list(islice(odd(second.moves, inputs, outputs), MOST))
    left = list(left_out(second.moves, inputs, outputs)) if second.is_whole else []
    if second.knows_written:
        left += unwritten(machine, second.moves, outputs, second.is_written)
    return found, left


def blamed_for_fault(
    machine: Machine,
    is_interrupted: Callable[[], bool],
    begin: Callable[[], None] | None = None,
) -> list[str]:
    """Run again to a fault about formats or a request of the NoC; a line for each field or register
    that it is about."""
    S = machine.S
    if S.stop.kind != StopKind.FAULT:
        return []
    if S.stop.code in OF_REQUESTS:
        return [f"    {line}" for line in told(machine, is_interrupted, begin)]
    if S.stop.code not in OF_FORMATS:
        return []
    if not S.stop.stream & AT_GATE:
        return []
    second = SecondRun(machine, begin)
    second.go(is_interrupted)
    return [f"    {line}" for line in _settings(machine, second)]


def _settings(machine: Machine, second: SecondRun) -> Iterator[str]:
    S = machine.S
    thread = S.stop.stream & 3
    word = int(S.fifo.word[thread, C, S.fifo.head[thread, C]])
    row = find(word, arch(S))
    if row is None or S.stop.kind != StopKind.FAULT:
        return
    if row.mnemonic == UNPACK:
        which = row.encoding.decode(word).get("which_unpacker", 0)
        settings = unpacker_formats(machine, second.writes, thread, which)
    else:
        settings = packer_formats(machine, second.writes, thread)
    yield from (setting.text(machine) for setting in settings)
