# SPDX-License-Identifier: Apache-2.0
"""One observed run of a litmus test in `latency`."""

from __future__ import annotations

from tensix_gdb.core.litmus.text import Litmus, Outcome
from tensix_gdb.core.litmus.tile import BUDGET, Tile
from tensix_gdb.core.race.findings import Findings, Report
from tensix_gdb.core.race.observer import Observer
from tensix_gdb.core.schedule import DEFAULT_SEED, Schedule, seed_state


def observe(tile: Tile, test: Litmus, *, strict: bool = False) -> tuple[Findings, Outcome]:
    """Return the findings of one run, and how it ended."""
    prepared = tile.prepare(test, Schedule.LATENCY)
    prepared.record.restore(prepared.start)
    observer = Observer(prepared.record, strict=strict, local=True, checks=())
    ending = tile.machine.engine.call("to_end", seed_state(DEFAULT_SEED), BUDGET)
    observer.stop()
    return observer.findings(), prepared.outcome(ending)


def races(findings: Findings) -> list[Report]:
    """Reports that the outcome of a test may depend on."""
    return [report for report in findings.reports if not report.same_value]
