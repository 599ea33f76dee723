# SPDX-License-Identifier: Apache-2.0
"""The line of a kernel that code of a library's header comes from.

LLK and tt-metal are headers of functions that are inlined into each other: the line that pushes an
instruction is nearly always one of theirs. What a person wants to know is which line of the kernel
asked for it, and the headers on the way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from tensix_gdb.core.program.elf import Image

if TYPE_CHECKING:
    from tensix_gdb.core.dwarf.info import DebugInfo

HEADERS = (".h", ".hpp", ".inl", ".tpp")
_LIBRARY_FILE = re.compile(r"(llk_|ckernel|cunpack|cpack|cmath|sfpi|sfpu|lltt|tensix_types|risc_)")
_LIBRARY_FOLDER = re.compile(
    r"tt[-_]llk.*|llk_lib|llk_api|ckernels|tt_metal|tt-metal|sfpi|sfpu|firmware|compute_kernel_api"
)


@dataclass(frozen=True, slots=True)
class Step:
    """A line in a function that is inlined, or that holds what was inlined."""

    function: str
    file: str
    line: int

    @property
    def place(self) -> str:
        """`math.cpp:45`."""
        return f"{PurePath(self.file).name}:{self.line}"

    @property
    def text(self) -> str:
        """`run_kernel at math.cpp:45`."""
        return f"{self.function} at {self.place}"


def is_header(file: str) -> bool:
    """True if a source file is a header, of whatever kind."""
    return file.endswith(HEADERS)


def is_library(file: str) -> bool:
    """True if a source file is a header of LLK, of tt-metal or of the firmware."""
    *folders, name = PurePath(file).parts or ("",)
    if not is_header(name):
        return False
    return bool(_LIBRARY_FILE.match(name)) or any(map(_LIBRARY_FOLDER.fullmatch, folders))


class Inlining:
    """The chains of inlined functions of loaded files, read when they are first asked for."""

    def __init__(self) -> None:
        self._infos: dict[int, tuple[Image, DebugInfo]] = {}

    def chain(self, image: Image, pc: int) -> list[Step]:
        """The lines at an address, the innermost first; empty where the file does not say."""
        info = self._info(image)
        at = pc - image.bias
        row = info.lines.at(at)
        if row is None:
            return []
        file, line, steps = row.file, row.line, list[Step]()
        for block in reversed(info.blocks_at(at)):
            if block.inlined or block.is_function:
                steps.append(Step(block.name, file, line))
                file, line = block.call_file, block.call_line
        return steps or [Step("?", file, line)]

    def of_kernel(self, image: Image, pc: int) -> list[Step]:
        """The first line outside of a library's headers, and then those on the way to the
        innermost one; empty where the innermost one is outside, or all are in headers."""
        line = image.symbolize(pc)
        if line is None or not is_header(line.rpartition(":")[0]):
            return []
        steps = self.chain(image, pc)
        if not steps or not is_library(steps[0].file):
            return []
        outside = next((i for i, step in enumerate(steps) if not is_library(step.file)), 0)
        return steps[outside::-1] if outside else []

    def _info(self, image: Image) -> DebugInfo:
        known = self._infos.get(id(image))
        if known is None or known[0] is not image:
            from tensix_gdb.core.dwarf.info import DebugInfo

            known = self._infos[id(image)] = image, DebugInfo(image.content)
        return known[1]
