# SPDX-License-Identifier: Apache-2.0
"""Published figures of cards: the file, its halves, and probes beside ours (scripts/published)."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from scripts.published.compare import Beside, run_probes, summary
from scripts.published.figures import HALVES, figures
from scripts.published.kernels import ROWS
from scripts.published.llk import Found, listed, read
from scripts.published.llk import summary as of_llk
from scripts.published.page import BLOCK
from scripts.published.probes import PROBES

SEED = 28
# Small enough for a test, and one for each kind of cost.
QUICK = (
    *("rv_addi_dep", "rv_mul_dep", "rv_load_stack", "rv_load_chase", "rv_store_spread"),
    *("rv_store_coalesce", "ADDDMAREG", "MVMUL", "ELWADD"),
)


def test_the_halves_are_those_of_the_seed() -> None:
    rows = figures()
    free = sorted(one.id for one in rows if one.half in ("fit", "kept"))
    random.Random(SEED).shuffle(free)
    fit = {one.id for one in rows if one.half == "fit"}
    assert fit == set(free[: len(free) // 2])
    assert len(free) >= 60


def test_each_figure_has_a_source_and_is_there_once() -> None:
    rows = figures()
    assert all(one.source and one.silicon > 0 and one.half in HALVES for one in rows)
    assert max(Counter(one.id for one in rows).values()) == 1
    assert {one.what for one in rows if one.kind != "kernel"} <= set(PROBES)
    assert set(ROWS) <= {one.id for one in rows if one.kind == "kernel"}


@pytest.mark.parametrize("name", QUICK)
def test_a_probe_takes_what_a_card_takes(name: str) -> None:
    rows = [one for one in figures() if one.id.startswith(f"{name}.1.") and one.half == "series"]
    for row in run_probes(rows):
        assert row.error <= 0.02, f"{row.figure.id}: {row.ours}, a card {row.figure.silicon}"


@pytest.mark.parametrize("name", ["C12_XTHREAD", "RDCFG_DEP"])
def test_a_rule_of_two_units_takes_what_a_card_takes(name: str) -> None:
    rows = [one for one in figures() if one.what == name]
    assert len(rows) == 4
    for row in run_probes(rows):
        assert row.error <= 0.02, f"{row.figure.id}: {row.ours}, a card {row.figure.silicon}"


def test_three_threads_share_a_unit() -> None:
    rows = [one for one in figures() if one.id.startswith("SFPMAD.3.") and one.n == 32]
    assert len(rows) == 3
    assert all(row.error <= 0.02 for row in run_probes(rows))


def test_a_summary_counts() -> None:
    rows = figures()[:4]
    found = summary([Beside(one, one.silicon * ratio) for one, ratio in zip(
        rows, (1.0, 1.01, 1.2, 2.0), strict=True
    )])  # fmt: skip
    assert found.within[0.02] == 2
    assert found.within[0.25] == 3
    assert found.median == pytest.approx(0.105)


def test_a_figure_between_two_runs_of_a_card_is_not_off() -> None:
    (one,) = (one for one in figures() if one.id == "c_jal.3.T2.64")
    assert (one.lowest, one.highest) == (4497, 4701)
    assert Beside(one, 4600).error == 0
    assert Beside(one, 4497 * 0.98).error == pytest.approx(0.02)
    assert Beside(one, 4701 * 1.02).error == pytest.approx(0.02)


def test_other_runs_are_listed_where_they_differ() -> None:
    rows = [one for one in figures() if one.runs]
    assert all(one.highest > 1.02 * one.lowest for one in rows)


def test_the_page_shows_what_is_measured() -> None:
    shown = {}
    for line in BLOCK.read().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 8 and cells[3].isdigit():
            shown[cells[1]] = float(cells[3])
    chosen = [one for one in figures() if one.id in ("RMWCIB0.1", "rv_load_stack.2.T1")]
    for row in run_probes(chosen):
        assert shown[row.figure.id] == row.ours, f"run `{BLOCK.maker}`"


def test_each_published_figure_of_llk_has_its_thread_and_is_there_once() -> None:
    rows = listed()
    assert len(rows) >= 40
    assert max(Counter(row.id for row in rows).values()) == 1
    for row in rows:
        assert row.source.startswith("tt-metal#")
        assert row.silicon > 0
        assert row.choose
        assert row.columns
        assert Path(row.file).suffix == ".py"


def test_a_figure_is_read_from_its_row_of_a_report(tmp_path: Path) -> None:
    (row,) = (one for one in listed() if one.id == "exp.f32.in")
    report = tmp_path / "perf_eltwise_unary_sfpu-gathering" / "perf_eltwise_unary_sfpu.post.csv"
    report.parent.mkdir()
    names = [name for name, _ in row.columns]
    values = [
        "MathOperation." + value if name == "mathop" else value for name, value in row.columns
    ]
    others = ["Float16_b" if name == "formats.input_A" else value for name, value in row.columns]
    report.write_text("\n".join([
        ",".join([*names, "marker", "mean(MATH_ISOLATE)"]),
        ",".join([*others, "TILE_LOOP", "100.0"]),
        ",".join([*values, "INIT", "200.0"]),
        ",".join([*values, "TILE_LOOP", "578.31"]),
    ]))  # fmt: skip
    (found,) = read([row], tmp_path)
    assert found.ours == 578.31
    assert found.error == 0


def test_a_summary_of_llk_counts_within_limits() -> None:
    row = listed()[0]
    ratios = (1.0, 1.04, 1.12, 0.8)
    said = of_llk([Found(row, row.silicon * ratio) for ratio in ratios])
    assert "4 figures" in said
    assert "2 within 5%, 2 within 10%, 3 within 15%" in said
