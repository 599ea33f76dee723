# SPDX-License-Identifier: Apache-2.0
"""Where a value came from: the way in.

    for origin in origins(machine, rerun, ["0x21000"]).trees:
        print("\n".join(origin.lines()))

A question takes the tile through its past and puts it back. In the past it runs alone, so answers
that a host gave are those that the history or the recording has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.dram_data import DRAM_END
from tensix_gdb.core.origin.callers import add_callers
from tensix_gdb.core.origin.instrumented.watched import Place
from tensix_gdb.core.origin.memories import Holder
from tensix_gdb.core.origin.query import CYCLES, LEVELS, Query
from tensix_gdb.core.origin.rerun import Rerun
from tensix_gdb.core.origin.shown import Origin
from tensix_gdb.core.origin.tree import Trees
from tensix_gdb.core.places.place import NotAPlace, text
from tensix_gdb.core.places.state import bits_of, elements, owned
from tensix_gdb.core.places.words import parse

MOST_BYTES = 4096
_NUMBER = "(0x[0-9a-f]{1,16}|[0-9]{1,20})"
_DRAM_FIRST = re.compile(r"(c[0-9]+\.)?dram", re.IGNORECASE)
_IN_DRAM = re.compile(rf"(c[0-9]+\.)?dram {_NUMBER} {_NUMBER}(?::{_NUMBER})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """Elements of the record, what they were asked for as, and which bits of them are meant."""

    text: str
    places: tuple[Place, ...]
    bits: int = -1
    at: int | None = None  # at the start of this cycle, and not where the tile is
    memory: str = ""  # outside the tiles, that the question is about: its name on a chip alone
    chip: str = ""  # the one of several that has it, with a dot; else that of the tile
    head: str = ""  # what is said before the answer


def read_question(machine: Machine, words: Sequence[str], hart: int | None = None) -> Asked:
    """Return the place that words name, that of a hart where they name none; a place in DRAM as
    answers print it, too. NotAPlace with what to type."""
    joined = " ".join(words)
    if _DRAM_FIRST.match(joined):
        return _in_dram(machine, joined)
    place = owned(machine, parse(words, hart), hart)
    size = sum(size for _, size in elements(machine, place))
    if place.kind in ("l1", "local") and size > MOST_BYTES:
        raise NotAPlace(f"{size} bytes cannot be asked for: 1 to {MOST_BYTES}")
    return Asked(text(place), elements(machine, place), bits_of(machine, place))


def _in_dram(machine: Machine, text: str) -> Asked:
    """Return bytes of a channel of DRAM. NotAPlace with what to type."""
    found = _IN_DRAM.fullmatch(text)
    if found is None:
        raise NotAPlace(f"{text!r}: type for example `DRAM 0 0x100a:2`, a channel and its bytes")
    channel, addr, size = (int(part or "4", 0) for part in found.groups()[1:])
    channels = len(machine.outside.dram)
    if channel >= channels:
        raise NotAPlace(f"there is no DRAM {channel}: they are 0 to {channels - 1}")
    if not 0 < size <= MOST_BYTES:
        raise NotAPlace(f"{size} bytes cannot be asked for: 1 to {MOST_BYTES}")
    end = DRAM_END[machine.S.tile.chip]
    if addr + size > end:
        raise NotAPlace(f"{addr:#x} is not there: DRAM {channel} ends at {end:#x}")
    chip, memory = (found[1] or "").lower(), f"DRAM {channel}"
    shown = f"{chip}{memory} {addr:#x}:{size}"
    return Asked(shown, ((addr, size),), memory=memory, chip=chip)


@dataclass(frozen=True, slots=True)
class Origins:
    """The trees of one question, how many cycles were watched, and whether that was all."""

    asked: str
    trees: list[Origin]
    cycles: int
    is_whole: bool
    head: str = ""

    def lines(self, *, settings: bool = False, brief: bool = False) -> list[str]:
        """Return the answer as text; `brief`: a line for each step."""
        lines = [self.head] if self.head else []
        for tree in self.trees:
            lines += tree.lines(settings=settings, brief=brief)
        if not self.is_whole:
            lines.append(f"the search ended after {self.cycles} cycles of the past: --cycles N")
        return lines

    def to_json(self) -> dict[str, object]:
        """Return the answer for programs."""
        trees = [tree.to_json() for tree in self.trees]
        return {"asked": self.asked, "whole": self.is_whole, "origins": trees}


def origins(
    machine: Machine,
    rerun: Rerun,
    words: Sequence[str],
    *,
    hart: int | None = None,
    cycles: int = CYCLES,
    levels: int = LEVELS,
    tile: int = 0,
    settings: bool = True,
    calls: bool = True,
    is_interrupted: Callable[[], bool] = lambda: False,
) -> Origins:
    """Answer a question in words (core/places). NotAPlace where they name nothing."""
    return origins_of(
        rerun, read_question(machine, words, hart), cycles=cycles, levels=levels, tile=tile,
        settings=settings, calls=calls, is_interrupted=is_interrupted,
    )  # fmt: skip


def origins_of(
    rerun: Rerun,
    what: Asked,
    *,
    cycles: int = CYCLES,
    levels: int = LEVELS,
    tile: int = 0,
    settings: bool = True,
    calls: bool = True,
    is_interrupted: Callable[[], bool] = lambda: False,
) -> Origins:
    """Answer a question about places of a tile. Without `settings`, which is quicker, what has
    chosen and steered is left out: values alone. Without `calls`, which needs another walk through
    the past, no callers are looked for."""
    query = Query(
        rerun, cycles=cycles, levels=levels, settings=settings, is_interrupted=is_interrupted
    )
    where = _holder(rerun, what, tile)
    answer = query.ask(what.places, what.bits, at=what.at, tile=where)
    trees = Trees(rerun.machines, rerun.names, rerun.memories, answer, rerun.programs_at)
    roots = trees.roots()
    try:
        add_callers(query, trees.chains if calls else (), is_interrupted)
    finally:
        query.put_back()
    return Origins(what.text, roots, answer.cycles, answer.is_whole, what.head)


def _holder(rerun: Rerun, what: Asked, tile: int) -> Holder:
    """Return the tile that a question is about, or the memory outside the tiles. NotAPlace if no
    such chip is there."""
    if not what.memory:
        return tile
    own, dot, _ = rerun.names[tile].partition(".")
    name = f"{what.chip or own + dot}{what.memory}" if dot or what.chip else what.memory
    if name not in rerun.memories:
        raise NotAPlace(f"there is no {name}: {rerun.memories[0]} is the first that is there")
    return -1 - rerun.memories.index(name)
