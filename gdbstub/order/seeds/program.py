# SPDX-License-Identifier: Apache-2.0
"""A program that is searched: the tile at its beginning, and what makes a run of it wrong.

It goes to worker processes and other machines as bytes (`packed`), named by their hash: each worker
unpacks it once and keeps its machine. It has the whole state: nothing is loaded or booted there.
"""

from __future__ import annotations

import hashlib
import pickle
import zlib
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.named_pauses import NamedPause
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, image_of
from tensix_gdb.gdbstub.order.report.known import Suppression

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.tensix.tiles.files import TileFiles

AT_LEAST, TIMES = 100_000, 50  # the cycles of a run: so many, or so often those of `latency`
WHOLE = 1 << 62


@dataclass(frozen=True, slots=True)
class File:
    """An ELF file of a program: for its symbols and lines."""

    path: str
    content: bytes
    hart: int | None
    bias: int = 0

    @classmethod
    def of(cls, image: Image) -> File:
        """Make that of an image."""
        return cls(str(image.path), image.content, image.hart, image.bias)

    def image(self) -> Image:
        """Return the image again."""
        image = image_of(Path(self.path), self.content)
        if self.bias:
            in_l1 = min(each.addr for each in image.segments if each.addr < 1 << 21)
            image = image.moved_to(in_l1 + self.bias)
        image.hart = self.hart
        return image


@dataclass(frozen=True, slots=True)
class Check:
    """A Python function that says whether a run was right: `function(tile)`."""

    name: str  # "checks.py:sums", as it was typed
    source: str
    path: str
    function: str


@dataclass(slots=True)
class Program:
    """One of them."""

    name: str
    state: bytes  # of the record, compressed
    files: tuple[File, ...] = ()
    outside: tuple[dict[int, bytes], ...] = ()
    arch: str = "BLACKHOLE"
    until: tuple[tuple[int, int], ...] = ()  # hart and address: a run that comes there is wrong
    until_name: str = ""
    over: tuple[
        tuple[int, bytes], ...
    ] = ()  # of L1: a run is over when it has these; else all pause
    slice: int = WHOLE  # cycles between two looks at `over`
    result: tuple[tuple[int, bytes], ...] = ()  # of L1: a right run ends with these
    poison: tuple[tuple[int, int], ...] = ()  # of L1, bytes that are filled before a run
    expect: TileFiles | None = None
    check: Check | None = None
    pauses: tuple[NamedPause, ...] = ()  # of every run
    faults: str = ""
    races: str = ""  # "default" or "strict": a run with a report is wrong
    checks: tuple[str, ...] = ()
    suppressions: tuple[Suppression, ...] = ()  # of reports that do not count
    chosen: tuple[str, ...] = ()  # state that is hashed at the end
    same: str = ""  # the hash that a right run ends with
    most: int = AT_LEAST  # cycles of a run
    litmus: tuple[str, str, str] | None = None  # text of the file, its path, name of the test
    is_kept: bool = False  # of a simulator: right in the end that its host has seen
    seen: dict[str, object] = field(default_factory=dict)  # what the first run has told

    def packed(self) -> bytes:
        """Return it as bytes."""
        return zlib.compress(pickle.dumps(self), 1)

    @property
    def digest(self) -> str:
        """The digest of a program, equal on any machine for what is searched for the same."""
        parts: list[object] = [
            self.state,
            *((each.content, each.hart, each.bias) for each in self.files),
            *(sorted(each.items()) for each in self.outside),
            *(self.arch, self.until, self.over, self.slice, self.result, self.poison),
            *(self.check, self.pauses, self.faults, self.races, self.checks, self.suppressions),
            *(self.chosen, self.same, self.most, self.litmus),
        ]
        if self.expect is not None:
            parts += [(each.tile.addr, each.content) for each in self.expect.wanted]
        digest = hashlib.sha256()
        for part in parts:
            data = part if isinstance(part, bytes) else repr(part).encode()
            digest.update(len(data).to_bytes(8, "little") + data)
        return digest.hexdigest()[:16]


def unpacked(data: bytes) -> Program:
    """Return the program that `packed` has packed. Only of bytes that this program has made: it is
    pickle."""
    program: Program = pickle.loads(zlib.decompress(data))
    return program


def state_of(machine: Machine) -> bytes:
    """Return the record, compressed."""
    return zlib.compress(bytes(machine.record.raw_state()), 1)


def outside_of(machine: Machine) -> tuple[dict[int, bytes], ...]:
    """Memory outside the tile."""
    return tuple(dict(pages.snapshot()) for pages in machine.outside.memories())


def files_of(images: Sequence[Image]) -> tuple[File, ...]:
    """Return the files of a machine that have symbols."""
    return tuple(File.of(image) for image in images if image.content)


def cycles_for(cycles: int) -> int:
    """Return how many cycles a run may take, where one has taken `cycles`."""
    return max(AT_LEAST, TIMES * cycles)
