# SPDX-License-Identifier: Apache-2.0
"""C1 to C11, U3 and F1 to F7: both engines find the same, in the same cycles, at the same lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.race.state.areas import Arguments, Buffer
from tensix_gdb.core.race.state.table import BY_NAME
from tensix_gdb.core.schedule import Schedule
from tests.assembler import SPIN, asm, image, li
from tests.core.race.stages.test_stages import CLEAR, MOVE, A, adds, go, sets
from tests.core.race.state.test_checks import load, push, store
from tests.core.race.state.test_contract import (
    ARGUMENTS,
    BRANCHES,
    CB,
    FEATURES,
    LOADS,
    MACRO,
    MULTIPLY,
    OTHER,
    OTHER_HALF,
    POPPED,
    RECEIVED,
    counts,
    inline,
    local,
    sections,
)
from tests.core.tensix.drive import run
from tests.core.tensix.packer.packer import FP16, INT16
from tests.core.tensix.programs import push_all
from tests.core.tensix.unpacker.unpack_model import Unpack, arrange
from tests.machines import machine_on


@dataclass(frozen=True)
class Kernel:
    """A program with one mistake, the hart that executes it, and what is known beside it."""

    words: Sequence[int]
    hart: int = T0
    group: str = "memory"
    function: str = ""  # of all its instructions
    buffers: tuple[Buffer, ...] = ()
    arguments: tuple[Arguments, ...] = ()


OWN = Arguments(T0, ARGUMENTS, ARGUMENTS + 16)
NEXT = Arguments(NC, ARGUMENTS + 16, ARGUMENTS + 32)
HELD = "SEMWAIT stall_res=STALL_SFPU, sem=S1, wait_sem_cond=STALL_ON_ZERO"
ONE = "SFPLOADI vd=L3, mod0=0, imm16=1"
KERNELS = {
    "C1": Kernel(load(ARGUMENTS + 16), function="get_arg_val<unsigned int> dataflow_api.h",
                 arguments=(OWN, NEXT)),
    "C2": Kernel(counts((RECEIVED + OTHER, 1)), NC, buffers=(CB,)),
    "C3": Kernel(counts((RECEIVED, 2), (RECEIVED, 4), (RECEIVED, 5)), NC, buffers=(CB,)),
    "C4": Kernel(counts((RECEIVED, 3), (POPPED, 3), (RECEIVED, 6)), NC, buffers=(CB,)),
    "C5": Kernel(store(0, 1), NC),
    "C6": Kernel([*li(5, 7), asm("divu", rd=7, rs1=5, rs2=0)]),
    "C7": Kernel(sections(OTHER_HALF), function="ckernel::dest_section_flip x.h"),
    "C8": Kernel(push("SEMPOST semaphore_mask=2")),
    "C9": Kernel(inline(0x20000), NC),
    "C10": Kernel(push(MACRO)),
    "C11": Kernel([*push(ONE, HELD, MULTIPLY), *store(FEATURES, 1 << 11)]),
    "U3": Kernel(local(LOADS, BRANCHES), group="init"),
}  # fmt: skip


def of_kernel(kernel: Kernel, engine: str, monkeypatch: pytest.MonkeyPatch) -> list[Report]:
    """Run it, without an end, so that what is under way ends."""
    machine = machine_on(engine, Schedule.LATENCY)
    if kernel.function:
        monkeypatch.setattr(machine, "_functions_at", lambda hart, pc: [kernel.function])
    machine.load(kernel.hart, image([*kernel.words, SPIN], 0x6000))
    state = machine.check_state((kernel.group,))
    state.buffers = list(kernel.buffers)
    state.arguments = list(kernel.arguments)
    state.note_programs()
    machine.run(2000)
    return ended(machine)


def ended(machine: Machine) -> list[Report]:
    reports = list(machine.races().reports)
    machine.close()
    return reports


def same(check: str, one: Sequence[Report], other: Sequence[Report]) -> None:
    """Assert that they are the same, values, lines and cycles, and have the check."""
    assert check in [report.check for report in one]
    assert list(one) == list(other)


@pytest.mark.long("test_contract.py has each of them on the reference engine")
@pytest.mark.parametrize("check", KERNELS)
def test_a_contract(check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (
        of_kernel(KERNELS[check], engine, monkeypatch) for engine in ("reference", "compiled")
    )
    same(check, one, other)


def even(tile: Machine) -> None:
    """A datum with the bits of an exponent 0."""
    tile.record.S.l1.half[(A + 16) // 2] = 0x4000


STAGES: dict[str, dict[str, Any]] = {
    "F1": {"change": sets(PCK_DEST_RD_CTRL_Read_32b_data=1)},
    "F2": {"packed": FP16},
    "F4": {"change": sets(PCK_EDGE_OFFSET_SEC0_mask=0xFF)},
    "F5": {"given": ("BF16", "FP16")},
    "F6": {"change": even, "given": ("INT16", "BF16"), "packed": INT16, "math": MOVE},
    "F7": {"change": sets(PCK0_ADDR_CTRL_XY_REG_0_Ystride=64)},
    "F9": {"math": [CLEAR, *adds(32)], "rows": 64},
}


@pytest.mark.long("test_stages.py has each of them on the reference engine")
@pytest.mark.parametrize("check", STAGES)
def test_stages(check: str) -> None:
    one, other = (go(**STAGES[check], engine=engine) for engine in ("reference", "compiled"))
    same(check, one[1], other[1])
    for tile, _ in (one, other):
        tile.close()


AGAIN = {
    "F3": Unpack(base=0x20000 // 16 - 1, dims=(256, 1, 1, 1), dest=64, given="FP16", wanted="FP16"),
    "F8": Unpack(
        unpacker=1, base=0x14000 // 16, dims=(256, 1, 1, 1), dest=0, given="BF16", wanted="BF16",
        strides=(0, 1024, 0), out_counters=(255, 0, 1, 0),
    ),
}  # fmt: skip


def unpacked_again(engine: str, unpack: Unpack) -> list[Report]:
    """Pack a tile as BF16, and unpack it, or a source, in another way."""
    tile, _ = go(engine=engine)
    arrange(tile.record.S, unpack)
    run(tile, {T0: push_all([unpack.text()])})
    return ended(tile)


@pytest.mark.long("test_stages.py has it on the reference engine")
@pytest.mark.parametrize("check", AGAIN)
def test_a_tile(check: str) -> None:
    unpack = AGAIN[check]
    same(check, unpacked_again("reference", unpack), unpacked_again("compiled", unpack))


def test_all_of_them_are_here() -> None:
    wanted = {name for name in BY_NAME if name[0] in "CF" or name == "U3"}
    assert wanted == {*KERNELS, *STAGES, *AGAIN}
