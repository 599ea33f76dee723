# SPDX-License-Identifier: Apache-2.0
"""`monitor origin` needs a history and says so; `tile.origin` knows what a test has written."""

from __future__ import annotations

import json

import pytest

from tensix_gdb.core.execution import Execution
from tensix_gdb.core.history.replay import run_to_cycle
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.testing import Tile
from tests.core.origin.programs import CODE, DATA, DEMO, bytes_into_a_line, of_words

WORDS = bytes_into_a_line()


def test_without_history() -> None:
    target = tensix_target(of_words(Execution(Schedule.LATENCY), WORDS))
    assert target.monitor is not None
    with pytest.raises(TargetError, match="type `monitor record on`"):
        target.monitor.command(1, "origin 0x20000", running=False)


def test_in_a_session() -> None:
    machine = of_words(Execution(Schedule.LATENCY), WORDS)
    target = tensix_target(machine, record=True)
    assert target.monitor is not None
    assert isinstance(target.reverse, TileHistory)
    assert target.reverse.history is not None
    target.reverse.history.resume()  # as a client's `continue` does
    run_to_cycle(machine, 400)
    text = target.monitor.command(1, f"origin {DATA + 1:#x}:1", running=False)
    assert f"sb of T0, {CODE + 4 * (len(WORDS) - 1):#010x}" in text
    brief = target.monitor.command(1, f"origin {DATA + 1:#x}:1 --brief", running=False)
    assert brief.startswith("L1 0x20001:1: 0x22: sb of T0")
    assert len(brief.splitlines()) < len(text.splitlines())
    assert all(": " in line and "chosen by" not in line for line in brief.splitlines())
    found = json.loads(target.monitor.command(1, f"origin {DATA + 1:#x}:1 --json", running=False))
    assert found["whole"]
    assert found["origins"][0]["values"] == ["0x22"]
    with pytest.raises(TargetError, match="is no place"):
        target.monitor.command(1, "origin nonsense", running=False)
    with pytest.raises(TargetError, match="there is no NaN"):
        target.monitor.command(1, "origin nan", running=False)


def test_in_a_test() -> None:
    with Tile(schedule="latency", engine="compiled", b=DEMO / "b.elf", t0=DEMO / "t0.elf") as tile:
        tile.keep_history()
        tile.b.write(0x150000, b"\x05")
        (tree,) = tile.origin("0x150000:1").trees
        assert "from outside" in tree.note
        with pytest.raises(LookupError, match="is no place"):
            tile.origin("nonsense")
