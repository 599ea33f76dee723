# SPDX-License-Identifier: Apache-2.0
"""The time that the Matrix Unit has an instruction, and what waits for it at the gate."""

from __future__ import annotations

import pytest

from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.gate.wait_gate import MATRIX
from tensix_gdb.core.tensix.matrix.pipeline import DST_CYCLES
from tests.core.tensix.drive import ends, every_cycle, start
from tests.machines import machine_on

BANKS = "SETDVALID flip_src_b=1, flip_src_a=1"


def cycles(*texts: str, schedule: Schedule = Schedule.LATENCY) -> int:
    """Cycles of the texts behind a NOP, from their first one at the gate to the last one's pass.

    They come from a MOP-free program of one push each, so that a NOP takes one cycle.
    """
    machine = machine_on("compiled", schedule)
    # The values are known: BF16, 16 bits of Dst.
    for bank in range(2):
        machine.record.S.src.format[0, bank] = 5
        machine.record.S.src.format[1, bank] = 5
    ends(machine, BANKS, thread=1)
    long = ends(machine, *texts, *["NOP"] * 20, thread=1)
    machine.close()
    return long


def added(first: str, second: str) -> int:
    """Cycles that `second` waits directly behind `first`."""
    return cycles(first, second) - cycles(first, *["NOP"] * 8, second) + 8


READERS = (
    "MOVD2A move_4_rows=1, dst_row=64",
    "MOVD2B move_4_rows=1, dst_row=64",
    "ELWMUL dst_row=64",
    "MVMUL dst_row=64",
    "DOTPV dst_row=64",
    "GAPOOL dimension=1, dst_row=64",
    "GMPOOL dimension=1, dst_row=64",
)
MVMUL_0, MVMUL_8 = "MVMUL dst_row=0", "MVMUL dst_row=8"


@pytest.mark.parametrize(
    ("first", "second", "waits"),
    [
        (MVMUL_0, MVMUL_0, DST_CYCLES),
        (MVMUL_0, MVMUL_8, 0),
        (MVMUL_0, "ELWADD add_dst=1, dst_row=0", DST_CYCLES),
        (MVMUL_0, "ELWADD dst_row=0", DST_CYCLES),
        (MVMUL_0, "ELWADD dst_row=8", 0),
        ("ELWADD dst_row=16", "GAPOOL dimension=1, dst_row=20", DST_CYCLES),
        ("GMPOOL dimension=1, dst_row=16", "MOVD2A dst_row=17", DST_CYCLES),
        ("GMPOOL dimension=1, dst_row=16", "MOVD2B dst_row=24", 0),
        *(("MOVA2D move_8_rows=1", reader, 3) for reader in READERS),
        *(("MOVB2D move_4_rows=1", reader, 3) for reader in READERS),
        ("MOVA2D move_8_rows=1", "ELWADD add_dst=1, dst_row=64", 0),
        ("MOVD2B", "MOVD2B", 0),
        ("MOVD2B", "MOVD2A", 3),
        ("MOVD2B", "SETRWC", 3),
        ("MOVD2A", "MOVB2A", 0),
        ("MOVB2A", "MOVD2A", 0),
        ("MOVD2A", MVMUL_0, 1),
        ("MOVB2A", "MOVB2D move_4_rows=1", 1),
        ("SHIFTXB", "SHIFTXB", 1),
        ("SHIFTXB", "ZEROACC clear_mode=ALL_OF_DST", 1),
        ("ZEROACC clear_mode=ALL_OF_DST", MVMUL_0, 0),
    ],
)
def test_what_is_kept_back(first: str, second: str, waits: int) -> None:
    assert added(first, second) == waits


def test_so_many_blocks_keep_the_unit_busy_and_one_less_does_not() -> None:
    enough = DST_CYCLES + 1
    busy = [f"MVMUL dst_row={8 * (i % enough)}" for i in range(40)]
    less = [f"MVMUL dst_row={8 * (i % (enough - 1))}" for i in range(40)]
    # One cycle in each round but the first.
    assert cycles(*less) - cycles(*busy) == (40 - 1) // (enough - 1)


def test_an_instruction_that_waits_for_dst_keeps_its_turn() -> None:
    """Mesham/tt-sim, 2026-08-12b: a thread onto moving blocks gets as much as one onto the same."""
    machine = machine_on("compiled", Schedule.LATENCY)
    for bank in range(2):
        machine.record.S.src.format[0, bank] = machine.record.S.src.format[1, bank] = 5
    ends(machine, BANKS, thread=1)
    start(machine, *[MVMUL_0] * 20, thread=1)
    start(machine, *(f"MVMUL dst_row={64 + 8 * (i % 8)}" for i in range(20)), thread=2)
    last = dict.fromkeys((1, 2), 0)
    for _ in every_cycle(machine):
        for thread in last:
            last[thread] = max(last[thread], int(machine.record.S.passed.to_when[thread, MATRIX]))
    machine.close()
    first, second = sorted(last.values())
    assert second > 20 * DST_CYCLES
    assert second - first <= DST_CYCLES + 1


@pytest.mark.parametrize(
    ("text", "latency"),
    [
        (MVMUL_0, 5), ("DOTPV", 5), ("GAPOOL dimension=1", 5), ("GMPOOL dimension=1", 5),
        ("ELWMUL", 5), ("ELWADD", 5), ("ELWSUB", 5), ("SETRWC", 1), ("INCRWC", 1),
        ("CLEARDVALID flip_src_a=1", 1), ("CLREXPHIST", 1), ("GATESRCRST", 1), ("TRNSPSRCB", 1),
        ("SHIFTXA direction=LEFT", 1), ("ZEROACC clear_mode=ALL_OF_DST", 1),
        ("ZEROSRC clear_src_a=1", 1), ("SHIFTXB", 2), ("MOVD2A", 2), ("MOVA2D", 4),
        ("MOVDBGA2D", 4), ("MOVB2D", 4), ("MOVB2A", 4), ("MOVD2B", 4),
    ],
)  # fmt: skip
def test_c4_waits_for_the_latency(text: str, latency: int) -> None:
    wait = "STALLWAIT block=B0|B1|B2|B3|B4|B5|B6|B7|B8, wait=C4"
    without = "STALLWAIT block=B0|B1|B2|B3|B4|B5|B6|B7|B8, wait=C9"
    assert cycles(text, wait, "NOP") - cycles(text, without, "NOP") == max(latency - 2, 0)


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
def test_nothing_is_left_behind(schedule: Schedule) -> None:
    machine = machine_on("compiled", schedule)
    for bank in range(2):
        machine.record.S.src.format[0, bank] = 5
        machine.record.S.src.format[1, bank] = 5
    texts = [MVMUL_0, "ELWADD", "MOVA2D", "MOVD2B", "MOVB2A", "SHIFTXB", "GMPOOL dimension=1"]
    ends(machine, BANKS, BANKS, *texts * 3, thread=1)
    S = machine.record.S
    assert [S.busy.matrix[i] for i in range(3)] == [0, 0, 0]
    assert not S.fpu_pipe.busy
    assert not S.tensix.active
    machine.close()


def row_of_b(seed: int, *between: str) -> int:
    """Return what MOVD2B finds in Dst after an MVMUL that makes 1.0 of 0."""
    machine = machine_on("compiled", Schedule.RANDOM, seed=seed)
    S = machine.record.S
    one = 127
    for bank in range(2):
        S.src.format[0, bank] = S.src.format[1, bank] = 5
        S.src.a[bank, 0, 0] = S.src.b[bank, 0, 0] = one
    ends(machine, BANKS, thread=1)
    ends(machine, "MVMUL dst_row=0", *between, "MOVD2B src_row=16, dst_row=0", thread=1)
    found = int(S.src.b[S.busy.matrix_bank[1], 16, 0])
    assert S.dst.bits[0, 0] == one, "Dst itself is new in any case"
    assert found in (0, one)
    machine.close()
    return found


def test_movd2b_may_overlook_mvmul_in_random() -> None:
    assert {row_of_b(seed) for seed in range(1, 13)} == {0, 127}
    wait = "STALLWAIT block=B6, wait=C4"
    assert {row_of_b(seed, wait) for seed in range(1, 13)} == {127}
