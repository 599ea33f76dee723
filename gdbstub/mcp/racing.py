# SPDX-License-Identifier: Apache-2.0
"""Tools about a report of `races`: the other order, and whether a fix helps."""

from __future__ import annotations

from tensix_gdb.core.race.checks.rule import NotObservable
from tensix_gdb.gdbstub.mcp.arguments import Argument, Tool
from tensix_gdb.gdbstub.mcp.session import DEFAULT_CYCLES, Call, run_on
from tensix_gdb.gdbstub.order.pair.check import prove
from tensix_gdb.gdbstub.order.pair.cut import CannotCut
from tensix_gdb.gdbstub.order.report.located import Located, located
from tensix_gdb.gdbstub.order.report.text import plural, report_lines
from tensix_gdb.gdbstub.order.report.witness import NotAgain
from tensix_gdb.gdbstub.order.report.witness import witness as witness_of
from tensix_gdb.gdbstub.order.report.witness_text import witness_lines
from tensix_gdb.gdbstub.usage import UsageError

MAX_REPORTS = 512


def _report(call: Call) -> Located:
    """Return the report of the call's number, of the last run."""
    machine = call.session.machine
    try:
        reports = located(machine.races(), machine.places)
    except NotObservable:
        raise UsageError("races are not observed; run the programs with races=default") from None
    for one in reports:
        if one.report.number == call["report"]:
            return one
    raise UsageError(f"there is no report {call['report']}: {plural(len(reports), 'report')}")


def witness(call: Call) -> str:
    """Run again with one access held until the other is over."""
    one = _report(call)
    machine = call.session.machine
    try:
        found = witness_of(machine, one, call.session.to_cycle)
    except NotAgain as problem:
        raise UsageError(str(problem)) from None
    return "\n".join(witness_lines(found))


def confirm(call: Call) -> str:
    """Explore all orders of what is between the two, without and with the fix; or of other
    programs."""
    one = _report(call)
    if call["elf"] or call["core"]:
        return _others(call, one)
    machine = call.session.another()
    try:
        proof = prove(machine, one)
    except CannotCut as problem:
        raise UsageError(
            f"no litmus test can be made of it: {problem}; name programs that have the fix, in elf "
            "or core"
        ) from None
    finally:
        machine.close()
    return f"all orders of what is between the two: {proof.text}\n\n{proof.test}"


def _others(call: Call, one: Located) -> str:
    session, kept = call.session, None
    schedule = session.machine.execution
    if call["core"]:
        kept = session.kept_run(call["core"])
        machine = kept.machine("auto", schedule)
    else:
        machine = session.built(call["elf"], str(schedule))
    try:
        machine.observe_races(strict=session.machine.races().strict)
        run_on(machine, kept, int(machine.S.tile.cycle) + DEFAULT_CYCLES, call.keyboard)
        found = located(machine.races(), machine.places)
    finally:
        machine.close()
    is_there = any(other.identity == one.identity for other in found)
    said = "is still reported" if is_there else "is not reported any more"
    lines = [f"The pair {said}; {plural(len(found), 'report')} of these programs."]
    for other in found:
        lines += ["", *report_lines(other)]
    return "\n".join(lines)


_REPORT = Argument("report", "its number in the list of races", 1, 1, MAX_REPORTS)

TOOLS = (
    Tool(
        "witness",
        "Run the programs again with the earlier access of a report held until the later one is "
        "over: what the later one finds then, or the proof that the earlier one cannot be late. "
        "The tile has then stopped in that execution, and resume continues it.",
        witness,
        (_REPORT,),
    ),
    Tool(
        "confirm",
        "Whether a fix orders the two accesses of a report. Without elf: all outcomes of the "
        "instructions between them, without and with the instruction that the report names. With "
        "elf, or core, those programs are run, and the reports compared.",
        confirm,
        (
            _REPORT,
            Argument("elf", "programs with the fix, each HART=FILE", ()),
            Argument("core", "the run-N.core of a kept run with the fix", ""),
        ),
    ),
)
