# SPDX-License-Identifier: Apache-2.0
"""Promises of kernels that are edges, and no reports but in `strict`: P26 to P28."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.race.findings import Verdict
from tests.core.race.observed import races
from tests.core.race.programs import beside, run
from tests.machines import observed_tile

READ, WRITE = "push RDCFG result_reg=4, cfg_index=190", "push WRCFG input_reg=4, cfg_index=189"
CHANGE = "push RMWCIB0 mask=0xff, new_value=5, index4=190"
MATRIX = ("ready matrix", "init semaphore.max[0] = 15")


@pytest.fixture(scope="module")
def tile() -> Iterator[Tile]:
    with closing(observed_tile()) as tile:
        yield tile


def relies(tile: Tile, *lines: str) -> list[str]:
    """The promises that a program without races relies on; `strict` reports them."""
    found = run(tile, *lines)
    assert races(found) == []
    strict = {report.verdict for report in run(tile, *lines, strict=True).reports}
    assert strict == ({Verdict.PROMISED} if found.relied else set())
    return [one.promise.name for one in found.relied]


def test_a_gpr_that_rdcfg_has_written_long_ago(tile: Tile) -> None:
    assert relies(tile, "T0", READ, "nop * 60", WRITE) == ["P26"]
    (report,) = races(run(tile, "T0", READ, WRITE))
    assert report.verdict is Verdict.RACE


def test_more_words_than_the_fifos_hold(tile: Tile) -> None:
    assert relies(tile, "T0", CHANGE, *["push NOP"] * 48, "lw a0, CFG[190]") == ["P28"]


def test_fewer_words_promise_nothing(tile: Tile) -> None:
    (report,) = races(run(tile, "T0", CHANGE, *["push NOP"] * 40, "lw a0, CFG[190]"))
    assert report.verdict is Verdict.RACE


def test_recorded_words_do_not_count(tile: Tile) -> None:
    record = ["push REPLAY load=1, exec=0, count=30", *["push NOP"] * 30]
    (report,) = races(run(tile, "T0", CHANGE, *record, *["push NOP"] * 30, "lw a0, CFG[190]"))
    assert report.verdict is Verdict.RACE


@pytest.mark.parametrize("clears", [True, False])
def test_rows_that_zeroacc_has_cleared(tile: Tile, clears: bool) -> None:
    first = "push ZEROACC clear_mode=3, imm10=0" if clears else "push MVMUL"
    lines = beside(
        ("T1", ("push SEMWAIT block=0x1ff, sem=1, wait=C0", "push SFPLOAD vd=0, mod0=2, imm10=0")),
        ("T2", (first, "push SEMPOST sem=1")),
    )
    found = run(tile, *MATRIX, *lines)
    if clears:
        assert relies(tile, *MATRIX, *lines) == ["P27"]
    else:
        assert [report.verdict for report in races(found)] == [Verdict.RACE]
