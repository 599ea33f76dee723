# SPDX-License-Identifier: Apache-2.0
"""Every command answers after little work, on a tile with Tenstorrent's firmware and full FIFOs.

Work is counted in calls of functions: 50,000 of them take some 20 ms.
"""

from __future__ import annotations

import contextlib
from functools import partial
from pathlib import Path

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.firmware.host import Host
from tensix_gdb.core.firmware.image import read_firmware
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.frontend import fifo
from tensix_gdb.gdbstub.cli.firmware import Boot
from tensix_gdb.gdbstub.protocol.target import Monitor, TargetError
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.core.firmware.builds import KNOWN, unpack
from tests.work import calls_in

MAX_CALLS = 50_000
FIRST_POLLS = 100_000  # the loops of five harts are followed once, in 37 ms
NOT_ASKED = {"reset", "reload", "schedule"}
MORE = """why T1; fifo all; gpr all; cfg _; cfg base; trace on; trace last 500; mop all; status;
    replay all; trace off; explain MVMUL; disasm $pc 40"""


def answered(monitor: Monitor, line: str) -> None:
    """Ask for a command; one that needs an argument says so."""
    with contextlib.suppress(TargetError):
        monitor.command(1, line, running=False)


def test_every_command_on_a_busy_tile(tmp_path: Path) -> None:
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY)
    Boot(Host(machine, read_firmware(unpack(KNOWN, tmp_path)))).initialise()
    S = machine.S
    word = parse("SEMWAIT block=ALL, sem=S0, wait=C0")
    for thread in range(THREADS):
        for number, capacity in enumerate(fifo.CAPACITIES):
            for i in range(capacity):
                pc = machine.read_pc(1 + thread) - 4 * i
                fifo.put(S, thread, number, word, 1 + thread, pc, 0, fifo.VIA_MOP, fifo.NO_SLOT)
    S.tensix.active = 1
    for bank in range(2):
        for i in range(180):
            S.config.word[bank, i] = 0x12345678 + bank
    machine.run(50)
    target = tensix_target(machine)
    for piece in target.learn:  # as the server does while nobody asks
        piece()
    monitor = target.monitor
    assert monitor is not None
    slow: dict[str, int] = {}
    asked = [name for name in monitor.names() if name not in NOT_ASKED]
    for line in (*asked, *map(str.strip, MORE.split(";"))):
        calls = calls_in(partial(answered, monitor, line))
        if calls > (FIRST_POLLS if line == "status" else MAX_CALLS):
            slow[line] = calls
    assert slow == {}
    assert "\nT2 pack: SEMWAIT " in monitor.command(1, "why", running=False)
    machine.close()


def test_the_first_why_too(tmp_path: Path) -> None:
    """The slow part is done before."""
    machine = Machine(engine="reference")
    Boot(Host(machine, read_firmware(unpack(KNOWN, tmp_path)))).initialise()
    target = tensix_target(machine)
    assert len(target.learn) == 5
    for piece in target.learn:
        piece()
    assert target.monitor is not None
    # What it has to know takes several hundred thousand. The rest are the loops of four harts that
    # poll, and the types of the firmware's mailboxes.
    assert calls_in(partial(target.monitor.command, 1, "why", running=False)) < 1.5 * MAX_CALLS
    machine.close()
