# SPDX-License-Identifier: Apache-2.0
"""The answer about a pair of lines: one observed run, a witness, a litmus test that is cut out.

no        a report names both lines, and the other order is possible: a witness, or two outcomes
yes       the model cannot let the earlier one be late, or the litmus test has one outcome
unknown   nothing above applies
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from itertools import islice
from pathlib import PurePath
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.explain.inlining import Step
from tensix_gdb.core.litmus.explore import explore
from tensix_gdb.core.litmus.text import LitmusError, parse
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.remedies.remedy import RemedyKind
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.order.pair.begins import gate_cuts, gate_cuts_of
from tensix_gdb.gdbstub.order.pair.begun import SYNC, begun_cut, begun_cut_of, is_in_order
from tensix_gdb.gdbstub.order.pair.cut import CannotCut, Cut, cut, cut_lines
from tensix_gdb.gdbstub.order.report.holding import ToCycle
from tensix_gdb.gdbstub.order.report.located import Located
from tensix_gdb.gdbstub.order.report.text import plural, report_lines, width_in
from tensix_gdb.gdbstub.order.report.witness import NotAgain, Outcome, Witness, witness
from tensix_gdb.gdbstub.order.report.witness_text import witness_lines

MAX_STATES = 200_000
MAX_PAIRS = 16  # of a store or push of one line, and one of the other
ANSWERS = ("no", "unknown", "yes")  # the worst first
TRIED = (RemedyKind.STALLWAIT, RemedyKind.NOP, RemedyKind.SYNC, RemedyKind.READ_BACK)
FIXED_BY = "TTI_"  # a fix that is an instruction begins so
_IN_ORDER = (
    "instructions of a thread begin in their order, and in this run the first line's unit samples "
    "nothing later that the second one writes"
)


@dataclass(slots=True)
class Proof:
    """The number of outcomes of the cut, and with the fix. `at_gate`: it is about when the later
    instruction begins (begins.py), and not about what it does."""

    outcomes: int
    fix: str = ""
    with_fix: int | None = None
    test: str = ""
    at_gate: bool = False

    @property
    def text(self) -> str:
        """`2 outcomes; with TTI_STALLWAIT(...) 1`."""
        said = plural(self.outcomes, "outcome")
        return f"{said}; with {self.fix} {self.with_fix}" if self.with_fix is not None else said


@dataclass(slots=True)
class Answer:
    """The answer about a pair."""

    answer: str  # yes, no, unknown
    reason: str
    reports: list[Located] = field(default_factory=list)
    witness: Witness | None = None
    proof: Proof | None = None
    no_proof: str = ""

    def lines(self, terminal: int | None = None) -> list[str]:
        """Return lines for people, in a terminal of this width."""
        width = width_in(terminal)
        lines = [f"{self.answer}: {self.reason}"]
        for one in self.reports[:1]:
            lines += ["", *report_lines(one, width)]
        if self.witness is not None:
            lines += ["", *witness_lines(self.witness, width)]
        if self.proof is not None:
            lines += ["", f"all orders of what is between the two: {self.proof.text}"]
        elif self.no_proof:
            lines += ["", f"no litmus test was cut out: {self.no_proof}"]
        return lines

    def document(self) -> dict[str, Any]:
        """Return it for tools."""
        found, proof = self.witness, self.proof
        return {
            "format": 1,
            "answer": self.answer,
            "reason": self.reason,
            "reports": [one.identity for one in self.reports],
            "witness": found and {"outcome": found.outcome.value, "reason": found.reason},
            "proof": proof
            and {
                "outcomes": proof.outcomes,
                "fix": proof.fix,
                "with_fix": proof.with_fix,
                "litmus": proof.test,
            },
        }


def is_on(chain: Iterable[Step], line: str) -> bool:
    """True if one of the lines on the way to an instruction is `FILE:LINE`."""
    file, _, number = line.rpartition(":")
    wanted = PurePath(file).parts
    return any(
        str(step.line) == number and PurePath(step.file).parts[-len(wanted) :] == wanted
        for step in chain
    )


def named(reports: list[Located], first: str, second: str) -> list[Located]:
    """Return the reports between two lines, in either order."""
    return [
        one
        for one in reports
        if (is_on(one.earlier.chain, first) and is_on(one.later.chain, second))
        or (is_on(one.earlier.chain, second) and is_on(one.later.chain, first))
    ]


def answer_without_report(machine: Machine, pairs: Iterable[tuple[int, int, int]]) -> Answer:
    """Return the answer about all (hart, earlier address, later address) of two lines that no
    report names: the worst one. Pairs of which no test can be made say nothing."""
    none = Answer("unknown", "this run has no accesses of the two lines that nothing orders")
    found: list[Answer] = []
    for pair in islice(pairs, MAX_PAIRS):
        try:
            found.append(_of_pair(machine, pair))
        except CannotCut as problem:
            none.no_proof = str(problem)
    return min(found, key=lambda one: ANSWERS.index(one.answer), default=none)


def _of_pair(machine: Machine, pair: tuple[int, int, int]) -> Answer:
    if is_in_order(machine, *pair):
        return Answer("yes", _IN_ORDER)
    ways = (
        lambda: [cut_lines(machine, *pair)],
        lambda: gate_cuts(machine, *pair),
        lambda: [begun_cut(machine, *pair)],
    )
    return _proved(_first(ways))


def _first(ways: Iterable[Callable[[], list[Cut]]], fix: str = "") -> Proof:
    """Return the proof by the first tests that can be made. CannotCut with why there are none."""
    why: list[CannotCut] = []
    for tests in ways:
        try:
            return _explored(tests(), fix)
        except CannotCut as problem:
            why.append(problem)
    raise why[-1]


def _proved(proof: Proof) -> Answer:
    """Return the answer of a litmus test about lines that no report names."""
    outcomes = plural(proof.outcomes, "outcome")
    said = f"what is between the two has {outcomes}"
    if proof.outcomes == 1:
        return Answer("yes", said, proof=proof)
    if not proof.at_gate:
        return Answer("no", said, proof=proof)
    return Answer(
        "unknown",
        f"{said}, and in this run nothing of the two is unordered: something else orders them, or "
        "the later line does not use what the earlier one stores",
        proof=proof,
    )


def answer(machine: Machine, reports: list[Located], to_cycle: ToCycle) -> Answer:
    """Return the answer about the reports between two lines of a run that is over."""
    try:
        found = witness(machine, reports[0], to_cycle)
    except NotAgain as problem:
        return Answer("unknown", str(problem), reports)
    result = Answer("unknown", "no witness was found", reports, found)
    if found.outcome is Outcome.IMPOSSIBLE:
        return Answer("yes", "the earlier access cannot be late", reports, found)
    try:
        result.proof = prove(machine, reports[0])
    except CannotCut as problem:
        result.no_proof = str(problem)
    if found.outcome in (Outcome.POSSIBLE, Outcome.SEEN):
        result.answer, result.reason = "no", "both orders are possible"
    elif result.proof is not None:
        many = result.proof.outcomes > 1
        result.answer = "no" if many else "yes"
        result.reason = f"what is between the two has {plural(result.proof.outcomes, 'outcome')}"
    return result


def prove(machine: Machine, one: Located) -> Proof:
    """Cut the pair out and explore it, without and with the fix. CannotCut with a reason."""
    report = one.report
    fix = report.fix.text if report.fix and report.fix.kind in TRIED else ""
    if report.earlier.thread is None:
        try:
            return _first(
                (lambda: [cut(machine, report)], lambda: gate_cuts_of(machine, report)), fix
            )
        except CannotCut as problem:
            why = problem
    # The store may come later in the program, and have been done first.
    try:
        return _explored([begun_cut_of(machine, report)], SYNC[0])
    except CannotCut as problem:
        raise (why if report.earlier.thread is None else problem) from None


def _explored(tests: list[Cut], fix: str) -> Proof:
    """Return the proof of the test with most outcomes."""
    tile = Tile("compiled")
    try:
        proofs = [_proof(tile, one, fix) for one in tests]
    except LitmusError as problem:
        raise CannotCut(str(problem)) from None
    finally:
        tile.close()
    return max(proofs, key=lambda proof: proof.outcomes)


def _proof(tile: Tile, made: Cut, fix: str) -> Proof:
    text = made.text("as it is")
    proof = Proof(_outcomes(tile, text, made), test=text, at_gate=made.observer is not None)
    if proof.outcomes > 1 and made.several_say_nothing:
        raise CannotCut(made.several_say_nothing)
    if fix.startswith(FIXED_BY) or fix in made.fixes:
        proof.fix, proof.with_fix = fix, _outcomes(tile, made.text("with the fix", fix), made)
    return proof


def _outcomes(tile: Tile, text: str, made: Cut) -> int:
    (test,) = parse(text, "cut", needs_rows=False)
    test.states = min(test.states, MAX_STATES)
    found = explore(tile.prepare(test, Schedule.EXHAUSTIVE)).outcomes
    for outcome in found:
        if outcome.ending:
            raise CannotCut(f"the instructions between the two need more than themselves: "
                            f"{outcome.ending}")  # fmt: skip
    return sum(made.counts(outcome) for outcome in found)
