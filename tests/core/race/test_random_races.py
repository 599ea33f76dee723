# SPDX-License-Identifier: Apache-2.0
"""Some of the random programs; `python -m tests.core.race.random_races` has more."""

from __future__ import annotations

from tests.core.race.random_races import run

PROGRAMS = 60


def test_no_race_is_missed() -> None:
    tally = run(0, PROGRAMS)
    assert tally.missed == []
    assert tally.agree > PROGRAMS // 3
    assert len(tally.unseen) <= tally.agree // 10
