# SPDX-License-Identifier: Apache-2.0
"""Core files: GDB opens them, and so do we, with everything."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.build import build_machine
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.corefile import note as core_note
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of, machine_from, read_core
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.usage import UsageError
from tests.elf_maker import make_elf, words
from tests.gdb.harness import serve
from tests.gdbstub.tensix.programs import five, refused, run, work_of
from tests.machines import machine_on
from tests.patience import HANG
from tests.tools import find_tool

CYCLES = 700
ORDER = ("B", "T0", "T1", "T2", "NC")


def gdb(*commands: str, files: dict[str, Path]) -> str:
    """Return what a real GDB prints, with the symbols of all harts."""
    symbols = [f"add-symbol-file {path}" for hart, path in files.items() if hart != "B"]
    lines = [
        f"-ex={line}"
        for line in ("set osabi none", "set backtrace past-main on", *symbols, *commands)
    ]
    command = [find_tool("gdb-multiarch"), "-nx", "-nh", "-batch", str(files["B"]), *lines]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANG
    )
    return done.stdout + done.stderr


def test_gdb_unwinds_all_harts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elfs, file = five(tmp_path), tmp_path / "tile.core"
    # Where T1 is in `work`, so that the first hart of the file is not B.
    lines = run(capsys, elfs, "--until", hex(work_of(elfs["T1"])), "--core", str(file))
    assert lines[-1].startswith(f"core file {file}, cycle ")
    said = gdb(f"core {file}", "thread apply all bt", files=elfs)
    for thread, hart in ((1, "T1"), (2, "B"), (3, "T0"), (4, "T2"), (5, "NC")):
        part = said[said.index(f"Thread {thread} (process ") :].split("\n\n")[0]
        assert part.splitlines()[0] == f"Thread {thread} (process {ORDER.index(hart) + 1}):"
        assert "main () at ./five.c:" in part, hart
        assert "_start () at ./crt0.S:" in part, hart
    assert "#0  work (round=round@entry=0) at ./five.c:" in said
    # A variable in local RAM, of the hart that the stop is about: 100 * HART.
    assert "= 200" in gdb(f"core {file}", "p *(unsigned *)0xffb00000", files=elfs)


@pytest.mark.parametrize("schedule", ["sc", "latency", "random:7"])
def test_goes_on_as_if_nothing_had_been(schedule: str, tmp_path: Path) -> None:
    elfs = five(tmp_path)
    harts = [(number, str(path)) for number, path in enumerate(elfs.values())]
    machine = build_machine(harts, "compiled", schedule)
    machine.run(CYCLES)
    machine.outside.dram[1].write(0x12340, b"far away")
    before = machine.hash()
    file = tmp_path / "tile.core"
    file.write_bytes(core_of(machine, "a test"))
    assert machine.hash() == before, "looking changes nothing"
    again = machine_from(read_core(str(file)), "compiled")
    try:
        assert again.hash() == before
        assert again.outside.dram[1].read(0x12340, 8) == b"far away"
        assert again.places.at(0, again.read_pc(0)) == machine.places.at(0, machine.read_pc(0))
        for tile in (machine, again):
            tile.run(CYCLES)
        assert again.hash() == machine.hash() != before
        again.reset()
        assert again.hash() == before, "reset comes back to the file"
        assert again.outside.dram[1].read(0x12340, 8) == b"far away"
    finally:
        machine.close()
        again.close()


def test_a_fault_is_still_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elf, file = tmp_path / "bad.elf", tmp_path / "tile.core"
    elf.write_bytes(make_elf([(0, words(0x00000013, 0xFFFFFFFF))]))
    said = run(capsys, {"t2": elf}, "--core", str(file))
    note = read_core(str(file))
    assert note.ending == said[0]
    machine = machine_from(note, "reference")
    stop = machine.run(100)
    assert stop is not None
    assert said[0].startswith(stop.text)
    elf.unlink()
    assert note.changed() == [str(elf)]


def test_a_server_opens_it_and_gdb_attaches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elfs, file = five(tmp_path), tmp_path / "tile.core"
    run(capsys, elfs, "--until", hex(work_of(elfs["T1"])), "--core", str(file))
    folder = tmp_path / "cores"
    folder.mkdir()
    with serve({}, "--core", str(file), "--core-dir", str(folder)) as server:
        said = gdb(
            f"target remote localhost:{server.port}",
            "thread",
            "thread apply all bt",
            "thread 3",
            "p rounds",
            "monitor core second",
            files=elfs,
        )
    for at in (
        "[Current thread is 3 (Thread 3)]",
        "work (round=round@entry=0)",
        "main () at ./five.c:",
        "$1 = 200",
    ):
        assert at in said
    assert f"{folder / 'second'}, cycle " in said
    assert read_core(str(folder / "second")).hash == read_core(str(file)).hash


def test_monitor_core_writes_nowhere_else(tmp_path: Path) -> None:
    machine = machine_on("reference")
    monitor = tensix_target(machine, core_dir=str(tmp_path)).monitor
    assert monitor is not None
    (tmp_path / "link").symlink_to(tmp_path.parent / "victim")
    for name in ("../x", "/tmp/x", "a/b", "..", ".hidden", "link", "", "a b"):
        with pytest.raises(TargetError):
            monitor.command(1, f"core {name}", running=False)
    monitor.command(1, "core good", running=False)
    with pytest.raises(TargetError, match="exists"):
        monitor.command(1, "core good", running=False)
    with pytest.raises(TargetError, match="runs for another client"):
        monitor.command(1, "core more", running=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good", "link"]
    assert not (tmp_path.parent / "victim").exists()
    without = tensix_target(machine).monitor
    assert without is not None
    assert "core" not in without.names()


def test_what_is_no_core_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(engine="reference", schedule=Schedule.SC, arch=Arch.BLACKHOLE)
    whole = core_of(machine, "a test")
    file = tmp_path / "tile.core"
    (tmp_path / "text").write_text("hello")

    def sentence(data: bytes) -> str:
        file.write_bytes(data)
        with pytest.raises(UsageError) as refusal:
            read_core(str(file))
        return str(refusal.value)

    assert "no ELF file" in sentence(b"hello")
    assert "truncated" in sentence(whole[:60])
    assert "truncated" in sentence(whole[:1600])
    assert "not a core file that tensix-gdb has written" in sentence(make_elf([(0, words(19))]))
    assert "not a core file that tensix-gdb has written" in sentence(
        whole.replace(b"tensix-gdb\0", b"tensix-xyz\0")
    )
    assert "of format 9" in sentence(whole.replace(b'"format": 2', b'"format": 9'))
    assert "damaged" in sentence(whole.replace(b'"pages": [[]', b'"pages": [7 '))
    assert "damaged" in sentence(whole.replace(machine.hash().encode(), 32 * b"0"))
    assert "no ELF file" in refused(capsys, "serve", "--core", str(tmp_path / "text"))
    assert "cannot be read" in refused(capsys, "serve", "--core", str(tmp_path / "none"))
    assert "leave out --elf" in refused(capsys, "serve", "--core", str(file), "--elf=b=b.elf")
    assert "no such directory" in refused(
        capsys, "serve", "--elf=b=gdbstub/demo/programs/b.elf", "--core-dir", str(tmp_path / "none")
    )
    file.write_bytes(whole)
    monkeypatch.setattr(core_note, "layout_hash", lambda layout: "another")
    assert "another layout" in refused(capsys, "serve", "--core", str(file), "--port", "0")
