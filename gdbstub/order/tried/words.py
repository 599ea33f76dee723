# SPDX-License-Identifier: Apache-2.0
"""A remedy as instructions: what a hart executes, or pushes to its thread, at a place.

STALLWAIT, SEMWAIT, NOP   .ttinsn beside the push; for B, stores to the window of the thread
read back                 a load of what was stored, or the register of a load, and its use
tensix_sync()             store to CoprocessorDoneCheck, load it, use the value
fence                     fence
barrier                   NOC_CMD_CTRL and the counters of requests that are under way, until 0
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, B
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.assembly.rv32 import ABI_NAMES
from tensix_gdb.core.assembly.rv32_read import assemble
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.semaphores import LARGEST
from tensix_gdb.core.noc.state import OUTGOING, OUTSTANDING
from tensix_gdb.core.race.remedies.remedy import Beside
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FORMS, Form
from tensix_gdb.core.tensix.table import opcode
from tensix_gdb.gdbstub.order.tried.code_before import AT, PCBUF, unused_loads
from tensix_gdb.gdbstub.order.tried.registers import Code

PUSH = AT["PUSH"]
WINDOW = 0x10000
DONE_CHECK, SEMAPHORES = PCBUF + 4, PCBUF + 0x20
STALLWAIT, SEMWAIT = opcode("STALLWAIT"), opcode("SEMWAIT")
SEMINIT, SEMPOST, SEMGET = opcode("SEMINIT"), opcode("SEMPOST"), opcode("SEMGET")
TENSIX_NOP = opcode("NOP") << 24
ON_ZERO = 1
# Offsets of an NIU, as stores to NOC_CMD_CTRL reach them.
COUNTERS, NIU_BITS = 0x200, 16
LOADS = {0: "lb", 1: "lh", 2: "lw", 4: "lbu", 5: "lhu"}
STORED = {0: "lbu", 1: "lhu", 2: "lw"}
USE = "addi zero,{0},0"


class CannotTry(Exception):
    """The remedy cannot be put in; the message says why."""


class Part(enum.Enum):
    """The part of a remedy that an insertion is, where that has several."""

    WHOLE = "whole"
    USE = "use"  # of what was stored or loaded, before a post
    POST = "post"
    TAKE = "take"  # a mutex
    GIVE = "give"  # it back
    WAIT = "wait"  # for the post, which it takes


@dataclass(frozen=True, slots=True)
class Insertion:
    """Instructions of a hart beside the one at `pc`."""

    hart: int
    pc: int
    beside: Beside
    words: tuple[int, ...]
    tile: str = ""  # as Access.outside names it; empty: the one that has the report
    part: Part = Part.WHOLE
    replaces: bool = False  # the instruction at `pc` is left out


def stallwait_word(block: int, conditions: int) -> int:
    """Return a STALLWAIT."""
    return STALLWAIT << 24 | block << 15 | conditions


def semwait_word(block: int, semaphore: int, condition: int = ON_ZERO) -> int:
    """Return a SEMWAIT."""
    return SEMWAIT << 24 | block << 15 | 1 << semaphore + 2 | condition


def post_word(semaphore: int) -> int:
    """Return a SEMPOST."""
    return SEMPOST << 24 | 1 << semaphore + 2


def init_word(semaphore: int, limit: int = LARGEST) -> int:
    """Return a SEMINIT to 0."""
    return SEMINIT << 24 | limit << 20 | 1 << semaphore + 2


def get_word(semaphore: int) -> int:
    """Return a SEMGET."""
    return SEMGET << 24 | 1 << semaphore + 2


@dataclass(frozen=True, slots=True)
class Here:
    """A place in the code of a hart, and how to write there."""

    code: Code
    hart: int
    pc: int
    tile: str = ""

    def put(self, beside: Beside, lines: Sequence[str]) -> Insertion:
        """Put lines of assembly there."""
        found = tuple(each.word for each in assemble("\n".join(lines)))
        return Insertion(self.hart, self.pc, beside, found, self.tile)

    def pushed(self, beside: Beside, thread: int, words: Sequence[int]) -> Insertion:
        """Push Tensix instructions to a thread there."""
        if self.hart != B:
            rotated = tuple((w << 2 | w >> 30) & MASK32 for w in words)
            return Insertion(self.hart, self.pc, beside, rotated, self.tile)
        window, value = self.registers(beside, 2)
        lines = [load_address(window, PUSH + WINDOW * thread)]
        for word in words:
            lines += [*load_constant(value, word), f"sw {value},0({window})"]
        return self.put(beside, lines)

    def registers(self, beside: Beside, count: int) -> list[str]:
        """Return the names of registers that may be changed there. CannotTry if there are too
        few."""
        at = self.pc if beside is Beside.BEFORE else self.pc + 4
        found = [ABI_NAMES[number] for number in self.code.free(at, count)]
        if len(found) < count:
            raise CannotTry(f"{HART_NAMES[self.hart]} has no register free at {self.pc:#x}")
        return found


def read_back(here: Here) -> Insertion:
    """Return the load of what the store here has stored, or the use of what a load has loaded."""
    word = here.code.word(here.pc)
    d = decode(word or 0)
    form = FORMS[d & 0xFF]
    rd, rs1, imm = d >> 8 & 0xFF, d >> 16 & 0xFF, d >> 32
    if word is not None and form in (Form.LOAD, Form.AMO) and 0 < rd < len(ABI_NAMES):
        return here.put(Beside.AFTER, [USE.format(ABI_NAMES[rd])])
    width = (word or 0) >> 12 & 7
    if word is None or form is not Form.STORE or width not in STORED or rs1 >= len(ABI_NAMES):
        raise CannotTry(f"the instruction at {here.pc:#x} is no load or store of a register")
    (value,) = here.registers(Beside.AFTER, 1)
    load = f"{STORED[width]} {value},{imm}({ABI_NAMES[rs1]})"
    return here.put(Beside.AFTER, [load, USE.format(value)])


def use_loads(here: Here) -> Insertion:
    """Return the use of what loads before have brought."""
    found = unused_loads(here.code, here.pc)
    if not found:
        raise CannotTry(f"all loads before {here.pc:#x} are used")
    return here.put(Beside.BEFORE, [USE.format(ABI_NAMES[number]) for number in found])


def tensix_sync(here: Here, beside: Beside) -> Insertion:
    """Return a wait of a T core for its thread."""
    if here.hart == B or here.hart == len(HART_NAMES) - 1:
        raise CannotTry(f"{HART_NAMES[here.hart]} has no thread to wait for")
    (value,) = here.registers(beside, 1)
    at = DONE_CHECK & 0xFFF
    lines = [load_address(value, DONE_CHECK), f"sw zero,{at}({value})"]
    return here.put(beside, [*lines, f"lw {value},{at}({value})", USE.format(value)])


def post(here: Here, beside: Beside, semaphore: int) -> Insertion:
    """Return the post of a semaphore by a T core."""
    (value,) = here.registers(beside, 1)
    at = (SEMAPHORES & 0xFFF) + 4 * semaphore
    return here.put(beside, [load_address(value, SEMAPHORES), f"sw zero,{at}({value})"])


def await_post(here: Here, beside: Beside, semaphore: int, *, takes: bool = True) -> Insertion:
    """Return the wait of a T core for a semaphore, which it takes, if nothing else does."""
    window, value = here.registers(beside, 2)
    at = (SEMAPHORES & 0xFFF) + 4 * semaphore
    lines = [load_address(window, SEMAPHORES)]
    lines += [f"again: lw {value},{at}({window})", f"beqz {value},again"]
    if takes:
        lines += [f"li {value},1", f"sw {value},{at}({window})"]
    return here.put(beside, lines)


def fence(here: Here, beside: Beside) -> Insertion:
    """Return what empties the L0 data cache of a hart."""
    return here.put(beside, ["fence"])


def barrier(here: Here) -> Insertion:
    """Return the wait, after a store to NOC_CMD_CTRL, until that NIU has nothing under way."""
    word = here.code.word(here.pc)
    d = decode(word or 0)
    rs1, imm = d >> 16 & 0xFF, d >> 32
    if word is None or FORMS[d & 0xFF] is not Form.STORE:
        raise CannotTry(f"the instruction at {here.pc:#x} is no store to NOC_CMD_CTRL")
    base, value = here.registers(Beside.AFTER, 2)
    lines = [f"taken: lw {value},{imm}({ABI_NAMES[rs1]})", f"bnez {value},taken"]
    lines += [f"addi {base},{ABI_NAMES[rs1]},{imm}"]
    lines += [f"srli {base},{base},{NIU_BITS}", f"slli {base},{base},{NIU_BITS}"]
    for counter in range(OUTSTANDING, OUTGOING):
        lines += [f"c{counter}: lw {value},{COUNTERS + 4 * counter}({base})"]
        lines += [f"bnez {value},c{counter}"]
    return here.put(Beside.AFTER, lines)


def load_address(register: str, addr: int) -> str:
    """Load the upper part of a constant, so that its low twelve bits can be added as they are."""
    return f"lui {register},{addr >> 12 & 0xFFFFF:#x}"


def load_constant(register: str, word: int) -> list[str]:
    """Load a constant of 32 bits."""
    low = ((word & 0xFFF) ^ 0x800) - 0x800
    return [load_address(register, word - low), f"addi {register},{register},{low}"]
