# SPDX-License-Identifier: Apache-2.0
"""The threads of GDB: 1 B, 2 T0, 3 T1, 4 T2, 5 NC are harts; 6 to 8 are the Tensix threads.

A Tensix thread has no program. Its pc is where a hart has pushed the instruction that passes its
wait gate next, and it sees memory as its T core does.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, T0, T2, THREAD_NAMES, THREADS
from tensix_gdb.core.explain.gate_stop import origin, queued
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.tensix.blocked.instructions import Instruction, at_gate, place
from tensix_gdb.gdbstub.tensix.blocked.wait_gate import held_text

HART_THREADS = tuple(range(1, HARTS + 1))
FIRST_TENSIX = HARTS + 1
TENSIX_THREADS = tuple(range(FIRST_TENSIX, FIRST_TENSIX + THREADS))
THREAD_IDS = HART_THREADS + TENSIX_THREADS
# The pc of a thread that is nowhere. There is no memory, so that a client finds no symbol of
# another hart's program there; in GDB the helper has symbols for it (inside/nowhere.py).
IN_RESET, NOTHING_PUSHED = 0xFFFFFE00, 0xFFFFFE80
_NAMES = (*HART_NAMES, *THREAD_NAMES)


def tensix_of(thread: int) -> int | None:
    """Return the Tensix thread that a thread of GDB means; None for a hart."""
    return thread - FIRST_TENSIX if thread >= FIRST_TENSIX else None


def hart_of(thread: int) -> int:
    """Return the hart that a thread means; of a Tensix thread its T core."""
    return thread - 1 if thread < FIRST_TENSIX else T0 + thread - FIRST_TENSIX


def thread_of(hart: int) -> int:
    """Return the thread that shows a hart."""
    return hart + 1


def thread_of_tensix(number: int) -> int:
    """Return the thread that shows a Tensix thread."""
    return FIRST_TENSIX + number


def threads_with(hart: int) -> tuple[int, ...]:
    """Return the threads of a port for one hart: the hart, and the Tensix thread that it feeds."""
    own = (thread_of(hart),)
    return (*own, thread_of_tensix(hart - T0)) if T0 <= hart <= T2 else own


def name_of(thread: int) -> str:
    """`T1` for the hart, `T1 math` for the Tensix thread."""
    return _NAMES[thread - 1]


def pc_of(machine: Machine, thread: int) -> int:
    """Return where a thread is. IN_RESET or NOTHING_PUSHED where it is nowhere."""
    number = tensix_of(thread)
    if number is None:
        hart = hart_of(thread)
        return IN_RESET if machine.S.hart.in_reset[hart] else machine.read_pc(hart)
    where = origin(machine.S, number)
    return where.pc if where.queued or machine.S.passed.count[number] else NOTHING_PUSHED


def tensix_state(machine: Machine, number: int) -> str:
    """Return what a Tensix thread does, in a few words."""
    S = machine.S
    instruction = at_gate(machine, number)
    if instruction is not None:
        held = held_text(machine, number)
        return held or f"{instruction.text}{instruction.expanded} at the gate"
    if queued(S, number):
        return "instructions on their way to the gate"
    if not S.passed.count[number]:
        return "nothing was pushed to it"
    last = Instruction(
        number,
        int(S.passed.word[number]),
        int(S.passed.hart[number]),
        int(S.passed.pc[number]),
        wormhole=int(S.tile.chip),
    )
    return f"its queues are empty; {last.text} was last, from " + place(machine, last.hart, last.pc)


def running(
    machine: Machine, going: Collection[int], stepping: Collection[int], passed: Sequence[int]
) -> list[int]:
    """List the threads of `going` that execute instructions: harts that issue, and Tensix threads
    with an instruction in their queues or past the gate since `passed` was counted. A Tensix thread
    of `stepping` counts too, because its client waits for it."""
    S = machine.S
    issuing, count = S.hart.issuing.raw, S.passed.count.raw
    executing = [thread for thread in HART_THREADS if thread in going and issuing[hart_of(thread)]]
    for number, thread in enumerate(TENSIX_THREADS):
        works = queued(S, number) or count[number] != passed[number] or thread in stepping
        if thread in going and works:
            executing.append(thread)
    return executing


class TileThreads:
    """The `Threads` capability."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def thread_ids(self) -> Sequence[int]:
        return THREAD_IDS

    def thread_name(self, thread: int) -> str:
        return name_of(thread)

    def thread_state(self, thread: int) -> str:
        number = tensix_of(thread)
        if number is None:
            return self._machine.hart_state(hart_of(thread)) + strays(self._machine, thread)
        return tensix_state(self._machine, number)

    def first_thread(self) -> int:
        """Return the first hart out of reset, because it has a program; all in reset, the first
        hart with one."""
        machine = self._machine
        running = [hart for hart in range(HARTS) if not machine.S.hart.in_reset[hart]]
        loaded = [image.hart for image in machine.images if image.hart is not None]
        return thread_of(min(running or loaded, default=0))


def strays(machine: Machine, thread: int) -> str:
    """Return a note on a hart that is in another hart's program: in that of the hart that has let
    it go, or in what GDB's `load` has loaded, which sets the pc of the thread that is selected."""
    hart = hart_of(thread)
    if machine.S.hart.in_reset[hart]:
        return ""
    image = machine.places.foreign(hart, machine.read_pc(hart))
    if image is None or image.hart is None:
        return ""
    return f", in {image.path.name}, the program of {HART_NAMES[image.hart]}"
