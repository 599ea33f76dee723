# SPDX-License-Identifier: Apache-2.0
"""Tensix instructions that a program pushes with stores, found without running it.

    lui  a5,0x10180                         firmware on B, and code that computes an instruction,
    sw   a5,0(s4)     # pushes ZEROACC ...  pushes by a store to INSTRN_BUF instead of `.ttinsn`

Constants are followed through the basic blocks of each function, as far as every path to a place
agrees on them. What a call leaves is what the calling convention promises. A store to an address
known to be in INSTRN_BUF is a push; its word may be unknown.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from tensix_gdb.core.arch.numbers import MASK32, s32
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.program.elf import Image, Segment
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FIRST, ILLEGAL, ROWS, Form

INSTRN_BUF, INSTRN_BUF_END = 0xFFE40000, 0xFFE70000
WINDOW_SHIFT = 16  # one window of INSTRN_BUF for each thread
RA, GP, T0 = 1, 3, 5
# Registers that a call may change: ra, t0 to t6, a0 to a7.
CHANGED_BY_CALLS = (1, *range(5, 8), *range(10, 18), *range(28, 32))
_LUI = 0x37

# What each register holds where it is known.
Registers = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Push:
    """A store that pushes: to which window of INSTRN_BUF, and what, if that is known."""

    window: int
    word: int | None


def pushes(image: Image) -> dict[int, Push]:
    """Return the pushes of a file by address of the store."""
    pushed: dict[int, Push] = {}
    pointer = image.symbol("__global_pointer$")
    entries = {symbol.addr for symbol in image.symbols.values() if symbol.is_function}
    for section in image.code:
        words = [
            word for (word,) in struct.iter_unpack("<I", section.data[: len(section.data) & ~3])
        ]
        # Following constants takes a while; most files never name the addresses.
        if any(word & 0x7F == _LUI and _is_push(word & ~0xFFF) for word in words):
            pushed |= _Section(section, words, pointer).pushes(entries | {image.entry})
    return pushed


def _is_push(addr: int) -> bool:
    return INSTRN_BUF <= addr < INSTRN_BUF_END


class _Section:
    """The instructions of one section, and what registers hold before each that is a leader."""

    def __init__(self, section: Segment, words: list[int], pointer: int | None) -> None:
        self._start = section.addr
        self._code = [decode(word) for word in words]
        unknown: list[int | None] = [None] * 32
        unknown[0], unknown[GP] = 0, pointer
        self._unknown: Registers = tuple(unknown)

    def pushes(self, entries: set[int]) -> dict[int, Push]:
        """Follow all paths from the entries until nothing changes; then look at the stores."""
        before: dict[int, Registers] = {}
        waiting = []
        for addr in sorted(entries | set(self._called())):
            index = (addr - self._start) >> 2
            if not addr & 3 and 0 <= index < len(self._code):
                before[index] = self._unknown
                waiting.append(index)
        leaders = self._leaders() | set(before)
        while waiting:
            for index, registers in self._block(waiting.pop(), before, leaders):
                known = before.get(index)
                agreed = registers if known is None else _agreed(known, registers)
                if agreed != known:
                    before[index] = agreed
                    waiting.append(index)
        pushed: dict[int, Push] = {}
        for index in before:
            for _ in self._block(index, before, leaders, pushed):
                pass
        return pushed

    def _called(self) -> Iterator[int]:
        """Yield the addresses that calls go to: functions that may have no symbol."""
        for index, packed in enumerate(self._code):
            if self._form(packed) is Form.JAL and packed >> 8 & 31:
                yield self._start + 4 * index + (packed >> 32)

    def _leaders(self) -> set[int]:
        """Targets of branches and jumps."""
        return {
            index + (packed >> 34)
            for index, packed in enumerate(self._code)
            if self._form(packed) in (Form.BRANCH, Form.JAL)
        }

    @staticmethod
    def _form(packed: int) -> Form:
        op = packed & 0xFF
        return ROWS[op - FIRST].form if op >= FIRST else Form.ILLEGAL

    def _block(
        self,
        index: int,
        before: dict[int, Registers],
        leaders: set[int],
        pushed: dict[int, Push] | None = None,
    ) -> Iterator[tuple[int, Registers]]:
        """Yield where control continues from the block at `index`, and what registers hold then."""
        registers = list(before[index])
        first = index
        while index < len(self._code) and (index == first or index not in leaders):
            packed = self._code[index]
            if packed & 0xFF == ILLEGAL:
                return
            if pushed is not None:
                self._follow_instruction(index, registers, pushed)
            form = self._form(packed)
            jump = index + (packed >> 34)
            is_call = form in (Form.JAL, Form.JALR) and packed >> 8 & 31 in (RA, T0)
            if form is Form.BRANCH or (form is Form.JAL and not is_call):
                if 0 <= jump < len(self._code):
                    yield jump, tuple(registers)
                if form is Form.JAL:
                    return
                index += 1
                break
            if form in (Form.JALR, Form.MRET) and not is_call:
                return
            if is_call:
                for number in CHANGED_BY_CALLS:
                    registers[number] = None
            else:
                self._step(index, registers)
            index += 1
        if index < len(self._code):
            yield index, tuple(registers)

    def _step(self, index: int, registers: list[int | None]) -> None:
        """Apply one instruction to the registers."""
        packed = self._code[index]
        row = ROWS[(packed & 0xFF) - FIRST]
        rd, a, b = packed >> 8 & 31, registers[packed >> 16 & 31], registers[packed >> 24 & 31]
        imm = packed >> 32 & MASK32
        value: int | None = None
        match row.form:
            case Form.LUI:
                value = imm
            case Form.AUIPC:
                value = self._start + 4 * index + imm & MASK32
            case Form.ALU_RI if a is not None:
                value = int(row.operation(a, imm))
            case Form.ALU_R1 if a is not None:
                value = int(row.operation(a))
            case Form.ALU_RR if a is not None and b is not None:
                value = int(row.operation(a, b))
            case Form.STORE | Form.FENCE | Form.FENCE_I | Form.TTINSN:
                return
        if rd:
            registers[rd] = value

    def _follow_instruction(
        self, index: int, registers: list[int | None], pushed: dict[int, Push]
    ) -> None:
        packed = self._code[index]
        base = registers[packed >> 16 & 31]
        if self._form(packed) is not Form.STORE or base is None:
            return
        addr = base + s32(packed >> 32 & MASK32) & MASK32
        if ROWS[(packed & 0xFF) - FIRST].size == 4 and _is_push(addr):
            window = (addr - INSTRN_BUF) >> WINDOW_SHIFT
            pushed[self._start + 4 * index] = Push(window, registers[packed >> 24 & 31])


def _agreed(left: Registers, other: Registers) -> Registers:
    return tuple(a if a == b else None for a, b in zip(left, other, strict=True))
