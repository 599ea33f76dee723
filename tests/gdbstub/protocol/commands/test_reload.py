# SPDX-License-Identifier: Apache-2.0
"""An ELF file that is built again while a tile has it, and a hart in another one's program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import HART_NAMES, SOFT_RESET_BIT, T0, B
from tensix_gdb.core.devices import soft_reset
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import LoadError, read_elf
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.elf_maker import make_elf, words
from tests.gdbstub.tiles import Client

EBREAK, NOP = 0x00100073, 0x00000013
B_THREAD, T0_THREAD = 1, 2


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "t0.elf"
    path.write_bytes(make_elf([(0x6000, words(NOP, EBREAK))], entry=0x6000))
    return path


@pytest.fixture
def machine(file: Path) -> Machine:
    other = file.with_name("b.elf")
    other.write_bytes(make_elf([(0, words(EBREAK))]))
    made = Machine(engine="reference")
    made.load(B, read_elf(other))
    made.load(T0, read_elf(file))
    return made


def say(machine: Machine, line: str) -> str:
    monitor = tensix_target(machine).monitor
    assert monitor is not None
    return monitor.command(B_THREAD, line, running=False)


def word(machine: Machine) -> int:
    return int.from_bytes(machine.peek(T0, 0x6000, 4), "little")


def test_a_reset_says_that_a_file_has_changed(machine: Machine, file: Path) -> None:
    assert "Built again" not in say(machine, "reset")
    file.write_bytes(make_elf([(0x6000, words(EBREAK))], entry=0x6000))
    assert f"Built again since it was loaded: {file.resolve()}." in say(machine, "reset")
    assert word(machine) == NOP


def test_run_says_it_as_soon_as_text_can_be_shown(machine: Machine, file: Path) -> None:
    client = Client(SharedTile(tensix_target(machine), run_at_once=False))
    file.write_bytes(make_elf([(0x6000, words(EBREAK))], entry=0x6000))
    assert client.ask("vRun;").startswith(b"T05")
    (_, shown) = client.send_only("vCont;c")
    assert b"Built again since it was loaded: " in bytes.fromhex(shown[1:].decode("ascii"))


def test_reload_takes_what_is_there_now(machine: Machine, file: Path) -> None:
    machine.run(10)
    assert machine.places.at(T0, 0x6004) == "0x00006004"
    file.write_bytes(make_elf([(0x6000, words(EBREAK, NOP)), (0x7000, words(5))], entry=0x6004))
    assert f"Loaded again: {file}." in say(machine, "reload")
    assert (word(machine), machine.read_pc(T0), machine.S.tile.cycle) == (EBREAK, 0x6004, 0)
    assert "No file has changed." in say(machine, "reload")
    machine.reset()
    assert word(machine) == EBREAK


def test_what_is_no_program_is_not_taken(machine: Machine, file: Path) -> None:
    file.write_bytes(b"being linked")
    with pytest.raises(LoadError) as wrong:
        read_elf(file)
    with pytest.raises(TargetError, match=re.escape(str(wrong.value))):
        say(machine, "reload")
    file.write_bytes(make_elf([(0, words(NOP))]))
    with pytest.raises(TargetError, match="overlap in L1 from 0x00000000"):
        say(machine, "reload")
    file.unlink()
    assert "No file has changed." in say(machine, "reload")
    assert word(machine) == NOP


def test_what_is_counted_keeps_its_programs(machine: Machine) -> None:
    machine.count()
    with pytest.raises(TargetError, match="start tensix-gdb again"):
        say(machine, "reload")


def test_what_a_host_has_brought_is_not_ours_to_reload(machine: Machine) -> None:
    machine.loader.add_hosted(machine.images[:])
    del machine.images[:2]
    with pytest.raises(TargetError, match="start tensix-gdb again for others"):
        say(machine, "reload")


def test_a_hart_in_another_ones_program(machine: Machine) -> None:
    """GDB's `load` sets the pc of the selected thread, whatever it loads."""
    threads = tensix_target(machine).threads
    assert threads.thread_state(B_THREAD) == "ready"
    machine.write_pc(B, 0x6000)
    assert threads.thread_state(B_THREAD) == "ready, in t0.elf, the program of T0"
    assert "in t0.elf, the program of T0" in say(machine, "status")
    assert threads.thread_state(T0_THREAD) == "ready"


def test_a_file_has_one_name_however_it_was_typed(
    machine: Machine, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A packet log names files in full, and is compared with what is said when it plays again."""
    monkeypatch.chdir(file.parent)
    typed = Machine(engine="reference")
    typed.load(B, read_elf("b.elf"))
    typed.load(T0, read_elf("t0.elf"))
    assert say(typed, "status") == say(machine, "status")
    typed.close()


def test_a_hart_that_has_no_program_in_that_of_another_one(machine: Machine) -> None:
    threads = tensix_target(machine).threads
    nc = HART_NAMES.index("NC")
    assert threads.thread_state(nc + 1) == "in reset"
    held = machine.S.tile_control.soft_reset
    soft_reset.set_soft_reset(machine.S, held & ~(1 << SOFT_RESET_BIT[nc]))
    machine.write_pc(nc, 0)
    assert threads.thread_state(nc + 1) == "ready, in b.elf, the program of B"
