# SPDX-License-Identifier: Apache-2.0
"""The wrong value of a run, for its page: what its host has found, or else the first datum that is
not as in an array that the run was compared with; and what has written it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import Origins
from tensix_gdb.gdbstub.tensix.origins.wrong import first_wrong_of
from tensix_gdb.gdbstub.tensix.output.wrong_value import WrongValue, wrong_in
from tensix_gdb.gdbstub.tensix.tiles.expected import expected_in
from tensix_gdb.gdbstub.tensix.tiles.files import read_tiles
from tensix_gdb.gdbstub.tensix.tiles.spec import EXPECT

HEAD = "A result is wrong: "
TILE = re.compile(r"\b(\d+-\d+) (?:B|T0|T1|T2|NC)\b")


def wrong_of(path: str, machine: Machine) -> WrongValue | None:
    """Return that of a recording of one tile, which is at its end."""
    if (known := wrong_in(path)) is not None:
        return known
    with expected_in(path) as texts:
        for text in texts:
            one = read_tiles(EXPECT, text)
            found = first_wrong_of(machine, one)
            if found.place is not None:
                # The file is one of ours meanwhile.
                said = found.said.replace(str(one.tile.path), "what is expected")
                return WrongValue(tuple(said.split("\n")), found.place)
    return None


def headline(wrong: WrongValue, answer: Origins | None) -> str:
    """Return the sentence of a page: which value, what is expected, what has written it."""
    made = answer.trees[0] if answer is not None and answer.trees else None
    if made is None or made.cycles is None:
        return f"{HEAD}{wrong.lines[0]}"
    assert answer is not None
    first, *_ = (line for line in answer.lines(brief=True) if line != answer.head)
    return f"{HEAD}{wrong.lines[0]}; written by {first.rpartition(': ')[2]}"


def writer(answer: Origins | None, names: Sequence[str]) -> str | None:
    """Return the tile that has written it, of several; None if that is not known."""
    made = answer.trees[0] if answer is not None and answer.trees else None
    found = TILE.search(made.by or "") if made is not None else None
    return found[1] if found is not None and found[1] in names else None


def lines_of(wrong: WrongValue, answer: Origins | None) -> list[str]:
    """Return all that there is to say of it."""
    return [*wrong.lines, *(answer.lines(brief=True) if answer is not None else ())]
