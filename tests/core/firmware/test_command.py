# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb run` with a folder, with raw bytes, with a firmware and kernels: what it says."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, LOCAL_BASE, NC, B
from tensix_gdb.core.firmware.folder import programs_in
from tensix_gdb.core.firmware.host import packed
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, Segment
from tensix_gdb.core.stop import Stop
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.usage import HARTS as NAMES
from tests.assembler import EBREAK, asm, li
from tests.core.firmware.builds import KNOWN, unpack
from tests.elf_maker import make_elf, words
from tests.programs.build import GCC, PROGRAMS, build_kernel

STATE = re.compile(r"cycle +(\d+)  subordinate_sync (0x[0-9a-f]{8}) \(.*\), go signal (0x..)")


def states(out: str) -> list[tuple[int, int, int]]:
    """Cycle, sync and go signal of each row."""
    return [(int(a), int(b, 16), int(c, 16)) for a, b, c in STATE.findall(out)]


@pytest.mark.parametrize("schedule", ["sc", "latency", "random:9"])
def test_a_boot(tmp_path: Path, capsys: pytest.CaptureFixture[str], schedule: str) -> None:
    folder = unpack(KNOWN, tmp_path)
    command = ["run", "--firmware", str(folder), "--schedule", schedule, "--engine", "compiled"]
    assert main(command) == 0
    out = capsys.readouterr().out
    rows = states(out)
    assert [(sync, go) for _, sync, go in rows[:2]] == [(0, 0x40), (0x40404040, 0x40)]
    assert rows[-1][1:] == (0, 0)
    assert f"initialised after {rows[-1][0]} cycles" in out
    assert "success" in out


def test_kernels(
    tmp_path: Path, tool: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    tool(GCC)
    folder = unpack(KNOWN, tmp_path)
    command = ["run", "--firmware", str(folder), "--engine", "compiled"]
    for hart in range(HARTS):
        path = build_kernel(PROGRAMS / "kernel.c", hart, tmp_path / f"{hart}.elf")
        command += ["--launch", f"{NAMES[hart]}={path}"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "launched kernels on B, T0, T1, T2, NC" in out
    signals = [go for _, _, go in states(out)]
    assert [go for go, before in zip(signals[1:], signals, strict=False) if go != before] == [
        0,
        0x80,
        0,
    ]
    assert "kernels done after" in out


def test_ctrl_c_between_two_cycles_of_a_boot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recording up to there is replayed."""
    recording, run = tmp_path / "recording", Machine.run

    def pressed(machine: Machine, cycles: int) -> Stop | None:
        if machine.S.tile.cycle == 700:
            signal.raise_signal(signal.SIGINT)
        return run(machine, cycles)

    monkeypatch.setattr(Machine, "run", pressed)
    folder = unpack(KNOWN, tmp_path)
    command = ["run", "--firmware", str(folder), "--engine", "reference"]
    assert main([*command, "--record-to", str(recording)]) == 130
    out = capsys.readouterr().out
    assert "\ninterrupted after 768 cycles: B at " in out
    assert main(["replay", str(recording)]) == 0


def test_a_firmware_that_does_not_get_ready(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = unpack(KNOWN, tmp_path)
    assert main(["run", "--firmware", str(folder), "--max-cycles", "5000"]) == 1
    out = capsys.readouterr().out
    assert "still running after 5000 cycles: B at 0x0000" in out
    assert re.search(r"\n    B spins at .* in the last 1000 cycles\n", out)


def test_a_kernel_that_spins_is_named_with_its_line(
    tmp_path: Path, tool: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    tool(GCC)
    source = tmp_path / "counts.c"
    source.write_text(
        "void kernel_main(void)\n{\n    for (;;)\n        ++*(volatile unsigned *)0x30000;\n}\n"
    )
    kernel = build_kernel(source, NC, tmp_path / "nc.elf")
    folder = unpack(KNOWN, tmp_path)
    command = ["run", "--firmware", str(folder), "--launch", f"nc={kernel}"]
    assert main([*command, "--max-cycles", "20000"]) == 1
    out = capsys.readouterr().out
    ending = out[out.index("still running after") :]
    assert "NC at 0x000200" in ending
    assert re.search(r"\n    NC spins at (.*counts\.c:\d+(, )?)+ in the last 1000 cycles\n", ending)
    assert re.search(r"\n    B spins at .* in the last 1000 cycles\n", ending)


def test_until_in_a_firmware(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = unpack(KNOWN, tmp_path)
    assert main(["run", "--firmware", str(folder), "--until", "wzerorange"]) == 0
    assert "wzerorange" in capsys.readouterr().out


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("names", [("brisc", "ncrisc", "trisc0"), ("unpack", "math", "pack")])
def test_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], names: tuple[str, ...], nested: bool
) -> None:
    for number, name in enumerate(names):
        path = tmp_path / name / f"{name}.elf" if nested else tmp_path / f"{name}.elf"
        path.parent.mkdir(exist_ok=True)
        entry = 0x1000 * (number + 1)
        path.write_bytes(make_elf([(entry, words(EBREAK))], entry=entry))
    assert main(["run", "--dir", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.count("paused at ebreak") == 3
    harts = {"brisc": "B", "ncrisc": "NC", "trisc0": "T0", "unpack": "T0", "math": "T1"}
    for name in names:
        assert f"{harts.get(name, 'T2')} paused" in out


def test_other_files_of_a_folder_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "brisc.elf").write_bytes(b"")
    (tmp_path / "erisc.elf").write_bytes(b"")
    assert programs_in(tmp_path) == {B: tmp_path / "brisc.elf"}


def test_raw_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elf, data = tmp_path / "program.elf", tmp_path / "data"
    program = [*li(8, 0x20000), asm("lw", rd=9, rs1=8), asm("jalr", rs1=9)]
    elf.write_bytes(make_elf([(0, words(*program))]))
    data.write_bytes(words(0x20004, EBREAK))
    assert main(["run", "--elf", f"b={elf}", "--bin", f"0x20000={data}"]) == 0
    assert "B paused at ebreak, 0x00020004" in capsys.readouterr().out


def test_the_data_of_a_kernel_stands_behind_its_code() -> None:
    """As tt-metal packs it; the kernel's start-up code copies it to local RAM."""
    code, data, zeros = bytes(6), bytes([1, 2]), bytes(8)
    kernel = Image(
        Path("kernel"),
        0x100,
        (Segment(0x100, code), Segment(LOCAL_BASE, data), Segment(LOCAL_BASE + 64, zeros)),
        b"",
    )
    at = packed(kernel.moved_to(0x20000))
    assert at == [Segment(0x20000, code), Segment(0x20008, data)]
    assert kernel.moved_to(0x20000).entry == 0x20000
