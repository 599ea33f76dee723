# SPDX-License-Identifier: Apache-2.0
"""`monitor input`: what is typed at the console of the programs."""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.host_calls import TileCalls
from tensix_gdb.gdbstub.tensix.monitor_row import Command

MAX_INPUT = 1 << 16  # bytes


def input_commands(calls: TileCalls | None) -> tuple[Command, ...]:
    """Return the row of the table of commands, when there is such a console."""
    if calls is None:
        return ()

    def type_line(thread: int, words: list[str]) -> str:
        if calls.client_answers:
            raise TargetError("the programs read from GDB's own console, where you type: continue")
        if len(calls.console.input) > MAX_INPUT:
            raise TargetError(
                f"more than {MAX_INPUT} bytes wait already: let the programs read them first"
            )
        calls.console.input += " ".join(words).encode("utf-8") + b"\n"
        return f"{len(calls.console.input)} bytes wait for the programs to read them.\n"

    return (Command("input", "[TEXT]", "a line that programs read from :tt", type_line),)
