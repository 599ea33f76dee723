# SPDX-License-Identifier: Apache-2.0
"""Races as SARIF 2.1.0, which code hosts and editors show at the lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.explain.inlining import Step
from tensix_gdb.core.race.checks.table import CHECKS, Number
from tensix_gdb.core.race.findings import Kind, Verdict
from tensix_gdb.core.race.state.table import CHECKS as STATE_CHECKS
from tensix_gdb.gdbstub.order.report.known import Judged, Judgement
from tensix_gdb.gdbstub.order.report.located import Located, Side, innermost
from tensix_gdb.gdbstub.order.report.text import failed, report_lines, set_to

FAULT, CAUSE = "fault", "cause"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# What a verdict is called, how bad it is, and what it means.
RULES = {
    FAULT: (
        "Fault",
        "error",
        "A tile has stopped at what is undefined, not documented or not emulated.",
    ),
    CAUSE: ("Cause", "error", "What a run that fails ends with, and what it comes from."),
    "race": ("Race", "error", "Nothing orders two accesses to the same place."),
    "sampling": (
        "Sampling",
        "warning",
        "Two accesses are ordered only if a unit reads its state when its instruction begins, "
        "which no page says.",
    ),
    "promised": (
        "Promised",
        "note",
        "Two accesses are ordered by a promise that no page makes.",
    ),
    **{
        check.name: (
            f"{check.name}Check",
            "note" if check.number is Number.S12 else "warning",
            f"{check.title[0].upper()}{check.title[1:]}: {check.rule}.",
        )
        for check in CHECKS
    },
    **{
        check.name: (
            f"{check.name}Check",
            "warning",
            f"{check.title[0].upper()}{check.title[1:]}: {check.rule}.",
        )
        for check in STATE_CHECKS
    },
}
assert {verdict.value for verdict in Verdict} - {"sync"} <= RULES.keys()


@dataclass(frozen=True, slots=True)
class Caused:
    """A result that is no report: a fault, or what `diagnose` has found. `lines` are those of the
    source that it names, the first where it is shown, each with what is said of it. One that is a
    report has that report's lines, and words of its own."""

    rule: str
    text: str
    lines: Sequence[tuple[Step, str]] = ()
    of: Judged | None = None


def sarif_text(judgement: Judgement, version: str, causes: Sequence[Caused] = ()) -> str:
    """Return the file. What has caused the end of the run comes first, once."""
    own = {id(one.of) for one in causes}
    reports = [one for one in judgement.reports if id(one) not in own]
    return _text([*map(_caused, causes), *map(_result, reports)], version)


def causes_text(causes: Sequence[Caused], version: str) -> str:
    """Return the file of a diagnosis, which has no other reports."""
    return _text([*map(_caused, causes)], version)


def _text(results: Sequence[dict[str, Any]], version: str) -> str:
    rules = [
        {
            "id": rule,
            "name": name,
            "shortDescription": {"text": text},
            "defaultConfiguration": {"level": level},
        }
        for rule, (name, level, text) in RULES.items()
    ]
    driver = {"name": "tensix-gdb", "semanticVersion": version, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _caused(one: Caused) -> dict[str, Any]:
    if one.of is not None:
        return {**_result(one.of), "message": {"text": one.text}}
    first, *others = one.lines or ((None, ""),)
    result: dict[str, Any] = {
        "ruleId": one.rule,
        "ruleIndex": list(RULES).index(one.rule),
        "level": RULES[one.rule][1],
        "message": {"text": one.text},
        "locations": [_line(first[0])] if first[0] is not None else [],
        "relatedLocations": [
            {"id": number, "message": {"text": text}, **_line(step)}
            for number, (step, text) in enumerate(others, 1)
        ],
    }
    return result


def _result(judged: Judged) -> dict[str, Any]:
    one, report = judged.located, judged.located.report
    rule = report.check or report.verdict.value
    result: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": list(RULES).index(rule),
        "level": RULES[rule][1],
        "message": {"text": "\n".join(report_lines(one))},
        "locations": [_location(one.later)],
        "relatedLocations": list(_related(one)),
        "codeFlows": [{"threadFlows": [_flow(side) for side in one.sides]}],
        "partialFingerprints": {"tensixRace/v1": one.identity},
        "occurrenceCount": report.count,
        "baselineState": "unchanged" if judged.is_known else "new",
        "properties": {"place": report.place.name, "page": report.page},
    }
    if judged.suppression is not None:
        reason = judged.suppression.reason
        result["suppressions"] = [{"kind": "external", "justification": reason}]
    return result


def _related(one: Located) -> Iterator[dict[str, Any]]:
    """Yield the other side, then what else is at a line: where a field was set, a wait that orders
    nothing, where the remedy goes, and the calls on the way to both sides."""
    others = [
        *((step, text) for step, text in _beside(one) if step is not None),
        *(
            (step, f"on the way to {side.what}: {step.function}")
            for side in one.sides
            for step in side.chain
            if step != side.step
        ),
    ]
    number = 1
    if len(one.sides) > 1:
        yield _location(one.earlier, 1, f"the earlier side: {_said(one.earlier)}")
        number = 2
    for at, (step, text) in enumerate(others, number):
        yield {"id": at, "message": {"text": text}, **_line(step)}


def _beside(one: Located) -> Iterator[tuple[Step | None, str]]:
    """Yield lines that are of neither side, with what is said of each."""
    for setting, writer in zip(one.report.settings, one.settings, strict=True):
        if writer is not None:
            yield writer.step, f"the setting: {set_to(setting, writer)}"
    for side in one.sides:
        yield innermost(side.configured), f"the template of {side.what}"
    yield one.failed_step, f"the wait: {failed(one)}"
    fix = one.report.fix
    for spot, step in zip(fix.spots if fix is not None else (), one.spots, strict=True):
        assert fix is not None
        yield step, f"the remedy: {fix.text}, {spot.beside.value} this line"


def _flow(side: Side) -> dict[str, Any]:
    """Return the lines on the way to an access, the outermost first."""
    lines = [
        {"location": {"message": {"text": step.function}, **_line(step)}}
        for step in side.chain[:0:-1]
    ]
    return {
        "id": side.access.agent,
        "message": {"text": _said(side)},
        "locations": [*lines, {"location": _location(side, message=_said(side))}],
    }


def _said(side: Side) -> str:
    if side.access.kind is Kind.SYNC:
        return f"{side.access.agent} {side.what}"
    return f"{side.access.agent} {side.what}, a {side.access.kind.value}"


def _location(side: Side, number: int | None = None, message: str = "") -> dict[str, Any]:
    """Return where an access is: its line, or its address if no line is known."""
    place: dict[str, Any] = {"id": number} if number is not None else {}
    if message:
        place["message"] = {"text": message}
    if side.step is not None:
        return place | _line(side.step)
    address = {"absoluteAddress": side.access.pc, "kind": "instruction"}
    return place | {"physicalLocation": {"address": address}}


def _line(step: Step) -> dict[str, Any]:
    located: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": uri(step.file)},
            "region": {"startLine": max(step.line, 1)},
        }
    }
    if step.function:
        located["logicalLocations"] = [{"name": step.function, "kind": "function"}]
    return located


def uri(file: str) -> str:
    """Return a file's path for a tool in the folder where this command was started."""
    path = Path(file)
    if not path.is_absolute():
        return quote(path.as_posix())
    here = Path.cwd()
    return quote(str(path.relative_to(here))) if path.is_relative_to(here) else path.as_uri()
