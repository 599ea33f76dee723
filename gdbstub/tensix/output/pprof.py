# SPDX-License-Identifier: Apache-2.0
"""Profiles in the form of pprof (proto/profile.proto of github.com/google/pprof).

That is a compressed message of Protocol Buffers, written by hand here: it takes a page and spares a
library. A sample is a stack and its cycles; the outermost frame is the hart or Tensix thread: a
flame graph has one tower for each.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Sequence
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.dwarf.leb128 import uleb

VARINT, BYTES = 0, 2  # wire types
# Numbers of fields, by message.
SAMPLE_TYPE, SAMPLE, LOCATION, FUNCTION, STRING_TABLE, PERIOD_TYPE, PERIOD = 1, 2, 4, 5, 6, 11, 12
TYPE, UNIT = 1, 2
SAMPLE_LOCATION, SAMPLE_VALUE = 1, 2
ID, LOCATION_LINE, LINE_FUNCTION, LINE_NUMBER = 1, 4, 1, 2
NAME, SYSTEM_NAME, FILE_NAME, START_LINE = 2, 3, 4, 5


@dataclass(frozen=True, slots=True)
class Frame:
    """A function, or what stands for one."""

    name: str
    file: str = ""
    line: int = 0


@dataclass
class Pprof:
    """The profile while it is made."""

    _strings: dict[str, int] = field(default_factory=lambda: {"": 0})
    _frames: dict[Frame, int] = field(default_factory=dict)
    _samples: list[bytes] = field(default_factory=list)

    def add(self, stack: Sequence[Frame], cycles: int) -> None:
        """Add a stack, the outermost frame first."""
        # The innermost one comes first on the wire.
        numbers = [
            self._frames.setdefault(frame, len(self._frames) + 1) for frame in reversed(stack)
        ]
        packed = b"".join(map(uleb, numbers))
        self._samples.append(_bytes(SAMPLE_LOCATION, packed) + _number(SAMPLE_VALUE, cycles))

    def content(self) -> bytes:
        """Return the file. The same profile gives the same bytes."""
        kind = _number(TYPE, self._string("cycles")) + _number(UNIT, self._string("count"))
        parts = [_bytes(SAMPLE_TYPE, kind)]
        parts += [_bytes(SAMPLE, sample) for sample in self._samples]
        for frame, number in self._frames.items():
            line = _number(LINE_FUNCTION, number) + _number(LINE_NUMBER, frame.line)
            parts.append(_bytes(LOCATION, _number(ID, number) + _bytes(LOCATION_LINE, line)))
        for frame, number in self._frames.items():
            name = self._string(frame.name)
            function = _number(ID, number) + _number(NAME, name) + _number(SYSTEM_NAME, name)
            function += _number(FILE_NAME, self._string(frame.file))
            parts.append(_bytes(FUNCTION, function + _number(START_LINE, frame.line)))
        parts += [_bytes(PERIOD_TYPE, kind), _number(PERIOD, 1)]
        parts += _all(STRING_TABLE, (text.encode("utf-8") for text in self._strings))
        return gzip.compress(b"".join(parts), mtime=0)

    def _string(self, text: str) -> int:
        return self._strings.setdefault(text, len(self._strings))


def _number(field_number: int, value: int) -> bytes:
    return uleb(field_number << 3 | VARINT) + uleb(value)


def _bytes(field_number: int, value: bytes) -> bytes:
    return uleb(field_number << 3 | BYTES) + uleb(len(value)) + value


def _all(field_number: int, values: Iterable[bytes]) -> list[bytes]:
    return [_bytes(field_number, value) for value in values]
