# SPDX-License-Identifier: Apache-2.0
"""Calls in the past get the answers that they got, and the host does nothing again."""

from __future__ import annotations

from pathlib import Path

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.history import MachineHistory, begin_history
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.semihosting.calls import Calls
from tensix_gdb.core.semihosting.console import Silent
from tensix_gdb.core.semihosting.operations import Op
from tensix_gdb.core.stop import StopKind
from tests.core.semihosting.program import answers, block, data, fill, load
from tests.gdbstub.cli.test_recordings import played_again
from tests.machines import machine_on

READS = 4


def reading(tile: Machine, folder: Path) -> tuple[Silent, Calls, MachineHistory]:
    """A program that reads letters and writes them into a file."""
    console = Silent()
    console.input = b"abcdefgh"
    calls = Calls(console, folder)
    tile.serve_calls(calls)
    calls.keep_answers(True)
    fill(tile, 0, data(0), 4, 3, text=b"out")
    fill(tile, 1, 3, data(1), 1)
    fill(tile, 2, 0, data(1), 1)
    copy = [(Op.SYS_READ, block(2)), (Op.SYS_WRITE, block(1))]
    load(tile, [(Op.SYS_OPEN, block(0)), *copy * READS])
    return console, calls, begin_history(tile)


def gone(tile: Machine, history: MachineHistory, calls: int) -> str:
    """Run until so many calls were made; the state there."""
    history.resume()
    while tile.S.semihosting.calls < calls:
        assert tile.run(1) is None
        history.add_checkpoint_if_due()
    history.suspend()
    return tile.hash()


def test_the_same_answers_and_no_second_deed(tile: Machine, tmp_path: Path) -> None:
    console, _, history = reading(tile, tmp_path)
    middle = gone(tile, history, 5)
    middle_cycle = tile.S.tile.cycle
    end = gone(tile, history, 1 + 2 * READS)
    end_cycle = tile.S.tile.cycle
    assert (tmp_path / "out").read_bytes() == b"abcd"
    assert history.to_cycle(middle_cycle)
    assert tile.hash() == middle
    assert history.to_cycle(end_cycle)
    assert tile.hash() == end
    assert history.to_cycle(0)
    assert console.input == b"efgh"
    assert (tmp_path / "out").read_bytes() == b"abcd"


def test_another_future_gets_new_answers(tile: Machine, tmp_path: Path) -> None:
    """Files are where they were; what was read from the console is read."""
    console, _, history = reading(tile, tmp_path)
    gone(tile, history, 5)  # two letters
    there = tile.S.tile.cycle
    gone(tile, history, 1 + 2 * READS)
    assert history.to_cycle(there)
    tile.write_x(B, 30, 1)  # another past
    history.truncate_future()
    gone(tile, history, 1 + 2 * READS)
    assert (tmp_path / "out").read_bytes() == b"abef"
    assert answers(tile, 1 + 2 * READS) == [3] + [0] * 2 * READS
    assert console.input == b"gh"


def test_a_step_over_a_call(tile: Machine) -> None:
    console = Silent()
    tile.serve_calls(Calls(console))
    tile.load_bytes(data(0), b"x")
    load(tile, [(Op.SYS_WRITEC, data(0))])
    seen = []
    for _ in range(9):
        tile.step(B)
        stop = tile.run(1000)
        assert stop is not None
        assert stop.kind is StopKind.STEP
        seen.append(len(console.written))
    assert seen == [0] * 7 + [1, 1]


def test_a_recording_has_the_answers(tmp_path: Path) -> None:
    """Somebody else, without the files and the input, gets to the same state."""
    tile = machine_on("compiled")
    folder = tmp_path / "files"
    folder.mkdir()
    console, calls, _ = reading(tile, folder)
    calls.keep_answers(False)
    tile.start_recording()
    tile.run(2000)
    again = played_again(tile, tmp_path / "calls.recording")
    assert answers(again, 1 + 2 * READS) == [3] + [0] * 2 * READS
    assert console.input == b"efgh"
    again.close()
    tile.close()
