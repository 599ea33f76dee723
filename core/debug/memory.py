# SPDX-License-Identifier: Apache-2.0
"""Memory as a debugger reads and writes it: any length, any alignment, no side effect of looking.

Memory is seen in program order (program_order.py). Reading never pops, clears or latches anything:
devices are asked by `peek`. Writing to RAM changes the bytes; writing to a device is a store by the
hart that the address is meant for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS
from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.debug.kept_stop import keep_stop, put_stop_back
from tensix_gdb.core.debug.program_order import (
    Load,
    ReadRam,
    amend,
    awaited,
    lay_over,
    waiting_stores,
)
from tensix_gdb.core.memory import regions
from tensix_gdb.core.memory.map import LOCAL_PLACE, Region, describe_on, ram_at, region_on
from tensix_gdb.core.record.layout import Mark, View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.riscv.fields import LINE_SHIFT
from tensix_gdb.core.riscv.pipeline import l0_cache
from tensix_gdb.core.riscv.pipeline.fields import L0_LINES, LINE_BYTES

END = 1 << 32


class MemoryFault(Exception):
    """An address cannot be read or written; the message is one sentence."""


def from_outside(S: View, hart: int, request: Callable[[], int]) -> int:
    """Carry out a request that no instruction of `hart` makes; what the hart waits for stays."""
    waits = S.hart.waits_for[hart], S.hart.waits_on[hart]
    try:
        return request()
    finally:
        S.hart.waits_for[hart], S.hart.waits_on[hart] = waits
        S.tile.idle_cycles = 0


class Watcher(Protocol):
    """Sees accesses to L1 from outside, before they are made."""

    def reads(self, addr: int, length: int) -> None:
        """Bytes are about to be read."""

    def writes(self, addr: int, data: bytes) -> None:
        """Bytes are about to be written."""

    def lands(self, niu: int, slot: int, addr: int, data: bytes) -> None:
        """The same for a request of the tile itself, from memory outside."""


class Access:
    """Reads and writes the memory of one record."""

    def __init__(self, record: Record) -> None:
        self._S: View = record.S
        layout = record.layout
        self.l1 = self._l1 = record.row(layout.slot("l1", "word"))
        self._local = record.row(layout.slot("local", "word"))
        self._words = record.row(layout.slot("decoded", "word"))
        self._lines = record.row(layout.slot("decoded", "line"))
        self._translated = record.row(layout.slot("translated", "of"))
        self._translations = record.row(layout.slot("translated", "code"))
        self._cached = record.row(layout.slot("pipeline", "l0_valid"))
        # Called with the places of bytes that are written: the first, and the one after the last.
        self.written: Callable[[int, int], None] | None = None
        # What sees accesses that come from outside the code of the tile: requests of other tiles,
        # data from DRAM, the host (debug/l1_ranges.py). None while nothing is watched.
        self.watched: Watcher | None = None
        self._marked: tuple[range, ...] = ()
        # All zero, as nearly always when a debugger looks: memory is what its bytes say. Each with
        # its zeros, because that comparison takes a tenth of the time that `any` does.
        rows = [record.row(slot) for slot in layout.marked(Mark.UNDER_WAY)]
        self._under_way = [(row, bytes(len(row))) for row in rows]

    def _ram(self, hart: int, addr: int) -> tuple[memoryview, int, int] | None:
        """Return the RAM that holds `addr`: its bytes, the offset, and how many bytes there are
        from it on."""
        place, run = ram_at(self._S, hart, addr)
        if place < 0:
            return None
        if place < LOCAL_PLACE:
            return self._l1, place, run
        return self._local, place - LOCAL_PLACE, run

    def peek(self, hart: int, addr: int, length: int) -> bytes:
        """Up to `length` bytes: as far as they can be read. MemoryFault when the first cannot."""
        if 0 <= addr <= L1_END[self._S.tile.chip] - length and not self._anything_under_way():
            return bytes(self._l1[addr : addr + length])
        if not 0 <= addr < END:
            raise MemoryFault(f"{addr:#x} cannot be read: the address space ends before it")
        out = bytearray()
        length = min(length, END - addr)
        while len(out) < length:
            at = addr + len(out)
            ram = self._ram(hart, at)
            if ram is not None:
                memory, offset, run = ram
                out += memory[offset : offset + min(run, length - len(out))]
                continue
            value = regions.peek(self._S, hart, at & ~3) if at < END else -1
            if value < 0:
                break
            out += value.to_bytes(4, "little")[at & 3 :][: length - len(out)]
        if not out and length:
            there = describe_on(self._S, hart, addr)
            raise MemoryFault(f"{addr:#010x} cannot be read: {HART_NAMES[hart]} has {there} there")
        if not self._anything_under_way():
            return bytes(out)
        return lay_over(waiting_stores(self._S, hart), addr, bytes(out), self._reader(hart))

    def awaited(self, hart: int) -> Iterator[tuple[Load, int | None]]:
        """Yield the loads under way, and what each would get now; None when that is not known."""
        if not self._anything_under_way():
            return
        for load in awaited(self._S, hart):
            yield load, load.value(self._reader(hart))

    def _anything_under_way(self) -> bool:
        """True if there is a load or store that is not processed yet."""
        for row, nothing in self._under_way:  # half of what `any` takes, for each packet that reads
            if row.tobytes() != nothing:
                return True
        return False

    def _reader(self, hart: int) -> ReadRam:
        def read_ram(addr: int, length: int) -> bytes | None:
            ram = self._ram(hart, addr)
            return None if ram is None else bytes(ram[0][ram[1] : ram[1] + length])

        return read_ram

    def poke(self, hart: int, addr: int, data: bytes) -> None:
        """Write bytes. MemoryFault, with nothing written, when not all of them can be."""
        pieces: list[tuple[memoryview, int, int, int]] = []
        done = 0
        while done < len(data):
            ram = self._ram(hart, addr + done) if addr + done < END else None
            if ram is None:
                if pieces:
                    raise MemoryFault(self._refused(hart, addr + done))
                self._poke_device(hart, addr, data)
                return
            run = min(ram[2], len(data) - done)
            pieces.append((ram[0], ram[1], done, run))
            done += run
        kept: list[tuple[int, bytes]] = []
        if self._anything_under_way():
            kept = amend(self._S, hart, addr, data, self._reader(hart))
        for memory, offset, start, run in pieces:
            memory[offset : offset + run] = data[start : start + run]
            if memory is self._l1:
                self.drop_decoded(offset, offset + run)
                self._drop_cached(offset, offset + run)
                if self.written is not None:
                    self.written(offset, offset + run)
            elif memory is self._local and self.written is not None:
                self.written(LOCAL_PLACE + offset, LOCAL_PLACE + offset + run)
        for at, old in kept:
            self._l1[at : at + len(old)] = old

    def _refused(self, hart: int, addr: int) -> str:
        if addr >= END:
            return f"{addr:#x} cannot be written: the address space ends before it"
        there = describe_on(self._S, hart, addr)
        return f"{addr:#010x} cannot be written: {HART_NAMES[hart]} has {there} there"

    def _poke_device(self, hart: int, addr: int, data: bytes) -> None:
        if addr >= END or region_on(self._S, hart, addr) == Region.NONE:
            raise MemoryFault(self._refused(hart, addr))
        if addr & 3 or len(data) != 4:
            raise MemoryFault(
                f"{self._refused(hart, addr)}; devices take one aligned word at a time"
            )
        value, origin = int.from_bytes(data, "little"), int(self._S.hart.pc[hart])
        write = partial(regions.write, self._S, hart, addr, 4, value, origin)
        stop = keep_stop(self._S)
        status = from_outside(self._S, hart, write)
        if status < 0:
            put_stop_back(self._S, stop)  # the refusal is none of the tile's
            raise MemoryFault(self._refused(hart, addr))

    def _drop_cached(self, start: int, end: int) -> None:
        """Drop L0 lines that would hide a write from outside."""
        if not any(self._cached):
            return
        for hart in range(HARTS):
            for i in range(L0_LINES):
                line = self._S.pipeline.l0_line[hart, i]
                if self._S.pipeline.l0_valid[hart, i] and start - LINE_BYTES < line < end:
                    l0_cache.drop(self._S, hart, i)

    def mark(self, lines: tuple[range, ...]) -> None:
        """From now on writes to these lines of L1 are looked at (memory/l1_watch.py)."""
        self._marked = lines
        for run in lines:
            self._lines[run.start : run.stop] = b"\1" * len(run)

    def drop_decoded(self, start: int, end: int) -> None:
        """Drop the decoded words of L1 in [start, end)."""
        self._drop_decoded(start, end)
        if self._marked:
            self.mark(self._marked)

    def _drop_decoded(self, start: int, end: int) -> None:
        first, last = start >> LINE_SHIFT, end - 1 >> LINE_SHIFT
        if not any(self._lines[first : last + 1]):
            return
        for line in range(first, last + 1):
            if self._lines[line]:
                self._lines[line] = 0
                self._drop_translated(line << LINE_SHIFT >> 2, line + 1 << LINE_SHIFT >> 2)
                at = (line << LINE_SHIFT) * 2  # eight bytes of decoded word per four of L1
                size = (1 << LINE_SHIFT) * 2
                self._words[at : at + size] = bytes(size)

    def _drop_translated(self, first: int, end: int) -> None:
        """No translation (core/translate) with one of these words is entered any more."""
        for translation in set(self._translated[first:end]) - {0}:
            self._S.translated.code[translation] = 0
            self._S.translated.dropped = 1

    def forget_all(self) -> None:
        """Drop every decoded word, after L1 was replaced."""
        lines = bytes(self._lines)
        first, last = lines.find(1), lines.rfind(1)
        if first < 0:
            return
        self._translations[:] = bytes(len(self._translations))
        self._S.translated.dropped = 1
        # Between those alone: a new tile has none, and a kernel has few of the megabytes.
        start, end = (first << LINE_SHIFT) * 2, (last + 1 << LINE_SHIFT) * 2
        self._lines[first : last + 1] = bytes(last + 1 - first)
        self._words[start:end] = bytes(end - start)
        self.mark(self._marked)
