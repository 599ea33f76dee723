# SPDX-License-Identifier: Apache-2.0
"""Races as JSON: everything that is known, and the identities that a baseline is made of."""

from __future__ import annotations

import json
from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.race.findings import RelianceCount
from tensix_gdb.core.race.remedies.remedy import Remedy
from tensix_gdb.gdbstub.order.report.known import Judged, Judgement
from tensix_gdb.gdbstub.order.report.located import Located, Side, chain_at
from tensix_gdb.gdbstub.order.report.text import report_lines

FORMAT = 1  # goes up when a reader would have to change


def json_text(judgement: Judgement, places: Places) -> str:
    """Return the file."""
    findings = judgement.findings
    document = {
        "format": FORMAT,
        "tool": "tensix-gdb",
        "strict": findings.strict,
        "checks": [*findings.checks, *findings.groups],
        "notes": list(findings.notes),
        "cycles": [findings.first_cycle, findings.last_cycle],
        "lost": findings.lost,
        "races": [document_of(one) for one in judgement.reports],
        "promises": [_promise(one, places) for one in findings.relied],
        "unused_suppressions": [str(one) for one in judgement.unused],
    }
    return json.dumps(document, indent=1) + "\n"


def document_of(judged: Judged) -> dict[str, Any]:
    """Return a report."""
    one, report = judged.located, judged.located.report
    place, fix = report.place, report.fix
    return {
        "identity": one.identity,
        "number": report.number,
        "verdict": report.verdict.value,
        "check": report.check or None,
        "same_value": report.same_value,
        "count": report.count,
        "place": {
            "state": place.state.value,
            "unit": place.unit,
            "index": place.index,
            "mask": place.mask,
            "name": place.name,
        },
        "earlier": _side(one.earlier),
        "later": _side(one.later),
        "reason": report.reason,
        "fix": fix and _remedy(fix, one),
        "failed_wait": report.failed
        and {
            "text": report.failed.text,
            "hart": HART_NAMES[report.failed.hart],
            "pc": report.failed.pc,
            "at": one.failed_at,
            "why": report.failed.why,
        },
        "page": report.page,
        "suppressed": judged.suppression and judged.suppression.reason,
        "known": judged.is_known,
        "text": "\n".join(report_lines(one)),
    }


def _remedy(fix: Remedy, one: Located) -> dict[str, Any]:
    """Return a remedy: what a person reads, and what puts it in by itself."""
    return {
        "text": fix.text,
        "where": fix.where,
        "would_not": list(fix.would_not),
        "kind": fix.kind.value,
        "macro": fix.macro,
        "block": fix.block,
        "conditions": fix.conditions,
        "semaphore": fix.semaphore,
        "register": fix.register,
        "value": fix.value,
        "spots": [
            {
                "beside": spot.beside.value,
                "hart": HART_NAMES[spot.hart],
                "thread": spot.thread,
                "pc": spot.pc,
                "via": spot.via,
                "line": step.place if step else None,
            }
            for spot, step in zip(fix.spots, one.spots, strict=True)
        ],
    }


def _side(side: Side) -> dict[str, Any]:
    access = side.access
    return {
        "agent": access.agent,
        "kind": access.kind.value,
        "hart": HART_NAMES[access.hart],
        "outside": access.outside,
        "thread": access.thread,
        "pc": access.pc,
        "instruction": access.instruction,
        "via": access.via,
        "configured": [
            {"function": step.function, "file": step.file, "line": step.line}
            for step in side.configured
        ],
        "cycles": [access.first, access.last],
        "chain": [
            {"function": step.function, "file": step.file, "line": step.line} for step in side.chain
        ],
    }


def _promise(reliance: RelianceCount, places: Places) -> dict[str, Any]:
    promise = reliance.promise
    return {
        "name": promise.name,
        "earlier": promise.earlier,
        "later": promise.later,
        "source": promise.source,
        "page": promise.page,
        "trust": promise.trust.value,
        "count": reliance.count,
        "sites": [
            [
                {
                    "hart": HART_NAMES[site.hart],
                    "pc": site.pc,
                    "chain": [step.text for step in chain_at(places, site.hart, site.pc)],
                }
                for site in pair
            ]
            for pair in reliance.sites
        ],
    }
