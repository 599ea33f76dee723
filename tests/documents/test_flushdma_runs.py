# SPDX-License-Identifier: Apache-2.0
"""Wormhole's page FLUSHDMA.md, sentence by sentence, on the machine (its text: test_flushdma.py).

The last part is what the page warns of: two threads that wait for each other because of FLUSHDMA,
and its cure, a STALLWAIT.
"""

from __future__ import annotations

import pytest

from tensix_gdb.core.litmus.data_path_setup import READY
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.scalar.pipeline import FLUSHING, FREE
from tests.core.tensix.vector_files import drive
from tests.documents.on_the_machine import after, gpr, held
from tests.vectors import both_engines

# "Keep on waiting if": of C1 to C3 the instructions of a thread in the unit. C0 has tests below.
CONDITIONS = {1: "busy.unpacker[0,{t}]", 2: "busy.unpacker[1,{t}]", 3: "busy.packer[{t}]"}
BUSY = {"busy.unpacker[0,0]": 1}
SCALAR, OTHER = "SETDMAREG new_value=7, result_half_reg=2", "SETADC u0=1, new_value=7"


def test_the_thread_executing_it_is_stalled() -> None:
    record = after(30, [(0, "FLUSHDMA wait=C1"), (0, OTHER)], BUSY)
    assert record.S.adc.value[0, 0, 0, 0] == 0
    assert held(record) is Held.OWN_SCALAR


def test_any_other_thread_attempting_a_scalar_instruction_is_stalled() -> None:
    program = [(0, "FLUSHDMA wait=C1"), (1, "NOP"), (1, SCALAR), (2, OTHER)]
    record = after(30, program, BUSY)
    assert gpr(record, 1, thread=1) == 0
    assert held(record, 1) is Held.UNIT
    # Other instructions of other threads are not.
    assert record.S.adc.value[2, 0, 0, 0] == 7


def test_stallwait_does_not_block_other_threads() -> None:
    """The same condition mask, and all bits of the block mask set."""
    program = [(0, "STALLWAIT block=ALL, wait=C1"), (0, OTHER), (1, "NOP"), (1, SCALAR)]
    record = after(30, program, BUSY)
    assert record.S.adc.value[0, 0, 0, 0] == 0
    assert gpr(record, 1, thread=1) == 7


@pytest.mark.parametrize("bit", [1, 2, 3])
def test_conditions_are_those_of_the_current_thread(bit: int) -> None:
    name = CONDITIONS[bit]
    for thread, waits in ((1, True), (0, False), (2, False)):
        record = after(20, [(1, 0x46000000 | 1 << bit)], {name.format(t=thread): 1})
        assert (record.S.thcon.state == FLUSHING) is waits


def test_c0_waits_until_the_gpr_has_what_was_loaded() -> None:
    load = "LOADIND size=BITS_32, offset_half_reg=4, result_reg=10, addr_reg=1"
    add = "ADDDMAREG result_reg=11, right_imm6=0, left_reg=10"
    state = {"gpr.word[1]": 0x10, "l1.word[64]": 5}
    assert gpr(after(60, [(0, load), (0, "FLUSHDMA wait=C0"), (0, add)], state), 11) == 5
    assert gpr(after(60, [(0, load), (0, add)], state), 11) == 0


def test_all_conditions_are_met_simultaneously() -> None:
    """One that was met and is not any more counts again."""
    record = after(10, [(0, "FLUSHDMA")], {"busy.unpacker[0,0]": 1, "busy.packer[0]": 1})
    S = record.S
    S.busy.unpacker[0, 0] = 0
    both_engines(drive, record, 10)
    assert S.thcon.state == FLUSHING
    S.busy.unpacker[0, 0], S.busy.packer[0] = 1, 0
    both_engines(drive, record, 10)
    assert S.thcon.state == FLUSHING
    S.busy.unpacker[0, 0] = 0
    both_engines(drive, record, 10)
    assert S.thcon.state == FREE


def test_condition_mask_0_is_0xf() -> None:
    for bit in (1, 2, 3):
        record = after(20, [(0, 0x46000000)], {CONDITIONS[bit].format(t=0): 1})
        assert (record.S.thcon.state, record.S.thcon.value) == (FLUSHING, 0xF)


def test_at_least_two_cycles() -> None:
    program = [(0, "FLUSHDMA wait=C1"), (0, OTHER)]
    seen = [after(n, program).S.adc.value[0, 0, 0, 0] for n in range(1, 10)]
    plain = [after(n, [(0, "NOP"), program[1]]).S.adc.value[0, 0, 0, 0] for n in range(1, 10)]
    assert 1 + seen.index(7) - plain.index(7) == 2


# Two threads. T0 unpacks into a bank of SrcA that the Matrix Unit still has, and waits for its
# unpacker. T1 frees the bank, behind an instruction of the Scalar Unit.
UNPACR = "UNPACR.Regular which_unpacker=0, multi_context_mode=1"
T1 = [(1, "NOP"), (1, "NOP"), (1, SCALAR), (1, "CLEARDVALID flip_src_a=1")]
CONFIG = {row: value for row, value in READY["unpacker 0"].items() if row.startswith("config")}
NOT_FREE = {"busy.src_client[0,0]": 1, **CONFIG}


def two_threads(wait: str) -> Record:
    return after(2000, [(0, UNPACR), (0, wait), (0, OTHER), *T1], NOT_FREE)


def test_deadlock() -> None:
    """T0 is in the Scalar Unit for the unpacker, the unpacker waits for the bank, who would free it
    is behind who wants the Scalar Unit. Nothing of this is over after any time."""
    record = two_threads("FLUSHDMA wait=C1")
    S = record.S
    assert (S.thcon.state, S.thcon.thread, S.thcon.value) == (FLUSHING, 0, 1 << 1)
    assert S.busy.unpacker[0, 0] == 1
    assert S.busy.src_client[0, 0] == 1
    assert (held(record, 0), held(record, 1)) == (Held.OWN_SCALAR, Held.UNIT)
    assert S.fifo.count[1, 2] == 2  # the SETDMAREG, and the CLEARDVALID behind it
    before = record.state()
    both_engines(drive, record, 1)
    S.tile.cycle -= 1
    assert record.hash() == _hash_of(before)


def _hash_of(state: bytes) -> str:
    other = Record(LAYOUT)
    other.restore(bytearray(state))
    return other.hash()


def test_its_cure() -> None:
    record = two_threads("STALLWAIT block=ALL, wait=C1")
    S = record.S
    assert gpr(record, 1, thread=1) == 7
    assert S.busy.unpacker[0, 0] == 0
    assert S.adc.value[0, 0, 0, 0] == 7
    assert not S.tensix.active
