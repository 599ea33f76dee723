# SPDX-License-Identifier: Apache-2.0
"""`monitor races`: observe the tile from now on, and show which accesses nothing orders."""

from __future__ import annotations

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.observer import NotObservable
from tensix_gdb.gdbstub.race.known import Judgement, judge
from tensix_gdb.gdbstub.race.located import located
from tensix_gdb.gdbstub.race.text import listed, promise_lines, report_lines, summary
from tensix_gdb.gdbstub.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor_row import no_more, number_of

STRICT = "strict"


def monitor_races(machine: Machine, thread: int, words: list[str]) -> str:
    """All reports in a line each; one of them; the promises; or `on [strict]`."""
    if words[:1] == ["on"]:
        return _on(machine, words[1:])
    judgement = _found(machine)
    if not words:
        lines = [listed(one) for one in judgement.reports]
        return "".join(f"{line}\n" for line in (*lines, summary(judgement)))
    word = words.pop(0)
    no_more(words, "races")
    if word == "promises":
        lines = list(promise_lines(judgement.findings, machine.places))
        return "".join(f"{line}\n" for line in lines or ["The run relies on no promise."])
    number = number_of(word, "report", len(judgement.reports))
    if not number:
        raise TargetError(f"there is no report {word}; `monitor races` lists them")
    lines = list(report_lines(judgement.reports[number - 1].located))
    return "".join(f"{line}\n" for line in lines)


def _on(machine: Machine, words: list[str]) -> str:
    strict = words[:1] == [STRICT]
    no_more(words[strict:], "races")
    try:
        machine.observe_races(strict=strict)
    except NotObservable as problem:
        raise TargetError(str(problem)) from None
    return f"Races are observed from cycle {machine.S.tile.cycle} on.\n"


def _found(machine: Machine) -> Judgement:
    try:
        findings = machine.races()
    except NotObservable:
        raise TargetError("races are not observed; begin with `monitor races on`") from None
    return judge(findings, located(findings, machine.places))
