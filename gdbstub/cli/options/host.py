# SPDX-License-Identifier: Apache-2.0
"""The options of programs' output and input."""

from __future__ import annotations

import argparse

from tensix_gdb.gdbstub.usage import CONSOLE, GDB


def add(command: argparse.ArgumentParser, *, by_gdb: bool = True) -> None:
    """Add the options of a command that runs programs."""
    choices = (CONSOLE, GDB) if by_gdb else (CONSOLE,)
    command.add_argument(
        "--semihosting",
        nargs="?",
        choices=choices,
        const=CONSOLE,
        help="answer the programs' semihosting calls: text goes to the console"
        + ("; gdb lets the debugger answer, on its side (default: console)" if by_gdb else ""),
    )
    command.add_argument(
        "--semihosting-dir",
        metavar="DIR",
        help="their files are in DIR and below it; without this they have none",
    )
    command.add_argument(
        "--semihosting-arg",
        action="append",
        default=[],
        metavar="ARG",
        help="an argument of the programs, for SYS_GET_CMDLINE; once for each",
    )


def add_prints(command: argparse.ArgumentParser) -> None:
    """Add the option of debug prints."""
    command.add_argument(
        "--dprint",
        nargs="?",
        const="",
        metavar="ADDR[,SIZE]",
        help="show what kernels print by tt-metal's DPRINT; with --firmware it is known where they "
        "do that, otherwise name the address of their buffer",
    )
