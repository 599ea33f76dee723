# SPDX-License-Identifier: Apache-2.0
"""The steps of a recording: each some inputs and then a run to a certain progress.

The execution is deterministic, so the state at the start and the inputs are all that it takes. An
input is whatever differs when the tile resumes from when it stopped, whatever changed it: a
client's writes, a host's messages, answers to semihosting calls, a reset. What a debugger has armed
belongs to it, because the tile stops there, in the middle of a cycle.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.memory.pages import Pages
from tensix_gdb.core.record.layout import Layout, View
from tensix_gdb.core.record.record import Record

GRAIN_BYTES = 64  # what differs is kept in multiples of so many
ARMED, TABLE = 2, 3  # indices of spans: the first of what is armed, and the table of conditions
_LIBC = ctypes.CDLL(None)

Patch = tuple[int, bytes]  # from this byte of the watched ones on
OutsidePages = list[dict[int, bytes]]  # memory outside the tile


@dataclass(frozen=True, slots=True)
class Progress:
    """The position of an execution, down to the turn in a cycle, and the harts that pause in it: to
    come to an ebreak takes no time."""

    cycle: int
    turn: int
    begun: int
    gate: int
    executed: int
    paused: int

    @staticmethod
    def of(S: View) -> Progress:
        """Return the progress of the tile."""
        executed = sum(S.hart.retired[hart] for hart in range(HARTS))
        executed += sum(S.passed.count[thread] for thread in range(THREADS))
        gate = int(S.gate.next) << 1 | int(S.gate.moved)
        paused = sum(1 << hart for hart in range(HARTS) if S.hart.paused[hart])
        cycle, turn, begun = int(S.tile.cycle), int(S.tile.next_hart), int(S.schedule.cycle_phase)
        return Progress(cycle, turn, begun, gate, int(executed), paused)


@dataclass(frozen=True, slots=True)
class Check:
    """A hash of each part of the tile, at a certain progress."""

    progress: Progress
    parts: tuple[str, ...]


@dataclass(slots=True)
class Step:
    """Inputs, then a run to a certain progress, with checks on the way, the last at its end."""

    progress: Progress
    patches: list[Patch] = field(default_factory=list)
    outside: list[dict[int, bytes]] = field(default_factory=list)
    faults: str = ""
    checks: list[Check] = field(default_factory=list)


class Watched:
    """The bytes of a record that matter: all state, and what is armed. A quarter of them is the
    table of conditions, which `copy_bytes` and `changed` skip while it stays empty."""

    def __init__(self, record: Record) -> None:
        self._record = record
        layout = record.layout
        self._spans = list(_spans(layout))
        self._table = self._spans[TABLE][0]
        self.size = sum(end - start for start, end in self._spans)
        self._kept = (ctypes.c_char * self.size)()
        self._conditions = 0  # how many there were when they were kept

    def copy_bytes(self) -> None:
        """Copy the bytes as they are."""
        at = ctypes.addressof(self._kept)
        for start, end in self._spans:
            if start != self._table or self._has_conditions():
                ctypes.memmove(at, self._record.address + start, end - start)
            at += end - start
        self._conditions = self._record.S.condition.count

    def changed(self) -> bool:
        """True if the bytes differ from those that were kept."""
        at = ctypes.addressof(self._kept)
        for start, end in self._spans:
            here = ctypes.c_void_p(self._record.address + start)
            watched = start != self._table or self._has_conditions()
            if watched and _LIBC.memcmp(here, ctypes.c_void_p(at), ctypes.c_size_t(end - start)):
                return True
            at += end - start
        return False

    def _has_conditions(self) -> bool:
        """True if there are conditions, or were some when the bytes were kept."""
        return bool(self._conditions or self._record.S.condition.count)

    def patches(self) -> list[Patch]:
        """List what differs from what was kept."""
        old, new = bytes(self._kept), self.content()
        patches: list[Patch] = []
        for page in range(0, self.size, 4096):
            if old[page : page + 4096] == new[page : page + 4096]:
                continue
            for at in range(page, min(page + 4096, self.size), GRAIN_BYTES):
                piece = new[at : at + GRAIN_BYTES]
                if old[at : at + GRAIN_BYTES] == piece:
                    continue
                if patches and patches[-1][0] + len(patches[-1][1]) == at:
                    patches[-1] = patches[-1][0], patches[-1][1] + piece
                else:
                    patches.append((at, piece))
        return patches

    def content(self) -> bytes:
        """Copy all of the bytes."""
        return b"".join(
            ctypes.string_at(self._record.address + start, end - start)
            for start, end in self._spans
        )

    def write_patches(self, patches: list[Patch]) -> None:
        """Write patches into the record."""
        for at, data in patches:
            for start, end in self._spans:
                if at < end - start:
                    piece = data[: end - start - at]
                    ctypes.memmove(self._record.address + start + at, piece, len(piece))
                    data, at = data[len(piece) :], 0
                else:
                    at -= end - start
                if not data:
                    break

    def disarm(self) -> None:
        """Make the rows zero in which debuggers arm."""
        start, end = self._spans[ARMED][0], self._spans[-1][1]
        ctypes.memset(self._record.address + start, 0, end - start)


def _spans(layout: Layout) -> list[tuple[int, int]]:
    """Find the spans of bytes that matter: the rows of what is armed stand together."""
    slot = layout.slot
    held, issuing = slot("tile", "issuing"), slot("hart", "issuing")
    armed, after = slot("debug", "breaks"), slot("decoded", "word")
    table, rest = slot("condition", "bucket"), slot("condition", "used")
    spans = [
        (0, layout.state_size),
        (held.offset, issuing.offset + issuing.field.size),
        (armed.offset, table.offset),
        (table.offset, rest.offset),
        (rest.offset, after.offset),
    ]
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    return spans


def part_names(layout: Layout) -> tuple[str, ...]:
    """Return the parts that have state, as `hashes` has them; memory outside the tile is the last
    one."""
    return (*dict.fromkeys(slot.part for slot in layout.storage()), "outside")


def hashes(record: Record, outside: Sequence[Pages]) -> tuple[str, ...]:
    """Return a hash of each part, and of the memory outside the tile."""
    digests: dict[str, hashlib.blake2b] = {}
    for slot in record.layout.storage():
        digest = digests.setdefault(slot.part, hashlib.blake2b(digest_size=8))
        digest.update(record.row(slot))
    hashed = "".join(pages.hash() for pages in outside)
    texts = [digest.hexdigest() for digest in digests.values()]
    return (*texts, hashlib.blake2b(hashed.encode(), digest_size=8).hexdigest())
