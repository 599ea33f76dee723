# SPDX-License-Identifier: Apache-2.0
"""Wrong numbers in the example kernel: one command names the line; and no parent is guessed."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from scripts.examples.origins.__main__ import BLOCK, section
from scripts.examples.origins.wrong import AFTER, SCALE, WRONG
from scripts.examples.planted.planting import Bug, outputs_of, typed
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.history.replay import run_to_cycle
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import origins
from tensix_gdb.core.origin.nan import origins_of_first_nan
from tensix_gdb.core.origin.rerun import Again
from tensix_gdb.core.origin.shown import Origin
from tensix_gdb.core.places.place import NotAPlace
from tensix_gdb.core.program.elf import read_elf
from tests.core.origin.programs import typed_back
from tests.gdbstub.kernels.kernels import C_TOOLS, want
from tests.programs.build import COMPILER, compiler_version
from tests.tools import find_tool

LEFT, RIGHT, SUM, BYTES = 0x21000, 0x31000, 0x41000, 0x2000


@pytest.mark.sample(2, "bugs of the same kernel")
@pytest.mark.parametrize("bug", WRONG, ids=lambda bug: bug.name)
def test_the_line_is_named(bug: Bug, tmp_path: Path) -> None:
    want(find_tool, *C_TOOLS)
    (output,) = outputs_of(bug, tmp_path)
    assert bug.is_named_by(output), output
    if compiler_version() == COMPILER:
        assert section(bug, output) in BLOCK.read(), f"run `{BLOCK.maker}`"


def _run(folder: Path, memory: dict[int, bytes], schedule: str = "latency") -> Machine:
    machine = Machine(engine="compiled", schedule=Execution.parse(schedule))
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
    for datum in (1000, 3333):
        at = SUM + 2 * datum
        found = origins(machine, Again(machine), [f"{at:#x}:2"])
        assert found.is_whole
        for tree in found.trees:
            typed_back(tree)
        named = set().union(*map(_leaves, found.trees))
        places = {f"L1 {base + 2 * datum:#x}:2" for base in tiles}
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


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example kernel, built; and with SFPMUL of an LReg that nothing has written (`lreg`)."""
    want(find_tool, *C_TOOLS)
    folder = tmp_path_factory.mktemp("project")
    typed("tensix-gdb new mine", folder)
    source = folder / "mine" / "add.c"
    text = source.read_text("utf-8")
    source.write_text(text.replace(AFTER, SCALE + AFTER), "utf-8")
    typed("tensix-gdb build add.c", folder / "mine")
    (folder / "mine" / "build").rename(folder / "mine" / "lreg")
    source.write_text(text, "utf-8")
    typed("tensix-gdb build add.c", folder / "mine")
    return folder / "mine"


def ones(datum: int = 0, value: int = 0x3F80) -> bytes:
    """Four tiles of 1, and one datum that is another."""
    data = bytearray((0x3F80).to_bytes(2, "little") * 4096)
    data[2 * datum : 2 * datum + 2] = value.to_bytes(2, "little")
    return bytes(data)


def test_a_nan_that_the_vector_unit_has_made(project: Path) -> None:
    """Infinity times 0, in a lane; the other lanes have no part in it."""
    machine = _run(project / "lreg", {LEFT: ones(2, 0x7F80), RIGHT: ones()})
    (tree,) = origins_of_first_nan(Again(machine)).trees
    text = "\n".join(tree.lines())
    assert re.search(r"lreg 0\.1: 0x7fc00000.*\n *written by SFPMUL of T1 math", text)
    assert _leaves(tree) == {
        *("lreg 3.1", "lreg 9.1"),
        *("L1 0x21004:2", "L1 0x31004:2"),
    }


def test_a_nan_that_was_unpacked(project: Path) -> None:
    machine = _run(project / "build", {LEFT: ones(3, 0x7FC1), RIGHT: ones()})
    (tree,) = origins_of_first_nan(Again(machine)).trees
    assert (tree.what, tree.by.split()[0]) == ("src a 0 0.3", "UNPACR")
    assert tree.calls[0].startswith("main at add.c:")
    assert _leaves(tree) == {"L1 0x21006:2"}


def test_the_matrix_unit_makes_no_nan(project: Path) -> None:
    """The difference of infinities is 0 there, and a NaN of a bank an infinity."""
    machine = _run(project / "build", {LEFT: ones(3, 0x7F80), RIGHT: ones(3, 0xFF80)})
    with pytest.raises(NotAPlace, match="there is no NaN in Dst, an LReg or a source bank"):
        origins_of_first_nan(Again(machine))
    machine = _run(project / "build", {LEFT: ones(3, 0x7FC1), RIGHT: ones()})
    assert machine.peek(0, SUM + 6, 2) == (0x7F80).to_bytes(2, "little")


@pytest.mark.parametrize("schedule", ["sc", "random:7", "random:8,strict"])
def test_every_instruction_has_its_calls(project: Path, schedule: str) -> None:
    """In any schedule, and the parts are the same."""
    machine = _run(project / "build", {LEFT: ones(), RIGHT: ones()}, schedule)
    (tree,) = origins(machine, Again(machine), [f"{SUM + 6:#x}:2"]).trees
    assert _leaves(tree) == {"L1 0x21006:2", "L1 0x31006:2"}
    left = [tree]
    while left:
        one = left.pop()
        left += one.made_of
        if one.by:
            assert one.calls, one.title
            assert one.calls[-1].startswith("main at add.c:")


def test_a_recording(project: Path) -> None:
    """`origin --recording` says of what was recorded what `origin` says of the same run."""
    tiles = "--tile 0x21000=left.npy:bf16 --tile 0x31000=right.npy:bf16"
    run = f"--dir build {tiles} --schedule random:7"
    typed(f"tensix-gdb run {run} --record-to run.rec", project)
    said = typed(f"tensix-gdb origin --recording run.rec {SUM + 6:#x}:2", project)
    same = typed(f"tensix-gdb origin {run} {SUM + 6:#x}:2", project)
    start = f"L1 {SUM + 6:#x}:2"
    assert "written by PACR of T2 pack" in said
    assert said[said.index(start) :] == same[same.index(start) :]
    alike = typed("tensix-gdb origin --recording run.rec --diff 0x41000=sum.npy:bf16", project)
    assert "nothing differs" in alike
