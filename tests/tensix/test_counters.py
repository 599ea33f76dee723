# SPDX-License-Identifier: Apache-2.0
"""Address counters and row counters, by the functional models of their pages."""

from __future__ import annotations

from core.machine import Machine
from core.stop import StopKind
from tests.tensix.programs import run_thread


def ends(machine: Machine, texts: list[str], thread: int = 0) -> None:
    stop = run_thread(machine, texts, thread)
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED, stop.text


def test_set_add_and_return(tile: Machine) -> None:
    ends(tile, [
        "SETADCXY pk=1, u1=0, u0=1, y1_val=7, x1_val=6, y0_val=5, x0_val=4, y1=1, x1=0, y0=1, x0=1",
        "INCADCXY pk=0, u1=0, u0=1, y1_inc=4, x1_inc=3, y0_inc=2, x0_inc=1",
        "ADDRCRXY pk=1, u1=0, u0=0, y1_inc=1, x1_inc=2, y0_inc=3, x0_inc=4, y1=0, x1=1, y0=1, x0=0",
    ], 1)  # fmt: skip
    adc = tile.record.S.adc
    assert [adc.value[1, 0, c, a] for c in (0, 1) for a in (0, 1)] == [5, 7, 3, 11]
    assert [adc.cr[1, 0, c, a] for c in (0, 1) for a in (0, 1)] == [4, 5, 0, 7]
    assert [adc.value[1, 2, c, a] for c in (0, 1) for a in (0, 1)] == [4, 8, 2, 7]
    assert [adc.cr[1, 2, c, a] for c in (0, 1) for a in (0, 1)] == [4, 8, 2, 7]
    assert not any(adc.value[1, 1, c, a] for c in (0, 1) for a in range(4))


def test_row_counters(tile: Machine) -> None:
    ends(tile, [
        "SETRWC dst_val=15, src_b_val=3, src_a_val=2, dst=1, src_b=1, src_a=1",
        "INCRWC dst_inc=4, src_b_inc=1, src_a_inc=1",
        "INCRWC dst_cr=1, dst_inc=3, src_b_cr=1, src_b_inc=2",
        "SETRWC dst_c_to_cr=1, dst_val=1",
    ], 2)  # fmt: skip
    rwc = tile.record.S.rwc
    assert (rwc.dst[2], rwc.dst_cr[2]) == (19, 19)
    assert (rwc.src_a[2], rwc.src_a_cr[2]) == (3, 2)
    assert (rwc.src_b[2], rwc.src_b_cr[2]) == (5, 5)
