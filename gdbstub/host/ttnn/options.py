# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb ttnn`."""

from __future__ import annotations

from dataclasses import dataclass, field

from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.host.bridge.options import SimulatorOptions
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
    simulator: SimulatorOptions = field(default_factory=SimulatorOptions)
    script: tuple[str, ...] = option(nargs="*", metavar="-- PROGRAM ARGS")

    def __post_init__(self) -> None:
        of = self.simulator
        waits = {"--gdb": self.gdb is not None, "--stop-at-fault": of.stop_at_fault}
        waits["--stop-at-entry"] = of.stop_at_entry
        for name, is_there in waits.items():
            if self.ci and is_there:
                raise UsageError(f"{name} waits for a debugger, --ci for none: leave one out")
