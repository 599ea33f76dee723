# SPDX-License-Identifier: Apache-2.0
"""Words about operations that were compared: the first wrong one, and the end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tensix_gdb.core.dataclass import dataclass

# What brings a value from one place to another, and computes nothing.
MOVES = re.compile(
    r"a request of|PACR|UNPACR|MOV[AB]2D|MOVD2[AB]|MOVB2A|MOVDBGA2D|SFPLOAD\b|SFPSTORE\b|"
    r"ATTGETDMAREG|STOREIND|XMOV|s[bhw] of|l[bhw]u? of|TRNSPSRCB"
)
_WRITTEN = re.compile(r"\s*written by (.*), in cycles? ")
_LEFT_OUT = re.compile(r"\s*(chosen by|also read:|asked:) ")
# Inlined calls, the innermost last. In these files are wrappers of single instructions.
_THROUGH = re.compile(r" \(through (.*)\)(?=, (?:in cycle|replayed at)|$)")
_CALL = re.compile(r"(.+? at [^\s,()]+:\d+)(?:, |$)")
_WRAPPER = re.compile(r" at (sfpi\w*\.h|ckernel_template\.h|ckernel_ops\.h):\d+$")
_TEMPLATE = re.compile(r"<.*>")
MOST_LINES = 60


@dataclass(frozen=True)
class Difference:
    """A result beside torch's."""

    error: float  # the largest difference, as a part of the largest value that torch has
    off: int  # values that leave the tolerance
    values: int
    worst: tuple[int, ...]  # the index of the largest difference
    got: float
    wanted: float


@dataclass(frozen=True)
class Compared:
    """An operation that was run, the line of the script that it is in, and its difference; None
    for one that was not compared, and why."""

    number: int
    name: str
    line: str
    difference: Difference | None
    why: str = ""


def is_wrong(found: Difference | None, tolerance: float) -> bool:
    """True if a result leaves the tolerance. What is not finite on one side alone does."""
    return found is not None and not found.error <= tolerance


def about(found: Compared, tolerance: float, where: str, place: str | None) -> Iterator[str]:
    """Yield lines about the first wrong operation: which, how far off, where."""
    one = found.difference
    assert one is not None
    yield (
        f"the first operation whose result leaves the tolerance is number {found.number}, "
        f"{found.name}, at {found.line}"
    )
    yield (
        f"  off by {one.error:.3g} of the largest value, {tolerance:g} allowed; "
        f"{one.off} of {one.values} values leave it"
    )
    index = ", ".join(map(str, one.worst))
    at = f", {place}" if place is not None else ""
    yield f"  the worst, [{index}] in {where}{at}: {one.got:.7g}, torch has {one.wanted:.7g}"


def said_wrong(one: Difference, line: str, where: str, place: str | None) -> list[str]:
    """Return lines for a page about a wrong result: which value, what was expected, where."""
    index = ", ".join(map(str, one.worst))
    others = f"; {one.off} of {one.values} values differ" if one.off else ""
    said = [f"[{index}] is {one.got:.7g}, and {one.wanted:.7g} is expected{others}"]
    at = ", ".join(each for each in (where, place) if each)
    return [*said, f"found by {line}", *([f"it is in {at}"] if at else [])]


def maker(tree: Sequence[str]) -> str | None:
    """Return the instruction that has made a value, by the tree of its origin: the first on the
    way from the value that computes, and does not only move."""
    for line in tree:
        found = _WRITTEN.match(line)
        if found is not None and not MOVES.match(found[1]):
            return _shorter(found[1])
    return None


def _shorter(line: str) -> str:
    """Leave of inlined calls the innermost that is no wrapper of an instruction."""
    found = _THROUGH.search(line)
    if found is None:
        return line
    calls = _CALL.findall(found[1])
    own = [call for call in calls if not _WRAPPER.search(call)] or calls[-1:]
    inner = f" (in {_TEMPLATE.sub('<>', own[-1])})" if own else ""
    return line[: found.start()] + inner + line[found.end() :]


def shown(tree: Sequence[str]) -> list[str]:
    """Return the tree without settings and calls on the way, as far as a person reads it."""
    lines = [_shorter(line) for line in tree if not _LEFT_OUT.match(line)]
    more = ["..."] if len(lines) > MOST_LINES else []
    return lines[:MOST_LINES] + more


def ending(every: Sequence[Compared], tolerance: float) -> Iterator[str]:
    """Yield lines about a program in which nothing has left the tolerance."""
    compared = [(one.difference.error, one) for one in every if one.difference is not None]
    if not compared:
        yield "no operation was compared with torch"
    else:
        error, worst = max(compared, key=lambda pair: pair[0])
        yield (
            f"{len(compared)} operations are as torch has them, within {tolerance:g} of the "
            f"largest value; the largest error is {error:.2g}, of {worst.name} at {worst.line}"
        )
    left: dict[str, list[str]] = {}
    for one in every:
        if one.difference is None:
            left.setdefault(one.why, []).append(one.name)
    for why, names in left.items():
        yield f"not compared, {why}: {', '.join(dict.fromkeys(names))}"
