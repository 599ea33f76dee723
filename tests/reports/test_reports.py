# SPDX-License-Identifier: Apache-2.0
"""Public reports of bugs: each one's cause is named, at its line, by one command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports import orders, state

REPORTS = (*state.REPORTS, *orders.REPORTS)


@pytest.mark.parametrize("report", REPORTS, ids=[report.id for report in REPORTS])
def test_the_cause_is_named(report: state.Report, tmp_path: Path) -> None:
    output = report.output(tmp_path)
    assert report.is_in(output) is not bool(report.fails), output
