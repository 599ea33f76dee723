# SPDX-License-Identifier: Apache-2.0
"""The last write to a word, where it came from another tile."""

from __future__ import annotations

from contextlib import closing

from tensix_gdb.gdbstub.tensix.blocked.last_write import last_write
from tests.core.chip.programs import SEMAPHORE, load, wait_for
from tests.core.chip.test_races import ENOUGH, FAR, NEAR, chip_of, raises


def test_a_hart_of_another_tile() -> None:
    """The programs of this tile do not say where it was."""
    with closing(chip_of()) as chip:
        load(chip, NEAR, raises(FAR))
        load(chip, FAR, wait_for(SEMAPHORE, 1))
        chip.run(ENOUGH)
        last = last_write(chip.tiles[FAR], SEMAPHORE, 4)
    assert last is not None
    assert (last.agent, last.place) == ("B of tile (1, 2)", "")
    assert last.cycle
