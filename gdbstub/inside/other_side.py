# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `race-other`, which goes from one side of a race to the other."""

import re

import gdb

from gdbstub.inside.commands import selected_thread
from gdbstub.inside.fresh import flush
from gdbstub.inside.query import ask

# A side in the text of a report: what it is, its address, when.
SIDE = re.compile(r"^ {4}(\S.*?)\s+(0x[0-9a-f]{8})\s+(in cycles? .*)$", re.MULTILINE)
NUMBER = re.compile(r"^[A-Z]+\d* (\d+) ", re.MULTILINE)


class Other(gdb.Command):
    """Show the other side of a race: `race-other N`, or of the last report without a number.

    It lists the source of the later access first, then that of the earlier one, and so on: the
    Enter key, which repeats a command, goes from one to the other."""

    def __init__(self) -> None:
        super().__init__("race-other", gdb.COMMAND_DATA)
        self._number, self._shown = "", 0

    def invoke(self, argument: str, from_tty: bool) -> None:
        number = argument.strip() or last_number(_races(""))
        if not number:
            raise gdb.GdbError("There is no race: `monitor races` lists them.")
        sides = SIDE.findall(_races(number))
        if not sides:
            raise gdb.GdbError(f"Report {number} has no lines.")
        self._shown = self._shown + 1 if number == self._number else len(sides) - 1
        self._number = number
        what, address, when = sides[self._shown % len(sides)]
        gdb.write(f"race {number}: {what} {address} {when}\n")
        gdb.execute(f"list *{address}")
        flush()


def last_number(listed: str) -> str:
    """Return the number of the last report in a list of them; empty if there is none."""
    found = NUMBER.findall(listed)
    return found[-1] if found else ""


def _races(number: str) -> str:
    return ask(f"monitor {selected_thread()} races {number}".rstrip())


def define() -> None:
    """Make GDB know the command."""
    Other()
