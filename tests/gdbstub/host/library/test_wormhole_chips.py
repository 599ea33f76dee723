# SPDX-License-Identifier: Apache-2.0
"""Two chips of Wormhole with one library: a device each, with Ethernet tiles and cables."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.cli.options.tile import AddressOptions
from tensix_gdb.gdbstub.host.library.command import write_library
from tensix_gdb.gdbstub.host.simulator.grid import of_noc_0, places_on
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions, check_options
from tensix_gdb.gdbstub.usage import UsageError
from tests.gdbstub.host.library.host import run

# A window of 16 MiB to a core, of the device that is named.
BEGIN = """
    lib.init()
    def window(x, y, addr):
        value = addr >> 24 | x << 12 | y << 18
        lib.write(lib.bar0 + WINDOWS + 8 * 166, value.to_bytes(8, "little"))
        return lib.bar0 + 0xB000000 + addr % (1 << 24)
    def word(x, y, addr):
        return int.from_bytes(lib.read(window(x, y, addr), 4), "little")
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    address = AddressOptions(port=0)
    options = SimulatorOptions(tiles="2x1", chips=2, address=address, engine="reference")
    return write_library(tmp_path_factory.mktemp("two chips"), options, "wormhole")


def test_each_chip_is_a_device_with_memory_of_its_own(library: Path) -> None:
    """L1 by both kinds of coordinates, DRAM, the ARC in BAR 0: boards 1 and 2."""
    statements = f"""{BEGIN}
    print(*(hex(lib.config(at, device)) for device in (0, 1, 2) for at in (0, 0x14)))
    for lib.device in (0, 1):
        lib.write(window(18, 18, 0x8000), b"chip %d" % lib.device)
        lib.write(window(16, 17, 0x100), b"dram %d" % lib.device)
    for lib.device in (0, 1):
        print(lib.read(window(1, 1, 0x8000), 6), lib.read(window(0, 5, 0x100), 6))
        print(lib.read(lib.bar0 + 0x1FE80204, 4).hex())
    lib.exit()
    """
    status, said, lines = run(library, statements)
    assert (status, lines) == (0, [])
    assert said.splitlines() == [
        "0x401e1e52 0x1 0x401e1e52 0x11 0xffffffff 0xffffffff",
        *("b'chip 0' b'dram 0'", "01000000", "b'chip 1' b'dram 1'", "02000000"),
    ]


def test_ethernet_cores_say_that_their_link_is_up(library: Path) -> None:
    """By translated coordinates and the NoC's own: training, this chip and the other one."""
    text = (library.parent / "soc_descriptor.yaml").read_text("ascii")
    assert "eth: [ 9-0, 1-0 ]\n" in text
    assert " 9-0" not in text.split("router_only")[1]
    statements = f"""{BEGIN}
    for lib.device in (0, 1):
        for x, y in ((25, 16), (1, 0)):
            print(*(word(x, y, at) for at in (0x1104, 0x1FC4, 0x1FE4, 0x1FF0)))
    word(25, 16, 0x40000)
    """
    status, said, lines = run(library, statements)
    assert said.splitlines() == ["1 1 2 0", "1 1 2 1", "1 2 1 0", "1 2 1 1"]
    assert status == 1
    assert "nothing that Ethernet tile c1.e0 has" in lines[-1]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"chips": 2, "cable": ("cut:c0.e4@5",)}, "the tiles: c0.e0, c0.e1, c1.e0, c1.e1"),
        ({"chips": 4}, "of Wormhole there are one chip and two"),
        ({"cable": ("cut:c0.e0@5",)}, "none without"),
    ],
)
def test_what_is_not_there(more: dict[str, object], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        check_options(SimulatorOptions(tiles="2x1", **more), Arch.WORMHOLE)  # type: ignore[arg-type]


def test_places() -> None:
    """Column 8 has Tensix tiles on Wormhole, and Ethernet tiles here on Blackhole."""
    assert places_on("1x1", 2, Arch.WORMHOLE) == ((65, 1), (129, 1))
    assert of_noc_0((64 + 24, 19), 1) == of_noc_0((64 + 8, 2), 1) == (64 + 8, 2)
    assert of_noc_0((64 + 25, 16), 1) == of_noc_0((64 + 9, 0), 1) == (64 + 9, 128)
    assert of_noc_0((25, 16), 1) == (9, 0), "a chip alone has no Ethernet tiles"
    assert of_noc_0((64 + 40, 18), 1) == (64 + 40, 1)
