# SPDX-License-Identifier: Apache-2.0
"""Running a tile again through what is recorded: to a cycle, by an instruction, from stop to stop.

Nothing of it is for the tracer, which has seen it already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tensix_gdb.core.history.checkpoints import (
    Position,
    held_now,
    hold,
    pass_pauses,
    pauses_passed,
    position,
)
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop, StopKind

PIECE = 1 << 22  # cycles of a replay after which others get their turn
# Stops after which others get their turn too: to find out whether one is wanted takes time.
MOST_LOOKS = 16
PASSED = (StopKind.BREAK, StopKind.WATCH, StopKind.STEP)


def blind(machine: Machine, cycle: int) -> None:
    """Run to the start of a cycle, whatever is armed."""
    tracer, machine.tracer = machine.tracer, None
    while machine.S.tile.cycle < cycle:
        was = position(machine)
        stop = machine.run(cycle - machine.S.tile.cycle, blind=True)
        if stop is not None:
            pass_stop(machine, stop)
            if stop.kind not in PASSED and position(machine) == was:
                break
    machine.tracer = tracer


def pass_stop(machine: Machine, stop: Stop) -> None:
    """Let a hart pass what it has stopped for."""
    if stop.kind in (StopKind.BREAK, StopKind.WATCH) and stop.thread is None:
        kept = pauses_passed(machine)
        machine.resume_from(stop.hart)
        pass_pauses(machine, kept)


def one(machine: Machine, hart: int, tensix: int | None = None) -> bool:
    """Let the hart or Tensix thread execute one instruction, and the others what they do
    meanwhile. False when it cannot."""
    held = held_now(machine)
    counts = machine.S.hart.retired if tensix is None else machine.S.passed.count
    who = hart if tensix is None else tensix
    before = counts[who]
    if tensix is None:
        machine.step(hart)
    else:
        machine.gates.step(tensix, 0, 0)
    while counts[who] == before:
        was = position(machine)
        stop = machine.run(PIECE)
        if stop is not None:
            pass_stop(machine, stop)
            if stop.kind not in PASSED and position(machine) == was:
                break
    kept = pauses_passed(machine)
    machine.disarm()
    # To disarm lets go whom the history holds, and forgets who passes his ebreak.
    pass_pauses(machine, kept)
    hold(machine, held)
    return bool(counts[who] != before)


def stops(
    machine: Machine, limit: Position, wanted: Callable[[Stop], bool]
) -> Iterator[Stop | None]:
    """What stops the tile before a position of its segment; None now and then."""
    looks = 0
    while (here := position(machine)).before(limit):
        tracer, machine.tracer = machine.tracer, None
        stop = machine.run(min(max(limit.cycle - here.cycle, 1), PIECE))
        machine.tracer = tracer
        at = position(machine)
        if stop is None:
            yield None
            continue
        if stop.kind in (StopKind.BREAK, StopKind.WATCH):
            # An access that has not happened yet there is none of the past.
            done = stop.kind is StopKind.BREAK or stop.thread is not None
            done = done or at.retired[stop.hart] < limit.retired[stop.hart]
            if done and at.before(limit):
                if wanted(stop):
                    yield stop
                looks += 1
                if looks % MOST_LOOKS == 0:
                    yield None
            pass_stop(machine, stop)
        elif stop.kind is StopKind.GATE:
            # The instruction stands at its gate: it is behind the tile when it has passed.
            if at.before(limit) and wanted(stop):
                yield stop
        elif at == here:
            return
