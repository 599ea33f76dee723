# SPDX-License-Identifier: Apache-2.0
"""Options that several commands have, and the types of their values."""

from __future__ import annotations

import argparse

from tensix_gdb.gdbstub.cli.options import tiles
from tensix_gdb.gdbstub.usage import DEFAULT_SCHEDULE, HARTS, UsageError, parse_schedule

DEFAULT_PORT = 4555
MAX_THREADS = 64


def record_to(command: argparse.ArgumentParser) -> None:
    """Add the option that names a recording's file."""
    command.add_argument(
        "--record-to",
        metavar="FILE",
        help="write a recording of the run with all that was done from outside; `tensix-gdb replay "
        "FILE` plays it again, here or anywhere, and compares",
    )


def counted(command: argparse.ArgumentParser) -> None:
    """Add the options that name the files of counts."""
    command.add_argument(
        "--coverage",
        metavar="FILE",
        help="write how often harts have executed each source line, for lcov and genhtml",
    )
    command.add_argument(
        "--tensix-coverage",
        metavar="FILE",
        help="the same of Tensix instructions: how often what a line pushes was issued",
    )
    command.add_argument(
        "--profile",
        metavar="FILE",
        help="write where cycles went: functions and lines of harts, reasons at wait gates, units; "
        "for speedscope if FILE ends in .json, for pprof if it ends in .pb.gz",
    )


def record(command: argparse.ArgumentParser) -> None:
    """Add the option for a history, which reverse execution needs."""
    command.add_argument(
        "--record",
        action="store_true",
        help="keep a history, so that GDB's reverse commands work; `monitor record` does it later",
    )
    record_to(command)


def stop_at_end(command: argparse.ArgumentParser) -> None:
    """Add the option that makes the end of a program a stop."""
    command.add_argument(
        "--stop-at-end",
        action="store_true",
        help="stop all harts where the program of one ends; otherwise that is told, and the others "
        "go on (with --processes, --ports, a history or non-stop it always stops)",
    )


def processes(command: argparse.ArgumentParser) -> None:
    """Add the option that makes each hart a process."""
    command.add_argument(
        "--processes",
        action="store_true",
        help="each hart is a process with its own ELF, so that `break` and `print` mean the "
        "inferior that is selected; for a GDB, with `set schedule-multiple on`",
    )


def programs(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the options of the ELF files and how they run."""
    command.add_argument(
        "--elf",
        action="append",
        type=typed_elf,
        metavar="HART=FILE",
        help=f"load FILE for a hart ({', '.join(HARTS)}); once for each hart",
    )
    engine(command, DEFAULT_SCHEDULE if required else None)


def engine(command: argparse.ArgumentParser, schedule: str | None) -> None:
    """Add the options of how the tile runs."""
    command.add_argument(
        "--engine",
        choices=("auto", "compiled", "reference"),
        default="auto",
        help="auto starts at once and gets faster by itself; compiled waits for the compiler; "
        "reference is plain Python (default: auto)",
    )
    command.add_argument(
        "--schedule",
        type=typed_schedule,
        default=schedule,
        metavar="SCHEDULE",
        help="sc: loads and stores happen at once; latency: they take as long as documented; "
        "random:SEED: longer by as much as the seed says, so that rare orders happen; "
        "random:SEED,strict: without the orders that no page grants and kernels rely on "
        f"(default: {schedule or 'that of the log'})",
    )


def threads(command: argparse.ArgumentParser) -> None:
    """Add the option of how many threads run several tiles."""
    command.add_argument(
        "--threads",
        type=typed_threads,
        default=1,
        metavar="N",
        help="run several tiles in N threads; the result is the same (default 1)",
    )


def typed_threads(text: str) -> int:
    """Parse a number of threads."""
    if not text.isdecimal() or not 0 < int(text) <= MAX_THREADS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_THREADS}")
    return int(text)


def pauses(command: argparse.ArgumentParser) -> None:
    """Add the option of pauses at places."""
    command.add_argument(
        "--pause",
        action="append",
        default=[],
        metavar="WHERE:CYCLES",
        help="let a hart (T0@0x6010) or a Tensix thread (gate.T1@0x6010: at the gate what was "
        "pushed there) stand still at a place, the first time or as in T0@unpack.c:45#3:79 the "
        "third; `random` for CYCLES lets the schedule choose; may be repeated",
    )


def more_programs(command: argparse.ArgumentParser) -> None:
    """Add the options of what else is loaded into the tile."""
    command.add_argument(
        "--arch",
        choices=("blackhole", "wormhole"),
        help="the chip that the tile is of (default: blackhole)",
    )
    command.add_argument(
        "--dir",
        action="append",
        default=[],
        metavar="DIR",
        help="load what DIR has: b, t0, t1, t2, nc, or brisc, ncrisc, trisc0 to trisc2, or unpack, "
        "math, pack (.elf)",
    )
    command.add_argument(
        "--bin",
        action="append",
        default=[],
        type=typed_bin,
        metavar="ADDR=FILE",
        help="put the bytes of FILE into memory from ADDR on",
    )
    tiles.add_inputs(command)
    command.add_argument(
        "--firmware",
        metavar="DIR",
        help="boot Tenstorrent's firmware, as a host does it, until it is initialised",
    )
    command.add_argument(
        "--launch",
        action="append",
        default=[],
        type=typed_elf,
        metavar="HART=FILE",
        help="start a kernel by the firmware's launch message; once for each hart",
    )
    faults(command)
    pauses(command)


def faults(command: argparse.ArgumentParser) -> None:
    """Add the option of what the tile does at faults."""
    command.add_argument(
        "--faults",
        metavar="CATEGORY=POLICY,...",
        help="what to do at faults: stop, count or ignore; `all` is every category, their names "
        "are in `monitor faults` (default: all=stop)",
    )


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


def address(command: argparse.ArgumentParser) -> None:
    """Add the options of where to listen."""
    command.add_argument(
        "--port",
        type=typed_port,
        default=DEFAULT_PORT,
        help=f"where to listen, 0 for any that is free (default {DEFAULT_PORT})",
    )
    command.add_argument(
        "--host",
        default="127.0.0.1",
        help="the address to listen on (default 127.0.0.1). Any program that reaches the port "
        "controls the tile: name another address with care.",
    )


def typed_elf(text: str) -> tuple[int, str]:
    """Parse a program of a hart."""
    name, separator, path = text.partition("=")
    if not separator or not path or name.lower() not in HARTS:
        raise argparse.ArgumentTypeError(
            f"{text!r} does not say HART=FILE, as in b=program.elf; harts are {', '.join(HARTS)}"
        )
    return HARTS.index(name.lower()), path


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
