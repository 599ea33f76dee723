# SPDX-License-Identifier: Apache-2.0
"""The options of tiles that a host drives: `tensix-gdb simulator`, `tensix-gdb ttnn`."""

from __future__ import annotations

import argparse
import re
from dataclasses import field
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.chips import MOST_CHIPS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.races import RaceFlags
from tensix_gdb.gdbstub.usage import DEFAULT_SCHEDULE, UsageError, parse_schedule

if TYPE_CHECKING:
    from tensix_gdb.core.chip.ethernet.cables import CableFault

DEFAULT_CYCLES = 2_000  # of a host that waits


def chips_of(text: str) -> int:
    """Return how many chips there are to be. ArgumentTypeError for no such number."""
    if not (text.isdecimal() and 0 < int(text) <= MOST_CHIPS):
        raise argparse.ArgumentTypeError(f"{text}: there are 1 to {MOST_CHIPS} chips")
    return int(text)


@dataclass(frozen=True)
class SimulatorOptions:
    """Tiles that a host drives."""

    tiles: str = option(
        "--tiles",
        default="1x1",
        metavar="WxH",
        help="so many columns and rows of tiles, up to 14x10, the whole chip, of Wormhole 8x10 "
        "(default 1x1); each is a process for GDB",
    )
    chips: int = option(
        "--chips",
        type=chips_of,
        default=1,
        metavar="N",
        help=f"so many chips, up to {MOST_CHIPS}, each with --tiles and a device of PCI Express; "
        "2, 4 and 8 have cables between them, of Wormhole there are 2 (default 1)",
    )
    cable: tuple[str, ...] = option(
        "--cable",
        action="append",
        metavar="FAULT",
        help="with --chips, a fault on purpose of an Ethernet tile's cable: nothing arrives from a "
        "cycle on (cut:c0.e4@500000), the first packet is lost (lose:c0.e4@500000), or all arrive "
        "N cycles later (late:c0.e4@500000+N); may be repeated",
    )
    stop_at_entry: bool = option(
        "--stop-at-entry",
        action="store_true",
        help="when T0, T1 or T2 leaves reset, wait for a debugger",
    )
    stop_at_fault: bool = option(
        "--stop-at-fault", action="store_true", help="at a fault, wait for a debugger"
    )
    web: int | None = tile.web()
    runs: str | None = option(
        "--runs",
        metavar="FILE",
        help="append a line to FILE for each run of kernels: cycles, instructions, seconds",
    )
    kernel_times: bool = option(
        "--kernel-times",
        action="store_true",
        help="with --runs: in which cycles each hart has begun and ended its kernel, how long each "
        "unit was busy, what went through the NIUs and to each channel of DRAM",
    )
    keep: str | None = option(
        "--keep",
        metavar="DIR",
        help="write a core file into DIR for each run of kernels, as the tile was before it, and "
        "the access of the host that began it",
    )
    cycles: int = option(
        "--cycles",
        type=tile.cycles,
        default=DEFAULT_CYCLES,
        metavar="N",
        help="run for at most so many cycles at a time while the host waits, which is when it "
        f"reads the same again (default {DEFAULT_CYCLES})",
    )
    threads: int = tile.threads()
    history: tile.HistoryOptions = field(default_factory=tile.HistoryOptions)
    stop_at_end: bool = tile.stop_at_end()
    elf: tuple[tuple[int, str], ...] = tile.elf(
        "the program that the host loads for a hart, for its symbols: for debuggers, in "
        "sentences and in what is counted. When the hart leaves reset it is compared with what is "
        "in L1; of a pattern (in quotes) the newest file that is there is taken"
    )
    kernel_cache: str | None = option(
        "--kernel-cache",
        metavar="DIR",
        help="where tt-metal keeps what it compiles: kernels and firmware are recognised there, "
        "and need no --elf (default: TT_METAL_CACHE, else ~/.cache)",
    )
    counts: tile.CountOptions = field(default_factory=tile.CountOptions)
    races: RaceFlags = field(default_factory=RaceFlags)
    engine: str = tile.engine()
    schedule: str = tile.schedule(DEFAULT_SCHEDULE)
    faults: str | None = tile.faults()
    pause: tuple[str, ...] = tile.pauses()
    address: tile.AddressOptions = field(default_factory=tile.AddressOptions)

    def __post_init__(self) -> None:
        if self.history.record and self.counts.are_wanted:
            raise UsageError(tile.COUNTED_TWICE)
        if self.kernel_times and self.runs is None:
            raise UsageError("--kernel-times are in the lines of --runs FILE: add it")


def check_times(arch: Arch, *, are_wanted: bool) -> None:
    """UsageError if kernels are to be timed on a chip where that is not possible."""
    if are_wanted and arch is Arch.WORMHOLE:
        raise UsageError(
            "--kernel-times and --operations know Blackhole: on Wormhole NC runs its kernels in a "
            "RAM of its own, and begins them by a reset"
        )


def check_options(options: SimulatorOptions, arch: Arch = Arch.BLACKHOLE) -> None:
    """UsageError for an option that several tiles do not have."""
    from tensix_gdb.core.chip.places import name_of
    from tensix_gdb.gdbstub.host.simulator.grid import places_on

    if options.stop_at_end:
        raise UsageError(f"--stop-at-end knows one tile: leave it out, or --tiles {options.tiles}")
    if options.keep is not None:
        raise UsageError(
            "--keep keeps one tile, and a run of several is one of all: --record-to FILE has it"
        )
    if options.history.record_to is not None and options.counts.are_wanted:
        raise UsageError(tile.COUNTED_TWICE.replace("--record,", "--record-to,"))
    execution = parse_schedule(options.schedule)
    if execution.links and options.chips > 1:
        raise UsageError("links have a capacity on one chip: leave `links` out of --schedule")
    cable_faults_of(options, arch)
    names = dict.fromkeys(name_of(core) for core in places_on(options.tiles, options.chips, arch))
    if options.pause:
        from tensix_gdb.gdbstub.tensix.pauses import check_tile_of

        for text in options.pause:
            check_tile_of(names, text)
    if options.counts.profile is not None:
        from tensix_gdb.gdbstub.tensix.chip.counting import check_place

        check_place(options.counts.profile)


def cable_faults_of(options: SimulatorOptions, arch: Arch = Arch.BLACKHOLE) -> list[CableFault]:
    """Return the faults on purpose of cables. UsageError for no such tile."""
    from tensix_gdb.core.chip.ethernet.cables import LATE
    from tensix_gdb.core.chip.links import ends_of, links_of
    from tensix_gdb.core.chip.places import name_of

    ends = {name_of(place): place for place in ends_of(links_of(options.chips, arch.chip))}
    found: list[CableFault] = []
    for text in options.cable:
        known = re.fullmatch(r"(cut|lose|late):(.+?)@(\d+)(?:\+(\d+))?", text)
        if known is None or known[2] not in ends or (known[1] == LATE) != bool(known[4]):
            names = ", ".join(ends) or "none without --chips 2, 4 or 8, of Wormhole 2"
            raise UsageError(
                f"--cable {text}: name the fault, an Ethernet tile and a cycle, as in "
                f"cut:c0.e4@5000, lose:c0.e4@5000 or late:c0.e4@5000+100; the tiles: {names}"
            )
        found.append((known[1], ends[known[2]], int(known[3]), int(known[4] or 0)))
    return found
