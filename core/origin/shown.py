# SPDX-License-Identifier: Apache-2.0
"""A write of an answer, with those that it was made of: as text for people, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.origin.words import in_cycles, listed

MOST_LINES = 200
SHOWN_SETTINGS = 3  # of those that one line has written


@dataclass(slots=True)
class Setting:
    """A field of the configuration, a counter or a GPR that had a part in it, and its write."""

    what: str
    value: int
    by: str  # "" where nothing has written it
    cycle: int | None
    is_config: bool = True

    @property
    def text(self) -> str:
        """Its value and its writer."""
        return f"{self.what} = {self.value:#x}: {self.by}"

    def to_json(self) -> dict[str, Any]:
        return {"what": self.what, "value": self.value, "by": self.by, "cycle": self.cycle}


@dataclass(slots=True)
class Left:
    """An instruction that has left elements as they were, because lane flags were off; or that has
    written them, because they were on."""

    by: str
    brief: str
    cycle: int
    flags: Setting
    use: Setting  # UseLaneFlagsForLaneEnable
    lanes: set[int] = field(default_factory=set)

    @property
    def text(self) -> str:
        """The instruction, and the lanes."""
        return f"left as it was by {self.by}, in cycle {self.cycle}: {self._lanes()}"

    @property
    def in_brief(self) -> str:
        """The same without addresses, with the last write of lane flags."""
        return (
            f"left as it was by {self.brief}: {self._lanes()}, {_written('lane flags', self.flags)}"
        )

    @property
    def why(self) -> str:
        """The instructions that have switched the lanes off."""
        use = _written("conditional execution on", self.use)
        return f"{_written('lane flags', self.flags)}; {use}"

    def _lanes(self) -> str:
        found = sorted(self.lanes)
        if len(found) == 1:
            return f"lane {found[0]} was off"
        if found == list(range(found[0], found[-1] + 1)):
            return f"lanes {found[0]} to {found[-1]} were off"
        return f"lanes {', '.join(map(str, found))} were off"

    def to_json(self) -> dict[str, Any]:
        return {
            "by": self.by,
            "cycle": self.cycle,
            "lanes": sorted(self.lanes),
            "flags": self.flags.to_json(),
            "use_flags": self.use.to_json(),
        }


@dataclass(slots=True)
class Origin:
    """Elements of one row, what has written them last, and what they were made of."""

    what: str
    values: list[str]
    by: str = ""
    tile: str = ""  # that of the instruction, of a chip
    hart: int | None = None
    pc: int | None = None
    cycles: tuple[int, int] | None = None
    note: str = ""
    brief: str = ""  # `by` without addresses and calls
    later: str = ""  # the last write of memory, which came after it was read
    calls: list[str] = field(default_factory=list)
    are_calls_known: bool = True
    addressed: list[Setting] = field(default_factory=list)
    settings: list[Setting] = field(default_factory=list)
    asked: list[Setting] = field(default_factory=list)  # of a constant: on the way to it
    left: list[Left] = field(default_factory=list)
    in_lanes: list[Left] = field(default_factory=list)  # what has written them, if flags let it
    made_of: list[Origin] = field(default_factory=list)

    def to_json(self, shown: set[int] | None = None) -> dict[str, Any]:
        """Return names and numbers only. What is a part of several is whole at the first of them,
        and `repeated` at the others."""
        shown = set() if shown is None else shown
        is_repeated = id(self) in shown
        shown.add(id(self))
        parts = [] if is_repeated else [origin.to_json(shown) for origin in self.made_of]
        return {
            "what": self.what,
            "values": self.values,
            "by": self.by,
            "tile": self.tile,
            "hart": None if self.hart is None else HART_NAMES[self.hart],
            "pc": self.pc,
            "cycles": None if self.cycles is None else list(self.cycles),
            "note": self.note,
            "left": [one.to_json() for one in self.left],
            "in_lanes": [one.to_json() for one in self.in_lanes],
            "asked": [setting.to_json() for setting in self.asked],
            "later": self.later,
            "calls": self.calls if self.are_calls_known else None,
            "addressed": [setting.to_json() for setting in self.addressed],
            "settings": [setting.to_json() for setting in self.settings],
            "made_of": parts,
            "repeated": is_repeated,
        }

    def lines(self, *, settings: bool = False, brief: bool = False) -> Iterator[str]:
        """Yield the tree as text; `brief`: a line for each step, with its value and its writer."""
        shown: set[int] = set()
        found = self._brief("", shown) if brief else self._lines("", shown, settings)
        for number, line in enumerate(found):
            if number == MOST_LINES:
                yield "and more: ask for a part of it, or for JSON"
                return
            yield line

    @property
    def title(self) -> str:
        """The place and what was in it."""
        return f"{self.what}: {listed(self.values)}"

    def about(self, *, settings: bool = False) -> Iterator[str]:
        """Yield the lines about this write, without those about its parts."""
        for number, one in enumerate(self.left):
            yield one.text
            if number + 1 == len(self.left) or self.left[number + 1].why != one.why:
                yield f"  {one.why}"
        if self.by:
            yield f"written by {self.by}, {in_cycles(self.cycles)}"
        if self.calls:
            yield f"  called from {', '.join(self.calls)}"
        for why in dict.fromkeys(one.why for one in self.in_lanes):
            yield f"  where {why}"
        if not self.are_calls_known:
            yield "  it is not known through which calls"
        if self.note:
            yield self.note
        if self.later:
            yield f"written again after it was read here, by {self.later}"
        for line in _grouped(self.asked, "asked:", every=settings):
            yield f"  {line}"
        for line in _grouped(self.addressed, "chosen by", every=settings):
            yield f"  {line}"
        rest = self.settings if settings else [one for one in self.settings if one.is_config]
        for line in _grouped(rest, "also read:", every=settings):
            yield f"  {line}"

    def _lines(self, indent: str, shown: set[int], settings: bool) -> Iterator[str]:
        yield f"{indent}{self.title}"
        if id(self) in shown:
            yield f"{indent}  (as above)"
            return
        shown.add(id(self))
        for line in self.about(settings=settings):
            yield f"{indent}  {line}"
        for origin in self.made_of:
            yield from origin._lines(indent + "  ", shown, settings)

    def _brief(self, indent: str, shown: set[int]) -> Iterator[str]:
        if id(self) in shown:
            yield f"{indent}{self.title}  (as above)"
            return
        shown.add(id(self))
        told = [one.in_brief for one in self.left[:1]]
        told.append(f"{self.brief}, {in_cycles(self.cycles)}" if self.by else self.note)
        told += [f"where {_written('lane flags', one.flags)}" for one in self.in_lanes[:1]]
        told += [f"a constant, asked: {one.text}" for one in self.asked[:1]]
        yield f"{indent}{self.title}: {'; '.join(told)}"
        for origin in self.made_of:
            yield from origin._brief(indent + "  ", shown)


def _written(what: str, one: Setting) -> str:
    if one.cycle is None:
        return f"{what} as {one.by or 'the reset'} has left it"
    return f"{what} by {one.by}, in cycle {one.cycle}"


def _grouped(settings: Sequence[Setting], title: str, *, every: bool) -> Iterator[str]:
    """Settings by the line that has written them; those that nothing has written are counted."""
    by_line: dict[str, list[Setting]] = {}
    for setting in settings:
        by_line.setdefault(setting.by, []).append(setting)
    unwritten = by_line.pop("", [])
    for by, written in by_line.items():
        shown = written if every else written[:SHOWN_SETTINGS]
        names = ", ".join(f"{one.what} = {one.value:#x}" for one in shown)
        if len(shown) < len(written):
            names += f" and {len(written) - len(shown)} more"
        cycles = [one.cycle for one in written if one.cycle is not None]
        when = f", {in_cycles((min(cycles), max(cycles)))}" if cycles else ""
        yield f"{title} {names}: {by}{when}"
    if unwritten and every:
        yield f"{title} never written: {', '.join(one.what for one in unwritten)}"
