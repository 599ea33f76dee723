# SPDX-License-Identifier: Apache-2.0
"""`monitor wrong`: back to the instruction that made the first wrong datum of L1, Dst or a bank."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from scripts.examples.planted.bugs import BUGS
from scripts.examples.planted.planting import made
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.build import machine_of
from tensix_gdb.gdbstub.cli.parser import parse
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.gdbstub.kernels.kernels import C_TOOLS, want
from tests.tools import find_tool

BUG = next(bug for bug in BUGS if bug.name == "address")
TILES = "--tile 0x21000=left.npy:bf16 --tile 0x31000=right.npy:bf16"
Asked = Callable[[str], tuple[str, int]]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """Type a command at the end of a recorded run; what it says, and the cycle afterwards."""
    want(find_tool, *C_TOOLS)
    with pytest.MonkeyPatch.context() as context:
        context.chdir(made(BUG, BUG.source, tmp_path_factory.mktemp("wrong")))
        options = parse(f"gdb --dir build {TILES}".split()).options
        machine, _ = machine_of(options.programs)
        target = tensix_target(machine, record=True)
        monitor = target.monitor
        assert monitor is not None
        assert isinstance(target.reverse, TileHistory)
        assert target.reverse.history is not None
        target.reverse.history.resume()
        _to_the_end(machine)
        end = int(machine.S.tile.cycle)

        def ask(line: str) -> tuple[str, int]:
            monitor.command(1, f"goto {end}", running=False)
            return monitor.command(1, line, running=False), int(machine.S.tile.cycle)

        yield ask
        machine.close()


def _to_the_end(machine: Machine) -> None:
    for _ in range(4):  # T0, T1 and T2 come to their ends one after the other
        machine.run(100_000)


def test_the_instruction_that_makes_it(asked: Asked) -> None:
    """The same bug makes another datum wrong in each place, and each has its own maker."""
    said, cycle = asked("wrong 0x41000=sum.npy:bf16")
    assert "the first: row 32, column 0, at 0x41800" in said
    assert "written by PACR of T2 pack" in said
    assert f"The tile is at cycle {cycle}, before that." in said
    np.save("last.npy", np.load("sum.npy")[96:])
    said, of_dst = asked("wrong dst 0=last.npy:bf16")
    assert "Dst from row 0 on is not last.npy, as bf16" in said
    assert "written by ELWADD of T1 math" in said
    assert f"The tile is at cycle {of_dst}, before that." in said
    assert of_dst > cycle
    said, _ = asked("wrong dst 0=last.npy:fp32")
    assert "dst 0,8.0: " in said
    np.save("right1.npy", np.load("right.npy")[96:] + 1)
    said, of_bank = asked("wrong src b 0=right1.npy:bf16")
    assert "bank 0 of SrcB is not right1.npy, as bf16" in said
    assert "written by UNPACR of T0 unpack" in said
    assert 0 < of_bank < of_dst


def test_nothing_is_wrong(asked: Asked) -> None:
    """The tile stays where it is."""
    np.save("zeros.npy", np.zeros((1, 16)))
    assert "nothing differs" in asked("wrong 0x60000=zeros.npy:uint32,rows")[0]


def test_what_is_refused(asked: Asked) -> None:
    for text in ("", " dst", " src c 0=x.npy:bf16", " dst 1020=sum.npy:bf16"):
        with pytest.raises(TargetError):
            asked(f"wrong{text}")


def test_without_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("ones.npy", np.ones((1, 16)))
    target = tensix_target(Machine(engine="reference"))
    assert target.monitor is not None
    with pytest.raises(TargetError, match="nothing is recorded"):
        target.monitor.command(1, "wrong 0x60000=ones.npy:uint32,rows", running=False)
