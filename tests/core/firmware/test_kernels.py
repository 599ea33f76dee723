# SPDX-License-Identifier: Apache-2.0
"""Kernels of ours through the firmware's launch message, on all harts and on some."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, NC, T0, T1, T2, B
from tensix_gdb.core.firmware.host import KERNELS, Host
from tensix_gdb.core.firmware.image import read_firmware
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tests.core.firmware.builds import KNOWN, unpack
from tests.machines import machine_on
from tests.programs.build import GCC, PROGRAMS, build_kernel

RESULTS = 0x30000
SOURCE = PROGRAMS / "kernel.c"
_ROWS = SOURCE.read_text(encoding="ascii").splitlines()
KERNEL_LINES = [f"kernel.c:{n}" for n in range(_ROWS.index("{"), len(_ROWS) + 1)]


@pytest.fixture(scope="session")
def kernels(
    tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> dict[int, Path]:
    tool(GCC)
    folder = tmp_path_factory.mktemp("kernels")
    return {hart: build_kernel(SOURCE, hart, folder / f"{hart}.elf") for hart in range(HARTS)}


@pytest.fixture(scope="session")
def firmware_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack(KNOWN, tmp_path_factory.mktemp("firmware"))


def initialised(folder: Path, schedule: Schedule = Schedule.SC) -> Host:
    host = Host(machine_on("compiled", schedule), read_firmware(folder))
    host.run_until_done()
    return host


def words(host: Host, addr: int, count: int) -> list[int]:
    data = host.machine.peek(B, addr, 4 * count)
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
def test_five_kernels(schedule: Schedule, kernels: dict[int, Path], firmware_folder: Path) -> None:
    host = initialised(firmware_folder, schedule)
    for round_ in range(2):
        host.machine.poke(B, RESULTS, bytes(64))
        host.launch({hart: read_elf(path) for hart, path in kernels.items()})
        assert host.state().signal == 0x80
        states, stop = host.run_until_done()
        assert stop is None, stop.text
        assert host.is_done(), f"launch {round_}: {states[-1]}"
        assert words(host, RESULTS, 4) == [1111, 11, 111, 1111]
        assert words(host, RESULTS + 32, 8) == [7 * i for i in range(8)]
        assert 0x80808080 in [state.sync for state in states], "all four were told to go"
    host.machine.close()


def test_firmware_invalidates_for_the_next_kernel(
    kernels: dict[int, Path], firmware_folder: Path, tmp_path: Path
) -> None:
    """Another kernel comes to the place of the last one, and no cache keeps that (M10)."""
    host = initialised(firmware_folder, Schedule.LATENCY)
    host.machine.check_state(("memory",))
    options = ("-Wl,--emit-relocs",)
    elf = build_kernel(
        PROGRAMS / "moving.c", NC, tmp_path / "k.elf", model="medany", options=options
    )
    cached = []
    for path in (kernels[NC], elf):
        host.launch({NC: read_elf(path)})
        cached.append(bytes(host.machine.record.row(LAYOUT.slot("state", "cached"))))
        _, stop = host.run_until_done()
        assert stop is None, stop.text
        assert host.is_done()
    assert any(one & 1 << NC for one in cached[1]), "NC has executed the first kernel"
    assert [one for one in host.machine.races().reports if one.check == "M10"] == []
    host.machine.close()


def test_some_kernels(kernels: dict[int, Path], firmware_folder: Path) -> None:
    host = initialised(firmware_folder)
    host.launch({NC: read_elf(kernels[NC])})
    states, stop = host.run_until_done()
    assert stop is None
    assert host.is_done()
    assert words(host, RESULTS, 10) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 7]
    assert all(state.sync & 0x80800000 == 0 for state in states), "T1 and T2 have nothing to do"
    host.machine.close()


@pytest.mark.parametrize("model", ["medany", "medlow"])
def test_a_kernel_with_absolute_addresses(
    model: str, tool: Callable[[str], str], tmp_path: Path, firmware_folder: Path
) -> None:
    """In the code model medlow, everything that is not local is an absolute address."""
    tool(GCC)
    options = () if model == "medlow" else ("-Wl,--emit-relocs",)
    elf = build_kernel(PROGRAMS / "moving.c", NC, tmp_path / "k.elf", model=model, options=options)
    image = read_elf(elf)
    assert {one.kind for one in image.relocations} & {1, 24, 27}
    host = initialised(firmware_folder)
    host.launch({NC: image})
    _, stop = host.run_until_done()
    assert stop is None, stop.text
    assert words(host, RESULTS, 9) == [14, 121, 2**32 - 13, 107, 1, 42, 39, 5, 11]
    host.machine.close()


def test_without_its_relocations_it_goes_wrong(
    tool: Callable[[str], str], tmp_path: Path, firmware_folder: Path
) -> None:
    """So they are what makes it right above."""
    tool(GCC)
    elf = build_kernel(PROGRAMS / "moving.c", NC, tmp_path / "k.elf", model="medlow")
    image = read_elf(elf)
    image.__dict__["relocations"] = []
    host = initialised(firmware_folder)
    host.launch({NC: image})
    _, stop = host.run_until_done(20_000)
    assert stop is not None or words(host, RESULTS, 1) != [14]
    host.machine.close()


def test_the_symbols_of_a_kernel_are_where_it_runs(
    kernels: dict[int, Path], firmware_folder: Path
) -> None:
    host = initialised(firmware_folder)
    moved = host.launch({hart: read_elf(path) for hart, path in kernels.items()})
    assert [moved[hart].bias % 16 for hart in range(HARTS)] == [0] * HARTS
    assert moved[B].entry == KERNELS
    for hart in (T0, T1, T2, NC):
        entry = moved[hart].symbol("kernel_main")
        assert entry is not None
        assert entry > KERNELS
        assert moved[hart].symbolize(entry) in KERNEL_LINES
        host.machine.add_break(entry, hart)
    reached = set()
    while (stop := host.run_until_done()[1]) is not None:
        assert "kernel_main at kernel.c:" in stop.text
        reached.add(stop.hart)
        host.machine.resume_from(stop.hart)
    assert reached == {T0, T1, T2, NC}
    assert host.is_done()
    host.machine.close()
