# SPDX-License-Identifier: Apache-2.0
"""Options that several commands have, and the types of their values.

A function makes a field that classes of options have beside others; a class is a group of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.usage import DEFAULT_SCHEDULE, HARTS, UsageError, parse_schedule

DEFAULT_PORT = 4555
DEFAULT_CYCLES = 1_000_000_000
MAX_THREADS = 64
CHIPS = ("blackhole", "wormhole")
COUNTED_TWICE = (
    "what is gone through again would be counted again: leave out --record, or --coverage, "
    "--tensix-coverage and --profile"
)


def typed_elf(text: str) -> tuple[int, str]:
    """Parse a program of a hart."""
    name, separator, path = text.partition("=")
    if not separator or not path or name.lower() not in HARTS:
        raise argparse.ArgumentTypeError(
            f"{text!r} does not say HART=FILE, as in b=program.elf; harts are {', '.join(HARTS)}"
        )
    return HARTS.index(name.lower()), path


def typed_bin(text: str) -> tuple[int, str]:
    """Parse bytes for an address."""
    addr, separator, path = text.partition("=")
    try:
        number = int(addr, 0)
    except ValueError:
        number = -1
    if not separator or not path or not 0 <= number < 1 << 32:
        raise argparse.ArgumentTypeError(f"{text!r} is not ADDR=FILE with an address of 32 bits")
    return number, path


def typed_schedule(text: str) -> str:
    """Parse a schedule."""
    try:
        parse_schedule(text)
    except UsageError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None
    return text


def typed_threads(text: str) -> int:
    """Parse a number of threads."""
    if not text.isdecimal() or not 0 < int(text) <= MAX_THREADS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_THREADS}")
    return int(text)


def typed_port(text: str) -> int:
    """Parse a port."""
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)


def cycles(text: str) -> int:
    """Read a number of cycles. argparse's error for anything else."""
    if not text.isdecimal() or not 0 < int(text) < 1 << 62:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of cycles above 0")
    return int(text)


def elf(text: str = f"load FILE for a hart ({', '.join(HARTS)}); once for each hart") -> Any:
    """Declare the option that names the program of a hart."""
    return option("--elf", action="append", type=typed_elf, metavar="HART=FILE", help=text)


def folders(text: str) -> Any:
    """Declare the option that names folders of programs."""
    return option("--dir", action="append", metavar="DIR", help=text)


def arch(text: str) -> Any:
    """Declare the option that names the chip."""
    return option("--arch", choices=CHIPS, help=text)


def engine(
    text: str = "auto starts at once and gets faster by itself; compiled waits for the compiler; "
    "reference is plain Python (default: auto)",
) -> Any:
    """Declare the option of what runs the tile."""
    return option("--engine", choices=("auto", "compiled", "reference"), default="auto", help=text)


def schedule(default: str | None) -> Any:
    """Declare the option of when things happen."""
    return option(
        "--schedule",
        type=typed_schedule,
        default=default,
        metavar="SCHEDULE",
        help="sc: loads and stores happen at once; latency: they take as long as documented; "
        "random:SEED: longer by as much as the seed says, so that rare orders happen; "
        "random:SEED,strict: without the orders that no page grants and kernels rely on "
        f"(default: {default or 'that of the log'})",
    )


def faults() -> Any:
    """Declare the option of what the tile does at faults."""
    return option(
        "--faults",
        metavar="CATEGORY=POLICY,...",
        help="what to do at faults: stop, count or ignore; `all` is every category, their names "
        "are in `monitor faults` (default: all=stop)",
    )


def pauses() -> Any:
    """Declare the option of pauses at places."""
    return option(
        "--pause",
        action="append",
        metavar="WHERE:CYCLES",
        help="pause a hart (T0@0x6010) or a Tensix thread (gate.T1@0x6010: at the gate what was "
        "pushed there) at a place, the first time or as in T0@unpack.c:45#3:79 the third; "
        "`random` for CYCLES lets the schedule choose; may be repeated",
    )


def threads() -> Any:
    """Declare the option of how many threads run several tiles."""
    return option(
        "--threads",
        type=typed_threads,
        default=1,
        metavar="N",
        help="run several tiles in N threads; the result is the same (default 1)",
    )


def record_to() -> Any:
    """Declare the option that names a recording's file."""
    return option(
        "--record-to",
        metavar="FILE",
        help="write a recording of the run with all that was done from outside; `tensix-gdb replay "
        "FILE` plays it again, here or anywhere, and compares",
    )


def stop_at_end() -> Any:
    """Declare the option that makes the end of a program a stop."""
    return option(
        "--stop-at-end",
        action="store_true",
        help="stop all harts where the program of one ends; otherwise that is told, and the others "
        "continue (with --processes, --ports, a history or non-stop it always stops)",
    )


def processes() -> Any:
    """Declare the option that makes each hart a process."""
    return option(
        "--processes",
        action="store_true",
        help="each hart is a process with its own ELF, so that `break` and `print` mean the "
        "inferior that is selected; for a GDB, with `set schedule-multiple on`",
    )


def web() -> Any:
    """`--web`: the picture of the tile in the browser, beside what a command serves."""
    return option(
        "--web",
        nargs="?",
        type=typed_port,
        const=0,
        metavar="PORT",
        help="show the tile in the browser, live: prints the address of the page, on this machine "
        "only; without PORT, any that is free",
    )


def json(text: str = "as JSON, for programs") -> Any:
    """Declare the option of output for programs."""
    return option("--json", action="store_true", help=text)


@dataclass(frozen=True)
class ProgramOptions:
    """The programs that are loaded into the tile, and the engine and schedule that run them."""

    elf: tuple[tuple[int, str], ...] = elf()
    engine: str = engine()
    schedule: str = schedule(DEFAULT_SCHEDULE)
    arch: str | None = arch("the chip that the tile is of (default: blackhole)")
    dir: tuple[str, ...] = folders(
        "load what DIR has: b, t0, t1, t2, nc, or brisc, ncrisc, trisc0 to trisc2, or unpack, "
        "math, pack (.elf)"
    )
    bin: tuple[tuple[int, str], ...] = option(
        "--bin",
        action="append",
        type=typed_bin,
        metavar="ADDR=FILE",
        help="put the bytes of FILE into memory from ADDR on",
    )
    tile: tuple[str, ...] = option(
        "--tile",
        action="append",
        metavar="ADDR=FILE.npy:FORMAT[,rows]",
        help="put an array of NumPy into L1 as tiles of a format (bf16, fp32, bfp8 ...: "
        "`tensix-gdb manual tiles`), or row by row; also after each reset; may be repeated",
    )
    firmware: str | None = option(
        "--firmware",
        metavar="DIR",
        help="boot Tenstorrent's firmware, as a host does it, until it is initialised",
    )
    launch: tuple[tuple[int, str], ...] = option(
        "--launch",
        action="append",
        type=typed_elf,
        metavar="HART=FILE",
        help="start a kernel by the firmware's launch message; once for each hart",
    )
    faults: str | None = faults()
    pause: tuple[str, ...] = pauses()


def elsewhere(programs: ProgramOptions, there: Callable[[Path], Path]) -> ProgramOptions:
    """Return the same programs at another place."""
    return replace(
        programs,
        elf=tuple((hart, str(there(Path(path)))) for hart, path in programs.elf),
        dir=tuple(str(there(Path(path))) for path in programs.dir),
    )


@dataclass(frozen=True)
class AddressOptions:
    """Where to listen."""

    port: int = option(
        "--port",
        type=typed_port,
        default=DEFAULT_PORT,
        help=f"where to listen, 0 for any that is free (default {DEFAULT_PORT})",
    )
    host: str = option(
        "--host",
        default="127.0.0.1",
        help="the address to listen on (default 127.0.0.1). Any program that reaches the port "
        "controls the tile: name another address with care.",
    )


@dataclass(frozen=True)
class HistoryOptions:
    """The state that is kept of a session: for reverse execution, and in a file."""

    record: bool = option(
        "--record",
        action="store_true",
        help="keep a history, so that GDB's reverse commands work; `monitor record` does it later",
    )
    record_to: str | None = record_to()


@dataclass(frozen=True)
class CountOptions:
    """The files of counts."""

    coverage: str | None = option(
        "--coverage",
        metavar="FILE",
        help="write how often harts have executed each source line, for lcov and genhtml",
    )
    tensix_coverage: str | None = option(
        "--tensix-coverage",
        metavar="FILE",
        help="the same of Tensix instructions: how often what a line pushes was issued",
    )
    profile: str | None = option(
        "--profile",
        metavar="FILE",
        help="write where cycles went: functions and lines of harts, reasons at wait gates, units; "
        "for speedscope if FILE ends in .json, for pprof if it ends in .pb.gz",
    )

    @property
    def are_wanted(self) -> bool:
        """True if any of them is."""
        return any((self.coverage, self.tensix_coverage, self.profile))
