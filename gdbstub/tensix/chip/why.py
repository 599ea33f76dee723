# SPDX-License-Identifier: Apache-2.0
"""`monitor why all`: what harts wait for across tiles, as far as it can be known.

A hart that waits for another tile polls a word of its own L1: a semaphore, a counter of a buffer.
Which word is known where its loop is (blocked/polls.py), and else seen in the loads near its pc,
with the registers as they are. What may change it is
seen in the requests of other tiles that are under way to it, or were the last to change it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, L1_BYTES
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.noc.request import READ
from tensix_gdb.core.polls.poll import l1_words
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FIRST, ROWS, Form
from tensix_gdb.gdbstub.tensix.blocked.at_fault import fault_lines
from tensix_gdb.gdbstub.tensix.blocked.polls import polling
from tensix_gdb.gdbstub.tensix.chip.grid import FAULT, KERNEL, WAITS, doing, letter
from tensix_gdb.gdbstub.tensix.chip.requests import Request, last_ones, over_hole
from tensix_gdb.gdbstub.tensix.chip.tiles import OneTile, Tiles

NEAR = 8  # instructions before and after the pc
MAX_LINES = 60


def why_all(tiles: Tiles) -> str:
    """Return the faults at which tiles have stopped, then a line for each hart in a kernel, or that
    waits, and the requests that may end that."""
    lines = [*fault_lines((tile.name, tile.machine) for tile in tiles.all)]
    writes = last_writes(tiles)
    lines += [line for tile in tiles.all for line in _of(tiles, tile, writes.get(tile.place, ()))]
    if lines:
        lines += tiles.chip.cables.lines()
    if not lines:
        return "No hart is in a kernel, and none waits.\n"
    shown = lines[:MAX_LINES]
    if len(lines) > MAX_LINES:
        shown.append(f"and {len(lines) - MAX_LINES} more lines: `monitor why` has those of a tile")
    return "".join(f"{line}\n" for line in shown)


def last_writes(tiles: Tiles) -> dict[Place, list[Request]]:
    """Return the last requests that have written to each tile, or will. Each is read once: 140
    tiles poll some thousand words, and have as many requests."""
    writes: dict[Place, list[Request]] = {}
    for sender in tiles.all:
        for one in last_ones(sender):
            if one.kind != READ:
                for place in one.places():
                    writes.setdefault(place, []).append(one)
    return writes


def _of(tiles: Tiles, tile: OneTile, writes: Sequence[Request]) -> Iterator[str]:
    waits = False
    for hart in range(HARTS):
        if letter(tile, hart) not in (KERNEL, WAITS, FAULT):
            continue
        waits = True
        found = polling(tile.machine, hart)
        does = found.does if found is not None else doing(tile, hart)
        yield f"{tile.name} {HART_NAMES[hart]}: {does}"
        yield from (f"    {line}" for line in (found.more if found is not None else ()))
        poll = found.poll if found is not None else None
        addrs = polled(tile, hart) if found is None else list(l1_words(poll.polled if poll else ()))
        for addr in addrs:
            yield from (f"    {text}" for text in _who(tile, addr, writes))
    for one in tiles.chip.holes.noted:
        if waits and one.sender == tile.place:
            yield f"    {over_hole(tiles, one)}"


def polled(tile: OneTile, hart: int) -> list[int]:
    """Return the words of L1 that loads near the pc of a hart read."""
    machine = tile.machine
    pc = machine.read_pc(hart)
    start = max(pc - 4 * NEAR, 0)
    code = machine.peek(hart, start, 4 * (2 * NEAR + 1)) if pc < L1_BYTES else b""
    found: list[int] = []
    for at in range(0, len(code) - 3, 4):
        packed = decode(int.from_bytes(code[at : at + 4], "little"))
        op = packed & 0xFF
        if op < FIRST or ROWS[op - FIRST].form is not Form.LOAD:
            continue
        base = machine.read_x(hart, packed >> 16 & 31)
        addr = (base + (packed >> 32)) & MASK32
        if addr < L1_BYTES and addr not in found:
            found.append(addr)
    return found


def _who(tile: OneTile, addr: int, writes: Sequence[Request]) -> Iterator[str]:
    """Yield what other tiles have to do with a word: the last request of each."""
    last: dict[int, Request] = {}
    for one in writes:
        known = last.get(one.tile.number)
        if one.tile is not tile and one.covers(addr) and (known is None or one.due > known.due):
            last[one.tile.number] = one
    if not last:
        return
    value = int.from_bytes(tile.machine.peek(0, addr & ~3, 4), "little")
    for one in last.values():
        state = "is under way" if one.stage else "was its last one"
        yield (
            f"reads {addr:#x}, which is {value:#x}: {one.tile.name} {one.does}, "
            f"by {one.started}; that {state}"
        )
