# SPDX-License-Identifier: Apache-2.0
"""The common part of a timeline and a profile: which thread waited for what, which unit was busy.

`Pushed` is a Tensix instruction with its operands, as far as the file has them, and its place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass

# `cmath.h:310`, `reader.cpp:55 (cmath.h:310)` where that is inlined
_FROM = re.compile(r"(?P<text>.*) from (?P<place>\S+(?: at \S+| \(\S+\))?)$")
_SEMAPHORES = re.compile(r"\bsem=([S\d|]+)")


@dataclass(frozen=True, slots=True)
class Pushed:
    """`SEMPOST sem=S1`, `math.c:21`; the place is empty where the file does not say."""

    text: str
    place: str = ""

    @property
    def mnemonic(self) -> str:
        """Its name, without the form: `UNPACR` of `UNPACR.Regular`."""
        return self.text.partition(" ")[0].partition(".")[0]

    @property
    def semaphores(self) -> frozenset[int]:
        """The semaphores among its operands; empty if the file does not say."""
        found = _SEMAPHORES.search(self.text)
        return frozenset(int(name[1:]) for name in found[1].split("|")) if found else frozenset()


def pushed(text: str) -> Pushed:
    """`MVMUL dst_row=32 from data_path.c:54`, read."""
    match = _FROM.fullmatch(text)
    return Pushed(match["text"], match["place"]) if match else Pushed(text)


@dataclass(frozen=True, slots=True)
class Held:
    """An instruction that did not pass its gate, and what kept it there."""

    thread: str
    what: Pushed
    by: Pushed


@dataclass(frozen=True, slots=True)
class Span:
    """The state of a hart, a gate or a unit from cycle `start` to before `end`: of a timeline."""

    name: str
    start: int
    end: int
    state: str  # a gate: held, passes, comes; a hart: its function, waits; a unit: busy
    what: Pushed  # the instruction; of a hart why it waits
    by: Pushed  # what holds it


@dataclass(slots=True)
class Summary:
    """Cycles, by what they were spent on. Names are those of the file."""

    cycles: int = 0
    title: str = ""
    held: Counter[Held] = field(default_factory=Counter)
    issued: Counter[tuple[str, Pushed]] = field(default_factory=Counter)
    units: dict[str, int] = field(default_factory=dict)
    functions: dict[str, Counter[str]] = field(default_factory=dict)  # of each hart
    waits: dict[str, Counter[str]] = field(default_factory=dict)  # of each hart
    # Loops in which a hart polls, of a profile: function and place.
    polls: dict[str, Counter[Pushed]] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)  # of a timeline; a profile has none

    def threads(self) -> list[str]:
        """Tensix threads that had anything at their gate."""
        names = {held.thread for held in self.held} | {thread for thread, _ in self.issued}
        return sorted(names)

    def pushes_of(self, mnemonic: str, semaphore: int) -> Iterator[tuple[str, Pushed]]:
        """Yield the issued instructions of a mnemonic that may be of this semaphore, with their
        threads."""
        for thread, what in self.issued:
            if what.mnemonic == mnemonic and (not what.semaphores or semaphore in what.semaphores):
                yield thread, what
