# SPDX-License-Identifier: Apache-2.0
"""A job as SARIF 2.1.0: findings at their lines of the tree, and tests that fail at their files.

A run for each chip, as code hosts keep the results of each category apart. GitHub tells results of
two commits to be the same by `primaryLocationLineHash`; without it, it takes the text of the line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from tensix_gdb.gdbstub.llk.job.findings import KNOWN, SUPPRESSED, Finding, Line
from tensix_gdb.gdbstub.llk.job.keys import key_of
from tensix_gdb.gdbstub.llk.job.report import Failure, Job, file_name, said_tests, seeds_lines
from tensix_gdb.gdbstub.order.report.sarif import RULES, SCHEMA

ROOT = "%SRCROOT%"
FAILED = "test-failed"
ALL_RULES = {**RULES, FAILED: ("TestFailed", "error", "A test of LLK did not pass.")}
HELP = "tensix-gdb manual {}"
ABOUT = {"race": "races", "sampling": "races", "promised": "ordering", FAILED: "llk-job"}


def sarif_text(job: Job, version: str) -> str:
    """Return the file."""
    runs = [_run(job, chip, version) for chip in job.results]
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": runs}, indent=1) + "\n"


def _run(job: Job, chip: str, version: str) -> dict[str, Any]:
    rules = [
        {
            "id": rule,
            "name": name,
            "shortDescription": {"text": text},
            "fullDescription": {"text": text},
            "help": {"text": HELP.format(ABOUT.get(rule, "checks"))},
            "defaultConfiguration": {"level": level},
        }
        for rule, (name, level, text) in ALL_RULES.items()
    ]
    results = [_finding(job, one) for one in job.findings if one.chip == chip]
    results += [_failure(job, one) for one in job.failures if one.chip == chip]
    return {
        "tool": {"driver": {"name": "tensix-gdb", "semanticVersion": version, "rules": rules}},
        "automationDetails": {"id": f"tensix-gdb-llk/{chip}/"},
        "columnKind": "utf16CodeUnits",
        "results": results,
    }


def _finding(job: Job, one: Finding) -> dict[str, Any]:
    related = list(_related(one))
    text = [one.text, f"In {said_tests(one.tests)}", *seeds_lines(one.seeds)]
    if one.earlier is not None and one.later is not None:
        text.append("[The earlier side](1)")  # a link to the related location of that number
    result: dict[str, Any] = {
        **_head(one.rule, "\n".join(text)),
        "locations": [_location(job, one)],
        "relatedLocations": related,
        **_state(one.state, one.reason),
        "partialFingerprints": _fingerprints(f"{one.chip} {one.identity}"),
        "properties": {"tests": one.tests, "chip": one.chip, "page": one.document["page"]},
    }
    return result


def _failure(job: Job, one: Failure) -> dict[str, Any]:
    test = one.result.test
    text = "\n".join([f"{test}: {one.result.why()}", *seeds_lines(one.result.seeds)])
    return {
        **_head(FAILED, text),
        "locations": [_line(Line(file_name(job.tree, test), 1, ""))],
        **_state(one.state, one.reason),
        "partialFingerprints": _fingerprints(f"{one.chip} {test}"),
        "properties": {"tests": [test], "chip": one.chip},
    }


def _head(rule: str, text: str) -> dict[str, Any]:
    return {
        "ruleId": rule,
        "ruleIndex": list(ALL_RULES).index(rule),
        "level": ALL_RULES[rule][1],
        "message": {"text": text},
    }


def _state(state: str, reason: str) -> dict[str, Any]:
    found: dict[str, Any] = {"baselineState": "unchanged" if state == KNOWN else "new"}
    if state == SUPPRESSED:
        found["suppressions"] = [{"kind": "external", "justification": reason}]
    return found


def _fingerprints(identity: str) -> dict[str, str]:
    digest = key_of(identity)[:16]
    return {"tensixLlk/v1": digest, "primaryLocationLineHash": f"{digest}:1"}


def _related(one: Finding) -> Iterator[dict[str, Any]]:
    """Yield the other side, then the calls on the way to both."""
    number = 1
    if one.earlier is not None and one.later is not None:
        text = f"the earlier side: {one.document['earlier']['instruction']}"
        yield {"id": number, "message": {"text": text}, **_line(one.earlier)}
        number += 1
    for side, line in zip(one.sides[::-1], (one.later, one.earlier), strict=False):
        for step in side["chain"]:
            at = Line(step["file"], max(int(step["line"]), 1), step["function"])
            if at == line or not at.is_of_tree:
                continue
            text = f"on the way to {side['instruction']}: {at.function}"
            yield {"id": number, "message": {"text": text}, **_line(at)}
            number += 1


def _location(job: Job, one: Finding) -> dict[str, Any]:
    """Return where it is shown: a line of the tree. A code host refuses results without one, so a
    report of which no line is known is shown at its test."""
    line = one.later or one.earlier
    return _line(line or Line(file_name(job.tree, one.tests[0]), 1, ""))


def _line(line: Line) -> dict[str, Any]:
    located: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(line.file), "uriBaseId": ROOT},
            "region": {"startLine": line.line},
        }
    }
    if line.function:
        located["logicalLocations"] = [{"name": line.function, "kind": "function"}]
    return located
