# SPDX-License-Identifier: Apache-2.0
"""Some of the random programs; `python -m tests.core.race.random_races` has more."""

from __future__ import annotations

import pytest

from tests.core.race.random_races import run

PROGRAMS = 60
MISSED_ONCE = (1137, 1397)  # RDCFG, then SETDMAREG of its GPR: P4 is about arithmetic


def test_no_race_is_missed() -> None:
    tally = run(0, PROGRAMS)
    assert tally.missed == []
    assert tally.agree > PROGRAMS // 3
    assert len(tally.unseen) <= tally.agree // 10


@pytest.mark.parametrize("seed", MISSED_ONCE)
def test_what_was_missed_once_is_found(seed: int) -> None:
    assert run(seed, 1).missed == []
