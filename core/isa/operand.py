# SPDX-License-Identifier: Apache-2.0
"""Kinds of operands: how a field's value is written, read and explained.

A kind prints one canonical form and reads that and every other spelling in use: the ISA pages'
(`B3`, `C10`), LLK's (`STALL_UNPACK`, `TRISC_CFG`), plain numbers, and expressions of all these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.expression import evaluate
from tensix_gdb.core.isa.llk_constants import qualify

Lookup = Callable[[str], int | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """A plain number. `always` prints it even when it is 0."""

    always: bool = False

    def show(self, value: int, dialect: Dialect) -> str:
        """Return the canonical text, or LLK's where there is one."""
        return str(value)

    def name(self, text: str, arch: Arch) -> int | None:
        """The value of a name that means something in such an operand."""
        return None

    def meaning(self, value: int, arch: Arch) -> str:
        """Return the value in words; empty when the number says it all."""
        return ""

    def known(self, largest: int) -> str:
        """Return the names that are read in such an operand; empty if it has none."""
        return ""

    def read(self, text: str, lookup: Lookup, arch: Arch) -> int:
        """Return the value of an expression over this kind's names and those of `lookup`."""

        def find(name: str) -> int | None:
            own = self.name(name, arch)
            return lookup(name) if own is None else own

        return evaluate(text, find)


@dataclass(frozen=True, slots=True)
class Hex(Kind):
    """A number that is bits rather than a count."""

    def show(self, value: int, dialect: Dialect) -> str:
        return hex(value)


@dataclass(frozen=True, slots=True)
class Flag(Kind):
    """One bit that is set or not."""


@dataclass(frozen=True, slots=True)
class Register(Kind):
    """An index into a register file, written with the file's letter: `G5`, `L2`."""

    letter: str = "G"
    text: str = ""
    specials: Mapping[int, str] = field(default_factory=dict)

    def show(self, value: int, dialect: Dialect) -> str:
        return str(value) if dialect.llk else f"{self.letter}{value}"

    def name(self, text: str, arch: Arch) -> int | None:
        for prefix in (self.letter, "LREG" if self.letter == "L" else "R"):
            digits = text.upper().removeprefix(prefix)
            if digits != text.upper() and digits.isdecimal():
                return int(digits)
        return None

    def meaning(self, value: int, arch: Arch) -> str:
        return self.specials.get(value, self.text.format(value))

    def known(self, largest: int) -> str:
        return f"{self.letter}0 to {self.letter}{largest}"


@dataclass(frozen=True, slots=True)
class HalfRegister(Kind):
    """An index of 16-bit halves of the GPRs: `G5_lo` is 10, `G5_hi` is 11."""

    def show(self, value: int, dialect: Dialect) -> str:
        return str(value) if dialect.llk else f"G{value >> 1}_{'hi' if value & 1 else 'lo'}"

    def name(self, text: str, arch: Arch) -> int | None:
        number, _, half = text.upper().removeprefix("G").partition("_")
        if text[:1].upper() != "G" or not number.isdecimal() or half not in ("LO", "HI"):
            return None
        return int(number) * 2 + (half == "HI")

    def meaning(self, value: int, arch: Arch) -> str:
        return f"{'high' if value & 1 else 'low'} half of GPR {value >> 1}"

    def known(self, largest: int) -> str:
        return f"G0_lo to G{largest >> 1}_hi"


@dataclass(frozen=True, slots=True)
class Name:
    """A named value: the ISA pages' name, LLK's names for it, and what it means."""

    text: str
    value: int
    llk: tuple[str, ...] = ()
    meaning: str = ""

    def __post_init__(self) -> None:
        # An expression has to be able to hold it.
        if not self.text.isidentifier() and self.text not in (str(self.value), hex(self.value)):
            raise ValueError(f"{self.text!r} is no name")


@dataclass(frozen=True, slots=True)
class Choice(Kind):
    """One of several named values; any other value is written as a number.

    `prefix` is what the pages put before each of the names; reading accepts it and printing
    leaves it out.
    """

    names: tuple[Name, ...] = ()
    prefix: str = ""
    also: Mapping[str, int] = field(default_factory=dict)  # names that are read and never written

    def show(self, value: int, dialect: Dialect) -> str:
        for named in self.names:
            if named.value == value:
                return _spelling(named, self.prefix, dialect)
        return str(value)

    def name(self, text: str, arch: Arch) -> int | None:
        plain = text.removeprefix(self.prefix) if self.prefix else text
        for named in self.names:
            if plain == named.text or text in named.llk:
                return named.value
        return self.also.get(text)

    def known(self, largest: int) -> str:
        return ", ".join((*(named.text for named in self.names), *self.also))

    def meaning(self, value: int, arch: Arch) -> str:
        for named in self.names:
            if named.value == value:
                return named.meaning or named.text
        return ""


@dataclass(frozen=True, slots=True)
class Bits(Choice):
    """A sum of named bits or groups of bits, written `A|B`; a rest without a name as a number.

    Names are tried in the order in which they are declared: groups of bits come first.
    """

    def parts(self, value: int) -> list[Name]:
        """Return the names that make up `value`; a rest becomes a name of its own."""
        for named in self.names:
            if named.value == value:
                return [named]
        parts: list[Name] = []
        rest = value
        for named in self.names:
            if named.value and named.value & rest == named.value:
                parts.append(named)
                rest &= ~named.value
        if rest or not parts:
            parts.append(Name(hex(rest), rest, meaning=f"bits {rest:#x}, which have no name"))
        return parts

    def show(self, value: int, dialect: Dialect) -> str:
        joint = " | " if dialect.llk else "|"
        return joint.join(_spelling(part, self.prefix, dialect) for part in self.parts(value))

    def meaning(self, value: int, arch: Arch) -> str:
        if not value and all(part.value for part in self.names):
            return ""
        return "; ".join(part.meaning or part.text for part in self.parts(value))


def _spelling(named: Name, prefix: str, dialect: Dialect) -> str:
    if not dialect.llk or named.text.startswith("0x"):
        return named.text
    name = named.llk[0] if named.llk else prefix + named.text
    qualified = qualify(name, named.value, dialect.arch)
    if qualified == named.text and not name.startswith("ADDR_MOD_"):
        return str(named.value)  # a name of ours alone
    return qualified


PLAIN = Kind()
ALWAYS = Kind(always=True)
HEX = Hex()
FLAG = Flag()
HALF_GPR = HalfRegister(always=True)
GPR = Register(always=True, letter="G", text="GPR {} of the issuing thread")
