# SPDX-License-Identifier: Apache-2.0
"""`monitor origin`: the last write of a value, and what it was made of.

monitor origin 0x21000             four bytes of L1, or 0x21000:2, two
monitor origin dst 16.4            a datum of Dst; core/places/README.md has all places
monitor origin nan                 the first NaN of the history, and what it was made of
monitor origin dst 16.4 --brief    values and writers, a line for each step
monitor origin dst 16.4 --json     for programs; --settings: all settings that had a part in it
monitor origin dst 16.4 --values   without settings, which takes a fraction of the time
monitor origin DRAM 0 0x100a:2     bytes of a channel of DRAM
"""

from __future__ import annotations

import json
from collections.abc import Callable

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import Origins, origins
from tensix_gdb.core.origin.nan import origins_of_first_nan
from tensix_gdb.core.origin.query import CYCLES, NotRepeated
from tensix_gdb.core.origin.rerun import OfHistory, Rerun
from tensix_gdb.core.places.place import NotAPlace
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of

NEEDS_HISTORY = (
    "an origin is found in the history, and nothing is recorded: type `monitor record on`, and "
    "`monitor reset` to have all of it; or start with --record"
)
NAN = "nan"


def origin(machine: Machine, kept: TileHistory, thread: int, words: list[str]) -> str:
    """Return the tree as text, or as JSON."""
    wanted = Wanted(words, hart_of(thread))
    found = answer(machine, kept, wanted)
    if wanted.as_json:
        return json.dumps(found.to_json()) + "\n"
    lines = found.lines(settings=wanted.settings, brief=wanted.brief)
    return "".join(f"{line}\n" for line in lines)


class Wanted:
    """The typed question: a place, of `hart` where it names no hart, and the form of the answer."""

    def __init__(self, words: list[str], hart: int | None = None) -> None:
        self.hart = hart
        self.as_json = _take_option(words, "--json")
        self.settings = _take_option(words, "--settings")
        self.brief = _take_option(words, "--brief")
        self.values = _take_option(words, "--values")
        self.cycles = CYCLES
        if "--cycles" in words:
            at = words.index("--cycles")
            number = words[at + 1] if at + 1 < len(words) else ""
            if not number.isdecimal() or not int(number):
                raise TargetError(
                    f"--cycles {number}: type how many, for example --cycles {CYCLES}"
                )
            self.cycles = int(number)
            del words[at : at + 2]
        self.words = words


def _take_option(words: list[str], option: str) -> bool:
    if option not in words:
        return False
    words.remove(option)
    return True


def answer(
    machine: Machine,
    kept: TileHistory,
    wanted: Wanted,
    is_interrupted: Callable[[], bool] = lambda: False,
) -> Origins:
    """Return the trees of a question about the history of a debug session. TargetError with a
    sentence."""
    history = kept.history
    if history is None:
        raise TargetError(NEEDS_HISTORY)
    rerun = OfHistory(machine, history.past_of_here())
    return found_by(machine, rerun, wanted, is_interrupted)


def found_by(
    machine: Machine,
    rerun: Rerun,
    wanted: Wanted,
    is_interrupted: Callable[[], bool] = lambda: False,
    *,
    tile: int = 0,
) -> Origins:
    """Return the trees of a question about a past that can be run again. TargetError with a
    sentence."""
    try:
        if wanted.words == [NAN]:
            return origins_of_first_nan(rerun, cycles=wanted.cycles, tile=tile)
        return origins(
            *(machine, rerun, wanted.words), hart=wanted.hart,
            cycles=wanted.cycles, tile=tile, settings=not (wanted.values or wanted.brief),
            is_interrupted=is_interrupted,
        )  # fmt: skip
    except (NotAPlace, NotRepeated) as problem:
        raise TargetError(str(problem)) from None
