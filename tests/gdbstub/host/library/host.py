# SPDX-License-Identifier: Apache-2.0
"""A host of the library, in a process of its own: what the tests of this folder run.

`python -m tests.gdbstub.host.library.host LIBRARY` reads statements from standard input and runs
them with the names of this file, so a test has what only a process can show: its end.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.options.tile import AddressOptions
from tensix_gdb.gdbstub.host.library.command import write_library
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tests.patience import HANG

ROOT = Path(__file__).resolve().parents[4]
BAR0, BAR2, BAR4 = 0x100000000, 0x120000000, 0x800000000
WINDOW, WINDOWS = 2 << 20, 0x1FC00000
DEVICE = 64 << 30  # from the BARs of a device to those of the next one
SOFT_RESET = 0xFFB121B0
READ = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint32)


class Library:
    """The functions of the interface, and windows to cores."""

    def __init__(self, path: str) -> None:
        self.code = ctypes.CDLL(path)
        at, u32, u64 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64
        for name in ("pci_mem_rd_bytes", "pci_mem_wr_bytes"):
            getattr(self.code, f"libttsim_{name}").argtypes = (u64, at, u32)
        for name in ("tile_rd_bytes", "tile_wr_bytes"):
            getattr(self.code, f"libttsim_{name}").argtypes = (u32, u32, u64, at, u32)
        self.code.libttsim_pci_config_rd32.argtypes = (u32, u32)
        self.code.libttsim_pci_config_rd32.restype = u32
        self.code.libttsim_pci_config_wr32.argtypes = (u32, u32, u32)
        self.code.libttsim_clock.argtypes = (u32,)
        self.device = 0  # that the windows below are of

    def init(self) -> None:
        self.code.libttsim_init()

    def exit(self) -> None:
        self.code.libttsim_exit()

    def clock(self, count: int = 1) -> None:
        self.code.libttsim_clock(count)

    def config(self, offset: int, device: int = 0) -> int:
        return int(self.code.libttsim_pci_config_rd32(device << 3, offset))

    def read(self, paddr: int, size: int) -> bytes:
        data = ctypes.create_string_buffer(size)
        self.code.libttsim_pci_mem_rd_bytes(paddr, data, size)
        return data.raw

    def write(self, paddr: int, data: bytes) -> None:
        self.code.libttsim_pci_mem_wr_bytes(paddr, data, len(data))

    def window(self, number: int, value: int) -> None:
        """Configure a window of 2 MiB; `value` has the fields of its 96 bits."""
        for word in range(3):
            data = (value >> 32 * word & 0xFFFFFFFF).to_bytes(4, "little")
            self.write(self.bar0 + WINDOWS + 12 * number + 4 * word, data)

    def at(self, x: int, y: int, addr: int, number: int = 0) -> int:
        """Have a window show an address of a core; return the host's address of it."""
        self.window(number, addr // WINDOW | x << 43 | y << 49)
        return self.bar0 + WINDOW * number + addr % WINDOW

    @property
    def bar0(self) -> int:
        """The host's address of BAR 0."""
        return BAR0 + DEVICE * self.device

    def peek(self, addr: int, size: int = 4, core: tuple[int, int] = (1, 2)) -> bytes:
        return self.read(self.at(*core, addr), size)

    def poke(self, addr: int, data: bytes, core: tuple[int, int] = (1, 2)) -> None:
        self.write(self.at(*core, addr), data)


def folder(path: Path, tiles: str = "1x1", **more: object) -> Path:
    """Write the folder of a simulator; return the library."""
    options: dict[str, object] = {"engine": "reference", **more}
    address = AddressOptions(port=0)
    return write_library(path, SimulatorOptions(tiles=tiles, address=address, **options))  # type: ignore[arg-type]


def start(library: Path, statements: str) -> subprocess.Popen[str]:
    """Start a host that runs these statements with `lib`, which is not yet opened."""
    # Unbuffered: what is refused ends the process at once, and what it has printed has to be there.
    command = [sys.executable, "-u", "-m", __name__, str(library), textwrap.dedent(statements)]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )


def run(library: Path, statements: str) -> tuple[int, str, list[str]]:
    """Run a host to its end; return its exit status, what it has printed, and the lines on standard
    error, without the one that says where the tile is."""
    with start(library, statements) as host:
        said, lines = host.communicate(timeout=HANG)
    kept = [line for line in lines.splitlines() if "gdb-multiarch" not in line]
    return host.returncode, said, kept


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of one tile."""
    return folder(tmp_path_factory.mktemp("one tile"))


def main(path: str, statements: str) -> None:
    names = {**globals(), "lib": Library(path)}
    exec(compile(statements, "<host>", "exec"), names)


if __name__ == "__main__":
    main(*sys.argv[1:])
    sys.stdout.flush()
    assert os
