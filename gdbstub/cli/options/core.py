# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb core`."""

from __future__ import annotations

from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option


@dataclass(frozen=True)
class CardOptions:
    """Read a tile of a card."""

    from_exalens: str | None = option(
        "--from-exalens",
        nargs="?",
        const="0,0",
        metavar="LOCATION",
        help="read a tile of a card through tt-exalens, and write FILE: LOCATION is as tt-exalens "
        "has it (default 0,0). Cores that run are halted one after the other for a moment",
    )
    output: str | None = option("-o", metavar="FILE", help="the file to write")
    device: int = option(
        "--device", type=int, default=0, metavar="N", help="which card (default 0)"
    )
    simulator: str | None = option(
        "--simulator",
        metavar="FILE",
        help="instead of a card: the library that `tensix-gdb simulator` has written",
    )
    undisturbed: bool = option("--undisturbed", action="store_true", help="halt no core")
    no_local: bool = option(
        "--no-local", action="store_true", help="leave local RAM out: it is read word by word"
    )
    local_over_noc: bool = option(
        "--local-over-noc",
        action="store_true",
        help="read local RAM over the NoC, as --simulator does: at once, and of NC and of cores "
        "that cannot be halted too. On a Blackhole card that can hang the card and its host "
        "(tt-exalens#907)",
    )
    no_config: bool = option(
        "--no-config",
        action="store_true",
        help="leave the configuration out: it is read word by word",
    )
    dst: bool = option("--dst", action="store_true", help="read Dst too: 8192 words")
    elf: tuple[tuple[int, str], ...] = tile.elf(
        "the program of a hart, for symbols and lines; once for each hart"
    )


@dataclass(frozen=True)
class CoreOptions:
    """With --port: ask a running `tensix-gdb serve` or `simulator` for its tile as it is, and write
    that to FILE, as `gcore` does of a process. The tile is not disturbed, also while it runs for
    another client. Without: say what a core file holds, and what opens it."""

    file: str | None = option(nargs="?", metavar="FILE", help="the core file")
    card: CardOptions = field(default_factory=CardOptions)
    port: int | None = option(
        "--port",
        type=tile.typed_port,
        help=f"where the server listens (default {tile.DEFAULT_PORT} if --host is given)",
    )
    tile: str | None = option(
        "--tile",
        metavar="X-Y",
        help="of several tiles: this one alone, in a file that GDB opens; without, FILE has them "
        "all, and `tensix-gdb replay --serve FILE` continues with them",
    )
    host: str | None = option(
        "--host", help="the machine that it is on (default 127.0.0.1 with --port)"
    )
