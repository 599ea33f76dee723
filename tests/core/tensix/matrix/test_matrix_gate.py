# SPDX-License-Identifier: Apache-2.0
"""The Matrix Unit at the gate: who waits for a source bank, and what stops by name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.matrix.formats import ONE_BANK_WORD
from tensix_gdb.core.tensix.matrix.source_banks import WAITS_FOR
from tests.core.tensix.drive import refused, run_thread
from tests.machines import machine_on

A, B = 1, 2
MODES = {"GMPOOL": " dimension=1", "GAPOOL": " dimension=1", "SHIFTXA": " direction=LEFT"}
GIVE = {A: "SETDVALID flip_src_a=1", B: "SETDVALID flip_src_b=1"}
# Pages without a loop for the bank: these continue at once.
DO_NOT_WAIT = ("MOVD2A", "MOVD2B", "MOVDBGA2D", "ZEROSRC clear_src_a=1", "SETRWC", "CLREXPHIST",
               "ZEROACC clear_mode=ALL_OF_DST", "CLEARDVALID flip_src_a=1", "INCRWC")  # fmt: skip


@pytest.fixture(params=[Schedule.SC, Schedule.LATENCY], ids=lambda s: s.name.lower())
def machine(request: pytest.FixtureRequest) -> Iterator[Machine]:
    made = machine_on("compiled", request.param)
    yield made
    made.close()


def passes(machine: Machine, text: str, thread: int = 1) -> bool:
    """Run it; False if it still waits."""
    stop = run_thread(machine, [text], thread)
    if stop is None:
        return False
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    return True


@pytest.mark.parametrize("mnemonic", sorted(WAITS_FOR))
def test_who_waits_for_which_bank(machine: Machine, mnemonic: str) -> None:
    text = mnemonic + MODES.get(mnemonic, "")
    assert not passes(machine, text)
    assert machine.record.S.gate.held[1] == Held.SOURCE_BANK
    needed = [source for source in (A, B) if WAITS_FOR[mnemonic] & source]
    useless = [source for source in (A, B) if source not in needed]
    for source in (*useless, *needed[:-1]):
        assert not passes(machine, GIVE[source], 2), "thread 1 is not done"
        assert machine.record.S.fifo.count[1, 2] == 1, "it still waits"
        assert machine.record.S.gate.held[1] == Held.SOURCE_BANK
    assert passes(machine, GIVE[needed[-1]], 2)
    assert machine.record.S.fifo.count[1, 2] == 0
    assert machine.record.S.gate.held[1] == Held.NOT


@pytest.mark.parametrize("text", DO_NOT_WAIT)
def test_who_does_not(machine: Machine, text: str) -> None:
    assert passes(machine, text)


@pytest.mark.parametrize(
    ("text", "config", "code"),
    [
        ("MVMUL", {"stochastic": 1}, Fault.TENSIX_MATRIX_MODE),
        ("ELWADD", {"stochastic": 1}, Fault.TENSIX_MATRIX_MODE),
        ("ELWMUL", {"one bank": 1}, Fault.TENSIX_MATRIX_MODE),
        ("GMPOOL dimension=1", {"one bank": 2}, Fault.TENSIX_MATRIX_MODE),
        ("GAPOOL", {"format": 12}, Fault.TENSIX_MATRIX_MODE),
        ("GMPOOL", {}, Fault.TENSIX_MATRIX_MODE),
        ("MOVD2A use_dst_32b_lo=1", {}, Fault.TENSIX_MOVE_WIDTH),
        ("MOVD2B", {"format": 4}, Fault.TENSIX_MOVE_WIDTH),
        ("MOVA2D use_dst_32b_lo=1", {"format": 4}, Fault.TENSIX_MOVE_TF32_LOW),
        ("MOVDBGA2D use_dst_32b_lo=1", {"format": 4}, Fault.TENSIX_MOVE_TF32_LOW),
        ("MOVB2D use_dst_32b_lo=1", {"format": 4}, Fault.TENSIX_MOVE_TF32_LOW),
        ("ZEROACC clear_mode=ONE_ROW, revert=1", {}, Fault.TENSIX_MODE),
        ("SHIFTXA direction=1", {}, Fault.TENSIX_MODE),
        ("ZEROACC clear_mode=ALL_OF_DST, revert=1", {}, Fault.TENSIX_MODE),
    ],
)
def test_what_no_page_knows_stops(
    machine: Machine, text: str, config: dict[str, int], code: Fault
) -> None:
    S = machine.record.S
    for source in range(2):
        S.busy.src_client[source, 0] = 1
        S.src.format[source, 0] = config.get("format", 5)
    S.config.word[0, 1] = config.get("stochastic", 0)
    S.config.word[0, ONE_BANK_WORD] = config.get("one bank", 0)
    before = [int(S.dst.bits[0, 0]), int(S.rwc.dst[1]), int(S.busy.matrix_bank[0])]
    stop = refused(machine, text, thread=1)
    assert stop.code == code, stop.text
    assert text.split()[0] in stop.text
    assert before == [int(S.dst.bits[0, 0]), int(S.rwc.dst[1]), int(S.busy.matrix_bank[0])]
    assert not S.busy.matrix[1]


FPU_BIT, ZEROACC_BIT = 1 << 10, 1 << 17


def test_soft_reset_of_the_unit(machine: Machine) -> None:
    S = machine.record.S
    S.busy.matrix[1] = S.fpu_pipe.count = S.fpu_pipe.busy = 1
    S.fpu_pipe.thread[0] = 1
    S.fpu_pipe.due[0] = 1000
    held = int(S.tile_control.soft_reset)
    set_soft_reset(S, held | FPU_BIT)
    assert not S.busy.matrix[1]
    assert not passes(machine, "SETRWC dst=1, dst_val=3"), "nothing starts"
    set_soft_reset(S, int(S.tile_control.soft_reset) & ~FPU_BIT)
    assert passes(machine, "NOP", 2)
    assert S.rwc.dst[1] == 3


def test_soft_reset_of_zeroacc(machine: Machine) -> None:
    S = machine.record.S
    assert passes(machine, "ZEROACC clear_mode=ALL_OF_DST")
    assert S.dst.undefined[77] == 0xFFFF
    set_soft_reset(S, int(S.tile_control.soft_reset) | ZEROACC_BIT)
    assert not any(S.dst.undefined[at] for at in range(1024))
    assert passes(machine, "ZEROACC clear_mode=ALL_OF_DST")
    assert not S.dst.undefined[77], "discarded"
