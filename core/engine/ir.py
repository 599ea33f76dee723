# SPDX-License-Identifier: Apache-2.0
"""LLVM IR as data: modules of functions, of blocks, of instructions. It becomes text here, once.

An instruction carries its own text, because nothing looks into an addition. What something does
look at is data beside the text: the function that a call calls, the variable that a store keeps a
value in, the table that an address lies in, and whether there is an effect besides the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from enum import Enum, Flag, IntEnum, auto
from functools import cached_property
from typing import TypeVar

from tensix_gdb.core.dataclass import dataclass

T = TypeVar("T", bound="Instruction")


class Linkage(Enum):
    """The scope of a function's symbol."""

    INTERNAL = "internal "  # in its module
    HIDDEN = "hidden "  # in all modules of the program
    EXTERNAL = ""  # outside too: an entry


class Attributes(IntEnum):
    """Numbers of the attribute groups that every module has."""

    PLAIN = 0
    DEFECT = 1  # of the function that records a defect
    INLINE_HINT = 2
    ALWAYS_INLINE = 4  # it becomes a part of each of its callers
    COLD = 3  # it seldom runs: a branch that leads to a call of it is unlikely


ATTRIBUTE_GROUPS = {
    Attributes.PLAIN: "nounwind",
    Attributes.DEFECT: "nounwind cold noinline",
    Attributes.INLINE_HINT: "nounwind inlinehint",
    Attributes.COLD: "nounwind cold",
    Attributes.ALWAYS_INLINE: "nounwind alwaysinline",
}


class CallSite(Flag):
    """The surroundings of a call."""

    PLAIN = 0
    IN_WHILE = auto()
    REPEATED = auto()  # in a loop of any kind
    IN_LANES = auto()
    DISPATCHED = auto()  # an arm of a dispatch


@dataclass(slots=True)
class Instruction:
    """An instruction that gives a result and has no other effect."""

    text: str


@dataclass(slots=True)
class TableAddress(Instruction):
    """The address of an element of a constant table."""

    table: str


@dataclass(slots=True)
class Effect(Instruction):
    """An instruction that does more than give a result: a store, a jump, a call."""


@dataclass(slots=True)
class Call(Effect):
    """A call of another function of the program."""

    callee: str
    site: CallSite


@dataclass(slots=True)
class VariableStore(Effect):
    """A variable of the source is kept on the stack."""

    variable: str


@dataclass(slots=True)
class Block:
    """Instructions that run one after the other."""

    label: str
    instructions: list[Instruction] = field(default_factory=list)

    def text(self) -> str:
        """Print the block."""
        return "\n  ".join([f"{self.label}:", *(each.text for each in self.instructions)])


@dataclass
class Function:
    """A function of i64 that is defined in one module or in several."""

    symbol: str
    parameters: tuple[str, ...]  # with their types
    blocks: Sequence[Block]
    linkage: Linkage = Linkage.INTERNAL
    attributes: Attributes = Attributes.PLAIN
    is_cold: bool = False
    parts: Sequence[Function] = ()  # functions that this one alone calls, wherever it is
    convention: str = ""  # how it is called
    before: str = ""  # text before it
    is_inlined: bool = False

    def _of_class(self, kind: type[T]) -> Iterator[T]:
        for block in self.blocks:
            for each in block.instructions:
                if type(each) is kind:
                    yield each
        for part in self.parts:
            yield from part._of_class(kind)

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The calls of other functions of the program."""
        return tuple(self._of_class(Call))

    @cached_property
    def callees(self) -> frozenset[str]:
        """The symbols that the function calls."""
        return frozenset(call.callee for call in self.calls)

    @cached_property
    def tables(self) -> frozenset[str]:
        """The constant tables that the function reads."""
        return frozenset(each.table for each in self._of_class(TableAddress))

    @cached_property
    def lines(self) -> int:
        """The number of lines of its text."""
        own = 2 + sum(1 + len(block.instructions) for block in self.blocks)
        return own + sum(part.lines for part in self.parts)

    @cached_property
    def body(self) -> str:
        """The text between the braces."""
        return "\n".join(block.text() for block in self.blocks)

    def definition(self) -> str:
        """Print the function."""
        kind = f"{self.linkage.value}{self.convention}i64"
        head = f"define {kind} {self.symbol}({', '.join(self.parameters)})"
        parts = "".join(part.definition() for part in self.parts)
        return f"{parts}{self.before}{head} #{int(self.attributes)} {{\n{self.body}\n}}\n"

    def declaration(self) -> str:
        """Print what a module that only calls the function says about it."""
        types = ", ".join(each.split(" ")[0] for each in self.parameters)
        cold = f" #{int(Attributes.COLD)}" if self.attributes is Attributes.COLD else ""
        return f"declare hidden i64 {self.symbol}({types}){cold}"


@dataclass(frozen=True, slots=True)
class Unit:
    """The contents of one module (codegen_units.py)."""

    declared: Sequence[Function]
    defined: Sequence[Function]
    is_cold: bool
    effort: int = 0  # how much LLVM has to do for it, in lines

    @property
    def tables(self) -> frozenset[str]:
        """The constant tables that its functions read."""
        return frozenset().union(*(each.tables for each in self.defined))

    def text(self) -> str:
        """Print the functions."""
        declared = [each.declaration() for each in self.declared]
        return "\n".join([*declared, *(each.definition() for each in self.defined)])


@dataclass(frozen=True, slots=True)
class Module:
    """A printed module."""

    text: str
    is_cold: bool  # it seldom runs: LLVM gets little time for it (jit.py)
    effort: int = 0  # as that of its unit


def attribute_groups() -> Iterable[str]:
    """Print the attribute groups."""
    return (f"attributes #{int(n)} = {{ {text} }}" for n, text in ATTRIBUTE_GROUPS.items())
