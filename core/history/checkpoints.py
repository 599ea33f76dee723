# SPDX-License-Identifier: Apache-2.0
"""Where a tile is, and states of it that are kept (`Checkpoint`).

A checkpoint shares the pages that have not changed with the one before it, so that many of them
need little memory.
"""

from __future__ import annotations

from itertools import zip_longest

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.armed import STEP_OVER_PAUSE
from tensix_gdb.core.debug.kept_stop import KeptStop, keep_stop, put_stop_back
from tensix_gdb.core.history.replayable import Position
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.frontend.fifo import C

PAGE = 4096


def position(machine: Machine) -> Position:
    """Return where the tile is."""
    S = machine.S
    retired = tuple(int(S.hart.retired[hart]) for hart in range(HARTS))
    passed = tuple(int(S.passed.count[thread]) for thread in range(THREADS))
    return Position(int(S.tile.cycle), retired, passed)


@dataclass(frozen=True, slots=True)
class TileState:
    """All state of a tile at one moment: the record, which Tensix threads (at their gates) and
    harts are frozen, which harts resume after the ebreak that they are at, and the fault at which
    it has stopped."""

    at: Position
    pages: list[bytes]
    frozen: bytes
    step_over: tuple[int, ...]
    stop: KeptStop


@dataclass(frozen=True, slots=True)
class Checkpoint(TileState):
    """That of a tile alone, and memory outside it."""

    outside: list[dict[int, bytes]]


def pauses_stepped_over(machine: Machine) -> tuple[int, ...]:
    """Return for each hart, whether its next instruction is an ebreak or ecall that it steps
    over."""
    return tuple(int(machine.S.debug.step_over[hart]) & STEP_OVER_PAUSE for hart in range(HARTS))


def step_over_pauses(machine: Machine, step_over: tuple[int, ...]) -> None:
    """Let these harts step over their ebreak, beside what they step over already."""
    for hart, bits in enumerate(step_over):
        if bits:
            machine.S.debug.step_over[hart] |= bits


def frozen_now(machine: Machine) -> bytes:
    """Return which Tensix threads are frozen at their gates, then which harts."""
    return bytes(machine.S.gate_stop.held.raw) + bytes(machine.S.hart.held.raw)


def freeze(machine: Machine, frozen: bytes) -> None:
    """Hold exactly these."""
    machine.gates.freeze([thread for thread in range(THREADS) if frozen[thread]])
    machine.freeze([hart for hart in range(HARTS) if frozen[THREADS + hart]])


def capture(machine: Machine, like: Checkpoint | None = None) -> Checkpoint:
    """Copy the state as it is. Pages that are as in `like` are shared with it."""
    tile = capture_tile(machine, like, machine.record.scratch)
    outside = [pages.snapshot() for pages in machine.outside.memories()]
    return Checkpoint(tile.at, tile.pages, tile.frozen, tile.step_over, tile.stop, outside)


def capture_tile(machine: Machine, like: TileState | None, scratch: bytearray) -> TileState:
    """Copy the state of a tile without memory outside it."""
    state = machine.snapshot(scratch)
    known = [] if like is None else like.pages
    places = range(0, len(state), PAGE)
    # One of them may have the observer's clocks, and the other one not: then one has more pages,
    # and the last one that both have may be shorter in one of them.
    before = known[: len(places)]
    is_same = list(map(state.startswith, before, places))
    if is_same and len(before[-1]) != min(PAGE, len(state) - PAGE * (len(before) - 1)):
        is_same[-1] = False
    if all(is_same) and len(is_same) == len(places) == len(known):
        pages = known
    else:
        pages = [
            old if same else bytes(state[at : at + PAGE])
            for at, old, same in zip_longest(places, before, is_same)
        ]
    return TileState(
        position(machine),
        pages,
        frozen_now(machine),
        pauses_stepped_over(machine),
        keep_stop(machine.S),
    )


def is_unchanged(machine: Machine, checkpoint: Checkpoint) -> bool:
    """True if the tile is as it was."""
    if (
        frozen_now(machine) != checkpoint.frozen
        or pauses_stepped_over(machine) != checkpoint.step_over
    ):
        return False
    outside = [pages.snapshot() for pages in machine.outside.memories()]
    state = machine.record.snapshot(machine.record.scratch)
    return outside == checkpoint.outside and _has(checkpoint.pages, state)


def _has(pages: list[bytes], state: bytearray) -> bool:
    """True if the pages begin with this state; the observer's clocks may follow it."""
    whole, rest = divmod(len(state), PAGE)
    if len(pages) < whole + (rest > 0):
        return False
    if not all(map(state.startswith, pages[:whole], range(0, whole * PAGE, PAGE))):
        return False
    return not rest or pages[whole].startswith(state[whole * PAGE :])


def restore(machine: Machine, checkpoint: Checkpoint) -> None:
    """Bring the tile to the state of a checkpoint; what is armed stays, but no step."""
    restore_tile(machine, checkpoint, machine.record.scratch)
    for pages, kept in zip(machine.outside.memories(), checkpoint.outside, strict=True):
        pages.restore(kept)
    restore_held(machine, checkpoint)


def restore_tile(machine: Machine, state: TileState, scratch: bytearray) -> None:
    """Bring the record of a tile to a state; call `restore_held` after the rest."""
    machine.restore(_whole(state.pages, scratch))


def _whole(pages: list[bytes], scratch: bytearray) -> bytearray:
    """Return the state that the pages are of, joined in `scratch`."""
    size = sum(map(len, pages))
    if len(scratch) != size:
        scratch[:] = bytes(size)
    for i, page in enumerate(pages):
        scratch[i * PAGE : i * PAGE + len(page)] = page
    return scratch


def restore_held(machine: Machine, state: TileState) -> None:
    """Bring to a state what clients hold and resume, and its stop: after the rest of it."""
    freeze(machine, state.frozen)
    S = machine.S
    for thread in range(THREADS):
        # What is held at a gate came there before: breakpoints have looked at it.
        if S.gate.held[thread] and S.fifo.count[thread, C]:
            S.gate_stop.looked[thread] = S.passed.count[thread] + 1
    step_over_pauses(machine, state.step_over)
    put_stop_back(S, state.stop)
