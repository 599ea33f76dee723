# SPDX-License-Identifier: Apache-2.0
"""A Wormhole tile as GDB sees it, and its core files and recordings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import NC, T2
from tensix_gdb.core.devices.wormhole import config_words
from tensix_gdb.core.devices.wormhole.backend_config import peek
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.recording.file import read_recording
from tensix_gdb.core.recording.replay import Replay
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.registers import F0, FIRST_CSR, HartRegisters
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of, machine_from, read_core
from tensix_gdb.gdbstub.tensix.documents.description import Documents, memory_map
from tensix_gdb.gdbstub.tensix.monitor.cfg import monitor_cfg
from tensix_gdb.gdbstub.tensix.monitor.watch import watch_of
from tests.elf_maker import make_elf, words
from tests.gdb.harness import serve
from tests.gdbstub.tensix.programs import gdb, refused, run
from tests.machines import machine_on

HERE = config_fields(Arch.WORMHOLE)
NOP, SPIN, IRAM = 0x00000013, 0x0000006F, 0xFFC00000


@pytest.fixture
def elf(tmp_path: Path) -> Path:
    path = tmp_path / "b.elf"
    path.write_bytes(make_elf([(0, words(NOP, NOP, NOP, SPIN))]))
    return path


def document(arch: Arch, kind: str, annex: str) -> str:
    machine = machine_on("reference", arch=arch)
    data = Documents(machine).document(kind, annex)
    machine.close()
    assert data is not None
    return data.decode()


def test_the_target_description_has_what_harts_have() -> None:
    both = [document(arch, "features", "target.xml") for arch in (Arch.BLACKHOLE, Arch.WORMHOLE)]
    features = [set(re.findall(r'<feature name="([^"]+)"', text)) for text in both]
    assert features[0] - features[1] == {
        f"org.gnu.gdb.riscv.{name}" for name in ("fpu", "csr", "vector")
    }
    assert features[1] == {"org.gnu.gdb.riscv.cpu", "org.tensix-gdb.tensix"}


def test_registers_that_are_not_there() -> None:
    machine = machine_on("reference", arch=Arch.WORMHOLE)
    registers = HartRegisters(machine)
    for number in (F0, FIRST_CSR + 0x301, FIRST_CSR + 0x7C0):
        assert registers.read_register(T2 + 1, number) is None
    machine.close()


def test_the_memory_map() -> None:
    text = document(Arch.WORMHOLE, "memory-map", "")
    assert 'start="0x0" length="0x16e000"' in text
    assert f'start="{IRAM:#x}" length="0x4000"' in text
    assert document(Arch.BLACKHOLE, "memory-map", "") == memory_map()
    assert f"{IRAM:#x}" not in memory_map()


def test_a_core_file_is_of_its_chip(
    elf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tile.core"
    run(
        capsys,
        {"b": elf},
        "--arch",
        "wormhole",
        "--core",
        str(file),
        "--engine",
        "reference",
        "--max-cycles",
        "50",
    )
    note = read_core(str(file))
    assert note.arch is Arch.WORMHOLE
    machine = machine_from(note, "reference")
    assert machine.S.tile.chip
    machine.poke(NC, IRAM, b"inside")
    again = tmp_path / "again.core"
    again.write_bytes(core_of(machine, "a test"))
    assert machine_from(read_core(str(again)), "reference").peek(NC, IRAM, 6) == b"inside"
    said = refused(capsys, "run", "--from", str(file), "--arch", "blackhole")
    assert "is of a Wormhole tile: leave out --arch blackhole" in said


def test_a_recording_is_of_its_chip(
    elf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.rec"
    run(
        capsys,
        {"b": elf},
        "--arch",
        "wormhole",
        "--record-to",
        str(file),
        "--engine",
        "reference",
        "--max-cycles",
        "50",
    )
    recording = read_recording(str(file), LAYOUT)
    machine = recording.machine("reference")
    assert machine.S.tile.chip
    replay = Replay(recording, machine)
    assert all(cycle <= 50 for cycle in replay.play())
    assert replay.difference is None
    assert machine.S.tile.cycle == 50
    machine.close()


@pytest.mark.gdb
def test_gdb_attaches(elf: Path) -> None:
    with serve({"b": elf}, "--arch", "wormhole") as server:
        said = gdb(
            server.port,
            "stepi",
            "p/x $pc",
            "p $ft0",
            "p $misa",
            "thread 5",
            f"x/i {IRAM:#x}",
            "x/wx 0x16e000",
        )
    assert "= 0x4" in said
    assert said.count("= void") == 2, "neither F nor CSRs"
    assert f"{IRAM:#x}:" in said
    assert "Cannot access memory at address 0x16e000" in said


def test_the_configuration_has_its_own_names_and_words() -> None:
    """`monitor cfg` and `monitor watch cfg` by the fields of Wormhole."""
    machine = machine_on("reference", arch=Arch.WORMHOLE)
    field = "THCON_SEC0_REG3_Base_address"
    own = "THCON_SEC1_REG8_Addr_cnt_context"  # Blackhole has none of that name
    assert "word 64" in monitor_cfg(machine, 2, [f"{field}=0x1234"])
    assert "bits 3:2" in monitor_cfg(machine, 2, [f"{own}=2"])
    shown = monitor_cfg(machine, 2, ["64"])
    assert field in shown
    assert "0x1234" in shown
    assert config_words.word_of(machine.S, 0, 126) == 2 << 2
    monitor_cfg(machine, 2, ["UNPACK_MISC_CFG_CfgContextOffset_0=3"])
    watched = watch_of(machine, 2, ["cfg", "UNPACK_MISC_CFG_CfgContextOffset_0", "T0"])
    where = 0xFFEF05E0 + 16 * HERE["UNPACK_MISC_CFG_CfgContextOffset_0"].word
    assert [word.at for word in watched.words] == [where]
    assert peek(machine.S, 0, where) & 0xF == 3
    watched = watch_of(machine, 2, ["cfg", own, "1"])
    assert [word.at for word in watched.words] == [0xFFEF0000 + 4 * (188 + 126)]
    with pytest.raises(TargetError, match="word of the configuration"):
        monitor_cfg(machine, 2, ["188"])
    machine.close()
