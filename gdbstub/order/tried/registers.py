# SPDX-License-Identifier: Apache-2.0
"""Registers of a hart that code at one place may change: what is put in there needs some.

A register is free if no path from there reads it before it is written. Paths are followed through
branches and jumps; of calls and returns the calling convention says what they need. What cannot be
followed reads everything. In a program without calls a register that no instruction names is free.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.assembly.pushes import CHANGED_BY_CALLS
from tensix_gdb.core.program.elf import Image, Segment
from tensix_gdb.core.program.file_tables import Symbol
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FORMS, Form

RA = 1
ARGUMENTS = range(10, 18)
RETURNED = (10, 11)
TEMPORARIES = (5, 6, 7, 28, 29, 30, 31, *reversed(range(12, 18)))
OTHERS = (10, 11, 8, 9, *range(18, 28))
FOLLOWED = 600  # instructions
# The function of a kernel, in tt-metal, with LLK, and of a program with neither.
KERNELS = ("kernel_main", "run_kernel", "main")
RETURN = 0x00008067


class Code:
    """The code of a program, decoded where it is looked at."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._segments = image.segments
        self._named: dict[int, frozenset[int]] = {}

    def word(self, pc: int) -> int | None:
        """Return the word at an address; None outside of the program."""
        segment = self.segment(pc)
        if segment is None or pc + 4 > segment.end:
            return None
        at = pc - segment.addr
        return int.from_bytes(segment.data[at : at + 4], "little")

    def segment(self, pc: int) -> Segment | None:
        """Return the part of the program at an address."""
        return next((one for one in self._segments if one.addr <= pc < one.end), None)

    def kernel(self) -> Symbol | None:
        """Return the function of the kernel; None if no name is known."""
        if not self.image.content:
            return None
        for wanted in KERNELS:
            for symbol in self.image.symbols.values():
                if symbol.is_function and function_name(symbol.shown) == wanted:
                    return symbol
        return None

    def function_of(self, pc: int) -> tuple[int, int]:
        """Return up to where code comes before `pc`, and where it begins: in the function of the
        kernel that function, elsewhere the program to its end."""
        segment, symbol = self.segment(pc), self.kernel()
        assert segment is not None
        if symbol is not None and symbol.addr <= pc < symbol.addr + symbol.size:
            return pc, symbol.addr
        return (segment.end if symbol is not None else pc), segment.addr

    def end_of_kernel(self) -> int | None:
        """Return the address at which the function of the kernel returns; None if that is not
        known, or if it returns at several."""
        symbol = self.kernel()
        if symbol is None:
            return None
        inside = range(symbol.addr, symbol.addr + symbol.size, 4)
        found = [pc for pc in inside if self.word(pc) == RETURN]
        return found[0] if len(found) == 1 else None

    def free(self, pc: int, count: int) -> tuple[int, ...]:
        """Return so many registers that may be changed before the instruction at `pc`; fewer if
        there are none."""
        found = [number for number in (*TEMPORARIES, *OTHERS) if self._is_free(number, pc)]
        return tuple(found[:count])

    def has_loop(self, low: int, high: int) -> bool:
        """True if a branch or a jump leads from `high` or after it to `low` or before it."""
        segment = self.segment(high)
        if segment is None or segment is not self.segment(low):
            return True
        for pc in range(high, segment.end - 3, 4):
            word = decode(self.word(pc) or 0)
            if _form(word) in (Form.BRANCH, Form.JAL) and segment.addr <= pc + (word >> 32) <= low:
                return True
        return False

    def _is_free(self, number: int, pc: int) -> bool:
        if number not in self._registers(pc):
            return True
        return number in TEMPORARIES and not self._is_read(number, pc)

    def _registers(self, pc: int) -> frozenset[int]:
        """Return all registers that code beside `pc` names; all, if it calls."""
        segment = self.segment(pc)
        if segment is None:
            return frozenset(range(32))
        if segment.addr not in self._named:
            named: set[int] = set()
            for at in range(0, len(segment.data) - 3, 4):
                word = decode(int.from_bytes(segment.data[at : at + 4], "little"))
                if _form(word) in (Form.JALR, Form.MRET) or (_form(word) is Form.JAL and _rd(word)):
                    named.update(range(32))
                named |= {_rd(word), _rs1(word), _rs2(word)}
            self._named[segment.addr] = frozenset(named)
        return self._named[segment.addr]

    def _is_read(self, number: int, start: int) -> bool:
        """True if a path from `start` may read a register before it is written."""
        left, seen = [start], set()
        while left:
            pc = left.pop()
            if pc in seen:
                continue
            seen.add(pc)
            word = self.word(pc)
            if word is None or len(seen) > FOLLOWED:
                return True
            after = _after(decode(word), pc, number)
            if after is None:
                return True
            left += after
        return False


def function_name(shown: str) -> str:
    """Return the name of a function without namespaces and arguments."""
    return shown.partition("(")[0].partition("<")[0].rpartition("::")[2]


def _after(word: int, pc: int, number: int) -> Sequence[int] | None:
    """Return where paths lead after an instruction; none if it writes the register; None if it
    reads it, or if what comes next is not known."""
    form = _form(word)
    if number in (_rs1(word), _rs2(word)):
        return None
    imm = word >> 32
    match form:
        case Form.BRANCH:
            return (pc + 4, pc + imm)
        case Form.JAL if _rd(word) == 0:
            return (pc + imm,)
        case Form.JAL | Form.JALR if _rd(word) == RA:
            return None if number in ARGUMENTS or number not in CHANGED_BY_CALLS else ()
        case Form.JALR if _rd(word) == 0 and _rs1(word) == RA:
            return None if number in RETURNED or number not in CHANGED_BY_CALLS else ()
        case Form.TTINSN:
            return (pc + 4,)
        case Form.JAL | Form.JALR | Form.EBREAK | Form.ECALL | Form.MRET | Form.ILLEGAL:
            return None
    return () if _rd(word) == number else (pc + 4,)


def _form(word: int) -> Form:
    return FORMS[word & 0xFF]


def _rd(word: int) -> int:
    return word >> 8 & 0xFF


def _rs1(word: int) -> int:
    return word >> 16 & 0xFF


def _rs2(word: int) -> int:
    return word >> 24 & 0xFF
