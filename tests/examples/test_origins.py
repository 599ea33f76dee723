# SPDX-License-Identifier: Apache-2.0
"""Wrong numbers in the example kernel: one command names the line; and no parent is guessed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from scripts.examples.origins.__main__ import BLOCK, section
from scripts.examples.origins.wrong import WRONG
from scripts.examples.planted.planting import Bug, outputs_of, typed
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.history.replay import run_to_cycle
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import origins
from tensix_gdb.core.origin.rerun import Again
from tensix_gdb.core.origin.tree import Origin
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tests.gdbstub.kernels.kernels import C_TOOLS, want
from tests.programs.build import COMPILER, compiler_version
from tests.tools import find_tool

LEFT, RIGHT, SUM, BYTES = 0x21000, 0x31000, 0x41000, 0x2000


@pytest.mark.parametrize("bug", WRONG, ids=lambda bug: bug.name)
def test_the_line_is_named(bug: Bug, tmp_path: Path) -> None:
    want(find_tool, *C_TOOLS)
    (output,) = outputs_of(bug, tmp_path)
    assert bug.is_named_by(output), output
    if compiler_version() == COMPILER:
        assert section(bug, output) in BLOCK.read(), f"run `{BLOCK.maker}`"


def _run(folder: Path, memory: dict[int, bytes]) -> Machine:
    machine = Machine(engine="compiled", schedule=Execution(Schedule.LATENCY))
    for hart in (1, 2, 3):
        machine.load(hart, read_elf(str(folder / f"t{hart - 1}.elf")))
    for addr, data in memory.items():
        machine.load_bytes(addr, data)
    run_to_cycle(machine, 2000)
    return machine


def _leaves(origin: Origin) -> set[str]:
    found = {origin.what} if not origin.made_of else set()
    return found.union(*(_leaves(one) for one in origin.made_of))


def test_parts_are_what_the_datum_depends_on(tmp_path: Path) -> None:
    """Change each byte that is named: the datum changes. Change others: it does not."""
    want(find_tool, *C_TOOLS)
    typed("tensix-gdb new mine", tmp_path)
    typed("tensix-gdb build add.c", tmp_path / "mine")
    build = tmp_path / "mine" / "build"
    draw = random.Random(4)
    tiles = {
        addr: b"".join((0x3F80 + draw.randrange(256)).to_bytes(2, "little") for _ in range(4096))
        for addr in (LEFT, RIGHT)
    }
    machine = _run(build, tiles)
    for datum in (3, 1000, 3333):
        at = SUM + 2 * datum
        found = origins(machine, Again(machine), [f"{at:#x}:2"])
        assert found.is_whole
        named = set().union(*map(_leaves, found.trees))
        places = {f"L1 {base + 2 * datum:#x} to {base + 2 * datum + 1:#x}" for base in tiles}
        assert named == places
    value = machine.peek(0, SUM + 2 * 1000, 2)
    for base in tiles:
        data = bytearray(tiles[base])
        data[2000:2002] = (0x4200).to_bytes(2, "little")
        assert _run(build, {**tiles, base: bytes(data)}).peek(0, SUM + 2000, 2) != value
        data[2000:2002] = tiles[base][2000:2002]
        for _ in range(200):
            at = draw.randrange(4096)
            if at != 1000:
                data[2 * at : 2 * at + 2] = (0x4200).to_bytes(2, "little")
        assert _run(build, {**tiles, base: bytes(data)}).peek(0, SUM + 2000, 2) == value
