# SPDX-License-Identifier: Apache-2.0
"""The prints of an ELF file: format strings, and the names of enumerators.

`.device_print_strings_info` has four words for each print: where its format string is and the name
of its source file, both in `.device_print_strings`, the line, and nothing. Neither section is ever
in memory (hostdev/device_print_structures.h).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.program.elf import Image

if TYPE_CHECKING:
    from tensix_gdb.core.dwarf.info import DebugInfo

STRINGS, INFO = ".device_print_strings", ".device_print_strings_info"
INFO_BYTES = 16


@dataclass(frozen=True, slots=True)
class Print:
    """A print in the source."""

    format: str
    file: str
    line: int


class Strings:
    """The prints of one file."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._start, self._text = image.section(STRINGS) or (0, b"")
        self._info = (image.section(INFO) or (0, b""))[1]
        self._enums: dict[str, list[tuple[int, str]]] = {}

    def any(self) -> bool:
        """True if the file has prints."""
        return bool(self._info)

    def print(self, number: int) -> Print | None:
        """Return the print of this number; None when there is none."""
        row = self._info[number * INFO_BYTES : (number + 1) * INFO_BYTES]
        if len(row) < INFO_BYTES:
            return None
        words = [int.from_bytes(row[i : i + 4], "little") for i in range(0, INFO_BYTES, 4)]
        text, file = self.string(words[0]), self.string(words[1])
        return None if text is None else Print(text, file or "?", words[2])

    def string(self, addr: int) -> str | None:
        """Return the string at an address of the section; None when it is not there."""
        if not self._start <= addr < self._start + len(self._text):
            return None
        text = self._text[addr - self._start :].partition(b"\0")[0]
        return text.decode("utf-8", "replace")

    @cached_property
    def _debug(self) -> DebugInfo:
        from tensix_gdb.core.dwarf.info import DebugInfo

        return DebugInfo(self.image.content)

    def enumerators(self, name: str) -> list[tuple[int, str]]:
        """Return the values of an enumeration and their names, as they are declared."""
        if name not in self._enums:
            self._enums[name] = self._debug.enumerators(name)
        return self._enums[name]
