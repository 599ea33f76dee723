# SPDX-License-Identifier: Apache-2.0
"""Variables of SFPI's types for vectors (`vFloat`, `vInt`, `vUInt`): where each gets its value.

SFPI's GCC 15.1 numbers LReg n as register 80 + n. It has a location for few of these variables:
each is a class with one member, which optimization takes apart. What it keeps are the constructors
and assignments that were inlined. Their `this` is an implicit pointer to the variable, and begins
after the instruction that makes the value; their parameter is at times an LReg.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.dwarf.blocks import CodeBlock, Variable
from tensix_gdb.core.dwarf.entries import name_of, origins, with_origins
from tensix_gdb.core.dwarf.expression import Expression
from tensix_gdb.core.dwarf.info import DebugInfo
from tensix_gdb.core.dwarf.types import Kind

FIRST_LREG, LREGS = 80, 17
TYPES = ("vFloat", "vInt", "vUInt", "vSMag", "vVal", "vUInt16", "vInt16")
_POINTERS = ("DW_OP_implicit_pointer", "DW_OP_GNU_implicit_pointer")
_INNER = ("DW_TAG_inlined_subroutine", "DW_TAG_lexical_block")


@dataclass(frozen=True, slots=True)
class Setting:
    """A place after which a variable has a value: `addr` follows the instruction that makes it. The
    LReg is None where the debug information does not name it; `line` is that of the statement."""

    addr: int
    lreg: int | None
    line: int


@dataclass(frozen=True, slots=True)
class VectorVariable:
    """A variable at a pc. `lreg` is where the debug information has it there, or None; `settings`
    are all in its function, by address, those with an LReg after others. `owner` is the function,
    inlined or not, and `line` that of the declaration."""

    name: str
    type: str
    lreg: int | None
    settings: tuple[Setting, ...]
    owner: CodeBlock
    line: int


def vector_names(info: DebugInfo, pc: int) -> list[str]:
    """Return the names of such variables at a pc, those of inner blocks first."""
    return list(
        dict.fromkeys(
            variable.name
            for block in reversed(info.blocks_at(pc))
            for variable in info.variables(block)
            if variable.name != "this" and _type(info, variable) in TYPES
        )
    )


def find_vector(info: DebugInfo, pc: int, name: str) -> VectorVariable | None:
    """Return the variable that a name means at a pc; None if it means none, or one of another
    type."""
    blocks = info.blocks_at(pc)
    for number in range(len(blocks) - 1, -1, -1):
        for variable in info.variables(blocks[number]):
            if variable.name != name:
                continue
            kind = _type(info, variable)
            if kind not in TYPES:
                return None
            own = [block for block in blocks[: number + 1] if block.inlined or block.is_function]
            die = _meant(variable)
            found = set(_settings(info, own[-1].die, die))
            return VectorVariable(
                name,
                kind,
                lreg_of(variable.at(pc)),
                tuple(sorted(found, key=lambda one: (one.addr, one.lreg is not None))),
                own[-1],
                _declared(variable),
            )
    return None


def lreg_of(expression: Expression) -> int | None:
    """Return the LReg that an expression names; None if it names none."""
    if len(expression) == 1 and expression[0].name == "DW_OP_regx":
        number = int(expression[0].args[0]) - FIRST_LREG
        return number if 0 <= number < LREGS else None
    return None


def _type(info: DebugInfo, variable: Variable) -> str:
    kind = info.type_of(variable)
    if kind.kind is Kind.POINTER and kind.target is not None:
        kind = kind.target  # a reference
    return kind.name


def _meant(variable: Variable) -> int:
    """Return the place of the entry of a variable; of a reference, of what it refers to."""
    for _, _, expression in variable.places:
        if expression and expression[0].name in _POINTERS:
            return int(expression[0].args[0])
    return int(variable.die.offset)


def _declared(variable: Variable) -> int:
    attribute = with_origins(variable.die).get("DW_AT_decl_line")
    return 0 if attribute is None else int(attribute.value)


def line_in(info: DebugInfo, owner: CodeBlock, pc: int) -> int:
    """Return the line of `owner` that the code at `pc` belongs to, whatever was inlined there; 0
    where the code is none of its own."""
    blocks = info.blocks_at(pc)
    at = next((i for i, block in enumerate(blocks) if block.die.offset == owner.die.offset), None)
    if at is None:
        return 0
    inner = next((block for block in blocks[at + 1 :] if block.inlined), None)
    if inner is not None:
        return inner.call_line
    row = info.lines.at(pc)
    return 0 if row is None else row.line


def _settings(info: DebugInfo, function: Any, wanted: int) -> Iterator[Setting]:
    """Yield what is said of the variable at `wanted` by what was inlined into a function."""
    left = [(function, 0)]
    while left:
        die, line = left.pop()
        for inner in die.iter_children():
            if inner.tag not in _INNER:
                continue
            call = inner.attributes.get("DW_AT_call_line")
            at = line or (0 if call is None else int(call.value))
            left.append((inner, at))
            if inner.tag == "DW_TAG_inlined_subroutine" and _sets(name_of(inner)):
                yield from _said(info, inner, wanted, at)


def _sets(function: str) -> bool:
    """True for constructors and assignments."""
    return function in TYPES or (function.startswith("operator") and function[-1] == "=")


def _said(info: DebugInfo, die: Any, wanted: int, line: int) -> Iterator[Setting]:
    parameters = info.variables(CodeBlock(name_of(die), (), die, True, False))
    this = next((one for one in parameters if one.name == "this"), None)
    for low, _, expression in () if this is None else this.places:
        pointer = expression[0] if expression else None
        if pointer is None or pointer.name not in _POINTERS or pointer.args[1]:
            continue
        if int(pointer.args[0]) in {wanted, *_origins(info, wanted)}:
            at_it = (
                lreg_of(where)
                for one in parameters
                for start, _, where in one.places
                if start == low
            )
            yield Setting(low, next((n for n in at_it if n is not None), None), line)


def _origins(info: DebugInfo, wanted: int) -> set[int]:
    """Return the abstract entries of a variable, which a pointer may name as well."""
    return {int(die.offset) for die in origins(info.entry(wanted))}
