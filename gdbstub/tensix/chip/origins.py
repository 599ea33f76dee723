# SPDX-License-Identifier: Apache-2.0
"""`monitor origin` of a chip: it goes through requests of the NoC to the tiles that they come from.

monitor origin 0x21000             of the tile of the selected thread
monitor origin 3-4 dst 16.4        of another tile
monitor origin c1.e4 0x15b60       of a tile of several chips
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tensix_gdb.core.chip.replayable import ChipHistory
from tensix_gdb.core.origin.of_chip import of_history
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles
from tensix_gdb.gdbstub.tensix.origins.monitor import Wanted, found_by

TILE = re.compile(r"(c\d+\.)?(\d+-\d+|e\d+)")
NEEDS_HISTORY = (
    "an origin is found in the history, and nothing is recorded: type `monitor record on` before "
    "the run, or start with --record"
)


def origin(
    tiles: Tiles, history: Callable[[], ChipHistory | None], thread: int, words: list[str]
) -> str:
    """Return the tree as text, or as JSON. The chip is not disturbed."""
    number = tiles.owner(thread).number
    hart = hart_of(thread - tiles.owner(thread).base)
    if words and TILE.fullmatch(words[0]):
        number = tiles.named(words.pop(0)).number
    wanted = Wanted(words, hart)
    recorded = history()
    if recorded is None:
        raise TargetError(NEEDS_HISTORY)
    rerun = of_history(tiles.chip, recorded)
    try:
        found = found_by(rerun.machines[number], rerun, wanted, tile=number)
    finally:
        rerun.close()
    if wanted.as_json:
        return json.dumps(found.to_json()) + "\n"
    lines = found.lines(settings=wanted.settings, brief=wanted.brief)
    return "".join(f"{line}\n" for line in lines)
