# SPDX-License-Identifier: Apache-2.0
"""Metrics by the formulas of tt-metal's guide."""

from __future__ import annotations

import pytest

from tensix_gdb.core.perf.metrics import METRICS
from tensix_gdb.core.perf.reading import by_name, has_counted
from tests.machines import machine_on

KEYS = {metric.key: metric for metric in METRICS}
COUNTS = {
    "FPU cycles": 200, "INSTRN_THREAD cycles": 400, "L1 cycles": 100,
    "FPU_COUNTER": 50, "MATH_COUNTER": 60, "MATH_INSTRN_AVAILABLE": 80,
    "MATH_NOT_SCOREBOARD_STALLED": 60, "THREAD_STALLS_1": 100, "MATH_INSTRN_AVAILABLE_1": 25,
    "UNPACK0_BUSY_THREAD0": 20, "UNPACK1_BUSY_THREAD0": 10,
    "L1_0_TDMA_BUNDLE_0_RISC": 10, "L1_0_TDMA_BUNDLE_1_TRISC": 20,
}  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("fpu_utilization_pct", 25.0), ("math_thread_stall_pct", 25.0),
        ("fpu_exec_eff_ratio", 2.0), ("math_scoreboard_stall_pct", 25.0),
        ("compute_to_unpack_ratio", 2.0), ("l1_tdma_bundle_util_pct", 15.0),
        ("pack_utilization_pct", None),
    ],
)  # fmt: skip
def test_formulas(key: str, value: float | None) -> None:
    assert KEYS[key].value(COUNTS) == value


def test_nothing_to_divide_by_is_no_value() -> None:
    assert KEYS["fpu_utilization_pct"].value({"FPU_COUNTER": 0, "FPU cycles": 0}) is None


def test_formulas_are_written_as_the_guide_has_them() -> None:
    assert KEYS["fpu_utilization_pct"].formula == "FPU_COUNTER / FPU cycles"
    assert KEYS["math_scoreboard_stall_pct"].formula == (
        "1 - MATH_NOT_SCOREBOARD_STALLED / MATH_INSTRN_AVAILABLE"
    )
    assert KEYS["compute_to_unpack_ratio"].formula.endswith(
        "/ (UNPACK0_BUSY_THREAD0 + UNPACK1_BUSY_THREAD0)"
    )


def test_every_name_of_a_metric_is_a_counter() -> None:
    machine = machine_on("reference")
    assert not has_counted(machine.S)
    names = set(by_name(machine.S))
    machine.S.tile_control.perf_mux = 1 << 4
    names |= set(by_name(machine.S))
    assert len(METRICS) == len(KEYS)
    for metric in METRICS:
        assert names.issuperset((*metric.of, *metric.over)), metric.key
    machine.close()
