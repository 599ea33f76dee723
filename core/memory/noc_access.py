# SPDX-License-Identifier: Apache-2.0
"""The tile as the network on chip sees it: what a host, and other tiles, read and write.

BabyRISCV/README.md, memory map, column of the NoC: L1, the tile control registers, the PIC, local
RAM by its slow path, the NIUs and the overlay; that is the view of NC without NC's own local RAM.
Unlike a debugger's access it is a real one. It sees what has been processed, not what a hart has
still in its store queue; it leaves stale lines in the harts' L0 caches; and a register read or
written from here has the side effects it has.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tensix_gdb.core.arch.blackhole import NC
from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.debug.memory import END, Access, MemoryFault, from_outside
from tensix_gdb.core.memory import regions
from tensix_gdb.core.memory.map import Region, region_on
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.stop import StopKind

_HIDDEN = (Region.NONE, Region.LOCAL)


Call = Callable[..., int]  # of an entry by its name (core/machine/entries.py)


class NocAccess:
    """Requests from the NoC to one tile, each processed at once; of registers by `call`, that of
    the machine's engine, or in Python without it."""

    def __init__(self, record: Record, memory: Access, call: Call | None = None) -> None:
        self._S: View = record.S
        self._call = call or self._in_python
        self._memory = memory
        self._l1 = record.row(record.layout.slot("l1", "word"))

    def read(self, addr: int, length: int, *, watched: bool = True) -> bytes:
        """MemoryFault when the NoC has nothing there. What is no read of the request's is not
        `watched`."""
        if addr + length <= L1_END[self._S.tile.chip]:
            if watched and self._memory.watched is not None:
                self._memory.watched.reads(addr, length)
            return bytes(self._l1[addr : addr + length])
        out = b"".join(
            self._word(at).to_bytes(4, "little") for at in range(addr & ~3, addr + length, 4)
        )
        return out[addr & 3 :][:length]

    def write(self, addr: int, data: bytes) -> None:
        """MemoryFault, with nothing written, when the NoC has nothing there; registers take whole
        words."""
        if addr + len(data) <= L1_END[self._S.tile.chip]:
            if self._memory.watched is not None:
                self._memory.watched.writes(addr, data)
            # A host writes the same kernel to a tile at each launch: it is decoded once.
            if bytes(self._l1[addr : addr + len(data)]) != data:
                self._l1[addr : addr + len(data)] = data
                self._memory.drop_decoded(addr, addr + len(data))
            if data and self._memory.written is not None:
                self._memory.written(addr, addr + len(data))
            # A hart that polls these bytes can continue.
            self._S.tile.idle_cycles = 0
            return
        if addr & 3 or len(data) & 3:
            raise MemoryFault(f"{addr:#010x} cannot be written over the NoC: registers take words")
        for at in range(addr, addr + len(data), 4):
            self._check(at)
        for offset in range(0, len(data), 4):
            value = int.from_bytes(data[offset : offset + 4], "little")
            self._request("noc_write", addr + offset, value)

    def _word(self, addr: int) -> int:
        if addr + 4 <= L1_END[self._S.tile.chip]:
            return int.from_bytes(self._l1[addr : addr + 4], "little")
        self._check(addr)
        return self._request("noc_read", addr)

    def _check(self, addr: int) -> None:
        if not 0 <= addr < END or region_on(self._S, NC, addr) in _HIDDEN:
            raise MemoryFault(f"{addr:#010x} is nothing that the NoC reaches in this tile")

    def _request(self, name: str, addr: int, *value: int) -> int:
        """Make a request of a register. Return its answer; MemoryFault if it gives none."""
        origin = int(self._S.hart.pc[NC])
        status = from_outside(self._S, NC, partial(self._call, name, NC, addr, 4, *value, origin))
        if status < 0:
            self._S.stop.kind = StopKind.NONE
            raise MemoryFault(f"{addr:#010x} does not answer over the NoC")
        return status

    def _in_python(self, name: str, *arguments: int) -> int:
        process: Callable[..., int] = regions.read if name == "noc_read" else regions.write
        return process(self._S, *arguments)
