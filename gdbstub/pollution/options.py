# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb pollution`."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option

MOST = 200_000


@dataclass(frozen=True)
class PollutionOptions:
    """Say which kernels disturb which others by the state that they leave in the coprocessor: for
    all ordered pairs what the first leaves changed and the second reads before it writes it, each
    confirmed by a run of the second from the state of the first. KERNEL is a run that `simulator
    --keep` or `scripts/llk --keep` has kept (FILE.core), a folder with programs as of `--dir`, or
    a folder with either in it. Exit status 1 if a result changes."""

    kernels: tuple[str, ...] = option(nargs="+", metavar="KERNEL", help="what is run")
    contents: bool = option(
        "--contents",
        action="store_true",
        help="instead of pairs: run each kernel with other contents of what nothing writes (L1, "
        "Dst, SrcA and SrcB, LRegs, GPRs, configuration), and name the first read that matters",
    )
    everything: bool = option(
        "--all", action="store_true", help="show the reads that change no result, too"
    )
    json: str | None = option(
        "--json", metavar="FILE", help="write footprints, pairs and hits to FILE"
    )
    engine: str = tile.engine()
    max_cycles: int = option(
        "--max-cycles",
        type=tile.cycles,
        default=MOST,
        metavar="N",
        help=f"leave out a kernel that takes longer by itself (default {MOST})",
    )
