# SPDX-License-Identifier: Apache-2.0
"""Tenstorrent's firmware boots on a Wormhole tile: every build of the wheel, and kernels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, NC, T0, T1, T2, B
from tensix_gdb.core.arch.chips import WORMHOLE
from tensix_gdb.core.arch.wormhole import IRAM_BASE
from tensix_gdb.core.firmware.host import Host
from tensix_gdb.core.firmware.image import read_firmware
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import LoadError, read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.main import main
from tests.assembler import asm, image, li
from tests.core.firmware.builds import KNOWN, different, names, unpack
from tests.core.firmware.test_boot import check_states
from tests.machines import ENGINES, machine_on
from tests.programs.build import GCC, PROGRAMS, build_kernel

FEWEST, MOST = 3_000, 5_000
RESULTS = 0x30000


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("firmware")


def boot(build: str, folder: Path, machine: Machine) -> Host:
    host = Host(machine, read_firmware(unpack(build, folder), WORMHOLE))
    states, stop = host.run_until_done()
    assert stop is None, f"{build}: {stop.text}"
    assert host.is_done(), f"{build}: still booting after {machine.S.tile.cycle} cycles"
    check_states(states)
    return host


@pytest.mark.long("test_some_boot_when_requests_take_time")
def test_every_build_boots(folder: Path) -> None:
    builds = names()[1]
    assert len(builds) == 28
    cycles = {}
    for build in different(builds, folder):
        machine = machine_on("reference", arch=Arch.WORMHOLE)  # quick enough for 4,000 cycles
        boot(build, folder, machine)
        cycles[build] = int(machine.S.tile.cycle)
        assert not any(machine.S.hart.in_reset[hart] for hart in range(HARTS))
        machine.close()
    assert len(cycles) == 7
    assert all(FEWEST < count < MOST for count in cycles.values()), cycles


@pytest.mark.parametrize("schedule", [Schedule.LATENCY, Schedule.RANDOM])
def test_some_boot_when_requests_take_time(schedule: Schedule, folder: Path) -> None:
    for seed, build in enumerate(names()[1][::9]):
        machine = machine_on("compiled", schedule, seed + 1, Arch.WORMHOLE)
        boot(build, folder, machine)
        machine.close()


def test_both_engines_boot_alike(folder: Path) -> None:
    ends = []
    for engine in ENGINES[:2]:
        machine = machine_on(engine, arch=Arch.WORMHOLE)
        boot(names()[1][0], folder, machine)
        machine.run(500)
        ends.append(machine.record.state())
        machine.close()
    assert ends[0] == ends[1]


def test_a_firmware_for_the_other_chip_is_refused(folder: Path) -> None:
    with pytest.raises(LoadError, match="firmware for Blackhole, this tile is a Wormhole"):
        read_firmware(unpack(KNOWN, folder), WORMHOLE)


def test_from_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = unpack(names()[1][0], folder)
    assert main(["run", "--arch", "wormhole", "--firmware", str(path)]) == 0
    out, _ = capsys.readouterr()
    assert "RUN_MSG_DONE" in out
    assert "success: the firmware waits for a launch message" in out


def test_kernels(tool: Callable[[str], str], tmp_path: Path, folder: Path) -> None:
    """B, T0, T1 and T2 hand a number round, by a launch message."""
    tool(GCC)
    host = boot(names()[1][0], folder, machine_on("compiled", arch=Arch.WORMHOLE))
    harts = (B, T0, T1, T2)
    source = PROGRAMS / "kernel.c"
    kernels = {hart: build_kernel(source, hart, tmp_path / f"{hart}.elf") for hart in harts}
    host.launch({hart: read_elf(path) for hart, path in kernels.items()})
    _, stop = host.run_until_done()
    assert stop is None, stop.text
    assert host.is_done()
    data = host.machine.peek(B, RESULTS, 16)
    assert [int.from_bytes(data[i : i + 4], "little") for i in range(0, 16, 4)] == [
        *(1111, 11, 111, 1111)
    ]
    with pytest.raises(LoadError, match="linked to NC's instruction RAM"):
        host.launch({NC: read_elf(kernels[B])})
    host.machine.close()


SAVED = (1, 8, 9, *range(18, 28))  # ra, s0 to s11, as wh_iram_trampoline puts them on the stack
SP_AT = 0x14
GLOBAL_POINTER = 0xFFB007F0  # as the firmware has it, and each kernel sets it


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
def test_a_kernel_in_the_instruction_ram(schedule: Schedule, folder: Path) -> None:
    """NC starts after a reset, with the stack pointer where the firmware has left it."""
    code = [*li(3, GLOBAL_POINTER), asm("lw", rd=2, imm=SP_AT)]
    code += [asm("lw", rd=register, rs1=2, imm=4 * i) for i, register in enumerate(SAVED)]
    code += [asm("addi", rd=2, rs1=2, imm=64), *li(5, RESULTS), asm("addi", rd=6, imm=77)]
    code += [asm("sw", rs1=5, rs2=6), asm("jalr", rs1=1)]
    host = boot(names()[1][0], folder, machine_on("reference", schedule, arch=Arch.WORMHOLE))
    for result in (77, 77):
        host.machine.poke(B, RESULTS, bytes(4))
        host.launch({NC: image(code, IRAM_BASE)})
        _, stop = host.run_until_done(20_000)
        assert stop is None, stop.text
        assert host.is_done()
        assert int.from_bytes(host.machine.peek(B, RESULTS, 4), "little") == result
    host.machine.close()
