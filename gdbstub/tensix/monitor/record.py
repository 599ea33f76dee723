# SPDX-License-Identifier: Apache-2.0
"""`monitor record`, `goto` and `bookmark`: the history of the tile, or of a chip."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensix_gdb.core.history import History
from tensix_gdb.gdbstub.protocol.target import NOTHING_RECORDED, TargetError
from tensix_gdb.gdbstub.tensix.capabilities.reverse import RecordedPast
from tensix_gdb.gdbstub.tensix.monitor_row import Command, no_more, table

FLUSH = (
    "GDB keeps old registers until `maintenance flush register-cache` or the next stop, unless it "
    "has tensix.py.\n"
)


def record_commands(
    now: Callable[[], int], kept: RecordedPast[Any, Any], what: str = "tile"
) -> tuple[Command, ...]:
    """Return the rows of the table of commands. `now` is the cycle of `what`."""

    def history() -> History[Any, Any]:
        if kept.history is None:
            raise TargetError(NOTHING_RECORDED)
        return kept.history

    def record(thread: int, words: list[str]) -> str:
        if words and words not in (["on"], ["off"]):
            raise TargetError("type `monitor record on`, `monitor record off` or `monitor record`")
        if words:
            kept.record(words == ["on"])
        if kept.history is None:
            return "Nothing is recorded.\n"
        count = kept.history.count()
        return (
            f"Recorded from cycle {kept.history.first_cycle} to {kept.history.last_cycle}, with "
            f"{count} state{'' if count == 1 else 's'} kept; the {what} is at cycle {now()}.\n"
        )

    def goto(thread: int, words: list[str]) -> str:
        word = words[0] if words else ""
        no_more(words[1:], "goto")
        there = history()
        cycle = kept.bookmarks.get(word, int(word) if word.isdecimal() else -1)
        if cycle < 0:
            raise TargetError("type `monitor goto 1234`: a cycle, or the name of a bookmark")
        there.note_inputs()
        if not there.to_cycle(cycle):
            raise TargetError(
                f"cycle {cycle} is not in the history, which goes from {there.first_cycle} to "
                f"{there.last_cycle}"
            )
        return f"The {what} is at cycle {now()}. {FLUSH}"

    def bookmark(thread: int, words: list[str]) -> str:
        history()
        no_more(words[1:], "bookmark")
        if words and words[0].isdecimal():
            raise TargetError("the name of a bookmark is no number: `monitor goto` takes cycles")
        if words:
            kept.bookmarks[words[0]] = now()
        if not kept.bookmarks:
            return "There are no bookmarks.\n"
        return table([(name, f"cycle {at}") for name, at in kept.bookmarks.items()])

    return (
        Command("record", "[on|off]", "a history, to go back in", record, True),
        Command("goto", "CYCLE|BOOKMARK", f"the {what} as it was then", goto, True),
        Command("bookmark", "[NAME]", "name this cycle for `goto`", bookmark, True),
    )
