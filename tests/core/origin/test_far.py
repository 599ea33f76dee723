# SPDX-License-Identifier: Apache-2.0
"""Origins go through requests of the NoC: to the tile that data comes from, through DRAM, and back
from a multicast."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.replayable import ChipHistory, begin_chip_history
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.origin import query
from tensix_gdb.core.origin.ask import Origins, origins
from tensix_gdb.core.origin.of_chip import of_history
from tensix_gdb.core.origin.shown import Origin
from tensix_gdb.core.places.place import NotAPlace
from tests.assembler import asm
from tests.conftest import Build
from tests.core.chip.programs import (
    ATOMIC,
    COPY,
    INCREMENT,
    INLINE,
    MARKED,
    RESULT,
    SEMAPHORE,
    WRITE,
    at,
    barrier,
    copy_word,
    load,
    request,
    store,
)
from tests.core.origin.far import (
    DRAM,
    MULTICAST,
    READ,
    RECEIVER,
    SENDER,
    STORES,
    chip_of,
    rest,
)
from tests.programs.data_path import RESULT as PACKED

NAMES = {SENDER: "1-2", RECEIVER: "3-4"}
WAITS = [asm("addi", rd=5, rs1=5, imm=1)] * 200
DATUM = f"{PACKED + 10:#x}:2"  # of row 0 the sixth: column 5 of what is multiplied


def ask(
    chip: Chip,
    history: ChipHistory,
    text: str,
    place: tuple[int, int] = RECEIVER,
    *,
    settings: bool = True,
) -> Origins:
    rerun = of_history(chip, history)
    before = chip.hash()
    try:
        tile = list(chip.tiles).index(place)
        return origins(rerun.machines[tile], rerun, text.split(), tile=tile, settings=settings)
    finally:
        assert chip.hash() == before, "a copy goes through the history"
        rerun.close()


def paths(origin: Origin, before: tuple[Origin, ...] = ()) -> Iterator[tuple[Origin, ...]]:
    """From the root to each write."""
    here = (*before, origin)
    yield here
    for part in origin.made_of:
        yield from paths(part, here)


@pytest.mark.parametrize(
    ("how", "schedule", "between"),
    [
        (READ, "latency", ["a request of NoC 0 that 3-4 B"]),
        (READ, "random:3", ["a request of NoC 0 that 3-4 B"]),
        (DRAM, "latency", ["a request of NoC 0 that 3-4 B", "a request of NoC 0 that 1-2 B"]),
        (MULTICAST, "latency", ["a request of NoC 0 that 1-2 B"]),
    ],
)
def test_what_a_tile_packs_was_stored_by_another_one(
    program: Build, how: int, schedule: str, between: list[str]
) -> None:
    chip, history = chip_of(program, how, schedule)
    found = ask(chip, history, DATUM)
    (tree,) = found.trees
    assert tree.values == ["0x4210"], "5 and 31 ones"
    ways = [path for path in paths(tree) if f"fill at far.c:{STORES}" in path[-1].by]
    way = next(path for path in ways if path[-1].what.startswith("1-2 L1"))
    named = [one.by for one in way]
    wanted = ["PACR of 3-4 T2 pack", "MVMUL of 3-4 T1 math", "UNPACR of 3-4 T0 unpack", *between]
    left = iter(named)
    assert all(any(text in by for by in left) for text in wanted), named
    stored = way[-1]
    assert (stored.tile, stored.values) == ("1-2", ["0x40a0"])
    assert [call.split(":")[0] for call in stored.calls] == ["main at far.c"]
    assert stored.cycles is not None
    assert stored.cycles[0] < 1000
    if how == DRAM:
        (there,) = [one for one in way if one.what.startswith("DRAM 0 0x100a:2")]
        (again,) = ask(chip, history, "DRAM 0 0x100a:2").trees
        assert (again.what, again.values) == (there.what, there.values), "it can be typed back"
        assert again.by == there.by
        assert again.made_of[0].what.startswith("1-2 L1 ")
    else:
        alone = ask(chip, history, DATUM, settings=False)
        assert alone.cycles < found.cycles, "values alone are quicker"
        assert any("fill at far.c" in path[-1].by for path in paths(alone.trees[0]))
    chip.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("DRAM 0", "type for example"),
        ("DRAM 8 0x100", "there is no DRAM 8: they are 0 to 7"),
        ("DRAM 0 0x100:5000", "5000 bytes cannot be asked for"),
        ("DRAM 0 0xfeffffff", "DRAM 0 ends at 0xff000000"),
    ],
)
def test_no_place_in_dram(chip: Chip, text: str, said: str) -> None:
    with pytest.raises(NotAPlace, match=said):
        ask(chip, begin_chip_history(chip), text)


@pytest.mark.long("test_far.py: what a tile packs")
def test_of_many_tiles_no_write_is_made_up(program: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last stores are kept of the tile alone that is asked about, and of none for DRAM."""
    monkeypatch.setattr(query, "FEW_TILES", 0)
    chip, history = chip_of(program, READ, "latency")
    (tree,) = ask(chip, history, DATUM, settings=False).trees
    there = [one for path in paths(tree) for one in path if one.what.startswith("1-2 L1")]
    assert there
    assert not [one.later for one in there if one.later]
    chip.close()


@pytest.fixture
def chip() -> Iterator[Chip]:
    made = Chip([SENDER, RECEIVER], engine="compiled", schedule=Execution.parse("latency"))
    yield made
    made.close()


def test_a_word_that_a_request_has_itself(chip: Chip) -> None:
    """An inline write."""
    history = begin_chip_history(chip)
    to = at(RECEIVER)
    load(chip, SENDER, request(WRITE | INLINE | MARKED, SEMAPHORE, to, 0, 0, 15, data=0x55))
    load(chip, RECEIVER, [*WAITS, *copy_word(SEMAPHORE, RESULT)])
    rest(history, 2000)
    (tree,) = ask(chip, history, f"{RESULT:#x}").trees
    path, *_ = [path for path in paths(tree) if not path[-1].made_of]
    whats = [one.what for one in path]
    assert whats[:3] == ["3-4 L1 0xa000:4", "3-4 reg B a1", "3-4 L1 0x7000:4"]
    assert path[2].by.startswith("a request of NoC 0 that 1-2 B has made")
    assert all(one.tile == "1-2" for one in path[2:])
    assert any(one.values == ["0x55"] for one in path[3:])


def test_an_atomic_adds_what_it_brings_and_answers_with_what_was_there(chip: Chip) -> None:
    history = begin_chip_history(chip)
    counts = request(ATOMIC | MARKED, SEMAPHORE, at(RECEIVER), COPY, at(SENDER), INCREMENT, data=3)
    load(chip, SENDER, [*WAITS, *counts, *barrier(0)])
    load(chip, RECEIVER, [*store(SEMAPHORE, 7), *WAITS, *WAITS, *copy_word(SEMAPHORE, RESULT)])
    rest(history, 4000)
    (sum_,) = ask(chip, history, f"{RESULT:#x}").trees
    assert sum_.values == ["0x0000000a"]
    made = {(one.tile, *one.values) for path in paths(sum_) for one in path}
    assert ("3-4", "0x7") in made
    assert ("1-2", "0x3") in made
    (before,) = ask(chip, history, f"{COPY:#x}", SENDER).trees
    assert before.values == ["0x00000007"]
    assert {one.tile for path in paths(before) for one in path[1:]} == {"3-4"}


def test_a_change_where_a_tile_has_stopped(chip: Chip) -> None:
    """At a breakpoint of one tile others are up to a quantum ahead: what they have stored there is
    theirs, and what a client has changed is from outside."""
    history = begin_chip_history(chip)
    stores = [word for i in range(12) for word in store(COPY + 4 * i, i + 1)]
    load(chip, SENDER, stores)
    load(chip, RECEIVER, stores)
    chip.tiles[SENDER].add_break(0x60)
    stop = history.run(2000)
    assert stop is not None
    assert stop.place == SENDER
    assert chip.tiles[RECEIVER].S.tile.cycle > chip.tiles[SENDER].S.tile.cycle
    chip.tiles[SENDER].remove_break(0x60)
    chip.tiles[SENDER].poke(0, COPY + 4 * 12, b"\x07\x08\x09\x0a")
    rest(history, 1000)
    for place in (SENDER, RECEIVER):
        stored = ask(chip, history, f"{COPY:#x}:48", place).trees
        assert len(stored) == 12
        assert {tree.by.split(",")[0] for tree in stored} == {f"sw of {NAMES[place]} B"}
    (poked,) = ask(chip, history, f"{COPY + 48:#x}", SENDER).trees
    assert poked.note.startswith("put there from outside while the tile was stopped in cycle")
