# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb check`."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.usage import UsageError

DEFAULT_CYCLES = 10_000_000


@dataclass(frozen=True)
class CheckOptions:
    """Run programs once in `latency`, and say whether the accesses of two lines can come in the
    other order. `no` comes with a witness, and where a T core and its own thread are meant with all
    outcomes of what is between, without and with the instruction that orders them. Exit status 0
    for yes, 1 for no, 3 for unknown."""

    pair: tuple[str, str] = option(
        "--pair",
        nargs=2,
        required=True,
        metavar="FILE:LINE",
        help="the two lines, in either order",
    )
    programs: tuple[tuple[int, str], ...] = option(
        nargs="*", type=tile.typed_elf, metavar="HART=FILE", help="t0=unpack.elf and so on"
    )
    dir: tuple[str, ...] = tile.folders("the programs of a folder, as `run --dir` knows them")
    arch: str | None = tile.arch("the chip (default: blackhole)")
    json: bool = tile.json()
    max_cycles: int = option(
        "--max-cycles", type=int, default=DEFAULT_CYCLES, metavar="N", help="give up after so many"
    )
    engine: str = tile.engine("the engine")

    def __post_init__(self) -> None:
        for line in self.pair:
            if not line.rpartition(":")[2].isdecimal() or ":" not in line:
                raise UsageError(
                    f"--pair {line}: type FILE:LINE twice, as in unpack.c:45 unpack.c:51"
                )
