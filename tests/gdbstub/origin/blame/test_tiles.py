# SPDX-License-Identifier: Apache-2.0
"""Which moves do not fit the tiles of a command line, and which write of a word is to blame.

tests/examples/test_planted.py has it of whole kernels.
"""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0, T2
from tensix_gdb.core.devices.backend_config import CONFIG_BASE, GLOBAL_WORD, WORDS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.gdbstub.origin.blame.command import blamed_for_fault, blamed_for_tiles
from tensix_gdb.gdbstub.origin.blame.moves import Move, Setting
from tensix_gdb.gdbstub.origin.blame.second_run import SecondRun
from tensix_gdb.gdbstub.origin.blame.tiles import Tiles, left_out, odd
from tensix_gdb.gdbstub.origin.blame.unwritten import unwritten
from tensix_gdb.gdbstub.origin.blame.writes import Write, Writes
from tests.assembler import EBREAK, image
from tests.core.race.state.test_checks import finish, store

TILE = 2048
IN = Tiles("in.npy", 0x21000, 0x21000 + 2 * TILE, TILE, Format.BF16)
OUT = Tiles("out.npy", 0x41000, 0x41000 + 2 * TILE, TILE, Format.BF16)
LOOSE = Setting("BASE", 0, None)


def move(
    start: int,
    length: int = TILE,
    *,
    is_read: bool = True,
    format: Format = Format.BF16,
    pc: int = 0,
) -> Move:
    name, hart = ("UNPACR", T0) if is_read else ("PACR", T2)
    thread = hart - T0
    return Move(is_read, name, thread, hart, pc, 7, start, start + length, format, LOOSE, ())


def whats(*moves: Move) -> list[str]:
    return [one.what for one in odd(moves, [IN], [OUT])]


def test_what_fits() -> None:
    faces = [move(0x21000 + 512 * face, 512) for face in range(8)]
    assert whats(*faces, move(0x41000, is_read=False), move(0x41800, is_read=False)) == []


BFP = 1088  # bytes of a tile: 64 exponents, and 1024 datums
BLOCKS = Tiles("in.npy", 0x21000, 0x21000 + 2 * BFP, BFP, Format.BFP8, 64)


def test_block_float_face_by_face() -> None:
    """The datums of a tile begin after its exponents."""
    faces = [
        move(0x21000 + BFP * tile + 64 + 256 * face, 256, format=Format.BFP8)
        for tile in range(2)
        for face in range(4)
    ]
    assert list(odd(faces, [BLOCKS], [])) == []
    assert list(left_out(faces, [BLOCKS], [])) == []
    (wrong,) = odd([move(0x21000 + 80, 256, format=Format.BFP8)], [BLOCKS], [])
    assert wrong.what == "80 bytes after the beginning of tile 0 of in.npy"


def test_faces_that_nothing_has_written() -> None:
    machine = Machine(engine="reference")
    moves = [move(0x41000 + TILE * tile, 1024, is_read=False) for tile in range(2)]
    lines = list(unwritten(machine, moves, [OUT], lambda addr: addr & 0x400 == 0))
    assert lines[0] == (
        "nothing has written 0x41400 to 0x417ff, 1024 of the 2048 bytes of tile 0 of out.npy, "
        "nor there in tile 1"
    )
    assert "has written 0x41000 to 0x413ff" in lines[1]
    assert list(unwritten(machine, moves, [OUT], lambda addr: True)) == []
    assert list(unwritten(machine, [], [OUT], lambda addr: False)) == []
    machine.close()


@pytest.mark.parametrize("before", ["nothing", "races", "checks"])
def test_what_a_second_run_has_written(before: str) -> None:
    """It is noted whatever was observed before, and that goes on as it was."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    machine.load(T0, image([*store(0x41004, 7), EBREAK], 0x1000))
    if before == "races":
        machine.observe_races()
    if before == "checks":
        machine.check_state(("leaks",))
    finish(machine)
    was = machine.runner.races, machine.runner.races and machine.runner.races.state
    second = SecondRun(machine)
    second.go(lambda: False)
    assert second.knows_written
    assert [second.is_written(0x41000 + i) for i in range(12)] == [i // 4 == 1 for i in range(12)]
    assert (machine.runner.races, machine.runner.races and machine.runner.races.state) == was
    assert bool(machine.S.race.on) is (before != "nothing")
    assert bool(machine.S.state.on) is (before == "checks")
    machine.close()


def test_what_was_packed_before_may_be_read() -> None:
    assert whats(move(0x41000, is_read=False), move(0x41000)) == []
    assert whats(move(0x41000)) == ["where no --tile is and nothing was packed"]


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        (move(0x21400), "1024 bytes after the beginning of tile 0 of in.npy"),
        (move(0x21c00), "1024 bytes after the beginning of tile 1 of in.npy"),
        (move(0x21800, 2 * TILE), "past the end of in.npy, which is at 0x22000"),
        (move(0x30000), "where no --tile is and nothing was packed"),
        (move(0x21000, format=Format.FP16), "as FP16, and in.npy is there as BF16"),
        (move(0x40000, is_read=False), "where no --expect is"),
        (move(0x41010, is_read=False), "16 bytes after the beginning of tile 0 of out.npy"),
    ],
)  # fmt: skip
def test_what_does_not(wrong: Move, what: str) -> None:
    assert whats(wrong) == [what]
    assert whats(wrong, wrong) == [what]  # of a line once


def test_a_tile_that_is_written_twice() -> None:
    twice = move(0x41800, is_read=False)
    assert whats(twice, twice) == ["again: tile 1 of out.npy, as in cycle 7"]


def test_tiles_without_a_move() -> None:
    moves = [move(0x21000), move(0x41800, is_read=False)]
    assert list(left_out(moves, [IN], [OUT])) == [
        "no instruction has read tile 1 of in.npy from the beginning",
        "no instruction has written tile 0 of out.npy from the beginning",
    ]
    assert list(left_out([], [IN], [])) == [
        "no instruction has read tiles 0, 1 of in.npy from the beginning"
    ]


def test_the_write_that_changed_a_field() -> None:
    """A word has many fields: a later store of the same bits is not to blame."""
    machine = Machine(engine="reference")
    S, writes = machine.S, Writes()
    assert writes.last(S, 0, 5, 0xF) is None
    for pc, value in ((0x10, 0x1), (0x20, 0x31), (0x30, 0x731)):
        writes.stored(S, CONFIG_BASE + 4 * 5, Write(T0, pc, 0))
        S.config.word[0, 5] = value
    changed = [writes.last(S, 0, 5, mask) for mask in (0xF, 0xF0, 0xF00, 0xF000)]
    assert [write.pc for write in changed if write] == [0x10, 0x20, 0x30, 0x30]
    assert writes.last(S, 1, 5, 0xF) is None
    machine.close()


@pytest.mark.parametrize(
    ("index", "banks"),
    [(6, (0,)), (WORDS + 6, (1,)), (2 * WORDS + 6, (0, 1)), (GLOBAL_WORD, (0, 1))],
)
def test_banks_that_a_store_writes(index: int, banks: tuple[int, ...]) -> None:
    machine = Machine(engine="reference")
    writes = Writes()
    writes.stored(machine.S, CONFIG_BASE + 4 * index, Write(T0, 0x10, 0))
    found = [bank for bank in (0, 1) if writes.last(machine.S, bank, index % WORDS, 1)]
    assert tuple(found) == banks
    machine.close()


@pytest.mark.parametrize(
    ("name", "word", "first", "count"),
    [("WRCFG", 0xB0000006, 6, 1), ("WRCFG", 0xB0008006, 4, 4), ("RMWCIB1", 0xB4FF0106, 6, 1)],
)
def test_words_that_an_instruction_writes(name: str, word: int, first: int, count: int) -> None:
    machine = Machine(engine="reference")
    writes = Writes()
    writes.issued(machine.S, 0, word, Write(T0, 0x10, 0, 0, name))
    found = [index for index in range(WORDS) if writes.last(machine.S, 0, index, 1)]
    assert found == list(range(first, first + count))
    machine.close()


def test_ctrl_c() -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    second = SecondRun(machine)
    second.go(lambda: True)
    assert not second.is_whole
    second.go(lambda: False)
    assert second.is_whole
    assert machine.armed.anything() is False
    machine.close()


def test_nothing_to_say() -> None:
    """In `sc` units do all in the cycle in which they begin; a tile without a fault has no line."""
    machine = Machine(engine="reference")
    assert blamed_for_tiles(machine, [IN], [OUT], lambda: False) == []
    assert blamed_for_fault(machine, lambda: False) == []
    machine.close()
