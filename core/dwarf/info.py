# SPDX-License-Identifier: Apache-2.0
"""The debug information of one ELF file, read when it is first asked for.

Damaged or missing information is an empty answer, never an exception: a debugger without symbols
is still a debugger.
"""

from __future__ import annotations

import bisect
import io
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any

from elftools.elf.elffile import ELFFile

from tensix_gdb.core.dwarf.blocks import CodeBlock, Variable
from tensix_gdb.core.dwarf.callframes import CallFrames, UnwindRow
from tensix_gdb.core.dwarf.entries import (
    declaration,
    name_of,
    places_of,
    ranges_of,
    reference,
    subprograms,
    top_variables,
    with_origins,
)
from tensix_gdb.core.dwarf.expression import Expression
from tensix_gdb.core.dwarf.lines import LineTable, file_names
from tensix_gdb.core.dwarf.parsing import DAMAGED
from tensix_gdb.core.dwarf.typereader import TypeReader
from tensix_gdb.core.dwarf.types import Type

MOST_FILES = 64  # that are kept: five of the firmware, and up to five of a kernel
_CODE = ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine", "DW_TAG_lexical_block")
_VARIABLES = ("DW_TAG_variable", "DW_TAG_formal_parameter")


def _qualified(die: Any) -> str:
    """Return the name of a type with those of its namespaces and classes."""
    outer = die.get_parent()
    names = [name_of(die)]
    while outer is not None and outer.tag not in ("DW_TAG_compile_unit", *_CODE):
        names.append(name_of(outer))
        outer = outer.get_parent()
    return "::".join(reversed(names))


@lru_cache(maxsize=MOST_FILES)
def debug_info(content: bytes) -> DebugInfo:
    """Return the debug information of a file, shared by all that ask for it: to read it takes some
    tens of milliseconds with LTO, and a chip has 140 tiles that run the same few files."""
    return DebugInfo(content)


class DebugInfo:
    """The debug information of one file."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._variables: dict[int, list[Variable]] = {}
        self._blocks: dict[int, CodeBlock | None] = {}
        self._names: dict[int, dict[int, str]] = {}  # of files, by the place of their unit

    @cached_property
    def _dwarf(self) -> Any:
        try:
            elf = ELFFile(io.BytesIO(self._content))
            final = elf["e_type"] != "ET_REL"  # relocations that the linker has left are done
            if not elf.has_dwarf_info():
                return None
            return elf.get_dwarf_info(relocate_dwarf_sections=not final)
        except DAMAGED:
            return None

    @cached_property
    def _units(self) -> list[Any]:
        try:
            return [] if self._dwarf is None else list(self._dwarf.iter_CUs())
        except DAMAGED:
            return []

    @cached_property
    def _types(self) -> TypeReader:
        return TypeReader()

    @cached_property
    def folders(self) -> list[str]:
        """The folders in which the units were compiled."""
        folders = []
        for unit in self._units:
            attribute = unit.get_top_DIE().attributes.get("DW_AT_comp_dir")
            if attribute is not None:
                folders.append(attribute.value.decode("utf-8", "replace"))
        return list(dict.fromkeys(folders))

    @cached_property
    def producers(self) -> list[str]:
        """The compilers of the units, with their options."""
        producers = []
        for unit in self._units:
            attribute = unit.get_top_DIE().attributes.get("DW_AT_producer")
            if attribute is not None:
                producers.append(attribute.value.decode("utf-8", "replace"))
        return producers

    @cached_property
    def lines(self) -> LineTable:
        """The line table."""
        return LineTable(self._dwarf, self._units)

    def addresses(self, file: str, line: int) -> tuple[int, list[int]]:
        """Return where `file:line` begins, once in each function, and which line that is: the next
        one with code when this one has none. `file` may be the end of a path."""
        actual, addresses = self.lines.starts(file, line)
        # A line that a loop comes back to has several places in one function; the first one is
        # what GDB takes too.
        firsts: dict[int, int] = {}
        for addr in addresses:
            function = self.function_at(addr)
            firsts.setdefault(function.low if function else addr, addr)
        return actual, sorted(firsts.values())

    # Functions and blocks

    @cached_property
    def functions(self) -> list[CodeBlock]:
        """Functions with code, by address."""
        blocks: list[CodeBlock] = []
        for unit in self._units:
            try:
                dies = subprograms(unit.get_top_DIE())
                blocks += [block for die in dies if (block := self._block(die)) is not None]
            except DAMAGED:
                continue
        blocks.sort(key=lambda block: block.low)
        return blocks

    def _block(self, die: Any) -> CodeBlock | None:
        """Return the block of an entry, made once: a profile asks for the blocks around every
        address."""
        if die.offset not in self._blocks:
            self._blocks[die.offset] = self._new_block(die)
        return self._blocks[die.offset]

    def _new_block(self, die: Any) -> CodeBlock | None:
        ranges = tuple(ranges_of(self._dwarf, die))
        if not ranges:
            return None
        call_file = ""
        inlined = die.tag == "DW_TAG_inlined_subroutine"
        if inlined and "DW_AT_call_file" in die.attributes:
            names = self._names_of(die.cu)
            call_file = names.get(die.attributes["DW_AT_call_file"].value, "?")
        line = die.attributes.get("DW_AT_call_line")
        return CodeBlock(
            name_of(die),
            ranges,
            die,
            inlined,
            die.tag == "DW_TAG_subprogram",
            0 if line is None else line.value,
            call_file,
        )

    def _names_of(self, unit: Any) -> dict[int, str]:
        """Return the files of a unit, by the numbers that it uses."""
        if unit.cu_offset not in self._names:
            self._names[unit.cu_offset] = file_names(self._dwarf.line_program_for_CU(unit))
        return self._names[unit.cu_offset]

    def function_at(self, pc: int) -> CodeBlock | None:
        """Return the function with `pc` in its code; of several the one that starts nearest.

        An assembler's function may reach into the next one: its length in the debug information is
        the one before the linker relaxed its calls.
        """
        at = bisect.bisect_right(self.functions, pc, key=lambda block: block.low)
        return next((block for block in reversed(self.functions[:at]) if block.holds(pc)), None)

    def function(self, name: str) -> CodeBlock | None:
        """Return a function by its name."""
        return next((block for block in self.functions if block.name == name), None)

    def after_prologue(self, function: CodeBlock) -> int:
        """Return where GDB puts a breakpoint on a function: at its second line row, or at its entry
        when it is optimized code, with variables known from the first instruction on."""
        if any(
            len(v.places) > 1 or (v.places and v.places[0][1]) for v in self.variables(function)
        ):
            return function.low
        return self.second_line(function)

    def second_line(self, function: CodeBlock) -> int:
        """Return the end of the prologue, as the line table has it: where a function's second row
        begins. Two rows at its entry say that it has no prologue."""
        low, high = function.ranges[0]
        rows = [row for row in self.lines.rows if low <= row.addr < high and row.line]
        if [row.addr for row in rows[:2]] == [low, low]:
            return low
        return next((row.addr for row in rows if row.addr > low and row.statement), low)

    def inlined(self, name: str) -> Iterator[CodeBlock]:
        """Yield the places where the function of this name was inlined, outer ones first."""
        return (block for block in self.all_inlined() if block.name == name)

    def all_inlined(self) -> Iterator[CodeBlock]:
        """Yield all places where functions were inlined, outer ones first."""
        left = list(reversed(self.functions))
        while left:
            block = left.pop()
            try:
                for die in block.die.iter_children():
                    inner = self._block(die) if die.tag in _CODE else None
                    if inner is not None:
                        left.append(inner)
                        if inner.inlined:
                            yield inner
            except DAMAGED:
                continue

    def declared(self, block: CodeBlock) -> tuple[str, str, int]:
        """Return the linker's name of a function, and where the source has it."""
        name, file, line = declaration(self._dwarf, block.die)
        row = self.lines.at(block.low) if not line else None
        return (name, row.file, row.line) if row is not None else (name, file, line)

    def blocks_at(self, pc: int) -> list[CodeBlock]:
        """Return the blocks around `pc`, the function first, the innermost last."""
        function = self.function_at(pc)
        blocks: list[CodeBlock] = []
        block = function
        try:
            while block is not None:
                blocks.append(block)
                inner = (self._block(die) for die in block.die.iter_children() if die.tag in _CODE)
                block = next(
                    (
                        candidate
                        for candidate in inner
                        if candidate is not None and candidate.holds(pc)
                    ),
                    None,
                )
        except DAMAGED:
            return blocks
        return blocks

    # Variables

    def variables(self, block: CodeBlock) -> list[Variable]:
        """Parameters and variables declared in a block, in their order."""
        key = block.die.offset
        if key not in self._variables:
            try:
                dies = [die for die in block.die.iter_children() if die.tag in _VARIABLES]
                self._variables[key] = [self._variable(die) for die in dies]
            except DAMAGED:
                self._variables[key] = []
        return self._variables[key]

    @cached_property
    def globals(self) -> dict[str, Variable]:
        """Variables outside of functions by name, with and without their namespace."""
        variables: dict[str, Variable] = {}
        for unit in self._units:
            try:
                for prefix, die in top_variables(unit.get_top_DIE(), ""):
                    variable = self._variable(die)
                    if variable.places or variable.constant is not None:
                        variables.setdefault(prefix + variable.name, variable)
                        variables.setdefault(variable.name, variable)
            except DAMAGED:
                continue
        return variables

    def enumerators(self, name: str) -> list[tuple[int, str]]:
        """Return the values of an enumeration and their names, as declared; empty when there is
        none."""
        for unit in self._units:
            try:
                for die in unit.iter_DIEs():
                    if die.tag == "DW_TAG_enumeration_type" and _qualified(die) == name:
                        enumerators = [
                            (child.attributes, name_of(child)) for child in die.iter_children()
                        ]
                        return [(a["DW_AT_const_value"].value, text) for a, text in enumerators]
            except DAMAGED:
                continue
        return []

    def _variable(self, die: Any) -> Variable:
        origin = with_origins(die)
        location = origin.get("DW_AT_location")
        constant = origin.get("DW_AT_const_value")
        value: int | bytes | None = None
        if constant is not None:
            value = constant.value if isinstance(constant.value, int) else bytes(constant.value)
        return Variable(
            name_of(die),
            die,
            () if location is None else tuple(places_of(self._dwarf, location, die)),
            value,
            die.tag == "DW_TAG_formal_parameter",
        )

    def type_of(self, variable: Variable) -> Type:
        """Return the type of a variable."""
        attribute = with_origins(variable.die).get("DW_AT_type")
        if attribute is None:
            return self._types.void
        die = variable.die.cu.dwarfinfo.get_DIE_from_refaddr(reference(variable.die, attribute))
        return self._types.read(die)

    def entry(self, offset: int) -> Any:
        """Return the entry at a place, which an expression may name."""
        return self._dwarf.get_DIE_from_refaddr(offset)

    def frame_base(self, pc: int) -> Expression:
        """Return the expression for the frame base of the function at `pc`; empty if there is
        none."""
        function = self.function_at(pc)
        if function is None or "DW_AT_frame_base" not in function.die.attributes:
            return ()
        places = places_of(self._dwarf, function.die.attributes["DW_AT_frame_base"], function.die)
        return next((e for low, high, e in places if high == 0 or low <= pc < high), ())

    # Callers

    @cached_property
    def _call_frames(self) -> CallFrames:
        return CallFrames(self._dwarf)

    def unwind_row(self, pc: int) -> UnwindRow | None:
        """Return the call frame information for `pc`; None if there is none, or it is damaged."""
        return self._call_frames.at(pc)
