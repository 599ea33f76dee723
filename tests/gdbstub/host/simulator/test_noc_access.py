# SPDX-License-Identifier: Apache-2.0
"""The host's view of the tile and what it cannot do to it."""

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import SOFT_RESET_HARTS, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.schedule import Schedule
from tests.assembler import SPIN, asm, image, li

SOFT_RESET_0 = 0xFFB121B0
FLAG = 0x8000


@pytest.fixture
def machine() -> Iterator[Machine]:
    made = Machine(engine="reference", schedule=Schedule.LATENCY)
    yield made
    made.close()


@pytest.fixture
def noc(machine: Machine) -> NocAccess:
    return NocAccess(machine.record, machine.memory)


def test_l1_and_registers(noc: NocAccess) -> None:
    noc.write(0x1001, b"abc")
    assert noc.read(0x1000, 5) == b"\0abc\0"
    assert int.from_bytes(noc.read(SOFT_RESET_0, 4), "little") == SOFT_RESET_HARTS
    noc.write(SOFT_RESET_0, (0).to_bytes(4, "little"))
    assert noc.read(SOFT_RESET_0 + 1, 2) == b"\0\0"


@pytest.mark.parametrize("addr", [0xFFB00000, 0xFFE00000, 0xFFEF0000, 0x180000, 0x1_0000_0000])
def test_what_the_noc_does_not_reach(noc: NocAccess, addr: int) -> None:
    with pytest.raises(MemoryFault, match="nothing that the NoC reaches"):
        noc.read(addr, 4)
    with pytest.raises(MemoryFault, match="nothing that the NoC reaches"):
        noc.write(addr, bytes(4))


def test_a_register_takes_words(noc: NocAccess) -> None:
    with pytest.raises(MemoryFault, match="registers take words"):
        noc.write(SOFT_RESET_0, b"\0\0")


def test_a_store_that_is_not_processed_is_not_seen(machine: Machine, noc: NocAccess) -> None:
    """A debugger sees memory in program order, the NoC sees what has happened."""
    machine.load(B, image([*li(10, FLAG), asm("sw", rs1=10, rs2=10), SPIN]))
    seen: list[bytes] = []
    while machine.peek(B, FLAG, 4) == bytes(4):
        machine.run(1)
        seen.append(noc.read(FLAG, 4))
    assert seen[-1] == bytes(4)
    machine.run(100)
    assert noc.read(FLAG, 4) == FLAG.to_bytes(4, "little")


def test_a_line_in_the_l0_cache_stays(machine: Machine, noc: NocAccess) -> None:
    """MemoryOrdering.md: L0 is not coherent; a poke of a debugger is not to be hidden by it."""
    load = asm("lw", rd=11, rs1=10)
    machine.load(B, image([*li(10, FLAG), load, asm("jal", imm=-4)]))
    machine.run(60)
    assert machine.record.S.pipeline.l0_valid[B, 0]
    noc.write(FLAG, b"\7\0\0\0")
    for _ in range(10):
        machine.run(1)
        # `read_x` would have, of a load that is under way, what memory has.
        assert machine.record.S.hart.x[B, 11] == 0
    assert noc.read(FLAG, 1) == b"\7"


def test_new_code_is_executed(machine: Machine, noc: NocAccess) -> None:
    machine.load(B, image([SPIN]))
    machine.run(20)
    noc.write(0, asm("addi", rd=5, imm=7).to_bytes(4, "little") + SPIN.to_bytes(4, "little"))
    machine.run(40)
    assert machine.read_x(B, 5) == 7
