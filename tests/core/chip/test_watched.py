# SPDX-License-Identifier: Apache-2.0
"""A watch of L1 on a chip: what other tiles do there over the NoC, forwards and back."""

from __future__ import annotations

import pytest

from tensix_gdb.core.chip.chip import Chip, ChipStop
from tensix_gdb.core.chip.replayable import begin_chip_history
from tensix_gdb.core.debug.gate_breakpoints import GateWatch
from tensix_gdb.core.debug.l1_ranges import Range
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.stop import StopKind, WatchKind
from tests.assembler import SPIN
from tests.core.chip.programs import (
    ATOMIC,
    BROADCAST,
    COPY,
    DATA,
    INCREMENT,
    INLINE,
    MARKED,
    READ,
    WRITE,
    at,
    barrier,
    load,
    request,
    store,
)

NEAR, FAR = (1, 2), (2, 2)
TILE = 2048
R, W = WatchKind.READ, WatchKind.WRITE
STARTS = [*store(DATA, 0x1234), *barrier(0)]
RECTANGLE = at(FAR) << 12 | at(FAR)
CASES = {
    "write": (request(WRITE | MARKED, DATA, at(NEAR), COPY, at(FAR), 64), FAR, COPY, W,
              f"{COPY:#x} changed from 0x0 to 0x1234"),
    "inline": (request(WRITE | INLINE | MARKED, COPY, at(FAR), data=5), FAR, COPY, W,
               "changed from 0x0 to 0x5"),
    "atomic": (request(ATOMIC, COPY, at(FAR), 0, 0, INCREMENT, data=1), FAR, COPY, W,
               "changed from 0x0 to 0x1"),
    "broadcast": (request(WRITE | MARKED | BROADCAST, DATA, at(NEAR), COPY, RECTANGLE, 64),
                  FAR, COPY, W, "changed from 0x0 to 0x1234"),
    "is read": (request(READ, DATA, at(FAR), COPY, at(NEAR), 64), FAR, DATA, R,
                f"64 bytes at {DATA:#x} read"),
    "reads": (request(READ, DATA + 64, at(FAR), DATA, at(NEAR), 64), NEAR, DATA, W,
              "changed from 0x1234 to 0x0"),
    "source": (request(WRITE | MARKED, DATA, at(NEAR), COPY, at(FAR), 64), NEAR, DATA, R,
               f"64 bytes at {DATA:#x} read"),
}  # fmt: skip


def chip_of(name: str) -> Chip:
    chip = Chip([NEAR, FAR], engine="reference")
    load(chip, NEAR, [*STARTS, *CASES[name][0], *barrier(0)])
    load(chip, FAR, [SPIN])
    return chip


def watch(chip: Chip, name: str) -> None:
    _, place, start, kind, _ = CASES[name]
    ranges = (Range(start, start + TILE, kind),)
    chip.tiles[place].gates.add_watch(GateWatch("it", (), ranges=ranges, kind=kind))
    chip.wake_all()


def run(chip: Chip, cycles: int) -> list[ChipStop]:
    found = []
    end = chip.cycle + cycles
    while chip.cycle < end:
        stop = chip.run(end - chip.cycle)
        if stop is not None:
            found.append(stop)
    return found


@pytest.mark.parametrize("name", CASES)
def test_a_request_of_another_tile(name: str) -> None:
    plain, chip = chip_of(name), chip_of(name)
    watch(chip, name)
    plain.run(1500)
    _, place, _, _, said = CASES[name]
    (stop,) = run(chip, 1500)
    assert (stop.place, stop.stop.kind, stop.stop.is_over) == (place, StopKind.WATCH, True)
    of_tile = " of tile 1-2" if place == FAR else ""
    assert f"{said} by a request of NoC 0 that B{of_tile} has made at 0x" in stop.stop.text
    assert chip.hash() == plain.hash()


@pytest.mark.parametrize("name", ["write", "atomic", "reads"])
def test_back_to_it(name: str) -> None:
    chip = chip_of(name)
    history = begin_chip_history(chip)
    history.resume()
    run(chip, 1500)
    history.suspend()
    watch(chip, name)
    found = [stop for stop in history.last_stop(lambda _: True) if stop is not None]
    assert [CASES[name][4] in stop.stop.text for stop in found] == [True]


def test_the_host() -> None:
    chip = chip_of("write")
    watch(chip, "write")
    tile = chip.tiles[FAR]
    NocAccess(tile.record, tile.memory).write(COPY + 4, b"\1")
    stop = chip.run(10)
    assert stop is not None
    assert stop.stop.text.endswith(f"{COPY + 4:#x} changed from 0x0 to 0x1 by the host")
