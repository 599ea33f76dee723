# SPDX-License-Identifier: Apache-2.0
"""The LLVM IR text of one function while it grows: blocks, values, cold paths, what is known.

A value is a Python int (known now), a `Word` (an i64: a name or a number) or a `Flag` (an i1). Code
that is not reachable is not written: `alive` says whether the current place can be reached.

`facts` is what is known at the current place: under the name of a variable its value, or between
which numbers that is, and under `%name` what a condition has told about that value. Where paths
meet it is what they have in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tensix_gdb.core.engine.lowering.ranges import BIT, FULL, Range, both, union

LIKELY = "!prof !1"
SIGNED_64 = range(-(1 << 63), 1 << 63)


class Word(str):
    """The name of an i64, or a number."""

    __slots__ = ()


class Flag(str):
    """The name of an i1."""

    __slots__ = ()


Value = int | Word | Flag
Facts = Mapping[str, Word | Flag | Range]


class Mark(NamedTuple):
    """How much of a body there is."""

    lines: int
    cold: int
    at: str
    facts: Facts


class Body:
    """Blocks of one function."""

    def __init__(self) -> None:
        self.variables: list[str] = []
        self.lines: list[str] = []
        self.cold: list[str] = []
        self.count = 0
        self.at = "entry"
        self.alive = True
        self.facts: Facts = {}
        self._ranges: dict[str, Range] = {}
        self._arrivals: dict[str, list[Facts]] = {}

    def text(self) -> str:
        return "\n".join([*self.variables, *self.lines, *self.cold])

    # -- instructions
    def line(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def name(self) -> str:
        self.count += 1
        return f"%t{self.count}"

    def word(self, text: str, known: Range = FULL) -> Word:
        """Write an instruction that makes an i64, which is certainly in the range `known`."""
        name = Word(self.name())
        self.line(f"{name} = {text}")
        if known is not FULL:
            self._ranges[name] = known
        return name

    def flag(self, text: str) -> Flag:
        """Write an instruction that makes an i1."""
        name = Flag(self.name())
        self.line(f"{name} = {text}")
        return name

    def pointer(self, text: str) -> str:
        """Write an instruction that makes a pointer."""
        name = self.name()
        self.line(f"{name} = {text}")
        return name

    def variable(self, hint: str) -> str:
        """A fresh i64 on the stack; LLVM turns it into registers."""
        self.count += 1
        name = f"%{hint}.{self.count}"
        self.variables.append(f"  {name} = alloca i64")
        return name

    # -- values
    def as_word(self, value: Value) -> str:
        """`value` as the operand of an i64 instruction."""
        if isinstance(value, Flag):
            return self.word(f"zext i1 {value} to i64", BIT)
        return str(int(value)) if isinstance(value, int) else value

    def as_flag(self, value: Value) -> str:
        """`value` as a condition."""
        if isinstance(value, int):
            return "true" if value else "false"
        if isinstance(value, Word):
            return self.flag(f"icmp ne i64 {value}, 0")
        return value

    # -- what is known
    def range_of(self, value: Value | str) -> Range:
        """Between which numbers a value (or an operand of an i64 instruction) is here."""
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
        """An i64 is in this range wherever it is used."""
        self._ranges[name] = both(self.range_of(name), known)

    def learn(self, name: str, fact: Word | Flag | Range) -> None:
        """From here on: the value of a variable, or the range of one or of an i64."""
        self.facts = {**self.facts, name: fact}

    def narrowed(self, value: Value, known: Range) -> Facts:
        """What would be known if `value` were in the range `known`."""
        if not isinstance(value, Word) or value[0] != "%":
            return self.facts
        return {**self.facts, value: both(self.range_of(value), known)}

    def forget(self, names: Iterable[str]) -> None:
        """Variables that may have changed."""
        gone = set(names)
        self.facts = {name: fact for name, fact in self.facts.items() if name not in gone}

    # -- blocks
    def label(self) -> str:
        self.count += 1
        return f"L{self.count}"

    def arrive(self, label: str, facts: Facts | None = None) -> None:
        """A jump from here to `label` has been written."""
        self._arrivals.setdefault(label, []).append(self.facts if facts is None else facts)

    def is_reached(self, label: str) -> bool:
        return label in self._arrivals

    def place(self, label: str) -> None:
        """Go on at `label`, to which every jump has been written."""
        self.alive = label in self._arrivals
        if self.alive:
            self.lines.append(f"{label}:")
            self.at = label
            self.facts = self._meet(self._arrivals[label])

    def place_head(self, label: str, changed: Iterable[str]) -> None:
        """Go on at `label`, which is also jumped to from below (the head of a loop, in which the
        variables `changed` do)."""
        self.jump(label)
        self.place(label)
        self.forget(changed)

    def jump(self, label: str, note: str = "") -> None:
        if self.alive:
            self.arrive(label)
            self.line(f"br label %{label}{', ' + note if note else ''}")
            self.alive = False

    def branch(
        self,
        condition: str,
        yes: str,
        no: str,
        *,
        if_yes: Facts | None = None,
        if_no: Facts | None = None,
    ) -> None:
        """Jump to `yes` or `no`, where this is known."""
        self.arrive(yes, if_yes)
        self.arrive(no, if_no)
        self.line(f"br i1 {condition}, label %{yes}, label %{no}")
        self.alive = False

    def guard(self, fine: str, cold: str, *, replace: tuple[str, str, Range] | None = None) -> Word:
        """Go on if `fine`; otherwise run the instruction `cold`, out of line, and then go on.

        `replace` = (value, other, range): the result is `value`, or `other` after the cold path,
        and in any case in that range; so are then the variables that had this value.
        """
        before, on, off = self.at, self.label(), self.label()
        self.line(f"br i1 {fine}, label %{on}, label %{off}, {LIKELY}")
        self.cold += [f"{off}:", f"  {cold}", f"  br label %{on}"]
        self.lines.append(f"{on}:")
        self.at = on
        if replace is None:
            return Word("0")
        value, other, known = replace
        safe = self.word(
            f"phi i64 [ {value}, %{before} ], [ {other}, %{off} ]",
            both(self.range_of(value), known),
        )
        self.facts = {
            name: safe if fact == value and isinstance(fact, Word) else fact
            for name, fact in self.facts.items()
        }
        return safe

    def phi(self, arrivals: list[tuple[Value, str, Range]]) -> Word:
        """What a value is that depends on the way here: (value, block, range) of each way."""
        known = arrivals[0][2]
        for _, _, other in arrivals[1:]:
            known = union(known, other)
        ways = ", ".join(f"[ {value}, %{block} ]" for value, block, _ in arrivals)
        return self.word(f"phi i64 {ways}", known)

    # -- trying
    def mark(self) -> Mark:
        """This place, to come back to."""
        return Mark(len(self.lines), len(self.cold), self.at, self.facts)

    def is_plain_since(self, mark: Mark) -> bool:
        """Has only been computed since then, without a branch or a call?"""
        return self.at == mark.at and not any(
            " call " in line and "@llvm." not in line for line in self.lines[mark.lines :]
        )

    def go_back(self, mark: Mark) -> None:
        """Take back what was written since then. Names are not used again."""
        del self.lines[mark.lines :], self.cold[mark.cold :]
        self.at, self.facts, self.alive = mark.at, mark.facts, True

    # -- where paths meet
    def _meet(self, ways: list[Facts]) -> Facts:
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
