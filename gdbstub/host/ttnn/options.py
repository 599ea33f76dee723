# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb ttnn`."""

from __future__ import annotations

from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.host.ttnn.compare.wanted import DIFFERS, TOLERANCE, parse_tolerance
from tensix_gdb.gdbstub.usage import UsageError

FAULTED = 3  # exit status with --ci


@dataclass(frozen=True)
class TtnnOptions:
    """Run PROGRAM with ARGS: a script by a Python that has ttnn, or an executable that uses
    tt-metal's libraries; its device is an emulated tile. Standard output and the exit status are
    the program's; a line on standard error says how to attach a GDB while it runs."""

    python: str | None = option(
        "--python",
        metavar="PY",
        help="the Python that has ttnn (default: of the active environment, or python3); an "
        "executable gets its tt-metal, unless TT_METAL_RUNTIME_ROOT names another",
    )
    gdb: str | None = option(
        "--gdb",
        nargs="?",
        const="",
        metavar="GDB",
        help="open a GDB in this terminal; the first kernel waits for it",
    )
    dispatch: str = option(
        "--dispatch",
        choices=("slow", "fast"),
        default="slow",
        help="who gives kernels to the tiles: the host itself (default), or tt-metal's dispatcher "
        "on tiles of another column",
    )
    ci: bool = option(
        "--ci",
        action="store_true",
        help=f"end the program when a tile stops at a fault: exit status {FAULTED}, and the last "
        "lines on standard error name the fault",
    )
    share: str | None = option(
        "--share",
        metavar="DIR",
        help="when the program fails, write a page of its last launch to DIR, which anyone opens, "
        "as `share` does, with the value that its last comparison has found wrong; a program of "
        "which all kernels wait for ever is ended",
    )
    operations: str | None = option(
        "--operations",
        metavar="FILE.csv",
        help="write the device time of each operation, with the columns of tt-metal's profiler, "
        "for tt-perf-report and `tensix-gdb report`",
    )
    compare: float | None = option(
        "--compare",
        nargs="?",
        type=parse_tolerance,
        const=TOLERANCE,
        metavar="TOLERANCE",
        help="compare the result of each operation with the function of torch that ttnn registers "
        "for it, and stop at the first that is off by more than this part of the largest value "
        f"(default {TOLERANCE}): say which, in which line, its worst datum, where that is and "
        f"which instruction has made it; exit status {DIFFERS} with --ci or --share, else the "
        "program waits for a debugger",
    )
    compare_log: str | None = option(
        "--compare-log",
        metavar="FILE",
        help="with --compare: append a line of JSON to FILE for each operation",
    )
    arch: str | None = tile.arch("the chip that the tiles are of (default: blackhole)")
    simulator: SimulatorOptions = field(default_factory=SimulatorOptions)
    script: tuple[str, ...] = option(nargs="*", metavar="-- PROGRAM ARGS")

    def __post_init__(self) -> None:
        of = self.simulator
        if self.compare_log is not None and self.compare is None:
            raise UsageError("--compare-log is for what --compare finds: add it")
        if self.compare is not None and self.gdb is not None:
            raise UsageError(
                "--compare finds the place first: leave out --gdb, and attach when it says where"
            )
        if self.operations is not None and self.compare is not None:
            raise UsageError("--operations and --compare each run the script: leave one out")
        waits = {"--gdb": self.gdb is not None, "--stop-at-fault": of.stop_at_fault}
        waits["--stop-at-entry"] = of.stop_at_entry
        for name, is_there in waits.items():
            if self.ci and is_there:
                raise UsageError(f"{name} waits for a debugger, --ci for none: leave one out")
