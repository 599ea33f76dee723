# SPDX-License-Identifier: Apache-2.0
"""Tensix instructions under way, with their origins: at a gate, latched, the last of a unit."""

from __future__ import annotations

from pathlib import PurePath

from tensix_gdb.core.arch.blackhole import THREAD_NAMES
from tensix_gdb.core.assembly.tensix_text import show_on
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.frontend.fifo import VIA_MOP, VIA_REPLAY, C
from tensix_gdb.core.tensix.gate.latch import NONE
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.table import find


@dataclass(frozen=True, slots=True)
class Instruction:
    """A Tensix instruction under way, with its origin."""

    thread: int
    word: int
    hart: int
    pc: int
    cycle: int = 0
    via: int = 0
    wormhole: int = 0

    @property
    def name(self) -> str:
        """`UNPACR`, without its form."""
        row = find(self.word, Arch.WORMHOLE if self.wormhole else Arch.BLACKHOLE)
        return row.mnemonic if row is not None else f".word {self.word:#010x}"

    @property
    def text(self) -> str:
        """`STALLWAIT block=B6, wait=C1`."""
        return show_on(self.word, self.wormhole)

    @property
    def expanded(self) -> str:
        """` of a MOP`, when it comes from an expansion."""
        if self.via & VIA_REPLAY:
            return " of a REPLAY in a MOP" if self.via & VIA_MOP else " of a REPLAY"
        return " of a MOP" if self.via & VIA_MOP else ""


def at_gate(machine: Machine, thread: int) -> Instruction | None:
    """Return the instruction that is at the gate."""
    fifo = machine.S.fifo
    if not fifo.count.raw[thread, C]:
        return None
    at = fifo.head[thread, C]
    return Instruction(
        thread,
        int(fifo.word[thread, C, at]),
        int(fifo.hart[thread, C, at]),
        int(fifo.pc[thread, C, at]),
        int(fifo.cycle[thread, C, at]),
        int(fifo.via[thread, C, at]),
        wormhole=int(machine.S.tile.chip),
    )


def place(machine: Machine, hart: int, pc: int) -> str:
    """`unpack.cpp:45`, or the address; `unpack.cpp:45 (llk_unpack_A.h:60)` for what a library's
    header has pushed."""
    image = machine.places.image(hart, pc)
    if image is not None and (steps := machine.places.inlining.of_kernel(image, pc)):
        return f"{steps[0].place} ({steps[-1].place})"
    line = image.symbolize(pc) if image is not None else None
    if line is None:
        return f"{pc:#010x}"
    file, _, number = line.rpartition(":")
    return f"{PurePath(file).name}:{number}"


def held_by_wait(machine: Machine, thread: int) -> bool:
    """True if a latched wait holds the instruction that is at the gate."""
    S = machine.S
    by_wait = Held(S.gate.held[thread]) is Held.LATCHED_WAIT and S.latch.kind[thread] != NONE
    return bool(by_wait and S.fifo.count[thread, C])


def latched(machine: Machine, thread: int) -> Instruction:
    """Return the wait instruction with the latched wait."""
    latch = machine.S.latch
    return Instruction(
        thread,
        int(latch.word[thread]),
        int(latch.hart[thread]),
        int(latch.pc[thread]),
        int(latch.since[thread]),
        wormhole=int(machine.S.tile.chip),
    )


def last_of(machine: Machine, thread: int, place_number: int) -> Instruction | None:
    """Return the last instruction of the thread that a unit has got
    (core/tensix/gate/issued.py)."""
    passed = machine.S.passed
    if not passed.to_when[thread, place_number]:
        return None
    return Instruction(
        thread,
        int(passed.to_word[thread, place_number]),
        int(passed.to_hart[thread, place_number]),
        int(passed.to_pc[thread, place_number]),
        int(passed.to_when[thread, place_number]) - 1,
        wormhole=int(machine.S.tile.chip),
    )


def named(machine: Machine, instruction: Instruction, thread: int) -> str:
    """`UNPACR from unpack.cpp:45`, with its thread when that is another one."""
    other = f" of {THREAD_NAMES[instruction.thread]}" if instruction.thread != thread else ""
    return f"{instruction.name}{other} from {place(machine, instruction.hart, instruction.pc)}"


def of_row(thread: int, part: object, i: int) -> Instruction:
    """Return an instruction that a unit keeps in its rows `word`, `hart` and `pc`."""
    rows = (getattr(part, name)[i] for name in ("word", "hart", "pc"))
    word, hart, pc = map(int, rows)
    return Instruction(thread, word, hart, pc)
