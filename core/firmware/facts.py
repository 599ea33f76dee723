# SPDX-License-Identifier: Apache-2.0
"""The facts of a firmware that a host needs, from the DWARF of its ELF files: where things are.

Three questions are enough: what value has a constant, at which offset is a member of a structure,
and with which constant was an inlined function called.
"""

from __future__ import annotations

import re

from tensix_gdb.core.dwarf.info import debug_info
from tensix_gdb.core.dwarf.types import Type, WrongType
from tensix_gdb.core.firmware.answers import FieldLocation
from tensix_gdb.core.program.elf import Image, LoadError

_STEP = re.compile(r"\.?(\w+)|\[(\d+)\]")
_CPU = re.compile(r"-mcpu=(\S+)")


class Facts:
    """The facts of one ELF file. LoadError when it does not have what is asked."""

    def __init__(self, image: Image) -> None:
        self._path = image.path
        self._pointed: dict[str, Type] = {}  # by pointer
        self._info = debug_info(image.content)
        if not self._info.producers:
            raise LoadError(f"{image.path}: no debug information; build the firmware with -g")

    def cpus(self) -> set[str]:
        """Return the processors that it was compiled for, as in `-mcpu=tt-bh`."""
        return {cpu for producer in self._info.producers for cpu in _CPU.findall(producer)}

    def constant(self, name: str) -> int:
        """Return the value of a variable that the compiler knows."""
        known = self._info.globals.get(name)
        if known is None or not isinstance(known.constant, int):
            raise LoadError(f"{self._path}: its debug information has no value of {name}")
        return known.constant

    def argument(self, function: str, parameter: str) -> int | None:
        """Return the constant that an inlined `function` was called with, or None when there is
        none."""
        for block in self._info.inlined(function):
            for variable in self._info.variables(block):
                if variable.name != parameter:
                    continue
                if isinstance(variable.constant, int):
                    return variable.constant
                for _, _, expression in variable.places:
                    match [operation.name for operation in expression]:
                        case [name, "DW_OP_stack_value"] if name.startswith("DW_OP_const"):
                            return int(expression[0].args[0])
        return None

    def target(self, pointer: str) -> Type:
        """Return the type of what a pointer points to."""
        known = self._info.globals.get(pointer)
        kind = None if known is None else self._info.type_of(known).target
        if kind is None:
            raise LoadError(f"{self._path}: its debug information has no pointer {pointer}")
        return kind

    def pointed(self, pointer: str, path: str) -> FieldLocation:
        """Return where `path` is in what a pointer points to."""
        kind = self._pointed.get(pointer)
        if kind is None:
            kind = self._pointed[pointer] = self.target(pointer)
        return self.place(kind, path)

    def place(self, kind: Type, path: str) -> FieldLocation:
        """Return where `path`, such as `launch[0].enables`, is in a structure."""
        offset = 0
        for name, index in _STEP.findall(path):
            if name:
                try:
                    member = kind.member(name)
                except WrongType as problem:
                    raise LoadError(f"{self._path}: {problem}; is it of this release?") from None
                offset, kind = offset + member.offset, member.type
            elif kind.target is None:
                raise LoadError(f"{self._path}: {path} is not an array")
            else:
                kind = kind.target
                offset += int(index) * kind.size
        return FieldLocation(offset, kind.size)
