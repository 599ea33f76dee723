# SPDX-License-Identifier: Apache-2.0
"""A kernel that hangs under Tenstorrent's firmware: the tile finds out by itself.

B polls L1 for T2 to be done, T2 waits for its Tensix thread, T0, T1 and NC poll for the next
kernel, with fences in their loops: all but T2 execute instructions for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, T2
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.firmware.host import Host
from tensix_gdb.core.firmware.image import read_firmware
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import NOTHING_MOVES
from tensix_gdb.gdbstub.cli.firmware import run_firmware
from tests.core.firmware.builds import KNOWN, unpack
from tests.programs.build import DEMO, GCC, PROGRAMS, build_kernel


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
def test_a_kernel_that_hangs(
    schedule: Schedule, tool: Callable[[str], str], tmp_path: Path
) -> None:
    tool(GCC)
    source = PROGRAMS / "hanging_kernel.c"
    kernels = [
        (hart, str(build_kernel(source, hart, tmp_path / f"{hart}.elf", options=(f"-I{DEMO}",))))
        for hart in range(HARTS)
    ]
    machine = Machine(engine="compiled", schedule=schedule)
    host = Host(machine, read_firmware(unpack(KNOWN, tmp_path)))
    rows, status = run_firmware(host, kernels, 1_000_000)
    assert status == 1
    text = rows[-1]
    assert text.startswith(NOTHING_MOVES)
    assert "\nB: polls subordinate_sync.map[0] (L1 0x68), at brisc.cc:" in text
    for name in ("T0", "T1", "NC"):
        assert f"\n{name}: polls " in text
    assert "\nT2: waits for the Tensix thread of T2 to have no instruction in flight" in text
    assert "\nT2 pack: NOP " in text
    assert machine.S.latch.word[2] == parse("SEMWAIT block=ALL, sem=S1, wait=C0")
    assert "SEMWAIT pushed at 0x000200" in text
    assert "kernel_main at hanging_kernel.c:8" in text
    assert machine.S.tile.cycle < 40_000
    # A semaphore posted by hand, and the firmware comes to its end.
    machine.S.semaphore.value[1] = 1
    host.run_until_done(200_000)
    assert host.is_done()
    assert not machine.S.fifo.count[T2 - 1, 2]
    machine.close()


def test_waiting_for_the_next_kernel_is_no_hang(tmp_path: Path) -> None:
    """Nobody waits for anything but for the host."""
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY)
    host = Host(machine, read_firmware(unpack(KNOWN, tmp_path)))
    assert run_firmware(host, [], 100_000)[1] == 0
    assert machine.run(100_000) is None
    machine.close()
