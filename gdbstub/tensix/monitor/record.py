# SPDX-License-Identifier: Apache-2.0
"""`monitor record`, `goto` and `bookmark`: the history of the tile."""

from __future__ import annotations

from tensix_gdb.core.history import History
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.monitor_row import Command, no_more, table

FLUSH = (
    "GDB keeps old registers until `maintenance flush register-cache` or the next stop, unless it "
    "has tensix.py.\n"
)
ENABLE = (
    "A GDB that is attached already learns of it by `set remote reverse-step-packet on` and "
    "`set remote reverse-continue-packet on`.\n"
)


def record_commands(machine: Machine, kept: TileHistory) -> tuple[Command, ...]:
    """The rows of the table of commands."""

    def history() -> History:
        if kept.history is None:
            raise TargetError("nothing is recorded: type `monitor record on` first")
        return kept.history

    def record(thread: int, words: list[str]) -> str:
        if words and words not in (["on"], ["off"]):
            raise TargetError("type `monitor record on`, `monitor record off` or `monitor record`")
        if words:
            kept.record(words == ["on"])
        if kept.history is None:
            return "Nothing is recorded.\n"
        told = (
            f"Recorded from cycle {kept.history.start.cycle} to {kept.history.end.cycle}, with "
            f"{kept.history.count()} states kept; the tile is at cycle {machine.S.tile.cycle}.\n"
        )
        return told + ENABLE if words else told

    def goto(thread: int, words: list[str]) -> str:
        word = words[0] if words else ""
        no_more(words[1:], "goto")
        there = history()
        cycle = kept.bookmarks.get(word, int(word) if word.isdecimal() else -1)
        if cycle < 0:
            raise TargetError("type `monitor goto 1234`: a cycle, or the name of a bookmark")
        there.suspend()
        there.truncate_future()
        there.resume()
        reached = there.to_cycle(cycle)
        there.suspend()
        if not reached:
            raise TargetError(
                f"cycle {cycle} is not in the history, which goes from {there.start.cycle} to "
                f"{there.end.cycle}"
            )
        return f"The tile is at cycle {machine.S.tile.cycle}. {FLUSH}"

    def bookmark(thread: int, words: list[str]) -> str:
        history()
        no_more(words[1:], "bookmark")
        if words and words[0].isdecimal():
            raise TargetError("the name of a bookmark is no number: `monitor goto` takes cycles")
        if words:
            kept.bookmarks[words[0]] = int(machine.S.tile.cycle)
        if not kept.bookmarks:
            return "There are no bookmarks.\n"
        return table([(name, f"cycle {at}") for name, at in kept.bookmarks.items()])

    return (
        Command("record", "[on|off]", "a history, to go back in", record, True),
        Command("goto", "CYCLE|BOOKMARK", "the tile as it was then", goto, True),
        Command("bookmark", "[NAME]", "name this cycle for `goto`", bookmark, True),
    )
