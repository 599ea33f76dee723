# SPDX-License-Identifier: Apache-2.0
"""Two chips with one library: a device of PCI Express each, as a driver finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.gdbstub.usage import UsageError
from tests.gdbstub.host.library.host import folder, run


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder(tmp_path_factory.mktemp("two chips"), "2x1", chips=2)


def test_each_chip_is_a_device(library: Path) -> None:
    """A driver walks device numbers until it reads all ones."""
    statements = """
        lib.init()
        for device in (0, 1, 2):
            print(*(hex(lib.config(offset, device)) for offset in (0, 0x10, 0x14, 0x20, 0x24)))
        lib.exit()
    """
    status, said, lines = run(library, statements)
    assert (status, lines) == (0, [])
    assert said.splitlines() == [
        "0xb1401e52 0x4 0x1 0x4 0x8",
        "0xb1401e52 0x4 0x11 0x4 0x18",
        "0xffffffff 0xffffffff 0xffffffff 0xffffffff 0xffffffff",
    ]


def test_a_device_reaches_its_own_chip(library: Path) -> None:
    """L1, DRAM, the ARC and windows: what one device writes the other one does not read."""
    statements = """
        lib.init()
        for device in (0, 1):
            lib.device = device
            lib.poke(0x8000, b"chip %d" % device)
            lib.poke(0x8000, b"chip %d" % device, core=(2, 2))
            lib.poke(0x100, b"dram %d" % device, core=(17, 12))
        for device in (0, 1):
            lib.device = device
            print(lib.peek(0x8000, 6), lib.peek(0x8000, 6, (2, 2)), lib.peek(0x100, 6, (17, 12)))
            print(lib.peek(0x10000204, 4, (8, 0)))  # BOARD_ID_LOW
        lib.exit()
    """
    status, said, lines = run(library, statements)
    assert (status, lines) == (0, [])
    assert said.splitlines() == [
        *("b'chip 0' b'chip 0' b'dram 0'", r"b'\x01\x00\x00\x00'"),
        *("b'chip 1' b'chip 1' b'dram 1'", r"b'\x02\x00\x00\x00'"),
    ]


def test_ethernet_cores_say_that_their_link_is_up(library: Path) -> None:
    """By translated coordinates: the port, the training, the other end."""
    text = (library.parent / "soc_descriptor.yaml").read_text("ascii")
    assert "eth: [ 3-1, 14-1 ]\n" in text
    statements = """
        lib.init()
        for device in (0, 1):
            lib.device = device
            for core in ((20, 25), (21, 25)):
                words = (lib.peek(at, 4, core) for at in (0x7CC04, 0x7CC08, 0x7CFE8, 0x7CFE0))
                print(*(int.from_bytes(word, "little") for word in words))
        lib.peek(0x100000, 4, (20, 25))
    """
    status, said, lines = run(library, statements)
    ends = [(2, 4), (2, 5), (1, 4), (1, 5)]  # boards and channels of the other end
    assert said.splitlines() == [f"1 2 {board} {n << 24 | n << 16}" for board, n in ends]
    assert status == 1
    assert "nothing that Ethernet tile c1.e4 has" in lines[-1]


@pytest.mark.parametrize(
    ("statements", "why"),
    [
        ("lib.init(); lib.read(0x2100000000, 4)", "is of device 2, and there are 2"),
        ("lib.init(); lib.code.libttsim_tile_rd_bytes(1, 2, 0, b'1234', 4)", "of which chip?"),
    ],
)
def test_what_is_refused(library: Path, statements: str, why: str) -> None:
    status, _, lines = run(library, statements)
    assert status == 1
    assert len(lines) == 1
    assert why in lines[0]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"chips": 2, "cable": ("cut:c0.e6@5",)}, "the tiles: c0.e4, c0.e5, c1.e4, c1.e5"),
        ({"chips": 2, "cable": ("cut:c0.e4",)}, "name the fault, an Ethernet tile and a cycle"),
        ({"chips": 2, "cable": ("lose:c0.e4@5+6",)}, "name the fault"),
        ({"chips": 2, "cable": ("late:c0.e4@5",)}, "name the fault"),
        ({"cable": ("cut:c0.e4@5",)}, "none without --chips 2, 4 or 8"),
    ],
)
def test_cables_that_are_not_there(more: dict[str, object], why: str, tmp_path: Path) -> None:
    from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions, check_options

    with pytest.raises(UsageError, match=why):
        check_options(SimulatorOptions(tiles="2x1", **more))  # type: ignore[arg-type]
