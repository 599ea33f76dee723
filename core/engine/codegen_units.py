# SPDX-License-Identifier: Apache-2.0
"""Functions to modules of about the same size, which can be compiled at the same time.

LLVM inlines and looks around within a module only, so what belongs together stays together: the
functions come in the order in which calls lead to them, and that order is cut into units. A
function that is small with everything it calls, or is called in a loop, or is to be inlined, is in
every unit that calls it; of the others, which are called across units as they are, there is one.

What seldom runs is cut by itself: the functions of modules that say so (lower.py), and what only
those call. LLVM does little for cold units (jit.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from tensix_gdb.core.engine.ir import Attributes, CallSite, Function, Linkage, Unit

UNIT_LINES = 12_000  # LLVM is at work on them for about a second
COLD_UNIT_LINES = 16_000  # of what seldom runs: a seventh of that
SHARED_LINES = 80  # with everything it calls: from here on a function is there only once
CALL_LINES = 40  # of its own: from here on one that is there once, and called outside of loops,
# stays a call: what LLVM puts into a caller it optimises there again, and again in its caller
LOOP_SHARED_LINES = 800  # as SHARED_LINES, of a function that is called in a loop
# What LLVM may inline into a function costs less than what is there from the beginning: it has been
# optimised, and much of it goes where arguments are constants. Measured in modules of all kinds.
INLINED_SHARE = 5
MAX_INLINED = 400  # lines that LLVM inlines of one call, with what is inlined there


def units(functions: Sequence[Function]) -> list[Unit]:
    """Return what each module consists of. What a function calls comes before it."""
    often = _run_often(functions)
    shared = _shared(functions, often)
    hot = [each for each in functions if each.symbol in often]
    rest = [each for each in functions if each.symbol not in often]
    for each in rest:
        each.attributes = Attributes.COLD
    unit_of = _cut(hot, UNIT_LINES, 0)
    first_cold = 1 + max(unit_of.values(), default=-1)
    unit_of |= _cut(rest, COLD_UNIT_LINES, first_cold)
    unit_of = {symbol: unit for symbol, unit in unit_of.items() if symbol in shared}
    return _units(functions, unit_of, _contents(functions, unit_of), first_cold)


def _efforts(functions: Sequence[Function]) -> dict[str, int]:
    """Return how much LLVM has to do for each function: its lines, and a share of those that it is
    free to inline. The burst of five harts has 10 lines, and 17,000 after that. The longest unit
    has to begin first; to cut by that makes more copies of what is inlined, and more to compile."""
    inlined: dict[str, int] = {}
    efforts: dict[str, int] = {}
    for each in functions:
        added = sum(inlined.get(call.callee, 0) for call in each.calls)
        efforts[each.symbol] = each.lines + added // INLINED_SHARE
        if each.is_inlined:
            inlined[each.symbol] = each.lines + added
        elif each.attributes is Attributes.INLINE_HINT:
            inlined[each.symbol] = min(each.lines + added, MAX_INLINED)
    return efforts


def _run_often(functions: Sequence[Function]) -> set[str]:
    """Return the functions that an entry reaches without a cold one on the way."""
    callees = {each.symbol: each.callees for each in functions if not each.is_cold}
    left = [each.symbol for each in functions if each.linkage is Linkage.EXTERNAL]
    often: set[str] = set()
    while left:
        symbol = left.pop()
        if symbol in callees and symbol not in often:
            often.add(symbol)
            left += callees[symbol]
    return often


def _called(functions: Sequence[Function], *sites: CallSite) -> set[str]:
    """Return the functions that are called somewhere like one of `sites`."""
    return {
        call.callee
        for each in functions
        for call in each.calls
        if any(site in call.site for site in sites)
    }


def _shared(functions: Sequence[Function], often: set[str]) -> set[str]:
    """Return the functions that are in one unit only; among them all that run seldom and are called
    by those that do not."""
    in_loops = _called(functions, CallSite.IN_WHILE, CallSite.IN_LANES)
    with_callees: dict[str, int] = {}
    shared = set()
    for each in functions:
        whole = each.lines + sum(with_callees[callee] for callee in each.callees)
        with_callees[each.symbol] = min(whole, LOOP_SHARED_LINES)
        is_in_loop = each.symbol in in_loops and each.symbol in often
        is_entry = each.linkage is Linkage.EXTERNAL
        if each.is_inlined:
            pass  # in every unit, whatever its size
        elif is_entry or whole >= (LOOP_SHARED_LINES if is_in_loop else SHARED_LINES):
            shared.add(each.symbol)
        if each.symbol in often:
            shared |= each.callees - often
    return shared


def _cut(functions: Sequence[Function], wanted: int, first: int) -> dict[str, int]:
    """Return the number of the unit of each function, from `first` on."""
    sizes = [each.lines for each in functions]
    count = max(1, round(sum(sizes) / wanted))
    longest = sum(sizes) / count
    return {
        each.symbol: first + int((so_far - 1) // longest)
        for each, so_far in zip(functions, accumulate(sizes), strict=True)
    }


def _contents(functions: Sequence[Function], unit_of: Mapping[str, int]) -> dict[int, set[str]]:
    """Return the symbols in each unit: its own, and what these call that has no unit."""
    callees = {each.symbol: each.callees for each in functions}
    contents: dict[int, set[str]] = {}
    for symbol, unit in unit_of.items():
        inside = contents.setdefault(unit, set())
        left = [symbol]
        while left:
            added = left.pop()
            if added not in inside:
                inside.add(added)
                left += (callee for callee in callees[added] if callee not in unit_of)
    return contents


def _units(
    functions: Sequence[Function],
    unit_of: Mapping[str, int],
    contents: Mapping[int, set[str]],
    first_cold: int,
) -> list[Unit]:
    """Return the units in their order. What another unit calls is visible there; LLVM also takes
    less trouble to get rid of it."""
    by_symbol = {each.symbol: each for each in functions}
    efforts = _efforts(functions)
    foreign: dict[int, set[str]] = {
        unit: {
            callee
            for symbol in inside
            for callee in by_symbol[symbol].callees
            if unit_of.get(callee, unit) != unit
        }
        for unit, inside in contents.items()
    }
    repeated = _called(functions, CallSite.REPEATED)
    visible = set().union(*foreign.values())
    for each in functions:
        stays = each.symbol not in repeated and each.lines >= CALL_LINES
        is_visible = each.symbol in visible or (each.symbol in unit_of and stays)
        if is_visible and each.linkage is Linkage.INTERNAL:
            each.linkage = Linkage.HIDDEN
    return [
        Unit(
            [by_symbol[symbol] for symbol in sorted(foreign[unit])],
            [each for each in functions if each.symbol in inside],
            is_cold=unit >= first_cold,
            effort=sum(efforts[symbol] for symbol in inside),
        )
        for unit, inside in sorted(contents.items())
    ]
