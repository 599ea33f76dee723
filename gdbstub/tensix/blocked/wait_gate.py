# SPDX-License-Identifier: Apache-2.0
"""The reason why the instruction at a thread's wait gate is held, in words and as a list of what it
waits for.

    held_text(machine, 1)
        MVMUL held at the gate by STALLWAIT block=B6 wait=C1 since cycle 8123:
        unpacker 0 busy with UNPACR from unpack.cpp:45

`obstacles` are the parts after the colon, each with the Tensix threads or the harts that have to
move before it goes away. The raw form is core/tensix/gate/wait_gate.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tensix_gdb.core.arch.blackhole import THREAD_NAMES, THREADS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.ordering.pauses import thread_sentence
from tensix_gdb.core.tensix import occupancy
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.decode import decode_as, field
from tensix_gdb.core.tensix.gate.issued import UNPACKER_1, place_of
from tensix_gdb.core.tensix.gate.latch import NONE
from tensix_gdb.core.tensix.gate.wait_gate import CONDITIONS, RESETS, UNITS, Held
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.core.tensix.sync import is_mutex
from tensix_gdb.gdbstub.tensix.blocked.instructions import (
    Instruction,
    at_gate,
    last_of,
    latched,
    named,
)
from tensix_gdb.gdbstub.tensix.blocked.wait_conditions import (
    UNIT_NUMBERS,
    Blocker,
    condition_obstacles,
    config_unit,
    emitted,
    mover,
    source_bank,
    wait_obstacles,
)


def held_text(machine: Machine, thread: int) -> str:
    """Return the whole sentence; empty when nothing is held."""
    instruction = at_gate(machine, thread)
    S = machine.S
    held = Held(S.gate.held[thread])
    if instruction is None or held is Held.NOT:
        return ""
    why = "; ".join(obstacle.text for obstacle in obstacles(machine, thread))
    if held is Held.LATCHED_WAIT and S.latch.kind[thread] != NONE:
        wait = latched(machine, thread)
        by = f"by {wait.text.replace(',', '')} since cycle {S.gate.since[thread]}"
    else:
        by = f"since cycle {S.gate.since[thread]}"
    return f"{instruction.name} held at the gate {by}: {why or 'its last condition is met now'}"


def obstacles(machine: Machine, thread: int) -> list[Blocker]:
    """Return what is in the way of the instruction at the gate, as it was looked at last."""
    instruction = at_gate(machine, thread)
    if instruction is None:
        return []
    return list(_BY_HELD[Held(machine.S.gate.held[thread])](machine, instruction))


def _number(machine: Machine, instruction: Instruction) -> int:
    """Return the number of its row."""
    return decode_as(instruction.word, int(machine.S.tile.chip)) & 0xFF


def _by_wait(machine: Machine, instruction: Instruction) -> Iterator[Blocker]:
    yield from wait_obstacles(machine, instruction.thread)


def _own_scalar(machine: Machine, instruction: Instruction) -> Iterator[Blocker]:
    """The thread's scalar instruction is not done; FLUSHDMA may wait for conditions."""
    S = machine.S
    last = last_of(machine, instruction.thread, UNIT_NUMBERS[Unit.THCON])
    name = f" {named(machine, last, instruction.thread)}" if last is not None else " an instruction"
    why = ""
    if S.thcon.state == thcon.FLUSHING:
        waits = [
            obstacle
            for number, condition in enumerate(CONDITIONS)
            if S.thcon.value >> number & 1 and condition(S, instruction.thread)
            for obstacle in condition_obstacles(machine, instruction.thread, number)
        ]
        why = f", which waits: {'; '.join(w.text for w in waits)}" if waits else ""
    yield Blocker(f"the Scalar Unit still has{name} of this thread{why}", (instruction.thread,))


def _unit(machine: Machine, instruction: Instruction) -> Iterator[Blocker]:
    """Another instruction has the unit: the last one that it got, of whichever thread."""
    number = UNITS[_number(machine, instruction)]
    where = place_of(number, instruction.word)
    unit = _unit_name(number, where)
    if RESETS[_number(machine, instruction)] & machine.S.tile_control.soft_reset:
        yield Blocker(f"{unit} in soft reset")
        return
    if number == UNIT_NUMBERS[Unit.THCON]:
        yield from _scalar_unit(machine, instruction)
        return
    if number == UNIT_NUMBERS[Unit.MOVER] and machine.S.busy.mover:
        yield from mover(machine, instruction.thread)
        return
    had = [last_of(machine, thread, where) for thread in range(THREADS)]
    last = max((known for known in had if known), key=lambda known: known.cycle, default=None)
    if last is None:
        yield Blocker(f"{unit} busy")
    else:
        yield Blocker(
            f"{unit} busy with {named(machine, last, instruction.thread)}", (last.thread,)
        )


def _scalar_unit(machine: Machine, instruction: Instruction) -> Iterator[Blocker]:
    S = machine.S
    if not S.thcon.state:
        if not thcon.request_room(S):
            yield Blocker(
                f"the Scalar Unit has {thcon.REQUESTS} memory requests outstanding, the most "
                "there can be",
                tuple({int(S.thcon.owner[i]) for i in range(S.thcon.requests)}),
            )
        else:
            yield Blocker("another thread's instruction went to the Scalar Unit in this cycle")
        return
    owner = int(S.thcon.thread)
    last = last_of(machine, owner, UNIT_NUMBERS[Unit.THCON])
    name = named(machine, last, instruction.thread) if last is not None else THREAD_NAMES[owner]
    yield Blocker(f"Scalar Unit (ThCon) busy with {name}", (owner,))


def _unit_name(number: int, where: int) -> str:
    unit = list(Unit)[number]
    if unit is Unit.UNPACKER:
        return f"unpacker {int(where == UNPACKER_1)}"
    return str(unit.value)


def _mutex(machine: Machine, instruction: Instruction) -> Iterator[Blocker]:
    index = field(instruction.word, _number(machine, instruction), 0)
    if not is_mutex(machine.S, index):
        yield Blocker(f"there is no mutex {index}; waiting for it never ends")
        return
    holder = int(machine.S.mutex.holder[index]) - 1
    if holder < 0:
        yield Blocker(f"mutex {index} is free, and it is another thread's turn to take it")
    else:
        yield Blocker(f"mutex {index} is held by {THREAD_NAMES[holder]}", (holder,))


def _source_bank(machine: Machine, instruction: Instruction) -> Iterator[Blocker]:
    """A unit that cannot work on the banks that it has."""
    for source in range(2):
        if occupancy.matrix_lacks(machine.S, source):
            yield from source_bank(source, occupancy.MATRIX_OWNS)(machine, instruction.thread)


def _config_pipe(machine: Machine, instruction: Instruction) -> Iterator[Blocker]:
    blockers = list(config_unit(machine, instruction.thread))
    yield from blockers or [Blocker("the Configuration Unit has taken a request in this cycle")]


def _ttsync(machine: Machine, instruction: Instruction) -> Iterator[Blocker]:
    """Auto TTSync, with the requests that are older."""
    blockers = (
        list(emitted(machine, instruction.thread))
        if tracker.requests(machine.S, instruction.thread)
        else []
    )
    if not blockers:
        yield Blocker("Auto TTSync waits a few cycles longer")
    for obstacle in blockers:
        yield Blocker(f"Auto TTSync: {obstacle.text}", obstacle.threads, obstacle.harts)


def _own_unpacker(machine: Machine, instruction: Instruction) -> Iterator[Blocker]:
    """Two cycles, or some more when what it unpacks is compressed."""
    yield Blocker("the thread's UNPACR calculates its addresses", (instruction.thread,))


def _paused(machine: Machine, instruction: Instruction) -> Iterator[Blocker]:
    """Return nothing: it ends by itself."""
    yield Blocker(thread_sentence(machine.S, instruction.thread) or "its pause is over now")


def _nothing(machine: Machine, instruction: Instruction) -> Iterator[Blocker]:
    return iter(())


_BY_HELD: dict[Held, Callable[[Machine, Instruction], Iterator[Blocker]]] = {
    Held.NOT: _nothing,
    Held.LATCHED_WAIT: _by_wait,
    Held.OWN_SCALAR: _own_scalar,
    Held.UNIT: _unit,
    Held.MUTEX: _mutex,
    Held.SOURCE_BANK: _source_bank,
    Held.CONFIG_PIPE: _config_pipe,
    Held.AUTO_TTSYNC: _ttsync,
    Held.OWN_UNPACKER: _own_unpacker,
    Held.PAUSED: _paused,
}
