# SPDX-License-Identifier: Apache-2.0
"""Kernels that are recognised at a launch, in a small cache as tt-metal's host makes one."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from tensix_gdb.core.arch.blackhole import L1_BYTES, NC, T0, T1, T2, B
from tensix_gdb.core.firmware.folder import NAMES
from tensix_gdb.core.firmware.host import Host
from tensix_gdb.core.firmware.image import read_firmware
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.program.recognise import CHANGED, resembles, words_that_move
from tensix_gdb.gdbstub.host.simulator.kernels import cache as kernel_cache
from tensix_gdb.gdbstub.host.simulator.kernels.cache import KernelCache
from tensix_gdb.gdbstub.host.simulator.launches import Launches
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tensix_gdb.gdbstub.host.simulator.runs.times import LaunchTimes
from tests.core.firmware.builds import KNOWN, unpack
from tests.machines import machine_on
from tests.programs.build import GCC, PROGRAMS, build_kernel

TILE = (1, 2)
IN_RESET, RUNNING = 0x47800, 0x47000


class Tile:
    """A tile with the firmware, a host that launches, and what debuggers were told."""

    def __init__(self, cache: Path, shared: KernelCache | None = None) -> None:
        self.machine = machine_on("compiled")
        self.host = Host(self.machine, read_firmware(cache / "tt-metal-cache1" / "firmware"))
        self.told: list[list[str]] = []
        self.begun: list[list[str]] = []
        self.launches = Launches(
            self.machine, shared or KernelCache(cache), lambda n: self.begun.append(list(n))
        )
        self.launches.announce = self.announce
        trio.run(self.launches.on_reset_change, IN_RESET, RUNNING)

    async def announce(self) -> None:
        self.told.append(self.names())

    def names(self) -> list[str]:
        """The recognised kernels, as NAME/FILE+BIAS."""
        return [
            f"{image.path.parents[2].name}/{image.path.stem}+{image.bias:#x}"
            for image in self.machine.images
            if "kernels" in image.path.parts
        ]

    def launch(self, *paths: tuple[int, Path]) -> None:
        """As a host: kernels in L1, the launch message, then the go signal."""
        moved = self.host.launch({hart: read_elf(path) for hart, path in paths})
        for image in moved.values():
            self.machine.images.remove(image)  # this host names its files; the driver's does not
        place = self.host.firmware.field("go_messages[0].signal").offset
        go = Message(Command.WRITE, TILE, place, 1, b"\x80")
        assert self.launches.starts_by(go)
        trio.run(self.launches.start)


@pytest.fixture(scope="module")
def cache(tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    tool(GCC)
    root = tmp_path_factory.mktemp("cache")
    shutil.move(unpack(KNOWN, root), root / "tt-metal-cache1" / "firmware")
    for name, source, harts, model in (
        ("table", "kernel.c", (NC, T0, T1, T2), "medany"),
        ("moves", "moving.c", (NC,), "medlow"),
    ):
        for hart in harts:
            build_kernel(
                PROGRAMS / source,
                hart,
                elf_in(root, name, hart),
                model=model,
                options=("-Wl,--emit-relocs",),
            )
    # The same code for T1 in a newer folder that has nothing for T0 and T2.
    shutil.copy(elf_in(root, "table", T1), elf_in(root, "newer", T1))
    return root


def elf_in(root: Path, name: str, hart: int) -> Path:
    core = NAMES[hart][0]
    path = root / "tt-metal-cache1" / "kernels" / name / "1234" / core / f"{core}.elf"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def test_firmware_and_kernels_have_their_symbols(cache: Path) -> None:
    tile = Tile(cache)
    assert tile.told == [[]], "the firmware alone"
    tile.launch(*((hart, elf_in(cache, "table", hart)) for hart in (NC, T0, T1, T2)))
    biases = {image.hart: image.bias for image in tile.machine.images if image.bias}
    assert sorted(biases) == [T0, T1, T2, NC]
    assert tile.told[1:] == [tile.names()]
    # T1's code is in two files: the one beside those of T0 and T2 is taken.
    assert [name.partition("/")[0] for name in tile.names()] == ["table"] * 4
    assert tile.begun == [["table"] * 4]
    image = next(i for i in tile.machine.images if i.bias and i.hart == NC)
    entry = image.symbol("kernel_main")
    assert entry is not None
    assert "kernel_main at kernel.c:" in tile.machine.places.at(NC, entry)
    tile.machine.close()


def test_what_a_launch_has_in_l1_is_noted(cache: Path) -> None:
    """The pump compares it; it is there in the message that the host writes next, too."""
    tile = Tile(cache)
    assert tile.launches.repeatable is None
    for _ in range(2):
        tile.launch((NC, elf_in(cache, "moves", NC)))
        launch = tile.launches.repeatable
        assert launch is not None
        now = int.from_bytes(tile.machine.peek(B, launch.pointer, 4), "little")
        for at, size, value in launch.fields:
            said = tile.machine.peek(B, at + now * launch.stride, size)
            assert int.from_bytes(said, "little") == value
        for place, data in launch.parts:
            assert tile.machine.peek(B, place.start, len(data)) == data
    assert launch.messages == 8
    assert launch.parts
    assert launch.signals == tile.launches.signals
    before = launch
    tile.launch(*((hart, elf_in(cache, "table", hart)) for hart in (NC, T0)))
    assert tile.launches.repeatable is not None
    assert tile.launches.repeatable.parts != before.parts
    tile.machine.close()


def test_kernels_with_absolute_addresses_are_recognised(cache: Path) -> None:
    tile = Tile(cache)
    tile.launch((NC, elf_in(cache, "moves", NC)))
    (name,) = tile.names()
    assert name.startswith("moves/ncrisc+0x")
    tile.launch((NC, elf_in(cache, "moves", NC)))
    assert len(tile.told) == 2, "the same kernel at the same place is no news"
    assert len(tile.begun) == 2, "but a launch"
    tile.machine.close()


def test_words_that_a_host_moves_are_those_of_the_linkers_lists(cache: Path) -> None:
    """Read in one way where there are hundreds of files, and in another one for all else."""
    for path in cache.rglob("*.elf"):
        image = read_elf(path)
        expected = {r.addr for r in image.relocations if r.kind in CHANGED}
        assert words_that_move(image.content) == expected
        assert words_that_move(image.content[:-40]) is None, "its headers are at its end"


def test_what_is_replaced_is_forgotten_and_what_moves_is_gone_meanwhile(cache: Path) -> None:
    tile = Tile(cache)
    nc, t0 = ((hart, elf_in(cache, "table", hart)) for hart in (NC, T0))
    tile.launch(nc)
    first = tile.names()
    tile.launch(t0, nc)  # after T0's now: elsewhere
    assert len(tile.told) == 4
    assert tile.told[1] == first
    assert tile.told[2] == []
    assert len(tile.told[3]) == 2
    assert first[0] not in tile.told[3]
    tile.launch((NC, elf_in(cache, "moves", NC)))
    assert [name.partition("/")[0] for name in tile.names()] == ["moves"]
    tile.machine.close()


def test_tiles_share_what_was_recognised_and_take_no_others_for_it(cache: Path) -> None:
    shared = KernelCache(cache)
    tiles = [Tile(cache, shared) for _ in range(2)]
    for tile in tiles:
        tile.launch((NC, elf_in(cache, "table", NC)))
    first, second = (next(i for i in tile.machine.images if i.bias) for tile in tiles)
    assert first is second, "it was recognised once"

    def read(addr: int, length: int) -> bytes:
        return tiles[0].machine.peek(B, addr, length)

    def another(addr: int, length: int) -> bytes:
        """The same but for the first instruction."""
        changed = bytearray(read(addr, length))
        for at in range(max(first.entry, addr), min(first.entry + 4, addr + length)):
            changed[at - addr] ^= 0xFF
        return bytes(changed)

    assert shared.kernels(NC, first.entry, read) == [first]
    assert shared.kernels(NC, first.entry, another) == []
    # Tiles of a matmul alternate between two kernels at one address. Each of 140 tiles had a copy,
    # and the first `monitor chip` read the lines of all of them.
    (again,) = shared.kernels(NC, first.entry, read)
    assert again is first
    for tile in tiles:
        tile.machine.close()


def test_where_a_dispatcher_puts_a_kernel_no_other_file_is_looked_at(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It puts the same kernel elsewhere with each launch, and a build has thousands of files."""
    shared = KernelCache(cache)
    image = read_elf(elf_in(cache, "moves", NC))
    code = [segment for segment in image.segments if segment.addr < L1_BYTES]
    looked: list[int] = []
    monkeypatch.setattr(
        kernel_cache, "resembles", lambda *both: looked.append(1) or resembles(*both)
    )
    for moves in (0, 0x1000, 0x2000):
        memory = bytearray(0x20000)
        for segment in code:
            at = segment.addr + moves
            memory[at : at + len(segment.data)] = segment.data
        entry = image.entry + moves
        read = lambda addr, length, memory=memory: bytes(memory[addr : addr + length])  # noqa: E731
        (found,) = shared.kernels(NC, entry, read)
        assert found.path == image.path
        assert found.bias == moves
        shared.keep_together(((NC, entry),), [found], None)
        assert shared.together(((NC, entry),), read, None) == [found]
        memory[entry] ^= 0xFF
        assert shared.together(((NC, entry),), read, None) == [], "another one is there"
    assert len(looked) == 2 + 1 + 1, "of all files once"


def test_a_kernel_that_was_made_after_the_last_launch(cache: Path, tmp_path: Path) -> None:
    root = tmp_path / "cache"
    shutil.copytree(cache, root)
    shutil.rmtree(elf_in(root, "moves", NC).parent)
    tile = Tile(root)
    tile.launch((NC, elf_in(cache, "moves", NC)))
    assert tile.names() == []
    shutil.copy(elf_in(cache, "moves", NC), elf_in(root, "moves", NC))
    tile.launch((NC, elf_in(cache, "moves", NC)))
    assert [name.partition("/")[0] for name in tile.names()] == ["moves"]
    tile.machine.close()


def test_other_builds_are_looked_at_where_the_firmwares_has_none(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A user's cache of some weeks had 27 builds with 11,000 files, and the first launch read
    # all of their folders.
    root = tmp_path / "cache"
    shutil.copytree(cache, root)
    shutil.copytree(root / "tt-metal-cache1" / "kernels", root / "tt-metal-cache2" / "kernels")
    seen: list[str] = []
    scandir = os.scandir

    def note(folder: str) -> object:
        seen.append(str(folder))
        return scandir(folder)

    tile = Tile(root)
    monkeypatch.setattr(os, "scandir", note)
    tile.launch((NC, elf_in(root, "table", NC)))
    assert [name.partition("/")[0] for name in tile.names()] == ["table"]
    assert any("tt-metal-cache1" in folder for folder in seen)
    assert not any("tt-metal-cache2" in folder for folder in seen)
    elf_in(root, "moves", NC).unlink()
    tile.launch((NC, elf_in(cache, "moves", NC)))
    assert [image.path.parts[-6] for image in tile.machine.images if image.bias] == [
        "tt-metal-cache2"
    ]
    tile.machine.close()


def test_an_unknown_kernel_is_said_once(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    tile = Tile(cache)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            tile.launch((T2, elf_in(cache, "moves", NC)))  # it is there, but not for T2
    assert tile.names() == []
    (line,) = (record.getMessage() for record in caplog.records)
    assert line.startswith("the kernel of T2 at 0x2009c is none of those in ")
    tile.machine.close()


def test_no_cache_and_damaged_files(cache: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "cache"
    shutil.copytree(cache, damaged)
    for path in damaged.glob("*/kernels/*/*/ncrisc/ncrisc.elf"):
        path.write_bytes(path.read_bytes()[:70])
    tile = Tile(damaged)
    tile.launch((NC, elf_in(cache, "table", NC)))
    assert tile.names() == []
    assert KernelCache(tmp_path / "no").firmware(tile.machine) is None
    assert list(KernelCache(tmp_path / "no").kernels(B, 0, lambda at, n: bytes(n))) == []
    tile.machine.close()


def test_a_kernel_that_waits_for_the_signal_begins_with_it() -> None:
    """A dispatcher lets firmware start a kernel before the go signal: `ra` says where it ends."""
    machine = machine_on("reference")
    hart, entry, back = T1, 0xB000, 0x6100
    machine.S.hart.pc[hart], machine.S.hart.x[hart, 1] = entry + 8, back
    times = LaunchTimes(machine, lambda: (7, [(hart, entry), (B, 0xC000)]))
    times.begin()
    assert machine.S.counted.kernel_back[hart] == back
    assert machine.S.counted.kernel_back[B] == 0  # it has not begun: its pc is below
    machine.S.hart.x[hart, 1] = entry + 0x40  # in a call of the kernel
    times.begin()
    assert machine.S.counted.kernel_back[hart] == back
    line = times.ended()
    assert line["program"] == 7
    assert line["harts"] == {"T1": [0, -1], "B": [-1, -1]}
    machine.close()
