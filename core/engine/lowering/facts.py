# SPDX-License-Identifier: Apache-2.0
"""Values, and what is known about them at the insertion point.

A value is a Python int (known now), a `Word` (an i64: a name or a number) or a `Flag` (an i1).

`facts` is what is known here: under the name of a variable its value or its range, and under
`%name` the range that a condition has told about that i64. Where paths meet, the facts are what
the paths have in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tensix_gdb.core.engine.lowering.ranges import BIT, FULL, Range, both, union


class Word(str):
    """The name of an i64, or a number."""

    __slots__ = ()


class Flag(str):
    """The name of an i1."""

    __slots__ = ()


Value = int | Word | Flag
Facts = Mapping[str, Word | Flag | Range]


class Knowledge:
    """The known facts about the variables and values of one function."""

    def __init__(self) -> None:
        self.facts: Facts = {}
        self._ranges: dict[str, Range] = {}  # wherever the value is used

    def known(self, name: Word, known: Range) -> Word:
        """Say that a new i64 is certainly in the range `known`."""
        if known is not FULL:
            self._ranges[name] = known
        return name

    def range_of(self, value: Value | str) -> Range:
        """Return the range of a value (or of an operand of an i64 instruction) here."""
        if isinstance(value, int):
            return int(value), int(value)
        if isinstance(value, Flag):
            return BIT
        if value[0] != "%":
            return int(value), int(value)
        always = self._ranges.get(value, FULL)
        here = self.facts.get(value)
        return both(always, here) if isinstance(here, tuple) else always

    def assume(self, name: str, known: Range) -> None:
        """Say that an i64 is in this range wherever it is used."""
        self._ranges[name] = both(self.range_of(name), known)

    def add_fact(self, name: str, fact: Word | Flag | Range) -> None:
        """From here on: the value of a variable, or the range of a variable or of an i64."""
        self.facts = {**self.facts, name: fact}

    def refined(self, value: Value, known: Range) -> Facts:
        """Return what would be known if `value` were in the range `known`."""
        if not isinstance(value, Word) or value[0] != "%":
            return self.facts
        return {**self.facts, value: both(self.range_of(value), known)}

    def forget(self, names: Iterable[str]) -> None:
        """Drop the facts about variables that may have changed."""
        gone = set(names)
        self.facts = {name: fact for name, fact in self.facts.items() if name not in gone}

    def meet(self, ways: list[Facts]) -> Facts:
        """Return what is known where several paths meet."""
        if len(ways) == 1:
            return ways[0]
        first, *others = ways
        met: dict[str, Word | Flag | Range] = {}
        for name, fact in first.items():
            same = True
            for other in others:
                if other is not first:
                    there = other.get(name)
                    if there is None:
                        break
                    same = same and there == fact
            else:
                if same:
                    met[name] = fact
                    continue
                known = self._known(name, fact, first)
                for other in others:
                    known = union(known, self._known(name, other[name], other))
                if known != FULL:
                    met[name] = known
        return met

    def _known(self, name: str, fact: Word | Flag | Range, facts: Facts) -> Range:
        if isinstance(fact, tuple):
            return both(self._ranges.get(name, FULL), fact)
        before, self.facts = self.facts, facts
        known = self.range_of(fact)
        self.facts = before
        return known
