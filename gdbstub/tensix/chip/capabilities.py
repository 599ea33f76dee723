# SPDX-License-Identifier: Apache-2.0
"""Threads, registers, memory, breakpoints and files of a chip: each asked of the thread's tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tensix_gdb.gdbstub.protocol.agent.budget import Budget
from tensix_gdb.gdbstub.protocol.capabilities import File
from tensix_gdb.gdbstub.protocol.target import NOTHING, Attached, Region, Watch
from tensix_gdb.gdbstub.tensix.capabilities.threads import name_of
from tensix_gdb.gdbstub.tensix.chip.tiles import OneTile, Tiles


class ChipThreads:
    """The `Threads` capability."""

    def __init__(self, tiles: Tiles) -> None:
        self._tiles = tiles

    def thread_ids(self) -> Sequence[int]:
        return self._tiles.thread_ids

    def thread_name(self, thread: int) -> str:
        tile = self._tiles.owner(thread)
        return f"{tile.name} {name_of(thread - tile.base)}"

    def thread_state(self, thread: int) -> str:
        tile, local = self._tiles.of(thread)
        return tile.states.thread_state(local)

    def first_thread(self) -> int:
        tile, _ = self._tiles.of(1)
        return tile.base + tile.states.first_thread()


class ChipRegisters:
    """The `Registers` capability."""

    def __init__(self, tiles: Tiles) -> None:
        self._tiles = tiles

    def read_general(self, thread: int) -> bytes:
        tile, local = self._tiles.of(thread)
        return tile.registers.read_general(local)

    def absent(self, thread: int) -> int:
        tile, local = self._tiles.of(thread)
        return tile.registers.absent(local)

    def write_general(self, thread: int, data: bytes) -> None:
        tile, local = self._tiles.of(thread)
        tile.registers.write_general(local, data)

    def read_register(self, thread: int, number: int) -> bytes | None:
        tile, local = self._tiles.of(thread)
        return tile.registers.read_register(local, number)

    def write_register(self, thread: int, number: int, data: bytes) -> None:
        tile, local = self._tiles.of(thread)
        tile.registers.write_register(local, number, data)

    def read_pc(self, thread: int) -> int:
        tile, local = self._tiles.of(thread)
        return tile.registers.read_pc(local)

    def write_pc(self, thread: int, addr: int) -> None:
        tile, local = self._tiles.of(thread)
        tile.registers.write_pc(local, addr)

    def expedited(self, thread: int) -> Mapping[int, bytes]:
        tile, local = self._tiles.of(thread)
        return tile.registers.expedited(local)


class ChipMemory:
    """The `Memory` capability."""

    def __init__(self, tiles: Tiles) -> None:
        self._tiles = tiles

    def read_memory(self, thread: int, addr: int, length: int) -> bytes:
        tile, local = self._tiles.of(thread)
        return tile.memory.read_memory(local, addr, length)

    def write_memory(self, thread: int, addr: int, data: bytes) -> None:
        tile, local = self._tiles.of(thread)
        tile.memory.write_memory(local, addr, data)

    def region(self, thread: int, addr: int) -> Region:
        tile, local = self._tiles.of(thread)
        return tile.memory.region(local, addr)


class ChipBreakpoints:
    """The `Breakpoints` capability. A breakpoint is for all threads of one tile, that of the first
    thread of its process, or for all tiles. A tracepoint is for all tiles."""

    def __init__(self, tiles: Tiles) -> None:
        self._tiles = tiles
        # Of each tracepoint in a tile, by its identity, what is attached there.
        self._traced: dict[tuple[int, int], tuple[Attached, Attached]] = {}

    def _of_space(self, thread: int) -> Sequence[OneTile]:
        return (self._tiles.of(thread)[0],) if thread else self._tiles.look_at_all()

    def add_breakpoint(self, addr: int, attached: Attached = NOTHING, thread: int = 0) -> str:
        for tile in self._of_space(thread):
            note = tile.breakpoints.add_breakpoint(addr, self._in_tile(tile, attached))
        return note

    def _in_tile(self, tile: OneTile, attached: Attached) -> Attached:
        """Return what is attached in a tile: a tracepoint collects by the threads of the chip."""
        collect, key = attached.collect, (tile.number, id(attached))
        if collect is None:
            return attached
        if key not in self._traced:

            def of_tile(thread: int, budget: Budget) -> None:
                collect(tile.base + thread, budget)

            self._traced[key] = attached, replace(attached, collect=of_tile)
        return self._traced[key][1]

    def remove_breakpoints(self, several: Sequence[tuple[int, Attached, int]]) -> None:
        by_tile: dict[int, list[tuple[int, Attached, int]]] = {}
        for addr, attached, thread in several:
            for tile in self._of_space(thread):
                there = self._in_tile(tile, attached)
                self._traced.pop((tile.number, id(attached)), None)
                by_tile.setdefault(tile.number, []).append((addr, there, 0))
        for number, removed in by_tile.items():
            self._tiles.chip.wake_tile(number)
            self._tiles.all[number].breakpoints.remove_breakpoints(removed)

    def add_watchpoint(
        self, thread: int, kind: Watch, addr: int, length: int, attached: Attached = NOTHING
    ) -> None:
        tile, local = self._tiles.of(thread)
        tile.breakpoints.add_watchpoint(local, kind, addr, length, attached)

    def remove_watchpoint(
        self, thread: int, kind: Watch, addr: int, length: int, attached: Attached = NOTHING
    ) -> None:
        tile, local = self._tiles.of(thread)
        tile.breakpoints.remove_watchpoint(local, kind, addr, length, attached)


class ChipFiles:
    """The `Files` capability: those of all tiles, each once."""

    def __init__(self, tiles: Tiles) -> None:
        self._tiles = tiles

    def files(self) -> Sequence[File]:
        by_path = {
            file.path: file
            for tile in self._tiles.all
            if tile.machine.images
            for file in tile.files.files()
        }
        return list(by_path.values())
