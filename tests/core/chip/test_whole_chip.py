# SPDX-License-Identifier: Apache-2.0
"""All 140 tiles of a chip: what they cost when they sleep, and a request to all of them."""

from __future__ import annotations

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.places import TENSIX_PLACES
from tensix_gdb.core.noc.request import BROADCAST
from tests.core.chip.programs import (
    COPY,
    DATA,
    MARKED,
    NIU,
    RESULT,
    SEMAPHORE,
    WRITE,
    at,
    load,
    request,
    store,
    wait_for,
    word,
)

PLACES = TENSIX_PLACES[0]
SENDER = (5, 5)


def test_a_broadcast_to_all_wakes_them_and_they_sleep_again() -> None:
    assert len(PLACES) == 140
    chip = Chip(PLACES, engine="compiled")
    everywhere = at((16, 11)) | at((1, 2)) << 12
    for place in PLACES:
        if place != SENDER:
            load(chip, place, wait_for(COPY, 7) + store(RESULT, 1) + wait_for(SEMAPHORE, 1))
    chip.tiles[SENDER].load_bytes(DATA, (7).to_bytes(4, "little"))
    words = wait_for(SEMAPHORE, 1)
    words += request(WRITE | MARKED | BROADCAST, DATA, at(SENDER), COPY, everywhere, 4)
    load(chip, SENDER, words + wait_for(NIU + 0x204, 139) + store(RESULT, 2))
    # They fall asleep, and nothing runs.
    assert chip.run(1_000_000, lazy=True) is None
    assert chip.stands_still()
    assert all(word(chip, place, RESULT) == 0 for place in PLACES)
    assert all(machine.S.polling.skipped > 990_000 for machine in map(chip.wake, PLACES)), (
        "they were not run cycle by cycle"
    )
    chip.wake(SENDER).load_bytes(SEMAPHORE, (1).to_bytes(4, "little"))
    assert chip.run(1_000_000, lazy=True) is None
    assert [word(chip, place, RESULT) for place in PLACES] == [
        2 if place == SENDER else 1 for place in PLACES
    ]
    assert chip.stands_still()
    assert chip.run(0) is None
    assert {int(machine.S.tile.cycle) for machine in chip.tiles.values()} == {2_000_000}
    chip.close()
