# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb diagnose --kept`: a run that a simulator has kept, from its beginning again."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.pages.share.document import unpacked
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of
from tests.assembler import EBREAK, SPIN, asm, li
from tests.elf_maker import make_elf, words
from tests.gdbstub.diagnose.test_diagnose import NO_FLUSH, NOP, WAITS

FLAG, DONE, OUT, ARGUMENTS = 0x20000, 0x20040, 0x30000, 0x21000
END = [*li(10, DONE), *li(11, 255), asm("sw", rs2=11, rs1=10, imm=0), asm("jal", rd=0, imm=0)]
STORE = [*li(10, OUT), *li(11, 7), asm("sw", rs2=11, rs1=10, imm=0), *END]
POLL = [*li(10, FLAG), asm("lw", rd=11, rs1=10, imm=0), asm("beq", rs1=11, rs2=0, imm=-4), *END]
STALE = [*li(10, FLAG), asm("lw", rd=11, rs1=10, imm=0), asm("beq", rs1=11, rs2=0, imm=-4), EBREAK]
STORE_FLAG = [*li(10, FLAG), *li(11, 7), asm("sw", rs2=11, rs1=10, imm=0), EBREAK]
Kept = Callable[..., list[str]]


@pytest.fixture
def kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Kept:
    """Keep the beginning of a program of T0, diagnose it; the page's lines."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def diagnose(
        code: list[int],
        *options: str,
        ended: bool = True,
        status: int = 1,
        b: list[int] | None = None,
        b_elf: str = "b.elf",
        **more: object,
    ) -> list[str]:
        Path("t0.elf").write_bytes(make_elf([(0x6000, words(*code))], entry=0x6000))
        schedule = Schedule.SC if b is None else Schedule.LATENCY  # in sc nothing is observed
        with closing(Machine(engine="reference", schedule=schedule)) as machine:
            machine.load(1, read_elf("t0.elf"))
            if b is not None:
                Path(b_elf).parent.mkdir(parents=True, exist_ok=True)
                Path(b_elf).write_bytes(make_elf([(0, words(*b))], entry=0))
                machine.load(0, read_elf(b_elf))
            Path("run-1.core").write_bytes(core_of(machine, "before T0 leaves reset"))
        reads = {DONE: "ff000000", OUT: "0700000000000000"}
        run = {"addr": 0, "data": "", "reads": reads, "writes": [], "ended": ended, **more}
        Path("run-1.json").write_text(json.dumps(run), "ascii")
        assert main(["diagnose", "--kept=run-1.core", "--max-cycles=20000", *options]) == status
        out, err = capsys.readouterr()
        assert err == ""
        return out.splitlines()

    return diagnose


def test_its_end_is_what_its_host_has_seen(kept: Kept) -> None:
    """The loop at the end of the program is no hang."""
    lines = kept(STORE, status=0)
    assert lines[0].startswith("the program ends as wanted, as far as it is known")
    assert lines[1].startswith("    its host has seen its end after ")


def test_run_ends_where_its_host_has_seen_the_end(
    kept: Kept, capsys: pytest.CaptureFixture[str]
) -> None:
    """The harts of such a run never pause: without this it lasted as long as it may."""
    kept(STORE, status=0)
    command = ["run", "--from", "run-1.core", "--engine=reference", "--max-cycles=20000"]
    assert main(command) == 0
    assert "its host has seen its end after " in capsys.readouterr().out
    Path("run-1.json").write_text("[]", "ascii")  # another file of that name
    assert main(command) == 1
    assert "still running after 20000 cycles" in capsys.readouterr().out


def test_a_wrong_array(kept: Kept) -> None:
    """The second run begins where the first one did, and not at a reset."""
    wanted = np.zeros((1, 16))
    wanted[0, 0] = 8
    np.save("wanted.npy", wanted)
    expected = f"--expect={OUT:#x}=wanted.npy:uint32,rows"
    lines = kept(STORE, expected)
    assert lines[0] == "the program ends, and a tile is not as expected"
    (likely,) = [line for line in lines if line.startswith("most likely (origin): ")]
    assert "0x00000007" in likely
    assert f"next: tensix-gdb diagnose --kept run-1.core {expected.replace('=', ' ', 1)} --all" in (
        " ".join(line.strip() for line in lines)
    )


def test_a_run_whose_end_its_host_has_not_seen(kept: Kept) -> None:
    lines = kept(POLL, ended=False)
    assert lines[0] == "the program hangs: it is proved that nothing can move any more"
    assert f"most likely (hang): T0: polls L1 {FLAG:#x}" in "\n".join(lines)
    assert lines[-1] == "next: tensix-gdb serve --core run-1.core --record"


@pytest.mark.long("tests/gdbstub/pages/share/test_share.py has recordings")
def test_it_is_shared_with_its_run(kept: Kept) -> None:
    """The page has the run from what was kept to its end, and not the beginning alone."""
    kept(POLL, ended=False)
    command = [
        "share",
        "run-1.core",
        "-o",
        "bug.html",
        "--no-races",
        "--events=50",
        "--max-cycles=20000",
    ]
    assert main(command) == 0
    data = unpacked(Path("bug.html").read_text("utf-8"))
    assert f"T0: polls L1 {FLAG:#x}" in "\n".join(data["said"])
    assert len(data["tiles"][""]["events"]) > 3


def test_a_remedy_is_tried_in_it(kept: Kept) -> None:
    """The hart polls an old copy: with a fence it reads none."""
    lines = kept([*NO_FLUSH, *STALE], "--try", ended=False, b=[*([NOP] * WAITS), *STORE_FLAG])
    assert any(line.startswith("most likely (old copy that is polled): M11") for line in lines), (
        "\n".join(lines)
    )
    assert "    M11 1, tried: a `fence` (invalidate_l1_cache) before the load" in "\n".join(lines)
    assert any("the report is gone" in line for line in lines)


def test_a_run_of_tt_metal_has_its_arguments(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file says where they end: the load after them comes before the wait."""
    monkeypatch.setattr(Machine, "_functions_at", lambda *_: ["get_arg_val<int> api.h"])
    after_them = [*li(10, ARGUMENTS + 8), asm("lw", rd=11, rs1=10, imm=0), *POLL]
    firmware = {"b": [SPIN], "b_elf": "firmware/brisc/brisc.elf", "ended": False}
    lines = kept(after_them, arguments=[[T0, ARGUMENTS, ARGUMENTS + 8, False]], **firmware)
    assert any(line.startswith("most likely (agreement, in a hang): C1") for line in lines), (
        "\n".join(lines)
    )
    lines = kept(after_them, arguments=[[T0, ARGUMENTS, ARGUMENTS + 12, False]], **firmware)
    assert any(line.startswith("most likely (hang): T0: polls") for line in lines)


@pytest.mark.parametrize("bad", [[[9, 0, 4, False]], [[0, 4, 0, False]], [[0, 0]], 7])
def test_arguments_that_nothing_has_written(
    bad: object, kept: Kept, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("run-1.core").touch()
    run = {"addr": 0, "data": "", "reads": {}, "writes": [], "arguments": bad}
    Path("run-1.json").write_text(json.dumps(run), "ascii")
    assert main(["diagnose", "--kept=run-1.core"]) == 2
    assert "is not what `tensix-gdb simulator --keep` writes" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [["--kept=no.core"], ["--kept=no.core", "--elf=b=b.elf"], ["--kept=no.core", "--apply=make"]],
)
def test_what_is_refused(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", *options]) == 2
    assert capsys.readouterr().err.count("\n") == 1
