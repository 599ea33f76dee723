# SPDX-License-Identifier: Apache-2.0
"""`monitor check`: look for uninitialised state, leaks and mistakes with memory from now on."""

from __future__ import annotations

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.checks.rule import NotObservable
from tensix_gdb.core.race.state.areas import code_of
from tensix_gdb.core.race.state.checks import StateChecks
from tensix_gdb.core.race.state.table import BY_NAME, CHECKS, GROUPS, WRITTEN, parse_groups
from tensix_gdb.gdbstub.order.report.known import Judgement, judge
from tensix_gdb.gdbstub.order.report.located import located
from tensix_gdb.gdbstub.order.report.run_text import short_lines
from tensix_gdb.gdbstub.order.report.text import report_lines, summary
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.host.arguments import arguments_of, mailboxes_of
from tensix_gdb.gdbstub.tensix.host.circular_buffers import buffers_of
from tensix_gdb.gdbstub.tensix.monitor_row import no_more, table

FORMS = "[N|on [NAMES]|kernel|buffers|rules]"
BEGIN = "nothing is checked; begin with `monitor check on`"


def monitor_check(machine: Machine, words: list[str]) -> str:
    """Return all findings, one line for what belongs together; or one of them; or what FORMS
    has."""
    match words[:1]:
        case ["on"]:
            return _on(machine, words[1:])
        case ["rules"]:
            no_more(words[1:], "check")
            return _rules()
        case ["kernel"]:
            no_more(words[1:], "check")
            state_of(machine).kernel_begins()
            return "A kernel begins here: what the ones before have written is left over.\n"
        case ["buffers"]:
            no_more(words[1:], "check")
            return _areas(machine)
    judgement = _found(machine)
    if not words:
        lines = list(short_lines(judgement.reports))
        lines += judgement.findings.notes
        return "".join(f"{line}\n" for line in (*lines, summary(judgement)))
    no_more(words[1:], "check")
    for one in judgement.reports:
        if str(one.located.report.number) == words[0]:
            return "".join(f"{line}\n" for line in report_lines(one.located))
    raise TargetError(f"there is no finding {words[0]}; `monitor check` lists them")


def state_of(machine: Machine) -> StateChecks:
    """Return the checks of a tile. TargetError if none is on."""
    if machine.runner.races is None or machine.runner.races.state is None:
        raise TargetError(BEGIN)
    return machine.runner.races.state


def _on(machine: Machine, words: list[str]) -> str:
    groups = GROUPS
    if words:
        try:
            groups = parse_groups(words.pop(0))
        except ValueError as problem:
            raise TargetError(str(problem)) from None
    no_more(words, "check")
    races = machine.runner.races
    try:
        state = machine.check_state(groups, races=races is not None and races.finds_races)
    except NotObservable as problem:
        raise TargetError(str(problem)) from None
    state.buffers, state.arguments = buffers_of(machine), arguments_of(machine)
    state.mailboxes = mailboxes_of(machine)
    state.firmware = machine.loader.hosted("firmware")
    state.note_programs()
    return f"{', '.join(groups)}: checked from cycle {machine.S.tile.cycle} on.\n"


def _rules() -> str:
    rows = [(one.name, one.group.name.lower(), one.rule) for one in CHECKS]
    text = "".join(f"{name:<4} {group:<7} {rule}\n" for name, group, rule in rows)
    text += "What counts as written before a kernel begins:\n"
    return text + table([(one.state, one.by, one.counts) for one in WRITTEN])


def _areas(machine: Machine) -> str:
    """Programs and buffers by address."""
    state = state_of(machine)
    areas = [(one.first, one.end, one.name) for one in code_of(machine.images)]
    areas += [(one.first, one.end, f"buffer {one.name}") for one in state.buffers]
    rows = [(f"{first:#x} to {end - 1:#x}", name) for first, end, name in sorted(areas)]
    return table(rows) if rows else "No program is in L1, and no buffer is known.\n"


def _found(machine: Machine) -> Judgement:
    state_of(machine)
    findings = machine.races()
    reports = [one for one in located(findings, machine.places) if one.report.check in BY_NAME]
    return judge(findings, reports)
