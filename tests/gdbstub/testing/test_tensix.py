# SPDX-License-Identifier: Apache-2.0
"""The coprocessor in scripted tests: gates, FIFOs, semaphores; and what a failure shows of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.examples.tensix.sessions import FOLDER, SESSIONS
from tensix_gdb.core.stop import NOTHING_MOVES
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.gdbstub.testing import NotStopped, Tile
from tensix_gdb.gdbstub.testing.program import NoSuchPlace
from tests.gdbstub.testing.test_pytest_plugin import PLUGIN
from tests.tools import find_tool

pytest_plugins = ["pytester"]
BY_NAME = {session.name: session for session in SESSIONS}


@pytest.fixture(scope="module")
def elfs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    find_tool("riscv64-unknown-elf-gcc")
    found = BY_NAME["hang"].elfs(tmp_path_factory.mktemp("hang"))
    return {hart.lower(): path for hart, path in found.items()}


@pytest.fixture(params=["sc", "latency", "random:3"])
def tile(request: pytest.FixtureRequest, elfs: dict[str, Path]) -> Iterator[Tile]:
    with Tile(engine="reference", schedule=request.param, sources=[FOLDER], **elfs) as made:
        yield made


def test_a_dead_tile_and_its_gate(tile: Tile) -> None:
    tile.run_to_end("t1")
    stop = tile.run()
    assert stop.reason == "deadlock"
    assert "T2 pack: SETDMAREG " in stop.text
    gate = tile.tensix[2].gate
    assert gate.held is Held.LATCHED_WAIT
    assert gate.instruction == "SETDMAREG.Immediate new_value=0x5678, result_half_reg=G4_lo"
    assert gate.latched == "SEMWAIT block=ALL, sem=S1, wait=C0"
    assert (gate.place, gate.wait_place) == ("hang.c:27", "hang.c:26")
    assert len(gate.obstacles) == 1
    assert gate.obstacles[0].startswith("semaphore 1 is 0")
    assert str(gate) == gate.reason
    assert tile.tensix[2].fifo["C"] == 2
    assert not tile.tensix[1].gate.held
    assert str(tile.tensix[1].gate) == "nothing at the gate"
    assert [s.value for s in tile.semaphores] == [0, 0, 4, 0, 0, 0, 0, 0]
    assert (tile.semaphores[1].max, tile.mutexes[2]) == (2, None)
    assert tile.tensix[1].gpr[4] == 0x1234
    assert tile.tensix[1].passed == 9
    # The mistake, put right by hand for every tile.
    for _ in range(4):
        tile.semaphores[1].value += 1
    tile.run_to_end("t2")
    assert tile.tensix[2].gpr[4] == 0x5678
    assert tile.tensix[2].state == ""


def test_configuration_by_name(tile: Tile) -> None:
    config = tile.tensix[0].config
    config["CFG_STATE_ID_StateID"] = 1
    config["THCON_SEC0_REG3_Base_address"] = 0x40
    assert tile.tensix[1].config["THCON_SEC0_REG3_Base_address"] == 0
    assert config["THCON_SEC0_REG3_Base_address"] == 0x40
    assert "ALU_FORMAT_SPEC_REG_SrcA_val" in config
    with pytest.raises(KeyError, match="no field Nonsense"):
        config["Nonsense"]
    with pytest.raises(IndexError, match="no GPR 64"):
        tile.tensix[0].gpr[64]
    with pytest.raises(TypeError):
        del config["CFG_STATE_ID_StateID"]


def test_who_does_not_come_to_the_end_says_why(tile: Tile) -> None:
    with pytest.raises(NotStopped) as failure:
        tile.run_to_end()
    text = str(failure.value)
    assert NOTHING_MOVES in text
    assert "semaphore 1 is 0 until it is posted" in text
    assert "SEMWAIT pushed at 0x0000e0" in text
    assert "pack at hang.c:26" in text


def test_a_failure_shows_the_gates(pytester: pytest.Pytester, elfs: dict[str, Path]) -> None:
    for hart, path in elfs.items():
        shutil.copy(path, pytester.path / f"{hart}.elf")
    pytester.makepyfile("""
        import pytest

        @pytest.mark.tile(t1="t1.elf", t2="t2.elf", schedule="latency")
        def test_four_tiles(tile):
            tile.run_to_end("t1")
            assert tile.semaphores[1].value == 4
    """)
    result = pytester.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*where the tile has stopped*",
            "T2 pack: SETDMAREG *",
            "    SEMWAIT pushed at 0x0000e0*, pack at hang.c:26",
        ]
    )


def test_a_gate_breakpoint(tile: Tile) -> None:
    """Before the instruction passes, with the thread and where it was pushed."""
    at = tile.break_gate("SETDMAREG", thread="T2")
    while not (stop := tile.run()).thread:
        assert stop.reason == "ebreak"
    assert (stop.reason, stop.thread, stop.function, stop.line) == (
        *("gate", tile.tensix[2], "pack", 27),
    )
    assert stop.thread.gate.instruction.startswith("SETDMAREG.Immediate new_value=0x5678")
    assert stop.hart is tile.t2
    assert at.hits == 1
    # It is there before the wait in front of it lets it pass.
    assert stop.thread.gate.latched == "SEMWAIT block=ALL, sem=S1, wait=C0"
    tile.delete(at)
    with pytest.raises(NotStopped, match=NOTHING_MOVES):
        tile.run_to_end()


def test_gates_by_line_field_count_and_condition(tile: Tile) -> None:
    posts = tile.break_gate("SEMPOST", fields="sem=S2", when=lambda t: t.gpr[4] == 0x1234)
    line = tile.break_gate("hang.c:12", thread=1, nth=1)
    never = tile.break_gate("SETDMAREG", fields="new_value=0x4321")
    for _ in range(4):
        while tile.run().reason != "gate":
            pass
        assert tile.stop is not None
        assert tile.stop.thread is tile.tensix[1]
        assert tile.stop.at("hang.c:12")
    assert (posts.hits, line.hits, never.hits, never.evaluated) == (4, 4, 0, 0)
    tile.delete()
    assert not tile.machine.gates.breaks
    with pytest.raises(NoSuchPlace, match="has no field 'sum'"):
        tile.break_gate("SEMPOST", fields="sum=3")
    with pytest.raises(NoSuchPlace, match="no Tensix thread"):
        tile.break_gate("SEMPOST", thread="T9")


def test_a_change_by_the_coprocessor(tile: Tile) -> None:
    seen: list[int] = []
    watch = tile.watch_tensix("sem 2", when=lambda _: seen.append(1) or len(seen) == 3)
    while tile.run().reason != "watchpoint":
        pass
    assert tile.stop is not None
    assert tile.semaphores[2].value == 3
    assert "from 0x2 to 0x3 by SEMPOST" in tile.stop.text
    assert tile.stop.thread is tile.tensix[1]
    assert (watch.hits, watch.evaluated) == (1, 3)
    tile.delete(watch)
    with pytest.raises(NoSuchPlace, match="no semaphore"):
        tile.watch_tensix("sem 9")


def test_places_are_read_and_written(tile: Tile) -> None:
    tile["gpr T1 5"] = 7
    assert (tile["gpr T1 5"], tile.tensix[1].gpr[5]) == (7, 7)
    assert tile["gpr T1 4-5"] == (0, 7)
    tile["lreg 3"] = 1
    assert tile["lreg 3"] == (1,) * 32
    with pytest.raises(NoSuchPlace, match="two meanings"):
        tile["dst 16 4"]
    with pytest.raises(NoSuchPlace, match="takes 0 to 0xf"):
        tile["sem 2"] = 16


def test_breaking_at_gates_changes_nothing(elfs: dict[str, Path]) -> None:
    for schedule in ("sc", "latency", "random:5"):
        hashes = set()
        for armed in (False, True):
            with Tile(engine="reference", schedule=schedule, **elfs) as one:
                if armed:
                    one.break_gate("SEMPOST")
                    one.watch_tensix("gpr T1 4", when=lambda _: False)
                while one.run().reason != "deadlock":
                    pass
                hashes.add((one.cycle, one.hash()))
        assert len(hashes) == 1


def test_a_failure_at_a_gate_shows_where_it_was_pushed(tile: Tile) -> None:
    tile.break_gate("SEMPOST", thread="T1")
    while tile.run().thread is None:
        pass
    text = tile.report()
    assert "->   12      SEMPOST(S2);" in text
    assert "#0 compute () at hang.c:12" in text
