# SPDX-License-Identifier: Apache-2.0
"""`monitor races`: observe the tile from now on, and show which accesses nothing orders."""

from __future__ import annotations

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.checks.rule import NotObservable
from tensix_gdb.core.race.checks.table import CHECKS, DEFAULT, is_checks, parse_checks
from tensix_gdb.core.race.findings import UNOBSERVED
from tensix_gdb.gdbstub.order.report.known import Judged, Judgement, judge
from tensix_gdb.gdbstub.order.report.located import Located, located
from tensix_gdb.gdbstub.order.report.text import listed, promise_lines, report_lines, summary
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.monitor_row import no_more
from tensix_gdb.gdbstub.tensix.races.witness import GdbWitness, observe

STRICT, WITNESS = "strict", "witness"


def races(machine: Machine, kept: TileHistory, thread: int, words: list[str]) -> str:
    """As `monitor_races`; or with `witness N` go to the other order of a report."""
    if words[:1] != [WITNESS]:
        return monitor_races(machine, thread, words)
    return GdbWitness(machine, kept).show(wanted(machine, words[1:]))


def wanted(machine: Machine, words: list[str]) -> Located:
    """Return the report that `witness` names."""
    no_more(words[1:], "races")
    return _numbered(_found(machine), "".join(words[:1])).located


def monitor_races(machine: Machine, thread: int, words: list[str]) -> str:
    """Return all reports in a line each; one of them; the promises; the checks; or `on`."""
    if words[:1] == ["on"]:
        return _on(machine, words[1:])
    if words[:1] == ["checks"]:
        no_more(words[1:], "races")
        return _checks(machine)
    judgement = _found(machine)
    if not words:
        lines = [listed(one) for one in judgement.reports]
        lines.append(f"not observed: {UNOBSERVED}")
        return "".join(f"{line}\n" for line in (*lines, summary(judgement)))
    word = words.pop(0)
    no_more(words, "races")
    if word == "promises":
        lines = list(promise_lines(judgement.findings, machine.places))
        return "".join(f"{line}\n" for line in lines or ["The run relies on no promise."])
    lines = list(report_lines(_numbered(judgement, word).located))
    return "".join(f"{line}\n" for line in lines)


def _numbered(judgement: Judgement, word: str) -> Judged:
    """Return the report of a number. One that was withdrawn leaves its number unused."""
    for one in judgement.reports:
        if str(one.located.report.number) == word:
            return one
    what = f"report {word}" if word else "report without a number"
    raise TargetError(f"there is no {what}; `monitor races` lists them")


def break_race(machine: Machine, words: list[str]) -> str:
    """`break race [off]`: stop the tile at each new report."""
    off = words == ["off"]
    no_more([] if off else words, "break")
    said = ""
    if machine.runner.races is None and not off:
        said = _on(machine, [])
    if machine.runner.races is not None:
        machine.runner.races.stops = not off
    if off:
        return "The tile does not stop at races.\n"
    return f"{said}The tile stops at the second access of each new report.\n"


def _on(machine: Machine, words: list[str]) -> str:
    strict = words[:1] == [STRICT]
    words = words[strict:]
    checks = DEFAULT
    if words and is_checks(words[0]):
        try:
            checks = parse_checks(words.pop(0))
        except ValueError as problem:
            raise TargetError(str(problem)) from None
    no_more(words, "races")
    observe(machine, strict=strict, checks=checks)
    return f"Races are observed from cycle {machine.S.tile.cycle} on.\n"


def _checks(machine: Machine) -> str:
    """Return each check, and whether it is on."""
    observer = machine.runner.races
    on = DEFAULT if observer is None else observer.checks
    rows = [(each.name, "on" if each.name in on else "off", each.rule) for each in CHECKS]
    return "".join(f"{name:<4} {state:<4} {rule}\n" for name, state, rule in rows)


def _found(machine: Machine) -> Judgement:
    try:
        findings = machine.races()
    except NotObservable:
        raise TargetError("races are not observed; begin with `monitor races on`") from None
    return judge(findings, located(findings, machine.places))
