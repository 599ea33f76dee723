# SPDX-License-Identifier: Apache-2.0
"""Why an instruction has not passed its gate, in words (gdbstub/tensix/blocked/wait_gate.py)."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.mover import unit as mover
from tensix_gdb.gdbstub.tensix.blocked.wait_gate import held_text, obstacles
from tests.assembler import EBREAK, image
from tests.core.tensix.programs import push_all
from tests.core.tensix.unpacker.unpack_model import Unpack, arrange
from tests.machines import machine_on

LIMIT = 2000  # cycles, one at a time


def held(tile: Machine, thread: int, *programs: list[str]) -> str:
    """Push programs in threads 0, 1, ... and continue until the thread is held for some cycles."""
    for number, texts in enumerate(programs):
        code = [*push_all(texts), EBREAK]
        tile.load(T0 + number, image(code, 0x2000 * (number + 1)))
    seen, times = "", 0
    for _ in range(LIMIT):
        tile.run(1)
        now = held_text(tile, thread)
        times = times + 1 if now and now == seen else 0
        seen = now
        if times == 5:
            return now
    raise AssertionError(f"thread {thread} was never held for long: {seen!r}")


def test_data_unit(tile: Machine) -> None:
    """UNPACR waits in its unit for a bank that nobody gives back: what for, and who could."""
    unpack = Unpack(thread=1, adc_thread=1)
    arrange(tile.S, unpack)
    tile.S.busy.src_client[0, 0] = 1
    said = held(
        tile,
        1,
        [],
        [unpack.text(), "STALLWAIT block=B6, wait=C1", "MVMUL", "NOP"],
    )
    since = tile.S.gate.since[1]
    assert said == (
        f"MVMUL held at the gate by STALLWAIT block=B6 wait=C1 since cycle {since}: "
        "unpacker 0 busy with UNPACR from 0x00004000, which waits: "
        "bank 0 of SrcA is the Matrix Unit's: no instruction has given it back"
    )
    assert [one.threads for one in obstacles(tile, 1)] == [(0, 2)]


def test_mover() -> None:
    """Whoever has started it is named: here a command of TDMA-RISC's, by B."""
    tile = machine_on("reference", Schedule.LATENCY)
    start = mover.start(tile.S, 0x10000, 0, 4096, mover.L1_TO_L1, B, 0x1234)
    assert start == 0
    said = held(tile, 0, ["XMOV"])
    assert "XMOV held at the gate since cycle" in said
    assert "the mover busy with 4096 units of 16 bytes, started by B at 0x00001234" in said
    assert obstacles(tile, 0)[0].harts == (B,)
    tile.close()
    tile = machine_on("reference", Schedule.LATENCY)
    mover.start(tile.S, 0x10000, 0, 4096, mover.L1_TO_L1, B, 0x1234)
    said = held(tile, 0, ["STALLWAIT block=B1, wait=C9", "SEMPOST sem=S0"])
    assert "STALLWAIT block=B1 wait=C9 since cycle" in said
    assert "started by B at 0x00001234" in said
    tile.close()


def test_soft_reset(tile: Machine) -> None:
    tile.S.tile_control.soft_reset |= 1 << 9
    said = held(tile, 0, ["SETDMAREG new_value=1, result_half_reg=0", "FLUSHDMA"])
    assert said.startswith("FLUSHDMA held at the gate since cycle")
    assert said.endswith("Scalar Unit (ThCon) in soft reset")


def test_semaphore(tile: Machine) -> None:
    program = [
        "SEMINIT new_max=1, new_value=1, sem=S2",
        "SEMWAIT block=B1, sem=S2, wait=C1",
        "SEMPOST sem=S2",
    ]
    said = held(tile, 0, program)
    assert "SEMPOST held at the gate by SEMWAIT block=B1 sem=S2 wait=C1 since cycle" in said
    assert said.endswith(": semaphore 2 is full (1 of 1) until a SEMGET")
    assert obstacles(tile, 0)[0].threads == (1, 2)


def test_mutex(tile: Machine) -> None:
    tile.S.mutex.holder[2] = 3
    said = held(tile, 0, ["ATGETM index=2"])
    assert said.endswith("mutex 2 is held by T2 pack")
    assert said.startswith("ATGETM held at the gate since cycle")
    assert obstacles(tile, 0)[0].threads == (2,)


def test_scalar_unit_of_another_thread(tile: Machine) -> None:
    """FLUSHDMA of one thread holds every thread's scalar instructions."""
    tile.S.busy.packer[0] = 1
    flush, scalar = ["FLUSHDMA wait=C3", "NOP"], ["SETDMAREG.Immediate", "NOP"]
    said = held(tile, 1, flush, [*["NOP"] * 12, *scalar])
    assert "Scalar Unit (ThCon) busy with FLUSHDMA of T0 unpack from 0x00002000" in said
    own = held_text(tile, 0)
    assert own.startswith("NOP held at the gate since cycle")
    assert own.endswith("FLUSHDMA from 0x00002000 of this thread, which waits: packer busy")


def test_nothing_is_held(tile: Machine) -> None:
    assert held_text(tile, 2) == ""
    assert obstacles(tile, 2) == []
