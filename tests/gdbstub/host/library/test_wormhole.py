# SPDX-License-Identifier: Apache-2.0
"""The library with tiles of Wormhole: its PCI Express side, translated coordinates, its ARC."""

from __future__ import annotations

import pytest

from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.gdbstub.cli.options.tile import AddressOptions
from tensix_gdb.gdbstub.host.library import arc_memory
from tensix_gdb.gdbstub.host.library import arc_wormhole as arc
from tensix_gdb.gdbstub.host.library.arc_wormhole import Message, WormholeArc
from tensix_gdb.gdbstub.host.library.command import write_library
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tests.gdbstub.host.library.host import run

AT_REST = 0xFFFF0000 | 0xFFFF  # an argument that says there is none


def test_a_host_of_a_grid(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Windows of 1, 2 and 16 MiB, with translated coordinates and the NoC's own; a multicast to
    all tiles; both channels of a group of DRAM; L1 that ends where NC's instruction RAM begins; the
    ARC through BAR 0."""
    statements = """
        lib.init()
        print(hex(lib.config(0)))
        FIRST = {1: 0, 2: 156, 16: 166}
        BASE = {1: 0, 2: 0x9C00000, 16: 0xB000000}

        def window(size, x, y, addr, start=None):
            bits, span = {1: 16, 2: 15, 16: 12}[size], size << 20
            value = addr // span | x << bits | y << bits + 6
            if start is not None:
                value |= start[0] << bits + 12 | start[1] << bits + 18 | 1 << bits + 25
            lib.write(BAR0 + WINDOWS + 8 * FIRST[size], value.to_bytes(8, "little"))
            return BAR0 + BASE[size] + addr % span

        lib.write(window(1, 18, 18, 0x1000), b"tile")
        print(lib.read(window(2, 1, 1, 0x1000), 4), lib.read(window(16, 19, 18, 0x1000), 4))
        lib.write(window(16, 25, 27, 0x2000, start=(18, 18)), b"all.")
        print([lib.read(window(1, x, y, 0x2000), 4) for x, y in ((1, 1), (2, 1), (19, 18))])
        lib.write(window(16, 0, 6, 0x40000000 + 64), b"high")
        lib.write(window(16, 16, 17, 64), b"low.")
        print([lib.read(window(2, 0, y, at + 64), 4) for y in (5, 7) for at in (0, 1 << 30)])
        lib.write(window(1, 18, 18, 0x16E000 - 4), b"last")
        print(lib.read(BAR0 + 0x1FF30060, 4).hex(), lib.read(BAR0 + 0x1FF50100, 4).hex())
        lib.exit()
    """
    made = write_library(
        tmp_path_factory.mktemp("wormhole"),
        SimulatorOptions(tiles="2x1", address=AddressOptions(port=0), engine="compiled"),
        "wormhole",
    )
    status, said, lines = run(made, statements)
    assert (status, lines) == (0, [])
    assert said.splitlines() == [
        "0x401e1e52",
        r"b'tile' b'\x00\x00\x00\x00'",
        "[b'all.', b'all.', b'all.']",
        "[b'low.', b'high', b'low.', b'high']",
        "0100dec0 00400000",
    ]


def test_the_end_of_l1(tmp_path_factory: pytest.TempPathFactory) -> None:
    """NC's instruction RAM is after it in the record, and no host reaches that."""
    made = write_library(
        tmp_path_factory.mktemp("wormhole"),
        SimulatorOptions(tiles="1x1", address=AddressOptions(port=0), engine="reference"),
        "wormhole",
    )
    last = 'lib.init()\nlib.code.libttsim_tile_wr_bytes(18, 18, {addr}, b"last", 4)\nlib.clock()'
    assert run(made, last.format(addr=0x16DFFC))[::2] == (0, [])
    status, _, lines = run(made, last.format(addr=0x16E000))
    assert status == 1
    assert "the host writes 4 bytes at 0x16e000 of core 1-1" in "".join(lines)


def word(one: WormholeArc, addr: int) -> int:
    return int.from_bytes(one.read(addr, 4), "little")


def sent(code: int) -> tuple[int, int]:
    """Send a message as tt-umd does (wormhole_arc_messenger.cpp); return status and result."""
    one = WormholeArc()
    for at, value in (
        (arc.ARGUMENT, AT_REST),
        (arc.STATUS, 0xAA00 | code),
        (arc.MISC_CNTL, arc_memory.INTERRUPT),
    ):
        one.write(arc.RESET_UNIT + at, value.to_bytes(4, "little"))
    assert word(one, arc.RESET_UNIT + arc.MISC_CNTL) == 0, "the interrupt is taken"
    return word(one, arc.RESET_UNIT + arc.STATUS), word(one, arc.RESET_UNIT + arc.ARGUMENT)


def test_messages() -> None:
    """The code comes back, with exit code 0 above it; a code that is not known as all ones."""
    assert sent(Message.GET_AICLK) == (0x34, 1000)
    assert sent(Message.ARC_GET_HARVESTING) == (0x57, 0)
    assert sent(Message.ARC_GO_BUSY) == (0x52, 0)
    assert sent(0x97) == (0xFFFFFFFF, AT_REST)  # sets regions for peers: there are none


def test_telemetry() -> None:
    """The first has the version of the firmware, the second is a table of tags and values, to which
    two registers of the reset unit lead (wormhole_arc_telemetry_reader.cpp)."""
    one = WormholeArc()
    assert word(one, arc.CSM + 4 * 49) == 18 << 24 | 4 << 16
    table, values = (
        arc.AS_ARC + word(one, arc.RESET_UNIT + at) for at in (arc.TABLE_AT, arc.VALUES_AT)
    )
    entries = [word(one, table + 8 + 4 * i) for i in range(word(one, table + 4))]
    read = {entry & 0xFFFF: word(one, values + 4 * (entry >> 16)) for entry in entries}
    assert read == arc.TELEMETRY
    assert read[1] << 32 >> 36 == 0x18, "an n150, by which tt-metal chooses its grid of cores"


def test_where_the_arc_is_and_what_it_has_not() -> None:
    one = WormholeArc()
    node = [word(one, niu + arc.NODE_ID) & 0xFFF for niu in arc.NIUS]
    assert node == [10 << 6, 9 | 1 << 6]
    for addr in (arc.RESET_UNIT + 0x400, 0x80030060, arc.CSM + arc_memory.CSM_BYTES):
        with pytest.raises(MemoryFault, match="of the ARC"):
            one.read(addr, 4)
    with pytest.raises(MemoryFault, match="of the ARC"):
        one.write(arc.RESET_UNIT + arc.TABLE_AT, bytes(4))
