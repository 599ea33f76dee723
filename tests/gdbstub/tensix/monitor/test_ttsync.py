# SPDX-License-Identifier: Apache-2.0
"""`monitor ttsync`: on or off, what is tracked, and what it would have ordered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.auto_ttsync.resources import SYNC_WORD
from tests.assembler import EBREAK, asm, image, li
from tests.core.tensix.programs import push_all
from tests.gdbstub.tensix.monitor.test_monitor_tensix import RspClient
from tests.machines import machine_on

CODE, GPR_4, T0_THREAD = 0x1000, 0xFFE00010, 2
STORE_THEN_PUSH = [
    *li(5, GPR_4),
    asm("sw", rs1=5, rs2=5),
    *push_all(["ADDDMAREG.Reg result_reg=2, left_reg=4, right_reg=0"]),
    EBREAK,
]


def loaded(seed: int) -> Machine:
    machine = machine_on("reference", Schedule.RANDOM, seed)
    machine.load(T0, image(STORE_THEN_PUSH, CODE))
    return machine


@pytest.fixture
def ask() -> Iterator[RspClient]:
    machine = loaded(1)
    yield RspClient(machine)
    machine.close()


def test_off_as_all_kernels_have_it(ask: RspClient) -> None:
    off = "Auto TTSync is off (ThreadConfig[56] = 0x0: no bit set): it orders nothing"
    assert ask("ttsync T0") == f"T0 unpack  {off}\n"
    assert ask("ttsync all").count(off) == 3
    ask.machine.S.config.thread[0, SYNC_WORD] = 0x10
    assert "tracked and no accesses, so it orders nothing" in ask("ttsync T0")


def sentences(value: int) -> set[str]:
    """Return what is said of the two in some executions, in all their cycles."""
    said: set[str] = set()
    for seed in range(12):
        machine = loaded(seed)
        machine.S.config.thread[0, SYNC_WORD] = value
        ask = RspClient(machine)
        for _ in range(150):
            machine.run(1)
            said |= {line.strip() for line in ask("ttsync T0").splitlines()[1:]}
            said |= {line.strip() for line in ask("why T0").splitlines() if "TTSync" in line}
        machine.close()
    return said


def test_what_it_would_order() -> None:
    store = "store to the Tensix GPRs 0xffe00010 from 0x00001008"
    assert f"Auto TTSync is off; on, it would let ADDDMAREG wait for the {store}" in sentences(0)


def test_what_it_tracks() -> None:
    said = sentences(0x14)
    assert "push 1: 1 instruction before the gate, reads GPRs, writes GPRs" in said
    assert any(line.startswith("access 0: store to") and line.endswith(", GPRs") for line in said)
    assert not any("would let" in line for line in said)


def test_explain(ask: RspClient) -> None:
    ask.machine.write_pc(T0, CODE + 8)
    ask.machine.write_x(T0, 5, GPR_4)
    assert ask("explain", T0_THREAD).endswith(
        "Auto TTSync of T0 is off (ThreadConfig[56] = 0x0: no bit set): it orders nothing; on, it "
        "would order this access and pushed instructions that use the same.\n"
    )
