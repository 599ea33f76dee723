# SPDX-License-Identifier: Apache-2.0
"""A witness in words."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from tensix_gdb.core.race.findings import Kind
from tensix_gdb.gdbstub.order.report.text import MARGIN, WIDTH
from tensix_gdb.gdbstub.order.report.witness import Outcome, Witness


def witness_lines(witness: Witness, width: int = WIDTH) -> Iterator[str]:
    """Say what was tried, and what it has shown, in lines of at most `width` characters."""
    report = witness.located.report
    name = f"{report.verdict.name} {report.number}"
    later = report.later.instruction
    match witness.outcome:
        case Outcome.POSSIBLE:
            yield from _wrapped(
                f"{name} goes the other way, too: {witness.held} held from cycle {witness.first} "
                f"on, and {later} is over at the start of cycle {witness.last}.",
                width,
            )
            yield from _values(witness, width)
        case Outcome.SEEN:
            yield from _wrapped(f"{name}: {witness.reason}.", width)
            yield from _values(witness, width)
        case Outcome.IMPOSSIBLE:
            yield from _wrapped(f"{name} is withdrawn: {witness.reason}.", width)
            yield f"{MARGIN}That is a gap of the observer: please report it."
        case Outcome.UNKNOWN:
            yield from _wrapped(f"{name}: no witness was found: {witness.reason}.", width)


def _values(witness: Witness, width: int) -> Iterator[str]:
    if witness.before is None or witness.now is None:
        return
    report = witness.located.report
    reading = [side for side in (report.later, report.earlier) if side.kind is Kind.READ]
    if not reading:
        return
    text = f"{reading[0].instruction} finds {witness.now:#x}"
    text += (
        f", and {witness.before:#x} in the observed run"
        if witness.now != witness.before
        else " in both runs"
    )
    yield from (
        f"{MARGIN}{line}" for line in wrap(f"{text}: {report.place.name}.", width - len(MARGIN))
    )


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, width, subsequent_indent=MARGIN, break_long_words=False)
