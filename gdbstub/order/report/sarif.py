# SPDX-License-Identifier: Apache-2.0
"""Races as SARIF 2.1.0, which code hosts and editors show at the lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tensix_gdb.core.explain.inlining import Step
from tensix_gdb.core.race.checks.table import CHECKS, Number
from tensix_gdb.core.race.findings import Kind, Verdict
from tensix_gdb.core.race.state.table import CHECKS as STATE_CHECKS
from tensix_gdb.gdbstub.order.report.known import Judged, Judgement
from tensix_gdb.gdbstub.order.report.located import Located, Side
from tensix_gdb.gdbstub.order.report.text import report_lines

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# What a verdict is called, how bad it is, and what it means.
RULES = {
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


def sarif_text(judgement: Judgement, version: str) -> str:
    """Return the file."""
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
        "results": [_result(one) for one in judgement.reports],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


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
    """Yield the other side, then the calls on the way to both."""
    number = 1
    if len(one.sides) > 1:
        yield _location(one.earlier, 1, f"the earlier side: {_said(one.earlier)}")
        number = 2
    for side in one.sides:
        for step in side.chain:
            if step == side.step:
                continue
            text = f"on the way to {side.what}: {step.function}"
            yield {"id": number, "message": {"text": text}, **_line(step)}
            number += 1


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
