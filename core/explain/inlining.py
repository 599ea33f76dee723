# SPDX-License-Identifier: Apache-2.0
"""The line of a kernel that code of a library's header comes from.

LLK and tt-metal are headers of functions that are inlined into each other: the line that pushes an
instruction is nearly always one of theirs. What a person wants to know is which line of the kernel
asked for it, and the headers on the way.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from pathlib import PurePath
from typing import TYPE_CHECKING

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.program.file_tables import no_collection

if TYPE_CHECKING:
    from tensix_gdb.core.dwarf.blocks import CodeBlock
    from tensix_gdb.core.dwarf.info import DebugInfo

MOST_FILES = 64  # that are kept: five of the firmware, and up to five of a kernel
MOST_PLACES = 256  # of one file
PAGE = 8  # bits of an address within a page of the table
HEADERS = (".h", ".hpp", ".inl", ".tpp")
# Headers with functions that push what their callers have asked for: no line of theirs says why.
PLUMBING = (
    *("ckernel.h", "ckernel_ops.h", "ckernel_template.h", "lltt.h", "ttinsn.h"),
    *("tensix_by_name.h", "tensix_noc.h"),  # of gdbstub/kernels/c
)
_LIBRARY_FILE = re.compile(
    r"(llk_|ckernel|cunpack|cpack|cmath|sfpi|sfpu|lltt|tensix_types|risc_|tensix_by_name|tensix_noc)"
)
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
    """True if a source file is a header of LLK, of tt-metal or of the firmware, or one of
    those that kernels in C have from here (gdbstub/kernels/c)."""
    *folders, name = PurePath(file).parts or ("",)
    if not is_header(name):
        return False
    return bool(_LIBRARY_FILE.match(name)) or any(map(_LIBRARY_FOLDER.fullmatch, folders))


class Chains:
    """The functions of one file by address, and what was inlined into them: a table, because a
    sentence about a busy tile has dozens of addresses. One that is at several places in memory, one
    after the other, is read once (`before`)."""

    def __init__(self, image: Image, before: Chains | None = None) -> None:
        from tensix_gdb.core.dwarf.info import debug_info

        self.image = image
        self.of_kernel: dict[int, list[Step]] = {}  # what Inlining has found, by address
        self._info: DebugInfo = debug_info(image.content) if before is None else before._info
        # Empty until it is filled.
        self._pages: dict[int, list[tuple[int, int, CodeBlock]]]
        self._pages = {} if before is None else before._pages
        # By the names that the image's line table has for them.
        self.library: frozenset[str]
        if before is not None:
            self.library = before.library
            image.tables.take_lines(before.image.tables.lines)
            return
        with no_collection():
            rows = self._info.lines.rows
            image.tables.take_lines((row.addr, row.name, row.line) for row in rows)
            headers = {row.name for row in rows if is_header(row.name)}
            paths = {row.file for row in rows} if headers else set[str]()
            library = {PurePath(path).name for path in paths if is_library(path)}
            self.library = frozenset(file for file in headers if PurePath(file).name in library)
            if self.library:
                self._fill()

    def _fill(self) -> None:
        # Functions, then what was inlined, outer ones before inner ones.
        for block in (*self._info.functions, *self._info.all_inlined()):
            for low, high in block.ranges:
                for page in range(low >> PAGE, (high - 1 >> PAGE) + 1):
                    self._pages.setdefault(page, []).append((low, high, block))

    def at(self, pc: int) -> list[Step]:
        """Return the lines at an address, the innermost first; empty where the file does not
        say."""
        addr = pc - self.image.bias
        row = self._info.lines.at(addr)
        if row is None:
            return []
        if not self._pages:
            self._fill()
        file, line, steps = row.file, row.line, list[Step]()
        for low, high, block in reversed(self._pages.get(addr >> PAGE, ())):
            if low <= addr < high:
                steps.append(Step(block.name, file, line))
                if not block.inlined:
                    break
                file, line = block.call_file, block.call_line
        return steps


class ReadFiles:
    """The chains of the files that were asked for last. A chip has 140 tiles, which run the same
    few files: to read one takes some tenths of a second with LTO, so all tiles share what was
    read."""

    def __init__(self, most: int = MOST_FILES) -> None:
        self._most = most
        # By their content, the one that was asked for last at the end; by image, as each may be at
        # another place.
        self._files: OrderedDict[bytes, dict[int, Chains]] = OrderedDict()

    def of(self, image: Image) -> Chains:
        """Return the chains of a file, which is read unless it is known."""
        placed = self._files.get(image.content)
        if placed is None:
            placed = self._files[image.content] = {}
            if len(self._files) > self._most:
                self._files.popitem(last=False)
        else:
            self._files.move_to_end(image.content)
        known = placed.get(id(image))
        if known is None or known.image is not image:
            before = next(iter(placed.values()), None)
            if len(placed) >= MOST_PLACES:
                placed.clear()
            known = placed[id(image)] = Chains(image, before)
        return known


FILES = ReadFiles()


class Inlining:
    """The chains of inlined functions of loaded files, read when they are first asked for. Those
    of all tiles are in `files`."""

    def __init__(self, files: ReadFiles | None = None) -> None:
        self._files = FILES if files is None else files

    def of_kernel(self, image: Image, pc: int) -> list[Step]:
        """Return the first line outside of a library's headers, and then those on the way to the
        innermost one; empty where the innermost one is outside, or all are in headers."""
        chains = self.learn(image)
        known = chains.of_kernel.get(pc)
        if known is None:
            known = chains.of_kernel[pc] = self._of_kernel(chains, pc)
        return known

    def _of_kernel(self, chains: Chains, pc: int) -> list[Step]:
        line = chains.image.symbolize(pc)
        if line is None or line.rpartition(":")[0] not in chains.library:
            return []
        steps = chains.at(pc)
        if not steps or not is_library(steps[0].file):
            return []
        outside = next((i for i, step in enumerate(steps) if not is_library(step.file)), 0)
        return steps[outside::-1] if outside else []

    def function_at(self, image: Image, pc: int) -> str:
        """Return the function of the source line at an address of a kernel with headers of a
        library: link-time optimization inlines all of it into the firmware's `_start`. Empty where
        the file does not say."""
        chains = self.learn(image)
        steps = chains.at(pc) if chains.library else []
        return "" if not steps or is_header(steps[0].file) else steps[0].function

    def learn(self, image: Image) -> Chains:
        """Read a file. A server does it before a client asks: it takes some tens of
        milliseconds."""
        return self._files.of(image)
