# SPDX-License-Identifier: Apache-2.0
"""The two servers whose debugging is compared, with the same program in each, halted."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.benchmark.remote import Remote, connect
from tensix_gdb.core.program.elf import read_elf
from tests.programs import build

ROOT = Path(__file__).resolve().parents[2]
SOURCE = build.PROGRAMS / "debugged.c"
# Where QEMU's board `virt` has its memory, and where its reset code jumps to.
BOARD_BOOT, BOARD_TEXT, BOARD_STACK = 0x80000000, 0x80001000, 0x80100000
QEMU = "qemu-system-riscv32"
SETTLE_SECONDS = 0.5  # our server reads line tables after it has begun to listen
START_SECONDS = 60  # with everything to compile, on a busy machine


@dataclass(frozen=True, slots=True)
class Place:
    """A program and where things are in it; `buffer` is memory that it does not use."""

    elf: Path
    beat: int
    beats: int
    main: int
    buffer: int


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    name: str
    port: int
    place: Place

    def attach(self) -> Remote:
        """A client that has attached to it."""
        remote = connect(self.port)
        remote.attach()
        return remote


def _place(elf: Path, buffer: int) -> Place:
    symbols = read_elf(elf).symbols
    return Place(elf, *(symbols[name].addr for name in ("beat", "beats", "main")), buffer)


def tile_program(folder: Path) -> Place:
    """The program for hart B."""
    elf = build.build(SOURCE, "B", folder / "tile.elf", arch=build.PLAIN_ARCH)
    return _place(elf, 0x20000)


def board_program(folder: Path) -> Place:
    """The same for QEMU's board."""
    elf = folder / "board.elf"
    command = [
        *(build.GCC, f"-march={build.PLAIN_ARCH}", *build.FLAGS, "-Og", f"-I{build.DEMO}"),
        *("-DBOARD", "-msmall-data-limit=0", f"-Wl,--defsym=__stack_top={BOARD_STACK:#x}"),
        *(f"-Wl,--section-start=.boot={BOARD_BOOT:#x}", f"-Wl,-Ttext={BOARD_TEXT:#x}"),
        *("-Wl,-e,_start", SOURCE.name, "-o", str(elf)),
    ]
    subprocess.run(command, cwd=SOURCE.parent, check=True)
    # read_elf is for the tile's memories; the symbols are where nm says.
    listed = subprocess.run(
        [build.GCC.replace("gcc", "nm"), str(elf)], check=True, capture_output=True, text=True
    ).stdout
    symbols = {row.split()[2]: int(row.split()[0], 16) for row in listed.splitlines()}
    return Place(elf, symbols["beat"], symbols["beats"], symbols["main"], 0x80080000)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextlib.contextmanager
def running(name: str, command: list[str], port: int, place: Place) -> Iterator[Server]:
    """Start a server, wait until it listens, and end it."""
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            # QEMU serves one client: the one that waits has to be gone first.
            connect(port, START_SECONDS).close()
            time.sleep(SETTLE_SECONDS)
            yield Server(name, port, place)
        finally:
            process.terminate()


def tile(place: Place, engine: str = "compiled") -> contextlib.AbstractContextManager[Server]:
    """Our server, in the schedule that has no time, as QEMU has none."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "tensix_gdb.gdbstub",
        "serve",
        "--engine",
        engine,
        "--schedule",
        "sc",
    ]
    command += ["--port", str(port), "--elf", f"b={place.elf}"]
    return running("tile", command, port, place)


def board(place: Place) -> contextlib.AbstractContextManager[Server]:
    """QEMU's."""
    port = free_port()
    command = [QEMU, "-M", "virt", "-m", "16", "-bios", "none", "-kernel", str(place.elf), "-S"]
    command += ["-display", "none", "-serial", "none", "-monitor", "none"]
    return running("QEMU", [*command, "-gdb", f"tcp:127.0.0.1:{port}"], port, place)
