# SPDX-License-Identifier: Apache-2.0
"""The arguments of the commands, with help that teaches."""

from __future__ import annotations

import argparse
from typing import NoReturn

from gdbstub import instruction_arguments, litmus_arguments, semihosting_arguments
from gdbstub.usage import DEFAULT_SCHEDULE, HARTS, UsageError, parse_schedule

DEFAULT_PORT = 4555
DEFAULT_CYCLES = 1_000_000_000
DEFAULT_CYCLES_PER_MESSAGE = 2_000
EXAMPLES = {"COMMAND": "demo"}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        # argparse's own words name what is missing; these say what to type.
        for option, example in EXAMPLES.items():
            if message == f"the following arguments are required: {option}":
                message = f"{option} is missing: type for example `{self.prog} {example}`"
        raise UsageError(f"{message}; `{self.prog} --help` shows what can be typed")


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = _Parser(
        prog="tensix-gdb",
        description="Debug Tenstorrent Blackhole kernels without a card: an emulated Tensix tile "
        "that your GDB attaches to.",
        epilog="Start with `tensix-gdb demo`, then `tensix-gdb gdb --elf b=program.elf`.",
    )
    top.add_argument("-v", "--verbose", action="store_true", help="log what clients do")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    serve = commands.add_parser(
        "serve",
        help="load programs and wait for debuggers",
        description="Load ELF files into the harts of a tile, halted at their entries, and wait "
        "for debuggers. Prints the gdb command that attaches.",
    )
    _programs(serve)
    _more_programs(serve)
    _address(serve)
    _record(serve)
    semihosting_arguments.add(serve)
    _processes(serve)
    serve.add_argument(
        "--ports",
        action="store_true",
        help="one more port for each loaded hart, behind --port: a client there sees that hart "
        "alone, as editors with one ELF like it",
    )
    serve.add_argument(
        "--rsp-log",
        metavar="FILE",
        help="write every packet, readable, to this file; `tensix-gdb replay` plays it",
    )

    serve.add_argument(
        "--core",
        metavar="FILE",
        help="instead of programs: a tile as `run --core` or `monitor core` has written it",
    )
    serve.add_argument(
        "--core-dir",
        metavar="DIR",
        help="let clients write core files into this directory, by `monitor core NAME`",
    )

    gdb = commands.add_parser(
        "gdb",
        help="the same, with your GDB in this terminal",
        description="Load ELF files, start GDB in this terminal with the symbols of every file, "
        "and attach it. What follows -- goes to GDB.",
    )
    _programs(gdb)
    _more_programs(gdb)
    _record(gdb)
    semihosting_arguments.add(gdb)
    _processes(gdb)
    gdb.add_argument("--gdb", metavar="PROGRAM", help="which GDB (found by itself otherwise)")
    gdb.add_argument("gdb_arguments", nargs="*", metavar="GDB-ARGUMENT", help="passed to GDB")

    run = commands.add_parser(
        "run",
        help="run programs without a debugger",
        description="Run until every hart has paused at an ebreak or ecall, or a fault, or what "
        "--until or --max-cycles says; then say why. With --firmware: until it is initialised, and "
        "with --launch until the kernels are done. Exit status 0 when all paused, --until was "
        "reached, or the firmware says so; 1 for a fault or too many cycles; with --semihosting "
        "that of the first program that ends with another status than 0.",
    )
    _programs(run)
    _more_programs(run)
    semihosting_arguments.add(run, by_gdb=False)
    run.add_argument(
        "--until", metavar="SYMBOL|ADDR", help="stop when a hart is about to execute this"
    )
    run.add_argument(
        "--max-cycles",
        type=_count,
        default=DEFAULT_CYCLES,
        metavar="N",
        help=f"give up after so many cycles (default {DEFAULT_CYCLES})",
    )
    run.add_argument(
        "--trace",
        metavar="FILE",
        help="write a timeline of harts, wait gates, units and queues: for ui.perfetto.dev and "
        "chrome://tracing, or as lines of text if FILE ends in .txt",
    )

    run.add_argument(
        "--coverage",
        metavar="FILE",
        help="write how often harts have executed each source line, for lcov and genhtml",
    )
    run.add_argument(
        "--profile",
        metavar="FILE",
        help="write where cycles went: functions and lines of harts, reasons at wait gates, units; "
        "for speedscope if FILE ends in .json",
    )
    run.add_argument(
        "--tensix-coverage",
        metavar="FILE",
        help="the same of Tensix instructions: how often what a line pushes was issued",
    )
    _record_to(run)
    run.add_argument(
        "--core",
        dest="core_out",
        metavar="FILE",
        help="write the tile as it is at the end (a fault, a deadlock, all paused) as a core file: "
        "for GDB, and for `tensix-gdb serve --core FILE`",
    )

    replay = commands.add_parser(
        "replay",
        help="play a recording or a packet log again, and compare",
        description="Of a recording (`--record-to`): let a tile run from the same start with the "
        "same inputs, and compare its states. Of a packet log (`serve --rsp-log`): send what the "
        "clients sent, when a fresh tile has run as far as it had then, and compare what comes "
        "back. Exit status 0 when all is the same, 1 otherwise.",
    )
    replay.add_argument("log", metavar="FILE", help="the file")
    replay.add_argument(
        "--serve",
        action="store_true",
        help="of a recording: then wait for debuggers, which can go back and forth in it",
    )
    _address(replay)
    _programs(replay, required=False)

    _bridge(commands)
    litmus_arguments.add(commands)
    instruction_arguments.add(commands)

    commands.add_parser(
        "demo",
        help="a guided session with a real GDB",
        description="Run a C program on several harts and show a session of a real GDB with it.",
    )
    return top


def _bridge(commands: argparse._SubParsersAction[_Parser]) -> None:
    bridge = commands.add_parser(
        "bridge",
        help="be the simulator of Tenstorrent's own tools",
        description="Write a simulator directory for tt-umd, tt-exalens and the LLK tests. Where "
        "they are given it, they load and start kernels on an emulated tile, and you may attach a "
        "debugger meanwhile; while you look, they wait.",
    )
    bridge.add_argument("folder", nargs="?", metavar="DIR", help="the directory to write")
    bridge.add_argument("--connect", metavar="URL", help="what DIR/run.sh does: serve the driver")
    bridge.add_argument(
        "--stop-at-entry",
        action="store_true",
        help="when T0, T1 or T2 leaves reset, wait for a debugger",
    )
    bridge.add_argument(
        "--stop-at-fault", action="store_true", help="at a fault, wait for a debugger"
    )
    bridge.add_argument(
        "--runs",
        metavar="FILE",
        help="append a line to FILE for each run of kernels: cycles, instructions, seconds",
    )
    bridge.add_argument(
        "--cycles",
        type=_count,
        default=DEFAULT_CYCLES_PER_MESSAGE,
        metavar="N",
        help="run so many cycles after each message of the host "
        f"(default {DEFAULT_CYCLES_PER_MESSAGE})",
    )
    _record_to(bridge)
    _engine(bridge, DEFAULT_SCHEDULE)
    _faults(bridge)
    _address(bridge)


def _record_to(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--record-to",
        metavar="FILE",
        help="write a recording of the run with all that was done from outside; `tensix-gdb replay "
        "FILE` plays it again, here or anywhere, and compares",
    )


def _record(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--record",
        action="store_true",
        help="keep a history, so that GDB's reverse commands work; `monitor record` does it later",
    )
    _record_to(command)


def _processes(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--processes",
        action="store_true",
        help="each hart is a process with its own ELF, so that `break` and `print` mean the "
        "inferior that is selected; for a GDB, with `set schedule-multiple on`",
    )


def _programs(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    command.add_argument(
        "--elf",
        action="append",
        type=_elf,
        metavar="HART=FILE",
        help=f"load FILE for a hart ({', '.join(HARTS)}); once for each hart",
    )
    _engine(command, DEFAULT_SCHEDULE if required else None)


def _engine(command: argparse.ArgumentParser, schedule: str | None) -> None:
    command.add_argument(
        "--engine",
        choices=("auto", "compiled", "reference"),
        default="auto",
        help="auto starts at once and gets faster by itself; compiled waits for the compiler; "
        "reference is plain Python (default: auto)",
    )
    command.add_argument(
        "--schedule",
        type=_schedule,
        default=schedule,
        metavar="SCHEDULE",
        help="sc: loads and stores happen at once; latency: they take as long as documented; "
        "random:SEED: longer by as much as the seed says, so that rare orders happen "
        f"(default: {schedule or 'that of the log'})",
    )


def _more_programs(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--arch",
        choices=("blackhole", "wormhole"),
        default="blackhole",
        help="whose instructions the coprocessor takes; of Wormhole those of the control units, "
        "by its encodings and with its numbers (default: blackhole)",
    )
    command.add_argument(
        "--dir",
        action="append",
        default=[],
        metavar="DIR",
        help="load what DIR has: brisc, ncrisc, trisc0 to trisc2 or unpack, math, pack (.elf)",
    )
    command.add_argument(
        "--bin",
        action="append",
        default=[],
        type=_bin,
        metavar="ADDR=FILE",
        help="put the bytes of FILE into memory from ADDR on",
    )
    command.add_argument(
        "--firmware",
        metavar="DIR",
        help="boot Tenstorrent's firmware, as a host does it, until it is initialised",
    )
    command.add_argument(
        "--launch",
        action="append",
        default=[],
        type=_elf,
        metavar="HART=FILE",
        help="start a kernel by the firmware's launch message; once for each hart",
    )
    _faults(command)


def _faults(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--faults",
        metavar="CATEGORY=POLICY,...",
        help="what to do at faults: stop, count or ignore; `all` is every category, their names "
        "are in `monitor faults` (default: all=stop)",
    )


def _bin(text: str) -> tuple[int, str]:
    addr, separator, path = text.partition("=")
    try:
        number = int(addr, 0)
    except ValueError:
        number = -1
    if not separator or not path or not 0 <= number < 1 << 32:
        raise argparse.ArgumentTypeError(f"{text!r} is not ADDR=FILE with an address of 32 bits")
    return number, path


def _schedule(text: str) -> str:
    try:
        parse_schedule(text)
    except UsageError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None
    return text


def _address(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        help=f"where to listen, 0 for any that is free (default {DEFAULT_PORT})",
    )
    command.add_argument(
        "--host",
        default="127.0.0.1",
        help="the address to listen on (default 127.0.0.1). Whoever reaches the port controls the "
        "tile, so think before you name another one.",
    )


def _elf(text: str) -> tuple[int, str]:
    name, separator, path = text.partition("=")
    if not separator or not path or name.lower() not in HARTS:
        raise argparse.ArgumentTypeError(
            f"{text!r} does not say HART=FILE, as in b=program.elf; harts are {', '.join(HARTS)}"
        )
    return HARTS.index(name.lower()), path


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 1 << 62:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of cycles above 0")
    return int(text)
