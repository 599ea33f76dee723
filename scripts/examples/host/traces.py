# SPDX-License-Identifier: Apache-2.0
"""Recordings of mesham/tt-sim played to a chip of Wormhole: what the host read, byte by byte.

python -m scripts.examples.host.traces FILE.trace ... [--tables FILE.trace ...]

The files are in its driver/wormhole/server/traces, a line for each message of a host. All are
played through the library, each on a chip of its own with 8x10 tiles. A go message is read until it
has the recorded answer; messages to Ethernet tiles are left out. `--tables` is for those of which
kernels write to another tile by NoC 1: their host has taken NoC 0's coordinates on both, and these
get tables of NoC 1 that say the same. Exit status 1 if a read differs.
"""

from __future__ import annotations

import argparse
import ctypes
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tensix_gdb.core.arch.chips import WORMHOLE
from tensix_gdb.core.chip.places import TENSIX_PLACES
from tensix_gdb.core.noc.coordinates import WORMHOLE_DRAM
from tensix_gdb.gdbstub.cli.options.tile import AddressOptions
from tensix_gdb.gdbstub.host.library.command import write_library
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tests.gdbstub.host.library.host import SOFT_RESET, Library

MESSAGE = re.compile(
    r"(\w+) core=(\d+),(\d+) addr=0x([0-9a-f]+) size=(\d+) data=([0-9a-f]*)(?: reply=([0-9a-f]*))?"
)
GO = 0x4A0  # of the firmware that these hosts have loaded
RESETS = {"RESET_ASSERT": 0x47800, "RESET_DEASSERT": 0x47000}  # of all cores; of all but B
CYCLES, TURNS = 2000, 400  # between two reads of a go message; how often
NIU_1, TABLES = 0xFFB30000, ((0x118, 9), (0x128, 11))  # the tables of x and y, and the last of each
SECONDS = 600


class Player:
    """A chip, and what was read there."""

    def __init__(self, library: Path) -> None:
        self.lib = Library(str(library))
        self.lib.init()
        self.workers = set(TENSIX_PLACES[WORMHOLE])
        self.known = self.workers | {place for group in WORMHOLE_DRAM for place in group}
        self.equal = self.bytes = 0

    def write(self, core: tuple[int, int], addr: int, data: bytes) -> None:
        """Write to a core."""
        self.lib.code.libttsim_tile_wr_bytes(*core, addr, data, len(data))

    def read(self, core: tuple[int, int], addr: int, size: int) -> bytes:
        """Read from a core."""
        data = ctypes.create_string_buffer(size)
        self.lib.code.libttsim_tile_rd_bytes(*core, addr, data, size)
        return data.raw

    def same_tables(self) -> None:
        """Have NoC 1 lead to a tile by its coordinates on NoC 0. Those of DRAM are NoC 1's own."""
        for core in self.workers:
            for base, last in TABLES:
                words = int.from_bytes(self.read(core, NIU_1 + base, 16), "little")
                entries = [words >> 4 * i & 15 for i in range(32)]
                entries[1:last] = [last - i for i in range(1, last)]
                words = sum(entry << 4 * i for i, entry in enumerate(entries))
                for at in range(0, 16, 4):
                    self.write(
                        core, NIU_1 + base + at, (words >> 8 * at).to_bytes(16, "little")[:4]
                    )

    def play(self, line: str) -> str:
        """Play a message; return what is wrong, if anything is."""
        found = MESSAGE.match(line)
        if not found:
            return ""
        kind, x, y, at, size, data, reply = found.groups()
        core, addr = (int(x), int(y)), int(at, 16)
        if core not in self.known:
            return ""
        if kind == "WRITE":
            self.write(core, addr, bytes.fromhex(data))
        elif kind in RESETS:
            self.write(core, SOFT_RESET, RESETS[kind].to_bytes(4, "little"))
        elif kind == "READ":
            return self.compare(core, addr, int(size), bytes.fromhex(reply))
        return ""

    def compare(self, core: tuple[int, int], addr: int, size: int, wanted: bytes) -> str:
        """Read what the host has read."""
        got = self.read(core, addr, size)
        if addr == GO:
            turns = 0
            while not any(wanted) and got != wanted and turns < TURNS:
                self.lib.clock(CYCLES)
                got, turns = self.read(core, addr, size), turns + 1
            return "" if any(wanted) or got == wanted else f"core {core} is never done"
        self.equal += got == wanted
        self.bytes += size
        return "" if got == wanted else f"core {core}, {addr:#x}: {got[:16].hex()}"


def played(library: Path, file: Path, tables: bool) -> int:
    """Play a file in this process, and print a line."""
    player = Player(library)
    if tables:
        player.same_tables()
    for line in file.read_text("utf-8").splitlines():
        if wrong := player.play(line):
            print(f"{file.stem}: {wrong}", flush=True)
            player.lib.exit()
            return 1
    print(f"{file.stem}: {player.equal} reads of {player.bytes} bytes, all equal", flush=True)
    player.lib.exit()
    return 0


def main(words: list[str]) -> int:
    """Play all files, each in a process of its own; 0 if what the hosts have read is there."""
    parser = argparse.ArgumentParser(prog="scripts.examples.host.traces")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.trace")
    parser.add_argument("--tables", nargs="+", type=Path, default=[], metavar="FILE.trace")
    parser.add_argument("--library", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    if not options.files + options.tables:
        parser.error("name a recording")
    for file in options.files + options.tables:
        if not file.is_file():
            parser.error(f"{file}: there is no such file")
    if options.library is not None:
        return played(options.library, (options.files + options.tables)[0], bool(options.tables))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        chip = SimulatorOptions(tiles="8x10", address=AddressOptions(port=0), engine="compiled")
        library = write_library(Path(folder), chip, "wormhole")
        for file in options.files + options.tables:
            how = ["--tables"] if file in options.tables else []
            command = [sys.executable, "-m", "scripts.examples.host.traces"]
            command += ["--library", str(library), *how, str(file)]
            failed += subprocess.run(command, timeout=SECONDS, check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
