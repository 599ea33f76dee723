# SPDX-License-Identifier: Apache-2.0
"""Litmus programs become RV32 words: instructions in the syntax of binutils, and a few of our own.

    sw 1, X             a number where a register is read: one that holds it from the start
    lw a0, X            a location where an address is: a register that holds it from the start
    use a0              addi x0, a0, 0: nothing behind it enters EX1 before a0 is known
    push STALLWAIT B5   store the Tensix instruction to the own push window (push T1: for B)
    ttinsn STALLWAIT B5 the same as one `.ttinsn` word
    csrs cfg0, 8        CSRs by name

Each is one instruction: registers that no text mentions are filled before the program begins, so
that no `lui` stands between two accesses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from core.arch.blackhole import HART_NAMES, PUSH_BASE, PUSH_STRIDE, T0, B
from core.isa import text as tensix_text
from core.isa.architecture import DIALECTS, Dialect
from core.isa.schema import EncodingError
from core.litmus.places import REGISTERS, PlaceError, Places
from core.litmus.text import Litmus, LitmusError, Statement
from core.riscv.csrs import CSRS
from core.riscv.encoding import Form, Instruction
from core.riscv.table import ROWS

INSTRUCTIONS = {row.name: row for row in ROWS}
CSR_NUMBERS = {name: number for number, name in CSRS}
# What tells the time would make every cycle a state of its own, and every outcome one of timing.
CLOCKS = {
    number
    for number, name in CSRS
    if name.startswith(("cycle", "instret", "mcycle", "minstret", "mhpmcounter"))
}
CLOCK_ADDRESSES = (
    (0xFFB121F0, 0xFFB12200, "the timestamper"),
    (0xFFB13138, 0xFFB1314C, "a pc snapshot"),
)
BEGIN = ("lw x0, LOCAL", "fence")
_MEMORY = re.compile(r"^(-?\w*)\((\w+)\)$")
_WORD = re.compile(r"[A-Za-z_]\w*")


class TextProblem(ValueError):
    """An instruction cannot be assembled; one sentence."""


@dataclass(slots=True)
class Program:
    """Words of one hart, what each was written as, and what registers hold at the start."""

    hart: int
    words: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    registers: dict[int, int] = field(default_factory=dict)


def assemble(test: Litmus, places: Places) -> list[Program]:
    """The programs of a test; LitmusError names the line of what is wrong.

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
        self.dialect: Dialect = DIALECTS[test.architecture]
        self.labels: dict[str, int] = {}
        self.result = Program(hart)
        mentioned = {REGISTERS[word] for statement in statements
                     for word in _WORD.findall(statement.text) if word in REGISTERS}  # fmt: skip
        given = {REGISTERS[place.text] for place, _ in test.init
                 if place.hart == hart and place.text in REGISTERS}  # fmt: skip
        observed = {REGISTERS[place.text] for place in test.final
                    if place.hart == hart and place.text in REGISTERS}  # fmt: skip
        self.free = [n for n in range(31, 0, -1) if n not in mentioned | given | observed]
        self.holding = {0: 0}

    def program(self) -> Program:
        for number, statement in enumerate(self.statements):
            for label in statement.labels:
                if label in self.labels:
                    raise self.test.error(statement.line, f"the label {label} is there twice")
                self.labels[label] = number
        for number, statement in enumerate(self.statements):
            try:
                self.result.words.append(self._word(number, statement.text))
            except (TextProblem, PlaceError, EncodingError, tensix_text.TextError) as problem:
                raise self.test.error(
                    statement.line, f"{HART_NAMES[self.hart]}: {statement.text}: {problem}"
                ) from None
            self.result.texts.append(statement.text)
        return self.result

    def _word(self, number: int, text: str) -> int:
        name, _, rest = text.partition(" ")
        if name == "push":
            return self._push(rest)
        if name in ("ttinsn", ".ttinsn"):
            word = tensix_text.parse(rest, self.dialect)
            return (word << 2 | word >> 30) & 0xFFFFFFFF
        operands = [part.strip() for part in rest.split(",")] if rest.strip() else []
        name, operands = _expand(name, operands)
        row = INSTRUCTIONS.get(name)
        if row is None or row.form not in _OPERANDS:
            raise TextProblem(f"{name!r} is no instruction that a test can use")
        wanted = _OPERANDS[row.form]
        if len(operands) != len(wanted):
            raise TextProblem(f"{name} takes {len(wanted)} operands, here are {len(operands)}")
        fields = {field: 0 for field in row.encoding.fields}
        for kind, operand in zip(wanted, operands, strict=True):
            self._operand(row, kind, operand, number, fields)
        if row.form is Form.FENCE:
            fields.update(pred=15, succ=15)
        return row.encoding.encode(**fields)

    def _operand(
        self, row: Instruction, kind: str, text: str, number: int, fields: dict[str, int]
    ) -> None:
        match kind:
            case "rd":
                fields["rd"] = _register(text)
            case "rs1" | "rs2":
                fields[kind] = self._source(text)
            case "imm":
                value = _number(text)
                fields["imm"] = value << 12 if row.form in (Form.LUI, Form.AUIPC) else value
            case "zimm":
                fields["rs1"] = _number(text)
            case "csr":
                fields["imm"] = _csr(text)
            case "label":
                if text not in self.labels:
                    raise TextProblem(f"there is no label {text}")
                fields["imm"] = 4 * (self.labels[text] - number)
            case _:
                self._address(row, text, fields)

    def _address(self, row: Instruction, text: str, fields: dict[str, int]) -> None:
        indirect = _MEMORY.match(text)
        if indirect:
            offset = _number(indirect[1] or "0")
            fields["rs1"] = _register(indirect[2])
            if "imm" in fields:
                fields["imm"] = offset
            elif offset:
                raise TextProblem(f"{row.name} takes no offset")
            return
        address = self.places.address(text)
        for start, end, what in CLOCK_ADDRESSES:
            if start <= address < end:
                raise TextProblem(f"{what} tells the time, which no outcome may depend on")
        fields["rs1"] = self._holding(address)

    def _push(self, text: str) -> int:
        thread = re.match(r"^(T[012])\s*:\s*(.*)$", text)
        window = 0
        if thread:
            if self.hart != B:
                raise TextProblem("only B names the thread to push to")
            window, text = HART_NAMES.index(thread[1]) - T0, thread[2]
        word = tensix_text.parse(text, self.dialect)
        return INSTRUCTIONS["sw"].encoding.encode(
            rs1=self._holding(PUSH_BASE + window * PUSH_STRIDE), rs2=self._holding(word), imm=0
        )

    def _source(self, text: str) -> int:
        if text in REGISTERS:
            return REGISTERS[text]
        try:
            return self._holding(int(text, 0) & 0xFFFFFFFF)
        except ValueError:
            raise TextProblem(f"{text!r} is neither a register nor a number") from None

    def _holding(self, value: int) -> int:
        """A register that holds `value` from the start and that nobody writes."""
        if value not in self.holding:
            if not self.free:
                raise TextProblem("no register is left for another address or number")
            self.holding[value] = self.free.pop(0)
            self.result.registers[self.holding[value]] = value
        return self.holding[value]


# fmt: off
_OPERANDS: dict[Form, tuple[str, ...]] = {
    Form.ALU_RR: ("rd", "rs1", "rs2"), Form.ALU_RI: ("rd", "rs1", "imm"),
    Form.ALU_R1: ("rd", "rs1"),        Form.BRANCH: ("rs1", "rs2", "label"),
    Form.LOAD:   ("rd", "address"),    Form.STORE:  ("rs2", "address"),
    Form.AMO:    ("rd", "rs2", "address"),
    Form.CSR_R:  ("rd", "csr", "rs1"), Form.CSR_I:  ("rd", "csr", "zimm"),
    Form.LUI:    ("rd", "imm"),        Form.JAL:    ("rd", "label"),
    Form.FENCE:  (),
}
_SHORT: dict[str, tuple[int, str, tuple[str, ...]]] = {
    "nop":  (0, "addi",  ("x0", "x0", "0")),
    "use":  (1, "addi",  ("x0", "{0}", "0")),
    "mv":   (2, "addi",  ("{0}", "{1}", "0")),
    "li":   (2, "addi",  ("{0}", "x0", "{1}")),
    "j":    (1, "jal",   ("x0", "{0}")),
    "beqz": (2, "beq",   ("{0}", "x0", "{1}")),
    "bnez": (2, "bne",   ("{0}", "x0", "{1}")),
    "csrr": (2, "csrrs", ("{0}", "{1}", "x0")),
    "csrw": (2, "csrrw", ("x0", "{0}", "{1}")),
    "csrs": (2, "csrrs", ("x0", "{0}", "{1}")),
    "csrc": (2, "csrrc", ("x0", "{0}", "{1}")),
}
# fmt: on


def _expand(name: str, operands: list[str]) -> tuple[str, list[str]]:
    """A short form as the instruction that it stands for."""
    if name not in _SHORT or (name == "j" and not operands):
        return name, operands
    count, full, texts = _SHORT[name]
    if len(operands) != count:
        raise TextProblem(f"{name} takes {count} operands, here are {len(operands)}")
    return full, [text.format(*operands) for text in texts]


def _register(text: str) -> int:
    if text not in REGISTERS:
        raise TextProblem(f"{text!r} is no register")
    return REGISTERS[text]


def _number(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise TextProblem(f"{text!r} is no number") from None


def _csr(text: str) -> int:
    number = CSR_NUMBERS.get(text)
    if number is None:
        raise TextProblem(f"{text!r} is no CSR; there is {' '.join(sorted(CSR_NUMBERS))}")
    if number in CLOCKS:
        raise TextProblem(f"{text} tells the time, which no outcome may depend on")
    return number


__all__ = ["LitmusError", "Program", "assemble"]
