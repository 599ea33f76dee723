# SPDX-License-Identifier: Apache-2.0
"""Functions to modules of about the same size, which can be compiled at the same time.

LLVM inlines and looks around within a module only, so what belongs together stays together: the
functions come in the order in which calls lead to them, and that order is cut in pieces. A function
that is small with everything it calls, or is called in a loop, is in every piece that calls it; of
the others, which are called across pieces as they are, there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

PIECE = 16_000  # lines of IR: LLVM is at work for about a second
ALONE = 80  # lines of IR with everything it calls: from here on a function is there only once
_DEFINITION = re.compile(r"define (?:internal )?i64 (@\"[^\"]*\")\(([^)]*)\)")


@dataclass(frozen=True, slots=True)
class Lines:
    """A function as text: the symbols that it calls, and whether others are to contain it."""

    symbol: str
    text: str
    calls: frozenset[str]
    is_entry: bool
    is_inlined: bool


def pieces(functions: Sequence[Lines]) -> list[str]:
    """The text of the functions of each module. Whom a function calls is in front of it."""
    size = {each.symbol: each.text.count("\n") for each in functions}
    total = sum(size.values())
    if total <= PIECE * 3 // 2:
        return ["\n".join(each.text for each in functions)]
    return list(_cut(functions, size, total / round(total / PIECE)))


def _cut(functions: Sequence[Lines], size: dict[str, int], wanted: float) -> Iterator[str]:
    homes = _those_of_one_piece(functions, size)
    by_symbol = {each.symbol: each for each in functions}
    sizes = accumulate(size[each.symbol] for each in functions)
    piece_of: dict[str, int] = {}
    for each, so_far in zip(functions, sizes, strict=True):
        if each.symbol in homes:
            piece_of[each.symbol] = int((so_far - 1) // wanted)
    contents: dict[int, set[str]] = {}
    for symbol, piece in piece_of.items():
        inside = contents.setdefault(piece, set())
        left = [symbol]
        while left:
            one = left.pop()
            if one not in inside:
                inside.add(one)
                left += (c for c in by_symbol[one].calls if c not in homes)
    shared = {
        called
        for piece, inside in contents.items()
        for symbol in inside
        for called in by_symbol[symbol].calls
        if called in homes and piece_of[called] != piece
    }
    for piece, inside in sorted(contents.items()):
        foreign: set[str] = set()
        texts = []
        for each in functions:
            if each.symbol in inside:
                foreign |= {c for c in each.calls if piece_of.get(c, piece) != piece}
                seen = each.symbol in shared
                texts.append(each.text.replace("internal", "hidden", 1) if seen else each.text)
        declared = [_declaration(by_symbol[symbol].text) for symbol in sorted(foreign)]
        yield "\n".join([*declared, *texts])


def _those_of_one_piece(functions: Sequence[Lines], size: dict[str, int]) -> set[str]:
    """The functions that are in one piece only."""
    with_calls: dict[str, int] = {}
    found = set()
    for each in functions:
        whole = size[each.symbol] + sum(with_calls[called] for called in each.calls)
        with_calls[each.symbol] = min(whole, ALONE)
        if each.is_entry or (whole >= ALONE and not each.is_inlined):
            found.add(each.symbol)
    return found


def _declaration(text: str) -> str:
    found = _DEFINITION.match(text)
    assert found is not None
    kinds = ", ".join(parameter.split(" ")[0] for parameter in found[2].split(", "))
    return f"declare hidden i64 {found[1]}({kinds})"
