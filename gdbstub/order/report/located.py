# SPDX-License-Identifier: Apache-2.0
"""Reports with the lines of their source: both sides with the calls on the way to them.

LLK is a library of headers, so the line of an access is nearly always one of its own. A side has
the whole chain, from the innermost line to the function of the kernel.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import PurePath

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.explain.inlining import PLUMBING, Step
from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.race.findings import Access, Findings, Report, State
from tensix_gdb.core.race.state.table import BY_NAME as STATE_CHECKS


@dataclass(frozen=True, slots=True)
class Side:
    """One access, and the lines at its instruction, the innermost first; empty if they are not
    known."""

    access: Access
    chain: tuple[Step, ...]
    configured: tuple[Step, ...] = ()  # of a MOP: those of the store of MopCfg, if it is known
    is_known: bool = True  # a loaded program has its instruction

    @property
    def what(self) -> str:
        """`UNPACR of a MOP`."""
        via = self.access.via
        return f"{self.access.instruction} of a {via}" if via else self.access.instruction

    @property
    def step(self) -> Step | None:
        """The innermost line that says what the access is for; None if no line is known."""
        return innermost(self.chain)

    @property
    def place(self) -> str:
        """`llk_unpack_A.h:412 _llk_unpack_A_`; the address if no line is known, `the host`."""
        step = self.step
        if self.access.outside:
            return f"{self.access.outside}, {step.place}" if step else self.access.outside
        return f"{step.place} {step.function}" if step else f"{self.access.pc:#010x}"

    @property
    def callers(self) -> tuple[Step, ...]:
        """The lines on the way to `step`, from its function's caller to the kernel's."""
        return self.chain[self.chain.index(self.step) + 1 :] if self.step is not None else ()

    def symbols(self) -> Iterator[str]:
        """Yield the functions on the way."""
        return (step.function for step in self.chain)

    def lines(self) -> Iterator[str]:
        """Their lines, as `file.h:12`."""
        return (step.place for step in self.chain)


# The program of an access that another tile has made, or one that is not loaded any more, if it is
# known; None of any other.
Elsewhere = Callable[[Access], Image | None]


@dataclass(frozen=True, slots=True)
class Located:
    """A report with its sides."""

    report: Report
    earlier: Side
    later: Side
    failed_at: str = ""  # the line of report.failed, or its address
    settings: tuple[Side | None, ...] = ()  # the writers of report.settings
    spots: tuple[Step | None, ...] = ()  # the lines of report.fix.spots
    failed_step: Step | None = None

    @property
    def sides(self) -> tuple[Side, ...]:
        """Both; the one instruction of a check that is about one."""
        if self.report.check and self.report.earlier == self.report.later:
            return (self.later,)
        return self.earlier, self.later

    @property
    def identity(self) -> str:
        """The part of a report that stays while lines above it change and addresses move: the
        verdict, the place, and the instruction and function of each side."""
        report = self.report
        parts = [report.check or report.verdict.value, _known_place(report)]
        for side in self.sides:
            at = side.step
            file, function = (PurePath(at.file).name, at.function) if at else ("", "")
            parts += [side.access.agent, side.access.kind.value, side.what, file, function]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _known_place(report: Report) -> str:
    """Return the name of the place, if it is the same one in another build."""
    if not report.check:
        return report.place.name
    moves = report.place.state in (State.L1, State.LOCAL, State.DST)
    return "" if moves or report.check not in STATE_CHECKS else report.place.name


def located(
    findings: Findings, places: Places, elsewhere: Elsewhere | None = None
) -> list[Located]:
    """Return every report with the lines of its sides. `elsewhere` finds the programs of other
    tiles."""

    def side(access: Access) -> Side:
        image = elsewhere(access) if elsewhere is not None else None
        if image is None and not access.outside:
            image = places.image(access.hart, access.pc)
        chain = tuple(_chain_of(places, image, access.pc))
        known = image is not None or bool(access.outside)
        made = _chain_of(places, image, access.configured) if access.configured else ()
        return Side(access, chain, tuple(made), known)

    return [
        Located(
            report,
            side(report.earlier),
            side(report.later),
            _failed_at(report, failed),
            tuple(side(one.writer) if one.writer else None for one in report.settings),
            _spots(report, places),
            failed,
        )
        for report in findings.reports
        for failed in [_failed(report, places)]
    ]


def _spots(report: Report, places: Places) -> tuple[Step | None, ...]:
    """Return the lines where the remedy goes, as far as they are known."""
    spots = report.fix.spots if report.fix is not None else ()
    return tuple(innermost(tuple(chain_at(places, spot.hart, spot.pc))) for spot in spots)


def _failed(report: Report, places: Places) -> Step | None:
    """Return the line of the nearest wait, if it is known."""
    if report.failed is None:
        return None
    return innermost(tuple(chain_at(places, report.failed.hart, report.failed.pc)))


def _failed_at(report: Report, step: Step | None) -> str:
    if report.failed is None:
        return ""
    return f"{step.place} {step.function}" if step else f"{report.failed.pc:#010x}"


def innermost(chain: tuple[Step, ...]) -> Step | None:
    """Return the innermost line that says what its instruction is for; None if no line is known."""
    named = (step for step in chain if PurePath(step.file).name not in PLUMBING)
    return next(named, chain[0] if chain else None)


def chain_at(places: Places, hart: int, pc: int) -> list[Step]:
    """Return the lines at an address, the innermost first; empty where nothing is known."""
    return _chain_of(places, places.image(hart, pc), pc)


def _chain_of(places: Places, image: Image | None, pc: int) -> list[Step]:
    if image is None:
        return []
    steps = places.inlining.learn(image).at(pc)
    if steps:
        return steps
    line, function = image.symbolize(pc), image.function_at(pc)
    if line is None:
        return []
    file, _, number = line.rpartition(":")
    return [Step(function.shown if function else "", file, int(number))]
