# SPDX-License-Identifier: Apache-2.0
"""Published figures of cards: the file, its halves, and probes beside ours (scripts/published)."""

from __future__ import annotations

import random
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from scripts.published import months
from scripts.published.compare import Beside, run_probes, summary
from scripts.published.edits import EDITS, REDUCE, TANH, apply
from scripts.published.figures import HALVES, figures
from scripts.published.kernels import ROWS
from scripts.published.llk import AFTER, BEFORE, Found, _swapped, listed, pairs_of, read
from scripts.published.llk import summary as of_llk
from scripts.published.months import Month, of_month
from scripts.published.page import BLOCK
from scripts.published.probes import PROBES
from tensix_gdb.gdbstub.llk.suite import LLK, CannotPrepare

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


def test_an_instruction_that_waits_for_dst_keeps_its_turn() -> None:
    """T1 works on blocks of Dst that nothing waits for, and has no more than T0."""
    rows = [one for one in figures() if one.id.startswith("MVMUL_MOVING.2.") and one.n == 32]
    assert len(rows) == 2
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
    name = f"perf_eltwise_unary_sfpu-{row.wheel}"
    report = tmp_path / name / "perf_eltwise_unary_sfpu.post.csv"
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


def test_both_figures_of_a_pair_are_there_and_of_one_measurement() -> None:
    rows = {row.id: row for row in listed()}
    before = [name for name in rows if name.endswith(BEFORE)]
    after = [name for name in rows if name.endswith(AFTER)]
    assert [name.removesuffix(BEFORE) for name in before] == [
        name.removesuffix(AFTER) for name in after
    ]
    assert len(before) == 21
    for name in before:
        first, second = rows[name], rows[name.removesuffix(BEFORE) + AFTER]
        assert (first.wheel, first.swapped, first.edited) != (
            *(second.wheel, second.swapped, second.edited),
        )
        same = ("file", "columns", "run_type", "marker", "runtime", "source")
        assert all(getattr(first, each) == getattr(second, each) for each in same)


def test_a_pair_agrees_if_the_same_one_is_shorter() -> None:
    rows = {row.id: row for row in listed()}
    before, after = (rows[f"abs.int32{end}"] for end in (BEFORE, AFTER))
    assert before.silicon > after.silicon
    for ours, agrees in ((140.0, True), (150.0, False), (160.0, False)):
        (pair,) = pairs_of([Found(before, 150.0), Found(after, ours)])
        assert pair.name == "abs.int32"
        assert pair.agrees == agrees
    assert not pairs_of([Found(before, 150.0)])


RUN_TYPES = """ALL_PERF_RUN_TYPES = [
    PerfRunType.L1_TO_L1,
]
@parametrize(
    mathop=[
        MathOperation.Abs,
    ],
)
def test(): run(run_types=[PerfRunType.L1_TO_L1], loop=[1])
"""


def test_a_suite_of_a_month_measures_what_is_asked(tmp_path: Path) -> None:
    """Two wheels that are only as large as it takes: a file of the one is put into the other."""
    start = 'ARCH_NON_COMPUTE = "-mcpu=tt-bh"'
    for version in ("1.0", "1.1"):
        with zipfile.ZipFile(tmp_path / f"{version}.whl", "w") as wheel:
            root = "ttnn/tt_metal/tt-llk"
            wheel.writestr(f"{root}/tests/python_tests/perf_a.py", RUN_TYPES)
            wheel.writestr(f"{root}/tests/python_tests/helpers/test_config.py", start)
            wheel.writestr(f"{root}/tt_llk_blackhole/common/inc/a.h", version)
            wheel.writestr(f"{root}/tt_llk_blackhole/common/inc/b.h", version)
    root = tmp_path / "month"
    swapped = {"1.1": ["tt-llk/tt_llk_blackhole/common/inc/b.h"]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(months, "wheel_of", lambda version: tmp_path / f"{version}.whl")
        month = Month("1.0", swapped)
        of_month(root, month, "perf_a.py", ["MATH_ISOLATE"], ["Abs", "Gelu"])
    tests = root / months.TESTS
    text = (tests / "perf_a.py").read_text()
    assert "ALL_PERF_RUN_TYPES = [PerfRunType.MATH_ISOLATE]" in text
    assert "run_types=[PerfRunType.MATH_ISOLATE], loop=[1]" in text
    assert "mathop=[MathOperation.Gelu, \n        MathOperation.Abs," in text
    assert (tests / "helpers/test_config.py").read_text() == start[:-1] + '-tensix"'
    common = root / LLK / "tt_llk_blackhole/common/inc"
    assert (common / "a.h").read_text() == "1.0"
    assert (common / "b.h").read_text() == "1.1"


def test_files_of_other_versions_are_listed_by_version() -> None:
    text = "0.74.0:hw/a.h 0.75.0:tt-llk/b.h 0.74.0:c.h"
    assert _swapped(text) == {"0.74.0": ["hw/a.h", "c.h"], "0.75.0": ["tt-llk/b.h"]}
    assert _swapped("") == {}


def test_each_rule_of_replacement_is_of_a_figure() -> None:
    assert {name for row in listed() for name in row.edited.split()} == set(EDITS)


FLAGS = """inline void reduce_row_perform_transpose() {
    math::_configure_preserve_zero_flag_state_();
    TTI_TRNSPSRCB;
    math::_configure_default_zero_flag_state_();
}
inline void _llk_math_reduce_init_() { math::_configure_default_zero_flag_state_(); }
"""


def test_a_side_that_no_wheel_has_is_made_by_a_rule(tmp_path: Path) -> None:
    file = tmp_path / REDUCE
    file.parent.mkdir(parents=True)
    file.write_text(FLAGS)
    apply("flag", tmp_path)
    transpose, init = file.read_text().split("inline void _llk")
    assert "TTI_TRNSPSRCB" in transpose
    assert "zero_flag" not in transpose
    assert "_configure_preserve_zero_flag_state_();" in init
    with pytest.raises(CannotPrepare, match="is not in it"):
        apply("flag", tmp_path)  # there is nothing left of it


def test_vectors_are_loaded_ahead_of_the_store_of_the_one_before(tmp_path: Path) -> None:
    file = tmp_path / TANH
    file.parent.mkdir(parents=True)
    file.write_text("void calculate_tanh() { sfpi::vUInt l0 = a; l_reg[sfpi::LRegs::LReg2] = l2; }")
    apply("turned", tmp_path)
    text = file.read_text()
    order = [text.index(one) for one in ("ADDR_MOD_7, 0);", "TTI_SFPLUTFP32", "ADDR_MOD_7, 2);")]
    assert order == sorted(order)
    assert text.index("TTI_SFPSTORE") > order[-1]
    assert text.count("TTI_SFPLOAD(") == text.count("TTI_SFPSTORE(") == 32
