# SPDX-License-Identifier: Apache-2.0
"""Public reports of 2026: one command names the cause of each first, with its line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.gdbstub.kernels.kernels import C_TOOLS, want
from tests.reports import network, orders, stages, state, vector
from tests.reports.report import (
    DIAGNOSE,
    DIFF,
    INIT,
    LEAKS,
    RACES,
    TEMPLATE,
    Report,
    output_of,
    template,
)
from tests.tools import find_tool

REPORTS = (
    *state.REPORTS,
    *vector.REPORTS,
    *orders.REPORTS,
    *stages.REPORTS,
    *network.REPORTS,
)
NOTHING = {
    DIFF: "0x41000 is sum.npy: nothing differs",
    LEAKS: "nothing found",
    INIT: "nothing found",
    RACES: "no races",
}


def of(reports: Sequence[Report]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("report", reports, ids=[report.id for report in reports])


ONE_IN_TEN = pytest.mark.sample(10, "kernels of a few lines, of the same kinds")


@ONE_IN_TEN
@of(state.REPORTS)
def test_state_that_is_left(report: Report, tmp_path: Path) -> None:
    is_named(report, tmp_path)


@ONE_IN_TEN
@of(vector.REPORTS)
def test_lanes_and_replays(report: Report, tmp_path: Path) -> None:
    is_named(report, tmp_path)


@ONE_IN_TEN
@of(orders.REPORTS)
def test_orders_and_hangs(report: Report, tmp_path: Path) -> None:
    is_named(report, tmp_path)


@ONE_IN_TEN
@of(stages.REPORTS)
def test_stages_that_do_not_agree(report: Report, tmp_path: Path) -> None:
    is_named(report, tmp_path)


@ONE_IN_TEN
@of(network.REPORTS)
def test_requests_of_the_noc(report: Report, tmp_path: Path) -> None:
    is_named(report, tmp_path)


def is_named(report: Report, folder: Path) -> None:
    """Fail unless the command names the cause first."""
    want(find_tool, *C_TOOLS)
    output = report.output(folder)
    assert report.is_in(output), output


@pytest.mark.parametrize("command", NOTHING, ids=("diff", "leaks", "init", "races"))
def test_the_kernel_without_bug_is_not_accused(command: str, tmp_path: Path) -> None:
    want(find_tool, *C_TOOLS)
    output = output_of({TEMPLATE: template()}, command, tmp_path)
    assert NOTHING[command] in output


# What `diagnose` says first of runs that are right, or in which several things are found.
FIRST = {
    "tt-metal#53756": r"found \(state left changed\): K6 1 (?s:.*?)SFPCONFIG +PLACE",
    "tt-metal#44776": r"found \(read of unwritten state\): U1 1 (?s:.*?)SFPMOV +PLACE",
    "tt-metal#53655": r"found \(synchronisation\): S3 2 (?s:.*?)The STALLWAIT at PLACE main has",
    "tt-metal#43831": r"most likely \(origin\): (?s:.*?)where lane flags by SFPSETCC (?s:.*?)PLACE",
}


@pytest.mark.sample(4, "kernels of a few lines, of the same kinds")
@of([report for report in REPORTS if report.number in FIRST])
def test_diagnose_names_it_first(report: Report, tmp_path: Path) -> None:
    want(find_tool, *C_TOOLS)
    told = replace(report, command=f"{DIAGNOSE} --seeds 0", right=FIRST[report.number])
    is_named(told, tmp_path)


def test_the_table() -> None:
    numbers = [report.number for report in REPORTS]
    assert len(set(numbers)) == len(numbers) >= 40
    assert all(report.place for report in REPORTS), "one line each"
