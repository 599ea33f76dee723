# SPDX-License-Identifier: Apache-2.0
"""The arguments of the commands, with help that teaches."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from tensix_gdb.gdbstub.cli.help_text import HelpText
from tensix_gdb.gdbstub.cli.install.version import ShowVersion
from tensix_gdb.gdbstub.cli.options import assistant as assistant_arguments
from tensix_gdb.gdbstub.cli.options import doctor as doctor_arguments
from tensix_gdb.gdbstub.cli.options import exalens as exalens_arguments
from tensix_gdb.gdbstub.cli.options import host as host_arguments
from tensix_gdb.gdbstub.cli.options import instructions as instruction_arguments
from tensix_gdb.gdbstub.cli.options import kernels as kernel_arguments
from tensix_gdb.gdbstub.cli.options import litmus as litmus_arguments
from tensix_gdb.gdbstub.cli.options import origin as origin_arguments
from tensix_gdb.gdbstub.cli.options import pair as pair_arguments
from tensix_gdb.gdbstub.cli.options import picture as picture_arguments
from tensix_gdb.gdbstub.cli.options import races as race_arguments
from tensix_gdb.gdbstub.cli.options import seeds as seed_arguments
from tensix_gdb.gdbstub.cli.options import simulator as simulator_arguments
from tensix_gdb.gdbstub.cli.options import tile as options
from tensix_gdb.gdbstub.cli.options import tiles as tile_arguments
from tensix_gdb.gdbstub.cli.options import web as web_arguments
from tensix_gdb.gdbstub.usage import UsageError

DEFAULT_CYCLES = 1_000_000_000
EXAMPLES = {"COMMAND": "demo", "shell": "bash"}
SHELLS = ("bash", "zsh", "fish")


class _Parser(argparse.ArgumentParser):
    intermixed = False  # True if options may stand between the files, as with a compiler

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=HelpText, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; argparse's own method for intermixed arguments knows no subparsers."""
        if not self.intermixed:
            return super().parse_known_args(args, namespace)
        self.intermixed = False
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self.intermixed = True

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
    top.add_argument(
        "--version",
        action=ShowVersion,
        help="show the versions of this program, Python, the compiler, the processor; the cache",
    )
    top.add_argument("-v", "--verbose", action="store_true", help="log what clients do")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    serve = commands.add_parser(
        "serve",
        help="load programs and wait for debuggers",
        description="Load ELF files into the harts of a tile, halted at their entries, and wait "
        "for debuggers. Prints the gdb command that attaches.",
    )
    options.programs(serve)
    options.more_programs(serve)
    options.address(serve)
    options.record(serve)
    race_arguments.add_observed(serve)
    options.stop_at_end(serve)
    options.counted(serve)
    host_arguments.add(serve)
    host_arguments.add_prints(serve)
    options.processes(serve)
    web_arguments.add(serve)
    serve.add_argument(
        "--ports",
        action="store_true",
        help="one more port for each loaded hart, numbered after --port: a client there sees that "
        "hart alone, as editors with one ELF like it",
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
    options.programs(gdb)
    options.more_programs(gdb)
    options.record(gdb)
    race_arguments.add_observed(gdb)
    options.stop_at_end(gdb)
    host_arguments.add(gdb)
    host_arguments.add_prints(gdb)
    options.processes(gdb)
    web_arguments.add(gdb)
    gdb.add_argument("--gdb", metavar="PROGRAM", help="which GDB (found by itself otherwise)")
    gdb.add_argument("gdb_arguments", nargs="*", metavar="GDB-ARGUMENT", help="passed to GDB")

    run = commands.add_parser(
        "run",
        help="run programs without a debugger",
        description="Run until every hart has paused at an ebreak or ecall, or a fault, or what "
        "--until or --max-cycles says; then say why. With --firmware: until it is initialised, and "
        "with --launch until the kernels are done. Exit status 0 when all paused, --until was "
        "reached, or the firmware says so; 1 for a fault, too many cycles or a tile that is not as "
        "--expect wants it; with --semihosting that of the first program that ends with another "
        "status than 0.",
    )
    options.programs(run)
    options.more_programs(run)
    host_arguments.add(run, by_gdb=False)
    host_arguments.add_prints(run)
    run.add_argument(
        "--from",
        dest="from_core",
        metavar="FILE",
        help="instead of programs: go on from a core file, also from one of a card "
        "(`tensix-gdb core --from-exalens`), and say what is assumed of what it has not",
    )
    run.add_argument(
        "--until", metavar="SYMBOL|FILE:LINE|ADDR", help="stop when a hart is about to execute this"
    )
    run.add_argument(
        "--max-cycles",
        type=options.cycles,
        default=DEFAULT_CYCLES,
        metavar="N",
        help=f"give up after so many cycles (default {DEFAULT_CYCLES})",
    )
    run.add_argument(
        "--seeds",
        metavar="N|A-B",
        help="then run the program again in random:SEED for N seeds, or those from A to B, and say "
        "which go wrong, and at which place a wait mends them; exit status 1 if any does",
    )
    run.add_argument(
        "--trace",
        metavar="FILE",
        help="write a timeline of harts, wait gates, units and queues: for ui.perfetto.dev and "
        "chrome://tracing, or as lines of text if FILE ends in .txt",
    )

    tile_arguments.add_outputs(run)
    options.counted(run)
    race_arguments.add(run)
    race_arguments.add_late(run)
    options.record_to(run)
    run.add_argument(
        "--core",
        dest="core_out",
        metavar="FILE",
        help="write the tile as it is at the end (a fault, a deadlock, all paused) as a core file: "
        "for GDB, and for `tensix-gdb serve --core FILE`",
    )
    picture_arguments.add_output(run)
    picture_arguments.add_html(run)
    web_arguments.add(run)

    core = commands.add_parser(
        "core",
        help="write a core file of a tile that runs elsewhere, or say what is in one",
        description="With --port: ask a running `tensix-gdb serve` or `bridge` for its tile "
        "as it is, and write that to FILE, as `gcore` does of a process. The tile goes on "
        "undisturbed, also while it runs for another client. Without: say what a core file "
        "holds, and what opens it.",
    )
    core.add_argument("file", nargs="?", metavar="FILE", help="the core file")
    exalens_arguments.add(core)
    core.add_argument(
        "--port",
        type=options.typed_port,
        help=f"where the server listens (default {options.DEFAULT_PORT} if --host is given)",
    )
    core.add_argument(
        "--tile",
        metavar="X-Y",
        help="of several tiles: this one alone, in a file that GDB opens; without, FILE has them "
        "all, and `tensix-gdb replay --serve FILE` goes on with them",
    )
    core.add_argument("--host", help="the machine that it is on (default 127.0.0.1 with --port)")

    origin_arguments.add(commands, DEFAULT_CYCLES)

    picture = commands.add_parser(
        "picture",
        help="draw a tile: a core file, a recording at a cycle, or a running server",
        description="Draw the floor plan of a tile with what each part has and does: harts, "
        "queues, wait gates and why they are held, units, semaphores, source banks, Dst. A tile "
        "of a running server is undisturbed.",
    )
    picture_arguments.add(picture)

    screen = commands.add_parser(
        "top",
        help="show a running server's tile at a glance, again and again",
        description="Show in the terminal what `monitor status` says of the tile of a running "
        "server or bridge: harts, Tensix threads, units, semaphores, banks, Dst. It only looks. "
        "Ctrl-C ends it. Where the output is no terminal it shows one screen.",
    )
    picture_arguments.add_top(screen)

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
    web_arguments.add(replay)
    options.threads(replay)
    options.address(replay)
    options.programs(replay, required=False)

    race_arguments.add(replay)
    picture_arguments.add_html(replay)

    report = commands.add_parser(
        "report",
        help="what a timeline or a profile says, in words",
        description="Say in sentences which thread waited for what and for how long, where what it "
        "waited for comes from, what each hart ran, and how long each unit was idle. FILE is what "
        "`run --trace` or `run --profile` has written, as .txt or .json.",
    )
    report.add_argument("file", metavar="FILE", help="the timeline or profile")

    simulator_arguments.add_bridge(commands)
    simulator_arguments.add_ttnn(commands)
    assistant_arguments.add(commands)
    pair_arguments.add(commands)
    kernel_arguments.add(commands)
    doctor_arguments.add(commands)
    litmus_arguments.add(commands)
    seed_arguments.add(commands)
    instruction_arguments.add(commands)

    manual = commands.add_parser(
        "manual",
        help="show or search the manual",
        description="Without an argument: list the chapters. With the name of a chapter: show it. "
        "With an instruction: explain it. With any text: list the lines of the manual that have "
        "it, such as a fault, a register, a packet, a `monitor` command.",
    )
    manual.add_argument("topic", nargs="*", metavar="TOPIC|WORD", help="a chapter, or a text")

    svd = commands.add_parser(
        "svd",
        help="the tile's registers for the peripheral view of an editor",
        description="Write the registers of the devices and the configuration of the coprocessor "
        "with their fields as CMSIS-SVD, which cortex-debug and other editors show while the tile "
        "stands still.",
    )
    svd.add_argument(
        "-o", "--output", metavar="FILE", help="write it there (default: the terminal)"
    )

    completion = commands.add_parser(
        "completion",
        help="what makes your shell complete these commands",
        description="Print a script for bash, zsh or fish, which then completes commands, options, "
        "files, chapters of the manual and instructions. For bash: `tensix-gdb completion bash > "
        "~/.local/share/bash-completion/completions/tensix-gdb`.",
    )
    completion.add_argument("shell", choices=SHELLS, help="the shell")

    commands.add_parser(
        "demo",
        help="a guided session with a real GDB",
        description="Run a C program on several harts and show a session of a real GDB with it.",
    )
    return top
