# SPDX-License-Identifier: Apache-2.0
"""Causes that the end of the run says by itself: a fault, a hang, a run without an end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS
from tensix_gdb.gdbstub.diagnose.evidence import Evidence, Waiting
from tensix_gdb.gdbstub.diagnose.found import Found
from tensix_gdb.gdbstub.tensix.blocked.polls import NEVER_FITS, OLD_COPY
from tensix_gdb.gdbstub.tensix.blocked.spinning import CYCLES
from tensix_gdb.gdbstub.tensix.blocked.why import NAMES, Waiter, circular_waits

NEXT = ". Next: "  # in the sentence of a fault
SOME = 6  # tiles that a line names
BEYOND = re.compile(r"it is (\w+), and the loop ends when it is (0x[0-9a-f]+|\d+)$")
IN_GDB = "gdb"  # the command that shows the place


def fault(evidence: Evidence) -> Iterator[Found]:
    """Yield the fault, with what wrote the fields that it is about."""
    if not evidence.fault:
        return
    said, _, remedy = evidence.fault.partition(NEXT)
    settings = [line.strip() for line in evidence.fault_settings]
    if settings:
        remedy = f"give these fields what fits together; {remedy}"
    yield Found(said, tuple(settings), remedy, f"{IN_GDB}  # then `continue`, `monitor why`")


def hang(evidence: Evidence) -> Iterator[Found]:
    """Yield the wait that nothing can end: first the one that waits for no other. Of several tiles
    one each, those that say their own mistake first, and what several say once: the rest, such as
    the cycle of the last write, is that of the first of them."""
    found: dict[str, Found] = {}
    tiles: dict[str, list[str]] = {}
    roots = [(_root_of(one), one) for one in evidence.waits if one.waiting]
    for root, waits in sorted(roots, key=lambda each: _badness(each[0], _polls(each[1]))[0]):
        one = _found(root, waits)
        found.setdefault(one.title, one)
        tiles.setdefault(one.title, []).append(waits.tile)
    for title, one in found.items():
        yield replace(one, title=f"{on_tiles(tiles[title])}{title}")


def on_tiles(tiles: Sequence[str]) -> str:
    """Return `tiles 1-2, 2-2: `; nothing of a tile alone."""
    names = list(filter(None, dict.fromkeys(tiles)))
    if not names:
        return ""
    more = f" and {len(names) - SOME} more" if len(names) > SOME else ""
    return f"tile{'s' * (len(names) > 1)} {', '.join(names[:SOME])}{more}: "


def _polls(waits: Waiting) -> set[int]:
    return {one.hart for one in waits.polled}


def _root_of(waits: Waiting) -> Waiter:
    """Return the wait that the others of a tile come from."""
    numbers = {one.number for one in waits.waiting}
    roots = [one for one in waits.waiting if not numbers.intersection(one.waits_for)]
    return min(roots or waits.waiting, key=lambda one: _badness(one, _polls(waits)))


def _found(root: Waiter, waits: Waiting) -> Found:
    circles = list(circular_waits(waits.waiters))
    others = [one for one in waits.waiting if one is not root]
    lines = [*root.more, *circles, *(f"{NAMES[one.number]}: {one.does}" for one in others)]
    return Found(
        f"{NAMES[root.number]}: {root.does}",
        tuple(lines),
        _remedy(root, circles, is_poll=root.number in _polls(waits)),
        f"{IN_GDB}  # then `continue`, `monitor why`",
    )


def endless(evidence: Evidence) -> Iterator[Found]:
    """Yield where a run was that has used up its cycles: an instruction that has been held for all
    of the last cycles, a poll with a counter, or a loop."""
    if any(_is_held(evidence, one) for one in evidence.waiters):
        yield from hang(evidence)
        return
    last = evidence.ending[-1].split("\n")
    more = tuple(line.strip() for line in last[1:])
    polls = evidence.polled
    if polls:
        first = polls[0]
        others = [f"{HART_NAMES[one.hart]}: {one.does}" for one in polls[1:]]
        yield Found(
            f"{HART_NAMES[first.hart]}: {first.does}",
            (*first.more, *others, *more),
            "the store that ends the loop, before it; more cycles if the loop has a time-out",
            f"{IN_GDB}  # then Ctrl-C, `monitor why`",
        )
        return
    yield Found(last[0], more, next=f"{IN_GDB}  # then Ctrl-C, `monitor why`")


def _is_held(evidence: Evidence, one: Waiter) -> bool:
    """True of a Tensix thread of which the next instruction has waited at the gate for long."""
    thread = one.number - HARTS
    if thread < 0 or not one.does or one.moves:
        return False
    return evidence.cycles - int(evidence.machine.S.gate.since[thread]) > CYCLES


def _badness(one: Waiter, polls: set[int]) -> tuple[int, int]:
    """Return a small number for a wait that says its own mistake."""
    said = "\n".join((one.does, *one.more))
    if OLD_COPY in said or NEVER_FITS in said:
        return 0, one.number
    return (1 if one.number in polls else 2), -one.number


def _remedy(one: Waiter, circles: Sequence[str], *, is_poll: bool) -> str:
    said = "\n".join((one.does, *one.more))
    if OLD_COPY in said:
        return "a fence (invalidate_l1_cache) in the loop"
    if NEVER_FITS in said:
        return "as many pages at a time as the ring has, or a larger ring"
    if circles:
        return "let one of them do its part before it waits"
    if (values := BEYOND.search(one.does)) and int(values[1], 0) > int(values[2], 0):
        return (
            "a wait for at least that value (noc_semaphore_wait_min), or nothing that adds more "
            "than the loop waits for"
        )
    if is_poll:
        return "the store or the push that ends the loop, or no wait for it"
    return "the post, release or instruction that ends this wait"
