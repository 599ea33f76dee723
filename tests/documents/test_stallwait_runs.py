# SPDX-License-Identifier: Apache-2.0
"""Blackhole's page STALLWAIT.md, row by row, on the machine (the text: test_stallwait.py)."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.memory import streams
from tensix_gdb.core.tensix.gate.latch import NONE, STALLWAIT
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.instruction import Catch
from tensix_gdb.core.tensix.scalar.pipeline import LOAD_L1
from tensix_gdb.core.tensix.table import by_mnemonic
from tests.core.isa.test_tensix_table import NEVER, ONLY_ALL, gate_table
from tests.documents.on_the_machine import LATER, after, held

BH = by_mnemonic(Arch.BLACKHOLE)
ALL = 0x1FF
BUSY = {"busy.unpacker[0,0]": 1}  # C1 is never met
NOP = 0x02000000
# What never comes to the gate, as words that lead to nothing else there.
FRONTEND = {
    "MOP": 0x01000000,
    "MOP_CFG": 0x03000000,
    "REPLAY": 0x04000000 | 1 << 4 | 1,
    "RESOURCEDECL": 0x05000000,
}
MOP_OF_NOPS = {f"mop_config.word[0,{i}]": NOP for i in range(2, 9)}


def is_held(word: int, block: int) -> bool:
    stall = 0xA2000000 | block << 15 | 1 << 1
    record = after(6, [(0, stall), (0, word)], BUSY | MOP_OF_NOPS)
    return held(record) is Held.LATCHED_WAIT


@pytest.mark.parametrize("mnemonic", sorted(gate_table()))
def test_block_mask(mnemonic: str) -> None:
    """The row of an instruction: which bits keep it from starting, each alone, and all at once."""
    blocked = gate_table()[mnemonic]
    for row in BH[mnemonic]:
        marks = [bit for bit in range(9) if is_held(row.encoding.match, 1 << bit)]
        assert marks == [bit for bit in range(9) if blocked >> bit & 1], row.name
        assert is_held(row.encoding.match, ALL)


@pytest.mark.parametrize("mnemonic", sorted(ONLY_ALL))
def test_special_case(mnemonic: str) -> None:
    """Blocked if all bits of the block mask are set."""
    (row,) = BH[mnemonic]
    assert row.gate is Catch.ONLY_ALL
    assert is_held(row.encoding.match, ALL)
    assert not any(is_held(row.encoding.match, ALL & ~(1 << bit)) for bit in range(9))


@pytest.mark.parametrize("mnemonic", sorted(NEVER))
def test_never_reaches_the_wait_gate(mnemonic: str) -> None:
    """Also a full mask does not hold them. What a MOP expands to is held, if there is anything."""
    word = FRONTEND[mnemonic]
    record = after(6, [(0, 0xA2000000 | ALL << 15 | 2), (0, word)], BUSY | MOP_OF_NOPS)
    waiting = record.S.fifo.count[0, 2] + record.S.fifo.count[0, 1] + record.S.fifo.count[0, 0]
    assert waiting == (1 if mnemonic == "MOP" else 0)


# The four banks in the hands of those who work on them: C5 to C8 are met.
MET = {
    **{"busy.src_client[0,1]": 1, "busy.src_client[1,1]": 1},
    **{"busy.matrix_bank[0]": 1, "busy.matrix_bank[1]": 1},
}
# Bit, "keep on waiting and blocking if", as state of the machine.
KEEP_ON = [
    ("C0", {"thcon.requests": 1, "thcon.kind[0]": LOAD_L1, "thcon.size[0]": 4,
            "thcon.when[0]": LATER}),
    ("C1", {"busy.unpacker[0,0]": 1}),
    ("C2", {"busy.unpacker[1,0]": 1}),
    ("C3", {"busy.packer[0]": 1}),
    ("C4", {"busy.matrix[0]": 1}),
    ("C5", {"busy.unpack_bank[0]": 1}),
    ("C6", {"busy.unpack_bank[1]": 1}),
    ("C7", {"busy.matrix_bank[0]": 0}),
    ("C8", {"busy.matrix_bank[1]": 0}),
    ("C9", {"busy.mover": 1, "mover.left": 1, "mover.due": LATER}),
    ("C10", {f"stream.count[{T0},{streams.GPR}]": 1}),
    ("C11", {"busy.vector[0]": 1}),
]  # fmt: skip
# The same of another thread, where the page says "the current thread".
OTHERS = [
    ("C0", {"thcon.requests": 1, "thcon.kind[0]": LOAD_L1, "thcon.owner[0]": 1,
            "thcon.when[0]": LATER}),
    ("C1", {"busy.unpacker[0,1]": 1}),
    ("C2", {"busy.unpacker[1,2]": 1}),
    ("C3", {"busy.packer[1]": 1}),
    ("C10", {f"stream.count[{T0 + 1},{streams.GPR}]": 1}),
]  # fmt: skip


def waits(state: dict[str, int], *conditions: int, thread: int = 0) -> bool:
    """Is a STALLWAIT for these conditions still latched after some cycles?"""
    mask = sum(1 << one for one in set(conditions))
    record = after(4, [(thread, 0xA2000000 | 1 << 16 | mask)], MET | state)
    kind = record.S.latch.kind[thread]
    assert kind in (NONE, STALLWAIT)
    return bool(kind)


@pytest.mark.parametrize(("name", "state"), KEEP_ON, ids=lambda v: v if isinstance(v, str) else "")
def test_condition_mask(name: str, state: dict[str, int]) -> None:
    """The condition, and no other, keeps on waiting; together with any other it does, too."""
    bit = int(name[1:])
    assert [one for one in range(13) if waits(state, one)] == [bit]
    assert all(waits(state, one, bit) for one in range(13))


@pytest.mark.parametrize(("name", "state"), OTHERS, ids=lambda v: v if isinstance(v, str) else "")
def test_conditions_of_the_current_thread(name: str, state: dict[str, int]) -> None:
    assert not waits(state, int(name[1:]))


@pytest.mark.parametrize("stream", [streams.GPR, streams.CONFIG, streams.TDMA])
def test_c10_is_about_gprs_configuration_and_tdma(stream: int) -> None:
    assert waits({f"stream.count[{T0},{stream}]": 1}, 10)


@pytest.mark.parametrize("stream", [streams.L1, streams.SEMAPHORE, streams.PUSH])
def test_c10_is_about_nothing_else(stream: int) -> None:
    assert not waits({f"stream.count[{T0},{stream}]": 1}, 10)


@pytest.mark.parametrize("thread", [0, 1])
def test_c12_is_about_any_thread(thread: int) -> None:
    """An instruction of T1 in every stage, one after the other, keeps T0 and T1 waiting."""
    stall = (thread, 0xA2000000 | 1 << 16 | 1 << 12)
    program = [(1, "STREAMWRCFG cfg_index=100"), stall, (thread, "SEMPOST sem=S0")]
    posted = [after(cycles, program).S.semaphore.value[0] for cycles in range(1, 12)]
    assert posted == sorted(posted)
    assert posted[-1] == 1
    # Five stages, the end of the wait, and the cycle in which the next instruction passes; the
    # instructions come to the gates two cycles after they were pushed.
    assert posted.index(1) >= 2 + 5


def test_the_last_instruction_until_all_conditions_are_met() -> None:
    """All block bits: the STALLWAIT is the last instruction executed by the thread."""
    program = [(0, "STALLWAIT block=ALL, wait=C1"), (0, "NOP"), (0, "SETADC u0=1, new_value=5"),
               (1, "SETADC u0=1, new_value=5")]  # fmt: skip
    record = after(20, program, BUSY)
    assert [record.S.adc.value[thread, 0, 0, 0] for thread in (0, 1)] == [0, 5]
    assert record.S.fifo.count[0, 2] == 2


def test_a_lag_of_one_cycle() -> None:
    """The instruction behind it is subject to the mask for at least a cycle, even when met."""
    program = [(0, "STALLWAIT block=B0, wait=C1"), (0, "SETADC u0=1, new_value=5")]
    seen = [after(cycles, program).S.adc.value[0, 0, 0, 0] for cycles in range(1, 8)]
    plain = [after(cycles, [(0, "NOP"), program[1]]).S.adc.value[0, 0, 0, 0]
             for cycles in range(1, 8)]  # fmt: skip
    assert seen.index(5) == plain.index(5) + 1


def test_a_new_wait_never_replaces_a_latched_one() -> None:
    for text in ("STALLWAIT block=B0, wait=C2", "SEMWAIT block=B0, sem=S0, wait=C1",
                 "STREAMWAIT block=B0"):  # fmt: skip
        record = after(20, [(0, "STALLWAIT block=B8, wait=C1"), (0, text)], BUSY)
        assert record.S.latch.conditions[0] == 2
        assert held(record) is Held.LATCHED_WAIT


def test_defaults() -> None:
    """Condition mask 0: C0 to C3; block mask 0: B6."""
    record = after(20, [(0, 0xA2000000)], BUSY)
    assert (record.S.latch.conditions[0], record.S.latch.block[0]) == (0x0F, 1 << 6)
