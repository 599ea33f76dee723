# SPDX-License-Identifier: Apache-2.0
"""Litmus programs become RV32 words: instructions in the syntax of binutils, and a few of our own.

    sw 1, X             a number where a register is read: one that holds it from the start
    lw a0, X            a location where an address is: a register that holds it from the start
    use a0              addi x0, a0, 0: nothing after it enters EX1 before a0 is known
    push STALLWAIT B5   store the Tensix instruction to the own push window (push T1: for B)
    ttinsn STALLWAIT B5 the same as one `.ttinsn` word

Each is one instruction: registers that no text mentions are filled before the program begins, so
that no `lui` stands between two accesses. The rest is core/assembly/rv32_read.py.
"""

from __future__ import annotations

import re
from dataclasses import field

from tensix_gdb.core.arch.blackhole import HART_NAMES, PUSH_BASE, PUSH_STRIDE, T0, B
from tensix_gdb.core.assembly import rv32_read, tensix_read
from tensix_gdb.core.assembly.rv32_read import REGISTERS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import DIALECTS
from tensix_gdb.core.litmus.symbols import PlaceError, Places
from tensix_gdb.core.litmus.text import Litmus, Statement
from tensix_gdb.core.riscv.csrs import CSRS
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import ROWS

FORMS = {row.name: row.form for row in ROWS}
CSR_NUMBERS = {name: number for number, name in CSRS}
# What tells the time would make every cycle a state of its own, and every outcome one of timing.
CLOCKS = {
    number: name
    for number, name in CSRS
    if name.startswith(("cycle", "instret", "mcycle", "minstret", "mhpmcounter"))
}
CLOCK_ADDRESSES = (
    (0xFFB121F0, 0xFFB12200, "the timestamper"),
    (0xFFB13138, 0xFFB1314C, "a pc snapshot"),
)
BEGIN = ("lw x0, LOCAL", "fence")
LONGEST_IMMEDIATE = 31  # of a CSR instruction
SYSTEM = 0x73
_INDIRECT = re.compile(r"^-?\w*\(\w+\)$")
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(slots=True)
class Program:
    """Words of one hart, what each was written as, and what registers hold at the start."""

    hart: int
    words: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    registers: dict[int, int] = field(default_factory=dict)


def assemble(test: Litmus, places: Places) -> list[Program]:
    """Return the programs of a test; LitmusError names the line of what is wrong.

    Of several harts, each first loads from its own local RAM. That load takes as long as it likes,
    so the harts begin at any time.
    """
    begin = [Statement(text, (), test.line) for text in BEGIN] if len(test.programs) > 1 else []
    return [
        _Assembler(test, hart, [*begin, *statements], places).program()
        for hart, statements in test.programs.items()
    ]


class _Assembler:
    def __init__(
        self, test: Litmus, hart: int, statements: list[Statement], places: Places
    ) -> None:
        self.test, self.hart, self.statements, self.places = test, hart, statements, places
        self.dialect = DIALECTS[test.architecture]
        self.result = Program(hart)
        texts = [statement.text for statement in statements]
        texts += [place.text for place, _ in test.init if place.hart == hart]
        texts += [place.text for place in test.final if place.hart == hart]
        mentioned = {REGISTERS.get(word) for text in texts for word in _WORD.findall(text)}
        self.free = [number for number in range(31, 0, -1) if number not in mentioned]
        self.holding = {0: 0}

    def program(self) -> Program:
        names = dict(CSR_NUMBERS)
        for number, statement in enumerate(self.statements):
            for label in statement.labels:
                if label in names:
                    raise self.test.error(statement.line, f"the label {label} is there twice")
                names[label] = 4 * number
        for number, (text, _, line) in enumerate(self.statements):
            try:
                word = rv32_read.parse(self._plain(text), 4 * number, names)
                if word & 0x7F == SYSTEM and word >> 20 in CLOCKS:
                    raise PlaceError(
                        f"{CLOCKS[word >> 20]} tells the time, which no outcome may depend on"
                    )
            except (PlaceError, tensix_read.TextError) as problem:
                raise self.test.error(line, f"{HART_NAMES[self.hart]}: {text}: {problem}") from None
            self.result.words.append(word)
            self.result.texts.append(text)
        return self.result

    def _plain(self, text: str) -> str:
        """Return the instruction as binutils would have it."""
        name, _, rest = text.partition(" ")
        match name:
            case "push":
                return self._push(rest)
            case "ttinsn" | ".ttinsn":
                return f".ttinsn {tensix_read.parse(rest, self.dialect):#x}"
            case "use":
                return f"addi x0, {rest}, 0"
        operands = [part.strip() for part in rest.split(",")]
        form = FORMS.get(name)
        if form is Form.STORE or (form is Form.AMO and len(operands) > 1):
            value = int(form is Form.AMO)
            operands[value] = self._source(operands[value])
        if form in (Form.LOAD, Form.STORE, Form.AMO):
            operands[-1] = self._address(operands[-1])
        elif name.startswith("csr") and len(operands) > 1:
            operands[-1] = self._source(operands[-1], LONGEST_IMMEDIATE)
        return f"{name} {', '.join(operands)}"

    def _address(self, text: str) -> str:
        if _INDIRECT.match(text):
            return text
        address = self.places.address(text)
        for start, end, what in CLOCK_ADDRESSES:
            if start <= address < end:
                raise PlaceError(f"{what} tells the time, which no outcome may depend on")
        return f"0({self._holding(address)})"

    def _push(self, text: str) -> str:
        thread = re.match(r"^(T[012])\s*:\s*(.*)$", text)
        window = 0
        if thread:
            if self.hart != B:
                raise PlaceError("only B names the thread to push to")
            window, text = HART_NAMES.index(thread[1]) - T0, thread[2]
        word = tensix_read.parse(text, self.dialect)
        return f"sw {self._holding(word)}, 0({self._holding(PUSH_BASE + window * PUSH_STRIDE)})"

    def _source(self, text: str, most: int = 0) -> str:
        """Return a register for a number above `most`; anything else stays."""
        try:
            value = int(text, 0)
        except ValueError:
            return text
        return self._holding(value & 0xFFFFFFFF) if not 0 < value <= most else text

    def _holding(self, value: int) -> str:
        """Return a register that holds `value` from the start and that is never written."""
        if value not in self.holding:
            if not self.free:
                raise PlaceError("no register is left for another address or number")
            self.holding[value] = self.free.pop(0)
            self.result.registers[self.holding[value]] = value
        return f"x{self.holding[value]}"
