# SPDX-License-Identifier: Apache-2.0
"""The options of programs' output and input."""

from __future__ import annotations

from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.usage import CONSOLE, GDB


def _semihosting(*by: str) -> Any:
    return option(
        "--semihosting",
        nargs="?",
        choices=by,
        const=CONSOLE,
        help="answer the programs' semihosting calls: text goes to the console"
        + ("; gdb lets the debugger answer, on its side (default: console)" if GDB in by else ""),
    )


@dataclass(frozen=True)
class HostOptions:
    """The services that answer programs, and show what they print."""

    semihosting: str | None = _semihosting(CONSOLE, GDB)
    semihosting_dir: str | None = option(
        "--semihosting-dir",
        metavar="DIR",
        help="their files are in DIR and below it; without this they have none",
    )
    semihosting_arg: tuple[str, ...] = option(
        "--semihosting-arg",
        action="append",
        metavar="ARG",
        help="an argument of the programs, for SYS_GET_CMDLINE; once for each",
    )
    dprint: str | None = option(
        "--dprint",
        nargs="?",
        const="",
        metavar="ADDR[,SIZE]",
        help="show what kernels print by tt-metal's DPRINT; with --firmware it is known where they "
        "do that, otherwise name the address of their buffer",
    )


@dataclass(frozen=True)
class ConsoleOptions(HostOptions):
    """The same without a GDB that could answer."""

    semihosting: str | None = _semihosting(CONSOLE)
