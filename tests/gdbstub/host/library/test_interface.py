# SPDX-License-Identifier: Apache-2.0
"""The ten functions with good and bad arguments, called by ctypes from a process of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gdbstub.host.library.host import folder, library, run

__all__ = ["library"]


def test_bytes_of_a_tile(library: Path) -> None:
    """Windows of both sizes and the functions of tiles show the same L1."""
    statements = """
        lib.init()
        lib.poke(0x1000, b"through a window of 2 MiB")
        print(lib.peek(0x1000, 25))
        lib.window(202, 0 | 1 << 32 | 2 << 38)
        print(lib.read(BAR4 + 0x1008, 4))
        data = ctypes.create_string_buffer(4)
        lib.code.libttsim_tile_rd_bytes(1, 2, 0x1000, data, 4)
        lib.code.libttsim_tile_wr_bytes(1, 2, 0x2000, b"back", 4)
        print(data.raw, lib.peek(0x2000))
        lib.exit()
    """
    status, said, lines = run(library, statements)
    assert (status, lines) == (0, [])
    assert said.split("\n")[:3] == [
        "b'through a window of 2 MiB'",
        "b'a wi'",
        "b'thro' b'back'",
    ]


def test_configuration_space(library: Path) -> None:
    """Vendor and device, the bases of the BARs, and all ones where there is no device."""
    statements = """
        lib.init()
        print(*(hex(lib.config(offset)) for offset in range(0, 64, 4)))
        print(hex(lib.config(0, device=1)), hex(lib.config(0x10, device=31)))
        lib.exit()
    """
    status, said, lines = run(library, statements)
    words, none = (line.split() for line in said.splitlines())
    assert (status, lines, none) == (0, [], ["0xffffffff", "0xffffffff"])
    assert words[:2] == ["0xb1401e52", "0x0"]
    assert words[4:10] == ["0x4", "0x1", "0x20000004", "0x1", "0x4", "0x8"]


ABSENT = """
    lib.init()
    print(lib.peek(0, core=(2, 2)), lib.peek(4, core=(2, 2)))
    lib.exit()
"""


def test_a_core_that_is_not_there(library: Path, tmp_path: Path) -> None:
    """The host is ended with a sentence; with --faults it reads zeros, and is told once."""
    assert run(library, ABSENT) == (
        1,
        "",
        [
            "tensix-gdb: UnimplementedFunctionality: the host reads 4 bytes at 0x0 of core 2-2: "
            "core 2-2 is not there. Next: --faults UnimplementedFunctionality=count, with which "
            "what is read from it is zero"
        ],
    )
    status, said, lines = run(folder(tmp_path, faults="unimplemented=count"), ABSENT)
    assert (status, said.split()) == (0, ["b'\\x00\\x00\\x00\\x00'"] * 2)
    assert lines == ["tensix-gdb: core 2-2 is not there: what is read from it is zero"]


IN, READS, WRITES = "lib.init()\n", "libttsim_pci_mem_rd_bytes: ", "libttsim_pci_mem_wr_bytes: "
REFUSED = {
    IN + "lib.init()": "libttsim_init: the tiles are there already",
    "lib.exit()": "libttsim_exit: libttsim_init comes first",
    "lib.clock()": "libttsim_clock: libttsim_init comes first",
    IN + "lib.exit()\nlib.read(BAR0, 4)": READS + "libttsim_init comes first",
    IN + "lib.code.libttsim_set_pci_dma_mem_callbacks(None, None)": (
        "libttsim_set_pci_dma_mem_callbacks: this comes before libttsim_init"
    ),
    IN + "lib.config(2)": "libttsim_pci_config_rd32: offset 0x2 is not a multiple of 4",
    IN + "lib.config(0x40)": (
        "libttsim_pci_config_rd32: offset 0x40 is after the 64 bytes of a header"
    ),
    IN + "lib.code.libttsim_pci_config_rd32(0x101, 0)": (
        "libttsim_pci_config_rd32: 0x101 is no device of bus 0 and function 0"
    ),
    IN + "lib.code.libttsim_pci_config_wr32(0, 4, 6)": (
        "libttsim_pci_config_wr32: configuration space cannot be written here (0x6 at 0x4 of "
        "device 0x0)"
    ),
    IN + "lib.read(BAR0, 0)": READS + "0 bytes at 0x100000000",
    IN + "lib.read(0x1000, 4)": READS + "no BAR has the 4 bytes at 0x1000",
    IN + "lib.read(BAR0 + WINDOW - 2, 4)": (
        READS + "4 bytes at 0x1ffffe leave TLB window 0 of 2 MiB"
    ),
    IN + "lib.window(3, 1 << 67)\nlib.read(BAR0 + 3 * WINDOW, 4)": (
        READS + "TLB window 3 is of NoC 1; only NoC 0 is here for a host"
    ),
    IN + "lib.window(3, 1 << 69)\nlib.read(BAR0 + 3 * WINDOW, 4)": (
        READS + "TLB window 3 is a multicast, which can be written only"
    ),
    IN + "lib.window(3, 1 << 69 | 2 << 55 | 1 << 43)\nlib.write(BAR0 + 3 * WINDOW, b'1234')": (
        WRITES + "the multicast of TLB window 3 ends at 1-0, before its start 2-0"
    ),
    IN + "lib.read(BAR0 + 0x1FD00000, 4)": (
        READS + "offset 0x1fd00000 of BAR 0 is no register that this device has"
    ),
    IN + "lib.read(BAR0 + 0x1FD04044, 2)": (
        READS + "registers of BAR 0 take one aligned word, not 2 bytes at 0x1fd04044"
    ),
    IN + "lib.write(BAR2 + 0x1100, b'1234')": (
        WRITES + "offset 0x1100 of BAR 2 is of an inbound iATU region; windows are fixed here"
    ),
}


@pytest.mark.parametrize("statements", REFUSED)
def test_what_is_refused(library: Path, statements: str) -> None:
    """One sentence, and the end of the host with status 1, as the interface has it."""
    status, said, lines = run(library, statements)
    assert (status, said, lines[:1]) == (1, "", [f"tensix-gdb: {REFUSED[statements]}"])


def test_registers_of_the_device(library: Path) -> None:
    """Its NIUs say where it is and that coordinates are translated; an iATU region is kept."""
    statements = """
        lib.init()
        for offset in (0x1FD04044, 0x1FD04100, 0x1FD14044):
            print(hex(int.from_bytes(lib.read(BAR0 + offset, 4), "little")))
        lib.write(BAR2 + 0x1014, b"kept")
        print(lib.read(BAR2 + 0x1014, 4))
        lib.exit()
    """
    status, said, lines = run(library, statements)
    assert (status, lines) == (0, [])
    assert said.split() == ["0x10611002", "0x4000", "0x6112ce", "b'kept'"]


def test_multicast(tmp_path: Path) -> None:
    """A write to a rectangle reaches the tiles in it and no others."""
    statements = """
        lib.init()
        lib.window(5, 1 << 69 | 1 << 55 | 2 << 61 | 2 << 43 | 2 << 49)
        lib.write(BAR0 + 5 * WINDOW + 0x40, b"both")
        print(*(lib.peek(0x40, core=core) for core in ((1, 2), (2, 2), (1, 3), (2, 3))))
        lib.exit()
    """
    status, said, _ = run(folder(tmp_path, "2x2"), statements)
    none = "b'\\x00\\x00\\x00\\x00'"
    assert (status, said.strip()) == (0, f"b'both' b'both' {none} {none}")
