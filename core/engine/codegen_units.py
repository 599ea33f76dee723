# SPDX-License-Identifier: Apache-2.0
"""Functions to modules of about the same size, which can be compiled at the same time.

LLVM inlines and looks around within a module only, so what belongs together stays together: the
functions come in the order in which calls lead to them, and that order is cut in pieces. A function
that is small with everything it calls, or is called in a loop, is in every piece that calls it; of
the others, which are called across pieces as they are, there is one.

What seldom runs is cut by itself: what a module of the machine says of its functions (lower.py),
and what only those call. Its pieces begin with a line that says so, and LLVM does little for them
(jit.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from tensix_gdb.core.engine.jit import SELDOM_LINE

PIECE = 12_000  # lines of IR: LLVM is at work for about a second
SELDOM_PIECE = 16_000  # of what seldom runs: a seventh of that
ALONE = 80  # lines of IR with everything it calls: from here on a function is there only once
APART = 40  # lines of its own: from here on one that is there once, and called outside of loops,
# stays a call: what LLVM puts into a caller it optimises there again, and again in whose caller
LARGE = 800  # from here on even where it is called in a loop
_DEFINITION = re.compile(r"define (?:internal )?i64 (@\"[^\"]*\")\(([^)]*)\)")


@dataclass(frozen=True, slots=True)
class Lines:
    """A function as text: the symbols that it calls, and whether others are to contain it."""

    symbol: str
    text: str
    calls: frozenset[str]
    is_entry: bool
    is_inlined: bool
    is_seldom: bool = False
    is_repeated: bool = False


def pieces(functions: Sequence[Lines]) -> list[str]:
    """The text of the functions of each module. Whom a function calls is in front of it."""
    often = _run_often(functions)
    homes = _those_of_one_piece(functions, often)
    hot = [each for each in functions if each.symbol in often]
    rest = [each for each in functions if each.symbol not in often]
    piece_of = _cut(hot, PIECE, 0)
    first_seldom = 1 + max(piece_of.values(), default=-1)
    piece_of |= _cut(rest, SELDOM_PIECE, first_seldom)
    piece_of = {symbol: piece for symbol, piece in piece_of.items() if symbol in homes}
    contents = _contents(functions, piece_of)
    return [
        (SELDOM_LINE if piece >= first_seldom else "") + text
        for piece, text in _texts(functions, piece_of, contents)
    ]


def _run_often(functions: Sequence[Lines]) -> set[str]:
    """The functions that an entry reaches without passing through one that seldom runs."""
    calls = {each.symbol: each.calls for each in functions if not each.is_seldom}
    left = [each.symbol for each in functions if each.is_entry]
    found: set[str] = set()
    while left:
        one = left.pop()
        if one in calls and one not in found:
            found.add(one)
            left += calls[one]
    return found


def _those_of_one_piece(functions: Sequence[Lines], often: set[str]) -> set[str]:
    """The functions that are in one piece only; among them all that run seldom and are called by
    those that do not."""
    with_calls: dict[str, int] = {}
    found = set()
    for each in functions:
        whole = each.text.count("\n") + sum(with_calls[called] for called in each.calls)
        with_calls[each.symbol] = min(whole, LARGE)
        is_inlined = each.is_inlined and each.symbol in often
        if each.is_entry or whole >= (LARGE if is_inlined else ALONE):
            found.add(each.symbol)
        if each.symbol in often:
            found |= each.calls - often
    return found


def _cut(functions: Sequence[Lines], wanted: int, first: int) -> dict[str, int]:
    """The number of the piece of each, from `first` on."""
    sizes = [each.text.count("\n") for each in functions]
    count = max(1, round(sum(sizes) / wanted))
    longest = sum(sizes) / count
    return {
        each.symbol: first + int((so_far - 1) // longest)
        for each, so_far in zip(functions, accumulate(sizes), strict=True)
    }


def _contents(functions: Sequence[Lines], piece_of: Mapping[str, int]) -> dict[int, set[str]]:
    """The symbols in each piece: those of their own, and what these call that has no home."""
    calls = {each.symbol: each.calls for each in functions}
    contents: dict[int, set[str]] = {}
    for symbol, piece in piece_of.items():
        inside = contents.setdefault(piece, set())
        left = [symbol]
        while left:
            one = left.pop()
            if one not in inside:
                inside.add(one)
                left += (called for called in calls[one] if called not in piece_of)
    return contents


def _texts(
    functions: Sequence[Lines], piece_of: Mapping[str, int], contents: Mapping[int, set[str]]
) -> list[tuple[int, str]]:
    """Each piece with its number, in their order. What another piece calls can be seen there; LLVM
    also takes less trouble to get rid of it."""
    by_symbol = {each.symbol: each for each in functions}
    foreign: dict[int, set[str]] = {
        piece: {
            called
            for symbol in inside
            for called in by_symbol[symbol].calls
            if piece_of.get(called, piece) != piece
        }
        for piece, inside in contents.items()
    }
    seen = set().union(*foreign.values())
    seen |= {
        each.symbol
        for each in functions
        if each.symbol in piece_of and not each.is_repeated and each.text.count("\n") >= APART
    }
    found = []
    for piece, inside in sorted(contents.items()):
        declared = [_declaration(by_symbol[symbol].text) for symbol in sorted(foreign[piece])]
        defined = [
            each.text.replace("internal", "hidden", 1) if each.symbol in seen else each.text
            for each in functions
            if each.symbol in inside
        ]
        found.append((piece, "\n".join([*declared, *defined])))
    return found


def _declaration(text: str) -> str:
    found = _DEFINITION.match(text)
    assert found is not None
    kinds = ", ".join(parameter.split(" ")[0] for parameter in found[2].split(", "))
    return f"declare hidden i64 {found[1]}({kinds})"
