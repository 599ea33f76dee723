# SPDX-License-Identifier: Apache-2.0
"""Remedies of litmus tests with a wait less, of programs of two tiles, and of a kernel on the
command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.race.remedies.remedy import RemedyKind
from tensix_gdb.gdbstub.cli.main import main
from tests.core.race.test_mutants import CASES
from tests.gdbstub.order.tried import chip_runs, litmus_runs
from tests.machines import observed_tile
from tests.ordering.litmus_files import TESTS
from tests.programs.build import build

WHOLE = {test.name: test for test in TESTS.values()}
KERNEL = Path(__file__).resolve().parents[4] / "scripts" / "examples" / "c10" / "kernel.c"
# A signal orders the two as in the run, and the test means the other order; the wait that was taken
# away is the wrong one, and the result without it the right one.
OTHER_ORDER = ("88 address counters that another thread sets before a semaphore",
               "88 an address counter of another thread, from a GPR, and C0 - push SEMWAIT",
               "Blackhole's C10 on Wormhole")  # fmt: skip


@pytest.fixture(scope="module")
def tiles() -> Iterator[tuple[Tile, Tile]]:
    with closing(observed_tile()) as observed, closing(Tile("compiled")) as plain:
        yield observed, plain


@pytest.mark.sample(12, "a remedy tried for each litmus test with a wait less")
@pytest.mark.parametrize("name", CASES)
def test_a_wait_that_is_missing(tiles: tuple[Tile, Tile], name: str) -> None:
    observed, plain = tiles
    test = CASES[name]
    found = litmus_runs.tried(observed, test, WHOLE[test.name])
    assert all(one.ended is not None for one in found)
    assert all(one.ended is one.tries[0] for one in found)
    if found:
        keeps = litmus_runs.keeps(observed, plain, test, found)
        assert keeps is not name.startswith(OTHER_ORDER)


@pytest.mark.sample(4, "a remedy tried across tiles")
@pytest.mark.parametrize("name", chip_runs.PROGRAMS)
def test_two_tiles(name: str) -> None:
    (found,) = chip_runs.tried(chip_runs.PROGRAMS[name])
    assert found.ended is found.tries[0]
    assert found.ended.remedy.kind in (RemedyKind.BARRIER, RemedyKind.READ_BACK)


def elf(folder: Path, wait: int) -> str:
    return str(build(KERNEL, "T0", folder / "t0.elf", defines=(f"WAIT={wait}",)))


def test_a_diff_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--elf", f"t0={elf(tmp_path, 2)}", "--patch"]) == 0
    said = capsys.readouterr().out
    assert "RACE 1, tried: TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::TRISC_CFG)" in said
    assert "1 of 1 report ended by a remedy, 1 of them by the first that was tried" in said


def test_without_a_report_nothing_is_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "--elf", f"t0={elf(tmp_path, 1)}", "--try"]) == 0
    assert capsys.readouterr().out.endswith("no report: there is no remedy to try\n")


def test_what_is_about_one_run_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--elf", "t0=x.elf", "--try", "--until", "main"]) == 2
    assert "--try runs the program again: leave out --until" in capsys.readouterr().err
