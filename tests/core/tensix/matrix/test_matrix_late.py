# SPDX-License-Identifier: Apache-2.0
"""The view of others on Dst while the Matrix Unit still has an instruction that writes it."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.devices import dst_window
from tensix_gdb.core.devices.dst_window import DST_BASE
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.matrix.formats import FORMAT_WORD, FP32_BIT
from tensix_gdb.core.tensix.regfiles.dst import COLUMNS, ROWS
from tests.core.tensix.drive import run_thread, start
from tests.machines import machine_on

ONE, TWO = 127, 128
LATENCY = 5
NEW = 0x3F80  # 1.0 as T0 sees it

# Every instruction that writes Dst, and which rows, from row 64 on.
WRITERS = {
    "MVMUL dst_row=64": range(64, 72),
    "MVMUL broadcast_src_b_row=1, dst_row=64": range(64, 72, 2),
    "DOTPV dst_row=67": range(64, 72),
    "GAPOOL dimension=1, dst_row=68": range(68, 72),
    "ELWADD dst_row=64": range(64, 72),
    "ELWSUB dst_row=64": range(64, 72),
    "ELWMUL dst_row=64": range(64, 72),
    "MOVA2D move_8_rows=1, dst_row=65": range(64, 72),
    "MOVA2D dst_row=65": range(65, 66),
    "MOVB2D move_4_rows=1, dst_row=69": range(68, 72),
    "MOVB2D broadcast_1_row_to_8=1, dst_row=69": range(64, 72),
    "MOVB2D dst_row=70": range(70, 71),
}


def ready(schedule: Schedule, seed: int = 1) -> Machine:
    """Sources full of numbers, Dst too."""
    machine = machine_on("compiled", schedule, seed)
    S = machine.record.S
    for source in range(2):
        S.src.format[source, 0] = 5
        S.busy.src_client[source, 0] = 1
    for row in range(64):
        for column in range(COLUMNS):
            S.src.a[0, row, column] = ONE
            S.src.b[0, row, column] = TWO
    for row in range(ROWS):
        for column in range(COLUMNS):
            S.dst.bits[row, column] = 0x100 * (row % 100) + ONE
    S.config.word[0, 3] = 0b01100 << 14  # T0 sees BF16
    return machine


def see(S: View, row: int) -> int:
    """Return what a load of T0 gets in this cycle, by the device itself."""
    return dst_window.read(S, T0, DST_BASE + 2 * COLUMNS * row, 2)


@pytest.mark.parametrize("text", WRITERS)
def test_what_is_written_and_when_it_is_seen(text: str) -> None:
    """Exactly the rows that are kept change, and for others only when the latency is over."""
    machine = ready(Schedule.LATENCY)
    S = machine.record.S
    before = [see(S, row) for row in range(ROWS)]
    start(machine, text)
    while not S.busy.matrix[0]:
        machine.run(1)
    kept = {int(S.fpu_stale.at[0, i]) for i in range(S.fpu_stale.count[0])}
    assert kept == set(WRITERS[text])
    inside = [int(S.dst.bits[row, 0]) for row in range(ROWS)]
    cycles = 0
    while S.busy.matrix[0]:
        assert [see(S, row) for row in range(ROWS)] == before
        machine.run(1)
        cycles += 1
    assert cycles == (4 if "MOV" in text else LATENCY)
    now = [see(S, row) for row in range(ROWS)]
    assert inside == [int(S.dst.bits[row, 0]) for row in range(ROWS)], "the unit itself sees it"
    assert {row for row in range(ROWS) if now[row] != before[row]} == kept
    machine.close()


def test_gmpool_keeps_four_rows() -> None:
    machine = ready(Schedule.LATENCY)
    start(machine, "GMPOOL dimension=1, dst_row=69")
    S = machine.record.S
    while not S.busy.matrix[0]:
        machine.run(1)
    assert {int(S.fpu_stale.at[0, i]) for i in range(S.fpu_stale.count[0])} == {68, 69, 70, 71}
    machine.close()


def test_writes_one_over_the_other_appear_one_by_one() -> None:
    machine = ready(Schedule.LATENCY)
    S = machine.record.S
    first = see(S, 64)
    start(machine, "MOVA2D move_8_rows=1, dst_row=64", "MOVB2D move_4_rows=1, dst_row=64")
    seen = []
    for _ in range(60):
        machine.run(1)
        seen.append(see(S, 64))
    changes = [value for i, value in enumerate(seen) if i == 0 or value != seen[i - 1]]
    assert changes == [first, 0x3F80, 0x4000]
    machine.close()


def test_a_store_is_overwritten_by_what_is_under_way() -> None:
    machine = ready(Schedule.LATENCY)
    S = machine.record.S
    start(machine, "MOVB2D move_4_rows=1, dst_row=64")
    while not S.busy.matrix[0]:
        machine.run(1)
    for row in (64, 68):
        dst_window.write(S, T0, DST_BASE + 2 * COLUMNS * row, 2, 0x1234)
        assert see(S, row) == 0x1234
    while S.busy.matrix[0]:
        machine.run(1)
    assert see(S, 64) == 0x4000, "the Matrix Unit came later"
    assert see(S, 68) == 0x1234, "a row that it does not write"
    machine.close()


def loaded(between: int, schedule: Schedule, seed: int = 1) -> int:
    """Return what SFPLOAD gets of a row that MOVB2D writes, with so many NOPs between."""
    machine = ready(schedule, seed)
    texts = ["SFPENCC imm2=3, mod1=10", "MOVB2D move_4_rows=1, dst_row=64"]
    stop = run_thread(machine, [*texts, *["NOP"] * between, "SFPLOAD vd=0, mod0=2, imm10=64"])
    assert stop is not None
    value = int(machine.record.S.vector.lreg[0, 0])
    machine.close()
    return value


def test_sfpload_needs_three_instructions_between() -> None:
    new = 0x40000000
    old = loaded(0, Schedule.LATENCY)
    assert old != new
    assert [loaded(n, Schedule.LATENCY) for n in range(5)] == [old, old, old, new, new]
    assert [loaded(n, Schedule.SC) for n in range(2)] == [new, new]
    assert {loaded(0, Schedule.RANDOM, seed) for seed in range(1, 13)} == {old, new}
    assert {loaded(3, Schedule.RANDOM, seed) for seed in range(1, 13)} == {new}


def test_movb2d_keeps_both_halves_while_fp32_is_enabled() -> None:
    """Dst is Dst32b for it then, on Blackhole."""
    machine = ready(Schedule.LATENCY)
    S = machine.record.S
    S.config.word[0, FORMAT_WORD] |= 1 << FP32_BIT
    before = [[int(S.dst.bits[row, j]) for j in range(COLUMNS)] for row in range(ROWS)]
    start(machine, "MOVB2D move_4_rows=1, dst_row=12")
    while not S.busy.matrix[0]:
        machine.run(1)
    kept = {int(S.fpu_stale.at[0, i]) for i in range(S.fpu_stale.count[0])}
    now = [[int(S.dst.bits[row, j]) for j in range(COLUMNS)] for row in range(ROWS)]
    assert kept == {*range(20, 24), *range(28, 32)}
    assert {row for row in range(ROWS) if now[row] != before[row]} == kept
    machine.close()
