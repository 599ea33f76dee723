# SPDX-License-Identifier: Apache-2.0
"""Assembler for programs of Tensix instructions.

    .arch blackhole                  or wormhole; before the first instruction
    .equ  ROWS, 16                   a constant; also ROWS = 16
    body:                            a label: the number of the word that follows
        MVMUL addr_mod=ADDR_MOD_1    one instruction in a line, in any spelling of `tensix_text`
        .word 0x26000000             a raw word
        .ttinsn STALLWAIT block=B6   the RISC-V word that pushes this instruction
    .mopcfg 5, MVMUL                 word 5 of the MOP configuration, which MOP expands by
        REPLAY index=0, count=2, load=1
    # or // begin a comment; a semicolon ends a statement, as in C

Every error is one line `file:line: sentence`; all of them are reported at once.
"""

from __future__ import annotations

import re
from dataclasses import field

from tensix_gdb.core.assembly.expand import MOP_CFG_WORDS, Expanded, ExpansionError, expand
from tensix_gdb.core.assembly.tensix_read import TextError, parse
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import BLACKHOLE, DIALECTS, Arch, Dialect
from tensix_gdb.core.isa.expression import ExpressionError, evaluate

_LABEL = re.compile(r"^([A-Za-z_]\w*)\s*:(?!:)\s*(.*)$")
_ASSIGN = re.compile(r"^([A-Za-z_]\w*)\s*=(?!=)\s*([^,]+)$")
_COMMENT = re.compile(r"(#|//).*$")
NOP = 0x02000000


class AssemblyError(ValueError):
    """One line for each thing that is wrong."""


@dataclass(frozen=True, slots=True)
class Item:
    """One word of the program and the line that it came from.

    `is_push` marks a `.ttinsn`: the word is the RISC-V instruction, not the Tensix one.
    """

    word: int
    line: int
    text: str
    is_push: bool = False

    @property
    def tensix(self) -> int:
        """The Tensix instruction: the word, or what it pushes."""
        return self.word >> 2 | (self.word & 3) << 30 if self.is_push else self.word


@dataclass
class Program:
    """The result of assembling a text."""

    arch: Arch
    items: list[Item] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    mop_cfg: dict[int, int] = field(default_factory=dict)

    @property
    def words(self) -> list[int]:
        return [item.word for item in self.items]

    def expanded(self) -> list[Expanded]:
        """Return the instructions after the MOP and Replay Expanders; pushes count as what they
        push."""
        tensix = [item.tensix for item in self.items]
        cfg = [self.mop_cfg.get(i, NOP if i > 1 else 0) for i in range(MOP_CFG_WORDS)]
        try:
            return expand(tensix, cfg if self.mop_cfg else (), self.arch)
        except ExpansionError as error:
            raise AssemblyError(str(error)) from None


@dataclass(frozen=True, slots=True)
class _Statement:
    line: int
    text: str
    at: int


def _head(text: str) -> tuple[str, str]:
    """Return the first word of a statement and what follows it."""
    head, *rest = text.split(None, 1)
    return head, rest[0] if rest else ""


def assemble(source: str, dialect: Dialect = BLACKHOLE, name: str = "<text>") -> Program:
    """Assemble a program; AssemblyError with all that is wrong."""
    return _Assembler(source, dialect, name).program()


class _Assembler:
    """Two passes: the first finds constants and labels, the second words."""

    def __init__(self, source: str, dialect: Dialect, name: str) -> None:
        self.dialect = dialect
        self.name = name
        self.errors: list[str] = []
        self.names: dict[str, int] = {}
        self.statements: list[_Statement] = []
        self.count = 0
        self.labels: dict[str, int] = {}
        for line, raw in enumerate(source.splitlines(), 1):
            for text in _COMMENT.sub("", raw).split(";"):
                self._first_pass(line, text.strip())

    def program(self) -> Program:
        """The second pass."""
        program = Program(self.dialect.arch, labels=self.labels)
        for statement in self.statements:
            try:
                self._emit(program, statement)
            except (TextError, ExpressionError) as error:
                self._error(statement.line, str(error))
        if self.errors:
            raise AssemblyError("\n".join(self.errors))
        return program

    def _error(self, line: int, sentence: str) -> None:
        self.errors.append(f"{self.name}:{line}: {sentence}")

    def _first_pass(self, line: int, text: str) -> None:
        while label := _LABEL.match(text):
            self._define(line, label[1], self.count)
            self.labels[label[1]] = self.count
            text = label[2]
        if not text:
            return
        head, rest = _head(text)
        try:
            if head == ".equ":
                defined, _, value = rest.partition(",")
                self._define(line, defined.strip(), evaluate(value, self.names.get))
            elif assigned := _ASSIGN.match(text):
                self._define(line, assigned[1], evaluate(assigned[2], self.names.get))
            elif head == ".arch":
                self._choose(line, rest.strip())
            else:
                self.statements.append(_Statement(line, text, self.count))
                self.count += self._size(head, rest)
        except ExpressionError as error:
            self._error(line, str(error))

    @staticmethod
    def _size(head: str, rest: str) -> int:
        if head == ".word":
            return rest.count(",") + 1
        return 0 if head == ".mopcfg" else 1

    def _define(self, line: int, name: str, value: int) -> None:
        if not name.isidentifier():
            self._error(line, f"{name!r} is no name")
        elif name in self.names:
            self._error(line, f"{name} is defined twice")
        self.names[name] = value

    def _choose(self, line: int, arch: str) -> None:
        if arch not in DIALECTS:
            self._error(line, f".arch {arch}: there is {' and '.join(DIALECTS)}")
        elif self.statements:
            self._error(line, ".arch has to come before the first instruction")
        else:
            self.dialect = DIALECTS[arch]

    def _emit(self, program: Program, statement: _Statement) -> None:
        head, rest = _head(statement.text)
        items = program.items
        match head:
            case ".word":
                for value in rest.split(","):
                    word = parse(f".word {value}", self.dialect, self.names)
                    items.append(Item(word, statement.line, statement.text))
            case ".ttinsn":
                pushed = self._instruction_or_value(rest)
                if pushed >> 30 == 3:
                    raise TextError(f".ttinsn cannot hold {pushed:#010x}: it is above 0xbfffffff")
                word = (pushed << 2 | pushed >> 30) & 0xFFFFFFFF
                items.append(Item(word, statement.line, statement.text, is_push=True))
            case ".mopcfg":
                index_text, _, value = rest.partition(",")
                index = evaluate(index_text, self.names.get)
                if not 0 <= index < MOP_CFG_WORDS:
                    raise TextError(f".mopcfg {index}: the MOP configuration has words 0 to 8")
                program.mop_cfg[index] = self._instruction_or_value(value.strip())
            case _ if head.startswith("."):
                raise TextError(
                    f"{head} is no directive; there is .arch .equ .mopcfg .ttinsn .word"
                )
            case _:
                word = parse(statement.text, self.dialect, self.names)
                items.append(Item(word, statement.line, statement.text))

    def _instruction_or_value(self, text: str) -> int:
        """Return an instruction, or a number as everywhere."""
        try:
            return parse(f".word {text}", self.dialect, self.names)
        except TextError:
            return parse(text, self.dialect, self.names)
