# SPDX-License-Identifier: Apache-2.0
"""A second run of the same execution, which stops at each write of configuration and each move.

The first run pays nothing for it, and a stop changes nothing about an execution. A breakpoint at
the gates catches the instructions, a watchpoint of each hart its stores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.debug.gate_breakpoints import GateBreak, WordTest
from tensix_gdb.core.devices.backend_config import CONFIG_BASE
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.fields import CONFIG_CELLS, L1_CELLS, LINE_BYTES
from tensix_gdb.core.race.registers.own_words import arch
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.table import ROWS, find
from tensix_gdb.gdbstub.origin.blame.moves import Move, bytes_packed, packed, unpacked
from tensix_gdb.gdbstub.origin.blame.writes import STORED_BYTES, WRITERS, Write, Writes

MOST_STOPS = 20_000  # some seconds
SLICE = 1 << 18  # cycles between two looks at the keyboard
UNPACK, PACK, RANGE = "UNPACR", "PACR", "SETADCXX"
OPCODE = 0xFF000000
_MORE = (UNPACK, PACK, RANGE)


class SecondRun:
    """The writes and moves up to the end of the first run."""

    def __init__(self, machine: Machine, begin: Callable[[], None] | None = None) -> None:
        self._machine, self._begin = machine, begin or machine.reset
        self.writes, self.moves = Writes(), list[Move]()
        self.is_whole = False  # False: too many stops, or interrupted
        self._written: list[int] = []  # by line of L1: bytes, a bit each; empty: not known

    @property
    def knows_written(self) -> bool:
        """True if `is_written` can say."""
        return bool(self._written) and self.is_whole

    def go(self, is_interrupted: Callable[[], bool]) -> None:
        """Run from the beginning to the end of the cycle in which the tile is now."""
        machine = self._machine
        end = int(machine.S.tile.cycle) + 1
        self._begin()
        stops = 0
        with self._written_is_noted(), self._armed():
            while stops < MOST_STOPS and not is_interrupted():
                left = max(end - int(machine.S.tile.cycle), 1)
                machine.engine.poll()
                stop = machine.run(min(left, SLICE))
                if stop is not None:
                    stops += 1
                if (left <= SLICE and stop is None) or (
                    stop is not None and not self._note_stop(stop)
                ):
                    self.is_whole = True
                    return

    def is_written(self, addr: int) -> bool:
        """True if an instruction or a request of the run has written a byte of L1."""
        cell, byte = divmod(addr, LINE_BYTES)
        return bool(self._written[cell] >> byte & 1)

    @contextmanager
    def _written_is_noted(self) -> Iterator[None]:
        """The checks of state note it; what was switched on before stays on."""
        machine, before = self._machine, self._machine.runner.races
        had_state = before is not None and before.state is not None
        if not had_state:
            machine.check_state(("init",), races=before is not None)
        try:
            yield
        finally:
            races = machine.runner.races
            assert races is not None
            row = machine.record.row(machine.record.layout.slot("state", "kernel"))
            self._written = row[L1_CELLS * 4 : CONFIG_CELLS * 4].cast("I").tolist()
            if before is None:
                races.stop()
                machine.runner.races = machine.reports.races = machine.outside.races = None
            elif not had_state:
                races.state = None
                machine.S.state.on = 0

    @contextmanager
    def _armed(self) -> Iterator[None]:
        machine = self._machine
        opcodes = {row.opcode << 24 for row in ROWS if row.mnemonic in (*WRITERS, *_MORE)}
        tests = tuple(WordTest(OPCODE, opcode) for opcode in sorted(opcodes))
        number = machine.gates.add_break(GateBreak("", tests=tests))
        for hart in range(HARTS):
            machine.add_watch(hart, CONFIG_BASE, STORED_BYTES, "write")
        try:
            yield
        finally:
            machine.gates.remove(number)
            machine.disarm()
            for hart in range(HARTS):
                machine.remove_watch(hart, CONFIG_BASE, STORED_BYTES, "write")

    def _note_stop(self, stop: Stop) -> bool:
        """Note what a stop is about; False at the end of the run."""
        machine, S = self._machine, self._machine.S
        cycle = int(S.tile.cycle)
        match stop.kind:
            case StopKind.WATCH:
                self.writes.stored(S, int(S.stop.a), Write(stop.hart, stop.pc, cycle))
                machine.resume_from(stop.hart)
            case StopKind.GATE:
                assert stop.thread is not None
                self._at_gate(stop, stop.thread, cycle)
            case StopKind.STEP:
                assert stop.thread is not None
                self._begun(stop.thread, cycle)
            case StopKind.EBREAK | StopKind.ECALL:
                pass
            case _:
                return False
        return True

    def _at_gate(self, stop: Stop, thread: int, cycle: int) -> None:
        fifo = self._machine.S.fifo
        word = int(fifo.word[thread, C, fifo.head[thread, C]])
        row = find(word, arch(self._machine.S))
        if row is None:
            return
        if row.mnemonic == RANGE:
            write = Write(stop.hart, stop.pc, cycle, thread, row.mnemonic)
            self.writes.ranged(thread, row.encoding.decode(word), write)
        elif row.mnemonic in WRITERS:
            write = Write(stop.hart, stop.pc, cycle, thread, row.mnemonic)
            self.writes.issued(self._machine.S, thread, word, write)
        else:
            self._machine.gates.step(thread, 0, 0)

    def _begun(self, thread: int, cycle: int) -> None:
        """Note that an UNPACR or PACR has passed its gate."""
        S = self._machine.S
        word = int(S.passed.word[thread])
        row = find(word, arch(S))
        assert row is not None
        if row.mnemonic == UNPACK:
            which = row.encoding.decode(word).get("which_unpacker", 0)
            move = unpacked(self._machine, self.writes, thread, which, cycle)
            self.moves += [move] if move is not None else []
            return
        at = packed(self._machine, self.writes, thread, cycle)
        last = next((move for move in reversed(self.moves) if not move.is_read), None)
        if last is None or self._was_last or at.address != last.address:
            self.moves.append(at)
        else:
            last.end += bytes_packed(self._machine)
        self._was_last = bool(S.pack.end_of_tile)

    _was_last = True
