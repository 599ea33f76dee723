# SPDX-License-Identifier: Apache-2.0
"""Causes that the first wrong datum says: a move that does not fit, a lost value, its origin."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.gdbstub.diagnose.chain import NEVER, named, said, setting_lines, values_of
from tensix_gdb.gdbstub.diagnose.evidence import Evidence
from tensix_gdb.gdbstub.diagnose.found import Found
from tensix_gdb.gdbstub.origin.blame.unwritten import NARROW

ZERO_FLAG = "Zero_Flag_disabled"
ORIGIN = "origin --diff"  # the command with all of the chain


def odd_move(evidence: Evidence) -> Iterator[Found]:
    """Yield the first move of a unit that does not fit the tiles."""
    first, *more = evidence.odd_moves or [""]
    if first:
        remedy = "the address, the format or the number of tiles that the tiles of the files have"
        yield Found(first, tuple(line.strip() for line in more), remedy, ORIGIN)


def beyond_ieee(evidence: Evidence) -> Iterator[Found]:
    """Yield numbers that the coprocessor reads, and a host does not."""
    wrong = evidence.wrong
    if wrong is not None and wrong.odd:
        remedy = "pack to a format with a wider exponent (bf16, fp32), or scale before the packer"
        yield Found(wrong.odd, tuple(evidence.chain.lines()), remedy, ORIGIN)


def lost_value(evidence: Evidence) -> Iterator[Found]:
    """Yield the move that made zero of a value, with the settings that it has read."""
    found = evidence.chain.lost
    if found is None:
        return
    zero, other = found
    name = zero.by.partition(" of ")[0]
    title = f"{name} made {values_of(zero)} of {values_of(other)}: {zero.what}, {said(zero)}"
    settings = (*zero.settings, *zero.addressed)
    evidence_lines = (
        f"{named(other)}: {said(other)}",
        "settings that the instruction has read:",
        *(f"  {line}" for line in setting_lines(settings)),
    )
    flags = [one.what for one in settings if ZERO_FLAG in one.what and not one.value]
    remedy = "the setting with which the unit keeps such a value: a format, or a flag about zeros"
    if flags:
        remedy = f"1 in {flags[0]}: without it the unit takes what has an exponent of 0 for zero"
    yield Found(title, evidence_lines, remedy, ORIGIN)


def unwritten(evidence: Evidence) -> Iterator[Found]:
    """Yield a wrong datum that nothing has written, and how far that is so."""
    first = evidence.chain.unwritten
    if first is None:
        return
    remedy = "as many faces, rows or tiles as the expected tile has; or another address"
    gap = evidence.unwritten
    if gap is None:
        yield Found(f"{NEVER}: {first.title}", (first.note,), remedy, ORIGIN)
        return
    title = f"no instruction has written {gap.first:#x} to {gap.end - 1:#x}"
    lines = [f"{gap.end - gap.first:,} bytes from the first wrong datum on; {first.note}"]
    lines += evidence.left_out
    if gap.before is not None:
        last = gap.before
        at = f" at {last.place}" if last.place else ""
        lines.append(f"{last.agent} wrote last before it{at}, in cycle {last.cycle}")
    yield Found(title, tuple(lines), remedy, ORIGIN)


def left_out(evidence: Evidence) -> Iterator[Found]:
    """Yield the tiles that no move of a unit begins with."""
    first, *more = evidence.left_out or [""]
    if first and evidence.unwritten is None:
        remedy = "as many turns of the loop, and the addresses, that the tiles need"
        if any(NARROW in line for line in more):
            remedy = (
                "an init of the packer, or SETADCXX, with the last datum of a row of a face: 15"
            )
        yield Found(first, tuple(more), remedy, ORIGIN)


def origin(evidence: Evidence) -> Iterator[Found]:
    """Yield the chain of writes."""
    chain = evidence.chain
    if chain:
        first, *rest = [*chain.lines(), *chain.lane_lines()]
        remedy = "none is known: compare the values with those that you expect, step by step"
        yield Found(first, tuple(rest), remedy, ORIGIN)


def lanes_off(evidence: Evidence) -> Iterator[Found]:
    """Yield the instruction of the chain that has done nothing, as lanes were off, and what has
    switched them off."""
    for step in evidence.chain.steps:
        for one in step.left:
            remedy = "an SFPENCC that ends the part with conditional execution, before it"
            title = f"{named(step)}: {one.in_brief}"
            yield Found(title, (one.why, *evidence.chain.lines()), remedy, ORIGIN)
            return
