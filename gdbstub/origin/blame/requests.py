# SPDX-License-Identifier: Apache-2.0
"""The registers of a NoC request that is refused, and the line that has written each.

Registers of an initiator keep what an earlier request has left, of another hart or kernel too. So a
second run of the same execution notes the store to each of them, and which of these stores each
request has begun with (NoC/MemoryMap.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.niu import (
    CMD_BUF_OFFSET,
    CMD_CTRL,
    NIU_BASE,
    NIU_STRIDE,
    NIUS,
    REGISTERS,
)
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.state import INITIATORS
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.gdbstub.origin.blame.moves import Setting
from tensix_gdb.gdbstub.origin.blame.writes import Write

# Faults of the store that starts a request: the first operand is the address of its NOC_CMD_CTRL.
AT_START = (
    *(Fault.NOC_REQUEST, Fault.NOC_KIND, Fault.NOC_ALIGNMENT, Fault.NOC_TRANSLATION),
    *(Fault.NOC_EXCLUDE, Fault.NOC_BROADCAST, Fault.NOC_CHANNEL, Fault.NOC_TAG),
    Fault.NOC_ACCUMULATE,
)
# Faults of a request on its way: the second operand is the pc at which it was started.
ON_ITS_WAY = (Fault.NOC_OUTSIDE_L1, Fault.NOC_ATOMIC)
OF_REQUESTS = (*AT_START, *ON_ITS_WAY)
MOST_STOPS = 20_000  # some seconds
SLICE = 1 << 18  # cycles between two looks at the keyboard
STORE_SOURCE = 20  # bit of rs2 in a store of RISC-V
# What a request is told, by offset; its start comes after them.
NAMES = {one.offset: one.name.partition(" ")[0] for one in REGISTERS if one.offset < CMD_CTRL}


@dataclass(frozen=True, slots=True)
class Told:
    """A register of an initiator: what a store has put there."""

    value: int
    write: Write


class Requests:
    """The registers of initiators as stores have written them, and those of the last request that
    each pc has started; both by the address of NOC_CMD_CTRL."""

    def __init__(self) -> None:
        self.now: dict[int, dict[int, Told]] = {}
        self.started: dict[int, dict[int, Told]] = {}  # by pc

    def stored(self, machine: Machine, stop: Stop) -> None:
        """Note a store to a register, before it."""
        addr = int(machine.S.stop.a)
        begin, offset = addr & ~(CMD_BUF_OFFSET - 1), addr & (CMD_BUF_OFFSET - 1)
        registers = self.now.setdefault(begin + CMD_CTRL, {})
        if offset == CMD_CTRL:
            self.started[stop.pc] = dict(registers)
        elif offset in NAMES:
            word = int.from_bytes(machine.peek(stop.hart, stop.pc, 4), "little")
            value = machine.read_x(stop.hart, word >> STORE_SOURCE & 31)
            write = Write(stop.hart, stop.pc, int(machine.S.tile.cycle))
            registers[offset] = Told(value & 0xFFFFFFFF, write)


def told(
    machine: Machine, is_interrupted: Callable[[], bool], begin: Callable[[], None] | None = None
) -> list[str]:
    """Run again to the fault of a request; a line for each register that it began with, the one
    that was written first before the others: what an earlier request has left is there."""
    stop = machine.S.stop
    code, a, b = stop.code, int(stop.a) & 0xFFFFFFFF, int(stop.b) & 0xFFFFFFFF
    found = _run_again(machine, is_interrupted, begin or machine.reset)
    registers = found.now.get(a, {}) if code in AT_START else found.started.get(b, {})
    return [line.text(machine) for line in _settings(registers)]


def _settings(registers: Mapping[int, Told]) -> Iterator[Setting]:
    for offset, one in sorted(registers.items(), key=lambda each: each[1].write.cycle):
        yield Setting(NAMES[offset], one.value, one.write)


def _run_again(
    machine: Machine, is_interrupted: Callable[[], bool], begin: Callable[[], None]
) -> Requests:
    """Run from the beginning to the end of the cycle in which the tile is now."""
    end = int(machine.S.tile.cycle) + 1
    found = Requests()
    begin()
    with _watched(machine):
        for _ in range(MOST_STOPS):
            left = end - int(machine.S.tile.cycle)
            if left <= 0 or is_interrupted():
                break
            machine.engine.poll()
            stop = machine.run(min(left, SLICE))
            if stop is None:
                continue
            if stop.kind == StopKind.WATCH:
                found.stored(machine, stop)
                machine.resume_from(stop.hart)
            elif stop.kind == StopKind.FAULT:
                break
    return found


@contextmanager
def _watched(machine: Machine) -> Iterator[None]:
    """Stop before each store to the initiators."""
    size = CMD_BUF_OFFSET * INITIATORS
    watches = [
        (hart, NIU_BASE + NIU_STRIDE * niu, size, "write")
        for hart in range(HARTS)
        for niu in range(NIUS)
    ]
    for watch in watches:
        machine.add_watch(*watch)
    try:
        yield
    finally:
        for watch in watches:
            machine.remove_watch(*watch)
