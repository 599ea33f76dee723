# SPDX-License-Identifier: Apache-2.0
"""The commands on the core file of a card: GDB, call stacks, `why`, `cfg`, `sem`, the picture, and
`run --from`. The card is a machine in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.exalens.snapshot import take_snapshot
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of
from tests.gdb.harness import ROOT, serve
from tests.gdbstub.host.exalens.in_process import MachineCard
from tests.gdbstub.tensix.programs import five, gdb, work_of
from tests.programs.build import build
from tests.tools import find_tool

HANG = ROOT / "scripts" / "examples" / "tensix" / "hang.c"
HARTS = {"B": 0, "T0": 1, "T1": 2, "T2": 3, "NC": 4}


def core_of_card(machine: Machine, elfs: dict[str, Path], file: Path) -> None:
    """Write what `core --from-exalens --elf HART=FILE -o FILE` writes."""
    found = take_snapshot(MachineCard(machine))
    found.machine.unknown.update(found.unknown)
    for hart, path in elfs.items():
        image = read_elf(path)
        image.hart = HARTS[hart]
        found.machine.loader.add_hosted([image])
    file.write_bytes(core_of(found.machine, "read from a card: a machine"))


def loaded(elfs: dict[str, Path]) -> Machine:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    for hart, path in elfs.items():
        machine.load(HARTS[hart], read_elf(path))
    return machine


@pytest.fixture(scope="module")
def hang(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The core file of the session in README.md: T2 waits for a semaphore that T1 never posts."""
    find_tool("riscv64-unknown-elf-gcc")
    folder = tmp_path_factory.mktemp("hang")
    elfs = {
        hart: build(HANG, hart, folder / f"{hart}.elf", defines=(f"HART={number}",))
        for hart, number in (("T1", 2), ("T2", 3))
    }
    machine = loaded(elfs)
    machine.run(5000)
    core_of_card(machine, elfs, folder / "hung.core")
    return folder / "hung.core"


def test_gdb_asks_why(hang: Path) -> None:
    with serve({}, "--core", str(hang)) as server:
        said = gdb(
            server.port,
            *("thread 4", "backtrace 1", "p $a0", "monitor why", "monitor sem", "monitor cfg"),
            *("x/wx 0xffb00000", "thread 8", "p $lreg0", "p $gpr"),
        )
    for text in (
        "T2: waits for the Tensix thread of T2 to have no instruction in flight, at 0x",
        "T2 pack: SETDMAREG is at the wait gate; it cannot be known what holds it",
        "the program of T2 pushes it at hang.c:27",
        "before it, at hang.c:26: SEMWAIT block=ALL, sem=S1, wait=C0",
        "more wait after it; which ones cannot be known",
        "semaphores: S0 = 0, S1 = 0, S2 = 4",
        "2          4      unknown",
        "wait_for_tensix",
        "$1 = <unavailable>",
        "$2 = <unavailable>",
    ):
        assert text in said, said
    assert "Cannot access memory at address 0xffb00000" in said


def test_call_stacks_and_variables(tmp_path: Path) -> None:
    elfs = five(tmp_path)
    machine = loaded(elfs)
    machine.add_break(work_of(elfs["T1"]), HARTS["T1"])
    machine.run(500_000)
    machine.remove_break(work_of(elfs["T1"]), HARTS["T1"])
    with MachineCard(machine).halted(HARTS["T1"]):  # else it is elsewhere when its turn comes
        core_of_card(machine, elfs, tmp_path / "hung.core")
    with serve({}, "--core", str(tmp_path / "hung.core")) as server:
        said = gdb(server.port, "thread 3", "backtrace", "p rounds", elf=elfs["T1"])
    for text in ("work (round=", "main () at ./five.c:", "$1 = 200"):
        assert text in said, said


def test_the_picture_names_what_is_not_known(
    hang: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["picture", str(hang), "-o", str(tmp_path / "hung.svg")]) == 0
    capsys.readouterr()
    drawn = (tmp_path / "hung.svg").read_text("utf-8")
    assert "not known, though drawn as empty" in drawn
    assert "SETDMAREG" in drawn


def test_run_goes_on_and_says_what_it_assumes(
    hang: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No wait is latched in it, so that T2's thread continues; T2's own registers are not known."""
    main(["run", "--from", str(hang), "--max-cycles", "3000", "--engine", "reference"])
    said = capsys.readouterr().out
    assert "read from a card: a machine" in said
    assert "assumed to be as after a reset: mutexes, SrcA and SrcB, LRegs" in said
    assert "latched wait of T2" in said
    assert "registers of T2" in said


def test_what_is_in_it(hang: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["core", str(hang)]) == 0
    said = capsys.readouterr().out
    assert "Not known: what is shown of it means nothing" in said
    assert "LRegs: the debug interface does not show it" in said
